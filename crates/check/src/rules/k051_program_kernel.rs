//! 32-bit programs and a kernel that does not run them
//!
//! # What
//! A program, and a kernel that was built without the interface that it needs; or `--arch`, and a kernel for a processor
//! that never had such programs.
//!
//! # Why
//! The kernel refuses the file with ENOEXEC, "cannot execute binary file: Exec format error". K002 and K017 are about the
//! kernel alone; this rule says which programs it concerns.
//!
//! # Fix
//! For i386 programs: `biarch run PROGRAM` needs nothing from the kernel. Otherwise see the fix of K002 (arm64), K017 and
//! K018 (i386) or K019 (x32). On another processor: an emulator, such as qemu-arm or qemu-i386.
//!
//! # References
//! - man 2 execve, ENOEXEC

use super::Found;
use crate::facts::{Abi, Architecture, Facts};
use crate::grouped::grouped;
use crate::libraries::each_group;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        for guest in &facts.guests {
            if let Some(architecture) = kernel.architecture().filter(|architecture| !architecture.may_run(*guest)) {
                let (architecture, guest) = (architecture.name(), guest.name());
                let message = format!("an {architecture} kernel runs no {guest} programs");
                found.add(&kernel.name, message, format!("it is for {architecture}"));
            }
        }
        let refuses = |option: &str| kernel.runs_narrow().map_or(kernel.lacks(option), |runs| !runs);
        let option = |abi: Abi| match (kernel.architecture(), abi) {
            (Some(Architecture::Arm64), Abi::Arm(_)) if refuses("COMPAT") => Some("COMPAT"),
            (Some(Architecture::X86_64), Abi::I386) if refuses("IA32_EMULATION") => Some("IA32_EMULATION"),
            (Some(Architecture::X86_64), Abi::X32) if kernel.lacks("X86_X32_ABI") && kernel.lacks("X86_X32") => Some("X86_X32_ABI"),
            _ => None,
        };
        for (target, objects) in each_group(facts) {
            let programs = objects.into_iter().filter(|object| object.details.is_program());
            let refused = programs.filter_map(|object| Some(((object.abi().name(), option(object.abi())?), object)));
            for ((abi, option), files) in grouped(refused.collect()) {
                let message = format!("{} for {abi} {} on {}", files.count(), files.verb("does not start", "do not start"), kernel.name);
                let seen = if kernel.lacks(option) { kernel.quote(&[option]) } else { "one was tried there".to_owned() };
                found.add(&target, message, format!("{seen}; {files}"));
            }
        }
    }
}

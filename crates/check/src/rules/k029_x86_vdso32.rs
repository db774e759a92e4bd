//! x86-64: i386 programs get no vDSO
//!
//! # What
//! No linux-gate.so.1 is inside the image of an x86-64 kernel, or an i386 program that it runs is not given one.
//!
//! # Why
//! The kernel runs no i386 programs (CONFIG_IA32_EMULATION is off), or gives them no vDSO: then every clock_gettime() is
//! a system call, and programs enter the kernel by int $0x80, which is the slowest way.
//!
//! # Fix
//! Set CONFIG_IA32_EMULATION=y; the vDSO comes with it. Without it `biarch run` brings one of its own. Where a program is not
//! given what is there, take vdso32=0 off the command line, turn CONFIG_COMPAT_VDSO off, and
//!
//! ```text
//! sysctl abi.vsyscall32=1
//! ```
//!
//! # References
//! - arch/x86/entry/vdso/Makefile, vdso32

use super::Found;
use crate::facts::machine::without_vdso;
use crate::facts::{Architecture, Facts, Kernel};
use ::elf::{Class, EM_386};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::X86_64)) {
        if let Some(probe) = kernel.native() {
            if !probe.has_vdso() {
                let message = "i386 programs make a system call whenever they read the clock, and enter the kernel by int $0x80";
                found.add(&kernel.name, message, format!("{}; {}", without_vdso(Some(probe)), why(kernel)));
            }
            continue;
        }
        let Some(image) = &kernel.image else { continue };
        let inside = image.vdsos.iter().any(|vdso| vdso.class == Class::Elf32 && vdso.machine == EM_386);
        // K017 has said the rest.
        if !inside && !kernel.lacks("IA32_EMULATION") {
            let message = "i386 programs, if it runs any, make a system call whenever they read the clock";
            found.add(&kernel.name, message, "no linux-gate.so.1 is inside the image");
        }
    }
}

/// What takes it away from programs that a kernel runs.
fn why(kernel: &Kernel) -> String {
    let word = kernel.command_line().find(|word| word.starts_with("vdso32="));
    match (kernel.sysctl("abi.vsyscall32"), word) {
        (_, Some(word)) => format!("the command line has {word}"),
        (Some("0"), None) => format!("abi.vsyscall32 is 0, {}", kernel.quote(&["COMPAT_VDSO"])),
        _ => kernel.quote(&["COMPAT_VDSO"]),
    }
}

//! x86-64: the image has no vDSO for i386 programs
//!
//! # What
//! No linux-gate.so.1 is inside the image of an x86-64 kernel.
//!
//! # Why
//! The kernel runs no i386 programs (CONFIG_IA32_EMULATION is off), or gives them no vDSO: then every clock_gettime() is
//! a system call, and programs enter the kernel by int $0x80, which is the slowest way.
//!
//! # Fix
//! Set CONFIG_IA32_EMULATION=y; the vDSO comes with it. Without it `biarch run` brings one of its own.
//!
//! # References
//! - arch/x86/entry/vdso/Makefile, vdso32

use super::Found;
use crate::facts::{Architecture, Facts};
use ::elf::{Class, EM_386};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::X86_64)) {
        let Some(image) = &kernel.image else { continue };
        let inside = image.vdsos.iter().any(|vdso| vdso.class == Class::Elf32 && vdso.machine == EM_386);
        // K017 has said the rest.
        if !inside && !kernel.lacks("IA32_EMULATION") {
            let message = "i386 programs, if it runs any, make a system call whenever they read the clock";
            found.add(&kernel.name, message, "no linux-gate.so.1 is inside the image");
        }
    }
}

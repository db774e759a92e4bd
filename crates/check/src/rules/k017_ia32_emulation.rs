//! x86-64: the kernel does not run 32-bit programs
//!
//! # What
//! CONFIG_IA32_EMULATION is off.
//!
//! # Why
//! The kernel refuses i386 programs with ENOEXEC, "cannot execute binary file: Exec format error". Guides to hardening
//! (the Kernel Self Protection Project among them) want it so. Nothing has to change in the kernel for i386 programs to
//! run: see the fix.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! # CONFIG_IA32_EMULATION is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! ```
//!
//! # Fix
//! Run the program without the kernel's help:
//!
//! ```text
//! biarch run PROGRAM
//! ```
//!
//! Or set CONFIG_IA32_EMULATION=y in the kernel.
//!
//! # References
//! - arch/x86/Kconfig, config IA32_EMULATION
//! - kernel-hardening-checker, which wants IA32_EMULATION off

use super::Found;
use crate::facts::{Architecture, Facts};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::X86_64) && kernel.lacks("IA32_EMULATION") && kernel.runs_narrow() != Some(true)) {
        found.add(&kernel.name, "i386 programs do not start; `biarch run` starts them", kernel.quote(&["IA32_EMULATION"]));
    }
}

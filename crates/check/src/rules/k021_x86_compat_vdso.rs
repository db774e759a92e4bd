//! x86: the 32-bit vDSO is switched off
//!
//! # What
//! CONFIG_COMPAT_VDSO is on, on x86. Here it means something else than on arm64.
//!
//! # Why
//! On x86 this option is a workaround for glibc 2.3.3 and for SUSE 9: the kernel does not give a vDSO to 32-bit programs,
//! unless it is booted with vdso32=1. i386 programs then make a system call whenever they read the clock, and enter the
//! kernel by int $0x80. On arm64 the option of the same name is what gives them a vDSO.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! CONFIG_COMPAT_VDSO=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! # CONFIG_COMPAT_VDSO is not set
//! ```
//!
//! # Fix
//! Turn CONFIG_COMPAT_VDSO off on x86 (and keep it on on arm64), or boot with vdso32=1.
//!
//! # References
//! - arch/x86/Kconfig, config COMPAT_VDSO; arch/x86/entry/vdso/vdso32-setup.c
//! - kernel-hardening-checker #100

use super::Found;
use crate::facts::{Architecture, Facts};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| matches!(kernel.architecture(), Some(Architecture::X86_64 | Architecture::X86)) && kernel.has("COMPAT_VDSO")) {
        // K029 says what became of it.
        if kernel.native().is_some() {
            continue;
        }
        found.add(&kernel.name, "i386 programs get no vDSO unless it is booted with vdso32=1", kernel.quote(&["COMPAT_VDSO"]));
    }
}

//! x86-64: 32-bit programs run only with a boot parameter
//!
//! # What
//! CONFIG_IA32_EMULATION_DEFAULT_DISABLED is on.
//!
//! # Why
//! The code for i386 programs is there and switched off: without `ia32_emulation=1` on the command line the kernel
//! refuses them with ENOEXEC. The option exists since Linux 6.7.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! CONFIG_IA32_EMULATION_DEFAULT_DISABLED=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! # CONFIG_IA32_EMULATION_DEFAULT_DISABLED is not set
//! ```
//!
//! # Fix
//! Add `ia32_emulation=1` to the kernel's command line, or run the program with `biarch run PROGRAM`, which does not need
//! it.
//!
//! # References
//! - arch/x86/Kconfig, config IA32_EMULATION_DEFAULT_DISABLED
//! - Documentation/admin-guide/kernel-parameters.txt, ia32_emulation=

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.has("IA32_EMULATION_DEFAULT_DISABLED") && kernel.runs_narrow() != Some(true)) {
        found.add(&kernel.name, "i386 programs do not start unless it is booted with ia32_emulation=1", kernel.quote(&["IA32_EMULATION", "IA32_EMULATION_DEFAULT_DISABLED"]));
    }
}

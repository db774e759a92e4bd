//! x86: programs cannot have segments of their own
//!
//! # What
//! CONFIG_MODIFY_LDT_SYSCALL is off.
//!
//! # Why
//! modify_ldt() is how Wine, DOSEMU and old threads libraries (LinuxThreads) get segments. Without it Wine does not start
//! 16-bit programs, and LinuxThreads programs fail at once. `biarch run` loses its best way to give each thread its %gs
//! and uses a slower one.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! # CONFIG_MODIFY_LDT_SYSCALL is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_MODIFY_LDT_SYSCALL=y
//! ```
//!
//! # Fix
//! Set CONFIG_MODIFY_LDT_SYSCALL=y. Guides to hardening want it off; the choice is between them and these programs.
//!
//! # References
//! - arch/x86/Kconfig, config MODIFY_LDT_SYSCALL; man 2 modify_ldt

use super::Found;
use crate::facts::{Architecture, Facts};

const KEYS: &[&str] = &["call.modify_ldt.write"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| matches!(kernel.architecture(), Some(Architecture::X86_64 | Architecture::X86)) && kernel.fails(KEYS, kernel.lacks("MODIFY_LDT_SYSCALL"))) {
        found.add(&kernel.name, "Wine's 16-bit programs, DOSEMU and LinuxThreads programs fail", kernel.evidence(KEYS, &["MODIFY_LDT_SYSCALL"]));
    }
}

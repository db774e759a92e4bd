//! x86-64: the x32 interface is on
//!
//! # What
//! CONFIG_X86_X32_ABI (before Linux 5.18 CONFIG_X86_X32) is on.
//!
//! # Why
//! x32 is a third interface beside x86-64 and i386: 64-bit instructions with 32-bit pointers. No i386 program uses it,
//! hardly any other does, and every system call has one more way in. Debian builds it in and keeps it off until it is
//! booted with syscall.x32=y; other kernels have it on.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_X86_X32_ABI=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! # CONFIG_X86_X32_ABI is not set
//! ```
//!
//! # Fix
//! Turn CONFIG_X86_X32_ABI off unless there are x32 programs. This does not touch i386 programs.
//!
//! # References
//! - arch/x86/Kconfig, config X86_X32_ABI
//! - actions/runner-images #8397

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.has("X86_X32_ABI") || kernel.has("X86_X32")) {
        found.add(&kernel.name, "x32 is built in, which i386 programs do not need", kernel.quote(&["X86_X32_ABI"]));
    }
}

//! The heap of every program begins at the end of its data
//!
//! # What
//! CONFIG_COMPAT_BRK is on.
//!
//! # Why
//! The address of the heap is not random. It is meant for libc5 programs of the 1990s, which break otherwise; every other
//! program only loses protection. (The name has nothing to do with 32-bit programs. checksec 3.0.1 expects it to be on
//! and calls that randomization; it is the other way round.)
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_COMPAT_BRK=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! # CONFIG_COMPAT_BRK is not set
//! ```
//!
//! # Fix
//! Turn CONFIG_COMPAT_BRK off, unless there are libc5 programs. For one such program `setarch -R PROGRAM` does the same.
//!
//! # References
//! - init/Kconfig, config COMPAT_BRK; Documentation/admin-guide/sysctl/kernel.rst, randomize_va_space

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.has("COMPAT_BRK")) {
        found.add(&kernel.name, "the heap is at a known address, for the sake of libc5 programs", kernel.quote(&["COMPAT_BRK"]));
    }
}

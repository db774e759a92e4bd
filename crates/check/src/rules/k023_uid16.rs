//! The system calls with 16-bit user ids are missing
//!
//! # What
//! CONFIG_UID16 is off.
//!
//! # Why
//! i386 and ARM programs built before 2001, and assembly that uses the first numbers, call getuid, chown and setgroups
//! with 16-bit ids. Without this option they end with ENOSYS, and such a program believes that it is nobody. glibc since
//! 2.2 uses the 32-bit ones.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! # CONFIG_UID16 is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! CONFIG_UID16=y
//! ```
//!
//! # Fix
//! Set CONFIG_UID16=y (it is only visible with CONFIG_EXPERT=y) if there are programs that old.
//!
//! # References
//! - init/Kconfig, config UID16; kernel/uid16.c

use super::Found;
use crate::facts::Facts;
use crate::config::Setting;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.fails(&["call.getuid16"], (kernel.has("COMPAT") || kernel.has("IA32_EMULATION")) && kernel.option("UID16") == Some(Setting::No))) {
        found.add(&kernel.name, "32-bit programs built before 2001 get ENOSYS for getuid and chown", kernel.evidence(&["call.getuid16"], &["UID16"]));
    }
}

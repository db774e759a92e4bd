//! 32-bit ARM: the kernel does not run programs of the EABI
//!
//! # What
//! CONFIG_AEABI is off in a 32-bit ARM kernel.
//!
//! # Why
//! It only runs programs of the interface before 2005. Every program of today is of the EABI and dies at its first system
//! call.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! # CONFIG_AEABI is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! CONFIG_AEABI=y
//! ```
//!
//! # Fix
//! Set CONFIG_AEABI=y; CONFIG_OABI_COMPAT=y keeps the old programs, where there are any.
//!
//! # References
//! - arch/arm/Kconfig, config AEABI

use super::Found;
use crate::facts::{Architecture, Facts};
use crate::config::Setting;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm) && kernel.option("AEABI") == Some(Setting::No)) {
        found.add(&kernel.name, "programs built since 2005 die at their first system call", kernel.quote(&["AEABI", "OABI_COMPAT"]));
    }
}

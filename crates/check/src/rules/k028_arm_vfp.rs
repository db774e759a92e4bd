//! 32-bit ARM: no floating-point instructions for programs
//!
//! # What
//! CONFIG_VFP is off in a 32-bit ARM kernel.
//!
//! # Why
//! armhf programs, all of them, use the registers of the floating-point unit for arguments. Without this option the first
//! such instruction is SIGILL.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! # CONFIG_VFP is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! CONFIG_VFP=y
//! ```
//!
//! # Fix
//! Set CONFIG_VFP=y (and CONFIG_NEON=y for ARMv7).
//!
//! # References
//! - arch/arm/Kconfig, config VFP

use super::Found;
use crate::facts::{Architecture, Facts};
use crate::config::Setting;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm) && kernel.option("VFP") == Some(Setting::No)) {
        found.add(&kernel.name, "armhf programs die with SIGILL", kernel.quote(&["VFP", "NEON"]));
    }
}

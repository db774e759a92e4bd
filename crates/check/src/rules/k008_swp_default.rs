//! arm64: the SWP instruction is emulated only when asked for
//!
//! # What
//! CONFIG_SWP_EMULATION is on, and still nothing is emulated after a boot.
//!
//! # Why
//! The kernel starts with abi.swp=0, even when the emulation is built in. Programs with SWP die with SIGILL until
//! somebody sets the sysctl.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_ARMV8_DEPRECATED=y
//! CONFIG_SWP_EMULATION=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_ARMV8_DEPRECATED is not set
//! ```
//!
//! # Fix
//! If there are such programs (built for ARMv5 and older):
//!
//! ```text
//! echo abi.swp=1 > /etc/sysctl.d/swp.conf; sysctl abi.swp=1
//! ```
//!
//! # References
//! - Documentation/arch/arm64/legacy_instructions.rst, section "swp"

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.fails(&["does.swp"], kernel.has("SWP_EMULATION"))) {
        // Without the sysctl there is nothing to turn on: K007.
        if kernel.native().is_some() && kernel.sysctl("abi.swp").is_none() {
            continue;
        }
        found.add(&kernel.name, "programs with SWP, built for ARMv5 and older, need the sysctl abi.swp=1", kernel.evidence(&["does.swp"], &["SWP_EMULATION"]));
    }
}

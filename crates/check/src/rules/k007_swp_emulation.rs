//! arm64: the SWP instruction is not emulated
//!
//! # What
//! CONFIG_ARMV8_DEPRECATED or CONFIG_SWP_EMULATION is off.
//!
//! # Why
//! ARMv8 has no SWP and SWPB, the atomic exchange of ARMv5 and older. A program that contains one dies with SIGILL; old
//! spin locks (of boost, among others) do. 32-bit kernels emulate it.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_ARMV8_DEPRECATED is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_ARMV8_DEPRECATED=y
//! CONFIG_SWP_EMULATION=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARMV8_DEPRECATED=y and CONFIG_SWP_EMULATION=y. It is still off at run time; see K008.
//!
//! # References
//! - arch/arm64/Kconfig, config SWP_EMULATION; arch/arm64/kernel/armv8_deprecated.c
//! - Documentation/arch/arm64/legacy_instructions.rst

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.fails(&["does.swp"], kernel.lacks("SWP_EMULATION"))) {
        // It is there, and off: K008.
        if kernel.sysctl("abi.swp").is_some() {
            continue;
        }
        found.add(&kernel.name, "programs with SWP, built for ARMv5 and older, die with SIGILL", kernel.evidence(&["does.swp"], &["ARMV8_DEPRECATED", "SWP_EMULATION"]));
    }
}

//! arm64: the SETEND instruction is not emulated
//!
//! # What
//! CONFIG_ARMV8_DEPRECATED or CONFIG_SETEND_EMULATION is off.
//!
//! # Why
//! SETEND switches the byte order of a 32-bit program. ARMv8 deprecates it and leaves it disabled; the few programs that
//! use it (codecs and emulators, in hand-written assembly) die with SIGILL. The kernel can only emulate it if every core
//! has mixed byte order at EL0.
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
//! CONFIG_SETEND_EMULATION=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARMV8_DEPRECATED=y and CONFIG_SETEND_EMULATION=y.
//!
//! # References
//! - arch/arm64/Kconfig, config SETEND_EMULATION; arch/arm64/kernel/armv8_deprecated.c
//! - Documentation/arch/arm64/legacy_instructions.rst

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.fails(&["does.setend"], kernel.lacks("SETEND_EMULATION"))) {
        found.add(&kernel.name, "programs with SETEND die with SIGILL", kernel.evidence(&["does.setend"], &["ARMV8_DEPRECATED", "SETEND_EMULATION"]));
    }
}

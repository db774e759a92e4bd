//! arm64: CP15 barriers are not emulated
//!
//! # What
//! CONFIG_ARMV8_DEPRECATED or CONFIG_CP15_BARRIER_EMULATION is off.
//!
//! # Why
//! Programs built for ARMv6 use a write to the coprocessor CP15 as a memory barrier. ARMv8 deprecates it, and a processor
//! may refuse it: then the program dies with SIGILL unless the kernel emulates it. Emulation is slow (a trap for each
//! barrier: 26 million of them were counted in one build of rustc), so the better fix is a program for ARMv7.
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
//! CONFIG_CP15_BARRIER_EMULATION=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARMV8_DEPRECATED=y and CONFIG_CP15_BARRIER_EMULATION=y. `sysctl abi.cp15_barrier=2` lets the processor
//! execute them without a trap, where it can.
//!
//! # References
//! - arch/arm64/Kconfig, config CP15_BARRIER_EMULATION; arch/arm64/kernel/armv8_deprecated.c
//! - Documentation/arch/arm64/legacy_instructions.rst

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.fails(&["does.cp15_barrier"], kernel.lacks("CP15_BARRIER_EMULATION"))) {
        found.add(&kernel.name, "programs with CP15 barriers, built for ARMv6, may die with SIGILL", kernel.evidence(&["does.cp15_barrier"], &["ARMV8_DEPRECATED", "CP15_BARRIER_EMULATION"]));
    }
}

//! arm64: erratum 845719 is not worked around: loads may return wrong data
//!
//! # What
//! CONFIG_ARM64_ERRATUM_845719 is off. It concerns 32-bit programs on Cortex-A53 r0p0 to r0p4 only.
//!
//! # Why
//! On a Cortex-A53 up to r0p4 a load by a 32-bit program can return the data of another address, if a 64-bit program on
//! the same core has just left a certain state behind.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_ARM64_ERRATUM_845719 is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_ARM64_ERRATUM_845719=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARM64_ERRATUM_845719=y, unless the kernel is only for other processors. The kernel applies it where it
//! finds the processor.
//!
//! # References
//! - arch/arm64/Kconfig, config ARM64_ERRATUM_845719; Documentation/arch/arm64/silicon-errata.rst

use super::Found;
use crate::facts::Facts;
use crate::config::Setting;

// Cortex-A53 up to r0p4
const AFFECTED: &[(u32, (u32, u32))] = &[(0xd03, (0, 4))];

// No line means that this kernel is older than the workaround, or that a backport has it under no name: nobody turned it off.
pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.may_run_on(AFFECTED) && kernel.option("ARM64_ERRATUM_845719") == Some(Setting::No)) {
        found.add(&kernel.name, "32-bit programs may load wrong data on Cortex-A53", kernel.quote(&["ARM64_ERRATUM_845719"]));
    }
}

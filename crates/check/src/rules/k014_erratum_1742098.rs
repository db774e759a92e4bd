//! arm64: erratum 1742098 is not worked around: AES instructions compute wrong results
//!
//! # What
//! CONFIG_ARM64_ERRATUM_1742098 is off. It concerns 32-bit programs on Cortex-A57 and Cortex-A72 only.
//!
//! # Why
//! On a Cortex-A57 or A72 an interrupt between a 32-bit pair of AESE and AESMC can make the result wrong. The workaround
//! hides AES from 32-bit programs, which then use slower code.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_ARM64_ERRATUM_1742098 is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_ARM64_ERRATUM_1742098=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARM64_ERRATUM_1742098=y, unless the kernel is only for other processors. The kernel applies it where it
//! finds the processor.
//!
//! # References
//! - arch/arm64/Kconfig, config ARM64_ERRATUM_1742098; Documentation/arch/arm64/silicon-errata.rst

use super::Found;
use crate::facts::Facts;
use crate::config::Setting;

// Cortex-A57 and A72 of every revision
const AFFECTED: &[(u32, (u32, u32))] = &[(0xd07, (0xf, 0xf)), (0xd08, (0xf, 0xf))];

// No line means that this kernel is older than the workaround, or that a backport has it under no name: nobody turned it off.
pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.may_run_on(AFFECTED) && kernel.option("ARM64_ERRATUM_1742098") == Some(Setting::No)) {
        found.add(&kernel.name, "32-bit programs that use the AES instructions compute wrong results on Cortex-A57 and A72", kernel.quote(&["ARM64_ERRATUM_1742098"]));
    }
}

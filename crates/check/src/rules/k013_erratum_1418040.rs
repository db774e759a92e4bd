//! arm64: erratum 1418040 is not worked around: reading the timer corrupts a register
//!
//! # What
//! CONFIG_ARM64_ERRATUM_1418040 is off. It concerns 32-bit programs on Cortex-A76 and Neoverse N1 r0p0 to r3p1 only.
//!
//! # Why
//! On a Cortex-A76 or Neoverse N1 up to r3p1 a 32-bit program that reads the counter (every reader of the clock through
//! the vDSO does) may find another register changed.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_ARM64_ERRATUM_1418040 is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_ARM64_ERRATUM_1418040=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARM64_ERRATUM_1418040=y, unless the kernel is only for other processors. The kernel applies it where it
//! finds the processor.
//!
//! # References
//! - arch/arm64/Kconfig, config ARM64_ERRATUM_1418040; Documentation/arch/arm64/silicon-errata.rst

use super::Found;
use crate::facts::Facts;
use crate::facts::machine::ERRATUM_1418040;
use crate::config::Setting;

// No line means that this kernel is older than the workaround, or that a backport has it under no name: nobody turned it off.
pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.may_run_on(ERRATUM_1418040) && kernel.option("ARM64_ERRATUM_1418040") == Some(Setting::No)) {
        found.add(&kernel.name, "32-bit programs that read the timer corrupt registers on Cortex-A76 and Neoverse N1", kernel.quote(&["ARM64_ERRATUM_1418040"]));
    }
}

//! arm64: erratum 2658417 is not worked around: BF16 instructions compute wrong results
//!
//! # What
//! CONFIG_ARM64_ERRATUM_2658417 is off. It concerns Cortex-A510 r0p0 to r1p1 only.
//!
//! # Why
//! On pairs of these cores that share their vector unit, BFMMLA, and VMMLA of 32-bit programs, may compute a wrong result. The
//! workaround hides BF16 from programs of both widths, which then use other code.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! # CONFIG_ARM64_ERRATUM_2658417 is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! CONFIG_ARM64_ERRATUM_2658417=y
//! ```
//!
//! # Fix
//! Set CONFIG_ARM64_ERRATUM_2658417=y, unless the kernel is only for other processors. The kernel applies it where it
//! finds the processor.
//!
//! # References
//! - arch/arm64/Kconfig, config ARM64_ERRATUM_2658417; Linux 6.1

use super::Found;
use crate::config::Setting;
use crate::facts::{Facts, Kernel};

/// Cortex-A510.
const AFFECTED: &[(u32, (u32, u32))] = &[(0xd46, (1, 1))];

// No line means that this kernel is older than the workaround: nobody turned it off.
pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    let off = |kernel: &&Kernel| kernel.option("ARM64_ERRATUM_2658417") == Some(Setting::No) && kernel.may_run_on(AFFECTED);
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat()).filter(off) {
        let message = "32-bit programs that use the BF16 instructions compute wrong results on Cortex-A510";
        found.add(&kernel.name, message, kernel.quote(&["ARM64_ERRATUM_2658417"]));
    }
}

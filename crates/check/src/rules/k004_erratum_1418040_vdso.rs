//! arm64: on Cortex-A76 and Neoverse N1 the 32-bit vDSO is switched off
//!
//! # What
//! The kernel works around erratum 1418040 (CONFIG_ARM64_ERRATUM_1418040), and has a 32-bit vDSO.
//!
//! # Why
//! On a Cortex-A76 or Neoverse N1 of revision r0p0 to r3p1 the workaround traps every read of the timer from a 32-bit
//! program. The kernel then gives the vDSO to 64-bit programs only: the option is on, the auxiliary vector names a vDSO,
//! and reading the clock is a system call all the same. Other processors are not affected.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_COMPAT_VDSO=y
//! CONFIG_ARM64_ERRATUM_1418040=y
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
//! Nothing can be done in software; without the workaround registers are corrupted. On such a processor move programs
//! that read the clock often to 64 bits, or to a core that is not affected. `grep -i part /proc/cpuinfo` shows 0xd0b for
//! Cortex-A76 and 0xd0c for Neoverse N1, and "variant" and "revision" the revision.
//!
//! # References
//! - drivers/clocksource/arm_arch_timer.c, disable_compat_vdso
//! - Linux commit 4b661d6133c5, "arm64: arch_timer: Disable the compat vdso for cores affected by
//!   ARM64_WORKAROUND_1418040"

use super::Found;
use crate::facts::Facts;
use crate::facts::machine::{ERRATUM_1418040, Probe};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.has("COMPAT_VDSO") && kernel.has("ARM64_ERRATUM_1418040")) {
        // Where it was measured K061 says what came of it.
        let measured = kernel.native().and_then(Probe::clock_ratio).is_some();
        if measured || !kernel.may_run_on(ERRATUM_1418040) {
            continue;
        }
        found.add(&kernel.name, "on Cortex-A76 and Neoverse N1 up to r3p1 the 32-bit vDSO is there and does not help", kernel.quote(&["COMPAT_VDSO", "ARM64_ERRATUM_1418040"]));
    }
}

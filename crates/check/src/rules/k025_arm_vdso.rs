//! 32-bit ARM: programs get no vDSO
//!
//! # What
//! CONFIG_VDSO is off in a 32-bit ARM kernel for ARMv7.
//!
//! # Why
//! Every clock_gettime() is a system call, as in K001. The option needs the architected timer (Cortex-A7, A15, A17 and
//! later); on older processors the vDSO exists and cannot help.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! # CONFIG_VDSO is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! CONFIG_VDSO=y
//! ```
//!
//! # Fix
//! Set CONFIG_VDSO=y.
//!
//! # References
//! - arch/arm/mm/Kconfig, config VDSO; Linux 4.1 and later

use super::Found;
use crate::facts::{Architecture, Facts};
use crate::config::Setting;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm) && kernel.native().map_or(kernel.option("VDSO") == Some(Setting::No), |probe| !probe.has_vdso())) {
        found.add(&kernel.name, "programs make a system call whenever they read the clock", kernel.evidence(&["ns.syscall.clock_gettime", "ns.syscall.clock_gettime64"], &["VDSO"]));
    }
}

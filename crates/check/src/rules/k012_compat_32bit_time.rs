//! The system calls with a 32-bit time_t are missing
//!
//! # What
//! CONFIG_COMPAT_32BIT_TIME is off.
//!
//! # Why
//! Every i386 program of glibc, and every ARM program with a 32-bit time_t, uses them: futex, clock_gettime, nanosleep,
//! ppoll and more end with ENOSYS. glibc says "The futex facility returned an unexpected error code" and aborts. Debian's
//! i386 keeps the 32-bit time_t on purpose; its armhf has the 64-bit one since Debian 13. Ubuntu 24.04's azure and raspi
//! kernels were shipped like this, by mistake.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_COMPAT_32BIT_TIME is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_COMPAT_32BIT_TIME=y
//! ```
//!
//! # Fix
//! Set CONFIG_COMPAT_32BIT_TIME=y. It is on by default wherever 32-bit programs run; a configuration that says otherwise
//! was edited.
//!
//! # References
//! - arch/Kconfig, config COMPAT_32BIT_TIME
//! - ptitSeb/box86 #958 and #967; actions/runner-images #9977
//! - Debian bug #1065787, about the time_t of i386

use super::Found;
use crate::facts::{Architecture, Facts, Kernel};
use crate::config::Setting;
use crate::facts::machine::ENOSYS;

const KEYS: &[&str] = &["call.clock_gettime", "call.futex", "call.nanosleep"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        let narrow = kernel.has("COMPAT") || kernel.has("IA32_EMULATION");
        let narrow = narrow || matches!(kernel.architecture(), Some(Architecture::Arm | Architecture::X86));
        if (narrow || kernel.native().is_some()) && is_without(kernel) {
            let message = "32-bit programs with a 32-bit time_t abort: futex, clock_gettime and ppoll return ENOSYS";
            found.add(&kernel.name, message, evidence(kernel));
        }
    }
}

/// Whether it does not have them. Before 5.1 there was no such option, and the calls were always there.
pub(super) fn is_without(kernel: &Kernel) -> bool {
    let tried: Vec<_> = KEYS.iter().filter_map(|key| kernel.outcome(key)).collect();
    if tried.is_empty() { kernel.option("COMPAT_32BIT_TIME") == Some(Setting::No) } else { tried.contains(&ENOSYS) }
}

pub(super) fn evidence(kernel: &Kernel) -> String {
    kernel.evidence(KEYS, &["COMPAT_32BIT_TIME"])
}

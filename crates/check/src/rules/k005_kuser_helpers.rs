//! arm64: the page of kernel helpers is not there for 32-bit programs
//!
//! # What
//! CONFIG_KUSER_HELPERS is off.
//!
//! # Why
//! Programs built for ARMv4 to ARMv6 call compare-and-exchange, the memory barrier and the thread pointer at fixed
//! addresses (0xffff0fa0 to 0xffff0fe0) in a page that the kernel provides. Without the page they die with SIGSEGV at
//! such an address. Programs built for ARMv7 (all of Debian's armhf) do not use it. Guides to hardening want it off,
//! because its address is the same in every process.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_KUSER_HELPERS is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_KUSER_HELPERS=y
//! ```
//!
//! # Fix
//! Set CONFIG_KUSER_HELPERS=y if there are programs built for something older than ARMv7, such as those of Debian armel
//! or Raspbian.
//!
//! # References
//! - arch/arm64/Kconfig, config KUSER_HELPERS
//! - Documentation/arch/arm/kernel_user_helpers.rst

use super::Found;
use crate::facts::{Architecture, Facts, Kernel};

const KEYS: &[&str] = &["does.kuser.version", "does.kuser.memory_barrier", "does.kuser.cmpxchg", "does.kuser.get_tls"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| is_without(kernel)) {
        // Where nobody tried, a kernel may run no such programs at all.
        if kernel.has("COMPAT") || kernel.has("ARM") || kernel.native().is_some() {
            found.add(&kernel.name, "programs built for ARMv6 and older die with SIGSEGV", evidence(kernel));
        }
    }
}

/// Whether it is for ARM and does not give programs the page.
pub(super) fn is_without(kernel: &Kernel) -> bool {
    matches!(kernel.architecture(), Some(Architecture::Arm64 | Architecture::Arm)) && kernel.fails(KEYS, kernel.lacks("KUSER_HELPERS"))
}

pub(super) fn evidence(kernel: &Kernel) -> String {
    kernel.evidence(KEYS, &["KUSER_HELPERS"])
}

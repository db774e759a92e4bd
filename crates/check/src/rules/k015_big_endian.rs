//! arm64: a big-endian kernel does not run little-endian programs
//!
//! # What
//! CONFIG_CPU_BIG_ENDIAN is on.
//!
//! # Why
//! 32-bit programs for ARM are little-endian, but for a handful of systems of 2010 and before. A big-endian kernel
//! refuses them, and has no 32-bit vDSO for those that it runs.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_CPU_BIG_ENDIAN=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_CPU_BIG_ENDIAN is not set
//! ```
//!
//! # Fix
//! Set CONFIG_CPU_LITTLE_ENDIAN=y, unless all of user space is big-endian.
//!
//! # References
//! - arch/arm64/Kconfig, choice "Endianness"; config COMPAT_VDSO depends on !CPU_BIG_ENDIAN

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.has("CPU_BIG_ENDIAN")) {
        found.add(&kernel.name, "only big-endian 32-bit programs start", kernel.quote(&["CPU_BIG_ENDIAN"]));
    }
}

//! arm64: unaligned accesses that 32-bit kernels repaired are fatal
//!
//! # What
//! CONFIG_COMPAT_ALIGNMENT_FIXUPS is off.
//!
//! # Why
//! A 32-bit ARM kernel emulates LDM, STM, LDRD and STRD at addresses that are not a multiple of 4. An arm64 kernel
//! without this option sends SIGBUS instead: a program that has worked for years on an old board dies on the new one. The
//! option exists since Linux 6.1, has no default and is off in most distributions.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! # CONFIG_COMPAT_ALIGNMENT_FIXUPS is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_COMPAT_ALIGNMENT_FIXUPS=y
//! ```
//!
//! # Fix
//! Set CONFIG_COMPAT_ALIGNMENT_FIXUPS=y. Before 6.1 the program has to be repaired: find the access with `-Wcast-align`
//! or with UBSan (-fsanitize=alignment).
//!
//! # References
//! - arch/arm64/Kconfig, config COMPAT_ALIGNMENT_FIXUPS; arch/arm64/kernel/compat_alignment.c
//! - Documentation/arch/arm/mem_alignment.rst

use super::Found;
use crate::facts::Facts;

const KEYS: &[&str] = &["does.unaligned_ldm", "does.unaligned_ldrd"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.fails(KEYS, kernel.lacks("COMPAT_ALIGNMENT_FIXUPS"))) {
        found.add(&kernel.name, "32-bit programs with unaligned LDM or LDRD die with SIGBUS, as they did not on a 32-bit kernel", kernel.evidence(KEYS, &["COMPAT_ALIGNMENT_FIXUPS"]));
    }
}

//! The compiler for the 32-bit vDSO is in a variable that the kernel no longer reads
//!
//! # What
//! CROSS_COMPILE_COMPAT_VDSO is set.
//!
//! # Why
//! It was an option of Linux 5.3. Since 5.4 the prefix is the make variable CROSS_COMPILE_COMPAT, and the old name is
//! ignored without a word.
//!
//! # Fix
//! Set CROSS_COMPILE_COMPAT to the same value, for the kernel's make.
//!
//! # References
//! - Linux commits "arm64: Kconfig: Make CONFIG_COMPAT_VDSO a proper Kconfig option" and "lib: vdso: Remove
//!   CROSS_COMPILE_COMPAT_VDSO", 2019

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for tree in facts.trees.iter().filter(|tree| tree.compat.is_none()) {
        if let Some(said) = &tree.outdated {
            found.add(&tree.name, "CROSS_COMPILE_COMPAT_VDSO has no effect since Linux 5.4", said.to_string());
        }
    }
}

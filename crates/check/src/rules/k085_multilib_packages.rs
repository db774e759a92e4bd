//! Yocto: packages of a multilib are put into the image, and there is no such multilib
//!
//! # What
//! A list of packages has names that begin with `lib32-`, and MULTILIBS has no `multilib:lib32`.
//!
//! # Why
//! Such packages are made by the multilib alone: the build stops with "Nothing RPROVIDES 'lib32-…'".
//!
//! # Fix
//! Set the multilib up as K084 says, or take the packages out.
//!
//! # References
//! - The Yocto Project's Development Tasks Manual, "Using Multilib"

use super::Found;
use crate::facts::Facts;
use crate::tree::System;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    // A layer's image may be for builds that have the multilib.
    for tree in facts.trees.iter().filter(|tree| tree.system == System::Yocto) {
        for (variant, said) in &tree.multilib_packages {
            if !tree.multilibs.iter().any(|multilib| multilib.variant == *variant) {
                let message = format!("the image cannot be built: nothing makes packages whose names begin with {variant}-");
                found.add(&tree.name, message, format!("{said}; MULTILIBS has no multilib:{variant}"));
            }
        }
    }
}

//! A library that a file needs is only there for another architecture
//!
//! # What
//! A file names a library (DT_NEEDED), and where the dynamic loader looks for it there is only one of another word size,
//! architecture or calling convention.
//!
//! # Why
//! The loader passes over libraries of another kind, and ends with "error while loading shared libraries", or "wrong ELF
//! class". It is what happens when a 32-bit program is copied to a 64-bit system without its libraries.
//!
//! # Fix
//! Install the same package for the program's architecture beside the one that is there: on Debian `apt install
//! PACKAGE:i386` (or :armhf), on Fedora PACKAGE.i686, in Yocto the lib32- variant.
//!
//! # References
//! - man 8 ld.so
//! - Debian wiki, Multiarch/HOWTO

use super::Found;
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::{Lookup, lookup};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let mut wrong = Vec::new();
        for (object, name, result) in lookup(root) {
            if let Lookup::Other(other) = result {
                wrong.push(((object.abi().name(), name, other.abi().name()), object));
            }
        }
        for ((abi, name, other), users) in grouped(wrong) {
            let message = format!("{name} is there for {other}, and not for {abi}");
            found.add(&root.name, message, format!("{name} for {abi} is needed by {users}"));
        }
    }
}

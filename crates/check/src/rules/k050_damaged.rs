//! A file is a damaged ELF file
//!
//! # What
//! A file begins like an ELF file, and what its headers describe is not in it.
//!
//! # Why
//! It was cut off when it was copied or when the disk was full, or it is not what its name says. The loader refuses it
//! ("file too short", "invalid ELF header") or maps what is not there, and the program dies with SIGBUS.
//!
//! # Fix
//! Install the file again. Files of debug information (below /usr/lib/debug) are meant to be so, and are not looked at.
//!
//! # References
//! - gABI, chapters 4 and 5

use super::Found;
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::each_group;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (target, objects) in each_group(facts) {
        let mut damaged = Vec::new();
        for object in objects.into_iter().filter(|object| !object.path.starts_with(b"/usr/lib/debug/")) {
            damaged.extend(object.details.damage.iter().map(|damage| (*damage, object)));
        }
        for (damage, files) in grouped(damaged) {
            found.add(&target, format!("{} {} damaged: {damage}", files.count(), files.verb("is", "are")), files.to_string());
        }
    }
}

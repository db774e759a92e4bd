//! Yocto: the 64-bit time_t of 32-bit programs is turned off
//!
//! # What
//! GLIBC_64BIT_TIME_FLAGS is empty for all recipes, or the test 32bit-time is taken out of WARN_QA or ERROR_QA.
//!
//! # Why
//! OE-core builds 32-bit programs with a 64-bit time_t since 2023 (time64.inc). Without the flags they stop being right in
//! January 2038, and a library with one time_t does not fit a program with the other: structures have another size, and
//! nothing says so before something crashes. The test is what finds recipes that drop the flags.
//!
//! # Fix
//! Take the line out, and set GLIBC_64BIT_TIME_FLAGS and INSANE_SKIP in the recipes that need it, as OE-core does for
//! pipewire and others that must see both interfaces.
//!
//! # References
//! - OE-core's meta/conf/distro/include/time64.inc; meta/classes-global/insane.bbclass, check_32bit_symbols

use super::Found;
use crate::facts::Facts;
use findings::Severity;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for tree in facts.trees.iter().filter(|tree| !tree.narrow.is_empty()) {
        for said in &tree.time32 {
            if said.text.contains("GLIBC_64BIT_TIME_FLAGS") {
                found.add(&tree.name, "32-bit programs of this build have a 32-bit time_t, which ends in 2038", said.to_string());
            } else {
                let message = "nobody looks for 32-bit programs with a 32-bit time_t";
                found.add(&tree.name, message, said.to_string()).severity = Severity::Note;
            }
        }
    }
}

//! A library of the machine that builds is linked into the program
//!
//! # What
//! The linker's map of a program for the new architecture names files below the directory of libraries of another architecture, or
//! those of the old one. Or a program or library that was built says itself (`DT_NEEDED`) that it needs one by its path on the
//! machine that builds, or one that only another architecture has there.
//!
//! # Why
//! The linker skips a library of the wrong architecture, and takes another with the same name if it finds one; archives of data, linker
//! scripts and start files it may take. What comes out is missing something, or does not start.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: program.map
//! Linker script and memory map
//! LOAD /usr/lib/i386-linux-gnu/libz.so
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: program.map
//! Linker script and memory map
//! LOAD /usr/lib/x86_64-linux-gnu/libz.so
//! ```
//!
//! # Fix
//! Find the `-L` that leads there: an absolute prefix, a `.la` file with `libdir='/usr/lib'`, a `pkg-config` without
//! PKG_CONFIG_LIBDIR for the target.
//!
//! # References
//! - CWE-1105
//! - ld(1), `-Map`

use super::{Found, Visit};
use crate::files::{File, FileKind};
use crate::pair::WIDE;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::File(look);

const TRIPLETS: [&str; 4] = ["i386-linux-gnu", "arm-linux-gnueabihf", "x86_64-linux-gnu", "aarch64-linux-gnu"];

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if file.kind == FileKind::Linked {
        return needed(file, found);
    }
    if file.kind != FileKind::LinkMap || !file.text.contains("Linker script and memory map") {
        return;
    }
    let wide = file.pair.sides[WIDE];
    // A map of a program for the old architecture says nothing of the new one.
    if !file.text.contains(wide.triplet) && file.text.contains("OUTPUT(") {
        return;
    }
    for (at, line) in file.lines() {
        let Some(path) = line.strip_prefix("LOAD ") else { continue };
        let other = TRIPLETS.iter().find(|triplet| {
            **triplet != wide.triplet && (path.contains(&format!("/lib/{triplet}/")) || path.contains(&format!("/gcc/{triplet}/")))
        });
        if other.is_some() {
            let message = format!("{path} is not for {}", wide.name);
            let sides = ["it is what the program needs".to_owned(), "it is of another architecture".to_owned()];
            if let Some(hit) = found.add_text(file, (at + 5, at + line.len()), message, sides) {
                hit.confidence = Confidence::Certain;
            }
        }
    }
}

/// What was built says of what it needs.
fn needed(file: &File<'_>, found: &mut Found<'_>) {
    let wide = file.pair.sides[WIDE];
    for line in file.text.lines() {
        let Some((name, place)) = line.strip_prefix("NEEDED ").and_then(|line| line.split_once(" => ")) else { continue };
        let other = TRIPLETS.iter().find(|triplet| **triplet != wide.triplet && place.contains(*triplet));
        let (message, there) = match other {
            _ if name.starts_with('/') => (format!("it needs {name}, by its path on the machine that has built it"), "no such file".to_owned()),
            Some(other) => (format!("it needs {name}, which is only here for {other}"), format!("nothing for {}", wide.name)),
            None => continue,
        };
        if let Some(hit) = found.add_text(file, (0, 0), message, ["it is what the program needs".to_owned(), there]) {
            hit.confidence = if name.starts_with('/') { Confidence::Certain } else { Confidence::Probable };
        }
    }
}

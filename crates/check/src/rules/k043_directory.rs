//! A library is in a directory for another architecture
//!
//! # What
//! A shared object is in a directory whose name says an architecture or a word size, and is for another one.
//!
//! # Why
//! The dynamic loader passes over it, so that a program that looks there does not find what is plainly there; and a cross
//! compiler that links with it fails with "file in wrong format". It comes from a wrong libdir: a build system that
//! installs into lib instead of lib64, or an archive copied over a root file system of another architecture.
//!
//! # Fix
//! Build the package again with the right libdir (`--libdir=`, CMAKE_INSTALL_LIBDIR), or remove the file, if another
//! package has the right one.
//!
//! # References
//! - Debian policy 9.1.1; Filesystem Hierarchy Standard 3.0, "/lib<qual>"
//! - OE-core, insane.bbclass, test "libdir"

use super::Found;
use crate::facts::{Abi, Facts};
use crate::grouped::grouped;

/// Directories of one architecture each; both as they are and below `/usr`.
const EXPECTED: &[(&str, Abi)] = &[
    ("lib/i386-linux-gnu", Abi::I386),
    ("lib/x86_64-linux-gnu", Abi::X86_64),
    ("lib/x86_64-linux-gnux32", Abi::X32),
    ("lib/aarch64-linux-gnu", Abi::Arm64),
    ("lib/arm-linux-gnueabihf", Abi::Arm(Some(true))),
    ("lib/arm-linux-gnueabi", Abi::Arm(Some(false))),
    ("libx32", Abi::X32),
];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let mut wrong = Vec::new();
        for object in root.objects.iter().filter(|object| object.details.dynamic) {
            let Some(slash) = object.path.iter().rposition(|byte| *byte == b'/') else { continue };
            let directory = object.path.get(1..slash).unwrap_or_default();
            let directory = directory.strip_prefix(b"usr/").unwrap_or(directory);
            let abi = object.abi();
            let expected = EXPECTED.iter().find(|(name, _)| name.as_bytes() == directory);
            let place = match directory {
                b"lib64" if abi.is_narrow() => "lib64, which is for 64-bit libraries".to_owned(),
                b"lib32" if !abi.is_narrow() => "lib32, which is for 32-bit libraries".to_owned(),
                _ => match expected {
                    Some((name, right)) if !right.agrees(abi) => format!("{name}, which is for {}", right.name()),
                    _ => continue,
                },
            };
            wrong.push(((abi.name(), place), object));
        }
        for ((abi, place), files) in grouped(wrong) {
            found.add(&root.name, format!("{} for {abi} in {place}", files.count()), files.to_string());
        }
    }
}

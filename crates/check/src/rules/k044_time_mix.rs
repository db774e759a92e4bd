//! Files with a 32-bit and with a 64-bit time_t use each other
//!
//! # What
//! A 32-bit file that was built with a 64-bit time_t is linked with a library that was built with a 32-bit one, or the
//! other way round.
//!
//! # Why
//! Where a time_t, a struct stat or a struct timespec is in the library's interface, both sides disagree about its size,
//! and memory is overwritten or a time is wrong; where it is not, nothing happens. Nothing detects it: neither the linker
//! nor the loader knows. Debian moved armhf and armel to 64 bits in release 13, library by library; its i386 stayed with
//! 32 bits on purpose, and mixes there come from packages that decide for themselves. A library that only calls stat() most
//! likely keeps its times to itself, as Debian 12's libselinux does under coreutils; that is a note.
//!
//! # Fix
//! Take all packages from one release. Build your own with the flags of the distribution: `-D_TIME_BITS=64
//! -D_FILE_OFFSET_BITS=64` for Debian 13 armhf, and neither for i386. A library whose interface has no time in it can
//! stay.
//!
//! # References
//! - Debian wiki, ReleaseGoals/64bit-time; Debian bug #1065787
//! - Gentoo wiki, Project:Toolchain/time64 migration; gentoo bug #828001

use super::Found;
use crate::facts::{Abi, Facts, Object};
use crate::grouped::grouped;
use crate::libraries::{Lookup, lookup};
use findings::Severity;

/// The C library has both interfaces, and is no party.
fn bits(object: &Object) -> Option<u8> {
    let name = object.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_libc = [b"libc.so".as_slice(), b"libc-", b"libpthread", b"librt.", b"librt-", b"ld-"].iter().any(|c| name.starts_with(c));
    match (object.time32.is_empty(), object.time64.is_empty()) {
        _ if is_libc => None,
        (false, true) => Some(32),
        (true, false) => Some(64),
        _ => None,
    }
}

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let mut mixed = Vec::new();
        for (object, name, result) in lookup(root).filter(|(object, ..)| object.abi().is_narrow()) {
            let Lookup::Found(library) = result else { continue };
            if let (Some(own), Some(other)) = (bits(object), bits(library)) {
                if own != other {
                    let seen = |object: &Object| object.time32.first().or(object.time64.first()).cloned().unwrap_or_default();
                    let message = format!("{name} for {} has a {other}-bit time_t, and is used with a {own}-bit one", library.abi().name());
                    let inside = library.time32.iter().chain(library.time64.iter()).all(|name| name.contains("stat"));
                    // On i386 the mix is the rule: the libraries stayed, and programs such as coreutils have moved.
                    let severity = if inside || library.abi() == Abi::I386 { Severity::Note } else { Severity::Risk };
                    mixed.push(((severity, message, format!("{name} imports {}", seen(library))), object));
                }
            }
        }
        for ((severity, message, evidence), users) in grouped(mixed) {
            found.add(&root.name, message, format!("{evidence}; it is used by {users}")).severity = severity;
        }
    }
}

//! The number of an ioctl differs, because the type in it does
//!
//! # What
//! A request of the project that is made with `_IOR`, `_IOW` or `_IOWR` of a structure, a `long` or a pointer, which has another size for 64
//! bits.
//!
//! # Why
//! The size of the structure is part of the request's number. A 64-bit program and a driver that was built for 32 bits, or that has
//! only a compatibility handler for old programs, do not know each other's numbers: the call fails with `ENOTTY`. If the program and
//! the driver are built together, for the same word size, nothing breaks.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <sys/ioctl.h>
//! struct state { unsigned long base; int count; };
//! #define GET_STATE _IOR('x', 1, struct state)
//! int get(int fd, struct state *state) { return ioctl(fd, GET_STATE, state); }
//! #define SET_RATE _IOW('x', 2, long)
//! int set(int fd, long rate) { return ioctl(fd, SET_RATE, &rate); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! #include <sys/ioctl.h>
//! struct state { uint64_t base; int32_t count; int32_t zero; };
//! #define GET_STATE _IOR('x', 1, struct state)
//! int get(int fd, struct state *state) { return ioctl(fd, GET_STATE, state); }
//! #define SET_RATE _IOW('x', 2, int32_t)
//! int set(int fd, int32_t rate) { return ioctl(fd, SET_RATE, &rate); }
//! ```
//!
//! # Fix
//! Use types of a fixed width (`__u64`, `__s32`) in the structure, aligned to their size, with padding that is named. A driver that
//! has to serve old programs has a `compat_ioctl`.
//!
//! # References
//! - CWE-188
//! - Documentation/driver-api/ioctl.rst of Linux

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::pair::{NARROW, WIDE};
use crate::sources;
use crate::tree::Expression;
use findings::Confidence;
use std::fs;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call, Kind::Case], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let request = match node.call() {
        Some(("ioctl", arguments)) => arguments.get(1).copied(),
        // A driver asks for its requests one by one.
        None => node.child(0),
        _ => return,
    };
    let Some(request) = request else { return };
    let (Some(narrow), Some(wide)) = (request.value(NARROW), request.value(WIDE)) else { return };
    if narrow == wide || narrow & 0xffff != wide & 0xffff || (narrow >> 30) & 3 == 0 {
        return;
    }
    // Those of the system are the kernel's of the same word size.
    let record = request
        .descendants()
        .filter(|inner| inner.kind() == Kind::TypeRef)
        .find_map(|inner| inner.types().record().filter(|of| !of[WIDE].in_system_header));
    let (of, confidence) = match record {
        Some(record) => (record[WIDE].name.clone(), Confidence::Possible),
        None => match named(request, found) {
            Some(of) => (of, Confidence::Possible),
            None => return,
        },
    };
    let message = format!("the number of this ioctl holds the size of `{of}`, which differs");
    found.report(node, confidence, message, [narrow, wide].map(|value| format!("{:#x}", value & 0xffff_ffff)));
}

/// The type in a request that the project has made itself, here or by a macro of its own.
fn named(request: Expression<'_>, found: &Found<'_>) -> Option<String> {
    let (unit, place) = (request.unit(), request.place());
    let read = |path: &str| fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let written = sources::piece(unit.file(place.file), place.start, 200)?;
    let name = written.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()?;
    if name.starts_with("_IO") {
        return type_of(&written);
    }
    let own = unit.inclusions.iter().map(|(file, _)| unit.file(*file)).filter(|path| (found.is_own)(path));
    own.filter_map(read).find_map(|text| {
        let is_it = |line: &&str| {
            let rest = line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define"));
            rest.and_then(|rest| rest.trim_start().strip_prefix(name)).is_some_and(|rest| rest.starts_with([' ', '\t']))
        };
        text.lines().find(is_it).and_then(type_of)
    })
}

/// `long` of `_IOW('x', 2, long)`.
fn type_of(text: &str) -> Option<String> {
    let (_, arguments) = ["_IOR(", "_IOW(", "_IOWR("].iter().find_map(|name| text.split_once(name))?;
    let of = arguments.splitn(3, ',').nth(2)?.split(')').next()?.trim();
    (!of.is_empty()).then(|| of.to_owned())
}

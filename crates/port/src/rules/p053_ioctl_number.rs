//! The number of an ioctl differs, because the structure in it does
//!
//! # What
//! A request that is made with `_IOR`, `_IOW` or `_IOWR` of a structure of the project, which has another size for 64 bits.
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
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(("ioctl", arguments)) = node.call() else { return };
    let Some(request) = arguments.get(1) else { return };
    let (Some(narrow), Some(wide)) = (request.value(NARROW), request.value(WIDE)) else { return };
    // Those of the system are the kernel's of the same word size.
    let own = request
        .descendants()
        .filter(|inner| inner.kind() == Kind::TypeRef)
        .find_map(|inner| inner.types().record().filter(|of| !of[WIDE].in_system_header));
    let Some(record) = own.filter(|_| narrow != wide) else { return };
    let message = format!("the number of this ioctl holds the size of `{}`, which differs", record[WIDE].name);
    found.report(node, Confidence::Possible, message, [narrow, wide].map(|value| format!("{:#x}", value & 0xffff_ffff)));
}

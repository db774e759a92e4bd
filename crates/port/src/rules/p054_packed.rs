//! A packed structure has members that grow
//!
//! # What
//! A structure with `__attribute__((packed))` has a `long`, `size_t`, `time_t` or pointer in it.
//!
//! # Why
//! Whoever packs a structure means that its layout counts: it is the header of a message, of a file, or a device's. With a member that
//! has 8 bytes instead of 4, everything behind it is elsewhere.
//!
//! # Example
//! Bad:
//!
//! ```c
//! struct header { unsigned char type; unsigned long length; } __attribute__((packed));
//! unsigned long length(const struct header *header) { return header->length; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! struct header { uint8_t type; uint32_t length; } __attribute__((packed));
//! struct node { struct node *next; long value; };
//! long length(const struct header *header) { return header->length; }
//! ```
//!
//! # Fix
//! Use types of a fixed width, those that the format or the device has.
//!
//! # References
//! - CWE-188

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::boundary::Object;
use crate::pair::WIDE;
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Struct, Kind::Class], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(record) = node.types().record().filter(|of| of[WIDE].attributes.iter().any(|text| text.contains("packed"))) else {
        return;
    };
    // A declaration that comes before the definition has the same type.
    if record[WIDE].place.start != node.place().start {
        return;
    }
    let Some(object) = Object::new(node.types()).filter(|object| object.changes > 0) else { return };
    let grow = if object.changes == 1 { "grows" } else { "grow" };
    let message = format!("`{}` is packed, so its layout counts, and {} {grow}", object.name, object.change());
    // With pointers it is more likely meant to be small than to be sent; with one member, to be read where nothing is aligned. A time in a
    // packet tells mostly its own sender how long it was on its way, and where it does not, P052 says so.
    let is_small = object.has_pointer || object.is_time || record[WIDE].fields.len() == 1;
    let confidence = if is_small { Confidence::Possible } else { Confidence::Probable };
    found.report(node, confidence, message, object.sides);
}

//! A packed structure has members that grow
//!
//! # What
//! A structure with `__attribute__((packed))` or below `#pragma pack(1)` has a `long`, `size_t`, `time_t` or pointer in it. Where the compiler
//! is told to pack all of them (`-fpack-struct`), that says nothing of one.
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
use crate::ast::{Declaration, TypeId, Unit};
use crate::boundary::Object;
use crate::pair::WIDE;
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Struct, Kind::Class], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(record) = node.types().record() else { return };
    // A declaration that comes before the definition has the same type.
    if record[WIDE].place.start != node.place().start {
        return;
    }
    let unit = node.tree().units[WIDE];
    // Of the system's headers only what is used is known.
    let is_all = || unit.declarations.iter().any(|other| other.in_system_header && !says(other) && is_tight(unit, other));
    if !says(record[WIDE]) && (!is_tight(unit, record[WIDE]) || is_all()) {
        return;
    }
    let Some(object) = Object::new(node.types()).filter(|object| object.changes > 0) else { return };
    let grow = if object.changes == 1 { "grows" } else { "grow" };
    let message = format!("`{}` is packed, so its layout counts, and {} {grow}", object.name, object.change());
    // With pointers it is more likely meant to be small than to be sent; with one member, to be read where nothing is aligned. A time in a
    // packet tells mostly its own sender how long it was on its way, and where it does not, P052 says so.
    // Nor is an object with virtual methods sent, to which a pointer leads that is before its first member.
    let is_behind = record[WIDE].fields.first().and_then(|first| unit.declaration(*first).offset).is_some_and(|offset| offset > 0);
    let is_small = object.has_pointer || object.is_time || record[WIDE].fields.len() == 1 || is_behind;
    let confidence = if is_small { Confidence::Possible } else { Confidence::Probable };
    found.report(node, confidence, message, object.sides);
}

/// Whether it says itself that it is packed.
fn says(record: &Declaration) -> bool {
    record.attributes.iter().any(|text| text.contains("packed"))
}

/// Whether a structure may lie where one of its members alone may not.
fn is_tight(unit: &Unit, record: &Declaration) -> bool {
    let alignment = |of: TypeId| unit.get_type(of).alignment;
    let members = record.fields.iter().map(|field| unit.declaration(*field));
    let natural = members.filter_map(|field| alignment(field.type_id)).max();
    matches!(record.kind, Kind::Struct | Kind::Class) && alignment(record.type_id).zip(natural).is_some_and(|(own, natural)| own < natural)
}

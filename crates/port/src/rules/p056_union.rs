//! A union takes a long or a pointer apart, and its parts do not cover it any more
//!
//! # What
//! A union has a member that grows, and another one of a fixed size that had as many bytes as it: `union { long l; char bytes[4]; }`,
//! `union { double d; long halves[2]; }`.
//!
//! # Why
//! Through the one member only half of the other one is seen. On little-endian systems that is the lower half, which works as long as
//! values are small; on others it is the upper one.
//!
//! # Example
//! Bad:
//!
//! ```c
//! union value { long number; unsigned char bytes[4]; };
//! int first(union value *value) { return value->bytes[0]; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! union value { int32_t number; unsigned char bytes[4]; };
//! union all { long number; unsigned char bytes[sizeof(long)]; };
//! union either { char *text; double number; };
//! union variant { void *pointer; int number; };
//! int first(union value *value) { return value->bytes[0]; }
//! ```
//!
//! # Fix
//! Give both members the same width: `int32_t`, `uint64_t`, `unsigned char bytes[sizeof(long)]`.
//!
//! # References
//! - CWE-188, CWE-704

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Union], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let tree = node.tree();
    let Some([narrow, wide]) = node.types().record() else { return };
    if wide.place.start != node.place().start || narrow.fields.len() != wide.fields.len() {
        return;
    }
    let members: Vec<(&str, Types<'_>, [u64; 2])> = narrow
        .fields
        .iter()
        .zip(&wide.fields)
        .filter_map(|(one, two)| {
            let (one, two) = (tree.units[NARROW].declaration(*one), tree.units[WIDE].declaration(*two));
            let types = Types { tree, ids: [one.type_id, two.type_id] };
            Some((two.name.as_str(), types, [types.size(NARROW)?, types.size(WIDE)?]))
        })
        .collect();
    for (name, types, grown) in &members {
        let scalar = element(*types);
        let whole = scalar.grows() || scalar.is_pointer();
        if !whole || grown[NARROW] >= grown[WIDE] {
            continue;
        }
        let fixed = |other: &&(&str, Types<'_>, [u64; 2])| {
            let (_, part, size) = other;
            // One number of each may as well be either a long or an int, and somebody else knows which.
            let takes_apart = part.inner().is_some() || types.inner().is_some() && !types.is_pointer() && !scalar.is_pointer();
            // An array of one is mostly one of any length.
            let is_open = part.canonical(WIDE).count == Some(1);
            takes_apart && !is_open && size[NARROW] == grown[NARROW] && size[NARROW] == size[WIDE] && is_part(*part)
        };
        let Some((other, _, size)) = members.iter().find(fixed) else { continue };
        let message = format!("`{other}` covers only {} of the {} bytes of `{name}`", size[WIDE], grown[WIDE]);
        let text = |side: usize| format!("{name} ({}) has {} bytes, {other} {}", types.spelling(), grown[side], size[side]);
        found.report(node, Confidence::Probable, message, [text(NARROW), text(WIDE)]);
        return;
    }
}

/// What an array has; other types as they are.
fn element(types: Types<'_>) -> Types<'_> {
    if types.is(TypeKind::ConstantArray) { types.inner().map_or(types, element) } else { types }
}

/// Whether something else is seen in pieces through it, or as a number.
fn is_part(types: Types<'_>) -> bool {
    let kind = element(types).canonical(WIDE).kind;
    kind.is_integer() && kind != TypeKind::Enum || kind.is_floating()
}

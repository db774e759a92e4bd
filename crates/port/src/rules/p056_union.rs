//! A union takes a long or a pointer apart, and its parts do not cover it any more
//!
//! # What
//! A union has a member that grows, and another one of a fixed size that had as many bytes as it: `union { long l; char bytes[4]; }`,
//! `union { double d; long halves[2]; }`. It is only possible where no source is seen that writes the one and reads the other: something
//! beside a union may say which of its members is there, as an enumeration in the same structure; and where a number is written, whose lower
//! half is read.
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
use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind, binary};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Union], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some([narrow, wide]) = node.types().record() else { return };
    if wide.place.start != node.place().start || narrow.fields.len() != wide.fields.len() {
        return;
    }
    let fields = node.types().fields();
    let members: Vec<(&Declaration, Types<'_>, [u64; 2])> =
        fields.filter_map(|(of, types)| Some((of, types, [types.size(NARROW)?, types.size(WIDE)?]))).collect();
    for (whole_of, types, grown) in &members {
        let scalar = element(*types);
        let whole = scalar.grows() || scalar.is_pointer();
        if !whole || grown[NARROW] >= grown[WIDE] {
            continue;
        }
        let fixed = |other: &&(&Declaration, Types<'_>, [u64; 2])| {
            let (_, part, size) = other;
            // One number of each may as well be either a long or an int, and somebody else knows which.
            let takes_apart = part.inner().is_some() || types.inner().is_some() && !types.is_pointer() && !scalar.is_pointer();
            // An array of one is mostly one of any length.
            let is_open = part.canonical(WIDE).count == Some(1);
            takes_apart && !is_open && size[NARROW] == grown[NARROW] && size[NARROW] == size[WIDE] && is_part(*part)
        };
        let Some((part_of, part, size)) = members.iter().find(fixed) else { continue };
        let (name, other) = (&whole_of.name, &part_of.name);
        // The bytes of a number, or the numbers that a floating one is made of.
        let view = match element(*part) {
            of if of.is_bytes() => Some(1),
            of => of.canonical(WIDE).kind.is_floating().then_some(0),
        };
        // A pointer, bytes and something else, or what has an enumeration beside it: one of several things, of which something says which.
        let is_variant = members.len() > 2 && (scalar.is_pointer() || has_enumeration_beside(node));
        // The lower half of one number is where it was.
        let is_number = types.integers().is_some();
        let is_seen = !is_variant && is_taken_apart(node, [whole_of, part_of], view, is_number) && !node.is_uncalled(WIDE);
        let confidence = if is_seen { Confidence::Probable } else { Confidence::Possible };
        let message = format!("`{other}` covers only {} of the {} bytes of `{name}`", size[WIDE], grown[WIDE]);
        let text = |side: usize| format!("{name} ({}) has {} bytes, {other} {}", types.spelling(), grown[side], size[side]);
        found.report(node, confidence, message, [text(NARROW), text(WIDE)]);
        return;
    }
}

/// Whether the structure that it is in has an enumeration as well.
fn has_enumeration_beside(union: Expression<'_>) -> bool {
    let around = union.ancestors().find(|outer| outer.kind() == Kind::Struct);
    around.is_some_and(|around| around.children().any(|part| part.kind() == Kind::Field && part.types().is(TypeKind::Enum)))
}

/// What is done with a member.
#[derive(Clone, Copy, Default)]
struct Uses {
    read: bool,
    written: bool,
    /// Its address goes somewhere, where it may be both.
    passed: bool,
}

impl Uses {
    fn add(&mut self, member: Expression<'_>) {
        let mut at = member;
        let outer = loop {
            let Some(outer) = at.outer() else { return };
            let is_part =
                matches!(outer.kind(), Kind::Subscript | Kind::Member) && outer.child(0).is_some_and(|base| base.contains(at));
            if !is_part || at.types().is_pointer() {
                break outer;
            }
            at = outer;
        };
        let is_left = || outer.child(0).is_some_and(|left| left.contains(at));
        let is_address = outer.takes_address();
        if outer.kind() == Kind::Binary && outer.operator() == binary::ASSIGN && is_left() {
            self.written = true;
        } else if outer.kind() == Kind::CompoundAssign && is_left() {
            (self.read, self.written) = (true, true);
        } else if is_address || at.types().is(TypeKind::ConstantArray) {
            self.passed = true;
        } else {
            self.read = true;
        }
    }

    /// Whether it is written and the other one read. Where both are only passed, nobody knows.
    fn is_seen_through(self, other: Self) -> bool {
        self.written && (other.read || other.passed) || self.passed && other.read
    }
}

/// Whether one of both members is read for what the other one is: a function writes the one and reads the other, and does not do so with
/// each. Or the file never writes what it reads, and never reads the other one; somebody else may write that if this one, the `view`, can
/// only be there to look at it. Where the first is a number, it is right to look at it through the other.
fn is_taken_apart(union: Expression<'_>, members: [&Declaration; 2], view: Option<usize>, is_number: bool) -> bool {
    let (mut all, mut function) = ([Uses::default(); 2], [Uses::default(); 2]);
    let crosses = |[one, two]: [Uses; 2]| {
        let is_each = one.read && one.written && two.read && two.written;
        !is_each && (one.is_seen_through(two) && !is_number || two.is_seen_through(one))
    };
    for node in union.tree().nodes() {
        if node.kind().is_function() {
            if crosses(function) {
                return true;
            }
            function = Default::default();
        }
        let member = node.declaration().filter(|_| node.kind() == Kind::Member);
        let position = member.and_then(|member| members.iter().position(|of| std::ptr::eq(*of, member)));
        if let Some(position) = position {
            all[position].add(node);
            function[position].add(node);
        }
    }
    let is_only = |at: usize| {
        let (read, other) = (all[at], all[1 - at]);
        let is_view = view == Some(at) && (read.read || read.passed);
        let is_right = is_number && at == 1;
        !is_right && !read.written && !other.read && (is_view || other.is_seen_through(read))
    };
    crosses(function) || is_only(0) || is_only(1)
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

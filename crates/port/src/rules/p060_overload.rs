//! A call picks another overload
//!
//! # What
//! Of several functions of one name, the compiler calls one for 32 bits and another for 64, because the type of an argument is another
//! one: `size_t` is `unsigned int` and then `unsigned long`. Nothing is said where both take the same number, as `int64_t`, which is a
//! `long long` and then a `long`, of 8 bytes each.
//!
//! # Why
//! Both overloads do mostly the same, but not where they are there for different widths: those that write a value to a stream, compute
//! a hash, or choose a database column.
//!
//! # Example
//! Bad:
//!
//! ```cpp
//! // file: example.cpp
//! #include <stddef.h>
//! void put(unsigned int value);
//! void put(unsigned long value);
//! void all(size_t size) { put(size); }
//! ```
//!
//! Good:
//!
//! ```cpp
//! // file: example.cpp
//! #include <stddef.h>
//! void put(unsigned int value);
//! void put(unsigned long value);
//! void all(size_t size) { put(static_cast<unsigned long>(size)); }
//! ```
//!
//! # Fix
//! Say which one is meant, with a cast or with another name: `put32`, `put64`.
//!
//! # References
//! - CWE-704
//! - \[over.match\] of the C++ standard

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::ast::Declaration;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some([narrow, wide]) = node.declarations() else { return };
    // Those of the library do the same for every width.
    if narrow.in_system_header || wide.in_system_header {
        return;
    }
    let units = node.tree().units;
    let place = |side: usize, of: &Declaration| (units[side].file(of.place.file), of.name_start);
    if narrow.name != wide.name || place(NARROW, narrow) == place(WIDE, wide) {
        return;
    }
    // Both have to be there on both sides; what `#if` has chosen is no overload.
    if !units[WIDE].declarations.iter().any(|other| other.name == narrow.name && place(WIDE, other) == place(NARROW, narrow)) {
        return;
    }
    // The arguments decide, and only numbers have other types.
    if !takes_other_numbers(node.tree(), [narrow, wide]) {
        return;
    }
    // Where the compiler did not understand one of the sides, that is the difference.
    if node.tree().units.iter().any(|unit| unit.diagnostics.iter().any(|said| said.severity >= 3)) {
        return;
    }
    let text = |side: usize, of: &Declaration| format!("{}: {}", of.name, units[side].get_type(of.type_id).spelling);
    // Two templates for the same `size_t` are chosen by something else.
    let sides = [text(NARROW, narrow), text(WIDE, wide)];
    if sides[NARROW] == sides[WIDE] {
        return;
    }
    // Most overloads are there so that each does the same for its width.
    found.report(
        node,
        Confidence::Possible,
        format!("another overload of `{}` is called", wide.name),
        sides,
    );
}

/// Whether the parameters that have other types are numbers on both sides, and one of them takes other values.
fn takes_other_numbers(tree: &Tree<'_>, [narrow, wide]: [&Declaration; 2]) -> bool {
    let arguments = |side: usize, of: &Declaration| tree.units[side].canonical(of.type_id).arguments.clone();
    let (narrow, wide) = (arguments(NARROW, narrow), arguments(WIDE, wide));
    let both = narrow.iter().zip(&wide).map(|(narrow, wide)| Types { tree, ids: [*narrow, *wide] });
    let others: Vec<Types<'_>> = both.filter(|of| of.canonical(NARROW).kind != of.canonical(WIDE).kind).collect();
    let is_number = |of: &Types<'_>| of.integers().is_some() || [NARROW, WIDE].iter().all(|side| of.canonical(*side).kind.is_floating());
    let is_same = |of: &Types<'_>| of.integers().is_some_and(|[narrow, wide]| narrow == wide);
    narrow.len() == wide.len() && others.iter().all(is_number) && !others.iter().all(is_same)
}

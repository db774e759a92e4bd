//! A limit is out of reach
//!
//! # What
//! A number of 32 bits is compared by `<` or `>` with a limit of 64: `n < ULONG_MAX` with an `unsigned n`. The compiler says so for 64
//! bits and not for 32.
//!
//! # Why
//! For 32 bits the limit was the largest value, and the comparison a check for overflow. For 64 bits it has the same result for all values,
//! and nothing is checked any more.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <limits.h>
//! int f(unsigned n) { return n < ULONG_MAX; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <limits.h>
//! int f(unsigned n) { return n < UINT_MAX; }
//! int g(unsigned long n) { return n < ULONG_MAX; }
//! ```
//!
//! # Fix
//! Compare with the limit of the type that the number has: `UINT_MAX`, `INT_MAX`; or give the number the type of the limit.
//!
//! # References
//! - CWE-570, CWE-571, CWE-190

use super::{Found, Visit};
use crate::ast::Diagnostic;
use crate::ast::kind::{Kind, binary};
use crate::pair::WIDE;
use crate::tree::Tree;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Diagnostic(look);

fn look(tree: &Tree<'_>, diagnostic: &Diagnostic, found: &mut Found<'_>) {
    if diagnostic.option != "-Wtautological-constant-out-of-range-compare" {
        return;
    }
    let comparison = tree.nodes().filter(|node| {
        let place = node.place();
        let here = place.file == diagnostic.place.file && (place.start..place.end).contains(&diagnostic.place.start);
        here && node.kind() == Kind::Binary && (binary::LT..=binary::NE).contains(&node.operator())
    });
    // The innermost one; that by `==` and `!=` is P023.
    if comparison.last().is_some_and(|node| matches!(node.operator(), binary::EQ | binary::NE)) {
        return;
    }
    let sides = ["it depends on the value".to_owned(), diagnostic.text.clone()];
    if let Some(hit) = found.add_at(tree.units[WIDE], diagnostic.place, diagnostic.text.clone(), sides) {
        // A sum that was cut before is the one thing that the comparison may have been for.
        hit.confidence = Confidence::Possible;
    }
}

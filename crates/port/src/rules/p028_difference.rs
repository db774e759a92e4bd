//! A negative difference of unsigned numbers is not negative any more
//!
//! # What
//! The difference of two `unsigned`, or a negated one, is kept in a `long`, given to lseek(2), or used as an index: `p[u - 1]`, `p + (a -
//! b)`, `fseek(file, -u, SEEK_CUR)`. A difference is only possible: mostly nobody takes more away than there is.
//!
//! # Why
//! What is below zero becomes a number near 4294967296. For 32 bits that is the same address, and the same `long`, as the negative
//! number. For 64 bits it is 4 GiB away.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdio.h>
//! int back(FILE *file, unsigned n) { return fseek(file, -n, SEEK_CUR); }
//! long apart(unsigned a, unsigned b) { return a - b; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdio.h>
//! int back(FILE *file, unsigned n) { return fseek(file, -(long)n, SEEK_CUR); }
//! long apart(unsigned a, unsigned b) { return (long)a - b; }
//! int last(const int *p, unsigned n) { return n > 0 ? p[n - 1] : 0; }
//! ```
//!
//! # Fix
//! Convert before the difference is taken: `(long)a - b`; or use `int`, `ptrdiff_t` or `size_t` on the whole way.
//!
//! # References
//! - CWE-191, CWE-195

use super::p020_shift::widened;
use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit =
    Visit::Several(&[Visit::Conversion(look), Visit::Node(&[Kind::Subscript, Kind::Binary, Kind::CompoundAssign], moved)]);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(inner) = widened(node) else { return };
    // An unsigned number of 64 bits is nobody's negative one.
    let signed = node.types().integer(WIDE).is_some_and(|integer| integer.signed);
    if let Some(confidence) = below(inner).filter(|_| signed && !node.is_written()) {
        report(found, node, inner, confidence);
    }
}

/// Of a pointer.
fn moved(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(index) = index(node) else { return };
    if let Some(confidence) = below(index) {
        report(found, index, index, confidence);
    }
}

fn report(found: &mut Found<'_>, at: Expression<'_>, of: Expression<'_>, confidence: Confidence) {
    let sides = ["-1 is 0xffffffff, as a long is".to_owned(), "-1 is 0xffffffff, 4294967295".to_owned()];
    found.report(at, confidence, format!("a negative result in {} becomes one of almost 4 GiB", of.types().spelling()), sides);
}

/// What is added to a pointer, or the index of one.
fn index(node: Expression<'_>) -> Option<Expression<'_>> {
    let (left, right) = (node.child(0)?, node.child(1)?);
    let pointer = |of: Expression<'_>| of.types().is_pointer();
    match (node.kind(), node.operator()) {
        (Kind::Subscript, _) => pointer(left).then_some(right),
        (Kind::Binary, binary::ADD) if pointer(left) => Some(right),
        (Kind::Binary, binary::ADD) if pointer(right) => Some(left),
        (Kind::CompoundAssign, binary::ADD_ASSIGN) if pointer(left) => Some(right),
        _ => None,
    }
}

/// How sure it is that it is below zero at times: what is left of a length that a file says, behind a head, is so only where the file is damaged.
fn below(value: Expression<'_>) -> Option<Confidence> {
    let unsigned = value.types().integers()?.iter().all(|integer| integer.bits == 32 && !integer.signed);
    let of = value.strip();
    if !unsigned || of.value(WIDE).is_some() {
        return None;
    }
    match (of.kind(), of.operator()) {
        (Kind::Unary, unary::MINUS) => Some(Confidence::Certain),
        (Kind::Binary, binary::SUB) => {
            let (left, right) = (of.child(0)?, of.child(1)?);
            // One that is known to be above: by its limits, by a comparison, or as what `n - n % 4` leaves.
            let known = of.is_between(NARROW, 0, 0xffff_fffe) || compared(of, left, right) || is_part(of, left, right);
            (!known).then_some(Confidence::Possible)
        }
        _ => None,
    }
}

/// Whether the right side was computed of the left one, as what `n - n % 4` leaves.
fn is_part(at: Expression<'_>, left: Expression<'_>, right: Expression<'_>) -> bool {
    let Some(function) = at.function() else { return false };
    let has = |of: Expression<'_>| std::iter::once(of).chain(of.descendants()).any(|part| part.same(left));
    has(right)
        || function.descendants().take_while(|part| part.precedes(at)).any(|part| {
            let gives = part.kind() == Kind::Binary && part.operator() == binary::ASSIGN;
            gives && part.child(0).is_some_and(|to| to.same(right)) && part.child(1).is_some_and(has)
        })
}

/// Whether the function compares both sides, or one of them with a constant.
fn compared(at: Expression<'_>, left: Expression<'_>, right: Expression<'_>) -> bool {
    let Some(function) = at.function() else { return false };
    let constant = right.value(WIDE).is_some();
    function.descendants().take_while(|part| part.precedes(at)).any(|part| {
        let compares = part.kind() == Kind::Binary && (binary::LT..=binary::NE).contains(&part.operator());
        let (Some(a), Some(b)) = (part.child(0), part.child(1)) else { return false };
        let is = |x: Expression<'_>, y: Expression<'_>| x.strip_casts().same(y.strip_casts());
        compares && (is(a, left) && (constant || is(b, right)) || is(b, left) && (constant || is(a, right)))
    })
}

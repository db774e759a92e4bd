//! The size is that of another type
//!
//! # What
//! Memory for one type is allocated, cleared, read or counted with the size of another one, which is as large for 32 bits and not for 64:
//! `malloc(n * sizeof(int))` for pointers, `sizeof names / sizeof(int)`. So is what a pointer to bytes goes back by, where four bytes were taken
//! one by one: `p -= sizeof(long)`.
//!
//! # Why
//! For 32 bits an `int`, a `long` and a pointer have 4 bytes, and any of them did. For 64 bits the memory is half as large as it has to
//! be, and what is written behind it damages the heap; an array seems to have twice its elements.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdlib.h>
//! long *f(int n) { return (long *)malloc(n * sizeof(int)); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdlib.h>
//! long *f(int n) { return (long *)malloc(n * sizeof(long)); }
//! long *g(int n) { return (long *)malloc(n * sizeof(char *)); }
//! int bits(void) { return sizeof(long) / sizeof(int); }
//! ```
//!
//! # Fix
//! The size of the object instead of that of a type: `p = malloc(n * sizeof *p)`, `memset(&s, 0, sizeof s)`,
//! `sizeof names / sizeof *names`.
//!
//! # References
//! - CWE-131, CWE-467

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::blocks::{Block, Use, blocks};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call, Kind::Binary, Kind::CompoundAssign], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    match node.kind() {
        Kind::Call => block(node, found),
        Kind::Binary if node.operator() == binary::DIV => quotient(node, found),
        Kind::CompoundAssign if node.operator() == binary::SUB_ASSIGN => back(node, found),
        _ => {}
    }
}

fn sizes(of: Expression<'_>) -> Option<[u64; 2]> {
    let of = of.strip_casts();
    let size = |side: usize| u64::try_from(of.value(side)?).ok();
    (of.kind() == Kind::SizeOf).then_some([size(NARROW)?, size(WIDE)?])
}

fn block(call: Expression<'_>, found: &mut Found<'_>) {
    let blocks = blocks(call);
    let differs = |block: &Block<'_>| {
        let (size, of) = (sizes(block.element()?)?, block.of.sizes()?);
        Some((size, of, size[NARROW] == of[NARROW] && size[WIDE] != of[WIDE] && !block.of.is_bytes()))
    };
    // Where one of two objects is as large as is said, the other one is P042.
    let all: Option<Vec<_>> = blocks.iter().map(differs).collect();
    let Some(all) = all.filter(|all| all.iter().all(|(.., differs)| *differs)) else { return };
    let (Some((size, of, _)), Some(block), Some((name, _))) = (all.first(), blocks.first(), call.call()) else { return };
    let what = block.of.spelling();
    let confidence = match (block.done, block.object) {
        _ if size[WIDE] < of[WIDE] => Confidence::Certain,
        (Use::Allocated, _) => Confidence::Possible,
        // More than the object has is P042.
        (_, Some(_)) => return,
        _ => Confidence::Certain,
    };
    let text = |side: usize| format!("{} bytes for each {what} of {}", size[side], of[side]);
    let message = format!("{name} gets the size of another type than {what}");
    found.report(call, confidence, message, [text(NARROW), text(WIDE)]);
}

/// `sizeof array / sizeof(another type)`
fn quotient(node: Expression<'_>, found: &mut Found<'_>) {
    let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
    let (Some(whole), Some(part)) = (sizes(left), sizes(right)) else { return };
    let Some(array) = left.strip_casts().children().find(|part| part.is_expression()).map(|part| part.strip().types()) else { return };
    let Some(element) = array.inner().filter(|_| !array.is_pointer()) else { return };
    let Some(sizes) = element.sizes().filter(|_| part.iter().all(|size| *size > 0)) else { return };
    if sizes[NARROW] != part[NARROW] || sizes[WIDE] == part[WIDE] {
        return;
    }
    let text = |side: usize| format!("{} elements of {} bytes: {}", whole[side] / sizes[side].max(1), sizes[side], whole[side] / part[side]);
    let message = format!("the elements are counted with another type than {}", element.spelling());
    found.report(node, Confidence::Certain, message, [text(NARROW), text(WIDE)]);
}

/// `p -= sizeof(long)`, where the function takes at least four bytes by `*p++`: as many as a word has in a message.
fn back(node: Expression<'_>, found: &mut Found<'_>) {
    let (Some(pointer), Some(by)) = (node.child(0).map(Expression::strip), node.child(1)) else { return };
    let is_of_bytes = pointer.types().is_pointer() && pointer.types().inner().is_some_and(|of| of.is_bytes());
    let Some(size) = sizes(by).filter(|size| is_of_bytes && *size == [4, 8]) else { return };
    let is_taken = |part: &Expression<'_>| {
        let moved = part.child(0).map(Expression::strip).filter(|_| part.kind() == Kind::Unary && part.operator() == unary::DEREFERENCE);
        let moved = moved.filter(|moved| moved.kind() == Kind::Unary && moved.operator() == unary::POST_INCREMENT);
        moved.and_then(|moved| moved.child(0)).is_some_and(|of| of.strip().same(pointer))
    };
    let Some(function) = node.function() else { return };
    if function.descendants().filter(is_taken).nth(3).is_some() {
        let text = |side: usize| format!("back by {} bytes, of those that are taken one by one", size[side]);
        let message = "a pointer to bytes goes back by the size of a word that has four of them in a message".to_owned();
        found.report(node, Confidence::Probable, message, [text(NARROW), text(WIDE)]);
    }
}

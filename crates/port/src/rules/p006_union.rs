//! A union is written as one width and read as another
//!
//! # What
//! One member of a union is written and another one is read, in the same function and the same object; they are as large as each other for
//! 32 bits and not for 64: a pointer and an `int`, a `double` and `long[2]`. It is only possible but for the halves of a `double`: mostly
//! something else says which member counts, or the lower half is enough.
//!
//! # Why
//! What is read is half of what was written, or has another half that nobody has written. `long[2]` lies over the whole `double` for 32
//! bits; for 64 its first element does so alone.
//!
//! # Example
//! Bad:
//!
//! ```c
//! union number { double real; unsigned long word[2]; };
//! unsigned long f(double x) { union number n; n.real = x; return n.word[1]; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! union number { double real; uint32_t word[2]; long spare; };
//! uint32_t f(double x) { union number n; n.real = x; return n.word[1]; }
//! long g(union number *n) { n->spare = 1; return n->spare; }
//! union cell { char *name; int number; };
//! int h(union cell *c, int kind, char *name)
//! {
//!     switch (kind) {
//!     case 1:
//!         c->name = name;
//!         return 0;
//!     default:
//!         return c->number;
//!     }
//! }
//! struct item { int kind; union cell cell; };
//! extern void fill(struct item *item);
//! int filled(char *name)
//! {
//!     struct item item;
//!     item.cell.name = name;
//!     fill(&item);
//!     switch (item.kind) {
//!     case 1:
//!         return item.cell.number;
//!     default:
//!         return 0;
//!     }
//! }
//! int next(union cell *c, char *name) { c++->name = name; return c++->number; }
//! ```
//!
//! # Fix
//! Members of a fixed width, `uint32_t` and `uint64_t`, or `uintptr_t` beside a pointer.
//!
//! # References
//! - CWE-843, CWE-188

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Tree(look);

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    for function in tree.functions() {
        let members: Vec<_> = function.descendants().filter(|node| is_union_member(*node)).collect();
        let (written, read): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| is_written(*member));
        for second in read {
            let first = written.iter().rev().find(|first| first.precedes(second) && is_same_object(**first, second));
            let Some(first) = first.filter(|first| !std::ptr::eq(declared(**first), declared(second)) && is_before(**first, second))
            else {
                continue;
            };
            let (Some(was), Some(is)) = (first.types().sizes(), second.types().sizes()) else { continue };
            // Structures have their own reasons to differ.
            let scalars = [*first, second].iter().all(|member| member.types().record().is_none());
            if !scalars || is_low(second) || is_chosen(*first, second) || was[NARROW] != is[NARROW] || was[WIDE] == is[WIDE] {
                continue;
            }
            let (old, new) = (first.types(), second.types());
            let text = |side: usize| format!("{} written, {} read", old.describe(side), new.describe(side));
            let message = format!("a union is written as {} and read as {}", old.spelling(), new.spelling());
            // Who looks into a number of the processor's relies on both halves; else the member that counts is mostly chosen elsewhere.
            let is_half = old.is(TypeKind::Double) && second.outer().is_some_and(|outer| outer.kind() == Kind::Subscript);
            let confidence = if is_half && !second.is_uncalled(WIDE) { Confidence::Certain } else { Confidence::Possible };
            found.report(second, confidence, message, [text(NARROW), text(WIDE)]);
        }
    }
}

/// Whether the first is done whenever the second is, and to the same object.
fn is_before(first: Expression<'_>, second: Expression<'_>) -> bool {
    let Some(block) = first.ancestors().find(|outer| outer.kind() == Kind::Compound) else { return false };
    let is_condition = |outer: Expression<'_>| {
        let logical = matches!(outer.operator(), binary::LOGICAL_AND | binary::LOGICAL_OR);
        matches!(outer.kind(), Kind::If | Kind::While | Kind::For | Kind::Conditional) || outer.kind() == Kind::Binary && logical
    };
    // What is assigned is computed before.
    if first.outer().is_some_and(|outer| outer.kind() == Kind::Binary && outer.contains(second)) {
        return false;
    }
    if !block.contains(second) || first.ancestors().take_while(|outer| outer.kind() != Kind::Compound).any(is_condition) {
        return false;
    }
    let is_label = |part: Expression<'_>| matches!(part.kind(), Kind::Case | Kind::Default | Kind::Label);
    let between = || block.descendants().filter(|part| first.precedes(*part) && part.precedes(second));
    let jumps = block.children().any(|part| is_label(part) && first.precedes(part) && part.precedes(second));
    let Some(object) = object(first) else { return false };
    let names: Vec<_> = std::iter::once(object).chain(object.descendants()).collect();
    let moves = names.iter().any(|part| part.is_step());
    let is_moved = |part: Expression<'_>| {
        let target = match part.kind() {
            Kind::Unary if part.is_step() => part.child(0),
            Kind::Binary if part.operator() == binary::ASSIGN => part.child(0),
            Kind::CompoundAssign => part.child(0),
            _ => None,
        };
        target.is_some_and(|target| names.iter().any(|name| name.declaration().is_some() && name.same(target)))
    };
    !jumps && !moves && !between().any(is_moved)
}

/// Whether a function gets the address of all of it in between, and what it says there chooses the member that is read.
fn is_chosen(first: Expression<'_>, second: Expression<'_>) -> bool {
    let (Some(root), Some(function)) = (root(second), second.function()) else { return false };
    let names = |part: Expression<'_>| std::iter::once(part).chain(part.descendants()).any(|inner| inner.same(root));
    let gets = |argument: Expression<'_>| {
        let argument = argument.strip_casts();
        let is_address = argument.takes_address();
        (is_address || argument.same(root) && argument.types().is_pointer()) && names(argument)
    };
    let chooses = |outer: Expression<'_>| {
        let is_choice = matches!(outer.kind(), Kind::Switch | Kind::If | Kind::Conditional);
        is_choice && outer.child(0).is_some_and(|tag| !tag.contains(second) && names(tag))
    };
    let between = function.descendants().filter(|part| first.precedes(*part) && part.precedes(second));
    let is_filled = between.filter_map(Expression::call).any(|(_, arguments)| arguments.into_iter().any(gets));
    is_filled && second.ancestors().take_while(|outer| !outer.kind().is_function()).any(chooses)
}

/// The variable that it is a part of.
fn root(member: Expression<'_>) -> Option<Expression<'_>> {
    let mut at = member;
    while at.kind() == Kind::Member {
        at = object(at)?.strip();
    }
    (at.kind() == Kind::DeclRef).then_some(at)
}

/// Whether only bits are taken that the lower half has: `(u.word >> 24) & 0xff`.
fn is_low(member: Expression<'_>) -> bool {
    let mut value = member;
    let mut shifted = 0;
    while let Some(outer) = value.outer() {
        // `(unsigned char)(u.word >> 24)`
        if let Some(kept) = outer.types().integer(WIDE).filter(|_| outer.kind().is_explicit_cast()) {
            return shifted + i128::from(kept.bits) <= 32;
        }
        if outer.kind() != Kind::Binary {
            return false;
        }
        let other = outer.children().find(|part| !part.contains(value)).and_then(|other| other.value(WIDE));
        match (outer.operator(), other) {
            (binary::SHR, Some(by @ 0..=63)) => shifted += by,
            (binary::AND, Some(mask)) => return shifted < 32 && mask >= 0 && mask << shifted <= 0xffff_ffff,
            _ => return false,
        }
        value = outer;
    }
    false
}

fn declared(member: Expression<'_>) -> *const crate::ast::Declaration {
    member.declaration().map_or(std::ptr::null(), std::ptr::from_ref)
}

fn is_union_member(node: Expression<'_>) -> bool {
    let is_union = |node: Expression<'_>| {
        let field = node.declaration()?;
        Some(node.unit().declaration(field.parent).kind == Kind::Union)
    };
    node.kind() == Kind::Member && is_union(node).unwrap_or_default()
}

/// Whether it is assigned to, also one element of it.
fn is_written(member: Expression<'_>) -> bool {
    let Some(outer) = member.outer() else { return false };
    let is_first = outer.child(0).is_some_and(|first| first.contains(member));
    match outer.kind() {
        Kind::Binary => outer.operator() == binary::ASSIGN && is_first,
        Kind::Subscript => is_first && is_written(outer),
        // Somebody may write there.
        Kind::Unary => outer.operator() == unary::ADDRESS_OF,
        _ => false,
    }
}

fn is_same_object(first: Expression<'_>, second: Expression<'_>) -> bool {
    let both = (object(first), object(second));
    matches!(both, (Some(a), Some(b)) if a.same(b))
}

/// What it is a member of.
fn object(member: Expression<'_>) -> Option<Expression<'_>> {
    member.children().find(|part| part.is_expression())
}

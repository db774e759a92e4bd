//! A list of arguments is used again after it was passed on
//!
//! # What
//! A `va_list` is given to vprintf(3) or another function, and is used once more, in a loop or behind the call, without va_copy(3) or
//! va_start(3) in between. In a loop it is only probable, for that may end the first time; and where the function is left if the call
//! succeeds, possible: what could not be done was mostly not begun. So is what is done again where 4096 bytes and more were not enough.
//!
//! # Why
//! For i386 it is a pointer, of which the function gets a copy: the second one begins where the first did. For x86-64 it is an array, of which
//! the function gets the address: the second one goes on behind the last argument, with whatever is there. For AArch64 it is copied again.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdarg.h>
//! #include <stdio.h>
//! int both(FILE *log, const char *format, va_list ap)
//! {
//!     vfprintf(log, format, ap);
//!     return vprintf(format, ap);
//! }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdarg.h>
//! #include <stdio.h>
//! int both(FILE *log, const char *format, va_list ap)
//! {
//!     va_list again;
//!     va_copy(again, ap);
//!     vfprintf(log, format, again);
//!     va_end(again);
//!     return vprintf(format, ap);
//! }
//! ```
//!
//! # Fix
//! `va_copy(again, ap)` before each use but the last, and `va_end(again)` behind it.
//!
//! # References
//! - CWE-628
//! - C11 7.16 paragraph 3
//! - System V ABI for x86-64, 3.5.7

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind, binary};
use crate::pair::WIDE;
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::DeclRef], look);

/// What gives a list its arguments, or takes them; also by a macro that the project's options would define, as `__VA_COPY_USE`.
const SETS: [&str; 7] =
    ["__builtin_va_start", "__builtin_va_end", "__builtin_va_copy", "__builtin_c23_va_start", "va_start", "va_end", "va_copy"];

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    if !is_shared(node.types()) {
        return;
    }
    let (Some((name, call)), Some(function)) = (passed(node), node.function()) else { return };
    if !takes(node, DEPTH) {
        return;
    }
    let uses = || function.descendants().filter(|part| part.kind() == Kind::DeclRef && part.same(node));
    let sets = |part: Expression<'_>| part.outer().and_then(Expression::call).is_some_and(|(name, _)| sets_list(name));
    // Where `va_start` itself is not known, nothing is known of what follows.
    let is_local = node.declaration().is_some_and(|of| of.kind == Kind::Variable && !of.is_external);
    if is_local && !uses().any(sets) {
        return;
    }
    let is_renewed = |around: Expression<'_>| uses().any(|part| around.contains(part) && sets(part));
    let around = node.ancestors().take_while(|outer| !outer.kind().is_function()).find(|outer| is_loop(*outer));
    let (again, confidence) = match around {
        Some(around) if !is_renewed(around) && !is_left(call, around) => (node, Confidence::Probable),
        _ => {
            // What is set in between is another list.
            let next = uses().find(|part| node.precedes(*part) && !call.contains(*part));
            let Some(next) = next.filter(|next| !sets(*next)) else { return };
            let confidence = match (follows(call, next), is_beside(call, next)) {
                (true, _) => Confidence::Certain,
                (_, true) => Confidence::Probable,
                _ => return,
            };
            // A function that says that it could not do it has mostly not begun; and no line is as long as that.
            let is_rare = is_refused(call) || is_failed(next, call) || is_ample(call) && is_chosen(next, call);
            (next, if is_rare { Confidence::Possible } else { confidence })
        }
    };
    let list = node.declaration().map_or("", |of| of.name.as_str());
    let sides = ["a pointer, which is copied".to_owned(), "an array, which goes on where it was left".to_owned()];
    found.report(again, confidence, format!("`{list}` is used again after {name} has taken its arguments"), sides);
}

fn sets_list(name: &str) -> bool {
    SETS.contains(&name) || name.to_lowercase().contains("va_copy")
}

/// Whether it is a `va_list` of which functions get the address.
fn is_shared(types: Types<'_>) -> bool {
    let of = types.canonical(WIDE);
    let element = types.tree.units[WIDE].canonical(of.inner);
    matches!(of.kind, TypeKind::ConstantArray | TypeKind::Pointer)
        && element.kind == TypeKind::Record
        && element.spelling.contains("__va_list_tag")
}

/// The function that gets it, and the call.
fn passed<'a>(list: Expression<'a>) -> Option<(&'a str, Expression<'a>)> {
    let call = list.outer().filter(|outer| outer.kind() == Kind::Call)?;
    let (name, arguments) = call.call()?;
    // `va_arg(ap, int)` is around it too, and another type.
    let is_argument = arguments.iter().any(|argument| argument.strip().is(list) && is_shared(argument.types()));
    (is_argument && !sets_list(name)).then_some((name, call))
}

/// Whether the function takes arguments out of the list that it gets: one of this file may do no more than copy it.
fn takes(list: Expression<'_>, depth: usize) -> bool {
    let Some((body, parameter)) = list.parameter().filter(|_| depth > 0) else { return true };
    let is_it = |part: &Expression<'_>| part.declaration().is_some_and(|of| std::ptr::eq(of, parameter));
    let uses = body.descendants().filter(|part| part.kind() == Kind::DeclRef).filter(is_it);
    uses.into_iter().any(|part| match part.outer().and_then(Expression::call) {
        Some((name, _)) if sets_list(name) => false,
        _ if passed(part).is_some() => takes(part, depth - 1),
        _ => true,
    })
}

/// So many functions are followed.
const DEPTH: usize = 4;

/// Whether the function is left if the call succeeds: `if (others(ap)) return 1;`.
fn is_refused(call: Expression<'_>) -> bool {
    let asked = call
        .ancestors()
        .find(|outer| outer.kind() == Kind::If)
        .filter(|outer| outer.child(0).is_some_and(|of| of.contains(call)));
    let leaves = |part: Expression<'_>| {
        let last = if part.kind() == Kind::Compound { part.children().last() } else { Some(part) };
        last.is_some_and(|last| matches!(last.kind(), Kind::Return | Kind::Break | Kind::Goto))
    };
    asked.and_then(|asked| asked.child(1)).is_some_and(leaves)
}

/// Whether the second is done only where the call says by a negative number that it could not do it.
fn is_failed(second: Expression<'_>, call: Expression<'_>) -> bool {
    let is_result = |of: Expression<'_>| of.is(call) || call.keeper().is_some_and(|keeper| keeper.declaration_id() == of.declaration_id());
    second.ancestors().filter(|outer| outer.kind() == Kind::If).any(|outer| {
        let parts = outer.child(0).map(Expression::strip).and_then(|asked| Some((asked, asked.child(0)?, asked.child(1)?)));
        let is_there = || outer.child(1).is_some_and(|branch| branch.contains(second));
        parts.is_some_and(|(asked, left, right)| {
            let fails = [(binary::LT, Some(0)), (binary::EQ, Some(-1))].contains(&(asked.operator(), right.value(WIDE)));
            asked.kind() == Kind::Binary && fails && is_result(left.strip()) && is_there()
        })
    })
}

/// Whether it prints into so much memory that what is done where that is too little is hardly ever done.
fn is_ample(call: Expression<'_>) -> bool {
    let size = call.call().filter(|(name, _)| name.contains("vsn")).and_then(|(_, arguments)| arguments.get(1)?.value(WIDE));
    size.is_some_and(|size| size >= 4096)
}

/// Whether a condition at the call or behind it decides about it.
fn is_chosen(second: Expression<'_>, call: Expression<'_>) -> bool {
    let is_asked = |outer: &Expression<'_>| outer.child(0).is_some_and(|asked| asked.contains(call));
    second.ancestors().any(|outer| outer.kind() == Kind::If && (!outer.contains(call) || is_asked(&outer)))
}

fn is_loop(outer: Expression<'_>) -> bool {
    outer.is_loop() || outer.kind() == Kind::RangeFor
}

/// Whether the loop ends with the call: what follows in its block leaves it.
fn is_left(call: Expression<'_>, around: Expression<'_>) -> bool {
    let leaves = |part: Expression<'_>| matches!(part.kind(), Kind::Return | Kind::Break | Kind::Goto);
    call.ancestors().take_while(|outer| !outer.is(around)).any(|outer| {
        outer.kind() == Kind::Return
            || outer.kind() == Kind::Compound && outer.children().any(|part| call.precedes(part) && leaves(part))
    })
}

/// Whether the second is done behind the call, whichever way that was reached.
fn follows(call: Expression<'_>, second: Expression<'_>) -> bool {
    let Some(block) = call.ancestors().find(|outer| outer.kind() == Kind::Compound) else { return false };
    // What decides is always done.
    let decides = |outer: Expression<'_>| outer.child(0).is_some_and(|first| first.contains(call));
    let chooses = |outer: Expression<'_>| match outer.kind() {
        Kind::If | Kind::Conditional => !decides(outer),
        kind => matches!(kind, Kind::Switch | Kind::Case | Kind::Default | Kind::Return),
    };
    let leaves =
        |part: Expression<'_>| matches!(part.kind(), Kind::Return | Kind::Break | Kind::Goto | Kind::Case | Kind::Default);
    let between = block.children().filter(|part| call.precedes(*part) && part.precedes(second) && !part.contains(second));
    block.contains(second)
        && !call.ancestors().take_while(|outer| !outer.is(block)).any(chooses)
        && !between.into_iter().any(leaves)
}

/// Whether both are done under conditions of their own, which may hold at once: `if (shows) vprintf(f, ap); if (logs) vfprintf(log, f, ap);`.
fn is_beside(call: Expression<'_>, second: Expression<'_>) -> bool {
    let Some((first, other)) = condition(call).zip(condition(second)) else { return false };
    let is_in_one = block(first).zip(block(other)).is_some_and(|(a, b)| a.is(b));
    let leaves = |part: Expression<'_>| matches!(part.kind(), Kind::Return | Kind::Break | Kind::Goto | Kind::Continue);
    let has_else = |of: Expression<'_>| of.child(2).is_some();
    let conditions = first.child(0).zip(other.child(0));
    is_in_one
        && !has_else(first)
        && !has_else(other)
        && !first.descendants().any(leaves)
        && conditions.is_some_and(|(a, b)| terms(a).iter().all(|a| terms(b).iter().all(|b| is_compatible(*a, *b))))
}

/// The `if` that alone decides about it.
fn condition(part: Expression<'_>) -> Option<Expression<'_>> {
    let chooses = |kind: Kind| matches!(kind, Kind::If | Kind::Switch | Kind::Conditional) || kind.is_function();
    part.ancestors().find(|outer| chooses(outer.kind())).filter(|outer| outer.kind() == Kind::If)
}

fn block(part: Expression<'_>) -> Option<Expression<'_>> {
    part.ancestors().find(|outer| outer.kind() == Kind::Compound)
}

fn names(of: Expression<'_>) -> impl Iterator<Item = Expression<'_>> {
    std::iter::once(of).chain(of.descendants()).filter(|part| part.kind() == Kind::DeclRef)
}

/// What has to hold for a condition to hold.
fn terms(condition: Expression<'_>) -> Vec<Expression<'_>> {
    let condition = condition.strip();
    if condition.kind() == Kind::Binary && condition.operator() == binary::LOGICAL_AND {
        return condition.children().flat_map(terms).collect();
    }
    vec![condition]
}

/// Whether one does not say the opposite of the other, as far as that is seen: they are equal, ask for different bits, compare in one direction,
/// or speak of different things.
fn is_compatible(a: Expression<'_>, b: Expression<'_>) -> bool {
    let (a, b) = (a.strip(), b.strip());
    let is_shared = names(a).any(|name| names(b).any(|other| other.same(name)));
    let direction = |of: Expression<'_>| match (of.kind(), of.operator()) {
        (Kind::Binary, binary::LT | binary::LE) => Some(1),
        (Kind::Binary, binary::GT | binary::GE) => Some(2),
        (Kind::Binary, binary::AND) => Some(3),
        _ => None,
    };
    let is_left = || a.child(0).zip(b.child(0)).is_some_and(|(a, b)| a.same(b));
    a.same(b) || !is_shared || direction(a).is_some() && direction(a) == direction(b) && is_left()
}

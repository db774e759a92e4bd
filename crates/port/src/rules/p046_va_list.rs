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

use super::{Asked, Found, Hit, Visit};
use crate::ast::kind::{Kind, binary};
use crate::pair::WIDE;
use crate::symbols::{Candidate, Lookup, Signature, function};
use crate::tree::{Expression, Tree};
use crate::va_lists;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Node(&[Kind::DeclRef], look), Visit::Lookup(ask, look_up)]);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    if let Some(again) = again(node).filter(|again| !is_elsewhere(again.call)) {
        let list = node.declaration().map_or("", |of| of.name.as_str());
        found.report(again.at, again.confidence, format!("`{list}` {}", message(again.name)), sides());
    }
}

/// What is given to functions of other files, which may do no more than copy it.
fn ask<'a>(tree: &'a Tree<'a>) -> Vec<Asked<'a>> {
    let of = |call: Expression<'a>| {
        let (_, arguments) = call.call()?;
        let again = arguments.into_iter().find_map(|argument| again(argument.strip()))?;
        let called = Signature::new(function(call.child(0)?.types())?)?;
        Some(Asked { at: again.at, name: again.name, called, confidence: again.confidence })
    };
    tree.calls().filter(|call| is_elsewhere(*call)).filter_map(of).collect()
}

/// The function is in another file; where that is none of the project's, it takes what it gets.
fn look_up(lookup: &Lookup, candidates: &[Candidate]) -> Option<Hit> {
    let is_spared = !candidates.is_empty() && candidates.iter().all(|candidate| candidate.spares_lists);
    let message = format!("the list {}", message(&lookup.name));
    (!is_spared).then(|| Hit { message, sides: sides(), ..lookup.hit.clone() })
}

fn message(name: &str) -> String {
    format!("is used again after {name} has taken its arguments")
}

fn sides() -> [String; 2] {
    ["a pointer, which is copied".to_owned(), "an array, which goes on where it was left".to_owned()]
}

/// Whether it is a function that another file has.
fn is_elsewhere(call: Expression<'_>) -> bool {
    let is_own = call.declaration().is_some_and(|of| of.kind == Kind::Function && of.is_external && !of.in_system_header);
    let is_list = |argument: &&Expression<'_>| va_lists::is_shared(argument.strip().types());
    let (_, arguments) = call.call().filter(|_| is_own).unwrap_or_default();
    let list = arguments.iter().find(is_list);
    list.is_some_and(|list| list.strip().parameter().is_none())
}

/// A list that is used again.
struct Again<'a> {
    /// Where.
    at: Expression<'a>,
    confidence: Confidence,
    /// The function that has taken its arguments, and its call.
    name: &'a str,
    call: Expression<'a>,
}

/// Where this list, which is given to a function, is used again.
fn again(node: Expression<'_>) -> Option<Again<'_>> {
    if node.kind() != Kind::DeclRef || !va_lists::is_shared(node.types()) || node.is_measured() {
        return None;
    }
    let ((name, call), function) = va_lists::passed(node).zip(node.function())?;
    if !va_lists::takes(node) {
        return None;
    }
    let uses = || function.descendants().filter(|part| part.kind() == Kind::DeclRef && part.same(node) && !part.is_measured() && !part.is_variadic());
    let sets = |part: Expression<'_>| part.outer().and_then(Expression::call).is_some_and(|(name, _)| va_lists::sets(name));
    // Where `va_start` itself is not known, nothing is known of what follows.
    let is_local = node.declaration().is_some_and(|of| of.kind == Kind::Variable && !of.is_external);
    if is_local && !uses().any(sets) {
        return None;
    }
    let is_renewed = |around: Expression<'_>| uses().any(|part| around.contains(part) && sets(part));
    let around = node.ancestors().take_while(|outer| !outer.kind().is_function()).find(|outer| is_loop(*outer));
    let (at, confidence) = match around {
        Some(around) if !is_renewed(around) && !is_left(call, around) && !is_once(call, around) => (node, Confidence::Probable),
        _ => {
            // What is set in between is another list.
            let next = uses().find(|part| node.precedes(*part) && !call.contains(*part) && !reads_nothing(*part));
            let next = next.filter(|next| !sets(*next))?;
            let confidence = match (follows(call, next), is_beside(call, next)) {
                (true, _) => Confidence::Certain,
                (_, true) => Confidence::Probable,
                _ => return None,
            };
            // A function that says that it could not do it has mostly not begun; and no line is as long as that.
            let is_rare = is_refused(call) || is_failed(next, call) || is_ample(call) && is_chosen(next, call);
            (next, if is_rare { Confidence::Possible } else { confidence })
        }
    };
    Some(Again { at, confidence, name, call })
}

/// Whether the function that gets the list has a format that asks for nothing.
fn reads_nothing(list: Expression<'_>) -> bool {
    let call = list.outer().filter(|outer| outer.kind() == Kind::Call);
    let (_, arguments) = call.and_then(Expression::call).unwrap_or_default();
    let format = arguments.iter().take_while(|argument| !argument.contains(list)).last();
    format.and_then(|format| format.strip_casts().texts()).is_some_and(|texts| texts.iter().all(|text| !text.contains('%')))
}

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

/// Whether a loop that counts calls it for one number only: `if (level == 0) show(format, ap);`.
fn is_once(call: Expression<'_>, around: Expression<'_>) -> bool {
    let counts = |variable: Expression<'_>| {
        around.descendants().filter(|part| part.is_step()).filter_map(|step| step.child(0)).any(|counted| counted.strip().same(variable))
    };
    call.ancestors().take_while(|outer| !outer.is(around)).filter(|outer| outer.kind() == Kind::If).any(|outer| {
        let asked = outer.child(0).map(Expression::strip).filter(|asked| asked.kind() == Kind::Binary && asked.operator() == binary::EQ);
        let is_there = outer.child(1).is_some_and(|branch| branch.contains(call));
        let parts = asked.filter(|_| is_there).and_then(|asked| asked.child(0).zip(asked.child(1)));
        parts.is_some_and(|(left, right)| right.value(WIDE).is_some() && counts(left.strip()))
    })
}

/// Whether the loop ends with the call: what follows in its block leaves it.
fn is_left(call: Expression<'_>, around: Expression<'_>) -> bool {
    let inside = |of: Expression<'_>| of.ancestors().take_while(|outer| !outer.is(around)).any(|outer| outer.kind() == Kind::Switch);
    let leaves = |part: Expression<'_>| match part.kind() {
        Kind::Break => !inside(part),
        kind => matches!(kind, Kind::Return | Kind::Goto),
    };
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
    // Where a `case` begins, what stands behind the first statement follows that.
    let chooses = |outer: Expression<'_>| match outer.kind() {
        Kind::If | Kind::Conditional => !decides(outer),
        Kind::Case | Kind::Default => outer.contains(second),
        kind => matches!(kind, Kind::Switch | Kind::Return),
    };
    block.contains(second) && !call.ancestors().take_while(|outer| !outer.is(block)).any(chooses) && goes_on(block, call, second)
}

/// Whether nothing between the two, of what stands in the block itself, leaves it or is where a `switch` begins.
fn goes_on(block: Expression<'_>, first: Expression<'_>, second: Expression<'_>) -> bool {
    let leaves = |kind: Kind| matches!(kind, Kind::Return | Kind::Break | Kind::Goto | Kind::Continue | Kind::Case | Kind::Default);
    !block.children().any(|part| first.precedes(part) && part.precedes(second) && !part.contains(second) && leaves(part.kind()))
}

/// Whether both are done under conditions of their own, which may hold at once: `if (shows) vprintf(f, ap); if (logs) vfprintf(log, f, ap);`.
fn is_beside(call: Expression<'_>, second: Expression<'_>) -> bool {
    let Some((first, other)) = condition(call).zip(condition(second)) else { return false };
    let is_in_one = block(first).zip(block(other)).is_some_and(|(a, b)| a.is(b) && goes_on(a, first, other));
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
    let chooses = |kind: Kind| kind.is_branch() || kind.is_function();
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

//! An argument has another width than the parameter of a function without prototype
//!
//! # What
//! A function that is defined in the old way, `f(p) char *p; {…}`, gets an `int` for a pointer or a `long`, or the other way round. Where it is in
//! another file, only a negative constant is looked at, which goes wrong for sure, and a pointer that
//! is given for an `int`, which does if it is an address.
//!
//! # Why
//! Without a prototype arguments are passed as they are, and nobody converts them. `f(0)` writes 4 bytes of the 8 that `f` reads; a
//! negative number loses its sign. An `int` parameter keeps half of an address: `f(form, i0) char *form;` hands it on to printf(3).
//!
//! # Example
//! Bad:
//!
//! ```c
//! // file: unit.h
//! void put();
//! // file: unit.c
//! #include "unit.h"
//! void put(where, name)
//!     long where;
//!     char *name;
//! {
//!     *name = (char)where;
//! }
//! void f(char *name) { put(-1, name); }
//! ```
//!
//! Good:
//!
//! ```c
//! void put(long where, char *name);
//! void put(where, name)
//!     long where;
//!     char *name;
//! {
//!     *name = (char)where;
//! }
//! void f(char *name) { put(-1, name); }
//! ```
//!
//! # Fix
//! Write the prototype, in a header that both files include: `void put(long where, char *name);`.
//!
//! # References
//! - CWE-686, CWE-628
//! - C11 6.5.2.2 paragraph 6

use super::{Asked, Found, Hit, Visit, p003_implicit_declaration};
use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind};
use crate::pair::{NARROW, WIDE};
use crate::symbols::{Candidate, Class, Lookup, Signature, Value, function};
use crate::tree::{Expression, Tree, Types};
use findings::Confidence;
use std::collections::{HashMap, HashSet};

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Tree(look), Visit::Lookup(ask, look_up)]);

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    let prototyped = prototyped(tree);
    // The type of an old definition has its parameters, and that of its calls has none.
    let mut defined: HashMap<*const Declaration, Types<'_>> = HashMap::new();
    for function in tree.functions().filter(|node| is_defined(*node)) {
        let Some(declaration) = function.declaration().filter(|of| !prototyped.contains(&std::ptr::from_ref(*of))) else {
            continue;
        };
        defined.insert(declaration, function.types());
    }
    for call in tree.calls() {
        let Some((name, arguments)) = call.call() else { continue };
        let Some(function) = call.declaration().and_then(|function| defined.get(&std::ptr::from_ref(function))) else { continue };
        if !is_without_prototype(call) {
            continue;
        }
        for (at, (argument, wanted)) in arguments.iter().zip(function.arguments()).enumerate() {
            // clang converts where it sees the definition; other compilers do not.
            let given = argument.strip().types();
            let (Some(was), Some(is)) = (given.sizes(), wanted.sizes()) else { continue };
            let scalars = [given, wanted].iter().all(|types| types.integers().is_some() || types.is_pointer());
            if !scalars || was[NARROW].max(4) != is[NARROW].max(4) || was[WIDE].max(4) == is[WIDE].max(4) {
                continue;
            }
            let text = |side: usize| format!("{} for {}", given.describe(side), wanted.describe(side));
            let message = message(given.spelling(), at + 1, name, wanted.spelling());
            // The lower half is all that is read, or the upper one is zero on most machines, or the pointer only carries a number.
            let small = is[WIDE] < was[WIDE] || wanted.is_pointer() || argument.value(WIDE).is_some_and(|value| value >= 0);
            // Compilers mostly clear the upper half of what is not constant.
            let known = !small && argument.value(WIDE).is_some();
            found.report(
                *argument,
                if known { Confidence::Certain } else { Confidence::Possible },
                message,
                [text(NARROW), text(WIDE)],
            );
        }
    }
}

/// Negative constants and pointers that are given to functions of other files.
fn ask<'a>(tree: &'a Tree<'a>) -> Vec<Asked<'a>> {
    let mut asked = Vec::new();
    let calls: Vec<_> = tree.calls().filter(|call| is_without_prototype(*call)).collect();
    if calls.is_empty() {
        return asked;
    }
    let own: HashSet<&str> =
        tree.functions().filter(|node| is_defined(*node)).filter_map(|node| Some(node.declaration()?.name.as_str())).collect();
    let guessed = p003_implicit_declaration::below_condition(tree);
    for call in calls {
        let (Some((name, arguments)), Some(called)) = (call.call(), call.child(0).and_then(|called| function(called.types())))
        else {
            continue;
        };
        let Some(signature) = Signature::new(called).filter(|_| !name.is_empty() && !own.contains(name) && !guessed.contains(name))
        else {
            continue;
        };
        for (at, argument) in arguments.iter().enumerate() {
            let types = argument.strip().types();
            let is_negative = argument.value(WIDE).is_some_and(|value| value < 0) && types.sizes() == Some([4, 4]);
            let is_address = argument.value(WIDE).is_none() && argument.types().is_pointer();
            if is_negative || is_address {
                let mut given: Vec<_> = arguments.iter().take(at).map(|argument| Value::new(argument.strip().types())).collect();
                given.push(Value::new(if is_address { argument.types() } else { types }));
                let called = Signature { arguments: given, ..signature.clone() };
                // A pointer may carry a number, or be declared where a number is given.
                let confidence = if is_address { Confidence::Possible } else { Confidence::Certain };
                asked.push(Asked { at: *argument, name, called, confidence });
            }
        }
    }
    asked
}

/// The function is in another file, and the last of these arguments is wider there, or an address is cut.
fn look_up(lookup: &Lookup, candidates: &[Candidate]) -> Option<Hit> {
    let given = lookup.called.arguments.last()?;
    let at = lookup.called.arguments.len();
    let is_address = given.class == Class::Pointer;
    let is_misfit = |wanted: &Value| match is_address {
        true => wanted.sizes == Some([4, 4]) && wanted.class != Class::Pointer,
        false => wanted.sizes == Some([4, 8]),
    };
    let wanted = |of: &Candidate| of.is.arguments.get(at - 1).cloned().filter(is_misfit);
    let all: Option<Vec<Value>> = candidates.iter().map(|of| wanted(of).filter(|_| of.is_known)).collect();
    let (wanted, file) = (all?.into_iter().next()?, &candidates.first()?.file);
    let text = |side: usize| format!("{} for {}", given.describe(side), wanted.describe(side));
    let message = message(&given.spelling, at, &lookup.name, &wanted.spelling);
    Some(Hit { message: format!("{message}, as {file} has it"), sides: [text(NARROW), text(WIDE)], ..lookup.hit.clone() })
}

fn message(given: &str, at: usize, name: &str, wanted: &str) -> String {
    format!("{given} is passed as argument {at} of {name}, {wanted}, and not converted")
}

fn is_defined(function: Expression<'_>) -> bool {
    function.kind() == Kind::Function && function.body().is_some()
}

/// The functions that have a prototype besides their definition.
fn prototyped(tree: &Tree<'_>) -> HashSet<*const Declaration> {
    let is_prototype =
        |node: &Expression<'_>| node.kind() == Kind::Function && node.types().is(TypeKind::Function) && !is_defined(*node);
    tree.functions().filter(is_prototype).filter_map(Expression::declaration).map(std::ptr::from_ref).collect()
}

/// Whether what is called has no prototype, here.
fn is_without_prototype(call: Expression<'_>) -> bool {
    let called = call.child(0).and_then(|called| called.types().inner());
    called.is_some_and(|called| called.is(TypeKind::FunctionNoPrototype))
}

/// Whether this conversion is one of an argument that only clang makes.
pub(super) fn is_argument(conversion: Expression<'_>) -> bool {
    let is_implicit = !conversion.is_written();
    let Some(call) = conversion.outer().filter(|outer| is_implicit && outer.kind() == Kind::Call) else { return false };
    let function = call.declaration().map(std::ptr::from_ref);
    is_without_prototype(call) && function.is_some_and(|function| !prototyped(conversion.tree()).contains(&function))
}

//! A format does not fit its argument, in a function that no compiler checks
//!
//! # What
//! The same as P030 for functions of the project that have no attribute `format`: those that hand a format and a `va_list` to
//! vprintf(3), vscanf(3) or another of that kind; and those that are not in the same file, where the last parameter with a name is a
//! text, and the one that is given has as many directives as there are arguments.
//!
//! # Why
//! A compiler warns of `%d` for a `long` only where it knows that there is a format. Messages of errors are printed by such
//! functions, and seldom tried.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdarg.h>
//! #include <stdio.h>
//! static void vsay(const char *format, va_list list) { vfprintf(stderr, format, list); }
//! static void say(int level, const char *format, ...)
//! {
//!     va_list list;
//!     va_start(list, format);
//!     if (level)
//!         vsay(format, list);
//!     va_end(list);
//! }
//! void f(long size) { say(1, "%d bytes\n", size); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdarg.h>
//! #include <stdio.h>
//! static void say(int level, const char *format, ...)
//! {
//!     va_list list;
//!     va_start(list, format);
//!     if (level)
//!         vfprintf(stderr, format, list);
//!     va_end(list);
//! }
//! extern void set(const char *names, ...);
//! extern void draw(const char *format, ...);
//! void at(const char *name, long place) { draw("%o%s:%1m\n", name, place); draw("%s at %d", name, place); }
//! void f(long size) { say(1, "%ld bytes\n", size); set("50%", size); }
//! ```
//!
//! # Fix
//! `%d` for an `int`, `%ld` for a `long`, `%zu` for a `size_t`, `%p` for a pointer, or a cast of the argument to what the format takes.
//! With `__attribute__((format(printf, F, A)))` in its declaration, every compiler says it from now on: the format is the F-th
//! parameter, and what it is about begins with the A-th.
//!
//! # References
//! - CWE-686
//! - man 3 stdarg

use super::{Found, Visit, p030_format};
use crate::ast::Declaration;
use crate::ast::kind::TypeKind;
use crate::directive;
use crate::format::{Constants, Directive, Family, Takes, Wanted, annotated, constants, known, literals, parse, wrappers};
use crate::pair::WIDE;
use crate::tree::{Expression, Tree};
use findings::Confidence;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::fs;

pub(super) const VISIT: Visit = Visit::Tree(look);

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    let (constants, wrappers) = (constants(tree), wrappers(tree));
    // It reads headers: once, and only where something does not fit.
    let renames_long = LazyCell::new(|| renames_long(tree));
    // A text where a number is wanted, or a number for a text, would be wrong for 32 bits as well: such a function has a language of
    // its own.
    let foreign: HashSet<*const Declaration> = tree
        .calls()
        .filter_map(|call| {
            let function = call.declaration()?;
            let takes = likely(call, function, &constants)?;
            (!is_understood(call, takes, &constants)).then(|| std::ptr::from_ref(function))
        })
        .collect();
    for call in tree.calls() {
        let Some(function) = call.declaration() else { continue };
        if known(function).or_else(|| annotated(function)).is_some() {
            continue;
        }
        match wrappers.get(&std::ptr::from_ref(function)) {
            Some(takes) => p030_format::check(call, *takes, &constants, found, |confidence| confidence),
            None => {
                let takes = likely(call, function, &constants);
                if let Some(takes) = takes.filter(|_| !foreign.contains(&std::ptr::from_ref(function))) {
                    let doubt = |confidence: Confidence| if *renames_long { Confidence::Possible } else { confidence.min(Confidence::Probable) };
                    p030_format::check(call, takes, &constants, found, doubt);
                }
            }
        }
    }
}

/// Whether a header of the project's makes `long` another type, as Plan 9's do: so it does for who takes the format.
fn renames_long(tree: &Tree<'_>) -> bool {
    let unit = tree.units[WIDE];
    let own = unit.inclusions.iter().map(|(file, _)| unit.file(*file)).filter(|path| !path.starts_with("/usr/"));
    let renames = |line: &str| matches!(directive::of(line), Some(directive::Directive::Other(text)) if text.split_whitespace().take(2).eq(["define", "long"]));
    own.into_iter().any(|path| fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).lines().any(renames)))
}

/// Whether what the directives of a format want are pointers where pointers are given, and numbers where numbers are.
fn is_understood<'a>(call: Expression<'a>, takes: Takes, constants: &Constants<'a>) -> bool {
    let Some((_, arguments)) = call.call() else { return true };
    let (Some(format), Some(first), Family::Printf) = (arguments.get(takes.format), takes.first, takes.family) else {
        return true;
    };
    let fits = |(at, directive): (usize, &Directive)| {
        let Some(given) = arguments.get(first + at).map(|argument| argument.types()) else { return true };
        match directive.wanted {
            Wanted::Pointer => given.integers().is_none(),
            Wanted::Integer(_) => !given.is_pointer(),
            Wanted::Other => true,
        }
    };
    let texts = literals(*format, constants);
    texts.iter().filter_map(|texts| parse(texts[WIDE], takes.family)).all(|directives| directives.iter().enumerate().all(fits))
}

/// The format that a function seems to take, whose body is elsewhere.
fn likely<'a>(call: Expression<'a>, function: &Declaration, constants: &Constants<'a>) -> Option<Takes> {
    let (_, arguments) = call.call()?;
    let called = call.child(0)?.types();
    // The function, or a pointer to it.
    let called = if called.is_pointer() { called.inner()? } else { called };
    let of = called.canonical(WIDE);
    let first = of.arguments.len();
    let format = first.checked_sub(1)?;
    let unit = call.tree().units[WIDE];
    let is_text = {
        let last = unit.canonical(*of.arguments.last()?);
        let kind = unit.canonical(last.inner).kind;
        last.kind == TypeKind::Pointer && (kind == TypeKind::CharS || kind == TypeKind::CharU)
    };
    if !of.is_variadic || !is_text || function.in_system_header || arguments.len() <= first {
        return None;
    }
    let given = arguments.get(first..)?;
    let family = if function.name.contains("scan") { Family::Scanf } else { Family::Printf };
    let fits = |texts: &[&str; 2]| parse(texts[WIDE], family).is_some_and(|directives| directives.len() == given.len());
    let texts = literals(*arguments.get(format)?, constants);
    (!texts.is_empty() && texts.iter().all(fits)).then_some(Takes { family, format, first: Some(first) })
}

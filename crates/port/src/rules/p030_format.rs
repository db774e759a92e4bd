//! A format does not fit its argument any more
//!
//! # What
//! The format of printf(3), scanf(3) or a function that says that it is like them fits its argument for 32 bits and not for 64:
//! `%d` for a `long`, `%u` for a `size_t`, `%x` for a pointer, `%lu` for a `uint32_t`. Compilers speak of the types, biarch of the bytes:
//! what is as wide on both sides is not reported.
//!
//! # Why
//! printf prints half of the value, or prints what happens to be behind it. scanf writes half of a variable, or over what is behind
//! it. Values below 4 GiB are often printed as they should be, by the luck of where arguments are.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdio.h>
//! #include <string.h>
//! void f(const char *s) { printf("%u\n", strlen(s)); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdio.h>
//! #include <string.h>
//! void f(const char *s, unsigned u, short h) { printf("%zu %x %d %5s\n", strlen(s), u, h, s); }
//! ```
//!
//! # Fix
//! `%zu` for `size_t`, `%zd` for `ssize_t`, `%td` for `ptrdiff_t`, `%ld` for `long`; `PRId64` and its relatives (inttypes.h) for
//! types of a fixed width; `%jd` with a cast to `intmax_t` for `time_t` and `off_t`; `%p` for a pointer; `%d` for an `int` that `%ld`
//! takes. An `int` that `%s` takes was a pointer: what makes it an `int`, a cast, a variable or a missing prototype, is to be repaired.
//!
//! # References
//! - CWE-686
//! - man 3 printf, man 3 scanf, man 0p inttypes.h

use super::{Found, Visit, p003_implicit_declaration, p005_out_parameter};
use crate::ast::kind::Kind;
use crate::bits::{is_target, keeps_low_after};
use crate::fix;
use crate::format::{Constants, Family, Misfit, Takes, annotated, constants, known, literals, misfits};
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree};
use findings::{Confidence, Severity};

pub(super) const VISIT: Visit = Visit::Tree(look);

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    let constants = constants(tree);
    for call in tree.calls() {
        let takes = call.declaration().and_then(|function| known(function).or_else(|| annotated(function)));
        if let Some(takes) = takes {
            check(call, takes, &constants, found, |confidence| confidence);
        }
    }
}

/// Lays the formats of a call on its arguments; `doubt` says how sure a finding is.
pub(super) fn check<'a>(
    call: Expression<'a>,
    takes: Takes,
    constants: &Constants<'a>,
    found: &mut Found<'_>,
    doubt: impl Fn(Confidence) -> Confidence,
) {
    let Some((name, arguments)) = call.call() else { return };
    let (Some(format), Some(first)) = (arguments.get(takes.format), takes.first) else { return };
    for texts in literals(*format, constants) {
        for misfit in misfits(texts, takes.family, arguments.get(first..).unwrap_or_default()) {
            // P003 speaks of what is not declared; what is not known is not what it seems.
            let is_guess = misfit.types.is_pointer() != (misfit.wanted == [4, 8]) && call.is_guessed();
            if p003_implicit_declaration::is_result(misfit.argument) || is_guess {
                continue;
            }
            let message = message(&misfit, takes.family, name);
            let side = |side: usize| {
                let (wanted, given) = (misfit.wanted[side], misfit.given[side]);
                format!("{} takes {wanted} bytes, {} has {given}", misfit.directive, misfit.types.spelling())
            };
            let sides = [side(NARROW), side(WIDE)];
            if let Some(hit) = found.report(misfit.argument, doubt(confidence(&misfit, takes.family)), message, sides) {
                hit.folds = true;
                // A number that is printed wrong comes behind what crashes.
                if takes.family == Family::Printf && !misfit.directive.ends_with('s') {
                    hit.severity = Severity::Risk;
                }
                let number = arguments.iter().skip(first).position(|argument| argument.place() == misfit.argument.place());
                hit.edits = number.map(|number| fix::directive(*format, number, &misfit, takes.family)).unwrap_or_default();
            }
        }
    }
}

fn message(misfit: &Misfit<'_>, family: Family, name: &str) -> String {
    let (directive, of) = (&misfit.directive, misfit.types.spelling());
    let smaller = misfit.wanted[WIDE] < misfit.given[WIDE];
    // What is called by a pointer has no name of its own.
    let whose = if name.is_empty() { String::new() } else { format!(" of {name}") };
    if directive == "*" {
        return format!("`*`{whose} takes an int, and gets {of}");
    }
    match (family, smaller) {
        (Family::Printf, true) => format!("`{directive}`{whose} prints the lower half of {of}"),
        (Family::Printf, false) => format!("`{directive}`{whose} takes 8 bytes of {of}, which has 4"),
        (Family::Scanf, true) => format!("`{directive}`{whose} writes the lower half of {of}, the upper half stays as it was"),
        (Family::Scanf, false) => format!("`{directive}`{whose} writes 8 bytes into {of}, which has 4"),
    }
}

fn confidence(misfit: &Misfit<'_>, family: Family) -> Confidence {
    let smaller = misfit.wanted[WIDE] < misfit.given[WIDE];
    match family {
        Family::Printf if misfit.directive == "*" => Confidence::Possible,
        // The lower half is in the place where it is looked for, and is the number as long as that is small: a time until 2038.
        Family::Printf if smaller && misfit.argument.origin() == Origin::Thread => Confidence::Probable,
        // Half an address tells a person as much, and what a pointer carries may be a number.
        Family::Printf if smaller && !misfit.types.is_pointer() => Confidence::Possible,
        Family::Printf if smaller && !misfit.directive.ends_with('s') => Confidence::Possible,
        // In a register the upper half is 0: only what is negative is printed wrong, and for `%lu` nobody expects that. On the stack gcc mostly
        // has nothing in the upper half either, from the register that it stores.
        Family::Printf if !smaller && !misfit.directive.ends_with('s') && is_natural(misfit) => Confidence::Possible,
        Family::Printf if !smaller && !misfit.directive.ends_with('s') && !misfit.types.is_pointer() => {
            let is_positive = misfit.argument.is_in_register() && !misfit.argument.is_negative_at_times();
            if is_positive { Confidence::Possible } else { Confidence::Probable }
        }
        // The upper half is what was there before, and nobody looks at it.
        Family::Scanf if smaller && is_low(misfit.argument) => Confidence::Possible,
        Family::Scanf if !smaller && is_filled_behind(misfit.argument) => Confidence::Possible,
        // A number that was chosen to be one, or was never a pointer, is none for 32 bits either.
        Family::Printf if misfit.directive.ends_with('s') && is_named_number(misfit.argument) => Confidence::Possible,
        Family::Printf if misfit.directive.ends_with('s') && is_no_pointer(misfit.argument) => Confidence::Possible,
        _ => Confidence::Certain,
    }
}

/// Whether an argument of 4 bytes is not negative, or is printed without a sign.
fn is_natural(misfit: &Misfit<'_>) -> bool {
    let is_printed_without = || misfit.directive.ends_with(['u', 'x', 'X', 'o']);
    let is_number = misfit.types.integer(WIDE).is_some_and(|of| of.bits == 32);
    misfit.wanted[WIDE] == 8 && is_number && (misfit.argument.is_natural() || is_printed_without())
}

/// Whether it is a field or an element of numbers, or has a number's name of its own for a type, and nothing in the file makes a pointer a number of that
/// type.
fn is_named_number(argument: Expression<'_>) -> bool {
    let number = argument.strip_casts();
    let is_named = matches!(number.kind(), Kind::Member | Kind::Subscript) || number.types().spelling() != number.types().canonical(WIDE).spelling;
    let mut casts = argument.tree().casts().filter(|cast| cast.types().spelling() == number.types().spelling());
    is_named
        && number.types().integers().is_some()
        && !casts.any(|cast| cast.converted().is_some_and(|from| from.types().is_pointer()))
}

/// Whether it is a variable of this function that no pointer and no result of a function is kept in.
fn is_no_pointer(argument: Expression<'_>) -> bool {
    let number = argument.strip_casts();
    let is_local = number.declaration().zip(number.function()).is_some_and(|(of, function)| of.kind == Kind::Variable && function.declares(of));
    let is_made = |value: Expression<'_>| {
        let mut parts = std::iter::once(value).chain(value.descendants());
        parts.any(|part| part.kind() == Kind::Call || part.types().is_pointer())
    };
    is_local && number.kind() == Kind::DeclRef && !number.was_given(is_made)
}

/// Whether the number whose address it is has a value already, or only its lower half is taken.
fn is_low(argument: Expression<'_>) -> bool {
    let call = argument.ancestors().find(|outer| outer.kind() == Kind::Call);
    argument.addressed().zip(call).is_some_and(|(object, call)| {
        keeps_low_after(call, object) || p005_out_parameter::is_set(object, argument.strip_casts())
    })
}

/// Whether the member behind it, which gets the upper half, is only looked at after it is filled itself, by the same call or later.
pub(super) fn is_filled_behind(argument: Expression<'_>) -> bool {
    let (Some((whole, at)), Some(function)) = (member(argument), argument.function()) else { return false };
    let is_behind = |part: &Expression<'_>| {
        part.kind() == Kind::Member
            && part.declaration().is_some_and(|of| of.offset == Some(at + 32))
            && part.child(0).is_some_and(|other| other.same(whole))
    };
    let is_filled = |part: Expression<'_>| {
        let address = part.outer().filter(|outer| outer.addressed().is_some());
        let given = address.and_then(|address| address.ancestors().find(|outer| !outer.is_wrapping() && !outer.kind().is_explicit_cast()));
        is_target(part) || given.is_some_and(|outer| outer.kind() == Kind::Call)
    };
    let mut behind = function.descendants().filter(|part| argument.precedes(*part)).filter(is_behind);
    behind.next().is_some_and(is_filled)
}

/// The object of which an argument is the address of a member, and where that is in it, in bits; of members of members the outermost that does
/// not end with it, so that something is behind it.
fn member(argument: Expression<'_>) -> Option<(Expression<'_>, u64)> {
    let object = argument.addressed().filter(|object| object.kind() == Kind::Member)?;
    let (mut whole, mut at) = (object.child(0)?, object.declaration()?.offset?);
    while whole.strip().kind() == Kind::Member && whole.types().size(WIDE).is_some_and(|bytes| at + 32 == 8 * bytes) {
        let inner = whole.strip();
        (whole, at) = (inner.child(0)?, at + inner.declaration()?.offset?);
    }
    Some((whole, at))
}

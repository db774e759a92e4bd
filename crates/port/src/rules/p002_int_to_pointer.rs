//! A pointer is made of an integer that is too small for one
//!
//! # What
//! An integer of 4 bytes that is no constant is converted to a pointer, by a cast or without one. By a cast it is only possible where
//! the file never cuts a pointer: then it was none before.
//!
//! # Why
//! The upper half of the pointer is zero, or the sign of the integer. If the integer was a pointer before, it is not the same one.
//! If it is a number that travels through a `void *`, nothing is lost.
//!
//! # Example
//! Bad:
//!
//! ```c
//! char *f(int handle) { return (char *)handle; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! char *f(intptr_t handle) { return (char *)handle; }
//! char *flag(int on) { return (char *)(on ? 1 : 2); }
//! int none(int handle) { return handle == (void *)0; }
//! ```
//!
//! # Fix
//! Follow the integer back to where it comes from, and make it `intptr_t` on the whole way. A number that is only carried by a
//! pointer is written `(void *)(intptr_t)number`, which says so.
//!
//! # References
//! - CWE-587, CWE-704
//! - C11 6.3.2.3 paragraph 5

use super::{Found, Visit, p001_pointer_to_int, p003_implicit_declaration, p007_no_prototype};
use crate::ast::kind::{Kind, TypeKind};
use crate::destination::Destination;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(mut converted) = conversion.converted() else { return };
    if !conversion.types().is_pointer() {
        return;
    }
    // By way of a long, `(char *)(long)handle`. Whoever names `intptr_t` knows what is done.
    let direct = converted.strip();
    if direct.types().grows() && direct.kind().is_explicit_cast() && !direct.types().has_typedef(&["intptr_t", "uintptr_t"]) {
        converted = direct.converted().unwrap_or(converted);
    }
    let Some([narrow, wide]) = converted.types().integers() else { return };
    if wide.bits >= 64 || narrow.bits < 32 || converted.is_between(WIDE, -4096, 0xffff) {
        return;
    }
    // Whether it is the null pointer is the same question, of what has come here.
    if !conversion.is_written() && is_compared_with_null(conversion) {
        return;
    }
    // A pointer that was cut before is P001, the result of a function without declaration P003.
    let cut = std::iter::once(converted).chain(converted.descendants()).any(|part| p001_pointer_to_int::pointer(part).is_some());
    if cut
        || !conversion.is_written() && conversion.is_guessed()
        || p003_implicit_declaration::is_result(converted)
        || p007_no_prototype::is_argument(conversion)
    {
        return;
    }
    // What becomes a number of 32 bits or less again is none.
    let is_small = |of: Expression<'_>| of.types().integer(WIDE).is_some_and(|integer| integer.bits <= 32);
    if conversion.ancestors().take_while(|outer| outer.converted().is_some()).any(is_small) || conversion.keeper().is_some_and(is_small) {
        return;
    }
    // Where an argument is missing those after it are in wrong places, on both sides, and P001 says it.
    if !conversion.is_written() && is_misplaced(conversion) {
        return;
    }
    let how = if wide.signed { "its sign" } else { "zero" };
    let text = |side: usize| format!("{} made of {}", conversion.types().describe(side), converted.types().describe(side));
    let message = format!("a pointer is made of {}: its upper 32 bits are {how}", converted.types().spelling());
    // A number may well be carried by a `void *`; anything else is meant to be followed.
    // So may a pointer to any type, in a template of C++ that is there for all.
    let is_any = |inner: &Types<'_>| [TypeKind::Void, TypeKind::Unexposed, TypeKind::Dependent].iter().any(|kind| inner.is(*kind));
    let carried = conversion.types().inner().as_ref().is_some_and(is_any) || conversion.carries_numbers() || is_either(conversion);
    let by_way = direct.types().integers().is_none_or(|[_, wide]| wide.bits >= 64);
    let confidence = match (conversion.is_written(), carried || by_way) {
        // strerror_r(3) returns a pointer as well, and configure finds out which.
        (false, _) if !conversion.tree().is_configured && is_systems(converted) => Confidence::Possible,
        // What is passed to a function may only be carried.
        (false, _) if !matches!(conversion.destination(), Destination::Argument(..)) => Confidence::Certain,
        (true, _) if is_mark(conversion, converted) || is_made_relative(conversion, converted) || is_systems(converted) => {
            Confidence::Possible
        }
        // Whoever never cuts a pointer has none to make of a number again.
        (true, false) if !p001_pointer_to_int::cuts(conversion.tree()) => Confidence::Possible,
        (_, false) => Confidence::Probable,
        (_, true) => Confidence::Possible,
    };
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether it is a constant, `(char *)0xffffffff`, that marks something for the program itself: it is compared with no result of a function.
fn is_mark(conversion: Expression<'_>, number: Expression<'_>) -> bool {
    let is_call = |value: Expression<'_>| value.kind() == Kind::Call;
    let is_result = |side: Expression<'_>| !side.contains(conversion) && (is_call(side.strip_casts()) || side.was_given(is_call));
    let compared = conversion.outer().filter(|_| conversion.destination() == Destination::Compared);
    number.value(WIDE).is_some() && !compared.is_some_and(|outer| outer.children().any(is_result))
}

/// `report(is_known ? "%s" : "%d", is_known ? name : number)`: the one that is called takes it for what it was.
fn is_either(conversion: Expression<'_>) -> bool {
    let is_branch = conversion.outer().is_some_and(|outer| outer.kind() == Kind::Conditional);
    is_branch && !conversion.is_written() && conversion.is_variadic()
}

/// Whether it comes from a function of the system's, which give a number that is no pointer for 32 bits either: `(char *)vsprintf(…)`.
pub(super) fn is_systems(number: Expression<'_>) -> bool {
    number.strip_casts().kind() == Kind::Call && number.strip_casts().declaration().is_some_and(|called| called.in_system_header)
}

/// `p->name = (char *)offset_of(p->name)`: what was a pointer becomes a number in its place, for a file.
fn is_made_relative(conversion: Expression<'_>, number: Expression<'_>) -> bool {
    let kept = conversion.keeper().filter(|kept| kept.kind() == Kind::Member);
    kept.is_some_and(|kept| number.descendants().any(|part| part.same(kept)))
}

/// Whether another argument of the same call is a pointer where a number belongs.
fn is_misplaced(conversion: Expression<'_>) -> bool {
    let call = conversion.outer().filter(|outer| outer.kind() == Kind::Call);
    let is_cut = |argument: Expression<'_>| !argument.is_written() && p001_pointer_to_int::pointer(argument).is_some();
    call.is_some_and(|call| call.children().skip(1).any(is_cut))
}

/// `number == NULL`
fn is_compared_with_null(conversion: Expression<'_>) -> bool {
    let outer = conversion.outer().filter(|_| conversion.destination() == Destination::Compared);
    outer.is_some_and(|outer| outer.children().any(|side| !side.contains(conversion) && side.value(WIDE) == Some(0)))
}

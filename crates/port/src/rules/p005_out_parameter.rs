//! A pointer leads to an object of another size
//!
//! # What
//! The address of a number or pointer is taken for that of another one, which is as large for 32 bits and not for 64: `(long *)&number`
//! with an `int`, an `int *` for a `socklen_t *` that is a `size_t *`, `time(&seconds)` with `int seconds`. A `size_t` that was set before
//! keeps an upper half of 0, and is only possible. So are the bits of a `float` read as a `long`, `*(long *)&x`, and those of a `double`,
//! which are two `long`s for 32 bits and one for 64.
//!
//! # Why
//! Whoever writes through the pointer writes 8 bytes over an object of 4, and over what is behind it; or 4 bytes of 8, and the upper half
//! is what was there before. Bits of a number that are computed with are others, or those of what is beside it.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <time.h>
//! int f(void) { int now; time((time_t *)&now); return now; }
//! long bits(float x) { return *(long *)&x; }
//! unsigned long upper(double x) { return ((unsigned long *)&x)[1]; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <time.h>
//! int f(void) { time_t now; time((time_t *)&now); return now != 0; }
//! int first(char *text) { return *(int *)text; }
//! int *behind(char **names, int n) { return (int *)&names[n]; }
//! int bits(float x) { return *(int *)&x; }
//! unsigned lower(double x) { return *(unsigned *)&x; }
//! long long whole(double x) { return *(long long *)&x; }
//! ```
//!
//! # Fix
//! Declare the object as the function wants it, and convert the value afterwards. A cast of the address repairs nothing. The bits of a
//! `float` are a `uint32_t` and those of a `double` a `uint64_t`, into which memcpy(3) copies them.
//!
//! # References
//! - CWE-843, CWE-787, CWE-704
//! - man 2 accept, about `socklen_t`

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = conversion.converted() else { return };
    let (from, to) = (converted.types(), conversion.types());
    let (Some(object), Some(taken)) = (from.inner(), to.inner()) else { return };
    if !from.is_pointer() || !to.is_pointer() || !is_scalar(object) || !is_scalar(taken) {
        return;
    }
    let (Some(was), Some(is)) = (object.sizes(), taken.sizes()) else { return };
    if object.is(TypeKind::Double) && taken.grows() {
        return halves(conversion, [object, taken], found);
    }
    if was[NARROW] != is[NARROW] || was[WIDE] == is[WIDE] {
        return;
    }
    if !conversion.is_written() && conversion.tree().is_guessed() {
        return;
    }
    let text = |side: usize| format!("{} taken for {}", object.describe(side), taken.describe(side));
    let address = converted.strip();
    let is_object = address.kind() == Kind::Unary && address.operator() == unary::ADDRESS_OF;
    let (confidence, message) = if is[WIDE] > was[WIDE] {
        let confidence = if is_object || !conversion.is_written() { Confidence::Certain } else { Confidence::Probable };
        (confidence, format!("a pointer to {} leads to {}: 8 bytes are accessed where 4 are", taken.spelling(), object.spelling()))
    } else if is_behind(address) {
        return;
    } else {
        let message = format!("a pointer to {} leads to {}: only the lower half is accessed", taken.spelling(), object.spelling());
        // Where the object was set before, its upper half is 0, and stays so.
        let confidence = if is_object && is_set(address) { Confidence::Possible } else { Confidence::Probable };
        (confidence, message)
    };
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether what has its address taken is a variable without a sign that the function has given a value before.
fn is_set(address: Expression<'_>) -> bool {
    let Some(object) = address.child(0).map(Expression::strip).filter(|object| object.kind() == Kind::DeclRef) else { return false };
    let (Some(declaration), Some(function)) = (object.declaration(), address.function()) else { return false };
    let is_it = |part: Expression<'_>| part.declaration().is_some_and(|other| std::ptr::eq(other, declaration));
    object.types().integer(WIDE).is_some_and(|integer| !integer.signed)
        && function.descendants().take_while(|part| part.precedes(address)).any(|part| match part.kind() {
            Kind::Variable => is_it(part) && part.children().any(Expression::is_expression),
            Kind::Binary if part.operator() == binary::ASSIGN => {
                !part.contains(address) && part.child(0).map(Expression::strip).is_some_and(is_it)
            }
            _ => false,
        })
}

/// Whether it is a place in or behind an array: memory for several arrays is cut up like this.
fn is_behind(address: Expression<'_>) -> bool {
    let inner = address.only_child().map(Expression::strip);
    match address.kind() {
        Kind::Unary => address.operator() == unary::ADDRESS_OF && inner.is_some_and(|inner| inner.kind() == Kind::Subscript),
        kind => kind == Kind::Binary,
    }
}

/// The bits of a `double` are taken for `long`s, of which it has two for 32 bits and is one for 64.
fn halves(conversion: Expression<'_>, [object, taken]: [Types<'_>; 2], found: &mut Found<'_>) {
    let text = |side: usize| {
        let (whole, part) = (object.size(side).unwrap_or_default(), taken.size(side).unwrap_or_default());
        format!("{} of {} bytes of {} in each {}", part.min(whole), whole, object.spelling(), taken.spelling())
    };
    let element = conversion.outer().filter(|outer| outer.kind() == Kind::Subscript).and_then(|outer| outer.child(1));
    let is_behind = element.and_then(|element| element.value(WIDE)).is_some_and(|element| element != 0);
    let (confidence, message) = if is_behind {
        let message = format!("the second half of a {} as {}: that is behind it", object.spelling(), taken.spelling());
        (Confidence::Certain, message)
    } else {
        (Confidence::Probable, format!("the bits of a {} as {}: two of them for 32 bits, one for 64", object.spelling(), taken.spelling()))
    };
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// A number or a pointer: structures are taken for each other on purpose, and text is read as whatever it is.
fn is_scalar(types: Types<'_>) -> bool {
    let is_real = types.is(TypeKind::Float) || types.is(TypeKind::Double);
    types.integers().is_some() && !types.is(TypeKind::Bool) || types.is_pointer() || is_real
}

//! A number assembled of bytes gets a sign, or loses it
//!
//! # What
//! `bytes[3] << 24 | …` is computed as an `int` and kept in an `unsigned long` or `size_t`. It is certain where it is compared with a number
//! that it never is, and probable where it is returned, also by a pointer of the caller's, passed on, printed or compared with another one;
//! what is only kept is possible. So is that of which the lower half is all that is read, and what counts something: where the function asks
//! whether it is larger than something that counts as well. What is compared with 0 or 1, with a pointer, or with a number of which an `int` is never as large, need
//! not count anything. It is only possible as well where it is mixed as in a hash, by `a ^= b << 8` and `b ^= a >> 13`, or is the key of
//! bsearch(3): what is compared with its like only is the same. What a static function returns is followed to those that call it.
//!
//! `(long)bytes[3] << 24 | …` has the highest bit for its sign in 32 bits, and in 64 bits it has none: probable where it is asked whether that
//! is negative, or where it becomes a floating-point number, and else possible.
//!
//! # Why
//! A byte of 0x80 or more, shifted to the top, makes the `int` negative. For 32 bits the same bits are the right number. For 64 bits the
//! sign is extended: 0x80000000 becomes 0xffffffff80000000, and the size, offset or checksum read from a file is enormous.
//!
//! # Example
//! Bad:
//!
//! ```c
//! unsigned long f(const unsigned char *b) { return b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! unsigned long f(const unsigned char *b) { return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24; }
//! unsigned long g(const unsigned char *b) { return b[0] | b[1] << 8 | b[2] << 16; }
//! int h(const unsigned char *b) { return (unsigned long)(b[0] << 24) == 4; }
//! ```
//!
//! # Fix
//! Convert what is shifted to a type without a sign: `(uint32_t)bytes[3] << 24`, `(uint32_t)number << 16`; bytes of a format are read
//! by le32toh(3). What has a sign is assembled without one, and converted to `int32_t`.
//!
//! # References
//! - CWE-194, CWE-681

use super::p020_shift::widened;
use super::p026_word::is_hash;
use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::bits::{is_target, keeps_low};
use crate::destination::Destination;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Conversion(look), Visit::Node(&[Kind::Binary], lost)]);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(inner) = widened(conversion) else { return };
    let signs = inner.types().integer(WIDE).is_some_and(|integer| integer.signed);
    let unsigned = conversion.types().integer(WIDE).is_some_and(|integer| !integer.signed);
    let Some(top) = top(inner).filter(|_| signs && unsigned && inner.value(WIDE).is_none()) else { return };
    if keeps_low(conversion) {
        return;
    }
    // What is kept, and of which all later uses look at the lower half: but not all may be seen. What is counted is rarely as many as
    // 2^31; marks and checksums are only equal or not.
    let uses: Vec<_> = conversion.uses().into_iter().filter(|part| !is_target(*part)).collect();
    let never = std::iter::once(&conversion).chain(&uses).find_map(|part| never_equal(*part));
    let is_low = !uses.is_empty() && uses.iter().all(|part| keeps_low(*part));
    let depends =
        is_low || uses.iter().any(|part| is_counted(*part) || is_key(*part)) || is_hash(conversion) || is_mixed(conversion);
    // In a file of which types are guessed, what becomes of it is as well.
    let is_known = conversion.doubt(Confidence::Certain) == Confidence::Certain;
    let is_felt = || {
        let leaves = matches!(conversion.destination(), Destination::Returned | Destination::Argument(..)) || is_given_back(conversion);
        leaves || uses.iter().any(|part| is_shown(*part) || matches!(part.destination(), Destination::Returned))
    };
    let confidence = match never {
        _ if depends || !is_known => Confidence::Possible,
        Some(_) => Confidence::Certain,
        None if is_felt() => Confidence::Probable,
        None => Confidence::Possible,
    };
    let to = conversion.types();
    let text = |side: usize| {
        let value = if side == NARROW { "0x80000000" } else { "0xffffffff80000000" };
        format!("0x80000000 becomes {value} in {}", to.describe(side))
    };
    let by = top.child(1).and_then(|count| count.value(WIDE)).unwrap_or_default();
    let never = never.map(|number| format!(": it is never {number:#x}")).unwrap_or_default();
    let message = format!("`<< {by}` sets the sign of an int, which is extended in {}{never}", to.spelling());
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// A sum of bytes that are moved to the left in a `long`, of which the highest bit is the sign for 32 bits alone.
fn lost(sum: Expression<'_>, found: &mut Found<'_>) {
    let adds = |of: Expression<'_>| of.kind() == Kind::Binary && matches!(of.operator(), binary::OR | binary::ADD | binary::XOR);
    let moves = |of: Expression<'_>| of.kind() == Kind::Binary && of.operator() == binary::SHL;
    let is_whole = adds(sum) && !sum.outer().is_some_and(|outer| adds(outer) || moves(outer));
    let is_sign = sum.types().grows() && sum.types().integers().is_some_and(|both| both.iter().all(|of| of.signed));
    if !is_whole || !is_sign || sum.value(WIDE).is_some() || !sum.descendants().any(moves) || keeps_low(sum) {
        return;
    }
    if !sum.range(WIDE).is_some_and(|[least, most]| least >= 0 && (0x8000_0000..=0xffff_ffff).contains(&most)) {
        return;
    }
    let is_felt = std::iter::once(sum).chain(sum.uses()).any(|part| is_asked_for_sign(part) || becomes_real(part));
    let confidence = if is_felt { Confidence::Probable } else { Confidence::Possible };
    let sides = ["0xffffffff is -1", "0xffffffff is 4294967295"].map(str::to_owned);
    let message = format!("the highest bit of what is assembled here is no sign any more in {}", sum.types().spelling());
    found.report(sum, confidence, message, sides);
}

/// Whether it is asked if it is negative.
fn is_asked_for_sign(value: Expression<'_>) -> bool {
    value.outer().is_some_and(|outer| {
        let other = outer.children().find(|part| !part.contains(value)).and_then(|other| other.value(WIDE));
        outer.kind() == Kind::Binary
            && outer.child(0).is_some_and(|left| left.contains(value))
            && matches!((outer.operator(), other), (binary::LT | binary::GE, Some(0)) | (binary::GT | binary::LE, Some(-1)))
    })
}

/// Whether it is converted to a floating-point number.
fn becomes_real(value: Expression<'_>) -> bool {
    let wraps = value.ancestors().take_while(|outer| outer.converted().is_some() || outer.kind() == Kind::Paren);
    wraps.into_iter().any(|outer| outer.types().canonical(WIDE).kind.is_floating())
}

/// The shift that fills the top: of what is never negative, into the sign.
fn top(inner: Expression<'_>) -> Option<Expression<'_>> {
    let inner = inner.strip();
    if inner.kind() != Kind::Binary {
        return None;
    }
    let (left, right) = (inner.child(0)?, inner.child(1)?);
    match inner.operator() {
        binary::OR | binary::ADD | binary::XOR => top(left).or_else(|| top(right)),
        binary::SHL => {
            let [least, most] = left.range(WIDE)?;
            let count = right.value(WIDE)?;
            (least >= 0 && most <= 0xffff && (8..32).contains(&count) && (most << count) > 0x7fff_ffff).then_some(inner)
        }
        _ => None,
    }
}

/// The number that it is compared with, and that it is on the other side: one of 32 bits with the sign set.
fn never_equal(value: Expression<'_>) -> Option<i128> {
    // `length == 1 ? *bytes : bytes[0] << 24 | …` is one of several.
    let is_chosen = |outer: &Expression<'_>| {
        outer.is_wrapping() || outer.kind() == Kind::Conditional && !outer.child(0).is_some_and(|asked| asked.contains(value))
    };
    let outer = value.ancestors().find(|outer| !is_chosen(outer))?;
    if outer.kind() != Kind::Binary || !matches!(outer.operator(), binary::EQ | binary::NE) {
        return None;
    }
    let number = outer.children().find(|part| !part.contains(value))?.value(WIDE)?;
    (0x8000_0000..=0xffff_ffff).contains(&number).then_some(number)
}

/// Whether it is asked if it is larger than something, so that it counts: not only whether it is nothing, as by `x > 0` and `x < 1`; nor
/// whether its sign is set, or where it lies in memory.
fn is_counted(value: Expression<'_>) -> bool {
    let is_ordered =
        |outer: &Expression<'_>| outer.kind() == Kind::Binary && (binary::LT..=binary::GE).contains(&outer.operator());
    let other = value.outer().filter(is_ordered).and_then(|outer| outer.children().find(|part| !part.contains(value)));
    other.is_some_and(|other| {
        let is_count = other.value(WIDE).is_none_or(|number| (2..=0x7fff_ffff).contains(&number));
        is_count && !other.strip_casts().types().is_pointer()
    })
}

/// Whether the caller has said where it is to be kept: `*value = byte << 24 | …`.
fn is_given_back(conversion: Expression<'_>) -> bool {
    let place = conversion.keeper().filter(|place| place.kind() == Kind::Unary && place.operator() == unary::DEREFERENCE);
    let pointer = place.and_then(Expression::only_child).map(Expression::strip).and_then(Expression::declaration);
    pointer.is_some_and(|pointer| pointer.kind == Kind::Parameter)
}

/// Whether people see it, or another number that was read is compared with it: a checksum. Nothing is as large as a negative number.
fn is_shown(value: Expression<'_>) -> bool {
    let is_size = |part: Expression<'_>| part.strip_casts().call().is_some_and(|(name, _)| ["length", "size", "strlen"].contains(&name));
    let compares = |outer: Expression<'_>| {
        let is_equality = outer.kind() == Kind::Binary && matches!(outer.operator(), binary::EQ | binary::NE);
        is_equality && outer.children().all(|part| part.value(WIDE).is_none() && !is_size(part))
    };
    value.is_variadic() || value.outer().is_some_and(compares)
}

/// Whether it is looked for among others by a function of the C library, which gets its address: bsearch(3), tsearch(3).
fn is_key(value: Expression<'_>) -> bool {
    let address = value.outer().filter(|outer| outer.takes_address());
    address.is_some_and(|address| matches!(address.destination(), Destination::Argument(name, 0) if SEARCHES.contains(&name)))
}

const SEARCHES: [&str; 5] = ["bsearch", "lfind", "lsearch", "tfind", "tsearch"];

/// Whether it is added to a variable of which the function makes a hash: XORed with what is shifted to the left, and to the right. A checksum
/// is shifted in one direction.
fn is_mixed(value: Expression<'_>) -> bool {
    let adds = |outer: &Expression<'_>| {
        outer.kind() == Kind::CompoundAssign && matches!(outer.operator(), binary::ADD_ASSIGN | binary::XOR_ASSIGN)
    };
    let Some((sum, function)) = value.outer().filter(adds).and_then(|outer| outer.child(0)).zip(value.function()) else {
        return false;
    };
    let mixes = |part: Expression<'_>, operator: u8| {
        let (Some(left), Some(right)) = (part.child(0), part.child(1).map(Expression::strip)) else { return false };
        let is_shift = right.kind() == Kind::Binary && right.operator() == operator;
        is_shift && (left.same(sum) || right.child(0).is_some_and(|shifted| shifted.same(sum)))
    };
    let is_xor = |part: &Expression<'_>| part.kind() == Kind::CompoundAssign && part.operator() == binary::XOR_ASSIGN;
    [binary::SHL, binary::SHR].iter().all(|operator| function.descendants().filter(is_xor).any(|part| mixes(part, *operator)))
}

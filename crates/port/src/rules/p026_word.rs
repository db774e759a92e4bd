//! A shift counts with 32 bits in a word that has 64
//!
//! # What
//! A `long`, signed or not, is rotated by `x << n | x >> (32 - n)`, gets a sign by `x << 24 >> 24`, is cut by `x << (32 - n) >> (32 - n)`, or
//! is asked for its top bit by `x >> 31` or `x & 0x80000000`. Where the upper half was cleared before, it is only possible; and where what is rotated is masked on its
//! way down, `x << n | (x & 0xffffffff) >> (32 - n)`, of which the lower half is right, unless the upper one is looked at. So is the top of what
//! a function gave: `bits_of(32) >> (32 - n)`.
//!
//! # Why
//! For 32 bits what is shifted out at the top is gone. For 64 it stays in the upper half, and comes back when the word is shifted
//! right or compared: digests, ciphers and random numbers differ, `x << 24 >> 24` is `x`.
//!
//! # Example
//! Bad:
//!
//! ```c
//! unsigned long f(unsigned long x, int n) { return x << n | x >> (32 - n); }
//! long sign(long byte) { return byte << 24 >> 24; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! uint32_t f(uint32_t x, int n) { return x << n | x >> (32 - n); }
//! unsigned long g(unsigned long x) { return (x << 5 | x >> 27) & 0xffffffff; }
//! long sign(long byte) { return (signed char)byte; }
//! ```
//!
//! # Fix
//! `uint32_t` (stdint.h) for what has 32 bits; otherwise `& 0xffffffff` after each shift to the left.
//!
//! # References
//! - CWE-1335, CWE-682

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::bits::{is_cut, shows_upper};
use crate::destination::Destination;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Binary], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    if !node.types().grows() {
        return;
    }
    let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
    let seen = match node.operator() {
        binary::OR | binary::ADD | binary::XOR => rotated(left, right).map(|is_masked| {
            // Somebody knows of the upper half, and it comes down nowhere. What comes down with its sign is no rotation for 32 bits either.
            let is_low = is_masked && !shows_upper(node) && !node.later().any(shows_upper);
            let has_sign = node.types().integer(WIDE).is_some_and(|integer| integer.signed);
            (if is_low || has_sign { Confidence::Possible } else { Confidence::Certain }, "a word is rotated by 32 bits")
        }),
        // Half of a rotation is part of that.
        binary::SHR if !node.outer().is_some_and(is_rotation) => shifted(left, right)
            .map(|(confidence, what)| (if is_inverse(node, left) { Confidence::Possible } else { confidence }, what)),
        binary::AND => top_bit(node, left, right).map(|(word, what)| {
            (if is_shifted_away(node, word) { Confidence::Probable } else { Confidence::Possible }, what)
        }),
        _ => None,
    };
    let Some((confidence, what)) = seen.filter(|_| !is_cut(node)) else { return };
    let confidence = if is_hash(node) || is_masked_before(node) { Confidence::Possible } else { confidence };
    let text = |side: usize| format!("{} bits", node.types().size(side).unwrap_or_default() * 8);
    let hit = found.report(node, confidence, format!("{what} in {}", node.types().spelling()), [text(NARROW), text(WIDE)]);
    // `w = w << s | w >> (32 - s)` in a macro begins with what the macro was given, and is the macro's.
    let counts = [left, right].into_iter().filter_map(|shift| shift.strip().child(1)).filter(|_| is_rotation(node));
    // `32 - s` is not what it was given.
    if let Some((hit, count)) = hit.zip(counts.max_by_key(|count| count.strip().kind() == Kind::Binary)) {
        hit.macro_text = hit.macro_text.take().map(|given| macro_text(count).unwrap_or(given));
    }
}

/// The file and offset of the text, where a macro has put it here.
fn macro_text(of: Expression<'_>) -> Option<(String, u32)> {
    let (file, start) = of.strip_casts().place().macro_text?;
    Some((of.unit().file(file).to_owned(), start))
}

/// Whether it is asked whether anything was lost: `x << 8 >> 8 == x`.
fn is_inverse(node: Expression<'_>, shifted: Expression<'_>) -> bool {
    let original = shifted.strip().child(0);
    let compares = |outer: &Expression<'_>| outer.kind() == Kind::Binary && matches!(outer.operator(), binary::EQ | binary::NE);
    let whole = node.outer().filter(compares);
    let sides = whole.into_iter().flat_map(|whole| [whole.child(0), whole.child(1)]).flatten();
    original.is_some_and(|original| sides.map(Expression::strip_casts).any(|side| side.same(original.strip_casts())))
}

/// Both sides of a shift in this direction, where what is shifted has 64 bits now and may use them.
fn shift(of: Expression<'_>, operator: u8) -> Option<(Expression<'_>, Expression<'_>)> {
    let of = of.strip();
    let (left, right) = (of.child(0)?, of.child(1)?);
    let is_shift = of.kind() == Kind::Binary && of.operator() == operator && left.types().grows();
    is_shift.then_some((left, right))
}

fn is_rotation(of: Expression<'_>) -> bool {
    let operands = of.child(0).zip(of.child(1)).filter(|_| of.kind() == Kind::Binary);
    operands.is_some_and(|(left, right)| rotated(left, right).is_some())
}

/// `x << n | x >> (32 - n)`, and whether the upper half is masked on its way down.
fn rotated(left: Expression<'_>, right: Expression<'_>) -> Option<bool> {
    let (up, down) = match (shift(left, binary::SHL), shift(right, binary::SHR)) {
        (Some(up), Some(down)) => (up, down),
        _ => (shift(right, binary::SHL)?, shift(left, binary::SHR)?),
    };
    let rest = |count: Expression<'_>, of: Expression<'_>| {
        let of = of.strip();
        let minus = of.kind() == Kind::Binary && of.operator() == binary::SUB;
        Some(minus && of.child(0)?.value(WIDE)? == 32 && of.child(1)?.same(count))
    };
    let constants = match (up.1.value(WIDE), down.1.value(WIDE)) {
        (Some(a), Some(b)) => a + b == 32,
        _ => false,
    };
    let down_of = down.0.strip();
    let masked = down_of.kind() == Kind::Binary && down_of.operator() == binary::AND;
    let object = if masked { down_of.child(0)? } else { down_of };
    let is_low = masked && down_of.is_between(WIDE, 0, 0xffff_ffff);
    let same = up.0.strip_casts().same(object.strip_casts());
    let rotates = constants || rest(up.1, down.1).unwrap_or_default() || rest(down.1, up.1).unwrap_or_default();
    (same && rotates).then_some(is_low)
}

/// `x << 24 >> 24`, `x >> 31`, `x >> (32 - n)`
fn shifted(value: Expression<'_>, count: Expression<'_>) -> Option<(Confidence, &'static str)> {
    let [least, most] = value.range(WIDE)?;
    let count = count.strip();
    let is_rest = count.kind() == Kind::Binary && count.operator() == binary::SUB && count.child(0)?.value(WIDE)? == 32;
    if let Some((inner, up)) = shift(value, binary::SHL) {
        let confidence = match (up.value(WIDE), count.value(WIDE)) {
            (Some(up), Some(down)) => {
                // What is shifted up is looked at again: for 32 bits the rest was gone.
                let gone =
                    inner.range(WIDE).is_some_and(|[_, most]| most.leading_zeros() >= 128 - 32 + u32::try_from(up).unwrap_or_default());
                (!gone && up == down && matches!(up, 8 | 16 | 24)).then_some(Confidence::Certain)
            }
            // `x << (32 - n) >> (32 - n)`
            _ => (is_rest && up.strip().same(count)).then_some(Confidence::Probable),
        };
        return confidence.map(|confidence| (confidence, "the upper bits are not shifted out"));
    }
    if least >= 0 && most <= 0xffff_ffff {
        return None;
    }
    let signed = value.types().integer(WIDE)?.signed;
    match count.value(WIDE) {
        // The sign of a small number is in all the upper bits.
        Some(31) if !signed => Some((Confidence::Possible, "bit 31 is asked for as the top bit")),
        Some(_) => None,
        None => {
            // A function mostly gives as many bits as it is asked for.
            let is_result = value.was_given(|given| given.strip_casts().kind() == Kind::Call);
            let confidence = if is_result { Confidence::Possible } else { Confidence::Probable };
            is_rest.then_some((confidence, "the top bits are counted from 32"))
        }
    }
}

/// `x & 0x80000000`, as a condition, and `x`.
fn top_bit<'a>(node: Expression<'_>, left: Expression<'a>, right: Expression<'a>) -> Option<(Expression<'a>, &'static str)> {
    let is_bit = |of: Expression<'_>| of.value(WIDE) == Some(1 << 31);
    let masked = if is_bit(right) { left } else { right };
    let small = masked.range(WIDE).is_some_and(|[least, most]| least >= 0 && most <= 0xffff_ffff);
    let asks = matches!(node.destination(), Destination::Tested | Destination::Compared);
    ((is_bit(left) || is_bit(right)) && !small && asks).then_some((masked, "bit 31 is asked for as the top bit"))
}

/// Whether something is done where the bit is not set, in a loop that shifts the word up until it is 0, which it is 32 steps later now:
/// `for (; x; x <<= 1) if (!(x & 0x80000000)) return 0;`.
fn is_shifted_away(node: Expression<'_>, word: Expression<'_>) -> bool {
    let is_word = |of: Expression<'_>| of.strip_casts().same(word.strip_casts());
    let is_zero = |of: Expression<'_>| of.value(WIDE) == Some(0);
    let Some(around) = node.ancestors().find(|outer| outer.is_loop()) else { return false };
    let shifts = |part: Expression<'_>| {
        part.kind() == Kind::CompoundAssign && part.operator() == binary::SHL_ASSIGN && part.child(0).is_some_and(is_word)
    };
    let asks = |part: Expression<'_>| {
        let is_condition = || part.ancestors().find(|outer| !outer.is_expression()).is_some_and(|outer| outer.is(around));
        let is_compared = || part.outer().is_some_and(|outer| outer.children().any(is_zero));
        let how = part.destination();
        is_word(part) && (how == Destination::Tested || how == Destination::Compared && is_compared()) && is_condition()
    };
    let is_negated = node.outer().is_some_and(|outer| match outer.kind() {
        Kind::Unary => outer.operator() == unary::LOGICAL_NOT,
        kind => kind == Kind::Binary && outer.operator() == binary::EQ && outer.children().any(is_zero),
    });
    let has_else = || node.outer().is_some_and(|outer| outer.kind() == Kind::If && outer.child(2).is_some());
    (is_negated || has_else()) && around.descendants().any(shifts) && around.descendants().any(asks)
}

/// Whether what is shifted has had its upper half cleared before in the function: `w &= 0xffffffff, w = w << s | w >> (32 - s)`; or that is so
/// for one of the words of which it was put together bit by bit: `w = left ^ key`.
fn is_masked_before(node: Expression<'_>) -> bool {
    let Some(function) = node.function() else { return false };
    let before = || function.descendants().take_while(|part| part.precedes(node));
    let is_word = |mask: Expression<'_>| mask.value(WIDE).is_some_and(|mask| (0..=0xffff_ffff).contains(&mask));
    let masked = before().filter_map(|part| {
        let masks = part.kind() == Kind::CompoundAssign && part.operator() == binary::AND_ASSIGN;
        part.child(0).filter(|_| masks && part.child(1).is_some_and(is_word))
    });
    let given: Vec<_> = before().filter_map(gift).collect();
    // A smaller mask may be for another purpose.
    let is_cut = |value: Expression<'_>| {
        let value = value.strip_casts();
        let masks = value.kind() == Kind::Binary && value.operator() == binary::AND;
        masks && value.children().any(|part| part.value(WIDE) == Some(0xffff_ffff))
    };
    let cleared: Vec<_> = masked.chain(given.iter().filter(|(_, value)| is_cut(*value)).map(|(word, _)| *word)).collect();
    let is_cleared = |word: Expression<'_>| cleared.iter().any(|other| is_named(*other, word));
    // How far it is shifted, or where it is in a table, says nothing of what is in it.
    let is_count = |part: Expression<'_>| {
        let counts = |outer: &Expression<'_>| {
            let is_shift = outer.kind() == Kind::Binary && matches!(outer.operator(), binary::SHL | binary::SHR);
            (is_shift || outer.kind() == Kind::Subscript) && outer.child(1).is_some_and(|count| count.contains(part))
        };
        part.ancestors().take_while(|outer| node.contains(*outer)).any(|outer| counts(&outer))
    };
    node.descendants().filter(|part| !is_count(*part)).map(Expression::strip_casts).any(|word| {
        let is_put_together = || {
            let mut values = given.iter().filter(|(kept, _)| is_named(*kept, word)).map(|(_, value)| *value);
            values.any(|value| combined(value).into_iter().any(is_cleared))
        };
        is_cleared(word) || !cleared.is_empty() && is_put_together()
    })
}

/// What is given a value here, and the value: `w = 1`, `long w = 1`.
fn gift(part: Expression<'_>) -> Option<(Expression<'_>, Expression<'_>)> {
    match part.kind() {
        Kind::Binary if part.operator() == binary::ASSIGN => part.child(0).zip(part.child(1)),
        Kind::Variable => part.children().find(|initial| initial.is_expression()).map(|initial| (part, initial)),
        _ => None,
    }
}

/// Whether `kept`, where it is declared or used, is what `word` names.
fn is_named(kept: Expression<'_>, word: Expression<'_>) -> bool {
    if kept.kind() == Kind::Variable {
        let declared = kept.declaration().zip(word.declaration());
        return word.kind() == Kind::DeclRef && declared.is_some_and(|(a, b)| std::ptr::eq(a, b));
    }
    word.same(kept)
}

/// What is combined bit by bit, as in `a ^ b`.
fn combined(value: Expression<'_>) -> Vec<Expression<'_>> {
    let value = value.strip_casts();
    let combines = value.kind() == Kind::Binary && matches!(value.operator(), binary::OR | binary::XOR);
    if combines { value.children().flat_map(combined).collect() } else { vec![value] }
}

/// Whether the function is one that hashes, by its name: its results are compared only with its own.
pub(super) fn is_hash(node: Expression<'_>) -> bool {
    node.function().and_then(Expression::declaration).is_some_and(|function| function.name.to_lowercase().contains("hash"))
}

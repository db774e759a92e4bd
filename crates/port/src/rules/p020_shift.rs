//! A bit is shifted in 32 bits and widened too late
//!
//! # What
//! `1 << n`, computed as an `int`, is used as a `long`, `size_t` or another type that has 64 bits now; or the number of bits that it is
//! shifted by is one of a `long`: `1 << (sizeof(long) * 8 - 1)`. It is only possible in a function that computes with no number which the
//! size of a word gives, as `8 * sizeof(long)`: then both sides have the same set of 32 bits.
//!
//! # Why
//! The shift is one of 32 bits, whatever the result is used for. Bit 31 extends its sign: `1 << 31` sets the upper 33 bits. Bit 32 and
//! those after it cannot be reached: for `n` of 32 and more the shift is not defined, and mostly that of `n - 32`. A bitmap in an
//! `unsigned long` has 64 bits now, and its code sets only the lower ones.
//!
//! # Example
//! Bad:
//!
//! ```c
//! void set(unsigned long *map, int n) { map[n / (8 * sizeof *map)] |= 1 << n % (8 * sizeof *map); }
//! ```
//!
//! Good:
//!
//! ```c
//! void set(unsigned long *map, int n) { map[n / (8 * sizeof *map)] |= 1UL << n % (8 * sizeof *map); }
//! void low(unsigned long *map, int n) { if (n < 16) map[0] |= 1 << n; }
//! unsigned long top(void) { return 1UL << (sizeof(long) * 8 - 1); }
//! int sign(int n) { return n >> (sizeof(int) * 8 - 1); }
//! ```
//!
//! # Fix
//! `1UL << n`, or `(size_t)1 << n`: the left side decides in which type is shifted.
//!
//! # References
//! - CWE-190, CWE-681, CWE-1335
//! - C11 6.5.7

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::fix;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit =
    Visit::Several(&[Visit::Conversion(widened_late), Visit::Node(&[Kind::Binary, Kind::CompoundAssign], too_far)]);

/// `1 << (sizeof(long) * 8 - 1)`: by as many bits as the operand has, and more, for 64 bits only.
fn too_far(node: Expression<'_>, found: &mut Found<'_>) {
    let is_shift = matches!(node.operator(), binary::SHL | binary::SHR | binary::SHL_ASSIGN | binary::SHR_ASSIGN);
    let (true, Some(shifted), Some(count)) = (is_shift, node.child(0), node.child(1)) else { return };
    let (Some(bits), Some(small), Some(large)) = (shifted.types().integers(), count.value(NARROW), count.value(WIDE)) else {
        return;
    };
    let bits = bits.map(|integer| i128::from(integer.bits.max(32)));
    if small >= bits[NARROW] || large < bits[WIDE] {
        return;
    }
    let of = shifted.types();
    let message = format!("{} is shifted by {large} bits, and has {}", of.spelling(), bits[WIDE]);
    let text = |side: usize, by: i128| format!("{} shifted by {by}", of.describe(side));
    // What the compiler does not know is an int to it.
    let confidence = if node.is_guessed() { Confidence::Possible } else { Confidence::Certain };
    if let Some(hit) = found.report(node, confidence, message, [text(NARROW, small), text(WIDE, large)]) {
        hit.edits = fix::suffix(shifted.strip());
    }
}

fn widened_late(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(inner) = widened(conversion) else { return };
    let mut shift = inner.strip();
    let inverted = shift.kind() == Kind::Unary && shift.operator() == unary::NOT;
    if inverted {
        shift = shift.only_child().map_or(shift, Expression::strip);
    }
    let operands = (shift.child(0), shift.child(1));
    let (Kind::Binary, binary::SHL, (Some(left), Some(count))) = (shift.kind(), shift.operator(), operands) else { return };
    // What is assembled of bytes is P025; what may not overflow is right.
    let Some(value) = left.value(WIDE).filter(|value| *value > 0) else { return };
    if shift.value(WIDE).is_some() || !shift.may_overflow(WIDE) {
        return;
    }
    let outer = conversion.outer();
    let is_bits = outer.is_some_and(|outer| match outer.kind() {
        Kind::Binary => matches!(outer.operator(), binary::AND | binary::OR | binary::XOR),
        Kind::CompoundAssign => outer.operator() >= binary::AND_ASSIGN,
        _ => false,
    });
    // How many bits the code itself counts with.
    let counts_words = count.is_between(WIDE, 0, 63) && !count.is_between(WIDE, 0, 31) || count.was_given(is_bit_of_word);
    let confidence = if counts_words {
        Confidence::Certain
    } else if is_bits && !inverted && counts_word(conversion) {
        Confidence::Probable
    } else {
        // The one bit of a loop over those that there are.
        Confidence::Possible
    };
    let to = conversion.types();
    let text = |side: usize| format!("a shift of {} widened to {}", inner.types().describe(side), to.describe(side));
    let message = format!("`{value} << n` is shifted in {} and then widened to {}", inner.types().spelling(), to.spelling());
    if let Some(hit) = found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]) {
        hit.edits = fix::suffix(left);
    }
}

/// Whether it is the number of a bit in a word: `n % (8 * sizeof(long))`.
fn is_bit_of_word(value: Expression<'_>) -> bool {
    let value = value.strip_casts();
    let by = value.child(1).filter(|_| value.kind() == Kind::Binary && value.operator() == binary::REM);
    by.is_some_and(|by| by.value(NARROW) == Some(32) && by.value(WIDE) == Some(64))
}

/// Whether the function computes with a number that follows from the size of a word, and with what is shifted by or into: by
/// `n / (8 * sizeof(long))`. Otherwise it knows of 32 bits, and sets no other.
fn counts_word(shift: Expression<'_>) -> bool {
    let computes = |part: &Expression<'_>| part.kind() == Kind::Binary && (binary::MUL..=binary::GE).contains(&part.operator());
    let is_word = |of: Expression<'_>| {
        of.value(NARROW).zip(of.value(WIDE)).is_some_and(|(small, large)| 16 < small && small < large && large <= 64)
    };
    let used: Vec<_> = shift.outer().into_iter().flat_map(Expression::descendants).filter_map(Expression::declaration).collect();
    let is_used = |part: Expression<'_>| part.declaration().is_some_and(|of| used.iter().any(|other| std::ptr::eq(*other, of)));
    let is_asked = |part: Expression<'_>| {
        computes(&part) && part.value(WIDE).is_none() && part.children().any(is_word) && part.descendants().any(is_used)
    };
    shift.function().is_some_and(|function| function.descendants().any(is_asked))
}

/// What has 32 bits on both sides and is converted to what has 64 now.
pub(super) fn widened(conversion: Expression<'_>) -> Option<Expression<'_>> {
    let inner = conversion.converted()?;
    let (from, to) = (inner.types().integers()?, conversion.types().integers()?);
    (from.iter().all(|integer| integer.bits == 32) && to[NARROW].bits == 32 && to[WIDE].bits == 64).then_some(inner)
}

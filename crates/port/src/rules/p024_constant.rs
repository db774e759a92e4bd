//! A constant has another value
//!
//! # What
//! A constant is converted to a wider type, and what comes out differs between 32 and 64 bits. What is kept, passed on or listed in a table
//! is mostly a mark, or bits of which the lower half is looked at, so that it is only possible; it is probable where others are compared with
//! it, and where a loop takes what has gone out of 32 bits for the highest bit.
//!
//! # Why
//! `0xffffffff` is -1 in a `long` of 32 bits, and 4294967295 in one of 64. A mask such as `~0xfffU`, an error value such as
//! `(unsigned)-1`, or a limit loses or gains its upper half.
//!
//! # Example
//! Bad:
//!
//! ```c
//! long f(void) { return 0xffffffff; }
//! unsigned long all(void) { return ~0U; }
//! ```
//!
//! Good:
//!
//! ```c
//! long f(void) { return -1L; }
//! unsigned long all(void) { return ~0UL; }
//! unsigned long mask(unsigned long x) { return x & ~7; }
//! unsigned long start(void) { return 0xffffffff; }
//! int left(int none, long end, unsigned at) { return none ? -1 : end - at; }
//! const long masks[4] = { 0, 0xff, 0xffff, 0xffffffff };
//! ```
//!
//! # Fix
//! Write the constant in the type that it is used with: `-1L`, `~0UL`, `~0xfffUL`, `SIZE_MAX`, `(size_t)-1`.
//!
//! # References
//! - CWE-681, CWE-195

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::bits::keeps_low;
use crate::blame;
use crate::fix;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Integer};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = conversion.converted() else { return };
    let to = conversion.types();
    let (Some([narrow, wide]), Some([before, after])) = (converted.types().integers(), to.integers()) else { return };
    // What grows while it is converted; what has grown before is another's.
    if narrow.bits != wide.bits || before.bits >= after.bits {
        return;
    }
    let values = [NARROW, WIDE].map(|side| conversion.value(side));
    let [Some(small), Some(large)] = values else { return };
    // What has 64 bits on both sides is cut for 32; the largest number becomes the largest one.
    let is_cut = narrow.bits > before.bits;
    if is_cut && [(small, before), (large, after)].iter().all(|(value, of)| of.fit(-1) == *value) {
        return;
    }
    if ends_the_same(conversion, [small, large]) || is_mask_of_table(conversion) || keeps_low(conversion) {
        return;
    }
    let constant = converted.strip();
    let is_shift = constant.kind() == Kind::Binary && constant.operator() == binary::SHL;
    let confidence = if small != large {
        // -1 and ~7 are the same number modulo the size on both sides, which is what is meant; `1 << 31` is not.
        // Two numbers that are not the same bits are computed of `sizeof`, on purpose.
        if !after.signed && wide.signed && !is_shift || before.fit(large) != small {
            return;
        }
        match conversion.outer().map(|outer| (outer.kind(), outer.operator())) {
            // `crc & (1 << 31)`, where what went out of 32 bits has stayed.
            Some((Kind::Binary, binary::AND)) if is_shift && is_moved_up(conversion) => Confidence::Probable,
            // The comparison is P023, the mask P022.
            Some((Kind::Binary, binary::LT..=binary::NE | binary::AND)) => return,
            // For 64 bits it is what is written.
            _ if is_cut => Confidence::Possible,
            // A limit that others stay below, and that was -1 for 32 bits.
            _ if after.signed && small < 0 && is_ordered(conversion) => Confidence::Probable,
            // What is kept is mostly a mark, or a value to begin with, and who takes it looks at its lower half.
            _ => Confidence::Possible,
        }
    } else if small == before.fit(-1) && !before.signed && is_inverted(constant) {
        // `n <= ~0U - sizeof header` is compared as well.
        let is_sum = |outer: &Expression<'_>| outer.kind() == Kind::Binary && matches!(outer.operator(), binary::ADD | binary::SUB);
        let outer = std::iter::successors(conversion.outer(), |outer| outer.outer().filter(|_| is_sum(outer))).last();
        let is_asked = |outer: Expression<'_>| matches!(outer.operator(), binary::LT..=binary::NE | binary::AND);
        if outer.is_some_and(|outer| outer.kind() == Kind::Binary && is_asked(outer)) {
            return;
        }
        // The largest number of 32 bits is that for 64 bits as well, and whoever names a type, as in `(unsigned)-1`, means it.
        Confidence::Possible
    } else {
        return;
    };
    let text = |value: i128, integer: Integer| {
        let bits = value & ((1 << integer.bits) - 1);
        format!("{value} ({bits:#x}) in {}", to.spelling())
    };
    let message = if is_cut {
        format!("this constant of {} bits is cut to {small} for 32 bits, and kept for 64, in {}", wide.bits, to.spelling())
    } else if small == large {
        format!("all bits of {} are set for 32 bits, the lower half of them for 64", to.spelling())
    } else {
        format!("this constant is {small} for 32 bits and {large} for 64")
    };
    if let Some(hit) = found.report(conversion, confidence, message, [text(small, before), text(large, after)]) {
        hit.edits = fix::constant(conversion);
        hit.because = hit.because.take().or(blame::table(conversion));
    }
}

/// Whether what is masked by it is a variable that the same loop moves to the left, and does not cut.
fn is_moved_up(mask: Expression<'_>) -> bool {
    let masked = mask.outer().and_then(|outer| outer.children().find(|part| !part.contains(mask)));
    let Some(masked) = masked.map(Expression::strip).filter(|masked| masked.kind() == Kind::DeclRef && masked.types().grows()) else {
        return false;
    };
    let around = mask.ancestors().find(|outer| outer.is_loop());
    let is_of_it = |part: &Expression<'_>| part.child(0).is_some_and(|left| left.strip_casts().same(masked));
    let is_shift = |part: Expression<'_>| {
        matches!((part.kind(), part.operator()), (Kind::CompoundAssign, binary::SHL_ASSIGN) | (Kind::Binary, binary::SHL))
    };
    let cuts = |part: Expression<'_>| {
        let is_mask = matches!((part.kind(), part.operator()), (Kind::CompoundAssign, binary::AND_ASSIGN) | (Kind::Binary, binary::AND));
        is_mask && part.child(1).and_then(|mask| mask.value(WIDE)).is_some_and(|mask| (0..=0xffff_ffff).contains(&mask))
    };
    let parts = || around.into_iter().flat_map(Expression::descendants).filter(is_of_it);
    parts().any(is_shift) && !parts().any(cuts)
}

/// Whether it is asked of the variable that keeps it if another value is larger or smaller.
fn is_ordered(conversion: Expression<'_>) -> bool {
    let Some(kept) = conversion.keeper().and_then(Expression::declaration) else { return false };
    // Whether it is negative is no question about another value.
    let is_order = |outer: Expression<'_>| {
        let is_compared = outer.kind() == Kind::Binary && (binary::LT..=binary::GE).contains(&outer.operator());
        // Beside a number without sign it is none for 32 bits either, and the same.
        let has_sign = outer.child(0).and_then(|side| side.types().integer(NARROW)).is_some_and(|of| of.signed);
        is_compared && has_sign && outer.children().all(|side| side.value(WIDE).is_none())
    };
    conversion.tree().named(kept).any(|part| part.outer().is_some_and(is_order))
}

/// Whether all bits are set by `~` or by a -1 that is converted.
fn is_inverted(constant: Expression<'_>) -> bool {
    let unsigned = constant.strip_casts();
    unsigned.kind() == Kind::Unary
        && (unsigned.operator() == unary::NOT || unsigned.operator() == unary::MINUS && unsigned.value(WIDE) == Some(-1))
}

/// Whether both sides have the same number again where it ends up: `n ? -1 : end - at` has no sign for 32 bits, until it is returned as an
/// `int`.
fn ends_the_same(conversion: Expression<'_>, [small, large]: [i128; 2]) -> bool {
    let (mut at, mut values) = (conversion, [small, large]);
    let mut is_chosen = false;
    while let Some(outer) = at.parent() {
        match outer.kind() {
            Kind::Conditional if !outer.child(0).is_some_and(|condition| condition.contains(at)) => is_chosen = true,
            Kind::Paren | Kind::Unexposed => {}
            kind if kind.is_explicit_cast() => {}
            _ => break,
        }
        let Some(integers) = outer.types().integers() else { return false };
        values = [NARROW, WIDE].map(|side| integers[side].fit(values[side]));
        at = outer;
    }
    // What prints it may take it as signed: all that printf(3) gets is bits.
    let is_same_signed = || {
        let signed = |side: usize| Some(Integer { signed: true, ..at.types().integer(side)? }.fit(values[side]));
        at.is_variadic() && at.outer().is_some_and(|outer| outer.kind() == Kind::Call) && signed(NARROW) == signed(WIDE)
    };
    is_chosen && (values[NARROW] == values[WIDE] || is_same_signed())
}

/// Whether it is one of several masks of low bits in a list: 0xff, 0xffff, 0xffffffff.
fn is_mask_of_table(conversion: Expression<'_>) -> bool {
    let Some(list) = conversion.outer().filter(|outer| outer.kind() == Kind::InitList) else { return false };
    let values: Option<Vec<i128>> = list.children().filter(|part| part.is_expression()).map(|part| part.value(WIDE)).collect();
    let is_mask = |value: &i128| *value >= 0 && value & (value + 1) == 0;
    values.is_some_and(|values| {
        values.iter().all(is_mask) && values.iter().filter(|value| (0xff..0xffff_ffff).contains(*value)).count() >= 2
    })
}

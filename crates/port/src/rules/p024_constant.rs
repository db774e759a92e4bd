//! A constant has another value
//!
//! # What
//! A constant is converted to a wider type, and what comes out differs between 32 and 64 bits. In a table of many, as that of a CRC, it is
//! only possible.
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
use crate::destination::Destination;
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
            // What it is compared with has the type to which it was made.
            _ if is_case(conversion) || is_sentinel(conversion, large) => Confidence::Possible,
            // For 64 bits it is what is written.
            _ if is_cut => Confidence::Possible,
            _ if is_shift || is_inverted(constant) => Confidence::Certain,
            // Whoever gets it mostly looks at 32 bits of it, or asks whether it is this very number.
            _ if matches!(conversion.destination(), Destination::Argument(..) | Destination::Returned) => Confidence::Possible,
            // Bits that a table says one by one, as those of a CRC, are taken for the lower half.
            _ if blame::table(conversion).is_some() => Confidence::Possible,
            _ => Confidence::Probable,
        }
    } else if small == before.fit(-1) && !before.signed && is_inverted(constant) {
        // `n <= ~0U - sizeof header` is compared as well.
        let is_sum = |outer: &Expression<'_>| outer.kind() == Kind::Binary && matches!(outer.operator(), binary::ADD | binary::SUB);
        let outer = std::iter::successors(conversion.outer(), |outer| outer.outer().filter(|_| is_sum(outer))).last();
        match outer.map(|outer| (outer.kind(), outer.operator())) {
            Some((Kind::Binary, binary::LT..=binary::NE | binary::AND)) => return,
            // Whoever names a type, as in `(unsigned)-1`, means the largest number of that.
            _ if is_of_type(constant) => Confidence::Possible,
            _ => Confidence::Probable,
        }
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
    let around = mask.ancestors().find(|outer| outer.kind().is_loop());
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

/// Whether the variable that keeps it is asked elsewhere whether it is this very number: `long at = 0xbaadf00d; … at == 0xbaadf00d`.
fn is_sentinel(conversion: Expression<'_>, value: i128) -> bool {
    // What has all bits set is also -1 to others.
    let keeper = conversion.keeper().filter(|_| value != 0xffff_ffff);
    let Some(kept) = keeper.and_then(Expression::declaration) else { return false };
    let is_it = |part: Expression<'_>| part.strip_casts().declaration().is_some_and(|of| std::ptr::eq(of, kept));
    let is_same = |part: Expression<'_>| part.strip_casts().value(WIDE) == Some(value);
    conversion.tree().nodes().any(|node| {
        let asks = node.kind() == Kind::Binary && matches!(node.operator(), binary::EQ | binary::NE);
        let sides = node.child(0).zip(node.child(1)).filter(|_| asks);
        sides.is_some_and(|(a, b)| is_it(a) && is_same(b) || is_it(b) && is_same(a))
    })
}

/// Whether it is the constant of a `case`.
fn is_case(conversion: Expression<'_>) -> bool {
    let mut outer = conversion.ancestors().skip_while(|outer| outer.kind() != Kind::Case && outer.is_expression());
    outer.next().is_some_and(|outer| outer.kind() == Kind::Case && outer.child(0).is_some_and(|label| label.contains(conversion)))
}

/// Whether all bits are set by `~` or by a -1 that is converted.
fn is_inverted(constant: Expression<'_>) -> bool {
    let unsigned = constant.strip_casts();
    unsigned.kind() == Kind::Unary
        && (unsigned.operator() == unary::NOT || unsigned.operator() == unary::MINUS && unsigned.value(WIDE) == Some(-1))
}

/// Whether it is a cast, or a part of what that gives.
fn is_of_type(constant: Expression<'_>) -> bool {
    let is_quotient = constant.kind() == Kind::Binary && constant.operator() == binary::DIV;
    let number = if is_quotient { constant.child(0).map_or(constant, Expression::strip) } else { constant };
    number.kind().is_explicit_cast()
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

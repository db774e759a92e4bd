//! A checksum or random number relies on 32 bits
//!
//! # What
//! An `unsigned long` is multiplied or shifted to the left again and again, as in a checksum, a hash or a random number, nothing cuts it to
//! 32 bits, and its upper bits are used: it is certain where what is shifted right is an index, probable where it is printed, and possible
//! where it is divided, returned or mixed. Again and again is in a loop, or each time that a function is called, where the number is static
//! or global.
//!
//! # Why
//! For 32 bits what is above bit 31 is lost at each step, and that is part of the algorithm. For 64 bits it stays, and comes down
//! with the next shift to the right: `table[crc >> 24]` reads far behind the table, hashes in files are not found again, sequences
//! of random numbers differ from those of other machines.
//!
//! # Example
//! Bad:
//!
//! ```c
//! extern const unsigned long table[256];
//! unsigned long f(const unsigned char *p, int n)
//! {
//!     unsigned long crc = 0;
//!     while (n--)
//!         crc = (crc << 8) ^ table[(crc >> 24) ^ *p++];
//!     return crc;
//! }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! extern const uint32_t table[256];
//! uint32_t f(const unsigned char *p, int n)
//! {
//!     uint32_t crc = 0;
//!     while (n--)
//!         crc = (crc << 8) ^ table[(crc >> 24) ^ *p++];
//!     return crc;
//! }
//! unsigned long g(const unsigned char *p, int n)
//! {
//!     unsigned long hash = 5381;
//!     while (n--)
//!         hash = (hash * 33 + *p++) & 0xffffffff;
//!     return hash;
//! }
//! long number(const char *p)
//! {
//!     long n = 0;
//!     while (*p)
//!         n = n * 10 + (*p++ - '0');
//!     return n;
//! }
//! ```
//!
//! # Fix
//! `uint32_t` (stdint.h) for the variable and all that it is computed with, or `& 0xffffffff` at each step.
//!
//! # References
//! - CWE-682, CWE-125

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Binary, Kind::CompoundAssign], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some((variable, mixes)) = step(node) else { return };
    let Some(function) = node.function() else { return };
    let is_static =
        variable.declaration().is_some_and(|of| of.kind == Kind::Variable && (of.is_static || !function.declares(of)));
    // `x ^= x << 13, x ^= x >> 17, x ^= x << 5` is one step.
    let is_xor = |part: Expression<'_>| part.kind() == Kind::CompoundAssign && part.operator() == binary::XOR_ASSIGN;
    let goes_on = |part: Expression<'_>| is_xor(part) && step(part).is_some_and(|(other, _)| other.same(variable));
    if is_xor(node) && function.descendants().take_while(|part| part.precedes(node)).any(goes_on) {
        return;
    }
    let is_repeated = node.ancestors().take_while(|outer| outer.kind() != Kind::Function).any(|outer| outer.is_loop());
    if !(is_repeated || is_static && mixes) {
        return;
    }
    let uses = || function.descendants().filter(|part| part.same(variable) && part.kind() == variable.kind());
    // Who asks how large it is knows it. Whatever cuts it anywhere in the function was put there for that; but what it is shifted down to in
    // the loop is too large before it is cut behind that.
    let around = node.ancestors().take_while(|outer| outer.kind() != Kind::Function).find(|outer| outer.is_loop());
    let is_in_loop = |of: Expression<'_>| around.is_none_or(|around| around.contains(of));
    let is_measured = |of: Expression<'_>| of.outer().is_some_and(|outer| outer.kind() == Kind::SizeOf);
    let is_late = uses().filter(|of| is_masked(*of)).all(|of| !is_in_loop(of) && node.precedes(of));
    let comes_down = || uses().any(|of| is_in_loop(of) && down(of).is_some());
    if uses().any(|of| is_measured(of) || is_masked(of)) && !(is_late && comes_down() && !uses().any(is_measured)) {
        return;
    }
    let (index, back) = (uses().any(|of| down(of).is_some_and(is_index)), uses().any(|of| down(of).is_some()));
    let divided = uses().any(|of| operation(of, binary::REM) || operation(of, binary::DIV));
    let returned = uses().any(|of| matches!(of.destination(), crate::destination::Destination::Returned));
    let printed = mixes && uses().any(is_printed);
    // Most is a hash in memory, or a random number, for which any will do.
    let confidence = match () {
        () if index => Confidence::Certain,
        () if printed => Confidence::Probable,
        () => Confidence::Possible,
    };
    let what = if index {
        "what is shifted down is an index"
    } else if printed {
        "another number is printed"
    } else if super::p026_word::is_hash(node) || back && variable.types().integer(WIDE).is_some_and(|integer| integer.signed) {
        "another hash comes out"
    } else if back {
        "the upper bits come down again"
    } else if uses().any(takes_top) {
        "bits up to 31 are taken for the highest"
    } else if divided {
        "the upper bits count in the remainder"
    } else if returned && mixes {
        "the upper bits are returned"
    } else {
        return;
    };
    let types = variable.types();
    let text = |side: usize| format!("modulo 2 to the {} in {}", types.size(side).unwrap_or_default() * 8, types.describe(side));
    let name = variable.declaration().map_or("", |of| of.name.as_str());
    found.report(node, confidence, format!("`{name}` keeps what 32 bits would drop: {what}"), [text(NARROW), text(WIDE)]);
}

/// The variable that is computed of itself, without an end of its growth; and whether it is mixed as only a hash is.
fn step(node: Expression<'_>) -> Option<(Expression<'_>, bool)> {
    let (left, right) = (node.child(0)?, node.child(1)?);
    let variable = left.strip();
    if !variable.types().grows() || !matches!(variable.kind(), Kind::DeclRef | Kind::Member) {
        return None;
    }
    let grows = |factor: Expression<'_>, operator: u8| {
        let value = factor.value(WIDE)?;
        let hash = match operator {
            // 10, 8, 16 and 60 are those of numbers and times as people write them.
            binary::MUL => value >= 31 && value % 2 == 1 || value > 0xffff,
            _ => matches!(value, 4 | 5 | 6 | 7 | 8 | 13 | 17),
        };
        hash.then_some(value)
    };
    match (node.kind(), node.operator()) {
        (Kind::CompoundAssign, binary::MUL_ASSIGN) => grows(right, binary::MUL).map(|_| (variable, true)),
        (Kind::CompoundAssign, binary::ADD_ASSIGN | binary::OR_ASSIGN | binary::XOR_ASSIGN) | (Kind::Binary, binary::ASSIGN) => {
            let parts = std::iter::once(right).chain(right.descendants()).filter(|part| part.kind() == Kind::Binary);
            let mut shifted = parts.filter(|part| [binary::MUL, binary::SHL].contains(&part.operator())).filter_map(|part| {
                let (a, b) = (part.child(0)?, part.child(1)?);
                let is_own = |of: Expression<'_>| of.strip_casts().same(variable);
                let factor = if is_own(a) {
                    b
                } else if is_own(b) && part.operator() == binary::MUL {
                    a
                } else {
                    return None;
                };
                // What is masked at once is right.
                let cut = part.ancestors().take_while(|outer| node.contains(*outer)).any(crate::bits::is_cut);
                grows(factor, part.operator())
                    .filter(|_| !cut)
                    .map(|value| part.operator() == binary::MUL || value != 8 && value != 4)
            });
            shifted.next().map(|mixes| (variable, mixes))
        }
        _ => None,
    }
}

/// The shift to the right of this, where nothing masks it.
fn down(variable: Expression<'_>) -> Option<Expression<'_>> {
    let shift = variable.outer().filter(|outer| outer.kind() == Kind::Binary && outer.operator() == binary::SHR)?;
    let is_left = shift.child(0).is_some_and(|left| left.contains(variable));
    (is_left && !crate::bits::is_cut(shift)).then_some(shift)
}

/// Whether it is, or is part of, an index that nothing masks.
fn is_index(part: Expression<'_>) -> bool {
    let mut inner = part;
    for outer in part.ancestors() {
        match outer.kind() {
            Kind::Subscript => return outer.child(1).is_some_and(|index| index.contains(inner)),
            Kind::Binary if matches!(outer.operator(), binary::XOR | binary::ADD | binary::OR) => {}
            Kind::Paren | Kind::Unexposed => {}
            _ => return false,
        }
        if crate::bits::is_cut(outer) {
            return false;
        }
        inner = outer;
    }
    false
}

/// Whether it, or what is left of it when it is divided, is given to printf(3).
fn is_printed(variable: Expression<'_>) -> bool {
    let is_part = |outer: &Expression<'_>| {
        outer.is_wrapping() || outer.kind() == Kind::Binary && matches!(outer.operator(), binary::REM | binary::ADD | binary::SUB)
    };
    let whole = variable.ancestors().take_while(is_part).last().unwrap_or(variable);
    let call = whole.outer().filter(|outer| outer.kind() == Kind::Call && whole.is_variadic());
    call.and_then(Expression::call).is_some_and(|(name, _)| name.contains("printf"))
}

fn operation(variable: Expression<'_>, operator: u8) -> bool {
    let is_left = |outer: Expression<'_>| outer.child(0).is_some_and(|left| left.contains(variable));
    variable.outer().is_some_and(|outer| outer.kind() == Kind::Binary && outer.operator() == operator && is_left(outer))
}

/// `x & 0xf0000000`
fn takes_top(variable: Expression<'_>) -> bool {
    let Some(outer) = variable.outer() else { return false };
    let top = |part: Expression<'_>| part.value(WIDE).is_some_and(|mask| mask > 0x7fff_ffff && mask <= 0xffff_ffff);
    outer.kind() == Kind::Binary && outer.operator() == binary::AND && outer.children().any(top)
}

/// `x & 0xffffffff`, `x &= 0xffffffff`, `x % 0x10000`, `(uint32_t)x`
fn is_masked(variable: Expression<'_>) -> bool {
    let Some(outer) = variable.outer() else { return false };
    let small = |part: Expression<'_>| {
        let low = |mask: i128| (0x00ff_ffff..=0xffff_ffff).contains(&mask) && mask & (mask + 1) == 0;
        part.value(WIDE).is_some_and(low)
    };
    match outer.kind() {
        Kind::Binary if outer.operator() == binary::AND => outer.children().any(small),
        Kind::CompoundAssign if outer.operator() == binary::AND_ASSIGN => outer.children().any(small),
        _ => false,
    }
}

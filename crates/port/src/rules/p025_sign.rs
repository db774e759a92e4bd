//! A number assembled of bytes gets a sign
//!
//! # What
//! `bytes[3] << 24 | …` is computed as an `int` and kept in an `unsigned long` or `size_t`.
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
//! ```
//!
//! # Fix
//! Convert the byte before it is shifted: `(uint32_t)bytes[3] << 24`; or read it by le32toh(3).
//!
//! # References
//! - CWE-194, CWE-681

use super::p020_shift::widened;
use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(inner) = widened(conversion) else { return };
    let signs = inner.types().integer(WIDE).is_some_and(|integer| integer.signed);
    let unsigned = conversion.types().integer(WIDE).is_some_and(|integer| !integer.signed);
    let Some(top) = top(inner).filter(|_| signs && unsigned && inner.value(WIDE).is_none()) else { return };
    // Only the lower half is looked at.
    let masked = conversion.outer().is_some_and(|outer| {
        let masks = outer.kind() == Kind::Binary && outer.operator() == binary::AND;
        masks && outer.children().any(|part| part.value(WIDE).is_some_and(|mask| (0..=0xffff_ffff).contains(&mask)))
    });
    if masked {
        return;
    }
    let to = conversion.types();
    let text = |side: usize| {
        let value = if side == NARROW { "0x80000000" } else { "0xffffffff80000000" };
        format!("0x80000000 becomes {value} in {}", to.describe(side))
    };
    let by = top.child(1).and_then(|count| count.value(WIDE)).unwrap_or_default();
    let message = format!("`<< {by}` sets the sign of an int, which is extended in {}", to.spelling());
    found.report(conversion, Confidence::Certain, message, [text(NARROW), text(WIDE)]);
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

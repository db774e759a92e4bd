//! A comparison is never true any more
//!
//! # What
//! A number is compared with a constant that it can have for 32 bits and cannot have for 64, or the other way round: a `long` with
//! `0xffffffff` or `0x80000000`, an `unsigned` with -1 of 64 bits.
//!
//! # Why
//! For 32 bits -1 and `0xffffffff` are the same bits. For 64 bits a `long` of -1 has 64 of them, and `0xffffffff` is 4294967295; an
//! `unsigned` is widened with zeros and is never `(size_t)-1`. The error that is asked for is not seen any more.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stddef.h>
//! int f(long result) { return result == 0xffffffff; }
//! int g(unsigned length) { return length == (size_t)-1; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stddef.h>
//! #include <stdint.h>
//! int f(long result) { return result == -1; }
//! int g(unsigned length) { return length == (unsigned)-1; }
//! int h(uint32_t crc, unsigned long sum) { return crc == 0xffffffff || sum > 0xffffffff; }
//! ```
//!
//! # Fix
//! Compare with a constant of the same type: `-1L`, `(size_t)-1`, `UINT_MAX`.
//!
//! # References
//! - CWE-195, CWE-570, CWE-571

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    if node.kind() != Kind::Binary || !(binary::LT..=binary::NE).contains(&node.operator()) {
        return;
    }
    let equality = matches!(node.operator(), binary::EQ | binary::NE);
    let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
    for (compared, constant) in [(left, right), (right, left)] {
        let [Some(small), Some(large)] = [NARROW, WIDE].map(|side| constant.value(side)) else { continue };
        if compared.value(WIDE).is_some() {
            continue;
        }
        let value = compared.strip();
        let (Some(of), Some(as_)) = (value.types().integers(), compared.types().integers()) else { continue };
        let widened = of.iter().all(|integer| integer.bits == 32) && as_[WIDE].bits == 64 && as_[NARROW].bits == 32;
        let unsigned_constant = (1 << 31..=0xffff_ffff).contains(&large);
        let found_here = if widened && equality && !of[WIDE].signed && as_[WIDE].fit(large) == as_[WIDE].fit(-1) {
            // An unsigned number of 32 bits, and -1 of 64.
            Some((Confidence::Certain, "it is never equal"))
        } else if widened && equality && of[WIDE].signed && unsigned_constant {
            Some((Confidence::Certain, "it is never equal"))
        } else if of[NARROW].bits == 32 && of[WIDE].bits == 64 && unsigned_constant && equality {
            grown(value, large)
        } else {
            None
        };
        let Some((confidence, what)) = found_here else { continue };
        let text = |side: usize, constant: i128| format!("{} compared with {constant}", value.types().describe(side));
        let message = format!("{} is compared with {large:#x}: {what} for 64 bits", value.types().spelling());
        let shown = as_[NARROW].fit(small);
        let shown = if of[NARROW].signed { of[NARROW].fit(shown) } else { shown };
        found.report(node, confidence, message, [text(NARROW, shown), text(WIDE, large)]);
        return;
    }
}

/// A number that has 64 bits now, compared with a constant of 32.
fn grown(value: Expression<'_>, constant: i128) -> Option<(Confidence, &'static str)> {
    let [least, most] = value.range(WIDE)?;
    // A field of a file, or a mask, is what it was.
    if most <= 0xffff_ffff {
        return (least < 0 && constant > most).then_some((Confidence::Certain, "it is never equal"));
    }
    let signed = value.types().integer(WIDE)?.signed;
    match value.origin() {
        Origin::Address => Some((Confidence::Certain, "an address is something else")),
        Origin::Offset | Origin::Size | Origin::Transferred | Origin::Distance | Origin::Time if constant == 0xffff_ffff => {
            Some((Confidence::Certain, "-1 has 64 bits, and is not equal"))
        }
        // Other numbers than these are checksums and marks.
        _ if signed && becomes_negative(value) => Some((Confidence::Probable, "a negative number is not equal")),
        _ if signed => Some((Confidence::Possible, "a negative number is not equal")),
        _ => (constant == 0xffff_ffff).then_some((Confidence::Possible, "-1 has 64 bits, and is not equal")),
    }
}

/// Whether the file gives it a negative constant somewhere.
fn becomes_negative(value: Expression<'_>) -> bool {
    let Some(declaration) = value.declaration() else { return false };
    value.tree().nodes().any(|node| {
        let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return false };
        let gives = node.kind() == Kind::Binary && node.operator() == binary::ASSIGN;
        gives
            && right.value(WIDE).is_some_and(|value| value < 0)
            && left.strip().declaration().is_some_and(|of| std::ptr::eq(of, declaration))
    })
}

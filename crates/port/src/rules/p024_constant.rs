//! A constant has another value
//!
//! # What
//! A constant is converted to a wider type, and what comes out differs between 32 and 64 bits.
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
//! ```
//!
//! Good:
//!
//! ```c
//! long f(void) { return -1L; }
//! ```
//!
//! # Fix
//! Write the constant in the type that it is used with: `-1L`, `~0UL`, `~0xfffUL`, `SIZE_MAX`, `(size_t)-1`.
//!
//! # References
//! - CWE-681, CWE-195

use super::{Found, Visit};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
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
    if small == large {
        return;
    }
    // -1 becomes ULONG_MAX on both sides, which is what is meant.
    if !after.signed && before.fit(large) == small && large == after.fit(-1) {
        return;
    }
    let text = |value: i128, integer: crate::tree::Integer| {
        let bits = value & ((1 << integer.bits) - 1);
        format!("{value} ({bits:#x}) in {}", to.spelling())
    };
    let message = format!("this constant is {small} for 32 bits and {large} for 64");
    if let Some(hit) = found.add(conversion, message, [text(small, before), text(large, after)]) {
        hit.confidence = Confidence::Certain;
    }
}

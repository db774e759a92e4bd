//! A number that becomes 64 bits wide is kept in 32
//!
//! # What
//! A `long`, `size_t`, `ptrdiff_t`, `time_t` or `off_t` is converted to a type that has as many bits on 32-bit systems and fewer on
//! 64-bit ones.
//!
//! # Why
//! On 32-bit systems nothing is lost. On 64-bit ones the value may need more than 32 bits: the size of an object of more than
//! 4 GiB, the difference of two pointers, a time after 2038, an offset in a large file. The upper half is dropped without a word.
//!
//! # Example
//! Bad:
//!
//! ```c
//! extern long position(void);
//! int f(void) { int at = position(); return at; }
//! ```
//!
//! Good:
//!
//! ```c
//! extern long position(void);
//! long f(void) { long at = position(); return at; }
//! ```
//!
//! # Fix
//! Use the same type on the whole way of the value. Where it is known to be small, say so with a cast and a check.
//!
//! # References
//! - CWE-197, CWE-681

use super::{Found, Visit};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = conversion.converted() else { return };
    let (from, to) = (converted.types(), conversion.types());
    let (Some(from_integers), Some(to_integers)) = (from.integers(), to.integers()) else { return };
    let kept = [NARROW, WIDE].map(|side| to_integers[side].bits >= from_integers[side].bits);
    if kept != [true, false] || converted.value(WIDE).is_some() {
        return;
    }
    let text = |side: usize| format!("{} from {}", to.describe(side), from.describe(side));
    let message = format!("{} is cut to {}", from.spelling(), to.spelling());
    if let Some(hit) = found.add(conversion, message, [text(NARROW), text(WIDE)]) {
        hit.confidence = if from.has_typedef(&["time_t", "off_t", "ptrdiff_t"]) { Confidence::Probable } else { Confidence::Possible };
    }
}

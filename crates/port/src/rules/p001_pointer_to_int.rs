//! A pointer is kept in an integer that is too small for it
//!
//! # What
//! A pointer is converted to an integer type of 4 bytes, by a cast or without one.
//!
//! # Why
//! On 32-bit systems an `int` or `long` holds a pointer. Where pointers have 8 bytes, an `int` keeps the lower half: whoever makes a
//! pointer of it again reads or writes somewhere else, or is killed by SIGSEGV. It works as long as the pointer happens to be
//! below 4 GiB, as with some allocators at the start of a program.
//!
//! # Example
//! Bad:
//!
//! ```c
//! extern int key(int);
//! int f(char *p) { return key((int)p); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! extern int key(uintptr_t);
//! int f(char *p) { return key((uintptr_t)p); }
//! ```
//!
//! # Fix
//! Keep it in `intptr_t` or `uintptr_t` (stdint.h), and change the type of all that it goes through: variables, fields,
//! parameters. Where only the lowest bits are looked at, as for alignment, `(int)(uintptr_t)p` says so.
//!
//! # References
//! - CWE-466, CWE-704
//! - C11 6.3.2.3 paragraph 6

use super::{Found, Visit};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = conversion.converted() else { return };
    let from = converted.types();
    let (Some([narrow, wide]), true) = (conversion.types().integers(), from.is_pointer()) else { return };
    // What is too small for both sides, as a char, was a decision.
    if wide.bits >= 64 || narrow.bits < 32 || conversion.value(WIDE).is_some() {
        return;
    }
    let text = |side: usize| format!("{} in {}", from.describe(side), conversion.types().describe(side));
    let message = format!("a pointer is cut to {}: its upper 32 bits are lost", conversion.types().spelling());
    let masked = conversion.outer().is_some_and(|outer| {
        outer.kind() == crate::ast::kind::Kind::Binary
            && outer.operator() == crate::ast::kind::binary::AND
            && outer.children().any(|side| side.value(WIDE).is_some_and(|mask| (0..4096).contains(&mask)))
    });
    if let Some(hit) = found.add(conversion, message, [text(NARROW), text(WIDE)]) {
        hit.confidence = if masked { Confidence::Possible } else { Confidence::Certain };
    }
}

//! A pointer is made of an integer that is too small for one
//!
//! # What
//! An integer of 4 bytes that is no constant is converted to a pointer, by a cast or without one.
//!
//! # Why
//! The upper half of the pointer is zero, or the sign of the integer. If the integer was a pointer before, it is not the same one.
//! If it is a number that travels through a `void *`, nothing is lost.
//!
//! # Example
//! Bad:
//!
//! ```c
//! char *f(int handle) { return (char *)handle; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! char *f(intptr_t handle) { return (char *)handle; }
//! ```
//!
//! # Fix
//! Follow the integer back to where it comes from, and make it `intptr_t` on the whole way. A number that is only carried by a
//! pointer is written `(void *)(intptr_t)number`, which says so.
//!
//! # References
//! - CWE-587, CWE-704
//! - C11 6.3.2.3 paragraph 5

use super::{Found, Visit};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = conversion.converted() else { return };
    let (Some([narrow, wide]), true) = (converted.types().integers(), conversion.types().is_pointer()) else { return };
    if wide.bits >= 64 || narrow.bits < 32 || converted.value(WIDE).is_some() {
        return;
    }
    let how = if wide.signed { "its sign" } else { "zero" };
    let text = |side: usize| format!("{} made of {}", conversion.types().describe(side), converted.types().describe(side));
    let message = format!("a pointer is made of {}: its upper 32 bits are {how}", converted.types().spelling());
    // A number may well be carried by a `void *`; anything else is meant to be followed.
    let carried = conversion.types().inner().is_some_and(|inner| inner.is(crate::ast::kind::TypeKind::Void));
    if let Some(hit) = found.add(conversion, message, [text(NARROW), text(WIDE)]) {
        hit.confidence = if carried { Confidence::Possible } else { Confidence::Probable };
    }
}

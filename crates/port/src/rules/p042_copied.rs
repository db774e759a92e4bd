//! More is copied than the object has, or less
//!
//! # What
//! memcpy(3), memset(3), read(2) and others of that kind get a size that fits the object for 32 bits and not for 64:
//! `memcpy(&word, &number, sizeof number)` with a `uint32_t word` and a `long number`. It is only possible for the address in a
//! `struct sockaddr_in`, which has unused bytes behind it; a `struct in_addr` that stands alone has none.
//!
//! # Why
//! For 64 bits what is behind the object is read or written over; or its upper half stays as it was.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdint.h>
//! #include <string.h>
//! uint32_t f(long number) { uint32_t word; memcpy(&word, &number, sizeof number); return word; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! #include <string.h>
//! uint32_t f(int32_t number) { uint32_t word; memcpy(&word, &number, sizeof word); return word; }
//! void g(char *to, long number) { memcpy(to, &number, sizeof number); }
//! ```
//!
//! # Fix
//! Assign instead of copying: `word = (uint32_t)number`. Where bytes are copied, both sides have a type of a fixed width.
//!
//! # References
//! - CWE-787, CWE-125, CWE-805

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind};
use crate::bits::keeps_low_after;
use crate::blocks::{Use, blocks};
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call], look);

fn look(call: Expression<'_>, found: &mut Found<'_>) {
    let blocks = blocks(call);
    for block in &blocks {
        let Some((object, has)) = block.object.and_then(|object| Some((object, object.types().sizes()?))) else { continue };
        let (Some(small), Some(large)) = (block.bytes(NARROW), block.bytes(WIDE)) else { continue };
        let has = has.map(i128::from);
        let (verb, confidence) = if small <= has[NARROW] && large > has[WIDE] {
            let verb = if block.done == Use::Written { "written over" } else { "read behind" };
            // Of a `long double` with 12 bytes or 16 ten are used.
            let is_padding = block.done != Use::Written && blocks.iter().any(|other| other.of.is(TypeKind::LongDouble) && small == 12);
            (verb, if is_padding || is_padded(object, large) { Confidence::Possible } else { Confidence::Certain })
        } else if small == has[NARROW]
            && large < has[WIDE]
            && blocks.len() == 2
            && block.done == Use::Written
            && block.has_sizeof()
        {
            // A number of which the lower half is copied; P040 and P041 speak of what has one object.
            if object.types().integers().is_none() && !object.types().is_pointer() {
                continue;
            }
            let is_low = keeps_low_after(call, object);
            ("written in its lower half only", if is_low { Confidence::Possible } else { Confidence::Probable })
        } else {
            continue;
        };
        let what = object.types().spelling();
        let text = |side: usize, bytes: i128| format!("{bytes} bytes, {what} has {}", has[side]);
        let message = format!("{what} is {verb}: {large} bytes of {}", has[WIDE]);
        found.report(call, confidence, message, [text(NARROW, small), text(WIDE, large)]);
        return;
    }
}

/// Whether it is the address in a `struct sockaddr_in`, and no more is written over than the eight bytes behind it, at which nobody looks.
fn is_padded(object: Expression<'_>, bytes: i128) -> bool {
    let is_address = |part: Expression<'_>| {
        let field = part.declaration().filter(|of| part.kind() == Kind::Member && of.name == "sin_addr");
        field.is_some_and(|field| part.unit().declaration(field.parent).name == "sockaddr_in")
    };
    // The only member of the address is as large as it.
    let inner = object.only_child().map(Expression::strip).filter(|_| object.kind() == Kind::Member);
    bytes <= 4 + 8 && (is_address(object) || inner.is_some_and(is_address))
}

//! A product is computed in 32 bits and widened too late
//!
//! # What
//! Two numbers of 32 bits are multiplied, and the result is the size of memory, the position in a file or an index of 64 bits.
//!
//! # Why
//! The product is one of 32 bits, whatever takes it. On 32-bit systems there was no memory for more. Data that only a 64-bit program can
//! hold overflow it: a negative product becomes an enormous size, an unsigned one a small size for much data.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdlib.h>
//! char *f(int rows, int columns) { return malloc(rows * columns); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdlib.h>
//! char *f(int rows, int columns) { return malloc((size_t)rows * columns); }
//! char *g(unsigned char rows, short columns) { return malloc(rows * columns); }
//! ```
//!
//! # Fix
//! Convert one of the factors: `(size_t)rows * columns`; calloc(3) checks as well.
//!
//! # References
//! - CWE-190, CWE-131

use super::p020_shift::widened;
use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::destination::Destination;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(inner) = widened(conversion) else { return };
    let product = inner.strip();
    if product.kind() != Kind::Binary || product.operator() != binary::MUL || !product.may_overflow(WIDE) {
        return;
    }
    let Destination::Argument(function, _) = conversion.destination() else { return };
    let seeks = ["lseek", "fseek", "fseeko", "ftruncate", "pread", "pwrite"].contains(&function);
    if !seeks && !function.contains("alloc") {
        return;
    }
    let to = conversion.types();
    let text = |side: usize| format!("a product of {} widened to {}", inner.types().describe(side), to.describe(side));
    let message = format!("a product of {} is widened to {} for {function} when it has overflowed", inner.types().spelling(), to.spelling());
    // It overflows for 32 bits as well: what is new are data that are so large.
    found.report(conversion, Confidence::Possible, message, [text(NARROW), text(WIDE)]);
}

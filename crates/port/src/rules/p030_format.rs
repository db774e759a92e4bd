//! A format does not fit its argument any more
//!
//! # What
//! The format of printf(3), scanf(3) or a function like them is right for 32 bits and wrong for 64: `%d` for a `long`, `%u` for a
//! `size_t`.
//!
//! # Why
//! printf prints half of the value, or takes the next arguments from the wrong places. scanf writes half of a variable, or over
//! what is behind it.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdio.h>
//! #include <string.h>
//! void f(const char *s) { printf("%u\n", strlen(s)); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdio.h>
//! #include <string.h>
//! void f(const char *s) { printf("%zu\n", strlen(s)); }
//! ```
//!
//! # Fix
//! `%zu` for `size_t`, `%zd` for `ssize_t`, `%td` for `ptrdiff_t`, `%ld` for `long`; `PRId64` and its relatives (inttypes.h) for
//! types of a fixed width; `%jd` with a cast to `intmax_t` for `time_t` and `off_t`.
//!
//! # References
//! - CWE-686
//! - man 3 printf, man 3 scanf, man 0p inttypes.h

use super::{Found, Visit};
use crate::ast::Diagnostic;
use crate::pair::WIDE;
use crate::tree::Tree;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Diagnostic(look);

fn look(tree: &Tree<'_>, diagnostic: &Diagnostic, found: &mut Found<'_>) {
    if !diagnostic.option.starts_with("-Wformat") {
        return;
    }
    let sides = ["it fits".to_owned(), diagnostic.text.clone()];
    if let Some(hit) = found.add_at(tree.units[WIDE], diagnostic.place, diagnostic.text.clone(), sides) {
        hit.confidence = Confidence::Certain;
    }
}

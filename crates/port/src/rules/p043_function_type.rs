//! A function is called as one with other widths
//!
//! # What
//! A pointer to a function is converted to one whose parameters or result are as wide for 32 bits and not for 64: `int` for a pointer or
//! a `long`. It is only possible for an argument where the number of arguments differs as well: that was wrong before.
//!
//! # Why
//! Nothing is converted when the function is called. It reads 8 bytes of an argument of which 4 were written; whoever calls it takes 8 bytes
//! of a result of 4. For 32 bits both were the same.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <pthread.h>
//! static int work(void *with) { return with != 0; }
//! int f(pthread_t *t) { return pthread_create(t, 0, (void *(*)(void *))work, 0); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <pthread.h>
//! #include <stdlib.h>
//! static void *work(int *with) { return with; }
//! int f(pthread_t *t) { return pthread_create(t, 0, (void *(*)(void *))work, 0); }
//! static int order(const char **a, const char **b) { return **a - **b; }
//! void g(char **p, int n) { qsort(p, n, sizeof *p, (int (*)(const void *, const void *))order); }
//! ```
//!
//! # Fix
//! Give the function the type with which it is called, and convert inside: `return (void *)(intptr_t)result`.
//!
//! # References
//! - CWE-686, CWE-843
//! - C11 6.3.2.3 paragraph 8

use super::{Found, Visit};
use crate::ast::kind::TypeKind;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let (Some(is), Some(called)) = (conversion.converted().and_then(function), function(conversion)) else { return };
    if is.ids == called.ids {
        return;
    }
    if let Some((was, becomes)) = is.inner().zip(called.inner()).filter(|both| differ(*both)) {
        let message = format!("a function that returns {} is called as one that returns {}", was.spelling(), becomes.spelling());
        // The lower half of a number is the number, as of what write(2) returns.
        let is_lower = was.integers().is_some() && becomes.size(WIDE) < was.size(WIDE);
        let confidence = if is_lower { Confidence::Possible } else { Confidence::Probable };
        found.report(conversion, confidence, message, [text(was, becomes, NARROW), text(was, becomes, WIDE)]);
        return;
    }
    for (at, both) in is.arguments().zip(called.arguments()).enumerate() {
        if differ(both) {
            let (wants, gets) = both;
            // Who reads 4 bytes of 8 gets the lower half; and in a register the upper half of a number without a sign is zero.
            let is_zero = gets.integer(WIDE).is_some_and(|integer| !integer.signed);
            // With another number of arguments it was in the wrong place before.
            let is_fit = is.arguments().count() == called.arguments().count();
            let reads_more = gets.size(WIDE) < wants.size(WIDE) && !is_zero;
            let confidence = if reads_more && is_fit { Confidence::Probable } else { Confidence::Possible };
            let message =
                format!("a function whose argument {} is {} is called with {}", at + 1, wants.spelling(), gets.spelling());
            found.report(conversion, confidence, message, [text(wants, gets, NARROW), text(wants, gets, WIDE)]);
            return;
        }
    }
}

/// The function that it is, or is a pointer to.
fn function(of: Expression<'_>) -> Option<Types<'_>> {
    let types = of.types();
    let function = if types.is_pointer() { types.inner()? } else { types };
    (function.is(TypeKind::Function) || function.is(TypeKind::FunctionNoPrototype)).then_some(function)
}

fn text(is: Types<'_>, called: Types<'_>, side: usize) -> String {
    format!("{} called as {}", is.describe(side), called.describe(side))
}

fn differ((is, called): (Types<'_>, Types<'_>)) -> bool {
    let (Some(is_sizes), Some(called_sizes)) = (is.sizes(), called.sizes()) else { return false };
    let scalar = |types: Types<'_>| types.integers().is_some() || types.is_pointer();
    scalar(is) && scalar(called) && is_sizes[NARROW] == called_sizes[NARROW] && is_sizes[WIDE] != called_sizes[WIDE]
}

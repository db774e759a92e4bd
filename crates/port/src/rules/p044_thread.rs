//! A thread is kept in an int
//!
//! # What
//! A `pthread_t` is converted to a type of 4 bytes.
//!
//! # Why
//! With glibc a `pthread_t` is the address of the thread's own data. For 64 bits its upper half is lost: two threads seem to be the same,
//! and what is given to pthread_join(3) or pthread_kill(3) is no thread, which ends the program.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <pthread.h>
//! int f(void) { int self = (int)pthread_self(); return self; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <pthread.h>
//! int f(pthread_t main) { pthread_t self = pthread_self(); return pthread_equal(self, main); }
//! ```
//!
//! # Fix
//! Keep it as `pthread_t` and compare with pthread_equal(3). For a number to be printed, gettid(2).
//!
//! # References
//! - CWE-197, CWE-704

use super::p010_narrowed::narrowed;
use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::destination::Destination;
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = narrowed(conversion).filter(|of| of.origin() == Origin::Thread) else { return };
    let destination = conversion.destination();
    let confidence = match destination {
        Destination::Kept(_) if is_only_printed(conversion) => Confidence::Possible,
        Destination::Kept(_) | Destination::Returned => Confidence::Certain,
        Destination::Compared => Confidence::Probable,
        // Printed, or mixed into something.
        _ => Confidence::Possible,
    };
    let (from, to) = (converted.types(), conversion.types());
    let text = |side: usize| format!("{} from {}", to.describe(side), from.describe(side));
    let message = format!("a thread, {}, is cut to {} and {destination}", from.spelling(), to.spelling());
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether all that is made of the local variable that keeps it is text.
fn is_only_printed(conversion: Expression<'_>) -> bool {
    let is_local = |of: Expression<'_>| of.declaration().is_some_and(|of| of.kind == Kind::Variable && !of.is_external);
    let mut uses = conversion.later().peekable();
    conversion.keeper().is_some_and(is_local) && uses.peek().is_some() && uses.all(Expression::is_variadic)
}

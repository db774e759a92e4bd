//! A property of X11 has numbers of 4 bytes where Xlib has `long`s
//!
//! # What
//! XChangeProperty(3) gets an array of `int`, `CARD32` or another type of 4 bytes with the format 32, or what XGetWindowProperty(3) returns is
//! read as one. For a single element it is only possible: its lower half is what is sent, and only what is behind it is read as well. Or
//! XCreateImage(3) is told that lines begin at words of 64 bits.
//!
//! # Why
//! The format says how many bits go to the server, and not how they lie in memory: with 32 each element is a `long`, also where that has 64
//! bits. Every second element is taken, and what is behind the array; of what is returned every second element is 0. Lines of an image begin at
//! 8, 16 or 32 bits, and for `8 * sizeof(long)` XCreateImage(3) returns NULL.
//!
//! # Example
//! Bad:
//!
//! ```c
//! typedef struct _XDisplay Display;
//! typedef unsigned long Window, Atom;
//! int XChangeProperty(Display *, Window, Atom, Atom, int, int, const unsigned char *, int);
//! void f(Display *d, Window w, Atom a) { int size[2] = {4, 4}; XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)size, 2); }
//! ```
//!
//! Good:
//!
//! ```c
//! typedef struct _XDisplay Display;
//! typedef unsigned long Window, Atom;
//! int XChangeProperty(Display *, Window, Atom, Atom, int, int, const unsigned char *, int);
//! void f(Display *d, Window w, Atom a) { long size[2] = {4, 4}; XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)size, 2); }
//! void g(Display *d, Window w, Atom a, char *s, int n) { XChangeProperty(d, w, a, 31, 8, 0, (unsigned char *)s, n); }
//! ```
//!
//! # Fix
//! An array of `long`, `unsigned long`, `Atom` or `Window` for format 32, of `short` for 16. For an image 32, and pixels of 32 bits.
//!
//! # References
//! - CWE-843, CWE-125
//! - XChangeProperty(3), XGetWindowProperty(3), XCreateImage(3)

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call], look);

fn look(call: Expression<'_>, found: &mut Found<'_>) {
    let Some((name, arguments)) = call.call() else { return };
    match name {
        "XChangeProperty" => {
            let format = arguments.get(4).and_then(|format| format.value(WIDE));
            let Some(data) = arguments.get(6).map(|data| data.strip_casts()).filter(|_| format == Some(32)) else { return };
            if let Some(element) = element(data).filter(|element| is_half(*element)) {
                // The lower half of one is what is sent.
                let is_one = arguments.get(7).is_some_and(|count| count.value(WIDE) == Some(1));
                let confidence = if is_one { Confidence::Possible } else { Confidence::Certain };
                report(found, data, confidence, element, "is given to XChangeProperty");
            }
        }
        "XGetWindowProperty" => {
            // The address of the pointer that it sets.
            let Some(to) = arguments.get(11).map(|to| to.strip_casts()) else { return };
            let is_address = to.takes_address();
            let Some(pointer) = to.child(0).map(Expression::strip).filter(|_| is_address) else { return };
            if let Some(element) = pointer.types().inner().filter(|element| is_half(*element)) {
                report(found, to, Confidence::Probable, element, "is what XGetWindowProperty returns");
            }
            let Some(function) = call.function() else { return };
            for cast in function.descendants().filter(|part| part.kind().is_explicit_cast() && call.precedes(*part)) {
                let is_it = cast.converted().is_some_and(|inner| inner.strip().same(pointer));
                if let Some(element) = cast.types().inner().filter(|element| is_it && is_half(*element)) {
                    // The lower half of the first one is where it was.
                    let is_first = element.integers().is_some() && cast.followed().is_some();
                    let confidence = if is_first { Confidence::Possible } else { Confidence::Probable };
                    report(found, cast, confidence, element, "is what XGetWindowProperty has returned");
                }
            }
        }
        "XCreateImage" => {
            let Some(pad) = arguments.get(8) else { return };
            let [Some(narrow), Some(wide)] = [NARROW, WIDE].map(|side| pad.value(side)) else { return };
            if PADS.contains(&narrow) && !PADS.contains(&wide) {
                let message = "lines of an image begin at 8, 16 or 32 bits: XCreateImage returns NULL";
                let sides = [narrow, wide].map(|bits| format!("{bits} bits"));
                found.report(*pad, Confidence::Certain, message, sides);
            }
        }
        _ => {}
    }
}

/// Where lines of an image may begin, in bits.
const PADS: [i128; 3] = [8, 16, 32];

fn report(found: &mut Found<'_>, at: Expression<'_>, confidence: Confidence, element: Types<'_>, what: &str) {
    let message = format!("an array of {} {what}, which has longs for format 32", element.spelling());
    let text = |long: u64| format!("{} bytes for each, of which Xlib has {long}", element.size(WIDE).unwrap_or_default());
    found.report(at, confidence, message, [text(4), text(8)]);
}

/// What an array or the object that a pointer leads to is made of.
fn element(data: Expression<'_>) -> Option<Types<'_>> {
    let inner = data.types().inner()?;
    // `&array`.
    Some(if inner.is_pointer() { inner } else { inner.inner().unwrap_or(inner) })
}

/// Whether it is a whole number that has 4 bytes on both sides, or a structure of such.
fn is_half(element: Types<'_>) -> bool {
    let is_number =
        |of: Types<'_>| of.integers().is_some() && [NARROW, WIDE].iter().all(|side| of.size(*side) == Some(4));
    let mut fields = element.fields().peekable();
    is_number(element) || fields.peek().is_some() && fields.all(|(_, of)| is_number(of))
}

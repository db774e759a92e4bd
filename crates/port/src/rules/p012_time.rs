//! A time is kept in 32 bits
//!
//! # What
//! A `time_t` is converted to a type of 4 bytes. It is only possible where nothing shows that it is a time of the clock, and not how
//! long something takes, where the file does not compare it with a time that is not cut, or make a date of it, and where it is kept in what has
//! no sign, which is right until 2106, or counts from another year than 1970. What is XORed with it, or added as getpid(2), makes it a random
//! number.
//!
//! # Why
//! On 64-bit systems a `time_t` has 64 bits and goes beyond January 2038. What is kept in an `int` does not: the port inherits the
//! limit that it could leave behind, and a time of 2038 becomes one of 1901; in an `unsigned`, one of 2106 becomes one of 1970.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <time.h>
//! struct entry { int when; };
//! void f(struct entry *e) { e->when = time(0) + 60; }
//! int is_over(struct entry *e) { return time(0) > e->when; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdlib.h>
//! #include <time.h>
//! struct entry { time_t when; };
//! void f(struct entry *e) { srand(time(0)); e->when = time(0); }
//! int hour(time_t now) { return now / 3600 % 24; }
//! int same(time_t now) { return (int)now == 0; }
//! int begin(void) { int now = time(0); srand(now); return rand(); }
//! extern void rnd_start(unsigned);
//! void start(void) { rnd_start(time(0)); }
//! struct packet { unsigned seq; };
//! void first(struct packet *p) { p->seq = time(0); }
//! void seed_all(int *state) { state[0] = time(0); }
//! struct game { int began, length; };
//! void end(struct game *g) { g->length = time(0) - g->began; }
//! ```
//!
//! # Fix
//! Declare it `time_t`; in files and messages `int64_t`, or `uint32_t`, which lasts until 2106.
//!
//! # References
//! - CWE-197, CWE-190

use super::p010_narrowed::narrowed;
use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::bits::keeps_low;
use crate::destination::Destination;
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = narrowed(conversion) else { return };
    if converted.origin() != Origin::Time {
        return;
    }
    let destination = conversion.destination();
    let confidence = match destination {
        // Any bits will do for what begins a sequence of random numbers.
        Destination::Argument(function, _) if is_random(function) => return,
        Destination::Kept(name) if is_random(name) || is_sequence(name) => return,
        _ if conversion.function().and_then(Expression::declaration).is_some_and(|function| is_random(&function.name)) => return,
        Destination::Kept(_) if is_seed(conversion) || is_system(conversion) => return,
        Destination::Tested | Destination::Dropped | Destination::Compared => return,
        Destination::Computed => Confidence::Possible,
        _ if conversion.is_written() || !is_now(converted) || is_word(conversion) || !(is_stamp(destination) || is_whole_again(conversion)) => {
            Confidence::Possible
        }
        _ => Confidence::Probable,
    };
    let (from, to) = (converted.types(), conversion.types());
    let text = |side: usize| format!("{} from {}", to.describe(side), from.describe(side));
    let year = if to.integer(WIDE).is_some_and(|integer| integer.signed) { 2038 } else { 2106 };
    let message = format!("a time is cut to {} and {destination}: it is wrong from {year} on", to.spelling());
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether it is kept in what has no sign, and is right until 2106.
fn is_word(conversion: Expression<'_>) -> bool {
    conversion.types().integer(WIDE).is_some_and(|integer| !integer.signed)
}

/// Whether what was cut is a time of 64 bits again, as far as this file tells: one is compared with it, or a date made of it. Where all are cut
/// they go round together, as they do for 32 bits, and their differences are right.
fn is_whole_again(conversion: Expression<'_>) -> bool {
    let is_cut = |part: Expression<'_>| part.types().integer(WIDE).is_some_and(|of| of.bits <= 32);
    let is_whole = |part: Expression<'_>| {
        let is_part = |outer: &Expression<'_>| {
            outer.is_wrapping()
                || outer.kind().is_explicit_cast()
                || outer.kind() == Kind::Binary && (binary::MUL..=binary::SUB).contains(&outer.operator())
        };
        let wide = part.ancestors().take_while(is_part).find(|outer| !is_cut(*outer));
        // `left = limit - time(0) + began`, which is cut again.
        // Whether it is still the same second is asked to do something less often.
        let is_same = |wide: Expression<'_>| {
            let equality = wide.outer().filter(|outer| outer.kind() == Kind::Binary && [binary::EQ, binary::NE].contains(&outer.operator()));
            equality.is_some_and(|outer| outer.children().any(|other| other.strip_casts().call().is_some_and(|(name, _)| name == "time")))
        };
        wide.is_some_and(|wide| wide.types().integer(WIDE).is_some() && !keeps_low(wide) && !is_same(wide))
    };
    let kept = conversion.keeper().and_then(|keeper| Some((keeper, keeper.declaration()?)));
    match (kept, conversion.destination()) {
        (Some((keeper, kept)), _) => {
            conversion.tree().named(kept).filter(|part| !keeper.contains(*part)).any(is_whole)
        }
        (None, Destination::Returned) => conversion.uses().into_iter().any(is_whole),
        (None, _) => conversion.parameter().is_some_and(|(_, parameter)| conversion.tree().named(parameter).any(is_whole)),
    }
}

/// Whether what gets it is called a date.
fn is_stamp(destination: Destination<'_>) -> bool {
    matches!(destination, Destination::Kept(name) | Destination::Argument(name, _) if name.to_lowercase().contains("timestamp"))
}

/// Whether a function or variable of this name begins a sequence of random numbers.
fn is_random(name: &str) -> bool {
    let name = name.to_lowercase();
    ["rand", "rnd", "seed"].iter().any(|part| name.contains(part))
}

/// Whether a variable of this name is a number in a sequence: where the first is does not matter.
fn is_sequence(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with("seq")
        || name.contains("seqn")
        || name.contains("seq_")
        || name.contains("sequence")
        || name.contains("serial")
}

/// Whether it is seen to be a time of the clock: time(2) gives it, or stat(2). A `time_t` of which no more is known is as often how long
/// something takes.
fn is_now(value: Expression<'_>) -> bool {
    let is_clock = |part: Expression<'_>| match part.kind() {
        Kind::Call => part.call().is_some_and(|(name, _)| CLOCKS.contains(&name)),
        Kind::Member => part.declaration().is_some_and(|field| FIELDS.iter().any(|name| field.name.starts_with(name))),
        _ => false,
    };
    // One that counts from another year is of a format that has 32 bits for it; one that counts from another time is how long it takes.
    let is_moved = |part: Expression<'_>| {
        let is_far = |term: Expression<'_>| term.value(WIDE).is_some_and(|value| value.unsigned_abs() >= THREE_YEARS);
        let is_time = |term: Expression<'_>| term.value(WIDE).is_none() && term.strip().origin() >= Origin::Time;
        // With what no clock gives it is any number.
        let is_noise = |term: Expression<'_>| term.strip_casts().call().is_some_and(|(name, _)| NOISE.contains(&name));
        if part.kind() != Kind::Binary {
            return false;
        }
        match part.operator() {
            binary::XOR => true,
            binary::ADD => part.children().any(|term| is_far(term) || is_noise(term)),
            binary::SUB => part.children().any(is_far) || part.child(1).is_some_and(is_time),
            _ => false,
        }
    };
    // What a function makes of a time that it is given may be anything.
    let is_given = |part: Expression<'_>, to: Expression<'_>| {
        let mut around = part.ancestors().take_while(|outer| to.contains(*outer));
        around.any(|outer| outer.kind() == Kind::Call && !is_clock(outer))
    };
    let whole = |of: Expression<'_>| {
        let parts = || std::iter::once(of).chain(of.descendants()).filter(|part| !is_given(*part, of));
        parts().any(is_clock) && !parts().any(is_moved)
    };
    if std::iter::once(value).chain(value.descendants()).any(is_moved) {
        return false;
    }
    let Some(function) = value.function() else { return whole(value) };
    let is_set = |variable: Expression<'_>| {
        let before = || function.descendants().take_while(|part| part.precedes(value));
        let is_it = |part: Expression<'_>| part.strip_casts().same(variable);
        before().any(|part| match part.kind() {
            Kind::Binary if part.operator() == binary::ASSIGN => {
                part.child(0).is_some_and(is_it) && part.child(1).is_some_and(whole)
            }
            Kind::Variable => {
                let declared = part.declaration().zip(variable.declaration()).is_some_and(|(a, b)| std::ptr::eq(a, b));
                declared && part.children().any(whole)
            }
            // time(&now)
            Kind::Call => is_clock(part) && part.descendants().any(|inner| inner.kind() == Kind::DeclRef && inner.same(variable)),
            _ => false,
        })
    };
    let named = std::iter::once(value).chain(value.descendants()).filter(|part| part.kind() == Kind::DeclRef);
    let mut variables = named.filter(|part| !is_given(*part, value));
    whole(value) || variables.any(is_set)
}

/// Seconds, about.
const THREE_YEARS: u128 = 100_000_000;
/// What gives the time.
const CLOCKS: [&str; 5] = ["time", "mktime", "timegm", "timelocal", "gettimeofday"];
/// What makes a random number of it.
const NOISE: [&str; 6] = ["getpid", "getppid", "getuid", "clock", "rand", "random"];
/// The members that hold one: `struct stat`, `struct timeval` is also a duration.
const FIELDS: [&str; 4] = ["st_atim", "st_mtim", "st_ctim", "ut_t"];

/// Whether random numbers begin with what is kept of it.
fn is_seed(conversion: Expression<'_>) -> bool {
    conversion.later().any(|part| matches!(part.destination(), Destination::Argument(name, _) if is_random(name)))
}

/// Whether the system says how wide the field is, as in `struct utmp`.
fn is_system(conversion: Expression<'_>) -> bool {
    let field = conversion.keeper().and_then(Expression::declaration);
    field.is_some_and(|field| field.kind == Kind::Field && field.in_system_header)
}

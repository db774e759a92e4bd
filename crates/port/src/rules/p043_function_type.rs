//! A function is called as one with other widths
//!
//! # What
//! A pointer to a function is converted to one whose parameters or result are as wide for 32 bits and not for 64: `int` for a pointer or
//! a `long`. That is only possible, as a cast says that somebody has thought of it. It is probable for the address that dlsym(3) gives, where the
//! function of that name is defined in the project, or declared by a header, unless the number of arguments differs as well: that was wrong
//! before; it is a number that is given for one, of which the lower half is taken or a register has all of it; the pointer does not say what
//! its arguments are; or several functions have that name and not all of them differ.
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
//! #include <dlfcn.h>
//! #include <pthread.h>
//! #include <stdlib.h>
//! static void *work(int *with) { return with; }
//! int f(pthread_t *t) { return pthread_create(t, 0, (void *(*)(void *))work, 0); }
//! static int order(const char **a, const char **b) { return **a - **b; }
//! void g(char **p, int n) { qsort(p, n, sizeof *p, (int (*)(const void *, const void *))order); }
//! long twice(long n) { return 2 * n; }
//! long h(void *l) { return ((long (*)(long))dlsym(l, "twice"))(1) + ((int (*)(int))dlsym(l, "thrice"))(1); }
//! ```
//!
//! # Fix
//! Give the function the type with which it is called, and convert inside: `return (void *)(intptr_t)result`. Where it is looked up, call
//! it as what its header declares; `typeof(name) *` says that without writing it again.
//!
//! # References
//! - CWE-686, CWE-843
//! - C11 6.3.2.3 paragraph 8
//! - dlsym(3)

use super::{Asked, Found, Hit, Visit};
use crate::pair::{NARROW, WIDE};
use crate::symbols::{Candidate, Class, Lookup, Signature, Value, function, is_lookup, lookups};
use crate::tree::{Expression, Tree};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Conversion(look), Visit::Lookup(ask, look_up)]);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    // What is looked up has no type before it is called: one in between is for the compiler.
    let is_typed = |inner: &Expression<'_>| !is_lookup(inner.strip_casts());
    let converted = conversion.converted().filter(|inner| function(inner.types()).is_some() && is_typed(inner));
    let types = converted.and_then(|inner| function(inner.types())).zip(function(conversion.types()));
    let Some((is, called)) = types.filter(|(is, called)| is.ids != called.ids) else { return };
    let Some(misfit) = Signature::new(is).zip(Signature::new(called)).and_then(|(is, called)| misfit(&is, &called)) else {
        return;
    };
    let (wants, gets) = (&misfit.is.spelling, &misfit.called.spelling);
    let message = match misfit.argument {
        None => format!("a function that returns {wants} is called as one that returns {gets}"),
        Some(at) => format!("a function whose argument {at} is {wants} is called with {gets}"),
    };
    // Whoever calls it mostly makes nothing of the result, or has the number in a register; and a table has functions of any type.
    found.report(conversion, Confidence::Possible, message, misfit.sides());
}

/// All that is looked up by its name.
fn ask<'a>(tree: &'a Tree<'a>) -> Vec<Asked<'a>> {
    let of = |(at, name, called)| Some(Asked { at, name, called: Signature::new(called)?, confidence: Confidence::Probable });
    lookups(tree).into_iter().filter_map(of).collect()
}

/// What is looked up is one of the functions of that name.
fn look_up(lookup: &Lookup, candidates: &[Candidate]) -> Option<Hit> {
    let misfits: Vec<_> =
        candidates.iter().filter_map(|candidate| Some((candidate, misfit(&candidate.is, &lookup.called)?))).collect();
    let (candidate, misfit) = misfits.first()?;
    let is_sure = misfits.len() == candidates.len() && candidates.iter().all(|of| of.is_known) && lookup.called.has_prototype;
    let confidence = if is_sure { misfit.confidence } else { Confidence::Possible };
    let (name, file, wants, gets) = (&lookup.name, &candidate.file, &misfit.is.spelling, &misfit.called.spelling);
    let message = match misfit.argument {
        None => format!("`{name}` of {file} returns {wants} and is called as one that returns {gets}"),
        Some(at) => format!("`{name}` of {file}, whose argument {at} is {wants}, is called with {gets}"),
    };
    Some(Hit { confidence: confidence.min(lookup.hit.confidence), message, sides: misfit.sides(), ..lookup.hit.clone() })
}

/// A value that has another width where it is called.
struct Misfit {
    is: Value,
    called: Value,
    /// Which argument, counted from 1; nothing, where it is the result.
    argument: Option<usize>,
    confidence: Confidence,
}

impl Misfit {
    fn sides(&self) -> [String; 2] {
        [NARROW, WIDE].map(|side| format!("{} called as {}", self.is.describe(side), self.called.describe(side)))
    }
}

/// The first value whose width differs for 64 bits alone.
fn misfit(is: &Signature, called: &Signature) -> Option<Misfit> {
    let new = |is: &Value, called: &Value, argument, is_probable| {
        let confidence = if is_probable { Confidence::Probable } else { Confidence::Possible };
        Misfit { is: is.clone(), called: called.clone(), argument, confidence }
    };
    let width = |value: &Value| value.sizes.map(|sizes| sizes[WIDE]);
    let (was, becomes) = (&is.result, &called.result);
    if differ(was, becomes) {
        // The lower half of a number is the number, as of what write(2) returns; and compilers write the upper half of one that is not
        // negative as zeros.
        let is_address = [was, becomes].iter().any(|value| value.class == Class::Pointer);
        return Some(new(was, becomes, None, is_address));
    }
    let both = is.arguments.iter().zip(&called.arguments).enumerate();
    let (at, (wants, gets)) = both.into_iter().find(|(_, (wants, gets))| differ(wants, gets))?;
    // Who reads 4 bytes of 8 gets the lower half; and 4 of a number that is not negative are all of it in a register, where compilers write
    // the upper half as zeros. What is read as an address has to be one.
    let is_number = wants.class != Class::Pointer;
    // With another number of arguments it was in the wrong place before.
    let is_fit = is.arguments.len() == called.arguments.len();
    Some(new(wants, gets, Some(at + 1), width(gets) < width(wants) && !is_number && is_fit))
}

fn differ(is: &Value, called: &Value) -> bool {
    let (Some(is_sizes), Some(called_sizes)) = (is.sizes, called.sizes) else { return false };
    let is_scalar = |value: &Value| value.class != Class::Other;
    is_scalar(is) && is_scalar(called) && is_sizes[NARROW] == called_sizes[NARROW] && is_sizes[WIDE] != called_sizes[WIDE]
}

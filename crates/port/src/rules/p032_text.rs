//! A number has more digits than its array has room for
//!
//! # What
//! `sprintf()` writes into an array of a constant size what fits for 32 bits, however large the numbers are, and not for 64: `%p`, `%ld`,
//! `%lx`. With `snprintf()` the text is cut.
//!
//! # Why
//! `long` has up to 11 characters in decimal for 32 bits and 20 for 64; in hexadecimal 8 and 16. An address, which is always that large, has
//! 10 with its `0x` and 14. What is behind the array is overwritten.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdio.h>
//! void keep(const char *);
//! void f(char *p)
//! {
//!     char text[11];
//!     sprintf(text, "%p", p);
//!     keep(text);
//! }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdio.h>
//! void keep(const char *);
//! void f(char *p, long n, int m)
//! {
//!     char text[24], small[12];
//!     sprintf(text, "%p", p);
//!     keep(text);
//!     sprintf(text, "%ld\n", n);
//!     keep(text);
//!     sprintf(small, "%d", m);
//!     keep(small);
//! }
//! ```
//!
//! # Fix
//! Make the array larger: 21 bytes for a `long` in decimal, 17 in hexadecimal, 19 for `%p`, or `3 * sizeof(long) + 2` for any of them; and
//! write with `snprintf()`.
//!
//! # References
//! - CWE-787, CWE-121, CWE-131

use super::{Found, Visit};
use crate::ast::kind::TypeKind;
use crate::format::{Constants, Family, Wanted, constants, known, literals, parse};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree};
use findings::{Confidence, Severity};

pub(super) const VISIT: Visit = Visit::Tree(look);

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    let mut calls = tree.calls().filter_map(|call| Some((call, is_cut(call)?))).peekable();
    // Few files write texts like this, and constants are looked for in all of one.
    if calls.peek().is_none() {
        return;
    }
    let constants = constants(tree);
    for (call, is_cut) in calls {
        check(call, is_cut, &constants, found);
    }
}

/// Whether a call writes no more than the array has room for, if it writes a text into one.
fn is_cut(call: Expression<'_>) -> Option<bool> {
    match call.call()?.0.trim_start_matches("__builtin___").trim_end_matches("_chk") {
        "sprintf" => Some(false),
        "snprintf" => Some(true),
        _ => None,
    }
}

fn check<'a>(call: Expression<'a>, is_cut: bool, constants: &Constants<'a>, found: &mut Found<'_>) {
    let Some((_, arguments)) = call.call() else { return };
    let takes = call.declaration().and_then(known);
    let Some((takes, first)) = takes.and_then(|takes| Some((takes, takes.first?))) else { return };
    let (Some(to), Some(format)) = (arguments.first(), arguments.get(takes.format)) else { return };
    let counted = || {
        let [narrow, wide] = [NARROW, WIDE].map(|side| arguments.get(1)?.value(side));
        narrow.filter(|_| narrow == wide)
    };
    let room = if is_cut { counted() } else { size(*to) };
    let Some(room) = room else { return };
    for texts in literals(*format, constants) {
        let Some([narrow, wide]) = lengths(texts, arguments.get(first..).unwrap_or_default()) else { continue };
        // One byte ends it.
        if narrow.most >= room || wide.most < room {
            continue;
        }
        let is_sure = wide.least >= room;
        let confidence = match (is_sure, is_cut) {
            (true, false) => Confidence::Certain,
            (true, true) => Confidence::Probable,
            (false, _) => Confidence::Possible,
        };
        let up_to = if is_sure { wide.least } else { wide.most };
        let what = if is_sure { "has" } else { "may have" };
        let message = match is_cut {
            true => format!("the text {what} {up_to} characters, and is cut to {}", room - 1),
            false => format!("the text {what} {up_to} characters and its end, in {room} bytes"),
        };
        let sides = [narrow, wide].map(|of| match of.least == of.most {
            true => format!("{} characters", of.most),
            false => format!("{} to {} characters", of.least, of.most),
        });
        if let Some(hit) = found.report(call, confidence, message, sides) {
            if is_cut {
                hit.severity = Severity::Risk;
            }
            return;
        }
    }
}

/// The largest addresses of programs; for 64 bits few are much smaller.
const ADDRESSES: [i128; 2] = [0xffff_ffff, 0x7fff_ffff_ffff];

/// The bytes of an array of characters.
fn size(array: Expression<'_>) -> Option<i128> {
    let types = array.strip_casts().types();
    let is_text = types.is(TypeKind::ConstantArray) && types.inner().is_some_and(|of| of.is_bytes());
    let sizes = types.sizes().filter(|[narrow, wide]| is_text && narrow == wide)?;
    Some(sizes[WIDE].into())
}

/// How many characters a text has.
#[derive(Clone, Copy, Default)]
struct Length {
    /// Whatever the numbers are; an address has as many as those of a program have.
    least: i128,
    /// With the largest numbers.
    most: i128,
}

/// What a format makes of its arguments, on both sides; nothing, where that is not known, as of `%s`.
fn lengths(texts: [&str; 2], arguments: &[Expression<'_>]) -> Option<[Length; 2]> {
    let mut both = [Length::default(); 2];
    for side in [NARROW, WIDE] {
        let text = texts[side];
        let directives = parse(text, Family::Printf).filter(|_| !text.contains("%m"))?;
        if directives.len() > arguments.len() {
            return None;
        }
        let inside: usize = directives.iter().map(|directive| directive.text.len()).sum();
        let rest = characters(text)?.checked_sub(inside + text.matches("%%").count())?;
        let rest = i128::try_from(rest).ok()?;
        let mut length = Length { least: rest, most: rest };
        for (directive, argument) in directives.iter().zip(arguments) {
            let of = written(&directive.text, directive.wanted, *argument, side)?;
            length.least += of.least;
            length.most += of.most;
        }
        both[side] = length;
    }
    Some(both)
}

/// How many characters a literal has that is written like this.
fn characters(text: &str) -> Option<usize> {
    let (mut count, mut rest) = (0, text.bytes());
    while let Some(byte) = rest.next() {
        // One by its number may have any number of digits.
        if byte == b'\\' && !rest.next().is_some_and(|escaped| b"abfnrtv\\\"'?".contains(&escaped)) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// What one directive writes.
fn written(directive: &str, wanted: Wanted, argument: Expression<'_>, side: usize) -> Option<Length> {
    let inside = directive.strip_prefix('%').filter(|_| !directive.contains('*'))?;
    let specifier = inside.chars().last()?;
    let flags = inside.len() - inside.trim_start_matches(['-', '+', ' ', '#', '0']).len();
    let (flags, numbers) = inside.split_at(flags);
    let number = |text: &str| {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        text[..digits].parse::<u32>().map_or(0, i128::from)
    };
    let (width, precision) = (number(numbers), numbers.split_once('.').map_or(0, |(_, precision)| number(precision)));
    let (least, most) = match (wanted, specifier) {
        (Wanted::Pointer, 'p') => {
            let of = digits(ADDRESSES[side], 16) + 2;
            (if argument.strip_casts().carries_numbers() { 1 } else { of }, of)
        }
        (Wanted::Integer(bytes), _) => {
            let base = match specifier {
                'x' | 'X' => 16,
                'o' => 8,
                _ => 10,
            };
            let prefix = if flags.contains('#') && base != 10 { 2 } else { 0 };
            let is_signed = matches!(specifier, 'd' | 'i');
            let sign = i128::from(is_signed && flags.contains(['+', ' ']));
            let [low, high] = argument.held(side)?;
            let bits = 8 * u32::try_from(bytes[side]).ok()?;
            let unsigned = |number: i128| if number < 0 { number + (1 << bits) } else { number };
            let text = |number: i128| match (is_signed, number < 0) {
                (true, true) => digits(-number, base) + 1,
                (true, false) => digits(number, base) + sign,
                (false, _) => digits(unsigned(number), base),
            };
            // Of what goes through 0, -1 has the most digits where it has no sign.
            let ends = [low, high].into_iter().chain((low < 0 && high >= 0).then_some(-1)).map(text);
            let most = ends.max()?.max(precision) + prefix;
            let from = argument.strip_casts();
            let is_address = from.types().inner().is_some() && !from.carries_numbers();
            (if is_address { most.min(digits(ADDRESSES[side], base) + prefix) } else { 1 }, most)
        }
        (Wanted::Pointer, 's') => {
            let texts = argument.strip_casts().texts()?;
            let length = i128::try_from(characters(texts[side])?).ok()?;
            (length, length)
        }
        (Wanted::Other, 'c') => (1, 1),
        _ => return None,
    };
    Some(Length { least: least.max(width), most: most.max(width) })
}

fn digits(mut number: i128, base: i128) -> i128 {
    let mut digits = 1;
    while number >= base {
        number /= base;
        digits += 1;
    }
    digits
}

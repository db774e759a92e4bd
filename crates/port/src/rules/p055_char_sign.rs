//! A comparison of a char depends on its sign, which differs
//!
//! # What
//! A plain `char`, or a `wchar_t`, is compared with a constant, and the result is always the same where the type has no sign, or where
//! it has one: on x86 a `char` has a sign, on ARM it has none.
//!
//! # Why
//! `c < 0` and `c == EOF` are never true for a `char` without a sign: a loop that reads until `EOF` does not end. `c >= 128` and
//! `c > 127` are never true for one with a sign.
//!
//! # Example
//! Bad:
//!
//! ```c
//! // pair: i386:arm64
//! extern int next(void);
//! int count(void) { int n = 0; char c; while ((c = next()) != -1) n++; return n; }
//! ```
//!
//! Good:
//!
//! ```c
//! // pair: i386:arm64
//! extern int next(void);
//! int count(void) { int n = 0; int c; while ((c = next()) != -1) n++; return n; }
//! int space(char c) { return c == ' ' || c > 0; }
//! int negative(signed char c) { return c < 0; }
//! ```
//!
//! # Fix
//! Keep what getc(3) returns in an `int`. For small numbers use `signed char` or `int8_t`, for bytes `unsigned char`. `-fsigned-char`
//! is the way out for a whole program.
//!
//! # References
//! - CWE-195, CWE-839
//! - C11 6.2.5 paragraph 15

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Integer};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Binary], look);

/// Both operands, compared.
fn compare(operator: u8, left: i128, right: i128) -> bool {
    match operator {
        binary::LT => left < right,
        binary::GT => left > right,
        binary::LE => left <= right,
        binary::GE => left >= right,
        binary::EQ => left == right,
        _ => left != right,
    }
}

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let operator = node.operator();
    if !(binary::LT..=binary::NE).contains(&operator) {
        return;
    }
    let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
    for (own, other, is_left) in [(left, right, true), (right, left, false)] {
        let own = own.strip();
        let types = own.types();
        let (Some(integers), Some(narrow), Some(wide)) = (types.integers(), other.value(NARROW), other.value(WIDE)) else {
            continue;
        };
        // Only a plain char, and a wchar_t, have a sign on one side alone.
        if integers[NARROW].signed == integers[WIDE].signed || own.value(WIDE).is_some() {
            continue;
        }
        let result = |integer: Integer, bits: i128, constant: i128| {
            // It is promoted to int, which keeps its value, or stays a wchar_t, as which the constant is seen.
            let value = integer.fit(bits);
            let constant = if integer.bits >= 32 { integer.fit(constant) } else { constant };
            if is_left { compare(operator, value, constant) } else { compare(operator, constant, value) }
        };
        let bits = integers[WIDE].bits.min(32);
        let top = 1i128 << (bits - 1);
        // Only what is always true, or never, for one of them: below a letter is, on one side, what is not ASCII, but mostly there is none.
        // The ends of both halves, and what is beside the constant, stand for all values.
        let values = [0, top - 1, top, 2 * top - 1].into_iter().chain((wide - 1..=wide + 1).map(|value| value & (2 * top - 1)));
        let results = values.map(|bits| [result(integers[NARROW], bits, narrow), result(integers[WIDE], bits, wide)]);
        let results: Vec<[bool; 2]> = results.collect();
        let is_constant = |side: usize| results.iter().all(|result| result[side] == results[0][side]);
        if is_constant(NARROW) == is_constant(WIDE) {
            continue;
        }
        let text = |integer: Integer| {
            let sign = if integer.signed { "has a sign" } else { "has no sign" };
            let truth = [top, 2 * top - 1].map(|bits| result(integer, bits, wide));
            let outcome = match truth {
                [true, true] => "true",
                [false, false] => "false",
                _ => "true for some of them",
            };
            format!("{} {sign}; for values with the highest bit it is {outcome}", types.spelling())
        };
        let message = format!("the comparison of a {} with {wide} depends on its sign", types.spelling());
        let sides = [text(integers[NARROW]), text(integers[WIDE])];
        found.report(node, Confidence::Certain, message, sides);
        return;
    }
}

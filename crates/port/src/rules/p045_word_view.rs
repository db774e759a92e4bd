//! Bytes are taken for words of 32 bits, which have 64
//!
//! # What
//! A pointer to bytes becomes one to a type whose name says that it has 32 bits, as `u32`, `uint32`, `DWORD` or `UINT4`, and which is a
//! `long`. Where it is not used at once it is only probable, for the buffer may have been made of such words. That there is such a type is
//! possible: it may as well be used for nothing but numbers. A `long` of any name is one where the words that are taken out of an array of
//! bytes are four bytes apart, as `*(long *)&address[0]` and `*(long *)&address[4]`, or where there are no more than four bytes left; and so is
//! one that is taken out of an address of gethostbyname(3), unless nothing but its lower half is looked at.
//!
//! # Why
//! What takes four bytes at a time takes eight: it reads the next word as well, writes over it and over what is behind the buffer, and with
//! `pointer + 1` passes over every other word.
//!
//! # Example
//! Bad:
//!
//! ```c
//! typedef unsigned long u32;
//! void fill(unsigned char *to, int bytes, u32 with)
//! {
//!     for (; bytes >= 4; bytes -= 4) {
//!         *(u32 *)to = with;
//!         to = (unsigned char *)((u32 *)to + 1);
//!     }
//! }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! typedef uint32_t u32;
//! typedef unsigned long word;
//! u32 first(const unsigned char *from) { return *(const u32 *)from; }
//! word first_word(const unsigned char *from) { return *(const word *)from; }
//! ```
//!
//! # Fix
//! `uint32_t` (stdint.h), in the typedef where there is one, which the first finding names.
//!
//! # References
//! - CWE-787, CWE-125, CWE-188

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::bits::{read, reads_low};
use crate::blame;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Conversion(look), Visit::Node(&[Kind::Typedef], name)]);

/// Types of 32 bits whose names count bytes, or are Windows'.
const NAMES: [&str; 7] = ["dword", "uint4", "int4", "ub4", "sb4", "word4", "ulong4"];

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(from) = conversion.converted().filter(|_| conversion.is_written()) else { return };
    let (Some(bytes), Some(word)) = (from.types().inner(), conversion.types().pointee()) else { return };
    let is_of_bytes = from.types().is_pointer() && bytes.is_bytes() && !bytes.is(TypeKind::Void);
    // What an allocator returns is made of nothing yet.
    if !is_of_bytes || !word.grows() || from.strip_casts().kind() == Kind::Call {
        return;
    }
    let sides = [NARROW, WIDE].map(|side| format!("{} is seen in {}", word.describe(side), bytes.spelling()));
    let Some(typedef) = blame::own_typedef(word, found.is_own).filter(|of| says_32(&of.name)) else {
        if let Some((at, size)) = end(conversion, from, word) {
            let message = format!("a word of 64 bits, at byte {at}, reaches over the end of {size} bytes");
            // Who takes the lower half of it gets what is there.
            let confidence = if reads_low(conversion) { Confidence::Possible } else { Confidence::Certain };
            found.report(conversion, confidence, message, sides);
        } else if is_stepped(conversion, from) {
            let confidence = if reads_low(conversion) { Confidence::Possible } else { Confidence::Probable };
            found.report(conversion, confidence, "words of 64 bits are taken out of bytes, 32 bits apart".to_owned(), sides);
        } else if is_of_host(from) && read(conversion).is_some() && !reads_low(conversion) {
            found.report(conversion, Confidence::Probable, "a word of 64 bits is taken out of an address that has 32".to_owned(), sides);
        }
        return;
    };
    let is_used = conversion.outer().is_some_and(|outer| match outer.kind() {
        Kind::Unary => outer.operator() == unary::DEREFERENCE,
        kind => kind == Kind::Subscript,
    });
    let confidence = if is_used { Confidence::Certain } else { Confidence::Probable };
    let message = format!("`{}`, which says 32 bits, takes 64 of what are bytes", typedef.name);
    if let Some(hit) = found.report(conversion, confidence, message, sides) {
        hit.because = Some(blame::name(word, typedef));
    }
}

fn name(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(typedef) = node.declaration().filter(|of| node.types().grows() && says_32(&of.name)) else { return };
    let sides = [NARROW, WIDE].map(|side| node.types().describe(side));
    found.report(node, Confidence::Possible, format!("`{}`, which says 32 bits, has 64", typedef.name), sides);
}

/// Where a word begins that is the last of an array of bytes for 32 bits, and how many of them there are.
fn end(conversion: Expression<'_>, address: Expression<'_>, word: Types<'_>) -> Option<(i128, i128)> {
    conversion.followed()?;
    let (array, at) = match address.array_element() {
        Some((array, index)) => (array, index.value(WIDE)?),
        None => (Some(address.strip()).filter(|of| of.types().is(TypeKind::ConstantArray))?, 0),
    };
    let [narrow, wide] = word.sizes()?.map(i128::from);
    let size = i128::from(array.types().size(WIDE)?);
    // The last member of a structure may be longer than it says.
    let is_open = array.kind() == Kind::Member && size <= 1;
    (at >= 0 && at + narrow <= size && at + wide > size && !is_open).then_some((at, size))
}

/// Whether what is taken at once from an element of an array is taken from another one that is four bytes from it as well, or an index goes on by
/// four.
fn is_stepped(conversion: Expression<'_>, address: Expression<'_>) -> bool {
    let parts = conversion.followed().and_then(|_| address.array_element()).zip(conversion.function());
    let Some(((array, index), function)) = parts else { return false };
    let is_step = |part: Expression<'_>| {
        let steps = part.kind() == Kind::CompoundAssign && part.operator() == binary::ADD_ASSIGN;
        steps && part.child(0).is_some_and(|of| of.same(index)) && part.child(1).and_then(|by| by.value(WIDE)) == Some(4)
    };
    let Some(at) = index.value(WIDE) else { return function.descendants().any(is_step) };
    let is_beside = |part: Expression<'_>| {
        let other = part.converted().filter(|_| part.types().is_same(conversion.types())).and_then(Expression::array_element);
        other.is_some_and(|(other, index)| other.same(array) && index.value(WIDE).is_some_and(|other| (at - other).abs() == 4))
    };
    function.descendants().any(is_beside)
}

/// Whether it leads to an address of a `struct hostent`, gethostbyname(3).
fn is_of_host(bytes: Expression<'_>) -> bool {
    let is_list = |of: Expression<'_>| of.kind() == Kind::Member && of.declaration().is_some_and(|field| field.name == "h_addr_list");
    let is_element = |of: Expression<'_>| {
        let of = of.strip_casts();
        let is_one = of.kind() == Kind::Subscript || of.kind() == Kind::Unary && of.operator() == unary::DEREFERENCE;
        let list = of.child(0).filter(|_| is_one).map(Expression::strip);
        list.is_some_and(|list| is_list(list) || list.was_given(is_list))
    };
    is_element(bytes) || bytes.was_given(is_element)
}

/// Whether a type says by its name that it has 32 bits.
fn says_32(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    let mut parts = name.match_indices("32").map(|(at, _)| (&name[..at], &name[at + 2..]));
    NAMES.contains(&name.as_str()) || parts.any(|(before, behind)| !before.ends_with(is_digit) && !behind.starts_with(is_digit))
}

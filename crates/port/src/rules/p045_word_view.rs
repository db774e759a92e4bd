//! Bytes are taken for words of 32 bits, which have 64
//!
//! # What
//! A pointer to bytes becomes one to a type whose name says that it has 32 bits, as `u32`, `uint32`, `DWORD` or `UINT4`, and which is a
//! `long`. Where it is not used at once it is only probable, for the buffer may have been made of such words. That there is such a type is
//! possible: it may as well be used for nothing but numbers.
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
//! `uint32_t` (stdint.h) in the typedef: the first finding says where that is.
//!
//! # References
//! - CWE-787, CWE-125, CWE-188

use super::{Found, Visit};
use crate::ast::kind::{Kind, TypeKind, unary};
use crate::blame;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Conversion(look), Visit::Node(&[Kind::Typedef], name)]);

/// Types of 32 bits whose names count bytes, or are Windows'.
const NAMES: [&str; 7] = ["dword", "uint4", "int4", "ub4", "sb4", "word4", "ulong4"];

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(from) = conversion.converted().filter(|_| conversion.is_written()) else { return };
    let (Some(bytes), Some(word)) = (from.types().inner(), pointee(conversion.types())) else { return };
    let is_of_bytes = from.types().is_pointer() && bytes.is_bytes() && !bytes.is(TypeKind::Void);
    // What an allocator returns is made of nothing yet.
    if !is_of_bytes || !word.grows() || from.strip_casts().kind() == Kind::Call {
        return;
    }
    let Some(typedef) = blame::own_typedef(word, found.is_own).filter(|of| says_32(&of.name)) else { return };
    let is_used = conversion.outer().is_some_and(|outer| match outer.kind() {
        Kind::Unary => outer.operator() == unary::DEREFERENCE,
        kind => kind == Kind::Subscript,
    });
    let confidence = if is_used { Confidence::Certain } else { Confidence::Probable };
    let sides = [NARROW, WIDE].map(|side| format!("{} is seen in {}", word.describe(side), bytes.spelling()));
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

/// What a pointer points to, with the name by which it is written.
fn pointee(pointer: Types<'_>) -> Option<Types<'_>> {
    let tree = pointer.tree;
    let of = |side: usize| Some(tree.units[side].get_type(pointer.ids[side])).filter(|of| of.kind == TypeKind::Pointer);
    Some(Types { tree, ids: [of(NARROW)?.inner, of(WIDE)?.inner] })
}

/// Whether a type says by its name that it has 32 bits.
fn says_32(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    let mut parts = name.match_indices("32").map(|(at, _)| (&name[..at], &name[at + 2..]));
    NAMES.contains(&name.as_str()) || parts.any(|(before, behind)| !before.ends_with(is_digit) && !behind.starts_with(is_digit))
}

//! A value whose width differs is put into an archive
//!
//! # What
//! `<<`, `>>` or `&` with an archive or a stream of bytes on the left, such as QDataStream or those of Boost.Serialization, and a
//! `long`, `size_t` or `time_t` on the right.
//!
//! # Why
//! Such streams write a value in as many bytes as it has. What the 32-bit program has written is read wrongly by the 64-bit one, from
//! this value on. Streams of text have no such trouble.
//!
//! # Example
//! Bad:
//!
//! ```cpp
//! // file: example.cpp
//! #include <stddef.h>
//! struct Archive { template <class T> Archive &operator<<(const T &value); };
//! void save(Archive &archive, size_t count) { archive << count; }
//! ```
//!
//! Good:
//!
//! ```cpp
//! // file: example.cpp
//! #include <stddef.h>
//! #include <stdint.h>
//! #include <iostream>
//! struct Archive { template <class T> Archive &operator<<(const T &value); };
//! void save(Archive &archive, size_t count) { archive << static_cast<uint32_t>(count); }
//! void print(size_t count) { std::cout << count; }
//! ```
//!
//! # Fix
//! Convert to a type of a fixed width first, the one that the format has.
//!
//! # References
//! - CWE-188, CWE-681

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call], look);

/// What is in the names of classes that keep values as bytes.
const NAMES: [&str; 6] = ["QDataStream", "archive", "Archive", "Serializ", "serializ", "BinaryStream"];

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some(operator) = node.declaration().filter(|of| ["operator<<", "operator>>", "operator&"].contains(&of.name.as_str()))
    else {
        return;
    };
    // In the order in which they are written: left, the operator, right.
    let mut operands: Vec<Expression<'_>> = node.children().filter(|child| child.is_expression()).collect();
    operands.retain(|child| {
        child.strip().declaration().is_none_or(|of| of.name != operator.name || child.strip().kind() == Kind::Call)
    });
    let [left, right] = operands.as_slice() else { return };
    let Some(class) = left.types().record() else { return };
    // What the operator itself converts, as to the int64_t that it takes, has that width.
    if !right.types().grows() || !NAMES.iter().any(|name| class[WIDE].name.contains(name)) {
        return;
    }
    let message = format!("a `{}` is put into a {} with as many bytes as it has", right.types().spelling(), class[WIDE].name);
    found.report(node, Confidence::Probable, message, [NARROW, WIDE].map(|side| right.types().describe(side)));
}

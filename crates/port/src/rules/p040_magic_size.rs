//! A number stands for the size of a type that has grown
//!
//! # What
//! A block of memory is allocated, cleared, copied, read or written with a size in which no `sizeof` is, and which is right for 32 bits:
//! `malloc(n * 4)` for pointers, `fread(&number, 4, 1, file)` for a `long`, `get_bytes(&number, 4)` by a function of the project's own. Four
//! bytes of a file that are read into a pointer only to skip them are possible: where no other line of the source names the member. So are
//! those of a number without a sign that had a value before: its upper half is 0.
//!
//! # Why
//! For 64 bits the memory is too small for what is put there, or half of it is not cleared, copied or read.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdlib.h>
//! char **f(int n) { return malloc(n * 4); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdlib.h>
//! #include <string.h>
//! char **f(int n) { return malloc(n * sizeof(char *)); }
//! int *g(int n) { return malloc(n * 4); }
//! void h(char **names) { memset(names, 0, 4 * sizeof *names); }
//! char *text(void) { return malloc(4); }
//! ```
//!
//! # Fix
//! `n * sizeof *pointer`. What has four bytes in a file is read into an `int32_t`.
//!
//! # References
//! - CWE-131, CWE-805

use super::{Found, Hit, Visit, p005_out_parameter};
use crate::ast::kind::{Kind, binary};
use crate::bits::keeps_low_after;
use crate::blocks::{Block, Use, allocated_by_variable, blocks};
use crate::pair::{NARROW, WIDE};
use crate::sources::Sources;
use crate::tree::Expression;
use findings::Confidence;
use std::collections::HashMap;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call], look);

fn look(call: Expression<'_>, found: &mut Found<'_>) {
    let blocks = blocks(call);
    if let Some((name, object)) = filled(call).filter(|_| blocks.is_empty()) {
        let whole = object.types();
        let message = format!("the size that {name} gets is a number that was that of {} for 32 bits", whole.spelling());
        found.report(call, Confidence::Probable, message, [NARROW, WIDE].map(|side| whole.describe(side)));
    }
    // What is kept in a variable may be so for something else as well.
    let kept = allocated_by_variable(call).map(|block| (block, Confidence::Probable));
    for (block, most) in blocks.into_iter().map(|block| (block, Confidence::Certain)).chain(kept) {
        let Some((confidence, [small, large])) = magic(&block) else { continue };
        let confidence = confidence.min(most);
        let Some((name, _)) = call.call() else { continue };
        let is_skipped = SOURCES.contains(&name) && block.object.is_some_and(|object| is_skipped(call, object));
        // A number on the wire becomes one of the program, by ntohl(3), which takes the lower half.
        let is_low = block.done == Use::Written && block.object.is_some_and(|object| keeps_low_after(call, object));
        // What had a value before has an upper half of 0.
        let is_whole = || block.done == Use::Written && block.object.is_some_and(|object| p005_out_parameter::is_set(object, call));
        let is_carried = || block.done == Use::Written && block.object.is_some_and(|object| carries_number(call, object));
        let confidence = if is_skipped || is_low || is_whole() || is_carried() { Confidence::Possible } else { confidence };
        let whole = block.object.map_or(block.of, Expression::types).spelling();
        let message = format!("the size that {name} gets is a number that was that of {whole} for 32 bits");
        let text = |size: u64| format!("{whole} has {size} bytes");
        found.report(call, confidence, message, [text(small), text(large)]);
        return;
    }
}

/// What is read or written with such a size, and leaves the program, is one finding: the surer one, or this, which says what to do.
pub(super) fn fold(mut hits: Vec<Hit>, sources: &mut Sources) -> Vec<Hit> {
    let mut line = |hit: &Hit| (hit.path.clone(), sources.text(&hit.path).position(hit.start).0);
    let mut said = HashMap::new();
    for hit in hits.iter().filter(|hit| hit.rule.id == "P040") {
        let sure = said.entry(line(hit)).or_insert(hit.confidence);
        *sure = hit.confidence.max(*sure);
    }
    hits.retain(|hit| !matches!(hit.rule.id, "P051" | "P052") || said.get(&line(hit)).is_none_or(|sure| *sure < hit.confidence));
    hits
}

/// How functions are called that fill what they are given.
const FILLS: [&str; 7] = ["get", "read", "recv", "fetch", "load", "input", "unpack"];

/// The function of the project's own, and the number of which it fills as many bytes as that had for 32 bits: one that has no value yet, or
/// has a sign, which those do not make.
fn filled<'a>(call: Expression<'a>) -> Option<(&'a str, Expression<'a>)> {
    let (name, arguments) = call.call().filter(|_| call.declaration().is_some_and(|called| !called.in_system_header))?;
    let object = |argument: &Expression<'a>| {
        let bytes = argument.types().inner().filter(|to| to.is_bytes() && !to.canonical(WIDE).is_const)?;
        let address = argument.strip_casts();
        let is_variable = |object: &Expression<'_>| matches!(object.kind(), Kind::DeclRef | Kind::Member) && object.types().grows();
        let object = address.child(0).map(Expression::strip).filter(|object| bytes.size(WIDE).is_some() && is_variable(object))?;
        address.takes_address().then_some((object, address))
    };
    let mut objects = arguments.iter().filter_map(object);
    let (object, address) = objects.next().filter(|_| objects.next().is_none())?;
    let was = object.types().size(NARROW).map(i128::from);
    // A macro has a name for what it is.
    let is_number = |size: Expression<'_>| size.kind() == Kind::IntegerLiteral && size.place().macro_text.is_none();
    let is_size = |size: &&Expression<'_>| is_number(size.strip()) && size.value(WIDE) == was;
    let is_counted = arguments.iter().filter(is_size).count() == 1;
    let is_fresh = match object.types().integer(WIDE)?.signed {
        true => FILLS.iter().any(|verb| name.to_lowercase().contains(verb)),
        false => !p005_out_parameter::is_set(object, address),
    };
    (is_counted && is_fresh).then_some((name, object))
}

/// Where bytes come from outside.
const SOURCES: [&str; 3] = ["fread", "read", "recv"];

/// Whether it is read into a member that nobody names: a pointer, which nothing outside is, or one that other sources do not know.
fn is_skipped(call: Expression<'_>, object: Expression<'_>) -> bool {
    let Some(field) = object.declaration().filter(|field| object.kind() == Kind::Member && field.kind == Kind::Field) else {
        return false;
    };
    let is_it = |part: Expression<'_>| part.declaration().is_some_and(|other| std::ptr::eq(other, field));
    let is_read = |part: Expression<'_>| part.kind() == Kind::Member && is_it(part) && !call.contains(part);
    let is_local = field.place.file == call.place().file;
    (object.types().is_pointer() || is_local) && !call.tree().nodes().any(is_read)
}

/// Whether a number of 32 bits is kept in the place of a pointer for a while: `memcpy(&bond->atom, &index, 4)`.
fn carries_number(call: Expression<'_>, object: Expression<'_>) -> bool {
    let is_number = |argument: Expression<'_>| {
        let other = argument.addressed().filter(|other| !other.same(object));
        other.is_some_and(|other| other.types().integers().is_some() && other.types().sizes() == Some([4, 4]))
    };
    object.types().is_pointer() && call.children().skip(1).any(is_number)
}

/// How sure it is that the size is meant for what the block is made of; and what that has, on both sides.
fn magic(block: &Block<'_>) -> Option<(Confidence, [u64; 2])> {
    let element = block.of.sizes().filter(|_| !block.of.is_bytes())?;
    if element[NARROW] == element[WIDE] || element[NARROW] < 4 || block.has_sizeof() {
        return None;
    }
    let is_size = |factor: &Expression<'_>| factor.value(WIDE) == Some(i128::from(element[NARROW]));
    let scaled = |factor: &Expression<'_>| {
        let factor = factor.strip_casts();
        let shift = factor.kind() == Kind::Binary && factor.operator() == binary::SHL;
        shift && element[NARROW] == 4 && factor.child(1).is_some_and(|count| count.value(WIDE) == Some(2))
    };
    // What is taken out of it is the lower half, as before.
    let surely = match block.done {
        Use::Sent if block.of.integers().is_none() => Confidence::Probable,
        Use::Sent | Use::Read => Confidence::Possible,
        _ => Confidence::Certain,
    };
    let whole = block.object.and_then(|object| object.types().sizes());
    match (block.bytes(WIDE), whole) {
        // Bytes of a block that is as large as the object, and not as one element.
        (Some(bytes), Some(whole)) if bytes == i128::from(whole[NARROW]) => Some((surely, whole)),
        (Some(_), _) | (None, _) if block.factors.len() > 1 && block.factors.iter().any(is_size) => Some((surely, element)),
        (Some(bytes), None) if bytes == i128::from(element[NARROW]) => Some((surely, element)),
        (Some(bytes), None) if block.done == Use::Allocated && is_multiple(block, bytes, element[NARROW]) => {
            Some((Confidence::Possible, element))
        }
        // Whole elements for 32 bits, of which the last is half a one for 64: `memcpy(words, digest, 20)`.
        (Some(bytes), None)
            if block.done == Use::Written
                && is_multiple(block, bytes, element[NARROW])
                && bytes % i128::from(element[WIDE]) != 0 =>
        {
            Some((Confidence::Probable, element))
        }
        (None, _) if block.factors.iter().any(scaled) => Some((surely, element)),
        _ => None,
    }
}

/// A number of bytes that is one of pointers or `long`s.
fn is_multiple(block: &Block<'_>, bytes: i128, element: u64) -> bool {
    block.of.widens() && bytes > 0 && bytes % i128::from(element) == 0
}

//! A number that becomes 64 bits wide is kept in 32
//!
//! # What
//! A `long`, `size_t`, `ptrdiff_t` or `off_t` is converted to a type that has as many bits on 32-bit systems and fewer on 64-bit ones.
//! An `off_t` that is used as an offset again is probably too large one day; the length of a text is not, and the `long` of ftell(3), which
//! is mostly asked for in texts and small files, had this limit before. What is known to fit, or was compared with a limit before, is not
//! reported. Times are P012, addresses P001. A constant that is the end of its type, as `LONG_MAX`, is -1 or 0 when it is cut, and nothing for
//! 32 bits: it is probable.
//!
//! # Why
//! On 32-bit systems nothing is lost. On 64-bit ones the value may need more than 32 bits: the size of an object of more than
//! 4 GiB, the difference of two pointers, a time after 2038, an offset in a large file. The upper half is dropped without a word.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <limits.h>
//! #include <stdio.h>
//! int f(FILE *file) { int at = ftell(file); return at; }
//! int least(int a) { int least = LONG_MAX; return a < least ? a : least; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <limits.h>
//! #include <stdio.h>
//! #include <unistd.h>
//! int all(void) { int all = ULONG_MAX; return all; }
//! long f(FILE *file) { long at = ftell(file); return at; }
//! int low(long flags) { return flags & 0xff; }
//! int small(long size) { if (size > 1000) return -1; return size; }
//! int got(int from, char *to) { char text[80]; int count = read(from, text, sizeof text); return count + *to; }
//! ```
//!
//! # Fix
//! Use the same type on the whole way of the value. Where it is known to be small, say so with a cast and a check.
//!
//! # References
//! - CWE-197, CWE-681

use super::{Found, Visit, p001_pointer_to_int};
use crate::ast::kind::{Kind, TypeKind, binary};
use crate::destination::Destination;
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::retype;
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = narrowed(conversion) else { return };
    let origin = converted.origin();
    let destination = conversion.destination();
    let explicit = conversion.is_written();
    let limits = lost_limits(conversion, converted);
    let confidence = match origin {
        // Other rules speak of these.
        Origin::Time | Origin::Thread => return,
        // A limit becomes another number: `int least = LONG_MAX` is -1, and so is `case (int)LONG_MAX:`.
        _ if limits.is_some() => Confidence::Probable,
        Origin::Address if p001_pointer_to_int::pointer(conversion).is_some() => return,
        Origin::Handle => return,
        Origin::Transferred if is_limited(converted) => return,
        // For 32 bits no cast was needed: whoever has written it knew that the number is small.
        Origin::Length | Origin::Transferred | Origin::Distance | Origin::Duration if explicit => return,
        // What is kept and used as an offset again leads to another place of a large file: of a disk, an archive. Whoever has such files asks
        // by off_t, as a `long` was never enough for them. A number without a sign is mostly one that a format has, which has
        // no more room for it.
        Origin::Offset if !explicit && (is_signed(conversion) || is_place(converted)) && !was_cut(converted) && !is_tell(converted) && !is_own_length(converted) && !is_index(converted) && conversion.later().any(is_offset) => {
            Confidence::Probable
        }
        _ => Confidence::Possible,
    };
    // The lower half is enough for what is only tested, and for some of its bits.
    let masked = conversion.outer().is_some_and(|outer| outer.kind() == Kind::Binary && outer.operator() == binary::AND);
    if explicit && limits.is_none() && (masked || matches!(destination, Destination::Tested | Destination::Dropped)) {
        return;
    }
    let (from, to) = (converted.types(), conversion.types());
    let text = |side: usize| format!("{} from {}", to.describe(side), from.describe(side));
    let (from_name, to_name) = (from.spelling(), to.spelling());
    let message = match limits {
        Some([narrow, wide]) => format!("this limit of {from_name} is {narrow} in {to_name} for 32 bits and {wide} for 64"),
        None => format!("{}, {from_name}, is cut to {to_name} and {destination}", origin.name()),
    };
    if let Some(hit) = found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]).filter(|_| !explicit) {
        hit.edits = retype::proposals(conversion, converted.types());
    }
}

/// Whether it had 64 bits on both sides before: `(off_t)strtoull(…)`, of which 32 bits are left for 32 bits as well.
fn was_cut(value: Expression<'_>) -> bool {
    let before = value.strip().converted().and_then(|before| before.types().integer(NARROW));
    before.is_some_and(|before| before.bits > 32)
}

/// What a constant becomes that is the end of its type, as `LONG_MAX`, where nothing is lost of it for 32 bits.
fn lost_limits(conversion: Expression<'_>, converted: Expression<'_>) -> Option<[i128; 2]> {
    let is_end = |side: usize| Some(converted.types().integer(side)?.range().contains(&converted.value(side)?));
    let [narrow, wide] = [NARROW, WIDE].map(|side| conversion.value(side).filter(|_| is_end(side) == Some(true)));
    Some([narrow?, wide?]).filter(|[narrow, wide]| narrow != wide)
}

/// What this conversion cuts for 64 bits only, unless it is known to fit.
pub(super) fn narrowed(conversion: Expression<'_>) -> Option<Expression<'_>> {
    let converted = conversion.converted()?;
    let (from, to) = (converted.types().integers()?, conversion.types().integers()?);
    let kept = [NARROW, WIDE].map(|side| to[side].bits >= from[side].bits);
    // In C++ a cast has its conversion below it.
    let twice = conversion.kind().is_explicit_cast() && converted.types().ids == conversion.types().ids;
    if kept != [true, false] || twice || conversion.types().is(TypeKind::Bool) {
        return None;
    }
    let [least, most] = to[WIDE].range();
    // What fits without its sign was meant to.
    let (least, most) = (least.min(-(1 << 31)), most.max(0xffff_ffff));
    let fits = converted.is_between(WIDE, least, most) || converted.returns_between(WIDE, least, most);
    (!fits && !converted.is_checked()).then_some(converted)
}

/// Whether it is where a file is read or written just now.
fn is_place(value: Expression<'_>) -> bool {
    value.strip_casts().call().is_some_and(|(name, _)| ["lseek", "lseek64", "ftello", "ftello64"].contains(&name))
}

fn is_signed(conversion: Expression<'_>) -> bool {
    conversion.types().integer(WIDE).is_some_and(|integer| integer.signed)
}

/// Whether it is used as the offset in a file.
fn is_offset(value: Expression<'_>) -> bool {
    let seeks = matches!(value.destination(), Destination::Argument(name, _) if name.contains("seek") || name.contains("truncate"));
    let widened = value.ancestors().take_while(|outer| outer.converted().is_some());
    let whole = matches!(value.destination(), Destination::Argument(..) | Destination::Kept(_));
    seeks || whole && widened.into_iter().any(|outer| outer.origin() == Origin::Offset)
}

/// Whether ftell(3) gives it, or a place beside that: `ftell(file) - 1`.
fn is_tell(value: Expression<'_>) -> bool {
    let value = value.strip_casts();
    let parts = value.children().filter(|_| matches!(value.operator(), binary::ADD | binary::SUB) && value.kind() == Kind::Binary);
    std::iter::once(value).chain(parts.map(Expression::strip_casts)).any(|part| part.call().is_some_and(|(name, _)| name == "ftell"))
}

/// Functions that write to a file, or move nothing in it.
const WRITES: [&str; 9] = ["fprintf", "vfprintf", "fputs", "fputc", "putc", "fwrite", "fflush", "clearerr", "ferror"];

/// Whether it is where a file ends that the same function has written from its beginning: rewind(3), fprintf(3), ftello(3).
fn is_own_length(value: Expression<'_>) -> bool {
    let Some((file, function)) = value.strip_casts().call().and_then(|(_, given)| given.first().copied()).zip(value.function()) else {
        return false;
    };
    let is_of_it = |argument: &Expression<'_>| argument.strip().same(file.strip());
    let before = function.descendants().take_while(|part| part.precedes(value)).filter_map(Expression::call);
    let names: Vec<&str> = before.filter(|(_, given)| given.iter().any(is_of_it)).map(|(name, _)| name).collect();
    let since = names.iter().rposition(|name| *name == "rewind");
    since.is_some_and(|at| names[at + 1..].iter().all(|name| WRITES.contains(name)))
}

/// Whether no more than 2 GiB are asked for.
fn is_limited(call: Expression<'_>) -> bool {
    let call = call.strip_casts();
    let Some((_, arguments)) = call.call() else { return false };
    let small = |argument: &Expression<'_>| {
        let count = argument.strip_casts();
        count.is_between(WIDE, -1, 0x7fff_ffff) || count.types().integer(WIDE).is_some_and(|integer| integer.bits <= 32)
    };
    arguments.iter().skip(1).any(small)
}

/// Whether an element of an array is taken by it, somewhere in the function: it is a place in memory.
fn is_index(offset: Expression<'_>) -> bool {
    let takes = |part: Expression<'_>| {
        part.kind() == Kind::Subscript && part.child(1).is_some_and(|index| index.strip_casts().same(offset.strip_casts()))
    };
    offset.function().is_some_and(|function| function.descendants().any(takes))
}

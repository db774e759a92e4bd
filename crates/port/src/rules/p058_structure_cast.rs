//! Two structures that were alike are not alike any more
//!
//! # What
//! A pointer to one structure is made a pointer to another by a cast. For 32 bits the members of the shorter one lie where those of the
//! other do and are as large; for 64 bits they do not. It is only possible: one of them may lie behind the other, or have been made for it.
//!
//! # Why
//! Structures that begin in the same way are used for each other where C has no inheritance: a header with `int` in one and `long` in
//! the other is the same for 32 bits only.
//!
//! # Example
//! Bad:
//!
//! ```c
//! struct any { int kind; long size; int flags; };
//! struct text { int kind; int size; int flags; };
//! int flags(struct text *text) { return ((struct any *)text)->flags; }
//! ```
//!
//! Good:
//!
//! ```c
//! struct any { int kind; long size; };
//! struct text { int kind; long size; char *text; };
//! struct other { int kind; float size; int flags; };
//! long size(struct text *text) { return ((struct any *)text)->size; }
//! int kind(struct any *any) { return ((struct other *)any)->kind; }
//! ```
//!
//! # Fix
//! Let both begin with the same structure, as a member of its own.
//!
//! # References
//! - CWE-843, CWE-188
//! - C11 6.5.2.3 paragraph 6

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::blocks::head;
use crate::layout;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use elf::layout::{Comparison, Row};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    if !conversion.kind().is_explicit_cast() {
        return;
    }
    // `(struct header *)element - 1` is what lies before it.
    let steps =
        |outer: Expression<'_>| outer.kind() == Kind::Binary && outer.operator() == binary::SUB && outer.types().is_pointer();
    if conversion.outer().is_some_and(steps) {
        return;
    }
    let Some(converted) = conversion.converted().map(Expression::strip) else { return };
    let (Some(from), Some(to)) = (converted.types().inner(), conversion.types().inner()) else { return };
    let (Some(one), Some(two)) = (from.record(), to.record()) else { return };
    if std::ptr::eq(one[WIDE], two[WIDE]) || !converted.types().is_pointer() || head(converted).is_some() {
        return;
    }
    let (from, to) = (layout::compare(from), layout::compare(to));
    let (spots_from, spots_to) = ([NARROW, WIDE].map(|side| spots(&from, side)), [NARROW, WIDE].map(|side| spots(&to, side)));
    let length = spots_from[NARROW].len().min(spots_to[NARROW].len());
    let differs = |side: usize| spots_from[side].iter().zip(&spots_to[side]).position(|(a, b)| a.1 != b.1);
    if length < 2 || differs(NARROW).is_some() {
        return;
    }
    let Some(at) = differs(WIDE) else { return };
    let text = |side: usize| {
        let one = |of: &Comparison, spots: &[(String, [u64; 4])]| {
            spots.get(at).map_or_else(String::new, |(path, [offset, size, ..])| {
                format!("`{path}` of {} at offset {offset}, {size} bytes", of.name)
            })
        };
        format!("{}; {}", one(&from, &spots_from[side]), one(&to, &spots_to[side]))
    };
    let message = format!("`{}` and `{}` begin in the same way for 32 bits only", from.name, to.name);
    found.report(conversion, Confidence::Possible, message, [text(NARROW), text(WIDE)]);
}

/// What lies where: the name, the offset, the size, the bits, whether it is a pointer or a floating number.
fn spots(of: &Comparison, side: usize) -> Vec<(String, [u64; 4])> {
    let spot = |row: &Row| {
        let spot = if side == NARROW { row.narrow.as_ref()? } else { row.wide.as_ref()? };
        let kind = u64::from(row.is_pointer) | u64::from(row.is_floating) << 1;
        Some((row.path.clone(), [spot.offset, spot.size, spot.bit | spot.bits.unwrap_or_default() << 8, kind]))
    };
    of.members.iter().filter(|row| row.leaf).filter_map(spot).collect()
}

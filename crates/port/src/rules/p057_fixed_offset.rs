//! A member is reached by a number of bytes, and is elsewhere
//!
//! # What
//! A constant is added to the address of a structure as one of bytes or of whole numbers, and what lies there for 32 bits lies
//! elsewhere for 64. Or a pointer to bytes, which is taken for one to a structure, goes on by a constant that is the structure's size for
//! 32 bits alone: the list of interfaces that `SIOCGIFCONF` gives.
//!
//! # Why
//! The number was the member's offset, counted by hand. With members before it that grow, or another alignment, it leads into the
//! middle of something else.
//!
//! # Example
//! Bad:
//!
//! ```c
//! struct node { struct node *next; int value; };
//! int value(struct node *node) { return *(int *)((char *)node + 4); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stddef.h>
//! struct node { struct node *next; int value; };
//! struct pair { int one, two; };
//! int value(struct node *node) { return *(int *)((char *)node + offsetof(struct node, value)); }
//! int two(struct pair *pair) { return *(int *)((char *)pair + 4); }
//! ```
//!
//! # Fix
//! `offsetof(struct node, value)` from stddef.h, or the member itself.
//!
//! # References
//! - CWE-188, CWE-468

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::layout;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit =
    Visit::Several(&[Visit::Node(&[Kind::Subscript, Kind::Binary], look), Visit::Node(&[Kind::CompoundAssign], next)]);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    if node.kind() == Kind::Binary && node.operator() != binary::ADD {
        return;
    }
    let (Some(base), Some(index)) = (node.child(0), node.child(1)) else { return };
    let base = base.strip();
    let (Some(structure), Some(step)) = (base.converted(), base.types().inner()) else { return };
    let Some(record) = structure.types().inner().filter(|inner| base.kind().is_explicit_cast() && inner.record().is_some())
    else {
        return;
    };
    let offset = |side: usize| u64::try_from(index.value(side)?).ok()?.checked_mul(step.size(side)?);
    let (Some(narrow), Some(wide)) = (offset(NARROW), offset(WIDE)) else { return };
    // What follows from a size is no number that somebody has counted.
    if step.integers().is_none() || narrow == 0 || index.value(NARROW) != index.value(WIDE) {
        return;
    }
    let both = layout::compare(record);
    // A structure behind this one, as in an array, is another matter.
    let Some(member) = both.members.iter().find(|row| row.leaf && row.narrow.as_ref().is_some_and(|spot| spot.offset == narrow))
    else {
        return;
    };
    let Some(now) = member.wide.as_ref().filter(|spot| spot.offset != wide) else { return };
    let message = format!("`{}` of `{}` is not {wide} bytes from its beginning", member.path, both.name);
    let sides = [format!("`{}` at offset {narrow}", member.path), format!("`{}` at offset {}", member.path, now.offset)];
    found.report(node, Confidence::Certain, message, sides);
}

/// A pointer to bytes goes on by the size that a structure had, and is taken for one to such.
fn next(node: Expression<'_>, found: &mut Found<'_>) {
    let (Some(pointer), Some(step)) = (node.child(0).map(Expression::strip), node.child(1)) else { return };
    let is_bytes = pointer.kind() == Kind::DeclRef && pointer.types().inner().is_some_and(|of| of.is_bytes());
    let Some(function) = node.function().filter(|_| is_bytes && node.operator() == binary::ADD_ASSIGN) else { return };
    let casts = function.descendants().filter(|part| part.kind().is_explicit_cast());
    let of_it = casts.filter(|cast| cast.converted().is_some_and(|inner| inner.strip().same(pointer)));
    for record in of_it.filter_map(|cast| cast.types().inner()).filter(|inner| inner.record().is_some()) {
        let Some([was, is]) = record.sizes().filter(|[narrow, wide]| narrow != wide) else { continue };
        let is_size = |value: Expression<'_>| [NARROW, WIDE].iter().all(|side| value.value(*side) == Some(i128::from(was)));
        if is_size(step) || step.was_given(is_size) {
            let name = pointer.declaration().map_or("", |of| of.name.as_str());
            let message = format!("`{name}` goes on by {was} bytes, and `{}` has {is}", record.spelling());
            let sides = [was, is].map(|size| format!("{} has {size} bytes", record.spelling()));
            found.report(node, Confidence::Probable, message, sides);
            return;
        }
    }
}

//! A 32-bit variable takes the sum with a number of 64 bits
//!
//! # What
//! `+=`, `-=`, `*=` or `|=` computes with a `long`, `size_t`, `ptrdiff_t` or `off_t` and keeps the result in a type of 4 bytes.
//!
//! # Why
//! For 64 bits it is computed in 64, and the upper half is dropped. No compiler says so without -Wconversion, because there is no
//! assignment to be seen. A sum of sizes of files, or an offset that is moved on, grows until it does not fit.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <sys/stat.h>
//! int f(const struct stat *all, int n) { int sum = 0; while (n--) sum += all[n].st_size; return sum; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <sys/stat.h>
//! long f(const struct stat *all, int n) { long sum = 0; while (n--) sum += all[n].st_size; return sum; }
//! int flags(int given, long more) { given |= more & 0xff; return given; }
//! ```
//!
//! # Fix
//! Give the variable the type of what is added: `off_t` for sizes of files, `size_t` for sizes of memory.
//!
//! # References
//! - CWE-190, CWE-197

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary};
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::retype;
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::CompoundAssign], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let adds = [binary::MUL_ASSIGN, binary::ADD_ASSIGN, binary::SUB_ASSIGN, binary::OR_ASSIGN];
    if !adds.contains(&node.operator()) {
        return;
    }
    let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
    let (Some(to), Some(from)) = (left.types().integers(), right.types().integers()) else { return };
    if to[NARROW].bits != 32 || to[WIDE].bits != 32 || from[NARROW].bits != 32 || from[WIDE].bits != 64 {
        return;
    }
    // A small step of a variable that is as large as it was for 32 bits.
    if right.is_between(WIDE, -0xffff_ffff, 0xffff_ffff) || right.is_checked() {
        return;
    }
    let origin = right.origin();
    if matches!(origin, Origin::Handle | Origin::Time) {
        return;
    }
    let name = left.types();
    let text = |side: usize| format!("{} and {}", name.describe(side), right.types().describe(side));
    let message = format!("{}, {}, is added to what is kept in {}", origin.name(), right.types().spelling(), name.spelling());
    if let Some(hit) = found.report(node, Confidence::Possible, message, [text(NARROW), text(WIDE)]) {
        hit.edits = retype::proposals(node, right.types());
    }
}

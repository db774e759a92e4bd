//! A mask clears the upper half
//!
//! # What
//! A `long`, `size_t` or address is masked with a constant of 32 bits whose lowest bits are clear, as `~0xfffU` or `0xfffff000`, to
//! round it down; or with one that is computed in 32 bits without sign, as `~(size - 1)` or `-size` of an `unsigned`. It is only possible
//! where nothing says that it is an address, as its type or, where the file makes a pointer of it or maps it, its name: `base_addr`. A file or a block
//! of memory has hardly 4 GiB, the memory of another machine has 32 bits, and flags are in the lower half.
//!
//! # Why
//! The constant is unsigned and is widened with zeros. For 32 bits it clears the lowest bits; for 64 also the upper half: an address
//! leads somewhere else, an offset loses its gigabytes.
//!
//! # Example
//! Bad:
//!
//! ```c
//! unsigned long page(char *p) { return (unsigned long)p & ~0xfffU; }
//! ```
//!
//! Good:
//!
//! ```c
//! unsigned long page(char *p) { return (unsigned long)p & ~0xfffUL; }
//! unsigned long line(char *p) { return (unsigned long)p & ~63; }
//! unsigned long start(char *p, int size) { return (unsigned long)p & ~(size - 1); }
//! unsigned long whole(char *p, unsigned size) { return (unsigned long)p & ~((unsigned long)size - 1); }
//! unsigned round(unsigned n, unsigned size) { return (n + size - 1) & ~(size - 1); }
//! unsigned long low(unsigned long x) { return x & 0xffffffff; }
//! unsigned long high(unsigned long x) { return (x & 0xff000000) >> 24; }
//! ```
//!
//! # Fix
//! `~0xfffUL`, or `~(size_t)0xfff`: the constant in the type of what is masked. A signed `~0xfff` is widened with ones.
//!
//! # References
//! - CWE-681, CWE-195

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::destination::Destination;
use crate::fix;
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Binary, Kind::CompoundAssign], look);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let is_mask = matches!(node.operator(), binary::AND | binary::AND_ASSIGN);
    let (true, Some(left), Some(right)) = (is_mask, node.child(0), node.child(1)) else { return };
    for (masked, mask) in [(left, right), (right, left)] {
        if let Some(computed) = computed(mask) {
            variable(node, masked, computed, found);
            return;
        }
        let Some(value) = mask.value(WIDE).filter(|value| *value >= 1 << 31 && *value <= 0xffff_ffff) else { continue };
        let constant = mask.strip();
        let unsigned = constant.types().integers().is_some_and(|both| both.iter().all(|of| of.bits == 32 && !of.signed));
        // The lowest bits, and nothing else: a mask that rounds.
        let cleared = !value & 0xffff_ffff;
        if !unsigned || cleared == 0 || cleared & (cleared + 1) != 0 || cleared >= 1 << 20 || !masked.types().grows() {
            continue;
        }
        let value_masked = masked.strip();
        // What has 32 bits anyway, and what takes the upper bits of a word.
        if value_masked.range(WIDE).is_some_and(|[least, most]| least >= 0 && most <= 0xffff_ffff)
            || node.outer().is_some_and(|outer| outer.kind() == Kind::Binary && outer.operator() == binary::SHR)
        {
            continue;
        }
        // Whether any of these bits is set is the same question.
        let tested = matches!(node.destination(), Destination::Tested | Destination::Compared);
        let origin = masked.origin();
        let confidence = match origin {
            _ if tested => continue,
            Origin::Address => Confidence::Certain,
            _ if is_place(masked) => Confidence::Probable,
            _ => Confidence::Possible,
        };
        let full = masked.types();
        let message = format!("the mask {value:#x} clears the upper half of {}", full.spelling());
        let sides = [format!("{} & {value:#x}", full.describe(NARROW)), format!("{} & {value:#018x}", full.describe(WIDE))];
        if let Some(hit) = found.report(node, confidence, message, sides) {
            hit.edits = constant.strip_casts().only_child().map(|inner| fix::suffix(inner.strip())).unwrap_or_default();
        }
        return;
    }
}

/// How people call an address.
const PLACES: [&str; 4] = ["addr", "ptr", "phys", "virt"];

/// Whether it is an address of this machine: by the name of its type, as `phys_addr_t`; or by its own name, where the file takes it for a pointer,
/// a pointer for it, or has it mapped. What is only called so may be one of a flash memory or of another machine, which has 32 bits.
fn is_place(masked: Expression<'_>) -> bool {
    let says = |name: &str| PLACES.iter().any(|place| name.to_lowercase().contains(place));
    std::iter::once(masked).chain(masked.descendants()).any(|part| {
        let is_variable = matches!(part.kind(), Kind::DeclRef | Kind::Member) && part.types().grows();
        let Some(of) = part.declaration().filter(|_| is_variable) else { return false };
        let is_it = |other: Expression<'_>| other.declaration().is_some_and(|other| std::ptr::eq(other, of));
        let names = |whole: Expression<'_>| std::iter::once(whole).chain(whole.descendants()).any(is_it);
        let leads = |cast: Expression<'_>| {
            cast.converted().is_some_and(|from| match (from.types().is_pointer(), cast.types().is_pointer()) {
                (false, true) => names(from),
                (true, false) => cast.keeper().is_some_and(is_it),
                _ => false,
            })
        };
        let maps = |call: Expression<'_>| call.call().is_some_and(|(name, given)| MAPS.contains(&name) && given.iter().copied().any(names));
        let tree = masked.tree();
        part.types().typedefs().any(|of| says(&of.name)) || says(&of.name) && (tree.casts().any(leads) || tree.calls().any(maps))
    })
}

/// Functions that map what an address is told of.
const MAPS: [&str; 3] = ["mmap", "mmap64", "ioremap"];

/// What a mask is computed of in 32 bits without sign: `~(size - 1)`, `-size`, `~flag`.
enum Computed {
    Rounds,
    Clears,
}

fn computed(mask: Expression<'_>) -> Option<Computed> {
    let widened = mask.types().integers().is_some_and(|[narrow, wide]| narrow.bits == 32 && wide.bits == 64);
    let inner = mask.strip_casts();
    let unsigned = inner.types().integers()?.iter().all(|of| of.bits == 32 && !of.signed);
    if !widened || !unsigned || inner.kind() != Kind::Unary || inner.value(WIDE).is_some() {
        return None;
    }
    match inner.operator() {
        unary::MINUS => Some(Computed::Rounds),
        unary::NOT => {
            let of = inner.only_child()?.strip();
            let less = of.kind() == Kind::Binary && of.operator() == binary::SUB && of.child(1)?.value(WIDE) == Some(1);
            Some(if less { Computed::Rounds } else { Computed::Clears })
        }
        _ => None,
    }
}

fn variable(node: Expression<'_>, masked: Expression<'_>, computed: Computed, found: &mut Found<'_>) {
    let value = masked.strip();
    // What has 32 bits anyway, and what is only asked for.
    if !masked.types().grows()
        || value.held(WIDE).is_some_and(|[least, most]| least >= 0 && most <= 0xffff_ffff)
        || matches!(node.destination(), Destination::Tested | Destination::Compared)
    {
        return;
    }
    let confidence = match (computed, masked.origin()) {
        (Computed::Clears, _) => Confidence::Possible,
        (Computed::Rounds, Origin::Address) => Confidence::Certain,
        (Computed::Rounds, _) if is_place(masked) => Confidence::Probable,
        (Computed::Rounds, _) => Confidence::Possible,
    };
    let full = masked.types();
    let message = format!("the mask is computed in 32 bits without sign, and clears the upper half of {}", full.spelling());
    let sides = ["a mask of 0xfffff000".to_owned(), "a mask of 0x00000000fffff000".to_owned()];
    found.report(node, confidence, message, sides);
}

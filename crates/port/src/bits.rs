//! Which bits of a value are looked at: whether the upper half, which is new, changes anything.

use crate::ast::kind::{Kind, binary};
use crate::pair::WIDE;
use crate::tree::Expression;

/// Whether nobody looks at more than the lower half of it: it is masked, cut to 32 bits again, or compared with a number that no negative
/// one becomes, on either side; or it is given to a function of this file that does nothing else.
pub(crate) fn keeps_low(value: Expression<'_>) -> bool {
    keeps_low_within(value, 3)
}

/// The same, through as many functions.
fn keeps_low_within(value: Expression<'_>, calls: u32) -> bool {
    let keeps_low = |of: Expression<'_>| keeps_low_within(of, calls);
    let Some(outer) = value.outer() else { return false };
    // A sign that is extended is the same where the number has one again, as the offset that fseek(3) takes.
    let is_signed = |part: &Expression<'_>| {
        let of = part.converted().and_then(|inner| inner.types().integers());
        let was_unsigned = of.is_some_and(|of| of.iter().all(|of| !of.signed));
        was_unsigned && part.types().grows() && part.types().integer(WIDE).is_some_and(|of| of.signed)
    };
    if value
        .ancestors()
        .take_while(|part| part.contains(value) && outer.contains(*part))
        .any(|part| cuts(part) || is_signed(&part))
    {
        return true;
    }
    let others = || outer.children().filter(|part| !part.contains(value));
    let is_word = |most: i128| others().any(|part| part.value(WIDE).is_some_and(|number| (0..=most).contains(&number)));
    match (outer.kind(), outer.operator()) {
        (Kind::Binary, binary::AND) => is_word(0xffff_ffff),
        (Kind::Binary, binary::EQ | binary::NE) => is_word(0x7fff_ffff),
        // Only whether it is 0.
        (Kind::Conditional, _) if outer.child(0).is_some_and(|asked| asked.contains(value)) => true,
        // A sum has the lower half of its terms, a product that of its factors, and goes on.
        (Kind::Binary, binary::OR | binary::XOR | binary::ADD | binary::SUB | binary::MUL) | (Kind::Conditional, _) => {
            is_kept_again(outer) || keeps_low(outer)
        }
        // Some of its bits, or nothing but a name for it.
        (Kind::Binary, binary::SHR) => !shows_upper(value),
        (Kind::Switch, _) => {
            let cases =
                || outer.descendants().filter(|part| part.kind() == Kind::Case).filter_map(|case| case.child(0)?.value(WIDE));
            outer.child(0).is_some_and(|asked| asked.contains(value)) && cases().all(|case| (0..=0x7fff_ffff).contains(&case))
        }
        (Kind::Call, _) if calls > 0 => value.parameter().is_some_and(|(body, parameter)| {
            let is_it = |part: &Expression<'_>| part.declaration().is_some_and(|other| std::ptr::eq(other, parameter));
            let mut uses = body.descendants().filter(|part| part.kind() == Kind::DeclRef && is_it(part));
            uses.all(|part| keeps_low_within(part, calls - 1))
        }),
        (kind, _) if kind.is_explicit_cast() => outer.types().grows() && keeps_low(outer),
        (Kind::Binary, binary::SHL) => {
            outer.child(0).is_some_and(|left| left.contains(value)) && (is_kept_again(outer) || keeps_low(outer))
        }
        _ => false,
    }
}

/// Whether it is a conversion to 32 bits or less, also one that nobody has written, as to the type of a parameter.
fn cuts(part: Expression<'_>) -> bool {
    part.converted().is_some() && part.types().integer(WIDE).is_some_and(|integer| integer.bits <= 32)
}

/// Whether only the lower half of an object is taken after this call, at once, until it gets another value: `x = ntohl(x)`.
pub(crate) fn keeps_low_after(call: Expression<'_>, object: Expression<'_>) -> bool {
    let Some(function) = call.function().filter(|_| object.types().integers().is_some()) else { return false };
    let is_use = |part: &Expression<'_>| {
        call.precedes(*part)
            && !call.contains(*part)
            && part.kind() == object.kind()
            && part.same(object)
            && !part.is_given_since(call)
    };
    let mut uses = function.descendants().filter(is_use).filter(|part| !is_target(*part)).peekable();
    uses.peek().is_some() && uses.all(takes_low)
}

/// Whether nothing of the upper half is taken here, whatever is in it: it is cut to 32 bits or masked.
pub(crate) fn takes_low(value: Expression<'_>) -> bool {
    let converts = |outer: &Expression<'_>| outer.is_wrapping() || outer.kind().is_explicit_cast();
    value.ancestors().take_while(converts).any(cuts) || is_masked(value, 0)
}

/// What a pointer leads to, where that is followed at once, and nothing is written there.
pub(crate) fn read(pointer: Expression<'_>) -> Option<Expression<'_>> {
    pointer.followed().filter(|value| !is_target(*value))
}

/// Whether a pointer is followed at once, and the lower half is all that is looked at of what is there.
pub(crate) fn reads_low(pointer: Expression<'_>) -> bool {
    read(pointer).is_some_and(|value| {
        let uses = value.uses();
        takes_low(value) || !uses.is_empty() && uses.into_iter().all(takes_low)
    })
}

/// Whether it is masked to 32 bits, also after it was moved: `tag << 16 & 0xffff0000`, `bits >> 8 & 0xff`; `down` is how far to the right.
fn is_masked(value: Expression<'_>, down: i128) -> bool {
    value.outer().is_some_and(|outer| {
        let is_left = outer.child(0).is_some_and(|left| left.contains(value));
        let other = || outer.children().find(|part| !part.contains(value)).and_then(|part| part.value(WIDE));
        match (outer.kind(), outer.operator()) {
            (Kind::Binary, binary::AND) => other().is_some_and(|mask| (0..=0xffff_ffff >> down).contains(&mask)),
            (Kind::Binary, binary::SHL) => is_left && down == 0 && is_masked(outer, 0),
            (Kind::Binary, binary::SHR) => {
                is_left && other().is_some_and(|count| (0..32).contains(&(down + count)) && is_masked(outer, down + count))
            }
            (kind, _) if kind.is_explicit_cast() => outer.types().grows() && is_masked(outer, down),
            _ => false,
        }
    })
}

/// Whether a variable gets a value that is computed of itself: `crc = crc << 1 ^ polynomial`.
fn is_kept_again(value: Expression<'_>) -> bool {
    let kept = value.keeper();
    kept.is_some_and(|kept| value.descendants().any(|part| part.kind() == Kind::DeclRef && part.same(kept)))
}

/// Whether it is what gets a value here, also one that is added: `sector |= byte << 8`.
pub(crate) fn is_target(variable: Expression<'_>) -> bool {
    variable.outer().is_some_and(|outer| {
        let assigns = match outer.kind() {
            Kind::Binary => outer.operator() == binary::ASSIGN,
            Kind::CompoundAssign => matches!(
                outer.operator(),
                binary::ADD_ASSIGN | binary::SUB_ASSIGN | binary::SHL_ASSIGN | binary::AND_ASSIGN..=binary::OR_ASSIGN
            ),
            _ => false,
        };
        assigns && outer.child(0).is_some_and(|left| left.contains(variable))
    })
}

/// Whether it gets another value here, or who has its address may give it one.
pub(crate) fn is_changed(variable: Expression<'_>) -> bool {
    is_target(variable) || variable.outer().is_some_and(|outer| outer.is_step() || outer.takes_address())
}

/// Whether more than the lower half of it is looked at here: it is shifted right and not masked, divided, compared, or an index.
pub(crate) fn shows_upper(value: Expression<'_>) -> bool {
    let mut inner = value;
    // How far it was shifted right.
    let mut down = 0;
    for outer in value.ancestors() {
        let is_left = outer.child(0).is_some_and(|left| left.contains(inner));
        let other = || outer.children().find(|part| !part.contains(inner)).and_then(|part| part.value(WIDE));
        match (outer.kind(), outer.operator()) {
            (Kind::Paren, _) | (Kind::Binary, binary::OR | binary::XOR | binary::ADD | binary::SUB | binary::MUL) => {}
            (Kind::Binary, binary::SHL) if is_left => {}
            (Kind::Binary, binary::AND) => {
                if let Some(mask) = other().filter(|mask| *mask >= 0) {
                    return down + 128 - i128::from(mask.leading_zeros()) > 32;
                }
            }
            (Kind::Binary, binary::SHR) if is_left => down += other().unwrap_or(32),
            (Kind::Binary, binary::DIV | binary::REM | binary::LT..=binary::NE) => return true,
            (Kind::CompoundAssign, binary::SHR_ASSIGN) => return is_left,
            (Kind::Subscript, _) => return !is_left,
            _ if outer.converted().is_some() => {
                if let Some(cut) = outer.types().integer(WIDE).filter(|integer| integer.bits <= 32) {
                    return down + i128::from(cut.bits) > 32;
                }
            }
            _ => return down > 0,
        }
        inner = outer;
    }
    false
}

/// Whether only the lower half is kept of it, at once.
pub(crate) fn is_cut(node: Expression<'_>) -> bool {
    let Some(parent) = node.ancestors().find(|outer| outer.kind() != Kind::Paren) else { return false };
    if cuts(parent) {
        return true;
    }
    let masks = parent.kind() == Kind::Binary && parent.operator() == binary::AND;
    masks && parent.children().any(|part| part.value(WIDE).is_some_and(|mask| (0..=0xffff_ffff).contains(&mask)))
}

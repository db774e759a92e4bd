//! Sets of bits that an `int` holds, whatever their type is: `long flags`, in which all that is ever set is `1 << n`.

use crate::ast::Declaration;
use crate::ast::kind::{Kind, binary, unary};
use crate::destination::Destination;
use crate::pair::WIDE;
use crate::tree::Expression;

/// How many variables may have the value of one another.
const MOST: usize = 8;

/// Whether the operand beside `bits` is a variable of this file, a member, or an element of one of them, which holds nothing but the bits of
/// an `int`: it is only given, combined with and asked for what has 32 bits and a sign. What is `extern`, or a parameter, others may fill.
pub(crate) fn is_small_set(operation: Expression<'_>, bits: Expression<'_>) -> bool {
    let Some(whole) = operation.children().find(|part| !part.contains(bits)).and_then(named) else { return false };
    let Some(declaration) = whole.declaration() else { return false };
    let first = first(operation, whole, declaration);
    let mut sets = Sets { known: vec![declaration] };
    let mut at = 0;
    while let Some(declaration) = sets.known.get(at).copied() {
        let is_it = |part: &Expression<'_>| {
            let is_later = || at > 0 || first.is_none_or(|first| first.precedes(*part) && !part.is_given_since(operation));
            part.declaration().is_some_and(|other| std::ptr::eq(other, declaration)) && is_later()
        };
        if sets.known.len() > MOST || !whole.tree().nodes().filter(is_it).all(|part| sets.keep(part)) {
            return false;
        }
        at += 1;
    }
    true
}

/// Where a local variable is set to 0 before: what it was until then is something else.
fn first<'a>(operation: Expression<'a>, whole: Expression<'a>, declaration: &Declaration) -> Option<Expression<'a>> {
    if whole.kind() != Kind::DeclRef || declaration.is_static || declaration.is_external {
        return None;
    }
    let before = operation.function()?.descendants().take_while(|part| part.precedes(operation));
    let begins = |part: &Expression<'_>| {
        let assigns = part.kind() == Kind::Binary && part.operator() == binary::ASSIGN;
        assigns
            && part.child(0).is_some_and(|left| left.same(whole))
            && part.child(1).and_then(|value| value.value(WIDE)) == Some(0)
    };
    before.filter(begins).last()
}

/// The variable or member that it is, or is an element of, where nobody else may fill that.
fn named(value: Expression<'_>) -> Option<Expression<'_>> {
    let value = value.strip_casts();
    let whole = if value.kind() == Kind::Subscript { value.child(0)?.strip_casts() } else { value };
    let declaration = whole.declaration()?;
    let is_own = match whole.kind() {
        Kind::DeclRef => declaration.kind == Kind::Variable && !declaration.is_extern,
        kind => kind == Kind::Member,
    };
    is_own.then_some(whole)
}

/// Those that have the values of one another.
struct Sets<'a> {
    known: Vec<&'a Declaration>,
}

impl<'a> Sets<'a> {
    fn add(&mut self, declaration: &'a Declaration) {
        if !self.known.iter().any(|known| std::ptr::eq(*known, declaration)) {
            self.known.push(declaration);
        }
    }

    /// Whether one of them holds the bits of an `int` after this, where it is declared or used, and shows no others.
    fn keep(&mut self, part: Expression<'a>) -> bool {
        match part.kind() {
            Kind::Variable => part.children().filter(|initial| initial.is_expression()).all(|initial| self.is_int(initial)),
            Kind::DeclRef | Kind::Member => is_cleared(part) || is_measured(part) || self.is_used(element(part)),
            _ => true,
        }
    }

    /// Whether it is combined with what an `int` holds, and what comes out is cut again, kept in another one, or only 0 or not.
    fn is_used(&mut self, variable: Expression<'a>) -> bool {
        let Some(outer) = variable.outer() else { return false };
        let is_left = outer.child(0).is_some_and(|left| left.contains(variable));
        let mut with_int = || outer.children().filter(|part| !part.contains(variable)).all(|part| self.is_int(part));
        match (outer.kind(), outer.operator()) {
            (Kind::Binary, binary::ASSIGN) | (Kind::CompoundAssign, binary::AND_ASSIGN..=binary::OR_ASSIGN) => {
                let kept = || outer.child(0).and_then(named).and_then(Expression::declaration);
                if is_left {
                    return with_int();
                }
                kept().is_some_and(|kept| {
                    self.add(kept);
                    true
                })
            }
            (Kind::Variable, _) => outer.declaration().filter(|kept| !kept.is_extern).is_some_and(|kept| {
                self.add(kept);
                true
            }),
            (Kind::Binary, binary::EQ | binary::NE) => with_int(),
            (Kind::Binary, binary::AND) => {
                let is_cut =
                    |cut: Expression<'_>| cut.converted().is_some() && cut.types().integer(WIDE).is_some_and(|of| of.bits <= 32);
                let is_shown = !matches!(outer.destination(), Destination::Tested) && !outer.parent().is_some_and(is_cut);
                let is_compared = || {
                    let compares =
                        |of: &Expression<'_>| of.kind() == Kind::Binary && matches!(of.operator(), binary::EQ | binary::NE);
                    let comparison = outer.outer().filter(compares);
                    comparison.is_some_and(|of| of.children().filter(|part| !part.contains(outer)).all(is_small))
                };
                with_int() && (!is_shown || is_compared())
            }
            _ => matches!(variable.destination(), Destination::Tested),
        }
    }

    /// Whether an `int` holds it before it is widened, so that its sign is in all the upper bits; or it is one bit, or all the others: for 32
    /// bits there is none above; or it is another set.
    fn is_int(&mut self, value: Expression<'a>) -> bool {
        let bare = value.strip_casts();
        let is_inverted = bare.kind() == Kind::Unary && bare.operator() == unary::NOT;
        let bit = if is_inverted { bare.child(0).map_or(bare, Expression::strip) } else { bare };
        let is_bit = bit.kind() == Kind::Binary
            && bit.operator() == binary::SHL
            && bit.child(0).and_then(|one| one.value(WIDE)) == Some(1);
        if is_bit || is_small(value) {
            return true;
        }
        named(value).and_then(Expression::declaration).is_some_and(|other| {
            self.add(other);
            true
        })
    }
}

fn is_small(value: Expression<'_>) -> bool {
    let value = value.strip_casts();
    value.types().integer(WIDE).is_some_and(|of| of.bits <= 32 && of.signed) || value.is_between(WIDE, -(1 << 31), 0x7fff_ffff)
}

/// The element of an array that is meant here, or what it is itself.
fn element(part: Expression<'_>) -> Expression<'_> {
    let is_base =
        |outer: &Expression<'_>| outer.kind() == Kind::Subscript && outer.child(0).is_some_and(|base| base.contains(part));
    part.outer().filter(is_base).unwrap_or(part)
}

/// Whether all bytes of it become 0.
fn is_cleared(part: Expression<'_>) -> bool {
    let outer = part.ancestors().find(|outer| outer.kind() == Kind::Call);
    outer.and_then(Expression::call).is_some_and(|(name, arguments)| {
        let is_object = arguments.first().is_some_and(|object| object.contains(part));
        is_object && (name == "bzero" || name == "memset" && arguments.get(1).and_then(|byte| byte.value(WIDE)) == Some(0))
    })
}

/// Whether only its size is asked for.
fn is_measured(part: Expression<'_>) -> bool {
    part.ancestors().take_while(|outer| outer.is_expression()).any(|outer| outer.kind() == Kind::SizeOf)
}

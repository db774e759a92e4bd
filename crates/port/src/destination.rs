//! Where the value of an expression goes.

use crate::ast::kind::{Kind, binary, unary};
use crate::tree::Expression;

/// What is done with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination<'a> {
    /// It is kept in a variable or field of this name.
    Kept(&'a str),
    /// The function returns it.
    Returned,
    /// It is an argument, counted from 0, of the function of this name.
    Argument(&'a str, usize),
    /// It is compared.
    Compared,
    /// Only whether it is 0 matters.
    Tested,
    /// It is an index.
    Index,
    /// Something is computed of it.
    Computed,
    /// Nobody takes it.
    Dropped,
}

impl std::fmt::Display for Destination<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kept("") => f.write_str("kept"),
            Self::Kept(name) => write!(f, "kept in `{name}`"),
            Self::Returned => f.write_str("returned"),
            Self::Argument("", index) => write!(f, "passed as argument {}", index + 1),
            Self::Argument(name, index) => write!(f, "passed to {name} as argument {}", index + 1),
            Self::Compared => f.write_str("compared"),
            Self::Tested => f.write_str("tested"),
            Self::Index => f.write_str("used as an index"),
            Self::Computed => f.write_str("used in an expression"),
            Self::Dropped => f.write_str("dropped"),
        }
    }
}

/// The name of what is written: `x`, `s.x`, `s->x`, `x[3]`.
fn name<'a>(of: Expression<'a>) -> &'a str {
    let of = of.strip_casts();
    match of.kind() {
        Kind::Subscript => of.child(0).map_or("", name),
        _ => of.declaration().map_or("", |declaration| declaration.name.as_str()),
    }
}

impl<'a> Expression<'a> {
    /// The variable or field that keeps it, through casts and `?:`.
    pub(crate) fn keeper(self) -> Option<Self> {
        let mut inner = self;
        let mut outer = self.outer()?;
        let is_branch =
            |outer: Self, inner| outer.kind() == Kind::Conditional && !outer.child(0).is_some_and(|asked| asked.contains(inner));
        while outer.kind().is_explicit_cast() || is_branch(outer, inner) {
            inner = outer;
            outer = outer.outer()?;
        }
        let is_assigned = outer.kind() == Kind::Binary && outer.operator() == binary::ASSIGN;
        match outer.kind() {
            Kind::Variable => Some(outer),
            _ if is_assigned => outer.child(0).map(Self::strip).filter(|left| !left.contains(self)),
            _ => None,
        }
    }

    /// Where the function uses what keeps it.
    pub(crate) fn later(self) -> impl Iterator<Item = Self> {
        let keeper = self.keeper().and_then(|keeper| Some((keeper, keeper.declaration()?, self.function()?)));
        keeper.into_iter().flat_map(|(keeper, declaration, function)| {
            let is_use = move |part: &Self| {
                matches!(part.kind(), Kind::DeclRef | Kind::Member)
                    && !keeper.contains(*part)
                    && part.declaration().is_some_and(|other| std::ptr::eq(other, declaration))
            };
            function.descendants().filter(is_use)
        })
    }

    /// Whether what the variable that it is was given last, before this place in the function, is so.
    pub(crate) fn was_given(self, is_so: impl Fn(Self) -> bool) -> bool {
        let variable = self.strip_casts();
        let Some(function) = self.function().filter(|_| variable.kind() == Kind::DeclRef) else { return false };
        let given = function.descendants().take_while(|part| part.precedes(self)).filter_map(|part| match part.kind() {
            Kind::Binary if part.operator() == binary::ASSIGN && part.child(0)?.same(variable) => part.child(1),
            _ => None,
        });
        given.last().is_some_and(|value| is_so(value.strip()))
    }

    /// Where its value goes, through casts and `?:`.
    pub(crate) fn destination(self) -> Destination<'a> {
        let Some(outer) = self.outer() else { return Destination::Dropped };
        let is_child = |at: usize| outer.child(at).is_some_and(|child| child.contains(self));
        match outer.kind() {
            Kind::Variable => Destination::Kept(name(outer)),
            Kind::InitList => Destination::Kept(""),
            Kind::Return => Destination::Returned,
            Kind::Call => {
                let (name, arguments) = outer.call().unwrap_or_default();
                match arguments.iter().position(|argument| argument.contains(self)) {
                    Some(index) => Destination::Argument(name, index),
                    None => Destination::Computed,
                }
            }
            Kind::Binary => match outer.operator() {
                binary::ASSIGN if is_child(1) => {
                    outer.child(0).map_or(Destination::Computed, |left| Destination::Kept(name(left)))
                }
                binary::COMMA if is_child(1) => outer.destination(),
                binary::COMMA => Destination::Dropped,
                binary::LT..=binary::NE => Destination::Compared,
                binary::LOGICAL_AND | binary::LOGICAL_OR => Destination::Tested,
                _ => Destination::Computed,
            },
            Kind::Unary if outer.operator() == unary::LOGICAL_NOT => Destination::Tested,
            Kind::If | Kind::While | Kind::Do | Kind::For
                if outer.child(0).is_some_and(|first| first.is_expression() && is_child(0)) =>
            {
                Destination::Tested
            }
            Kind::Subscript if is_child(1) => Destination::Index,
            Kind::Conditional if is_child(0) => Destination::Tested,
            Kind::Conditional => outer.destination(),
            kind if kind.is_explicit_cast() => outer.destination(),
            kind if kind >= Kind::UnexposedStatement && kind != Kind::Other => Destination::Dropped,
            _ => Destination::Computed,
        }
    }
}

//! Where the value of an expression goes.

use crate::ast::Declaration;
use crate::ast::kind::{Kind, binary, unary};
use crate::pair::WIDE;
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

    /// Where its value is used: after it was kept, or where a function is called that only this file can call, and that returns it.
    pub(crate) fn uses(self) -> Vec<Self> {
        let after = |value: Self| value.later().filter(move |part| value.precedes(*part) && !part.is_given_since(value));
        let returns = self
            .function()
            .and_then(Self::declaration)
            .filter(|function| self.destination() == Destination::Returned && !function.is_external);
        let Some(function) = returns else { return after(self).collect() };
        let is_call = |call: &Self| call.declaration().is_some_and(|called| called.name == function.name);
        let calls = self.tree().calls().filter(is_call);
        calls.flat_map(|call| call.keeper().is_none().then_some(call).into_iter().chain(after(call))).collect()
    }

    /// Whether it is one of the arguments for which a function has no parameter.
    pub(crate) fn is_variadic(self) -> bool {
        let call = self.ancestors().find(|outer| outer.kind() == Kind::Call);
        call.is_some_and(|call| {
            let position = call.children().position(|part| part.contains(self)).unwrap_or_default();
            let called = call.child(0).and_then(|called| called.types().inner().or(Some(called.types())));
            called.is_some_and(|called| {
                let of = called.canonical(WIDE);
                of.is_variadic && position > of.arguments.len()
            })
        })
    }

    /// Whether it is a number without a sign, or one that is not negative.
    pub(crate) fn is_natural(self) -> bool {
        let has_sign = self.types().integer(WIDE).is_none_or(|integer| integer.signed);
        !has_sign || self.is_between(WIDE, 0, 0x7fff_ffff)
    }

    /// Whether it is an argument of 4 bytes that is not negative, in a register: compilers set its upper half to 0 there, although the psABI
    /// says nothing of it. What is on the stack has what was there before.
    pub(crate) fn is_zero_extended(self) -> bool {
        self.is_in_register() && self.is_natural()
    }

    /// Whether it is an argument of 4 bytes in a register.
    pub(crate) fn is_in_register(self) -> bool {
        let Some(call) = self.ancestors().find(|outer| outer.kind() == Kind::Call) else { return false };
        if self.types().integer(WIDE).is_none_or(|of| of.bits != 32) {
            return false;
        }
        // Those of x86-64 and of AArch64; what is no whole number or pointer has others.
        let registers = if self.tree().pair.sides[WIDE].name == "arm64" { 8 } else { 6 };
        let is_in_one =
            |part: &Self| part.types().is_pointer() || part.types().integer(WIDE).is_some() || part.types().inner().is_some();
        let before = call.children().skip(1).take_while(|part| !part.contains(self)).filter(is_in_one).count();
        before < registers
    }

    /// Whether the variable that it is gets another value between `value` and this place, whichever way the function takes.
    pub(crate) fn is_given_since(self, value: Self) -> bool {
        let Some(function) = self.function().filter(|_| matches!(self.kind(), Kind::DeclRef | Kind::Member)) else {
            return false;
        };
        let is_label = |part: &Self| matches!(part.kind(), Kind::Case | Kind::Default | Kind::Label);
        function.descendants().take_while(|part| part.precedes(self)).any(|part| {
            let gives = part.kind() == Kind::Binary
                && part.operator() == binary::ASSIGN
                && value.precedes(part)
                && !part.contains(self)
                && part.child(0).is_some_and(|left| left.same(self));
            // Nobody gets past it to a place in the same block.
            let block = part.ancestors().find(|outer| outer.kind() == Kind::Compound).filter(|_| gives);
            block.is_some_and(|block| {
                let between = |inner: &Self| part.precedes(*inner) && inner.precedes(self);
                let is_statement = part
                    .ancestors()
                    .take_while(|outer| block.contains(*outer) && !outer.is(block))
                    .all(|outer| outer.is_wrapping());
                is_statement && block.contains(self) && !block.children().any(|inner| between(&inner) && is_label(&inner))
            })
        })
    }

    /// Whether a function has this variable or parameter for itself.
    pub(crate) fn declares(self, of: &Declaration) -> bool {
        let is_it = |part: Self| part.declaration().is_some_and(|other| std::ptr::eq(other, of));
        self.descendants().any(|part| matches!(part.kind(), Kind::Variable | Kind::Parameter) && is_it(part))
    }

    /// Where it is an argument of a function of which this file has the body: that function, and the parameter that gets it.
    pub(crate) fn parameter(self) -> Option<(Self, &'a Declaration)> {
        let call = self.outer().filter(|outer| outer.kind() == Kind::Call)?;
        let (name, arguments) = call.call()?;
        let position = arguments.iter().position(|argument| argument.contains(self))?;
        let is_body = |node: &Self| node.declaration().is_some_and(|function| function.name == name) && node.body().is_some();
        let mut bodies = self.tree().functions().filter(is_body);
        // Of two with one name it is not known which.
        let body = bodies.next().filter(|_| !name.is_empty() && bodies.next().is_none())?;
        let parameter = body.children().filter(|part| part.kind() == Kind::Parameter).nth(position)?;
        Some((body, parameter.declaration()?))
    }

    /// Whether what the variable that it is was given last, before this place in the function, is so.
    pub(crate) fn was_given(self, is_so: impl Fn(Self) -> bool) -> bool {
        self.last_given().is_some_and(is_so)
    }

    /// What the variable that it is was given last, before this place in the function.
    pub(crate) fn last_given(self) -> Option<Self> {
        let variable = self.strip_casts();
        let function = self.function().filter(|_| variable.kind() == Kind::DeclRef)?;
        let given = function.descendants().take_while(|part| part.precedes(self)).filter_map(|part| match part.kind() {
            Kind::Binary if part.operator() == binary::ASSIGN && part.child(0)?.same(variable) => part.child(1),
            Kind::Variable if std::ptr::eq(part.declaration()?, variable.declaration()?) => {
                part.children().find(|of| of.is_expression())
            }
            _ => None,
        });
        given.last().map(Self::strip)
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
                    // What it returns.
                    Some(0) if name == "__builtin_expect" => outer.destination(),
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

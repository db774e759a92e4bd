//! Which values an expression can have, as far as that can be read off it.

use crate::ast::kind::{Kind, binary, unary};
use crate::pair::WIDE;
use crate::tree::Expression;

/// The smallest value and the largest.
pub(crate) type Range = [i128; 2];

/// What some functions of the C library return.
const RESULTS: [(&str, Range); 14] = [
    ("getc", [-1, 255]),
    ("_IO_getc", [-1, 255]),
    ("fgetc", [-1, 255]),
    ("getchar", [-1, 255]),
    ("getopt", [-1, 255]),
    ("toupper", [-128, 255]),
    ("tolower", [-128, 255]),
    ("htons", [0, 0xffff]),
    ("ntohs", [0, 0xffff]),
    ("random", [0, 0x7fff_ffff]),
    ("rand", [0, 0x7fff_ffff]),
    ("lrand48", [0, 0x7fff_ffff]),
    ("sysconf", [-1, 0x7fff_ffff]),
    ("getpagesize", [0, 0x0100_0000]),
];

fn is_within(inner: Range, outer: Range) -> bool {
    inner[0] >= outer[0] && inner[1] <= outer[1]
}

fn union(a: Range, b: Range) -> Range {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// The range of what comes out where both operands are at an end of theirs.
fn corners(a: Range, b: Range, of: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
    let all = [of(a[0], b[0])?, of(a[0], b[1])?, of(a[1], b[0])?, of(a[1], b[1])?];
    Some([all.into_iter().min()?, all.into_iter().max()?])
}

/// The largest number that has as many bits.
fn ones(most: i128) -> i128 {
    (1_i128 << (128 - most.leading_zeros()).min(126)) - 1
}

/// Whether it is the variable, or the same member of whatever.
fn is_one(part: Expression<'_>, variable: Expression<'_>) -> bool {
    let part = part.strip_casts();
    let declared = || part.declaration().zip(variable.declaration()).is_some_and(|(of, it)| std::ptr::eq(of, it));
    part.kind() == variable.kind() && matches!(part.kind(), Kind::DeclRef | Kind::Member) && declared()
}

impl Expression<'_> {
    /// Its values on one side, where it is a whole number.
    pub(crate) fn range(self, side: usize) -> Option<Range> {
        let whole = self.types().integer(side)?.range();
        if let Some(value) = self.value(side) {
            return Some([value, value]);
        }
        Some(self.computed(side).filter(|range| is_within(*range, whole)).unwrap_or(whole))
    }

    /// Whether the operation may give more than its type can hold.
    pub(crate) fn may_overflow(self, side: usize) -> bool {
        let Some(integer) = self.types().integer(side) else { return false };
        self.computed(side).is_none_or(|range| !is_within(range, integer.range()))
    }

    /// Whether all its values are between these.
    pub(crate) fn is_between(self, side: usize, least: i128, most: i128) -> bool {
        self.range(side).is_some_and(|range| is_within(range, [least, most]))
    }

    /// What would come out if types had no end.
    fn computed(self, side: usize) -> Option<Range> {
        match self.kind() {
            Kind::Paren => self.only_child()?.range(side),
            Kind::Unary => {
                let [least, most] = self.only_child()?.range(side)?;
                match self.operator() {
                    unary::LOGICAL_NOT => Some([0, 1]),
                    unary::MINUS => Some([most.checked_neg()?, least.checked_neg()?]),
                    unary::NOT => Some([!most, !least]),
                    unary::PLUS => Some([least, most]),
                    _ => None,
                }
            }
            Kind::Binary => self.operated(side),
            Kind::Conditional => Some(union(self.child(1)?.range(side)?, self.child(2)?.range(side)?)),
            Kind::DeclRef => self.bounded(side),
            Kind::Subscript => self.character(side),
            Kind::Member => {
                let bits = u32::try_from(self.declaration()?.bits?).ok().filter(|bits| *bits > 0)?;
                let integer = self.types().integer(side)?;
                Some(crate::tree::Integer { bits, ..integer }.range())
            }
            Kind::Call => {
                let (name, _) = self.call()?;
                RESULTS.iter().find(|(known, _)| *known == name).map(|(_, range)| *range)
            }
            _ => self.converted()?.range(side),
        }
    }

    fn operated(self, side: usize) -> Option<Range> {
        let operator = self.operator();
        if (binary::LT..=binary::NE).contains(&operator) || matches!(operator, binary::LOGICAL_AND | binary::LOGICAL_OR) {
            return Some([0, 1]);
        }
        let (left, right) = (self.child(0)?.range(side)?, self.child(1)?.range(side)?);
        match operator {
            binary::ADD => corners(left, right, i128::checked_add),
            binary::SUB => corners(left, right, i128::checked_sub),
            binary::MUL => corners(left, right, i128::checked_mul),
            binary::DIV if right[0] > 0 => corners(left, right, i128::checked_div),
            binary::REM if right[0] > 0 => Some([left[0].min(0).max(1 - right[1]), left[1].max(0).min(right[1] - 1)]),
            binary::AND if left[0] >= 0 && right[0] >= 0 => Some([0, left[1].min(right[1])]),
            binary::AND if right[0] >= 0 => Some([0, right[1]]),
            binary::AND if left[0] >= 0 => Some([0, left[1]]),
            binary::OR | binary::XOR if left[0] >= 0 && right[0] >= 0 => Some([0, ones(left[1].max(right[1]))]),
            // A count below 0 is an error on both sides.
            binary::SHL if right[1] < 64 => {
                corners(left, [right[0].max(0), right[1].max(0)], |value, count| value.checked_mul(1 << count))
            }
            binary::SHR if right[0] >= 0 => corners(left, right, |value, count| Some(value >> count.min(126))),
            binary::ASSIGN | binary::COMMA => Some(right),
            _ => None,
        }
    }

    /// What the conditions around it say of a variable.
    fn bounded(self, side: usize) -> Option<Range> {
        let mut range = self.types().integer(side)?.range();
        let whole = range;
        for outer in self.ancestors().take_while(|outer| !outer.kind().is_function()) {
            let conditions: Vec<Self> = match outer.kind() {
                Kind::If | Kind::Conditional if outer.child(1).is_some_and(|then| then.contains(self)) => {
                    outer.child(0).into_iter().collect()
                }
                Kind::While => outer.child(0).into_iter().collect(),
                Kind::For => outer.children().filter(|part| !part.contains(self) && part.is_expression()).collect(),
                _ => continue,
            };
            for condition in &conditions {
                condition.limits(self, side, &mut range);
            }
            // A loop that counts begins somewhere.
            let first = outer.child(0).filter(|first| outer.kind() == Kind::For && !first.contains(self));
            let given = first.and_then(|first| Some((first, first.given(self)?.value(side)?)));
            if let Some((begin, first)) = given {
                if range[1] < whole[1] || outer.only_counts_up(self, begin) {
                    range[0] = range[0].max(first);
                } else if range[0] > whole[0] {
                    range[1] = range[1].min(first);
                }
            }
        }
        (range != whole && range[0] <= range[1]).then_some(range)
    }

    /// Whether nothing but its beginning gives `variable` a value in this loop, which only adds to it.
    fn only_counts_up(self, variable: Self, begin: Self) -> bool {
        let is_it = |part: Self| part.child(0).is_some_and(|of| of.same(variable));
        let is_unary = |part: Self, operators: [u8; 2]| part.kind() == Kind::Unary && operators.contains(&part.operator());
        let adds = |part: Self| is_unary(part, [unary::PRE_INCREMENT, unary::POST_INCREMENT]) && is_it(part);
        let gives = |part: Self| match (part.kind(), part.operator()) {
            (Kind::Unary, unary::PRE_DECREMENT | unary::POST_DECREMENT | unary::ADDRESS_OF) => is_it(part),
            (Kind::Binary, binary::ASSIGN) => !begin.contains(part) && is_it(part),
            (Kind::CompoundAssign, _) => is_it(part),
            _ => false,
        };
        self.children().any(adds) && !self.descendants().any(gives)
    }

    /// Narrows `range` to the values of `variable` with which this condition holds.
    fn limits(self, variable: Self, side: usize, range: &mut Range) {
        let condition = self.strip();
        let (Kind::Binary, Some(left), Some(right)) = (condition.kind(), condition.child(0), condition.child(1)) else { return };
        if condition.operator() == binary::LOGICAL_AND {
            left.limits(variable, side, range);
            right.limits(variable, side, range);
            return;
        }
        let (operator, limit) = if left.same(variable) {
            (condition.operator(), right.value(side))
        } else if right.same(variable) {
            let turned = match condition.operator() {
                binary::LT => binary::GT,
                binary::LE => binary::GE,
                binary::GT => binary::LT,
                binary::GE => binary::LE,
                other => other,
            };
            (turned, left.value(side))
        } else {
            return;
        };
        let Some(limit) = limit else { return };
        match operator {
            binary::LT => range[1] = range[1].min(limit - 1),
            binary::LE => range[1] = range[1].min(limit),
            binary::GT => range[0] = range[0].max(limit + 1),
            binary::GE => range[0] = range[0].max(limit),
            binary::EQ => *range = [limit, limit],
            _ => {}
        }
    }

    /// What is given to `variable` here: `i = 0`, `int i = 0`.
    fn given(self, variable: Self) -> Option<Self> {
        let declared = |of: Self| match (of.declaration(), variable.declaration()) {
            (Some(a), Some(b)) => std::ptr::eq(a, b),
            _ => false,
        };
        std::iter::once(self).chain(self.descendants()).find_map(|part| match part.kind() {
            Kind::Binary if part.operator() == binary::ASSIGN && part.child(0)?.same(variable) => part.child(1),
            Kind::Variable if declared(part) => part.children().find(|initial| initial.is_expression()),
            _ => None,
        })
    }

    /// Its values on one side, as far as the whole function shows them: those of a local variable are those of all that it is given.
    pub(crate) fn held(self, side: usize) -> Option<Range> {
        let whole = self.types().integer(side)?.range();
        if self.value(side).is_none() {
            let within = match self.kind() {
                Kind::DeclRef => self.gifts(side),
                Kind::Paren => self.only_child()?.held(side),
                Kind::Binary if self.operator() == binary::ASSIGN => self.child(1)?.range(side),
                _ => self.converted().and_then(|inner| inner.held(side)),
            };
            if let Some(range) = within.filter(|range| is_within(*range, whole)) {
                return Some(range);
            }
        }
        self.range(side)
    }

    /// The character that `"text"[0]` is.
    fn character(self, side: usize) -> Option<Range> {
        let text = self.child(0)?.strip_casts().texts()?[side].as_bytes();
        let at = usize::try_from(self.child(1)?.value(side)?).ok()?;
        // Where a character is written in another way, those behind it are elsewhere.
        let is_plain = text.iter().take(at + 1).all(|byte| byte.is_ascii() && *byte != b'\\');
        let character = i128::from(*text.get(at).filter(|_| is_plain)?);
        Some([character, character])
    }

    /// What the function gives the local variable that it is; nothing, where somebody else may, or where it counts.
    fn gifts(self, side: usize) -> Option<Range> {
        let (declaration, function) = (self.declaration()?, self.function()?);
        let (mut given, mut added) = (None, None);
        let mut is_local = false;
        let either = |a: Option<Range>, b: Range| Some(a.map_or(b, |a| union(a, b)));
        for part in function.descendants() {
            if !part.declaration().is_some_and(|other| std::ptr::eq(other, declaration)) {
                continue;
            }
            let outer = part.ancestors().find(|outer| outer.kind() != Kind::Paren)?;
            let is_left = outer.child(0).is_some_and(|left| left.contains(part));
            match (part.kind(), outer.kind(), outer.operator()) {
                (Kind::Variable, ..) => {
                    is_local = true;
                    if let Some(initial) = part.children().find(|initial| initial.is_expression()) {
                        given = either(given, initial.range(side)?);
                    }
                }
                (Kind::DeclRef, Kind::Unexposed, _) => {}
                (Kind::DeclRef, Kind::Binary, binary::ASSIGN) if is_left => given = either(given, outer.child(1)?.range(side)?),
                (Kind::DeclRef, Kind::CompoundAssign, binary::OR_ASSIGN) if is_left => {
                    added = either(added, outer.child(1)?.range(side)?);
                }
                _ => return None,
            }
        }
        match (given.filter(|_| is_local)?, added) {
            (given, None) => Some(given),
            (given, Some(added)) if given[0] >= 0 && added[0] >= 0 => Some([0, ones(given[1].max(added[1]))]),
            _ => None,
        }
    }

    /// Whether somebody has seen to it that it is less than 0 at times: it is a difference, or the variable that it is is given one, or is
    /// compared with 0 or less.
    pub(crate) fn is_negative_at_times(self) -> bool {
        let value = self.strip_casts();
        value.gives_negative() || value.tree().nodes().any(|part| part.shows_negative(value))
    }

    /// Whether what it computes is below 0 at times.
    fn gives_negative(self) -> bool {
        let value = self.strip_casts();
        let part = |at: usize| value.child(at).is_some_and(Self::gives_negative);
        match (value.kind(), value.operator()) {
            (Kind::Unary, unary::MINUS | unary::NOT) => true,
            (Kind::Unary, unary::PLUS) => part(0),
            // One less of what is counted is where the last of it is.
            (Kind::Binary, binary::SUB) => value.child(1).is_some_and(|less| less.value(WIDE).is_none()),
            (Kind::Binary, binary::ADD | binary::MUL | binary::DIV) => part(0) || part(1),
            (Kind::Binary, binary::ASSIGN | binary::COMMA) => part(1),
            (Kind::Conditional, _) => part(1) || part(2),
            (Kind::Binary, _) => false,
            _ => value.value(WIDE).is_some_and(|number| number < 0),
        }
    }

    /// Whether this is where somebody gives `variable` what may be below 0, or asks whether it is.
    fn shows_negative(self, variable: Self) -> bool {
        let is_it = |at: usize| self.child(at).is_some_and(|part| is_one(part, variable));
        let other = |at: usize| self.child(at).and_then(|part| part.value(WIDE));
        match (self.kind(), self.operator()) {
            (Kind::Variable, _) => {
                let is_declared = self.declaration().zip(variable.declaration()).is_some_and(|(of, it)| std::ptr::eq(of, it));
                is_declared && self.children().any(|initial| initial.is_expression() && initial.gives_negative())
            }
            (Kind::Unary, unary::MINUS) => is_it(0),
            (Kind::Binary, binary::ASSIGN) => is_it(0) && self.child(1).is_some_and(Self::gives_negative),
            (Kind::CompoundAssign, binary::SUB_ASSIGN) => is_it(0),
            (Kind::Binary, binary::LT | binary::GE) => {
                is_it(0) && other(1).is_some_and(|limit| limit <= 0) || is_it(1) && other(0).is_some_and(|limit| limit < 0)
            }
            (Kind::Binary, binary::GT | binary::LE) => {
                is_it(1) && other(0).is_some_and(|limit| limit <= 0) || is_it(0) && other(1).is_some_and(|limit| limit < 0)
            }
            (Kind::Binary, binary::EQ | binary::NE) => {
                is_it(0) && other(1).is_some_and(|limit| limit < 0) || is_it(1) && other(0).is_some_and(|limit| limit < 0)
            }
            _ => false,
        }
    }

    /// Whether it calls a function that this file has the body of, and that returns nothing but values of types that have all theirs between
    /// these.
    pub(crate) fn returns_between(self, side: usize, least: i128, most: i128) -> bool {
        let call = self.strip_casts();
        let Some(called) = call.declaration().filter(|_| call.kind() == Kind::Call) else { return false };
        let is_body = |node: &Self| node.declaration().is_some_and(|of| std::ptr::eq(of, called)) && node.body().is_some();
        // What another class has in its place may return something else.
        let is_replaced = || {
            call.tree().units[side]
                .declarations
                .iter()
                .any(|of| of.overrides.iter().any(|base| std::ptr::eq(call.tree().units[side].declaration(*base), called)))
        };
        let Some(body) = call.tree().functions().find(is_body).filter(|_| !is_replaced()) else { return false };
        let mut returned =
            body.descendants().filter(|part| part.kind() == Kind::Return).filter_map(|part| part.child(0)).peekable();
        let fits = |value: Self| {
            let inner = value.strip_casts();
            let range = inner.value(side).map(|value| [value, value]).or_else(|| Some(inner.types().integer(side)?.range()));
            range.is_some_and(|range| is_within(range, [least, most]))
        };
        returned.peek().is_some() && returned.all(fits)
    }

    /// Whether it is compared with a limit of less than 32 bits before it is used here.
    pub(crate) fn is_checked(self) -> bool {
        let Some(function) = self.function() else { return false };
        let value = self.strip_casts();
        if !matches!(value.kind(), Kind::DeclRef | Kind::Member) {
            return false;
        }
        function.descendants().take_while(|part| part.precedes(self)).any(|part| {
            let compares = part.kind() == Kind::Binary && (binary::LT..=binary::GE).contains(&part.operator());
            let (Some(left), Some(right)) = (part.child(0), part.child(1)) else { return false };
            let is_limit = |of: Self| {
                of.value(WIDE).map_or_else(
                    || of.strip_casts().types().integer(WIDE).is_some_and(|integer| integer.bits <= 32),
                    |limit| (2..=0xffff_ffff).contains(&limit),
                )
            };
            compares && (left.strip_casts().same(value) && is_limit(right) || right.strip_casts().same(value) && is_limit(left))
        })
    }
}

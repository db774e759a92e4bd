//! The two trees of one file, laid on each other: every node is what it is for 32 bits and for 64.

use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::ast::{Children, Declaration, DeclarationId, Place, Type, TypeId, Unit, Value};
use crate::carried::Carried;
use crate::dead::Dead;
use crate::pair::{NARROW, Pair, WIDE};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// A node of both trees.
#[derive(Debug)]
struct Both {
    kind: Kind,
    /// Those that it comes from; where only one compiler converts something, only one.
    nodes: [Option<u32>; 2],
    types: [TypeId; 2],
    parent: u32,
    /// The node after all that is in this one.
    next: u32,
}

/// Both trees of a file.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(crate) pair: Pair,
    pub(crate) units: [&'a Unit; 2],
    /// Whether it is known how the file is compiled: what `#if HAVE_UNISTD_H` asks for.
    pub(crate) is_configured: bool,
    /// Whether it is most likely a file of another system, or not built at all.
    pub(crate) is_foreign: bool,
    nodes: Vec<Both>,
    /// Those that are casts which somebody has written.
    casts: Vec<u32>,
    calls: Vec<u32>,
    functions: Vec<u32>,
    /// Where each declaration is named, by its address.
    names: OnceLock<HashMap<usize, Vec<u32>>>,
    carried: OnceLock<Carried>,
    dead: [OnceLock<Dead>; 2],
    /// Whether one of the casts cuts a pointer for sure, when P001 has asked that.
    pub(crate) cuts: OnceLock<bool>,
}

const ROOT: u32 = u32::MAX;

impl<'a> Tree<'a> {
    /// Lays them on each other. What is only in one of them, as after an `#if`, is left out.
    pub(crate) fn new(pair: Pair, units: [&'a Unit; 2], is_configured: bool) -> Self {
        let mut tree = Self {
            pair,
            units,
            is_configured,
            is_foreign: false,
            nodes: Vec::new(),
            casts: Vec::new(),
            calls: Vec::new(),
            functions: Vec::new(),
            names: OnceLock::new(),
            carried: OnceLock::new(),
            dead: Default::default(),
            cuts: OnceLock::new(),
        };
        tree.is_foreign = tree.seems_foreign();
        tree.merge_lists(units.map(Unit::top), ROOT);
        tree
    }

    fn merge_lists(&mut self, [narrow, wide]: [Children<'a>; 2], parent: u32) {
        if narrow.clone().count() == wide.clone().count() {
            for (narrow, wide) in narrow.zip(wide) {
                self.merge(narrow, wide, parent);
            }
            return;
        }
        // Something is only for one: go on where both are at the same place.
        let units = self.units;
        let start = |side: usize, node: u32| {
            let node = &units[side].nodes[node as usize];
            (units[side].file(node.place.file), node.place.start, node.kind)
        };
        let mut rest = wide;
        for node in narrow {
            let mut wide = rest.clone();
            if let Some(other) = wide.find(|other| start(WIDE, *other) == start(NARROW, node)) {
                self.merge(node, other, parent);
                rest = wide;
            }
        }
    }

    fn merge(&mut self, narrow: u32, wide: u32, parent: u32) {
        let [narrow_unit, wide_unit] = self.units;
        let both = [&narrow_unit.nodes[narrow as usize], &wide_unit.nodes[wide as usize]];
        let types = both.map(|node| node.type_id);
        let at = u32::try_from(self.nodes.len()).unwrap_or(ROOT);
        let same = both[NARROW].kind == both[WIDE].kind;
        let inner = if same { [None; 2] } else { [self.implicit(NARROW, narrow), self.implicit(WIDE, wide)] };
        let (kind, nodes) = match inner {
            _ if same => (both[NARROW].kind, [Some(narrow), Some(wide)]),
            [Some(_), None] => (Kind::Unexposed, [Some(narrow), None]),
            [None, Some(_)] => (Kind::Unexposed, [None, Some(wide)]),
            _ => return,
        };
        match kind {
            Kind::Call => self.calls.push(at),
            kind if kind.is_function() => self.functions.push(at),
            kind if kind.is_explicit_cast() => self.casts.push(at),
            _ => {}
        }
        self.nodes.push(Both { kind, nodes, types, parent, next: 0 });
        match inner {
            [None, None] => self.merge_lists([narrow_unit.children(narrow), wide_unit.children(wide)], at),
            [below, other] => self.merge(below.unwrap_or(narrow), other.unwrap_or(wide), at),
        }
        self.nodes[at as usize].next = u32::try_from(self.nodes.len()).unwrap_or(ROOT);
    }

    /// What an implicit conversion converts.
    fn implicit(&self, side: usize, node: u32) -> Option<u32> {
        let unit = self.units[side];
        let mut below = unit.children(node);
        match (unit.nodes[node as usize].kind, below.next(), below.next()) {
            (Kind::Unexposed, Some(inner), None) => Some(inner),
            _ => None,
        }
    }

    /// All nodes, parents first.
    pub(crate) fn nodes(&'a self) -> impl Iterator<Item = Expression<'a>> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(ROOT)).map(move |at| Expression { tree: self, at })
    }

    /// Where a variable or function is named.
    pub(crate) fn named(&'a self, of: &Declaration) -> impl Iterator<Item = Expression<'a>> {
        let address = |of: &Declaration| std::ptr::from_ref(of).addr();
        let names = self.names.get_or_init(|| {
            let mut names: HashMap<usize, Vec<u32>> = HashMap::new();
            for node in self.nodes().filter(|node| matches!(node.kind(), Kind::DeclRef | Kind::Member)) {
                if let Some(of) = node.declaration() {
                    names.entry(address(of)).or_default().push(node.at);
                }
            }
            names
        });
        names.get(&address(of)).into_iter().flatten().map(move |&at| Expression { tree: self, at })
    }

    /// The casts that somebody has written, parents first.
    pub(crate) fn casts(&'a self) -> impl Iterator<Item = Expression<'a>> {
        self.casts.iter().map(move |&at| Expression { tree: self, at })
    }

    /// What the casts say of pointers that carry numbers.
    pub(crate) fn carried(&self) -> &Carried {
        self.carried.get_or_init(|| Carried::new(self))
    }

    /// What one side never reaches.
    pub(crate) fn dead(&self, side: usize) -> &Dead {
        self.dead[side].get_or_init(|| Dead::new(self, side))
    }

    /// The calls, parents first.
    pub(crate) fn calls(&'a self) -> impl Iterator<Item = Expression<'a>> {
        self.calls.iter().map(move |&at| Expression { tree: self, at })
    }

    /// Where functions are declared and defined.
    pub(crate) fn functions(&'a self) -> impl Iterator<Item = Expression<'a>> {
        self.functions.iter().map(move |&at| Expression { tree: self, at })
    }
}

/// A node of both trees: an expression, a statement, a declaration.
#[derive(Clone, Copy)]
pub(crate) struct Expression<'a> {
    tree: &'a Tree<'a>,
    at: u32,
}

impl<'a> Expression<'a> {
    fn both(self) -> &'a Both {
        &self.tree.nodes[self.at as usize]
    }

    /// What it is.
    pub(crate) fn kind(self) -> Kind {
        self.both().kind
    }

    /// The trees that it is part of.
    pub(crate) fn tree(self) -> &'a Tree<'a> {
        self.tree
    }

    fn node(self, side: usize) -> Option<&'a crate::ast::Node> {
        self.both().nodes[side].map(|node| &self.tree.units[side].nodes[node as usize])
    }

    fn any(self) -> (usize, &'a crate::ast::Node) {
        match (self.node(WIDE), self.node(NARROW)) {
            (Some(node), _) => (WIDE, node),
            (None, Some(node)) => (NARROW, node),
            (None, None) => unreachable!("a node comes from one of the trees"),
        }
    }

    /// Its types.
    pub(crate) fn types(self) -> Types<'a> {
        Types { tree: self.tree, ids: self.both().types }
    }

    /// Where it is; the numbers of files are those of [`Expression::unit`].
    pub(crate) fn place(self) -> Place {
        self.placed().any().1.place
    }

    /// The one whose places [`Expression::place`] speaks of.
    pub(crate) fn unit(self) -> &'a Unit {
        self.tree.units[self.placed().any().0]
    }

    /// That whose place it has: a conversion that is for 32 bits alone, of which the worker does not say that, is where that is which is
    /// converted.
    fn placed(self) -> Self {
        let mut placed = self;
        while placed.both().nodes[WIDE].is_none() {
            let Some(inner) = placed.child(0) else { break };
            placed = inner;
        }
        placed
    }

    /// CXBinaryOperatorKind or CXUnaryOperatorKind.
    pub(crate) fn operator(self) -> u8 {
        self.any().1.operator
    }

    /// Where it is among [`Tree::nodes`].
    pub(crate) fn index(self) -> usize {
        self.at as usize
    }

    /// Where it and all that is in it are among [`Tree::nodes`].
    pub(crate) fn indices(self) -> Range<usize> {
        self.at as usize..self.both().next as usize
    }

    /// What is around it.
    pub(crate) fn parent(self) -> Option<Self> {
        let parent = self.both().parent;
        (parent != ROOT).then_some(Self { tree: self.tree, at: parent })
    }

    /// What is around it and is more than parentheses and conversions that nobody has written.
    pub(crate) fn outer(self) -> Option<Self> {
        let mut outer = self.parent()?;
        while outer.is_wrapping() {
            outer = outer.parent()?;
        }
        Some(outer)
    }

    pub(crate) fn is_wrapping(self) -> bool {
        matches!(self.kind(), Kind::Unexposed | Kind::Paren)
    }

    /// What is around it, the nearest first.
    pub(crate) fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |inner| inner.parent())
    }

    /// The function that it is in.
    pub(crate) fn function(self) -> Option<Self> {
        self.ancestors().find(|outer| outer.kind().is_function() || outer.kind() == Kind::FunctionTemplate)
    }

    /// Whether it is the same node.
    pub(crate) fn is(self, other: Self) -> bool {
        self.at == other.at
    }

    /// Whether `other` is in it, or is it.
    pub(crate) fn contains(self, other: Self) -> bool {
        (self.at..self.both().next).contains(&other.at)
    }

    /// Whether it begins before `other`.
    pub(crate) fn precedes(self, other: Self) -> bool {
        self.at < other.at
    }

    /// Whether they name the same object, or are computed of the same objects in the same way.
    pub(crate) fn same(self, other: Self) -> bool {
        let (a, b) = (self.strip(), other.strip());
        let declared = match (a.declaration(), b.declaration()) {
            (Some(a), Some(b)) => std::ptr::eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let parts = |of: Self| of.children().filter(|part| part.is_expression());
        let equal = a.kind() == b.kind() && a.operator() == b.operator() && a.kind() != Kind::Call && declared;
        equal
            && a.value(WIDE) == b.value(WIDE)
            && parts(a).count() == parts(b).count()
            && parts(a).zip(parts(b)).all(|(a, b)| a.same(b))
    }

    /// Whether somebody has written the conversion that it is.
    pub(crate) fn is_written(self) -> bool {
        // In C++ a cast has what it does below it, as a conversion that nobody has written.
        self.kind().is_explicit_cast()
            || self.parent().is_some_and(|outer| outer.kind().is_explicit_cast() && outer.types().ids == self.types().ids)
    }

    /// Whether it is `&object`.
    pub(crate) fn takes_address(self) -> bool {
        self.kind() == Kind::Unary && self.operator() == unary::ADDRESS_OF
    }

    /// Whether it is `++n` or `n--`.
    pub(crate) fn is_step(self) -> bool {
        self.kind() == Kind::Unary && (unary::POST_INCREMENT..=unary::PRE_DECREMENT).contains(&self.operator())
    }

    /// The object whose address it is, by way of casts.
    pub(crate) fn addressed(self) -> Option<Self> {
        let address = self.strip_casts();
        let is_address = address.takes_address();
        address.child(0).filter(|_| is_address).map(Self::strip)
    }

    /// What a pointer leads to, where that is followed at once.
    pub(crate) fn followed(self) -> Option<Self> {
        self.outer().filter(|outer| outer.kind() == Kind::Unary && outer.operator() == unary::DEREFERENCE)
    }

    /// What has the element whose address it is, and the index: of `&array[index]` and `array + index`, by way of casts.
    pub(crate) fn element(self) -> Option<(Self, Self)> {
        let sum = || Some(self.strip_casts()).filter(|sum| sum.kind() == Kind::Binary && sum.operator() == binary::ADD);
        let element = self.addressed().filter(|element| element.kind() == Kind::Subscript).or_else(sum)?;
        Some((element.child(0)?.strip(), element.child(1)?.strip()))
    }

    /// The same of an array, of which the length is known.
    pub(crate) fn array_element(self) -> Option<(Self, Self)> {
        self.element().filter(|(array, _)| array.types().is(TypeKind::ConstantArray))
    }

    /// Whether it is `sizeof` of something that is as large as this type for 64 bits.
    pub(crate) fn is_size_of(self, of: Types<'_>) -> bool {
        self.kind() == Kind::SizeOf && self.value(WIDE) == of.size(WIDE).map(i128::from)
    }

    /// Whether it is in the operand of `sizeof`, of which only the type matters: assert(3) has what it asks there as well.
    pub(crate) fn is_measured(self) -> bool {
        self.ancestors().take_while(|outer| outer.is_expression()).any(|outer| outer.kind() == Kind::SizeOf)
    }

    /// Whether it is a loop of C, which goes round: `do { … } while (0)` is a block. What C++ goes through with `for (x : all)` is apart.
    pub(crate) fn is_loop(self) -> bool {
        match self.kind() {
            Kind::For | Kind::While => true,
            Kind::Do => self.children().last().is_none_or(|asked| asked.value(WIDE) != Some(0)),
            _ => false,
        }
    }

    /// The body of a function that is defined here.
    pub(crate) fn body(self) -> Option<Self> {
        self.children().find(|part| part.kind() == Kind::Compound)
    }

    /// What is directly in it.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let here = at;
            (here < self.both().next).then(|| {
                at = self.tree.nodes[here as usize].next;
                Self { tree: self.tree, at: here }
            })
        })
    }

    /// The child at this position.
    pub(crate) fn child(self, position: usize) -> Option<Self> {
        self.children().nth(position)
    }

    /// All that is in it, parents first.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> {
        (self.at + 1..self.both().next).map(move |at| Self { tree: self.tree, at })
    }

    /// What is in parentheses, and in conversions that nobody has written.
    pub(crate) fn strip(self) -> Self {
        let mut inner = self;
        while inner.is_wrapping() {
            let Some(only) = inner.only_child() else { break };
            inner = only;
        }
        inner
    }

    /// The same, and without conversions that somebody has written.
    pub(crate) fn strip_casts(self) -> Self {
        let mut inner = self.strip();
        while let Some(converted) = inner.converted().filter(|_| inner.kind().is_explicit_cast()) {
            inner = converted.strip();
        }
        inner
    }

    /// What it is made of, where that is one thing.
    pub(crate) fn only_child(self) -> Option<Self> {
        let mut children = self.children().filter(|child| child.is_expression());
        let only = children.next()?;
        children.next().is_none().then_some(only)
    }

    /// Whether it has a value.
    pub(crate) fn is_expression(self) -> bool {
        self.kind() >= Kind::Unexposed && self.kind() < Kind::UnexposedStatement
            || self.kind() == Kind::Other && self.types().ids[WIDE].0 != 0
    }

    /// What is converted, where it is a conversion, written or not.
    pub(crate) fn converted(self) -> Option<Self> {
        if self.kind() == Kind::Unexposed || self.kind().is_explicit_cast() {
            // A cast also refers to the type that it names.
            self.only_child()
        } else {
            None
        }
    }

    /// What it declares or refers to, for 64 bits.
    pub(crate) fn declaration(self) -> Option<&'a Declaration> {
        let (side, node) = self.any();
        (node.declaration != DeclarationId(0)).then(|| self.tree.units[side].declaration(node.declaration))
    }

    /// Its number among the declarations for 64 bits.
    pub(crate) fn declaration_id(self) -> Option<DeclarationId> {
        self.node(WIDE).map(|node| node.declaration).filter(|id| *id != DeclarationId(0))
    }

    /// The same, on both sides.
    pub(crate) fn declarations(self) -> Option<[&'a Declaration; 2]> {
        let of = |side: usize| {
            let node = self.node(side)?;
            (node.declaration != DeclarationId(0)).then(|| self.tree.units[side].declaration(node.declaration))
        };
        Some([of(NARROW)?, of(WIDE)?])
    }

    /// The text of a string literal, on both sides: macros as `PRIu64` differ.
    pub(crate) fn texts(self) -> Option<[&'a str; 2]> {
        let of = |side: usize| match self.node(side)?.value.as_ref()? {
            Value::Text(text) => Some(text.as_str()),
            Value::Integer(_) => None,
        };
        Some([of(NARROW)?, of(WIDE)?])
    }

    /// What a call calls, by name, and its arguments.
    pub(crate) fn call(self) -> Option<(&'a str, Vec<Self>)> {
        if self.kind() != Kind::Call {
            return None;
        }
        let name = self.declaration().map_or("", |function| function.name.as_str());
        Some((name, self.children().skip(1).collect()))
    }

    /// The name that a call in a template has for what only the types tell that the template is made for.
    pub(crate) fn overloaded(self) -> Option<&'a str> {
        let callee = self.child(0).filter(|_| self.kind() == Kind::Call && self.declaration().is_none())?;
        let mut names = std::iter::once(callee).chain(callee.children()).filter(|part| part.kind() == Kind::OverloadedRef);
        names.find_map(Expression::texts).map(|[_, name]| name)
    }

    /// The value of an enumeration's constant that it names.
    fn enumerated(self, side: usize) -> Option<i128> {
        let declaration = self.tree.units[side].declaration(self.node(side)?.declaration);
        (declaration.kind == Kind::EnumConstant).then_some(declaration.value.into())
    }

    /// Its value on one side, where it is a constant: that of literals, enumerations, `sizeof`, and what is computed of them.
    pub(crate) fn value(self, side: usize) -> Option<i128> {
        let types = self.types();
        let fit = |value: i128| types.integer(side).map_or(Some(value), |integer| Some(integer.fit(value)));
        match self.kind() {
            // libclang says each of them with a sign.
            Kind::DeclRef if self.enumerated(side).is_some() => self.enumerated(side).and_then(fit),
            // What is named is a variable whose value the compiler knows, as `std::string::npos`.
            Kind::IntegerLiteral | Kind::CharacterLiteral | Kind::SizeOf | Kind::DeclRef | Kind::Member => {
                match self.node(side)?.value.as_ref()? {
                    Value::Integer(value) => fit(*value),
                    Value::Text(_) => None,
                }
            }
            Kind::Paren | Kind::Unexposed => self.only_child()?.value(side).and_then(fit),
            Kind::Conditional => {
                let chosen = if self.child(0)?.value(side)? == 0 { 2 } else { 1 };
                self.child(chosen)?.value(side).and_then(fit)
            }
            kind if kind.is_explicit_cast() => self.converted()?.value(side).and_then(fit),
            Kind::Unary => {
                let value = self.only_child()?.value(side)?;
                match self.operator() {
                    crate::ast::kind::unary::MINUS => fit(-value),
                    crate::ast::kind::unary::NOT => fit(!value),
                    crate::ast::kind::unary::PLUS => fit(value),
                    crate::ast::kind::unary::LOGICAL_NOT => Some(i128::from(value == 0)),
                    _ => None,
                }
            }
            Kind::Binary => {
                use crate::ast::kind::binary;
                let (left, right) = (self.child(0)?.value(side)?, self.child(1)?.value(side)?);
                let shift = u32::try_from(right).ok().filter(|shift| *shift < 64);
                fit(match self.operator() {
                    binary::ADD => left.checked_add(right)?,
                    binary::SUB => left.checked_sub(right)?,
                    binary::MUL => left.checked_mul(right)?,
                    binary::DIV => left.checked_div(right)?,
                    binary::REM => left.checked_rem(right)?,
                    binary::SHL => left.checked_shl(shift?)?,
                    binary::SHR => left.checked_shr(shift?)?,
                    binary::AND => left & right,
                    binary::OR => left | right,
                    binary::XOR => left ^ right,
                    binary::LT => i128::from(left < right),
                    binary::GT => i128::from(left > right),
                    binary::LE => i128::from(left <= right),
                    binary::GE => i128::from(left >= right),
                    binary::EQ => i128::from(left == right),
                    binary::NE => i128::from(left != right),
                    binary::LOGICAL_AND => i128::from(left != 0 && right != 0),
                    binary::LOGICAL_OR => i128::from(left != 0 || right != 0),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

/// How whole numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    /// How many bits.
    pub(crate) bits: u32,
    /// Whether they can be negative.
    pub(crate) signed: bool,
}

impl Integer {
    /// The value that is kept of `value`.
    pub(crate) fn fit(self, value: i128) -> i128 {
        if self.bits >= 127 {
            return value;
        }
        let shift = 128 - self.bits;
        if self.signed { value << shift >> shift } else { value & ((1 << self.bits) - 1) }
    }

    /// The smallest value and the largest.
    pub(crate) fn range(self) -> [i128; 2] {
        match (self.bits, self.signed) {
            (127.., _) => [i128::MIN, i128::MAX],
            (bits, true) => [-1 << (bits - 1), (1 << (bits - 1)) - 1],
            (bits, false) => [0, (1 << bits) - 1],
        }
    }
}

/// The types of something on both sides.
#[derive(Clone, Copy)]
pub(crate) struct Types<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) ids: [TypeId; 2],
}

impl<'a> Types<'a> {
    /// As it is written, for 64 bits.
    pub(crate) fn spelling(self) -> &'a str {
        &self.tree.units[WIDE].get_type(self.ids[WIDE]).spelling
    }

    /// Without typedefs, on one side.
    pub(crate) fn canonical(self, side: usize) -> &'a Type {
        self.tree.units[side].canonical(self.ids[side])
    }

    /// Bytes.
    pub(crate) fn size(self, side: usize) -> Option<u64> {
        self.canonical(side).size
    }

    /// Whether it is the same type, under whatever name.
    pub(crate) fn is_same(self, other: Self) -> bool {
        [NARROW, WIDE].into_iter().all(|side| std::ptr::eq(self.canonical(side), other.canonical(side)))
    }

    /// Its bits and sign, where it is a whole number.
    pub(crate) fn integer(self, side: usize) -> Option<Integer> {
        let of = self.canonical(side);
        if !of.kind.is_integer() {
            return None;
        }
        // None has no bits, except in a tree that is damaged.
        let bits = u32::try_from(of.size?).ok()?.checked_mul(8).filter(|bits| *bits > 0)?;
        let signed = match of.kind {
            TypeKind::Enum => {
                let unit = self.tree.units[side];
                unit.canonical(unit.declaration(of.declaration).underlying).kind.is_signed()
            }
            TypeKind::WChar => self.tree.pair.sides[side].name != "armhf" && self.tree.pair.sides[side].name != "arm64",
            kind => kind.is_signed(),
        };
        Some(Integer { bits, signed })
    }

    /// The same on both sides.
    pub(crate) fn integers(self) -> Option<[Integer; 2]> {
        Some([self.integer(NARROW)?, self.integer(WIDE)?])
    }

    /// Whether it is a pointer to data or a function.
    pub(crate) fn is_pointer(self) -> bool {
        [NARROW, WIDE].into_iter().all(|side| self.canonical(side).kind == TypeKind::Pointer)
    }

    /// Whether it is of this kind on both sides.
    pub(crate) fn is(self, kind: TypeKind) -> bool {
        [NARROW, WIDE].into_iter().all(|side| self.canonical(side).kind == kind)
    }

    /// What a pointer points to, an array is made of, a function returns.
    pub(crate) fn inner(self) -> Option<Self> {
        let ids = [NARROW, WIDE].map(|side| self.canonical(side).inner);
        ids.iter().all(|id| id.0 != 0).then_some(Self { tree: self.tree, ids })
    }

    /// What a pointer leads to, with the name by which it is written.
    pub(crate) fn pointee(self) -> Option<Self> {
        let of = |side: usize| Some(self.tree.units[side].get_type(self.ids[side])).filter(|of| of.kind == TypeKind::Pointer);
        Some(Self { ids: [of(NARROW)?.inner, of(WIDE)?.inner], ..self })
    }

    /// Those of a function's parameters.
    pub(crate) fn arguments(self) -> impl Iterator<Item = Self> {
        let [narrow, wide] = [NARROW, WIDE].map(|side| self.canonical(side).arguments.iter());
        narrow.zip(wide).map(move |(narrow, wide)| Self { tree: self.tree, ids: [*narrow, *wide] })
    }

    /// Whether it is a whole number of 4 bytes that becomes one of 8.
    pub(crate) fn grows(self) -> bool {
        self.integers().is_some_and(|[narrow, wide]| narrow.bits < wide.bits)
    }

    /// Whether it is 4 bytes that become 8, as `long` and pointers do.
    pub(crate) fn widens(self) -> bool {
        self.size(NARROW) == Some(4) && self.size(WIDE) == Some(8)
    }

    /// Both sizes, where it has some.
    pub(crate) fn sizes(self) -> Option<[u64; 2]> {
        Some([self.size(NARROW)?, self.size(WIDE)?])
    }

    /// Whether it is text, or memory of no type.
    pub(crate) fn is_bytes(self) -> bool {
        let kinds = [TypeKind::Void, TypeKind::CharS, TypeKind::CharU, TypeKind::SChar, TypeKind::UChar];
        kinds.into_iter().any(|kind| self.is(kind))
    }

    /// The typedefs that its name goes through, for 64 bits.
    pub(crate) fn typedefs(self) -> impl Iterator<Item = &'a Declaration> {
        let unit = self.tree.units[WIDE];
        let mut id = self.ids[WIDE];
        // In a damaged tree they may go in a circle.
        let steps = (0..32).map_while(move |_| {
            let of = unit.get_type(id);
            let declaration = unit.declaration(of.declaration);
            let is_typedef = of.kind == TypeKind::Typedef;
            if !is_typedef && of.kind != TypeKind::Elaborated {
                return None;
            }
            id = if is_typedef { declaration.underlying } else { of.inner };
            Some(is_typedef.then_some(declaration))
        });
        steps.flatten()
    }

    /// The names on the way through typedefs, as `size_t`.
    pub(crate) fn has_typedef(self, names: &[&str]) -> bool {
        self.typedefs().any(|of| names.contains(&of.name.as_str()))
    }

    /// The declarations of a structure or union.
    pub(crate) fn record(self) -> Option<[&'a Declaration; 2]> {
        let of = |side: usize| {
            let found = self.tree.units[side].declaration(self.canonical(side).declaration);
            found.kind.is_record().then_some(found)
        };
        Some([of(NARROW)?, of(WIDE)?])
    }

    /// The members that a structure or union has on both sides, each with its type; nothing, where it is none.
    pub(crate) fn fields(self) -> impl Iterator<Item = (&'a Declaration, Self)> {
        let both = self.record().into_iter().flat_map(|[narrow, wide]| std::iter::zip(&narrow.fields, &wide.fields));
        both.map(move |(narrow, wide)| {
            let [narrow, wide] = [self.tree.units[NARROW].declaration(*narrow), self.tree.units[WIDE].declaration(*wide)];
            (wide, Self { ids: [narrow.type_id, wide.type_id], ..self })
        })
    }

    /// "int, 4 bytes" and the like, for one side.
    pub(crate) fn describe(self, side: usize) -> String {
        let size = self.size(side).map_or_else(String::new, |size| format!(" ({size} bytes)"));
        format!("{}{size}", self.tree.units[side].get_type(self.ids[side]).spelling)
    }
}

//! Which declaration is to blame for a finding: the one that is too narrow, so that repairing it repairs all that come from it.

use crate::ast::kind::{Kind, TypeKind, binary};
use crate::ast::{Declaration, Unit};
use crate::destination::Destination;
use crate::pair::WIDE;
use crate::tree::{Expression, Types};
use serde::{Deserialize, Serialize};

/// What is to blame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Because {
    /// In words and C.
    pub(crate) what: String,
    pub(crate) path: String,
    /// Bytes from the beginning of the file.
    pub(crate) start: u32,
}

/// What is to blame for this conversion, if it is the project's: the narrower side.
pub(crate) fn of(at: Expression<'_>, is_own: &dyn Fn(&str) -> bool) -> Option<Because> {
    let converted = at.converted()?;
    let (from, to) = (converted.types().size(WIDE)?, at.types().size(WIDE)?);
    let (types, declared) = match to.cmp(&from) {
        std::cmp::Ordering::Less => (at.types(), destination(at, is_own)),
        std::cmp::Ordering::Greater => (converted.types(), source(converted)),
        std::cmp::Ordering::Equal => return None,
    };
    typedef(types, is_own).or_else(|| declared.filter(|because| is_own(&because.path)))
}

/// Whether the text of this comes from a macro and is its fault: not, if the macro has put something into a context that is not its own.
pub(crate) fn is_macros_own(at: Expression<'_>) -> bool {
    let is_written_here = || at.parent().is_none_or(|parent| parent.place().macro_text.is_none());
    at.place().macro_text.is_some() && (at.kind() != Kind::Unexposed || at.value(WIDE).is_some() || !is_written_here())
}

/// A typedef of the project that is too narrow. One with a number in its name is as wide as it says.
fn typedef(types: Types<'_>, is_own: &dyn Fn(&str) -> bool) -> Option<Because> {
    own_typedef(types, is_own).filter(|of| !of.name.contains(|c: char| c.is_ascii_digit())).map(|of| name(types, of))
}

/// A typedef, to which a type is due.
pub(crate) fn name(types: Types<'_>, typedef: &Declaration) -> Because {
    let unit = types.tree.units[WIDE];
    because(unit, typedef, format!("`typedef {} {}`", unit.get_type(typedef.underlying).spelling, typedef.name))
}

/// The first typedef of the project by which a type has its name.
pub(crate) fn own_typedef<'a>(types: Types<'a>, is_own: &dyn Fn(&str) -> bool) -> Option<&'a Declaration> {
    let unit = types.tree.units[WIDE];
    let mut id = types.ids[WIDE];
    for _ in 0..32 {
        let of = unit.get_type(id);
        let declared = unit.declaration(of.declaration);
        match of.kind {
            TypeKind::Elaborated => id = of.inner,
            TypeKind::Typedef if is_own(unit.file(declared.place.file)) => return Some(declared),
            TypeKind::Typedef => id = declared.underlying,
            _ => return None,
        }
    }
    None
}

/// The array that a number is one of many initial values of.
pub(crate) fn table(at: Expression<'_>) -> Option<Because> {
    let is_array = |outer: &Expression<'_>| outer.kind() == Kind::InitList && outer.types().is(TypeKind::ConstantArray);
    at.outer().filter(|list| is_array(list) && list.children().count() >= TABLE)?;
    declared(at.ancestors().find(|outer| outer.kind() == Kind::Variable)?)
}

/// So many values are a table.
const TABLE: usize = 16;

/// The structure or union of the project that this is.
pub(crate) fn record(types: Types<'_>) -> Option<Because> {
    let [_, declaration] = types.record()?;
    let spelling = &types.canonical(WIDE).spelling;
    // One without a name is called by its place, which is another in every directory.
    let is_own = !declaration.in_system_header && !spelling.contains('(');
    is_own.then(|| because(types.tree.units[WIDE], declaration, format!("`{spelling}`")))
}

/// Where the converted value goes to.
fn destination(conversion: Expression<'_>, is_own: &dyn Fn(&str) -> bool) -> Option<Because> {
    let (mut below, mut outer) = (conversion, conversion.parent()?);
    while matches!(outer.kind(), Kind::Unexposed | Kind::Paren | Kind::Conditional) || outer.kind().is_explicit_cast() {
        (below, outer) = (outer, outer.parent()?);
    }
    match outer.kind() {
        Kind::Variable => declared(outer),
        Kind::Binary if outer.operator() != binary::ASSIGN => None,
        Kind::Binary | Kind::CompoundAssign => {
            let left = outer.child(0)?;
            (left.place() != below.place()).then(|| source(left)).flatten()
        }
        Kind::Call => {
            let number = outer.children().position(|child| child.place() == below.place()).filter(|number| *number > 0)?;
            parameter(outer, number)
        }
        Kind::Return => {
            while !outer.kind().is_function() {
                outer = outer.parent()?;
            }
            let is_pointer = conversion.converted().is_some_and(|value| value.types().is_pointer());
            let callers = is_pointer.then(|| callers(outer)).flatten().filter(|because| is_own(&because.path));
            callers.or_else(|| declared(outer))
        }
        _ => None,
    }
}

fn parameter(call: Expression<'_>, number: usize) -> Option<Because> {
    let function = call.declaration()?;
    Some(because(call.unit(), function, format!("parameter {number} of `{}`", function.name)))
}

/// The parameter as which a function is given to another one that calls it, and what it returns is declared for all of them.
fn callers(function: Expression<'_>) -> Option<Because> {
    let tree = function.tree();
    tree.named(function.declaration()?).find_map(|named| {
        let address = named.outer().filter(|outer| outer.takes_address()).unwrap_or(named);
        let Destination::Argument(_, at) = address.destination() else { return None };
        parameter(address.ancestors().find(|outer| outer.kind() == Kind::Call)?, at + 1)
    })
}

/// What a value is read from, or written to.
fn source(value: Expression<'_>) -> Option<Because> {
    let value = value.strip_casts();
    match value.kind() {
        Kind::DeclRef | Kind::Member | Kind::Call => declared(value),
        Kind::Subscript | Kind::Unary => source(value.child(0)?),
        _ => None,
    }
}

fn declared(at: Expression<'_>) -> Option<Because> {
    let (unit, declaration) = (at.unit(), at.declaration()?);
    let of = unit.get_type(declaration.type_id);
    let what = match declaration.kind {
        Kind::Variable | Kind::Parameter | Kind::Field if !of.spelling.contains(['[', '(']) => {
            let gap = if of.spelling.ends_with('*') { "" } else { " " };
            format!("`{}{gap}{}`", of.spelling, declaration.name)
        }
        Kind::Variable | Kind::Parameter | Kind::Field => format!("`{}`", declaration.name),
        Kind::Function | Kind::Method => {
            let result = &unit.get_type(unit.canonical(declaration.type_id).inner).spelling;
            format!("`{result} {}()`", declaration.name)
        }
        _ => return None,
    };
    Some(because(unit, declaration, what))
}

fn because(unit: &Unit, declaration: &Declaration, what: String) -> Because {
    Because { what, path: unit.file(declaration.place.file).to_owned(), start: declaration.name_start }
}

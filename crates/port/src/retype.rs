//! A local variable gets the type of what is kept in it: `int n = strlen(s)` becomes `size_t n = strlen(s)`.
//!
//! Only where every use of it means the same: a number that is never negative, or whose new type has a sign as well. Where another
//! local variable is compared with it, or assigned, that one gets the type too. What the uses do not show, the trial does (`fix.rs`).

use crate::ast::DeclarationId;
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::fix::{Proposal, Replacement};
use crate::pair::{NARROW, WIDE};
use crate::sources::Text;
use crate::tree::{Expression, Types};
use std::collections::BTreeSet;
use std::ops::Range;

/// The words of the types that are replaced.
const BASE: [&str; 3] = ["unsigned", "signed", "int"];
/// What may stand beside them and stays.
const KEPT: [&str; 4] = ["register", "auto", "const", "volatile"];
/// More variables than that do not depend on one another in a way that anybody would follow.
const MAX_VARIABLES: usize = 8;

/// What a use of a variable asks for.
enum Use {
    /// The variable is not to be changed.
    No,
    Yes,
    /// This one gets the type too.
    With(DeclarationId),
}

/// What gives the variable that is written here the type of the value.
pub(crate) fn proposals(written: Expression<'_>, value: Types<'_>) -> Vec<Proposal> {
    let Some(name) = name(value) else { return Vec::new() };
    let (Some(function), Some(first)) = (written.function(), kept_in(written)) else { return Vec::new() };
    let signed = value.integer(WIDE).is_some_and(|of| of.signed);
    let (mut todo, mut done, mut proposals) = (vec![first], BTreeSet::new(), Vec::new());
    while let Some(id) = todo.pop() {
        if !done.insert(id) {
            continue;
        }
        let Some(declared) = function.descendants().find(|node| is_declared(*node, id)) else { return Vec::new() };
        let (Some(declaration), Some(was)) = (declared.declaration(), declared.types().integer(WIDE)) else { return Vec::new() };
        let place = declared.place();
        // A number without sign does not become one with: its upper half would be negative for 32 bits.
        if done.len() > MAX_VARIABLES || place.macro_text.is_some() || signed && !was.signed {
            return Vec::new();
        }
        let judge = Judge { strict: was.signed && !signed, signed };
        let uses = function.descendants().filter(|node| node.kind() == Kind::DeclRef && node.declaration_id() == Some(id));
        let initial = declared.children().filter(|child| child.is_expression()).last();
        for asked in initial.map(|value| judge.kept(value)).into_iter().chain(uses.map(|node| judge.look(node))) {
            match asked {
                Use::No => return Vec::new(),
                Use::Yes => {}
                Use::With(other) => todo.push(other),
            }
        }
        let start = declaration.name_start;
        proposals.push(Proposal::Retype {
            path: declared.unit().file(place.file).to_owned(),
            // That of its list: libclang lets the second variable of one begin at its name.
            start: declared.parent().map_or(place.start, |list| list.place().start),
            name: start..start.saturating_add(u32::try_from(declaration.name.len()).unwrap_or_default()),
            end: place.end,
            new: name.to_owned(),
        });
    }
    proposals
}

/// How a type of 32 bits that becomes one of 64 is written, where others know it by that name.
fn name(value: Types<'_>) -> Option<&'static str> {
    let named = ["size_t", "ssize_t", "ptrdiff_t", "off_t"].into_iter().find(|name| value.has_typedef(&[name]));
    named.or_else(|| match [NARROW, WIDE].map(|side| value.canonical(side).kind) {
        [TypeKind::UInt, TypeKind::ULong] => Some("size_t"),
        [TypeKind::Int, TypeKind::Long] => Some("ptrdiff_t"),
        [TypeKind::Long, TypeKind::Long] => Some("long"),
        [TypeKind::ULong, TypeKind::ULong] => Some("unsigned long"),
        _ => None,
    })
}

/// The variable that is initialized, assigned or added to here.
fn kept_in(written: Expression<'_>) -> Option<DeclarationId> {
    let outer = if written.kind() == Kind::CompoundAssign { written } else { written.outer()? };
    match outer.kind() {
        Kind::Variable => outer.declaration_id(),
        Kind::CompoundAssign => local(outer.child(0)?),
        Kind::Binary if outer.operator() == binary::ASSIGN && !outer.child(0)?.contains(written) => local(outer.child(0)?),
        _ => None,
    }
}

fn is_declared(node: Expression<'_>, id: DeclarationId) -> bool {
    node.kind() == Kind::Variable
        && node.declaration_id() == Some(id)
        && node.parent().is_some_and(|parent| parent.kind() == Kind::DeclarationStatement)
}

/// The variable that this names, if it is one of 32 bits.
fn local(of: Expression<'_>) -> Option<DeclarationId> {
    let of = of.strip();
    let is_variable =
        of.kind() == Kind::DeclRef && of.declaration().is_some_and(|of| of.kind == Kind::Variable && !of.is_external);
    let is_int = of.types().is(TypeKind::Int) || of.types().is(TypeKind::UInt);
    of.declaration_id().filter(|_| is_variable && is_int)
}

/// Whether it is as wide as the new type, or has no sign, so that nothing but its value is seen.
fn is_large(of: Expression<'_>) -> bool {
    let of = of.strip().types();
    of.grows() || of.integer(WIDE).is_some_and(|of| of.bits == 64 || !of.signed)
}

struct Judge {
    /// The sign goes: the number must never be negative.
    strict: bool,
    /// The new type has a sign.
    signed: bool,
}

impl Judge {
    /// A use, or what is computed of it.
    fn look(&self, node: Expression<'_>) -> Use {
        let Some(outer) = node.outer() else { return Use::No };
        let is_left = outer.child(0).is_some_and(|child| child.contains(node));
        let other = outer.child(usize::from(is_left)).filter(|child| child.is_expression());
        match outer.kind() {
            Kind::Binary => other.map_or(Use::No, |other| self.binary(outer, node, is_left, other)),
            Kind::CompoundAssign => other.map_or(Use::No, |other| self.compound(outer, is_left, other)),
            Kind::Variable => outer
                .declaration_id()
                .filter(|_| outer.types().size(WIDE) == Some(4))
                .map_or_else(|| if outer.types().size(WIDE) == Some(8) { Use::Yes } else { Use::No }, Use::With),
            Kind::Unary => match outer.operator() {
                unary::LOGICAL_NOT => Use::Yes,
                // Increments; decrements, which end at -1.
                unary::POST_INCREMENT | unary::PRE_INCREMENT => self.look(outer),
                unary::POST_DECREMENT | unary::PRE_DECREMENT if !self.strict => self.look(outer),
                _ => Use::No,
            },
            Kind::Call => argument(outer, node),
            Kind::Return => {
                let result = outer.function().and_then(|function| function.types().inner());
                yes(result.is_some_and(|result| result.size(WIDE) == Some(8)))
            }
            Kind::Subscript => yes(!is_left),
            Kind::Conditional if is_left => Use::Yes,
            Kind::Conditional => self.look(outer),
            kind if kind.is_explicit_cast() => Use::Yes,
            Kind::If | Kind::While | Kind::Do | Kind::For | Kind::Compound | Kind::Case | Kind::Default | Kind::Label => Use::Yes,
            _ => Use::No,
        }
    }

    /// Whether this may be assigned.
    fn kept(&self, value: Expression<'_>) -> Use {
        let value = value.strip();
        match (local(value), value.value(WIDE)) {
            (_, Some(constant)) => yes(self.signed || constant >= 0),
            (Some(other), _) => Use::With(other),
            _ => yes(self.signed || is_large(value)),
        }
    }

    fn binary(&self, outer: Expression<'_>, node: Expression<'_>, is_left: bool, other: Expression<'_>) -> Use {
        let constant = other.strip().value(WIDE);
        match outer.operator() {
            binary::ASSIGN if is_left => match (self.kept(other), outer.outer().map(Expression::kind)) {
                (Use::Yes, Some(kind)) if kind < Kind::UnexposedStatement => self.look(outer),
                (asked, _) => asked,
            },
            // What is compared with 0 has a sign for a reason.
            operator @ binary::LT..=binary::NE => match (constant, local(other)) {
                _ if self.signed => Use::Yes,
                (Some(0), _) if self.strict => {
                    let (below, above) = if is_left { (binary::LT, binary::GE) } else { (binary::GT, binary::LE) };
                    yes(operator != below && operator != above)
                }
                (Some(constant), _) => yes(constant >= 0),
                (None, Some(other)) => Use::With(other),
                (None, None) => yes(is_large(other)),
            },
            binary::LOGICAL_AND | binary::LOGICAL_OR => Use::Yes,
            binary::ASSIGN => local(other).map_or_else(|| yes(other.types().size(WIDE) == Some(8)), Use::With),
            binary::COMMA => {
                if is_left {
                    Use::Yes
                } else {
                    self.look(outer)
                }
            }
            binary::ADD | binary::SUB if other.strip().types().is_pointer() || is_array(other) => Use::Yes,
            _ if self.signed => self.look(outer),
            // One less than nothing is a large number, but as an index.
            binary::SUB => yes(is_left
                && outer
                    .outer()
                    .is_some_and(|of| of.kind() == Kind::Subscript && !of.child(0).is_some_and(|child| child.contains(node)))),
            binary::ADD | binary::MUL | binary::DIV | binary::REM => match (constant, local(other)) {
                (Some(constant), _) if constant >= 0 => self.look(outer),
                (None, Some(other)) => Use::With(other),
                (None, None) if is_large(other) => self.look(outer),
                _ => Use::No,
            },
            _ => Use::No,
        }
    }

    fn compound(&self, outer: Expression<'_>, is_left: bool, other: Expression<'_>) -> Use {
        let is_statement = outer.outer().is_none_or(|of| of.kind() >= Kind::UnexposedStatement);
        match outer.operator() {
            _ if !is_statement => Use::No,
            _ if !is_left && other.strip().types().is_pointer() => Use::Yes,
            _ if !is_left => local(other).map_or_else(|| yes(other.types().size(WIDE) == Some(8)), Use::With),
            binary::ADD_ASSIGN => self.kept(other),
            binary::SUB_ASSIGN if !self.strict => self.kept(other),
            _ => yes(self.signed),
        }
    }
}

fn yes(is_so: bool) -> Use {
    if is_so { Use::Yes } else { Use::No }
}

fn is_array(of: Expression<'_>) -> bool {
    of.strip().types().is(TypeKind::ConstantArray)
}

/// As an argument only where the parameter says that it takes the new type.
fn argument(call: Expression<'_>, node: Expression<'_>) -> Use {
    let function = call.child(0).map(|called| called.strip().types());
    let function = function.map(|of| if of.is_pointer() { of.inner().unwrap_or(of) } else { of });
    let (Some(function), Some((_, arguments))) = (function, call.call()) else { return Use::No };
    let position = arguments.iter().position(|argument| argument.contains(node));
    let parameter = position.and_then(|position| function.arguments().nth(position));
    yes(parameter.is_some_and(|parameter| parameter.size(WIDE) == Some(8) && parameter.integer(WIDE).is_some()))
}

/// The change of the text of a declaration: of the type, where the variable is alone in it; or the variable leaves its list.
pub(crate) fn settle(text: &Text, path: &str, start: u32, name: &Range<u32>, end: u32, new: &str) -> Option<Vec<Replacement>> {
    let head = text.between(start, name.start);
    let (mut base, mut kept, mut at) = (None, Vec::new(), 0);
    while let Some(word) = head.get(at..)?.split_whitespace().next() {
        let from = at + head.get(at..)?.find(word)?;
        if BASE.contains(&word) {
            let (first, _) = base.unwrap_or((from, from));
            base = Some((first, from + word.len()));
        } else if KEPT.contains(&word) {
            kept.push(word);
        } else {
            break;
        }
        at = from + word.len();
    }
    let (first, last) = base?;
    let before = head.get(at..)?.trim_end();
    let behind = String::from_utf8_lossy(text.bytes().get(end as usize..)?.split(|byte| *byte == b'\n').next()?).into_owned();
    let gap = behind.len() - behind.trim_start().len();
    let replace = |start: u32, end: u32, text: String| Replacement { path: path.to_owned(), start, end, text };
    let offset = |bytes: usize| u32::try_from(bytes).ok().and_then(|bytes| start.checked_add(bytes));
    match (before, behind.trim_start().chars().next()?) {
        ("", ';') => Some(vec![replace(offset(first)?, offset(last)?, new.to_owned())]),
        // What it begins with may need what is before it in the list.
        _ if end != name.end => None,
        (before, next) => {
            let (from, to) = match (before, next) {
                ("", ',') => {
                    let rest = &behind[gap + 1..];
                    (name.start, end.checked_add(u32::try_from(gap + 1 + rest.len() - rest.trim_start().len()).ok()?)?)
                }
                (before, ',' | ';') if before.ends_with(',') => (offset(at + before.len() - 1)?, name.end),
                _ => return None,
            };
            let (line, column) = text.position(start);
            let indent = text.line(line).get(..column as usize - 1)?.to_owned();
            let between = if indent.trim().is_empty() { format!("\n{indent}") } else { " ".to_owned() };
            let kept: String = kept.iter().map(|word| format!("{word} ")).collect();
            let declared = text.between(name.start, name.end);
            Some(vec![replace(start, start, format!("{kept}{new} {declared};{between}")), replace(from, to, String::new())])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::settle;
    use crate::fix::replaced;
    use crate::sources::Text;

    /// The text with another type for `nn`, whose declaration begins at `^` and ends at `$`.
    fn retyped(marked: &str) -> Option<String> {
        let (head, rest) = marked.split_once('^')?;
        let (declaration, tail) = rest.split_once('$')?;
        let text = format!("{head}{declaration}{tail}");
        let start = u32::try_from(head.len()).ok()?;
        let name = start + u32::try_from(declaration.find("nn")?).ok()?;
        let end = start + u32::try_from(declaration.len()).ok()?;
        let edits = settle(&Text::from(text.clone().into()), "", start, &(name..name + 2), end, "size_t")?;
        let edits = edits.iter().map(|edit| (edit.start, edit.end, edit.text.as_str()));
        Some(String::from_utf8_lossy(&replaced(text.as_bytes(), edits)?).into_owned())
    }

    #[test]
    fn a_variable_gets_its_type_alone_or_leaves_its_list() {
        for (marked, new) in [
            ("\t^int nn = f()$;", Some("\tsize_t nn = f();")),
            ("^register unsigned int nn$ ;", Some("register size_t nn ;")),
            ("\t^int a, nn$, c;", Some("\tsize_t nn;\n\tint a, c;")),
            ("\t^const int nn$, c = 1;", Some("\tconst size_t nn;\n\tconst int c = 1;")),
            ("{ ^int a = 1, nn$; }", Some("{ size_t nn; int a = 1; }")),
            ("^int a, nn = f()$;", None),
            ("^int a, *nn$;", None),
            ("^short int nn$;", None),
            ("^static int nn$;", None),
            ("^int nn$[3];", None),
            ("^int /* of them */ nn$;", None),
        ] {
            assert_eq!(retyped(marked).as_deref(), new, "{marked}");
        }
    }
}

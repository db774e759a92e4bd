//! Formats of printf(3) and scanf(3), and the functions that take some.

use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind};
use crate::bits::is_changed;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree, Types};
use std::collections::HashMap;

/// Which family a format is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Printf,
    Scanf,
}

/// What a directive of a format wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A whole number, or a pointer to one for scanf: how many bytes for 32 and for 64 bits.
    Integer([u64; 2]),
    /// A pointer.
    Pointer,
    /// What does not change with the word size, or is somebody else's.
    Other,
}

/// A directive: `%ld`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    /// As it is written.
    pub(crate) text: String,
    pub(crate) wanted: Wanted,
}

/// What the directives of a format want, in order; nothing, where it is none, or counts its arguments itself (`%1$d`).
pub(crate) fn parse(format: &str, family: Family) -> Option<Vec<Directive>> {
    let mut directives = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let whole = &rest[at..];
        let mut text = &whole[1..];
        if let Some(after) = text.strip_prefix('%') {
            rest = after;
            continue;
        }
        let skip = |text: &'_ str, of: &str| text.len() - text.trim_start_matches(|c| of.contains(c)).len();
        let mut is_kept = true;
        match family {
            Family::Printf => {
                text = &text[skip(text, "-+ #0'I")..];
                for _ in 0..2 {
                    if let Some(after) = text.strip_prefix('*') {
                        directives.push(Directive { text: "*".to_owned(), wanted: Wanted::Integer([4, 4]) });
                        text = after;
                    }
                    text = &text[skip(text, "0123456789")..];
                    text = text.strip_prefix('.').unwrap_or(text);
                }
            }
            Family::Scanf => {
                if let Some(after) = text.strip_prefix('*') {
                    is_kept = false;
                    text = after;
                }
                text = &text[skip(text, "'0123456789")..];
                // `%ms` allocates; `%m` alone is printf's.
                text = text.strip_prefix('m').unwrap_or(text);
            }
        }
        let length = ["hh", "h", "ll", "l", "q", "j", "z", "t", "L"].into_iter().find(|length| text.starts_with(length));
        text = &text[length.map_or(0, str::len)..];
        let specifier = text.chars().next()?;
        let mut end = whole.len() - text.len() + specifier.len_utf8();
        let is_printf = family == Family::Printf;
        let integer = match length {
            Some("hh") => [1, 1],
            Some("h") => [2, 2],
            Some("l" | "z" | "t") => [4, 8],
            Some("ll" | "q" | "j" | "L") => [8, 8],
            _ => [4, 4],
        };
        let wanted = match specifier {
            'd' | 'i' | 'o' | 'u' | 'x' | 'X' => {
                Wanted::Integer(if is_printf { integer.map(|size| size.max(4)) } else { integer })
            }
            'n' if is_printf => Wanted::Other,
            'n' => Wanted::Integer(integer),
            'p' => Wanted::Pointer,
            's' if is_printf => Wanted::Pointer,
            'D' | 'O' | 'U' => Wanted::Integer([4, 8]),
            'm' if is_printf => {
                rest = &whole[end..];
                continue;
            }
            '[' if !is_printf => {
                // A `]` that comes first is one of the characters.
                let set = &whole[end..];
                let first = set.len() - set.trim_start_matches('^').len();
                let close = set.get(first + 1..)?.find(']')?;
                end += first + 1 + close + 1;
                Wanted::Other
            }
            'e' | 'f' | 'g' | 'a' | 'E' | 'F' | 'G' | 'A' | 'c' | 's' | 'C' | 'S' => Wanted::Other,
            _ => return None,
        };
        if is_kept {
            directives.push(Directive { text: whole[..end].to_owned(), wanted });
        }
        rest = &whole[end..];
    }
    Some(directives)
}

/// A function that takes a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Takes {
    pub(crate) family: Family,
    /// Which argument is the format, from 0.
    pub(crate) format: usize,
    /// Which is the first that it speaks of; nothing, where they come as a `va_list`.
    pub(crate) first: Option<usize>,
}

const fn printf(format: usize) -> Takes {
    Takes { family: Family::Printf, format, first: Some(format + 1) }
}

const fn scanf(format: usize) -> Takes {
    Takes { family: Family::Scanf, format, first: Some(format + 1) }
}

const fn listed(family: Family, format: usize) -> Takes {
    Takes { family, format, first: None }
}

/// Those of the C library.
const KNOWN: [(&str, Takes); 36] = [
    ("printf", printf(0)),
    ("fprintf", printf(1)),
    ("sprintf", printf(1)),
    ("snprintf", printf(2)),
    ("dprintf", printf(1)),
    ("asprintf", printf(1)),
    ("syslog", printf(1)),
    ("err", printf(1)),
    ("errx", printf(1)),
    ("warn", printf(0)),
    ("warnx", printf(0)),
    ("error", printf(2)),
    ("g_print", printf(0)),
    ("g_strdup_printf", printf(0)),
    ("__builtin___printf_chk", printf(1)),
    ("__builtin___sprintf_chk", printf(3)),
    ("__builtin___snprintf_chk", printf(4)),
    ("__builtin___fprintf_chk", printf(2)),
    ("scanf", scanf(0)),
    ("fscanf", scanf(1)),
    ("sscanf", scanf(1)),
    ("__isoc99_sscanf", scanf(1)),
    ("vprintf", listed(Family::Printf, 0)),
    ("vfprintf", listed(Family::Printf, 1)),
    ("vsprintf", listed(Family::Printf, 1)),
    ("vsnprintf", listed(Family::Printf, 2)),
    ("vdprintf", listed(Family::Printf, 1)),
    ("vasprintf", listed(Family::Printf, 1)),
    ("vsyslog", listed(Family::Printf, 1)),
    ("verr", listed(Family::Printf, 1)),
    ("verrx", listed(Family::Printf, 1)),
    ("vwarn", listed(Family::Printf, 0)),
    ("vwarnx", listed(Family::Printf, 0)),
    ("vscanf", listed(Family::Scanf, 0)),
    ("vfscanf", listed(Family::Scanf, 1)),
    ("vsscanf", listed(Family::Scanf, 1)),
];

/// The function of the C library with this name.
pub(crate) fn known(function: &Declaration) -> Option<Takes> {
    // Who declares `error` or `err` for itself means something else.
    let (_, takes) = KNOWN.iter().find(|(name, _)| *name == function.name)?;
    let is_common = ["err", "errx", "warn", "warnx", "error"].contains(&function.name.as_str());
    (!is_common || function.in_system_header).then_some(*takes)
}

/// What the attribute `format` says: `format(printf,1,2)`, with underscores or without.
pub(crate) fn annotated(function: &Declaration) -> Option<Takes> {
    function.attributes.iter().find_map(|attribute| {
        let inside = attribute.split_once("format")?.1.split_once('(')?.1;
        let mut words = inside.split(')').next()?.split(',');
        let family = match words.next()?.trim_matches('_') {
            "printf" | "gnu_printf" => Family::Printf,
            "scanf" | "gnu_scanf" => Family::Scanf,
            _ => return None,
        };
        let mut number = || words.next()?.trim().parse::<usize>().ok();
        let (format, first) = (number()?.checked_sub(1)?, number()?);
        Some(Takes { family, format, first: first.checked_sub(1) })
    })
}

/// The functions of one file that hand on a format, by declaration.
pub(crate) type Wrappers = HashMap<*const Declaration, Takes>;

/// Finds them: those that give a parameter of theirs as format to a function that takes one with a `va_list`.
pub(crate) fn wrappers(tree: &Tree<'_>) -> Wrappers {
    let mut found = Wrappers::new();
    let bodies: Vec<_> = tree.functions().filter(|node| node.kind() == Kind::Function && node.body().is_some()).collect();
    // As often as the longest chain is long.
    for _ in 0..4 {
        let before = found.len();
        for body in &bodies {
            let Some(own) = body.declaration() else { continue };
            if !found.contains_key(&std::ptr::from_ref(own)) {
                if let Some(takes) = wraps(*body, &found) {
                    found.insert(own, takes);
                }
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

fn wraps(body: Expression<'_>, found: &Wrappers) -> Option<Takes> {
    let parameters: Vec<_> =
        body.children().filter(|part| part.kind() == Kind::Parameter).filter_map(Expression::declaration).collect();
    let is_variadic = body.types().canonical(WIDE).is_variadic;
    body.descendants().filter(|part| part.kind() == Kind::Call).find_map(|call| {
        let (_, arguments) = call.call()?;
        let called = call.declaration()?;
        let takes =
            found.get(&std::ptr::from_ref(called)).copied().or_else(|| known(called)).filter(|takes| takes.first.is_none())?;
        let given = arguments.get(takes.format)?.strip_casts().declaration()?;
        let format = parameters.iter().position(|parameter| std::ptr::eq(*parameter, given))?;
        if is_variadic {
            Some(Takes { family: takes.family, format, first: Some(parameters.len()) })
        } else {
            // One that has its own arguments only writes a message of its own.
            let list = arguments.get(takes.format + 1)?.strip_casts().declaration()?;
            parameters.iter().any(|parameter| std::ptr::eq(*parameter, list)).then_some(listed(takes.family, format))
        }
    })
}

/// The literals that a format can be, on both sides: with `?:`, through gettext(3), and constants that are arrays of characters.
pub(crate) fn literals<'a>(format: Expression<'a>, constants: &Constants<'a>) -> Vec<[&'a str; 2]> {
    let format = format.strip_casts();
    match format.kind() {
        Kind::StringLiteral => format.texts().into_iter().collect(),
        Kind::Conditional => format.children().skip(1).flat_map(|branch| literals(branch, constants)).collect(),
        Kind::Call => {
            let (name, arguments) = format.call().unwrap_or_default();
            let translated = name.contains("gettext") || name == "catgets";
            arguments.into_iter().filter(|_| translated).flat_map(|argument| literals(argument, constants)).collect()
        }
        Kind::DeclRef => {
            let text = format.declaration().and_then(|declaration| constants.get(&std::ptr::from_ref(declaration)));
            text.copied().or_else(|| copied(format)).or_else(|| unchanged(format)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The text that strcpy(3) puts into a local array, of which nothing else is done but that it is read here.
fn copied(array: Expression<'_>) -> Option<[&str; 2]> {
    let (declaration, function) = (array.declaration()?, array.function()?);
    let is_it = |part: Expression<'_>| part.declaration().is_some_and(|other| std::ptr::eq(other, declaration));
    let mut others = function.descendants().filter(|part| part.kind() == Kind::DeclRef && is_it(*part) && !part.is(array));
    let (only, None) = (others.next()?, others.next()) else { return None };
    let copy = only.ancestors().find(|outer| outer.kind() == Kind::Call).filter(|copy| copy.precedes(array))?;
    let ("strcpy", arguments) = copy.call()? else { return None };
    let [to, from] = arguments.as_slice() else { return None };
    let is_local = declaration.kind == Kind::Variable && function.declares(declaration);
    from.strip_casts().texts().filter(|_| is_local && to.contains(only))
}

/// The text that a pointer leads to from its declaration on, which only this file has, and nothing there changes.
fn unchanged(pointer: Expression<'_>) -> Option<[&str; 2]> {
    let declaration = pointer.declaration().filter(|of| of.kind == Kind::Variable && !of.is_external)?;
    if !pointer.types().is_pointer() || pointer.tree().named(declaration).any(is_changed) {
        return None;
    }
    let mut declared = pointer.tree().nodes().filter(|node| node.kind() == Kind::Variable);
    let of = declared.find(|node| node.declaration().is_some_and(|other| std::ptr::eq(other, declaration)))?;
    of.children().find(|part| part.is_expression())?.strip_casts().texts()
}

/// The texts of constants: `const char format[] = "%d"`.
pub(crate) type Constants<'a> = HashMap<*const Declaration, [&'a str; 2]>;

/// Finds them.
pub(crate) fn constants<'a>(tree: &'a Tree<'a>) -> Constants<'a> {
    let variables = tree.nodes().filter(|node| node.kind() == Kind::Variable);
    let constant = |variable: Expression<'a>| {
        let types = variable.types();
        let is_constant =
            types.canonical(WIDE).is_const || types.inner().is_some_and(|of| !types.is_pointer() && of.canonical(WIDE).is_const);
        let text = variable.children().find(|part| part.is_expression())?.strip_casts().texts()?;
        is_constant.then_some((std::ptr::from_ref(variable.declaration()?), text))
    };
    variables.filter_map(constant).collect()
}

/// An argument that its directive fits on the narrow side only.
pub(crate) struct Misfit<'a> {
    pub(crate) argument: Expression<'a>,
    /// As it is written for 64 bits.
    pub(crate) directive: String,
    /// What the directive takes, on both sides.
    pub(crate) wanted: [u64; 2],
    /// What is there.
    pub(crate) given: [u64; 2],
    /// The type of what is there.
    pub(crate) types: Types<'a>,
}

/// Lays a format on its arguments.
pub(crate) fn misfits<'a>(texts: [&str; 2], family: Family, arguments: &[Expression<'a>]) -> Vec<Misfit<'a>> {
    let [Some(narrow), Some(wide)] = texts.map(|text| parse(text, family)) else { return Vec::new() };
    if narrow.len() != wide.len() {
        return Vec::new();
    }
    let both = narrow.into_iter().zip(wide).zip(arguments);
    both.filter_map(|((narrow, wide), argument)| {
        let types = argument.types();
        let is_number = |types: Types<'_>| types.integers().is_some() || types.is_pointer();
        let (wanted, of) = match (narrow.wanted, wide.wanted, family) {
            (Wanted::Integer(narrow), Wanted::Integer(wide), Family::Printf) => ([narrow[NARROW], wide[WIDE]], types),
            (Wanted::Integer(narrow), Wanted::Integer(wide), Family::Scanf) => {
                let to = types.inner().filter(|_| types.is_pointer())?;
                // Text and `void *` are whatever they are.
                if to.is(TypeKind::Void) {
                    return None;
                }
                ([narrow[NARROW], wide[WIDE]], to)
            }
            (Wanted::Pointer, Wanted::Pointer, Family::Printf) => ([4, 8], types),
            _ => return None,
        };
        let sizes = of.sizes().filter(|_| is_number(of))?;
        let given = if family == Family::Printf { sizes.map(|size| size.max(4)) } else { sizes };
        (wanted[NARROW] == given[NARROW] && wanted[WIDE] != given[WIDE]).then_some(Misfit {
            argument: *argument,
            directive: wide.text,
            wanted,
            given,
            types: of,
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{Family, Wanted, parse};

    fn wanted(format: &str, family: Family) -> Option<Vec<(String, Wanted)>> {
        Some(parse(format, family)?.into_iter().map(|directive| (directive.text, directive.wanted)).collect())
    }

    #[test]
    fn directives_of_printf_are_read() {
        let int = Wanted::Integer([4, 4]);
        let long = Wanted::Integer([4, 8]);
        let list = [("*", int), ("%-*.3ld", long), ("%hhd", int), ("%s", Wanted::Pointer), ("%Lf", Wanted::Other)];
        let list = list.map(|(text, wanted)| (text.to_owned(), wanted)).to_vec();
        assert_eq!(wanted("100%% %-*.3ld %hhd %m %s%Lf", Family::Printf), Some(list));
        assert_eq!(wanted("%1$d", Family::Printf), None);
        assert_eq!(wanted("50%", Family::Printf), None);
    }

    #[test]
    fn directives_of_scanf_are_read() {
        let list = [("%hd", Wanted::Integer([2, 2])), ("%[]a%d]", Wanted::Other), ("%lx", Wanted::Integer([4, 8]))];
        let list = list.map(|(text, wanted)| (text.to_owned(), wanted)).to_vec();
        assert_eq!(wanted("%hd %*d%[]a%d] %lx", Family::Scanf), Some(list));
    }
}

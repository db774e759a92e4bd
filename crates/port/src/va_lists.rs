//! What is done with a `va_list`, of which a function gets the address on the new architecture, and what it takes out of it is gone.

use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind};
use crate::pair::WIDE;
use crate::tree::{Expression, Types};

/// What gives a list its arguments, or takes them; also by a macro that the project's options would define, as `__VA_COPY_USE`.
const SETS: [&str; 7] =
    ["__builtin_va_start", "__builtin_va_end", "__builtin_va_copy", "__builtin_c23_va_start", "va_start", "va_end", "va_copy"];

/// Whether a function or macro of this name does.
pub(crate) fn sets(name: &str) -> bool {
    SETS.contains(&name) || name.to_lowercase().contains("va_copy")
}

/// Whether it is a `va_list` of which functions get the address.
pub(crate) fn is_shared(types: Types<'_>) -> bool {
    let of = types.canonical(WIDE);
    let element = types.tree.units[WIDE].canonical(of.inner);
    matches!(of.kind, TypeKind::ConstantArray | TypeKind::Pointer)
        && element.kind == TypeKind::Record
        && element.spelling.contains("__va_list_tag")
}

/// The function that gets it, and the call.
pub(crate) fn passed<'a>(list: Expression<'a>) -> Option<(&'a str, Expression<'a>)> {
    let call = list.outer().filter(|outer| outer.kind() == Kind::Call)?;
    let (name, arguments) = call.call()?;
    // `va_arg(ap, int)` is around it too, and another type; `syslog(level, format, ap)` is meant to be vsyslog(3), and wrong for 32 bits too.
    if list.is_variadic() {
        return None;
    }
    let is_argument = arguments.iter().any(|argument| argument.strip().is(list) && is_shared(argument.types()));
    (is_argument && !sets(name)).then_some((name, call))
}

/// Whether the function takes arguments out of the list that it gets: one of this file may do no more than copy it.
pub(crate) fn takes(list: Expression<'_>) -> bool {
    takes_within(list, DEPTH)
}

/// Whether a function of which this is the body gets a list, and does no more than copy it.
pub(crate) fn spares(function: Expression<'_>) -> bool {
    let lists = function.children().filter(|part| part.kind() == Kind::Parameter && is_shared(part.types()));
    let mut lists = lists.filter_map(Expression::declaration).peekable();
    lists.peek().is_some() && lists.all(|list| !takes_out(function, list, DEPTH))
}

fn takes_within(list: Expression<'_>, depth: usize) -> bool {
    let Some((body, parameter)) = list.parameter().filter(|_| depth > 0) else { return true };
    takes_out(body, parameter, depth)
}

/// Whether arguments are taken out of a parameter.
fn takes_out(body: Expression<'_>, parameter: &Declaration, depth: usize) -> bool {
    let is_it = |part: &Expression<'_>| part.declaration().is_some_and(|of| std::ptr::eq(of, parameter));
    let uses = body.descendants().filter(|part| part.kind() == Kind::DeclRef).filter(is_it);
    uses.into_iter().any(|part| match part.outer().and_then(Expression::call) {
        Some((name, _)) if sets(name) => false,
        _ if passed(part).is_some() => takes_within(part, depth - 1),
        _ => true,
    })
}

/// So many functions are followed.
const DEPTH: usize = 4;

//! What pointers are mostly for, by their types, their names, and what stands beside them.

use crate::annotation::{Pass, Value};
use crate::model::Context;
use port::interface::{Shape, Type};

/// Names of what a program gives to a library to get it back in callbacks.
const USER: [&str; 10] = ["opaque", "ctx", "context", "priv", "private_data", "arg", "data", "param", "ptr", "pArg"];
/// Such names that a buffer never has, whatever stands beside it.
const SURELY_USER: [&str; 7] = ["user", "userdata", "userData", "user_data", "closure", "cookie", "pUserData"];
/// Names of sizes and counts; or how they end.
const LENGTHS: [&str; 12] = ["n", "len", "length", "size", "count", "num", "nbytes", "bytes", "cnt", "sz", "nitems", "nbyte"];
/// Names of counts.
const COUNTS: [&str; 9] = ["n", "count", "num", "cnt", "nitems", "nmemb", "number", "max", "capacity"];
/// Names of what only the library makes.
const HANDLES: [&str; 3] = ["handle", "hdl", "hnd"];
/// What is in the names of functions that keep a pointer of the program, or give it back.
const KEEPERS: [&str; 8] = ["private", "private_data", "userdata", "user_data", "user_ptr", "user_pointer", "closure", "cookie"];
/// How the names of functions end that free what they are given.
const FREES: [&str; 8] = ["free", "destroy", "delete", "close", "release", "finish", "end", "cleanup"];
/// How those begin or end that make it.
const MAKES: [&str; 7] = ["alloc", "malloc", "realloc", "calloc", "new", "create", "dup"];

impl Value {
    fn pass(pass: Pass) -> Self {
        Self { pass: Some(pass), ..Self::default() }
    }

    fn with_length(pass: Pass, length: &str) -> Self {
        Self { pass: Some(pass), length: Some(length.to_owned()), ..Self::default() }
    }

    /// As an inline table.
    #[must_use]
    pub fn toml(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.pass.map(|pass| format!("pass = \"{}\"", pass.name())));
        parts.extend(self.to.as_ref().map(|to| format!("to = {}", to.toml())));
        parts.extend(self.length.as_ref().map(|length| format!("length = \"{length}\"")));
        parts.extend(self.written.as_ref().map(|written| format!("written = \"{written}\"")));
        parts.extend(self.drop.then(|| "drop = true".to_owned()));
        parts.extend(self.free.as_ref().map(|free| format!("free = \"{free}\"")));
        format!("{{ {} }}", parts.join(", "))
    }
}

fn is_length(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    LENGTHS.contains(&lower.as_str())
        || ["len", "size", "length", "count"].iter().any(|end| lower.ends_with(end))
        || lower.starts_with("avail_")
}

/// Whether a number of this name counts elements, whatever their size: `count`, `num_samples`, `max_samples`.
fn is_count(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    COUNTS.contains(&lower.as_str())
        || ["count", "cnt", "num", "_n"].iter().any(|end| lower.ends_with(end))
        || ["n_", "num_", "nb_", "max_", "number_of_"].iter().any(|start| lower.starts_with(start))
}

/// Whether it counts what the pointer `of` points to: `nsamples` of `samples`.
fn is_count_of(name: &str, of: &str) -> bool {
    is_count(name) || name.strip_prefix('n').is_some_and(|rest| !rest.is_empty() && rest == of)
}

fn is_function(of: &Type) -> bool {
    matches!(&of.shape, Shape::Pointer(inner) if matches!(inner.shape, Shape::Function(_)))
}

/// Whether the words of a name, between underscores, have one of these.
fn says(name: &str, words: &[&str]) -> bool {
    let lower = name.to_ascii_lowercase();
    words.iter().any(|word| lower.ends_with(word) || lower.split('_').any(|part| part == *word))
}

/// The names of functions that keep what they are given, or give it back, say so at the end.
fn keeps(function: &str) -> bool {
    let lower = function.to_ascii_lowercase();
    KEEPERS.iter().any(|word| lower.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')))
}

/// Whether the function gives back what another of the header has been given: `foo_get_private` and `foo_set_private`.
fn gives_back(function: &str, context: &Context<'_>) -> bool {
    let setter = function.replace("_get_", "_set_");
    let is_setter = |of: &&port::interface::Function| of.name == setter;
    let takes = |of: &port::interface::Function| {
        let last = of.signature.parameters.last().map(|one| &one.of.shape);
        matches!(last, Some(Shape::Pointer(to)) if matches!(to.shape, Shape::Void))
    };
    keeps(function) && setter != function && context.functions.iter().find(is_setter).is_some_and(takes)
}

/// The function that frees what this one returns: of those whose names begin like its own the only one that frees and takes nothing
/// but memory.
fn freed_by(function: &str, context: &Context<'_>) -> Option<String> {
    let start = function.split('_').next().filter(|start| start.len() < function.len())?;
    let frees = |of: &&port::interface::Function| {
        let takes_memory = match of.signature.parameters.as_slice() {
            [only] => match &only.of.shape {
                Shape::Pointer(to) => {
                    matches!(to.shape, Shape::Void) || matches!(to.shape, Shape::Integer(_)) && to.sizes == [1, 1]
                }
                _ => false,
            },
            _ => false,
        };
        let begins = of.name.strip_prefix(start).is_some_and(|rest| rest.starts_with('_'));
        takes_memory && begins && of.name.to_ascii_lowercase().ends_with("free")
    };
    let mut found = context.functions.iter().filter(frees);
    found.next().filter(|_| found.next().is_none()).map(|of| of.name.clone())
}

/// What a pointer is likely for; nothing, where that is anybody's guess.
pub(crate) fn value(of: &Type, context: &Context<'_>) -> Option<Value> {
    let Shape::Pointer(inner) = &of.shape else { return None };
    let function = context.table.split_once('.').map_or("", |(_, name)| name);
    let in_callback = context.table.starts_with("callbacks.");
    if inner.spelling == "FILE" || inner.spelling.contains("_IO_FILE") {
        return None;
    }
    let position = context.beside.iter().position(|(name, _)| name == context.name);
    let at = |position: usize| context.beside.get(position);
    // A length stands behind its buffer, or in front of it.
    let number = |(name, of): &&(String, &Type)| matches!(of.shape, Shape::Integer(_)) && is_length(name);
    let behind = position.and_then(|position| at(position + 1).filter(number));
    let before = position.and_then(|position| position.checked_sub(1)).and_then(at).filter(number);
    let named =
        context.beside.iter().filter(number).find(|(name, _)| name.starts_with(context.name) && name.len() > context.name.len());
    let length = named.or(behind).or(before).map(|(name, _)| name.clone());
    // Structures are counted, and have a size themselves: `struct foo *foo, size_t size` may be either.
    let next = position.and_then(|position| at(position + 1)).filter(|(_, of)| matches!(of.shape, Shape::Integer(_)));
    let previous = position.and_then(|position| position.checked_sub(1)).and_then(at);
    let previous = previous.filter(|(_, of)| matches!(of.shape, Shape::Integer(_)));
    // What is in front of one structure, or beside it in another, may count something else.
    let is_plural = context.name.ends_with('s');
    let count = next
        .filter(|(name, _)| is_count_of(name, context.name) && (is_plural || context.part != "fields"))
        .or(previous.filter(|(name, _)| is_count_of(name, context.name) && is_plural))
        .map(|(name, _)| name.clone());
    let is_unclear = count.is_none() && context.part != "fields" && next.is_some_and(|(name, _)| is_length(name));
    // `*length`, which the function changes.
    let pointed = position
        .and_then(|position| at(position + 1))
        .filter(|(name, of)| is_length(name) && matches!(&of.shape, Shape::Pointer(to) if matches!(to.shape, Shape::Integer(_))));
    let is_result = context.part == "result";
    let is_byte = matches!(inner.shape, Shape::Integer(_)) && inner.sizes[1] == 1;
    match &inner.shape {
        Shape::Void if is_result && gives_back(function, context) => Some(Value::pass(Pass::User)),
        Shape::Void if is_result => Some(Value::pass(Pass::Opaque)),
        Shape::Void if keeps(function) && !inner.is_const && next.is_none() => Some(Value::pass(Pass::User)),
        Shape::Void if HANDLES.contains(&context.name) && !in_callback => Some(Value::pass(Pass::Opaque)),
        Shape::Void if in_callback && position == Some(0) => Some(Value::pass(Pass::User)),
        Shape::Void if says(function, &FREES) || says(function, &MAKES) => Some(Value::pass(Pass::Opaque)),
        Shape::Void if SURELY_USER.contains(&context.name) => Some(Value::pass(Pass::User)),
        Shape::Void if USER.contains(&context.name) && length.is_none() => Some(Value::pass(Pass::User)),
        Shape::Void if context.beside.iter().any(|(_, other)| is_function(other)) && length.is_none() => {
            Some(Value::pass(Pass::User))
        }
        Shape::Void => length.map(|length| Value::with_length(if inner.is_const { Pass::In } else { Pass::Out }, &length)),
        // Text that may be written to is mostly the program's from now on, and to be freed.
        Shape::Integer(_) if is_byte && is_result && !inner.is_const && !in_callback => {
            Some(Value { free: freed_by(function, context), ..Value::pass(Pass::String) })
        }
        Shape::Integer(_) if is_byte && is_result => Some(Value::pass(Pass::String)),
        Shape::Integer(_) if is_byte && inner.is_const => Some(match length {
            Some(length) => Value::with_length(Pass::In, &length),
            None => Value::pass(Pass::String),
        }),
        Shape::Integer(_) if is_byte => match (length, pointed) {
            (_, Some((name, _))) => {
                Some(Value { written: Some(format!("*{name}")), ..Value::with_length(Pass::Out, &format!("*{name}")) })
            }
            (Some(length), None) => Some(Value::with_length(Pass::Out, &length)),
            (None, None) => None,
        },
        Shape::Integer(_) | Shape::Floating if inner.is_const => Some(match length {
            Some(length) => Value::with_length(Pass::In, &length),
            None => Value::pass(Pass::In),
        }),
        // `long *values, size_t *count`: room for so many; a size may be one of bytes. `int *offset, int *size` are two numbers.
        Shape::Integer(_) | Shape::Floating if !is_result && is_plural && pointed.is_some() => {
            let (name, _) = pointed.filter(|(name, _)| is_count_of(name, context.name))?;
            Some(Value { written: Some(format!("*{name}")), ..Value::with_length(Pass::Out, &format!("*{name}")) })
        }
        // `const int size[4]`: C says how many there are.
        Shape::Array(element, Some(_)) if inner.is_const && matches!(element.shape, Shape::Integer(_) | Shape::Floating) => {
            Some(Value::pass(Pass::In))
        }
        Shape::Integer(_) | Shape::Floating if !is_result => {
            // Where both sides have the same, what is in it before does not matter.
            let pass = if inner.sizes[0] == inner.sizes[1] || is_length(context.name) { Pass::Inout } else { Pass::Out };
            Some(length.map_or_else(|| Value::pass(pass), |length| Value::with_length(pass, &length)))
        }
        // `struct item *out, int *count`: as many as that says, before or after the call.
        Shape::Record(_) if !is_result && pointed.is_some() => None,
        Shape::Record(_) => {
            let pass = if inner.is_const || is_result { Pass::In } else { Pass::Inout };
            match count.filter(|_| !is_result) {
                Some(count) => Some(Value::with_length(pass, &count)),
                None => (is_result || !is_unclear).then(|| Value::pass(pass)),
            }
        }
        Shape::Pointer(to) if !is_result => match &to.shape {
            Shape::Incomplete if in_callback && length.is_some() => length.map(|length| Value::with_length(Pass::In, &length)),
            Shape::Incomplete | Shape::Record(_) | Shape::Function(_) => {
                Some(Value::pass(Pass::Out)).map(|value| match &to.shape {
                    Shape::Record(_) => Value { to: Some(Box::new(Value::pass(Pass::Opaque))), ..value },
                    _ => value,
                })
            }
            Shape::Integer(_) if to.sizes[1] == 1 && in_callback => length
                .map(|length| Value { to: Some(Box::new(Value::pass(Pass::String))), ..Value::with_length(Pass::In, &length) }),
            Shape::Integer(_) if to.sizes[1] == 1 && inner.is_const => {
                let pass = Value { to: Some(Box::new(Value::pass(Pass::String))), ..Value::pass(Pass::In) };
                Some(Value { length: Some(length.unwrap_or_else(|| "zero".to_owned())), ..pass })
            }
            Shape::Integer(_) if to.sizes[1] == 1 => {
                Some(Value { to: Some(Box::new(Value::pass(Pass::String))), ..Value::pass(Pass::Out) })
            }
            Shape::Void => Some(Value { to: Some(Box::new(Value::pass(Pass::Opaque))), ..Value::pass(Pass::Out) }),
            _ => None,
        },
        _ => None,
    }
}

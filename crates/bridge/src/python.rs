//! The Python module of a bridge: ctypes.

use crate::emit::quoted;
use crate::model::Model;
use port::interface::{Constant, Interface, Record, Shape, Type};
use std::fmt::Write;

/// Words that Python has taken.
const WORDS: [&str; 20] = [
    "from", "in", "is", "not", "and", "or", "def", "class", "import", "pass", "lambda", "global", "with", "as", "if", "else",
    "for", "while", "del", "None",
];

fn name(text: &str) -> String {
    if WORDS.contains(&text) { format!("{text}_") } else { text.to_owned() }
}

/// The name of a structure's class: of what has no name the position.
fn class(interface: &Interface, at: usize) -> String {
    interface.records.get(at).map_or_else(String::new, |record| {
        if record.spelling.contains('(') { format!("_record_{at}") } else { name(record.name()) }
    })
}

fn of(interface: &Interface, kind: &Type) -> String {
    match &kind.shape {
        Shape::Void | Shape::Incomplete | Shape::Unknown(_) | Shape::Function(_) => "None".to_owned(),
        Shape::Integer(signed) => format!("ctypes.c_{}int{}", if *signed { "" } else { "u" }, kind.sizes[1] * 8),
        Shape::Floating => match kind.sizes[1] {
            4 => "ctypes.c_float",
            8 => "ctypes.c_double",
            _ => "ctypes.c_longdouble",
        }
        .to_owned(),
        Shape::Record(at) => class(interface, *at),
        // Text is bytes, for Python too.
        Shape::Array(element, count) if element.spelling.trim_start_matches("const ") == "char" => {
            format!("(ctypes.c_char * {})", count.unwrap_or_default())
        }
        Shape::Array(element, count) => format!("({} * {})", of(interface, element), count.unwrap_or_default()),
        Shape::Pointer(inner) => match &inner.shape {
            Shape::Function(signature) => {
                let parameters: Vec<String> = signature.parameters.iter().map(|one| of(interface, &one.of)).collect();
                let all: Vec<String> = std::iter::once(of(interface, &signature.result)).chain(parameters).collect();
                format!("ctypes.CFUNCTYPE({})", all.join(", "))
            }
            Shape::Integer(_) if inner.sizes[1] == 1 && inner.spelling.contains("char") && inner.is_const => {
                "ctypes.c_char_p".to_owned()
            }
            Shape::Void | Shape::Incomplete | Shape::Unknown(_) => "ctypes.c_void_p".to_owned(),
            Shape::Integer(_) if inner.sizes[1] == 1 => "ctypes.c_void_p".to_owned(),
            // A structure may be in itself.
            _ => format!("ctypes.POINTER({})", of(interface, inner)),
        },
    }
}

fn fields(interface: &Interface, record: &Record) -> String {
    let mut out = String::new();
    for (at, member) in record.members.iter().enumerate() {
        let shown = if member.name.is_empty() { format!("_member{at}") } else { name(&member.name) };
        let bits = member.bits.map_or_else(String::new, |bits| format!(", {bits}"));
        let _ = writeln!(out, "    ({shown:?}, {}{bits}),", of(interface, &member.of));
    }
    out
}

/// Whether the module has something else of that name.
fn is_taken(interface: &Interface, model: &Model, constant: &str) -> bool {
    ["ctypes", "os", "library"].contains(&constant)
        || interface.constants.iter().any(|(name, _)| name == constant)
        || interface.records.iter().any(|record| record.name() == constant)
        || model.functions.iter().any(|function| function.name == constant)
}

fn literal(value: &Constant) -> String {
    match value {
        Constant::Integer(number) => number.to_string(),
        Constant::Floating(number) if number.is_finite() => format!("{number:?}"),
        Constant::Floating(number) => format!("float(\"{number}\")"),
        Constant::Text(text) => format!("b{}", quoted(text)),
    }
}

/// The module; it loads the library that is beside it.
#[must_use]
pub(crate) fn module(interface: &Interface, model: &Model, soname: &str) -> String {
    let mut out = format!(
        "\"\"\"Made by `biarch bridge build`: {soname}, a 32-bit library.\"\"\"\n\nimport ctypes\nimport os\n\n\
         library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), {soname:?}), use_errno=True)\n\n"
    );
    for (constant, value) in &interface.constants {
        let _ = writeln!(out, "{} = {value}", name(constant));
    }
    for (constant, value) in interface.macros.iter().filter(|(constant, _)| !is_taken(interface, model, constant)) {
        let _ = writeln!(out, "{} = {}", name(constant), literal(value));
    }
    for (at, record) in interface.records.iter().enumerate() {
        let base = if record.is_union { "Union" } else { "Structure" };
        let _ = writeln!(out, "\n\nclass {}(ctypes.{base}):\n    pass", class(interface, at));
    }
    out.push_str("\n\n");
    // A member that is a structure must be complete before what it is in.
    let mut done = vec![false; interface.records.len()];
    for at in 0..interface.records.len() {
        complete(interface, at, &mut done, &mut out);
    }
    // ctypes has one class for all of the same parameters, so that these are those of the functions below.
    for (callback, kind) in interface.callbacks.iter().filter(|(callback, _)| !is_taken(interface, model, callback)) {
        let _ = writeln!(out, "{} = {}", name(callback), of(interface, kind));
    }
    for function in &model.functions {
        if function.call.is_err() {
            continue;
        }
        let parameters: Vec<String> = function.signature.parameters.iter().map(|one| of(interface, &one.of)).collect();
        let result = of(interface, &function.signature.result);
        let shown = name(&function.name);
        let _ = writeln!(
            out,
            "{shown} = library.{}\n{shown}.argtypes = [{}]\n{shown}.restype = {result}",
            function.name,
            parameters.join(", ")
        );
    }
    out
}

fn complete(interface: &Interface, at: usize, done: &mut [bool], out: &mut String) {
    if done.get(at).copied().unwrap_or(true) {
        return;
    }
    done[at] = true;
    let Some(record) = interface.records.get(at) else { return };
    for member in &record.members {
        let mut inner = &member.of;
        while let Shape::Array(element, _) = &inner.shape {
            inner = element;
        }
        if let Shape::Record(other) = inner.shape {
            complete(interface, other, done, out);
        }
    }
    let unnamed: Vec<String> = record
        .members
        .iter()
        .enumerate()
        .filter(|(_, member)| member.name.is_empty() && member.bits.is_none())
        .map(|(at, _)| format!("\"_member{at}\", "))
        .collect();
    let shown = class(interface, at);
    if !unnamed.is_empty() {
        let _ = writeln!(out, "{shown}._anonymous_ = ({})", unnamed.concat());
    }
    let _ = writeln!(out, "{shown}._fields_ = [\n{}]", fields(interface, record));
}

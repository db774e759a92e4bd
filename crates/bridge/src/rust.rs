//! The Rust declarations of a bridge.

use crate::model::Model;
use port::interface::{Constant, Interface, Shape, Type};
use std::fmt::Write;

/// Words that Rust has taken and C has not.
const WORDS: [&str; 24] = [
    "type", "in", "fn", "use", "mod", "move", "ref", "match", "self", "super", "impl", "trait", "where", "let", "loop", "pub",
    "crate", "as", "dyn", "async", "await", "box", "final", "priv",
];

fn name(text: &str) -> String {
    if ["self", "super", "crate"].contains(&text) {
        format!("{text}_")
    } else if WORDS.contains(&text) {
        format!("r#{text}")
    } else {
        text.to_owned()
    }
}

fn record(interface: &Interface, at: usize) -> String {
    interface.records.get(at).map_or_else(String::new, |record| {
        if record.spelling.contains('(') { format!("Record{at}") } else { name(record.name()) }
    })
}

fn of(interface: &Interface, kind: &Type) -> String {
    match &kind.shape {
        Shape::Void | Shape::Incomplete | Shape::Unknown(_) | Shape::Function(_) => "core::ffi::c_void".to_owned(),
        Shape::Integer(signed) => format!("{}{}", if *signed { 'i' } else { 'u' }, kind.sizes[1] * 8),
        Shape::Floating => match kind.sizes[1] {
            4 => "f32",
            8 => "f64",
            // Rust has no type of ten bytes.
            _ => "LongDouble",
        }
        .to_owned(),
        Shape::Record(at) => record(interface, *at),
        Shape::Array(element, count) => format!("[{}; {}]", of(interface, element), count.unwrap_or_default()),
        Shape::Pointer(inner) => match &inner.shape {
            Shape::Function(signature) => {
                let parameters: Vec<String> = signature.parameters.iter().map(|one| of(interface, &one.of)).collect();
                let more = if signature.is_variadic { ", ..." } else { "" };
                format!("Option<unsafe extern \"C\" fn({}{more}){}>", parameters.join(", "), result(interface, &signature.result))
            }
            _ => format!("*{} {}", if inner.is_const { "const" } else { "mut" }, of(interface, inner)),
        },
    }
}

fn result(interface: &Interface, kind: &Type) -> String {
    if matches!(kind.shape, Shape::Void) { String::new() } else { format!(" -> {}", of(interface, kind)) }
}

/// Whether the module has something else of that name.
fn is_taken(interface: &Interface, model: &Model, constant: &str) -> bool {
    constant == "LongDouble"
        || interface.constants.iter().any(|(name, _)| name == constant)
        || interface.records.iter().any(|record| record.name() == constant)
        || model.functions.iter().any(|function| function.name == constant)
}

/// Type and value. A string ends with a NUL, as in C.
fn literal(value: &Constant) -> String {
    match value {
        Constant::Integer(number) if i64::try_from(*number).is_ok() => format!("i64 = {number}"),
        Constant::Integer(number) => format!("u64 = {number}"),
        Constant::Floating(number) if number.is_finite() => format!("f64 = {number:?}"),
        Constant::Floating(number) if number.is_nan() => "f64 = f64::NAN".to_owned(),
        Constant::Floating(number) => format!("f64 = f64::{}INFINITY", if *number < 0.0 { "NEG_" } else { "" }),
        Constant::Text(text) => {
            let bytes: Vec<String> = text.bytes().chain([0]).map(|byte| byte.to_string()).collect();
            format!(
                "&core::ffi::CStr = match core::ffi::CStr::from_bytes_with_nul(&[{}]) {{ Ok(text) => text, Err(_) => panic!() }}",
                bytes.join(", ")
            )
        }
    }
}

/// The declarations, as a module.
#[must_use]
pub(crate) fn module(interface: &Interface, model: &Model, library: &str) -> String {
    let mut out = String::from(
        "// Made by `biarch bridge build`.\n#![allow(non_camel_case_types, non_upper_case_globals, non_snake_case)]\n\n",
    );
    for (constant, value) in &interface.constants {
        let _ = writeln!(out, "pub const {}: i64 = {value};", name(constant));
    }
    for (constant, value) in interface.macros.iter().filter(|(constant, _)| !is_taken(interface, model, constant)) {
        let _ = writeln!(out, "pub const {}: {};", name(constant), literal(value));
    }
    out.push_str("\n#[repr(C, align(16))]\n#[derive(Clone, Copy)]\npub struct LongDouble(pub [u8; 16]);\n\n");
    for (at, of_record) in interface.records.iter().enumerate() {
        let word = if of_record.is_union { "union" } else { "struct" };
        let shown = record(interface, at);
        // What Rust cannot say of the layout is bytes: bit-fields.
        if of_record.members.iter().any(|member| member.bits.is_some()) {
            let _ = writeln!(
                out,
                "#[repr(C, align(8))]\n#[derive(Clone, Copy)]\npub struct {shown}(pub [u8; {}]);\n",
                of_record.sizes[1]
            );
            continue;
        }
        let _ = writeln!(out, "#[repr(C)]\n#[derive(Clone, Copy)]\npub {word} {shown} {{");
        for (at, member) in of_record.members.iter().enumerate() {
            let shown = if member.name.is_empty() { format!("member{at}") } else { name(&member.name) };
            let _ = writeln!(out, "    pub {shown}: {},", of(interface, &member.of));
        }
        out.push_str("}\n\n");
    }
    let _ = writeln!(out, "#[link(name = {library:?})]\nunsafe extern \"C\" {{");
    for function in model.functions.iter().filter(|function| function.call.is_ok()) {
        let signature = &function.signature;
        let parameters: Vec<String> = signature
            .parameters
            .iter()
            .enumerate()
            .map(|(at, one)| {
                let shown = if one.name.is_empty() { format!("arg{at}") } else { name(&one.name) };
                format!("{shown}: {}", of(interface, &one.of))
            })
            .collect();
        let more = if signature.is_variadic { ", ..." } else { "" };
        let _ = writeln!(
            out,
            "    pub fn {}({}{more}){};",
            name(&function.name),
            parameters.join(", "),
            result(interface, &signature.result)
        );
    }
    out.push_str("}\n");
    out
}

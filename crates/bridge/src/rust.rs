//! The Rust declarations of a bridge.

use crate::bindings::{self, Language, Part, Plan, Plans, WIDE};
use crate::model::Model;
use port::interface::{Constant, Interface, Record, Shape, Signature, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Words that Rust has taken, in any edition, and those that it keeps for later.
const WORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern",
    "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override",
    "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that cannot be names even so.
const NEVER: [&str; 5] = ["Self", "_", "crate", "self", "super"];

/// Types that the declarations use, and which a structure may not hide.
const TYPES: [&str; 12] = ["LongDouble", "Unaligned", "f32", "f64", "i16", "i32", "i64", "i8", "u16", "u32", "u64", "u8"];

/// What reads and writes bit-fields.
const BITS: &str = "
fn biarch_bits(bytes: &[u8], first: usize, count: usize) -> u64 {
    (0..count).fold(0, |value, at| value | u64::from(bytes[(first + at) / 8] >> ((first + at) % 8) & 1) << at)
}

fn biarch_set_bits(bytes: &mut [u8], first: usize, count: usize, value: u64) {
    for at in 0..count {
        let bit = 1 << ((first + at) % 8);
        let byte = &mut bytes[(first + at) / 8];
        *byte = if value >> at & 1 == 1 { *byte | bit } else { *byte & !bit };
    }
}
";

fn name(text: &str) -> String {
    if NEVER.contains(&text) {
        format!("{text}_")
    } else if WORDS.contains(&text) {
        format!("r#{text}")
    } else {
        text.to_owned()
    }
}

/// A name that nothing else has.
fn free(taken: &mut BTreeSet<String>, wanted: String) -> String {
    let mut found = wanted;
    while !taken.insert(found.clone()) {
        found.push('_');
    }
    found
}

struct Module<'a> {
    interface: &'a Interface,
    plans: Plans<'a>,
    /// The names of the structures.
    records: Vec<String>,
}

impl<'a> Module<'a> {
    fn new(interface: &'a Interface) -> Self {
        let mut taken: BTreeSet<String> = TYPES.iter().map(|word| (*word).to_owned()).collect();
        let mut records = Vec::new();
        for (at, record) in interface.records.iter().enumerate() {
            let wanted = if record.spelling.contains('(') { format!("Record{at}") } else { name(record.name()) };
            records.push(free(&mut taken, wanted));
        }
        Self { interface, plans: Plans::new(interface, Language::Rust), records }
    }

    fn of(&self, kind: &Type) -> String {
        match &kind.shape {
            Shape::Void => "::core::ffi::c_void".to_owned(),
            // Only its size is known.
            Shape::Incomplete | Shape::Unknown(_) | Shape::Function(_) => format!("[u8; {}]", kind.sizes[WIDE]),
            Shape::Integer(signed) => format!("{}{}", if *signed { 'i' } else { 'u' }, kind.sizes[WIDE] * 8),
            Shape::Floating => match kind.sizes[WIDE] {
                4 => "f32",
                8 => "f64",
                // Rust has no type of ten bytes.
                _ => "LongDouble",
            }
            .to_owned(),
            Shape::Record(at) => self.records.get(*at).cloned().unwrap_or_default(),
            Shape::Array(element, count) => format!("[{}; {}]", self.of(element), count.unwrap_or_default()),
            Shape::Pointer(inner) => match &inner.shape {
                Shape::Function(signature) if self.plans.callable(signature).is_ok() => {
                    let parameters: Vec<String> = signature.parameters.iter().map(|one| self.of(&one.of)).collect();
                    let more = if signature.is_variadic { ", ..." } else { "" };
                    format!(
                        "::core::option::Option<unsafe extern \"C\" fn({}{more}){}>",
                        parameters.join(", "),
                        self.result(&signature.result)
                    )
                }
                shape => {
                    let is_unknown = matches!(shape, Shape::Incomplete | Shape::Unknown(_) | Shape::Function(_));
                    let inside = if is_unknown { "::core::ffi::c_void".to_owned() } else { self.of(inner) };
                    format!("*{} {inside}", if inner.is_const { "const" } else { "mut" })
                }
            },
        }
    }

    fn result(&self, kind: &Type) -> String {
        if matches!(kind.shape, Shape::Void) { String::new() } else { format!(" -> {}", self.of(kind)) }
    }

    /// A structure, with what makes the compiler look whether it lies in memory as in C.
    fn record(&self, record: &Record, shown: &str, plan: &Plan, out: &mut String) {
        let word = if record.is_union && !plan.is_opaque { "union" } else { "struct" };
        let attributes = match (plan.is_packed, plan.is_aligned) {
            (true, _) => format!(", packed({})", plan.alignment),
            (false, true) => format!(", align({})", plan.alignment),
            (false, false) => String::new(),
        };
        if plan.is_opaque && record.sizes[WIDE] != 0 {
            let _ = writeln!(out, "/// What is in it is not known, or cannot be declared: it is bytes.");
        }
        let _ = writeln!(out, "#[repr(C{attributes})]\n#[derive(Clone, Copy)]\npub {word} {shown} {{");
        let mut asserted = format!(
            "const _: () = assert!(::core::mem::size_of::<{shown}>() == {} && ::core::mem::align_of::<{shown}>() == {});\n",
            record.sizes[WIDE], record.alignment
        );
        let mut taken: BTreeSet<String> = record.members.iter().map(|member| name(&member.name)).collect();
        let mut storage = Vec::new();
        for part in &plan.parts {
            let (field, kind, offset) = match *part {
                Part::Bytes(first, count) => {
                    let field = free(&mut taken, format!("bytes_{first}"));
                    storage.push((field.clone(), first, count));
                    (field, format!("[u8; {count}]"), first)
                }
                Part::Member(at) | Part::Loose(at) => {
                    let Some(member) = record.members.get(at) else { continue };
                    let field = match member.name.as_str() {
                        "" => free(&mut taken, format!("member{at}")),
                        text => name(text),
                    };
                    // What is packed can have nothing in it that is aligned.
                    let kind = match part {
                        Part::Loose(_) if self.plans.says_alignment(&member.of) => format!("[u8; {}]", member.of.sizes[WIDE]),
                        Part::Loose(_) => format!("Unaligned<{}>", self.of(&member.of)),
                        _ => self.of(&member.of),
                    };
                    (field, kind, member.offsets[WIDE] / 8)
                }
            };
            let _ = writeln!(out, "    pub {field}: {kind},");
            if !record.is_union {
                let _ = writeln!(asserted, "const _: () = assert!(::core::mem::offset_of!({shown}, {field}) == {offset});");
            }
        }
        let _ = writeln!(out, "}}\n{asserted}");
        if !plan.is_opaque {
            self.bits(record, shown, &storage, out);
        }
    }

    /// What reads and writes the bit-fields of a structure.
    fn bits(&self, record: &Record, shown: &str, storage: &[(String, u64, u64)], out: &mut String) {
        let mut found = Vec::new();
        bindings::bit_fields(self.interface, record, 0, false, &mut found);
        if found.is_empty() {
            return;
        }
        let _ = writeln!(out, "impl {shown} {{");
        for one in &found {
            let kind = record.members.iter().find(|member| member.name == one.name).map(|member| self.of(&member.of));
            let is_in = |(_, first, count): &&(String, u64, u64)| (first * 8..(first + count) * 8).contains(&one.first);
            let (Some(kind), Some((field, first, _))) = (kind, storage.iter().find(is_in)) else { continue };
            let (first, count, text) = (one.first - first * 8, one.count, one.name);
            let rest = 64 - count.min(64);
            let read = format!("biarch_bits(&self.{field}, {first}, {count})");
            let read = if one.is_signed { format!("(({read} << {rest}) as i64 >> {rest})") } else { read };
            let _ = writeln!(
                out,
                "    pub fn {}(&self) -> {kind} {{\n        {read} as {kind}\n    }}\n    \
                 pub fn set_{text}(&mut self, value: {kind}) {{\n        \
                 biarch_set_bits(&mut self.{field}, {first}, {count}, value as u64)\n    }}",
                name(text)
            );
        }
        out.push_str("}\n\n");
    }

    fn function(&self, symbol: &str, signature: &Signature, out: &mut String) {
        if let Err(why) = self.plans.callable(signature) {
            let _ = writeln!(out, "    // {symbol} is left out: {why}.");
            return;
        }
        let mut taken = BTreeSet::new();
        let parameters: Vec<String> = signature
            .parameters
            .iter()
            .enumerate()
            .map(|(at, one)| {
                let wanted = if one.name.is_empty() { format!("arg{at}") } else { name(&one.name) };
                format!("{}: {}", free(&mut taken, wanted), self.of(&one.of))
            })
            .collect();
        let more = if signature.is_variadic { ", ..." } else { "" };
        let shown = name(symbol);
        if shown.trim_start_matches("r#") != symbol {
            let _ = writeln!(out, "    #[link_name = {symbol:?}]");
        }
        let _ = writeln!(out, "    pub fn {shown}({}{more}){};", parameters.join(", "), self.result(&signature.result));
    }
}

/// Whether the module has something else of that name.
fn is_taken(interface: &Interface, model: &Model, constant: &str) -> bool {
    TYPES.contains(&constant)
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
                "&::core::ffi::CStr = match ::core::ffi::CStr::from_bytes_with_nul(&[{}]) {{ Ok(text) => text, Err(_) => panic!() }}",
                bytes.join(", ")
            )
        }
    }
}

/// The declarations, as a module.
#[must_use]
pub(crate) fn module(interface: &Interface, model: &Model, library: &str) -> String {
    let mut out = String::from(
        "// Made by `biarch bridge build`.\n#![allow(dead_code, improper_ctypes, non_camel_case_types, non_upper_case_globals, non_snake_case)]\n\n",
    );
    for (constant, value) in &interface.constants {
        let _ = writeln!(out, "pub const {}: i64 = {value};", name(constant));
    }
    for (constant, value) in interface.macros.iter().filter(|(constant, _)| !is_taken(interface, model, constant)) {
        let _ = writeln!(out, "pub const {}: {};", name(constant), literal(value));
    }
    let _ = writeln!(out, "\n#[repr(C, align(16))]\n#[derive(Clone, Copy)]\npub struct LongDouble(pub [u8; 16]);\n");
    let _ = writeln!(
        out,
        "/// A member that is not where its type is aligned to: `one.member.0` is its value.\n#[repr(C, packed)]\n\
         #[derive(Clone, Copy)]\npub struct Unaligned<T: Copy>(pub T);\n"
    );
    let module = Module::new(interface);
    if interface.records.iter().any(|record| record.members.iter().any(|member| member.bits.is_some())) {
        let _ = writeln!(out, "{}", BITS.trim_start());
    }
    for (at, record) in interface.records.iter().enumerate() {
        if let (Some(plan), Some(shown)) = (module.plans.get(at), module.records.get(at)) {
            module.record(record, shown, plan, &mut out);
        }
    }
    let _ = writeln!(out, "#[link(name = {library:?})]\nunsafe extern \"C\" {{");
    for function in model.functions.iter().filter(|function| function.call.is_ok()) {
        module.function(&function.name, &function.signature, &mut out);
    }
    out.push_str("}\n");
    out
}

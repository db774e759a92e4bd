//! The Python module of a bridge: ctypes.

use crate::bindings::{self, Language, Part, Plans, WIDE};
use crate::emit::quoted;
use crate::model::{Argument, Call, Conversion, Model, Pointer};
use port::interface::{Constant, Interface, Record, Shape, Signature, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Words that Python has taken: `keyword.kwlist`, and a name that cannot be assigned to.
const WORDS: [&str; 36] = [
    "False",
    "None",
    "True",
    "__debug__",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
];

/// What the module itself uses by these names.
const MODULES: [&str; 3] = ["ctypes", "os", "library"];

/// What the module's own words are defined by.
const SUPPORT: &str = include_str!("python/support.py");

fn name(text: &str) -> String {
    if WORDS.contains(&text) { format!("{text}_") } else { text.to_owned() }
}

struct Module<'a> {
    interface: &'a Interface,
    model: &'a Model,
    plans: Plans<'a>,
    /// The names of the structures' classes.
    classes: Vec<String>,
    /// All names that the module has.
    taken: BTreeSet<String>,
}

/// A name that nothing else has: as it is, as C writes it with `struct`, or with what makes it another.
fn free(taken: &mut BTreeSet<String>, candidates: &[String]) -> String {
    let mut found = candidates.iter().find(|one| !taken.contains(*one)).or(candidates.last()).cloned().unwrap_or_default();
    while !taken.insert(found.clone()) {
        found.push('_');
    }
    found
}

impl<'a> Module<'a> {
    fn new(interface: &'a Interface, model: &'a Model) -> Self {
        let mut taken: BTreeSet<String> = MODULES.iter().map(|word| (*word).to_owned()).collect();
        // C has names of structures apart from others.
        let functions = model.functions.iter().map(|function| &function.name);
        let others = functions.chain(interface.constants.iter().map(|(constant, _)| constant));
        taken.extend(others.chain(interface.callbacks.iter().map(|(callback, _)| callback)).map(|text| name(text)));
        let mut classes = Vec::new();
        for (at, record) in interface.records.iter().enumerate() {
            let shown = record.name();
            let word = if record.is_union { "union" } else { "struct" };
            let candidates = match record.spelling.contains('(') {
                true => vec![format!("_record_{at}")],
                false => vec![name(shown), format!("{word}_{shown}")],
            };
            classes.push(free(&mut taken, &candidates));
        }
        Self { interface, model, plans: Plans::new(interface, Language::Python), classes, taken }
    }

    /// A name that is no other's, or none: what Python's modules are called is not for the library.
    fn own(&self, text: &str) -> String {
        if MODULES.contains(&text) { format!("{text}_") } else { name(text) }
    }

    fn class(&self, at: usize) -> &str {
        self.classes.get(at).map_or("", String::as_str)
    }

    fn of(&self, kind: &Type) -> String {
        match &kind.shape {
            Shape::Void => "None".to_owned(),
            // Only its size is known.
            Shape::Incomplete | Shape::Unknown(_) | Shape::Function(_) => format!("(ctypes.c_uint8 * {})", kind.sizes[WIDE]),
            Shape::Integer(signed) => format!("ctypes.c_{}int{}", if *signed { "" } else { "u" }, kind.sizes[WIDE] * 8),
            Shape::Floating => match kind.sizes[WIDE] {
                4 => "ctypes.c_float",
                8 => "ctypes.c_double",
                _ => "ctypes.c_longdouble",
            }
            .to_owned(),
            Shape::Record(at) => self.class(*at).to_owned(),
            // Text is bytes, for Python too.
            Shape::Array(element, count) if element.spelling.trim_start_matches("const ") == "char" => {
                format!("(ctypes.c_char * {})", count.unwrap_or_default())
            }
            Shape::Array(element, count) => format!("({} * {})", self.of(element), count.unwrap_or_default()),
            Shape::Pointer(inner) => match &inner.shape {
                Shape::Function(signature) => self.function_type(signature),
                Shape::Integer(_) if is_text(inner) && inner.is_const => "ctypes.c_char_p".to_owned(),
                Shape::Void | Shape::Incomplete | Shape::Unknown(_) => "ctypes.c_void_p".to_owned(),
                Shape::Integer(_) if inner.sizes[WIDE] == 1 => "ctypes.c_void_p".to_owned(),
                // A structure may be in itself.
                _ => format!("ctypes.POINTER({})", self.of(inner)),
            },
        }
    }

    fn function_type(&self, signature: &Signature) -> String {
        if self.plans.callable(signature).is_err() {
            return "ctypes.c_void_p".to_owned();
        }
        let parameters = signature.parameters.iter().map(|one| self.of(&one.of));
        let all: Vec<String> = std::iter::once(self.of(&signature.result)).chain(parameters).collect();
        format!("_function({})", all.join(", "))
    }

    /// What an argument is given as: for a pointer to memory what looks at arrays, too.
    fn parameter(&self, function: &str, argument: &Argument, of: &Type) -> String {
        let kind = self.of(of);
        let Shape::Pointer(inner) = &of.shape else { return kind };
        let element = bindings::innermost(inner);
        let expected = match &element.shape {
            Shape::Function(_) => return kind,
            Shape::Integer(is_signed) => format!("({:?}, {})", if *is_signed { 'i' } else { 'u' }, element.sizes[WIDE]),
            Shape::Floating => format!("('f', {})", element.sizes[WIDE]),
            Shape::Record(_) => format!("('V', {})", element.sizes[WIDE]),
            Shape::Pointer(_) => format!("('p', {})", element.sizes[WIDE]),
            _ => "None".to_owned(),
        };
        let is_written = match self.model.kinds.get(argument.kind).map(|kind| &kind.conversion) {
            Some(Conversion::Pointer(Pointer { flags, .. })) => flags.contains(&"BRIDGE_OUT"),
            Some(Conversion::Opaque { .. } | Conversion::User) => false,
            _ => !inner.is_const,
        };
        let is_written = if is_written { "True" } else { "False" };
        format!("_Pointer({function:?}, {:?}, {kind}, {}, {is_written})", argument.name, expected.replace('\'', "\""))
    }

    /// What a function returns: text that the annotation calls a string is bytes, unless somebody has to free it.
    fn result(&self, call: &Call, of: &Type) -> String {
        let is_string = |argument: &Argument| match self.model.kinds.get(argument.kind).map(|kind| &kind.conversion) {
            Some(Conversion::Pointer(Pointer { flags, .. })) => flags.contains(&"BRIDGE_ZERO"),
            _ => false,
        };
        match &of.shape {
            Shape::Pointer(inner) if is_text(inner) && call.result.as_ref().is_some_and(is_string) && !self.frees_text() => {
                "ctypes.c_char_p".to_owned()
            }
            _ => self.of(of),
        }
    }

    /// Whether a function ends the life of text, for which it needs the address.
    fn frees_text(&self) -> bool {
        let is_memory = |of: &Type| matches!(&of.shape, Shape::Pointer(to) if is_text(to) || matches!(to.shape, Shape::Void));
        let ends = |one: &Argument, of: &Type| one.drop && is_memory(of);
        self.model.functions.iter().any(|function| {
            let types = function.signature.parameters.iter().map(|one| &one.of);
            function.call.as_ref().is_ok_and(|call| call.parameters.iter().zip(types).any(|(one, of)| ends(one, of)))
        })
    }

    fn member_name(&self, at: usize, record: &Record, member: usize) -> String {
        match record.members.get(member).map(|member| member.name.as_str()) {
            Some("") | None => format!("_member{at}_{member}"),
            Some(text) => name(text),
        }
    }

    fn complete(&self, at: usize, done: &mut [bool], out: &mut String) {
        if done.get(at).copied().unwrap_or(true) {
            return;
        }
        done[at] = true;
        let (Some(record), Some(plan)) = (self.interface.records.get(at), self.plans.get(at)) else { return };
        // A member that is a structure must be complete before what it is in.
        for member in &record.members {
            if let Shape::Record(other) = bindings::innermost(&member.of).shape {
                self.complete(other, done, out);
            }
        }
        let shown = self.class(at);
        let (mut fields, mut names, mut unnamed, mut offsets) = (String::new(), String::new(), String::new(), String::new());
        for part in &plan.parts {
            match *part {
                Part::Bytes(first, count) => {
                    let _ = writeln!(fields, "    (\"_bytes{at}_{first}\", ctypes.c_uint8 * {count}),");
                }
                Part::Member(position) | Part::Loose(position) => {
                    let Some(member) = record.members.get(position) else { continue };
                    let field = self.member_name(at, record, position);
                    let _ = writeln!(fields, "    ({field:?}, {}),", self.of(&member.of));
                    // What is no structure has no names to give.
                    if member.name.is_empty() && matches!(member.of.shape, Shape::Record(_)) {
                        let _ = write!(unnamed, "{field:?}, ");
                    }
                    let _ = write!(offsets, "{field:?}: {}, ", member.offsets[WIDE] / 8);
                }
            }
        }
        for (position, member) in record.members.iter().enumerate() {
            if !plan.is_opaque && (member.bits.is_none() || !member.name.is_empty()) {
                let _ = write!(names, "{:?}, ", self.member_name(at, record, position));
            }
        }
        if plan.is_opaque && record.sizes[WIDE] != 0 {
            let _ = writeln!(out, "# What is in {} is not known, or cannot be declared: it is bytes.", record.spelling);
        }
        if !unnamed.is_empty() {
            let _ = writeln!(out, "{shown}._anonymous_ = ({unnamed})");
        }
        if plan.is_packed {
            // Without the layout of the same name, Python 3.14 warns.
            let _ = writeln!(out, "{shown}._layout_ = \"ms\"\n{shown}._pack_ = 1");
        }
        if self.is_named(at) {
            let _ = writeln!(out, "{shown}._names_ = ({names})");
        }
        let _ = writeln!(out, "{shown}._fields_ = [\n{fields}]");
        let mut bits = Vec::new();
        bindings::bit_fields(self.interface, record, 0, true, &mut bits);
        for one in bits.iter().filter(|_| !plan.is_opaque) {
            let is_signed = if one.is_signed { "True" } else { "False" };
            let _ = writeln!(out, "{shown}.{} = _Bits({}, {}, {is_signed})", name(one.name), one.first, one.count);
        }
        let _ = writeln!(out, "_check({shown}, {}, {{{offsets}}})", record.sizes[WIDE]);
    }

    /// Whether a structure's fields are not its members.
    fn is_named(&self, at: usize) -> bool {
        self.plans.get(at).is_some_and(|plan| plan.parts.iter().any(|part| matches!(part, Part::Bytes(..))))
    }
}

/// Whether it is a character.
fn is_text(of: &Type) -> bool {
    matches!(of.shape, Shape::Integer(_)) && of.sizes[WIDE] == 1 && of.spelling.contains("char")
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
    let module = Module::new(interface, model);
    let mut out = format!(
        "\"\"\"Made by `biarch bridge build`: {soname}, a 32-bit library.\"\"\"\n\nimport builtins as _builtins\nimport ctypes\n\
         import operator as _operator\nimport os\nimport threading as _threading\n\n\
         library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), {soname:?}), use_errno=True)\n\
         {SUPPORT}\n\n"
    );
    for (constant, value) in &interface.constants {
        let _ = writeln!(out, "{} = {value}", module.own(constant));
    }
    for (constant, value) in &interface.macros {
        let shown = name(constant);
        if !module.taken.contains(&shown) {
            let _ = writeln!(out, "{shown} = {}", literal(value));
        }
    }
    for (at, record) in interface.records.iter().enumerate() {
        let base = if record.is_union { "Union" } else { "Structure" };
        let named = if module.is_named(at) { "_Named, " } else { "" };
        let _ = writeln!(out, "\n\nclass {}({named}ctypes.{base}):\n    pass", module.class(at));
    }
    out.push_str("\n\n");
    let mut done = vec![false; interface.records.len()];
    for at in 0..interface.records.len() {
        module.complete(at, &mut done, &mut out);
    }
    for (callback, kind) in &interface.callbacks {
        let is_taken = model.functions.iter().any(|function| function.name == *callback);
        if !is_taken {
            let _ = writeln!(out, "{} = {}", module.own(callback), module.of(kind));
        }
    }
    for function in &model.functions {
        let Ok(call) = &function.call else { continue };
        let signature = &function.signature;
        let shown = module.own(&function.name);
        if let Err(why) = module.plans.callable(signature) {
            let _ = writeln!(out, "# {} is left out: {why}.", function.name);
            continue;
        }
        let parameters: Vec<String> = call
            .parameters
            .iter()
            .zip(&signature.parameters)
            .map(|(argument, one)| module.parameter(&function.name, argument, &one.of))
            .collect();
        // The library's own attributes begin with an underscore.
        let symbol = match shown == function.name && !shown.starts_with('_') {
            true => format!("library.{shown}"),
            false => format!("library[{:?}]", function.name),
        };
        let _ = writeln!(
            out,
            "{shown} = {symbol}\n{shown}.argtypes = [{}]\n{shown}.restype = {}\n{shown}.errcheck = _raised",
            parameters.join(", "),
            module.result(call, &signature.result)
        );
    }
    out
}

//! What a library was compiled from, where its debugging information says it: a header of another version is refused, not believed.

use crate::annotation::{self, Annotation, Pass, Value};
use crate::library::Library;
use crate::model::{self, Refusal};
use anyhow::{Context, Result};
use elf::dwarf::{self, Functions, Target};
use elf::layout::{Of, Shape as Compiled};
use object::Object;
use port::interface::{Interface, Record, Shape, Signature, Type};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Where a system has debugging information that is not in the files themselves.
const ROOT: &str = "/usr/lib/debug";
/// Structures in one another that are compared.
const MAX_DEPTH: usize = 16;
/// Bytes of a word of arguments.
const WORD: u64 = 4;

/// What the library's debugging information says of the functions that a header declares; nothing where there is none.
///
/// # Errors
/// Where it is there and cannot be read.
pub(crate) fn read(library: &Library, interface: &Interface) -> Result<Functions> {
    let path = library.path.as_path();
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let object = object::File::parse(bytes.as_slice())?;
    let names: BTreeSet<&str> = interface.functions.iter().map(|function| function.name.as_str()).collect();
    let has = object.section_by_name(".debug_info").is_some() || object.section_by_name(".zdebug_info").is_some();
    let mut functions = if has {
        dwarf::functions(&object, &names)?
    } else if let Some(beside) = dwarf::debug_file(path, &object, &[PathBuf::from(ROOT)]) {
        let bytes = fs::read(&beside).with_context(|| format!("cannot read {}", beside.display()))?;
        dwarf::functions(&object::File::parse(bytes.as_slice())?, &names)?
    } else {
        return Ok(Functions::default());
    };
    // Where there are several versions of a function, the newest may have another name in the source. Bit 0 says Thumb.
    let is_it = |name: &String, address: u64| library.addresses.get(name).is_some_and(|known| known & !1 == address & !1);
    functions.named.retain(|name, function| function.address.is_none_or(|address| is_it(name, address)));
    Ok(functions)
}

/// What the library was not compiled with.
pub(crate) fn refusals(interface: &Interface, library: &Library, annotation: &Annotation) -> Vec<Refusal> {
    let Ok(compiled) = &library.compiled else { return Vec::new() };
    let mut comparison =
        Comparison { interface, annotation, compiled, soname: &library.soname, seen: BTreeSet::new(), found: Vec::new() };
    for function in &interface.functions {
        let own = annotation.functions.get(&function.name);
        let Some(there) = compiled.named.get(&function.name) else { continue };
        if own.is_some_and(|own| own.skip.is_some()) || !function.signature.has_prototype {
            continue;
        }
        let at =
            Place { table: format!("functions.{}", function.name), place: &function.place, advice: SKIP, what: String::new() };
        comparison.signature(&at, &function.name, own, &function.signature, &there.signature);
    }
    comparison.found
}

/// What to do about a function.
const SKIP: &str = "skip = \"why\"";
/// What to do about a structure.
const OPAQUE: &str = "opaque = true, if the program never looks inside";

/// What is blamed for a difference.
struct Place<'a> {
    table: String,
    place: &'a str,
    advice: &'static str,
    /// What of it, before what is wrong.
    what: String,
}

/// The header on one side, and what the library was compiled from on the other.
struct Comparison<'a> {
    interface: &'a Interface,
    annotation: &'a Annotation,
    compiled: &'a Functions,
    soname: &'a str,
    /// Structures and function types, each with what it has been compared with.
    seen: BTreeSet<(String, usize)>,
    found: Vec<Refusal>,
}

impl<'a> Comparison<'a> {
    fn say(&mut self, at: &Place<'_>, why: &str) {
        let (place, table, what) = (at.place.to_owned(), at.table.clone(), &at.what);
        let why = format!("{what}{why}, as its debugging information says: the header is of another version");
        let refusal = Refusal { place, table, key: String::new(), why, guess: None, advice: at.advice.to_owned() };
        if !self.found.contains(&refusal) {
            self.found.push(refusal);
        }
    }

    /// A function, or a function type: `name` is what its function types without a name are called after.
    fn signature(
        &mut self,
        at: &Place<'_>,
        name: &str,
        own: Option<&annotation::Function>,
        declared: &'a Signature,
        compiled: &dwarf::Signature,
    ) {
        let parameters = model::named(&declared.parameters);
        let (here, there) = (parameters.len(), compiled.parameters.len());
        if here != there && !declared.is_variadic && !compiled.is_variadic {
            self.say(at, &format!("it takes {here} parameters, and in {} {there}", self.soname));
            return;
        }
        if let Some(why) = result(&declared.result, compiled) {
            self.say(at, &format!("{why} in {}", self.soname));
        }
        for ((name, of), value) in parameters.iter().zip(&compiled.parameters) {
            if let Some(why) = parameter(of, &value.of, compiled.has_prototype) {
                self.say(at, &format!("`{name}` {why} in {}", self.soname));
            }
        }
        if let Some(value) = &compiled.result {
            let said = own.and_then(|own| own.result.as_ref());
            self.value(at, [name, "result", "result"], said, &declared.result, &value.of);
        }
        for (position, ((parameter, of), value)) in parameters.iter().zip(&compiled.parameters).enumerate() {
            let said = own.and_then(|own| model::said(own, &parameters, parameter));
            self.value(at, [name, parameter, &model::numbered(position)], said, of, &value.of);
        }
    }

    /// What a value is made of, and what it leads to; `names` are those of what it is in, its own, and of a parameter that by its number.
    fn value(&mut self, at: &Place<'_>, names: [&str; 3], said: Option<&Value>, declared: &'a Type, compiled: &Of) {
        match &declared.shape {
            Shape::Record(record) => self.record(*record, compiled),
            Shape::Array(element, _) => {
                if let Compiled::Array(other, _) = &compiled.shape {
                    self.value(at, names, said, element, other);
                }
            }
            Shape::Pointer(inner) if !said.is_some_and(|said| matches!(said.pass, Some(Pass::Opaque | Pass::User))) => {
                let all = self.compiled;
                match (&inner.shape, all.target(compiled)) {
                    (Shape::Function(signature), Some(Target::Function(other))) => {
                        self.callback(at, names, declared, signature, (compiled.to.unwrap_or_default(), other));
                    }
                    (Shape::Function(_), _) | (_, Some(Target::Function(_)) | None) => {}
                    // Lists and trees come back to where they have been.
                    (Shape::Record(at), Some(Target::Type(_)))
                        if !self.seen.insert((format!("types.{at}"), compiled.to.unwrap_or_default())) => {}
                    (_, Some(Target::Type(other))) => {
                        if let Some(why) = pointed(inner, other) {
                            self.say(at, &format!("`{}` leads to {why} in {}", names[1], self.soname));
                        }
                        self.value(at, names, said.and_then(|said| said.to.as_deref()), inner, other);
                    }
                }
            }
            _ => {}
        }
    }

    /// A pointer to a function.
    fn callback(
        &mut self,
        at: &Place<'_>,
        [owner, own, by_number]: [&str; 3],
        of: &Type,
        declared: &'a Signature,
        (place, compiled): (usize, &dwarf::Signature),
    ) {
        let name = model::callback_name(self.annotation, of, owner, [own, by_number]);
        // Without a prototype nothing is said of what it takes.
        let is_known = compiled.has_prototype || !compiled.parameters.is_empty();
        if !is_known || !declared.has_prototype || !self.seen.insert((format!("callbacks.{name}"), place)) {
            return;
        }
        let at = Place { table: at.table.clone(), place: at.place, advice: at.advice, what: format!("{}`{own}`: ", at.what) };
        self.signature(&at, &name, self.annotation.callbacks.get(&name), declared, compiled);
    }

    /// A structure, and what its members lead to.
    fn record(&mut self, at: usize, compiled: &Of) {
        let (interface, annotation) = (self.interface, self.annotation);
        let (Some(record), Compiled::Record(found)) = (interface.records.get(at), &compiled.shape) else { return };
        let own = annotation.types.get(record.name());
        if own.is_some_and(|own| own.opaque) {
            return;
        }
        let place =
            Place { table: format!("types.{}", record.name()), place: &record.place, advice: OPAQUE, what: String::new() };
        if let Some(why) = structure(interface, record, compiled, 0) {
            self.say(&place, &format!("{why} in {}", self.soname));
            return;
        }
        for member in &record.members {
            let Some(other) = found.members.iter().find(|other| other.name == member.name && !member.name.is_empty()) else {
                continue;
            };
            let said = own.and_then(|own| own.fields.get(&member.name));
            self.value(&place, [record.name(), &member.name, &member.name], said, &member.of, &other.of);
        }
    }
}

/// How numbers differ that pointers lead to. Bytes may be anything.
fn pointed(declared: &Type, compiled: &Of) -> Option<String> {
    let is_number = matches!(declared.shape, Shape::Integer(_) | Shape::Floating)
        && matches!(compiled.shape, Compiled::Scalar | Compiled::Floating);
    let [size, _] = declared.sizes;
    let is_known = is_number && size > 1 && compiled.size > 1;
    (is_known && size != compiled.size)
        .then(|| format!("{}, and to {}", described(&declared.spelling, size), described(&compiled.name, compiled.size)))
}

/// Bytes of it as an argument.
fn passed(size: u64) -> u64 {
    size.next_multiple_of(WORD)
}

/// What a value is, and its bytes.
fn described(name: &str, size: u64) -> String {
    format!("`{name}` of {size} bytes")
}

/// How a parameter differs. What is shorter than a word is passed as one, and a pointer is a word.
fn parameter(declared: &Type, compiled: &Of, has_prototype: bool) -> Option<String> {
    let [size, _] = declared.sizes;
    if size == 0 || compiled.size == 0 {
        return None;
    }
    let floating = [matches!(declared.shape, Shape::Floating), compiled.shape == Compiled::Floating];
    // In C, `float` is passed as `double` without a prototype; in C++ nothing says that there is one.
    let same = floating[0] == floating[1] && (passed(size) == passed(compiled.size) || floating[0] && !has_prototype);
    (!same).then(|| format!("is {}, and {}", described(&declared.spelling, size), described(&compiled.name, compiled.size)))
}

/// How a result differs. Of one that is shorter than a word the rest is not defined; who ignores it loses nothing.
fn result(declared: &Type, compiled: &dwarf::Signature) -> Option<String> {
    let [size, _] = declared.sizes;
    if matches!(declared.shape, Shape::Void) {
        return None;
    }
    let Some(value) = &compiled.result else { return Some(format!("it returns `{}`, and nothing", declared.spelling)) };
    if size == 0 || value.of.size == 0 {
        return None;
    }
    let floating = [matches!(declared.shape, Shape::Floating), value.of.shape == Compiled::Floating];
    let same = floating[0] == floating[1] && passed(size) == passed(value.of.size) && size <= value.of.size;
    (!same)
        .then(|| format!("it returns {}, and {}", described(&declared.spelling, size), described(&value.of.name, value.of.size)))
}

/// How a structure differs: in a member that both have, or in its size.
fn structure(interface: &Interface, record: &Record, compiled: &Of, depth: usize) -> Option<String> {
    let Compiled::Record(found) = &compiled.shape else { return None };
    let [size, _] = record.sizes;
    // One without a size is not complete, or has an array without an end only.
    if size == 0 || compiled.size == 0 || depth > MAX_DEPTH {
        return None;
    }
    for member in record.members.iter().filter(|member| !member.name.is_empty()) {
        let Some(other) = found.members.iter().find(|other| other.name == member.name) else { continue };
        let [here, there] = [member.offsets[0], other.offset];
        if here != there {
            return Some(format!("its member `{}` is at {}, and at {}", member.name, place(here), place(there)));
        }
        let why = match &member.of.shape {
            Shape::Record(at) => interface.records.get(*at).and_then(|inner| structure(interface, inner, &other.of, depth + 1)),
            _ => None,
        };
        if let Some(why) = why {
            return Some(format!("`{}`: {why}", member.name));
        }
        let [here, there] = [member.bits.map_or(member.of.sizes[0] * 8, |bits| bits), other.bits.unwrap_or(other.of.size * 8)];
        if here != there && here > 0 && there > 0 {
            return Some(format!("its member `{}` has {}, and {}", member.name, width(here), width(there)));
        }
    }
    (size != compiled.size).then(|| format!("it has {size} bytes, and {}", compiled.size))
}

fn place(bits: u64) -> String {
    if bits % 8 == 0 { format!("byte {}", bits / 8) } else { format!("bit {bits}") }
}

fn width(bits: u64) -> String {
    if bits % 8 == 0 { format!("{} bytes", bits / 8) } else { format!("{bits} bits") }
}

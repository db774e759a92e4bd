//! What a library was compiled from, where its debugging information says it: a header of another version is refused, not believed.

use crate::annotation::{Annotation, Pass, Value};
use crate::library::Library;
use crate::model::{self, Refusal};
use anyhow::{Context, Result};
use elf::dwarf::{self, Function};
use elf::layout::{Of, Shape as Compiled};
use object::Object;
use port::interface::{Interface, Record, Shape, Type};
use std::collections::{BTreeMap, BTreeSet};
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
pub(crate) fn read(library: &Library, interface: &Interface) -> Result<BTreeMap<String, Function>> {
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
        return Ok(BTreeMap::new());
    };
    // Where there are several versions of a function, the newest may have another name in the source. Bit 0 says Thumb.
    let is_it = |name: &String, address: u64| library.addresses.get(name).is_some_and(|known| known & !1 == address & !1);
    functions.retain(|name, function| function.address.is_none_or(|address| is_it(name, address)));
    Ok(functions)
}

/// What the library was not compiled with.
pub(crate) fn refusals(interface: &Interface, library: &Library, annotation: &Annotation) -> Vec<Refusal> {
    let mut found: Vec<Refusal> = Vec::new();
    let mut add = |refusal: Refusal| {
        if !found.contains(&refusal) {
            found.push(refusal);
        }
    };
    for function in &interface.functions {
        let Some(compiled) = library.compiled.as_ref().ok().and_then(|all| all.get(&function.name)) else { continue };
        let own = annotation.functions.get(&function.name);
        if own.is_some_and(|own| own.skip.is_some()) || !function.signature.has_prototype {
            continue;
        }
        let mut say = |why: String| {
            add(Refusal {
                place: function.place.clone(),
                table: format!("functions.{}", function.name),
                key: String::new(),
                why: format!("{why}, as its debugging information says: the header is of another version"),
                guess: None,
                advice: "skip = \"why\"".to_owned(),
            });
        };
        let declared = model::named(&function.signature.parameters);
        let (here, there) = (declared.len(), compiled.parameters.len());
        let is_variadic = function.signature.is_variadic || compiled.is_variadic;
        if here != there && !is_variadic {
            say(format!("it takes {here} parameters, and in {} {there}", library.soname));
            continue;
        }
        if let Some(why) = result(&function.signature.result, compiled) {
            say(format!("{why} in {}", library.soname));
        }
        for ((name, of), value) in declared.iter().zip(&compiled.parameters) {
            if let Some(why) = parameter(of, &value.of, compiled.has_prototype) {
                say(format!("`{name}` {why} in {}", library.soname));
            }
        }
        let nothing = Value::default();
        let results = (&function.signature.result, own.and_then(|own| own.result.as_ref()), compiled.result.as_ref());
        let mut pairs = vec![(results.0, results.1.unwrap_or(&nothing), results.2)];
        for ((name, of), value) in declared.iter().zip(&compiled.parameters) {
            pairs.push((*of, own.and_then(|own| own.parameters.get(name)).unwrap_or(&nothing), Some(value)));
        }
        for (of, said, value) in pairs {
            let (declared, compiled) = match (&of.shape, value) {
                (Shape::Pointer(inner), Some(value)) if !matches!(said.pass, Some(Pass::Opaque | Pass::User)) => {
                    (&**inner, value.to.as_deref())
                }
                (Shape::Record(_), Some(value)) => (of, Some(&value.of)),
                _ => continue,
            };
            let (Shape::Record(at), Some(compiled)) = (&declared.shape, compiled) else { continue };
            let Some(record) = interface.records.get(*at) else { continue };
            if annotation.types.get(record.name()).is_some_and(|own| own.opaque) {
                continue;
            }
            if let Some(why) = structure(interface, record, compiled, 0) {
                add(Refusal {
                    place: record.place.clone(),
                    table: format!("types.{}", record.name()),
                    key: String::new(),
                    why: format!(
                        "{why} in {}, as its debugging information says: the header is of another version",
                        library.soname
                    ),
                    guess: None,
                    advice: "opaque = true, if the program never looks inside".to_owned(),
                });
            }
        }
    }
    found
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
fn result(declared: &Type, compiled: &Function) -> Option<String> {
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

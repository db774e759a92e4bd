//! The functions that a shared object has for others, found as the dynamic loader finds them: through the program headers. A file
//! without section headers, as `sstrip` makes them, has the same ones.

use crate::Error;
use crate::details::{Dynamic, Reader, open};
use crate::source::Source;
use object::elf;
use std::collections::HashMap;

/// Bytes of a function's name. Those of C++ are the longest; what is longer is left out.
const MAX_NAME: u64 = 4096;
/// Bytes of all names: symbols may all have the same long one.
const MAX_NAMES: usize = 64 << 20;
/// Versions of symbols: a number of one has 15 bits.
const MAX_VERSIONS: u64 = 1 << 15;
/// Set in the number of a version with which new programs are not linked.
const HIDDEN: u16 = 0x8000;

/// A function that others can call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its name.
    pub name: String,
    /// The version of that, where it has one.
    pub version: Option<String>,
    /// Whether it is what new programs are linked with, of several versions.
    pub is_default: bool,
    /// `st_value`: where its code begins.
    pub address: u64,
}

/// The functions, in the order of the symbols. What is damaged is left out.
///
/// # Errors
/// See [`Error`].
pub fn exports<S: Source + ?Sized>(source: &S) -> Result<Vec<Export>, Error> {
    let (reader, header) = open(source)?;
    let Some(dynamic) = reader.dynamic() else { return Ok(Vec::new()) };
    Ok(functions(&reader, &header, &dynamic).unwrap_or_default())
}

fn functions<S: Source + ?Sized>(reader: &Reader<'_, S>, header: &[u8], dynamic: &Dynamic) -> Option<Vec<Export>> {
    let layout = reader.layout;
    let (entry, [info, section]) = if layout.wide { (24, [4, 6]) } else { (16, [12, 14]) };
    let table = reader.symbols(header, dynamic)?;
    let count = table.len() / entry;
    // A file that has no versions has no such table.
    let numbers = dynamic.value(elf::DT_VERSYM).and_then(|at| reader.at_address(at, count as u64 * 2)).unwrap_or_default();
    let versions = versions(reader, dynamic).unwrap_or_default();
    let mut room = MAX_NAMES;
    let mut found = Vec::new();
    for (at, symbol) in table.chunks_exact(entry).enumerate() {
        let [kind, binding] = symbol.get(info).map(|info| [info & 15, info >> 4])?;
        let is_defined = layout.u16(symbol, section) != Some(elf::SHN_UNDEF);
        if !is_defined || binding == elf::STB_LOCAL || !matches!(kind, elf::STT_FUNC | elf::STT_GNU_IFUNC) {
            continue;
        }
        let name = layout.u32(symbol, 0).and_then(|at| dynamic.string(at.into(), MAX_NAME));
        let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
        room = room.checked_sub(name.len())?;
        let number = layout.u16(&numbers, at * 2).unwrap_or_default();
        let version = versions.get(&(number & !HIDDEN)).cloned();
        let address = layout.word(symbol, 4, 8)?;
        found.push(Export { name, version, is_default: number & HIDDEN == 0, address });
    }
    Some(found)
}

/// The names of the versions that the file defines. The first is that of the file itself, which no symbol has.
fn versions<S: Source + ?Sized>(reader: &Reader<'_, S>, dynamic: &Dynamic) -> Option<HashMap<u16, String>> {
    let layout = reader.layout;
    let mut place = dynamic.value(elf::DT_VERDEF)?;
    let count = dynamic.value(elf::DT_VERDEFNUM)?.min(MAX_VERSIONS);
    let mut found = HashMap::new();
    for _ in 0..count {
        let definition = reader.at_address(place, 20)?;
        let [flags, number] = [2, 4].map(|at| layout.u16(&definition, at));
        let [auxiliary, next] = [12, 16].map(|at| layout.u32(&definition, at).map(u64::from));
        // The first name is its own, the others those of what it follows.
        let name = reader.at_address(place.checked_add(auxiliary?)?, 8)?;
        let name = layout.u32(&name, 0).and_then(|at| dynamic.string(at.into(), MAX_NAME));
        if let Some(name) = name.filter(|_| flags.is_some_and(|flags| flags & elf::VER_FLG_BASE == 0)) {
            found.insert(number?, name);
        }
        match next? {
            0 => break,
            next => place = place.checked_add(next)?,
        }
    }
    Some(found)
}

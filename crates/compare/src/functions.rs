//! The machine code of a benchmark, as it is in the worker of an ABI: its function, and those of the same C file that it calls.

use crate::disassembly::{Class, Code, Decoder, Instruction, Mix};
use crate::worker::Abi;
use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// All of it.
    pub instructions: Vec<Instruction>,
    /// For each of them whether it belongs to the work: of the benchmark's own function what is in its loops, after the set-up; of
    /// what is called from there all.
    pub hot: Vec<bool>,
    /// Functions elsewhere that it calls for the work: of the C library, and of the compiler's.
    pub elsewhere: Vec<String>,
}

struct Symbol<'data> {
    name: &'data str,
    size: u64,
    /// The C file; empty for what is seen outside of it.
    file: &'data str,
}

/// The functions of the benchmark `name`, the one that does the work first.
///
/// # Errors
/// Where biarch was built without the worker of this ABI, or the worker is not what `build.rs` makes.
pub fn of(abi: Abi, name: &str) -> Result<Vec<Function>> {
    let image = abi.image();
    anyhow::ensure!(!image.is_empty(), "this biarch was built without the programs for {}: its compiler was missing", abi.name());
    let object = object::File::parse(image)?;
    let decoder = Decoder::of(&object).context("an architecture of the worker")?;
    let mut symbols: BTreeMap<u64, Symbol<'_>> = BTreeMap::new();
    let (mut file, mut row) = ("", None);
    for symbol in object.symbols() {
        let own = symbol.name()?;
        match symbol.kind() {
            SymbolKind::File => file = own,
            SymbolKind::Text if symbol.size() > 0 => {
                let file = if symbol.is_local() { file } else { "" };
                symbols.entry(symbol.address() & !low(abi)).or_insert(Symbol { name: own, size: symbol.size(), file });
            }
            _ if own.strip_prefix("bench_") == Some(name) => row = Some(symbol.address()),
            _ => {}
        }
    }
    // `struct bench`: three pointers, the last of which is to the function.
    let (pointer, row) = (
        if object.is_64() { 8 } else { 4 },
        row.with_context(|| format!("there is no benchmark {name}; `biarch compare list` has all"))?,
    );
    let bytes = section(&object, row).and_then(|(start, _, bytes)| {
        let at = usize::try_from(row - start).ok()? + 2 * pointer;
        bytes.get(at..at + pointer)
    });
    let address = bytes.context("a row of the worker")?.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    let mut todo = vec![address & !low(abi)];
    let mut found: Vec<(u64, Function)> = Vec::new();
    let own_file = symbols.get(&(address & !low(abi))).map_or("", |symbol| symbol.file);
    while let Some(address) = todo.pop() {
        let Some(symbol) = symbols.get(&address).filter(|_| found.iter().all(|(known, _)| *known != address)) else { continue };
        let (start, section_name, bytes) = section(&object, address).context("code of the worker")?;
        let from = usize::try_from(address - start)?;
        let bytes = bytes.get(from..from + usize::try_from(symbol.size)?).context("a function of the worker")?;
        let mut instructions = Vec::new();
        decoder.walk(&Code { name: section_name, address, bytes }, true, &mut |instruction| instructions.push(instruction));
        let calls = |name: &str| {
            let name = |one: &&Instruction| one.target.and_then(|to| symbols.get(&to)).is_some_and(|symbol| symbol.name == name);
            instructions.iter().find(name).map(|one| one.address)
        };
        let timed = (calls("begin").unwrap_or_default(), calls("end").unwrap_or(u64::MAX));
        let hot = if found.is_empty() { loops(&instructions, timed) } else { vec![true; instructions.len()] };
        let mut function = Function { name: symbol.name.to_owned(), instructions, hot, elsewhere: Vec::new() };
        let targets: Vec<u64> = function.hot().filter_map(|one| one.target).collect();
        for target in targets.iter().rev() {
            match symbols.get(target) {
                Some(symbol) if symbol.name == "die" => {}
                Some(symbol) if !own_file.is_empty() && symbol.file == own_file => todo.push(*target),
                Some(symbol) if !function.elsewhere.iter().any(|name| name == symbol.name) => {
                    function.elsewhere.push(symbol.name.to_owned());
                }
                _ => {}
            }
        }
        // A call says whom it calls, a jump how far into the function it leads.
        for one in &mut function.instructions {
            let Some(target) = one.target else { continue };
            let operation = one.text.split([' ', '\t']).next().unwrap_or_default();
            if let Some(symbol) = symbols.get(&target) {
                one.text = format!("{operation} {}", symbol.name);
            } else if let Some(offset) = target.checked_sub(address).filter(|offset| *offset < symbol.size) {
                one.text = format!("{operation} {offset:x}");
            }
        }
        found.push((address, function));
    }
    Ok(found.into_iter().map(|(_, function)| function).collect())
}

impl Function {
    /// The instructions of the work.
    pub fn hot(&self) -> impl Iterator<Item = &Instruction> {
        self.instructions.iter().zip(&self.hot).filter_map(|(one, hot)| hot.then_some(one))
    }
}

/// Which instructions are in a loop: from the target of a jump backwards to the jump. What is before the time is taken and after it
/// does not count; all, where there is no loop.
fn loops(instructions: &[Instruction], (begin, end): (u64, u64)) -> Vec<bool> {
    let back = |one: &Instruction| Some((one.target?, one.address)).filter(|(to, from)| to <= from && *to > begin && *from < end);
    let first = instructions.first().map_or(0, |one| one.address);
    let branches = instructions.iter().filter(|one| one.class == Class::Branch);
    let ranges: Vec<(u64, u64)> = branches.filter_map(back).filter(|(to, _)| *to >= first).collect();
    let inside = |one: &Instruction| ranges.iter().any(|(to, from)| (*to..=*from).contains(&one.address));
    instructions.iter().map(|one| ranges.is_empty() || inside(one)).collect()
}

/// The bit of an address that is none: on ARM it says which encoding.
fn low(abi: Abi) -> u64 {
    u64::from(abi == Abi::Armhf)
}

/// The section at this address: where it begins, its name and its bytes.
fn section<'data>(object: &object::File<'data>, address: u64) -> Option<(u64, String, &'data [u8])> {
    let section = object.sections().find(|section| (section.address()..section.address() + section.size()).contains(&address))?;
    Some((section.address(), section.name().ok()?.to_owned(), section.data().ok()?))
}

/// What the work is made of, in all of them.
#[must_use]
pub fn mix(functions: &[Function]) -> Mix {
    let mut mix = Mix::default();
    functions.iter().flat_map(Function::hot).for_each(|instruction| mix.add(instruction));
    mix
}

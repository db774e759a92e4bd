//! ARM in both encodings, and AArch64, by yaxpeax-arm. What that does not know is what it leaves out on purpose: floating point
//! and vectors of 32-bit ARM, which are told by their place in the encoding.

use super::{Class, Code, Instruction, symbols};
use object::{Architecture, Object};
use std::collections::BTreeMap;
use yaxpeax_arch::{Decoder as _, U8Reader};
use yaxpeax_arm::{armv7, armv8::a64};

/// What is where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    A64,
    A32,
    T32,
    Data,
}

/// Where which encoding is used. An ARM program says so by mapping symbols (`$a`, `$t`, `$x`, `$d`); where they were stripped off,
/// by the lowest bit of the addresses of functions.
#[derive(Clone, Debug)]
pub struct Places {
    /// From each address on.
    changes: BTreeMap<u64, Kind>,
    /// Where nothing says anything.
    default: Kind,
    /// Whether data are told as well.
    mapped: bool,
}

impl Places {
    pub(super) fn of(object: &object::File<'_>) -> Self {
        if object.architecture() == Architecture::Aarch64 {
            let mapping = mapping(object);
            return Self { mapped: true, changes: mapping, default: Kind::A64 };
        }
        let mapping = mapping(object);
        if !mapping.is_empty() {
            return Self { changes: mapping, default: Kind::A32, mapped: true };
        }
        let encoding = |address: u64| if address & 1 == 1 { Kind::T32 } else { Kind::A32 };
        let functions: BTreeMap<u64, Kind> = symbols(object)
            .into_iter()
            .filter(|(address, _, function)| *function && *address != 0)
            .map(|(address, ..)| (address & !1, encoding(address)))
            .collect();
        let thumb = functions.values().filter(|kind| **kind == Kind::T32).count();
        let default = if object.entry() != 0 {
            encoding(object.entry())
        } else if thumb * 2 > functions.len() {
            Kind::T32
        } else {
            Kind::A32
        };
        Self { changes: functions, default, mapped: false }
    }

    fn at(&self, section: &Code<'_>, address: u64) -> Kind {
        // What the linker and the C library's start files put there is in words.
        let words = !self.mapped && [".plt", ".iplt", ".init", ".fini"].contains(&section.name.as_str());
        let default = if words { Kind::A32 } else { self.default };
        self.changes.range(section.address..=address).next_back().map_or(default, |(_, kind)| *kind)
    }

    /// Where something else may begin after `address`.
    fn next(&self, address: u64) -> u64 {
        self.changes.range(address + 1..).next().map_or(u64::MAX, |(address, _)| *address)
    }
}

/// Mapping symbols: ELF for the Arm architecture, 5.5.5.
fn mapping(object: &object::File<'_>) -> BTreeMap<u64, Kind> {
    let kind = |name: &[u8]| match name {
        [b'$', b'a'] | [b'$', b'a', b'.', ..] => Some(Kind::A32),
        [b'$', b't'] | [b'$', b't', b'.', ..] => Some(Kind::T32),
        [b'$', b'x'] | [b'$', b'x', b'.', ..] => Some(Kind::A64),
        [b'$', b'd'] | [b'$', b'd', b'.', ..] => Some(Kind::Data),
        _ => None,
    };
    symbols(object).into_iter().filter_map(|(address, name, _)| Some((address, kind(name)?))).collect()
}

pub(super) fn walk(places: &Places, code: &Code<'_>, text: bool, visit: &mut dyn FnMut(Instruction)) {
    let mut at = 0;
    // Words that loads relative to the program counter read: they lie behind the code that does. How many words from each address.
    let mut literals: BTreeMap<u64, u64> = BTreeMap::new();
    let mut bound = None;
    while at < code.bytes.len() {
        let address = code.address.wrapping_add(at as u64);
        let kind = places.at(code, address);
        let rest = code.bytes.get(at..).unwrap_or_default();
        let literal = literals.remove(&address).filter(|_| !places.mapped);
        let until = places.next(address).saturating_sub(address);
        let one = if kind == Kind::Data || literal.is_some() {
            data(rest, address, literal.unwrap_or(until).min(until))
        } else {
            one(kind, rest, address, text)
        };
        if !places.mapped {
            if let Some((target, bytes)) = literal_of(kind, rest, address) {
                literals.insert(target, bytes);
            }
            if let Some(most) = compared(rest) {
                bound = Some(most);
            }
            // A table of jumps follows at once: as many as the comparison before lets through.
            if let (Some(size), Some(most)) = (table(rest).filter(|_| kind == Kind::T32), bound) {
                literals.insert(address + 4, ((most + 1) * size).next_multiple_of(2));
            }
        }
        // No more than there is: a truncated instruction ends the section.
        at += usize::try_from(one.length).unwrap_or(usize::MAX).clamp(1, rest.len());
        visit(one);
    }
}

fn data(rest: &[u8], address: u64, length: u64) -> Instruction {
    let length = length.min(rest.len() as u64).max(1);
    let bytes = rest.iter().take(4).rev().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    Instruction {
        address,
        length,
        class: Class::Data,
        slot: false,
        vector: false,
        target: None,
        text: format!(".word 0x{bytes}"),
    }
}

/// The instruction at the beginning of `rest`.
fn one(kind: Kind, rest: &[u8], address: u64, text: bool) -> Instruction {
    let half = |at: usize| Some(u16::from_le_bytes([*rest.get(at)?, *rest.get(at + 1)?]));
    let Some(first) = half(0) else { return data(rest, address, 1) };
    let short = kind == Kind::T32 && first >> 11 < 0b11101;
    let Some(second) = half(2).or(short.then_some(0)) else { return data(rest, address, 2) };
    let word = u32::from(second) << 16 | u32::from(first);
    let length = if short { 2 } else { 4 };
    if fills(kind, short, word) {
        return Instruction {
            address,
            length,
            class: Class::Padding,
            slot: false,
            vector: false,
            target: None,
            text: "nop".to_owned(),
        };
    }
    let mut reader = U8Reader::new(rest);
    let (shown, name) = match kind {
        Kind::A64 => match a64::InstDecoder::default().decode(&mut reader) {
            Ok(decoded) => {
                let shown = decoded.to_string();
                let name = shown.split([' ', '.']).next().unwrap_or_default().to_owned();
                (shown, name)
            }
            Err(_) => return unknown(kind, word, length, address),
        },
        // yaxpeax-arm panics on a pair of registers that begins with pc.
        _ if float(kind, word) || kind == Kind::A32 && word & 0x0e00_f0d0 == 0xf0d0 => {
            return unknown(kind, word, length, address);
        }
        _ => match armv7::InstDecoder::default().with_thumb_mode(kind == Kind::T32).decode(&mut reader) {
            Ok(decoded) => (decoded.to_string(), name_of(decoded.opcode)),
            Err(_) => return unknown(kind, word, length, address),
        },
    };
    let operands = shown.split_once(' ').map_or("", |(_, operands)| operands);
    let slot = ["[sp", "[x29"].iter().any(|base| operands.contains(base));
    let class = class(&name, operands, slot);
    Instruction {
        address,
        length,
        class,
        slot,
        vector: class == Class::Float,
        target: target(kind, word, address),
        text: if text { shown } else { String::new() },
    }
}

/// The name of an operation, without its condition.
fn name_of(opcode: armv7::Opcode) -> String {
    let shown = format!("{opcode:?}").to_lowercase();
    shown.split('(').next().unwrap_or_default().to_owned()
}

/// What yaxpeax-arm does not know: floating point and vectors of 32-bit ARM, system registers, and what is no instruction.
fn unknown(kind: Kind, word: u32, length: u64, address: u64) -> Instruction {
    let class = if float(kind, word) {
        Class::Float
    } else if kind != Kind::A64 && length == 4 && coprocessor(if kind == Kind::T32 { word.rotate_left(16) } else { word }) {
        Class::Other
    } else {
        Class::Data
    };
    let vector = class == Class::Float;
    Instruction { address, length, class, slot: false, vector, target: None, text: format!(".inst 0x{word:08x}") }
}

/// Whether a word, its first halfword above, is of a coprocessor: the thread's pointer is in one.
fn coprocessor(word: u32) -> bool {
    matches!(word >> 24 & 0xf, 0xc..=0xe)
}

/// `nop` in its encodings, and zeros between functions.
fn fills(kind: Kind, short: bool, word: u32) -> bool {
    match (kind, short) {
        // nop, and mov r8, r8
        (_, true) => matches!(word & 0xffff, 0xbf00 | 0x46c0 | 0),
        // nop.w, in the order of the halfwords in memory
        (Kind::T32, false) => word == 0x8000_f3af,
        // nop, and mov r0, r0
        (Kind::A32, _) => matches!(word, 0xe320_f000 | 0xe1a0_0000 | 0),
        _ => matches!(word, 0xd503_201f | 0),
    }
}

/// Whether this is of the floating-point and vector units, by its place in the encoding: Arm Architecture Reference Manual, F3.1,
/// F4.1 and C4.1.
fn float(kind: Kind, word: u32) -> bool {
    let unit = |word: u32| matches!(word >> 24 & 0xf, 0xc..=0xe) && word >> 9 & 7 == 0b101;
    match kind {
        // Data processing of the unit, its loads and stores, and the scalable vectors.
        Kind::A64 => word >> 25 & 7 == 7 || (word >> 25 & 5 == 4 && word >> 26 & 1 == 1) || word >> 25 & 0xf == 2,
        Kind::A32 if word >> 28 == 0xf => word >> 25 & 7 == 1 || word >> 24 & 0xf == 4 && word >> 20 & 1 == 0 || unit(word),
        Kind::A32 => unit(word),
        Kind::T32 => {
            let word = word.rotate_left(16);
            matches!(word >> 28, 0xe | 0xf) && (unit(word) || word >> 24 & 0xf == 0xf)
                || word >> 24 == 0xf9 && word >> 20 & 1 == 0
        }
        Kind::Data => false,
    }
}

/// By the name of the operation, without conditions, and its operands.
fn class(name: &str, operands: &str, slot: bool) -> Class {
    let vector = |token: &str| {
        token
            .strip_prefix(['b', 'h', 's', 'd', 'q', 'v'])
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if operands.split(|c: char| !c.is_alphanumeric() && c != '_').any(vector) {
        return Class::Float;
    }
    // What is loaded into the program counter is where the program goes on.
    let to_pc = operands.starts_with("pc") || operands.split_once('{').is_some_and(|(_, list)| list.contains("pc"));
    match name {
        "pop" | "ldm" if to_pc => Class::Call,
        "bx" | "mov" if operands == "lr" || operands == "pc, lr" => Class::Call,
        "ldr" | "mov" | "add" if to_pc => Class::Branch,
        "bl" | "blx" | "blr" | "ret" | "blraa" | "blraaz" | "blrab" | "blrabz" | "retaa" | "retab" => Class::Call,
        "b" | "br" | "bx" | "bxj" | "bc" | "cbz" | "cbnz" | "tbz" | "tbnz" | "tbb" | "tbh" | "braa" | "braaz" | "brab"
        | "brabz" => Class::Branch,
        "push" | "pop" => Class::Stack,
        "ldm" | "stm" if operands.starts_with("sp") => Class::Stack,
        _ if ATOMIC.iter().any(|atomic| name.starts_with(atomic)) => Class::Other,
        _ if (name.starts_with("ld") || name.starts_with("st")) && slot => Class::Stack,
        _ if name.starts_with("ld") => Class::Load,
        _ if name.starts_with("st") => Class::Store,
        _ if ["mov", "mvn", "sxt", "uxt", "csel"].iter().any(|moves| name.starts_with(moves)) => Class::Move,
        _ if ["pac", "aut", "xpac"].iter().any(|marker| name.starts_with(marker)) || OTHER.contains(&name) => Class::Other,
        _ => Class::Arithmetic,
    }
}

/// Atomic operations in memory, of AArch64: how their names begin.
const ATOMIC: [&str; 14] = [
    "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp", "cas", "stadd", "stclr", "steor", "stset",
];

/// What is neither computed nor moved.
const OTHER: [&str; 39] = [
    "hint", "bti", "dsb", "dmb", "isb", "sb", "ssbb", "pssbb", "sys", "sysl", "msr", "mrs", "svc", "hvc", "smc", "brk", "bkpt",
    "hlt", "udf", "clrex", "prfm", "prfum", "pld", "pli", "it", "mcr", "mrc", "mcrr", "mrrc", "cdp", "yield", "wfe", "wfi",
    "sev", "csdb", "esb", "dbg", "cps", "setend",
];

/// Where a call or a jump leads, if it says so itself.
fn target(kind: Kind, word: u32, address: u64) -> Option<u64> {
    // An offset of so many bits, in words or halfwords, with its sign.
    let to = |from: u64, value: u32, bits: u32, scale: u32| {
        let offset = i64::from(i32::from_ne_bytes((value << (32 - bits)).to_ne_bytes()) >> (32 - bits)) << scale;
        from.wrapping_add_signed(offset)
    };
    match kind {
        // b, bl
        Kind::A64 if word >> 26 & 0x1f == 0b00101 => Some(to(address, word & 0x3ff_ffff, 26, 2)),
        // b.cond, cbz, cbnz
        Kind::A64 if word >> 24 == 0x54 || word >> 25 & 0x3f == 0b01_1010 => Some(to(address, word >> 5 & 0x7_ffff, 19, 2)),
        // tbz, tbnz
        Kind::A64 if word >> 25 & 0x3f == 0b01_1011 => Some(to(address, word >> 5 & 0x3fff, 14, 2)),
        // b, bl of any condition, blx
        Kind::A32 if word >> 25 & 7 == 5 => Some(to(address + 8, word & 0xff_ffff, 24, 2)),
        // bl, blx, b.w of 24 bits: S, I1, I2, imm10 and imm11, the I being those in the code and S put together
        Kind::T32 if word & 0xf800 == 0xf000 && (word >> 16 & 0x9000 == 0x9000 || word >> 16 & 0xd000 == 0xc000) => {
            let (first, second) = (word & 0xffff, word >> 16);
            let sign = first >> 10 & 1;
            let (j1, j2) = (1 ^ sign ^ (second >> 13 & 1), 1 ^ sign ^ (second >> 11 & 1));
            let value = sign << 23 | j1 << 22 | j2 << 21 | (first & 0x3ff) << 11 | second & 0x7ff;
            let to = to(address + 4, value, 24, 1);
            // blx goes to the other encoding, at a multiple of 4.
            Some(if second >> 12 & 1 == 0 { to & !3 } else { to })
        }
        _ => None,
    }
}

/// The words that a load relative to the program counter reads: where, and how many bytes.
fn literal_of(kind: Kind, rest: &[u8], address: u64) -> Option<(u64, u64)> {
    let half = |at: usize| Some(u32::from(u16::from_le_bytes([*rest.get(at)?, *rest.get(at + 1)?])));
    let (first, second) = (half(0)?, half(2).unwrap_or_default());
    let place = |up: bool, offset: u32, base: u64| {
        if up { base.wrapping_add(u64::from(offset)) } else { base.wrapping_sub(u64::from(offset)) }
    };
    // vldr, whose other half is the same in both encodings
    let vector = |high: u32, low: u32, base: u64| {
        let size = if low >> 8 & 1 == 1 { 8 } else { 4 };
        (high & 0xff3f == 0xed1f && low >> 9 & 7 == 5).then(|| (place(high >> 7 & 1 == 1, (low & 0xff) * 4, base), size))
    };
    match kind {
        Kind::T32 => {
            let base = (address + 4) & !3;
            if first >> 11 == 0b01001 {
                return Some((base + u64::from(first & 0xff) * 4, 4));
            }
            if first & 0xff7f == 0xf85f {
                return Some((place(first >> 7 & 1 == 1, second & 0xfff, base), 4));
            }
            vector(first, second, base)
        }
        Kind::A32 => {
            let base = address + 8;
            if second & 0x0f7f == 0x051f {
                return Some((place(second >> 7 & 1 == 1, first & 0xfff, base), 4));
            }
            vector(second & 0x0fff | 0xe000, first, base)
        }
        Kind::A64 | Kind::Data => None,
    }
}

/// `cmp` with a constant, in its short form: what a jump through a table follows.
fn compared(rest: &[u8]) -> Option<u64> {
    match rest {
        [low, high, ..] if high >> 3 == 0b00101 => Some(u64::from(*low)),
        // cmp.w of registers above r7
        [low, 0xf1, constant, 0x0f, ..] if low & 0xf0 == 0xb0 => Some(u64::from(*constant)),
        _ => None,
    }
}

/// `tbb [pc, …]` and `tbh [pc, …]`: bytes of one entry of the table behind it.
fn table(rest: &[u8]) -> Option<u64> {
    match rest {
        [0xdf, 0xe8, second, 0xf0, ..] if second & 0xf0 == 0 => Some(1),
        [0xdf, 0xe8, second, 0xf0, ..] if second & 0xf0 == 0x10 => Some(2),
        _ => None,
    }
}

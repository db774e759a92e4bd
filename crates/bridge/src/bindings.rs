//! What the declarations for other languages have in common: how structures lie in memory for the program, and which of them can be passed.

use port::interface::{Interface, Member, Record, Shape, Signature, Type};

/// The program's side.
pub(crate) const WIDE: usize = 1;

/// What is passed in registers is not larger (System V ABI for x86-64, 3.2.3).
const IN_REGISTERS: u64 = 16;

/// What the declarations are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// ctypes, which cannot ask for an alignment and leaves calls to libffi.
    Python,
    /// rustc, which knows the ABI, and neither `long double` nor bit-fields.
    Rust,
}

/// A piece of a structure as it is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// A member, by its position.
    Member(usize),
    /// One that is not where its type is aligned to, or that the language does not pack.
    Loose(usize),
    /// Bytes that are padding, or hold bit-fields: where, and how many.
    Bytes(u64, u64),
}

/// How a structure is declared so that it lies in memory as C has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// In order.
    pub(crate) parts: Vec<Part>,
    /// Whether its members are aligned to no more than `alignment`.
    pub(crate) is_packed: bool,
    /// What the language aligns it to; Rust what C does.
    pub(crate) alignment: u64,
    /// Whether that is more than its members need, and must be said.
    pub(crate) is_aligned: bool,
    /// Whether only its size is known.
    pub(crate) is_opaque: bool,
}

/// The plans of all structures of a header.
pub(crate) struct Plans<'a> {
    interface: &'a Interface,
    language: Language,
    plans: Vec<Option<Plan>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Nothing,
    Integer,
    Floating,
    LongDouble,
}

/// In what a structure of at most 16 bytes is passed.
#[derive(Debug)]
struct Passing {
    classes: [Class; 2],
    /// Something is not where its type is aligned to.
    in_memory: bool,
    is_unknown: bool,
}

/// What an array, or an array of arrays, is made of.
pub(crate) fn innermost(mut of: &Type) -> &Type {
    while let Shape::Array(element, _) = &of.shape {
        of = element;
    }
    of
}

/// The bytes of a type for the program; what is as long as somebody says elsewhere has none.
fn size(of: &Type) -> u64 {
    if matches!(of.shape, Shape::Array(_, None)) { 0 } else { of.sizes[WIDE] }
}

impl<'a> Plans<'a> {
    pub(crate) fn new(interface: &'a Interface, language: Language) -> Self {
        let mut plans = Self { interface, language, plans: vec![None; interface.records.len()] };
        for at in 0..interface.records.len() {
            plans.make(at);
        }
        plans
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Plan> {
        self.plans.get(at)?.as_ref()
    }

    fn make(&mut self, at: usize) {
        let Some(record) = self.interface.records.get(at).filter(|_| self.plans.get(at).is_some_and(Option::is_none)) else {
            return;
        };
        let whole = Part::Bytes(0, record.sizes[WIDE]);
        let alignment = if self.language == Language::Rust { record.alignment } else { 1 };
        let opaque = Plan { parts: vec![whole], is_packed: false, alignment, is_aligned: alignment > 1, is_opaque: true };
        self.plans[at] = Some(opaque.clone());
        for member in &record.members {
            if let Shape::Record(inner) = innermost(&member.of).shape {
                self.make(inner);
            }
        }
        let has_bits = record.members.iter().any(|member| member.bits.is_some());
        // Of a union, Rust reads nothing without `unsafe`.
        let is_opaque = (record.members.is_empty() && record.sizes[WIDE] != 0)
            || (self.language == Language::Rust && record.is_union && has_bits);
        if !is_opaque {
            let plan = match self.language {
                Language::Rust => self.arranged(record, record.alignment),
                Language::Python => self.arranged(record, u64::MAX).or_else(|| self.arranged(record, 1)),
            };
            let plan = plan.unwrap_or(opaque);
            self.plans[at] = Some(plan);
        }
    }

    /// What the language aligns a type to.
    pub(crate) fn alignment(&self, of: &Type) -> u64 {
        let of = innermost(of);
        match &of.shape {
            Shape::Integer(_) | Shape::Floating | Shape::Pointer(_) => of.sizes[WIDE].max(1),
            Shape::Record(at) => self.get(*at).map_or(1, |plan| plan.alignment),
            _ => 1,
        }
    }

    /// Whether a type has in it what says its alignment; Rust does not pack that.
    pub(crate) fn says_alignment(&self, of: &Type) -> bool {
        let of = innermost(of);
        match of.shape {
            Shape::Floating => of.sizes[WIDE] > 8,
            Shape::Record(at) => {
                let members = self.interface.records.get(at).map_or(&[][..], |record| &record.members);
                let plan = self.get(at);
                plan.is_some_and(|plan| plan.is_aligned)
                    || plan.is_some_and(|plan| !plan.is_opaque && !plan.is_packed)
                        && members.iter().any(|member| self.says_alignment(&member.of))
            }
            _ => false,
        }
    }

    /// The parts of a structure whose members are aligned to at most `pack`; nothing, if they do not lie so.
    fn arranged(&self, record: &Record, pack: u64) -> Option<Plan> {
        let whole = record.sizes[WIDE];
        let is_rust = self.language == Language::Rust;
        let mut parts = Vec::new();
        // What the members are aligned to, if nothing packs them, and which of them that is.
        let mut natural = 1;
        // Where the members end, and where the bit-fields.
        let (mut end, mut bits_end) = (0, 0);
        let mut after_bits = false;
        for (at, member) in record.members.iter().enumerate() {
            let offset = member.offsets[WIDE];
            if let Some(bits) = member.bits {
                if bits != 0 {
                    bits_end = bits_end.max((offset + bits).div_ceil(8));
                    after_bits = true;
                }
                continue;
            }
            let (first, own) = (offset / 8, self.alignment(&member.of));
            // Rust packs nothing that says its alignment. What is not where its type is aligned to is a type of its own there.
            let is_loose = is_rust && (first % own.min(pack) != 0 || own > pack && self.says_alignment(&member.of));
            let needed = if is_loose { 1 } else { own.min(pack) };
            let before = if record.is_union { 0 } else { end };
            if offset % 8 != 0 || first % needed != 0 || first < before || first + size(&member.of) > whole {
                return None;
            }
            if first > before && (after_bits || before.next_multiple_of(needed) != first) {
                parts.push(Part::Bytes(before, first - before));
            }
            parts.push(if is_loose { Part::Loose(at) } else { Part::Member(at) });
            natural = natural.max(if is_loose { 1 } else { own });
            end = end.max(first + size(&member.of));
            after_bits = false;
        }
        if bits_end > whole || end > whole {
            return None;
        }
        if record.is_union && bits_end > 0 {
            parts.push(Part::Bytes(0, bits_end));
        } else if bits_end > end {
            parts.push(Part::Bytes(end, bits_end - end));
        }
        let end = end.max(bits_end);
        let is_packed = natural > pack || !is_rust && pack == 1;
        let alignment = if is_rust { record.alignment } else { natural.min(pack) };
        if end.next_multiple_of(alignment) != whole {
            match whole.checked_sub(end) {
                Some(_) if whole % alignment != 0 => return None,
                Some(_) if record.is_union => parts.push(Part::Bytes(0, whole)),
                Some(rest) => parts.push(Part::Bytes(end, rest)),
                None => return None,
            }
        }
        if is_rust && is_packed {
            for part in &mut parts {
                if let Part::Member(at) = *part {
                    let says = record.members.get(at).is_some_and(|member| self.says_alignment(&member.of));
                    *part = if says { Part::Loose(at) } else { *part };
                }
            }
        }
        Some(Plan { parts, is_packed, alignment, is_aligned: is_rust && alignment > natural, is_opaque: false })
    }

    /// Whether a function can be called: the reason, if not.
    pub(crate) fn callable(&self, signature: &Signature) -> Result<(), String> {
        let parameters = signature.parameters.iter().map(|one| (&one.of, false));
        for (of, is_result) in std::iter::once((&signature.result, true)).chain(parameters) {
            let why = match &of.shape {
                Shape::Record(at) => self.by_value(*at, is_result).err(),
                Shape::Floating if of.sizes[WIDE] > 8 && self.language == Language::Rust => {
                    Some("which Rust has no type for, and would pass in other registers than C")
                }
                Shape::Incomplete | Shape::Unknown(_) | Shape::Array(..) => Some("which cannot be declared"),
                _ => None,
            };
            if let Some(why) = why {
                return Err(format!("it takes or returns `{}`, {why}", of.spelling));
            }
        }
        Ok(())
    }

    /// Whether a structure can be an argument or a result, as it is declared here.
    fn by_value(&self, at: usize, is_result: bool) -> Result<(), &'static str> {
        let (Some(record), Some(plan)) = (self.interface.records.get(at), self.get(at)) else {
            return Err("which is not known");
        };
        let whole = record.sizes[WIDE];
        let is_rust = self.language == Language::Rust;
        if whole == 0 {
            return if is_rust { Ok(()) } else { Err("which is empty, and libffi does not pass it") };
        }
        if whole > IN_REGISTERS {
            // A result is written where the caller says, not to the stack.
            let is_same = is_result || record.alignment < 16 || plan.alignment >= 16;
            return if is_same { Ok(()) } else { Err("whose alignment on the stack cannot be declared") };
        }
        let mut passing = Passing { classes: [Class::Nothing; 2], in_memory: false, is_unknown: false };
        self.classify(record, 0, &mut passing);
        if passing.is_unknown {
            return Err("of which it is not known how it is passed");
        }
        let mut bytes = [false; 2];
        let mut has_union = false;
        self.declared_bytes(at, 0, &mut bytes, &mut has_union);
        let same_class = bytes.iter().zip(passing.classes).all(|(bytes, class)| !bytes || class == Class::Integer);
        let is_natural = bytes == [false; 2] && !passing.in_memory;
        match self.language {
            Language::Rust if passing.classes.contains(&Class::LongDouble) => {
                Err("with a `long double`, which Rust has no type for")
            }
            // It comes back in the floating-point unit's register.
            Language::Python if is_result && passing.classes.contains(&Class::LongDouble) => {
                Err("with a `long double` alone, which libffi looks for elsewhere")
            }
            Language::Rust if passing.in_memory || same_class => Ok(()),
            Language::Python if has_union => Err("with a union in it, of which libffi does not know how it is passed"),
            Language::Python if is_natural => Ok(()),
            Language::Python if !passing.in_memory && passing.classes.iter().all(|class| *class == Class::Integer) => Ok(()),
            Language::Python if !passing.in_memory && whole <= 8 && passing.classes[0] == Class::Integer => Ok(()),
            _ => Err("which would be passed in other registers than C passes it in"),
        }
    }

    fn classify(&self, record: &Record, base: u64, passing: &mut Passing) {
        if record.members.is_empty() && record.sizes[WIDE] != 0 {
            passing.is_unknown = true;
        }
        for Member { name, offsets, bits, of } in &record.members {
            let offset = base + offsets[WIDE];
            match bits {
                Some(0) => {}
                Some(_) if name.is_empty() => {}
                Some(bits) => {
                    passing.merge(offset / 8, Class::Integer);
                    passing.merge((offset + bits - 1) / 8, Class::Integer);
                }
                None => self.classify_type(of, offset, passing),
            }
        }
    }

    fn classify_type(&self, of: &Type, offset: u64, passing: &mut Passing) {
        let class = match &of.shape {
            Shape::Integer(_) | Shape::Pointer(_) => Class::Integer,
            Shape::Floating if of.sizes[WIDE] > 8 => Class::LongDouble,
            Shape::Floating => Class::Floating,
            Shape::Array(element, count) => {
                // At most 16 bytes; elements may have none.
                for at in 0..count.unwrap_or_default().min(IN_REGISTERS) {
                    self.classify_type(element, offset + at * element.sizes[WIDE] * 8, passing);
                }
                return;
            }
            Shape::Record(at) => {
                if let Some(record) = self.interface.records.get(*at) {
                    self.classify(record, offset, passing);
                }
                return;
            }
            _ => {
                passing.is_unknown = true;
                return;
            }
        };
        passing.in_memory |= offset % (of.sizes[WIDE].max(1) * 8) != 0;
        passing.merge(offset / 8, class);
    }

    /// Which eight bytes have something in them that is declared as bytes and is not in C.
    fn declared_bytes(&self, at: usize, base: u64, bytes: &mut [bool; 2], has_union: &mut bool) {
        let (Some(record), Some(plan)) = (self.interface.records.get(at), self.get(at)) else { return };
        *has_union |= record.is_union;
        for part in &plan.parts {
            match *part {
                Part::Bytes(first, count) => {
                    for byte in base + first..(base + first + count).min(IN_REGISTERS) {
                        bytes[usize::from(byte >= 8)] = true;
                    }
                }
                Part::Member(member) | Part::Loose(member) => {
                    let Some(member) = record.members.get(member) else { continue };
                    let inner = innermost(&member.of);
                    let Shape::Record(other) = inner.shape else { continue };
                    let first = base + member.offsets[WIDE] / 8;
                    let count = member.of.sizes[WIDE].checked_div(inner.sizes[WIDE]).unwrap_or_default().min(IN_REGISTERS);
                    for at in 0..count {
                        self.declared_bytes(other, first + at * inner.sizes[WIDE], bytes, has_union);
                    }
                }
            }
        }
    }
}

impl Passing {
    fn merge(&mut self, byte: u64, class: Class) {
        let Some(here) = usize::try_from(byte / 8).ok().and_then(|at| self.classes.get_mut(at)) else { return };
        *here = match (*here, class) {
            (Class::Nothing, class) => class,
            (Class::LongDouble, _) | (_, Class::LongDouble) => Class::LongDouble,
            (Class::Integer, _) | (_, Class::Integer) => Class::Integer,
            _ => Class::Floating,
        };
    }
}

/// A bit-field that a program can ask for: its name, its first bit in the structure, how many it has, and whether it can be negative.
pub(crate) struct Bits<'a> {
    pub(crate) name: &'a str,
    pub(crate) first: u64,
    pub(crate) count: u64,
    pub(crate) is_signed: bool,
}

/// The bit-fields of a structure; with `below` also those of structures in it that have no name.
pub(crate) fn bit_fields<'a>(interface: &'a Interface, record: &'a Record, base: u64, below: bool, found: &mut Vec<Bits<'a>>) {
    for member in &record.members {
        let first = base + member.offsets[WIDE];
        match (member.bits, &member.of.shape) {
            (Some(count), shape) if !member.name.is_empty() && count != 0 => {
                found.push(Bits { name: &member.name, first, count, is_signed: matches!(shape, Shape::Integer(true)) });
            }
            (None, Shape::Record(at)) if below && member.name.is_empty() => {
                if let Some(inner) = interface.records.get(*at) {
                    bit_fields(interface, inner, first, below, found);
                }
            }
            _ => {}
        }
    }
}

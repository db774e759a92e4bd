//! Machine code, instruction by instruction: what each does, and how long it is. From the start of a section to its end, as
//! `objdump -d` does it.

mod arm;
mod x86;

use anyhow::{Result, bail};
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionFlags};
use serde::Serialize;

/// What an instruction does. Each is counted once, as the first of these that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Nothing: what fills up to an alignment, and what stops at a place that is never reached.
    Padding,
    /// No instruction: constants and tables in between, and what is none of this architecture.
    Data,
    /// Of the floating-point and vector units, whatever it does there.
    Float,
    /// Repeated or stepping through memory by itself, of x86.
    String,
    /// A jump, conditional or not.
    Branch,
    /// A call, or the return from one.
    Call,
    /// Push, pop, and moves from and to a slot of the stack.
    Stack,
    /// A move from memory.
    Load,
    /// A move to memory.
    Store,
    /// A move from a register or a constant to a register.
    Move,
    /// Integer arithmetic, logic and comparison, also in memory.
    Arithmetic,
    /// All else: system calls, fences, atomics of ARM, markers.
    Other,
}

impl Class {
    /// All, with their names.
    pub const ALL: [(Self, &str); 12] = [
        (Self::Load, "load"),
        (Self::Store, "store"),
        (Self::Stack, "stack"),
        (Self::Move, "move"),
        (Self::Arithmetic, "arithmetic"),
        (Self::Branch, "branch"),
        (Self::Call, "call, return"),
        (Self::Float, "FP, SIMD"),
        (Self::String, "string"),
        (Self::Other, "other"),
        (Self::Padding, "padding"),
        (Self::Data, "data"),
    ];
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Where it is.
    pub address: u64,
    /// Its bytes.
    pub length: u64,
    /// What it does.
    pub class: Class,
    /// Whether it reads or writes a slot of the stack, by an address that is an offset from the stack's or the frame's pointer.
    pub slot: bool,
    /// Whether it uses a register of the vector unit.
    pub vector: bool,
    /// Where a call or jump leads, if it says so itself.
    pub target: Option<u64>,
    /// As an assembler would have it; empty unless it was asked for.
    pub text: String,
}

/// Code that lies together.
pub struct Code<'data> {
    /// Of the section.
    pub name: String,
    /// Of the first byte.
    pub address: u64,
    /// All of it.
    pub bytes: &'data [u8],
}

/// The architectures whose instructions are known.
#[derive(Clone, Debug)]
pub enum Decoder {
    /// i386, x86-64 and x32: bits of the mode.
    X86(u32),
    /// ARM, in both of its encodings; where each is used, and data.
    Arm(arm::Places),
}

impl Decoder {
    /// Of this program; `None` where there is none for its architecture.
    #[must_use]
    pub fn of(object: &object::File<'_>) -> Option<Self> {
        match object.architecture() {
            Architecture::I386 => Some(Self::X86(32)),
            Architecture::X86_64 | Architecture::X86_64_X32 => Some(Self::X86(64)),
            Architecture::Arm | Architecture::Aarch64 if object.is_little_endian() => Some(Self::Arm(arm::Places::of(object))),
            _ => None,
        }
    }

    /// Calls `visit` for each instruction, from the first byte to the last. With `text`, each as an assembler has it.
    pub fn walk(&self, code: &Code<'_>, text: bool, visit: &mut dyn FnMut(Instruction)) {
        match self {
            Self::X86(bits) => x86::walk(*bits, code, text, visit),
            Self::Arm(places) => arm::walk(places, code, text, visit),
        }
    }
}

/// The sections with code.
///
/// # Errors
/// Where one of them is not in the file.
pub fn code<'data>(object: &object::File<'data>) -> Result<Vec<Code<'data>>> {
    let mut found = Vec::new();
    for section in object.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        if sh_flags & u64::from(object::elf::SHF_EXECINSTR) == 0 {
            continue;
        }
        let name = String::from_utf8_lossy(section.name_bytes()?).into_owned();
        let Ok(bytes) = section.data() else { bail!("the section {name} is not in the file: it is truncated") };
        found.push(Code { name, address: section.address(), bytes });
    }
    Ok(found)
}

/// How often each class occurs in code.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mix {
    /// Instructions that do something.
    pub instructions: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Instructions of each class, in the order of [`Class::ALL`].
    pub classes: [u64; Class::ALL.len()],
    /// Bytes of padding.
    pub padding_bytes: u64,
    /// Bytes of data in code.
    pub data_bytes: u64,
    /// Instructions that read or write a slot of the stack, pushes and pops not counted.
    pub slots: u64,
    /// Pushes and pops.
    pub pushes: u64,
    /// Instructions that use a register of the vector unit.
    pub vectors: u64,
}

impl Mix {
    /// Counts one more.
    pub fn add(&mut self, instruction: &Instruction) {
        if let Some(at) = Class::ALL.iter().position(|(class, _)| *class == instruction.class) {
            self.classes[at] += 1;
        }
        match instruction.class {
            Class::Padding => self.padding_bytes += instruction.length,
            Class::Data => self.data_bytes += instruction.length,
            _ => {
                self.instructions += 1;
                self.bytes += instruction.length;
                self.slots += u64::from(instruction.slot);
                self.pushes += u64::from(instruction.class == Class::Stack && !instruction.slot);
                self.vectors += u64::from(instruction.vector);
            }
        }
    }

    /// How many there are of a class.
    #[must_use]
    pub fn count(&self, class: Class) -> u64 {
        Class::ALL.iter().zip(self.classes).filter(|((own, _), _)| *own == class).map(|(_, count)| count).sum()
    }

    /// Bytes of an instruction on average.
    #[must_use]
    pub fn average_length(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts")]
        (self.instructions > 0).then(|| self.bytes as f64 / self.instructions as f64)
    }

    /// Of all code of a program.
    ///
    /// # Errors
    /// As [`code`].
    pub fn of(object: &object::File<'_>, decoder: &Decoder) -> Result<Self> {
        let mut mix = Self::default();
        for code in code(object)? {
            decoder.walk(&code, false, &mut |instruction| mix.add(&instruction));
        }
        Ok(mix)
    }
}

/// Symbols of a program, those of the dynamic linker where others were stripped off.
fn symbols<'data, 'file>(object: &'file object::File<'data>) -> Vec<(u64, &'data [u8], bool)> {
    let named = |symbol: object::Symbol<'data, 'file>| {
        let function = symbol.kind() == object::SymbolKind::Text;
        Some((symbol.address(), symbol.name_bytes().ok()?, function)).filter(|_| symbol.is_definition() || !function)
    };
    object.symbols().chain(object.dynamic_symbols()).filter_map(named).collect()
}

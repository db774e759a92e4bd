//! Lengths of 32-bit instructions, for walking over code from one known instruction to the next (Intel SDM vol. 2, appendix A).
//!
//! Lengths, and which instructions nothing falls through, are all that `patch` needs, and it needs them without a heap.

/// What [`decode`] knows about an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Instruction {
    /// In bytes, prefixes included.
    pub(crate) length: usize,
    /// Execution does not go on after it: a jump, a return, a trap.
    pub(crate) ends: bool,
    /// It does nothing: a filler between functions.
    pub(crate) filler: bool,
}

/// Operands that follow an opcode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Not an instruction, or none that user code has.
    Invalid,
    /// Nothing, or so many immediate bytes.
    Bytes(u8),
    /// ModRM, and so many immediate bytes.
    ModRm(u8),
    /// An immediate of operand size.
    Word,
    /// ModRM, and an immediate of operand size.
    ModRmWord,
    /// An address.
    Offset,
}

fn one_byte(opcode: u8, modrm: u8) -> Form {
    use Form::{Bytes, Invalid, ModRm, ModRmWord, Offset, Word};
    match opcode {
        // The eight arithmetic operations: four with ModRM, two with an immediate, and pushes, pops and adjustments.
        0x00..=0x3f => match opcode & 7 {
            0..=3 => ModRm(0),
            4 => Bytes(1),
            5 => Word,
            _ => Bytes(0),
        },
        0x40..=0x61 => Bytes(0),
        0x62 | 0x63 => ModRm(0),
        0x68 => Word,
        0x69 => ModRmWord,
        0x6a => Bytes(1),
        0x6b => ModRm(1),
        0x6c..=0x6f => Bytes(0),
        0x70..=0x7f => Bytes(1),
        0x80 | 0x82 | 0x83 => ModRm(1),
        0x81 => ModRmWord,
        0x84..=0x8f => ModRm(0),
        0x90..=0x99 => Bytes(0),
        0x9a => Invalid, // a far call: nobody but us
        0x9b..=0x9f => Bytes(0),
        0xa0..=0xa3 => Offset,
        0xa4..=0xa7 => Bytes(0),
        0xa8 => Bytes(1),
        0xa9 => Word,
        0xaa..=0xaf => Bytes(0),
        0xb0..=0xb7 => Bytes(1),
        0xb8..=0xbf => Word,
        0xc0 | 0xc1 => ModRm(1),
        0xc2 => Bytes(2),
        0xc3 => Bytes(0),
        0xc4 | 0xc5 => Invalid, // with a register operand: VEX, handled before
        0xc6 => ModRm(1),
        0xc7 => ModRmWord,
        0xc8 => Bytes(3),
        0xc9 => Bytes(0),
        0xcc => Bytes(0),
        0xcd => Bytes(1),
        0xd0..=0xd3 => ModRm(0),
        0xd4 | 0xd5 => Bytes(1),
        0xd7 => Bytes(0),
        0xd8..=0xdf => ModRm(0),
        0xe0..=0xe7 => Bytes(1),
        0xe8 | 0xe9 => Bytes(4),
        0xeb => Bytes(1),
        0xec..=0xef | 0xf1 | 0xf4 | 0xf5 => Bytes(0),
        // Group 3: TEST has an immediate, NOT, NEG, MUL and DIV have none.
        0xf6 => ModRm(u8::from(modrm >> 3 & 6 == 0)),
        0xf7 if modrm >> 3 & 6 == 0 => ModRmWord,
        0xf7 => ModRm(0),
        0xf8..=0xfd => Bytes(0),
        0xfe | 0xff => ModRm(0),
        _ => Invalid,
    }
}

fn two_bytes(opcode: u8) -> Form {
    use Form::{Bytes, Invalid, ModRm};
    match opcode {
        0x05 | 0x06 | 0x08 | 0x09 | 0x0b | 0x0e | 0x30..=0x35 | 0x77 | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf => Bytes(0),
        0x80..=0x8f => Bytes(4),
        0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => ModRm(1),
        0x04 | 0x07 | 0x0a | 0x0c | 0x0f | 0x24..=0x27 | 0x36..=0x3f | 0xa6 | 0xa7 => Invalid,
        _ => ModRm(0),
    }
}

/// Bytes of ModRM, SIB and displacement, with 32-bit addresses.
fn modrm_length(code: &[u8]) -> Option<usize> {
    let modrm = *code.first()?;
    let (mode, register) = (modrm >> 6, modrm & 7);
    if mode == 3 {
        return Some(1);
    }
    let mut length = 1;
    let mut base = register;
    if register == 4 {
        base = *code.get(1)? & 7;
        length += 1;
    }
    Some(
        length
            + match mode {
                0 if base == 5 => 4,
                0 => 0,
                1 => 1,
                _ => 4,
            },
    )
}

/// The instruction that `code` begins with, if it is a known one and complete.
pub(crate) fn decode(code: &[u8]) -> Option<Instruction> {
    let mut at = 0;
    let mut word = 4;
    loop {
        match *code.get(at)? {
            0x66 => word = 2,
            0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0xf0 | 0xf2 | 0xf3 => {}
            0x67 => return None, // 16-bit addresses: not in compiled code
            _ => break,
        }
        at += 1;
        if at > 8 {
            return None;
        }
    }
    let opcode = code[at];
    let next = code.get(at + 1).copied().unwrap_or(0);
    // VEX and EVEX: with a ModRM of mode 3, LDS, LES and BOUND would not be instructions.
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) && next >= 0xc0 {
        let (map, start) = match opcode {
            0xc5 => (1, at + 3),
            0xc4 => (next & 0x1f, at + 4),
            _ => (next & 7, at + 5),
        };
        let vector_opcode = *code.get(start - 1)?;
        if opcode == 0xc5 && vector_opcode == 0x77 {
            return Some(Instruction { length: start, ends: false, filler: false });
        }
        let immediate = match map {
            3 => 1,
            1 => usize::from(matches!(vector_opcode, 0x70..=0x73 | 0xc2 | 0xc4..=0xc6)),
            _ => 0,
        };
        let length = start + modrm_length(code.get(start..)?)? + immediate;
        return (length <= code.len()).then_some(Instruction { length, ends: false, filler: false });
    }
    let (form, operands) = match (opcode, next) {
        (0x0f, 0x38) => (Form::ModRm(0), at + 3),
        (0x0f, 0x3a) => (Form::ModRm(1), at + 3),
        (0x0f, _) => (two_bytes(next), at + 2),
        _ => (one_byte(opcode, next), at + 1),
    };
    let rest = code.get(operands..)?;
    let length = operands
        + match form {
            Form::Invalid => return None,
            Form::Bytes(count) => usize::from(count),
            Form::ModRm(count) => modrm_length(rest)? + usize::from(count),
            Form::Word => word,
            Form::ModRmWord => modrm_length(rest)? + word,
            Form::Offset => 4,
        };
    if length > code.len() {
        return None;
    }
    let ends = match (opcode, next) {
        (0xc2 | 0xc3 | 0xe9 | 0xeb | 0xf4 | 0xcc, _) | (0x0f, 0x0b) => true,
        (0xff, modrm) => modrm >> 3 & 7 == 4 || modrm >> 3 & 7 == 5,
        _ => false,
    };
    Some(Instruction { length, ends, filler: is_filler(&code[at..length]) })
}

/// What assemblers put between functions: `nop` in its lengths, `lea` of a register into itself, `xchg %ax,%ax`, `int3`.
fn is_filler(code: &[u8]) -> bool {
    matches!(
        code,
        [0x90 | 0xcc]
            | [0x0f, 0x1f, 0x00]
            | [0x0f, 0x1f, 0x40, 0]
            | [0x0f, 0x1f, 0x44, 0, 0]
            | [0x0f, 0x1f, 0x80, 0, 0, 0, 0]
            | [0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0]
            | [0x8d, 0x76, 0]
            | [0x8d, 0x74, 0x26, 0]
            | [0x8d, 0xb6, 0, 0, 0, 0]
            | [0x8d, 0xb4, 0x26, 0, 0, 0, 0]
    )
}

//! Classic BPF, as far as seccomp(2) takes it: what may be in a filter, and what a filter says of a system call.
//!
//! The rules are those of `bpf_check_classic` and `check_load_and_stores` in net/core/filter.c and of `seccomp_check_filter` in
//! kernel/seccomp.c; the instructions are those of `linux/bpf_common.h`.

use abi::structs::security::sock_filter;

/// One instruction.
pub(crate) type Instruction = sock_filter::Guest32;

/// Most instructions of one filter (`BPF_MAXINSNS`).
pub(crate) const LONGEST: usize = 4096;
/// How many words a filter can keep (`BPF_MEMWORDS`).
const WORDS: usize = 16;
/// `struct seccomp_data` in words: number, architecture, instruction pointer, six arguments; all but the first two of two words.
pub(crate) const DATA: usize = 16;
/// The same in bytes.
const DATA_BYTES: u32 = 64;

/// What an instruction does, and with what.
#[derive(Clone, Copy)]
enum Operation {
    /// `A` becomes the word of the data at byte `k`.
    Data,
    SetA(Source),
    SetX(Source),
    StoreA,
    StoreX,
    Arithmetic(Arithmetic, Operand),
    Negate,
    Jump,
    Branch(Condition, Operand),
    ReturnK,
    ReturnA,
    AToX,
    XToA,
}

#[derive(Clone, Copy)]
enum Source {
    K,
    Length,
    Word,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    K,
    X,
}

#[derive(Clone, Copy)]
enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Or,
    And,
    Lsh,
    Rsh,
    Xor,
}

#[derive(Clone, Copy)]
enum Condition {
    Equal,
    Greater,
    GreaterOrEqual,
    AnyBit,
}

/// What the code means, if seccomp(2) takes it. `BPF_MOD` and everything that reads a packet it does not.
fn decode(code: u16) -> Option<Operation> {
    const X: u16 = 8;
    Some(match code {
        0x20 => Operation::Data,
        0x00 => Operation::SetA(Source::K),
        0x80 => Operation::SetA(Source::Length),
        0x60 => Operation::SetA(Source::Word),
        0x01 => Operation::SetX(Source::K),
        0x81 => Operation::SetX(Source::Length),
        0x61 => Operation::SetX(Source::Word),
        0x02 => Operation::StoreA,
        0x03 => Operation::StoreX,
        0x84 => Operation::Negate,
        0x05 => Operation::Jump,
        0x06 => Operation::ReturnK,
        0x16 => Operation::ReturnA,
        0x07 => Operation::AToX,
        0x87 => Operation::XToA,
        _ => {
            let operand = if code & X == 0 { Operand::K } else { Operand::X };
            match code & !X {
                0x04 => Operation::Arithmetic(Arithmetic::Add, operand),
                0x14 => Operation::Arithmetic(Arithmetic::Sub, operand),
                0x24 => Operation::Arithmetic(Arithmetic::Mul, operand),
                0x34 => Operation::Arithmetic(Arithmetic::Div, operand),
                0x44 => Operation::Arithmetic(Arithmetic::Or, operand),
                0x54 => Operation::Arithmetic(Arithmetic::And, operand),
                0x64 => Operation::Arithmetic(Arithmetic::Lsh, operand),
                0x74 => Operation::Arithmetic(Arithmetic::Rsh, operand),
                0xa4 => Operation::Arithmetic(Arithmetic::Xor, operand),
                0x15 => Operation::Branch(Condition::Equal, operand),
                0x25 => Operation::Branch(Condition::Greater, operand),
                0x35 => Operation::Branch(Condition::GreaterOrEqual, operand),
                0x45 => Operation::Branch(Condition::AnyBit, operand),
                _ => return None,
            }
        }
    })
}

/// `k` as an index.
fn index(k: u32) -> usize {
    usize::try_from(k).unwrap_or(usize::MAX)
}

/// The instruction that is `distance` further than the one after `at`.
fn target(at: usize, distance: usize) -> usize {
    at.saturating_add(1).saturating_add(distance)
}

/// Whether the kernel would take the filter.
pub(crate) fn is_valid(program: &[Instruction]) -> bool {
    let (Some(last), 1..=LONGEST) = (program.last(), program.len()) else { return false };
    let takes = |(at, instruction): (usize, &Instruction)| {
        let Some(operation) = decode(instruction.code) else { return false };
        match operation {
            Operation::Data => instruction.k < DATA_BYTES && instruction.k % 4 == 0,
            Operation::Arithmetic(Arithmetic::Div, Operand::K) => instruction.k != 0,
            Operation::Arithmetic(Arithmetic::Lsh | Arithmetic::Rsh, Operand::K) => instruction.k < u32::BITS,
            Operation::SetA(Source::Word) | Operation::SetX(Source::Word) | Operation::StoreA | Operation::StoreX => {
                index(instruction.k) < WORDS
            }
            Operation::Jump => target(at, index(instruction.k)) < program.len(),
            Operation::Branch(..) => {
                [instruction.jt, instruction.jf].into_iter().all(|distance| target(at, usize::from(distance)) < program.len())
            }
            _ => true,
        }
    };
    program.iter().enumerate().all(takes)
        && matches!(decode(last.code), Some(Operation::ReturnK | Operation::ReturnA))
        && reads_what_it_has_stored(program)
}

/// Whether no way through the filter, all of whose jumps lead forward, loads a word before it is stored.
fn reads_what_it_has_stored(program: &[Instruction]) -> bool {
    const ALL: u16 = u16::MAX;
    let mut on_arrival = [ALL; LONGEST];
    let mut stored: u16 = 0;
    for (at, instruction) in program.iter().enumerate() {
        stored &= on_arrival.get(at).copied().unwrap_or(0);
        let word: u16 = 1 << (instruction.k % 16);
        let mut arrive = |distance: usize| {
            if let Some(mask) = on_arrival.get_mut(target(at, distance)) {
                *mask &= stored;
            }
        };
        match decode(instruction.code) {
            Some(Operation::StoreA | Operation::StoreX) => stored |= word,
            Some(Operation::SetA(Source::Word) | Operation::SetX(Source::Word)) if stored & word == 0 => return false,
            Some(Operation::Jump) => {
                arrive(index(instruction.k));
                stored = ALL;
            }
            Some(Operation::Branch(..)) => {
                arrive(usize::from(instruction.jt));
                arrive(usize::from(instruction.jf));
                stored = ALL;
            }
            _ => {}
        }
    }
    true
}

/// What the filter returns for `data`. One that is not valid, or divides by zero, returns 0: to end the thread.
pub(crate) fn run(program: &[Instruction], data: &[u32; DATA]) -> u32 {
    let (mut a, mut x) = (0u32, 0u32);
    let mut words = [0u32; WORDS];
    let mut at = 0;
    while let Some(instruction) = program.get(at) {
        let Some(operation) = decode(instruction.code) else { return 0 };
        let k = instruction.k;
        let value = |source| match source {
            Source::K => k,
            Source::Length => DATA_BYTES,
            Source::Word => words.get(index(k)).copied().unwrap_or(0),
        };
        let operand = |operand| if operand == Operand::K { k } else { x };
        let mut distance = 0;
        match operation {
            Operation::Data => a = data.get(index(k / 4)).copied().unwrap_or(0),
            Operation::SetA(source) => a = value(source),
            Operation::SetX(source) => x = value(source),
            Operation::StoreA | Operation::StoreX => {
                if let Some(word) = words.get_mut(index(k)) {
                    *word = if matches!(operation, Operation::StoreA) { a } else { x };
                }
            }
            Operation::Arithmetic(what, with) => {
                let with = operand(with);
                a = match what {
                    Arithmetic::Add => a.wrapping_add(with),
                    Arithmetic::Sub => a.wrapping_sub(with),
                    Arithmetic::Mul => a.wrapping_mul(with),
                    Arithmetic::Div => match a.checked_div(with) {
                        Some(quotient) => quotient,
                        None => return 0,
                    },
                    Arithmetic::Or => a | with,
                    Arithmetic::And => a & with,
                    Arithmetic::Lsh => a.wrapping_shl(with),
                    Arithmetic::Rsh => a.wrapping_shr(with),
                    Arithmetic::Xor => a ^ with,
                };
            }
            Operation::Negate => a = a.wrapping_neg(),
            Operation::Jump => distance = index(k),
            Operation::Branch(condition, with) => {
                let with = operand(with);
                let holds = match condition {
                    Condition::Equal => a == with,
                    Condition::Greater => a > with,
                    Condition::GreaterOrEqual => a >= with,
                    Condition::AnyBit => a & with != 0,
                };
                distance = usize::from(if holds { instruction.jt } else { instruction.jf });
            }
            Operation::ReturnK => return k,
            Operation::ReturnA => return a,
            Operation::AToX => x = a,
            Operation::XToA => a = x,
        }
        at = target(at, distance);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn op(code: u16, k: u32) -> Instruction {
        Instruction { code, jt: 0, jf: 0, k }
    }
    const fn branch(code: u16, k: u32, jt: u8, jf: u8) -> Instruction {
        Instruction { code, jt, jf, k }
    }
    const RETURN: Instruction = op(0x06, 7);

    #[test]
    fn a_filter_ends_with_a_return_and_is_not_too_long() {
        assert!(is_valid(&[RETURN]));
        assert!(!is_valid(&[]));
        assert!(!is_valid(&[op(0, 0)]));
        assert!(is_valid(&[RETURN; LONGEST]));
        assert!(!is_valid(&[RETURN; LONGEST + 1]));
    }

    #[test]
    fn what_the_kernel_refuses_is_refused() {
        for instruction in [
            op(0x20, 64),          // beyond the data
            op(0x20, 2),           // not a word of it
            op(0x28, 0),           // half a word
            op(0x30, 0),           // a byte
            op(0x40, 0),           // indirect
            op(0x94, 1),           // BPF_MOD
            op(0x34, 0),           // a division by zero
            op(0x64, 32),          // a shift of all bits
            op(0x02, 16),          // no such word
            op(0x60, 0),           // a word that nobody has stored
            op(0x05, 1),           // a jump beyond the end
            op(0x05, u32::MAX),    // backwards
            branch(0x15, 0, 1, 0), // a branch beyond the end
            branch(0x15, 0, 0, 1),
            op(0x8c, 0), // BPF_NEG of X
            op(0xffff, 0),
        ] {
            assert!(!is_valid(&[instruction, RETURN]), "{instruction:?}");
        }
    }

    #[test]
    fn a_word_must_be_stored_on_every_way_to_where_it_is_loaded() {
        let one_way = [branch(0x15, 0, 0, 1), op(0x02, 3), op(0x60, 3), RETURN];
        assert!(!is_valid(&one_way));
        let both_ways = [branch(0x15, 0, 0, 2), op(0x02, 3), op(0x05, 1), op(0x02, 3), op(0x60, 3), RETURN];
        assert!(is_valid(&both_ways));
    }

    #[test]
    fn arithmetic_is_that_of_32_bits() {
        let data = core::array::from_fn(|at| u32::try_from(at).unwrap_or(0) * 0x1111_1111);
        let of = |code: u16, a: u32, k: u32| run(&[op(0, a), op(code, k), op(0x16, 0)], &data);
        assert_eq!(of(0x04, u32::MAX, 2), 1);
        assert_eq!(of(0x14, 1, 2), u32::MAX);
        assert_eq!(of(0x24, 0x8000_0001, 2), 2);
        assert_eq!(of(0x34, 7, 2), 3);
        assert_eq!(of(0x44, 5, 2), 7);
        assert_eq!(of(0x54, 7, 2), 2);
        assert_eq!(of(0x64, 1, 31), 1 << 31);
        assert_eq!(of(0x74, 1 << 31, 31), 1);
        assert_eq!(of(0x84, 1, 0), u32::MAX);
        assert_eq!(of(0xa4, 6, 3), 5);
        assert_eq!(of(0x20, 0, 8), 0x2222_2222);
        assert_eq!(of(0x80, 0, 0), 64);
        // By X, which is 0 at the beginning: a division ends the filter with 0, a shift does nothing.
        assert_eq!(run(&[op(0, 9), op(0x3c, 0), RETURN], &data), 0);
        assert_eq!(run(&[op(0, 33), op(0x07, 0), op(0x6c, 0), op(0x16, 0)], &data), 66);
    }

    #[test]
    fn branches_go_where_they_say() {
        let data = [0; DATA];
        let taken = |code: u16, a: u32, k: u32| run(&[op(0, a), branch(code, k, 1, 0), op(0x06, 0), op(0x06, 1)], &data) == 1;
        assert!(taken(0x15, 5, 5) && !taken(0x15, 5, 6));
        assert!(taken(0x25, 6, 5) && !taken(0x25, 5, 5) && taken(0x25, u32::MAX, 1));
        assert!(taken(0x35, 5, 5) && !taken(0x35, 4, 5));
        assert!(taken(0x45, 6, 2) && !taken(0x45, 6, 1));
    }
}

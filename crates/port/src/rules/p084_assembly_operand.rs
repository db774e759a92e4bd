//! An operand of inline assembly becomes wider than its instruction
//!
//! # What
//! An `asm` statement that is compiled for both word sizes has an instruction for 32 bits, `movl`, `addl` or one beside a register like
//! `%eax`, and an operand of it is a `long`, a `size_t` or a pointer. `bswap`, whose width is that of its operand, is found as well.
//!
//! # Why
//! The compiler writes the register by its name for 8 bytes: `movl %rax, %ebx`, which the assembler refuses. In memory the instruction
//! takes the lower 4 bytes of 8, without a word. `bswap` of 8 bytes gives what is not those 4 bytes in the other order.
//!
//! # Example
//! Bad:
//!
//! ```c
//! long twice(long x) { long r; __asm__("movl %1, %0\n\taddl %0, %0" : "=&r"(r) : "r"(x)); return r; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! int32_t twice(int32_t x) { int32_t r; __asm__("movl %1, %0\n\taddl %0, %0" : "=&r"(r) : "r"(x)); return r; }
//! long any(long x) { long r; __asm__("mov %1, %0\n\tadd %0, %0" : "=&r"(r) : "r"(x)); return r; }
//! long low(long x) { long r; __asm__("movl %k1, %k0" : "=r"(r) : "r"(x)); return r; }
//! void *address(int *x) { void *r; __asm__("lea %1, %0" : "=r"(r) : "m"(*x)); return r; }
//! ```
//!
//! # Fix
//! Operands of a fixed width (`uint32_t`), or instructions without a suffix, whose width is that of their operands; `%k0` names 32 bits of an
//! operand. Better C, or what the compiler has built in.
//!
//! # References
//! - CWE-1105, CWE-681
//! - gcc's manual, "x86 Operand Modifiers"

use super::{Found, Visit};
use crate::ast::kind::Kind;
use crate::pair::NARROW;
use crate::sources;
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Asm], look);

/// Instructions that have 4 bytes with this suffix. Of `movzbl` and the like only the last operand has.
const WIDE_ONES: [&str; 36] = [
    "movl", "addl", "subl", "adcl", "sbbl", "andl", "orl", "xorl", "cmpl", "testl", "negl", "notl", "incl", "decl", "mull", "imull", "divl",
    "idivl", "shll", "shrl", "sarl", "sall", "roll", "rorl", "rcll", "rcrl", "xchgl", "cmpxchgl", "xaddl", "btl", "btsl", "btrl", "btcl",
    "bsfl", "bsrl", "bswapl",
];
const EXTENDS: [&str; 4] = ["movzbl", "movsbl", "movzwl", "movswl"];
const REGISTERS: [&str; 8] = ["%%eax", "%%ebx", "%%ecx", "%%edx", "%%esi", "%%edi", "%%ebp", "%%esp"];

/// More text belongs to no statement that somebody has written.
const LONGEST: usize = 16 << 10;

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let names = node.tree().pair.sides.map(|abi| abi.name);
    if names != ["i386", "x86-64"] {
        return;
    }
    let (unit, place) = (node.unit(), node.place());
    // What a macro has made is written in its definition.
    let (file, start) = place.macro_text.filter(|(file, _)| file.0 != 0).unwrap_or((place.file, place.start));
    if !(found.is_own)(unit.file(file)) {
        return;
    }
    let Some(statement) = sources::piece(unit.file(file), start, LONGEST).as_deref().and_then(parse) else { return };
    let operands: Vec<Expression<'_>> = node.children().filter(|child| child.is_expression()).collect();
    // Without a place for each, nobody knows which is which.
    if operands.len() != statement.operands.len() {
        return;
    }
    for (number, (operand, written)) in operands.iter().zip(&statement.operands).enumerate() {
        if !operand.types().widens() || !(operand.types().integers().is_some() || operand.types().is_pointer()) {
            continue;
        }
        let constraint = match written.constraint.parse::<usize>().ok().and_then(|tied| statement.operands.get(tied)) {
            Some(tied) => &tied.constraint,
            None => &written.constraint,
        };
        // A number that is known when it is compiled has no width.
        let in_register = constraint.contains(|c: char| "rqQabcdSDRlg".contains(c));
        let in_memory = constraint.contains(|c: char| "moVg".contains(c));
        if !in_register && !in_memory {
            continue;
        }
        let uses = |instruction: &&String| takes(instruction, number, written.name.as_deref());
        let Some(instruction) = statement.instructions.iter().find(uses) else { continue };
        let spelling = operand.types().spelling();
        let mnemonic = mnemonic(instruction);
        let message = format!("`{}` in assembly: its operand of type {spelling} gets 8 bytes", instruction.trim());
        let there = match (mnemonic, in_register) {
            ("bswap" | "bswapl", _) => "8 bytes are turned around",
            (_, true) if !in_memory => "the assembler refuses it",
            (_, true) => "the assembler refuses it, or the lower half is taken",
            (_, false) => "the lower half is taken",
        };
        let confidence = match (in_register, in_memory) {
            (true, false) => Confidence::Certain,
            (true, true) => Confidence::Probable,
            // The lower half is where it was, and has the bits of most flags and counters.
            (false, _) => Confidence::Possible,
        };
        let sides = [format!("{} bytes", operand.types().size(NARROW).unwrap_or_default()), there.to_owned()];
        if let Some(hit) = found.report(node, confidence, message, sides) {
            hit.folds = true;
        }
    }
}

/// One operand as it is written.
#[derive(Debug, Default, PartialEq)]
struct Operand {
    name: Option<String>,
    constraint: String,
}

/// An `asm` statement.
#[derive(Debug, Default)]
struct Statement {
    instructions: Vec<String>,
    /// Those that it writes and those that it reads, in this order.
    operands: Vec<Operand>,
}

/// Takes a statement apart that begins with this text.
fn parse(text: &str) -> Option<Statement> {
    let mut rest = text.get(text.find('(')? + 1..)?.chars().peekable();
    let (mut section, mut depth) = (0, 0_u32);
    let mut template = String::new();
    let (mut operands, mut operand, mut string, mut name) = (Vec::new(), Operand::default(), String::new(), None::<String>);
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                string.clear();
                while let Some(c) = rest.next() {
                    match c {
                        '"' => break,
                        '\\' => match rest.next() {
                            Some('n') => string.push('\n'),
                            Some('t') => string.push('\t'),
                            // A line of a macro goes on.
                            Some('\n') => {}
                            Some(other) => string.push(other),
                            None => return None,
                        },
                        c => string.push(c),
                    }
                }
                match section {
                    0 => template.push_str(&string),
                    1 | 2 if depth == 0 => operand.constraint.push_str(&string),
                    _ => {}
                }
            }
            '/' if rest.peek() == Some(&'*') => {
                let mut before = ' ';
                for c in rest.by_ref() {
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            }
            '\'' => {
                while let Some(c) = rest.next().filter(|c| *c != '\'') {
                    if c == '\\' {
                        rest.next();
                    }
                }
            }
            '[' if depth == 0 => {
                let inner: String = rest.by_ref().take_while(|c| *c != ']').collect();
                name = Some(inner.trim().to_owned());
            }
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => {
                finish(section, &mut operand, &mut name, &mut operands);
                section += 1;
            }
            ',' if depth == 0 => finish(section, &mut operand, &mut name, &mut operands),
            // A macro in the text, as LOCK, is not here: what is beside it is.
            _ => {}
        }
    }
    finish(section, &mut operand, &mut name, &mut operands);
    let instructions = template.split(['\n', ';']).map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    Some(Statement { instructions, operands })
}

fn finish(section: u32, operand: &mut Operand, name: &mut Option<String>, operands: &mut Vec<Operand>) {
    if (1..=2).contains(&section) && !operand.constraint.is_empty() {
        operands.push(Operand { name: name.take(), constraint: std::mem::take(&mut operand.constraint) });
    }
    (*operand, *name) = (Operand::default(), None);
}

/// What it does, without a prefix or a label.
fn mnemonic(instruction: &str) -> &str {
    let mut words = instruction.split_whitespace().filter(|word| !word.ends_with(':'));
    words.find(|word| !["lock", "rep", "repe", "repne", "repz", "repnz"].contains(word)).unwrap_or_default()
}

/// Whether an instruction for 32 bits takes this operand whole.
fn takes(instruction: &str, number: usize, name: Option<&str>) -> bool {
    let mnemonic = mnemonic(instruction);
    let of = instruction.split_once(mnemonic).map_or("", |(_, of)| of);
    let parts = split(of);
    let is_it = |part: &str| {
        let part = part.trim();
        let by_name = name.is_some_and(|name| part == format!("%[{name}]"));
        by_name || part == format!("%{number}")
    };
    let is_conditional = mnemonic.strip_prefix("cmov").is_some_and(|rest| rest.len() > 2 && rest.ends_with('l'));
    let beside_register = parts.iter().any(|part| REGISTERS.contains(&part.trim()));
    // Without a suffix the operands have one width; `mov %%cr0, %0`, `in %%dx, %0` and jumps have their own.
    let is_plain = ["mov", "add", "sub", "adc", "sbb", "and", "or", "xor", "cmp", "test", "xchg"].contains(&mnemonic) && beside_register;
    let is_swap = mnemonic == "bswap";
    if EXTENDS.contains(&mnemonic) {
        return parts.last().is_some_and(|part| is_it(part));
    }
    // `shll %1, %0` has its count in %cl.
    let counts = ["shll", "shrl", "sarl", "sall", "roll", "rorl", "rcll", "rcrl"].contains(&mnemonic);
    let counted = if counts { parts.last().into_iter().collect::<Vec<_>>() } else { parts.iter().collect() };
    (WIDE_ONES.contains(&mnemonic) || is_conditional || is_plain || is_swap) && counted.into_iter().any(|part| is_it(part))
}

/// The operands of an instruction: the commas between them are in no parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_taken_apart() {
        let text = "__asm__ volatile(\"movl %1, %0\\n\\t\" /* : */ \"addl %[x], %0\" : \"=r\" (f(a, ':')), \"+m\"(b[1]) : [x] \"g\" (\"c:\") : \"cc\");";
        let statement = parse(text).unwrap_or_default();
        assert_eq!(statement.instructions, ["movl %1, %0", "addl %[x], %0"]);
        let of = |name: Option<&str>, constraint: &str| Operand { name: name.map(str::to_owned), constraint: constraint.to_owned() };
        assert_eq!(statement.operands, [of(None, "=r"), of(None, "+m"), of(Some("x"), "g")]);
        for broken in ["", "asm", "asm(", "asm(\"", "asm(\"\\", "asm(TEXT : \"=r\"(x))", "asm(\"x\" : [", "asm(\"x\" : '", "asm(\"x\"))))"] {
            let _ = parse(broken);
        }
        assert_eq!(parse("asm(LOCK \"addl $1, %0\" : \"+m\"(x))").unwrap_or_default().instructions, ["addl $1, %0"]);
    }

    #[test]
    fn only_whole_operands_of_32_bits_count() {
        for (instruction, number, taken) in [
            ("movl %0, %%eax", 0, true),
            ("movl %1, %0", 1, true),
            ("movl %10, %0", 1, false),
            ("movl %k0, %%eax", 0, false),
            ("movl (%0), %%eax", 0, false),
            ("movl 4(%0,%1,2), %%eax", 1, false),
            ("movq %0, %%rax", 0, false),
            ("mov %0, %%eax", 0, true),
            ("mov %%cr0, %0", 0, false),
            ("shll %1, %0", 1, false),
            ("shll $3, %0", 0, true),
            ("movzbl %b1, %0", 0, true),
            ("lock; addl $1, %0", 0, true),
            ("lock cmpxchgl %2, %1", 1, true),
            ("leal %1, %0", 1, false),
            ("1: bswap %0", 0, true),
        ] {
            let parts = instruction.split(';').map(str::trim);
            assert_eq!(parts.into_iter().any(|part| takes(part, number, None)), taken, "{instruction} {number}");
        }
        assert!(takes("addl %[by], %0", 3, Some("by")));
    }
}

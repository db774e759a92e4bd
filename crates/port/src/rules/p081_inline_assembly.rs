//! Inline assembly is compiled on every architecture, and is for the old one
//!
//! # What
//! An `asm` statement has instructions of the old architecture, and no `#if` around it says so.
//!
//! # Why
//! The assembler refuses it. Sometimes it does not, and the instruction means something else: on x86-64 `int $0x80` is the 32-bit
//! system call, which cuts pointers to 32 bits; `pushl` is none; a `call` that is hidden in assembly overwrites the red zone.
//!
//! # Example
//! Bad:
//!
//! ```c
//! static int get(void) { int r; __asm__("pushl %%ebx\n\tcpuid\n\tpopl %%ebx" : "=a"(r) : "0"(0) : "ecx", "edx"); return r; }
//! ```
//!
//! Good:
//!
//! ```c
//! #if defined(__i386__)
//! static int get(void) { int r; __asm__("pushl %%ebx\n\tcpuid\n\tpopl %%ebx" : "=a"(r) : "0"(0) : "ecx", "edx"); return r; }
//! #else
//! static int get(void) { return 0; }
//! #endif
//! static void barrier(void) { __asm__ volatile("" : : : "memory"); }
//! ```
//!
//! # Fix
//! Use what the compiler has: `__builtin_bswap32`, `__sync_` and `__atomic_` functions, `__builtin_clz`, `<cpuid.h>`, syscall(2). What
//! remains goes under `#if` of its architecture, with C for all others.
//!
//! # References
//! - CWE-1105
//! - gcc's manual, "How to Use Inline Assembly Language in C Code"

use super::{Found, Visit, p080_assembly_file};
use crate::defines;
use crate::directive::{self, Directive};
use crate::files::{File, FileKind, MACROS, words};
use crate::pair::{NARROW, WIDE};
use findings::Confidence;
use std::path::Path;

pub(super) const VISIT: Visit = Visit::File(look);

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if file.kind != FileKind::Source || !file.text.contains("asm") {
        return;
    }
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    // The conditions that are open, each with all that its #if and #elif have said.
    let mut open: Vec<String> = Vec::new();
    let mut in_comment = false;
    for (at, line) in file.lines() {
        let mut code = line.trim_start();
        if in_comment || code.starts_with("/*") {
            in_comment = !code.contains("*/");
            code = code.split_once("*/").map_or("", |(_, rest)| rest);
        }
        match directive::of(code) {
            Some(Directive::If(text)) => open.push(text.to_owned()),
            Some(Directive::Elif(text) | Directive::Else(text)) => open.last_mut().into_iter().for_each(|last| last.push_str(text)),
            Some(Directive::Endif) => drop(open.pop()),
            Some(Directive::Other(text)) if !text.starts_with("define") => continue,
            Some(Directive::Other(_)) | None => {}
        }
        // Another line of a comment.
        if code.starts_with("* ") {
            continue;
        }
        let Some(position) = statement(code).map(|position| line.len() - code.len() + position) else { continue };
        // Any condition on what the machine or the compiler is: somebody has thought of it.
        if open.iter().any(|condition| is_about_machine(condition)) {
            continue;
        }
        let rest = &file.text[at + position..];
        let end = rest.char_indices().nth(2000).map_or(rest.len(), |(end, _)| end);
        let (text, length) = template(&rest[..end]);
        // Or about what it is made of.
        let mut directives = rest[..length].lines().filter_map(|line| line.trim_start().strip_prefix('#'));
        if directives.any(is_about_machine) {
            continue;
        }
        let Some(instruction) = foreign(&text, narrow, wide) else { continue };
        let message = format!("inline assembly for {narrow} (`{instruction}`), whatever is compiled for");
        let sides = [format!("{narrow}: as it was"), format!("{wide}: the assembler refuses it, or it means something else")];
        if let Some(hit) = found.add_text(file, (at + position, at + line.len()), message, sides) {
            // Where the name says which processor it is for, who includes it has chosen.
            let own_path = file.tree.relative(Path::new(file.path)).to_string_lossy();
            let is_chosen = p080_assembly_file::in_path(&own_path, p080_assembly_file::names(narrow));
            let is_for_nobody = || defines::is_asked_in_vain(file.tree, file.text, at);
            hit.confidence = if is_chosen || is_for_nobody() { Confidence::Possible } else { Confidence::Probable };
        }
    }
}

/// Where an `asm` begins on this line.
fn statement(line: &str) -> Option<usize> {
    line.match_indices("asm").find_map(|(at, _)| {
        let start = line[..at].trim_end_matches('_').len();
        let after = line[at + 3..].trim_start_matches('_').trim_start();
        let after = ["volatile", "__volatile__", "__volatile", "goto", "inline"].iter().fold(after, |after, word| after.strip_prefix(word).unwrap_or(after).trim_start());
        let is_word = !line[..start].ends_with(|c: char| c.is_ascii_alphanumeric());
        (is_word && after.starts_with('(') && !line[..start].contains("//") && !line[..start].contains('"')).then_some(start)
    })
}

/// The string literals between the first parenthesis and the first colon, and where that is.
fn template(text: &str) -> (String, usize) {
    let (mut found, mut quoted, mut escaped, mut depth) = (String::new(), false, false, 0);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => {
                found.push(match c {
                    'n' => '\n',
                    't' => ' ',
                    c => c,
                });
                escaped = false;
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => found.push(c),
            '(' => depth += 1,
            ')' if depth == 1 => return (found, at),
            ')' => depth -= 1,
            ':' => return (found, at),
            _ => {}
        }
    }
    (found, text.len())
}

/// An instruction that the new architecture does not have, or that means something else there.
fn foreign<'a>(text: &'a str, narrow: &str, wide: &str) -> Option<&'a str> {
    let mut instructions = text.split([';', '\n']).map(str::trim).filter(|part| !part.starts_with('.'));
    let is = |instruction: &&str| {
        let lower = instruction.to_ascii_lowercase();
        let words = lower.split_whitespace().skip_while(|word| word.ends_with(':'));
        let first = words.clone().next().unwrap_or_default();
        // Without operands a statement has one `%` before a register.
        let flat = words.collect::<String>().replace("%%", "%");
        match (narrow, wide) {
            ("i386", "x86-64") => {
                ["pushl", "popl", "pushal", "popal", "pusha", "popa", "pushfl", "popfl", "into", "aaa", "das", "daa"].contains(&first)
                    || flat.starts_with("int$0x80")
                    || (["push", "pop"].contains(&first) && flat.contains("%e"))
                    || flat.contains("(%esp") || flat.contains("(%ebp")
            }
            ("i386", _) => instruction.contains("%%") || flat.contains('$') || ["pause", "cpuid", "rdtsc", "bswap", "mfence", "hlt", "cli", "sti"].contains(&first),
            _ => ["swp", "swi", "ldmia", "stmia", "stmfd", "ldmfd", "mcr", "mrc", "bx", "push", "pop", "umull", "smull"].contains(&first)
                || flat.contains("r0,") || flat.contains("[r"),
        }
    };
    instructions.find(is)
}

fn is_about_machine(condition: &str) -> bool {
    words(condition).any(|word| {
        MACROS.iter().any(|(_, macros)| macros.contains(&word))
            || ["asm", "arch", "cpu", "86", "x64", "amd64", "arm", "mips", "ppc", "powerpc", "sparc", "alpha", "m68", "68k", "dos", "win", "watcom", "turboc", "msc", "borland", "sse", "mmx", "neon", "intel", "lp64", "wordsize", "sizeof"]
                .iter()
                .any(|part| word.to_ascii_lowercase().contains(part))
    })
}

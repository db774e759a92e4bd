//! A file of assembly is for the old architecture only
//!
//! # What
//! An assembly file has instructions of the old architecture, no `#if` for the new one, and there is no file of the same name for the
//! new architecture.
//!
//! # Why
//! The assembler refuses it ("operand type mismatch", "unknown mnemonic"), and the build stops; or the file is left out, and what it
//! defines is missing when the program is linked.
//!
//! # Example
//! Bad:
//!
//! ```c
//! extern int add(int, int);
//! // file: add.s
//! add:
//!     pushl %ebp
//!     movl 8(%esp), %eax
//!     addl 12(%esp), %eax
//!     popl %ebp
//!     ret
//! ```
//!
//! Good:
//!
//! ```c
//! extern int add(int, int);
//! // file: add.S
//! #ifdef __x86_64__
//! add: leal (%rdi,%rsi), %eax
//!     ret
//! #else
//! add: movl 4(%esp), %eax
//!     addl 8(%esp), %eax
//!     ret
//! #endif
//! ```
//!
//! # Fix
//! Write it in C, and keep the assembly under `#ifdef` if it is worth its while; most was faster once. Many projects have a switch:
//! `--disable-asm`, `no-asm`, `-DNO_ASM`. One that has none needs it.
//!
//! # References
//! - CWE-1105

use super::{Found, Visit};
use crate::built;
use crate::compiler::Language;
use crate::defines;
use crate::files::{File, FileKind, kind, words};
use crate::pair::{NARROW, WIDE};
use crate::system;
use findings::Confidence;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const VISIT: Visit = Visit::File(look);

/// How directories and files say that they are for an architecture.
pub(super) fn names(abi: &str) -> &'static [&'static str] {
    match abi {
        "x86-64" => &["x86_64", "x86-64", "amd64", "x64", "x86_amd64", "64bit", "elf64"],
        "arm64" => &["aarch64", "arm64", "armv8", "armv8a"],
        "i386" => &[
            "i386", "x86", "i486", "i586", "i686", "ia32", "x86_32", "386", "x32", "elf32", "pentium", "pentium4", "athlon", "k6", "k7",
        ],
        _ => &["arm", "armv7", "arm32", "armv6", "armhf"],
    }
}

fn look(file: &File<'_>, found: &mut Found<'_>) {
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    if file.kind != FileKind::Assembly {
        return;
    }
    // What is above the tree says nothing of it.
    let own_path = file.tree.relative(Path::new(file.path)).to_string_lossy();
    if is_also_for(file, file.text) || in_path(&own_path, names(wide)) {
        return;
    }
    let Some((at, line)) = file.lines().find(|(_, line)| is_instruction(line, narrow, wide)) else { return };
    // Beside i386/add.s there is x86_64/add.s, or something for the new architecture in that place.
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let own = stem(file.name);
    let has_other = file.tree.files().iter().any(|path| {
        let path = file.tree.relative(path).to_string_lossy();
        let other = stem(path.rsplit('/').next().unwrap_or_default());
        TWINS.iter().any(|[old, new]| own.contains(old) && other == own.replacen(old, new, 1))
            || in_path(&path, names(wide)) && (other.contains(&own) || own.contains(&other) || in_path(&own_path, names(narrow)))
    });
    if has_other {
        return;
    }
    let message = format!("this file is assembly for {narrow}, and has nothing for {wide}");
    let sides = [format!("{narrow}: assembled"), format!("{wide}: the assembler refuses it, or what it defines is missing")];
    let start = at + line.len() - line.trim_start().len();
    if let Some(hit) = found.add_text(file, (start, at + line.trim_end().len()), message, sides) {
        // Where the name says which processor it is for, or it is for the assemblers of other systems, the build has chosen.
        // So it has where C says the same.
        if in_path(&own_path, names(narrow))
            || in_path(&own_path, &EXTENSIONS)
            || file.name.ends_with(".asm")
            || is_also_in_c(file)
            || is_made_of_c(file)
            || file.lines().any(|(_, line)| line.starts_with("#if") && words(line).any(is_extension))
            || is_built_for(file, narrow)
            || has_others_for(file, wide)
            || defines::is_asked_in_vain(file.tree, file.text, start)
            // All build files are read for that: it is asked last.
            || built::unnamed(file.tree, &HashSet::new(), &system::left_out(file.tree.files(), file.pair)).contains(Path::new(file.path))
        {
            hit.confidence = Confidence::Possible;
        }
    }
}

/// Whether this text of assembly asks for the new architecture, or for a word size.
fn is_also_for(file: &File<'_>, text: &str) -> bool {
    const WORD_SIZES: [&str; 4] = ["__LP64__", "_LP64", "__SIZEOF_POINTER__", "__WORDSIZE"];
    words(text).any(|word| file.macros()[WIDE].contains(&word) || WORD_SIZES.contains(&word))
}

/// Whether the project has other assembly that is for the new architecture: who wrote that has built it there.
fn has_others_for(file: &File<'_>, wide: &str) -> bool {
    file.tree.files().iter().filter(|path| kind(path) == Some(FileKind::Assembly)).any(|path| {
        in_path(&file.tree.relative(path).to_string_lossy(), names(wide))
            || fs::read(path).is_ok_and(|text| is_also_for(file, &String::from_utf8_lossy(&text)))
    })
}

/// How the names of files for both word sizes differ where they have no mark between: `alloca86.S` and `alloca86_64.S`.
const TWINS: [[&str; 2]; 2] = [["86", "86_64"], ["32", "64"]];

/// Whether the makefile beside it builds for the old architecture, whatever the compiler is for: code that no system loads, which P073 shows.
fn is_built_for(file: &File<'_>, narrow: &str) -> bool {
    let is_beside = |path: &&PathBuf| path.parent() == Path::new(file.path).parent() && kind(path) == Some(FileKind::Build);
    let has = |path: &PathBuf| fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains("-m32"));
    narrow == "i386" && file.tree.files().iter().filter(is_beside).any(has)
}

/// Instructions that not every processor has: what is made of them is a choice of the build, and there is C beside it.
const EXTENSIONS: [&str; 10] = ["mmx", "3dnow", "3dnowext", "sse", "sse2", "sse3", "ssse3", "sse4", "avx", "neon"];

/// Whether a name that a condition asks for is one of those: `HAVE_MMX`.
fn is_extension(name: &str) -> bool {
    EXTENSIONS.iter().any(|extension| name.to_ascii_lowercase().split('_').any(|part| part == *extension))
}

/// Whether a part of the path, between anything but letters and digits, is one of these.
pub(super) fn in_path(path: &str, names: &[&str]) -> bool {
    let lower = path.to_ascii_lowercase();
    names.iter().any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let (before, after) = (lower[..at].chars().next_back(), lower[at + name.len()..].chars().next());
            // `x86_64` has `x86` in it.
            let is_longer = ["_64", "-64"].iter().any(|rest| lower[at + name.len()..].starts_with(rest));
            !before.is_some_and(|c| c.is_ascii_alphanumeric()) && !after.is_some_and(|c| c.is_ascii_alphanumeric()) && !is_longer
        })
    })
}

/// Whether the file of C is beside it that a compiler has made it of, or that stands for it.
fn is_made_of_c(file: &File<'_>) -> bool {
    let source = Path::new(file.path).with_extension("c");
    file.tree.files().contains(&source)
}

/// Whether this line is something that only the old architecture has.
fn is_instruction(line: &str, narrow: &str, wide: &str) -> bool {
    let code = line.split(['#', ';', '@']).next().unwrap_or_default().to_ascii_lowercase();
    let mut words = code.split_whitespace().filter(|word| !word.ends_with(':'));
    let (first, rest) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>().join(" "));
    if first.starts_with('.') {
        return false;
    }
    match (narrow, wide) {
        // Most of i386's instructions are also those of x86-64; the stack is another.
        ("i386", "x86-64") => {
            rest.contains("(%esp")
                || rest.contains("(%ebp")
                || rest.contains("[esp")
                || rest.contains("[ebp")
                || ["pushl", "popl", "pushal", "popal", "pusha", "popa"].contains(&first)
                || (["push", "pop"].contains(&first)
                    && ["eax", "ebx", "ecx", "edx", "esi", "edi", "ebp"]
                        .iter()
                        .any(|register| rest.trim_start_matches('%') == *register))
        }
        ("i386", _) => {
            ["%e", "%r", "%xmm", "[e", "[r", "$0x"].iter().any(|part| rest.contains(part))
                || ["eax", "ebx", "ecx", "edx"].iter().any(|register| rest.starts_with(register))
        }
        _ => {
            ["stmfd", "ldmfd", "stmdb", "ldmia", "stmia", "swi", "bx"].contains(&first)
                || (["push", "pop"].contains(&first) && rest.starts_with('{'))
                || rest.starts_with("r0,")
                || rest.starts_with("r1,")
        }
    }
}

/// Whether something that it defines for others is defined in C as well.
fn is_also_in_c(file: &File<'_>) -> bool {
    let exported = file.lines().filter_map(|(_, line)| line.trim_start().strip_prefix(".glob")?.split_once(char::is_whitespace));
    let exported: BTreeSet<&str> =
        exported.flat_map(|(_, names)| words(names)).map(|name| name.trim_start_matches('_')).collect();
    let sources = file.tree.files().iter().filter(|path| matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C)));
    !exported.is_empty()
        && sources.filter_map(|path| fs::read(path).ok()).any(|text| {
            String::from_utf8_lossy(&text).lines().any(|line| {
                let begins = line.starts_with(|c: char| c.is_ascii_alphabetic()) && !line.trim_end().ends_with(';');
                let before = line.split_once('(').filter(|_| begins).map(|(before, _)| before);
                before.and_then(|before| words(before).last()).is_some_and(|last| exported.contains(last))
            })
        })
}

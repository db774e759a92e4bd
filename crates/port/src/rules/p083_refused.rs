//! The compiler accepts this for 32 bits and refuses it for 64
//!
//! # What
//! A compiler for the new architecture stops here with an error, and one for the old architecture does not: a size that is asserted, an
//! array of a negative size, a `case` that is there twice, `#error` after a question for the word size, a name that is only declared
//! for 32 bits. Where another rule has found something in the same line, that finding says so.
//!
//! # Why
//! The file does not compile. Mostly that is on purpose: somebody has written down what the code relies on, as that a `long` has 4 bytes or
//! that a header in a file has 12, and what relies on it is not found by the compiler.
//!
//! # Example
//! Bad:
//!
//! ```c
//! struct header { long length; int kind; };
//! typedef char header_has_8_bytes[sizeof(struct header) == 8 ? 1 : -1];
//! int f(int n) { switch (n) { case 8: return 1; case sizeof(long): return 2; } return 0; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! struct header { int32_t length, kind; };
//! typedef char header_has_8_bytes[sizeof(struct header) == 8 ? 1 : -1];
//! int f(int n) { switch (n) { case 8: return 1; case sizeof(int32_t): return 2; } return 0; }
//! ```
//!
//! # Fix
//! Find out what relies on it, and mend that before the assertion: a structure that is written to a file needs types of a fixed width. What
//! is only declared for one word size needs a declaration, or another way, for the other one. A function that has conflicting types
//! gets one of them: `ssize_t` and `int` are the same for 32 bits only.
//!
//! # References
//! - CWE-758, CWE-1105
//! - C11 6.7.10, 6.10.5

use super::{Found, Hit, Visit};
use crate::ast::Diagnostic;
use crate::ast::kind::Kind;
use crate::directive::{self, Directive};
use crate::missing;
use crate::pair::{NARROW, WIDE};
use crate::sources::{self, Sources};
use crate::tree::Tree;
use findings::{Confidence, Severity};
use std::fs;

pub(super) const VISIT: Visit = Visit::Diagnostic(look);

const REFUSED: &str = "the compiler refuses this for 64 bits: ";

const UNDECLARED: &str = "-Wimplicit-function-declaration";

/// Only a warning of gcc, where the value is not constant: it is cut, as any other.
const NARROWING: &str = "non-constant-expression cannot be narrowed";

fn look(tree: &Tree<'_>, said: &Diagnostic, found: &mut Found<'_>) {
    let unit = tree.units[WIDE];
    let is_error = said.severity >= 3;
    let only_narrow = only_narrow(tree, said);
    if !(is_error || only_narrow.is_some()) || missing::name(said).is_some() {
        return;
    }
    let [narrow, wide] = [NARROW, WIDE].map(|side| missing::names(tree.units[side]).collect::<Vec<_>>());
    // What follows from a header that only one side has is no fault of this line.
    if wide.iter().any(|name| !narrow.contains(name)) {
        return;
    }
    let confidence = match only_narrow {
        // A va_list that is assigned: configure tries that, and chooses another way, in what nobody has configured yet.
        None if !tree.is_configured && said.text.contains("array type") => Confidence::Possible,
        // What only code for 64 bits uses may be declared with an option that nobody knows, as `environ` with _GNU_SOURCE.
        None if !tree.is_configured && is_only_used_here(tree, &said.text) => Confidence::Possible,
        // What stands in for a header of the system's is not there beside it.
        None if !tree.is_configured && said.text.starts_with("typedef redefinition") => Confidence::Possible,
        // configure has a function of the project's compiled only where the system has none.
        None if !tree.is_configured && is_of_system(tree, &said.text) => Confidence::Possible,
        _ if said.text.contains(NARROWING) => Confidence::Possible,
        _ if !wide.is_empty() => Confidence::Probable,
        // What has an option can be made a warning, and often is one of gcc.
        None if said.option.starts_with("-W") && !said.option.contains("narrowing") => Confidence::Probable,
        // Of what is in an assembly instruction gcc looks at less.
        None if said.text.contains("constraint") || said.text.contains("asm") => Confidence::Probable,
        _ => Confidence::Certain,
    };
    let text = said.text.trim_end_matches([' ', ':']);
    let message = match only_narrow {
        Some(name) => format!("{name} is declared for 32 bits, and not for 64"),
        None => format!("{REFUSED}{text}"),
    };
    let names = tree.pair.sides.map(|abi| abi.name);
    let sides = [format!("{}: it compiles", names[NARROW]), format!("{}: {text}", names[WIDE])];
    let path = unit.file(said.place.file).to_owned();
    let follows = follows_from_error(tree, said);
    if let Some(hit) = found.add_at(unit, said.place, message, sides) {
        let unlikely = !tree.is_configured && is_of_architecture(&path, names[NARROW]) || is_configured_for_narrow(tree);
        hit.folds = true;
        // What follows from a type that is not known is no more than that.
        hit.confidence = if unlikely || follows || refuses_both(tree) || tree.is_guessed() {
            Confidence::Possible
        } else {
            tree.doubt(confidence)
        };
    }
}

/// Whether what has conflicting types is a function of the system's: for 32 bits both are one.
fn is_of_system(tree: &Tree<'_>, text: &str) -> bool {
    let name = text.strip_prefix("conflicting types for '").and_then(|rest| rest.strip_suffix('\''));
    let declarations = &tree.units[NARROW].declarations;
    name.is_some_and(|name| declarations.iter().any(|of| of.name == name && of.in_system_header))
}

/// Whether a name that is not declared is not there for 32 bits either, where nothing uses it.
fn is_only_used_here(tree: &Tree<'_>, text: &str) -> bool {
    let name = text.strip_prefix("use of undeclared identifier '").and_then(|rest| rest.split('\'').next());
    name.is_some_and(|name| !tree.units[NARROW].declarations.iter().any(|of| of.name == name))
}

/// How many of them are read to find an `#error`, which comes before what follows from it.
const FIRST: usize = 8;

/// Whether an `#error` for 64 bits alone comes before it: what is not declared then is a consequence.
fn follows_from_error(tree: &Tree<'_>, said: &Diagnostic) -> bool {
    const UNKNOWN: [&str; 4] = ["no member named", "undeclared identifier", "unknown type name", "incomplete"];
    if !UNKNOWN.iter().any(|text| said.text.contains(text)) {
        return false;
    }
    let unit = tree.units[WIDE];
    let is_new = |of: &&Diagnostic| !tree.units[NARROW].diagnostics.iter().any(|known| known.text == of.text);
    let errors = unit.diagnostics.iter().filter(|of| of.severity >= 3);
    errors.take_while(|of| *of != said).filter(is_new).take(FIRST).any(|of| is_directive(tree, of))
}

/// Whether a file that nobody has configured is refused on both sides: an `#error` waits for an option, and what comes after it is not what is
/// compiled then; and what lacks a member of a type that is there is for another system.
fn refuses_both(tree: &Tree<'_>) -> bool {
    let errors = |side: usize| tree.units[side].diagnostics.iter().filter(|of| of.severity >= 3);
    let is_on_both = |of: &&Diagnostic| errors(NARROW).any(|other| other.text == of.text);
    let is_complete = || errors(NARROW).all(|of| missing::name(of).is_none());
    let is_of_other = || errors(NARROW).any(|of| of.text.starts_with("no member named")) && is_complete();
    !tree.is_configured && (is_of_other() || errors(WIDE).filter(is_on_both).take(FIRST).any(|of| is_directive(tree, of)))
}

/// Whether it is an `#error`, which says what is behind it.
fn is_directive(tree: &Tree<'_>, said: &Diagnostic) -> bool {
    let written =
        sources::piece(tree.units[WIDE].file(said.place.file), said.place.start, said.text.len() + 32).unwrap_or_default();
    written.strip_prefix("error").is_some_and(|rest| rest.trim_start().starts_with(said.text.trim()))
}

/// The function that is called here without a declaration, and has one for 32 bits.
fn only_narrow<'a>(tree: &Tree<'_>, said: &'a Diagnostic) -> Option<&'a str> {
    let name = said.text.split('\'').nth(1).filter(|_| said.option == UNDECLARED)?;
    let mut declarations = tree.units[NARROW].declarations.iter();
    declarations.any(|of| of.kind == Kind::Function && of.name == name && !is_implicit(tree, name)).then_some(name)
}

/// Whether the compiler has only guessed that there is such a function, for 32 bits as well.
fn is_implicit(tree: &Tree<'_>, name: &str) -> bool {
    let said = tree.units[NARROW].diagnostics.iter();
    said.filter(|said| said.option == UNDECLARED).any(|said| said.text.split('\'').nth(1) == Some(name))
}

/// Whether a file of which nobody has said that it is compiled at all is for the old architecture alone, by its name or that of its
/// directory: those above it say where somebody keeps the project.
fn is_of_architecture(path: &str, narrow: &str) -> bool {
    let names: &[&str] = if narrow == "i386" {
        &["i386", "i486", "i586", "i686", "x86", "ia32", "x86_32"]
    } else {
        &["arm", "arm32", "armhf", "armv7"]
    };
    let mut parts = path.rsplit('/').take(2).flat_map(|part| part.split(['-', '.']));
    parts.any(|part| names.contains(&part.to_ascii_lowercase().as_str()))
}

/// Whether a header that configure has written says that a `long` or a pointer has 4 bytes: that is no more than configure's answer for 32
/// bits, and another one for 64.
fn is_configured_for_narrow(tree: &Tree<'_>) -> bool {
    const SIZES: [&str; 6] =
        ["SIZEOF_LONG 4", "SIZEOF_VOID_P 4", "SIZEOF_VOIDP 4", "SIZEOF_CHAR_P 4", "SIZEOF_SIZE_T 4", "SIZEOF_LONG_INT 4"];
    let unit = tree.units[WIDE];
    let own = unit.inclusions.iter().filter(|(_, in_system)| !in_system).map(|(file, _)| unit.file(*file));
    own.filter(|path| path.ends_with(".h")).any(|path| {
        let text = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.contains("by configure") && SIZES.iter().any(|size| text.lines().any(|line| line.trim_end().ends_with(size)))
    })
}

/// What another rule has found in the same line is said once, by that rule: which is as sure then as the compiler is.
pub(super) fn fold(hits: Vec<Hit>, sources: &mut Sources) -> Vec<Hit> {
    let (refused, mut hits): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(is_refusal);
    for refusal in refused {
        let text = sources.text(&refusal.path);
        let line = text.position(refusal.start).0;
        let is_error = matches!(directive::of(&text.line(line)), Some(Directive::Other(text)) if text.starts_with("error"));
        let mut there: Vec<&mut Hit> = hits
            .iter_mut()
            .filter(|hit| hit.path == refusal.path)
            .filter(|hit| {
                text.position(hit.start).0 == line || is_error && hit.rule.id == "P082" && is_in_list(text, hit.start, line)
            })
            .collect();
        if there.is_empty() {
            hits.push(refusal);
            continue;
        }
        for hit in &mut there {
            hit.confidence = hit.confidence.max(refusal.confidence);
            hit.severity = hit.severity.max(Severity::Fails);
            let [_, wide] = &mut hit.sides;
            let said = refusal.message.strip_prefix(REFUSED).unwrap_or(&refusal.message);
            if !wide.contains(said) {
                wide.push_str(&format!("; the compiler refuses it: {said}"));
            }
        }
    }
    hits
}

fn is_refusal(hit: &Hit) -> bool {
    hit.rule.id == "P083"
}

/// Whether a line is between the `#if` that begins here and its `#endif`.
fn is_in_list(text: &crate::sources::Text, start: u32, line: u32) -> bool {
    let first = text.position(start).0;
    let mut depth = 0_u32;
    for at in first..line {
        match directive::of(&text.line(at)) {
            Some(Directive::If(_)) => depth += 1,
            Some(Directive::Endif) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    first < line
}

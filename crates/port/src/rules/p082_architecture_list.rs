//! A list of architectures ends without the new one
//!
//! # What
//! `#if`, `#elif` and so on ask for one architecture after the other, the old one among them; the new one is not, and after the list
//! comes `#error`, or nothing.
//!
//! # Why
//! With `#error` nothing is compiled. With nothing, what each branch defines is missing: a byte order, an atomic operation, a type.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #if defined(__i386__) || defined(__alpha__)
//! typedef int order;
//! #elif defined(__sparc__)
//! typedef int other_order;
//! #elif !defined(__x86_64)
//! #endif
//! // file: order.h
//! #if defined(__i386__)
//! #define ORDER 1
//! #elif defined(__sparc__)
//! #define ORDER 2
//! #else
//! #error "unknown architecture"
//! #endif
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: order.h
//! #if defined(__i386__) || defined(__x86_64__)
//! #define ORDER 1
//! #elif defined(__sparc__)
//! #define ORDER 2
//! #else
//! #error "unknown architecture"
//! #endif
//! ```
//!
//! # Fix
//! Ask for what matters and not for who has it: `__BYTE_ORDER__`, `__SIZEOF_LONG__`, `__STDC_VERSION__`; or add the new one:
//! `__x86_64__`, `__aarch64__`.
//!
//! # References
//! - CWE-1105
//! - gcc's manual of the preprocessor, "Common Predefined Macros"

use super::{Found, Visit};
use crate::directive::{self, Directive};
use crate::files::{File, FileKind, MACROS, words};
use crate::pair::{NARROW, WIDE};
use findings::{Confidence, Severity};

pub(super) const VISIT: Visit = Visit::File(look);

/// One `#if` with all that belongs to it.
#[derive(Default)]
struct Group {
    at: (usize, usize),
    /// How often an architecture is asked for.
    architectures: usize,
    has_narrow: bool,
    has_wide: bool,
    in_else: bool,
    has_else: bool,
    stops: bool,
    /// Whether a branch before asks for Linux, and whether this is one behind it.
    has_linux: bool,
    is_behind: bool,
    /// Whether it asks only whether a name is not defined, as what is included once does.
    is_guard: bool,
}

/// Other architectures, and what is asked instead of one.
const OTHERS: [&str; 12] = ["mips", "powerpc", "ppc", "sparc", "alpha", "hppa", "s390", "ia64", "m68k", "mc68000", "riscv", "sh"];
const GENERAL: [&str; 10] =
    ["WORDSIZE", "BYTE_ORDER", "SIZEOF", "ENDIAN", "UINTPTR", "SIZE_MAX", "LONG_MAX", "64", "_BIT", "BITS"];

fn look(file: &File<'_>, found: &mut Found<'_>) {
    let asks = || file.macros()[NARROW].iter().any(|name| file.text.contains(name));
    if file.kind != FileKind::Source || !asks() || is_of_windows(file) {
        return;
    }
    let narrow = file.macros()[NARROW];
    let mut open: Vec<Group> = Vec::new();
    let mut continued = false;
    for (at, line) in file.lines() {
        let directive = directive::of(line);
        let condition = match directive {
            _ if continued => Some(line),
            Some(Directive::If(text)) => {
                let is_guard = text.starts_with("ifndef");
                open.push(Group { at: (at, at + line.len()), is_guard, ..Group::default() });
                Some(text)
            }
            Some(Directive::Elif(text)) => {
                open.last_mut().into_iter().for_each(|group| group.is_behind |= group.has_linux);
                Some(text)
            }
            _ => None,
        };
        if let Some(condition) = condition {
            if let Some(group) = open.last_mut() {
                group.has_linux |=
                    !condition.contains(['!', '&']) && words(condition).any(|word| word.trim_matches('_') == "linux");
                for word in words(condition) {
                    group.has_narrow |= narrow.contains(&word);
                    let is_other = is_other(word, file.macros());
                    // The names of the new one have a 64 in them too.
                    // Those that biarch knows have the lower byte first.
                    let is_true = !is_other && !word.contains("BIG");
                    group.has_wide |= is_true && GENERAL.iter().any(|part| word.contains(part));
                    group.architectures += usize::from(narrow.contains(&word) || is_other);
                }
            }
            continued = line.ends_with('\\');
            continue;
        }
        match directive {
            Some(Directive::Else(_)) => {
                if let Some(group) = open.last_mut() {
                    (group.in_else, group.has_else) = (true, true);
                    group.is_behind |= group.has_linux;
                }
            }
            Some(Directive::Other(text)) if text.starts_with("error") => {
                open.last_mut().filter(|group| group.in_else).into_iter().for_each(|group| group.stops = true);
            }
            Some(Directive::Endif) => {
                if let Some(group) = open.pop() {
                    // Under another condition the compiler says whether it is reached.
                    let is_open = |outer: &Group| !outer.is_behind && !outer.in_else && (outer.is_guard || outer.has_linux);
                    let is_reached = !group.is_behind && open.iter().all(is_open);
                    say(file, &group, is_reached, found);
                }
            }
            _ => {}
        }
    }
}

/// Whether this is a macro of an architecture of which nothing is asked here: `__powerpc64__`.
fn is_other(word: &str, macros: [&[&str]; 2]) -> bool {
    let plain = word.trim_matches('_').to_ascii_lowercase();
    let is_wider = |name: &&str| plain.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with("64"));
    let is_known = MACROS.iter().any(|(_, all)| all.contains(&word));
    OTHERS.iter().any(is_wider) || is_known && !macros.iter().any(|own| own.contains(&word))
}

/// Whether whoever includes it includes the headers of Windows, under whatever condition: outside of all, but for the one against being
/// included twice.
fn is_of_windows(file: &File<'_>) -> bool {
    let mut depth = 0_usize;
    for (_, line) in file.lines() {
        match directive::of(line) {
            Some(Directive::If(text)) => {
                // `#ifndef WCECONF_H`
                let is_guard = text.strip_prefix("ifndef").is_some_and(|name| name.ends_with("_H"));
                depth += usize::from(!is_guard);
            }
            Some(Directive::Endif) => depth = depth.saturating_sub(1),
            Some(Directive::Other(text)) => {
                let includes = || text.strip_prefix("include").is_some_and(|name| name.trim_start().starts_with("<windows.h>"));
                if depth == 0 && includes() {
                    return true;
                }
            }
            Some(Directive::Elif(_) | Directive::Else(_)) | None => {}
        }
    }
    false
}

fn say(file: &File<'_>, group: &Group, is_reached: bool, found: &mut Found<'_>) {
    let [narrow, wide] = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    // With one alone, and nothing else, something is left out on purpose.
    if !group.has_narrow || group.has_wide || !(group.stops || (group.architectures > 1 && !group.has_else)) {
        return;
    }
    let message = if group.stops {
        format!("this list of architectures has {narrow}, not {wide}, and ends in #error")
    } else {
        format!("this list of architectures has {narrow}, not {wide}, and ends without #else")
    };
    let sides = [format!("{narrow}: a branch of its own"), format!("{wide}: {}", if group.stops { "#error" } else { "nothing" })];
    if let Some(hit) = found.add_text(file, group.at, message, sides) {
        hit.severity = if group.stops { Severity::Fails } else { Severity::Risk };
        hit.confidence = if group.stops && is_reached { Confidence::Probable } else { Confidence::Possible };
    }
}

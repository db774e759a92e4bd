//! Repairs that need no person: rules propose them, and what is offered has been tried: with it both sides compile without a new
//! warning, the finding is gone, and there is none that was not there.

use crate::ast::kind::{Kind, TypeKind};
use crate::ast::{Place, Unit};
use crate::configured::{self, OVERLAY};
use crate::directive::{self, Directive};
use crate::format::{Family, Misfit};
use crate::pair::{NARROW, WIDE};
use crate::project::Compilation;
use crate::sources::{Sources, Text};
use crate::tree::{Expression, Tree, Types};
use crate::worker::Worker;
use crate::{About, Analysed, arguments, new, retype, rules};
use anyhow::{Context, Result};
use rustix::fs::{MemfdFlags, memfd_create};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::os::fd::AsRawFd;

/// What a rule, which does not see the text, would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Proposal {
    /// Another text for these bytes.
    Replace { path: String, start: u32, end: u32, text: String },
    /// `L` or `UL` behind the number that ends here.
    Suffix { path: String, end: u32, unsigned: bool },
    /// Another directive in the format that is written here: the one that takes this argument, from 0.
    Directive { path: String, start: u32, end: u32, number: usize, old: String, new: String },
    /// Another type for the variable that is named there, in the declaration from `start` to `end`.
    Retype { path: String, start: u32, name: Range<u32>, end: u32, new: String },
    /// A header, such as `<stdint.h>`, before it is needed.
    Include { path: String, header: String },
}

/// Writes an integer of the size of a pointer where a cast names another: `(int)p` becomes `(intptr_t)p`.
pub(crate) fn cast(cast: Expression<'_>) -> Vec<Proposal> {
    let (place, Some(inner), Some(integer)) = (cast.place(), cast.converted(), cast.types().integer(WIDE)) else {
        return Vec::new();
    };
    let of = inner.place();
    if cast.kind() != Kind::Cast || place.macro_text.is_some() || of.macro_text.is_some() || of.file != place.file {
        return Vec::new();
    }
    let path = cast.unit().file(place.file).to_owned();
    let text = if integer.signed { "(intptr_t)" } else { "(uintptr_t)" };
    vec![
        Proposal::Include { path: path.clone(), header: "<stdint.h>".to_owned() },
        Proposal::Replace { path, start: place.start, end: of.start, text: text.to_owned() },
    ]
}

/// Makes a number that is written here a `long`: `1 << n` becomes `1UL << n`.
pub(crate) fn suffix(number: Expression<'_>) -> Vec<Proposal> {
    let place = number.place();
    if number.kind() != Kind::IntegerLiteral || place.macro_text.is_some() {
        return Vec::new();
    }
    // What is shifted into the sign is a mask.
    let unsigned = number.value(WIDE) == Some(1) || number.types().integer(WIDE).is_some_and(|of| !of.signed);
    vec![Proposal::Suffix { path: number.unit().file(place.file).to_owned(), end: place.end, unsigned }]
}

/// Writes a constant in the type that it becomes: `~0U` as `~0UL`, `(unsigned)-1` as `(size_t)-1`, `0xffffffff` as `-1L`.
pub(crate) fn constant(conversion: Expression<'_>) -> Vec<Proposal> {
    let Some(written) = conversion.converted().map(Expression::strip) else { return Vec::new() };
    let (place, of) = (written.place(), written.converted().map(Expression::place));
    let replace = |place: Place, end: u32, text: String| {
        let path = written.unit().file(place.file).to_owned();
        vec![Proposal::Replace { path, start: place.start, end, text }]
    };
    match (written.kind(), of) {
        _ if place.macro_text.is_some() || conversion.is_written() => Vec::new(),
        (Kind::Unary, _) => written.only_child().map(Expression::strip).map_or_else(Vec::new, suffix),
        (Kind::Cast, Some(of)) if of.macro_text.is_none() && of.file == place.file => {
            replace(place, of.start, format!("({})", conversion.types().spelling()))
        }
        (Kind::IntegerLiteral, _) if conversion.value(NARROW) == Some(-1) => replace(place, place.end, "-1L".to_owned()),
        _ => Vec::new(),
    }
}

/// Makes the directive that takes an argument fit its type.
pub(crate) fn directive(format: Expression<'_>, number: usize, misfit: &Misfit<'_>, family: Family) -> Vec<Proposal> {
    let literal = format.strip_casts();
    let place = literal.place();
    let Some(old) = misfit.directive.strip_prefix('%') else { return Vec::new() };
    let Some((letter, types)) = old.chars().next_back().zip(Some(misfit.types)) else { return Vec::new() };
    if literal.kind() != Kind::StringLiteral || place.macro_text.is_some() || !"diuxXo".contains(letter) {
        return Vec::new();
    }
    let path = literal.unit().file(place.file).to_owned();
    let flags = old.trim_end_matches(letter).trim_end_matches(['h', 'l', 'q', 'j', 'z', 't', 'L']);
    // The sign is that of the type, where the directive is decimal.
    let signed = types.integer(WIDE).is_none_or(|of| of.signed);
    let letter = if "diu".contains(letter) { if signed { 'd' } else { 'u' } } else { letter };
    let printf = family == Family::Printf;
    let mut proposals = Vec::new();
    let plain = |length: &str| format!("%{flags}{length}{letter}");
    let new = if types.has_typedef(&["size_t", "ssize_t"]) {
        plain("z")
    } else if types.has_typedef(&["ptrdiff_t"]) {
        plain("t")
    } else if types.has_typedef(&["int64_t", "uint64_t"]) {
        let name = if printf { "PRI" } else { "SCN" };
        proposals.push(Proposal::Include { path: path.clone(), header: "<inttypes.h>".to_owned() });
        format!("%{flags}\" {name}{letter}64 \"")
    } else if types.has_typedef(&["time_t", "off_t", "off64_t", "suseconds_t", "rlim_t"]) {
        let argument = misfit.argument.strip();
        let at = argument.place();
        let simple = matches!(argument.kind(), Kind::DeclRef | Kind::Member | Kind::Call | Kind::Subscript);
        if !printf || !simple || at.macro_text.is_some() || at.file != place.file {
            return Vec::new();
        }
        let text = if signed { "(intmax_t)" } else { "(uintmax_t)" };
        proposals.push(Proposal::Include { path: path.clone(), header: "<stdint.h>".to_owned() });
        proposals.push(Proposal::Replace { path: path.clone(), start: at.start, end: at.start, text: text.to_owned() });
        plain("j")
    } else if let Some(length) = length_of_size(types) {
        plain(length)
    } else if matches!(types.canonical(WIDE).kind, TypeKind::Long | TypeKind::ULong) {
        plain("l")
    } else {
        return Vec::new();
    };
    proposals.push(Proposal::Directive { path, start: place.start, end: place.end, number, old: misfit.directive.clone(), new });
    proposals
}

/// The length of a directive for what is of the type of sizes without its name, as `sizeof x`, `strlen(s)` and `p - q` are: no `long` for
/// 32 bits, and one for 64.
fn length_of_size(types: Types<'_>) -> Option<&'static str> {
    match [NARROW, WIDE].map(|side| types.canonical(side).kind) {
        [TypeKind::UInt, TypeKind::ULong] => Some("z"),
        [TypeKind::Int, TypeKind::Long] => Some("t"),
        _ => None,
    }
}

/// Bytes of a file, and what they are replaced by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Replacement {
    pub(crate) path: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) text: String,
}

/// What the proposals of one finding are in the text as it is; nothing, if one of them does not fit.
pub(crate) fn settle(proposals: &[Proposal], sources: &mut Sources) -> Option<Vec<Replacement>> {
    let mut settled = Vec::new();
    for proposal in proposals {
        let (path, start, end, text) = match proposal {
            Proposal::Replace { path, start, end, text } => (path, *start, *end, text.clone()),
            Proposal::Suffix { path, end, unsigned } => {
                let written = sources.text(path).between(end.checked_sub(3)?, *end).to_lowercase();
                let text = match (written.ends_with('u'), written.ends_with('l'), unsigned) {
                    (_, true, _) => return None,
                    (true, _, _) | (_, _, false) => "L",
                    (false, _, true) => "UL",
                };
                (path, *end, *end, text.to_owned())
            }
            Proposal::Directive { path, start, end, number, old, new } => {
                let text = sources.text(path).between(*start, *end);
                let at = directives(&text).get(*number).copied()?;
                // A directive may be in another literal of the same format, with a macro between.
                let length = text.get(at..)?.starts_with(old.as_str()).then_some(old.len())?;
                let from = start.checked_add(u32::try_from(at).ok()?)?;
                (path, from, from.checked_add(u32::try_from(length).ok()?)?, new.clone())
            }
            Proposal::Retype { path, start, name, end, new } => {
                settled.extend(retype::settle(sources.text(path), path, *start, name, *end, new)?);
                continue;
            }
            Proposal::Include { path, header } => {
                let Some(at) = place_of_include(sources.text(path), header) else { continue };
                (path, at, at, format!("#include {header}\n"))
            }
        };
        settled.push(Replacement { path: path.clone(), start, end, text });
    }
    (!settled.is_empty()).then_some(settled)
}

/// Where the directives of a format begin that take an argument; nothing, where one takes more.
fn directives(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut rest = text.match_indices('%').peekable();
    while let Some((at, _)) = rest.next() {
        match rest.peek() {
            Some((next, _)) if *next == at + 1 => drop(rest.next()),
            _ => found.push(at),
        }
    }
    let ends = found.iter().skip(1).copied().chain([text.len()]);
    let is_starred = found.iter().zip(ends).any(|(start, end)| {
        let flags = text.get(start + 1..end).unwrap_or_default();
        flags.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #0.".contains(c)).starts_with(['*', '$'])
    });
    if is_starred { Vec::new() } else { found }
}

/// Behind the last header that is included before the code begins, unless this one is.
fn place_of_include(text: &Text, header: &str) -> Option<u32> {
    let (mut at, mut depth, mut place) = (0, 0_u32, None);
    for line in text.bytes().split_inclusive(|byte| *byte == b'\n') {
        at += u32::try_from(line.len()).ok()?;
        let line = String::from_utf8_lossy(line);
        match directive::of(&line) {
            Some(Directive::If(_)) => depth += 1,
            Some(Directive::Endif) => depth = depth.saturating_sub(1),
            Some(Directive::Other(text)) => {
                let Some(name) = text.strip_prefix("include") else { continue };
                if name.trim().starts_with(header) && depth == 0 {
                    return None;
                }
                // In a condition only if there is no other place, as in a header with a guard.
                if depth == 0 || place.is_none_or(|(_, before)| before > 0) {
                    place = Some((at, depth));
                }
            }
            _ => {}
        }
    }
    Some(place.map_or(0, |(at, _)| at))
}

/// The text with these replacements; nothing, if two of them are about the same bytes.
pub(crate) fn replaced<'a>(text: &[u8], replacements: impl Iterator<Item = (u32, u32, &'a str)>) -> Option<Vec<u8>> {
    let (mut new, mut from) = (Vec::new(), 0);
    // What two repairs need, such as a header, is there once.
    let unique: BTreeSet<_> = replacements.collect();
    for (start, end, replacement) in unique {
        new.extend_from_slice(text.get(from..start as usize)?);
        new.extend_from_slice(replacement.as_bytes());
        from = end as usize;
    }
    new.extend_from_slice(text.get(from..)?);
    Some(new)
}

/// A finding that may be repaired, by what makes it one, and how.
pub(crate) type Repairs = BTreeMap<(&'static str, String, u32, String), Vec<Replacement>>;
type Repair<'a> = (&'a (&'static str, String, u32, String), &'a Vec<Replacement>);

/// Tries the proposals, and leaves of each finding those that are good.
///
/// # Errors
/// Where the parser cannot be started.
pub(crate) fn prove(
    about: &About<'_>,
    compilations: &[Compilation],
    own: &dyn Fn(&str) -> bool,
    results: &[Analysed],
) -> Result<Repairs> {
    let mut sources = Sources::default();
    let mut repairs = Repairs::new();
    for hit in results.iter().flat_map(|result| &result.hits).filter(|hit| !hit.edits.is_empty()) {
        let key = (hit.rule.id, hit.path.clone(), hit.start, hit.message.clone());
        if let Some(settled) = settle(&hit.edits, &mut sources) {
            repairs.entry(key).or_insert(settled);
        }
    }
    let mut worker = Worker::start(about.options.input.time_limit)?;
    loop {
        let before = repairs.len();
        for (result, compilation) in results.iter().zip(compilations) {
            let is_here = |edits: &Vec<Replacement>| edits.iter().any(|edit| result.files.contains(&edit.path));
            let here: Vec<Repair<'_>> = repairs.iter().filter(|(_, edits)| is_here(edits)).collect();
            if here.is_empty() {
                continue;
            }
            let mut trial =
                Trial { about, compilation, own, worker: &mut worker, sources: &mut sources, before: Outcome::default() };
            let good: BTreeSet<_> = match trial.outcome(&[]) {
                Ok(outcome) => {
                    trial.before = outcome;
                    trial.good(&here)?.into_iter().map(|(key, _)| key.clone()).collect()
                }
                Err(_) => {
                    worker = Worker::start(about.options.input.time_limit)?;
                    BTreeSet::new()
                }
            };
            let bad: Vec<_> = here.iter().map(|(key, _)| (*key).clone()).filter(|key| !good.contains(key)).collect();
            bad.iter().for_each(|key| drop(repairs.remove(key)));
        }
        // What was good together with others has to be so without those that are gone.
        if repairs.len() == before {
            return Ok(repairs);
        }
    }
}

/// What the compiler and the rules say of one file.
#[derive(Default)]
struct Outcome {
    /// How often the compiler says something, by side.
    said: BTreeMap<(usize, String, String), usize>,
    /// How often a rule finds something.
    found: BTreeMap<&'static str, usize>,
    /// What it finds, where.
    hits: BTreeSet<(&'static str, String, u32, String)>,
}

struct Trial<'a, 'b> {
    about: &'a About<'b>,
    compilation: &'a Compilation,
    own: &'a dyn Fn(&str) -> bool,
    worker: &'a mut Worker,
    sources: &'a mut Sources,
    before: Outcome,
}

impl Trial<'_, '_> {
    /// Those that are good together.
    fn good<'r>(&mut self, repairs: &[Repair<'r>]) -> Result<Vec<Repair<'r>>> {
        if self.is_good(repairs)? {
            return Ok(repairs.to_vec());
        }
        if repairs.len() < 2 {
            return Ok(Vec::new());
        }
        let (left, right) = repairs.split_at(repairs.len() / 2);
        let (left, right) = (self.good(left)?, self.good(right)?);
        let both = [left.clone(), right].concat();
        Ok(if both.len() == left.len() || self.is_good(&both)? { both } else { left })
    }

    fn is_good(&mut self, repairs: &[Repair<'_>]) -> Result<bool> {
        let Ok(after) = self.outcome(repairs) else {
            *self.worker = Worker::start(self.about.options.input.time_limit)?;
            return Ok(false);
        };
        let no_more = |(key, count): (_, &usize)| self.before.said.get(key).is_some_and(|before| count <= before);
        let gone = |rule: &str| repairs.iter().filter(|(key, _)| key.0 == rule && self.before.hits.contains(*key)).count();
        let rules = crate::rules().map(|rule| rule.id);
        let count = |outcome: &Outcome, rule: &str| outcome.found.get(rule).copied().unwrap_or_default();
        let fewer = rules.into_iter().all(|rule| count(&after, rule) + gone(rule) <= count(&self.before, rule));
        Ok(fewer && after.said.iter().all(no_more))
    }

    /// What is said when these repairs are made.
    fn outcome(&mut self, repairs: &[Repair<'_>]) -> Result<Outcome> {
        let mut by_file: BTreeMap<&str, Vec<&Replacement>> = BTreeMap::new();
        for edit in repairs.iter().flat_map(|(_, edits)| edits.iter()) {
            by_file.entry(&edit.path).or_default().push(edit);
        }
        let (mut files, mut shown) = (Vec::new(), Vec::new());
        for (path, edits) in by_file {
            let edits = edits.iter().map(|edit| (edit.start, edit.end, edit.text.as_str()));
            let text = replaced(self.sources.text(path).bytes(), edits).context("two repairs are about the same bytes")?;
            let file = in_memory(&text)?;
            shown.push((path, name(&file)));
            files.push(file);
        }
        let overlay = in_memory(configured::overlay(shown).as_bytes())?;
        let mut parse = |side: usize| -> Result<Unit> {
            let about = self.about;
            let mut arguments = arguments::for_clang(about.options, self.compilation, about.headers, side);
            arguments.extend(["-Wall", "-Wextra", "-Wno-unused"].map(str::to_owned));
            if !repairs.is_empty() {
                arguments.extend([format!("{OVERLAY}{}", name(&overlay))]);
            }
            let mut unit = self.worker.parse(&self.compilation.file, &arguments)?;
            unit.resolve(&self.compilation.directory);
            Ok(unit)
        };
        let (narrow, wide) = (parse(NARROW)?, parse(WIDE)?);
        let mut outcome = Outcome::default();
        for (side, unit) in [&narrow, &wide].into_iter().enumerate() {
            for said in unit.diagnostics.iter().filter(|said| said.severity >= 2) {
                *outcome.said.entry((side, said.option.clone(), said.text.clone())).or_default() += 1;
            }
        }
        let configured = self.compilation.is_configured(self.about.options);
        let tree = Tree::new(self.about.options.pair, [&narrow, &wide], configured);
        for hit in rules::apply(&tree, &new(&narrow, &wide), self.own) {
            *outcome.found.entry(hit.rule.id).or_default() += 1;
            outcome.hits.insert((hit.rule.id, hit.path, hit.start, hit.message));
        }
        Ok(outcome)
    }
}

/// A file that is nowhere but in memory.
fn in_memory(text: &[u8]) -> Result<File> {
    let mut file = File::from(memfd_create("biarch", MemfdFlags::CLOEXEC).context("cannot keep a file in memory")?);
    file.write_all(text).context("cannot keep a file in memory")?;
    Ok(file)
}

/// Where another process of the same user finds it.
fn name(file: &File) -> String {
    format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd())
}

#[cfg(test)]
mod tests {
    use super::{directives, place_of_include, replaced};
    use crate::sources::Text;

    #[test]
    fn a_directive_is_found_by_its_number() {
        assert_eq!(directives("\"%d %% %5s %-3.2lx\\n\""), [1, 7, 11]);
        assert_eq!(directives("\"%*d %d\""), Vec::<usize>::new(), "an argument is not for a directive of its own");
    }

    #[test]
    fn a_header_is_included_behind_the_others_and_once() {
        let place = |text: &str| place_of_include(&Text::from(text.as_bytes().to_vec()), "<stdint.h>");
        assert_eq!(place("int x;\n"), Some(0));
        assert_eq!(place("#include <a.h>\n#if X\n#include <b.h>\n#endif\nint x;\n"), Some(15));
        assert_eq!(place("#ifndef G\n#define G\n#include <a.h>\n#include <b.h>\n#endif\n"), Some(50));
        assert_eq!(place("# include  <stdint.h> // yes\n"), None);
    }

    #[test]
    fn pieces_are_replaced_in_any_order_and_overlaps_are_refused() {
        let text = b"one two three";
        let new = |edits: &[(u32, u32, &'static str)]| {
            replaced(text, edits.iter().copied()).map(|new| String::from_utf8_lossy(&new).into_owned())
        };
        assert_eq!(new(&[(8, 13, "3"), (0, 0, ">"), (0, 0, ">"), (4, 7, "2")]).as_deref(), Some(">one 2 3"));
        assert_eq!(new(&[(0, 5, "x"), (4, 7, "y")]), None);
        assert_eq!(new(&[(10, 20, "x")]), None);
    }
}

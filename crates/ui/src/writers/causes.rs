//! Why the sides of a comparison differ.

use anstyle::Style;
use compare::causes::{CAUSES, Row};
use compare::comparison::Outcome;
use std::io::{self, Write};

/// How many works are named of those that the same was seen of.
const NAMED: usize = 4;

/// Each cause that was found, with the works that it slows down and what was seen: once, where it is the same of many.
pub(super) fn found(outcomes: &[Outcome]) -> impl Iterator<Item = (&'static Row, Vec<(String, &str)>)> {
    CAUSES.iter().filter_map(|row| {
        let causes = outcomes.iter().flat_map(|outcome| outcome.causes.iter().map(move |cause| (outcome, cause)));
        let own = causes.filter(|(_, cause)| cause.kind == row.kind);
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for (outcome, cause) in own {
            match groups.iter_mut().find(|(evidence, _)| *evidence == cause.evidence) {
                // Several ways of running the same work may be slow for the same reason.
                Some((_, names)) if names.contains(&outcome.name.as_str()) => {}
                Some((_, names)) => names.push(&outcome.name),
                None => groups.push((&cause.evidence, vec![&outcome.name])),
            }
        }
        let own: Vec<_> = groups.into_iter().map(|(evidence, names)| (named(&names), evidence)).collect();
        (!own.is_empty()).then_some((row, own))
    })
}

/// The names, or the first of them and how many there are more.
fn named(names: &[&str]) -> String {
    match names.get(..NAMED) {
        Some(first) if names.len() > NAMED + 1 => format!("{} and {} more", first.join(", "), names.len() - NAMED),
        _ => names.join(", "),
    }
}

/// The instructions of works whose instructions were counted on both sides: the name, those of 32 bits and those of 64.
pub(super) fn counted(outcomes: &[Outcome]) -> Vec<(&str, f64, f64)> {
    let both = |outcome: &Outcome| match outcome.instructions.as_slice() {
        [Some(wide), Some(narrow), ..] => Some((*narrow, *wide)),
        _ => None,
    };
    outcomes.iter().filter_map(|outcome| both(outcome).map(|(narrow, wide)| (outcome.name.as_str(), narrow, wide))).collect()
}

/// Writes the instructions and the causes of all outcomes as text.
pub(super) fn write(outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    let counted = counted(outcomes);
    if !counted.is_empty() {
        writeln!(out, "\n{bold}{:26} {:>14} {:>14} {:>8}{bold:#}", "instructions for each", "32-bit", "64-bit", "ratio")?;
    }
    for (name, narrow, wide) in counted {
        writeln!(out, "  {name:24} {narrow:>14.1} {wide:>14.1} {:>8.2}", narrow / wide)?;
    }
    for (at, (row, works)) in found(outcomes).enumerate() {
        if at == 0 {
            writeln!(out, "\n{bold}why{bold:#}")?;
        }
        writeln!(out, "  {} ({})", row.title, row.kind)?;
        works.iter().try_for_each(|(name, evidence)| writeln!(out, "    {name}: {evidence}"))?;
    }
    Ok(())
}

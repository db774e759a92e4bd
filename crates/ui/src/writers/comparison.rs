//! A comparison of both word sizes: a table for a person, or JSON with every sample.

use super::{Format, suites};
use crate::wrap;
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::comparison::{Comparison, Outcome, Ratio, SCHEMA_VERSION, Verdict};
use compare::results::Several;
use compare::verdict::{self, Summary};
use serde::Serialize;
use std::collections::HashSet;
use std::io::{self, Write};

pub mod html;
pub mod markdown;

/// Writes what was measured, of each machine, in `format`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(comparisons: &[Comparison], format: Format, out: &mut dyn Write) -> io::Result<()> {
    match (format, comparisons) {
        (Format::Text, comparisons) => {
            for (at, comparison) in comparisons.iter().enumerate() {
                write!(out, "{}", if at == 0 { "" } else { "\n" })?;
                text(comparison, out)?;
            }
            if comparisons.len() > 1 { beside(comparisons, out) } else { Ok(()) }
        }
        (Format::Json, [one]) => json(&Judged::of(one), out),
        (Format::Json, several) => {
            let comparisons: Vec<Judged<'_>> = several.iter().map(Judged::of).collect();
            json(&Several { schema_version: SCHEMA_VERSION, comparisons }, out)
        }
    }
}

/// A comparison with what it comes to.
#[derive(Serialize)]
struct Judged<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    suites: Vec<Summary>,
    overall: Option<Summary>,
}

impl<'a> Judged<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        Self { comparison, suites: verdict::suites(comparison), overall: verdict::overall(comparison) }
    }
}

fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

fn text(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    said(&comparison.machine.line(), out)?;
    said(&own(comparison), out)?;
    writeln!(out)?;
    let outcomes: Vec<&Outcome> = comparison.outcomes.iter().filter(|outcome| !suites::has(outcome)).collect();
    if !outcomes.is_empty() {
        table(comparison, &outcomes, out)?;
    }
    suites::write(comparison, out)?;
    super::causes::write(&comparison.outcomes, out)?;
    verdicts(comparison, out)?;
    for outcome in &comparison.outcomes {
        for missing in &outcome.missing {
            said(&format!("not measured: {}: {missing}", outcome.name), out)?;
        }
    }
    for missing in &comparison.left_out {
        said(&format!("not measured: {missing}"), out)?;
    }
    for note in &comparison.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

/// What the same program gave against itself.
fn own(comparison: &Comparison) -> String {
    let own: Vec<String> =
        comparison.self_check.ratios.iter().map(|(name, ratio)| format!("{name} {:.3}", ratio.median)).collect();
    let least = (comparison.self_check.resolution.exp() - 1.0).max(0.01) * 100.0;
    format!("the same program on both sides: {}; differences below {least:.1} % are not claimed", own.join(", "))
}

/// The columns of what is written here; a narrower terminal breaks lines itself.
const COLUMNS: usize = 100;

/// Writes a text in lines that fit.
pub(super) fn said(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines = wrap::lines(text, COLUMNS, COLUMNS - 2);
    lines.iter().enumerate().try_for_each(|(at, line)| writeln!(out, "{}{line}", if at == 0 { "" } else { "  " }))
}

/// A column for each word size, with the ratio; further sides that took part have only that.
fn table(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let [wide, narrow, others @ ..] = comparison.sides.as_slice() else { return Ok(()) };
    let took_part = |side: &usize| outcomes.iter().any(|outcome| outcome.median(*side).is_some());
    let others: Vec<(usize, &String)> = (2..).zip(others).filter(|(side, _)| took_part(side)).collect();
    let mut header = vec![String::new(), narrow.clone(), wide.clone(), format!("{narrow} / {wide}"), String::new()];
    // What all of them have in common does not fit.
    let prefix = format!("{narrow} ");
    header.extend(others.iter().map(|(_, other)| other.strip_prefix(&prefix).unwrap_or(other).to_owned()));
    table.set_header(&header);
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut suite = "";
    for outcome in outcomes.iter().copied() {
        if outcome.suite != suite && outcomes.len() > 1 {
            suite = &outcome.suite;
            lines.push(Line::Suite);
            table.add_row([suite]);
        }
        lines.push(Line::Outcome(outcome));
        let mut row = vec![
            format!("  {}", outcome.name),
            outcome.median(1).map_or_else(|| "-".to_owned(), duration),
            outcome.median(0).map_or_else(|| "-".to_owned(), duration),
            outcome.ratios.get(1).copied().flatten().map_or_else(|| "-".to_owned(), |ratio| interval(&ratio)),
            outcome.verdict.map_or("", word).to_owned(),
        ];
        let rest = others.iter().map(|(side, _)| outcome.ratios.get(*side).copied().flatten());
        row.extend(rest.map(|ratio| ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{:.2}", ratio.median))));
        table.add_row(row);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at != 0 && at != 4 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (at, line) in table.lines().enumerate() {
        let line = line.trim_end();
        let style = match at.checked_sub(1).and_then(|at| lines.get(at)) {
            None | Some(Line::Suite) => bold,
            Some(Line::Outcome(outcome)) => outcome.verdict.map_or(Style::new(), style),
        };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    if let [(_, first), ..] = others.as_slice() {
        writeln!(out, "the last columns, from {first}: how many times as long as {wide}")?;
    }
    Ok(())
}

enum Line<'a> {
    Suite,
    Outcome(&'a Outcome),
}

/// What stands in one row of several machines' results: the name, and what each of them has.
struct Beside<'a> {
    name: &'a str,
    /// Whether it is a suite's mean, or that of all.
    sum: bool,
    each: Vec<Option<(Ratio, Verdict)>>,
}

/// The results of several machines in rows: each suite with its benchmarks, in the order in which they come up, and everything.
fn rows_beside<'a>(comparisons: &'a [Comparison], suites: &'a [Vec<Summary>], overall: &'a [Option<Summary>]) -> Vec<Beside<'a>> {
    let judged = |summary: &Summary| (summary.ratio, summary.verdict);
    let mut names: Vec<&str> = Vec::new();
    for summary in suites.iter().flatten() {
        if !names.contains(&summary.name.as_str()) {
            names.push(&summary.name);
        }
    }
    let mut rows = Vec::new();
    for suite in names {
        let sums = suites.iter().map(|own| own.iter().find(|summary| summary.name == suite).map(judged));
        rows.push(Beside { name: suite, sum: true, each: sums.collect() });
        let mut known = HashSet::new();
        for outcome in comparisons.iter().flat_map(|comparison| &comparison.outcomes) {
            if outcome.suite == suite && known.insert(outcome.name.as_str()) {
                let same = |other: &&Outcome| other.suite == outcome.suite && other.name == outcome.name;
                let own = |comparison: &Comparison| {
                    let found = comparison.outcomes.iter().find(same)?;
                    Some((found.ratios.get(1).copied().flatten()?, found.verdict?))
                };
                rows.push(Beside { name: &outcome.name, sum: false, each: comparisons.iter().map(own).collect() });
            }
        }
    }
    rows.push(Beside { name: "overall", sum: true, each: overall.iter().map(|own| own.as_ref().map(judged)).collect() });
    rows
}

/// How many times as long 32 bits take, with a column for each machine.
fn beside(comparisons: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(out, "\n{bold}32 bits against 64 bits, side by side{bold:#}")?;
    for (at, comparison) in comparisons.iter().enumerate() {
        said(&format!("[{}] {}", at + 1, comparison.machine.line()), out)?;
    }
    said("The mean of a suite is of the benchmarks that were measured on that machine.", out)?;
    let suites: Vec<Vec<Summary>> = comparisons.iter().map(verdict::suites).collect();
    let overall: Vec<Option<Summary>> = comparisons.iter().map(verdict::overall).collect();
    let rows = rows_beside(comparisons, &suites, &overall);
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let heading = |at: usize| [format!("[{}]", at + 1), String::new()];
    table.set_header([String::new()].into_iter().chain((0..comparisons.len()).flat_map(heading)));
    for row in &rows {
        let cell = |own: &Option<(Ratio, Verdict)>| match own {
            Some((ratio, verdict)) => [interval(ratio), word(*verdict).to_owned()],
            None => ["-".to_owned(), String::new()],
        };
        let name = format!("{}{}", if row.sum { "" } else { "  " }, row.name);
        table.add_row([name].into_iter().chain(row.each.iter().flat_map(cell)));
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at % 2 == 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (at, line) in table.lines().enumerate() {
        let sum = at.checked_sub(1).is_none_or(|at| rows.get(at).is_some_and(|row| row.sum));
        let style = if sum { bold } else { Style::new() };
        writeln!(out, "{style}{}{style:#}", line.trim_end())?;
    }
    Ok(())
}

/// What each suite and all of it comes to.
fn verdicts(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let Some(overall) = verdict::overall(comparison) else { return Ok(()) };
    let suites = verdict::suites(comparison);
    writeln!(out)?;
    if comparison.outcomes.len() > 1 {
        for suite in suites.iter().filter(|_| suites.len() > 1) {
            named(suite, Style::new(), out)?;
        }
    }
    named(&overall, Style::new().bold(), out)?;
    verdict::caveats(comparison).iter().try_for_each(|caveat| said(&format!("caveat: {caveat}"), out))?;
    if comparison.outcomes.len() > 1 {
        writeln!(out, "The mean is of these benchmarks and not of your program: compare that with")?;
        writeln!(out, "biarch compare -- COMMAND32 -- COMMAND64")?;
    }
    Ok(())
}

/// What a suite comes to, behind its name.
fn named(summary: &Summary, style: Style, out: &mut dyn Write) -> io::Result<()> {
    const NAME: usize = 11;
    let lines = wrap::lines(&sentence(summary), COLUMNS - NAME, COLUMNS - NAME);
    lines.iter().enumerate().try_for_each(|(at, line)| {
        let name = if at == 0 { summary.name.as_str() } else { "" };
        writeln!(out, "{style}{name:NAME$}{line}{style:#}")
    })
}

/// What something comes to, in a sentence.
fn sentence(summary: &Summary) -> String {
    let caveat = summary.caveat();
    format!(
        "{}: 32-bit programs take {} times as long{}{caveat}",
        word(summary.verdict),
        interval(&summary.ratio),
        if caveat.is_empty() { "" } else { "; " }
    )
}

/// How all of it was measured, in paragraphs.
fn method() -> Vec<String> {
    [
        "Programs of both word sizes, built from the same source, take turns in fresh processes, in random order, each with an \
         environment of random size, so that no layout of memory passes for a difference. Their results must be the same before \
         times are compared. What is claimed is the median of the rounds' ratios, with an interval of 99 % by bootstrap.",
        "Before that the same program is on both sides. What it gives against itself is the machine's own difference: anything \
         smaller, and anything below 1 %, is not claimed.",
        "The ratio of a suite is the geometric mean of its benchmarks, that of everything the geometric mean of the suites. Its \
         interval has both doubts: that the rounds, and that the choice of benchmarks within a suite, could have been others. It \
         says nothing about a program that does something else.",
    ]
    .map(str::to_owned)
    .to_vec()
}

pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Move => "move",
        Verdict::Stay => "stay",
        Verdict::NoDifference => "no difference",
    }
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Move => Style::new().fg_color(Some(AnsiColor::Green.into())),
        Verdict::Stay => Style::new().fg_color(Some(AnsiColor::Red.into())),
        Verdict::NoDifference => Style::new(),
    }
}

/// A ratio with its interval.
pub(super) fn interval(ratio: &Ratio) -> String {
    format!("{:.2} ({:.2} to {:.2})", ratio.median, ratio.low, ratio.high)
}

/// Nanoseconds, in a unit that leaves three digits.
pub(super) fn duration(ns: f64) -> String {
    match ns {
        _ if ns < 1e3 => format!("{ns:.2} ns"),
        _ if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Format, duration};
    use compare::comparison::Comparison;

    /// Three sizes of one work, of which 32 bits take twice as long.
    pub(crate) fn comparison(suite: &str, family: &str) -> Comparison {
        let ratio = |median: f64| serde_json::json!({"median": median, "low": median, "high": median});
        let outcome = |size: &str| {
            let wide = [1.0, 1.1, 0.9, 1.0, 1.2, 1.0, 1.1, 0.9];
            serde_json::json!({
                "suite": suite, "name": format!("{family}_{size}"), "title": family, "verdict": "move", "missing": [],
                "samples": [wide, wide.map(|ns| ns * 2.0), wide.map(|ns| ns * 3.0)],
                "ratios": [null, ratio(2.0), ratio(3.0)],
            })
        };
        let value = serde_json::json!({
            "schema_version": compare::comparison::SCHEMA_VERSION,
            "machine": compare::machine::Machine::look(),
            "sides": ["x86-64", "i386", "i386 biarch"],
            "self_check": {"ratios": [["null_call", ratio(1.0)]], "resolution": 0.0},
            "outcomes": (["1k", "2k", "40k"].map(outcome)),
            "left_out": [],
        });
        serde_json::from_value(value).expect("a comparison")
    }

    #[test]
    fn what_a_result_says_in_text_fits_into_100_columns() {
        let mut long = comparison("a_suite_with_a_name_that_is_long", "latency");
        long.left_out.push("something that was left out for a reason that takes many words to tell ".repeat(3));
        for all in [vec![long.clone()], vec![long.clone(), comparison("time", "time")]] {
            let mut out = Vec::new();
            super::write(&all, Format::Text, &mut out).expect("memory takes it");
            let text = anstream::adapter::strip_str(std::str::from_utf8(&out).expect("it is text")).to_string();
            let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{wide:#?}");
        }
    }

    #[test]
    fn durations_have_a_unit_that_fits() {
        assert_eq!([2.5, 999.0, 1e3, 2.5e6, 3e9].map(duration), ["2.50 ns", "999.00 ns", "1.00 us", "2.50 ms", "3.00 s"]);
    }
}

//! A comparison of both word sizes: a table for a person, or JSON with every sample.

use super::{Format, suites};
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::comparison::{Comparison, Outcome, Ratio, SCHEMA_VERSION, Verdict};
use compare::results::Several;
use compare::verdict::{self, Summary};
use serde::Serialize;
use std::io::{self, Write};

pub mod html;
pub mod markdown;

/// Writes what was measured, of each machine, in `format`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(comparisons: &[Comparison], format: Format, out: &mut dyn Write) -> io::Result<()> {
    match (format, comparisons) {
        (Format::Text, comparisons) => comparisons.iter().enumerate().try_for_each(|(at, comparison)| {
            write!(out, "{}", if at == 0 { "" } else { "\n" })?;
            text(comparison, out)
        }),
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
    writeln!(out, "{}", comparison.machine.line())?;
    let own: Vec<String> =
        comparison.self_check.ratios.iter().map(|(name, ratio)| format!("{name} {:.3}", ratio.median)).collect();
    writeln!(
        out,
        "the same program on both sides: {}; differences below {:.1} % are not claimed\n",
        own.join(", "),
        (comparison.self_check.resolution.exp() - 1.0).max(0.01) * 100.0
    )?;
    let outcomes: Vec<&Outcome> = comparison.outcomes.iter().filter(|outcome| !suites::has(outcome)).collect();
    if !outcomes.is_empty() {
        table(comparison, &outcomes, out)?;
    }
    suites::write(comparison, out)?;
    super::causes::write(&comparison.outcomes, out)?;
    verdicts(comparison, out)?;
    for outcome in &comparison.outcomes {
        for missing in &outcome.missing {
            writeln!(out, "not measured: {}: {missing}", outcome.name)?;
        }
    }
    for missing in &comparison.left_out {
        writeln!(out, "not measured: {missing}")?;
    }
    for note in &comparison.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
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
    header.extend(others.iter().map(|(_, other)| format!("{other} / {wide}")));
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
    Ok(())
}

enum Line<'a> {
    Suite,
    Outcome(&'a Outcome),
}

/// What each suite and all of it comes to.
fn verdicts(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let Some(overall) = verdict::overall(comparison) else { return Ok(()) };
    let suites = verdict::suites(comparison);
    writeln!(out)?;
    if comparison.outcomes.len() > 1 {
        for suite in suites.iter().filter(|_| suites.len() > 1) {
            writeln!(out, "{}: {}", suite.name, sentence(suite))?;
        }
    }
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", sentence(&overall))?;
    verdict::caveats(comparison).iter().try_for_each(|caveat| writeln!(out, "caveat: {caveat}"))?;
    if comparison.outcomes.len() > 1 {
        writeln!(out, "The mean is of these benchmarks and not of your program: compare that with")?;
        writeln!(out, "biarch compare -- COMMAND32 -- COMMAND64")?;
    }
    Ok(())
}

/// What something comes to, in a sentence.
fn sentence(summary: &Summary) -> String {
    let caveat = summary.caveat();
    format!(
        "{}; 32-bit programs take {} times as long{}{caveat}",
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
mod tests {
    use super::duration;

    #[test]
    fn durations_have_a_unit_that_fits() {
        assert_eq!([2.5, 999.0, 1e3, 2.5e6, 3e9].map(duration), ["2.50 ns", "999.00 ns", "1.00 us", "2.50 ms", "3.00 s"]);
    }
}

//! A comparison of both word sizes: a table for a person, or JSON with every sample.

use super::Format;
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::comparison::{Comparison, Outcome, Ratio, Verdict};
use std::io::{self, Write};

/// Writes `comparison` in `format`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(comparison: &Comparison, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text(comparison, out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, comparison)?;
            writeln!(out)
        }
    }
}

fn text(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(out, "{}", comparison.machine.line())?;
    let own: Vec<String> =
        comparison.self_check.ratios.iter().map(|(name, ratio)| format!("{name} {:.3}", ratio.median)).collect();
    writeln!(
        out,
        "the same program on both sides: {}; differences below {:.1} % are not claimed\n",
        own.join(", "),
        (comparison.self_check.resolution.exp() - 1.0).max(0.01) * 100.0
    )?;
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let [wide, narrow, others @ ..] = comparison.sides.as_slice() else { return Ok(()) };
    let mut header = vec![String::new(), narrow.clone(), wide.clone(), format!("{narrow} / {wide}"), String::new()];
    header.extend(others.iter().map(|other| format!("{other} / {wide}")));
    table.set_header(&header);
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut suite = "";
    for outcome in &comparison.outcomes {
        if outcome.suite != suite && comparison.outcomes.len() > 1 {
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
        let rest = (0..others.len()).map(|at| outcome.ratios.get(at + 2).copied().flatten());
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
    verdict(comparison, out)?;
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

enum Line<'a> {
    Suite,
    Outcome(&'a Outcome),
}

/// What all of it comes to.
fn verdict(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let count = |wanted| comparison.outcomes.iter().filter(|outcome| outcome.verdict == Some(wanted)).count();
    let (better, worse, same) = (count(Verdict::Move), count(Verdict::Stay), count(Verdict::NoDifference));
    if better + worse + same == 0 {
        return Ok(());
    }
    let Some(mean) = Comparison::mean(comparison.outcomes.iter()) else { return Ok(()) };
    let bold = Style::new().bold();
    write!(out, "\n{bold}")?;
    if comparison.outcomes.len() > 1 {
        write!(out, "faster as 64-bit: {better}, slower: {worse}, no difference: {same}; ")?;
    }
    writeln!(out, "32-bit programs take {mean:.2} times as long{bold:#}")?;
    if comparison.outcomes.len() > 1 {
        writeln!(out, "The mean is of these benchmarks, each counted once, and not of your program: compare that with")?;
        writeln!(out, "biarch compare -- COMMAND32 -- COMMAND64")?;
    }
    Ok(())
}

fn word(verdict: Verdict) -> &'static str {
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
fn interval(ratio: &Ratio) -> String {
    format!("{:.2} ({:.2} to {:.2})", ratio.median, ratio.low, ratio.high)
}

/// Nanoseconds, in a unit that leaves three digits.
fn duration(ns: f64) -> String {
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

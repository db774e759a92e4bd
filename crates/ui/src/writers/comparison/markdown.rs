//! A comparison as Markdown: a table for each suite, as it can be pasted into an issue or a page.

use super::{duration, interval, method, own, sentence, word};
use crate::writers::causes;
use compare::comparison::{Comparison, Outcome};
use compare::verdict;
use std::io::{self, Write};

/// Writes all that is known about these comparisons, each of a machine of its own.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(comparisons: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    comparisons.iter().try_for_each(|comparison| one(comparison, out))?;
    writeln!(out, "## Method\n")?;
    method().iter().try_for_each(|paragraph| writeln!(out, "{paragraph}\n"))
}

fn one(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## {}\n", plain(&comparison.machine.line()))?;
    match verdict::overall(comparison) {
        Some(overall) => writeln!(out, "**{}**\n", plain(&sentence(&overall)))?,
        None => writeln!(out, "Nothing was measured.\n")?,
    }
    writeln!(out, "{}.\n", plain(&own(comparison)))?;
    verdict::caveats(comparison)
        .iter()
        .chain(&comparison.notes)
        .try_for_each(|caveat| writeln!(out, "Caveat: {}\n", plain(caveat)))?;
    let suites = verdict::suites(comparison);
    let [wide, narrow, others @ ..] = comparison.sides.as_slice() else { return Ok(()) };
    let mut header =
        vec!["benchmark".to_owned(), narrow.clone(), wide.clone(), format!("{narrow} / {wide}"), "verdict".to_owned()];
    header.extend(others.iter().map(|other| format!("{other} / {wide}")));
    for name in verdict::names(comparison) {
        writeln!(out, "### {}\n", plain(name))?;
        if let Some(suite) = suites.iter().find(|suite| suite.name == name) {
            writeln!(out, "{}\n", plain(&sentence(suite)))?;
        }
        let outcomes = comparison.outcomes.iter().filter(|outcome| outcome.suite == name);
        let rows: Vec<Vec<String>> = outcomes.map(|outcome| row(outcome, comparison.sides.len())).collect();
        table(&header, &rows, out)?;
        writeln!(out)?;
    }
    for (at, (row, works)) in causes::found(&comparison.outcomes).enumerate() {
        if at == 0 {
            writeln!(out, "### Why\n")?;
        }
        writeln!(out, "{}:\n", plain(row.title))?;
        works.iter().try_for_each(|(name, evidence)| writeln!(out, "- {}: {}", plain(name), plain(evidence)))?;
        writeln!(out)?;
    }
    let counted = causes::counted(&comparison.outcomes);
    if !counted.is_empty() {
        writeln!(out, "### Instructions\n")?;
        let header = ["benchmark", narrow, wide, "ratio"].map(str::to_owned);
        let row = |(name, narrow, wide): &(&str, f64, f64)| {
            vec![(*name).to_owned(), format!("{narrow:.1}"), format!("{wide:.1}"), format!("{:.2}", narrow / wide)]
        };
        table(&header, &counted.iter().map(row).collect::<Vec<_>>(), out)?;
        writeln!(out)?;
    }
    let missing =
        comparison.outcomes.iter().flat_map(|outcome| outcome.missing.iter().map(|why| format!("{}: {why}", outcome.name)));
    let missing: Vec<String> = missing.chain(comparison.left_out.iter().cloned()).collect();
    if !missing.is_empty() {
        writeln!(out, "### Not measured\n")?;
        missing.iter().try_for_each(|line| writeln!(out, "- {}", plain(line)))?;
        writeln!(out)?;
    }
    Ok(())
}

fn row(outcome: &Outcome, sides: usize) -> Vec<String> {
    let none = || "-".to_owned();
    let time = |side| outcome.median(side).map_or_else(none, duration);
    let ratio = |side: usize| outcome.ratios.get(side).copied().flatten();
    let mut row = vec![outcome.name.clone(), time(1), time(0), ratio(1).map_or_else(none, |ratio| interval(&ratio))];
    row.push(outcome.verdict.map_or(if ratio(1).is_some() { "only shown" } else { "not measured" }, word).to_owned());
    row.extend((2..sides).map(|side| ratio(side).map_or_else(none, |ratio| format!("{:.2}", ratio.median))));
    row
}

/// Writes a table; all columns but the first are numbers.
pub(crate) fn table(header: &[String], rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let line = |cells: &[String]| format!("| {} |", cells.iter().map(|cell| plain(cell)).collect::<Vec<_>>().join(" | "));
    writeln!(out, "{}", line(header))?;
    let rule: String = header.iter().enumerate().map(|(at, _)| if at == 0 { "---|" } else { "---:|" }).collect();
    writeln!(out, "|{rule}")?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
}

/// A text, of which nothing is markup.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => plain.push_str("&lt;"),
            '&' => plain.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => plain.extend(['\\', c]),
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::super::tests::comparison;

    #[test]
    fn nothing_of_a_name_is_markup() {
        let name = "a|b <img> `c` [d](e) *f* \n# g";
        let mut foreign = comparison(name, name);
        foreign.machine.cpu = name.to_owned();
        let mut out = Vec::new();
        super::write(&[foreign], &mut out).expect("memory takes it");
        let text = String::from_utf8(out).expect("it is text");
        let columns: Vec<usize> =
            text.lines().filter(|line| line.starts_with('|')).map(|line| line.replace("\\|", "").matches('|').count()).collect();
        assert!(columns.len() == 5 && columns.iter().all(|count| *count == 7), "{columns:?} in {text}");
        assert!(!text.contains("<img") && !text.contains(" `c`") && !text.lines().any(|line| line == "# g"), "{text}");
    }
}

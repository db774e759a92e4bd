//! A report of findings in source text for a person: the surest first, each with its line; the fix once for each rule.

use super::report::{Options, counted, more, not_checked, shown, style, targets, thousands};
use crate::wrap;
use anstyle::{AnsiColor, Style};
use findings::{Confidence, Finding, Report, Rule, Source};
use std::io::{self, Write};

/// How many findings of one rule are shown.
fn limit(confidence: Confidence) -> usize {
    match confidence {
        Confidence::Certain => 10,
        Confidence::Probable => 5,
        Confidence::Possible => 1,
    }
}

/// What is said of a confidence.
fn heading(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Certain => "certain: this breaks",
        Confidence::Probable => "probable: this breaks unless something unusual makes it right",
        Confidence::Possible => "possible: it depends on values; one of each kind is shown",
    }
}

/// Columns of a tab.
const TAB: &str = "    ";

/// Writes `report` as text; `rules` are all that were applied.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], options: Options, out: &mut dyn Write) -> io::Result<()> {
    targets(report, options, out)?;
    let bold = Style::new().bold();
    let findings: Vec<(&Finding, &Source)> =
        report.new_findings().filter_map(|finding| Some((finding, finding.source.as_ref()?))).collect();
    for confidence in Confidence::ALL {
        let of: Vec<_> = findings.iter().filter(|(_, source)| source.confidence == confidence).copied().collect();
        if of.is_empty() {
            continue;
        }
        writeln!(out, "{bold}{}{bold:#} ({})\n", heading(confidence), thousands(of.len()))?;
        for group in of.chunk_by(|a, b| a.0.rule == b.0.rule) {
            let limit = limit(confidence);
            for (finding, source) in shown(group, limit) {
                one(finding, source, options, out)?;
            }
            more(group.len(), limit, "", &format!("of {}", group[0].0.rule), out)?;
            advice(group[0].0, rules, options, out)?;
        }
    }
    not_checked(report, options, out)?;
    let files = findings.iter().map(|(finding, _)| finding.target.as_str()).collect::<std::collections::BTreeSet<_>>().len();
    match findings.first() {
        Some((first, _)) => {
            let count = |confidence| findings.iter().filter(|(_, source)| source.confidence == confidence).count();
            let counts =
                Confidence::ALL.map(|confidence| format!("{} {}", thousands(count(confidence)), confidence.name())).join(", ");
            writeln!(
                out,
                "{} in {}: {counts}; `biarch explain {}` says more",
                counted(findings.len(), "finding"),
                counted(files, "file"),
                first.rule
            )
        }
        None => writeln!(out, "nothing found"),
    }
}

/// A finding: where, what, the line with the place marked, and both sides.
fn one(finding: &Finding, source: &Source, options: Options, out: &mut dyn Write) -> io::Result<()> {
    let (bold, style, marked) =
        (Style::new().bold(), style(finding.severity), Style::new().fg_color(Some(AnsiColor::Green.into())));
    let place = format!("{}:{}:{}:", finding.target, source.line, source.column);
    let text = format!("{place} {} {}: {}", finding.severity.name(), finding.rule, finding.message);
    for (index, line) in wrap::lines(&text, options.width, options.width - 4).iter().enumerate() {
        match line.strip_prefix(place.as_str()).filter(|_| index == 0) {
            Some(rest) => match rest.strip_prefix(&format!(" {} {}", finding.severity.name(), finding.rule)) {
                Some(message) => {
                    writeln!(out, "{bold}{place}{bold:#} {style}{} {}{style:#}{message}", finding.severity.name(), finding.rule)?
                }
                None => writeln!(out, "{bold}{place}{bold:#}{rest}")?,
            },
            None => writeln!(out, "{}{line}", if index == 0 { "" } else { "    " })?,
        }
    }
    let (line, mark) = marking(source, options.width.saturating_sub(9));
    if !line.trim().is_empty() {
        writeln!(out, "{:6} | {line}", source.line)?;
        writeln!(out, "       | {marked}{mark}{marked:#}")?;
    }
    for (label, side) in [("32-bit", &source.narrow), ("64-bit", &source.wide)] {
        for (index, line) in wrap::lines(side, options.width - 17, options.width - 17).iter().enumerate() {
            writeln!(out, "{:6}   {}{line}", "", if index == 0 { format!("{label}: ") } else { " ".repeat(8) })?;
        }
    }
    writeln!(out)
}

/// The part of the line that has room, and the marks below it.
fn marking(source: &Source, room: usize) -> (String, String) {
    let byte = |column: u32| {
        let mut at = (column as usize).saturating_sub(1).min(source.text.len());
        while !source.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (byte(source.column), byte(source.end_column));
    let plain = |text: &str| text.replace('\t', TAB).replace(|c: char| c.is_control(), "?");
    let before = plain(&source.text[..start]);
    let marked = plain(&source.text[start..end.max(start)]);
    let after = plain(&source.text[end.max(start)..]);
    // Indentation, and what is far from the place, has to make room.
    let indent = before.len() - before.trim_start().len();
    let before = &before[indent..];
    let mut skipped = 0;
    let mut shown = before;
    while wrap::width(shown) + wrap::width(&marked).min(room / 2) + 4 > room && !shown.is_empty() {
        let first = shown.chars().next().map_or(1, char::len_utf8);
        shown = &shown[first..];
        skipped += 1;
    }
    let lead = if skipped > 0 { "…" } else { "" };
    let line = wrap::shortened(&format!("{lead}{shown}{marked}{after}"), room);
    let at = wrap::width(lead) + wrap::width(shown);
    let length = wrap::width(&marked).clamp(1, room.saturating_sub(at).max(1));
    (line, format!("{}{}", " ".repeat(at), "^".repeat(length)))
}

/// What to do, once for each rule.
fn advice(finding: &Finding, rules: &[&Rule], options: Options, out: &mut dyn Write) -> io::Result<()> {
    let Some(rule) = rules.iter().find(|rule| rule.id == finding.rule) else { return Ok(()) };
    if options.explain {
        super::explanation::write(rule, options.width, out)?;
    } else {
        super::explanation::prose(
            &format!("  fix {}  ", rule.id),
            &finding.fix,
            "            ",
            options.width.min(super::explanation::PROSE),
            out,
        )?;
    }
    writeln!(out)
}

//! Findings in source text as one HTML file that needs nothing else: all that the text has, with the lines around each place. What
//! is much is folded.

use super::{because, by_cause, elsewhere, heading, parts, places, summary};
use crate::writers::html::{Prose, Text, badge, begin, definitions, end, folded, section};
use crate::writers::report::{known, thousands};
use findings::{Confidence, Finding, Report, Rule, Severity, Source};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Causes of one rule that are not folded.
const SHOWN: usize = 20;

/// Writes `report`; `rules` are all that were applied. What is only possible is counted, but for `all`; with `explain` it has all
/// that the rules say about themselves.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], explain: bool, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<&Finding> = report.new_findings().collect();
    let (notes, faults): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(|finding| finding.severity == Severity::Note);
    begin("biarch port", &summary(report, &faults).replace('`', ""), STYLE, out)?;
    for text in [known(report), super::allowed(report)].into_iter().flatten() {
        writeln!(out, "<p>{}</p>", Text(&text))?;
    }
    definitions(report.targets.iter().map(|target| (&target.name, &target.description)), out)?;
    let mut anchors = BTreeSet::new();
    for confidence in Confidence::ALL {
        let of: Vec<&Finding> = faults.iter().filter(|finding| finding.confidence() == confidence).copied().collect();
        if of.is_empty() {
            continue;
        }
        writeln!(out, "<h2>{} ({})</h2>", heading(confidence), thousands(places(&of)))?;
        let is_counted = confidence == Confidence::Possible && !all;
        for group in of.chunk_by(|a, b| a.rule == b.rule) {
            rule(group, rules, explain, is_counted, &mut anchors, out)?;
        }
    }
    if !notes.is_empty() {
        writeln!(out, "<h2>Notes ({})</h2>", thousands(notes.len()))?;
        for group in notes.chunk_by(|a, b| a.rule == b.rule) {
            rule(group, rules, explain, false, &mut anchors, out)?;
        }
    }
    if !report.not_checked.is_empty() {
        writeln!(out, "<h2>Not analysed, because</h2>")?;
        definitions(report.not_checked.iter().map(|unchecked| (&unchecked.what, &unchecked.because)), out)?;
    }
    end(out)
}

/// The findings of one rule.
fn rule<'a>(
    findings: &[&'a Finding],
    rules: &[&Rule],
    explain: bool,
    is_counted: bool,
    anchors: &mut BTreeSet<&'a str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let rule = rules.iter().find(|rule| rule.id == first.rule);
    let anchor = if anchors.insert(first.rule) { format!(" id=\"{}\"", Text(first.rule)) } else { String::new() };
    let open = if is_counted { "" } else { " open" };
    write!(out, "<details class=\"rule\"{anchor}{open}>\n<summary>")?;
    badge(first.severity, out)?;
    let title = rule.map_or("", |rule| rule.documentation.title());
    writeln!(out, " {} <span>{}</span> ({})</summary>", Text(first.rule), Text(title), thousands(places(findings)))?;
    if is_counted {
        writeln!(out, "<p>{}</p>", Prose("Only counted here: `biarch port --all --html` shows them."))?;
    } else {
        writeln!(out, "<ul class=\"places\">")?;
        folded(&by_cause(findings), SHOWN, "li", &|group, out| cause(group, out), out)?;
        writeln!(out, "</ul>")?;
    }
    match rule.filter(|_| explain) {
        Some(rule) => rule
            .documentation
            .sections()
            .into_iter()
            .try_for_each(|heading| section(heading, &rule.documentation.section(heading), out))?,
        None => section("Fix", &first.fix, out)?,
    }
    writeln!(out, "</details>")
}

/// One cause: its first place, and where else it is.
fn cause(group: &[&Finding], out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = group.first() else { return Ok(()) };
    let Some(source) = &first.source else {
        return write!(out, "<span class=\"target\">{}</span> {}", Text(&first.target), Text(&first.message));
    };
    let place = format!("{}:{}:{}", first.target, source.line, source.column);
    writeln!(out, "<p><span class=\"target\">{}</span> {}</p>", Text(&place), Text(&first.message))?;
    lines(source, out)?;
    write!(out, "<table>")?;
    for (label, side) in [("32-bit", &source.narrow), ("64-bit", &source.wide)].into_iter().filter(|(_, side)| !side.is_empty()) {
        write!(out, "<tr><th>{label}</th><td>{}</td></tr>", Text(side))?;
    }
    write!(out, "</table>")?;
    if let Some(because) = because(group) {
        write!(out, "<p>{}</p>", Prose(&because))?;
    }
    let elsewhere = elsewhere(group, usize::MAX);
    if elsewhere.is_empty() { Ok(()) } else { write!(out, "<p>also {}</p>", Text(&elsewhere)) }
}

/// The line of a finding, with the place marked, between those around it.
fn lines(source: &Source, out: &mut dyn Write) -> io::Result<()> {
    if source.text.trim().is_empty() {
        return Ok(());
    }
    let plain = |text: &str| text.replace('\t', super::TAB).replace(|c: char| c.is_control() || super::is_turning(c), "?");
    let indent = |text: &str| text.len() - text.trim_start().len();
    let [before, at, after] = parts(source);
    let around: [Vec<String>; 2] = source.around.each_ref().map(|lines| lines.iter().map(|line| plain(line)).collect());
    let own = indent(&plain(&source.text));
    let all = around.iter().flatten().filter(|line| !line.trim().is_empty()).map(|line| indent(line));
    let least = all.min().unwrap_or(own).min(own);
    let [above, below] = around;
    write!(out, "<pre>")?;
    let first = source.line.saturating_sub(u32::try_from(above.len()).unwrap_or(u32::MAX));
    for (number, line) in (first..).zip(&above) {
        writeln!(out, "{number:5}  {}", Text(line.get(least..).unwrap_or_default()))?;
    }
    let gap = " ".repeat(own - least);
    writeln!(out, "<strong>{:5}</strong>  {gap}{}<mark>{}</mark>{}", source.line, Text(&before), Text(&at), Text(&after))?;
    for (number, line) in (source.line + 1..).zip(&below) {
        writeln!(out, "{number:5}  {}", Text(line.get(least..).unwrap_or_default()))?;
    }
    writeln!(out, "</pre>")
}

const STYLE: &str = "\
.places { padding: 0; list-style: none }
.places ul { padding: 0; list-style: none }
.places > li, .places details li { padding: .5rem 0; border-bottom: 1px solid var(--line) }
.places .target { font-weight: 600 }
mark { background: none; color: inherit; border-bottom: 2px solid var(--fails) }
th { text-align: left; font-weight: normal; color: var(--soft); padding-right: .75rem; vertical-align: top }
";

#[cfg(test)]
mod tests {
    use super::super::tests::{place, report};
    use crate::writers::html::tests::open;
    use crate::writers::report::tests::rule;
    use findings::{Confidence, Report};

    fn html(report: &Report, all: bool) -> String {
        let mut out = Vec::new();
        super::write(report, &[rule("K001"), rule("K002")].each_ref(), true, all, &mut out).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn the_line_is_there_with_its_place_and_nothing_of_it_is_markup() {
        let mut bad = place("a<b>.c", 3, "\tif (a < b && c > \"d\")", Confidence::Certain);
        if let Some(source) = &mut bad.source {
            (source.column, source.end_column) = (6, 11);
            source.around = [vec!["<script>".to_owned(), "\u{1b}[0m\u{202e}".to_owned()], vec!["\t\t</pre>".to_owned()]];
        }
        let html = html(&report(vec![bad]), false);
        assert!(
            html.contains("<strong>    3</strong>      if (<mark>a &lt; b</mark> &amp;&amp; c &gt; &quot;d&quot;)\n"),
            "{html}"
        );
        assert!(html.contains("    1  &lt;script&gt;\n") && html.contains("    4          &lt;/pre&gt;\n"), "{html}");
        for part in ["<script", "\u{1b}", "\u{202e}"] {
            assert!(!html.contains(part), "{part:?} in {html}");
        }
        assert_eq!(open(&html), Vec::<&str>::new());
    }

    #[test]
    fn what_is_only_possible_is_counted() {
        let many = || report((1..40).map(|line| place("a.c", line, "x", Confidence::Possible)).collect());
        assert!(html(&many(), false).contains("(39)</summary>\n<p>Only counted here"));
        assert!(!html(&many(), false).contains("<mark>"));
        assert_eq!(html(&many(), true).matches("<mark>").count(), 39);
        assert_eq!(open(&html(&many(), true)), Vec::<&str>::new());
    }
}

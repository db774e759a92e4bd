//! A report of findings in source text for a person: the surest first, by rule and by what is to blame, each with its line; the fix
//! once for each rule.

pub mod html;

use super::report::{Options, counted, known, not_checked, shown, style, targets, thousands};
use crate::wrap;
use anstyle::{AnsiColor, Style};
use findings::{Confidence, Finding, Report, Rule, Severity, Source, SuppressionKind};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How many causes of one rule are shown.
fn limit(confidence: Confidence) -> usize {
    match confidence {
        Confidence::Certain => 10,
        Confidence::Probable => 5,
        Confidence::Possible => 3,
    }
}

/// How many places of one cause are named.
const PLACES: usize = 8;

/// What is said of a confidence.
pub(super) fn heading(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Certain => "certain: this breaks",
        Confidence::Probable => "probable: this breaks unless something unusual makes it right",
        Confidence::Possible => "possible: it depends on values",
    }
}

/// Columns of a tab.
const TAB: &str = "    ";

/// Writes `report` as text; `rules` are all that were applied. What is only possible is counted, and much of one kind is left out,
/// but for `all`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], options: Options, all: bool, out: &mut dyn Write) -> io::Result<()> {
    targets(report, options, out)?;
    let bold = Style::new().bold();
    let findings: Vec<&Finding> = report.new_findings().collect();
    let (notes, faults): (Vec<&Finding>, _) = findings.iter().partition(|finding| finding.severity == Severity::Note);
    for confidence in Confidence::ALL {
        let of: Vec<&Finding> = faults.iter().filter(|finding| finding.confidence() == confidence).copied().collect();
        if of.is_empty() {
            continue;
        }
        let is_counted = confidence == Confidence::Possible && !all;
        let hint = if is_counted { "; --all shows them" } else { "" };
        writeln!(out, "{bold}{}{bold:#} ({}{hint})\n", heading(confidence), thousands(places(&of)))?;
        for of_rule in of.chunk_by(|a, b| a.rule == b.rule) {
            if is_counted {
                count(of_rule, rules, options, out)?;
            } else {
                rule(of_rule, if all { usize::MAX - 1 } else { limit(confidence) }, rules, options, out)?;
            }
        }
        if is_counted {
            writeln!(out)?;
        }
    }
    if !notes.is_empty() {
        writeln!(out, "{bold}notes{bold:#} ({})\n", thousands(notes.len()))?;
        for of_rule in notes.chunk_by(|a, b| a.rule == b.rule) {
            rule(of_rule, if all { usize::MAX - 1 } else { PLACES }, rules, options, out)?;
        }
    }
    not_checked(report, options, out)?;
    for text in [known(report), allowed(report), Some(summary(report, &faults))].into_iter().flatten() {
        wrap::lines(&text, options.width, options.width).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// How many findings somebody has allowed, if any.
pub(super) fn allowed(report: &Report) -> Option<String> {
    let of = |kind| {
        let source = report.findings.iter().filter_map(|finding| finding.source.as_ref()?.suppression.as_ref());
        source.filter(|suppression| suppression.kind == kind).count()
    };
    let (comments, files) = (of(SuppressionKind::InSource), of(SuppressionKind::External));
    let all = counted(comments + files, "finding");
    (comments + files > 0)
        .then(|| format!("{all} allowed: {} in comments, {} with --suppress", thousands(comments), thousands(files)))
}

/// What was found, in one line.
pub(super) fn summary(report: &Report, faults: &[&Finding]) -> String {
    let Some(first) = faults.first() else {
        return if report.absent.is_some() { "nothing new found".to_owned() } else { "nothing found".to_owned() };
    };
    let files = faults.iter().map(|finding| finding.target.as_str()).collect::<BTreeSet<_>>().len();
    let count = |confidence| {
        let of: Vec<&Finding> = faults.iter().filter(|finding| finding.confidence() == confidence).copied().collect();
        (!of.is_empty()).then(|| format!("{} {}", thousands(places(&of)), confidence.name()))
    };
    let counts: Vec<String> = Confidence::ALL.into_iter().filter_map(count).collect();
    let (all, files) = (counted(places(faults), "place"), counted(files, "file"));
    format!("{all} in {files}: {}; `biarch explain {}` says more", counts.join(", "), first.rule)
}

/// How many places these are about: each use of a macro is one.
pub(super) fn places(findings: &[&Finding]) -> usize {
    findings.iter().map(|finding| 1 + finding.source.as_ref().map_or(0, |source| source.uses.len())).sum()
}

/// The findings of one rule that have one cause, or are the same in one file; others are by themselves.
pub(super) fn by_cause<'a>(findings: &'a [&'a Finding]) -> Vec<&'a [&'a Finding]> {
    let is_one = |a: &Finding, b: &Finding| a.because().is_some() && a.because() == b.because() || a.folds_with(b);
    findings.chunk_by(|a, b| is_one(a, b)).collect()
}

/// What the findings of one cause have in common, where that is worth a word.
pub(super) fn because(group: &[&Finding]) -> Option<String> {
    let first = group.first()?;
    let because = first.because()?;
    let count = places(group);
    let here = because.place.file == first.target;
    let is_news = count > 1 || because.is_macro || !here;
    let text = format!("because of {} in {}:{}", because.what, because.place.file, because.place.line);
    is_news.then(|| if count > 1 { format!("{} places, {text}", thousands(count)) } else { text })
}

/// Where else the same is: `src/a.c:12, 14; src/b.c:3`.
pub(super) fn elsewhere(group: &[&Finding], limit: usize) -> String {
    let source = |finding: &Finding| finding.source.clone().map(|source| (finding.target.clone(), source));
    let own = group.iter().skip(1).filter_map(|finding| source(finding)).map(|(target, source)| (target, source.line));
    let uses = group.iter().filter_map(|finding| finding.source.as_ref()).flat_map(|source| &source.uses);
    let all: BTreeSet<(String, u32)> = own.chain(uses.map(|place| (place.file.clone(), place.line))).collect();
    let mut text = String::new();
    let mut last = "";
    for (file, line) in all.iter().take(limit) {
        let gap = if text.is_empty() {
            ""
        } else if file == last {
            ", "
        } else {
            "; "
        };
        text.push_str(&if file == last { format!("{gap}{line}") } else { format!("{gap}{file}:{line}") });
        last = file;
    }
    if all.len() > limit {
        text.push_str(&format!(" and {} more", thousands(all.len() - limit)));
    }
    text
}

/// How much there is of a rule.
fn count(findings: &[&Finding], rules: &[&Rule], options: Options, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let title = rules.iter().find(|rule| rule.id == first.rule).map_or("", |rule| rule.documentation.title());
    let head = format!("  {}  {:>6}  ", first.rule, thousands(places(findings)));
    let room = options.width.saturating_sub(head.len());
    for (index, line) in wrap::lines(title, room, room).iter().enumerate() {
        match index {
            0 => writeln!(out, "{head}{line}")?,
            _ => writeln!(out, "{:1$}{line}", "", head.len())?,
        }
    }
    Ok(())
}

/// The findings of one rule, by cause, those with the most places first.
fn rule(findings: &[&Finding], limit: usize, rules: &[&Rule], options: Options, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let groups = by_cause(findings);
    for group in shown(&groups, limit) {
        let Some(first) = group.first() else { continue };
        one(first, options, out)?;
        if let Some(because) = because(group) {
            labelled(&because, options, out)?;
        }
        let elsewhere = elsewhere(group, if limit > PLACES * 2 { usize::MAX } else { PLACES });
        if !elsewhere.is_empty() {
            labelled(&format!("also {elsewhere}"), options, out)?;
        }
        writeln!(out)?;
    }
    if groups.len() > limit.saturating_add(1) {
        let rest: usize = groups.iter().skip(limit).map(|group| places(group)).sum();
        writeln!(out, "and {} more of {}; --all shows them\n", thousands(rest), first.rule)?;
    }
    advice(first, rules, options, out)
}

fn labelled(text: &str, options: Options, out: &mut dyn Write) -> io::Result<()> {
    let room = options.width.saturating_sub(9).max(1);
    wrap::lines(text, room, room).iter().try_for_each(|line| writeln!(out, "{:9}{line}", ""))
}

/// A finding: where, what, the line with the place marked, and both sides.
fn one(finding: &Finding, options: Options, out: &mut dyn Write) -> io::Result<()> {
    let (bold, style, marked) =
        (Style::new().bold(), style(finding.severity), Style::new().fg_color(Some(AnsiColor::Green.into())));
    let source = finding.source.as_ref();
    let place =
        source.map_or_else(|| format!("{}:", finding.target), |at| format!("{}:{}:{}:", finding.target, at.line, at.column));
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
    let Some(source) = source else { return labelled(&finding.evidence, options, out) };
    let [before, at, after] = parts(source);
    let (line, mark) = marking([&before, &at, &after], options.width.saturating_sub(9));
    if !line.trim().is_empty() {
        writeln!(out, "{:6} | {line}", source.line)?;
        writeln!(out, "       | {marked}{mark}{marked:#}")?;
    }
    let room = options.width.saturating_sub(17);
    for (label, side) in [("32-bit", &source.narrow), ("64-bit", &source.wide)].into_iter().filter(|(_, side)| !side.is_empty()) {
        for (index, line) in wrap::lines(side, room, room).iter().enumerate() {
            writeln!(out, "{:9}{}{line}", "", if index == 0 { format!("{label}: ") } else { " ".repeat(8) })?;
        }
    }
    Ok(())
}

/// The line without its indentation: what is before the place, the place, and what is behind it, with blanks for tabs.
pub(super) fn parts(source: &Source) -> [String; 3] {
    let byte = |column: u32| {
        let mut at = (column as usize).saturating_sub(1).min(source.text.len());
        while !source.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (byte(source.column), byte(source.end_column));
    let plain = |text: &str| text.replace('\t', TAB).replace(|c: char| c.is_control() || is_turning(c), "?");
    let pieces = [0..start, start..end.max(start), end.max(start)..source.text.len()];
    let [before, at, after] = pieces.map(|piece| plain(source.text.get(piece).unwrap_or_default()));
    [before.trim_start().to_owned(), at, after.trim_end().to_owned()]
}

/// Whether a character changes the direction of the text: a line must look as the compiler reads it.
fn is_turning(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What of a line has room, and the marks below its place.
fn marking([before, at, after]: [&str; 3], room: usize) -> (String, String) {
    // At least the beginning of the place is shown, and what is before it as far as both have room.
    let needed = wrap::width(at).min(room / 2).max(1);
    let shown = wrap::ending(before, room.saturating_sub(needed + 2));
    let lead = if shown.len() < before.len() { "…" } else { "" };
    let column = wrap::width(lead) + wrap::width(shown);
    let line = wrap::beginning(&format!("{lead}{shown}{at}{after}"), room);
    let length = wrap::width(at).clamp(1, wrap::width(&line).saturating_sub(column).max(1));
    (line, format!("{}{}", " ".repeat(column), "^".repeat(length)))
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

#[cfg(test)]
pub(super) mod tests {
    use super::super::report::tests::rule;
    use crate::wrap;
    use crate::writers::report::Options;
    use findings::{Because, Confidence, Finding, Place, Report, Severity, Source, Suppression, SuppressionKind};

    pub(in crate::writers) fn place(file: &str, line: u32, text: &str, confidence: Confidence) -> Finding {
        let source = Source {
            line,
            column: 1,
            end_column: 2,
            text: text.to_owned(),
            around: Default::default(),
            confidence,
            narrow: "it fits".to_owned(),
            wide: "it does not".to_owned(),
            because: None,
            uses: Vec::new(),
            folds: false,
            suppression: None,
            edits: Vec::new(),
        };
        let finding = super::super::report::tests::finding("K001", Severity::Fails, file, "it is cut");
        Finding { source: Some(source), ..finding }
    }

    pub(in crate::writers) fn report(findings: Vec<Finding>) -> Report {
        let mut report = Report { findings, ..Report::default() };
        report.sort();
        findings::baseline::mark(&mut report, &[]);
        report
    }

    fn source(finding: &mut Finding) -> &mut Source {
        finding.source.as_mut().expect("it is in source text")
    }

    fn text(report: &Report, width: usize, all: bool) -> String {
        let mut out = Vec::new();
        let mut plain = anstream::StripStream::new(&mut out);
        let rules = [rule("K001"), rule("K002")];
        super::write(report, &rules.each_ref(), Options { width, explain: false }, all, &mut plain).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    fn because(file: &str, what: &str, is_macro: bool) -> Option<Because> {
        Some(Because { place: Place { file: file.to_owned(), line: 12 }, what: what.to_owned(), is_macro })
    }

    #[test]
    fn places_with_one_cause_are_one_group_and_the_largest_comes_first() {
        let mut findings = vec![place("a.c", 1, "alone();", Confidence::Certain)];
        for line in 2..32 {
            let mut finding = place("b.c", line, "key = x;", Confidence::Certain);
            source(&mut finding).because = because("x.h", "`int key`", false);
            findings.push(finding);
        }
        let text = text(&report(findings), 80, false);
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}"));
        let group = "30 places, because of `int key` in x.h:12\n         also b.c:3, 4, 5, 6, 7, 8, 9, 10 and 21 more\n";
        assert!(at("b.c:2:1: fails K001") < at(group) && at(group) < at("a.c:1:1: fails K001"), "{text}");
        assert!(at("certain: this breaks (31)") < at("b.c:2:1"), "{text}");
        assert!(text.ends_with("31 places in 2 files: 31 certain; `biarch explain K001` says more\n"), "{text}");
    }

    #[test]
    fn the_same_in_one_file_is_shown_once() {
        let of = |file: &str, line: u32, message: &str| {
            let mut finding = place(file, line, "fwrite();", Confidence::Probable);
            source(&mut finding).folds = true;
            finding.message = message.to_owned();
            finding
        };
        let mut findings: Vec<Finding> = (1..=12).map(|line| of("b.c", line, "a long is kept in a file")).collect();
        findings.extend([of("a.c", 3, "a long is kept in a file"), of("b.c", 5, "a time is kept in a file")]);
        let report = report(findings);
        let text = text(&report, 80, false);
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}"));
        let group = "         also b.c:2, 3, 4, 5, 6, 7, 8, 9 and 3 more\n";
        assert!(at("b.c:1:1: fails K001") < at(group) && at(group) < at("a.c:3:1: fails K001"), "{text}");
        assert!(at(group) < at("b.c:5:1: fails K001: a time") && !text.contains("b.c:2:1"), "{text}");
        assert!(text.ends_with("14 places in 2 files: 14 probable; `biarch explain K001` says more\n"), "{text}");
    }

    #[test]
    fn the_uses_of_a_macro_are_counted() {
        let mut finding = place("b.c", 2, "CUT(p);", Confidence::Probable);
        source(&mut finding).because = because("x.h", "macro `CUT`", true);
        source(&mut finding).uses = (3..52).map(|line| Place { file: "b.c".to_owned(), line }).collect();
        let text = text(&report(vec![finding]), 80, false);
        assert!(text.contains("50 places, because of macro `CUT` in x.h:12\n"), "{text}");
        assert!(text.contains("\n50 places in 1 file: 50 probable;"), "{text}");
    }

    #[test]
    fn what_is_only_possible_is_counted_and_what_is_allowed_is_not() {
        let mut allowed = place("a.c", 1, "x", Confidence::Certain);
        let suppression = Suppression { kind: SuppressionKind::InSource, reason: "why".to_owned() };
        source(&mut allowed).suppression = Some(suppression);
        let of = || report(vec![allowed.clone(), place("a.c", 2, "x", Confidence::Possible)]);
        let short = text(&of(), 80, false);
        assert!(short.contains("possible: it depends on values (1; --all shows them)\n\n  K001       1  The title\n"), "{short}");
        assert!(!short.contains("a.c:2:1") && !short.contains("certain"), "{short}");
        assert!(short.contains("1 finding allowed: 1 in comments, 0 with --suppress\n"), "{short}");
        assert!(text(&of(), 80, true).contains("a.c:2:1: fails K001"));
    }

    #[test]
    fn the_mark_is_below_the_place() {
        let marked = |text: &str, column: u32, end: u32, width: usize| {
            let mut finding = place("a.c", 7, text, Confidence::Certain);
            (source(&mut finding).column, source(&mut finding).end_column) = (column, end);
            let all = self::text(&report(vec![finding]), width, false);
            let mut lines = all.lines().skip_while(|line| !line.starts_with("     7 | ")).map(str::to_owned);
            (lines.next().unwrap_or_default(), lines.next().unwrap_or_default())
        };
        // Tabs, characters of two columns and of none, and those of more bytes than columns.
        for text in ["\t\tx = (int)p;", "日本\t(int)p;", "e\u{301}é (int)p;", "\u{202e}(int)p;"] {
            let place = "(int)p";
            let start = u32::try_from(text.find(place).expect("it is there") + 1).expect("it is short");
            let (line, marks) = marked(text, start, start + u32::try_from(place.len()).expect("it is short"), 80);
            let column = marks.find('^').expect("a mark");
            assert_eq!(wrap::width(&line[..line.find(place).expect("the place is shown")]), column, "{line}\n{marks}");
            assert_eq!(marks.matches('^').count(), place.len(), "{marks}");
        }
        // However long the line, and wherever the place is, it is shown.
        let long = format!("{}PLACE{}", "before ".repeat(2000), " after".repeat(2000));
        for width in [40, 80, 200] {
            let (line, marks) = marked(&long, 14001, 14006, width);
            let column = marks.find('^').expect("a mark");
            assert!(line.chars().skip(column).collect::<String>().starts_with("PLACE"), "{line}\n{marks}");
            assert!(wrap::width(&line) <= width && wrap::width(&marks) <= width, "{width}: {line}\n{marks}");
        }
        // A place that is no place any more.
        for (column, end) in [(0, 0), (5, 2), (1000, 2000), (u32::MAX, u32::MAX), (2, 3)] {
            marked("日本", column, end, 80);
        }
    }
}

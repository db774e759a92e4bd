//! A report of findings for a person: a line each, the worst first; then what was seen, why it matters and what to do, once for
//! each rule.

use super::explanation::{PROSE, prose};
use crate::wrap;
use anstyle::{AnsiColor, Style};
use findings::baseline::BaselineState;
use findings::{Finding, Report, Rule, Severity, Step};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// Things of one kind that are shown, where there are many: who has to know all of them reads JSON.
pub(super) const SHOWN: usize = 5;
/// Pieces of evidence that are shown with a rule.
const EVIDENCE: usize = 3;
/// How many names of a list are shown.
const NAMES: usize = 8;

/// How a report is to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns of a line.
    pub width: usize,
    /// All that a rule says about itself, instead of why and fix.
    pub explain: bool,
}

/// Writes `report` as text; `rules` are all that were applied.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], options: Options, out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<&Finding> = report.new_findings().collect();
    targets(report, options, out)?;
    one_line_each(report, &findings, options, out)?;
    for group in by_advice(&findings) {
        explained(&group, rules, options, out)?;
    }
    not_checked(report, options, out)?;
    let last = [known(report).unwrap_or_default(), summary(report, &findings)];
    for text in last.iter().filter(|text| !text.is_empty()) {
        wrap::lines(text, options.width, options.width).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// The colour of a severity.
pub(super) fn style(severity: Severity) -> Style {
    match severity {
        Severity::Fails => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        Severity::Slow => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
        Severity::Risk => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
        Severity::Note => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
    }
}

pub(super) fn targets(report: &Report, options: Options, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    for target in shown(&report.targets, 2 * SHOWN) {
        let lines = wrap::lines(&format!("{}: {}", target.name, target.description), options.width, options.width - 2);
        for (index, line) in lines.iter().enumerate() {
            // The name is bold, as far as it is in this line.
            match line.strip_prefix(target.name.as_str()).filter(|_| index == 0) {
                Some(rest) => writeln!(out, "{bold}{}{bold:#}{rest}", target.name)?,
                None => writeln!(out, "{}{line}", if index > 0 { "  " } else { "" })?,
            }
        }
    }
    more(report.targets.len(), 2 * SHOWN, "", "targets", out)?;
    if report.targets.is_empty() { Ok(()) } else { writeln!(out) }
}

fn one_line_each(report: &Report, findings: &[&Finding], options: Options, out: &mut dyn Write) -> io::Result<()> {
    let names = short_names(report, findings);
    let indent = " ".repeat(5 + 2 + 4 + 2);
    let room = options.width - indent.len();
    for group in findings.chunk_by(|a, b| (a.severity, a.rule) == (b.severity, b.rule)) {
        for finding in shown(group, SHOWN) {
            let style = style(finding.severity);
            let text = match names.get(finding.target.as_str()) {
                Some(name) => format!("{name}: {}", finding.message),
                None => finding.message.clone(),
            };
            for (index, line) in wrap::lines(&text, room, room).iter().enumerate() {
                match index {
                    0 => writeln!(out, "{style}{:5}{style:#}  {:4}  {line}", finding.severity.name(), finding.rule)?,
                    _ => writeln!(out, "{indent}{line}")?,
                }
            }
        }
        more(group.len(), SHOWN, &indent, "like this", out)?;
    }
    if findings.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What each target is called in a line: its last part, where no other has the same, for the whole name is above. Nothing, where
/// all is about one target.
pub(super) fn short_names<'a>(report: &'a Report, findings: &[&'a Finding]) -> HashMap<&'a str, &'a str> {
    let names = report.targets.iter().map(|target| &target.name).chain(findings.iter().map(|finding| &finding.target));
    let names: HashSet<&str> = names.map(String::as_str).collect();
    if names.len() < 2 {
        return HashMap::new();
    }
    let last = |name: &'a str| name.trim_end_matches('/').rsplit('/').next().filter(|last| !last.is_empty()).unwrap_or(name);
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *count.entry(last(name)).or_default() += 1;
    }
    let short = |name| if count.get(last(name)) == Some(&1) { last(name) } else { name };
    names.iter().map(|name| (*name, short(name))).collect()
}

/// The findings with the same advice together, in the order of the first of each.
pub(super) fn by_advice<'a>(findings: &[&'a Finding]) -> Vec<Vec<&'a Finding>> {
    let key = |finding: &'a Finding| (finding.rule, finding.cause.as_str(), finding.fix.as_str());
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| key(first) == key(finding))) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

fn explained(group: &[&Finding], rules: &[&Rule], options: Options, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = group.first() else { return Ok(()) };
    let bold = Style::new().bold();
    let rule = rules.iter().find(|rule| rule.id == first.rule);
    let title = rule.map_or("", |rule| rule.documentation.title());
    for (index, line) in wrap::lines(title, options.width - 6, options.width - 6).iter().enumerate() {
        writeln!(out, "{bold}{:4}  {line}{bold:#}", if index == 0 { first.rule } else { "" })?;
    }
    let mut known = HashSet::new();
    let evidence = group.iter().map(|finding| finding.evidence.as_str());
    let evidence: Vec<&str> = evidence.filter(|text| !text.is_empty() && known.insert(*text)).collect();
    for (index, text) in shown(&evidence, EVIDENCE).iter().enumerate() {
        labelled(if index == 0 { "seen" } else { "" }, text, options, out)?;
    }
    more(evidence.len(), EVIDENCE, LABEL, "like this", out)?;
    let whole = rule.filter(|_| options.explain);
    let own = |section: &str| whole.map(|rule| rule.documentation.section(section)).unwrap_or_default();
    for (label, text, section) in [("why", &first.cause, "Why"), ("fix", &first.fix, "Fix")] {
        if *text != own(section) {
            labelled(label, text, options, out)?;
        }
    }
    for section in whole.iter().flat_map(|rule| rule.documentation.sections()) {
        writeln!(out, "  {bold}{section}{bold:#}")?;
        prose("    ", &own(section), "    ", options.width, out)?;
    }
    writeln!(out)
}

pub(super) fn not_checked(report: &Report, options: Options, out: &mut dyn Write) -> io::Result<()> {
    if report.not_checked.is_empty() {
        return Ok(());
    }
    let bold = Style::new().bold();
    writeln!(out, "{bold}not checked, because{bold:#}")?;
    for unchecked in shown(&report.not_checked, 2 * SHOWN) {
        let text = format!("{}: {}", some(&unchecked.what), unchecked.because);
        for (index, line) in wrap::lines(&text, options.width - 2, options.width - 4).iter().enumerate() {
            writeln!(out, "{}{line}", if index == 0 { "  " } else { "    " })?;
        }
    }
    more(report.not_checked.len(), 2 * SHOWN, "  ", "", out)?;
    writeln!(out)
}

/// The first of a list of names; the other writers have all of them.
fn some(names: &str) -> String {
    let all: Vec<&str> = names.split(", ").collect();
    match all.get(NAMES..) {
        Some(rest) if rest.len() > 1 => {
            format!("{} and {} more", all.iter().take(NAMES).copied().collect::<Vec<_>>().join(", "), rest.len())
        }
        _ => names.to_owned(),
    }
}

fn summary(report: &Report, findings: &[&Finding]) -> String {
    match findings.first() {
        Some(worst) => format!("{}; `biarch explain {}` says more", counts(findings), worst.rule),
        // Where nothing was looked at, nothing was found is no news.
        None if report.targets.is_empty() => String::new(),
        None if report.absent.is_some() => "nothing new found".to_owned(),
        None => "nothing found".to_owned(),
    }
}

/// What has become of the findings of the baseline; nothing, where there is none.
pub(super) fn known(report: &Report) -> Option<String> {
    let absent = report.absent.as_ref()?.len();
    let is_known = |finding: &&Finding| finding.baseline_state == Some(BaselineState::Unchanged);
    let known = report.findings.iter().filter(is_known).count();
    Some(format!("{} of the baseline left out, {} of it gone", counted(known, "finding"), thousands(absent)))
}

/// How many there are of each severity, the worst first.
pub(super) fn counts(findings: &[&Finding]) -> String {
    let of = |level| findings.iter().filter(|finding| finding.severity == level).count();
    let counts = Severity::ALL.iter().map(|level| (of(*level), level.name())).filter(|(count, _)| *count > 0);
    counts.map(|(count, name)| format!("{} {name}", thousands(count))).collect::<Vec<_>>().join(", ")
}

/// "1 finding", "2,000 findings"
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// A number with a comma before each three digits.
pub(crate) fn thousands(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What is shown of `all`: `limit`, or one more, for a line that says "and 1 more" is no shorter than the one.
pub(super) fn shown<T>(all: &[T], limit: usize) -> &[T] {
    all.get(..limit).filter(|_| all.len() > limit + 1).unwrap_or(all)
}

/// Says how many of `total` were not shown.
pub(super) fn more(total: usize, limit: usize, indent: &str, what: &str, out: &mut dyn Write) -> io::Result<()> {
    if total <= limit + 1 {
        return Ok(());
    }
    let what = if what.is_empty() { String::new() } else { format!(" {what}") };
    writeln!(out, "{indent}and {} more{what}; --json has them all", thousands(total - limit))
}

/// What is below a label.
const LABEL: &str = "        ";

fn labelled(label: &str, text: &str, options: Options, out: &mut dyn Write) -> io::Result<()> {
    prose(&format!("  {label:<4}  "), text, LABEL, options.width.min(PROSE), out)
}

/// Writes the patches of `report`, each once: what `--fix` shows.
///
/// # Errors
/// Whatever `out` returns.
pub fn patches(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    for (patch, rules) in report.patches() {
        let place =
            if patch.directory.as_os_str().is_empty() { String::new() } else { format!(" in {}", patch.directory.display()) };
        writeln!(out, "\n{bold}{}{bold:#}: {}{place}", rules.join(", "), patch.name)?;
        for step in &patch.steps {
            match step {
                Step::Create { path, contents } => verbatim(&format!("create {path}:"), contents, out)?,
                Step::Append { path, contents } => verbatim(&format!("add to {path}:"), &patch.block(contents), out)?,
                Step::Fragment { contents } => verbatim("add to the kernel's configuration:", contents, out)?,
                Step::Run { command } => verbatim("run:", command, out)?,
                Step::BootArgument { argument } => verbatim("add to the kernel's command line:", argument, out)?,
            }
        }
    }
    Ok(())
}

fn verbatim(heading: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {heading}")?;
    for line in text.lines() {
        writeln!(out, "{}", format!("    {line}").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::Options;
    use crate::wrap;
    use findings::baseline::Baseline;
    use findings::{Documentation, Finding, Guest, Report, Rule, Severity, Target, Unchecked, baseline};

    pub(in crate::writers) fn finding(rule: &'static str, severity: Severity, target: &str, message: &str) -> Finding {
        Finding {
            rule,
            fingerprint: String::new(),
            baseline_state: None,
            severity,
            target: target.to_owned(),
            message: message.to_owned(),
            evidence: "seen there".to_owned(),
            cause: "because".to_owned(),
            fix: "do this\n\n    make\n".to_owned(),
            patch: None,
            source: None,
        }
    }

    pub(in crate::writers) fn rule(id: &'static str) -> Rule {
        let source = "//! The title\n//!\n//! # What\n//! It\n//!\n//! # Why\n//! because\n//!\n//! # Fix\n//! do that\n//!\n\
                      //! # References\n//! - man 7 it\n";
        Rule { id, severity: Severity::Slow, guests: &Guest::ALL, documentation: Documentation { source } }
    }

    pub(in crate::writers) fn report(findings: Vec<Finding>) -> Report {
        let target = Target { name: "t".to_owned(), description: "a thing".to_owned() };
        let unchecked = Unchecked { what: "c".to_owned(), because: "it is gone".to_owned() };
        let mut report = Report { targets: vec![target], findings, not_checked: vec![unchecked], absent: None };
        report.sort();
        baseline::mark(&mut report, &["t".to_owned()]);
        report
    }

    fn text(report: &Report, width: usize, explain: bool) -> String {
        let rules = [rule("K001"), rule("K002")];
        let mut out = Vec::new();
        let mut plain = anstream::StripStream::new(&mut out);
        super::write(report, &rules.each_ref(), Options { width, explain }, &mut plain).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn the_worst_comes_first_and_what_is_not_checked_last() {
        let two = report(vec![
            finding("K002", Severity::Note, "a", "it is wrong"),
            finding("K001", Severity::Fails, "b", "it is wrong"),
        ]);
        let text = text(&two, 80, false);
        let wanted = "t: a thing\n\nfails  K001  b: it is wrong\nnote   K002  a: it is wrong\n\nK001  The title\n  seen  seen there\n  \
                      why   because\n  fix   do this\n            make\n\nK002  The title\n";
        assert!(text.starts_with(wanted), "{text}");
        assert!(
            text.ends_with("not checked, because\n  c: it is gone\n\n1 fails, 1 note; `biarch explain K001` says more\n"),
            "{text}"
        );
    }

    #[test]
    fn thousands_of_one_kind_are_a_few_lines() {
        let many = (0..5000).map(|n| Finding {
            evidence: format!("evidence {n}"),
            ..finding("K001", Severity::Fails, "t", &format!("lib{n}.so is missing"))
        });
        let text = text(&report(many.collect()), 80, false);
        assert!(text.lines().count() < 30, "{text}");
        for part in ["and 4,995 more like this; --json has them all\n", "and 4,997 more", "\n5,000 fails; "] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
        // One more than the limit is shown, for it takes no more room than to say so.
        let six = (0..6).map(|n| finding("K001", Severity::Fails, "t", &n.to_string())).collect();
        assert!(!self::text(&report(six), 80, false).contains("more like this"));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let long = "/usr/lib/i386-linux-gnu/日本語のディレクトリ/".repeat(4);
        let mut one = finding("K001", Severity::Fails, &long, &format!("{long} is missing, and e\u{301} too"));
        one.evidence = format!("{long}, {long}");
        one.fix = "do it ".repeat(40);
        let report = report(vec![one, finding("K002", Severity::Note, "t", "wrong")]);
        for width in [40, 41, 60, 80, 133] {
            let text = text(&report, width, true);
            let wide: Vec<&str> = text.lines().filter(|line| wrap::width(line) > width && !line.trim().eq("make")).collect();
            assert!(wide.is_empty(), "{width}: {wide:?}");
        }
    }

    #[test]
    fn the_whole_explanation_takes_the_place_of_what_it_repeats() {
        let text = text(&report(vec![finding("K001", Severity::Slow, "t", "wrong")]), 80, true);
        assert!(!text.contains("  why   because"), "{text}");
        // This finding's fix is not the rule's own: both are said.
        for part in ["  fix   do this\n", "  What\n    It\n", "  Why\n    because\n", "  Fix\n    do that\n", "    - man 7 it\n"]
        {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
    }

    #[test]
    fn what_the_baseline_has_is_one_line() {
        let old = report(vec![finding("K001", Severity::Slow, "t", "old"), finding("K001", Severity::Slow, "t", "gone")]);
        let mut json = Vec::new();
        super::super::json::report(&old, "check", None, &mut json).expect("memory takes it");
        let mut new = report(vec![finding("K001", Severity::Slow, "t", "old"), finding("K002", Severity::Note, "t", "new")]);
        Baseline::parse(&json).expect("a report is a baseline").compare(&mut new);
        let text = text(&new, 80, false);
        assert!(!text.contains("old"), "{text}");
        assert!(text.contains("note   K002  new\n"), "{text}");
        assert!(
            text.ends_with("1 finding of the baseline left out, 1 of it gone\n1 note; `biarch explain K002` says more\n"),
            "{text}"
        );
    }
}

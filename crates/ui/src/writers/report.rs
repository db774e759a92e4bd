//! A report of findings: as text, a line each and then cause and fix; and as JSON.

use super::Format;
use anstyle::{AnsiColor, Style};
use findings::{Report, Severity, Step};
use serde::Serialize;
use std::io::{self, Write};

/// Changes when something goes away or changes its meaning; what is new does not change it.
const SCHEMA_VERSION: u32 = 1;

/// Columns of a text report.
const WIDTH: usize = 100;

/// Writes `report` in `format`. `command` is the name of the one that made it.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, command: &'static str, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text(report, out),
        Format::Json => json(report, command, out),
    }
}

fn json(report: &Report, command: &'static str, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a> {
        schema_version: u32,
        command: &'static str,
        #[serde(flatten)]
        report: &'a Report,
    }
    serde_json::to_writer_pretty(&mut *out, &Document { schema_version: SCHEMA_VERSION, command, report })?;
    writeln!(out)
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Fails => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        Severity::Slow => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
        Severity::Risk => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
        Severity::Note => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
    }
}

fn text(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    for target in &report.targets {
        writeln!(out, "{bold}{}{bold:#}: {}", target.name, target.description)?;
    }
    writeln!(out)?;
    for finding in &report.findings {
        let style = style(finding.severity);
        writeln!(
            out,
            "{style}{:5}{style:#}  {}  {}: {}",
            finding.severity.name(),
            finding.rule,
            finding.target,
            finding.message
        )?;
    }
    if !report.findings.is_empty() {
        writeln!(out)?;
    }
    // Cause and fix once per rule: ten files with the same fault are one thing to understand.
    let mut explained: Vec<(&str, &str)> = Vec::new();
    for finding in &report.findings {
        let key = (finding.rule, finding.fix.as_str());
        if explained.contains(&key) {
            continue;
        }
        explained.push(key);
        writeln!(out, "{bold}{}{bold:#}", finding.rule)?;
        let same = report.findings.iter().filter(|other| (other.rule, other.fix.as_str()) == key);
        let mut evidence: Vec<&str> = same.map(|finding| finding.evidence.as_str()).filter(|text| !text.is_empty()).collect();
        evidence.dedup();
        for (index, text) in evidence.iter().take(3).enumerate() {
            labelled(if index == 0 { "seen" } else { "" }, text, out)?;
        }
        if evidence.len() > 3 {
            labelled("", &format!("and {} more; --json has them", evidence.len() - 3), out)?;
        }
        labelled("why", &finding.cause, out)?;
        labelled("fix", &finding.fix, out)?;
        writeln!(out)?;
    }
    if !report.not_checked.is_empty() {
        writeln!(out, "{bold}not checked, because{bold:#}")?;
        for unchecked in &report.not_checked {
            wrapped("  ", &format!("{}: {}", unchecked.what, unchecked.because), "    ", out)?;
        }
        writeln!(out)?;
    }
    let counts: Vec<String> = Severity::ALL
        .iter()
        .map(|level| (level, report.findings.iter().filter(|finding| finding.severity == *level).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(level, count)| format!("{count} {}", level.name()))
        .collect();
    match report.findings.len() {
        0 if report.targets.is_empty() => Ok(()),
        0 => writeln!(out, "nothing found"),
        _ => writeln!(out, "{}; `biarch explain {}` says more", counts.join(", "), report.findings[0].rule),
    }
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

fn labelled(label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    wrapped(&format!("  {label:<4}  "), text, "        ", out)
}

/// Writes `text` in lines of [`WIDTH`]. A line that begins with a blank is left as it is: it is something to type or to copy.
pub(super) fn wrapped(first: &str, text: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut prefix = first;
    for paragraph in paragraphs(text) {
        if paragraph.starts_with(' ') {
            writeln!(out, "{prefix}{paragraph}")?;
            prefix = indent;
            continue;
        }
        let mut line = String::new();
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if !line.is_empty() && prefix.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
                writeln!(out, "{prefix}{line}")?;
                prefix = indent;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        writeln!(out, "{prefix}{line}")?;
        prefix = indent;
    }
    Ok(())
}

/// Joins the lines of each paragraph; empty lines end one, and indented lines stay as they are.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if line.trim().is_empty() {
            open = false;
        } else if line.starts_with(' ') {
            paragraphs.push(line.to_owned());
            open = false;
        } else if let Some(last) = paragraphs.last_mut().filter(|_| open && !line.starts_with("- ")) {
            last.push(' ');
            last.push_str(line);
        } else {
            paragraphs.push(line.to_owned());
            open = true;
        }
    }
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::{Format, paragraphs};
    use findings::{Finding, Report, Severity, Unchecked};

    fn report() -> Report {
        let finding = |rule, severity, target: &str| Finding {
            rule,
            severity,
            target: target.to_owned(),
            message: "it is wrong".to_owned(),
            evidence: "seen there".to_owned(),
            cause: "because".to_owned(),
            fix: "do this\n\n    make\n".to_owned(),
            patch: None,
        };
        let mut report = Report {
            findings: vec![finding("K002", Severity::Note, "a"), finding("K001", Severity::Fails, "b")],
            not_checked: vec![Unchecked { what: "c".to_owned(), because: "it is gone".to_owned() }],
            ..Report::default()
        };
        report.sort();
        report
    }

    #[test]
    fn the_worst_comes_first_and_what_is_not_checked_last() {
        let mut out = Vec::new();
        super::write(&report(), "check", Format::Text, &mut anstream::StripStream::new(&mut out)).expect("memory takes it");
        let text = String::from_utf8(out).expect("it is text");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}"));
        assert!(at("fails  K001  b: it is wrong") < at("note   K002  a: it is wrong"), "{text}");
        assert!(at("        \u{20}   make") < at("not checked, because"), "{text}");
        assert!(text.ends_with("1 fails, 1 note; `biarch explain K001` says more\n"), "{text}");
    }

    #[test]
    fn json_has_all_of_it() {
        let mut out = Vec::new();
        super::write(&report(), "check", Format::Json, &mut out).expect("memory takes it");
        let read: serde_json::Value = serde_json::from_slice(&out).expect("it is JSON");
        assert_eq!(read["schema_version"], 1);
        assert_eq!(read["findings"][0]["severity"], "fails");
        assert_eq!(read["not_checked"][0]["because"], "it is gone");
    }

    #[test]
    fn what_is_to_be_typed_stays_a_line() {
        assert_eq!(
            paragraphs("one\ntwo\n\n    make\n    make install\nthree"),
            ["one two", "    make", "    make install", "three"]
        );
    }
}

//! What was found before: an earlier report is a baseline, and only what it does not have counts.
//!
//! A finding is known by its fingerprint: its rule, the place in the target, and the message, but for the number of files. Where
//! the target is, the evidence, the explanation and the order do not count, so that another mount point, another line or a new
//! text about an old rule is not a new finding. One in source text has the text of its line as well, without the blanks, or the
//! name of the macro that has made it, so that it is known after it has been moved. It is readable on purpose: a baseline is
//! compared and edited by people.

use crate::{Absent, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the reports that can be a baseline.
const SCHEMA_VERSION: u64 = 1;

/// A finding compared with the baseline; the names are those of SARIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BaselineState {
    /// The baseline does not have it.
    New,
    /// The baseline has it.
    Unchanged,
}

impl BaselineState {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Why a text is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is no report.
    #[error("it is not a report of --json")]
    Json(#[from] serde_json::Error),
    /// It is one of another version.
    #[error("it is a report of schema version {0}, and this biarch reads version {SCHEMA_VERSION}; write it again")]
    Version(u64),
}

/// The findings of an earlier report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    findings: Vec<Absent>,
}

impl Baseline {
    /// Reads what `--json` has written.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Version {
            schema_version: u64,
        }
        #[derive(Deserialize)]
        struct Findings {
            findings: Vec<Absent>,
        }
        let Version { schema_version } = serde_json::from_slice(text)?;
        if schema_version != SCHEMA_VERSION {
            return Err(Error::Version(schema_version));
        }
        let Findings { findings } = serde_json::from_slice(text)?;
        Ok(Self { findings })
    }

    /// Says of each finding whether it is known, and which of the known ones are gone.
    pub fn compare(self, report: &mut Report) {
        // Two kernels with the same fault have the same fingerprint: each known one makes up for one that is found.
        let mut known: BTreeMap<String, Vec<Absent>> = BTreeMap::new();
        for finding in self.findings {
            known.entry(finding.fingerprint.clone()).or_default().push(finding);
        }
        for finding in &mut report.findings {
            let was_there = known.get_mut(&finding.fingerprint).and_then(Vec::pop);
            let no_more = |old: &Absent| counted(&finding.message).0 <= counted(&old.message).0;
            let is_known = was_there.as_ref().is_some_and(no_more);
            finding.baseline_state = Some(if is_known { BaselineState::Unchanged } else { BaselineState::New });
        }
        let mut absent: Vec<Absent> = known.into_values().flatten().collect();
        absent.sort();
        report.absent = Some(absent);
    }
}

/// Gives every finding its fingerprint. `given` are the targets as they were given: where they are does not count.
pub fn mark(report: &mut Report, given: &[String]) {
    let mut names: Vec<&str> = given.iter().map(|name| name.trim_end_matches('/')).filter(|name| !name.is_empty()).collect();
    // The longest first: a target may be inside another.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for finding in &mut report.findings {
        let by_macro = finding.because().filter(|because| because.is_macro);
        let place = by_macro.map_or(finding.target.as_str(), |because| because.place.file.as_str());
        let (rule, place, message) = (finding.rule, without(place, &names), without(&finding.message, &names));
        let place = place.trim_start_matches(['/', ':']);
        let message = counted(&message).1;
        let mut fingerprint = if place.is_empty() { format!("{rule} {message}") } else { format!("{rule} {place}: {message}") };
        if let Some(source) = &finding.source {
            let text = by_macro.map_or(source.text.as_str(), |because| because.what.as_str());
            fingerprint.push_str(" | ");
            fingerprint.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        finding.fingerprint = fingerprint;
    }
}

/// The number of files that a message begins with, and the message without it: fewer of them are no new finding, more are.
fn counted(message: &str) -> (Option<u64>, &str) {
    let split = || {
        let (number, text) = message.split_once(' ')?;
        let rest = text.strip_prefix("files ").or_else(|| text.strip_prefix("file "))?;
        Some((Some(number.parse().ok()?), rest))
    };
    split().unwrap_or((None, message))
}

/// `text` without the names of targets that are whole in it, or the beginning of a path.
fn without(text: &str, names: &[&str]) -> String {
    let mut text = text.to_owned();
    for name in names {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(name)).map(|at| at + from) {
            let end = at + name.len();
            let part = |c: char| !matches!(c, ' ' | ',' | ';' | ':' | '"' | '(' | ')');
            let before = text.get(..at).and_then(|text| text.chars().next_back()).is_some_and(part);
            let after = text.get(end..).and_then(|text| text.chars().next()).is_some_and(|c| c != '/' && part(c));
            if before || after {
                from = end;
            } else {
                text.replace_range(at..end, "");
                from = at;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Baseline, BaselineState, Error, mark};
    use crate::{Finding, Report, Severity};

    fn finding(target: &str, message: &str) -> Finding {
        Finding {
            rule: "K001",
            fingerprint: String::new(),
            baseline_state: None,
            severity: Severity::Fails,
            target: target.to_owned(),
            message: message.to_owned(),
            evidence: String::new(),
            cause: String::new(),
            fix: String::new(),
            patch: None,
            source: None,
        }
    }

    fn report(messages: &[&str], target: &str) -> Report {
        let findings = messages.iter().map(|message| finding(target, message)).collect();
        let mut report = Report { findings, ..Report::default() };
        mark(&mut report, &[target.to_owned()]);
        report
    }

    fn baseline(report: &Report) -> Baseline {
        let mut value = serde_json::to_value(report).expect("a report is JSON");
        value["schema_version"] = 1.into();
        Baseline::parse(value.to_string().as_bytes()).expect("it is a baseline")
    }

    #[test]
    fn what_is_known_does_not_count_and_what_is_gone_is_named() {
        let old = baseline(&report(&["a", "b", "b", "gone"], "/mnt/one"));
        let mut new = report(&["b", "new", "a", "b", "b"], "elsewhere/two");
        old.compare(&mut new);
        let states: Vec<_> = new.findings.iter().map(|finding| finding.baseline_state).collect();
        let (known, added) = (Some(BaselineState::Unchanged), Some(BaselineState::New));
        assert_eq!(states, [known, added, known, known, added], "the third b is new");
        let absent = new.absent.clone().expect("there was a baseline");
        assert_eq!(absent.iter().map(|gone| gone.message.as_str()).collect::<Vec<_>>(), ["gone"]);
        assert_eq!((new.new_findings().count(), new.exit_status(Severity::Fails)), (2, 1));
    }

    #[test]
    fn fewer_files_are_known_and_more_are_new() {
        for (old, new, state) in [
            ("12 files with a path", "12 files with a path", BaselineState::Unchanged),
            ("12 files with a path", "1 file with a path", BaselineState::Unchanged),
            ("12 files with a path", "13 files with a path", BaselineState::New),
            ("12 files with a path", "12 files with another", BaselineState::New),
            ("9 lives", "8 lives", BaselineState::New),
        ] {
            let mut report = self::report(&[new], "x");
            baseline(&self::report(&[old], "x")).compare(&mut report);
            assert_eq!(report.findings[0].baseline_state, Some(state), "{old}, {new}");
        }
    }

    #[test]
    fn a_report_is_its_own_baseline() {
        let mut same = report(&["a", "b"], "x");
        baseline(&same.clone()).compare(&mut same);
        assert_eq!((same.exit_status(Severity::Note), same.absent.clone()), (0, Some(Vec::new())));
        // A report with a baseline is one as well, and does not forget.
        let mut again = report(&["a", "b"], "y");
        baseline(&same).compare(&mut again);
        assert_eq!(again.exit_status(Severity::Note), 0);
    }

    #[test]
    fn where_the_target_is_does_not_count() {
        let of = |target: &str, message: &str, given: &[&str]| {
            let mut report = Report { findings: vec![finding(target, message)], ..Report::default() };
            mark(&mut report, &given.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
            report.findings.remove(0).fingerprint
        };
        assert_eq!(of("/mnt/a", "libm is missing", &["/mnt/a"]), "K001 libm is missing");
        assert_eq!(of("/mnt/a/boot/vmlinuz", "wrong", &["/mnt/a/"]), "K001 boot/vmlinuz: wrong");
        assert_eq!(of("disk.img:/boot/vmlinuz", "wrong", &["disk.img"]), "K001 boot/vmlinuz: wrong");
        assert_eq!(of("r", "2 files do not start on r/boot/k, for r", &["r"]), "K001 do not start on /boot/k, for ");
        assert_eq!(of("/a/b", "on /a", &["/a", "/a/b"]), "K001 on ");
        assert_eq!(of("e", "the message", &["e"]), "K001 the message");
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for text in ["", "{", "[]", "{}", "{\"schema_version\":1}", "{\"schema_version\":1,\"findings\":[{}]}", "\u{0}"] {
            assert!(matches!(Baseline::parse(text.as_bytes()), Err(Error::Json(_))), "{text:?}");
        }
        assert!(matches!(Baseline::parse(b"{\"schema_version\":9}"), Err(Error::Version(9))));
    }
}

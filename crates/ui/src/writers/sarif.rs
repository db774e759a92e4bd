//! SARIF 2.1.0, which code hosts and editors show beside the files.

use findings::{Patch, Report, Rule, Severity, Step};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes `report`; `rules` are all that were applied.
///
/// # Errors
/// Whatever `out` returns.
pub fn write<'a>(report: &Report, rules: impl Iterator<Item = &'a Rule>, out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<&Rule> = rules.collect();
    let described: Vec<Value> = rules.iter().map(|rule| description(rule)).collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let mut result = json!({
                "ruleId": finding.rule,
                "ruleIndex": rules.iter().position(|rule| rule.id == finding.rule),
                "level": level(finding.severity),
                "message": {"text": format!("{}\n{}\n{}", finding.message, finding.evidence, finding.fix)},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(&finding.target)}}}],
            });
            if let Some(changes) = finding.patch.as_ref().and_then(changes) {
                result["fixes"] = json!([{"description": {"text": finding.fix}, "artifactChanges": changes}]);
            }
            result
        })
        .collect();
    let notifications: Vec<Value> = report
        .not_checked
        .iter()
        .map(|unchecked| {
            json!({"level": "warning", "message": {"text": format!("{} was not checked: {}", unchecked.what, unchecked.because)}})
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "biarch", "version": env!("CARGO_PKG_VERSION"), "rules": described}},
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// The files of a patch, if all of them are new: where a file ends, to which lines are added, is not known here, and half a
/// repair is none.
fn changes(patch: &Patch) -> Option<Vec<Value>> {
    let mut changes = Vec::new();
    for step in &patch.steps {
        match step {
            Step::Create { path, contents } => changes.push(json!({
                "artifactLocation": {"uri": uri(&patch.directory.join(path).to_string_lossy())},
                "replacements": [{"deletedRegion": {"charOffset": 0, "charLength": 0}, "insertedContent": {"text": contents}}],
            })),
            Step::Append { .. } => return None,
            Step::Fragment { .. } | Step::Run { .. } | Step::BootArgument { .. } => {}
        }
    }
    (!changes.is_empty()).then_some(changes)
}

fn description(rule: &Rule) -> Value {
    let documentation = rule.documentation;
    let help: Vec<String> =
        documentation.sections().iter().map(|name| format!("{name}\n\n{}", documentation.section(name))).collect();
    json!({
        "id": rule.id,
        "shortDescription": {"text": documentation.title()},
        "fullDescription": {"text": documentation.section("What")},
        "help": {"text": help.join("\n\n")},
        "defaultConfiguration": {"level": level(rule.severity)},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Fails => "error",
        Severity::Slow | Severity::Risk => "warning",
        Severity::Note => "note",
    }
}

/// A path as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/+".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use findings::{Documentation, Finding, Patch, Report, Rule, Severity, Step, Unchecked};
    use serde_json::Value;

    #[test]
    fn a_finding_points_to_its_rule() {
        let rule =
            |id| Rule { id, severity: Severity::Slow, documentation: Documentation { source: "//! Title\n//! # What\n//! It" } };
        let report = Report {
            findings: vec![Finding {
                rule: "K002",
                severity: Severity::Fails,
                target: "a b/c".to_owned(),
                message: "wrong".to_owned(),
                evidence: String::new(),
                cause: String::new(),
                fix: String::new(),
                patch: Some(Patch {
                    name: "example",
                    directory: "/tree".into(),
                    steps: vec![Step::Create { path: "a/new".to_owned(), contents: "x\n".to_owned() }],
                }),
            }],
            not_checked: vec![Unchecked { what: "d".to_owned(), because: "gone".to_owned() }],
            ..Report::default()
        };
        let mut out = Vec::new();
        super::write(&report, [rule("K001"), rule("K002")].iter(), &mut out).expect("memory takes it");
        let read: Value = serde_json::from_slice(&out).expect("it is JSON");
        let run = &read["runs"][0];
        assert_eq!((&run["results"][0]["ruleIndex"], &run["results"][0]["level"]), (&1.into(), &"error".into()));
        let location = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(location, "a%20b/c");
        let change = &run["results"][0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "/tree/a/new");
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "x\n");
        assert_eq!(run["tool"]["driver"]["rules"][1]["fullDescription"]["text"], "It");
        assert!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().is_some());
    }
}

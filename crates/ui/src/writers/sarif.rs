//! SARIF 2.1.0, which code hosts and editors show beside the files.

use findings::{Report, Rule, Severity};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes `report`; `rules` are all that were applied.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], out: &mut dyn Write) -> io::Result<()> {
    let described: Vec<Value> = rules.iter().map(|rule| description(rule)).collect();
    let mut results = Vec::new();
    for finding in &report.findings {
        let message = [&finding.message, &finding.evidence, &finding.fix].map(String::as_str);
        let message = message.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
        let mut result = result(rules, finding.rule, &finding.fingerprint, &finding.target, &message);
        result["level"] = level(finding.severity).into();
        if let Some(state) = finding.baseline_state {
            result["baselineState"] = state.name().into();
        }
        results.push(result);
    }
    for absent in report.absent.iter().flatten() {
        let mut result = result(rules, &absent.rule, &absent.fingerprint, &absent.target, &absent.message);
        result["baselineState"] = "absent".into();
        results.push(result);
    }
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

fn result(rules: &[&Rule], id: &str, fingerprint: &str, target: &str, message: &str) -> Value {
    let mut result = json!({
        "ruleId": id,
        "message": {"text": message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(target)}}}],
        "partialFingerprints": {"biarch/v1": fingerprint},
    });
    // A baseline may be older than this program, and have a rule that is gone.
    if let Some(index) = rules.iter().position(|rule| rule.id == id) {
        result["ruleIndex"] = index.into();
    }
    result
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
    use super::super::report::tests::{finding, report, rule};
    use findings::baseline::BaselineState;
    use findings::{Absent, Severity};
    use serde_json::Value;

    #[test]
    fn a_finding_points_to_its_rule() {
        let mut report = report(vec![finding("K002", Severity::Fails, "a b/c:\u{e4}", "wrong")]);
        report.findings[0].baseline_state = Some(BaselineState::New);
        let gone = Absent { rule: "K999".into(), fingerprint: "f".into(), target: "t".into(), message: "was wrong".into() };
        report.absent = Some(vec![gone]);
        let mut out = Vec::new();
        super::write(&report, &[rule("K001"), rule("K002")].each_ref(), &mut out).expect("memory takes it");
        let read: Value = serde_json::from_slice(&out).expect("it is JSON");
        let run = &read["runs"][0];
        let results = &run["results"];
        assert_eq!((&results[0]["ruleIndex"], &results[0]["level"]), (&1.into(), &"error".into()));
        let location = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(location, "a%20b/c%3A%C3%A4");
        assert_eq!((&results[0]["baselineState"], &results[1]["baselineState"]), (&"new".into(), &"absent".into()));
        assert_eq!(results[0]["partialFingerprints"]["biarch/v1"], "K002 a b/c:\u{e4}: wrong");
        assert_eq!(results[1].get("ruleIndex"), None, "a rule that is gone has no description");
        assert_eq!(run["tool"]["driver"]["rules"][1]["fullDescription"]["text"], "It");
        assert!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().is_some());
    }
}

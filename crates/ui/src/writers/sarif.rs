//! SARIF 2.1.0, which code hosts and editors show beside the files.

use findings::{Confidence, Edit, Finding, Patch, Report, Rule, Severity, Source, Step};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

/// GitHub takes so many results of one run.
const RESULTS: usize = 25_000;
/// GitHub takes files of 10 MB when they are compressed; what is around the results has room in the rest.
const COMPRESSED: u64 = 9_000_000;
/// GitHub shows so many places that belong to a result.
const RELATED: usize = 100;

/// Writes `report`; `rules` are all that were applied. What is more than code hosts take is left out from the end, for the worst is
/// first, and the file says how much.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], out: &mut dyn Write) -> io::Result<()> {
    let described: Vec<Value> = rules.iter().map(|rule| description(rule, report)).collect();
    let gone = report.absent.iter().flatten().map(|absent| {
        let mut result = result(rules, &absent.rule, &absent.fingerprint, &absent.target, &absent.message);
        result["baselineState"] = "absent".into();
        result
    });
    let all = report.findings.iter().map(|finding| found(finding, rules)).chain(gone);
    let total = report.findings.len() + report.absent.as_ref().map_or(0, Vec::len);
    let mut results = Vec::new();
    let mut known = HashMap::new();
    let all = all.map(|mut result| {
        number(&mut result, &mut known);
        result
    });
    let mut size = ZlibEncoder::new(Counted(0), Compression::fast());
    for result in all.take(RESULTS) {
        serde_json::to_writer_pretty(&mut size, &result)?;
        if size.get_ref().0 > COMPRESSED {
            break;
        }
        results.push(result);
    }
    let warning = |text: String| json!({"level": "warning", "message": {"text": text}});
    let mut notifications: Vec<Value> = report
        .not_checked
        .iter()
        .map(|unchecked| warning(format!("{} was not checked: {}", unchecked.what, unchecked.because)))
        .collect();
    if results.len() < total {
        let left_out = total - results.len();
        notifications
            .push(warning(format!("{left_out} of {total} findings are left out, the last in order: code hosts take no more")));
    }
    let mut run = json!({
        "tool": {"driver": {"name": "biarch", "version": env!("CARGO_PKG_VERSION"), "rules": described}},
        "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
        "results": results,
    });
    if report.findings.iter().any(|finding| finding.source.is_some()) {
        run["columnKind"] = "utf16CodeUnits".into();
        run["originalUriBaseIds"] = json!({BASE: {"description": {"text": "The directory in which biarch was started."}}});
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// Makes the fingerprints of a result its own: of those that are the same, the second says that it is that. Code hosts know a result again
/// by them, and take two with the same for one; GitHub by the one that is called `primaryLocationLineHash`.
fn number(result: &mut Value, known: &mut HashMap<String, usize>) {
    let fingerprint = result["partialFingerprints"][OWN].as_str().unwrap_or_default().to_owned();
    // FNV-1a
    let hash =
        fingerprint.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let occurrence = known.entry(fingerprint.clone()).or_default();
    *occurrence += 1;
    if *occurrence > 1 {
        result["partialFingerprints"][OWN] = format!("{fingerprint} #{occurrence}").into();
    }
    result["partialFingerprints"]["primaryLocationLineHash"] = format!("{hash:016x}:{occurrence}").into();
}

/// The name of the fingerprint by which a baseline knows a finding.
const OWN: &str = "biarch/v1";

/// Where relative paths in source begin.
const BASE: &str = "%SRCROOT%";

/// Counts what is written to it.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn found(finding: &Finding, rules: &[&Rule]) -> Value {
    let group = finding.source.as_ref().and_then(|_| super::source::because(&[finding]));
    // In source the fix is in the description of the rule, once: there may be thousands of findings.
    let fix = if finding.source.is_some() { String::new() } else { finding.fix.clone() };
    let message = [finding.message.clone(), finding.evidence.clone(), group.unwrap_or_default(), fix];
    let message = message.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    let mut result = result(rules, finding.rule, &finding.fingerprint, &finding.target, &message);
    result["level"] = if finding.confidence() == Confidence::Possible { "note" } else { level(finding.severity) }.into();
    if let Some(state) = finding.baseline_state {
        result["baselineState"] = state.name().into();
    }
    if let Some(changes) = finding.patch.as_ref().and_then(changes) {
        result["fixes"] = json!([{"description": {"text": finding.fix}, "artifactChanges": changes}]);
    }
    if let Some(source) = &finding.source {
        in_source(source, finding, &mut result);
    }
    result
}

/// What is only known of findings in source text.
fn in_source(source: &Source, finding: &Finding, result: &mut Value) {
    let location = |file: &str, region: Value| {
        let relative = !file.starts_with('/');
        let mut artifact = json!({"uri": uri(file)});
        if relative {
            artifact["uriBaseId"] = BASE.into();
        } else {
            artifact["uri"] = format!("file://{}", uri(file)).into();
        }
        json!({"physicalLocation": {"artifactLocation": artifact, "region": region}})
    };
    let column = |bytes: u32| {
        let before = source.text.get(..(bytes as usize).saturating_sub(1)).unwrap_or(&source.text);
        before.encode_utf16().count() + 1
    };
    let (start, end) = (column(source.column), column(source.end_column));
    let region = json!({
        "startLine": source.line, "startColumn": start, "endColumn": end.max(start),
        "snippet": {"text": source.text},
    });
    result["locations"] = json!([location(&finding.target, region)]);
    let because = source.because.iter().map(|because| (&because.place, because.what.as_str()));
    let related = because.chain(source.uses.iter().map(|place| (place, "the same")));
    let related: Vec<Value> = related
        .take(RELATED)
        .map(|(place, text)| {
            let mut location = location(&place.file, json!({"startLine": place.line}));
            location["message"] = json!({"text": text.replace('`', "")});
            location
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(suppression) = &source.suppression {
        let kind = suppression.kind.name();
        result["suppressions"] = json!([{"kind": kind, "status": "accepted", "justification": suppression.reason}]);
    }
    let changes = source.edits.chunk_by(|a, b| a.file == b.file).filter_map(|edits| {
        let artifact = location(&edits.first()?.file, Value::Null)["physicalLocation"]["artifactLocation"].clone();
        let replacement = |edit: &Edit| {
            json!({
                "deletedRegion": {"byteOffset": edit.start, "byteLength": edit.end - edit.start},
                "insertedContent": {"text": edit.text},
            })
        };
        Some(json!({"artifactLocation": artifact, "replacements": edits.iter().map(replacement).collect::<Vec<_>>()}))
    });
    let changes: Vec<Value> = changes.collect();
    if !changes.is_empty() {
        result["fixes"] = json!([{"description": {"text": "What `biarch port --fix` does."}, "artifactChanges": changes}]);
    }
    result["properties"] = json!({"confidence": source.confidence.name()});
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

fn result(rules: &[&Rule], id: &str, fingerprint: &str, target: &str, message: &str) -> Value {
    let mut result = json!({
        "ruleId": id,
        "message": {"text": message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(target)}}}],
        "partialFingerprints": {OWN: fingerprint},
    });
    // A baseline may be older than this program, and have a rule that is gone.
    if let Some(index) = rules.iter().position(|rule| rule.id == id) {
        result["ruleIndex"] = index.into();
    }
    result
}

fn description(rule: &Rule, report: &Report) -> Value {
    let documentation = rule.documentation;
    let help: Vec<String> =
        documentation.sections().iter().map(|name| format!("{name}\n\n{}", documentation.section(name))).collect();
    let mut description = json!({
        "id": rule.id,
        "shortDescription": {"text": documentation.title()},
        "fullDescription": {"text": documentation.section("What")},
        "help": {"text": help.join("\n\n")},
        "defaultConfiguration": {"level": level(rule.severity)},
    });
    let weaknesses = weaknesses(&documentation.section("References"));
    if weaknesses.is_empty() {
        return description;
    }
    let mut tags = vec!["portability".to_owned(), "64-bit".to_owned()];
    tags.extend(weaknesses.iter().map(|number| format!("external/cwe/cwe-{number:03}")));
    let confidence = report.findings.iter().filter(|finding| finding.rule == rule.id).map(Finding::confidence).max();
    let mut properties = json!({
        "problem.severity": match level(rule.severity) { "note" => "recommendation", level => level },
        "precision": match confidence {
            Some(Confidence::Certain) => "very-high",
            Some(Confidence::Probable) | None => "high",
            Some(Confidence::Possible) => "medium",
        },
    });
    let score = SECURITY.iter().find(|(number, _)| weaknesses.contains(number) && rule.severity == Severity::Fails);
    if let Some((_, score)) = score {
        properties["security-severity"] = (*score).into();
        tags.push("security".to_owned());
    }
    properties["tags"] = tags.into();
    description["properties"] = properties;
    description
}

/// The weaknesses by which memory is read or written where it must not be, and how bad code hosts are to call them.
const SECURITY: [(u32, &str); 8] =
    [(787, "8.1"), (119, "7.5"), (120, "7.5"), (122, "7.5"), (131, "7.5"), (467, "7.0"), (125, "5.9"), (190, "5.9")];

/// The numbers of the weaknesses that a text names.
fn weaknesses(text: &str) -> Vec<u32> {
    let numbers = text.split("CWE-").skip(1).map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    numbers.filter_map(|number| number.parse().ok()).collect()
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
    use crate::writers::source::tests::{place, report as source_report};
    use findings::baseline::BaselineState;
    use findings::{Absent, Confidence, Patch, Severity, Step, Suppression, SuppressionKind};
    use serde_json::Value;

    #[test]
    fn a_finding_points_to_its_rule() {
        let mut report = report(vec![finding("K002", Severity::Fails, "a b/c:\u{e4}", "wrong")]);
        report.findings[0].baseline_state = Some(BaselineState::New);
        report.findings[0].patch = Some(Patch {
            name: "example",
            directory: "/tree".into(),
            steps: vec![Step::Create { path: "a/new".to_owned(), contents: "x\n".to_owned() }],
        });
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
        let change = &results[0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "/tree/a/new");
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "x\n");
        assert_eq!((&results[0]["baselineState"], &results[1]["baselineState"]), (&"new".into(), &"absent".into()));
        assert_eq!(results[0]["partialFingerprints"]["biarch/v1"], "K002 a b/c:\u{e4}: wrong");
        assert_eq!(results[1].get("ruleIndex"), None, "a rule that is gone has no description");
        assert_eq!(run["tool"]["driver"]["rules"][1]["fullDescription"]["text"], "It");
        assert!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().is_some());
    }

    fn written(report: &findings::Report) -> Value {
        let mut out = Vec::new();
        super::write(report, &[rule("K001")].each_ref(), &mut out).expect("memory takes it");
        serde_json::from_slice(&out).expect("it is JSON")
    }

    #[test]
    fn a_place_in_source_is_counted_as_editors_do() {
        let mut one = place("src/a b.c", 7, "\t日本\u{1f4a9} = (int)p;", Confidence::Certain);
        let source = one.source.as_mut().expect("it has");
        (source.column, source.end_column) = (15, 21);
        let run = &written(&source_report(vec![one]))["runs"][0];
        assert_eq!(run["columnKind"], "utf16CodeUnits");
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["artifactLocation"]["uriBaseId"]),
            (&"src/a%20b.c".into(), &"%SRCROOT%".into())
        );
        assert!(run["originalUriBaseIds"]["%SRCROOT%"].is_object());
        // A tab, two characters, one that counts as two, " = ".
        let region = &place["region"];
        assert_eq!((&region["startLine"], &region["startColumn"], &region["endColumn"]), (&7.into(), &9.into(), &15.into()));
    }

    #[test]
    fn more_than_code_hosts_take_is_left_out_from_the_end() {
        let of = |text: &dyn Fn(u32) -> String, count: u32| {
            let sure = |line: u32| if line == count { Confidence::Certain } else { Confidence::Possible };
            source_report((1..=count).map(|line| place("a.c", line, &text(line), sure(line))).collect())
        };
        let said = |run: &Value| run["invocations"][0]["toolExecutionNotifications"].to_string();
        let run = &written(&of(&|line| line.to_string(), 25_010))["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(25_000));
        assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 25_010, "the surest is first");
        assert!(said(run).contains("10 of 25010 findings are left out"), "{}", said(run));
        // Lines that cannot be compressed.
        let noise = |line: u32| {
            let mut state = u64::from(line);
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                char::from(b'!' + u8::try_from((state >> 33) % 90).expect("it is small"))
            };
            (0..6000).map(|_| next()).collect::<String>()
        };
        let run = &written(&of(&noise, 2500))["runs"][0];
        let count = run["results"].as_array().map_or(0, Vec::len);
        assert!((500..2500).contains(&count), "{count}");
        assert!(said(run).contains("findings are left out"));
    }

    #[test]
    fn no_two_results_have_the_same_fingerprint() {
        let of = |line: u32| place("a.c", line, "x = y;", Confidence::Certain);
        let run = &written(&source_report(vec![of(3), of(1), of(2)]))["runs"][0];
        let names = ["biarch/v1", "primaryLocationLineHash"];
        for name in names {
            let all = run["results"].as_array().expect("there are").iter();
            let mut all: Vec<&str> = all.filter_map(|result| result["partialFingerprints"][name].as_str()).collect();
            assert_eq!(all.len(), 3, "{name}");
            all.dedup();
            assert_eq!(all.len(), 3, "{name}: {all:?}");
        }
        let first = &run["results"][0]["partialFingerprints"];
        assert_eq!(first["biarch/v1"], "K001 a.c: it is cut | x = y;", "the first is known as it is to a baseline");
        assert!(
            first["primaryLocationLineHash"].as_str().is_some_and(|hash| hash.len() == 18 && hash.ends_with(":1")),
            "{first}"
        );
    }

    #[test]
    fn what_is_allowed_says_who_and_why() {
        let mut one = place("a.c", 1, "x", Confidence::Certain);
        let suppression = Suppression { kind: SuppressionKind::InSource, reason: "why".to_owned() };
        one.source.as_mut().expect("it has").suppression = Some(suppression);
        let run = &written(&source_report(vec![one]))["runs"][0];
        let said = serde_json::json!([{"kind": "inSource", "status": "accepted", "justification": "why"}]);
        assert_eq!(run["results"][0]["suppressions"], said);
    }
}

//! JSON: one object with `schema_version`; of a table the rows under the name of what they are, every row with every column; of
//! a report all of it.

use crate::Table;
use findings::{Guest, Report, Rule, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Writes `table` as JSON. The same table gives the same bytes.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    // By hand around the rows: one row a line compares well, and the version comes first.
    write!(out, "{{\n\"schema_version\": {},\n\"{}\": [", table.schema_version(), table.kind())?;
    for (index, row) in table.rows().iter().enumerate() {
        let columns = table.columns().iter().map(|&column| column.to_owned());
        let object: Map<String, Value> = columns.zip(row.iter().cloned()).collect();
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &object).map_err(io::Error::from)?;
    }
    out.write_all(b"\n]\n}\n")
}

/// Changes when something goes away or changes its meaning; what is new does not change it.
const REPORT_VERSION: u32 = 1;

/// What a command has found.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Report of biarch")]
struct Document<'a> {
    /// Changes when something goes away or changes its meaning; what is new does not change it.
    schema_version: u32,
    /// The command that made it.
    command: &'static str,
    #[serde(flatten)]
    report: &'a Report,
    /// With --explain: the rules of the findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Explanation>>,
}

/// All that a rule says about itself.
#[derive(Serialize, JsonSchema)]
struct Explanation {
    /// Its stable name.
    id: &'static str,
    /// How bad its findings are, unless a finding says otherwise.
    severity: Severity,
    /// The programs that it concerns.
    archs: &'static [Guest],
    /// What it is about, in one line.
    title: &'static str,
    /// The rest: What, Why, Example, Fix, References.
    sections: Vec<Section>,
}

/// A heading and what is below it.
#[derive(Serialize, JsonSchema)]
struct Section {
    /// Its heading.
    heading: &'static str,
    /// Text for a person, with line breaks. What is indented by four blanks is to be copied as it is.
    text: String,
}

/// Writes what the `command` has found, with the explanations of `rules` where they are wanted.
///
/// # Errors
/// Whatever `out` returns.
pub fn report(report: &Report, command: &'static str, rules: Option<&[&Rule]>, out: &mut dyn Write) -> io::Result<()> {
    let found = |rule: &&&Rule| report.findings.iter().any(|finding| finding.rule == rule.id);
    let rules = rules.map(|rules| rules.iter().filter(found).map(|rule| explanation(rule)).collect());
    serde_json::to_writer_pretty(&mut *out, &Document { schema_version: REPORT_VERSION, command, report, rules })?;
    writeln!(out)
}

fn explanation(rule: &Rule) -> Explanation {
    let documentation = rule.documentation;
    let section = |heading| Section { heading, text: documentation.section(heading) };
    let sections = documentation.sections().into_iter().map(section).collect();
    Explanation { id: rule.id, severity: rule.severity, archs: rule.guests, title: documentation.title(), sections }
}

/// Writes the JSON schema of what [`report`] writes.
///
/// # Errors
/// Whatever `out` returns.
pub fn report_schema(out: &mut dyn Write) -> io::Result<()> {
    let mut schema = schemars::schema_for!(Document<'static>);
    // The type allows any number; a document of another version is another document.
    if let Some(version) = schema.pointer_mut("/properties/schema_version") {
        *version = serde_json::json!({"const": REPORT_VERSION, "description": version["description"]});
    }
    serde_json::to_writer_pretty(&mut *out, &schema)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{finding, report, rule};
    use crate::Table;
    use findings::Severity;
    use serde_json::{Value, json};

    #[test]
    fn what_is_written_is_json_and_says_its_version() {
        let mut table = Table::new("things", 3, &["name", "size"]);
        table.push([json!("a \"quoted\" name"), json!(4)]);
        table.push([json!("b"), Value::Null]);
        let mut text = Vec::new();
        super::write(&table, &mut text).expect("memory takes it");
        let read: Value = serde_json::from_slice(&text).expect("it is JSON");
        let things = json!([{"name": "a \"quoted\" name", "size": 4}, {"name": "b", "size": null}]);
        assert_eq!(read, json!({"schema_version": 3, "things": things}));
    }

    #[test]
    fn a_report_has_all_of_it() {
        let found = report(vec![finding("K001", Severity::Fails, "t", "a \"quoted\" \u{1} name")]);
        let rules = [rule("K001"), rule("K002")];
        let mut out = Vec::new();
        super::report(&found, "check", Some(&rules.each_ref()), &mut out).expect("memory takes it");
        let read: Value = serde_json::from_slice(&out).expect("it is JSON");
        assert_eq!(read["schema_version"], 1);
        assert_eq!(read["findings"][0]["severity"], "fails");
        assert_eq!(read["findings"][0]["fingerprint"], "K001 a \"quoted\" \u{1} name");
        assert_eq!(read["not_checked"][0]["because"], "it is gone");
        assert_eq!(read["rules"].as_array().map(Vec::len), Some(1), "only rules that found something: {}", read["rules"]);
        assert_eq!(read["rules"][0]["sections"][0], json!({"heading": "What", "text": "It"}));
    }

    #[test]
    fn no_rows_are_an_empty_list() {
        let mut text = Vec::new();
        super::write(&Table::new("things", 1, &["name"]), &mut text).expect("memory takes it");
        let read: Value = serde_json::from_slice(&text).expect("it is JSON");
        assert_eq!(read, json!({"schema_version": 1, "things": []}));
    }
}

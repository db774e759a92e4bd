//! `biarch port` as a user or a script sees it: formats, levels, allowances, baselines, repairs. What is found, and that it is
//! right, is tested in `crates/port/tests`.

use anyhow::{Context, Result, ensure};
use biarch_tests::schema::{sarif, violations};
use biarch_tests::under_test;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory with these files.
fn tree(name: &str, files: &[(&str, &str)]) -> Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("port").join(name);
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    for (file, text) in files {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().context("a file is in a directory")?)?;
        fs::write(path, text)?;
    }
    Ok(directory)
}

/// What `biarch port` does with these words in this directory.
fn port(directory: &Path, words: &[&str]) -> Result<Output> {
    let mut command = Command::new(under_test::biarch()?);
    Ok(command.arg("port").args(words).current_dir(directory).env_remove("NO_COLOR").stdin(Stdio::null()).output()?)
}

fn json(directory: &Path, words: &[&str]) -> Result<Value> {
    let output = port(directory, &[&["--json"], words].concat())?;
    serde_json::from_slice(&output.stdout).with_context(|| format!("{words:?}: {output:?}"))
}

/// The findings of a rule that count.
fn open<'a>(report: &'a Value, rule: &'a str) -> Vec<&'a Value> {
    let all = report["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let counts = |finding: &&Value| {
        finding["rule"] == rule && finding["source"]["suppression"].is_null() && finding["baseline_state"] != "unchanged"
    };
    all.iter().filter(counts).collect()
}

const HEADER: &str = "#define KEY(p) ((int)(p))\nextern int key;\nstatic inline int hash(void *p)\n{\n\treturn (int)p;\n}\n";
const FIRST: &str = "#include \"x.h\"\nvoid f(char *p)\n{\n\tkey = (int)p;\n\tif (KEY(p)) key = KEY(p + 1);\n}\n";
const SECOND: &str = "#include \"../src/x.h\"\nvoid g(char *p)\n{\n\tkey = (int)p;\n\tkey = (int)(p + hash(p));\n}\n";

fn project(name: &str) -> Result<PathBuf> {
    tree(name, &[("src/x.h", HEADER), ("src/first.c", FIRST), ("src/second.c", SECOND)])
}

#[test]
fn what_a_header_or_a_macro_does_is_said_once_with_what_is_to_blame() -> Result<()> {
    let directory = project("once")?;
    let report = json(&directory, &["src"])?;
    let found = open(&report, "P001");
    let at = |finding: &Value| (finding["target"].clone(), finding["source"]["line"].clone());
    let in_header: Vec<_> = found.iter().filter(|finding| finding["target"] == "src/x.h").collect();
    ensure!(in_header.len() == 1 && in_header[0]["source"]["line"] == 5, "{found:#?}");
    let of_macro: Vec<_> = found.iter().filter(|finding| finding["source"]["because"]["is_macro"] == true).collect();
    ensure!(of_macro.len() == 1 && of_macro[0]["source"]["uses"].as_array().map_or(0, Vec::len) + 1 >= 1, "{of_macro:#?}");
    ensure!(at(of_macro[0]) == ("src/first.c".into(), 5.into()), "{of_macro:#?}");
    ensure!(of_macro[0]["source"]["because"]["what"] == "macro `KEY`" && of_macro[0]["source"]["because"]["line"] == 1);
    let of_key = found.iter().filter(|finding| finding["source"]["because"]["what"] == "`int key`").count();
    ensure!(of_key == 3, "{found:#?}");
    let text = String::from_utf8(port(&directory, &["--all", "src"])?.stdout)?;
    ensure!(text.contains("3 places, because of `int key` in src/x.h:2\n         also src/second.c:4, 5\n"), "{text}");
    ensure!(text.find("`int key`") < text.find("macro `KEY`"), "what is surest comes first: {text}");
    Ok(())
}

#[test]
fn the_same_input_gives_the_same_bytes_with_any_number_of_jobs() -> Result<()> {
    let directory = project("jobs")?;
    for format in [&["--json"][..], &["--sarif"], &["--html", "--all"], &["--all"]] {
        let of = |jobs: &str| port(&directory, &[format, &["--jobs", jobs, "src"]].concat());
        let (one, many) = (of("1")?, of("7")?);
        ensure!(one.stdout == many.stdout && one.status.code() == Some(1), "{format:?}: {one:?}");
        ensure!(one.stderr.is_empty() && !one.stdout.is_empty(), "{one:?}");
    }
    Ok(())
}

#[test]
fn paths_are_those_from_where_the_user_is() -> Result<()> {
    let directory = project("paths")?;
    let target = |from: &Path, path: &str| -> Result<Value> {
        Ok(open(&json(from, &[path])?, "P001").first().context("a finding")?["target"].clone())
    };
    ensure!(target(&directory, "src/first.c")? == "src/first.c");
    ensure!(target(&directory.join("src"), ".")? == "first.c");
    ensure!(
        target(Path::new("/"), directory.join("src").to_str().context("a path is text")?)?
            .as_str()
            .is_some_and(|path| path.ends_with("paths/src/first.c"))
    );
    Ok(())
}

#[test]
fn the_exit_status_is_that_of_what_counts() -> Result<()> {
    let certain = tree("certain", &[("a.c", "int key;\nvoid f(char *p) { key = (int)p; }\n")])?;
    let possible = tree("possible", &[("a.c", "int f(const char *s) { return __builtin_strlen(s); }\n")])?;
    let clean = tree("clean", &[("a.c", "int f(int x) { return x; }\n")])?;
    for (directory, words, status) in [
        (&certain, &["."][..], 1),
        (&certain, &["--fail-on", "fails", "."], 1),
        (&certain, &["--min-confidence", "certain", "."], 1),
        (&possible, &["."], 0),
        (&possible, &["--all", "."], 1),
        (&possible, &["--all", "--fail-on", "fails", "."], 0),
        (&possible, &["--all", "--min-confidence", "probable", "."], 0),
        (&clean, &["."], 0),
        (&clean, &["--suppress", "/nowhere", "."], 2),
        (&clean, &["--baseline", "/nowhere", "."], 2),
        (&clean, &["--min-confidence", "perhaps", "."], 2),
        (&clean, &["--json-schema"], 0),
        (&clean, &["--json-schema", "."], 2),
        (&clean, &[], 2),
    ] {
        let output = port(directory, words)?;
        ensure!(output.status.code() == Some(status), "{words:?}: {output:?}");
    }
    Ok(())
}

#[test]
fn what_is_allowed_does_not_count_and_what_allows_nothing_is_a_note() -> Result<()> {
    let text = "int f(char *p)\n{\n\tint k = (int)p; // biarch: allow P001 only a hash\n\t/* biarch: allow P001, P030 only a hash */\n\
                \tk += (int)p;\n\treturn k;\n}\n";
    let directory = tree("allowed", &[("a.c", text), ("b.c", "int g(char *p) { return (int)p; }\n")])?;
    let report = json(&directory, &["."])?;
    ensure!(open(&report, "P001").len() == 1, "{report:#}");
    let notes: Vec<_> =
        open(&report, "P090").iter().map(|note| (note["message"].clone(), note["source"]["line"].clone())).collect();
    ensure!(notes == [("P030 is allowed and not there".into(), 4.into())], "{notes:?}");
    fs::write(directory.join("list"), "# ours\nP001 b.* a hash as well\nP002 * never\n")?;
    let output = port(&directory, &["--suppress", "list", "."])?;
    let text = String::from_utf8(output.stdout)?;
    ensure!(output.status.code() == Some(0), "{text}");
    for part in ["3 findings allowed: 2 in comments, 1 with --suppress\n", "list:3:1: note P090: P002 is allowed and not there"] {
        ensure!(text.contains(part), "no {part:?} in {text}");
    }
    fs::write(directory.join("list"), "P001 b.*\n")?;
    let output = port(&directory, &["--suppress", "list", "."])?;
    let error = String::from_utf8(output.stderr)?;
    ensure!(output.status.code() == Some(2) && error.contains("list:1: a line is a rule, a path and a reason"), "{error}");
    Ok(())
}

#[test]
fn a_baseline_knows_what_has_moved() -> Result<()> {
    let directory = project("baseline")?;
    let known = |path: &Path| -> Result<()> { Ok(fs::write(path, port(&directory, &["--json", "src"])?.stdout)?) };
    let list = directory.join("known.json");
    known(&list)?;
    let list = list.to_str().context("a path is text")?.to_owned();
    // Moved lines, other blanks, a use of the macro before the others, another place to start from.
    fs::write(directory.join("src/first.c"), format!("/* moved */\n\n{}", FIRST.replace("\tif", "\tkey =  KEY(p);\n  if")))?;
    let output = port(&directory.join("src"), &["--baseline", &list, "."])?;
    let text = String::from_utf8(output.stdout)?;
    ensure!(output.status.code() == Some(0) && text.contains("nothing new found"), "{text}");
    // The same line once more is one more.
    fs::write(directory.join("src/second.c"), SECOND.replace("\tkey = (int)p;\n", "\tkey = (int)p;\n\tkey = (int)p;\n"))?;
    let report = json(&directory, &["--baseline", &list, "src"])?;
    ensure!(open(&report, "P001").len() == 1, "{:#?}", open(&report, "P001"));
    Ok(())
}

#[test]
fn the_formats_are_what_their_schemas_say() -> Result<()> {
    let text = "#include <stdio.h>\n#include <string.h>\nvoid f(char *p)\n{\n\tint k = (int)p; // biarch: allow P001 a hash\n\
                \tprintf(\"%u %d\\n\", strlen(p), k);\n}\n#include \"missing.h\"\n";
    let directory = tree("a \u{e4}%20<b>", &[("x y/a.c", text), ("src/x.h", HEADER), ("src/first.c", FIRST)])?;
    let report: Value = serde_json::from_slice(&port(&directory, &["--json-schema"])?.stdout)?;
    for words in [&["."][..], &["--explain", "."]] {
        let document = json(&directory, words)?;
        ensure!(violations(report.clone(), &document)?.is_none(), "{:?}", violations(report, &document)?);
        let mut bad = document.clone();
        bad["findings"][0]["source"]["confidence"] = "sure".into();
        ensure!(violations(report.clone(), &bad)?.is_some(), "the schema allows anything");
    }
    let mut document: Value = serde_json::from_slice(&port(&directory, &["--sarif", "."])?.stdout)?;
    let schema = sarif()?;
    ensure!(violations(schema.clone(), &document)?.is_none(), "{:?}", violations(schema, &document)?);
    let results = document["runs"][0]["results"].as_array().context("no results")?.clone();
    ensure!(results.iter().any(|result| result["suppressions"][0]["justification"] == "a hash"), "{results:#?}");
    for result in &results {
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().context("a place")?;
        ensure!(["x%20y/a.c", "src/first.c", "src/x.h"].contains(&uri) && place["region"]["startColumn"].is_u64(), "{place}");
        ensure!(result["partialFingerprints"]["biarch/v1"].is_string());
    }
    let rule = document["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .and_then(|rules| rules.iter().find(|rule| rule["id"] == "P001"));
    let tags = &rule.context("P001")?["properties"]["tags"];
    ensure!(tags.as_array().is_some_and(|tags| tags.contains(&"external/cwe/cwe-466".into())), "{tags}");
    let allowed = results.iter().position(|result| result["suppressions"].is_array()).context("what is allowed")?;
    document["runs"][0]["results"][allowed]["suppressions"][0]["kind"] = "somewhere".into();
    ensure!(violations(schema, &document)?.is_some(), "the schema allows anything");
    Ok(())
}

#[test]
fn layouts_are_shown_side_by_side_with_a_verdict() -> Result<()> {
    let text = "struct same { int a; };\nstruct grows { char c; long l; long m; };\nunion either { long l; char text[4]; };\n";
    let directory = tree("layout", &[("a.h", text)])?;
    let layout = |words: &[&str]| port(&directory, &[&["layout"], words].concat());
    let output = layout(&["a.h", "struct grows"])?;
    let shown = String::from_utf8(output.stdout)?;
    ensure!(output.status.code() == Some(1), "{shown}");
    for part in ["12 bytes in i386, 24 in x86-64", "Repackable"] {
        ensure!(shown.contains(part), "no {part:?} in {shown}");
    }
    let output = layout(&["a.h", "same"])?;
    ensure!(output.status.code() == Some(0) && String::from_utf8_lossy(&output.stdout).contains("Full"), "{output:?}");
    let document: Value = serde_json::from_slice(&layout(&["--json", "a.h", "grows", "same", "union either"])?.stdout)?;
    let names = document["types"]
        .as_array()
        .map(|types| types.iter().map(|of| of["name"].as_str().unwrap_or_default()).collect::<Vec<_>>());
    ensure!(names.as_ref().is_some_and(|names| names.len() == 3), "{document:#}");
    // Two builds, in any order.
    for (compiler, object) in [("i686-linux-gnu-gcc", "32.o"), ("gcc", "64.o")] {
        fs::write(directory.join("a.c"), "#include \"a.h\"\nstruct grows grows;\n")?;
        let built = Command::new(compiler).args(["-g", "-c", "a.c", "-o", object]).current_dir(&directory).status()?;
        ensure!(built.success(), "{compiler}");
    }
    for pair in [["32.o", "64.o"], ["64.o", "32.o"]] {
        let output = layout(&[pair[0], pair[1], "grows"])?;
        let shown = String::from_utf8(output.stdout)?;
        ensure!(output.status.code() == Some(1) && shown.contains("12 bytes in 32.o, 24 in 64.o"), "{shown}");
    }
    for (words, part) in [
        (&["a.h", "nobody"][..], "no type `nobody`"),
        (&["nowhere.h", "same"], "cannot read nowhere.h"),
        (&["32.o", "32.o", "grows"], "the same word size"),
        (&["32.o", "grows"], "is one build"),
    ] {
        let output = layout(words)?;
        let error = String::from_utf8(output.stderr)?;
        ensure!(output.status.code() == Some(2) && error.contains(part), "{words:?}: {error}");
    }
    Ok(())
}

#[test]
fn an_error_names_the_command_that_helps_and_is_never_long() -> Result<()> {
    let long = format!("\"{}\"", "x".repeat(3_000_000));
    let directory =
        tree("errors", &[("a.c", "int x;\n"), ("known.json", "no report"), ("list.json", &long), ("empty.json", "[]")])?;
    let said = |words: &[&str]| -> Result<String> {
        let output = port(&directory, words)?;
        ensure!(output.status.code() == Some(2), "{words:?}: {:?}", output.status);
        Ok(String::from_utf8(output.stderr)?)
    };
    let baseline = said(&["--baseline", "known.json", "a.c"])?;
    ensure!(baseline.contains("`biarch port --json PATH > FILE`") && !baseline.contains("check"), "{baseline}");
    ensure!(baseline.matches("expected").count() == 1, "said once: {baseline}");
    for words in [&["--baseline", "list.json", "a.c"][..], &["list.json"]] {
        let text = said(words)?;
        ensure!(text.len() < 20_000, "{words:?}: {} bytes", text.len());
    }
    let empty = said(&["empty.json"])?;
    ensure!(empty.contains("the list is empty") && empty.contains("biarch port -- make"), "{empty}");
    ensure!(said(&["--save", "", "a.c"])?.contains("--save"));
    // What was guessed is a list of commands as well.
    port(&directory, &["--save", "guessed.json", "a.c"])?;
    let list: Value = serde_json::from_slice(&fs::read(directory.join("guessed.json"))?)?;
    let words: Vec<&str> =
        list[0]["arguments"].as_array().context("arguments")?.iter().filter_map(|word| word.as_str()).collect();
    let (compiler, source) = (words.first().context("a compiler")?, words.last().context("a source")?);
    ensure!(*compiler == "cc" && Path::new(source).is_file(), "{words:?}");
    Ok(())
}

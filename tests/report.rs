//! `biarch compare` after the measurement: results that are read back, put together and written in every format, by whomever they
//! were written; and the kit, whose script runs here with the shells that boards have. No test depends on how long anything takes.

#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use anyhow::{Context, Result, ensure};
use biarch_tests::under_test;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

fn biarch(words: &[&str]) -> Result<Output> {
    Ok(Command::new(under_test::biarch()?).args(words).env_remove("NO_COLOR").stdin(Stdio::null()).output()?)
}

/// What it prints; it must succeed.
fn out(words: &[&str]) -> Result<String> {
    let output = biarch(words)?;
    ensure!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// A directory of this test alone, empty.
fn directory(name: &str) -> Result<PathBuf> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path)?;
    }
    std::fs::create_dir_all(&path)?;
    Ok(path)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("a path here is text")
}

/// A result of a few benchmarks of several suites, measured once.
fn measured() -> Result<&'static str> {
    static RESULT: OnceLock<String> = OnceLock::new();
    if let Some(known) = RESULT.get() {
        return Ok(known);
    }
    let words =
        ["compare", "--quick", "--budget", "0", "--json", "constants", "latency_16k", "latency_256k", "list_1k", "null_call"];
    let mut result = out(&words)?;
    let mut quiet: Value = serde_json::from_str(&result)?;
    if too_noisy(&quiet) {
        // What is tested here is what is written about a verdict, and of noise there would be none.
        quiet["self_check"]["resolution"] = json!(0.05);
        quiet["notes"] = json!([]);
        let file = written(&directory("quiet")?, "quiet.json", quiet.to_string().as_bytes())?;
        result = out(&["compare", "--json", &file])?;
    }
    Ok(RESULT.get_or_init(|| result))
}

/// Whether it says that the machine was doing too much else for a verdict.
fn too_noisy(comparison: &Value) -> bool {
    comparison["notes"].to_string().contains("too noisy")
}

fn written(directory: &Path, name: &str, contents: &[u8]) -> Result<String> {
    let path = directory.join(name);
    std::fs::write(&path, contents)?;
    Ok(text(&path)?.to_owned())
}

#[test]
fn what_was_written_is_read_back_and_says_the_same() -> Result<()> {
    let directory = directory("back")?;
    let file = written(&directory, "result.json", measured()?.as_bytes())?;
    ensure!(out(&["compare", &file, "--json"])? == measured()?, "reading back changes a result");
    let found: Value = serde_json::from_str(measured()?)?;
    let (table, markdown) = (out(&["compare", &file])?, out(&["compare", &file, "--markdown"])?);
    let html = directory.join("report.html");
    ensure!(out(&["compare", &file, "--html", text(&html)?])? == table, "--html is written as well, and not instead");
    let html = std::fs::read_to_string(html)?;
    for outcome in found["outcomes"].as_array().context("outcomes")? {
        let name = outcome["name"].as_str().context("a name")?;
        let median = outcome["ratios"][1]["median"].as_f64().context("a ratio")?;
        let ratio = format!("{median:.2} (");
        let has = |report: &str, name: &str| report.lines().any(|line| line.contains(name) && line.contains(&ratio));
        ensure!(has(&table, name) && has(&markdown, &name.replace('_', "\\_")) && has(&html, name), "{name}: no {ratio}");
    }
    for (name, report) in [("text", &table), ("Markdown", &markdown), ("HTML", &html)] {
        ensure!(report.contains("the same program on both sides") && report.contains("32-bit programs take"), "{name}: {report}");
    }
    Ok(())
}

#[test]
fn results_of_one_machine_are_put_together_and_those_of_others_side_by_side() -> Result<()> {
    let directory = directory("together")?;
    let whole: Value = serde_json::from_str(measured()?)?;
    let part = |suite: &str| {
        let mut part = whole.clone();
        if let Some(outcomes) = part["outcomes"].as_array_mut() {
            outcomes.retain(|outcome| outcome["suite"] == suite);
        }
        part["machine"]["load"] = json!("9.99");
        written(&directory, &format!("{suite}.json"), part.to_string().as_bytes())
    };
    let parts = ["constants", "memory", "system"].map(part).into_iter().collect::<Result<Vec<_>>>()?;
    let words: Vec<&str> = ["compare", "--json"].into_iter().chain(parts.iter().map(String::as_str)).collect();
    let together: Value = serde_json::from_str(&out(&words)?)?;
    ensure!(together["outcomes"].as_array().map(Vec::len) == whole["outcomes"].as_array().map(Vec::len), "{together}");
    ensure!(together["overall"]["ratio"] != Value::Null);

    let mut other = whole.clone();
    other["machine"]["cpu"] = json!("another processor");
    let other = written(&directory, "other.json", other.to_string().as_bytes())?;
    let here = written(&directory, "here.json", measured()?.as_bytes())?;
    let table = out(&["compare", &here, &other])?;
    let (_, beside) = table.split_once("side by side").with_context(|| table.clone())?;
    ensure!(beside.contains("another processor"), "{beside}");
    let row = beside.lines().find(|line| line.contains("divide64")).context("a row")?;
    ensure!(row.matches(" to ").count() == 2, "{row}");
    let both = out(&["compare", "--json", &here, &other])?;
    let parsed: Value = serde_json::from_str(&both)?;
    ensure!(parsed["comparisons"].as_array().map(Vec::len) == Some(2), "{parsed}");
    let both_file = written(&directory, "both.json", both.as_bytes())?;
    ensure!(out(&["compare", "--json", &both_file])? == both, "results of several machines are read back");
    // The same twice is not one machine with twice as many benchmarks.
    let twice: Value = serde_json::from_str(&out(&["compare", "--json", &here, &here])?)?;
    ensure!(twice["comparisons"].as_array().map(Vec::len) == Some(2), "{twice}");
    Ok(())
}

#[test]
fn what_a_file_claims_is_computed_again_from_its_samples() -> Result<()> {
    let directory = directory("claims")?;
    let mut forged: Value = serde_json::from_str(measured()?)?;
    for outcome in forged["outcomes"].as_array_mut().context("outcomes")? {
        outcome["verdict"] = json!("stay");
        outcome["ratios"][1] = json!({"median": 0.01, "low": 0.01, "high": 0.01});
    }
    let file = written(&directory, "forged.json", forged.to_string().as_bytes())?;
    ensure!(out(&["compare", "--json", &file])? == measured()?, "a claim without samples was believed");
    // Too few rounds say nothing, however clear they look.
    for outcome in forged["outcomes"].as_array_mut().context("outcomes")? {
        outcome["samples"] = json!([[1.0, 1.0, 1.0], [9.0, 9.0, 9.0]]);
    }
    let file = written(&directory, "few.json", forged.to_string().as_bytes())?;
    let found: Value = serde_json::from_str(&out(&["compare", "--json", &file])?)?;
    ensure!(found["outcomes"][0]["verdict"].is_null() && found["overall"].is_null(), "{found}");
    ensure!(found["outcomes"][0]["missing"][0].as_str().is_some_and(|why| why.contains("3 rounds")), "{found}");
    Ok(())
}

#[test]
fn files_that_are_no_results_are_refused_with_the_reason() -> Result<()> {
    let directory = directory("foreign")?;
    let good: Value = serde_json::from_str(measured()?)?;
    let changed = |pointer: &str, value: Value| {
        let mut other = good.clone();
        if let Some(place) = other.pointer_mut(pointer) {
            *place = value;
        }
        other.to_string().into_bytes()
    };
    let half = measured()?.as_bytes().split_at(measured()?.len() / 2).0.to_vec();
    let number =
        |text: &str| String::from_utf8_lossy(&changed("/outcomes/0/samples/0/0", json!("@"))).replace("\"@\"", text).into_bytes();
    let mut many = good.clone();
    many["outcomes"][0]["samples"][0] = json!(vec![1; 600_000]);
    for (name, contents, says) in [
        ("empty.json", Vec::new(), "is empty"),
        ("cut.json", half, "cut off"),
        ("version.json", changed("/schema_version", json!(99)), "schema version 99"),
        ("other.json", b"{\"schema_version\": 1, \"findings\": []}".to_vec(), "not of `biarch compare"),
        ("list.json", b"[1, 2]".to_vec(), "not of `biarch compare"),
        ("text.json", b"not JSON at all".to_vec(), "is not a result"),
        ("nan.json", number("NaN"), "is not a result"),
        ("null.json", number("null"), "null"),
        ("huge.json", number("1e999"), "out of range"),
        ("negative.json", number("-1.0"), "-1 ns cannot be"),
        ("zero.json", number("0"), "0 ns cannot be"),
        ("sides.json", changed("/sides", json!(["x86-64"])), "two sides"),
        ("more.json", changed("/outcomes/0/samples", json!([[1], [1], [1], [1], [1], [1], [1], [1], [1]])), "samples of 9 sides"),
        ("resolution.json", changed("/self_check/resolution", json!(-1.0)), "resolution"),
        ("many.json", many.to_string().into_bytes(), "more than 500000 samples"),
        ("deep.json", "[".repeat(1 << 20).into_bytes(), "is not a result"),
        ("large.json", vec![b' '; (16 << 20) + 1], "more than 16 MiB"),
        ("binary.json", (0..=255).collect(), "is not a result"),
    ] {
        let file = written(&directory, name, &contents)?;
        let output = biarch(&["compare", &file])?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.code() == Some(1) && said.contains(says) && said.contains(name),
            "{name}: {}: {said}",
            output.status
        );
        ensure!(output.stdout.is_empty(), "{name}: it is a failure, and prints something");
    }
    let pipe = directory.join("pipe.json");
    ensure!(Command::new("mkfifo").arg(&pipe).status()?.success());
    for (word, says) in
        [(text(&pipe)?, "is not a file"), (text(&directory)?, "is not a file"), ("/nowhere/a.json", "No such file")]
    {
        let output = biarch(&["compare", word])?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.code() == Some(1) && said.contains(says) && said.contains(word), "{word}: {said}");
    }
    let output = biarch(&["compare", "time", "/nowhere/a.json"])?;
    ensure!(String::from_utf8_lossy(&output.stderr).contains("not both"), "{output:?}");
    Ok(())
}

#[test]
fn what_strangers_write_into_names_controls_no_terminal_and_no_browser() -> Result<()> {
    let directory = directory("names")?;
    let mut foreign: Value = serde_json::from_str(measured()?)?;
    let evil = "\u{1b}[2J<script>alert(1)</script>\r\n| x";
    foreign["machine"]["cpu"] = json!(evil);
    foreign["outcomes"][0]["name"] = json!(evil);
    foreign["outcomes"][0]["title"] = json!(evil);
    foreign["left_out"] = json!([evil]);
    let file = written(&directory, "names.json", foreign.to_string().as_bytes())?;
    let html = directory.join("names.html");
    let table = out(&["compare", &file, "--html", text(&html)?])?;
    let (markdown, html) = (out(&["compare", &file, "--markdown"])?, std::fs::read_to_string(html)?);
    for report in [&table, &markdown, &html] {
        ensure!(!report.contains("\u{1b}[2J") && !report.contains('\r'), "{report}");
    }
    ensure!(!html.contains("<script") && !markdown.contains("<script"), "{html}");
    Ok(())
}

/// Runs the kit's script with this shell; only these benchmarks, and short.
fn kit(directory: &Path, shell: &[&str], file: &str, names: &[&str]) -> Result<Output> {
    let (program, more) = shell.split_first().context("a shell")?;
    let mut command = Command::new(program);
    command.args(more).arg("compare.sh").arg(file).args(names).current_dir(directory);
    Ok(command.env("ROUNDS", "8").env("BATCH", "20000").stdin(Stdio::null()).output()?)
}

#[test]
fn a_kit_measures_with_a_boards_shell_and_is_read_here() -> Result<()> {
    let directory = directory("kit")?;
    let said = out(&["compare", "--kit", text(&directory)?])?;
    ensure!(said.contains("i386 and x86-64: on a machine whose `uname -m` is x86_64"), "{said}");
    let mut tried = 0;
    for shell in [&["busybox", "sh"][..], &["dash"], &["bash", "--posix"]] {
        if Command::new(shell.first().context("a shell")?)
            .args(["-c", ":"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_err()
        {
            println!("skipped: there is no {shell:?} (packaging/install-dependencies.sh test)");
            continue;
        }
        tried += 1;
        let output = kit(&directory, shell, "kit.txt", &["constants", "null_call", "pipe_same_0", "clock_gettime_no_vdso"])?;
        ensure!(output.status.success(), "{shell:?}: {}", String::from_utf8_lossy(&output.stderr));
        let file = directory.join("kit.txt");
        let found: Value = serde_json::from_str(&out(&["compare", "--json", text(&file)?])?)?;
        ensure!(found["sides"] == json!(["x86-64", "i386"]) && found["left_out"] == json!([]), "{shell:?}: {found}");
        ensure!(found["machine"]["cpus"].as_u64().is_some_and(|cpus| cpus > 0), "{found}");
        let names: Vec<_> =
            found["outcomes"].as_array().context("outcomes")?.iter().filter_map(|one| one["name"].as_str()).collect();
        ensure!(names.contains(&"divide64") && names.contains(&"pipe_same_0") && names.len() == 8, "{names:?}");
        for outcome in found["outcomes"].as_array().context("outcomes")? {
            let rounds = |side: usize| outcome["samples"][side].as_array().map(Vec::len);
            ensure!(outcome["missing"] == json!([]) && rounds(0) == Some(8) && rounds(1) == Some(8), "{shell:?}: {outcome}");
            let has_none = too_noisy(&found) || outcome["name"] == "clock_gettime_no_vdso";
            ensure!(outcome["verdict"].is_null() == has_none, "{outcome}, with {}", found["notes"]);
        }
    }
    ensure!(tried > 0, "no shell to run the kit with");
    let text_of_kit = std::fs::read_to_string(directory.join("kit.txt"))?;
    damaged(&directory, &text_of_kit)?;
    for (variable, value) in [("ROUNDS", "7"), ("ROUNDS", "many"), ("BATCH", "-1")] {
        let output = Command::new("sh").arg("compare.sh").current_dir(&directory).env(variable, value).output()?;
        ensure!(output.status.code() == Some(2) && !output.stderr.is_empty(), "{variable}={value}: {output:?}");
    }
    Ok(())
}

/// A text that came over a serial line, was cut off, was disturbed or was forged.
fn damaged(directory: &Path, whole: &str) -> Result<()> {
    let read = |name: &str, contents: String| -> Result<Value> {
        let file = written(directory, name, contents.as_bytes())?;
        Ok(serde_json::from_str(&out(&["compare", "--json", &file])?)?)
    };
    let same = read("whole.txt", whole.to_owned())?;
    ensure!(read("serial.txt", whole.replace('\n', "\r\n"))? == same, "a serial line changes the result");
    ensure!(
        read("talk.txt", whole.replace('\n', "\n[   12.3] usb 1-1: new device\n"))? == same,
        "the kernel's talk changes the result"
    );
    let place = whole.find("[benchmark constants divide64").context("divide64")?;
    let (head, tail) = whole.split_at(place);
    let cut = read("cut.txt", format!("{head}{}", tail.lines().take(5).collect::<Vec<_>>().join("\n")))?;
    ensure!(cut["left_out"][0].as_str().is_some_and(|why| why.contains("cut off")), "{cut}");
    ensure!(!cut["outcomes"].to_string().contains("divide64"), "a part of the samples was used: {cut}");
    let different = tail.replacen("check ", "check f", 1);
    let outcome = |value: &Value| {
        let all = value["outcomes"].as_array().cloned().unwrap_or_default();
        all.into_iter().find(|one| one["name"] == "divide64").unwrap_or_default()
    };
    let other = outcome(&read("different.txt", format!("{head}{different}"))?);
    ensure!(
        other["verdict"].is_null() && other["missing"][0].as_str().is_some_and(|why| why.contains("different results")),
        "{other}"
    );
    let disturbed = outcome(&read("disturbed.txt", format!("{head}{}", tail.replacen("ns ", "n", 1)))?);
    ensure!(
        disturbed["verdict"].is_null() && disturbed["missing"][0].as_str().is_some_and(|why| why.contains("disturbed")),
        "{disturbed}"
    );
    let (start, _) = whole.split_once("[self-check").context("the self-check")?;
    let file = written(directory, "early.txt", format!("{start}[end]\n").as_bytes())?;
    let output = biarch(&["compare", &file])?;
    ensure!(String::from_utf8_lossy(&output.stderr).contains("nothing can be claimed"), "{output:?}");
    Ok(())
}

#[test]
fn a_kit_that_cannot_be_written_or_run_says_why() -> Result<()> {
    let directory = directory("no-kit")?;
    let file = written(&directory, "file", b"")?;
    let output = biarch(&["compare", "--kit", &file])?;
    ensure!(output.status.code() == Some(1) && String::from_utf8_lossy(&output.stderr).contains(&file), "{output:?}");
    let place = directory.join("kit");
    out(&["compare", "--kit", text(&place)?, "constants"])?;
    std::fs::write(place.join("worker-i386"), "not a program")?;
    let output = kit(&place, &["sh"], "kit.txt", &[])?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(2) && said.contains("i386 programs do not run here"), "{said}");
    Ok(())
}

#[test]
fn history_has_the_sources_figures_beside_the_users() -> Result<()> {
    let directory = directory("history")?;
    let alone = out(&["compare", "history"])?;
    for part in
        ["Johansson", "Reichelt", "Ikeuchi", "Weinberger", "1905827", "27.68", "1054860", "aes-128 cbc", "biarch compare time"]
    {
        ensure!(alone.contains(part), "no {part} in {alone}");
    }
    ensure!(!alone.contains("\nhere: "), "nothing was measured here: {alone}");
    let file = written(&directory, "result.json", measured()?.as_bytes())?;
    let with = out(&["compare", "history", &file])?;
    let row = with.lines().find(|line| line.trim_start().starts_with("x86 ")).context("the constants")?;
    ensure!(row.contains(" to "), "{row}");
    Ok(())
}

/// docs/history.md is what `make figures` writes; its measured columns are of one machine and day, the others are the sources'.
#[test]
fn the_page_has_the_sources_figures() -> Result<()> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/history.md"))?;
    for line in out(&["compare", "history", "--markdown"])?.lines().filter(|line| !line.is_empty()) {
        let known = if line.starts_with("| ") && !line.starts_with("|  |") {
            // Further columns may follow.
            page.lines().any(|own| own.starts_with(line))
        } else {
            line.starts_with('|') || page.lines().any(|own| own == line)
        };
        ensure!(known, "docs/history.md is not what `make figures` writes; it lacks: {line}");
    }
    Ok(())
}

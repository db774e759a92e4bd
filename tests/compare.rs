//! `biarch compare` as a user sees it: what is measured must be the same work, and what is said must be what was measured. No test
//! depends on how long anything takes.

use anyhow::{Context, Result, ensure};
use biarch_tests::under_test;
use std::process::{Command, Output, Stdio};

fn biarch(words: &[&str]) -> Result<Output> {
    Ok(Command::new(under_test::biarch()?).args(words).env_remove("NO_COLOR").stdin(Stdio::null()).output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_benchmark_runs_on_both_sides_with_the_same_result() -> Result<()> {
    let output = biarch(&["compare", "--quick", "--budget", "0", "--json"])?;
    ensure!(output.status.success(), "{}", text(&output.stderr));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    ensure!(found["sides"][0] == "x86-64", "{}", found["sides"]);
    let outcomes = found["outcomes"].as_array().context("outcomes")?;
    let listed = biarch(&["compare", "list", "--json"])?;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout)?;
    ensure!(Some(outcomes.len()) == listed["benchmarks"].as_array().map(Vec::len), "the list and what is run differ");
    for outcome in outcomes {
        let samples = outcome["samples"].as_array().context("samples")?;
        let counts: Vec<_> = samples.iter().map(|side| side.as_array().map(Vec::len)).collect();
        ensure!(outcome["missing"].as_array().is_some_and(Vec::is_empty), "{outcome}");
        ensure!(counts.len() == 2 && counts[0] == counts[1] && counts[0] >= Some(10), "{}: {counts:?}", outcome["name"]);
        ensure!(outcome["ratios"][1]["median"].as_f64().is_some_and(|ratio| ratio > 0.0), "{outcome}");
    }
    Ok(())
}

#[test]
fn the_table_has_both_sides_and_the_ratio() -> Result<()> {
    let output = biarch(&["compare", "--quick", "divide64"])?;
    ensure!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    ensure!(table.contains("the same program on both sides"), "{table}");
    ensure!(table.lines().any(|line| line.contains("divide64") && line.contains(" to ")), "{table}");
    Ok(())
}

#[test]
fn commands_of_the_user_are_compared_only_if_they_say_the_same() -> Result<()> {
    let output = biarch(&["compare", "--quick", "--any-abi", "--", "/bin/echo", "same", "--", "/bin/echo", "same"])?;
    ensure!(output.status.success(), "{}", text(&output.stderr));
    ensure!(text(&output.stdout).contains("commands"), "{}", text(&output.stdout));
    for (words, says) in [
        (vec!["--", "/bin/echo", "one", "--", "/bin/echo", "two"], "different results"),
        (vec!["--", "/bin/true", "--", "/bin/false"], "exit status: 1"),
        (vec!["--", "/nowhere/program", "--", "/bin/true"], "/nowhere/program"),
        (vec!["--", "/bin/true"], "COMMAND64"),
        (vec!["--", "/bin/true", "--"], "COMMAND64"),
        (vec!["time", "--", "/bin/true", "--", "/bin/true"], "not both"),
    ] {
        let output = biarch(&[&["compare", "--quick", "--any-abi"], words.as_slice()].concat())?;
        let said = text(&output.stderr);
        ensure!(output.status.code() == Some(1) && said.contains(says), "{words:?}: {}: {said}", output.status);
    }
    Ok(())
}

#[test]
fn what_is_not_there_is_named_with_what_is() -> Result<()> {
    let output = biarch(&["compare", "speed"])?;
    let said = text(&output.stderr);
    ensure!(
        output.status.code() == Some(1) && said.contains("no suite or benchmark speed") && said.contains("constants"),
        "{said}"
    );
    Ok(())
}

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

fn compared(words: &[&str]) -> Result<serde_json::Value> {
    let output = biarch(&[&["compare", "--quick", "--budget", "0", "--json"], words].concat())?;
    ensure!(output.status.success(), "{}", text(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Whether every side that has to do with an outcome has all rounds, and no other side has any.
fn complete(found: &serde_json::Value, outcome: &serde_json::Value) -> Result<()> {
    ensure!(outcome["missing"].as_array().is_some_and(Vec::is_empty), "{outcome}");
    let sides = found["sides"].as_array().context("sides")?.iter().map(|side| side.as_str().unwrap_or_default());
    let samples = outcome["samples"].as_array().context("samples")?;
    ensure!(sides.len() == samples.len() && samples.len() >= 2, "{outcome}");
    for (side, samples) in sides.zip(samples) {
        let takes_part = match side.rsplit([' ', '/']).next() {
            _ if side.contains('/') => outcome["suite"] == "ipc",
            Some("stub" | "patched" | "trap" | "kernel") => outcome["suite"] == "designs",
            _ => true,
        };
        let rounds = samples.as_array().context("samples")?.len();
        ensure!(if takes_part { rounds >= 10 } else { rounds == 0 }, "{}: {side}: {rounds}", outcome["name"]);
    }
    ensure!(outcome["ratios"][1]["median"].as_f64().is_some_and(|ratio| ratio > 0.0), "{outcome}");
    Ok(())
}

#[test]
fn every_benchmark_runs_on_both_sides_with_the_same_result() -> Result<()> {
    let found = compared(&[])?;
    ensure!(found["sides"][0] == "x86-64", "{}", found["sides"]);
    let outcomes = found["outcomes"].as_array().context("outcomes")?;
    let listed = biarch(&["compare", "list", "--json"])?;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout)?;
    let listed = listed["benchmarks"].as_array().context("benchmarks")?;
    let always: Vec<_> = listed.iter().filter(|row| row["when"] == "always").map(|row| &row["name"]).collect();
    ensure!(outcomes.iter().map(|outcome| &outcome["name"]).collect::<Vec<_>>() == always, "the list and what is run differ");
    outcomes.iter().try_for_each(|outcome| complete(&found, outcome))
}

#[test]
fn system_calls_are_made_through_every_way_in_one_by_one_and_many_at_once() -> Result<()> {
    let found = compared(&["open_int80", "ppoll_vdso", "batch_write_4", "batch_statx_4"])?;
    let help = text(&biarch(&["run", "--help"])?.stdout);
    let entries = help.lines().skip_while(|line| !line.contains("--entry <")).take_while(|line| !line.contains("[default"));
    let entries: Vec<&str> = entries.filter_map(|line| line.trim().strip_prefix("- ")?.split(':').next()).collect();
    ensure!(entries.len() >= 4, "{help}");
    for entry in entries {
        let name = format!("i386 {entry}");
        if found["left_out"].as_array().is_some_and(|all| all.iter().any(|why| why.to_string().contains(&name))) {
            under_test::left_out(&found["left_out"]);
            continue;
        }
        ensure!(
            found["sides"].as_array().is_some_and(|sides| sides.iter().any(|side| *side == *name)),
            "{}: {name}",
            found["sides"]
        );
    }
    for outcome in found["outcomes"].as_array().context("outcomes")? {
        // A kernel may be told to give nobody a ring.
        if outcome["missing"].as_array().is_some_and(|all| all.iter().any(|why| why.to_string().contains("io_uring"))) {
            under_test::left_out(format_args!("{}: {}", outcome["name"], outcome["missing"]));
            continue;
        }
        complete(&found, outcome)?;
        ensure!(outcome["verdict"].is_null(), "nobody moves for a way in: {outcome}");
    }
    Ok(())
}

#[test]
fn on_a_kernel_without_32_bit_programs_those_under_biarch_take_part_in_everything() -> Result<()> {
    // To the kernel's own 32-bit programs the launcher is deadly.
    let mut command = Command::new(env!("CARGO_BIN_EXE_launcher"));
    command.arg(under_test::biarch()?).args(["compare", "--quick", "--budget", "0", "--json"]);
    command.args(["null_call", "pipe_same_0", "futex_same_60", "getppid_int80", "mix_1"]);
    let output = command.stdin(Stdio::null()).output()?;
    ensure!(output.status.success(), "{}", text(&output.stderr));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let sides: Vec<&str> = found["sides"].as_array().context("sides")?.iter().filter_map(|side| side.as_str()).collect();
    let (pairs, ways) = (["x86-64/i386 biarch", "i386 biarch/x86-64"], ["i386 stub", "i386 patched", "i386 trap"]);
    ensure!(sides == [&["x86-64", "i386 biarch"], &pairs[..], &ways].concat(), "{sides:?}");
    let left_out = found["left_out"].to_string();
    ensure!(left_out.contains("i386: ") && left_out.contains("i386 kernel: "), "{left_out}");
    found["outcomes"].as_array().context("outcomes")?.iter().try_for_each(|outcome| complete(&found, outcome))
}

#[test]
fn what_needs_two_processors_is_said_to_be_missing_on_one() -> Result<()> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).context("allowed processors")?;
    let first = allowed.trim().split([',', '-']).next().context("a processor")?;
    let mut command = Command::new("taskset");
    command.args(["-c", first]).arg(under_test::biarch()?).args([
        "compare",
        "--quick",
        "--budget",
        "0",
        "futex_same_0",
        "futex_apart_0",
    ]);
    let output = command.stdin(Stdio::null()).output()?;
    let said = text(&output.stdout);
    ensure!(output.status.success(), "{}", text(&output.stderr));
    ensure!(said.contains("not measured: futex_apart_0: x86-64: there is only one processor"), "{said}");
    ensure!(said.lines().any(|line| line.trim_start().starts_with("0 words") && line.contains(" us")), "{said}");
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

#[test]
fn two_programs_are_compared_without_running_them() -> Result<()> {
    let (one, two) = ("/usr/i686-linux-gnu/lib/libm.so.6", "/usr/aarch64-linux-gnu/lib/libm.so.6");
    let two = if std::path::Path::new(two).exists() { two } else { one };
    let output = biarch(&["compare", "--static", two, one])?;
    let table = text(&output.stdout);
    ensure!(
        output.status.success() && table.contains("  .text") && table.contains("arithmetic"),
        "{table}{}",
        text(&output.stderr)
    );
    let json = biarch(&["compare", "--static", one, two, "--json"])?;
    let found: serde_json::Value = serde_json::from_slice(&json.stdout)?;
    let sum = found["sections"]["loaded"]["narrow"].as_u64().context("a sum")?.to_string();
    ensure!(found["narrow"]["abi"] == "i386" && table.lines().any(|line| line.contains(&sum)), "{sum}: {table}");
    let output = biarch(&["compare", "--static", one, "/etc/passwd"])?;
    ensure!(
        output.status.code() == Some(1) && text(&output.stderr).contains("/etc/passwd is no ELF"),
        "{}",
        text(&output.stderr)
    );
    Ok(())
}

#[test]
fn the_code_of_a_benchmark_is_printed_for_both_sides() -> Result<()> {
    let output = biarch(&["compare", "--explain", "divide64"])?;
    let code = text(&output.stdout);
    ensure!(output.status.success() && code.contains("run_divide64:") && code.contains("calls __udivdi3"), "{code}");
    let output = biarch(&["compare", "--explain", "calls"])?;
    ensure!(text(&output.stderr).contains("there is no benchmark calls"), "{}", text(&output.stderr));
    Ok(())
}

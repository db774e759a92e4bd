//! `biarch check`, `explain` and `list rules` as a user or a script sees them: formats, exit statuses, what goes where. What is
//! found, and that it is right, is tested in `crates/check/tests`.
#![allow(clippy::print_stderr, reason = "what is left out says so")]

use anyhow::{Context, Result, ensure};
use biarch_tests::under_test;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn biarch(words: &[&str]) -> Result<Output> {
    Ok(Command::new(under_test::biarch()?).args(words).env_remove("NO_COLOR").stdin(Stdio::null()).output()?)
}

/// A kernel configuration in a file.
fn config(name: &str, text: &str) -> Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    std::fs::create_dir_all(&directory)?;
    let path = directory.join(name);
    std::fs::write(&path, text)?;
    Ok(path)
}

const SLOW: &str = "# Linux/arm64 6.17.5 Kernel Configuration\nCONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_CC_IS_GCC=y\n\
                    CONFIG_KUSER_HELPERS=y\nCONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_SWP_EMULATION=y\n\
                    CONFIG_CP15_BARRIER_EMULATION=y\nCONFIG_SETEND_EMULATION=y\n";

#[test]
fn the_report_of_the_best_known_fault() -> Result<()> {
    let path = config("slow", SLOW)?;
    let name = path.to_str().context("a test's path is text")?;
    let output = biarch(&["check", name])?;
    let text = String::from_utf8(output.stdout)?;
    ensure!(output.status.code() == Some(1), "{text}");
    ensure!(output.stderr.is_empty(), "standard error is for talk");
    ensure!(!text.contains('\x1b'), "no colour where there is no terminal: {text}");
    let line = text.lines().find(|line| line.contains("K001")).context("no line about K001")?;
    ensure!(
        line == format!("slow   K001  {name}: 32-bit programs make a system call whenever they read the clock, 25 times slower")
    );
    for part in ["CONFIG_COMPAT_VDSO has no line", "CROSS_COMPILE_COMPAT=arm-linux-gnueabihf-", "1 slow, 1 note"] {
        ensure!(text.contains(part), "no {part:?} in {text}");
    }
    Ok(())
}

#[test]
fn the_exit_status_says_it_all() -> Result<()> {
    let slow = config("status", SLOW)?;
    let slow = slow.to_str().context("a test's path is text")?;
    for (words, status) in [
        (vec!["check", slow], 1),
        (vec!["check", slow, "--fail-on", "slow"], 1),
        (vec!["check", slow, "--fail-on", "fails"], 0),
        (vec!["check", "/dev/null"], 2),
        (vec!["check", "/dev/null", slow], 1),
        (vec!["check", "/dev/null", slow, "--fail-on", "fails"], 2),
        (vec!["check", "--kit", "/dev/null/kit"], 2),
        (vec!["check", "--kit", "kit", slow], 2),
        (vec!["check", slow, "--fail-on", "never"], 2),
        (vec!["explain", "k001"], 0),
        (vec!["explain", "K999"], 1),
    ] {
        let output = biarch(&words)?;
        ensure!(output.status.code() == Some(status), "{words:?}: {output:?}");
    }
    Ok(())
}

#[test]
fn machine_formats_are_the_same_twice() -> Result<()> {
    let path = config("twice", SLOW)?;
    let name = path.to_str().context("a test's path is text")?;
    for format in ["--json", "--sarif"] {
        let [one, two] = [biarch(&["check", format, name])?, biarch(&["check", format, name])?];
        ensure!(one.stdout == two.stdout && one.status.code() == Some(1));
        let text = String::from_utf8(one.stdout)?;
        ensure!(text.starts_with("{\n") && text.ends_with("}\n") && text.contains("K001"), "{text}");
    }
    Ok(())
}

#[test]
fn every_rule_can_be_explained() -> Result<()> {
    let list = String::from_utf8(biarch(&["list", "rules"])?.stdout)?;
    let ids: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    ensure!(ids.len() >= 40, "{list}");
    for id in ids {
        let output = biarch(&["explain", id])?;
        let text = String::from_utf8(output.stdout)?;
        for heading in ["\nWhat\n", "\nWhy\n", "\nFix\n", "\nReferences\n"] {
            ensure!(output.status.success() && text.contains(heading), "{id}: no {heading:?} in {text}");
        }
    }
    Ok(())
}

#[test]
fn a_reader_that_goes_away_is_no_failure() -> Result<()> {
    let path = config("pipe", SLOW)?;
    let mut child =
        Command::new(under_test::biarch()?).arg("check").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    ensure!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// What is measured, and where something is, is another each time.
fn is_steady(line: &str) -> bool {
    !line.starts_with("ns.") && !line.starts_with("address.") && !line.starts_with("auxv.")
}

#[test]
fn this_machine_is_looked_at_where_nothing_is_given() -> Result<()> {
    let output = biarch(&["check", "--json"])?;
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    ensure!(found["targets"][0]["name"] == "this machine", "{found}");
    let worst = found["findings"].as_array().context("no findings")?.iter().any(|finding| finding["severity"] != "note");
    let unchecked = found["not_checked"].as_array().context("nothing about what is not checked")?;
    let status = if worst { 1 } else if unchecked.is_empty() { 0 } else { 2 };
    ensure!(output.status.code() == Some(status) && output.stderr.is_empty(), "{output:?}");
    Ok(())
}

#[test]
fn a_probe_finds_the_same_under_biarch() -> Result<()> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check/kit");
    let name = directory.to_str().context("a test's path is text")?;
    ensure!(biarch(&["check", "--kit", name])?.status.success());
    for file in ["README.txt", "check.sh", "probe-armhf", "probe-i386"] {
        ensure!(directory.join(file).is_file(), "no {file} in the kit");
    }
    let probe = directory.join("probe-i386");
    let said = |output: Output| -> Result<Vec<String>> {
        let text = String::from_utf8(output.stdout)?;
        ensure!(output.status.success() && text.ends_with("end i386\n"), "{:?}: {text}", output.status);
        Ok(text.lines().filter(|line| is_steady(line)).map(str::to_owned).collect())
    };
    let under = said(biarch(&["run", probe.to_str().context("a test's path is text")?])?)?;
    ensure!(under.iter().any(|line| line == "call.clock_gettime64 ok"), "{under:?}");
    match Command::new(&probe).output() {
        Ok(native) => ensure!(said(native)? == under, "{under:?}"),
        Err(error) if error.raw_os_error() == Some(8) => eprintln!("not compared: this kernel does not run i386 programs"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

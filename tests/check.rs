//! `biarch check`, `explain` and `list rules` as a user or a script sees them: formats, exit statuses, what goes where. What is
//! found, and that it is right, is tested in `crates/check/tests`.

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
        (vec!["check"], 2),
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

#[test]
fn a_build_tree_is_repaired() -> Result<()> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join("build");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(directory.join("conf"))?;
    std::fs::write(directory.join("conf/bblayers.conf"), "BBPATH = \"${TOPDIR}\"\nBBLAYERS = \"\"\n")?;
    std::fs::create_dir_all(directory.join("conf/machine"))?;
    std::fs::write(directory.join("conf/machine/qemuarm64.conf"), "DEFAULTTUNE ?= \"armv8a\"\n")?;
    std::fs::write(
        directory.join("conf/local.conf"),
        "MACHINE = \"qemuarm64\"\nrequire conf/multilib.conf\nMULTILIBS = \"multilib:lib32\"\n\
         DEFAULTTUNE:virtclass-multilib-lib32 = \"armv7athf-neon\"\n",
    )?;
    let name = directory.to_str().context("a test's path is text")?;
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    // --write alone may be a slip of the hand.
    ensure!(biarch(&["check", "--write", name])?.status.code() == Some(2));
    let printed = biarch(&["check", "--fix", name])?;
    for part in ["create classes/compat-vdso.bbclass:", "add to conf/local.conf:", "    INHERIT += \"compat-vdso\""] {
        ensure!(text(&printed).contains(part), "no {part:?} in {}", text(&printed));
    }
    ensure!(!directory.join("classes").exists(), "--fix alone writes nothing");
    let json = text(&biarch(&["check", "--json", name])?);
    ensure!(json.contains("\"action\": \"append\",") && json.contains("\"path\": \"conf/local.conf\","), "{json}");
    let written = biarch(&["check", "--fix", "--write", name])?;
    let said = String::from_utf8_lossy(&written.stderr).into_owned();
    ensure!(written.status.code() == Some(1) && said.lines().count() == 2, "{said}");
    ensure!(said.starts_with("created ") && said.contains("\nadded lines to "), "{said}");
    let after = biarch(&["check", "--fix", "--write", name])?;
    ensure!(!text(&after).contains("K080") && after.stderr.is_empty(), "{after:?}");
    // What is refused is said, and is no success.
    std::fs::write(directory.join("classes/compat-vdso.bbclass"), "# another\n")?;
    let refused = biarch(&["check", "--fix", "--write", "--fail-on", "fails", name])?;
    ensure!(refused.status.code() == Some(1), "{refused:?}");
    ensure!(String::from_utf8_lossy(&refused.stderr).contains("was left alone: "), "{refused:?}");
    Ok(())
}

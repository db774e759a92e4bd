//! Filtering and comparing two texts with the machine's own sed and diff, whose output everyone can read.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::case::Case;

/// The number of lines of a difference that are shown.
const SHOWN: usize = 60;

/// How `biarch` differs from `native` once the case's filters are applied; empty when it does not.
pub(crate) fn filtered(case: &Case, what: &str, native: &[u8], biarch: &[u8]) -> Result<String> {
    let [native, biarch] = [filter(case, native)?, filter(case, biarch)?];
    if native == biarch {
        return Ok(String::new());
    }
    let directory = std::env::temp_dir().join(format!("biarch-programs-{}-{}-{}", std::process::id(), case.program, case.name));
    std::fs::create_dir_all(&directory)?;
    let left = directory.join("native");
    let right = directory.join("biarch");
    std::fs::write(&left, &native)?;
    std::fs::write(&right, &biarch)?;
    let labels = [format!("--label=native {what}"), format!("--label=biarch {what}")];
    let text = output(Command::new("diff").arg("--unified").args(labels).args([&left, &right]), &[])?;
    std::fs::remove_dir_all(&directory)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines = text.lines().count();
    let mut shown: String = text.lines().take(SHOWN).flat_map(|line| [line, "\n"]).collect();
    if lines > SHOWN {
        shown.push_str(&format!("… and {} more lines\n", lines - SHOWN));
    }
    Ok(shown)
}

fn filter(case: &Case, text: &[u8]) -> Result<Vec<u8>> {
    if case.filters.is_empty() {
        return Ok(text.to_owned());
    }
    let expressions = case.filters.iter().flat_map(|expression| ["-e", expression]);
    output(Command::new("sed").arg("-E").args(expressions).env("LC_ALL", "C"), text)
}

fn output(command: &mut Command, input: &[u8]) -> Result<Vec<u8>> {
    let name = Path::new(command.get_program()).display().to_string();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().with_context(|| name.clone())?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let input = input.to_owned();
    // A thread of its own: the child writes before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    // A reader that ends early is no failure of the writer's.
    let _ = writer.join();
    ensure!(output.status.code().is_some_and(|code| code < 2), "{name}: {}", output.status);
    Ok(output.stdout)
}

//! `measured`: the figures in the documentation, measured anew by the commands that are named beside them.
//!
//! A block of code below the line `<!-- measured: ARGUMENTS -->` is what `biarch ARGUMENTS` prints; where they begin with `cargo`, what
//! that prints: a benchmark of `benches`.

use anyhow::{Context, Result, bail, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const MARK: (&str, &str) = ("<!-- measured: ", " -->");
const FENCE: &str = "```";

/// Writes the pages anew; those of `docs` where none is named. What is measured is `$BIARCH`, or the release build.
pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    let biarch = std::env::var_os("BIARCH").map_or_else(
        || crate::root().join(format!("target/{}-unknown-linux-gnu/release/biarch", std::env::consts::ARCH)),
        PathBuf::from,
    );
    let pages = match arguments {
        [] => crate::files(&crate::root().join("docs"), "md")?,
        named => named.iter().map(PathBuf::from).collect(),
    };
    for page in pages {
        let old = std::fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
        let new = replace(&old, &mut |words| {
            let (program, words) = match words.strip_prefix("cargo ") {
                Some(words) => (Path::new("cargo"), words),
                None => (biarch.as_path(), words),
            };
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            writeln!(out, "{}: {name} {words}", page.display())?;
            let output = Command::new(program).args(words.split(' ')).env("NO_COLOR", "1").env("BIARCH", &biarch).output();
            let output = output.with_context(|| format!("cannot run {}: make build, or set BIARCH", program.display()))?;
            ensure!(output.status.success(), "{name} {words}: {}", String::from_utf8_lossy(&output.stderr).trim_end());
            Ok(String::from_utf8(output.stdout)?)
        })
        .with_context(|| page.display().to_string())?;
        if new != old {
            std::fs::write(&page, new).with_context(|| format!("cannot write {}", page.display()))?;
        }
    }
    Ok(())
}

fn replace(page: &str, measure: &mut dyn FnMut(&str) -> Result<String>) -> Result<String> {
    let mut new = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        new.extend([line, "\n"]);
        let Some(words) = line.strip_prefix(MARK.0).and_then(|rest| rest.strip_suffix(MARK.1)) else { continue };
        if lines.next() != Some(FENCE) || !lines.any(|line| line == FENCE) {
            bail!("below `{line}` there is no block of code");
        }
        new.extend([FENCE, "\n", measure(words)?.trim_end(), "\n", FENCE, "\n"]);
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::replace;

    #[test]
    fn only_the_block_below_a_mark_is_replaced_and_all_of_it() {
        let page = "a\n```\nkept\n```\n<!-- measured: compare mix -->\n```\nold\n\nold\n```\nb\n";
        let new = replace(page, &mut |words| Ok(format!("new of {words}\n\n"))).expect("it is well-formed");
        assert_eq!(new, "a\n```\nkept\n```\n<!-- measured: compare mix -->\n```\nnew of compare mix\n```\nb\n");
        for damaged in ["<!-- measured: x -->\n", "<!-- measured: x -->\ntext\n```\n```\n", "<!-- measured: x -->\n```\nno end\n"]
        {
            replace(damaged, &mut |_| Ok(String::new())).expect_err(damaged);
        }
    }
}

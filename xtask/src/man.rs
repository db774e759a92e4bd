//! `man`: the man pages, from the same description as `--help`.

use anyhow::{Result, bail};
use std::io::Write;
use std::process::Command;

pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    let directory = arguments.first().map_or_else(|| crate::root().join("target/man"), Into::into);
    std::fs::create_dir_all(&directory)?;
    // The description is in the command itself, which therefore writes them.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(crate::root())
        .args(["run", "--quiet", "--package", "biarch", "--", "man"])
        .arg(std::path::absolute(&directory)?)
        .status()?;
    if !status.success() {
        bail!("writing the man pages failed: {status}");
    }
    for page in crate::files(&directory, "1")? {
        writeln!(out, "{}", page.display())?;
    }
    Ok(())
}

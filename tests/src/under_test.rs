//! The biarch that is tested by suites that run it as a command.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// `BIARCH`, or what this workspace has built last in the better profile, or what it builds now.
pub fn biarch() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("BIARCH") {
        return PathBuf::from(&path).canonicalize().with_context(|| Path::new(&path).display().to_string());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the tests are in a workspace")?;
    let built = |profile: &str| root.join("target/x86_64-unknown-linux-gnu").join(profile).join("biarch");
    if built("release").exists() {
        return Ok(built("release"));
    }
    if !built("debug").exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo).args(["build", "--package", "biarch"]).current_dir(root).status()?;
        ensure!(status.success(), "biarch does not build");
    }
    Ok(built("debug"))
}

/// Compiles a C program for i386 into `directory`; `None` where there is no cross compiler.
pub fn compile_32(directory: &Path, name: &str, source: &str, options: &[&str]) -> Result<Option<PathBuf>> {
    let (text, binary) = (directory.join(name).with_extension("c"), directory.join(name));
    std::fs::write(&text, source)?;
    let mut command = Command::new("i686-linux-gnu-gcc");
    command.args(["-O1", "-w"]).args(options).arg("-o").arg(&binary).arg(&text);
    match command.status() {
        Ok(status) => {
            ensure!(status.success(), "{} does not compile", text.display());
            Ok(Some(binary))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

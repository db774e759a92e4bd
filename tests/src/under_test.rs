//! The biarch that is tested by suites that run it as a command.

use anyhow::{Context, Result, ensure};
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `BIARCH`, or what this workspace has built last in the better profile. It may not be there.
#[must_use]
pub fn unbuilt() -> PathBuf {
    let built = |profile: &str| root().join("target/x86_64-unknown-linux-gnu").join(profile).join("biarch");
    let last = || Some(built("release")).filter(|path| path.exists()).unwrap_or_else(|| built("debug"));
    std::env::var_os("BIARCH").map_or_else(last, PathBuf::from)
}

/// `BIARCH`, or what this workspace has built last in the better profile, or what it builds now.
pub fn biarch() -> Result<PathBuf> {
    let path = unbuilt();
    if std::env::var_os("BIARCH").is_none() && !path.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo).args(["build", "--package", "biarch"]).current_dir(root()).status()?;
        ensure!(status.success(), "biarch does not build");
    }
    path.canonicalize().with_context(|| path.display().to_string())
}

/// The words that put a program under biarch, and that under `launcher` where there is one; `None` for `BIARCH=none`, which
/// compares native with native. `BIARCH_ENTRY` and `BIARCH_VDSO` are passed on; `BIARCH_VDSO=missing` is for the launcher.
pub fn words(launcher: Option<PathBuf>) -> Result<Option<Vec<PathBuf>>> {
    if unbuilt() == Path::new("none") {
        return Ok(None);
    }
    let entry = std::env::var_os("BIARCH_ENTRY");
    // The kernel's own entry is there for comparison; the one thing it cannot do is live without 32-bit system calls.
    let guarded = entry.as_deref().is_none_or(|entry| entry != "kernel");
    let mut words: Vec<PathBuf> = launcher.filter(|_| guarded).into_iter().collect();
    let vdso = std::env::var_os("BIARCH_VDSO");
    if vdso.as_deref().is_some_and(|vdso| vdso == "missing") {
        ensure!(!words.is_empty(), "BIARCH_VDSO=missing needs the launcher");
        words.push(PathBuf::from("--without-vdso"));
    }
    words.extend([biarch()?, PathBuf::from("run")]);
    if let Some(entry) = entry {
        words.extend([PathBuf::from("--entry"), PathBuf::from(entry)]);
    }
    if let Some(vdso) = vdso.filter(|vdso| vdso != "missing") {
        words.extend([PathBuf::from("--vdso"), PathBuf::from(vdso)]);
    }
    Ok(Some(words))
}

fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
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

/// Says that this machine cannot test something, and why. What a test prints is kept from view when it passes; this is not, and
/// tests/run shows it.
pub fn left_out(why: impl Display) {
    let _ = writeln!(std::io::stderr(), "left out: {why}");
}

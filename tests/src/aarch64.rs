//! biarch for AArch64: `BIARCH_AARCH64`, or what the workspace builds.

use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Why it cannot be built, if it cannot.
#[must_use]
pub fn missing() -> Option<String> {
    if std::env::var_os("BIARCH_AARCH64").is_some() {
        return None;
    }
    let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let library = rustc.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())).unwrap_or_default();
    if !library.is_dir() {
        return Some(format!("no standard library for {TARGET} (packaging/install-dependencies.sh dist)"));
    }
    let linker = Command::new("aarch64-linux-gnu-gcc").arg("--version").stdout(Stdio::null()).status();
    (!linker.is_ok_and(|status| status.success())).then(|| "no aarch64-linux-gnu-gcc".to_owned())
}

/// Builds it, without a warning, in the workspace at `root`.
pub fn biarch(root: &Path) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("BIARCH_AARCH64") {
        return Ok(path.into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--locked", "--release", "--package", "biarch", "--target", TARGET];
    let output = Command::new(cargo).args(arguments).current_dir(root).output()?;
    let talk = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && !talk.contains("warning:"), "{talk}");
    Ok(root.join("target").join(TARGET).join("release/biarch"))
}

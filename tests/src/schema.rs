//! Schemas, against which the formats are held.

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Where `document` is not what `schema` says.
///
/// # Errors
/// Where `schema` is none.
pub fn violations(schema: Value, document: &Value) -> Result<Option<String>> {
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.enable_format_assertions();
    compiler.add_resource("https://example.org/schema", schema).map_err(|error| anyhow!("{error}"))?;
    let index = compiler.compile("https://example.org/schema", &mut schemas).map_err(|error| anyhow!("{error}"))?;
    Ok(schemas.validate(document, index).err().map(|error| error.to_string()))
}

/// The schema of SARIF 2.1.0, in the sources of a package that is never built.
///
/// # Errors
/// Where cargo does not have it.
pub fn sarif() -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(["metadata", "--format-version", "1", "--locked", "--all-features"]).output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").context("serde-sarif is not in Cargo.lock")?;
    let manifest = package["manifest_path"].as_str().context("no manifest")?;
    Ok(serde_json::from_slice(&std::fs::read(Path::new(manifest).with_file_name("src").join("schema.json"))?)?)
}

//! `biarch bridge call LIBRARY DECLARATION ARGUMENT…`: one call.

use super::Reach;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Call a function of a 32-bit library, and print what it returns
#[derive(Args)]
#[command(after_help = "Examples:
  biarch bridge call libm.so.6 'double cos(double)' 1.0
  biarch bridge call libz.so.1 'const char *zlibVersion(void)'
  biarch bridge call ./libvendor.so 'int vendor_check(const char *key, int level)' ABC-123 2")]
pub(crate) struct Call {
    /// The 32-bit library: a path, or a name such as libm.so.6
    library: PathBuf,
    /// The function, as a header declares it
    declaration: String,
    /// Its arguments: numbers, strings, NULL
    #[arg(allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// How the library is reached
    #[arg(long, value_name = "HOW", default_value = "in-process")]
    transport: Reach,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Call {
    pub(crate) fn run(self) -> Result<()> {
        let call = ::bridge::call::Call {
            library: self.library,
            declaration: self.declaration,
            arguments: self.arguments,
            transport: self.transport.transport(),
        };
        let result = call.run()?;
        let mut out = ui::color::stdout();
        if self.json {
            writeln!(out, "{}", json!({"function": call.declaration, "result": result}))?;
        } else if !result.is_empty() {
            writeln!(out, "{result}")?;
        }
        out.flush()?;
        Ok(())
    }
}

//! `biarch bridge build FILE`: the 64-bit library.

use ::bridge::annotation::Annotation;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Build the 64-bit library, or the source of an interface's client and server
///
/// Besides the library there are its C source, the headers, a file for pkg-config, a Python module (ctypes) and Rust declarations. For an
/// interface of your own (`interface` in the annotation file) there are the C source of client and server, for any word size, and headers.
#[derive(Args)]
pub(crate) struct Build {
    /// The annotation file
    file: PathBuf,
    /// Where everything goes
    #[arg(short, long, value_name = "DIR", default_value = "bridge")]
    output: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Build {
    pub(crate) fn run(self) -> Result<()> {
        let annotation = Annotation::read(&self.file)?;
        let built = ::bridge::build::build(&annotation, &self.output)?;
        let mut out = ui::color::stdout();
        if self.json {
            let skipped: serde_json::Map<_, _> = built.skipped.iter().map(|(name, why)| (name.clone(), json!(why))).collect();
            let value = json!({"library": built.library, "files": built.files, "functions": built.functions, "left_out": skipped,
                    "as_compiled": built.compared.ok()});
            writeln!(out, "{value:#}")?;
        } else {
            writeln!(out, "{}: {} functions", built.library.display(), built.functions)?;
            if let Some(name) = &annotation.interface {
                let directory = self.output.display();
                writeln!(
                    out,
                    "compile it with the client, {directory}/{name}-server.c with the server: -I{directory}/include -pthread"
                )?;
            }
            match &built.compared {
                Ok(0) => {}
                Ok(count) => writeln!(out, "  {count} of them are declared as the library's debugging information says")?,
                Err(why) => {
                    writeln!(out, "  the library's debugging information cannot be read, and the header is believed: {why}")?
                }
            }
            for (name, why) in &built.skipped {
                writeln!(out, "  left out: {name}: {why}")?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

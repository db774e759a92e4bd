//! `biarch bridge init HEADER [LIBRARY]`: the first annotation file.

use super::Reach;
use ::bridge::annotation::{Annotation, Transport};
use ::bridge::{ipc, library, questions};
use ::port::interface;
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Write a first annotation file for a library, or for an interface of your own
///
/// What pointers are for is guessed from types and names and filled in; what cannot be guessed is a question, a comment in its place.
#[derive(Args)]
pub(crate) struct Init {
    /// The library's header
    header: PathBuf,
    /// The 32-bit library: a path, or a name such as libz.so.1; none for an interface between a client and a server
    library: Option<PathBuf>,
    /// The file to write, instead of the library's name with .toml in this directory
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// A header that comes before
    #[arg(long, value_name = "HEADER")]
    before: Vec<String>,
    /// A directory with headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// How the library is reached; without it in-process where that is possible
    #[arg(long, value_name = "HOW")]
    transport: Option<Reach>,
}

impl Init {
    pub(crate) fn run(self) -> Result<()> {
        // Paths in the file start at the file.
        let absolute = |path: &PathBuf| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
        let header = absolute(&self.header)?;
        let found = self.library.map(|library| library::read(&library::find(&library, None))).transpose()?;
        let mut annotation = Annotation::new(header.clone(), found.as_ref().map(|found| found.path.clone()).unwrap_or_default());
        annotation.before = self.before;
        annotation.include = self.include.iter().map(absolute).collect::<Result<_>>()?;
        annotation.define = self.define;
        let pair = found.as_ref().map_or(library::NATIVE, |found| found.pair);
        let usual = if pair == library::X86 { Transport::InProcess } else { Transport::Process };
        annotation.transport = self.transport.map_or(usual, Reach::transport);
        let interface = interface::read(&header, pair, &annotation.arguments())?;
        let found = match found {
            Some(found) => found.with(&interface),
            None => {
                let stem = header.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                annotation.interface = Some(stem.clone());
                ipc::library(&interface, &stem)
            }
        };
        let asked = questions::ask(&interface, &found, annotation, [&header, &found.path]);
        let name = found.soname.split(".so").next().unwrap_or_default();
        let output = self.output.unwrap_or_else(|| PathBuf::from(format!("{}.toml", name.strip_prefix("lib").unwrap_or(name))));
        ensure!(self.force || !output.exists(), "{} is there already: --force writes over it", output.display());
        fs::write(&output, &asked.text).with_context(|| format!("cannot write {}", output.display()))?;
        let mut out = ui::color::stdout();
        let shown = output.display();
        writeln!(
            out,
            "{shown}: {} answers guessed, {} questions open, {} functions left out",
            asked.guessed, asked.open, asked.skipped
        )?;
        writeln!(out, "read it, then: biarch bridge build {shown}")?;
        out.flush()?;
        Ok(())
    }
}

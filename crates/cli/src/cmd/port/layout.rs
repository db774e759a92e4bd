//! `biarch port layout FILE TYPE…`: how types lie in memory on both sides.

use super::{CANNOT_TELL, arguments, parse};
use ::port::explorer::{self, Layouts};
use ::port::pair::Pair;
use anyhow::{Context, Result};
use clap::Args;
use elf::layout::Verdict;
use std::io::Write;
use std::path::{Path, PathBuf};
use ui::writers::layout;

/// Show how types lie in memory for 32 bits and for 64, side by side
///
/// FILE is a file of C or C++ source or a header, which is parsed for both; or two programs, libraries or object files of both word
/// sizes with debugging information (-g) are named before the types. A TYPE is `struct name`, `union name`, `name`, or, in C++,
/// `space::name`.
///
/// The verdict is Full where both layouts are the same, Repackable where every member has a counterpart that it can be converted to,
/// None where a person must decide. The exit status is 0 when all are Full, 1 when one is not, 2 when a type cannot be looked at.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch port layout header.h 'struct header'
  biarch port layout -I include --pair armhf:arm64 save.c player monster
  biarch port layout build32/save.o build64/save.o player")]
pub(crate) struct Show {
    /// Source, or two files with debugging information
    #[arg(value_name = "FILE", required = true)]
    file: PathBuf,
    /// The types
    #[arg(value_name = "TYPE", required = true)]
    types: Vec<String>,
    /// From which architecture to which
    #[arg(long, value_name = "FROM:TO", default_value = "i386:x86-64", value_parser = parse)]
    pair: Pair,
    /// A directory with headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self) -> u8 {
        match self.shown() {
            Ok(status) => status,
            Err(error) => ui::exit::failure(error.as_ref(), CANNOT_TELL),
        }
    }

    fn shown(&self) -> Result<u8> {
        let Layouts { sides, types } = self.layouts()?;
        let mut out = ui::color::stdout();
        let status = u8::from(types.iter().any(|one| one.verdict != Verdict::Full));
        let written = if self.json { layout::json(&sides, &types, &mut out) } else { layout::write(&sides, &types, &mut out) };
        match written.and_then(|()| out.flush()) {
            Err(error) if ui::exit::is_broken_pipe(&error) => Ok(status),
            written => Ok(written.map(|()| status)?),
        }
    }

    fn layouts(&self) -> Result<Layouts> {
        if explorer::is_elf(&self.file) {
            let (second, types) = self.types.split_first().context("the second file is missing")?;
            let second = PathBuf::from(second);
            anyhow::ensure!(
                explorer::is_elf(&second) && !types.is_empty(),
                "{} is one build: name that of the other word size as well, and then the types",
                self.file.display()
            );
            return explorer::of_builds([&self.file, &second], types);
        }
        let options = ::port::Options {
            paths: vec![Path::to_path_buf(&self.file)],
            pair: self.pair,
            arguments: arguments(&self.include, &self.define)?,
            jobs: 1,
            fix: false,
            allowed: Vec::new(),
            input: ::port::Input::default(),
        };
        explorer::of_source(&options, &self.types)
    }
}

//! `biarch port PATH…`: what breaks when source becomes 64-bit.

mod layout;

use ::port::pair::Pair;
use anyhow::Result;
use clap::{Args, Subcommand};
use findings::{Report, Rule, Severity};
use std::io::{self, Write};
use std::path::PathBuf;
use ui::Progress;
use ui::writers::report::Options;
use ui::writers::{html, json, sarif, source};

/// The exit status where nothing could be analysed.
const CANNOT_TELL: u8 = 2;

/// Find what breaks when C or C++ source that was written for 32 bits becomes 64-bit
///
/// Every file is parsed twice, for 32 bits and for 64, and what differs is looked at: conversions, constants, formats, layouts.
///
/// A PATH is a file, a directory, or a compile_commands.json, as CMake, Meson and Bear write it. In a directory its
/// compile_commands.json or that of build/ is taken; where there is none, all its files are taken.
///
/// The exit status is 0 when nothing was found, 1 when something was, 2 when nothing could be analysed.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch port .
  biarch port -I include -D HAVE_CONFIG_H src/
  biarch port --pair armhf:arm64 build/compile_commands.json
  biarch port --sarif . > port.sarif
  biarch port layout save.c 'struct header'
  biarch explain P001")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Port {
    #[command(subcommand)]
    command: Option<Command>,
    /// What to analyse
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// From which architecture to which
    #[arg(long, value_name = "FROM:TO", default_value = "i386:x86-64", value_parser = parse)]
    pair: Pair,
    /// A directory with headers, for every file
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro, for every file
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// How many files are parsed at a time; as many as there are processors
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Write JSON
    #[arg(long, group = "format")]
    json: bool,
    /// Write SARIF 2.1.0
    #[arg(long, group = "format")]
    sarif: bool,
    /// Write one HTML file that needs nothing else
    #[arg(long, group = "format")]
    html: bool,
    /// Say everything about each rule that has found something
    #[arg(long)]
    explain: bool,
}

#[derive(Subcommand)]
enum Command {
    Layout(layout::Show),
}

/// Shows how far it is.
struct Shown(Progress);

impl ::port::Progress for Shown {
    fn at(&self, done: u64, total: Option<u64>, what: &str) {
        self.0.at(done, total, what);
    }
}

fn parse(name: &str) -> Result<Pair, String> {
    Pair::parse(name).map_err(|error| error.to_string())
}

/// The options that the compiler knows.
fn arguments(include: &[PathBuf], define: &[String]) -> Result<Vec<String>> {
    let mut arguments = Vec::new();
    for directory in include {
        arguments.push(format!("-I{}", std::path::absolute(directory)?.display()));
    }
    arguments.extend(define.iter().map(|define| format!("-D{define}")));
    Ok(arguments)
}

impl Port {
    pub(crate) fn run(self) -> u8 {
        if let Some(Command::Layout(show)) = &self.command {
            return show.run();
        }
        match self.analysed() {
            Ok(status) => status,
            Err(error) => ui::exit::failure(error.as_ref(), CANNOT_TELL),
        }
    }

    fn analysed(&self) -> Result<u8> {
        let arguments = arguments(&self.include, &self.define)?;
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
        let options = ::port::Options { paths: self.paths.clone(), pair: self.pair, arguments, jobs };
        let progress = Shown(Progress::start());
        let found = ::port::analyse(&options, &progress)?;
        drop(progress);
        let status = found.exit_status(Severity::Risk);
        match self.write(&found) {
            // Whoever reads only the beginning is told the truth about the rest all the same.
            Err(error) if ui::exit::is_broken_pipe(&error) => Ok(status),
            written => Ok(written.map(|()| status)?),
        }
    }

    fn write(&self, found: &Report) -> io::Result<()> {
        let mut out = ui::color::stdout();
        let rules: Vec<&Rule> = ::port::rules().collect();
        if self.json {
            json::report(found, "port", self.explain.then_some(rules.as_slice()), &mut out)?;
        } else if self.sarif {
            sarif::write(found, &rules, &mut out)?;
        } else if self.html {
            html::write(found, &rules, self.explain, &mut out)?;
        } else {
            source::write(found, &rules, Options { width: ui::columns(), explain: self.explain }, &mut out)?;
        }
        out.flush()
    }
}

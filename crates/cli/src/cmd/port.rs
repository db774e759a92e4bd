//! `biarch port PATH…`: what breaks when source becomes 64-bit.

mod layout;

use super::check::Level;
use ::port::Allowed;
use ::port::matrix;
use ::port::pair::Pair;
use anyhow::{Context, Result};
use clap::{Args, Subcommand, ValueEnum};
use findings::{Confidence, Report, Rule};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ui::writers::Format;
use ui::writers::report::Options;
use ui::writers::{json, sarif, source};
use ui::{Progress, Table};

/// The exit status where nothing could be analysed.
const CANNOT_TELL: u8 = 2;

/// Find what breaks when C or C++ source that was written for 32 bits becomes 64-bit
///
/// Every file is parsed twice, for 32 bits and for 64, and what differs is looked at: conversions, constants, formats, layouts.
///
/// A PATH is a file, a directory, or a compile_commands.json, as CMake, Meson and Bear write it. In a directory its
/// compile_commands.json or that of build/ is taken; where there is none, all its files are taken, with guessed options. A file is a
/// source, or what builds it: a Makefile, a configure script, a CMakeLists.txt, assembly.
///
/// After `--` comes a command that builds the project, which is run and observed: what it compiles is analysed. PATH is then the
/// directory whose files are the project's, by default this one.
///
/// What is found is certain, probable or only possible; what is only possible is counted, and shown with --all. A finding is
/// allowed by a comment in its line or above it, `// biarch: allow P010 the reason`, or by a line of a file of --suppress.
///
/// The exit status is 0 when nothing certain or probable was found, 1 when something was, 2 when nothing could be analysed.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch port .
  biarch port -- make -j8
  biarch port -I include -D HAVE_CONFIG_H src/
  biarch port --pair armhf:arm64 build/compile_commands.json
  biarch port --sarif . > port.sarif
  biarch port --json . > known.json; biarch port --baseline known.json .
  biarch port --suppress allowed.txt --fail-on fails .
  biarch port layout save.c 'struct header'
  biarch explain P001")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Port {
    #[command(subcommand)]
    command: Option<Command>,
    /// What to analyse: a source, a directory, a compile_commands.json, or a build file: a Makefile, a configure, a CMakeLists.txt, a script
    #[arg(value_name = "PATH", required_unless_present_any = ["build", "build_matrix", "json_schema"])]
    paths: Vec<PathBuf>,
    /// A command that builds the project
    #[arg(last = true, value_name = "BUILD")]
    build: Vec<OsString>,
    /// Fetch, build and analyse Debian's source packages that LIST names, one a line, for the new architecture, and print a table
    #[arg(long, value_name = "LIST", conflicts_with_all = ["paths", "build", "save", "sarif", "html", "explain"])]
    build_matrix: Option<PathBuf>,
    /// How many seconds the build of one package of the matrix may take
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..))]
    build_limit: u64,
    /// Write what is compiled, and how, as a compile_commands.json
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// How many seconds one file may take, for each word size
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    time_limit: u32,
    /// From which architecture to which
    #[arg(long, value_name = "FROM:TO", default_value = "i386:x86-64", value_parser = parse)]
    pair: Pair,
    /// A directory with headers, for every file
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro, for every file
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// How many parsers run at a time; as many as there are processors
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Where what was found is kept for the next run, instead of biarch/port in $XDG_CACHE_HOME
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Neither use what earlier runs have found, nor keep it
    #[arg(long)]
    no_cache: bool,
    /// Write JSON
    #[arg(long, group = "format")]
    json: bool,
    /// Write SARIF 2.1.0
    #[arg(long, group = "format")]
    sarif: bool,
    /// Write one HTML file that needs nothing else
    #[arg(long, group = "format")]
    html: bool,
    /// Show what is only possible one by one, and everything of which there is much; all of it counts for the exit status
    #[arg(long)]
    all: bool,
    /// Leave out, in every format, what is less sure
    #[arg(long, value_name = "HOW", default_value = "possible")]
    min_confidence: Sure,
    /// Print what repairs findings of the mechanical kind: formats, casts, constants. It compiles for both sides without new warnings
    #[arg(long)]
    fix: bool,
    /// Change the files accordingly
    #[arg(long, requires = "fix")]
    write: bool,
    /// The least severity of a finding that makes the exit status 1
    #[arg(long, value_name = "LEVEL", default_value = "risk")]
    fail_on: Level,
    /// Leave out what FILE has, an earlier report of --json; JSON and SARIF have it all, and say what is new
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Leave out what the lines of FILE allow: a rule, a path in which * is any text, and the reason
    #[arg(long, value_name = "FILE")]
    suppress: Vec<PathBuf>,
    /// Say everything about each rule that has found something
    #[arg(long)]
    explain: bool,
    /// Write the JSON schema of what --json writes, and look at nothing
    #[arg(long, exclusive = true)]
    json_schema: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sure {
    /// It breaks
    Certain,
    /// It breaks unless something unusual makes it right
    Probable,
    /// It depends on values
    Possible,
}

impl Sure {
    fn confidence(self) -> Confidence {
        match self {
            Self::Certain => Confidence::Certain,
            Self::Probable => Confidence::Probable,
            Self::Possible => Confidence::Possible,
        }
    }
}

#[derive(Subcommand)]
enum Command {
    Layout(layout::Show),
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
        if self.json_schema {
            let mut out = ui::color::stdout();
            json::report_schema(&mut out)?;
            out.flush()?;
            return Ok(0);
        }
        // Before the work, which may be long.
        let baseline = self.baseline.as_deref().map(|path| super::check::read(path, "biarch port --json PATH")).transpose()?;
        let mut allowed = Vec::new();
        for path in &self.suppress {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            allowed.extend(Allowed::parse(&path.display().to_string(), &text)?);
        }
        let arguments = arguments(&self.include, &self.define)?;
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
        let paths = if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() };
        let cache = self.cache.clone().or_else(::port::Input::usual_cache).filter(|_| !self.no_cache);
        let input = ::port::Input { build: self.build.clone(), save: self.save.clone(), time_limit: self.time_limit, cache };
        if let Some(list) = &self.build_matrix {
            return self.matrix(list, &input, jobs);
        }
        let options = ::port::Options { paths, pair: self.pair, arguments, jobs, fix: self.fix, allowed, input };
        let progress = Progress::start();
        let mut found = ::port::analyse(&options, &progress)?;
        drop(progress);
        let least = self.min_confidence.confidence();
        found.findings.retain(|finding| finding.confidence() >= least);
        if let Some(baseline) = baseline {
            baseline.compare(&mut found);
        }
        let counted = if self.all { Confidence::Possible } else { Confidence::Probable };
        // What could not be analysed is named; the status speaks of what was.
        let status = u8::from(found.exit_status_of(self.fail_on.severity(), counted) == 1);
        let written = self.write(&found);
        let status = if self.write && !apply(&found) { status.max(1) } else { status };
        match written {
            // Whoever reads only the beginning is told the truth about the rest all the same.
            Err(error) if ui::exit::is_broken_pipe(&error) => Ok(status),
            written => Ok(written.map(|()| status)?),
        }
    }

    /// The exit status is 0 where everything builds.
    fn matrix(&self, list: &Path, input: &::port::Input, jobs: usize) -> Result<u8> {
        let progress = Progress::start();
        let rows = matrix::run(list, self.pair, input, jobs, Duration::from_secs(self.build_limit), &progress)?;
        drop(progress);
        let columns =
            &["package", "version", "result", "step", "why", "files", "certain", "probable", "possible", "seconds", "error"];
        let mut table = Table::new("packages", 1, columns);
        for row in &rows {
            let [certain, probable, possible] = row.findings.map(Value::from);
            let (package, version) = (json!(row.package), json!(row.version));
            let result = json!(row.outcome);
            table.push([
                package,
                version,
                result,
                json!(row.step),
                json!(row.class),
                json!(row.files),
                certain,
                probable,
                possible,
                json!(row.seconds),
                json!(row.error),
            ]);
        }
        let mut out = ui::color::stdout();
        ui::writers::write(&table, if self.json { Format::Json } else { Format::Text }, &mut out)?;
        out.flush()?;
        Ok(u8::from(rows.iter().any(|row| row.outcome != matrix::Outcome::Builds)))
    }

    fn write(&self, found: &Report) -> io::Result<()> {
        let mut out = ui::color::stdout();
        let rules: Vec<&Rule> = ::port::rules().collect();
        if self.json {
            json::report(found, "port", self.explain.then_some(rules.as_slice()), &mut out)?;
        } else if self.sarif {
            sarif::write(found, &rules, &mut out)?;
        } else if self.html {
            source::html::write(found, &rules, self.explain, self.all, &mut out)?;
        } else {
            source::write(found, &rules, Options { width: ui::columns(), explain: self.explain }, self.all, &mut out)?;
            if self.fix {
                write!(out, "{}", ::port::write::diff(found))?;
            }
        }
        out.flush()
    }
}

/// Changes the files; says on stderr what became of each, and returns whether all went well.
fn apply(found: &Report) -> bool {
    let mut well = true;
    for (file, outcome) in ::port::write::apply(found) {
        match outcome {
            Ok(()) => ui::exit::say(&format!("changed {file}")),
            Err(error) => {
                well = false;
                ui::exit::say(&format!("{file} was left alone: {error:#}"));
            }
        }
    }
    well
}

//! `biarch compare`: the same work as 32-bit and as 64-bit.

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use compare::commands::{self, Packaged, Terms};
use compare::comparison::{self, Comparison};
use compare::measure::{self, Effort};
use compare::packages::Packages;
use compare::worker::Abi;
use compare::{binary, functions, kit, programs, results, side, work};
use serde_json::json;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ui::Table;
use ui::writers::{self, Format, history};

/// What concerns measurements, and nothing that is only looked at.
const ONLY_MEASURED: [&str; 10] =
    ["words", "commands", "packages", "markdown", "html", "quick", "full", "budget", "all", "counts"];

/// Measure the same work as a 32-bit and as a 64-bit program: should it move?
///
/// Programs of both word sizes take turns in fresh processes; what is claimed is the ratio of their times, with an interval of
/// 99 %. Before that the same program is compared with itself: differences that this machine makes by itself are never claimed.
///
/// WHAT is a suite or a benchmark; without one, all are run that `biarch compare list` says are run always. It may also be files that
/// `--json` has written, here or on other machines (a name with a dot or a slash): they are read, put side by side, and written again
/// in any format. After the first `--` follows a 32-bit command, after the second a
/// 64-bit one that does the same. With --package, one command follows, whose program is that of Debian's packages.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  biarch compare --quick
  biarch compare time system
  biarch compare --json > here.json; biarch compare here.json board.json --html report.html
  biarch compare --kit KIT; scp -r KIT board:/tmp; ssh board 'cd /tmp/KIT && sh compare.sh'
  biarch compare history here.json
  biarch compare --static ./tool32 ./tool64
  biarch compare -- ./tool32 --version -- ./tool64 --version
  biarch compare --fetch --package gzip -- gzip -9c FILE
  biarch compare --fetch crypto compile"
)]
pub(crate) struct Compare {
    #[command(subcommand)]
    registry: Option<Registry>,
    /// What to compare
    #[arg(value_name = "WHAT")]
    words: Vec<String>,
    /// Take less than a minute
    #[arg(long)]
    quick: bool,
    /// Take long, for publication
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// The time for each benchmark, on all sides together; there are never fewer rounds than an interval needs
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    budget: Option<Duration>,
    /// Also count instructions, by the processor's counters or by valgrind; --full does
    #[arg(long)]
    counts: bool,
    /// Also run the 32-bit programs under `biarch run` and under qemu-user
    #[arg(long)]
    all: bool,
    /// Compare one command, with the program of this Debian package of both architectures; may be given more than once
    #[arg(long = "package", value_name = "NAME")]
    packages: Vec<String>,
    /// Download packages that are not in the cache; nothing is installed
    #[arg(long)]
    fetch: bool,
    /// A command that takes longer is killed
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Compare commands although they print something else each time, or on each side
    #[arg(long)]
    ignore_output: bool,
    /// Compare commands although they fail, if they do so alike
    #[arg(long)]
    ignore_status: bool,
    /// Compare commands whatever they are: scripts, and programs that lead to others
    #[arg(long)]
    any_abi: bool,
    /// Write into DIR what a machine without biarch is measured with: a script, the programs, and how to use them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["all", "format", "html", "commands", "packages"])]
    kit: Option<PathBuf>,
    /// Do not run anything: compare two builds of a program or library, their sizes, instructions, relocations and structures
    #[arg(long = "static", num_args = 2, value_names = ["FILE", "FILE"], conflicts_with_all = ONLY_MEASURED)]
    binaries: Vec<PathBuf>,
    /// With --static: where debugging information is that is not in the programs, beside /usr/lib/debug
    #[arg(long, value_name = "DIRECTORY", requires = "binaries")]
    debug_dir: Vec<PathBuf>,
    /// Print the machine code of a benchmark, 32-bit and 64-bit side by side, with what is counted in it
    #[arg(long, value_name = "BENCHMARK", conflicts_with = "binaries", conflicts_with_all = ONLY_MEASURED)]
    explain: Option<String>,
    /// Write JSON, with every sample
    #[arg(long, group = "format")]
    json: bool,
    /// Write Markdown
    #[arg(long, group = "format")]
    markdown: bool,
    /// Also write one HTML file that needs nothing else, with charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The 32-bit command, `--`, and the 64-bit command
    #[arg(last = true, value_name = "COMMAND")]
    commands: Vec<OsString>,
}

#[derive(Subcommand)]
enum Registry {
    /// List the benchmarks and their suites
    List {
        /// Write JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what others measured since 2006, beside your own results
    History {
        /// What --json or a kit has written
        #[arg(value_name = "FILE")]
        results: Vec<PathBuf>,
        /// Write Markdown
        #[arg(long)]
        markdown: bool,
    },
}

impl Compare {
    pub(crate) fn run(self) -> Result<()> {
        let mut out = ui::color::stdout();
        match self.registry {
            Some(Registry::List { json }) => {
                writers::write(&benchmarks()?, if json { Format::Json } else { Format::Text }, &mut out)?;
                return Ok(out.flush()?);
            }
            Some(Registry::History { results, markdown }) => {
                let paths: Vec<&Path> = results.iter().map(PathBuf::as_path).collect();
                let form = if markdown { history::Form::Markdown } else { history::Form::Text };
                history::write(&results::read(&paths)?, form, &mut out)?;
                return Ok(out.flush()?);
            }
            None => {}
        }
        if let Some(directory) = &self.kit {
            let rows: Vec<_> = work::chosen(&self.words)?.into_iter().filter(|row| !programs::has(row)).collect();
            ensure!(!rows.is_empty(), "these benchmarks are programs of Debian, which no kit has; `biarch compare list` has all");
            for said in kit::write(directory, &rows)? {
                writeln!(out, "{said}")?;
            }
            writeln!(out, "wrote {0}; {0}/README.txt says how it is used", directory.display())?;
            return Ok(out.flush()?);
        }
        let format = if self.json { Format::Json } else { Format::Text };
        if let [one, two] = self.binaries.as_slice() {
            let debug: Vec<PathBuf> = self.debug_dir.iter().cloned().chain(["/usr/lib/debug".into()]).collect();
            let pair = binary::compare(one, two, &debug)?;
            self.html(&|file| writers::binary::html::write(&pair, file))?;
            writers::binary::write(&pair, format, &mut out)?;
            return Ok(out.flush()?);
        }
        if let Some(name) = &self.explain {
            let (narrow, wide) = Abi::pair();
            let (left, right) = (functions::of(narrow, name)?, functions::of(wide, name)?);
            writers::code::write(name, [(narrow, &left), (wide, &right)], format, &mut out)?;
            return Ok(out.flush()?);
        }
        let mut effort = match (self.quick, self.full) {
            (true, _) => Effort::QUICK,
            (_, true) => Effort::FULL,
            _ => Effort::NORMAL,
        };
        if let Some(budget) = self.budget {
            (effort.budget, effort.whole) = (budget, Duration::MAX);
        }
        effort.counts |= self.counts;
        let found = match self.files()? {
            Some(files) => results::read(&files)?,
            None => vec![self.measure(&effort)?],
        };
        self.html(&|file| writers::comparison::html::write(&found, file))?;
        match self.markdown {
            true => writers::comparison::markdown::write(&found, &mut out)?,
            false => writers::comparison::write(&found, format, &mut out)?,
        }
        Ok(out.flush()?)
    }

    /// Writes the HTML file, where one is asked for.
    fn html(&self, page: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let Some(path) = &self.html else { return Ok(()) };
        let mut file = Vec::new();
        page(&mut file)?;
        std::fs::write(path, file).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The results to read, where files are named.
    fn files(&self) -> Result<Option<Vec<&Path>>> {
        let files: Vec<&Path> = self.words.iter().filter(|word| results::is_file(word)).map(Path::new).collect();
        if files.is_empty() {
            return Ok(None);
        }
        if files.len() < self.words.len() || !self.commands.is_empty() {
            bail!("either results to read, or something to measure, not both");
        }
        Ok(Some(files))
    }

    fn measure(&self, effort: &Effort) -> Result<Comparison> {
        let shown = ui::Progress::start();
        let progress = |done: usize, all: usize, next: &str| shown.at(done as u64, Some(all as u64), next);
        if self.commands.is_empty() && self.packages.is_empty() {
            let rows = work::chosen(&self.words)?;
            let sides = side::find(self.all, &rows)?;
            return comparison::benchmarks(&rows, sides, self.fetch, effort, &progress);
        }
        if !self.words.is_empty() {
            bail!("either benchmarks or commands, not both");
        }
        let terms = Terms {
            limit: self.timeout.unwrap_or(measure::LIMIT),
            ignore_output: self.ignore_output,
            ignore_status: self.ignore_status,
            any_abi: self.any_abi,
        };
        if !self.packages.is_empty() {
            let packages = Packages::new(&self.packages)?;
            let packaged = Packaged { packages, fetch: self.fetch, words: self.commands.clone() };
            return commands::packages(&packaged, &terms, effort, &progress);
        }
        let mut commands = self.commands.splitn(2, |word| word == "--");
        let (Some(narrow), Some(wide)) = (commands.next(), commands.next()) else {
            bail!("two commands are needed: biarch compare -- COMMAND32 -- COMMAND64");
        };
        if narrow.is_empty() || wide.is_empty() {
            bail!("a command is missing: biarch compare -- COMMAND32 -- COMMAND64");
        }
        commands::commands(narrow.to_vec(), wide.to_vec(), &terms, effort, &progress)
    }
}

fn seconds(text: &str) -> Result<Duration> {
    Ok(Duration::try_from_secs_f64(text.parse()?)?)
}

fn benchmarks() -> Result<Table> {
    let mut table = Table::new("benchmarks", 1, &["suite", "name", "when", "title"]);
    for row in work::all()? {
        let when = if row.asked { "by name" } else { "always" };
        table.push([json!(row.suite), json!(row.name), json!(when), json!(row.title)]);
    }
    Ok(table)
}

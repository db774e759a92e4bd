//! `biarch compare`: the same work as 32-bit and as 64-bit.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use compare::comparison::{self, Comparison};
use compare::commands::{self, Packaged, Terms};
use compare::measure::{self, Effort};
use compare::packages::Packages;
use compare::{programs, side, work};
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;
use ui::Table;
use ui::writers::{self, Format};

/// Measure the same work as a 32-bit and as a 64-bit program: should it move?
///
/// Programs of both word sizes take turns in fresh processes; what is claimed is the ratio of their times, with an interval of
/// 99 %. Before that the same program is compared with itself: differences that this machine makes by itself are never claimed.
///
/// WHAT is a suite or a benchmark; without one, all are run. After the first `--` follows a 32-bit command, after the second a
/// 64-bit one that does the same.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  biarch compare --quick
  biarch compare time system
  biarch compare -- ./tool32 --version -- ./tool64 --version"
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
    /// Write JSON, with every sample
    #[arg(long)]
    json: bool,
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
}

impl Compare {
    pub(crate) fn run(self) -> Result<()> {
        let mut out = ui::color::stdout();
        if let Some(Registry::List { json }) = self.registry {
            writers::write(&benchmarks()?, if json { Format::Json } else { Format::Text }, &mut out)?;
            return Ok(out.flush()?);
        }
        let mut effort = match (self.quick, self.full) {
            (true, _) => Effort::QUICK,
            (_, true) => Effort::FULL,
            _ => Effort::NORMAL,
        };
        effort.budget = self.budget.unwrap_or(effort.budget);
        let found = self.measure(&effort)?;
        writers::comparison::write(&found, if self.json { Format::Json } else { Format::Text }, &mut out)?;
        Ok(out.flush()?)
    }

    fn measure(&self, effort: &Effort) -> Result<Comparison> {
        let shown = ui::Progress::start();
        let progress = |done: usize, all: usize, next: &str| shown.at(done as u64, Some(all as u64), next);
        if self.commands.is_empty() && self.packages.is_empty() {
            let mut rows = work::chosen(&self.words)?;
            if self.words.is_empty() {
                rows.retain(|row| programs::unasked(row, self.quick));
            }
            return comparison::benchmarks(&rows, side::find(self.all)?, self.fetch, effort, &progress);
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
    let mut table = Table::new("benchmarks", 1, &["suite", "name", "title"]);
    for row in work::chosen(&[])? {
        table.push([json!(row.suite), json!(row.name), json!(row.title)]);
    }
    Ok(table)
}

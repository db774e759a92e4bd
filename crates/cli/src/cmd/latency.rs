//! `biarch latency`: how late 32-bit and 64-bit programs wake up.

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use compare::latency::load::Load;
use compare::latency::{self, Plan, Report, Width};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use ui::writers::{self, Format};

/// Measure how late 32-bit and 64-bit programs wake up, at rest and under load.
///
/// On each processor a thread sleeps until a time, again and again; the latency is how much later it runs. Programs of both word
/// sizes take turns. With root's rights they have a real-time priority and locked memory, and the kernel's own tracer tells the
/// interrupt's part from the thread's; without them it says what was lost.
///
/// FILE… are results of `--json`, of this machine or of others: nothing is measured, and they are shown as one report.
#[derive(Args)]
#[command(after_help = "Examples:
  sudo biarch latency
  sudo biarch latency --load fork --duration 60
  sudo biarch latency --matrix --json > 6.12.json
  biarch latency 6.1.json 6.12.json")]
pub(crate) struct Latency {
    /// Results to show together
    #[arg(value_name = "FILE", conflicts_with_all = ["load", "cores", "abi", "duration", "interval", "matrix"])]
    files: Vec<PathBuf>,
    /// What the machine does meanwhile; of --matrix the stress
    #[arg(long, value_parser = load(), value_name = "LOAD")]
    load: Option<Load>,
    /// Measure and load so many processors [default: all that this process may use]
    #[arg(long, value_name = "N", conflicts_with = "matrix")]
    cores: Option<usize>,
    /// Which programs
    #[arg(long, value_enum, value_name = "ABI", default_value = "both")]
    abi: AbiArgument,
    /// How long each program is measured under each condition
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    duration: Duration,
    /// Microseconds from one wake-up to the next
    #[arg(long, value_name = "US", default_value_t = 1000)]
    interval: u64,
    /// At rest and under stress (`--load`, else `fork`), on one processor, two, four and so on up to all
    #[arg(long)]
    matrix: bool,
    /// Write JSON, with every histogram
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum AbiArgument {
    /// By turns
    Both,
    /// That of 32 bits
    #[value(name = "32")]
    Narrow,
    /// That of 64 bits
    #[value(name = "64")]
    Wide,
}

impl Latency {
    pub(crate) fn run(self) -> Result<()> {
        let report = if self.files.is_empty() { self.measure()? } else { latency::merge(&self.files)? };
        let mut out = ui::color::stdout();
        writers::latency::write(&report, if self.json { Format::Json } else { Format::Text }, &mut out)?;
        Ok(out.flush()?)
    }

    fn measure(&self) -> Result<Report> {
        let all = latency::cpus()?.len();
        let conditions = match (self.matrix, self.load) {
            (true, Some(Load::None)) => bail!("--matrix is at rest and under a load; --load none is none"),
            (true, load) => latency::matrix(load.unwrap_or(Load::Fork), all),
            (false, load) => vec![(load.unwrap_or(Load::None), self.cores.unwrap_or(all))],
        };
        let width = match self.abi {
            AbiArgument::Both => Width::Both,
            AbiArgument::Narrow => Width::Narrow,
            AbiArgument::Wide => Width::Wide,
        };
        let plan = Plan { conditions, width, interval: Duration::from_micros(self.interval), duration: self.duration };
        let shown = ui::Progress::start();
        latency::measure(&plan, &|done, all, next| shown.at(done as u64, Some(all as u64), next))
    }
}

fn seconds(text: &str) -> Result<Duration> {
    Ok(Duration::try_from_secs_f64(text.parse()?)?)
}

/// A load by its name.
fn load() -> impl TypedValueParser<Value = Load> {
    let of = |name: String| Load::EVERY.into_iter().find(|load| load.name() == name).ok_or("there is no such load");
    PossibleValuesParser::new(Load::EVERY.map(|load| PossibleValue::new(load.name()).help(load.title()))).try_map(of)
}

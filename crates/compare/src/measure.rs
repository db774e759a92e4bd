//! The method: fresh processes that take turns in random order, each with an environment of random size, after a calibration.
//!
//! What is compared shares every disturbance that lasts longer than a turn, and each process has its own layout of memory
//! (address randomisation, and the environment below the stack; Mytkowicz et al., "Producing wrong data without doing anything
//! obviously wrong", 2009), so that no layout passes for a difference.

use crate::process;
use crate::side::Side;
use crate::stats::Random;
use anyhow::{Context, Result, bail, ensure};
use std::process::Command;
use std::time::{Duration, Instant};

/// A worker that takes longer than this has hung.
pub const LIMIT: Duration = Duration::from_secs(60);
/// The most that is added to the environment, in bytes: a page, so that every offset within one occurs.
const MAX_PADDING: usize = 4096;
/// More rounds than this do not make an interval narrower that is worth the time.
const MAX_ROUNDS: usize = 1000;


/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The time that one batch of work should take.
    pub batch: Duration,
    /// Batches in one process; the fastest counts, for whatever disturbs one only adds to it.
    pub batches: u32,
    /// Rounds that each work gets at least.
    pub rounds: usize,
    /// The time for one work, on all sides together: there are more rounds while it lasts.
    pub budget: Duration,
}

impl Effort {
    /// The whole picture in under a minute.
    pub const QUICK: Self =
        Self { batch: Duration::from_micros(700), batches: 3, rounds: 10, budget: Duration::from_millis(600) };
    /// What is done where nothing is said.
    pub const NORMAL: Self = Self { batch: Duration::from_millis(2), batches: 3, rounds: 15, budget: Duration::from_secs(2) };
    /// For publication.
    pub const FULL: Self = Self { batch: Duration::from_millis(10), batches: 3, rounds: 40, budget: Duration::from_secs(20) };
}

/// What one process says.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Nanoseconds for one unit of work.
    pub ns: f64,
    /// What must be the same on every side.
    pub result: Vec<u8>,
}

/// This machine does not have what was to be measured; the reason.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Missing(pub String);

/// Why there are no times.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the sides come to different results, so that times would be those of different work")]
pub struct Different;

/// Something that takes part: it can be done, once, in a fresh process.
pub trait Contender {
    /// Does it once; `padding` bytes are added to the environment.
    ///
    /// # Errors
    /// [`Missing`], or what went wrong.
    fn sample(&self, padding: usize) -> Result<Sample>;
}

/// A benchmark of the worker on one side. All sides do it equally often: what it costs to begin then falls on all alike.
#[derive(Debug)]
pub struct Benchmark<'a> {
    side: &'a Side,
    name: &'a str,
    batches: u32,
    count: u64,
    /// How often it is said to be done. It differs from `count` where a slowdown is planted.
    told: u64,
}

impl<'a> Benchmark<'a> {
    /// The work done `count` times.
    #[must_use]
    pub fn new(side: &'a Side, name: &'a str, count: u64, effort: &Effort) -> Self {
        Self { side, name, batches: effort.batches, count, told: count }
    }

    /// How often it has to be done on this side to take a batch's time.
    ///
    /// # Errors
    /// [`Missing`], or where the worker does not run.
    pub fn calibrate(side: &Side, name: &str, effort: &Effort) -> Result<u64> {
        let mut command = side.worker()?;
        command.args([name, "count", &effort.batch.as_nanos().to_string()]);
        let output = run(&mut command, 0)?;
        let count = output.lines().find_map(|line| line.strip_prefix("count ")?.parse().ok());
        count.context("the worker printed no count")
    }

    /// The time that a batch without any work takes, in nanoseconds: the clock is read twice. It is part of every batch.
    ///
    /// # Errors
    /// Where the worker does not run.
    pub fn clock(side: &Side, effort: &Effort) -> Result<f64> {
        let mut command = side.worker()?;
        command.args(["six_arguments", "0", &effort.batches.to_string()]);
        fastest(&run(&mut command, 0)?)
    }

    /// The same, with more work in each unit than it says: a slowdown that is known.
    #[must_use]
    pub fn slowed(mut self, by: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a count, rounded"
        )]
        let more = (self.told as f64 * by).round() as u64;
        self.count = more;
        self
    }
}

impl Contender for Benchmark<'_> {
    fn sample(&self, padding: usize) -> Result<Sample> {
        let mut command = self.side.worker()?;
        command.args([self.name, &self.count.to_string(), &self.batches.to_string()]);
        let output = run(&mut command, padding)?;
        let fastest = fastest(&output)?;
        let result = output.lines().find_map(|line| line.strip_prefix("check ")).context("the worker printed no result")?;
        // A planted slowdown is the same work as far as anybody is told.
        let result = if self.count == self.told { result.as_bytes().to_vec() } else { Vec::new() };
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        Ok(Sample { ns: fastest / self.told as f64, result })
    }
}

/// The samples of each contender in each round: `samples[contender][round]`, in nanoseconds for one unit.
///
/// # Errors
/// Where one of them fails, or their results differ.
pub fn take_turns(contenders: &[&dyn Contender], effort: &Effort, random: &mut Random) -> Result<Vec<Vec<f64>>> {
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    // The first of each is a warm-up: caches, and pages of the program.
    let mut result = None;
    for contender in contenders {
        let own = contender.sample(0)?.result;
        ensure!(*result.get_or_insert_with(|| own.clone()) == own, Different);
    }
    let start = Instant::now();
    for round in 0..MAX_ROUNDS {
        if round >= effort.rounds && start.elapsed() >= effort.budget {
            break;
        }
        let mut order: Vec<usize> = (0..contenders.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        for at in order {
            if let (Some(contender), Some(samples)) = (contenders.get(at), samples.get_mut(at)) {
                let sample = contender.sample(random.below(MAX_PADDING))?;
                ensure!(result.as_ref() == Some(&sample.result), Different);
                samples.push(sample.ns);
            }
        }
    }
    Ok(samples)
}

fn fastest(output: &str) -> Result<f64> {
    let batches = output.lines().filter_map(|line| line.strip_prefix("ns ")?.parse::<f64>().ok());
    batches.min_by(f64::total_cmp).context("the worker printed no time")
}

/// Runs the worker, which exits with 77 where there is nothing to measure.
fn run(command: &mut Command, padding: usize) -> Result<String> {
    command.env("BIARCH_PADDING", "x".repeat(padding));
    let ended = process::finish(command, LIMIT).with_context(|| format!("cannot run {command:?}"))?;
    match ended.status.code() {
        Some(0) => Ok(ended.out.text()),
        Some(77) => bail!(Missing(ended.error.text())),
        _ => bail!("{}: {}", ended.status, ended.error.text()),
    }
}

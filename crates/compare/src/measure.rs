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

/// A process that takes longer than this has hung.
pub const LIMIT: Duration = Duration::from_secs(60);
/// The most that is added to the environment, in bytes: a page, so that every offset within one occurs.
const MAX_PADDING: usize = 4096;
/// More rounds than this do not make an interval narrower that is worth the time.
const MAX_ROUNDS: usize = 1000;

/// Why there are no times.
pub(crate) const DIFFERENT: &str = "the sides come to different results, so that times would be those of different work";

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
    /// The time for all works: where they are many, each gets less than `budget`.
    pub whole: Duration,
    /// Whether instructions are counted as well, which takes a few seconds for each work.
    pub counts: bool,
}

impl Effort {
    /// The whole picture in under a minute.
    pub const QUICK: Self = Self {
        batch: Duration::from_micros(700),
        batches: 3,
        rounds: 10,
        budget: Duration::from_millis(600),
        whole: Duration::from_secs(20),
        counts: false,
    };
    /// What is done where nothing is said.
    pub const NORMAL: Self = Self {
        batch: Duration::from_millis(2),
        batches: 3,
        rounds: 15,
        budget: Duration::from_secs(2),
        whole: Duration::MAX,
        counts: false,
    };
    /// For publication.
    pub const FULL: Self = Self {
        batch: Duration::from_millis(10),
        batches: 3,
        rounds: 40,
        budget: Duration::from_secs(20),
        whole: Duration::MAX,
        counts: true,
    };
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

/// The results of contenders differ.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{}", DIFFERENT)]
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
}

impl<'a> Benchmark<'a> {
    /// The work done `count` times.
    #[must_use]
    pub fn new(side: &'a Side, name: &'a str, count: u64, effort: &Effort) -> Self {
        Self { side, name, batches: effort.batches, count }
    }

    /// How often it has to be done on this side to take a batch's time.
    ///
    /// # Errors
    /// [`Missing`], or where the worker does not run.
    pub fn calibrate(side: &Side, name: &str, effort: &Effort) -> Result<u64> {
        let mut command = side.worker()?;
        command.args([name, "count", &effort.batch.as_nanos().to_string()]).args(side.partner()?);
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
        command.args(["six_arguments", "0", &effort.batches.to_string()]).args(side.partner()?);
        fastest(&run(&mut command, 0)?)
    }
}

impl Contender for Benchmark<'_> {
    fn sample(&self, padding: usize) -> Result<Sample> {
        let mut command = self.side.worker()?;
        command.args([self.name, &self.count.to_string(), &self.batches.to_string()]).args(self.side.partner()?);
        let output = run(&mut command, padding)?;
        let fastest = fastest(&output)?;
        let result = output.lines().find_map(|line| line.strip_prefix("check ")).context("the worker printed no result")?;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        Ok(Sample { ns: fastest / self.count as f64, result: result.as_bytes().to_vec() })
    }
}

/// A benchmark with more work in each unit than it says: a slowdown that is known, to see whether it is found. It really takes
/// longer; a time that is only multiplied would hide what more work disturbs.
#[derive(Debug)]
pub struct Planted<'a> {
    benchmark: Benchmark<'a>,
    factor: f64,
}

impl<'a> Planted<'a> {
    /// `count` times the work, and by `factor` more of it than is said.
    #[must_use]
    pub fn new(side: &'a Side, name: &'a str, count: u64, factor: f64, effort: &Effort) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a count, rounded"
        )]
        let more = (count as f64 * factor).round() as u64;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let factor = more as f64 / count.max(1) as f64;
        Self { benchmark: Benchmark::new(side, name, more, effort), factor }
    }

    /// The factor that there is: of three units there cannot be a hundredth more.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.factor
    }
}

impl Contender for Planted<'_> {
    fn sample(&self, padding: usize) -> Result<Sample> {
        // More work has another result; that is what is planted.
        Ok(Sample { ns: self.benchmark.sample(padding)?.ns * self.factor, result: Vec::new() })
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
        for at in random.order(contenders.len()) {
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
pub(crate) fn run(command: &mut Command, padding: usize) -> Result<String> {
    command.env("BIARCH_PADDING", "x".repeat(padding));
    let ended = process::finish(command, LIMIT).with_context(|| format!("cannot run {command:?}"))?;
    match ended.status.code() {
        Some(0) => Ok(ended.out.text()),
        Some(77) => bail!(Missing(ended.error.text())),
        _ => bail!("{}: {}", ended.status, ended.error.text()),
    }
}

/// Runs a command for what it says on standard error.
pub(crate) fn errors(command: &mut Command) -> Result<String> {
    let ended = process::finish(command, LIMIT).with_context(|| format!("cannot run {command:?}"))?;
    Ok(ended.error.text())
}

#[cfg(test)]
mod tests {
    use super::{Contender, Effort, Random, Result, Sample, take_turns};

    struct Says(&'static str);

    impl Contender for Says {
        fn sample(&self, _: usize) -> Result<Sample> {
            Ok(Sample { ns: 1.0, result: self.0.as_bytes().to_vec() })
        }
    }

    #[test]
    fn times_of_different_results_are_not_compared() {
        let effort = Effort { budget: std::time::Duration::ZERO, ..Effort::QUICK };
        let turns = |said: &[Says]| {
            let contenders: Vec<&dyn Contender> = said.iter().map(|one| one as &dyn Contender).collect();
            take_turns(&contenders, &effort, &mut Random::new(1))
        };
        let same = turns(&[Says("one"), Says("one"), Says("one")]).expect("they say the same");
        assert!(same.len() == 3 && same.iter().all(|samples| samples.len() == effort.rounds), "{same:?}");
        let other = turns(&[Says("one"), Says("one"), Says("two")]).expect_err("they do not");
        assert!(other.to_string().contains("different results"), "{other}");
    }
}

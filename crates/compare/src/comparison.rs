//! A comparison: what was measured, and what may be claimed of it.

use crate::causes::{self, Cause};
use crate::machine::Machine;
use crate::measure::{Benchmark, Contender, Effort, Planted, take_turns};
use crate::programs;
use crate::side::{Side, Sides};
use crate::stats::{self, Random};
use crate::worker::Row;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of what `--json` writes: it changes when a field goes away or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;
/// A difference below this is none that anybody would move for, however sure it is.
const LEAST: f64 = 0.01;
/// A machine on which the same program differs from itself by more than this, as a logarithm, is no place to measure anything.
const NOISY: f64 = 0.1;
/// A batch takes at most so many times as long as it should, on the slowest side.
const SLOWEST: u64 = 16;
/// Names of benchmarks for the self-check: a processor's, a kernel's and a memory's.
pub(crate) const SELF_CHECK: [&str; 3] = ["six_arguments", "null_call", "latency_256k"];

/// The share of intervals that have the true ratio in them.
pub(crate) const CONFIDENCE: f64 = 0.99;

/// Of fewer rounds the least and the largest are no interval of 99 %: all of 7 are on one side of the median once in 64 times.
const LEAST_ROUNDS: usize = 8;

/// The logarithms of the rounds' ratios.
pub(crate) fn logs(numerator: &[f64], denominator: &[f64]) -> Vec<f64> {
    numerator.iter().zip(denominator).map(|(n, d)| (n / d).ln()).collect()
}

/// What follows for one work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The 64-bit program takes less time.
    Move,
    /// The 64-bit program takes more time.
    Stay,
    /// None that this machine can resolve.
    NoDifference,
}

/// How many times as long a side takes as the 64-bit side, with an interval of 99 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The median of the rounds' ratios.
    pub median: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Ratio {
    /// Of the rounds of two contenders; none where there are too few.
    #[must_use]
    pub fn of(numerator: &[f64], denominator: &[f64]) -> Option<Self> {
        let logs = logs(numerator, denominator);
        if logs.len() < LEAST_ROUNDS {
            return None;
        }
        let (low, high) = stats::interval(&logs, CONFIDENCE)?;
        Some(Self { median: stats::median(&logs)?.exp(), low: low.exp(), high: high.exp() })
    }

    /// What follows, where differences up to `resolution` (a logarithm) are the machine's own.
    #[must_use]
    pub fn verdict(&self, resolution: f64) -> Verdict {
        let least = resolution.max(LEAST);
        if self.low > 1.0 && self.median.ln() > least {
            Verdict::Move
        } else if self.high < 1.0 && self.median.ln() < -least {
            Verdict::Stay
        } else {
            Verdict::NoDifference
        }
    }
}

/// One work on all sides.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Its suite.
    pub suite: String,
    /// Its name.
    pub name: String,
    /// What is done.
    pub title: String,
    /// Nanoseconds for one unit of work, for each side and each round; a side that has none could not do it.
    pub samples: Vec<Vec<f64>>,
    /// The ratio of each side to the first; none for the first.
    pub ratios: Vec<Option<Ratio>>,
    /// What follows from the second side's ratio; nothing where it is only shown.
    pub verdict: Option<Verdict>,
    /// Nanoseconds of each side's samples that are not the work but what it takes to measure it, where that is known.
    #[serde(default)]
    pub overhead: Vec<Option<f64>>,
    /// Whether it is only shown, so that nothing follows from it.
    #[serde(default)]
    pub shown: bool,
    /// Why sides have no samples.
    pub missing: Vec<String>,
    /// Instructions that the first and the second side execute for one unit of work, where they were counted.
    #[serde(default)]
    pub instructions: Vec<Option<f64>>,
    /// Why the second side differs from the first, as far as that can be told.
    #[serde(default)]
    pub causes: Vec<Cause>,
}

impl Outcome {
    pub(crate) fn new(
        suite: &str,
        name: &str,
        title: &str,
        samples: Vec<Vec<f64>>,
        missing: Vec<String>,
        resolution: f64,
    ) -> Self {
        let (suite, name, title) = (suite.to_owned(), name.to_owned(), title.to_owned());
        let mut outcome = Self { suite, name, title, samples, missing, ..Self::default() };
        outcome.judge(resolution);
        outcome
    }

    /// Draws the conclusions from the samples; once more, where they or `resolution` are others than before.
    pub(crate) fn judge(&mut self, resolution: f64) {
        let first = self.samples.first().map_or(&[][..], Vec::as_slice);
        let ratio = |(at, own): (usize, &Vec<f64>)| if at == 0 { None } else { Ratio::of(own, first) };
        self.ratios = self.samples.iter().enumerate().map(ratio).collect();
        let ratio = self.ratios.get(1).copied().flatten().filter(|_| !self.shown && resolution <= NOISY);
        self.verdict = ratio.map(|ratio| ratio.verdict(resolution));
        let rounds = self.samples.iter().take(2).map(Vec::len).min().unwrap_or_default();
        if (1..LEAST_ROUNDS).contains(&rounds) {
            let too_few = format!("{rounds} rounds, of which an interval of 99 % cannot be told");
            if !self.missing.contains(&too_few) {
                self.missing.push(too_few);
            }
        }
    }

    /// The median of a side, in nanoseconds.
    #[must_use]
    pub fn median(&self, side: usize) -> Option<f64> {
        stats::median(self.samples.get(side)?)
    }
}

/// What the machine says about itself when the same program is on both sides.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SelfCheck {
    /// The work of it and the ratio, which ought to be 1.
    pub ratios: Vec<(String, Ratio)>,
    /// Differences up to this, as a logarithm of the ratio, are the machine's own.
    pub resolution: f64,
}

impl SelfCheck {
    /// Of these ratios.
    pub(crate) fn of(ratios: Vec<(String, Ratio)>) -> Self {
        let resolution = ratios.iter().map(|(_, ratio)| ratio.median.ln().abs()).fold(0.0, f64::max);
        Self { ratios, resolution }
    }

    /// What to do where nothing can be claimed.
    pub(crate) fn advice(&self) -> Option<String> {
        (self.resolution > NOISY).then(|| {
            format!(
                "this machine is too noisy: the same program took {:.0} % longer than itself, so there is no verdict. End other programs \
                 (see top), set the governor to performance, keep to one processor (taskset -c 1 biarch compare …), or measure longer \
                 (--full)",
                (self.resolution.exp() - 1.0) * 100.0
            )
        })
    }
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// [`SCHEMA_VERSION`]
    pub schema_version: u32,
    /// Where.
    pub machine: Machine,
    /// The headings of the sides; the first is of 64 bits, the second the 32-bit side that it is compared with.
    pub sides: Vec<String>,
    /// The machine's own differences.
    pub self_check: SelfCheck,
    /// Each work.
    pub outcomes: Vec<Outcome>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
    /// What else somebody who reads this must know.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// Called before each work: how many are done, how many there are, and which is next.
pub type Progress<'a> = &'a dyn Fn(usize, usize, &str);

/// Compares these benchmarks on these sides. With `fetch`, the packages that some need are downloaded.
///
/// # Errors
/// Where the self-check fails: then nothing can be measured here.
pub fn benchmarks(rows: &[Row], sides: Sides, fetch: bool, effort: &Effort, progress: Progress<'_>) -> Result<Comparison> {
    let machine = Machine::look();
    // Another order of turns in each run; what follows must not depend on it.
    let mut random = Random::new(seed());
    progress(0, rows.len() + 1, "the same program on both sides");
    let wide = sides.sides.first().context("a side")?;
    let self_check = self_check(wide, effort, &mut random)?;
    let share = effort.whole / u32::try_from(rows.len().max(1)).unwrap_or(u32::MAX);
    let effort = &Effort { budget: effort.budget.min(share), ..*effort };
    let clocks: Vec<_> = sides.sides.iter().map(|side| Benchmark::clock(side, effort).ok()).collect();
    let mut outcomes = Vec::new();
    let mut absent: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        progress(at + 1, rows.len() + 1, row.name);
        match programs::outcome(row, &sides.sides, fetch, effort, self_check.resolution, &mut random) {
            None => outcomes.push(outcome(row, &sides.sides, &clocks, effort, self_check.resolution, &mut random)),
            Some(Ok(outcome)) => outcomes.push(outcome),
            // Once, however many need what is not there.
            Some(Err(error)) => absent.entry(format!("{error:#}")).or_default().push(row.name),
        }
    }
    let mut left_out = sides.left_out;
    left_out.extend(absent.into_iter().map(|(why, names)| format!("{}: {why}", names.join(", "))));
    left_out.extend(causes::explain(&mut outcomes, &sides.sides, effort.counts));
    Ok(Comparison {
        schema_version: SCHEMA_VERSION,
        machine,
        sides: sides.sides.iter().map(|side| side.name.clone()).collect(),
        notes: self_check.advice().into_iter().collect(),
        self_check,
        outcomes,
        left_out,
    })
}

fn outcome(row: &Row, sides: &[Side], clocks: &[Option<f64>], effort: &Effort, resolution: f64, random: &mut Random) -> Outcome {
    let mut missing = Vec::new();
    let mut ready = Vec::new();
    let (mut least, mut most) = (u64::MAX, 0);
    for (at, side) in sides.iter().enumerate().filter(|(_, side)| side.takes_part(row)) {
        match Benchmark::calibrate(side, row.name, effort) {
            Ok(count) => {
                (least, most) = (least.min(count), most.max(count));
                ready.push(at);
            }
            Err(error) => missing.push(format!("{}: {error:#}", side.name)),
        }
    }
    // A translator's count would leave too little for the others to do, and theirs takes a way that traps for ever.
    let count = most.min(least.saturating_mul(SLOWEST));
    let benchmarks: Vec<_> = ready.iter().map(|at| Benchmark::new(&sides[*at], row.name, count, effort)).collect();
    let contenders: Vec<&dyn Contender> = benchmarks.iter().map(|benchmark| benchmark as &dyn Contender).collect();
    let mut samples = vec![Vec::new(); sides.len()];
    match take_turns(&contenders, effort, random) {
        Ok(taken) => ready.into_iter().zip(taken).for_each(|(at, taken)| samples[at] = taken),
        Err(error) => missing.push(format!("{error:#}")),
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let overhead = clocks.iter().map(|ns| ns.filter(|_| count > 0).map(|ns| ns / count as f64)).collect();
    let (suite, name, title) = (row.suite.to_owned(), row.name.to_owned(), row.title.to_owned());
    let mut outcome = Outcome { suite, name, title, samples, missing, overhead, shown: row.shown, ..Outcome::default() };
    outcome.judge(resolution);
    outcome
}

fn self_check(side: &Side, effort: &Effort, random: &mut Random) -> Result<SelfCheck> {
    let mut ratios = Vec::new();
    for name in SELF_CHECK {
        let one = Benchmark::new(side, name, Benchmark::calibrate(side, name, effort)?, effort);
        ratios.push((name.to_owned(), pair(&one, &one, effort, random)?));
    }
    Ok(SelfCheck::of(ratios))
}

pub(crate) fn pair(one: &dyn Contender, two: &dyn Contender, effort: &Effort, random: &mut Random) -> Result<Ratio> {
    let samples = take_turns(&[one, two], effort, random)?;
    let [first, second] = samples.as_slice() else { anyhow::bail!("two contenders") };
    Ratio::of(second, first).context("too few rounds for an interval")
}

/// One experiment about the method itself, as `compare` would do it: a work beside itself with `factor` times as much to do.
/// Nothing, where the work is so coarse that this slowdown cannot be planted within a tenth of itself.
///
/// # Errors
/// Where the work does not run.
pub fn trial(side: &Side, name: &str, factor: f64, effort: &Effort, random: &mut Random) -> Result<Option<Verdict>> {
    let count = Benchmark::calibrate(side, name, effort)?;
    let [one, two] = [1.0, factor].map(|factor| Planted::new(side, name, count, factor, effort));
    if ((two.factor() - 1.0) - (factor - 1.0)).abs() > (factor - 1.0) / 10.0 {
        return Ok(None);
    }
    let resolution = self_check(side, effort, random)?.resolution;
    Ok(Some(pair(&one, &two, effort, random)?.verdict(resolution)))
}

pub(crate) fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_nanos()) << 32 ^ u64::from(std::process::id())
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Ratio, SelfCheck, Verdict};

    #[test]
    fn a_difference_is_claimed_only_if_it_is_sure_and_larger_than_the_machines_own() {
        let ratio = |median, low, high| Ratio { median, low, high };
        assert_eq!(ratio(1.5, 1.4, 1.6).verdict(0.0), Verdict::Move);
        assert_eq!(ratio(0.8, 0.7, 0.9).verdict(0.0), Verdict::Stay);
        assert_eq!(ratio(1.5, 0.9, 1.6).verdict(0.0), Verdict::NoDifference);
        assert_eq!(ratio(1.005, 1.004, 1.006).verdict(0.0), Verdict::NoDifference);
        assert_eq!(ratio(1.04, 1.03, 1.05).verdict(0.05), Verdict::NoDifference);
    }

    #[test]
    fn what_is_judged_again_is_judged_the_same() {
        let mut outcome = Outcome::new("suite", "work", "", vec![vec![1.0; 3], vec![2.0; 3]], Vec::new(), 0.0);
        let before = (outcome.missing.clone(), outcome.verdict);
        outcome.judge(0.0);
        assert_eq!((outcome.missing, outcome.verdict), before);
        assert_eq!(before.0.len(), 1, "too few rounds");
    }

    #[test]
    fn a_ratio_is_that_of_rounds_and_not_of_medians() {
        // Each round is disturbed as a whole, by more than the difference.
        let wide = [1.0, 10.0, 2.0, 7.0, 3.0, 9.0, 4.0, 8.0];
        let narrow = wide.map(|ns| ns * 1.1);
        let found = Ratio::of(&narrow, &wide).expect("there are rounds");
        assert!((found.median - 1.1).abs() < 1e-9 && found.low > 1.09 && found.high < 1.11, "{found:?}");
        assert_eq!(Ratio::of(&narrow[1..], &wide[1..]), None, "too few for an interval");
    }

    #[test]
    fn on_a_machine_that_is_too_noisy_nothing_is_claimed() {
        let check = |median| SelfCheck::of(vec![("work".to_owned(), Ratio { median, low: median * 0.9, high: median * 1.1 })]);
        let outcome = |check: &SelfCheck| {
            let samples = vec![vec![1.0; 10], vec![2.0; 10]];
            Outcome::new("suite", "work", "", samples, Vec::new(), check.resolution)
        };
        for noisy in [check(1.2), check(0.8)] {
            assert!(noisy.advice().is_some_and(|advice| advice.contains("too noisy") && advice.contains("taskset")));
            let outcome = outcome(&noisy);
            assert!(outcome.verdict.is_none() && outcome.missing.is_empty() && outcome.ratios[1].is_some(), "{outcome:?}");
        }
        let quiet = check(1.05);
        assert_eq!((quiet.advice(), outcome(&quiet).verdict), (None, Some(Verdict::Move)));
    }
}

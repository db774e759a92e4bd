//! What the works of a suite, and all suites, come to.
//!
//! A mean of benchmarks has two kinds of doubt: the rounds could have come out otherwise, and other benchmarks could have been
//! chosen. The interval has both: each of many draws takes as many benchmarks of each suite, with replacement, and of each the
//! median of as many of its rounds, with replacement (a bootstrap of two stages; Davison and Hinkley, "Bootstrap Methods and their
//! Application", 1997, section 3.8). The suites themselves are given. So a suite that goes both ways has a wide interval, however
//! exactly each of its benchmarks was measured.

use crate::comparison::{CONFIDENCE, Comparison, Outcome, Ratio, Verdict, logs};
use crate::stats::{self, DRAWS, Random};
use serde::Serialize;

/// Fewer benchmarks than this stand for nothing but themselves.
const FEW: usize = 5;

/// What a suite, or everything, comes to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The suite's name.
    pub name: String,
    /// How many times as long 32 bits take: the geometric mean of the benchmarks' ratios; of everything, that of the suites.
    pub ratio: Ratio,
    /// What follows from it.
    pub verdict: Verdict,
    /// Benchmarks that are faster as 64-bit programs.
    pub faster: usize,
    /// Benchmarks that are slower as 64-bit programs.
    pub slower: usize,
    /// Benchmarks without a difference.
    pub same: usize,
}

impl Summary {
    /// Benchmarks that were measured.
    #[must_use]
    pub fn benchmarks(&self) -> usize {
        self.faster + self.slower + self.same
    }

    /// What has to be known before it is believed; empty where there is nothing.
    #[must_use]
    pub fn caveat(&self) -> String {
        let mut caveat = Vec::new();
        if self.verdict == Verdict::NoDifference && self.faster + self.slower > 0 {
            caveat.push(format!("{} gain and {} lose: look at those that yours is like", self.faster, self.slower));
        } else if self.verdict == Verdict::Move && self.slower > 0 {
            caveat.push(format!("{} of {} lose", self.slower, self.benchmarks()));
        } else if self.verdict == Verdict::Stay && self.faster > 0 {
            caveat.push(format!("{} of {} gain", self.faster, self.benchmarks()));
        }
        if (2..FEW).contains(&self.benchmarks()) {
            caveat.push(format!("only {} benchmarks", self.benchmarks()));
        }
        caveat.join("; ")
    }
}

/// What has to be known of all of it before any of it is believed.
#[must_use]
pub fn caveats(comparison: &Comparison) -> Vec<String> {
    let mut caveats: Vec<String> = comparison.machine.caveat().into_iter().collect();
    if let Some(side) = comparison.sides.iter().take(2).find(|side| side.ends_with(" qemu")) {
        caveats.push(format!("{side} is an emulator: its times are not those of hardware"));
    }
    caveats
}

/// What each suite comes to, in the order of the outcomes.
#[must_use]
pub fn suites(comparison: &Comparison) -> Vec<Summary> {
    names(comparison).iter().filter_map(|name| summary(comparison, name, &[name])).collect()
}

/// What everything comes to: each suite counts once, however many benchmarks it has.
#[must_use]
pub fn overall(comparison: &Comparison) -> Option<Summary> {
    summary(comparison, "overall", &names(comparison))
}

/// The suites, in the order of the outcomes.
#[must_use]
pub fn names(comparison: &Comparison) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for outcome in &comparison.outcomes {
        if !names.contains(&outcome.suite.as_str()) {
            names.push(&outcome.suite);
        }
    }
    names
}

/// Of these suites; nothing where none of their benchmarks has a verdict.
fn summary(comparison: &Comparison, name: &str, suites: &[&str]) -> Option<Summary> {
    let measured = |suite: &str| {
        let own = comparison.outcomes.iter().filter(move |outcome| outcome.suite == suite);
        own.filter(|outcome| outcome.verdict.is_some()).collect::<Vec<&Outcome>>()
    };
    let suites: Vec<Vec<&Outcome>> = suites.iter().map(|suite| measured(suite)).collect();
    let medians = |suite: &Vec<&Outcome>| mean(suite.iter().filter_map(|one| Some(one.ratios.get(1)?.as_ref()?.median.ln())));
    let median = mean(suites.iter().filter_map(medians))?;
    // What draws of its rounds make of each benchmark.
    let rounds = |one: &&Outcome| Some(stats::bootstrap(&logs(one.samples.get(1)?, one.samples.first()?)));
    let drawn: Vec<Vec<Vec<f64>>> = suites.iter().map(|suite| suite.iter().filter_map(rounds).collect()).collect();
    let mut random = Random::new(0x0076_6572_6469_6374);
    let mut draw = |suite: &Vec<Vec<f64>>| {
        let of_one = |_| suite.get(random.below(suite.len())).and_then(|one| one.get(random.below(one.len())).copied());
        mean((0..suite.len()).filter_map(of_one))
    };
    let mut means: Vec<f64> = (0..DRAWS).filter_map(|_| mean(drawn.iter().filter_map(&mut draw))).collect();
    means.sort_by(f64::total_cmp);
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let (low, high) = (stats::quantile(&means, tail)?, stats::quantile(&means, 1.0 - tail)?);
    let ratio = Ratio { median: median.exp(), low: low.exp(), high: high.exp() };
    let count = |verdict| suites.iter().flatten().filter(|outcome| outcome.verdict == Some(verdict)).count();
    Some(Summary {
        name: name.to_owned(),
        ratio,
        verdict: ratio.verdict(comparison.self_check.resolution),
        faster: count(Verdict::Move),
        slower: count(Verdict::Stay),
        same: count(Verdict::NoDifference),
    })
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::{caveats, overall, suites};
    use crate::comparison::{Comparison, Outcome, SCHEMA_VERSION, SelfCheck, Verdict};
    use crate::machine::Machine;

    /// A comparison of these suites, each with the ratios of its benchmarks, which differ a little from round to round.
    fn comparison(all: &[(&str, &[f64])]) -> Comparison {
        let wide: Vec<f64> = (0..20).map(|round| 1.0 + f64::from(round % 5) / 100.0).collect();
        let mut outcomes = Vec::new();
        for (suite, ratios) in all {
            for (at, ratio) in ratios.iter().enumerate() {
                let noise = |(round, ns): (u32, &f64)| ns * ratio * (1.0 + f64::from(round % 3) / 500.0);
                let narrow = (0u32..).zip(&wide).map(noise).collect();
                outcomes.push(Outcome::new(suite, &format!("{suite}{at}"), "", vec![wide.clone(), narrow], Vec::new(), 0.0));
            }
        }
        let sides = vec!["x86-64".to_owned(), "i386".to_owned()];
        let machine = Machine::of(&|_| None, "1", 1, Vec::new());
        let self_check = SelfCheck::of(Vec::new());
        Comparison {
            schema_version: SCHEMA_VERSION,
            machine,
            sides,
            self_check,
            outcomes,
            left_out: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_interval_has_the_choice_of_benchmarks() {
        // Each is measured to within a percent, and they go both ways.
        let found = suites(&comparison(&[("system", &[0.5, 2.0, 0.6, 1.7, 0.8, 1.2])]));
        let [both] = found.as_slice() else { panic!("{found:?}") };
        assert!(both.ratio.low < 0.8 && both.ratio.high > 1.2, "{both:?}");
        assert_eq!((both.verdict, both.faster, both.slower, both.same), (Verdict::NoDifference, 3, 3, 0));
        assert!(both.caveat().contains("3 gain and 3 lose"), "{}", both.caveat());
        let found = suites(&comparison(&[("system", &[1.5, 1.52, 1.48, 1.51, 1.5, 1.49])]));
        let [one_way] = found.as_slice() else { panic!("{found:?}") };
        assert!(one_way.ratio.low > 1.47 && one_way.ratio.high < 1.53 && one_way.verdict == Verdict::Move, "{one_way:?}");
        assert_eq!(one_way.caveat(), "");
    }

    #[test]
    fn of_one_benchmark_the_summary_is_its_own_ratio() {
        let one = comparison(&[("commands", &[1.1])]);
        let (found, own) = (overall(&one).expect("one"), one.outcomes[0].ratios[1].expect("a ratio"));
        assert!((found.ratio.median - own.median).abs() < 1e-12, "{found:?}");
        assert!((found.ratio.low - own.low).abs() < 0.002 && (found.ratio.high - own.high).abs() < 0.002, "{found:?} {own:?}");
    }

    #[test]
    fn every_suite_counts_once() {
        let found = overall(&comparison(&[("many", &[2.0; 30]), ("few", &[0.5; 2])])).expect("a mean");
        assert!((found.ratio.median - 1.0).abs() < 0.01, "{found:?}");
        assert_eq!((found.faster, found.slower), (30, 2));
    }

    #[test]
    fn what_has_no_verdict_is_in_no_mean() {
        let mut all = comparison(&[("time", &[1.5, 1.5]), ("designs", &[9.0])]);
        for outcome in &mut all.outcomes {
            outcome.shown = outcome.suite == "designs";
            outcome.judge(0.0);
        }
        assert_eq!(suites(&all).iter().map(|suite| suite.name.as_str()).collect::<Vec<_>>(), ["time"]);
        assert!(overall(&all).is_some_and(|found| found.ratio.high < 2.0));
        all.outcomes.clear();
        assert_eq!(overall(&all), None);
    }

    #[test]
    fn an_emulator_is_named() {
        let mut one = comparison(&[("time", &[1.0])]);
        assert_eq!(caveats(&one), Vec::<String>::new());
        one.sides[1] = "i386 qemu".to_owned();
        assert!(caveats(&one)[0].contains("not those of hardware"));
        let board = |path: &str| (path == "/proc/device-tree/model").then(|| "linux,dummy-virt\0".to_owned());
        one.machine = Machine::of(&board, "6.12", 1, Vec::new());
        assert!(caveats(&one)[0].contains("virtual or emulated") && one.machine.line().contains("(linux,dummy-virt)"));
    }
}

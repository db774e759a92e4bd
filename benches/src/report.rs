//! From samples to verdicts, and the two forms they are shown in.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use crate::machine::Machine;
use crate::rows::{Baseline, Row, Target};
use crate::system::System;
use compare::stats;

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// The figures of one round of one row, by system; what could not be measured is absent.
#[derive(Default, Clone)]
pub(crate) struct Round {
    pub(crate) native: Option<f64>,
    pub(crate) biarch: Option<f64>,
    pub(crate) qemu: Option<f64>,
    /// What biarch is compared with: `native`, or what the row's target names.
    pub(crate) baseline: Option<f64>,
}

/// Everything known about one row.
#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    unit: &'static str,
    systems: BTreeMap<&'static str, Figure>,
    compared_with: &'static str,
    /// Time ratio, speed ratio or difference: what `asked` is about.
    comparison: Option<Comparison>,
    asked: Option<f64>,
    /// qemu's time over biarch's.
    over_qemu: Option<Comparison>,
    asked_over_qemu: Option<f64>,
    pub(crate) verdict: Verdict,
    /// Why a figure is missing, by system.
    pub(crate) failures: BTreeMap<&'static str, String>,
    #[serde(skip)]
    text: [String; 4],
}

/// A median with its spread.
#[derive(Serialize)]
struct Figure {
    median: f64,
    mad: f64,
}

/// The median over the rounds, of a value computed within each round.
#[derive(Serialize, Clone, Copy)]
struct Comparison {
    median: f64,
    /// The 95 % interval of the median.
    low: f64,
    high: f64,
}

/// What became of a target.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Met,
    Missed,
    /// The median meets the target, but its interval does not.
    MetWithinNoise,
    /// The median misses the target, but its interval does not.
    MissedWithinNoise,
    /// The speed over qemu-i386 misses its target, but native code misses it too.
    BeyondNative,
    /// biarch did not run it.
    Failed,
    /// Nothing is asked, or there is nothing to compare with.
    None,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::Missed => "MISSED",
            Verdict::MetWithinNoise => "met (noise)",
            Verdict::MissedWithinNoise => "MISSED (noise)",
            Verdict::BeyondNative => "met but for qemu, as native",
            Verdict::Failed => "FAILED",
            Verdict::None => "",
        }
    }

    /// The verdict of a row that asks two things.
    fn and(self, other: Verdict) -> Verdict {
        let weight = |verdict| match verdict {
            Verdict::None => 0,
            Verdict::Met => 1,
            Verdict::MetWithinNoise => 2,
            Verdict::BeyondNative => 3,
            Verdict::MissedWithinNoise => 4,
            Verdict::Missed => 5,
            Verdict::Failed => 6,
        };
        if weight(other) > weight(self) { other } else { self }
    }
}

impl Comparison {
    fn of(values: &[f64]) -> Option<Self> {
        let (low, high) = stats::interval(values, 0.95)?;
        Some(Self { median: stats::median(values)?, low, high })
    }

    fn at_most(self, bound: f64) -> Verdict {
        verdict(self.median <= bound, self.high <= bound, self.low <= bound)
    }

    fn at_least(self, bound: f64) -> Verdict {
        verdict(self.median >= bound, self.low >= bound, self.high >= bound)
    }
}

/// From whether the median, the worse and the better end of the interval meet a bound.
fn verdict(median: bool, worse: bool, better: bool) -> Verdict {
    match (median, worse, better) {
        (true, true, _) => Verdict::Met,
        (true, false, _) => Verdict::MetWithinNoise,
        (false, _, true) => Verdict::MissedWithinNoise,
        (false, _, false) => Verdict::Missed,
    }
}

impl Outcome {
    pub(crate) fn new(row: &Row, rounds: &[Round], failures: BTreeMap<&'static str, String>) -> Self {
        let unit = row.work.unit();
        let samples = |pick: fn(&Round) -> Option<f64>| rounds.iter().filter_map(pick).collect::<Vec<f64>>();
        let figure = |values: &[f64]| Some(Figure { median: stats::median(values)?, mad: stats::mad(values)? });
        let systems: BTreeMap<_, _> = [
            (System::Native, samples(|round| round.native)),
            (System::Biarch, samples(|round| round.biarch)),
            (System::Qemu, samples(|round| round.qemu)),
        ]
        .into_iter()
        .filter_map(|(system, values)| Some((system.name(), figure(&values)?)))
        .collect();
        let each = |compare: &dyn Fn(f64, f64) -> f64| {
            let pairs = rounds.iter().filter_map(|round| Some((round.biarch?, round.baseline?)));
            Comparison::of(&pairs.map(|(biarch, baseline)| compare(biarch, baseline)).collect::<Vec<_>>())
        };
        let pairs = rounds.iter().filter_map(|round| Some(round.qemu? / round.biarch?));
        let over_qemu = Comparison::of(&pairs.collect::<Vec<_>>());

        let ratio = |ratio: Comparison| format!("{:.2} [{:.2}, {:.2}]", ratio.median, ratio.low, ratio.high);
        let (compared_with, comparison, asked, asked_over_qemu, mut verdict, shown, wanted);
        match row.target {
            Target::Time(baseline, bound) => {
                compared_with = match baseline {
                    Baseline::Native => "native",
                    Baseline::NativeLessTrap => "native less int $0x80",
                    Baseline::OwnStub => "biarch's stub",
                };
                comparison = each(&|biarch, baseline| biarch / baseline);
                (asked, asked_over_qemu) = (bound, None);
                verdict = comparison.zip(bound).map_or(Verdict::None, |(ratio, bound)| ratio.at_most(bound));
                shown = comparison.map(|value| format!("time {}", ratio(value)));
                wanted = bound.map(|bound| match baseline {
                    Baseline::Native => format!("<= {bound}"),
                    Baseline::NativeLessTrap => format!("<= {bound} *"),
                    Baseline::OwnStub => format!("<= {bound} **"),
                });
            }
            Target::Speed { native, qemu } => {
                compared_with = "native";
                comparison = each(&|biarch, baseline| baseline / biarch);
                asked = Some(native);
                asked_over_qemu = row.work.by_qemu().then_some(qemu);
                verdict = comparison.map_or(Verdict::None, |speed| speed.at_least(native));
                if let Some((speed, bound)) = over_qemu.zip(asked_over_qemu) {
                    let pairs = rounds.iter().filter_map(|round| Some(round.qemu? / round.native?));
                    let native = stats::median(&pairs.collect::<Vec<_>>());
                    verdict = verdict.and(match speed.at_least(bound) {
                        Verdict::Missed | Verdict::MissedWithinNoise if native.is_some_and(|speed| speed < bound) => {
                            Verdict::BeyondNative
                        }
                        verdict => verdict,
                    });
                }
                shown = comparison.map(|value| format!("speed {:.3} [{:.3}, {:.3}]", value.median, value.low, value.high));
                wanted = Some(match asked_over_qemu {
                    Some(qemu) => format!(">= {native}, >= {qemu} x qemu"),
                    None => format!(">= {native}"),
                });
            }
            Target::Above(bound) => {
                compared_with = "native";
                comparison = each(&|biarch, baseline| biarch - baseline);
                (asked, asked_over_qemu) = (bound, None);
                verdict = comparison.zip(bound).map_or(Verdict::None, |(above, bound)| above.at_most(bound));
                shown = comparison.map(|value| {
                    format!("{:+} [{}, {}]", Signed(unit.show(value.median)), unit.show(value.low), unit.show(value.high))
                });
                wanted = bound.map(|bound| format!("<= +{}", unit.show(bound)));
            }
        }
        if failures.contains_key(System::Biarch.name()) {
            verdict = Verdict::Failed;
        }
        let text = [
            shown.unwrap_or_default(),
            over_qemu.map(|speed| format!("{:.1} x", speed.median)).unwrap_or_default(),
            wanted.unwrap_or_default(),
            verdict.word().to_owned(),
        ];
        Self {
            name: row.name,
            unit: unit.name(),
            systems,
            compared_with,
            comparison,
            asked,
            over_qemu,
            asked_over_qemu,
            verdict,
            failures,
            text,
        }
    }
}

impl Outcome {
    /// What came out, in one line, for those who watch.
    pub(crate) fn line(&self) -> String {
        let [shown, over_qemu, wanted, verdict] = &self.text;
        let qemu = if over_qemu.is_empty() { String::new() } else { format!("{over_qemu} qemu") };
        let words = [shown.as_str(), &qemu, wanted, verdict].map(str::to_owned).into_iter();
        let failures = self.failures.iter().map(|(system, reason)| format!("{system}: {reason}"));
        words.chain(failures).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// A figure as text, with its sign when `{:+}` asks for it.
struct Signed(String);

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if f.sign_plus() && !self.0.starts_with('-') {
            f.write_str("+")?;
        }
        f.write_str(&self.0)
    }
}

/// The whole result.
#[derive(Serialize)]
pub(crate) struct Report {
    schema: u32,
    pub(crate) machine: Machine,
    rounds: u32,
    entry: Option<String>,
    pub(crate) rows: Vec<Outcome>,
}

impl Report {
    pub(crate) fn new(machine: Machine, rounds: u32, entry: Option<String>, rows: Vec<Outcome>) -> Self {
        Self { schema: SCHEMA, machine, rounds, entry, rows }
    }

    /// The table, with the machine above and the notes below.
    pub(crate) fn text(&self, show: &dyn Fn(&Outcome, f64) -> String) -> String {
        let mut table = Table::new();
        table.load_preset(presets::ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(["", "native", "biarch", "qemu-i386", "biarch : native [95 %]", "over qemu", "target", ""]);
        for row in &self.rows {
            let figure = |system: System| match row.systems.get(system.name()) {
                Some(figure) => show(row, figure.median),
                None if row.failures.contains_key(system.name()) => "failed".to_owned(),
                None => String::new(),
            };
            let [shown, over_qemu, wanted, verdict] = &row.text;
            table.add_row([
                row.name,
                &figure(System::Native),
                &figure(System::Biarch),
                &figure(System::Qemu),
                shown,
                over_qemu,
                wanted,
                verdict,
            ]);
        }
        for column in [1, 2, 3, 5] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut text = format!(
            "{}\nMedians of {} interleaved rounds; entry: {}.\n{table}\n",
            self.machine.line(),
            self.rounds,
            self.entry.as_deref().unwrap_or("default"),
        );
        text.push_str(NOTES);
        for row in &self.rows {
            for (system, reason) in &row.failures {
                text.push_str(&format!("{}, {system}: {reason}\n", row.name));
            }
        }
        text
    }
}

const NOTES: &str = "\
Figures are per operation; CPU-bound rows give processor time, start-up included but for openssl.
*  compared with native less the difference of its int $0x80 and __kernel_vsyscall: its sigreturn is an int $0x80.
** compared with biarch's own stub: some hypervisors make the kernel's int $0x80 many times slower than it is.
(noise): the other side of the target lies within the interval. \"As native\": native code is not that far ahead of qemu-i386.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Work;

    fn outcome(target: Target, rounds: &[(f64, f64, f64)]) -> Outcome {
        let row = Row { name: "row", work: Work::Inside("hello", &[]), target };
        let rounds: Vec<Round> = rounds
            .iter()
            .map(|&(native, biarch, qemu)| Round {
                native: Some(native),
                biarch: Some(biarch),
                qemu: Some(qemu),
                baseline: Some(native),
            })
            .collect();
        Outcome::new(&row, &rounds, BTreeMap::new())
    }

    #[test]
    fn the_ratio_is_taken_within_each_round() {
        // The machine is ten times slower in the second round: the ratio does not notice.
        let result = outcome(Target::Time(Baseline::Native, Some(2.0)), &[(1.0, 1.5, 9.0), (10.0, 15.0, 90.0), (1.0, 1.5, 9.0)]);
        let ratio = result.comparison.expect("there are rounds");
        assert!((ratio.low - 1.5).abs() < 1e-9 && (ratio.high - 1.5).abs() < 1e-9);
        assert_eq!(result.verdict, Verdict::Met);
    }

    #[test]
    fn noise_is_said_in_both_directions() {
        let time = |biarch: [f64; 3]| {
            outcome(Target::Time(Baseline::Native, Some(2.0)), &biarch.map(|biarch| (1.0, biarch, 1.0))).verdict
        };
        assert_eq!(time([1.5, 1.6, 1.7]), Verdict::Met);
        assert_eq!(time([1.5, 1.9, 2.5]), Verdict::MetWithinNoise);
        assert_eq!(time([1.5, 2.1, 2.5]), Verdict::MissedWithinNoise);
        assert_eq!(time([2.3, 2.1, 2.5]), Verdict::Missed);
    }

    #[test]
    fn speed_asks_for_native_and_for_qemu() {
        let speed =
            |native: f64, qemu: f64| outcome(Target::Speed { native: 0.98, qemu: 5.0 }, &[(native, 1.0, qemu); 5]).verdict;
        assert_eq!(speed(1.0, 6.0), Verdict::Met);
        assert_eq!(speed(0.97, 6.0), Verdict::Missed);
        assert_eq!(speed(1.0, 4.0), Verdict::BeyondNative);
        assert_eq!(speed(0.97, 4.0), Verdict::Missed);
        assert_eq!(speed(0.99, 4.98), Verdict::Missed);
    }

    #[test]
    fn a_difference_is_in_the_row_s_unit() {
        assert_eq!(outcome(Target::Above(Some(3e6)), &[(1e6, 3.9e6, 1.0); 3]).verdict, Verdict::Met);
        let result = outcome(Target::Above(Some(3e6)), &[(1e6, 4.1e6, 1.0); 3]);
        assert_eq!(result.verdict, Verdict::Missed);
        assert!(result.text[0].starts_with("+3.10 ms"), "{}", result.text[0]);
    }

    #[test]
    fn another_baseline_replaces_native() {
        let row = Row { name: "row", work: Work::Inside("hello", &[]), target: Target::Time(Baseline::OwnStub, Some(1.3)) };
        let round = Round { native: Some(8000.0), biarch: Some(1.2), qemu: None, baseline: Some(1.0) };
        let result = Outcome::new(&row, &vec![round; 3], BTreeMap::new());
        assert!((result.comparison.expect("there are rounds").median - 1.2).abs() < 1e-9);
        assert!(result.over_qemu.is_none());
    }

    #[test]
    fn a_failure_of_biarch_is_never_met() {
        let row = Row { name: "row", work: Work::Inside("hello", &[]), target: Target::Time(Baseline::Native, Some(2.0)) };
        let failures = BTreeMap::from([("biarch", "exit status: 126".to_owned())]);
        assert_eq!(Outcome::new(&row, &[], failures).verdict, Verdict::Failed);
    }
}

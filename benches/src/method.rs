//! The method of `biarch compare` on trial: how often it claims a difference where there is none, and how often it finds one that was
//! planted. Every benchmark takes part in turn, on either side.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::comparison::{Verdict, trial};
use compare::machine::Machine;
use compare::measure::Effort;
use compare::stats::Random;
use compare::{programs, side, work};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

/// Try the method of `biarch compare --quick`: the same program on both sides, and one that has more to do.
///
/// Exit status: 0, or 1 if a target was missed.
#[derive(Parser)]
#[command(name = "method")]
struct Options {
    /// Trials of each kind
    #[arg(long, default_value_t = 100)]
    trials: usize,
    /// How many times as much there is to do in the slower program
    #[arg(long, default_value_t = 1.03)]
    factor: f64,
    /// The seed of the order of turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Suites or benchmarks; all, if none is named
    words: Vec<String>,
}

/// Of a hundred runs of the same program this many say so.
const SAME: f64 = 0.95;
/// And this many find the slower one.
const FOUND: f64 = 0.80;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    ensure!(options.factor > 1.0 && options.factor < 10.0, "the factor is between 1 and 10");
    let mut rows = work::chosen(&options.words)?;
    rows.retain(|row| !programs::has(row));
    let sides = side::find(false, &[])?.sides;
    let mut random = Random::new(options.seed);
    let mut out = io::stdout().lock();
    writeln!(out, "{}", Machine::look().line())?;
    let mut met = true;
    for (what, factor, right, target) in [
        ("the same program on both sides", 1.0, Verdict::NoDifference, SAME),
        ("a slower program on one side", options.factor, Verdict::Move, FOUND),
    ] {
        let (mut tried, mut coarse) = (0, 0);
        // Which benchmarks were judged wrongly, and how often.
        let mut wrong: BTreeMap<&str, usize> = BTreeMap::new();
        let turns = rows.iter().flat_map(|row| sides.iter().map(move |side| (row, side))).cycle();
        for (row, side) in turns.take(options.trials.saturating_mul(10)) {
            if tried == options.trials {
                break;
            }
            let verdict = trial(side, row.name, factor, &Effort::QUICK, &mut random)
                .with_context(|| format!("{} of {}", row.name, side.name))?;
            match verdict {
                None => coarse += 1,
                Some(verdict) => {
                    tried += 1;
                    if verdict != right {
                        *wrong.entry(row.name).or_default() += 1;
                    }
                }
            }
        }
        ensure!(tried > 0, "none of these can be slowed by so little");
        let share = |count: usize| format!("{count} of {tried}");
        let good = tried - wrong.values().sum::<usize>();
        #[expect(clippy::cast_precision_loss, reason = "hundreds")]
        let enough = good as f64 >= target * tried as f64;
        met &= enough;
        let wanted = target * 100.0;
        let verdict = if enough { "met" } else { "missed" };
        writeln!(out, "{what} (x {factor}): judged rightly {}, at least {wanted:.0} %: {verdict}", share(good))?;
        for (name, count) in wrong {
            writeln!(out, "    wrongly: {name} {count}")?;
        }
        if coarse > 0 {
            writeln!(out, "    {coarse} were left out: their unit is too large for so small a difference")?;
        }
    }
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

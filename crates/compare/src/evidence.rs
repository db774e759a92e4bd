//! What a benchmark does on a side, told by the worker of that side (`worker/evidence.c`) and by its machine code.

use crate::disassembly::Mix;
use crate::functions;
use crate::measure;
use crate::side::{How, Side};
use anyhow::{Context, Result};
use std::process::{Command, Stdio};

/// Repetitions for which system calls are counted.
const COUNT: u32 = 16;

/// Of one side.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The side's heading.
    pub name: String,
    /// How its programs are run.
    pub how: Option<How>,
    /// System calls for one unit of work; `None` where they could not be counted.
    pub calls: Option<f64>,
    /// Those of them that the kernel does not have.
    pub refused: f64,
    /// Bytes of the data that it goes through; 0 where their number does not depend on the ABI.
    pub bytes: u64,
    /// The functions of the vDSO.
    pub vdso: Vec<String>,
    /// Instructions that the program executes for one unit, and who counted them.
    pub instructions: Option<(f64, &'static str)>,
    /// Misses of the last cache for one unit, where the processor counts them.
    pub cache_misses: Option<f64>,
    /// Why the processor's counters say nothing.
    pub uncounted: Option<String>,
    /// What the benchmark's functions are made of.
    pub mix: Mix,
    /// The functions of libraries that they call.
    pub elsewhere: Vec<String>,
}

impl Evidence {
    /// Asks the worker of `side` about the benchmark `name`.
    ///
    /// # Errors
    /// Where the worker has no such benchmark.
    pub fn of(side: &Side, name: &str) -> Result<Self> {
        let functions = functions::of(side.abi, name)?;
        let mut evidence = Self {
            name: side.name.clone(),
            how: Some(side.how.clone()),
            mix: functions::mix(&functions),
            elsewhere: functions.into_iter().flat_map(|function| function.elsewhere).collect(),
            ..Self::default()
        };
        let mut command = side.worker()?;
        command.args([name, "evidence", &COUNT.to_string()]).args(side.partner()?);
        // What cannot be counted here is no evidence, and no failure.
        for line in measure::run(&mut command, 0).unwrap_or_default().lines() {
            match line.split_once(' ') {
                Some(("calls", figure)) => evidence.calls = figure.parse().ok(),
                Some(("refused", figure)) => evidence.refused = figure.parse().unwrap_or_default(),
                Some(("bytes", figure)) => evidence.bytes = figure.parse().unwrap_or_default(),
                Some(("instructions", figure)) => {
                    evidence.instructions = figure.parse().ok().map(|figure| (figure, "hardware counters"));
                }
                Some(("cache-misses", figure)) => evidence.cache_misses = figure.parse().ok(),
                Some(("none", reason)) => evidence.uncounted = Some(reason.to_owned()),
                Some(("vdso", symbol)) => evidence.vdso.push(symbol.to_owned()),
                _ => {}
            }
        }
        Ok(evidence)
    }

    /// Counts instructions with callgrind, where the processor does not and the kernel has no part in the work.
    ///
    /// # Errors
    /// Where valgrind is not there, or does not run this program.
    pub fn count(&mut self, side: &Side, name: &str) -> Result<()> {
        if self.instructions.is_some() || side.how != How::Native || self.calls.is_none_or(|calls| calls >= 0.1) {
            return Ok(());
        }
        // Valgrind hides the vDSO from its programs.
        if !self.vdso.is_empty() && self.elsewhere.iter().any(|function| CLOCKS.contains(&function.as_str())) {
            return Ok(());
        }
        let collected = |repetitions: u32| {
            let worker = side.worker()?;
            let mut command = Command::new("valgrind");
            command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(worker.get_program());
            command.args([name, "run", &repetitions.to_string()]).stdin(Stdio::null()).env_clear().env("PATH", "/usr/bin:/bin");
            let said = measure::errors(&mut command).context("cannot run valgrind: apt-get install valgrind")?;
            let figure = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse::<f64>().ok());
            figure.with_context(|| format!("callgrind counted nothing: {}", said.lines().last().unwrap_or_default()))
        };
        // The difference is that of the work alone.
        let each = (collected(2 * REPETITIONS)? - collected(REPETITIONS)?) / f64::from(REPETITIONS);
        self.instructions = Some((each, "callgrind"));
        Ok(())
    }
}

/// Repetitions that callgrind counts, and then twice as many: the same in every run, so that the figure is. Both
/// have three digits, which are read.
const REPETITIONS: u32 = 100;
/// What the C library answers from the vDSO.
const CLOCKS: [&str; 6] = ["clock_gettime", "__clock_gettime", "__clock_gettime64", "gettimeofday", "__gettimeofday", "time"];

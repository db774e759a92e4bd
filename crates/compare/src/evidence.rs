//! What a benchmark does on a side, told by the worker of that side (`worker/evidence.c`) and by its machine code.

use crate::disassembly::Mix;
use crate::functions;
use crate::measure;
use crate::side::{How, Side};
use anyhow::Result;

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
        command.args([name, "evidence", &COUNT.to_string()]);
        // What cannot be counted here is no evidence, and no failure.
        for line in measure::run(&mut command, 0).unwrap_or_default().lines() {
            match line.split_once(' ') {
                Some(("calls", figure)) => evidence.calls = figure.parse().ok(),
                Some(("refused", figure)) => evidence.refused = figure.parse().unwrap_or_default(),
                Some(("bytes", figure)) => evidence.bytes = figure.parse().unwrap_or_default(),
                Some(("vdso", symbol)) => evidence.vdso.push(symbol.to_owned()),
                _ => {}
            }
        }
        Ok(evidence)
    }
}

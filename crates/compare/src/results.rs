//! Results that were written earlier, here or elsewhere. What they say about themselves is not believed: ratios, intervals and
//! verdicts are computed again from the samples.

use crate::comparison::{Comparison, SCHEMA_VERSION};
use crate::kit;
use crate::machine::Machine;
use crate::regular;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// A file with more bytes is none of ours: `--full` writes two megabytes.
const MAX_SIZE: u64 = 16 << 20;
/// Samples that are looked at: `--full` has 50,000.
const MAX_SAMPLES: usize = 500_000;
/// Benchmarks in one result.
const MAX_OUTCOMES: usize = 2000;
/// Characters of a text: titles have a hundred, and an error message of a compiler may have a few thousand.
const MAX_TEXT: usize = 4096;

/// Results of several machines, as `--json` writes them where several files are given.
#[derive(Serialize, Deserialize)]
pub struct Several<Results> {
    /// [`SCHEMA_VERSION`]
    pub schema_version: u32,
    /// In the order of the files.
    pub comparisons: Results,
}

/// Whether a word of the command line is a file with results: no suite or benchmark has such a name.
#[must_use]
pub fn is_file(word: &str) -> bool {
    word.contains(['.', '/'])
}

/// Reads what these files have, and puts together what was measured on one machine.
///
/// # Errors
/// Where one cannot be read, or is something else.
pub fn read(paths: &[&Path]) -> Result<Vec<Comparison>> {
    let mut all: Vec<Comparison> = Vec::new();
    for path in paths {
        for comparison in file(path).with_context(|| format!("{} is not used", path.display()))? {
            match all.iter_mut().find(|known| parts_of_one(known, &comparison)) {
                Some(known) => append(known, comparison),
                None => all.push(comparison),
            }
        }
    }
    Ok(all)
}

fn file(path: &Path) -> Result<Vec<Comparison>> {
    let file = regular::open(path).context("it cannot be read")?;
    ensure!(file.metadata()?.is_file(), "it is not a file; give what `biarch compare --json` has written");
    let mut bytes = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut bytes).context("it cannot be read")?;
    ensure!(bytes.len() as u64 <= MAX_SIZE, "it has more than {} MiB, and is no result of `biarch compare`", MAX_SIZE >> 20);
    ensure!(!bytes.is_empty(), "it is empty; write it again with `biarch compare --json > FILE`");
    let results = if kit::is_kit(&bytes) {
        let text: Vec<String> = String::from_utf8_lossy(&bytes).lines().map(|line| plain(line.trim_end())).collect();
        vec![kit::parse(&text.join("\n"))?]
    } else {
        json(&bytes)?
    };
    results.into_iter().map(checked).collect()
}

fn json(bytes: &[u8]) -> Result<Vec<Comparison>> {
    let mut value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) if error.is_eof() => bail!("it is cut off ({error}); write it again with `biarch compare --json > FILE`"),
        Err(error) => bail!("it is not a result of `biarch compare --json`: {error}"),
    };
    const OTHER: &str = "it is JSON, but not of `biarch compare --json`";
    let version = value.get("schema_version").and_then(Value::as_u64).context(OTHER)?;
    let ours = value.get("outcomes").is_some() || value.get("comparisons").is_some();
    ensure!(ours, OTHER);
    ensure!(
        version == u64::from(SCHEMA_VERSION),
        "it has schema version {version}, and this biarch reads version {SCHEMA_VERSION}; read it with the biarch that wrote it"
    );
    plain_value(&mut value);
    let several = value.get("comparisons").is_some();
    let parsed = if several {
        serde_json::from_value(value).map(|several: Several<Vec<Comparison>>| several.comparisons)
    } else {
        serde_json::from_value(value).map(|one: Comparison| vec![one])
    };
    parsed.context("it is not a whole result of `biarch compare --json`")
}

/// Texts of strangers get to a terminal and into tables: what controls either is taken out of them.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len().min(MAX_TEXT));
    for c in text.chars().take(MAX_TEXT) {
        match c {
            '\n' | '\t' => plain.push(' '),
            c if c.is_control() => plain.extend(c.escape_default()),
            c => plain.push(c),
        }
    }
    plain
}

fn plain_value(value: &mut Value) {
    match value {
        Value::String(text) => *text = plain(text),
        Value::Array(values) => values.iter_mut().for_each(plain_value),
        Value::Object(fields) => fields.values_mut().for_each(plain_value),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether it can be a result; its conclusions are drawn again.
fn checked(mut comparison: Comparison) -> Result<Comparison> {
    let sides = comparison.sides.len();
    ensure!((2..=16).contains(&sides), "a comparison has two sides and at most 16, and not {sides}");
    ensure!(comparison.outcomes.len() <= MAX_OUTCOMES, "it has more than {MAX_OUTCOMES} benchmarks");
    let resolution = comparison.self_check.resolution;
    ensure!((0.0..10.0).contains(&resolution), "its resolution is {resolution}, which no machine has");
    let own =
        comparison.self_check.ratios.iter().all(|(_, ratio)| 0.0 < ratio.low && ratio.low <= ratio.high && ratio.high < 1e9);
    ensure!(own, "its self-check has ratios that cannot be");
    let mut samples = 0;
    for outcome in &mut comparison.outcomes {
        let name = &outcome.name;
        ensure!(outcome.samples.len() <= sides, "{name}: samples of {} sides, where there are {sides}", outcome.samples.len());
        for sample in outcome.samples.iter().flatten() {
            ensure!((1e-6..1e18).contains(sample), "{name}: a sample of {sample} ns cannot be");
        }
        samples += outcome.samples.iter().map(Vec::len).sum::<usize>();
        ensure!(samples <= MAX_SAMPLES, "it has more than {MAX_SAMPLES} samples");
        outcome.judge(resolution);
    }
    Ok(comparison)
}

/// Whether both were measured on one machine, with different benchmarks.
fn parts_of_one(one: &Comparison, other: &Comparison) -> bool {
    let at_rest = |comparison: &Comparison| Machine { load: String::new(), ..comparison.machine.clone() };
    let known = |name: &str| one.outcomes.iter().any(|outcome| outcome.name == name);
    at_rest(one) == at_rest(other) && one.sides == other.sides && !other.outcomes.iter().any(|outcome| known(&outcome.name))
}

fn append(known: &mut Comparison, more: Comparison) {
    known.outcomes.extend(more.outcomes);
    known.left_out.extend(more.left_out);
    known.left_out.sort();
    known.left_out.dedup();
    known.self_check.ratios.extend(more.self_check.ratios);
    // What one of the self-checks could not resolve is not claimed of the other's works either.
    known.self_check.resolution = known.self_check.resolution.max(more.self_check.resolution);
    for outcome in &mut known.outcomes {
        outcome.judge(known.self_check.resolution);
    }
}

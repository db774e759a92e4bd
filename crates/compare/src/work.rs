//! What can be compared, and choosing from it.

use crate::programs;
use crate::worker::{self, Row};
use anyhow::{Result, bail};

/// Everything that can be compared: the worker's benchmarks, and among their suites those that are programs of Debian.
///
/// # Errors
/// Where the worker is not what it should be: a fault of the build.
pub fn all() -> Result<Vec<Row>> {
    let mut rows = worker::rows()?;
    for own in programs::rows() {
        let at = rows.iter().rposition(|row| row.suite == own.suite).map_or(rows.len(), |last| last + 1);
        rows.insert(at, own);
    }
    Ok(rows)
}

/// The benchmarks that are asked for by suite or by name; where nothing is asked for, all that need not be asked for.
///
/// # Errors
/// Where a word is neither; the message has what there is.
pub fn chosen(words: &[String]) -> Result<Vec<Row>> {
    let rows = all()?;
    if let Some(unknown) = words.iter().find(|word| !rows.iter().any(|row| row.suite == **word || row.name == **word)) {
        let mut suites: Vec<&str> = rows.iter().map(|row| row.suite).collect();
        suites.dedup();
        bail!("there is no suite or benchmark {unknown}; the suites are {}; `biarch compare list` has all", suites.join(", "));
    }
    let wanted = |row: &Row| (words.is_empty() && !row.asked) || words.iter().any(|word| row.suite == *word || row.name == *word);
    Ok(rows.into_iter().filter(wanted).collect())
}

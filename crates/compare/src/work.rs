//! What can be compared, and choosing from it.

use crate::worker::{self, Row};
use anyhow::{Result, bail};

/// The benchmarks that are asked for by suite or by name; where nothing is asked for, all that need not be asked for.
///
/// # Errors
/// Where a word is neither; the message has what there is.
pub fn chosen(words: &[String]) -> Result<Vec<Row>> {
    let rows = worker::rows()?;
    if let Some(unknown) = words.iter().find(|word| !rows.iter().any(|row| row.suite == **word || row.name == **word)) {
        let mut suites: Vec<&str> = rows.iter().map(|row| row.suite).collect();
        suites.dedup();
        bail!("there is no suite or benchmark {unknown}; the suites are {}; `biarch compare list` has all", suites.join(", "));
    }
    let wanted = |row: &Row| (words.is_empty() && !row.asked) || words.iter().any(|word| row.suite == *word || row.name == *word);
    Ok(rows.into_iter().filter(wanted).collect())
}

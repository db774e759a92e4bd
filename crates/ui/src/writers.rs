//! The formats: one file each.

use crate::Table;
use std::io::{self, Write};

pub mod binary;
mod causes;
pub mod code;
pub mod comparison;
pub mod explanation;
pub mod history;
pub mod html;
pub mod json;
pub mod latency;
pub mod layout;
pub mod report;
pub mod sarif;
pub mod source;
mod suites;
pub mod text;

/// The formats that a [`Table`] can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a person.
    Text,
    /// For a program.
    Json,
}

/// Writes `table` in `format`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(table: &Table, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(table, out),
        Format::Json => json::write(table, out),
    }
}

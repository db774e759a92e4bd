//! What others measured, beside what was measured here: tables for a person, or Markdown for a page.

use super::comparison::{interval, markdown, said};
use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::comparison::{Comparison, Ratio};
use compare::history::{Said, Source, TABLES, Table};
use std::io::{self, Write};

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Text,
    /// For a page.
    Markdown,
}

/// Writes every table, with a column for each of `here`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(here: &[Comparison], form: Form, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    if form == Form::Markdown {
        writeln!(out, "# What others measured, and the same today\n")?;
        writeln!(out, "Written by `make figures`; do not edit. {MEANING}\n")?;
    } else {
        said(MEANING, out)?;
    }
    for (at, comparison) in here.iter().enumerate() {
        let name = heading(at, here.len());
        match form {
            Form::Text => said(&format!("{name}: {}", comparison.machine.line()), out)?,
            Form::Markdown => writeln!(out, "*{name}*: {}\n", markdown::plain(&comparison.machine.line()))?,
        }
    }
    for source in Source::ALL {
        match form {
            Form::Text => {
                write!(out, "\n{bold}")?;
                said(source.citation(), out)?;
                write!(out, "{bold:#}")?;
            }
            Form::Markdown => writeln!(out, "## {}\n\n{}.\n", source.name(), source.citation())?,
        }
        for table in TABLES.iter().filter(|table| table.source == source) {
            match form {
                Form::Text => text(table, here, out)?,
                Form::Markdown => page(table, here, out)?,
            }
        }
    }
    Ok(())
}

const MEANING: &str = "The last columns say how many times the second column's cost is the first's: how many times as long 32 bits take, \
                       or how many times as large they are. Below 1, 64 bits lose.";

fn heading(at: usize, all: usize) -> String {
    if all > 1 { format!("here {}", at + 1) } else { "here".to_owned() }
}

fn cells(table: &Table, here: &[Comparison]) -> (Vec<String>, Vec<Vec<String>>) {
    let [first, second] = table.columns.map(str::to_owned);
    let mut header = vec![String::new(), first, second, "then".to_owned()];
    // A column of dashes says nothing.
    let measured: Vec<(usize, &Comparison)> =
        here.iter().enumerate().filter(|(_, comparison)| table.rows.iter().any(|row| row.here(comparison).is_some())).collect();
    header.extend(measured.iter().map(|(at, _)| heading(*at, here.len())));
    let rows = table.rows.iter().map(|row| {
        let (first, second, ratio) = match row.said {
            Said::Both(first, second) => {
                (number(first), number(second), row.ratio(table.unit).map(|ratio| format!("{ratio:.2}")))
            }
            Said::Ratio(ratio) => (String::new(), String::new(), Some(format!("{ratio:.2}"))),
            Said::Words(words) => (String::new(), String::new(), Some(words.to_owned())),
        };
        let mut cells = vec![row.what.to_owned(), first, second, ratio.unwrap_or_default()];
        cells.extend(measured.iter().map(|(_, comparison)| match row.here(comparison) {
            Some((median, Some((low, high)))) => interval(&Ratio { median, low, high }),
            Some((median, None)) => format!("{median:.2}"),
            None => "-".to_owned(),
        }));
        cells
    });
    (header, rows.collect())
}

fn text(table: &Table, here: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    said(&format!("{} ({}; {})", table.title, table.unit.words(), table.place), out)?;
    let mut grid = comfy_table::Table::new();
    grid.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let (header, rows) = cells(table, here);
    grid.set_header(&header).add_rows(rows);
    for (at, column) in grid.column_iter_mut().enumerate() {
        column.set_padding((2 * u16::from(at == 0), 2));
        if at != 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    grid.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    if !table.note.is_empty() {
        said(&format!("note: {}", table.note), out)?;
    }
    writeln!(out, "today: {}", table.command)
}

fn page(table: &Table, here: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n\n{}; {}. Today: `{}`\n", table.title, table.place, table.unit.words(), table.command)?;
    let (header, rows) = cells(table, here);
    markdown::table(&header, &rows, out)?;
    if !table.note.is_empty() {
        writeln!(out, "\nNote: {}.", table.note)?;
    }
    writeln!(out)
}

/// A figure as it was printed.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

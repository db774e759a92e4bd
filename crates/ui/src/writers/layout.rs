//! Layouts of types for two word sizes, side by side, for a person and as JSON.

use crate::wrap;
use anstyle::{AnsiColor, Style};
use elf::layout::{Comparison, Row, Spot, Verdict};
use serde::Serialize;
use std::io::{self, Write};

/// The version of what [`json`] writes: it changes when a field goes away or changes its meaning.
const SCHEMA_VERSION: u32 = 1;
/// Columns of a member's name and type; longer ones are cut.
const MAX_NAME: usize = 44;

/// Writes them as tables. `sides` says what is on the left and on the right.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(sides: &[String; 2], types: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    for (index, one) in types.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        table(sides, one, out)?;
    }
    Ok(())
}

fn table(sides: &[String; 2], one: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let (bold, changed) = (Style::new().bold(), Style::new().fg_color(Some(AnsiColor::Yellow.into())));
    let rows: Vec<&Row> = one.members.iter().filter(|row| !row.path.is_empty()).collect();
    let label = |row: &Row| {
        let of = row.wide.as_ref().or(row.narrow.as_ref()).map_or("", |spot| spot.of.as_str());
        wrap::shortened(&format!("{}{}  {of}", "  ".repeat(row.depth), row.path), MAX_NAME)
    };
    let width = rows.iter().map(|row| wrap::width(&label(row))).max().unwrap_or_default().max(9);
    writeln!(out, "{bold}{}{bold:#}: {} bytes in {}, {} in {}", one.name, one.narrow, sides[0], one.wide, sides[1])?;
    if !rows.is_empty() {
        writeln!(out, "  {:width$}    {:^14}    {:^14}", "", "32-bit", "64-bit")?;
        writeln!(out, "  {:width$}    {:>7} {:>6}    {:>7} {:>6}", "", "offset", "size", "offset", "size")?;
    }
    for row in rows {
        hole(width, "(hole)", [&row.narrow, &row.wide].map(|spot| spot.as_ref().map_or(0, |spot| spot.hole)), out)?;
        let [narrow, wide] = [&row.narrow, &row.wide].map(|spot| spot.as_ref().map_or_else(|| format!("{:>14}", "-"), cell));
        let style = if row.leaf && (row.moves() || row.changes()) { changed } else { Style::new() };
        let label = label(row);
        let space = " ".repeat(width - wrap::width(&label));
        writeln!(out, "  {style}{label}{space}    {narrow}    {wide}{style:#}")?;
    }
    hole(width, "(padding)", one.padding, out)?;
    writeln!(out, "  {bold}{}{bold:#}: {}", one.verdict, reason(one))
}

fn hole(width: usize, what: &str, holes: [u64; 2], out: &mut dyn Write) -> io::Result<()> {
    if holes == [0, 0] {
        return Ok(());
    }
    let [narrow, wide] = holes.map(|bytes| if bytes == 0 { String::new() } else { bytes.to_string() });
    writeln!(out, "  {what:width$}    {narrow:>14}    {wide:>14}")
}

/// Offset and size; of bit-fields with bits, as `4:3`.
fn cell(spot: &Spot) -> String {
    match spot.bits {
        Some(bits) => format!("{:>7} {:>6}", format!("{}:{}", spot.offset, spot.bit), format!("{bits}b")),
        None => format!("{:>7} {:>6}", spot.offset, spot.size),
    }
}

fn reason(one: &Comparison) -> String {
    match one.verdict {
        Verdict::Full => "the same layout on both sides".to_owned(),
        Verdict::Repackable => "every member has a counterpart that it can be converted to".to_owned(),
        Verdict::None => one.because.join("; "),
    }
}

/// Writes them as JSON.
///
/// # Errors
/// Whatever `out` returns.
pub fn json(sides: &[String; 2], types: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a> {
        schema_version: u32,
        narrow: &'a str,
        wide: &'a str,
        types: &'a [Comparison],
    }
    let document = Document { schema_version: SCHEMA_VERSION, narrow: &sides[0], wide: &sides[1], types };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

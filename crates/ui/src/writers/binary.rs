//! Two builds of one program side by side: tables for a person, or JSON.

use super::Format;
use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::binary::{Both, Pair, Types};
use compare::disassembly::{Class, Mix};
use std::io::{self, Write};

pub mod html;

/// Structures that are shown: those that grow most.
const SHOWN: usize = 20;
/// Members that are shown of each.
const CAUSES: usize = 6;

/// Writes `pair` in `format`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(pair: &Pair, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text(pair, out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, pair)?;
            writeln!(out)
        }
    }
}

fn text(pair: &Pair, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Aligned::new(pair);
    table.heading("bytes");
    for row in pair.sections.rows.iter().filter(|row| row.loaded) {
        table.row(&row.name, row.size);
    }
    table.heading("in memory");
    for (name, both) in [("text", pair.sections.text), ("data", pair.sections.data), ("bss", pair.sections.bss)] {
        table.row(name, both);
    }
    table.row("all", pair.sections.loaded);
    table.heading("file");
    for row in pair.sections.rows.iter().filter(|row| !row.loaded) {
        table.row(&row.name, row.size);
    }
    table.row("all", Both { narrow: pair.narrow.file_size, wide: pair.wide.file_size });
    instructions(pair, &mut table);
    if !pair.relocations.is_empty() {
        table.heading("relocations");
    }
    for row in &pair.relocations {
        table.row(&row.name, row.count);
    }
    table.write(out)?;
    if let Some(types) = &pair.types {
        structures(types, out)?;
    }
    for note in &pair.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

/// Structures that grow, each with its cause.
fn structures(types: &Types, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(
        out,
        "{bold}structures{bold:#}: {} of another size, {} of the same, {} without a counterpart",
        types.grown.len(),
        types.same,
        types.unpaired
    )?;
    for one in types.grown.iter().take(SHOWN) {
        let mut causes: Vec<String> = Vec::new();
        for member in &one.members {
            let name = if member.name.is_empty() { "(no name)" } else { &member.name };
            causes.push(format!("{name} {}", member.of));
        }
        let rest = causes.len().saturating_sub(CAUSES);
        causes.truncate(CAUSES);
        if rest > 0 {
            causes.push(format!("{rest} more"));
        }
        if let Some(padding) = one.padding.filter(|padding| padding.narrow != padding.wide) {
            causes.push(format!("padding {} to {}", padding.narrow, padding.wide));
        }
        writeln!(out, "  {} {} to {}: {}", one.name, one.size.narrow, one.size.wide, causes.join(", "))?;
    }
    if types.grown.len() > SHOWN {
        writeln!(out, "  {} more: --json has all", types.grown.len() - SHOWN)?;
    }
    Ok(())
}

fn instructions(pair: &Pair, table: &mut Aligned) {
    let (narrow, wide) = (pair.instructions.narrow.as_ref(), pair.instructions.wide.as_ref());
    if narrow.is_none() && wide.is_none() {
        return;
    }
    let both = |figure: &dyn Fn(&Mix) -> u64| Both { narrow: narrow.map_or(0, figure), wide: wide.map_or(0, figure) };
    table.heading("instructions");
    for (class, name) in Class::ALL.iter().filter(|(class, _)| !matches!(class, Class::Padding | Class::Data)) {
        table.row(name, both(&|mix| mix.count(*class)));
    }
    table.row("all", both(&|mix| mix.instructions));
    table.row("of these at a slot of the stack", both(&|mix| mix.slots));
    table.row("padding", both(&|mix| mix.count(Class::Padding)));
    table.heading("bytes of code");
    table.row("instructions", both(&|mix| mix.bytes));
    table.row("padding", both(&|mix| mix.padding_bytes));
    table.row("data in between", both(&|mix| mix.data_bytes));
    let average = |mix: Option<&Mix>| mix.and_then(Mix::average_length);
    table.figures("an instruction, on average", average(narrow), average(wide));
}

/// A table of figures of both, with headings in between.
struct Aligned {
    table: comfy_table::Table,
    headings: Vec<usize>,
}

impl Aligned {
    fn new(pair: &Pair) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let (narrow, wide) = (&pair.narrow.abi, &pair.wide.abi);
        table.set_header([String::new(), narrow.clone(), wide.clone(), format!("{wide} / {narrow}")]);
        Self { table, headings: vec![0] }
    }

    fn heading(&mut self, heading: &str) {
        self.headings.push(self.table.row_count() + 1);
        self.table.add_row([heading]);
    }

    fn row(&mut self, name: &str, both: Both) {
        let count = |count: u64| if count == 0 { "-".to_owned() } else { count.to_string() };
        let ratio = both.ratio().filter(|_| both.wide > 0).map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        self.table.add_row([format!("  {name}"), count(both.narrow), count(both.wide), ratio]);
    }

    /// Figures with a point.
    fn figures(&mut self, name: &str, narrow: Option<f64>, wide: Option<f64>) {
        let figure = |figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.2}"));
        let ratio = narrow.zip(wide).map_or_else(String::new, |(narrow, wide)| format!("{:.2}", wide / narrow));
        self.table.add_row([format!("  {name}"), figure(narrow), figure(wide), ratio]);
    }

    fn write(mut self, out: &mut dyn Write) -> io::Result<()> {
        for (at, column) in self.table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if at != 0 {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for (at, line) in self.table.lines().enumerate() {
            let style = if self.headings.contains(&at) { Style::new().bold() } else { Style::new() };
            writeln!(out, "{style}{}{style:#}", line.trim_end())?;
        }
        Ok(())
    }
}

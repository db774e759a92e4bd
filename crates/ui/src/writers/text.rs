//! Text for a person: aligned columns, one row a line, so that `grep` works on it.

use crate::Table;
use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use serde_json::Value;
use std::io::{self, Write};

/// Writes `table` as text. The same table gives the same bytes, whatever the terminal's width.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut text = comfy_table::Table::new();
    text.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    text.set_header(table.columns().iter().map(|column| column.to_uppercase().replace('_', " ")));
    for row in table.rows() {
        text.add_row(row.iter().map(cell));
    }
    let numeric = |index: usize| table.rows().iter().any(|row| row[index].is_number());
    for (index, column) in text.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if numeric(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let bold = Style::new().bold();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if index == 0 { writeln!(out, "{bold}{line}{bold:#}")? } else { writeln!(out, "{line}")? }
    }
    Ok(())
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Table;
    use serde_json::{Value, json};

    #[test]
    fn columns_are_aligned_and_lines_have_no_trailing_blanks() {
        let mut table = Table::new("things", 1, &["size", "long_name", "note"]);
        table.push([json!(4), json!("a"), Value::Null]);
        table.push([json!(1024), json!("longer"), json!("why")]);
        let mut text = Vec::new();
        super::write(&table, &mut text).expect("memory takes it");
        let text = String::from_utf8(text).expect("it is text");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("SIZE  LONG NAME  NOTE"), "{text}");
        assert_eq!(lines[1], "   4  a");
        assert_eq!(lines[2], "1024  longer     why");
    }
}

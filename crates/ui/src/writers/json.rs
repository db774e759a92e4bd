//! JSON: one object with `schema_version` and the rows under the name of what they are, every row with every column.

use crate::Table;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Writes `table` as JSON. The same table gives the same bytes.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    // By hand around the rows: one row a line compares well, and the version comes first.
    write!(out, "{{\n\"schema_version\": {},\n\"{}\": [", table.schema_version(), table.kind())?;
    for (index, row) in table.rows().iter().enumerate() {
        let columns = table.columns().iter().map(|&column| column.to_owned());
        let object: Map<String, Value> = columns.zip(row.iter().cloned()).collect();
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &object).map_err(io::Error::from)?;
    }
    out.write_all(b"\n]\n}\n")
}

#[cfg(test)]
mod tests {
    use crate::Table;
    use serde_json::{Value, json};

    #[test]
    fn what_is_written_is_json_and_says_its_version() {
        let mut table = Table::new("things", 3, &["name", "size"]);
        table.push([json!("a \"quoted\" name"), json!(4)]);
        table.push([json!("b"), Value::Null]);
        let mut text = Vec::new();
        super::write(&table, &mut text).expect("memory takes it");
        let read: Value = serde_json::from_slice(&text).expect("it is JSON");
        let things = json!([{"name": "a \"quoted\" name", "size": 4}, {"name": "b", "size": null}]);
        assert_eq!(read, json!({"schema_version": 3, "things": things}));
    }

    #[test]
    fn no_rows_are_an_empty_list() {
        let mut text = Vec::new();
        super::write(&Table::new("things", 1, &["name"]), &mut text).expect("memory takes it");
        let read: Value = serde_json::from_slice(&text).expect("it is JSON");
        assert_eq!(read, json!({"schema_version": 1, "things": []}));
    }
}

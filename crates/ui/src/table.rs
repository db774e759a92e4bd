//! What a command has to say, whatever the format.

use serde_json::Value;

/// Rows of one kind, with named columns.
#[derive(Clone, Debug)]
pub struct Table {
    kind: &'static str,
    schema_version: u32,
    columns: &'static [&'static str],
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table of things called `kind` (plural). `schema_version` changes when a column goes away or changes its
    /// meaning; a new column does not change it.
    #[must_use]
    pub fn new(kind: &'static str, schema_version: u32, columns: &'static [&'static str]) -> Self {
        Self { kind, schema_version, columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// Where it does not have as many values as there are columns.
    pub fn push<const N: usize>(&mut self, row: [Value; N]) {
        assert_eq!(N, self.columns.len(), "a row of {} has a value for each column", self.kind);
        self.rows.push(row.into());
    }

    /// The plural name of the things in it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The version of the columns' meaning.
    #[must_use]
    pub fn schema_version(&self) -> u32 {
        self.schema_version
    }

    /// The names of the columns.
    #[must_use]
    pub fn columns(&self) -> &'static [&'static str] {
        self.columns
    }

    /// The rows, in the order they were added.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Value>] {
        &self.rows
    }
}

//! `biarch bridge list FILE`: what a bridge has, and the verdict on every type.

use ::bridge::annotation::Annotation;
use ::bridge::build;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use ui::Table;
use ui::writers::Format;

/// Show the functions and types of a bridge
///
/// The verdict on a type is Full where both sides have the same layout, Repackable where every member can be converted, None where
/// the annotation file has to say something; then what.
#[derive(Args)]
pub(crate) struct List {
    /// The annotation file
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(crate) fn run(self) -> Result<()> {
        let annotation = Annotation::read(&self.file)?;
        let (interface, _, model) = build::look(&annotation)?;
        let mut table = Table::new("bridge", 1, &["kind", "name", "verdict", "bits32", "bits64", "why"]);
        for function in &interface.functions {
            let table_name = format!("functions.{}", function.name);
            let known = model.functions.iter().find(|one| one.name == function.name);
            let open = model.refusals.iter().find(|refusal| refusal.table == table_name);
            let (verdict, why) = match (known.map(|one| &one.call), open) {
                (_, Some(refusal)) => ("open", refusal.why.as_str()),
                (Some(Ok(_)), None) => ("called", ""),
                (Some(Err(why)), None) => ("left out", why.as_str()),
                (None, None) => ("open", "a type of it has a question"),
            };
            table.push([json!("function"), json!(function.name), json!(verdict), json!(null), json!(null), json!(why)]);
        }
        for (at, record) in interface.records.iter().enumerate() {
            let verdict = model.verdict(at, record);
            let [narrow, wide] = record.sizes;
            table.push([
                json!("type"),
                json!(record.spelling),
                json!(verdict.0.to_string()),
                json!(narrow),
                json!(wide),
                json!(verdict.1),
            ]);
        }
        let mut out = ui::color::stdout();
        ui::writers::write(&table, if self.json { Format::Json } else { Format::Text }, &mut out)?;
        out.flush()?;
        Ok(())
    }
}

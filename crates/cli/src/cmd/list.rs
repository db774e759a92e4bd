//! `biarch list REGISTRY`: what biarch knows, from the description itself.

use abi::structs::{LAYOUTS, Verdict};
use abi::syscalls::{Action, Support, Syscall, i386};
use anyhow::{Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;
use ui::Table;
use ui::writers::{self, Format};

/// List what biarch knows: system calls, structures, rules
#[derive(Args)]
pub(crate) struct List {
    #[command(subcommand)]
    registry: Registry,
}

#[derive(Subcommand)]
enum Registry {
    /// The system calls of i386, and what becomes of each
    Syscalls(Syscalls),
    /// The structures whose layout is described for both word sizes
    Structs(Structs),
    /// The rules of biarch check
    Rules(Rules),
}

#[derive(Args)]
struct Syscalls {
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Only the calls of this area, such as time or socket
    #[arg(long)]
    area: Option<String>,
    /// Only the calls with this level of support
    #[arg(long)]
    support: Option<Level>,
}

#[derive(Args)]
struct Structs {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Rules {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    Full,
    Partial,
    Refused,
}

impl List {
    pub(crate) fn run(self) -> Result<()> {
        let (table, json) = match self.registry {
            Registry::Syscalls(arguments) => (syscalls(&arguments)?, arguments.json),
            Registry::Structs(arguments) => (structs(), arguments.json),
            Registry::Rules(arguments) => (rules(), arguments.json),
        };
        let mut out = ui::color::stdout();
        writers::write(&table, if json { Format::Json } else { Format::Text }, &mut out)?;
        Ok(out.flush()?)
    }
}

fn syscalls(arguments: &Syscalls) -> Result<Table> {
    let rows = || i386::TABLE.iter().flatten();
    if let Some(area) = &arguments.area {
        let mut areas: Vec<&str> = rows().map(|row| row.area).collect();
        areas.sort_unstable();
        areas.dedup();
        if !areas.contains(&area.as_str()) {
            bail!("there is no area '{area}'; the areas are {}", areas.join(", "));
        }
    }
    let mut table = Table::new("syscalls", 1, &["number", "name", "area", "action", "host_number", "errno", "support", "note"]);
    let wanted = |row: &&Syscall| {
        arguments.area.as_deref().is_none_or(|area| area == row.area)
            && arguments.support.is_none_or(|level| level == support(row).0)
    };
    for row in rows().filter(wanted) {
        let (action, host_number, errno) = match row.action {
            Action::Native(host) => ("native", json!(host), Value::Null),
            Action::Call => ("call", Value::Null, Value::Null),
            Action::Refuse(errno) => ("refuse", Value::Null, json!(format!("{errno:?}"))),
        };
        let (level, note) = support(row);
        let level = match level {
            Level::Full => "full",
            Level::Partial => "partial",
            Level::Refused => "refused",
        };
        table.push([
            json!(row.number),
            json!(row.name),
            json!(row.area),
            json!(action),
            host_number,
            errno,
            json!(level),
            note.map_or(Value::Null, Value::from),
        ]);
    }
    Ok(table)
}

fn support(row: &Syscall) -> (Level, Option<&'static str>) {
    match row.support {
        Support::Full => (Level::Full, None),
        Support::Partial(note) => (Level::Partial, Some(note)),
        Support::Refused(note) => (Level::Refused, Some(note)),
    }
}

fn structs() -> Table {
    let mut table = Table::new("structs", 1, &["name", "size_i386", "size_x86_64", "verdict", "c_type", "header"]);
    let mut rows: Vec<_> = LAYOUTS.iter().copied().flatten().collect();
    rows.sort_unstable_by_key(|row| row.name);
    for row in rows {
        let verdict = match row.verdict() {
            Verdict::Full => "full",
            Verdict::Repackable => "repackable",
            Verdict::None => "none",
        };
        let text = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
        table.push([json!(row.name), json!(row.size32), json!(row.size64), json!(verdict), text(row.c32), text(row.header)]);
    }
    table
}

fn rules() -> Table {
    let mut table = Table::new("rules", 1, &["id", "severity", "archs", "title"]);
    for rule in super::rules() {
        table.push([json!(rule.id), json!(rule.severity), json!(rule.guests), json!(rule.documentation.title())]);
    }
    table
}

//! The first annotation file of a library: what can be guessed is filled in, what cannot is asked.

use crate::annotation::{Annotation, Function, Record, Value};
use crate::ipc;
use crate::library::Library;
use crate::model::{self, Refusal};
use port::interface::Interface;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Guesses that follow from guesses: pointers in structures behind pointers.
const ROUNDS: usize = 16;

/// A first annotation file.
#[derive(Clone, Debug)]
pub struct Questions {
    /// Its text.
    pub text: String,
    /// How many pointers have an answer that was guessed.
    pub guessed: usize,
    /// How many questions it has for a person.
    pub open: usize,
    /// How many functions it leaves out.
    pub skipped: usize,
}

/// What stands below one `[table]`.
struct Table {
    name: String,
    place: String,
    lines: Vec<String>,
}

/// Asks what the header does not say; `annotation` has the paths, and nothing else.
#[must_use]
pub fn ask(interface: &Interface, library: &Library, mut annotation: Annotation, shown: [&Path; 2]) -> Questions {
    let mut tables: Vec<Table> = Vec::new();
    let mut counts = Questions { text: String::new(), guessed: 0, open: 0, skipped: 0 };
    let mut open: Vec<Refusal> = Vec::new();
    for _ in 0..ROUNDS {
        let mut model = model::resolve(interface, library, &annotation);
        if let Some(name) = &annotation.interface {
            model.refusals.extend(ipc::refusals(interface, &model, name));
        }
        open.clear();
        let before = counts.guessed + counts.skipped;
        for refusal in model.refusals {
            let answer = refusal
                .guess
                .as_deref()
                .and_then(|guess| Some((guess.to_owned(), toml::from_str(&format!("value = {guess}")).ok()?)));
            let skip = refusal.table.starts_with("functions.") && refusal.advice.starts_with("skip");
            if let Some((text, Guess { value })) = answer {
                if set(&mut annotation, &refusal, value) {
                    line(&mut tables, &refusal, format!("{} = {text}", refusal.key));
                    counts.guessed += 1;
                }
            } else if let Some(variadic) =
                refusal.advice.strip_prefix("variadic = ").filter(|_| refusal.advice.contains("printf"))
            {
                if let (Ok(Variadic { value }), Some(name)) = (toml::from_str(&format!("value = {variadic}")), function(&refusal))
                {
                    annotation.functions.entry(name).or_default().variadic = Some(value);
                    line(&mut tables, &refusal, refusal.advice.clone());
                    counts.guessed += 1;
                }
            } else if let Some(name) = function(&refusal).filter(|_| skip) {
                let own = annotation.functions.entry(name).or_default();
                if own.skip.is_none() {
                    own.skip = Some(refusal.why.clone());
                    // A table with what it is about is of no use any more.
                    tables.retain(|table| table.name != refusal.table);
                    line(&mut tables, &refusal, format!("skip = {:?}", refusal.why));
                    counts.skipped += 1;
                }
            } else {
                open.push(refusal);
            }
        }
        if counts.guessed + counts.skipped == before {
            break;
        }
    }
    counts.open = open.len();
    for refusal in &open {
        let guess = refusal.advice.clone();
        let of = if refusal.key.is_empty() { String::new() } else { format!("{}: ", refusal.key) };
        line(&mut tables, refusal, format!("# ? {of}{}\n# {guess}", refusal.why));
    }
    tables.sort_by_key(|table| ["types", "callbacks", "functions"].iter().position(|kind| table.name.starts_with(kind)));
    counts.text = text(&tables, &annotation, shown);
    counts
}

#[derive(serde::Deserialize)]
struct Guess {
    value: Value,
}

#[derive(serde::Deserialize)]
struct Variadic {
    value: crate::annotation::Variadic,
}

fn function(refusal: &Refusal) -> Option<String> {
    Some(refusal.table.strip_prefix("functions.")?.to_owned())
}

fn line(tables: &mut Vec<Table>, refusal: &Refusal, line: String) {
    let found = tables.iter_mut().find(|table| table.name == refusal.table);
    match found {
        Some(table) => table.lines.push(line),
        None => tables.push(Table { name: refusal.table.clone(), place: refusal.place.clone(), lines: vec![line] }),
    }
}

/// Writes an answer where the question is; whether there was none.
fn set(annotation: &mut Annotation, refusal: &Refusal, value: Value) -> bool {
    let Some((kind, name)) = refusal.table.split_once('.') else { return false };
    let name = name.trim_matches('"').to_owned();
    let part = refusal.key.split_once('.').map_or("", |(_, part)| part).to_owned();
    if kind == "types" {
        let record: &mut Record = annotation.types.entry(name).or_default();
        return record.fields.insert(part, value).is_none();
    }
    let into = if kind == "callbacks" { &mut annotation.callbacks } else { &mut annotation.functions };
    let function: &mut Function = into.entry(name).or_default();
    if refusal.key == "result" {
        function.result.replace(value).is_none()
    } else {
        function.parameters.insert(part, value).is_none()
    }
}

/// What the header says at `FILE:LINE`, up to the end of a declaration or the members of a structure, in one line.
fn declaration(place: &str) -> Option<String> {
    /// Lines of the longest that is shown; what goes on is a structure's comment, or a macro.
    const LINES: usize = 12;
    let (file, line) = place.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let text = String::from_utf8_lossy(&fs::read(file).ok()?).into_owned();
    let rest: String = text.lines().skip(line.checked_sub(1)?).take(LINES).collect::<Vec<_>>().join(" ");
    let end = rest.find([';', '{'])?;
    Some(rest[..end].split_whitespace().collect::<Vec<_>>().join(" "))
}

fn text(tables: &[Table], annotation: &Annotation, [header, library]: [&Path; 2]) -> String {
    let mut out = String::from(
        "# What C does not say of this interface. Answers were guessed from types and names: read them, correct them.\n\
         # A line with ? is a question that nobody has answered yet. docs/bridge.md says what everything means.\n\n",
    );
    let _ = match &annotation.interface {
        Some(name) => writeln!(out, "header = {header:?}\ninterface = {name:?}"),
        None => writeln!(out, "header = {header:?}\nlibrary = {library:?}\ntransport = \"{}\"", annotation.transport.name()),
    };
    for (key, words) in [("before", &annotation.before), ("define", &annotation.define)] {
        if !words.is_empty() {
            let _ = writeln!(out, "{key} = {words:?}");
        }
    }
    if !annotation.include.is_empty() {
        let _ = writeln!(out, "include = {:?}", annotation.include);
    }
    for table in tables {
        let _ = match declaration(&table.place) {
            Some(text) => writeln!(out, "\n# {}: {text}\n[{}]", table.place, table.name),
            None => writeln!(out, "\n# {}\n[{}]", table.place, table.name),
        };
        for line in &table.lines {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

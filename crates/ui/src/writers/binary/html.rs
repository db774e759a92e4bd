//! Two builds of one program as one HTML file that needs nothing else: what each section takes, as bars.

use crate::charts::{self, Cell, Mark};
use crate::writers::html::{Text, begin, end};
use crate::writers::report::thousands;
use compare::binary::{Both, Pair};
use std::io::{self, Write};

/// Writes `pair`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(pair: &Pair, out: &mut dyn Write) -> io::Result<()> {
    let loaded = pair.sections.loaded;
    let grown = loaded.ratio().map_or_else(String::new, |ratio| format!(", {ratio:.2} times as much"));
    let size = |bytes: u64| thousands(bytes);
    let summary = format!("{} bytes in memory as 32-bit, {} as 64-bit{grown}", size(loaded.narrow), size(loaded.wide));
    begin("biarch compare --static", &summary, &format!("{}{STYLE}", charts::STYLE), out)?;
    for (class, of) in [("side1", &pair.narrow), ("side0", &pair.wide)] {
        writeln!(out, "<p class=\"{class}\">{}: {}</p>", Text(&of.abi), Text(&of.path.to_string_lossy()))?;
    }
    let in_memory = pair.sections.rows.iter().filter(|row| row.loaded).map(|row| (row.name.as_str(), row.size)).collect();
    let kinds = vec![("text", pair.sections.text), ("data", pair.sections.data), ("bss", pair.sections.bss), ("all", loaded)];
    let file = pair.sections.rows.iter().filter(|row| !row.loaded).map(|row| (row.name.as_str(), row.size)).collect();
    let relocations = pair.relocations.iter().map(|row| (row.name.as_str(), row.count)).collect();
    let groups: [(&str, Vec<(&str, Both)>); 4] = [
        ("Bytes in memory, by section", in_memory),
        ("Bytes in memory, as size(1) has them", kinds),
        ("Bytes that are only in the file", file),
        ("Relocations", relocations),
    ];
    for (title, rows) in groups.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        bars(title, &rows, &size, out)?;
    }
    for note in &pair.notes {
        writeln!(out, "<p>{}</p>", Text(note))?;
    }
    end(out)
}

fn bars(title: &str, rows: &[(&str, Both)], size: &dyn Fn(u64) -> String, out: &mut dyn Write) -> io::Result<()> {
    let most = rows.iter().flat_map(|(_, both)| [both.narrow, both.wide]).max().unwrap_or_default().max(1);
    #[expect(clippy::cast_precision_loss, reason = "the length of a bar")]
    let length = |value: u64| value as f64 / most as f64;
    writeln!(
        out,
        "<h2>{title}</h2>\n<table><thead><tr><th></th><th class=\"number\">32-bit</th><th class=\"number\">64-bit</th>"
    )?;
    writeln!(out, "<th class=\"bars\"></th><th class=\"number\">64 / 32</th></tr></thead>\n<tbody>")?;
    for (name, both) in rows {
        let marks = [
            Mark::Bar("size side1".to_owned(), 0.0, length(both.narrow), 0.3),
            Mark::Bar("size side0".to_owned(), 0.0, length(both.wide), 0.7),
        ];
        let ratio = both.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        write!(out, "<tr><td>{}</td><td class=\"number\">{}</td>", Text(name), size(both.narrow))?;
        write!(out, "<td class=\"number\">{}</td><td class=\"plot\">{}</td>", size(both.wide), Cell(&marks))?;
        writeln!(out, "<td class=\"number\">{ratio}</td></tr>")?;
    }
    writeln!(out, "</tbody></table>")
}

const STYLE: &str = "\
table { width: 100%; border-collapse: collapse; font-size: .88rem; table-layout: fixed }
th { text-align: left; color: var(--soft); font-size: .8rem; padding: 0 .5rem }
td { padding: .3rem .5rem; border-top: 1px solid var(--line) }
td.plot { padding: 0 }
th:first-child { width: 24% } .bars { width: 38% }
.number { text-align: right; font-variant-numeric: tabular-nums }
.plot .size { stroke-width: 7px }
";

//! Everything about one rule, as text.

use crate::wrap;
use anstyle::Style;
use findings::Rule;
use std::io::{self, Write};

/// Prose is not wider than this, however wide the terminal is: the eye loses its line.
pub(super) const PROSE: usize = 100;

/// Writes what `rule` says about itself, in lines of `width` columns.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(rule: &Rule, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}: {}{bold:#}", rule.id, rule.documentation.title())?;
    let guests: Vec<&str> = rule.guests.iter().map(|guest| guest.name()).collect();
    writeln!(out, "severity: {}; programs: {}", rule.severity.name(), guests.join(", "))?;
    for section in rule.documentation.sections() {
        writeln!(out, "\n{bold}{section}{bold:#}")?;
        prose("  ", &rule.documentation.section(section), "  ", width, out)?;
    }
    Ok(())
}

/// Writes paragraphs, the first line behind `first` and the others behind `indent`. A line to type or to copy is left as it is.
pub(super) fn prose(first: &str, text: &str, indent: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let width = width.min(PROSE);
    let mut prefix = first;
    for paragraph in wrap::paragraphs(text) {
        if paragraph.starts_with("    ") {
            writeln!(out, "{prefix}{paragraph}")?;
            prefix = indent;
            continue;
        }
        // The further lines of an item of a list are below its text.
        let hanging = if paragraph.starts_with("- ") { "  " } else { "" };
        let room = |prefix: &str| width.saturating_sub(wrap::width(prefix));
        let lines = wrap::lines(&paragraph, room(prefix), room(indent).saturating_sub(hanging.len()));
        for (index, line) in lines.iter().enumerate() {
            writeln!(out, "{prefix}{}{line}", if index > 0 { hanging } else { "" })?;
            prefix = indent;
        }
    }
    Ok(())
}

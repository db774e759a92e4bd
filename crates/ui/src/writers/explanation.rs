//! Everything about one rule, as text.

use super::report::wrapped;
use anstyle::Style;
use findings::Rule;
use std::io::{self, Write};

/// Writes what `rule` says about itself.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}: {}{bold:#}", rule.id, rule.documentation.title())?;
    writeln!(out, "severity: {}", rule.severity.name())?;
    for section in rule.documentation.sections() {
        writeln!(out, "\n{bold}{section}{bold:#}")?;
        wrapped("  ", &rule.documentation.section(section), "  ", out)?;
    }
    Ok(())
}

//! Why the sides of a comparison differ.

use anstyle::Style;
use compare::causes::CAUSES;
use compare::comparison::Outcome;
use std::io::{self, Write};

/// Writes the causes of all outcomes, each cause once with the works that it slows down.
pub(super) fn write(outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    if outcomes.iter().all(|outcome| outcome.causes.is_empty()) {
        return Ok(());
    }
    let bold = Style::new().bold();
    writeln!(out, "\n{bold}why{bold:#}")?;
    for row in &CAUSES {
        let mut first = true;
        for outcome in outcomes {
            for cause in outcome.causes.iter().filter(|cause| cause.kind == row.kind) {
                if first {
                    writeln!(out, "  {} ({})", row.title, row.kind)?;
                }
                first = false;
                writeln!(out, "    {}: {}", outcome.name, cause.evidence)?;
            }
        }
    }
    Ok(())
}

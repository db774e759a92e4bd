//! Why the sides of a comparison differ.

use anstyle::Style;
use compare::causes::CAUSES;
use compare::comparison::Outcome;
use std::io::{self, Write};

/// Writes the causes of all outcomes, each cause once with the works that it slows down.
pub(super) fn write(outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    let counted = |outcome: &Outcome| match outcome.instructions.as_slice() {
        [Some(wide), Some(narrow)] => Some((*narrow, *wide)),
        _ => None,
    };
    let mut first = true;
    for outcome in outcomes {
        let Some((narrow, wide)) = counted(outcome) else { continue };
        if first {
            writeln!(out, "\n{bold}instructions for each (32-bit, 64-bit, ratio){bold:#}")?;
        }
        first = false;
        writeln!(out, "  {:24} {narrow:>14.1} {wide:>14.1} {:>8.2}", outcome.name, narrow / wide)?;
    }
    if outcomes.iter().all(|outcome| outcome.causes.is_empty()) {
        return Ok(());
    }
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

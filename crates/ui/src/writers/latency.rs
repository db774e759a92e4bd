//! Latencies: tables for a person, with a picture of each processor's where one condition was measured, or JSON with every histogram.

use super::Format;
use super::report::thousands;
use crate::wrap;
use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::comparison::{Ratio, Verdict};
use compare::latency::histogram::Histogram;
use compare::latency::record::Record;
use compare::latency::{Claim, Kernel, Report, Run, Taken, together};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// One condition on one kernel: the kernel's name, the kernel, and what was measured.
type Row<'a> = (&'a str, &'a Kernel, &'a Run);

/// The shares that have a column.
const SHARES: [(f64, &str); 6] =
    [(0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9"), (0.9999, "p99.99"), (0.99999, "p99.999")];
/// Processors that have a picture of their own.
const PICTURES: usize = 4;
/// The width of a bar.
const BAR: usize = 22;

/// Writes `report` in `format`.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text(report, out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, report)?;
            writeln!(out)
        }
    }
}

fn text(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    let names = names(report);
    for (kernel, name) in report.kernels.iter().zip(&names) {
        if !name.is_empty() {
            writeln!(out, "{bold}{name}{bold:#}")?;
        }
        prose(&kernel.record.machine.line(), out)?;
        prose(&facts(kernel), out)?;
        if let Some(how) = &kernel.record.emulated {
            prose(&format!("EMULATED ({how}): none of these times is one of hardware, and nothing follows from them"), out)?;
        }
    }
    let mut conditions: Vec<(&Run, Vec<Row<'_>>)> = Vec::new();
    for (kernel, name) in report.kernels.iter().zip(&names) {
        for run in &kernel.runs {
            let row = (name.as_str(), kernel, run);
            match conditions.iter_mut().find(|(first, _)| first.load == run.load && first.cpus.len() == run.cpus.len()) {
                Some((_, rows)) => rows.push(row),
                None => conditions.push((run, vec![row])),
            }
        }
    }
    let detailed = matches!(conditions.as_slice(), [(_, rows)] if rows.len() == 1);
    for (first, rows) in &conditions {
        let count = first.cpus.len();
        writeln!(out, "\n{bold}{}, {count} processor{}{bold:#}", first.load.title(), if count == 1 { "" } else { "s" })?;
        table(rows, detailed, out)?;
        for (name, kernel, run) in rows {
            if run.ratios.is_empty() && run.sides.len() > 1 {
                let of = if name.is_empty() { String::new() } else { format!("{name}, ") };
                prose(
                    &format!("{of}no ratio: there were turns with too few wake-ups for a quantile; a longer --duration has more"),
                    out,
                )?;
            }
            for claim in &run.ratios {
                prose(&sentence(name, kernel, run, claim), out)?;
            }
        }
        if detailed {
            pictures(first, out)?;
        }
    }
    legend(report, out)?;
    for (kernel, name) in report.kernels.iter().zip(&names) {
        let of = if name.is_empty() { String::new() } else { format!(" of {name}") };
        for lost in &kernel.lost {
            prose(&format!("not measured{of}: {lost}"), out)?;
        }
    }
    Ok(())
}

/// What distinguishes the kernels, where there are several.
fn names(report: &Report) -> Vec<String> {
    if report.kernels.len() < 2 {
        return report.kernels.iter().map(|_| String::new()).collect();
    }
    let plain: Vec<String> = report.kernels.iter().map(|kernel| printable(&kernel.name())).collect();
    let same = |name: &str| plain.iter().filter(|other| *other == name).count() > 1;
    plain.iter().enumerate().map(|(at, name)| if same(name) { format!("{name} ({})", at + 1) } else { name.clone() }).collect()
}

fn facts(kernel: &Kernel) -> String {
    let Record { preemption, idle_states, isolated, nohz_full, realtime_us, pseudo_nmi, management_interrupts, firmware, .. } =
        &kernel.record;
    let mut facts = vec![preemption.clone().unwrap_or_else(|| "no preemption in the kernel".to_owned())];
    let states: Vec<String> = idle_states.iter().map(|(name, us)| format!("{name} {us} us")).collect();
    facts.push(match states.as_slice() {
        [] => "no idle states".to_owned(),
        states => format!("idle states with the time to leave them: {}", states.join(", ")),
    });
    facts.extend(isolated.iter().map(|list| format!("isolated processors {list}")));
    facts.extend(nohz_full.iter().map(|list| format!("without a tick {list}")));
    facts.extend(realtime_us.filter(|us| *us != 950_000).map(|us| format!("sched_rt_runtime_us {us}")));
    facts.extend(pseudo_nmi.iter().map(|state| format!("pseudo-NMI {state}")));
    facts.extend(management_interrupts.map(|count| format!("{count} system management interrupts meanwhile")));
    facts.extend(firmware.as_ref().map(|found| match found.gaps {
        0 => format!("no gap of the firmware's above 10 us in {} ms", found.looked_ms),
        gaps => format!("{gaps} gaps of the firmware's in {} ms, the longest {} us", found.looked_ms, found.longest_us),
    }));
    let sides: Vec<&Taken> = kernel.runs.iter().flat_map(|run| &run.sides).collect();
    let all = |what: &str, with: &dyn Fn(&Taken) -> bool| {
        if sides.iter().all(|side| with(side)) { format!("with {what}") } else { format!("without {what}") }
    };
    facts.push(format!(
        "a wake-up each {} us {} and {}",
        thousands(kernel.interval_ns / 1000),
        all("SCHED_FIFO", &|side| side.fifo),
        all("locked memory", &|side| side.locked)
    ));
    let mut clocks: BTreeMap<&str, u64> = BTreeMap::new();
    for side in sides {
        let clock = clocks.entry(side.name.trim_end_matches(" again")).or_insert(side.clock_ns);
        *clock = side.clock_ns.min(*clock);
    }
    let clocks: Vec<String> = clocks.iter().map(|(name, ns)| format!("{ns} ns ({name})")).collect();
    facts.push(format!("of which the reading of the clock is {}", clocks.join(", ")));
    facts.join("; ")
}

/// One line for each program, one below with the bounds.
fn table(rows: &[(&str, &Kernel, &Run)], detailed: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let mut header = vec!["microseconds late".to_owned()];
    header.extend(SHARES.iter().map(|(_, name)| (*name).to_owned()));
    header.extend(["max", "wake-ups", "missed"].map(str::to_owned));
    table.set_header(header);
    // What a row has, and whether it is only about the one above.
    let mut lines: Vec<(Vec<String>, bool)> = Vec::new();
    for (name, _, run) in rows {
        let before = if name.is_empty() { String::new() } else { format!("{name}, ") };
        for side in &run.sides {
            let all = side.all();
            lines.push((row(format!("  {before}{}", printable(&side.name)), &all), false));
            lines.push((bounds(&all), true));
            if detailed && side.cpus.len() > 1 {
                lines.extend(side.cpus.iter().map(|(cpu, one)| (row(format!("    processor {cpu}"), one), false)));
            }
        }
        for (part, histograms) in run.timerlat.iter().flat_map(|parts| [("interrupt", &parts.irq), ("thread", &parts.thread)]) {
            lines.push((row(format!("  {before}timerlat {part}"), &together(histograms)), false));
        }
        lines.extend(run.busy.map(|busy| (vec![format!("  {before}{:.0} % busy", busy * 100.0)], true)));
    }
    for (line, _) in &lines {
        table.add_row(line);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if at == 0 { 1 } else { 2 }));
        if at != 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let dim = Style::new().dimmed();
    for (at, line) in table.lines().enumerate() {
        let below = at.checked_sub(1).and_then(|at| lines.get(at)).is_some_and(|(_, below)| *below);
        let style = if below { dim } else { Style::new() };
        writeln!(out, "{style}{}{style:#}", line.trim_end())?;
    }
    Ok(())
}

fn row(label: String, histogram: &Histogram) -> Vec<String> {
    let quantiles = SHARES.iter().map(|(share, _)| histogram.quantile(*share));
    let mut row = vec![label];
    row.extend(quantiles.map(|found| found.map_or_else(|| "-".to_owned(), |found| microseconds(found.found))));
    row.extend([microseconds(histogram.max), thousands(histogram.count()), thousands(histogram.missed)]);
    row
}

/// What is below a row: no more than this in general.
fn bounds(histogram: &Histogram) -> Vec<String> {
    let quantiles = SHARES.iter().map(|(share, _)| histogram.quantile(*share));
    let mut row = vec![String::new()];
    row.extend(quantiles.map(|found| found.map_or_else(String::new, |found| format!("≤{}", microseconds(found.bound)))));
    row.push(format!("1 in {}", thousands(histogram.beyond_max())));
    row
}

fn sentence(name: &str, kernel: &Kernel, run: &Run, claim: &Claim) -> String {
    let side = |at: usize| run.sides.get(at).map_or_else(String::new, |side| printable(&side.name));
    let interval = |ratio: &Ratio| format!("{:.2} ({:.2} to {:.2})", ratio.median, ratio.low, ratio.high);
    let before = if name.is_empty() { String::new() } else { format!("{name}, ") };
    let share = claim.share * 100.0;
    let verdict = match claim.verdict {
        _ if kernel.record.emulated.is_some() => "emulated",
        Some(Verdict::Move) => "sooner as 64-bit",
        Some(Verdict::Stay) => "later as 64-bit",
        _ => "no difference",
    };
    let (narrow, wide) = (side(1), side(0));
    format!(
        "{before}p{share:.0}: {narrow} is {} times as late as {wide}, and {wide} {} times as late as itself: {verdict}",
        interval(&claim.ratio),
        interval(&claim.same)
    )
}

/// How many wake-ups were how late, for each processor, or for all where there are many.
fn pictures(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    // The second time of the first program would only repeat it.
    let sides: Vec<&Taken> = run.sides.iter().take(2).collect();
    let of = |cpu: usize| sides.iter().map(|side| side.cpus.get(&cpu).cloned().unwrap_or_default()).collect::<Vec<_>>();
    if run.cpus.len() > PICTURES {
        let all: Vec<Histogram> = sides.iter().map(|side| side.all()).collect();
        return picture("all processors", &sides, &all, out);
    }
    run.cpus.iter().try_for_each(|cpu| picture(&format!("processor {cpu}"), &sides, &of(*cpu), out))
}

fn picture(title: &str, sides: &[&Taken], histograms: &[Histogram], out: &mut dyn Write) -> io::Result<()> {
    // Microseconds, rounded up to the next power of two.
    let row_of = |ns: u64| ns.div_ceil(1000).max(1).next_power_of_two();
    let counts: Vec<BTreeMap<u64, u64>> = histograms
        .iter()
        .map(|histogram| {
            let mut rows = BTreeMap::new();
            for (upper, count) in &histogram.buckets {
                let row: &mut u64 = rows.entry(row_of((*upper).min(histogram.max))).or_default();
                *row = row.saturating_add(*count);
            }
            rows
        })
        .collect();
    let keys = || counts.iter().flat_map(BTreeMap::keys);
    let (Some(&first), Some(&last)) = (keys().min(), keys().max()) else { return Ok(()) };
    let most = counts.iter().flat_map(BTreeMap::values).max().copied().unwrap_or(1);
    let bold = Style::new().bold();
    let heading: Vec<String> = sides.iter().map(|side| format!("{:<1$}", printable(&side.name), BAR + 12)).collect();
    writeln!(out, "\n{bold}{title:>20}   {}{bold:#}", heading.concat().trim_end())?;
    for upper in std::iter::successors(Some(first), |upper| upper.checked_mul(2)).take_while(|upper| *upper <= last) {
        let label =
            if upper == 1 { "up to 1 us".to_owned() } else { format!("{} to {} us", thousands(upper / 2), thousands(upper)) };
        write!(out, "{label:>20}  ")?;
        let cells: Vec<String> = counts
            .iter()
            .map(|rows| match rows.get(&upper) {
                Some(count) => format!(" {:<1$}", format!("{} {}", bar(*count, most), thousands(*count)), BAR + 11),
                None => " ".repeat(BAR + 12),
            })
            .collect();
        writeln!(out, "{}", cells.concat().trim_end())?;
    }
    Ok(())
}

/// In eighths of a column; what is there at all is seen.
fn bar(count: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = u128::from(count) * (BAR as u128) * 8 / u128::from(most.max(1));
    let eighths = usize::try_from(eighths).unwrap_or(0).clamp(1, BAR * 8);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS.get(eighths % 8).unwrap_or(&""))
}

fn legend(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    prose(
        "≤ is an upper bound of the quantile with 95 % confidence, as far as wake-ups are independent; below max is how rare later \
         ones are at most. A - has too few wake-ups for a bound; p99.999 takes 300,000.",
        out,
    )?;
    let narrow = report.kernels.iter().flat_map(|kernel| &kernel.runs).any(|run| run.sides.len() > 1);
    if narrow { Ok(()) } else { prose("Only one program was measured: --abi both compares two.", out) }
}

/// Nanoseconds in microseconds, with three digits.
fn microseconds(ns: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let us = ns as f64 / 1000.0;
    match us {
        _ if us < 9.995 => format!("{us:.2}"),
        _ if us < 99.95 => format!("{us:.1}"),
        _ => thousands(ns.div_ceil(1000)),
    }
}

/// What a stranger's file says, without what a terminal would obey.
fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}

fn prose(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let width = wrap::columns().max(100);
    wrap::lines(&printable(text), width, width - 2)
        .iter()
        .enumerate()
        .try_for_each(|(at, line)| writeln!(out, "{}{line}", if at > 0 { "  " } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::{bar, microseconds};

    #[test]
    fn latencies_have_three_digits() {
        assert_eq!([950, 9990, 9996, 99_960, 1_234_567].map(microseconds), ["0.95", "9.99", "10.0", "100", "1,235"]);
    }

    #[test]
    fn a_bar_is_seen_however_short() {
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(10, 10).chars().count(), super::BAR);
        assert_eq!(bar(u64::MAX, u64::MAX).chars().count(), super::BAR);
    }
}

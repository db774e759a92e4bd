//! What suites say that are not a column for each word size: `ipc`, with pairs of word sizes; `designs`, with ways into the kernel;
//! `mix`, with numbers of users.

use super::comparison::{duration, word};
use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use compare::comparison::{Comparison, Outcome, Verdict};
use compare::stats::median;
use std::io::{self, Write};

/// Writes one suite: what was compared, and all there is of it.
type Writer = fn(&Comparison, &[&Outcome], &mut dyn Write) -> io::Result<()>;

const WRITERS: [(&str, Writer); 3] = [("ipc", ipc), ("designs", designs), ("mix", mix)];

/// Whether an outcome is of one of these suites.
pub(crate) fn has(outcome: &Outcome) -> bool {
    WRITERS.iter().any(|(suite, _)| outcome.suite == *suite)
}

/// Writes those of these suites that were compared.
///
/// # Errors
/// Whatever `out` returns.
pub(crate) fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    experiment(comparison, out)?;
    for (suite, writer) in WRITERS {
        let outcomes: Vec<&Outcome> = comparison.outcomes.iter().filter(|outcome| outcome.suite == suite).collect();
        if !outcomes.is_empty() {
            writer(comparison, &outcomes, out)?;
        }
    }
    Ok(())
}

/// A table with a column for each side that took part in anything, in the order of the thesis: what it takes and how many times
/// that is what the first side takes. Lines of `heading` begin a group.
fn grid(
    comparison: &Comparison,
    outcomes: &[&Outcome],
    column: &dyn Fn(&str) -> String,
    label: &dyn Fn(&Outcome) -> (String, String),
    show: &dyn Fn(f64) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sides: Vec<usize> =
        (0..comparison.sides.len()).filter(|side| outcomes.iter().any(|outcome| outcome.median(*side).is_some())).collect();
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let mut header = vec![String::new()];
    header.extend(sides.iter().filter_map(|side| comparison.sides.get(*side)).map(|name| column(name)));
    header.push(String::new());
    table.set_header(header);
    let mut headings = vec![0];
    let mut group = String::new();
    let mut lines = 0;
    for outcome in outcomes {
        let (heading, name) = label(outcome);
        if heading != group {
            lines += 1;
            headings.push(lines);
            table.add_row([heading.clone()]);
            group = heading;
        }
        let mut row = vec![format!("  {name}")];
        row.extend(sides.iter().map(|side| {
            let time = outcome.median(*side).map_or_else(|| "-".to_owned(), show);
            let ratio = outcome.ratios.get(*side).copied().flatten();
            ratio.map_or_else(|| time.clone(), |ratio| format!("{time} ({:.2})", ratio.median))
        }));
        row.push(outcome.verdict.map_or("", word).to_owned());
        table.add_row(row);
        lines += 1;
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at != 0 && at <= sides.len() {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let bold = Style::new().bold();
    for (at, line) in table.lines().enumerate() {
        let style = if headings.contains(&at) { bold } else { Style::new() };
        writeln!(out, "{style}{}{style:#}", line.trim_end())?;
    }
    Ok(())
}

/// The experiment of the article about the 32-bit vDSO that AArch64 kernels lack: so many calls with and without one.
fn experiment(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    const CALLS: f64 = 500_000.0;
    let of = |name: &str| comparison.outcomes.iter().find(|outcome| outcome.suite == "time" && outcome.name == name);
    let (Some(with), Some(without)) = (of("gettimeofday"), of("gettimeofday_no_vdso")) else { return Ok(()) };
    let times: Vec<_> =
        (0..2).filter_map(|side| Some((comparison.sides.get(side)?, with.median(side)?, without.median(side)?))).collect();
    if !times.is_empty() {
        writeln!(out, "\n500,000 calls of gettimeofday():")?;
    }
    for (name, with, without) in times {
        let (all, none) = (duration(with * CALLS), duration(without * CALLS));
        writeln!(out, "  {name}: {all} with the vDSO, {none} without one: {:.1} times", without / with)?;
    }
    Ok(())
}

/// As in figures 6 to 10 of the thesis about L4Ka::Pistachio: a row for each number of words, a column for each pair.
fn ipc(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let pair = |name: &str| if name.contains('/') { name.to_owned() } else { format!("{name}/{name}") };
    let label = |outcome: &Outcome| {
        let (words, how) = outcome.title.split_once(" words there and back ").unwrap_or(("", &outcome.title));
        (how.to_owned(), format!("{words} words"))
    };
    writeln!(out, "\nipc: a message there and back between two processes, and how many times 64/64 that is")?;
    grid(comparison, outcomes, &pair, &label, &duration, out)
}

/// The designs of `biarch run` that are compared, and the instruction by which a program gets there.
const DESIGNS: [(&str, &str); 3] = [("stub", "vdso"), ("patched", "int80"), ("trap", "int80")];

fn designs(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let label = |outcome: &Outcome| {
        let group = if outcome.name.starts_with("batch_") { "by io_uring, for one of them" } else { "calls" };
        (group.to_owned(), outcome.name.clone())
    };
    writeln!(out, "\ndesigns: a system call through each way in, and how many times that of a 64-bit program that is")?;
    grid(comparison, outcomes, &str::to_owned, &label, &duration, out)?;
    let time = |side: usize, name: &str| outcomes.iter().find(|outcome| outcome.name == name)?.median(side);
    // The kernel's own entry, where it has one.
    if let Some(kernel) = comparison.sides.iter().position(|name| name == "i386") {
        let mut header = "\nbeyond the kernel's own entry a call costs (median of the calls, least, most):\n";
        for (way, instruction) in DESIGNS {
            let Some((side, name)) = design(comparison, way) else { continue };
            let calls = outcomes.iter().filter_map(|outcome| outcome.name.strip_suffix("_vdso"));
            let mut more: Vec<f64> = calls
                .filter_map(|call| Some(time(side, &format!("{call}_{instruction}"))? - time(kernel, &format!("{call}_vdso"))?))
                .collect();
            more.sort_by(f64::total_cmp);
            if let (Some(middle), Some(least), Some(most)) = (median(&more), more.first(), more.last()) {
                writeln!(out, "{header}  {name}: {}, {}, {}", duration(middle), duration(*least), duration(*most))?;
                header = "";
            }
        }
    }
    batches(comparison, outcomes, out)
}

fn design<'a>(comparison: &'a Comparison, way: &str) -> Option<(usize, &'a String)> {
    comparison.sides.iter().enumerate().find(|(_, name)| name.strip_suffix(way).is_some_and(|abi| abi.ends_with(' ')))
}

/// From which size on a batch is worth it, for each side: the smallest from which on no larger one is slower than single calls.
fn batches(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let time = |side: usize, name: &str| outcomes.iter().find(|outcome| outcome.name == name)?.median(side);
    let mut header = "\none crossing for many calls is worth it from so many on, against single calls by the same way in:\n";
    for (operation, call) in [("nop", "getppid"), ("read", "read"), ("write", "write"), ("statx", "statx")] {
        let mut said = Vec::new();
        for (side, name) in comparison.sides.iter().enumerate() {
            let way = DESIGNS.iter().find(|(way, _)| design(comparison, way).is_some_and(|(of, _)| of == side));
            let Some(single) = time(side, &format!("{call}_{}", way.map_or("vdso", |(_, instruction)| *instruction))) else {
                continue;
            };
            let batches = outcomes.iter().filter_map(|outcome| {
                let size = outcome.name.strip_prefix("batch_")?.strip_prefix(operation)?.strip_prefix('_')?;
                Some((size.parse::<u32>().ok()?, outcome.median(side)?))
            });
            let mut batches: Vec<_> = batches.collect();
            batches.sort_by_key(|(size, _)| *size);
            let Some((largest, _)) = batches.last() else { continue };
            said.push(match batches.iter().rev().take_while(|(_, each)| *each < single).last() {
                Some((size, _)) => format!("{name} {size}"),
                None => format!("{name} not up to {largest}"),
            });
        }
        if !said.is_empty() {
            writeln!(out, "{header}  {operation}: {}", said.join(", "))?;
            header = "";
        }
    }
    Ok(())
}

/// As AIM7 has it: jobs per minute.
fn mix(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let jobs = |ns: f64| format!("{:.0}", 60e9 / ns);
    let users = |outcome: &Outcome| outcome.name.rsplit('_').next().unwrap_or_default().to_owned();
    writeln!(out, "\nmix: jobs per minute of so many users, and how many times as long as on the 64-bit side each takes")?;
    grid(comparison, outcomes, &str::to_owned, &|outcome| ("users".to_owned(), users(outcome)), &jobs, out)?;
    for (side, name) in comparison.sides.iter().enumerate() {
        let best = outcomes.iter().filter_map(|outcome| Some((outcome.median(side)?, users(outcome))));
        if let Some((ns, users)) = best.min_by(|one, two| one.0.total_cmp(&two.0)) {
            writeln!(out, "{name}: at most {} jobs per minute, with {users} users", jobs(ns))?;
        }
    }
    // Only what may be claimed counts: noise crosses at every second number.
    let claimed: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| Some((outcome.verdict.filter(|verdict| *verdict != Verdict::NoDifference)?, users(outcome))))
        .collect();
    let crossing = claimed.windows(2).find(|pair| matches!(pair, [one, two] if one.0 != two.0));
    match crossing {
        Some([_, (verdict, users)]) => {
            let ahead = if *verdict == Verdict::Move { 0 } else { 1 };
            let name = comparison.sides.get(ahead).map_or("", String::as_str);
            writeln!(out, "crossover: from {users} users on {name} does more jobs")
        }
        _ => writeln!(out, "crossover: none, up to the most users that were tried"),
    }
}

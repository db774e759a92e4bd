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

#[cfg(test)]
mod tests {
    use super::write;
    use compare::comparison::{Comparison, Outcome, Ratio, SCHEMA_VERSION, SelfCheck, Verdict};
    use compare::machine::Machine;

    /// One outcome with a time for each side, in nanoseconds, the same in every round; 0 where it took no part.
    fn outcome(suite: &str, name: &str, title: &str, times: &[f64]) -> Outcome {
        let samples: Vec<Vec<f64>> = times.iter().map(|ns| if *ns > 0.0 { vec![*ns; 10] } else { vec![] }).collect();
        let ratios: Vec<_> = samples.iter().skip(1).map(|own| Ratio::of(own, &samples[0])).collect();
        let verdict = ratios.first().copied().flatten().map(|ratio| ratio.verdict(0.0));
        let ratios: Vec<Option<Ratio>> = std::iter::once(None).chain(ratios).collect();
        let [suite, name, title] = [suite, name, title].map(str::to_owned);
        Outcome { suite, name, title, samples, ratios, verdict, ..nothing() }
    }

    /// An outcome in which nothing is said.
    fn nothing() -> Outcome {
        let said = serde_json::json!({
            "suite": "", "name": "", "title": "", "samples": [], "ratios": [], "verdict": null, "missing": [],
        });
        serde_json::from_value(said).expect("what is left out has a default")
    }

    fn text(sides: &[&str], outcomes: Vec<Outcome>) -> String {
        let comparison = Comparison {
            schema_version: SCHEMA_VERSION,
            machine: Machine::look(),
            sides: sides.iter().map(|name| (*name).to_owned()).collect(),
            self_check: SelfCheck { ratios: vec![], resolution: 0.0 },
            outcomes,
            left_out: vec![],
            notes: vec![],
        };
        let mut out = Vec::new();
        write(&comparison, &mut out).expect("memory takes all");
        anstream::adapter::strip_str(&String::from_utf8_lossy(&out)).to_string()
    }

    #[test]
    fn messages_have_a_row_for_each_size_and_a_column_for_each_pair() {
        let title = |words| format!("{words} words there and back through pipes, on two processors");
        let outcomes = [("0", [1000.0, 1100.0, 1200.0, 900.0]), ("60", [2000.0, 2200.0, 0.0, 1800.0])]
            .map(|(words, times)| outcome("ipc", &format!("pipe_apart_{words}"), &title(words), &times));
        let table = text(&["x86-64", "i386", "x86-64/i386", "i386/x86-64"], outcomes.into());
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(lines.contains(&vec!["x86-64/x86-64", "i386/i386", "x86-64/i386", "i386/x86-64"]), "{table}");
        assert!(table.contains("through pipes, on two processors\n  0 words"), "{table}");
        let small = "0 words 1.00 us 1.10 us (1.10) 1.20 us (1.20) 900.00 ns (0.90) move";
        let large = "60 words 2.00 us 2.20 us (1.10) - 1.80 us (0.90) move";
        for wanted in [small, large] {
            assert!(lines.iter().any(|line| line.join(" ") == wanted), "{wanted}\n{table}");
        }
    }

    #[test]
    fn designs_are_beside_the_kernels_own_entry_and_batches_beside_single_calls() {
        let sides = ["x86-64", "i386", "i386 stub", "i386 trap"];
        let outcomes = [
            ("getppid_vdso", [100.0, 100.0, 150.0, 2000.0]),
            ("getppid_int80", [100.0, 5000.0, 2000.0, 3100.0]),
            ("read_vdso", [100.0, 200.0, 270.0, 2000.0]),
            ("read_int80", [100.0, 5000.0, 2000.0, 3200.0]),
            ("batch_nop_1", [300.0, 300.0, 400.0, 3000.0]),
            ("batch_nop_4", [90.0, 110.0, 160.0, 700.0]),
            ("batch_nop_16", [50.0, 60.0, 70.0, 90.0]),
            ("batch_read_16", [120.0, 220.0, 230.0, 240.0]),
        ]
        .map(|(name, times)| outcome("designs", name, "", &times));
        let table = text(&sides, outcomes.into());
        assert!(table.contains("  i386 stub: 60.00 ns, 50.00 ns, 70.00 ns\n"), "{table}");
        assert!(table.contains("  i386 trap: 3.00 us, 3.00 us, 3.00 us\n"), "{table}");
        assert!(table.contains("  nop: x86-64 4, i386 16, i386 stub 16, i386 trap 1\n"), "{table}");
        assert!(table.contains("  read: x86-64 not up to 16, i386 not up to 16, i386 stub 16, i386 trap 16\n"), "{table}");
    }

    #[test]
    fn users_have_jobs_per_minute_and_a_crossover_only_where_it_may_be_claimed() {
        let mix = |times: &[(&str, f64, f64)]| {
            let outcomes = times.iter().map(|(name, wide, narrow)| outcome("mix", name, "", &[*wide, *narrow]));
            text(&["x86-64", "i386"], outcomes.collect())
        };
        let crossing = mix(&[("mix_1", 6e5, 9e5), ("mix_2", 4e5, 4e5), ("mix_4", 6e5, 3e5)]);
        assert!(crossing.contains("100000") && crossing.contains("66667 (1.50)"), "{crossing}");
        assert!(crossing.contains("x86-64: at most 150000 jobs per minute, with 2 users"), "{crossing}");
        assert!(crossing.contains("i386: at most 200000 jobs per minute, with 4 users"), "{crossing}");
        assert!(crossing.contains("crossover: from 4 users on i386 does more jobs"), "{crossing}");
        assert!(mix(&[("mix_1", 6e5, 9e5), ("mix_2", 4e5, 4e5)]).contains("crossover: none"));
    }

    #[test]
    fn the_experiment_is_five_hundred_thousand_calls_with_and_without_a_vdso() {
        let outcomes = [("gettimeofday", [20.0, 40.0]), ("gettimeofday_no_vdso", [200.0, 1000.0])]
            .map(|(name, times)| outcome("time", name, "", &times));
        let said = text(&["arm64", "armhf"], outcomes.into());
        assert!(said.contains("armhf: 20.00 ms with the vDSO, 500.00 ms without one: 25.0 times"), "{said}");
        assert!(text(&["arm64", "armhf"], vec![outcome("time", "gettimeofday", "", &[20.0, 40.0])]).is_empty());
        assert_eq!(outcome("time", "gettimeofday", "", &[20.0, 40.0]).verdict, Some(Verdict::Move));
    }
}

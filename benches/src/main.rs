//! The benchmark: the same work on the kernel's own 32-bit support, under biarch and under qemu-i386, interleaved, with the
//! target of each row.
//!
//! | what | where |
//! |---|---|
//! | the rows and their targets | `rows.rs` |
//! | what runs, and on what | `../guest/*.c`, `data.rs` |
//! | the command for each system | `system.rs` |
//! | one figure | `measure.rs`, `servers.rs` |
//! | medians, ratios, verdicts | `compare::stats`, `report.rs` |

mod data;
mod machine;
mod measure;
mod report;
mod rows;
mod servers;
mod system;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use crate::machine::Machine;
use crate::measure::Meter;
use crate::report::{Outcome, Report, Round, Verdict};
use crate::rows::{Baseline, ROWS, Row, Target, Work};
use crate::system::{System, Systems, WORK};

/// Compare native i386, biarch and qemu-i386.
///
/// Exit status: 0, or 1 if something that should have been measured could not be, or, with --strict, a target was missed.
#[derive(Parser)]
#[command(name = "bench")]
struct Options {
    /// How often each row is measured on each system
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only the rows whose name matches
    #[arg(long, value_name = "REGEX")]
    only: Option<regex_lite::Regex>,
    /// Print JSON instead of the table
    #[arg(long)]
    json: bool,
    /// The entry design, as for `biarch run`
    #[arg(long)]
    entry: Option<String>,
    /// The biarch program [default: $BIARCH, or the one built next to this program]
    #[arg(long, value_name = "PROGRAM")]
    biarch: Option<PathBuf>,
    /// An i386 root directory with the programs, as tests/programs/rootfs.sh makes it [default: $BIARCH_ROOTFS, or target/rootfs-i386/full]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Leave out qemu-i386, which takes most of the time
    #[arg(long)]
    no_qemu: bool,
    /// Exit status 1 if a target is missed beyond the noise
    #[arg(long)]
    strict: bool,
    /// Print the rows' names
    #[arg(long)]
    list: bool,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let wanted: Vec<&Row> = ROWS.iter().filter(|row| options.only.as_ref().is_none_or(|only| only.is_match(row.name))).collect();
    let mut output = io::stdout().lock();
    if options.list {
        for row in wanted {
            writeln!(output, "{}", row.name)?;
        }
        return Ok(ExitCode::SUCCESS);
    }

    let systems = prepare(&options, &wanted)?;
    let scratch = beside_us()?.join("bench-work").join("output");
    std::fs::create_dir_all(&scratch).with_context(|| format!("cannot create {}", scratch.display()))?;
    let meter = Meter { systems: &systems, scratch };
    let sleeper = systems.has(System::Biarch).then(|| systems.guest(System::Biarch, "sleeper", &[])).transpose()?;
    let machine = Machine::look(systems.native, sleeper);
    let mut outcomes = Vec::new();
    for (index, row) in wanted.iter().enumerate() {
        if row.work.in_root() && systems.root.is_none() {
            continue;
        }
        let outcome = measure_row(&meter, row, options.rounds);
        talk(&format!("[{}/{}] {}: {}", index + 1, wanted.len(), row.name, outcome.line()));
        outcomes.push(outcome);
    }
    let report = Report::new(machine, options.rounds, options.entry, outcomes);
    if options.json {
        serde_json::to_writer_pretty(&mut output, &report)?;
        writeln!(output)?;
    } else {
        let unit = |name: &str| ROWS.iter().find(|row| row.name == name).map(|row| row.work.unit());
        let show = |row: &Outcome, figure: f64| unit(row.name).map_or_else(String::new, |unit| unit.show(figure));
        write!(output, "{}", report.text(&show))?;
    }
    let failed = report.rows.iter().any(|row| !row.failures.is_empty());
    let missed = options.strict && report.rows.iter().any(|row| row.verdict == Verdict::Missed);
    Ok(if failed || missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Finds the systems, builds the guests, writes the inputs; says what is missing and which rows go with it.
fn prepare(options: &Options, wanted: &[&Row]) -> Result<Systems> {
    let work = beside_us()?.join("bench-work");
    let guests = work.join("guest");
    data::build_guests(&guests)?;
    let biarch = options.biarch.clone().or_else(|| std::env::var_os("BIARCH").map(PathBuf::from));
    let biarch = biarch.or_else(|| Some(beside_us().ok()?.join("biarch")).filter(|path| path.exists()));
    if biarch.is_none() {
        talk("no biarch: build it with `cargo build --release -p biarch`, or set BIARCH");
    }
    let qemu = ["/usr/bin/qemu-i386-static", "/usr/bin/qemu-i386"].map(PathBuf::from).into_iter().find(|path| path.exists());
    if qemu.is_none() && !options.no_qemu {
        talk("no qemu-i386: apt-get install qemu-user-static");
    }
    let in_root = wanted.iter().any(|row| row.work.in_root());
    let root = options.root.clone().or_else(|| std::env::var_os("BIARCH_ROOTFS").map(PathBuf::from));
    let root = root.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/rootfs-i386/full"));
    let root = root.canonicalize().ok().filter(|_| in_root);
    match &root {
        Some(root) => data::write_inputs(&root.join(WORK.trim_start_matches('/')))?,
        None if in_root => talk("no i386 root directory: rows of programs are left out; name one with --root"),
        None => {}
    }
    let mut systems = Systems {
        native: true,
        biarch: biarch.map(|path| path.canonicalize().unwrap_or(path)),
        entry: options.entry.clone(),
        qemu: qemu.filter(|_| !options.no_qemu),
        guests,
        root,
    };
    // A kernel without 32-bit support refuses to execute it: there is no other way to tell that holds for every kernel.
    systems.native = systems.guest(System::Native, "exit", &[])?.status().is_ok_and(|status| status.success());
    if !systems.native {
        talk("this kernel runs no i386 programs: there is nothing native to compare with");
    }
    if let Some(root) = systems.root.as_deref().filter(|_| wanted.iter().any(|row| matches!(row.work, Work::Server(_)))) {
        servers::prepare(&systems, root)?;
    }
    Ok(systems)
}

/// All rounds of one row: native, biarch, qemu, native, biarch, qemu, … A system that fails is not tried again.
fn measure_row(meter: &Meter<'_>, row: &Row, rounds: u32) -> Outcome {
    let mut failures: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut results = Vec::new();
    // Once unmeasured, so that every file is in the page cache; the quickest system does it for all.
    if meter.systems.native {
        let _ = meter.measure(row.work, System::Native);
    }
    for _ in 0..rounds {
        let figures = System::ALL.map(|system| {
            let able = system != System::Qemu || row.work.by_qemu();
            if !able || !meter.systems.has(system) || failures.contains_key(system.name()) {
                return None;
            }
            match meter.measure(row.work, system) {
                Ok(figure) => Some(figure),
                Err(error) => {
                    failures.insert(system.name(), format!("{error:#}"));
                    None
                }
            }
        });
        let [native, biarch, qemu] = figures;
        let baseline = match row.target {
            Target::Time(Baseline::NativeLessTrap, _) => less_trap(meter, native),
            Target::Time(Baseline::OwnStub, _) => {
                biarch.and_then(|_| meter.measure(Work::Inside("getpid_stub", &[]), System::Biarch).ok())
            }
            _ => native,
        };
        results.push(Round { native, biarch, qemu, baseline });
    }
    Outcome::new(row, &results, failures)
}

/// A native figure less what one `int $0x80` costs more than the vDSO's entry, as measured now.
fn less_trap(meter: &Meter<'_>, native: Option<f64>) -> Option<f64> {
    let trap = meter.measure(Work::Inside("getpid_int80", &[]), System::Native).ok()?;
    let stub = meter.measure(Work::Inside("getpid_stub", &[]), System::Native).ok()?;
    // A difference below zero is noise on a machine where both cost the same.
    Some(native? - (trap - stub).max(0.0)).filter(|left| *left > 0.0)
}

/// The directory this program was built into.
fn beside_us() -> Result<PathBuf> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    Ok(program.parent().map(Path::to_owned).unwrap_or_default())
}

/// Progress and missing things, for the person and not for the pipe.
fn talk(line: &str) {
    // Nothing can be done about a closed stderr.
    let _ = writeln!(io::stderr(), "bench: {line}");
}

//! A differential fuzzer of system calls: random and boundary-valued calls of an i386 program, natively and under biarch.
//!
//! The kernel's own 32-bit layer is what biarch is compared with: results, memory that is written, registers, descriptors and
//! mappings that are left. A seed gives the same cases everywhere. What differs once is tried again several times on both sides, and
//! counts only where each side always says the same; it is shrunk and printed. `accepted.rs` has what may differ, `left_out.rs` the
//! calls that are not made.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a person who looks for differences")]

mod accepted;
mod case;
mod difference;
mod execute;
mod generate;
mod left_out;

use accepted::ACCEPTED;
use anyhow::{Context, Result};
use biarch_tests::{machine, under_test};
use case::Case;
use clap::Parser;
use difference::{MILLISECONDS, differences, repeated, shrunk};
use execute::{Executor, Side};
use generate::Maker;
use left_out::LEFT_OUT;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make random system calls natively and under biarch, and say what differs
///
/// Exit status 1 if something differs. BIARCH, BIARCH_ENTRY and BIARCH_VDSO are as in the suites.
#[derive(Parser)]
struct Options {
    /// Other cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many
    #[arg(long, default_value_t = 2000)]
    cases: u32,
    /// The number of the first
    #[arg(long, default_value_t = 0)]
    first: u32,
    /// Only calls of these areas, and these calls, also where they are left out otherwise
    #[arg(long)]
    only: Vec<String>,
    /// Print the cases, and make no call
    #[arg(long)]
    list: bool,
    /// The launcher that kills whoever makes a 32-bit system call; without it biarch is run by itself
    #[arg(long)]
    launcher: Option<PathBuf>,
    /// Print what may differ, and make no call
    #[arg(long)]
    accepted: bool,
    /// Show another result of this call than it had under biarch, to see that differences are found
    #[arg(long, hide = true)]
    plant: Option<String>,
}

/// Cases that one process of the executor does.
const BATCH: usize = 100;
/// How often each side has to agree with itself.
const TIMES: usize = 4;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("fuzz-syscalls: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<ExitCode> {
    if options.accepted {
        ACCEPTED.iter().for_each(|accepted| println!("{}", accepted.why));
        LEFT_OUT.iter().for_each(|(name, why)| println!("{name} is not called: {why}"));
        return Ok(ExitCode::SUCCESS);
    }
    let maker = Maker::new(&options.only);
    let cases: Vec<Case> =
        (options.first..options.first.saturating_add(options.cases)).map(|number| maker.case(options.seed, number)).collect();
    if options.list {
        for (number, case) in (options.first..).zip(&cases) {
            println!("case {number}:\n{}", case.listing());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the tests are in a workspace")?.join("target/guest");
    if !machine::has_ia32(&target)? {
        println!("skipped: needs the kernel's 32-bit support to compare with");
        return Ok(ExitCode::SUCCESS);
    }
    let Some(executor) = Executor::new(&target.join("syscalls"))? else {
        println!("skipped: no cross compiler (gcc-i686-linux-gnu)");
        return Ok(ExitCode::SUCCESS);
    };
    let words = under_test::words(options.launcher.clone())?.unwrap_or_default();
    let sides = [Side { words: vec![], planted: None }, Side { words, planted: options.plant.clone() }];
    let mut groups: BTreeMap<String, u32> = BTreeMap::new();
    for (batch, some) in cases.chunks(BATCH).enumerate() {
        let (native, biarch) = (executor.run(&sides[0], some, MILLISECONDS)?, executor.run(&sides[1], some, MILLISECONDS)?);
        for (index, case) in some.iter().enumerate() {
            if differences(case, &native[index..=index], &biarch[index..=index]).is_empty() {
                continue;
            }
            let [one, other] = [&native[index], &biarch[index]];
            let waits = one.waits() && other.waits() && one.cursor == other.cursor;
            let found = repeated(&executor, &sides, case, TIMES, waits)?;
            let Some(first) = found.first() else { continue };
            let group = first.group();
            let count = groups.entry(group.clone()).or_default();
            *count += 1;
            if *count > 1 {
                continue;
            }
            let small = shrunk(&executor, &sides, case, &group, waits)?;
            println!(
                "case {}, seed {}:\n{}",
                options.first + u32::try_from(batch * BATCH + index)?,
                options.seed,
                small.listing()
            );
            let found = repeated(&executor, &sides, &small, TIMES, waits)?;
            for difference in found.iter().take(4) {
                println!("  {}", difference.text());
            }
            println!();
        }
    }
    for (group, count) in &groups {
        println!("{count:5} {group}");
    }
    println!("{} cases, {} differ", cases.len(), groups.values().sum::<u32>());
    Ok(if groups.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

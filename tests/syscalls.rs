//! A short run of the fuzzer of system calls (`syscalls/main.rs`), and the proof that it finds what differs.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use anyhow::{Context, Result};
use biarch_tests::{compile, machine, program, under_test};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The areas whose rules have been the same in every kernel from 6.1 on; `make fuzz-syscalls` takes all.
const AREAS: &[&str] = &["fd", "poll", "signal", "time", "identity", "sched"];

fn main() -> ExitCode {
    match trials() {
        Ok((arguments, trials)) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("syscalls: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn trials() -> Result<(Arguments, Vec<Trial>)> {
    let arguments = Arguments::from_args();
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the tests are in a workspace")?.join("target/guest");
    let native = (!machine::has_ia32(&target)?).then_some("needs the kernel's 32-bit support to compare with");
    let skip = compile::missing(program::Language::C, program::Flavour::Static).or(native);
    let trials = vec![
        Trial::test("syscalls::native_and_biarch_agree", || {
            let (status, text) = fuzz(&["--cases", "300"], AREAS)?;
            if status == Some(0) || cannot(&text) { Ok(()) } else { Err(text.into()) }
        }),
        Trial::test("syscalls::a_difference_is_found", || {
            let (status, text) = fuzz(&["--cases", "10", "--plant", "getuid32"], &["getuid32"])?;
            let found = status == Some(1) && text.contains("r0 = getuid32(") && text.contains("10 cases, 10 differ");
            if found || cannot(&text) { Ok(()) } else { Err(text.into()) }
        }),
    ];
    let trials = trials.into_iter().map(|trial| match skip {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    });
    Ok((arguments, trials.collect()))
}

/// Whether root cannot be anybody else here, as in a container with a single user: then nothing is called at random.
fn cannot(text: &str) -> bool {
    let cannot = text.contains("executor: setresuid");
    if cannot {
        under_test::left_out("needs root to be able to become nobody");
    }
    cannot
}

/// Runs the fuzzer on these calls and areas: its exit status, and what it says.
fn fuzz(options: &[&str], only: &[&str]) -> std::result::Result<(Option<i32>, String), Failed> {
    let biarch = under_test::biarch().map_err(|error| format!("{error:#}"))?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_fuzz-syscalls"));
    command.env("BIARCH", biarch).args(options).args(["--seed", "1", "--launcher", env!("CARGO_BIN_EXE_launcher")]);
    command.args(only.iter().flat_map(|name| ["--only", *name]));
    let output = command.output().map_err(|error| error.to_string())?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok((output.status.code(), text))
}

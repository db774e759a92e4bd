//! The guest suite: every program in `tests/guest/` runs natively and under biarch, and nobody can tell which was which.
//!
//! Under biarch means under `launcher` too, which kills whoever makes a 32-bit system call: a suite that passes is the proof
//! that biarch makes none. Environment:
//!
//! | variable | meaning |
//! |---|---|
//! | `BIARCH` | the program under test; default: this workspace's own, built if it is not there. `none`: compare native with native |
//! | `BIARCH_UNGUARDED` | anything: without the launcher, to see how far a program gets that makes a 32-bit system call |
//! | `BIARCH_ENTRY` | `stub`, `patched`, `trap` or `kernel`: passed on as `--entry` (`kernel` runs without the launcher) |
//! | `BIARCH_VDSO` | `kernel`, `own` or `none`: passed on as `--vdso`; `missing`: the launcher takes away the kernel's |
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use biarch_tests::program::{End, Flavour, Language, Program, discover};
use biarch_tests::{compile, diff, machine, process, under_test};
use libtest_mimic::{Arguments, Failed, Trial};

/// What a native run of one binary did, once somebody has wanted to know.
type Native = Arc<OnceLock<std::result::Result<process::Outcome, String>>>;

/// All that a trial needs to know.
struct Suite {
    compiler: compile::Compiler,
    /// Where programs run.
    scratch: PathBuf,
    /// The words before the guest program; `None` compares native with native.
    biarch: Option<Vec<PathBuf>>,
    /// Whether the kernel can run i386 programs for comparison.
    ia32: bool,
    native: Mutex<HashMap<PathBuf, Native>>,
}

fn main() -> ExitCode {
    match trials() {
        Ok((arguments, trials)) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("guest: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn trials() -> Result<(Arguments, Vec<Trial>)> {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = here.parent().context("the tests are in a workspace")?.join("target/guest");
    let ia32 = machine::has_ia32(&target)?;
    let launcher = std::env::var_os("BIARCH_UNGUARDED").is_none().then(|| PathBuf::from(env!("CARGO_BIN_EXE_launcher")));
    let biarch = if arguments.list { None } else { under_test::words(launcher)? };
    let suite = Arc::new(Suite {
        compiler: compile::Compiler::new(target.clone(), here.join("guest")),
        scratch: target.join("scratch"),
        biarch,
        ia32,
        native: Mutex::default(),
    });
    let mut trials = vec![launcher_bites(&target, ia32)];
    for program in discover(&here.join("guest"))? {
        let program = Arc::new(program);
        let wide = (!program.only_32 && ia32).then_some(Flavour::Wide);
        for flavour in program.flavours.iter().copied().chain(wide) {
            let unmet = program.needs.iter().find_map(|need| machine::unmet(*need, ia32));
            trials.push(trial(&suite, &program, flavour, compile::missing(program.language, flavour).or(unmet)));
        }
    }
    Ok((arguments, trials))
}

fn trial(suite: &Arc<Suite>, program: &Arc<Program>, flavour: Flavour, skip: Option<&'static str>) -> Trial {
    let kind = if program.language == Language::Go && flavour != Flavour::Wide { "386" } else { flavour.name() };
    let name = format!("guest::{}::{} [{kind}]", program.area, program.name);
    let (suite, program) = (Arc::clone(suite), Arc::clone(program));
    let has_gap = program.gap.is_some();
    let trial = Trial::test(name, move || suite.verdict(&program, flavour).map_err(|error| Failed::from(format!("{error:#}"))));
    match skip {
        // The kind is printed before the name: the reason is seen wherever the trial is.
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None if has_gap => trial.with_kind("known gap"),
        None => trial,
    }
}

impl Suite {
    /// One program in one flavour: `Err` says what differs.
    fn verdict(&self, program: &Program, flavour: Flavour) -> Result<()> {
        let base = program.flavours.first().copied().unwrap_or(Flavour::Static);
        if flavour == Flavour::Wide {
            let (wide, narrow) = (self.native(program, Flavour::Wide)?, self.native(program, base)?);
            expected(program, &wide)?;
            return same(&wide, &narrow, "x86-64", "i386");
        }
        let reference = match (self.ia32, program.only_32) {
            (true, _) => Some((self.native(program, flavour)?, "native")),
            (false, false) => Some((self.native(program, Flavour::Wide)?, "x86-64")),
            (false, true) => None,
        };
        if let Some((reference, _)) = &reference {
            expected(program, reference).context("the native run itself is not as it should be")?;
        }
        let binary = self.compiler.binary(program, flavour)?;
        let options: Vec<_> = program.options.iter().map(PathBuf::from).collect();
        let (words, ours) = match &self.biarch {
            Some(words) => ([words.as_slice(), &options, &[binary]].concat(), "biarch"),
            None => (vec![binary], "native again"),
        };
        let outcome = self.run(program, words)?;
        let verdict = match reference {
            Some((reference, name)) => same(&reference, &outcome, name, ours),
            None => expected(program, &outcome),
        };
        match (&program.gap, &self.biarch) {
            (Some(gap), Some(_)) => {
                ensure!(verdict.is_err(), "it works now; its gap is closed: {gap}");
                Ok(())
            }
            _ => verdict,
        }
    }

    /// What a binary does without biarch; it is run once for all that compare with it.
    fn native(&self, program: &Program, flavour: Flavour) -> Result<process::Outcome> {
        let binary = self.compiler.binary(program, flavour)?;
        let cell = Arc::clone(self.native.lock().unwrap_or_else(PoisonError::into_inner).entry(binary.clone()).or_default());
        cell.get_or_init(|| self.run(program, vec![binary]).map_err(|error| format!("{error:#}")))
            .clone()
            .map_err(|text| anyhow!(text))
    }

    fn run(&self, program: &Program, mut words: Vec<PathBuf>) -> Result<process::Outcome> {
        words.extend(program.arguments.iter().map(PathBuf::from));
        process::run(&words, &program.stdin, program.timeout, &self.scratch)
    }
}

/// Whether a program ended as it says and found nothing wrong.
fn expected(program: &Program, outcome: &process::Outcome) -> Result<()> {
    let well = outcome.end == program.end && !outcome.stdout.lines().any(|line| line.starts_with("FAIL"));
    ensure!(well, "expected {}, and no line that begins with FAIL:\n{}", program.end, outcome.text());
    Ok(())
}

fn same(old: &process::Outcome, new: &process::Outcome, old_name: &str, new_name: &str) -> Result<()> {
    match diff::unified(&old.text(), &new.text(), old_name, new_name) {
        Some(text) => Err(anyhow!(text)),
        None => Ok(()),
    }
}

/// The launcher must be able to fail: a native i386 program dies under it, at its first system call.
fn launcher_bites(target: &Path, ia32: bool) -> Trial {
    let target = target.to_owned();
    let trial = Trial::test("guest::independence [the launcher kills a native i386 program]", move || {
        let run = || -> Result<()> {
            let guest = machine::smallest_guest(&target)?;
            let scratch = target.join("scratch");
            let free = process::run(std::slice::from_ref(&guest), "", Duration::from_secs(5), &scratch)?;
            ensure!(free.end == End::Exit(42), "without the launcher it ends with {}", free.end);
            let launcher = PathBuf::from(env!("CARGO_BIN_EXE_launcher"));
            let caught = process::run(&[launcher.clone(), guest], "", Duration::from_secs(5), &scratch)?;
            ensure!(caught.end == End::Signal(libc::SIGSYS), "under the launcher it ends with {}", caught.end);
            let wide = process::run(&[launcher, PathBuf::from("/bin/true")], "", Duration::from_secs(5), &scratch)?;
            ensure!(wide.end == End::Exit(0), "a 64-bit program ends with {} under the launcher", wide.end);
            Ok(())
        };
        run().map_err(|error| Failed::from(format!("{error:#}")))
    });
    if ia32 { trial } else { trial.with_kind("this kernel kills them by itself").with_ignored_flag(true) }
}

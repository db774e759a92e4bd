//! What it costs and what it gives that AArch64 masks interrupts by priority (`irqchip.gicv3_pseudo_nmi=1`).
//!
//! One kernel, Debian's source with CONFIG_ARM64_PSEUDO_NMI (no kernel of Debian's has it on; `tests/board/kernels`), is booted
//! in QEMU without and with the parameter, with biarch for AArch64 and the module `irqlat`. QEMU executes one instruction for each
//! nanosecond of the machine's time (`-icount shift=0`), so that what is measured there is instructions, and the same in every
//! run: no time of hardware, where the priority register costs more than the instructions that write it.
//!
//! Full tier. With `BIARCH_DOCS=1` the table goes into docs/pseudo-nmi.md.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use anyhow::{Context, Result, anyhow, bail, ensure};
use biarch_tests::emulator::{Boot, Jobs};
use biarch_tests::initramfs::Initramfs;
use biarch_tests::{aarch64, emulator};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const QEMU: &str = "qemu-system-aarch64";
const PACKAGES: &[&str] = &["trixie", "arm64", "busybox-static"];
/// A machine that has said nothing for this long is dead.
const SILENCE: Duration = Duration::from_secs(300);
/// However busy it seems.
const LIMIT: Duration = Duration::from_secs(20 * 60);
/// Where the table is in docs/pseudo-nmi.md.
const MARKS: [&str; 2] = ["<!-- measured -->\n", "<!-- end -->\n"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials(arguments.list)).exit_code()
}

/// The same machine without and with the parameter.
struct Suite {
    root: PathBuf,
    booted: OnceLock<std::result::Result<[Found; 2], String>>,
}

/// What one boot brought.
struct Found {
    log: String,
    latency: Value,
    /// Instructions of a system call that does nothing: as 64-bit and as 32-bit program.
    calls: [f64; 2],
    /// Instructions from the timer's compare value to the handler, half of the time no more than that.
    vector: u64,
    /// The same for the second and the third interrupt, from the end of the handler before.
    next: [u64; 2],
    /// Overflows that were handled while interrupts were masked, those that were handled later, and the longest wait in cycles.
    overflows: [u64; 3],
}

fn trials(list_only: bool) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default();
    let packages = root.join("target/pseudo-nmi/packages");
    let full = std::env::var_os("BIARCH_TEST_FULL").is_some();
    let skip = match full {
        false => Some("takes minutes: make test-full".to_owned()),
        true if list_only => None,
        true => aarch64::missing().or_else(|| emulator::missing(QEMU, "qemu-system-arm", PACKAGES, &packages)),
    };
    let suite = Arc::new(Suite { root, booted: OnceLock::new() });
    let trial = |name: &str, run: fn(&Suite) -> Result<()>| {
        let suite = Arc::clone(&suite);
        let trial = Trial::test(format!("pseudo_nmi::{name}"), move || run(&suite).map_err(|e| Failed::from(format!("{e:#}"))));
        match &skip {
            Some(reason) => trial.with_kind(reason.clone()).with_ignored_flag(true),
            None => trial,
        }
    };
    vec![
        trial("the parameter switches it on", switches),
        trial("an interrupt gets through while interrupts are masked", gets_through),
        trial("every system call of both widths costs more", costs),
        trial("three interrupts follow each other", follow),
        trial("biarch latency says what it is measured on", labelled),
        trial("the table", table),
    ]
}

impl Suite {
    fn directory(&self, name: &str) -> PathBuf {
        self.root.join("target/pseudo-nmi").join(name)
    }

    fn found(&self) -> Result<&[Found; 2]> {
        let boot = || Ok([self.boot("without", "0")?, self.boot("with", "1")?]);
        let booted = self.booted.get_or_init(|| boot().map_err(|error: anyhow::Error| format!("{error:#}")));
        booted.as_ref().map_err(|text| anyhow!(text.clone()))
    }

    fn boot(&self, name: &str, value: &str) -> Result<Found> {
        let kernels = self.directory("kernels");
        let output = Command::new(self.root.join("tests/board/kernels")).arg(&kernels).arg("pseudo-nmi").output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let kernel = kernels.join("pseudo-nmi");
        let mut archive = Initramfs::default();
        // The kernel opens it for the first process before devtmpfs is there.
        archive.directory("dev")?;
        archive.copy("init", &self.root.join("tests/board/init"))?;
        archive.copy("jobs", &self.root.join("tests/pseudo_nmi/jobs"))?;
        archive.copy("bin/busybox", &self.directory("packages").join("usr/bin/busybox"))?;
        archive.copy("bin/biarch", &aarch64::biarch(&self.root)?)?;
        archive.copy("irqlat.ko", &kernel.join("irqlat.ko"))?;
        let mut machine = Command::new(QEMU);
        machine.args(["-M", "virt,gic-version=3", "-cpu", "max", "-icount", "shift=0,sleep=off", "-smp", "1", "-m", "1024"]);
        let parameters = format!("console=ttyAMA0 panic=-1 quiet irqchip.gicv3_pseudo_nmi={value}");
        let (directory, kernel) = (&self.directory(""), &kernel.join("Image"));
        let boot = Boot { directory, name, kernel, parameters: &parameters, silence: SILENCE, limit: LIMIT };
        let jobs = boot.jobs(&mut machine, archive)?;
        Found::of(&jobs).with_context(|| format!("target/pseudo-nmi/{name}.console"))
    }
}

impl Found {
    fn of(jobs: &Jobs) -> Result<Self> {
        let said = |job: &str| {
            let (output, status) = jobs.get(job).with_context(|| format!("no job {job}"))?;
            ensure!(*status == 0, "{job}: status {status}: {output}");
            Ok(output.as_str())
        };
        let compare: Value = serde_json::from_str(said("compare")?)?;
        let median = |side: usize| -> Result<f64> {
            let samples = compare["outcomes"][0]["samples"][side].as_array().context("samples")?;
            let mut samples: Vec<f64> = samples.iter().filter_map(Value::as_f64).collect();
            samples.sort_by(f64::total_cmp);
            samples.get(samples.len() / 2).copied().context("a side without samples")
        };
        let module = said("module")?;
        Ok(Self {
            log: said("log")?.to_owned(),
            latency: serde_json::from_str(said("latency")?)?,
            calls: [median(0)?, median(1)?],
            vector: row(module, "first, from the compare value")?,
            next: [row(module, "second, from the end")?, row(module, "third, from the end")?],
            overflows: [
                before(module, " overflows handled meanwhile")?,
                before(module, " later")?,
                before(module, " cycles late")?,
            ],
        })
    }
}

/// The median in a row of the module's summary: min, p50, p99 and max come last.
fn row(summary: &str, title: &str) -> Result<u64> {
    let line = summary.lines().find(|line| line.starts_with(title)).with_context(|| format!("no {title:?} in {summary}"))?;
    let numbers: Vec<&str> = line.split_whitespace().rev().take(4).collect();
    Ok(numbers.get(2).context("four numbers")?.parse()?)
}

/// The number in front of these words.
fn before(summary: &str, words: &str) -> Result<u64> {
    let start = summary.split(words).next().filter(|start| start.len() < summary.len());
    let number = start.and_then(|start| start.rsplit(' ').next()).with_context(|| format!("no {words:?} in {summary}"))?;
    Ok(number.parse()?)
}

fn switches(suite: &Suite) -> Result<()> {
    let [without, with] = suite.found()?;
    ensure!(with.log.contains("Pseudo-NMIs enabled") && !without.log.contains("Pseudo-NMIs enabled"), "{}", with.log);
    let state = |found: &Found| found.latency["kernels"][0]["record"]["pseudo_nmi"].as_str().map(str::to_owned);
    ensure!(
        state(with).as_deref() == Some("on") && state(without).as_deref() == Some("off"),
        "{:?} {:?}",
        state(without),
        state(with)
    );
    Ok(())
}

fn gets_through(suite: &Suite) -> Result<()> {
    let [without, with] = suite.found()?;
    let ([never, late, wait], [meanwhile, _, short]) = (without.overflows, with.overflows);
    ensure!(never == 0 && late > 0 && meanwhile > 0, "{:?} {:?}", without.overflows, with.overflows);
    ensure!(short * 10 < wait, "{short} cycles with, {wait} without");
    Ok(())
}

fn costs(suite: &Suite) -> Result<()> {
    let [without, with] = suite.found()?;
    for (without, with) in without.calls.iter().zip(&with.calls) {
        ensure!(*without > 50.0 && with > without, "{with} instructions with, {without} without");
    }
    Ok(())
}

fn follow(suite: &Suite) -> Result<()> {
    for found in suite.found()? {
        ensure!(found.vector > 50 && found.next.iter().all(|next| *next > 50), "{} {:?}", found.vector, found.next);
    }
    Ok(())
}

fn labelled(suite: &Suite) -> Result<()> {
    for found in suite.found()? {
        let kernel = &found.latency["kernels"][0];
        ensure!(kernel["record"]["emulated"].is_string(), "{}", kernel["record"]);
        let sides = kernel["runs"][0]["sides"].as_array().context("sides")?;
        let names: Vec<_> = sides.iter().filter_map(|side| side["name"].as_str()).collect();
        ensure!(names == ["arm64", "armhf", "arm64 again"], "{names:?}");
        for claim in kernel["runs"][0]["ratios"].as_array().into_iter().flatten() {
            ensure!(claim["verdict"].is_null(), "a conclusion from emulated times: {claim}");
        }
    }
    Ok(())
}

fn table(suite: &Suite) -> Result<()> {
    let [without, with] = suite.found()?;
    let mut table = String::from("| emulated, in instructions | without | with | |\n|---|---:|---:|---:|\n");
    let more = |without: f64, with: f64| format!("{:+.1} %", (with / without - 1.0) * 100.0);
    for (name, at) in [("a system call of a 64-bit program (getppid)", 0), ("a system call of a 32-bit program (getppid)", 1)] {
        let (without, with) = (without.calls[at], with.calls[at]);
        writeln!(table, "| {name} | {without:.0} | {with:.0} | {} |", more(without, with))?;
    }
    let interrupts = |found: &Found| [found.vector, found.next[0], found.next[1]];
    for (name, (without, with)) in [
        "the timer's interrupt: from the compare value to its handler, p50",
        "a second interrupt: from the end of that handler to its own, p50",
        "a third interrupt: from the end of that handler to its own, p50",
    ]
    .into_iter()
    .zip(interrupts(without).into_iter().zip(interrupts(with)))
    {
        #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
        let more = more(without as f64, with as f64);
        writeln!(table, "| {name} | {without} | {with} | {more} |")?;
    }
    let share = |[meanwhile, later, _]: [u64; 3]| format!("{meanwhile} of {}", meanwhile + later);
    writeln!(
        table,
        "| a counter's interrupts that were handled while interrupts were masked | {} | {} | |",
        share(without.overflows),
        share(with.overflows)
    )?;
    writeln!(table, "| the longest that one of them waited | {} | {} | |", without.overflows[2], with.overflows[2])?;
    for line in table.lines().skip(2) {
        eprintln!("measured: {}", line.trim_matches(['|', ' ']));
    }
    if std::env::var_os("BIARCH_DOCS").is_some() {
        let page = suite.root.join("docs/pseudo-nmi.md");
        let text = std::fs::read_to_string(&page)?;
        let (head, rest) = text.split_once(MARKS[0]).context("docs/pseudo-nmi.md has no place for the table")?;
        let Some((_, tail)) = rest.split_once(MARKS[1]) else { bail!("docs/pseudo-nmi.md has no end of the table") };
        std::fs::write(&page, format!("{head}{}{table}{}{tail}", MARKS[0], MARKS[1]))?;
    }
    Ok(())
}

//! The module `irqlat`, and what `biarch latency` makes of the kernel's tracers: both need root and a kernel of their own.
//!
//! The module is built for Debian 13's kernels (`build`), which are booted in QEMU. On the x86-64 one, biarch runs as well, and the
//! tracers must afterwards be as they were. Full tier.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use anyhow::{Context, Result, anyhow, ensure};
use biarch_tests::emulator::{self, Boot, Jobs};
use biarch_tests::initramfs::Initramfs;
use biarch_tests::under_test;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A machine that has said nothing for this long is dead.
const SILENCE: Duration = Duration::from_secs(300);
/// However busy it seems.
const LIMIT: Duration = Duration::from_secs(15 * 60);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials(arguments.list)).exit_code()
}

/// An architecture, as Debian calls it.
struct Machine {
    name: &'static str,
    qemu: &'static str,
    words: &'static [&'static str],
    console: &'static str,
    booted: OnceLock<std::result::Result<Jobs, String>>,
}

impl Machine {
    fn new(name: &'static str, qemu: &'static str, words: &'static [&'static str], console: &'static str) -> Self {
        Self { name, qemu, words, console, booted: OnceLock::new() }
    }
}

struct Suite {
    root: PathBuf,
    built: OnceLock<std::result::Result<(), String>>,
    amd64: Machine,
    arm64: Machine,
}

fn trials(list_only: bool) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default();
    let suite = Arc::new(Suite {
        root,
        built: OnceLock::new(),
        // The processor is that of tests/boot, which says why.
        amd64: Machine::new("amd64", "qemu-system-x86_64", &["-cpu", "max,-smap,-smep,-cx16"], "ttyS0"),
        arm64: Machine::new("arm64", "qemu-system-aarch64", &["-M", "virt,gic-version=3", "-cpu", "max"], "ttyAMA0"),
    });
    let missing = if std::env::var_os("BIARCH_TEST_FULL").is_none() {
        Some("takes minutes: make test-full".to_owned())
    } else {
        let qemus = [suite.amd64.qemu, suite.arm64.qemu];
        let here = |qemu: &&str| Command::new(qemu).arg("--version").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
        qemus.iter().find(|qemu| !list_only && !here(qemu)).map(|qemu| format!("no {qemu}"))
    };
    let trial = |name: &str, run: fn(&Suite) -> Result<()>| {
        let suite = Arc::clone(&suite);
        let trial = Trial::test(format!("irqlat::{name}"), move || run(&suite).map_err(|e| Failed::from(format!("{e:#}"))));
        match &missing {
            Some(reason) => trial.with_kind(reason.clone()).with_ignored_flag(true),
            None => trial,
        }
    };
    vec![
        trial("it builds against Debian's headers for both architectures", |suite| suite.built()),
        trial("it measures three interrupts on x86-64", |suite| measures(suite, &suite.amd64, "hrtimer")),
        trial("it measures three interrupts on arm64, by the compare value", |suite| {
            measures(suite, &suite.arm64, "compare value")
        }),
        trial("it refuses what it cannot measure", refuses),
        trial("biarch latency splits a wake-up by timerlat and looks for gaps by hwlat", traces),
        trial("the tracers are as they were, also after biarch was killed", restores),
    ]
}

impl Suite {
    fn directory(&self) -> PathBuf {
        self.root.join("target/irqlat")
    }

    fn built(&self) -> Result<()> {
        let build = || -> Result<()> {
            let output = Command::new(self.root.join("tests/irqlat/build")).arg(self.directory()).output()?;
            ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Ok(())
        };
        self.built.get_or_init(|| build().map_err(|error| format!("{error:#}"))).clone().map_err(|text| anyhow!(text))
    }

    fn job<'a>(&self, machine: &'a Machine, name: &str) -> Result<&'a (String, i32)> {
        self.built()?;
        let booted = machine.booted.get_or_init(|| self.boot(machine).map_err(|error| format!("{error:#}")));
        let jobs = booted.as_ref().map_err(|text| anyhow!(text.clone()))?;
        jobs.get(name).with_context(|| format!("no job {name}"))
    }

    fn boot(&self, machine: &Machine) -> Result<Jobs> {
        let files = self.directory().join(machine.name);
        let mut archive = Initramfs::default();
        // The kernel opens it for the first process before devtmpfs is there.
        archive.directory("dev")?;
        archive.copy("init", &self.root.join("tests/board/init"))?;
        archive.copy("jobs", &self.root.join("tests/irqlat/jobs"))?;
        archive.copy("bin/busybox", &files.join("usr/bin/busybox"))?;
        archive.copy("irqlat.ko", &files.join("irqlat.ko"))?;
        if machine.name == "amd64" {
            archive.copy("bin/biarch", &under_test::biarch()?)?;
        }
        let kernel = emulator::in_boot(&files, "vmlinuz-")?;
        let parameters = format!("console={} panic=-1 quiet nokaslr", machine.console);
        let mut qemu = Command::new(machine.qemu);
        qemu.args(machine.words).args(["-smp", "2", "-m", "1024"]);
        let (directory, name) = (&self.directory(), machine.name);
        let boot = Boot { directory, name, kernel: &kernel, parameters: &parameters, silence: SILENCE, limit: LIMIT };
        boot.jobs(&mut qemu, archive)
    }
}

fn measures(suite: &Suite, machine: &Machine, clock: &str) -> Result<()> {
    let (summary, status) = suite.job(machine, "module")?;
    ensure!(*status == 0, "{summary}");
    ensure!(
        summary.contains(clock) && summary.contains("300 of each") && summary.lines().any(|line| line.trim() == "300"),
        "{summary}"
    );
    for title in ["first, from", "second, from its", "second, from the end", "third, from its", "third, from the end"] {
        let row = summary.lines().find(|line| line.starts_with(title)).with_context(|| format!("no {title}: {summary}"))?;
        let numbers: Vec<u64> = row.split_whitespace().rev().map_while(|word| word.parse().ok()).collect();
        ensure!(numbers.len() == 4 && numbers.is_sorted_by(|a, b| a >= b) && numbers[0] > 0, "{row}");
        // The handler before goes on for 20 us after the request.
        ensure!(!title.ends_with("its") || numbers[3] >= 20_000, "{row}");
    }
    Ok(())
}

fn refuses(suite: &Suite) -> Result<()> {
    for machine in [&suite.amd64, &suite.arm64] {
        let (said, status) = suite.job(machine, "refused")?;
        ensure!(*status != 0 && said.matches("can't insert").count() == 3, "{said}");
    }
    Ok(())
}

fn traces(suite: &Suite) -> Result<()> {
    let (json, status) = suite.job(&suite.amd64, "latency")?;
    ensure!(*status == 0, "{json}");
    let report: Value = serde_json::from_str(json)?;
    let kernel = &report["kernels"][0];
    let count = |part: &str| {
        let cpus = kernel["runs"][0]["timerlat"][part].as_object().into_iter().flat_map(|cpus| cpus.values());
        cpus.flat_map(|cpu| cpu["buckets"].as_object())
            .flat_map(|buckets| buckets.values())
            .filter_map(Value::as_u64)
            .sum::<u64>()
    };
    ensure!(count("irq") > 0 && count("thread") > 0, "{kernel}");
    ensure!(kernel["record"]["firmware"]["looked_ms"].as_u64().is_some_and(|ms| ms > 0), "{}", kernel["record"]);
    ensure!(kernel["record"]["emulated"].as_str().is_some_and(|how| how.contains("TCG")), "{}", kernel["record"]);
    Ok(())
}

fn restores(suite: &Suite) -> Result<()> {
    let (before, _) = suite.job(&suite.amd64, "before")?;
    ensure!(before.contains("timerlat_period_us 1000") && before.contains("nop 1"), "{before}");
    for job in ["after", "killed"] {
        let (after, _) = suite.job(&suite.amd64, job)?;
        ensure!(after == before, "before:\n{before}{job}:\n{after}");
    }
    Ok(())
}

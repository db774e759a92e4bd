//! `biarch check` on boards: emulated AArch64 machines that run 32-bit ARM programs.
//!
//! A board is a kernel and a processor. Its first process (`init`) runs the kit of `biarch check`, which needs nothing but a
//! shell, and writes what it has found to the serial console; from there it is brought back and checked here, as from a board
//! without biarch. The full tier also builds biarch for AArch64, checks the boards on themselves, and builds two kernels that
//! differ in nothing but the 32-bit vDSO (`kernels`).
//!
//! `BIARCH` is the program under test here. The console of each board is `target/board/NAME.console`.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use anyhow::{Context, Result, anyhow, bail, ensure};
use biarch_tests::emulator::{Boot, Jobs};
use biarch_tests::initramfs::Initramfs;
use biarch_tests::{aarch64, emulator, under_test};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const QEMU: &str = "qemu-system-aarch64";
/// Where busybox and Debian's kernel come from.
const PACKAGES: &[&str] = &["trixie", "arm64", "linux-image-6.12.*-cloud-arm64", "busybox-static"];
/// A machine that has said nothing for this long is dead.
const SILENCE: Duration = Duration::from_secs(120);
/// However busy it seems.
const LIMIT: Duration = Duration::from_secs(5 * 60);

/// A processor that executes AArch32 at EL0.
const CORTEX_A57: &str = "cortex-a57";
/// Revision r3p1, the last one with erratum 1418040; QEMU's own is r4p1, which has it no more.
const CORTEX_A76_R3P1: &str = "cortex-a76,midr=0x413fd0b1";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials(arguments.list)).exit_code()
}

/// An emulated machine.
struct Board {
    name: &'static str,
    /// The variant that `kernels` builds, or Debian's kernel.
    built: Option<&'static str>,
    processor: &'static str,
    booted: OnceLock<std::result::Result<Jobs, String>>,
}

impl Board {
    fn new(name: &'static str, built: Option<&'static str>, processor: &'static str) -> Arc<Self> {
        Arc::new(Self { name, built, processor, booted: OnceLock::new() })
    }
}

/// What all boards share.
struct Suite {
    root: PathBuf,
    /// Whether biarch is to be built for AArch64, and kernels.
    full: bool,
    built: OnceLock<std::result::Result<PathBuf, String>>,
    kernels: OnceLock<std::result::Result<PathBuf, String>>,
}

fn trials(list_only: bool) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default();
    let full = std::env::var_os("BIARCH_TEST_FULL").is_some();
    let suite = Arc::new(Suite { root, full, built: OnceLock::new(), kernels: OnceLock::new() });
    let no_machine =
        if list_only { None } else { emulator::missing(QEMU, "qemu-system-arm", PACKAGES, &suite.directory("packages")) };
    let no_build = if full { aarch64::missing() } else { Some("takes minutes: make test-full".to_owned()) };
    let no_build_or_machine = no_build.clone().or(no_machine.clone());

    let debian = Board::new("debian", None, CORTEX_A57);
    let erratum = Board::new("erratum", None, CORTEX_A76_R3P1);
    let with = Board::new("with", Some("with"), CORTEX_A57);
    let without = Board::new("without", Some("without"), CORTEX_A57);
    let trial = |name: &str, skip: &Option<String>, run: fn(&Suite, &[Arc<Board>]) -> Result<()>, boards: &[&Arc<Board>]| {
        let (suite, boards) = (Arc::clone(&suite), boards.iter().map(|&board| Arc::clone(board)).collect::<Vec<_>>());
        let run = move || run(&suite, &boards).map_err(|error| Failed::from(format!("{error:#}")));
        let trial = Trial::test(format!("board::{name}"), run);
        match skip {
            Some(reason) => trial.with_kind(reason.clone()).with_ignored_flag(true),
            None => trial,
        }
    };
    vec![
        trial("Debian's kernel has a 32-bit vDSO, and the kit measures what it saves", &no_machine, vdso_helps, &[&debian]),
        trial(
            "on a processor with erratum 1418040 the vDSO is there and does not help",
            &no_machine,
            vdso_does_not_help,
            &[&erratum],
        ),
        trial("biarch builds for AArch64 without a warning", &no_build, builds, &[]),
        trial("biarch finds on the board what the kit finds", &no_build_or_machine, live_as_kit, &[&debian, &erratum]),
        trial("biarch run says on AArch64 what programs need", &no_build_or_machine, run_refuses, &[&debian]),
        trial("kernels that differ in the vDSO differ in that finding", &no_build_or_machine, differ, &[&with, &without]),
        trial("the kit of compare measures both word sizes, and is read here", &no_build_or_machine, compared, &[&debian]),
        trial("images and configurations of kernels say it as well", &no_build, offline, &[]),
    ]
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("a path here is text")
}

/// What two reports are compared by.
struct Report {
    /// What it says of its targets.
    targets: String,
    /// Rule and message of each finding, with its evidence.
    findings: BTreeMap<(String, String), String>,
}

impl Report {
    fn parse(json: &str) -> Result<Self> {
        let report: Value = serde_json::from_str(json).with_context(|| json.to_owned())?;
        let word = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
        Ok(Self {
            targets: list("targets").iter().map(|target| word(target, "description")).collect::<Vec<_>>().join("\n"),
            findings: list("findings")
                .iter()
                .map(|finding| ((word(finding, "rule"), word(finding, "message")), word(finding, "evidence")))
                .collect(),
        })
    }

    fn rules(&self) -> Vec<&str> {
        self.findings.keys().map(|(rule, _)| rule.as_str()).collect()
    }

    /// The evidence of the finding by this rule.
    fn evidence(&self, rule: &str) -> Result<&str> {
        let found = self.findings.iter().find(|((id, _), _)| id == rule);
        found.map(|(_, evidence)| evidence.as_str()).with_context(|| format!("{rule} finds nothing: {:?}", self.findings))
    }
}

impl Suite {
    fn directory(&self, name: &str) -> PathBuf {
        self.root.join("target/board").join(name)
    }

    /// `biarch check` here, of these files.
    fn check(&self, files: &[PathBuf]) -> Result<Report> {
        let output = Command::new(under_test::biarch()?).args(["check", "--json"]).args(files).output()?;
        Report::parse(&String::from_utf8(output.stdout)?).with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// biarch for AArch64.
    fn built(&self) -> Result<&PathBuf> {
        once(&self.built, || aarch64::biarch(&self.root))
    }

    /// The kernels that differ in the vDSO.
    fn kernels(&self) -> Result<&PathBuf> {
        let build = || -> Result<PathBuf> {
            let directory = self.directory("kernels");
            let output = Command::new(self.root.join("tests/board/kernels")).arg(&directory).output()?;
            ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Ok(directory)
        };
        once(&self.kernels, build)
    }

    /// What a board says; boots it, and once more where the emulated machine itself broke down.
    fn jobs<'a>(&self, board: &'a Board) -> Result<&'a Jobs> {
        once(&board.booted, || {
            self.boot(board).or_else(|error| {
                eprintln!("board: {} broke down and is booted again: {error:#}", board.name);
                self.boot(board)
            })
        })
    }

    /// The kernel, and the initial file system.
    fn prepare(&self, board: &Board) -> Result<(PathBuf, Initramfs)> {
        let packages = self.directory("packages");
        let kernel = match board.built {
            Some(variant) => self.kernels()?.join(variant).join("Image"),
            None => emulator::in_boot(&packages, "vmlinuz-")?,
        };
        let kit = self.directory(&format!("{}.kit", board.name));
        let output = Command::new(under_test::biarch()?).args(["check", "--kit", text(&kit)?]).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut archive = Initramfs::default();
        // The kernel opens it for the first process before devtmpfs is there.
        archive.directory("dev")?;
        archive.copy("init", &self.root.join("tests/board/init"))?;
        archive.copy("bin/busybox", &packages.join("usr/bin/busybox"))?;
        for entry in std::fs::read_dir(&kit)? {
            let path = entry?.path();
            archive.copy(&format!("kit/{}", text(&path)?.rsplit('/').next().unwrap_or_default()), &path)?;
        }
        if board.built.is_none() {
            let config = emulator::in_boot(&packages, "config-")?;
            archive.copy(&format!("boot/{}", text(&config)?.rsplit('/').next().unwrap_or_default()), &config)?;
        }
        if self.full {
            archive.copy("bin/biarch", self.built()?)?;
            let kit = self.directory("compare.kit");
            let output = Command::new(under_test::biarch()?).args(["compare", "--kit", text(&kit)?]).output()?;
            let said = String::from_utf8_lossy(&output.stdout);
            ensure!(output.status.success() && said.contains("armhf and arm64: on"), "{said}");
            for name in ["compare.sh", "worker-arm64", "worker-armhf"] {
                archive.copy(&format!("compare/{name}"), &kit.join(name))?;
            }
        }
        Ok((kernel, archive))
    }

    fn boot(&self, board: &Board) -> Result<Jobs> {
        let (kernel, archive) = self.prepare(board)?;
        let mut machine = Command::new(QEMU);
        machine.args(["-M", "virt,gic-version=3", "-smp", "1", "-m", "512", "-cpu", board.processor]);
        let parameters = "console=ttyAMA0 panic=-1 quiet";
        let (directory, name) = (&self.directory(""), board.name);
        Boot { directory, name, kernel: &kernel, parameters, silence: SILENCE, limit: LIMIT }.jobs(&mut machine, archive)
    }

    /// What the kit of a board says, when it is checked here.
    fn kit(&self, board: &Board) -> Result<Report> {
        let (kit, status) = self.jobs(board)?.get("kit").context("the board has no kit")?;
        ensure!(*status == 0 && kit.contains('\r'), "this did not come from a serial console: {kit}");
        let file = self.directory(&format!("{}.txt", board.name));
        std::fs::write(&file, kit)?;
        self.check(&[file])
    }

    /// Nanoseconds that the board's probe has measured.
    fn measured(&self, board: &Board, key: &str) -> Result<f64> {
        let (kit, _) = self.jobs(board)?.get("kit").context("the board has no kit")?;
        let value = kit.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(key)?.strip_prefix(' '));
        value.and_then(|value| value.trim().parse().ok()).with_context(|| format!("the probe has not measured {key}:\n{kit}"))
    }
}

/// Does it once, and says the same of a failure every time.
fn once<T>(cell: &OnceLock<std::result::Result<T, String>>, work: impl FnOnce() -> Result<T>) -> Result<&T> {
    cell.get_or_init(|| work().map_err(|error| format!("{error:#}"))).as_ref().map_err(|text| anyhow!(text.clone()))
}

fn compared(suite: &Suite, boards: &[Arc<Board>]) -> Result<()> {
    let [board] = boards else { bail!("one board") };
    let jobs = suite.jobs(board)?;
    let (said, status) = jobs.get("compare").context("the board has no kit of compare")?;
    ensure!(*status == 0, "{said}");
    let (kit, _) = jobs.get("compare kit").context("the kit wrote nothing")?;
    ensure!(kit.contains('\r'), "this did not come from a serial console: {kit}");
    let file = suite.directory("compare.txt");
    std::fs::write(&file, kit)?;
    let output = Command::new(under_test::biarch()?).args(["compare", "--json", text(&file)?]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout)?;
    ensure!(found["sides"] == serde_json::json!(["arm64", "armhf"]) && found["left_out"] == serde_json::json!([]), "{found}");
    let outcomes = found["outcomes"].as_array().context("outcomes")?;
    ensure!(outcomes.len() == 7, "{outcomes:?}");
    let noisy = found["notes"].to_string().contains("too noisy");
    for outcome in outcomes.iter().filter(|outcome| outcome["name"] != "gettimeofday_syscall") {
        ensure!(outcome["missing"] == serde_json::json!([]), "{outcome}");
        let rounds = |side: usize| outcome["samples"][side].as_array().map(Vec::len);
        ensure!(rounds(0) == Some(8) && rounds(1) == Some(8) && outcome["verdict"].is_null() == noisy, "{outcome}");
    }
    let table = Command::new(under_test::biarch()?).args(["compare", text(&file)?]).output()?;
    // Where a line ends depends on the machine's name.
    let table = String::from_utf8_lossy(&table.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    ensure!(table.contains("in a virtual or emulated machine") && table.contains("not those of hardware"), "{table}");
    Ok(())
}

fn vdso_helps(suite: &Suite, boards: &[Arc<Board>]) -> Result<()> {
    let [board] = boards else { bail!("one board") };
    let report = suite.kit(board)?;
    ensure!(report.targets.contains("it runs armhf programs"), "{}", report.targets);
    for rule in ["K001", "K060", "K061"] {
        ensure!(!report.rules().contains(&rule), "{rule} on Debian's kernel: {:?}", report.findings);
    }
    let (vdso, call) = (suite.measured(board, "ns.vdso.clock_gettime")?, suite.measured(board, "ns.syscall.clock_gettime")?);
    ensure!(call > 2.0 * vdso, "a system call takes {call} ns, the vDSO {vdso} ns");
    Ok(())
}

fn vdso_does_not_help(suite: &Suite, boards: &[Arc<Board>]) -> Result<()> {
    let [board] = boards else { bail!("one board") };
    let report = suite.kit(board)?;
    ensure!(!report.rules().contains(&"K001"), "there is a vDSO: {:?}", report.findings);
    let evidence = report.evidence("K061")?;
    ensure!(evidence.contains("erratum 1418040"), "{evidence}");
    Ok(())
}

fn builds(suite: &Suite, _: &[Arc<Board>]) -> Result<()> {
    let program = std::fs::read(suite.built()?)?;
    let facts = elf::facts(&program)?;
    ensure!(facts.machine == elf::EM_AARCH64 && facts.interpreter.is_none(), "{facts:?}");
    Ok(())
}

fn live_as_kit(suite: &Suite, boards: &[Arc<Board>]) -> Result<()> {
    for board in boards {
        let (live, status) = suite.jobs(board)?.get("live").context("biarch did not run on the board")?;
        let (live, kit) = (Report::parse(live)?, suite.kit(board)?);
        let (live, kit): (Vec<_>, Vec<_>) = (live.findings.keys().collect(), kit.findings.keys().collect());
        ensure!(live == kit && *status != 2, "live, status {status}: {live:?}\nkit: {kit:?}");
    }
    Ok(())
}

fn run_refuses(suite: &Suite, boards: &[Arc<Board>]) -> Result<()> {
    let [board] = boards else { bail!("one board") };
    let jobs = suite.jobs(board)?;
    for (job, parts) in [
        ("run i386", ["an i386 program", "on an x86-64 machine: biarch run /kit/probe-i386", "qemu-i386"]),
        ("run armhf", ["needs no biarch", "CONFIG_COMPAT", "biarch check /kit/probe-armhf"]),
        ("run script", ["aarch64", "qemu-i386", "biarch check"]),
    ] {
        let (output, status) = jobs.get(job).with_context(|| format!("no job {job}"))?;
        ensure!(*status == 125, "{job}: status {status}: {output}");
        for part in parts {
            ensure!(output.contains(part), "{job} does not say {part:?}: {output}");
        }
    }
    Ok(())
}

/// The findings are the same but for the vDSO's: that it is missing, or a note about processors on which it is of no use.
fn only_in_the_vdso(with: &Report, without: &Report) -> Result<()> {
    ensure!(without.evidence("K001")?.contains("CROSS_COMPILE_COMPAT"), "{:?}", without.findings);
    ensure!(!with.rules().contains(&"K001"), "{:?}", with.findings);
    let rest = |report: &Report| -> Vec<(String, String)> {
        report.findings.keys().filter(|(rule, _)| rule != "K001" && rule != "K004").cloned().collect()
    };
    ensure!(rest(with) == rest(without), "with the vDSO: {:?}\nwithout: {:?}", with.findings, without.findings);
    Ok(())
}

fn differ(suite: &Suite, boards: &[Arc<Board>]) -> Result<()> {
    let [with, without] = boards else { bail!("two boards") };
    only_in_the_vdso(&suite.kit(with)?, &suite.kit(without)?)?;
    let (fast, slow) = (suite.measured(with, "ns.vdso.gettimeofday")?, suite.measured(without, "ns.syscall.gettimeofday")?);
    eprintln!(
        "measured: gettimeofday of a 32-bit program takes {fast} ns with the vDSO, {slow} ns without: {:.1} times (emulated, TCG; a Raspberry Pi 3 B+: over 25 times)",
        slow / fast
    );
    ensure!(slow > 2.0 * fast, "a kernel without the vDSO is slower, emulated or not");
    Ok(())
}

fn offline(suite: &Suite, _: &[Arc<Board>]) -> Result<()> {
    let of = |variant: &str, files: &[&str]| {
        let directory = suite.kernels()?.join(variant);
        suite.check(&files.iter().map(|file| directory.join(file)).collect::<Vec<_>>())
    };
    for files in [&["config"][..], &["Image"], &["Image", "config"]] {
        let (with, without) = (of("with", files)?, of("without", files)?);
        // The names of the files are in no message.
        only_in_the_vdso(&with, &without).with_context(|| format!("{files:?}"))?;
        if files.contains(&"Image") {
            ensure!(with.targets.contains("__vdso_clock_gettime64"), "{}", with.targets);
            ensure!(without.targets.contains("no 32-bit vDSO"), "{}", without.targets);
        }
    }
    Ok(())
}

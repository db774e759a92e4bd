//! The boot test: the guest suite on a kernel that refuses 32-bit programs.
//!
//! Debian's cloud kernel is started in QEMU with `ia32_emulation=0` and an initial file system that holds biarch, the static
//! guest programs and busybox. First the machine shows that its kernel does not run a guest, and says so in its log; then
//! every guest runs there under `biarch run`, and must do what it does natively on this machine (or, where this machine's
//! kernel does not run it either, must find nothing wrong itself). A 64-bit program uses a 32-bit library there, by both transports of
//! a bridge (`bridge.rs`). One boot serves all trials.
//!
//! `BIARCH` is the program under test, as in the guest suite. The console of the last boot is `target/boot/console`.
//! What may differ on that machine is in `differences.txt`, with the reason.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

mod bridge;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use biarch_tests::initramfs::Initramfs;
use biarch_tests::process::{self, Outcome};
use biarch_tests::program::{End, Flavour, Language, Program, discover};
use biarch_tests::wire::{self, Job};
use biarch_tests::{compile, diff, emulator, machine, under_test};
use libtest_mimic::{Arguments, Failed, Trial};

const QEMU: &str = "qemu-system-x86_64";
/// Where the kernel and busybox come from: the first Debian release whose kernel knows `ia32_emulation=`.
const PACKAGES: &[&str] = &["trixie", "amd64", "linux-image-6.*-cloud-amd64", "busybox-static"];
/// `-smap,-smep`: QEMU 7.2 faults on far returns in user mode when SMAP is on. `-cx16`: its `cmpxchg16b`, with which the kernel
/// allocates memory, now and then leaves flags that are none, and the kernel dies at the next interrupt.
const CPU: &str = "max,-smap,-smep,-cx16";
/// `ia32_emulation=0` is the point. On a busy machine the kernel would find that the emulator's time stamp counter cannot be relied on,
/// and the vDSO would make system calls. On one processor it would replace its `lock` prefixes by `ds`, for which QEMU 7.2 adds that
/// segment's base also in 64-bit mode: a guest that has one there would stop the kernel. The rest is about the console.
const COMMAND_LINE: &str = "console=ttyS0 panic=-1 loglevel=6 nokaslr ia32_emulation=0 tsc=nowatchdog noreplace-smp";
/// The machine translates every instruction: what takes a second here may take a minute there.
const SLOWER: u32 = 3;
/// A machine that has said nothing for this long is dead. Longer than any one job may take.
const SILENCE: Duration = Duration::from_secs(200);
/// However busy it seems.
const LIMIT: Duration = Duration::from_secs(25 * 60);

/// The names of the jobs that are not guest programs under biarch.
const REFUSED: &str = "refused";
const LOG: &str = "log";
const WIDE: &str = "wide";
const CHECK: &str = "check";

/// What `biarch check` has to say on such a machine; the times are from a probe under biarch.
const PARTS_OF_THE_REPORT: &[&str] = &[
    "K060 i386 programs do not start: the kernel was started with ia32_emulation=0",
    "it does not run i386 programs; `biarch run` does",
    "ns by the vDSO",
];

fn main() -> ExitCode {
    match trials() {
        Ok((arguments, trials)) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("boot: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// All that a trial needs to know.
struct Suite {
    root: PathBuf,
    target: PathBuf,
    biarch: PathBuf,
    ia32: bool,
    compiler: compile::Compiler,
    guests: Vec<(String, Arc<Program>, Flavour)>,
    booted: OnceLock<std::result::Result<Boot, String>>,
}

/// What one boot brought.
struct Boot {
    results: HashMap<String, Outcome>,
    /// Why there are no more results, if the machine did not get to its end.
    complete: std::result::Result<(), String>,
}

fn trials() -> Result<(Arguments, Vec<Trial>)> {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the tests are in a workspace")?.to_owned();
    let target = root.join("target");
    let ia32 = machine::has_ia32(&target.join("guest"))?;
    let biarch = under_test::unbuilt();
    let skip = if arguments.list { None } else { missing(&root, &biarch) };

    let mut guests = vec![];
    let mut skipped = vec![];
    let known: HashMap<String, String> = differences(&root.join("tests/boot/differences.txt"))?;
    for program in discover(&root.join("tests/guest"))? {
        let program = Arc::new(program);
        for flavour in program.flavours.iter().copied().filter(|flavour| *flavour != Flavour::Dynamic) {
            let kind = if program.language == Language::Go { "386" } else { flavour.name() };
            let name = format!("{}::{} [{kind}]", program.area, program.name);
            let reason = known.get(&format!("{}/{}", program.area, program.name)).cloned();
            match reason.or(compile::missing(program.language, flavour).map(str::to_owned)) {
                Some(reason) => skipped.push((name, reason)),
                None => guests.push((name, Arc::clone(&program), flavour)),
            }
        }
    }
    let suite = Arc::new(Suite {
        compiler: compile::Compiler::new(target.join("guest"), root.join("tests/guest")),
        root,
        target,
        biarch,
        ia32,
        guests,
        booted: OnceLock::new(),
    });
    let mut trials = vec![
        suite.trial("the kernel refuses a 32-bit program", &skip, |suite| suite.refuses()),
        suite.trial("the kernel says why", &skip, |suite| suite.says_why()),
        suite.trial("biarch check says why, and what runs all the same", &skip, |suite| suite.checks()),
        suite.trial("the kernel runs a 64-bit program", &skip, |suite| suite.runs_wide()),
        suite.trial("the machine did all it was asked to", &skip, |suite| {
            suite.boot()?.complete.clone().map_err(|text| anyhow!(text))
        }),
    ];
    let no_bridge = skip.clone().or_else(bridge::missing);
    for transport in bridge::TRANSPORTS {
        // Its own: both are compiled and run at the same time.
        let directory = suite.target.join("boot/bridge").join(transport);
        trials.push(suite.trial(&bridge::job(transport, false), &no_bridge, move |suite| {
            bridge::same(suite.result(&bridge::job(transport, false))?, &directory)
        }));
        trials.push(suite.trial(&bridge::job(transport, true), &no_bridge, move |suite| {
            bridge::crashed(suite.result(&bridge::job(transport, true))?)
        }));
    }
    for (index, (name, _, _)) in suite.guests.iter().enumerate() {
        trials.push(suite.trial(name, &skip, move |suite| suite.verdict(index)));
    }
    for (name, reason) in skipped {
        trials.push(suite.trial(&name, &Some(reason), |_| Ok(())));
    }
    Ok((arguments, trials))
}

/// Why there can be no boot here, if there cannot.
fn missing(root: &Path, biarch: &Path) -> Option<String> {
    if biarch == Path::new("none") {
        return Some("BIARCH=none".to_owned());
    }
    emulator::missing(QEMU, "qemu-system-x86", PACKAGES, &root.join("target/boot-packages"))
}

/// `AREA/NAME REASON` per line; `#` begins a comment.
fn differences(path: &Path) -> Result<HashMap<String, String>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split_once(' ').map(|(name, reason)| (name.to_owned(), reason.trim().to_owned())))
        .collect::<Option<_>>()
        .with_context(|| format!("{}: a line without a reason", path.display()))
}

impl Suite {
    fn trial(
        self: &Arc<Self>,
        name: &str,
        skip: &Option<String>,
        run: impl FnOnce(&Self) -> Result<()> + Send + 'static,
    ) -> Trial {
        let suite = Arc::clone(self);
        let trial = Trial::test(format!("boot::{name}"), move || run(&suite).map_err(|error| Failed::from(format!("{error:#}"))));
        match skip {
            Some(reason) => trial.with_kind(reason.clone()).with_ignored_flag(true),
            None => trial,
        }
    }

    fn boot(&self) -> Result<&Boot> {
        self.booted
            .get_or_init(|| self.boot_to_the_end().map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|text| anyhow!(text.clone()))
    }

    fn result(&self, name: &str) -> Result<&Outcome> {
        let boot = self.boot()?;
        boot.results.get(name).with_context(|| match &boot.complete {
            Ok(()) => format!("the machine sent no result for {name}"),
            Err(error) => format!("the machine did not get this far: {error}"),
        })
    }

    fn refuses(&self) -> Result<()> {
        let outcome = self.result(REFUSED)?;
        // busybox's shell, given ENOEXEC, tries to read the file as a script, as POSIX says; others say what exec(2) said.
        let refused = matches!(outcome.end, End::Exit(126 | 127))
            && (outcome.stderr.contains("not found") || outcome.stderr.contains("format error"));
        ensure!(refused, "the shell of that machine should not have been able to start a 32-bit program:\n{}", outcome.text());
        Ok(())
    }

    fn says_why(&self) -> Result<()> {
        let outcome = self.result(LOG)?;
        let line = outcome.stdout.lines().find(|line| line.contains("32-bit emulation disabled"));
        ensure!(line.is_some(), "the kernel's log has no line about 32-bit emulation:\n{}", outcome.text());
        Ok(())
    }

    /// The probe has run under biarch there, and it found what it looks for.
    fn checks(&self) -> Result<()> {
        let outcome = self.result(CHECK)?;
        // Lines are as wide as the terminal.
        let report = outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in PARTS_OF_THE_REPORT {
            ensure!(report.contains(part), "the report does not say {part:?}:\n{}", outcome.text());
        }
        ensure!(outcome.end == End::Exit(1), "there is something to find:\n{}", outcome.text());
        Ok(())
    }

    /// So that a refusal means something.
    fn runs_wide(&self) -> Result<()> {
        let outcome = self.result(WIDE)?;
        ensure!(outcome.end == End::Exit(0) && outcome.stdout == "x86_64\n", "{}", outcome.text());
        Ok(())
    }

    /// One guest: `Err` says what differs.
    fn verdict(&self, index: usize) -> Result<()> {
        let (name, program, flavour) = self.guests.get(index).context("no such guest")?;
        let there = self.result(name)?;
        let verdict = self.compare(program, *flavour, there);
        match &program.gap {
            Some(gap) => ensure!(verdict.is_err(), "it works now; its gap is closed: {gap}"),
            None => verdict?,
        }
        Ok(())
    }

    /// What a guest did there against what it should do, and does here.
    fn compare(&self, program: &Program, flavour: Flavour, there: &Outcome) -> Result<()> {
        let well = there.end == program.end && !there.stdout.lines().any(|line| line.starts_with("FAIL"));
        ensure!(well, "expected {}, and no line that begins with FAIL:\n{}", program.end, there.text());
        if self.ia32 && program.needs.iter().all(|need| machine::unmet(*need, self.ia32).is_none()) {
            let mut words = vec![self.compiler.binary(program, flavour)?];
            words.extend(program.arguments.iter().map(PathBuf::from));
            let here = process::run(&words, &program.stdin, program.timeout, &self.target.join("boot/scratch"))?;
            if let Some(text) = diff::unified(&here.text(), &there.text(), "native", "biarch on a kernel without 32-bit support")
            {
                bail!(text);
            }
        }
        Ok(())
    }

    /// Boots, and once more where the emulated machine itself broke down: a guest that hangs or fails does not do that.
    fn boot_to_the_end(&self) -> Result<Boot> {
        let boot = self.boot_now()?;
        match &boot.complete {
            Ok(()) => Ok(boot),
            Err(error) => {
                eprintln!("boot: the machine broke down and is booted again: {error}");
                self.boot_now()
            }
        }
    }

    /// Builds the machine, runs it to its end and reads its results.
    fn boot_now(&self) -> Result<Boot> {
        let directory = self.target.join("boot");
        std::fs::create_dir_all(&directory)?;
        let (initrd, console, port) = (directory.join("initramfs"), directory.join("console"), directory.join("results"));
        std::fs::write(&initrd, self.initramfs()?)?;
        for file in [&console, &port] {
            File::create(file)?;
        }
        let kernel = emulator::in_boot(&self.target.join("boot-packages"), "vmlinuz-")?;
        let mut machine = Command::new(QEMU);
        machine
            .args(["-accel", "tcg", "-cpu", CPU, "-smp", "1", "-m", "2048", "-nodefaults", "-display", "none", "-no-reboot"])
            .arg("-kernel")
            .arg(&kernel)
            .arg("-initrd")
            .arg(&initrd)
            .args(["-append", COMMAND_LINE, "-serial"])
            .arg(format!("file:{}", console.display()))
            .args(["-device", "virtio-serial-pci", "-device", "virtserialport,chardev=results", "-chardev"])
            .arg(format!("file,id=results,path={}", port.display()))
            .stdin(Stdio::null())
            .stderr(File::create(directory.join("qemu"))?);
        let ended = emulator::run(&mut machine, &[&console, &port], SILENCE, LIMIT);
        let (results, complete) = wire::get_results(&mut std::io::BufReader::new(File::open(&port)?));
        let complete = ended.and(complete).map_err(|error| {
            format!(
                "{error:#}\n{}\n--- end of {}:\n{}",
                emulator::end_of(&directory.join("qemu")),
                console.display(),
                emulator::end_of(&console)
            )
        });
        Ok(Boot { results: results.into_iter().collect(), complete })
    }

    /// The initial file system, with the jobs in it.
    fn initramfs(&self) -> Result<Vec<u8>> {
        let mut archive = Initramfs::default();
        // The kernel opens it for the first process before devtmpfs is there.
        archive.directory("dev")?;
        archive.link("init", "agent")?;
        archive.copy("agent", Path::new(env!("CARGO_BIN_EXE_boot-agent")))?;
        archive.copy("bin/busybox", &self.target.join("boot-packages/usr/bin/busybox"))?;
        archive.copy("usr/bin/biarch", &self.biarch)?;
        // Busybox would look at the name it is called by.
        for file in ["bin/true", "lib64/ld-linux-x86-64.so.2", "lib/x86_64-linux-gnu/libc.so.6"] {
            archive.copy(file, &Path::new("/").join(file))?;
        }
        let config = emulator::in_boot(&self.target.join("boot-packages"), "config-")?;
        archive.copy(&format!("boot/{}", config.file_name().unwrap_or_default().to_string_lossy()), &config)?;
        archive.file("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n")?;
        archive.file("etc/group", b"root:x:0:\n")?;
        archive.directory("root")?;
        archive.copy("guest/exit42", &machine::smallest_guest(&self.target.join("guest"))?)?;

        let path = |words: &[&str]| words.iter().map(PathBuf::from).collect::<Vec<_>>();
        let job =
            |name: &str, words| Job { name: name.to_owned(), timeout: Duration::from_secs(30), stdin: String::new(), words };
        let mut jobs = vec![
            job(WIDE, path(&["/bin/busybox", "uname", "-m"])),
            job(REFUSED, path(&["/bin/sh", "-c", "/guest/exit42"])),
            job(LOG, path(&["/bin/dmesg"])),
            job(CHECK, path(&["/usr/bin/biarch", "check"])),
        ];
        if bridge::missing().is_none() {
            bridge::put(&mut archive, &self.biarch, &self.target.join("boot/bridge"))?;
            for (transport, is_crash) in bridge::TRANSPORTS.into_iter().flat_map(|one| [(one, false), (one, true)]) {
                let mut job = job(&bridge::job(transport, is_crash), bridge::words(transport, is_crash));
                job.timeout *= SLOWER;
                jobs.push(job);
            }
        }
        for (number, (name, program, flavour)) in self.guests.iter().enumerate() {
            let place = format!("guest/{number}/{}", program.name);
            let binary = match self.compiler.binary(program, *flavour) {
                Ok(binary) => binary,
                // The guest suite says so as well; here it is the one trial that has no result.
                Err(error) => {
                    eprintln!("{name}: {error:#}");
                    continue;
                }
            };
            archive.copy(&place, &binary)?;
            let mut words = path(&["/usr/bin/biarch", "run"]);
            words.extend(program.options.iter().map(PathBuf::from));
            words.push(PathBuf::from(format!("/{place}")));
            words.extend(program.arguments.iter().map(PathBuf::from));
            jobs.push(Job { name: name.clone(), timeout: program.timeout * SLOWER, stdin: program.stdin.clone(), words });
        }
        let mut list = vec![];
        wire::put_jobs(&mut list, &jobs)?;
        archive.file("jobs", &list)?;
        archive.finish().with_context(|| self.root.display().to_string())
    }
}

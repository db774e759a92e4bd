//! The program suite: real, unmodified programs from Debian's i386 archive run natively and under biarch, and do the same.
//!
//! A case is a script, `tests/programs/PROGRAM/NAME.sh`. It runs twice, each time in a fresh overlay of the same Debian tree and
//! in namespaces of its own: once by the kernel, once under biarch and under the launcher that kills whoever makes a 32-bit
//! system call. What must be equal: stdout, stderr, the exit status, and every file that was written anywhere in the tree (type,
//! mode, owner, links, content). Cases marked `#: full` run with `--include-ignored`, and in `make test-full`. Environment:
//!
//! | variable | meaning |
//! |---|---|
//! | `BIARCH` | the program under test; default: this workspace's own, built if it is not there. `none`: compare native with native |
//! | `BIARCH_ENTRY` | passed on as `--entry`; `kernel` runs without the launcher |
//! | `BIARCH_VDSO` | passed on as `--vdso` |
//! | `BIARCH_SOAK` | seconds that the cases `soak` take, twice each |
//! | `BIARCH_LAUNCHER` | the launcher; default: this workspace's own |
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

mod case;
mod differ;
mod tree;

use std::fmt::Write as _;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use biarch_tests::{machine, under_test};
use libtest_mimic::{Arguments, Failed, Trial};

use crate::case::{Case, Root};

/// Set for the process that is in a mount namespace of its own.
const INSIDE: &str = "BIARCH_PROGRAMS_INSIDE";

/// rootfs.sh's way to say that this machine cannot.
const CANNOT: i32 = 77;

/// What all trials share.
struct Suite {
    /// tests/programs.
    here: PathBuf,
    /// Where trees, runs and their outputs are.
    target: PathBuf,
    /// The words that come before `--chroot`; `None` compares native with native.
    biarch: Option<Vec<PathBuf>>,
    /// Name of the case, and how long its two runs took.
    times: Mutex<Vec<(String, Duration, Duration)>>,
}

/// How one run went.
struct Outcome {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    took: Duration,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("programs: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode> {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let cases = case::discover(&here)?;
    let target = here.join("../..").canonicalize()?.join("target/programs");
    let suite = Suite { here, target, biarch: None, times: Mutex::default() };
    if arguments.list {
        return Ok(libtest_mimic::run(&arguments, trials(&Arc::new(suite), cases)).exit_code());
    }
    if std::env::var_os(INSIDE).is_none() {
        if Path::new("/proc/self").metadata()?.uid() != 0 {
            return Ok(skipped(&arguments, "needs root, for chroot and mount"));
        }
        let Some(propagation) = machine::mount_propagation()? else {
            return Ok(skipped(&arguments, "what is mounted in this chroot would be mounted outside it too"));
        };
        // What is mounted from here on is seen by this process and its children only, and goes with them.
        let error = Command::new("unshare")
            .args(["--mount", "--propagation", propagation])
            .arg(std::env::current_exe()?)
            .args(std::env::args_os().skip(1))
            .env(INSIDE, "1")
            .exec();
        bail!("unshare: {error}");
    }
    if let Some(reason) = suite.make_trees()? {
        return Ok(skipped(&arguments, &reason));
    }
    let launcher =
        std::env::var_os("BIARCH_LAUNCHER").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_launcher")), PathBuf::from);
    let suite = Arc::new(Suite { biarch: under_test::words(Some(launcher))?, ..suite });
    let conclusion = libtest_mimic::run(&arguments, trials(&suite, cases));
    suite.write_times()?;
    Ok(conclusion.exit_code())
}

/// One trial that is ignored, and says why where it can be seen.
fn skipped(arguments: &Arguments, reason: &str) -> ExitCode {
    let trial = Trial::test("programs", || Ok(())).with_kind(format!("skipped: {reason}")).with_ignored_flag(true);
    libtest_mimic::run(&Arguments { include_ignored: false, ignored: false, ..arguments.clone() }, vec![trial]).exit_code()
}

fn trials(suite: &Arc<Suite>, cases: Vec<Case>) -> Vec<Trial> {
    let everything = std::env::var_os("BIARCH_TEST_FULL").is_some();
    let trial = |case: Case| {
        let (suite, full) = (Arc::clone(suite), case.full && !everything);
        let name = format!("programs::{}::{}", case.program, case.name);
        let trial = Trial::test(name, move || suite.verdict(&case).map_err(|error| Failed::from(format!("{error:#}"))));
        if full { trial.with_kind("full").with_ignored_flag(true) } else { trial }
    };
    cases.into_iter().map(trial).collect()
}

impl Suite {
    /// Makes the Debian trees if they are not there; says why if that is not possible here.
    fn make_trees(&self) -> Result<Option<String>> {
        std::fs::create_dir_all(&self.target)?;
        let script = self.here.join("rootfs.sh");
        // Two suites at a time must not make one tree.
        let output = Command::new("flock")
            .arg(self.target.join("lock"))
            .arg(script)
            .arg(self.trees())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => Ok(None),
            Some(CANNOT) => Ok(Some(said.lines().last().unwrap_or("rootfs.sh cannot").to_owned())),
            _ => bail!("rootfs.sh: {}: {said}", output.status),
        }
    }

    /// Beside the other things that are made once and kept.
    fn trees(&self) -> PathBuf {
        self.target.with_file_name("rootfs-i386")
    }

    /// Runs a case twice: `Err` says what differs.
    fn verdict(&self, case: &Case) -> Result<()> {
        let directory = self.target.join(&case.program).join(&case.name);
        let sides = [directory.join("native"), directory.join("biarch")];
        let mounted = [Mounted::new(&sides[0], &self.tree(case))?, Mounted::new(&sides[1], &self.tree(case))?];
        let native = self.execute(case, &mounted[0], None)?;
        let biarch = self.execute(case, &mounted[1], self.biarch.as_deref())?;
        let name = format!("{}::{}", case.program, case.name);
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push((name, native.took, biarch.took));
        let mut report = String::new();
        if native.status != biarch.status {
            writeln!(report, "status: native {}, biarch {}", native.status, biarch.status)?;
        }
        report.push_str(&differ::filtered(case, "stdout", &native.stdout, &biarch.stdout)?);
        report.push_str(&differ::filtered(case, "stderr", &native.stderr, &biarch.stderr)?);
        report.push_str(&tree::differences(case, &mounted[0].upper(), &mounted[1].upper())?);
        if !report.is_empty() {
            writeln!(report, "(unfiltered: {}.std*, {}.std*)", sides[0].display(), sides[1].display())?;
        }
        match (&case.gap, report.is_empty()) {
            (_, _) if self.biarch.is_none() && !report.is_empty() => Err(anyhow!("two native runs differ\n{report}")),
            (None, false) => Err(anyhow!("{report}")),
            (Some(reason), true) if self.biarch.is_some() => Err(anyhow!("it works; its gap is closed: {reason}")),
            _ => Ok(()),
        }
    }

    fn tree(&self, case: &Case) -> PathBuf {
        self.trees().join(match case.root {
            Root::Full => "full",
            Root::Foreign => "foreign",
        })
    }

    /// One run of a case, natively or under the words given.
    fn execute(&self, case: &Case, mounted: &Mounted, under: Option<&[PathBuf]>) -> Result<Outcome> {
        let root = mounted.root();
        std::fs::create_dir_all(root.join("work"))?;
        // Not the script alone: sources and what several cases share are beside it.
        let from = case.script.parent().context("a case is in a directory")?;
        let copied = Command::new("cp").arg("--recursive").arg(from).arg(root.join("cases")).status()?;
        ensure!(copied.success(), "cp {}: {copied}", from.display());
        let script = format!("/cases/{}.sh", case.name);
        let [out, err] = [mounted.at.with_extension("stdout"), mounted.at.with_extension("stderr")];
        let mut command = Command::new("unshare");
        command.args(["--fork", "--kill-child", "--pid", "--mount", "--propagation", "unchanged", "--net", "--uts", "--ipc"]);
        command.arg(self.here.join("cell.sh")).arg(&root);
        match under {
            None => command.arg("chroot"),
            Some(words) => command.args(words).arg("--chroot"),
        };
        command.arg(&root).args(["/usr/bin/env", "--chdir=/work", &script]);
        command.env_clear().envs([
            ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            ("HOME", "/root"),
            ("LC_ALL", "C.UTF-8"),
            ("TZ", "UTC"),
            ("TERM", "dumb"),
        ]);
        let mut timeout = case.timeout;
        if let Ok(seconds) = std::env::var("BIARCH_SOAK") {
            command.env("SOAK", &seconds);
            timeout += Duration::from_secs(seconds.parse().context("BIARCH_SOAK")?);
        }
        let began = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?).spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if began.elapsed() > timeout {
                // The namespaces' init goes with it, and everything in them with that.
                child.kill()?;
                child.wait()?;
                let side = if under.is_some() { "biarch" } else { "native" };
                let said = [std::fs::read(&out)?, std::fs::read(&err)?].map(|bytes| tail(&bytes));
                bail!("{side}: still running after {timeout:?}\nstdout: {}\nstderr: {}", said[0], said[1]);
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        Ok(Outcome { status, stdout: std::fs::read(&out)?, stderr: std::fs::read(&err)?, took: began.elapsed() })
    }

    /// A table of how long everything took, for whoever wants to know; no trial depends on it.
    fn write_times(&self) -> Result<()> {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.sort();
        let mut table = "case\tnative, s\tbiarch, s\n".to_owned();
        for (name, native, biarch) in times.iter() {
            writeln!(table, "{name}\t{:.2}\t{:.2}", native.as_secs_f64(), biarch.as_secs_f64())?;
        }
        Ok(std::fs::write(self.target.join("times.tsv"), table)?)
    }
}

/// The last thousand bytes of an output.
fn tail(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(1000)..]).into_owned()
}

/// A Debian tree with a fresh writable layer in memory, for one run; unmounted when it goes.
struct Mounted {
    at: PathBuf,
}

impl Mounted {
    fn new(at: &Path, lower: &Path) -> Result<Self> {
        std::fs::create_dir_all(at)?;
        mount(&["-t", "tmpfs", "-o", "mode=755,inode32", "layer"], at)?;
        let mounted = Self { at: at.to_owned() };
        let [upper, work, root] = ["upper", "work", "root"].map(|name| at.join(name));
        for directory in [&upper, &work, &root] {
            std::fs::create_dir(directory)?;
        }
        // xino=off: an inode number with the layer in its upper bits does not fit into an i386 program's `struct stat`.
        let [lower, upper, work] = [lower, &upper, &work].map(|path| path.display().to_string());
        let options = format!("lowerdir={lower},upperdir={upper},workdir={work},xino=off");
        mount(&["-t", "overlay", "-o", &options, "overlay"], &root)?;
        Ok(mounted)
    }

    fn root(&self) -> PathBuf {
        self.at.join("root")
    }

    fn upper(&self) -> PathBuf {
        self.at.join("upper")
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Lazily: a process that was killed a moment ago may still be on its way out.
        for path in [self.root(), self.at.clone()] {
            let _ = Command::new("umount").arg("--lazy").arg(path).stderr(Stdio::null()).status();
        }
    }
}

fn mount(words: &[&str], at: &Path) -> Result<()> {
    let status = Command::new("mount").args(words).arg(at).status()?;
    ensure!(status.success(), "mount {} {}: {status}", words.join(" "), at.display());
    Ok(())
}

//! `biarch check` beside the programs that answer part of the same question, on the same input: scanelf and lddtree (pax-utils) on root
//! file systems, kernel-hardening-checker and checksec on a kernel's configuration. Interleaved; medians of ratios.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::stats;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Compare `biarch check` with scanelf, lddtree, kernel-hardening-checker and checksec.
///
/// Exit status: 0, or 1 if a target was missed.
#[derive(Parser)]
#[command(name = "peers")]
struct Options {
    /// How often each pair is measured
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// The biarch program
    #[arg(long, default_value = "target/x86_64-unknown-linux-gnu/release/biarch")]
    biarch: PathBuf,
    /// A root file system, as of debootstrap
    #[arg(long, default_value = "target/rootfs-i386")]
    root: PathBuf,
    /// A kernel's configuration; that of a kernel package which the tests have unpacked, if it is not given
    #[arg(long)]
    config: Option<PathBuf>,
    /// A kernel's image; the same
    #[arg(long)]
    kernel: Option<PathBuf>,
}

/// Files in the large tree.
const LARGE: usize = 100_000;
/// How many times faster than each peer.
const TARGET: f64 = 3.0;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    ensure!(options.biarch.exists(), "{} is missing: make build", options.biarch.display());
    ensure!(
        options.root.is_dir(),
        "{} is missing: packaging/debian-packages.sh bookworm i386 {0} bash coreutils",
        options.root.display()
    );
    let config = options.config.clone().or_else(|| in_packages("config-"));
    let kernel = options.kernel.clone().or_else(|| in_packages("vmlinuz-"));
    let large = large_tree(&options.root)?;
    let mut table = Table { out: io::stdout().lock(), missed: false, options: &options };
    table.heading()?;
    for (name, root, limit) in [("root", &options.root, None), ("100,000 files", &large, Some(3.0))] {
        let programs = executables(root)?;
        let what = [root.clone()];
        table.alone(name, &what, limit)?;
        let mut scanelf = Command::new("scanelf");
        table.beside("scanelf -R -n", scanelf.args(["-R", "-n", "-q"]).arg(root), &what)?;
        let mut lddtree = Command::new("lddtree");
        // The distribution's Python has what it imports; another one, first on the PATH, may not.
        lddtree.env("PATH", "/usr/bin:/bin");
        let name = format!("lddtree, {} programs", programs.len());
        table.beside(&name, lddtree.arg("-R").arg(fs::canonicalize(root)?).args(programs), &what)?;
    }
    if let Some(config) = config {
        let what = [config.clone()];
        table.alone("configuration", &what, None)?;
        table.beside("kernel-hardening-checker", Command::new("kernel-hardening-checker").arg("-c").arg(&config), &what)?;
        let mut checksec = Command::new("checksec");
        let mut argument = std::ffi::OsString::from("--kernel=");
        argument.push(&config);
        table.beside("checksec", checksec.arg(argument), &what)?;
        // What kernel-hardening-checker does before it looks at anything: no Python program is faster.
        table.beside(
            "python3, its imports only",
            Command::new("python3").args(["-c", "import argparse, json, re, glob"]),
            &what,
        )?;
    }
    if let Some(kernel) = kernel {
        table.alone("kernel image", &[kernel], Some(1.0))?;
    }
    Ok(if table.missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

struct Table<'a> {
    out: io::StdoutLock<'static>,
    missed: bool,
    options: &'a Options,
}

impl Table<'_> {
    fn heading(&mut self) -> Result<()> {
        writeln!(self.out, "{:36} {:>9} {:>9}  {:>22}  target", "what", "biarch", "peer", "ratio (95 %)")?;
        Ok(())
    }

    fn biarch(&self, what: &[PathBuf]) -> Result<f64> {
        seconds(Command::new(&self.options.biarch).arg("check").args(what)).map(|time| time.unwrap_or(f64::NAN))
    }

    fn alone(&mut self, name: &str, what: &[PathBuf], limit: Option<f64>) -> Result<()> {
        self.biarch(what)?;
        let times = (0..self.options.rounds).map(|_| self.biarch(what)).collect::<Result<Vec<_>>>()?;
        let time = stats::median(&times).context("no rounds")?;
        let verdict =
            limit.map_or(String::new(), |limit| format!("at most {limit} s: {}", if time <= limit { "met" } else { "missed" }));
        self.missed |= limit.is_some_and(|limit| time > limit);
        writeln!(self.out, "{name:36} {:>9} {:>9}  {:>22}  {verdict}", shown(time), "", "")?;
        Ok(())
    }

    fn beside(&mut self, name: &str, peer: &mut Command, what: &[PathBuf]) -> Result<()> {
        let (mut own, mut other, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..=self.options.rounds {
            let one = self.biarch(what)?;
            let Some(two) = seconds(peer)? else {
                writeln!(self.out, "  {name:34} {:>9} {:>9}  not installed", "", "")?;
                return Ok(());
            };
            // The first is for the caches.
            if round > 0 {
                own.push(one);
                other.push(two);
                ratios.push(two / one);
            }
        }
        let (ratio, (low, high)) = stats::median(&ratios).zip(stats::interval(&ratios, 0.95)).context("no rounds")?;
        let verdict = if ratio >= TARGET { "met" } else { "missed" };
        self.missed |= ratio < TARGET;
        let [own, other] = [own, other].map(|times| shown(stats::median(&times).unwrap_or(f64::NAN)));
        let interval = format!("{ratio:.1} ({low:.1} to {high:.1})");
        writeln!(self.out, "  {name:34} {own:>9} {other:>9}  {interval:>22}  at least {TARGET}: {verdict}")?;
        Ok(())
    }
}

fn shown(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

/// The time until the program has written everything and ended; nothing if it is not there. What it finds is its own business.
fn seconds(command: &mut Command) -> Result<Option<f64>> {
    let start = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = match child {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        child => child.with_context(|| format!("{command:?}"))?,
    };
    let mut written = 0;
    if let Some(mut out) = child.stdout.take() {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = out.read(&mut buffer) {
            written += count;
        }
    }
    let status = child.wait()?;
    let time: Duration = start.elapsed();
    // A peer that cannot do its work at all is fast and says nothing.
    ensure!(written > 0 || status.success(), "{command:?}: {status}, and nothing was written");
    Ok(Some(time.as_secs_f64()))
}

/// A file in `/boot` of a kernel package that the tests of `check` have unpacked.
fn in_packages(start: &str) -> Option<PathBuf> {
    let packages = fs::read_dir("target/check-packages").ok()?.filter_map(Result::ok);
    let files = packages.filter_map(|package| fs::read_dir(package.path().join("boot")).ok()).flatten().filter_map(Result::ok);
    let mut named: Vec<PathBuf> = files.map(|file| file.path()).collect();
    named.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start)));
    named.sort_by_key(|path| fs::metadata(path).map(|data| data.len()).unwrap_or_default());
    named.pop()
}

/// Regular files below `root`.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let (mut todo, mut found) = (vec![root.to_owned()], Vec::new());
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(&directory).with_context(|| directory.display().to_string())? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                todo.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The ELF programs below `root`, which lddtree has to be told.
fn executables(root: &Path) -> Result<Vec<PathBuf>> {
    let is_program = |path: &PathBuf| {
        let mut magic = [0; 4];
        let executable = fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0);
        executable && fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && &magic == b"\x7fELF"
    };
    let programs = files(root)?.into_iter().filter(is_program);
    // lddtree takes paths in its root.
    let inside = programs.filter_map(|path| Some(Path::new("/").join(path.strip_prefix(root).ok()?)));
    Ok(inside.collect())
}

/// A tree of 100,000 files: links to those of `root`, again and again. Made once.
fn large_tree(root: &Path) -> Result<PathBuf> {
    let large = PathBuf::from("target/bench-work/large");
    if large.join("complete").exists() {
        return Ok(large);
    }
    let _ = fs::remove_dir_all(&large);
    let files = files(root)?;
    ensure!(!files.is_empty(), "{} is empty", root.display());
    for (number, path) in files.iter().cycle().take(LARGE).enumerate() {
        // Not as it was: that would be a root file system of its own, many times.
        let inside = path.strip_prefix(root)?;
        let place =
            if number < files.len() { large.join(inside) } else { large.join(format!("srv/{}/{}", number / 100, number % 100)) };
        fs::create_dir_all(place.parent().context("a file has a directory")?)?;
        if fs::hard_link(path, &place).is_err() {
            fs::copy(path, &place)?;
        }
    }
    fs::write(large.join("complete"), "")?;
    Ok(large)
}

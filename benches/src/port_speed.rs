//! How long `biarch port` takes beside `clang -fsyntax-only` on the same files, and how long when little has changed since the last run.
//! Interleaved; ratios of medians: of the clock's time for the first run, with all processors at work for both, and of processor time, which a
//! busy machine changes less.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::stats;
use serde_json::Value;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// Compare `biarch port` with clang, and with its own second run
///
/// Exit status: 0, or 1 if a target was missed.
#[derive(Parser)]
#[command(name = "port-speed")]
struct Options {
    /// compile_commands.json of some projects: biarch port --save FILE -- make
    #[arg(value_name = "LIST", required = true)]
    lists: Vec<PathBuf>,
    /// How often each is measured
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// The biarch program
    #[arg(long, default_value = "target/x86_64-unknown-linux-gnu/release/biarch")]
    biarch: PathBuf,
    /// The compiler
    #[arg(long, default_value = "clang-19")]
    clang: String,
}

/// At most that many times the compiler's time for one architecture: two parses are the least.
const TARGET: f64 = 2.5;
/// At least that many times faster when nothing has changed, or one file.
const AGAIN: f64 = 10.0;
/// MiB of a worker, at most.
const MEMORY: f64 = 1536.0;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    ensure!(options.biarch.exists(), "{} is missing: make build", options.biarch.display());
    let mut out = io::stdout().lock();
    let mut missed = false;
    writeln!(
        out,
        "| project | files | clang, s | first run, s | times clang | by the clock | unchanged, s | times faster | one file changed, s | times faster | most memory, MiB |"
    )?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")?;
    for list in &options.lists {
        let row = measured(&options, list)?;
        let [first, same, one] = [row.first / row.clang, row.first / row.same, row.first / row.one];
        missed |= first > TARGET || row.clock > TARGET || same < AGAIN || one < AGAIN || row.memory > MEMORY;
        let name = list.parent().and_then(Path::file_name).unwrap_or(list.as_os_str()).to_string_lossy();
        let Row { files, clang, clock, memory, .. } = row;
        writeln!(
            out,
            "| {name} | {files} | {clang:.2} | {:.2} | {first:.1} | {clock:.1} | {:.3} | {same:.0} | {:.3} | {one:.0} | {memory:.0} |",
            row.first, row.same, row.one
        )?;
    }
    writeln!(out, "\nat most {TARGET} times clang, at least {AGAIN} times faster again, at most {MEMORY} MiB a process")?;
    Ok(ExitCode::from(u8::from(missed)))
}

/// Medians.
struct Row {
    files: usize,
    /// Seconds of processor time.
    clang: f64,
    first: f64,
    /// How many times as long the first run takes as clang, all processors being at work.
    clock: f64,
    /// The second run, when nothing has changed, and when one file has.
    same: f64,
    one: f64,
    /// MiB of the largest process.
    memory: f64,
}

fn measured(options: &Options, list: &Path) -> Result<Row> {
    let text = fs::read_to_string(list).with_context(|| list.display().to_string())?;
    let entries: Vec<Value> = serde_json::from_str(&text).with_context(|| list.display().to_string())?;
    let cache = std::env::temp_dir().join(format!("biarch-port-speed-{}", std::process::id()));
    let port = || {
        let mut command = Command::new(&options.biarch);
        let started = Instant::now();
        let (time, memory, code) = ran(command.args(["port", "--cache"]).arg(&cache).arg(list))?;
        let clock = started.elapsed().as_secs_f64();
        ensure!(code.is_some_and(|code| code < 2), "biarch port {} fails", list.display());
        Ok((time, memory, clock))
    };
    let (mut clang, mut first, mut same, mut one, mut memory) = (vec![], vec![], vec![], vec![], 0.0_f64);
    let mut clock = vec![];
    let middle = entries.get(entries.len() / 2).context("an empty list")?;
    let changed = Path::new(middle["directory"].as_str().unwrap_or_default()).join(middle["file"].as_str().unwrap_or_default());
    for _ in 0..options.rounds {
        let started = Instant::now();
        clang.push(syntax_of_all(&options.clang, &entries)?);
        let alone = started.elapsed().as_secs_f64();
        let _ = fs::remove_dir_all(&cache);
        let (time, most, elapsed) = port()?;
        first.push(time);
        clock.push(elapsed / alone);
        memory = memory.max(most);
        same.push(port()?.0);
        let text = fs::read(&changed)?;
        fs::write(&changed, [text.as_slice(), b"\n"].concat())?;
        let time = port();
        fs::write(&changed, text)?;
        one.push(time?.0);
    }
    let _ = fs::remove_dir_all(&cache);
    let [clang, first, clock, same, one] =
        [clang, first, clock, same, one].map(|values| stats::median(&values).unwrap_or_default());
    Ok(Row { files: entries.len(), clang, first, clock, same, one, memory })
}

/// What clang does with all of them, as many at a time as there are processors: the processor time in seconds.
fn syntax_of_all(clang: &str, entries: &[Value]) -> Result<f64> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut sum = 0.0;
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            sum += syntax(clang, entry)?;
        }
        Ok(sum)
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..thread::available_parallelism()?.get()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
    })
}

/// What clang does with an entry's file for 64 bits, with what of its arguments concerns the language.
fn syntax(clang: &str, entry: &Value) -> Result<f64> {
    let text = |name: &str| entry[name].as_str().with_context(|| format!("an entry without {name}"));
    let words = entry["arguments"].as_array().context("an entry without arguments")?;
    let mut command = Command::new(clang);
    command.args(["-fsyntax-only", "-w"]).current_dir(text("directory")?);
    let mut words = words.iter().filter_map(Value::as_str).skip(1);
    while let Some(word) = words.next() {
        if ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-std="]
            .iter()
            .any(|option| word.starts_with(option))
        {
            command.arg(word);
            if word.len() == 2 || ["-include", "-isystem", "-iquote", "-idirafter"].contains(&word) {
                command.args(words.next());
            }
        }
    }
    // Files that it refuses cost what they cost.
    Ok(ran(command.arg(text("file")?))?.0)
}

/// Runs a command: its processor time in seconds, with that of all that it has waited for, the most memory that one of them had in
/// MiB, and the exit status.
fn ran(command: &mut Command) -> Result<(f64, f64, Option<i32>)> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut status = 0;
    // SAFETY: all zeroes is a value of this structure.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let id = libc::pid_t::try_from(child.id())?;
    // SAFETY: both are what the call fills, and nobody else waits for this child.
    ensure!(unsafe { libc::wait4(id, &raw mut status, 0, &raw mut usage) } == id, "wait4: {}", io::Error::last_os_error());
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
    Ok((seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss as f64 / 1024.0, code))
}

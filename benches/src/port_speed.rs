//! How long `biarch port` takes beside `clang -fsyntax-only` on the same files, and how long when little has changed since the last run.
//! Interleaved; medians of ratios of processor time, which a busy machine changes less than time.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::stats;
use serde_json::Value;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

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
/// At least that many times faster when nothing has changed but one file.
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
        "{:32} {:>6} {:>9} {:>9} {:>7} {:>9} {:>7} {:>9}",
        "list", "files", "clang s", "first s", "ratio", "again s", "ratio", "MiB"
    )?;
    for list in &options.lists {
        let row = measured(&options, list)?;
        let late = row.ratio > TARGET || row.again < AGAIN || row.memory > MEMORY;
        missed |= late;
        writeln!(
            out,
            "{:32} {:>6} {:>9.2} {:>9.2} {:>7.2} {:>9.3} {:>7.1} {:>9.0}{}",
            list.display().to_string(),
            row.files,
            row.clang,
            row.first,
            row.ratio,
            row.second,
            row.again,
            row.memory,
            if late { "  missed" } else { "" }
        )?;
    }
    writeln!(out, "at most {TARGET} times clang, at least {AGAIN} times faster again, at most {MEMORY} MiB a process")?;
    Ok(ExitCode::from(u8::from(missed)))
}

struct Row {
    files: usize,
    clang: f64,
    first: f64,
    ratio: f64,
    second: f64,
    again: f64,
    memory: f64,
}

fn measured(options: &Options, list: &Path) -> Result<Row> {
    let text = fs::read_to_string(list).with_context(|| list.display().to_string())?;
    let entries: Vec<Value> = serde_json::from_str(&text).with_context(|| list.display().to_string())?;
    let cache = std::env::temp_dir().join(format!("biarch-port-speed-{}", std::process::id()));
    let (mut clang, mut first, mut second, mut ratios, mut again) = (vec![], vec![], vec![], vec![], vec![]);
    let mut memory: f64 = 0.0;
    for _ in 0..options.rounds {
        let of_clang = timed(|| entries.iter().try_for_each(|entry| syntax(&options.clang, entry)))?.0;
        let _ = fs::remove_dir_all(&cache);
        let port = || {
            let mut command = Command::new(&options.biarch);
            command.args(["port", "--cache"]).arg(&cache).arg(list).stdout(Stdio::null()).stderr(Stdio::null());
            let status = command.status()?;
            ensure!(status.code().is_some_and(|code| code < 2), "biarch port {} fails", list.display());
            Ok(())
        };
        let (of_first, most) = timed(port)?;
        // Little has changed: one file.
        if let Some(path) =
            entries.first().and_then(|entry| Some(Path::new(entry["directory"].as_str()?).join(entry["file"].as_str()?)))
        {
            let text = fs::read(&path)?;
            fs::write(&path, [text.as_slice(), b"\n"].concat())?;
            let of_second = timed(port);
            fs::write(&path, text)?;
            let of_second = of_second?.0;
            second.push(of_second);
            again.push(of_first / of_second);
        }
        memory = memory.max(most);
        clang.push(of_clang);
        first.push(of_first);
        ratios.push(of_first / of_clang);
    }
    let _ = fs::remove_dir_all(&cache);
    let [clang, first, ratio, second, again] =
        [clang, first, ratios, second, again].map(|values| stats::median(&values).unwrap_or_default());
    Ok(Row { files: entries.len(), clang, first, ratio, second, again, memory })
}

/// What clang does with an entry's file for 64 bits, with what of its arguments concerns the language.
fn syntax(clang: &str, entry: &Value) -> Result<()> {
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
    command.arg(text("file")?).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(())
}

/// The processor time of the children that `work` has started and waited for, in seconds, and the most memory that one had, in MiB.
fn timed(work: impl FnOnce() -> Result<()>) -> Result<(f64, f64)> {
    let before = usage()?;
    work()?;
    let after = usage()?;
    Ok((after.0 - before.0, after.1))
}

fn usage() -> Result<(f64, f64)> {
    // SAFETY: all zeroes is a value of this structure.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: it is the structure that the call fills.
    ensure!(unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) } == 0, "getrusage: {}", io::Error::last_os_error());
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok((seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss as f64 / 1024.0))
}

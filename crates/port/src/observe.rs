//! A build that is observed: compilers of the same names stand before the real ones on `PATH`, note how they are called, and
//! become the real ones.
//!
//! They are links to biarch itself, in a directory that stays: what has looked for a compiler and kept its path, as CMake does,
//! goes on working afterwards. Without [`RECORDS`] in the environment they note nothing.

use crate::commands::Command;
use crate::compiler;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{self, ExitStatus};
use std::time::{Duration, Instant};

/// The file that calls are noted in.
const RECORDS: &str = "BIARCH_PORT_RECORDS";
/// Where the links of a compiler named by its path are, below the directory of the links.
const NAMED: &str = "named";
/// The path of the real one, beside the link.
const REAL: &str = "real";
/// The variables by which builds name compilers.
const VARIABLES: [&str; 8] = ["CC", "CXX", "HOSTCC", "HOSTCXX", "CC_FOR_BUILD", "CXX_FOR_BUILD", "BUILD_CC", "LD"];

/// A call as it is noted: a line of JSON.
#[derive(Serialize, Deserialize)]
struct Record {
    directory: PathBuf,
    words: Vec<String>,
}

/// If this process was started in a compiler's place, becomes that compiler, and returns only where there is none: the exit
/// status. Nothing, where it was started as biarch.
#[must_use]
pub fn instead_of_compiler() -> Option<u8> {
    let name = env::args_os().next()?;
    let base = compiler::base_name(name.to_str()?).to_owned();
    if !is_wrapped(&base) {
        return None;
    }
    let error = become_compiler(&name, &base);
    let _ = writeln!(std::io::stderr(), "biarch port: {error:#}");
    // As a shell that finds no such program.
    Some(127)
}

fn is_wrapped(base: &str) -> bool {
    compiler::is_compiler(base).is_some() || compiler::is_launcher(base)
}

fn become_compiler(name: &OsStr, base: &str) -> anyhow::Error {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = directories_of_links(Path::new(name), base, &path);
    // The real one must not find the links: ccache looks for compilers on PATH itself, and what a compiler calls is not to be
    // noted once more.
    let rest = env::join_paths(env::split_paths(&path).filter(|directory| !own.contains(directory))).unwrap_or_default();
    let parent = Path::new(name).parent().filter(|parent| !parent.as_os_str().is_empty());
    let real = match parent.and_then(|parent| fs::read(parent.join(REAL)).ok()) {
        Some(real) => Some(PathBuf::from(OsStr::from_bytes(&real))),
        None => env::split_paths(&rest).map(|directory| directory.join(base)).find(|path| is_program(path)),
    };
    let Some(real) = real else { return anyhow::anyhow!("there is no {base} on PATH") };
    note(&real);
    let mut command = process::Command::new(&real);
    command.arg0(name_for(name, &real)).args(env::args_os().skip(1)).env("PATH", rest).env_remove(RECORDS);
    anyhow::Error::from(command.exec()).context(format!("cannot start {}", real.display()))
}

/// What the real one is told that it is called: clang and ccache look at it.
fn name_for<'a>(name: &'a OsStr, real: &'a Path) -> &'a OsStr {
    if name.as_bytes().contains(&b'/') { real.as_os_str() } else { name }
}

/// The directories on `PATH` whose program of this name is biarch.
fn directories_of_links(name: &Path, base: &str, path: &OsStr) -> Vec<PathBuf> {
    let own = fs::metadata("/proc/self/exe").ok();
    let is_own = |directory: &PathBuf| {
        let found = fs::metadata(directory.join(base)).ok();
        matches!((&own, found), (Some(own), Some(found)) if own.dev() == found.dev() && own.ino() == found.ino())
    };
    let mut found: Vec<PathBuf> = env::split_paths(path).filter(is_own).collect();
    found.extend(name.parent().map(Path::to_path_buf).filter(|parent| !parent.as_os_str().is_empty()));
    found
}

/// The program that is started by this name in this directory.
pub(crate) fn program(name: &str, directory: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places =
        if name.contains('/') { vec![directory.join(name)] } else { env::split_paths(&path).map(|of| of.join(name)).collect() };
    places.retain(|path| is_program(path));
    places.into_iter().next()
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|of| of.is_file() && of.mode() & 0o111 != 0)
}

/// Notes this call. A build must not fail because it is observed, so what goes wrong here is found out later: by calls that lack.
fn note(real: &Path) {
    let (Some(records), Ok(directory)) = (env::var_os(RECORDS), env::current_dir()) else { return };
    let mut words = vec![real.to_string_lossy().into_owned()];
    words.extend(env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()));
    // Response files are often gone after the call.
    let words = compiler::with_responses(words, &directory);
    if let Ok(mut line) = serde_json::to_vec(&Record { directory, words }) {
        line.push(b'\n');
        // One write to the end, so that compilers at the same time do not mix their lines.
        let _ = OpenOptions::new().append(true).open(records).and_then(|mut file| file.write_all(&line));
    }
}

/// Where a build runs.
#[derive(Default)]
pub(crate) struct Surroundings<'a> {
    /// Here, where nothing is said.
    pub(crate) directory: Option<&'a Path>,
    /// Where what it prints goes, instead of standard error.
    pub(crate) log: Option<File>,
    /// It is killed when it takes longer.
    pub(crate) limit: Option<Duration>,
}

/// How a build ended, and what it has compiled.
pub(crate) struct Observed {
    pub(crate) status: ExitStatus,
    /// Whether it was killed because it took too long.
    pub(crate) is_late: bool,
    pub(crate) commands: Vec<Command>,
}

/// Runs a build.
///
/// # Errors
/// Where it cannot be started, or the links cannot be made.
pub(crate) fn run(build: &[OsString], cache: &Path, surroundings: Surroundings<'_>) -> Result<Observed> {
    let Some((program, arguments)) = build.split_first() else { bail!("no build was named: biarch port -- make") };
    let path = env::var_os("PATH").unwrap_or_default();
    let links = cache.join("compilers");
    let make = || format!("cannot make {}: set XDG_CACHE_HOME to a directory that can be written", links.display());
    fs::create_dir_all(&links).with_context(make)?;
    let own = fs::read_link("/proc/self/exe").context("cannot read /proc/self/exe")?;
    for name in names(&path) {
        link(&own, &links.join(name)).with_context(make)?;
    }
    let records = cache.join(format!("records-{}", process::id()));
    fs::write(&records, "").with_context(make)?;
    let mut command = process::Command::new(program);
    for argument in arguments {
        command.arg(rewritten(argument, &own, &links)?);
    }
    for variable in VARIABLES {
        if let Some(value) = env::var_os(variable) {
            command.env(variable, in_its_place(&value, &own, &links)?.unwrap_or(value));
        }
    }
    let first = std::iter::once(links.clone()).chain(env::split_paths(&path));
    command.env("PATH", env::join_paths(first).context("a colon in the cache's path: set XDG_CACHE_HOME to one without")?);
    if let Some(directory) = surroundings.directory {
        command.current_dir(directory);
    }
    command.env(RECORDS, &records);
    match surroundings.log {
        Some(log) => command.stderr(log.try_clone()?).stdout(log).stdin(process::Stdio::null()).process_group(0),
        // Standard output is the report's.
        None => command.stdout(std::io::stderr().as_fd().try_clone_to_owned().context("cannot use standard error")?),
    };
    let ended = ended(command, surroundings.limit);
    let noted = fs::read(&records).unwrap_or_default();
    let _ = fs::remove_file(&records);
    let shown = program.to_string_lossy();
    let (status, is_late) = ended.with_context(|| format!("cannot start {shown}: the build's command is what follows `--`"))?;
    let mut commands = Vec::new();
    for line in noted.split(|byte| *byte == b'\n') {
        let Ok(record) = serde_json::from_slice::<Record>(line) else { continue };
        if compiles(&record.words) {
            commands.push(Command { directory: record.directory, file: None, words: record.words });
        }
    }
    Ok(Observed { status, is_late, commands })
}

/// Waits for the end, or makes it; and says whether it did. What is to end in time has a process group of its own.
fn ended(mut command: process::Command, limit: Option<Duration>) -> std::io::Result<(ExitStatus, bool)> {
    let Some(limit) = limit else { return Ok((command.status()?, false)) };
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        } else if start.elapsed() > limit {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            return Ok((child.wait()?, true));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How it ended, for a person; nothing, where all is well.
pub(crate) fn complaint(status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("it ended with status {code}: what comes after the error was not compiled")),
        (None, signal) => {
            Some(format!("it was ended by signal {}: what comes after was not compiled", signal.unwrap_or_default()))
        }
    }
}

/// What is said where nothing was compiled.
pub(crate) fn nothing(build: &[OsString], status: ExitStatus) -> String {
    let shown = build.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let ended = complaint(status).map_or_else(String::new, |how| format!(" ({how})"));
    format!(
        "`{shown}` has called no compiler that is found on PATH{ended}. If everything is built already, clean first: make clean. If the \
         compiler is named by its path, name it by its name: make CC=gcc CXX=g++. With CMake: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ., \
         then biarch port compile_commands.json"
    )
}

/// The names of all compilers on `PATH`.
fn names(path: &OsStr) -> Vec<OsString> {
    let mut found: Vec<OsString> = env::split_paths(path)
        .filter_map(|directory| fs::read_dir(directory).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .filter(|name| name.to_str().is_some_and(is_wrapped))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// A link to biarch, of this moment: a newer biarch may have taken the place of an older one.
fn link(own: &Path, path: &Path) -> std::io::Result<()> {
    if fs::read_link(path).is_ok_and(|to| to == own) {
        return Ok(());
    }
    // Another build may be observed at the same time.
    let beside = path.with_file_name(format!(".{}-{}", path.file_name().unwrap_or_default().to_string_lossy(), process::id()));
    symlink(own, &beside)?;
    fs::rename(&beside, path)
}

/// A word of the build's command, with a link in the place of a compiler that it names by its path: `CC=/opt/bin/gcc`.
fn rewritten(word: &OsStr, own: &Path, links: &Path) -> Result<OsString> {
    let text = word.as_bytes();
    let Some(equals) = text.iter().position(|byte| *byte == b'=') else { return Ok(word.to_owned()) };
    let (variable, value) = text.split_at(equals);
    if !VARIABLES.iter().any(|name| name.as_bytes() == variable) {
        return Ok(word.to_owned());
    }
    let value = in_its_place(OsStr::from_bytes(&value[1..]), own, links)?;
    Ok(value
        .map_or_else(|| word.to_owned(), |value| [OsStr::from_bytes(variable), OsStr::new("="), &value].into_iter().collect()))
}

/// The link for a compiler that is named by its path, with the arguments that the value has; nothing, where it is named otherwise.
fn in_its_place(value: &OsStr, own: &Path, links: &Path) -> Result<Option<OsString>> {
    let text = value.as_bytes();
    let end = text.iter().position(|byte| *byte == b' ').unwrap_or(text.len());
    let (path, arguments) = text.split_at(end);
    let path = Path::new(OsStr::from_bytes(path));
    let base = path.file_name().and_then(OsStr::to_str).filter(|base| is_wrapped(base));
    let (Some(base), true, true) = (base, path.is_absolute(), is_program(path)) else { return Ok(None) };
    // A directory for each, of a name that is made of the path.
    let name: String = path.to_string_lossy().trim_start_matches('/').replace('/', "!").replace(' ', "_");
    let directory = links.join(NAMED).join(name);
    let make = || format!("cannot make {}", directory.display());
    fs::create_dir_all(&directory).with_context(make)?;
    fs::write(directory.join(REAL), path.as_os_str().as_bytes()).with_context(make)?;
    link(own, &directory.join(base)).with_context(make)?;
    let link = directory.join(base).into_os_string();
    // make and the shell split what they are given at spaces.
    let quote = OsStr::new(if link.as_bytes().contains(&b' ') { "'" } else { "" });
    Ok(Some([quote, &link, quote, OsStr::from_bytes(arguments)].into_iter().collect()))
}

/// Whether a call makes code of source, and not only a list of headers or preprocessed text, which are made of files that are
/// compiled by another call.
fn compiles(words: &[String]) -> bool {
    let words = compiler::without_launcher(words);
    let Some((program, arguments)) = words.split_first() else { return false };
    let only = ["-E", "-M", "-MM", "--version", "-dumpversion", "-dumpmachine", "-v", "-V"];
    (compiler::is_compiler(program).is_some() || compiler::is_launcher(program))
        && !arguments.iter().any(|word| only.contains(&word.as_str()) && (word != "-v" || arguments.len() == 1))
        && !compiler::sources(arguments).is_empty()
}

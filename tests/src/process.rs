//! Runs a program to its end, however it ends, and leaves nothing of it behind.

use std::fs::File;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::program::End;

/// More output than this, in bytes, is a program that has run wild.
const OUTPUT_LIMIT: u64 = 16 << 20;

/// What a program did, as far as anybody outside can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// How it ended.
    pub end: End,
}

impl Outcome {
    /// All of it as one text, for a diff.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.stdout.clone();
        for line in self.stderr.lines() {
            text.push_str(&format!("stderr: {line}\n"));
        }
        text.push_str(&format!("{}\n", self.end));
        text
    }
}

/// A fresh empty directory, deleted with its contents when dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one inside `parent`.
    pub fn new(parent: &Path) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let path = parent.join(format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be deleted stays in the build directory; no test depends on it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs `words` in a process group, a working directory and an environment of its own.
///
/// Standard output and error go to files, so that a descendant which outlives the program cannot keep the harness waiting.
pub fn run(words: &[PathBuf], stdin: &str, timeout: Duration, scratch: &Path) -> Result<Outcome> {
    let scratch = Scratch::new(scratch)?;
    let work = scratch.path().join("work");
    std::fs::create_dir(&work)?;
    let (out, err, input) = (scratch.path().join("stdout"), scratch.path().join("stderr"), scratch.path().join("stdin"));
    let stdin_file = if stdin.is_empty() {
        Stdio::null()
    } else {
        File::create(&input)?.write_all(stdin.as_bytes())?;
        Stdio::from(File::open(&input)?)
    };
    let (program, arguments) = words.split_first().context("nothing to run")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&work).env_clear();
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("LC_ALL", "C").env("TZ", "UTC0");
    command.stdin(stdin_file).stdout(File::create(&out)?).stderr(File::create(&err)?).process_group(0);
    // SAFETY: only setrlimit(2) between fork and exec, which POSIX allows there.
    unsafe { command.pre_exec(limit) };
    let mut child = command.spawn().with_context(|| program.display().to_string())?;
    let end = wait(&mut child, timeout, &[&out, &err])?;
    let read = |path: &Path| -> Result<String> { Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned()) };
    Ok(Outcome { stdout: read(&out)?, stderr: read(&err)?, end })
}

/// The same limits on every machine: no core files, an ordinary stack, an ordinary number of files.
fn limit() -> std::io::Result<()> {
    for (resource, soft) in [(libc::RLIMIT_CORE, 0), (libc::RLIMIT_STACK, 8 << 20), (libc::RLIMIT_NOFILE, 1024)] {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: both calls get a pointer to a live rlimit.
        let result = unsafe {
            libc::getrlimit(resource, &raw mut limit);
            limit.rlim_cur = soft;
            libc::setrlimit(resource, &raw const limit)
        };
        if result != 0 {
            return Err(std::io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Waits for the child, then kills whatever is left of its process group.
fn wait(child: &mut std::process::Child, timeout: Duration, outputs: &[&Path]) -> Result<End> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let mut reason = None;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > timeout {
            reason = Some(End::Timeout);
        } else if outputs.iter().any(|path| path.metadata().is_ok_and(|m| m.len() > OUTPUT_LIMIT)) {
            reason = Some(End::Flood);
        }
        if reason.is_some() {
            kill_group(child.id());
            break child.wait()?;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    kill_group(child.id());
    Ok(reason.unwrap_or_else(|| end_of(status)))
}

fn kill_group(leader: u32) {
    if let Ok(group) = i32::try_from(leader) {
        // SAFETY: a negative process id names the group that `run` created for this child alone.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code),
        (None, signal) => End::Signal(signal.unwrap_or(0)),
    }
}

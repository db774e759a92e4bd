//! Runs a process to its end, in bounded time and memory.

use anyhow::{Context, Result, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// As much of an output is kept, in bytes. Of the rest there is a number that tells it from another.
const KEPT: usize = 64 << 10;
/// The most that a pipe can hold when its writer has ended: the default of fs.pipe-max-size.
const PIPE: usize = 1 << 20;

/// What a process wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The beginning.
    pub head: Vec<u8>,
    /// The length of all of it, in bytes.
    pub length: u64,
    hash: u64,
}

impl Written {
    /// The beginning, for people.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.head).trim_end().to_owned()
    }

    /// The same for the same output, and hardly ever for another.
    #[must_use]
    pub fn identity(&self) -> Vec<u8> {
        [self.length.to_le_bytes(), self.hash.to_le_bytes()].concat()
    }
}

/// A process that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How.
    pub status: ExitStatus,
    /// Standard output.
    pub out: Written,
    /// Standard error.
    pub error: Written,
    /// From before it was started until its end was known.
    pub time: Duration,
}

/// It took longer than it may.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("it was killed because it took longer than {} s", .0.as_secs_f64())]
pub struct TimedOut(pub Duration);

/// Runs `command`. What it has started in the background is not waited for.
///
/// # Errors
/// [`TimedOut`], or where it cannot be started.
pub fn finish(command: &mut Command, limit: Duration) -> Result<Ended> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let waited = wait(&mut child, start, limit);
    if waited.is_err() {
        kill(child.id());
        let _ = child.wait();
    }
    waited
}

fn wait(child: &mut Child, start: Instant, limit: Duration) -> Result<Ended> {
    let mut out = Pipe::new(child.stdout.take().context("a pipe")?.into())?;
    let mut error = Pipe::new(child.stderr.take().context("a pipe")?.into())?;
    // Before Linux 5.3 there are none: then the end is looked for every millisecond.
    let ended = pidfd_open(Pid::from_raw(i32::try_from(child.id())?).context("a process")?, PidfdFlags::empty()).ok();
    loop {
        let left = limit.checked_sub(start.elapsed()).ok_or(TimedOut(limit))?;
        let left = left.min(if ended.is_some() { Duration::from_secs(3600) } else { Duration::from_millis(1) });
        let mut events: Vec<PollFd<'_>> = ended.iter().map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        events.extend([&out, &error].into_iter().filter_map(|pipe| Some(PollFd::new(pipe.from.as_ref()?, PollFlags::IN))));
        match poll(&mut events, Some(&Timespec::try_from(left)?)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("cannot wait for a process"),
        }
        if let Some(status) = child.try_wait()? {
            let time = start.elapsed();
            // What it wrote is all there. Who else holds the pipe may write to it for ever.
            for pipe in [&mut out, &mut error] {
                let most = pipe.written.length + PIPE as u64;
                while pipe.from.is_some() && pipe.written.length < most && pipe.read()? > 0 {}
            }
            return Ok(Ended { status, out: out.end(), error: error.end(), time });
        }
        out.read()?;
        error.read()?;
    }
}

/// Kills a process and what it has started, as far as that can be found.
fn kill(process: u32) {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children: Vec<u32> = tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<_>>())
        .collect();
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        let _ = kill_process(process, Signal::KILL);
    }
    children.into_iter().for_each(kill);
}

/// The end of a pipe that is read.
struct Pipe {
    from: Option<File>,
    written: Written,
    hasher: DefaultHasher,
}

impl Pipe {
    fn new(from: OwnedFd) -> Result<Self> {
        rustix::fs::fcntl_setfl(&from, rustix::fs::OFlags::NONBLOCK)?;
        Ok(Self { from: Some(from.into()), written: Written::default(), hasher: DefaultHasher::new() })
    }

    /// Reads once, and says how much that was: nothing at the end, or where there is nothing yet.
    fn read(&mut self) -> Result<usize> {
        let mut buffer = [0; 1 << 16];
        let Some(from) = &mut self.from else { return Ok(0) };
        let got = match from.read(&mut buffer) {
            Ok(0) => {
                self.from = None;
                return Ok(0);
            }
            Ok(got) => got,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return Ok(0),
            Err(error) => bail!(error),
        };
        let bytes = buffer.get(..got).unwrap_or_default();
        let room = KEPT.saturating_sub(self.written.head.len()).min(got);
        self.written.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        self.written.length += got as u64;
        self.hasher.write(bytes);
        Ok(got)
    }

    fn end(self) -> Written {
        Written { hash: self.hasher.finish(), ..self.written }
    }
}

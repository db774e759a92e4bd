//! How far a long piece of work is: one line on standard error, where that is a terminal, which goes away when the work is done.

use crate::wrap;
use crate::writers::report::thousands;
use signal_hook::consts::SIGINT;
use signal_hook::iterator::{Handle, Signals};
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What is done sooner is not worth a line.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two lines.
const PERIOD: Duration = Duration::from_millis(100);
/// Back to the first column, and everything from there away.
const CLEAR: &[u8] = b"\r\x1b[K";

/// A line that says how far it is, until it is dropped.
pub struct Progress {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    signals: Option<Handle>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// What was said last.
    at: Option<(u64, Option<u64>, String)>,
    drawn: bool,
    done: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            // Where it cannot be written, it cannot be said either.
            let _ = io::stderr().write_all(CLEAR);
        }
    }
}

impl Progress {
    /// Begins to wait; nothing is written for a second, nor ever where standard error is no terminal.
    #[must_use]
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let mut progress = Self { shared, threads: Vec::new(), signals: None };
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        if dumb || !io::stderr().is_terminal() {
            return progress;
        }
        let shared = progress.shared.clone();
        progress.threads.extend(std::thread::Builder::new().spawn(move || draw(&shared)).ok());
        // Whoever presses Ctrl-C gets an empty line, and the end that this signal always is.
        if let Ok(mut signals) = Signals::new([SIGINT]) {
            let shared = progress.shared.clone();
            progress.signals = Some(signals.handle());
            let wait = move || {
                for signal in signals.forever() {
                    // The lock is kept: nobody draws any more.
                    let mut state = shared.lock();
                    state.clear();
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            };
            progress.threads.extend(std::thread::Builder::new().spawn(wait).ok());
        }
        progress
    }

    /// `done` of `total` of `what` are done; without a total they are paths. Returns at once.
    pub fn at(&self, done: u64, total: Option<u64>, what: &str) {
        if self.threads.is_empty() {
            return;
        }
        let mut state = self.shared.lock();
        match &mut state.at {
            Some(at) if at.2 == what => (at.0, at.1) = (done, total),
            at => *at = Some((done, total, what.to_owned())),
        }
    }
}

impl findings::Progress for Progress {
    fn at(&self, done: u64, total: Option<u64>, what: &str) {
        Self::at(self, done, total, what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.lock().done = true;
        self.shared.changed.notify_all();
        if let Some(signals) = &self.signals {
            signals.close();
        }
        for thread in self.threads.drain(..) {
            // A thread that panicked takes the program with it: panics abort.
            let _ = thread.join();
        }
        self.shared.lock().clear();
    }
}

fn draw(shared: &Shared) {
    let start = Instant::now();
    let mut last = String::new();
    let mut state = shared.lock();
    while !state.done {
        if start.elapsed() >= PATIENCE {
            let columns = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
            let line = state.at.as_ref().map(|(done, total, what)| line(*done, *total, what, columns)).unwrap_or_default();
            if line != last {
                state.drawn = true;
                // In one call, so that nothing comes between.
                let _ = io::stderr().write_all(&[CLEAR, line.as_bytes()].concat());
                last = line;
            }
        }
        state = shared.changed.wait_timeout(state, PERIOD).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// The line, which leaves the last column free: a terminal that goes to the next line there could not be cleared.
fn line(done: u64, total: Option<u64>, what: &str, columns: usize) -> String {
    let far = match total.filter(|total| *total > 0) {
        Some(total) => format!("{} %", u128::from(done.min(total)) * 100 / u128::from(total)),
        None => format!("{} paths", thousands(done)),
    };
    let room = columns.saturating_sub(1 + 2 + wrap::width(&far));
    format!("{}: {far}", wrap::shortened(what, room.max(1)))
}

#[cfg(test)]
mod tests {
    use super::line;
    use crate::wrap;

    #[test]
    fn the_line_fits_and_says_how_far_it_is() {
        assert_eq!(line(12345, None, "/mnt", 80), "/mnt: 12,345 paths");
        assert_eq!(line(1 << 30, Some(4 << 30), "disk.img", 80), "disk.img: 25 %");
        assert_eq!(line(7, Some(7), "a", 80), "a: 100 %");
        assert_eq!(line(u64::MAX, Some(1), "a", 80), "a: 100 %");
        assert_eq!(line(1, Some(0), "a", 80), "a: 1 paths");
        for columns in 20..60 {
            let line = line(5, None, "/mnt/日本語のディレクトリ/usr/lib/i386-linux-gnu", columns);
            assert!(wrap::width(&line) < columns, "{columns}: {line}");
        }
    }
}

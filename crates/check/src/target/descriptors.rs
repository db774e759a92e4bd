//! Closing files in batches: of a file that is no ELF file, opening, reading and closing is all the work there is, and a third of the
//! system calls is saved where many are closed at once.
//!
//! That needs descriptors that follow on each other, so each thread gets a table of its own. It also spares the kernel the lock of the
//! common one.

use rustix::thread::UnshareFlags;
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};

/// How many are closed at once.
const BATCH: usize = 32;

/// Descriptors of the calling thread that have served.
pub(super) struct Descriptors {
    /// The table is this thread's alone.
    own: bool,
    open: Vec<OwnedFd>,
}

impl Descriptors {
    /// Gives the calling thread a table of its own, where the kernel lets it. No descriptor may be passed between this thread and others
    /// from then on.
    pub(super) fn of_this_thread() -> Self {
        // SAFETY: the descriptors of before are in both tables, and whoever calls passes none.
        let own = unsafe { rustix::thread::unshare_unsafe(UnshareFlags::FILES) }.is_ok();
        Self { own, open: Vec::with_capacity(BATCH) }
    }

    /// Closes it, soon.
    pub(super) fn close(&mut self, fd: OwnedFd) {
        if !self.own {
            return;
        }
        self.open.push(fd);
        if self.open.len() == BATCH {
            self.close_all();
        }
    }

    /// Closes what is still open; whether there was anything.
    pub(super) fn close_all(&mut self) -> bool {
        let any = !self.open.is_empty();
        self.open.sort_unstable_by_key(AsRawFd::as_raw_fd);
        let mut rest = std::mem::take(&mut self.open);
        while let Some(last) = rest.pop() {
            let end = last.into_raw_fd();
            let mut start = end;
            while rest.last().is_some_and(|fd| fd.as_raw_fd() == start - 1) {
                start = rest.pop().map_or(start, IntoRawFd::into_raw_fd);
            }
            let (start, end) = (start.unsigned_abs(), end.unsigned_abs());
            // SAFETY: all of the range has just been taken from its owners. There is nothing to do about a failure.
            unsafe { libc::close_range(start, end, 0) };
        }
        self.open = rest;
        any
    }
}

impl Drop for Descriptors {
    fn drop(&mut self) {
        self.close_all();
    }
}

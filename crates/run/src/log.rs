//! `BIARCH_LOG`: what a guest has asked for in vain, each thing once.

use crate::text::Text;
use crate::{hidden, trace};
use abi::syscalls::{Support, TABLE_LENGTH};
use abi::trace::{Arg, Call, IoctlNumber};
use core::fmt::Write;
use core::sync::atomic::{AtomicI32, AtomicU64, Ordering};

/// Where to; -1 where nothing is to be recorded.
static LOG: AtomicI32 = AtomicI32::new(-1);
/// One bit per system call that has been recorded; the last word's highest bit is for all numbers beyond the table.
static SEEN: [AtomicU64; TABLE_LENGTH / 64 + 1] = [const { AtomicU64::new(0) }; TABLE_LENGTH / 64 + 1];

/// Records to `fd`, which becomes hidden from the guest.
pub(crate) fn start(fd: i32) {
    hidden::add(fd);
    LOG.store(fd, Ordering::Relaxed);
}

/// The descriptor, or -1.
pub(crate) fn descriptor() -> i32 {
    LOG.load(Ordering::Relaxed)
}

/// Records a system call that is refused or unknown.
pub(crate) fn call(number: u32) {
    let log = descriptor();
    if log < 0 {
        return;
    }
    let bit = usize::try_from(number).unwrap_or(usize::MAX).min(TABLE_LENGTH);
    if SEEN[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed) & 1 << (bit % 64) != 0 {
        return;
    }
    let mut line = Text::<1024>::new();
    let _ = match trace::row(number) {
        Some(row) => {
            let note = if let Support::Refused(note) = row.support { note } else { "" };
            writeln!(line, "biarch: unsupported system call {} ({number}): {note}", row.name)
        }
        None => writeln!(line, "biarch: unsupported system call {number}: no such number is known"),
    };
    line.write_to(log);
}

/// Records an ioctl that is refused, and why. The caller does so once for each number.
pub(crate) fn ioctl(request: u32, why: &str) {
    let log = descriptor();
    if log < 0 {
        return;
    }
    let mut line = Text::<256>::new();
    let _ = line.write_str("biarch: unsupported ioctl ");
    let call = Call { args: [request; 6], result: None, memory: &trace::GuestMemory };
    let _ = IoctlNumber::trace(&call, 0, &mut line);
    let _ = writeln!(line, ": {why}");
    line.write_to(log);
}

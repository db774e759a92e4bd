//! `BIARCH_LOG`: what a guest has asked for in vain, each thing once.

use crate::text::Text;
use crate::{hidden, trace};
use abi::syscalls::{Support, TABLE_LENGTH};
use abi::trace::{Arg, Call, IoctlNumber};
use core::fmt::Write;
use core::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

/// Where to; -1 where nothing is to be recorded.
static LOG: AtomicI32 = AtomicI32::new(-1);
/// One bit per system call that has been recorded.
static SEEN: [AtomicU64; TABLE_LENGTH / 64] = [const { AtomicU64::new(0) }; TABLE_LENGTH / 64];
/// Numbers beyond the table that have been recorded.
static UNKNOWN: Seen = Seen::new();

/// Numbers that have been seen; of more than it has room for, none is new.
pub(crate) struct Seen([AtomicU32; 64]);

impl Seen {
    pub(crate) const fn new() -> Self {
        Self([const { AtomicU32::new(0) }; 64])
    }

    /// Whether `number`, which is not 0, was not there yet. It is from now on.
    pub(crate) fn is_new(&self, number: u32) -> bool {
        for slot in &self.0 {
            match slot.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(seen) if seen == number => return false,
                Err(_) => {}
            }
        }
        false
    }
}

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
    // A tracer, or a filter of seccomp(2), puts -1 in the place of a call that is not to be made.
    if log < 0 || number == u32::MAX {
        return;
    }
    let bit = usize::try_from(number).unwrap_or(usize::MAX);
    let is_new = match SEEN.get(bit / 64) {
        Some(word) => word.fetch_or(1 << (bit % 64), Ordering::Relaxed) & 1 << (bit % 64) == 0,
        None => UNKNOWN.is_new(number),
    };
    if !is_new {
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

/// Records what a system call that is not refused as a whole cannot do.
pub(crate) fn part(number: u32, why: &'static str) {
    /// By where the text is: there is one for each reason.
    static TOLD: Seen = Seen::new();
    let log = descriptor();
    let place = u32::try_from(why.as_ptr().addr() & 0xffff_ffff).unwrap_or(u32::MAX);
    if log < 0 || !TOLD.is_new(place) {
        return;
    }
    let mut line = Text::<256>::new();
    let name = trace::row(number).map_or("", |row| row.name);
    let _ = writeln!(line, "biarch: unsupported in system call {name} ({number}): {why}");
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

//! `--trace-summary`: calls, errors and time of each system call, counted by all processes in one table.
//!
//! The table is a file in memory that every process maps: forked ones have it with their memory, executed ones get its
//! descriptor. The process that made it prints it: as text, or as JSON with the ioctls that were used, and how far each is supported.

use crate::hidden;
use crate::host::{self, nr};
use crate::text::Text;
use abi::Errno;
use abi::ioctl::{Argument, holds_no_long, lookup, passes};
use abi::syscalls::{Support, TABLE_LENGTH};
use core::fmt::Write;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// What is counted of one system call.
struct Count {
    calls: AtomicU64,
    errors: AtomicU64,
    nanoseconds: AtomicU64,
}

/// What is counted of one ioctl.
struct Ioctl {
    /// Its number, and [`USED`]; 0 while the slot is free.
    key: AtomicU64,
    calls: AtomicU64,
    errors: AtomicU64,
    /// How many were refused.
    refused: AtomicU64,
}

/// In [`Ioctl::key`], beside the number.
const USED: u64 = 1 << 32;
/// More numbers than this, and only the first are counted. A power of two.
const IOCTLS: usize = 512;

/// What all processes of one trace share.
pub(super) struct Table {
    /// The process that made the table.
    owner: AtomicU32,
    /// Not 0 once there has been more than one thread or process.
    many: AtomicU32,
    /// By number; the last is for all numbers beyond the table.
    counts: [Count; TABLE_LENGTH + 1],
    /// In the order in which they were first used.
    ioctls: [Ioctl; IOCTLS],
}

static TABLE: AtomicPtr<Table> = AtomicPtr::new(core::ptr::null_mut());

/// The table, once there is one.
pub(super) fn table() -> Option<&'static Table> {
    // SAFETY: null, or the mapping that `start` has made, which is never unmapped; all its fields are atomic.
    unsafe { TABLE.load(Ordering::Relaxed).as_ref() }
}

/// Maps the table of descriptor `inherited`, or a new one. The result is its descriptor.
///
/// # Errors
/// The kernel's errno.
pub(super) fn start(inherited: Option<i32>) -> Result<i32, Errno> {
    const MFD_CLOEXEC: u64 = 1;
    const READ_WRITE: u64 = 3;
    const MAP_SHARED: u64 = 1;
    let length = size_of::<Table>() as u64;
    let fd = match inherited {
        Some(fd) => {
            hidden::add(fd);
            fd
        }
        None => {
            let name = c"biarch-trace".to_bytes_with_nul();
            // SAFETY: the name outlives the call; the descriptors are our own.
            unsafe {
                let fd = host::call(nr::MEMFD_CREATE, [host::addr(name), MFD_CLOEXEC])?;
                let kept = host::call(nr::FTRUNCATE, [fd, length])
                    .and_then(|_| hidden::keep(i32::try_from(fd).map_err(|_| Errno::EMFILE)?));
                let _ = host::call(nr::CLOSE, [fd]);
                kept?
            }
        }
    };
    // SAFETY: a new mapping at an address of the kernel's choosing.
    let at = unsafe { host::call(nr::MMAP, [0, length, READ_WRITE, MAP_SHARED, host::int(fd), 0])? };
    let at = usize::try_from(at).map_err(|_| Errno::ENOMEM)?;
    TABLE.store(core::ptr::with_exposed_provenance_mut(at), Ordering::Relaxed);
    if let (None, Some(table)) = (inherited, table()) {
        // SAFETY: no arguments.
        let pid = unsafe { host::call(nr::GETPID, []) }.unwrap_or(0);
        table.owner.store(host::low(pid), Ordering::Relaxed);
    }
    Ok(fd)
}

impl Table {
    /// Whether process `pid` prints the table at its end.
    pub(super) fn belongs_to(&self, pid: u32) -> bool {
        self.owner.load(Ordering::Relaxed) == pid
    }

    /// From now on there is more than one thread or process.
    pub(super) fn set_many(&self) {
        self.many.store(1, Ordering::Relaxed);
    }

    /// Whether lines say which thread they are of.
    pub(super) fn many(&self) -> bool {
        self.many.load(Ordering::Relaxed) != 0
    }

    /// Counts one call.
    pub(super) fn count(&self, number: u32, nanoseconds: u64, failed: bool) {
        let count = &self.counts[usize::try_from(number).unwrap_or(TABLE_LENGTH).min(TABLE_LENGTH)];
        count.calls.fetch_add(1, Ordering::Relaxed);
        count.errors.fetch_add(u64::from(failed), Ordering::Relaxed);
        count.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// Counts one ioctl; `refused` where biarch has not passed it on.
    pub(super) fn count_ioctl(&self, request: u32, failed: bool, refused: bool) {
        let key = USED | u64::from(request);
        for ioctl in &self.ioctls {
            match ioctl.key.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {}
                Err(found) if found == key => {}
                Err(_) => continue,
            }
            ioctl.calls.fetch_add(1, Ordering::Relaxed);
            ioctl.errors.fetch_add(u64::from(failed), Ordering::Relaxed);
            ioctl.refused.fetch_add(u64::from(refused), Ordering::Relaxed);
            return;
        }
    }

    /// Prints both tables as JSON, by number.
    pub(super) fn print_json(&self, fd: i32) {
        let mut text = Text::<4096>::new();
        let flush = |text: &mut Text<4096>, room: usize| {
            if text.len() > room {
                text.write_to(fd);
                text.truncate(0);
            }
        };
        let _ = text.write_str("{\n\"schema_version\": 1,\n\"calls\": [");
        let mut separator = "\n";
        for (number, count) in (0u32..).zip(&self.counts) {
            let [calls, errors, nanoseconds] =
                [&count.calls, &count.errors, &count.nanoseconds].map(|value| value.load(Ordering::Relaxed));
            if calls == 0 {
                continue;
            }
            let row = super::row(number);
            let (support, note) = match row.map(|row| row.support) {
                Some(Support::Full) => ("full", ""),
                Some(Support::Partial(note)) => ("partial", note),
                Some(Support::Refused(note)) => ("refused", note),
                None => ("refused", "no such number is known"),
            };
            let _ = write!(text, "{separator}{{\"name\":");
            let _ = json(row.map(|row| row.name), &mut text);
            let _ = match row {
                Some(_) => write!(text, ",\"number\":{number}"),
                None => text.write_str(",\"number\":null"),
            };
            let _ = write!(text, ",\"support\":\"{support}\",\"note\":");
            let _ = json(Some(note), &mut text);
            let _ = write!(text, ",\"calls\":{calls},\"errors\":{errors},\"nanoseconds\":{nanoseconds}}}");
            separator = ",\n";
            flush(&mut text, 2048);
        }
        let _ = text.write_str("\n],\n\"ioctls\": [");
        let mut order = [0u64; IOCTLS];
        order.iter_mut().zip(&self.ioctls).for_each(|(key, ioctl)| *key = ioctl.key.load(Ordering::Relaxed));
        order.sort_unstable();
        separator = "\n";
        for ioctl in order.iter().filter(|&&key| key != 0).filter_map(|&key| self.ioctl(key)) {
            let [key, calls, errors, refused] =
                [&ioctl.key, &ioctl.calls, &ioctl.errors, &ioctl.refused].map(|value| value.load(Ordering::Relaxed));
            let request = host::low(key);
            let row = lookup(request);
            let (support, note) = match row.map(|row| row.argument) {
                Some(Argument::Refused(why)) => ("refused", why),
                Some(_) if refused > 0 => ("partial", "refused for an argument of a kind that is not converted"),
                Some(_) => ("full", ""),
                None if holds_no_long(request) => {
                    ("partial", "no row describes it; passed on, since it is too small to hold a long")
                }
                None if passes(request) => ("full", ""),
                None => ("refused", "no row describes it"),
            };
            let _ = write!(text, "{separator}{{\"name\":");
            let _ = json(row.map(|row| row.name), &mut text);
            let _ = write!(text, ",\"number\":{request},\"support\":\"{support}\",\"note\":");
            let _ = json(Some(note), &mut text);
            let _ = write!(text, ",\"calls\":{calls},\"errors\":{errors}}}");
            separator = ",\n";
            flush(&mut text, 2048);
        }
        let _ = text.write_str("\n]\n}\n");
        text.write_to(fd);
    }

    fn ioctl(&self, key: u64) -> Option<&Ioctl> {
        self.ioctls.iter().find(|ioctl| ioctl.key.load(Ordering::Relaxed) == key)
    }

    /// Prints the table, the call that took longest first.
    pub(super) fn print(&self, fd: i32) {
        let load = |count: &Count| [&count.calls, &count.errors, &count.nanoseconds].map(|value| value.load(Ordering::Relaxed));
        let mut order = [0u16; TABLE_LENGTH + 1];
        let mut used = 0;
        let mut total = [0; 3];
        for (number, count) in (0u16..).zip(&self.counts) {
            let values = load(count);
            if values[0] > 0 {
                order[used] = number;
                used += 1;
                total.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        let order = &mut order[..used];
        order.sort_unstable_by_key(|&number| {
            let [calls, _, nanoseconds] = load(&self.counts[usize::from(number)]);
            (core::cmp::Reverse(nanoseconds), core::cmp::Reverse(calls), number)
        });
        let mut text = Text::<4096>::new();
        let rule = "------ ----------- ----------- --------- --------- ----------------\n";
        let _ = write!(text, "% time     seconds  usecs/call     calls    errors syscall\n{rule}");
        for &number in &*order {
            let name = super::row(u32::from(number)).map_or("(unknown)", |row| row.name);
            line(&mut text, load(&self.counts[usize::from(number)]), total[2], name);
            if text.len() > 3072 {
                text.write_to(fd);
                text.truncate(0);
            }
        }
        let _ = text.write_str(rule);
        line(&mut text, total, total[2], "total");
        text.write_to(fd);
    }
}

/// A string of JSON, or null. What it is made of are names and notes of our own.
fn json(value: Option<&str>, text: &mut Text<4096>) -> core::fmt::Result {
    let Some(value) = value else { return text.write_str("null") };
    text.write_char('"')?;
    for character in value.chars() {
        match character {
            '"' | '\\' => write!(text, "\\{character}")?,
            _ => text.write_char(character)?,
        }
    }
    text.write_char('"')
}

/// One line of the table. Times are those of the clock on the wall.
fn line(text: &mut Text<4096>, [calls, errors, nanoseconds]: [u64; 3], all: u64, name: &str) {
    let hundredths = if all == 0 { 0 } else { u128::from(nanoseconds) * 10_000 / u128::from(all) };
    let microseconds = nanoseconds / 1000;
    let _ = write!(
        text,
        "{:3}.{:02} {:4}.{:06} {:11} {calls:9} ",
        hundredths / 100,
        hundredths % 100,
        microseconds / 1_000_000,
        microseconds % 1_000_000,
        microseconds / calls.max(1),
    );
    let _ = if errors == 0 { writeln!(text, "{:9} {name}", "") } else { writeln!(text, "{errors:9} {name}") };
}

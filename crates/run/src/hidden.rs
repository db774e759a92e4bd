//! Descriptors of the supervisor that a guest must not close or use by accident: programs close every descriptor that they
//! do not know, up to the highest.
//!
//! A hidden descriptor is a closed one for every call whose row has a descriptor among its arguments, and close_range(2) passes over
//! it. These calls leave the fast path as soon as there is one, but for those that only move data ([`LEFT`]): whoever looks for
//! descriptors that are open, to close them or to be sure that there are none, does not read from them first.

use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::process_view;
use crate::switch::entry;
use crate::thread::Thread;
use abi::Errno;
use abi::scalar::Signed as _;
use abi::syscalls::{Action, i386};
use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// How many there can be: biarch itself, the log, the trace and its table, the program.
const SLOTS: usize = 5;
/// The hidden descriptors; -1 where there is none.
static HIDDEN: [AtomicI32; SLOTS] = [const { AtomicI32::new(-1) }; SLOTS];

/// Whether there is one.
static ANY: AtomicBool = AtomicBool::new(false);

/// The host's numbers of the native calls that stay on the fast path.
const LEFT: [u32; 6] = [nr::READ, nr::WRITE, nr::SENDTO, nr::RECVFROM, nr::EPOLL_WAIT, nr::EPOLL_PWAIT];

/// Hides `fd` from the guest. It should be where programs do not look: see [`keep`].
pub fn add(fd: i32) {
    for slot in &HIDDEN {
        if slot.load(Ordering::Relaxed) == fd {
            return;
        }
        if slot.compare_exchange(-1, fd, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            break;
        }
    }
    ANY.store(true, Ordering::Relaxed);
    for row in i386::TABLE.iter().flatten() {
        let Action::Native(host) = row.action else { continue };
        let host = u32::from(host);
        if host == nr::CLOSE_RANGE || (row.args.iter().any(|arg| arg.descriptor) && !LEFT.contains(&host)) {
            entry::slow(row.number);
        }
    }
}

/// Duplicates `fd` to where programs do not look, and hides the duplicate, which is closed on exec.
///
/// # Errors
/// The kernel's errno.
pub fn keep(fd: i32) -> Result<i32, Errno> {
    const F_DUPFD_CLOEXEC: u64 = 1030;
    /// Above what programs use, below the usual limit of 1024.
    const HIGH: u64 = 1000;
    // SAFETY: duplicating touches no memory.
    let duplicate = |from: u64| unsafe { host::call(nr::FCNTL, [host::int(fd), F_DUPFD_CLOEXEC, from]) };
    let kept = match duplicate(HIGH) {
        // The limit is lower.
        Err(Errno::EINVAL | Errno::EMFILE) => duplicate(limit().saturating_sub(16)).or_else(|_| duplicate(3))?,
        result => result?,
    };
    let kept = i32::try_from(kept).map_err(|_| Errno::EMFILE)?;
    add(kept);
    Ok(kept)
}

/// How many descriptors there may be.
fn limit() -> u64 {
    const RLIMIT_NOFILE: u64 = 7;
    let mut limits = [0u64; 2];
    // SAFETY: the limits outlive the call.
    let _ = unsafe { host::call(nr::PRLIMIT64, [0, RLIMIT_NOFILE, 0, host::addr_mut(&mut limits)]) };
    limits[0]
}

/// Whether `fd` is one that the guest must not see.
fn is_hidden(fd: i32) -> bool {
    fd >= 0 && HIDDEN.iter().any(|slot| slot.load(Ordering::Relaxed) == fd)
}

/// Lets a program that is executed have the hidden descriptors, or no longer. That of this program stays behind.
pub(crate) fn inherit(inherited: bool) {
    const F_SETFD: u64 = 2;
    const FD_CLOEXEC: u64 = 1;
    for slot in &HIDDEN {
        let fd = slot.load(Ordering::Relaxed);
        if fd >= 0 && Some(fd) != process_view::exe_file() {
            // SAFETY: a descriptor of our own.
            let _ = unsafe { host::call(nr::FCNTL, [host::int(fd), F_SETFD, if inherited { 0 } else { FD_CLOEXEC }]) };
        }
    }
}

/// Whether a hidden descriptor is among the arguments of the guest's call `number`. A descriptor that the call would not look at,
/// beside an absolute path for instance, counts as well: nobody has been given that number.
pub(crate) fn among(number: u32, args: [u32; 6]) -> bool {
    if !ANY.load(Ordering::Relaxed) {
        return false;
    }
    let row = usize::try_from(number).ok().and_then(|number| i386::TABLE.get(number)?.as_ref());
    row.is_some_and(|row| row.args.iter().zip(args).any(|(arg, value)| arg.descriptor && is_hidden(value.signed())))
}

/// In place of the host's native call `number`, where that would reach a hidden descriptor by another way than an argument.
pub(crate) fn intercept(thread: &mut Thread, number: u32, args: [u32; 6]) -> Option<SysResult> {
    if number != nr::CLOSE_RANGE || !ANY.load(Ordering::Relaxed) {
        return None;
    }
    let range = args[0]..=args[1];
    let any = HIDDEN.iter().any(|slot| u32::try_from(slot.load(Ordering::Relaxed)).is_ok_and(|fd| range.contains(&fd)));
    any.then(|| close_range(thread, args[0], args[1], args[2]))
}

/// close_range(2) of all that is between the hidden descriptors.
fn close_range(thread: &mut Thread, first: u32, last: u32, flags: u32) -> SysResult {
    const KNOWN: u32 = 2 | 4;
    if flags & !KNOWN != 0 {
        return Err(Errno::EINVAL);
    }
    let mut hidden = [u32::MAX; SLOTS];
    for (copy, slot) in hidden.iter_mut().zip(&HIDDEN) {
        *copy = u32::try_from(slot.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
    }
    hidden.sort_unstable();
    let mut from = first;
    for fd in hidden.into_iter().filter(|fd| (first..=last).contains(fd)) {
        if from < fd {
            thread.sys(nr::CLOSE_RANGE, [from, fd - 1, flags].map(u64::from))?;
        }
        from = fd.saturating_add(1);
    }
    if from <= last {
        thread.sys(nr::CLOSE_RANGE, [from, last, flags].map(u64::from))?;
    }
    Ok(0)
}

//! Scheduling, priorities, limits and accounting.

use super::input::Input;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::structs::Narrow;
use abi::structs::sched::{rlimit, rusage};
use abi::structs::time::timespec;
use abi::{Errno, GuestPtr, ULong};

/// nice(2), which x86-64 does not have: read the priority, add, write it (`sys_nice` in kernel/sched/core.c).
pub(crate) fn nice(thread: &mut Thread, inc: i32) -> SysResult {
    const PRIO_PROCESS: u64 = 0;
    const SELF: u64 = 0;
    // The kernel gives 20 minus the nice value, so that it is never negative.
    let now = 20 - host::low(thread.sys(nr::GETPRIORITY, [PRIO_PROCESS, SELF])?).signed();
    let new = (now + inc.clamp(-40, 40)).clamp(-20, 19);
    match thread.sys(nr::SETPRIORITY, [PRIO_PROCESS, SELF, host::int(new)]) {
        // setpriority says EACCES where nice says EPERM.
        Err(Errno::EACCES) => Err(Errno::EPERM),
        result => result.map(host::low),
    }
}

/// setrlimit(2). Infinity is the largest number of either size.
pub(crate) fn setrlimit(thread: &mut Thread, resource: u32, rlim: GuestPtr<rlimit::Guest32>) -> SysResult {
    let infinity = |limit| if limit == u64::from(u32::MAX) { u64::MAX } else { limit };
    let new =
        Input::read(rlim).map(|limit| rlimit::Host64 { rlim_cur: infinity(limit.rlim_cur), rlim_max: infinity(limit.rlim_max) });
    thread.sys(nr::SETRLIMIT, [u64::from(resource), new.address()]).map(host::low)
}

/// getrlimit(2) as it was, where infinity was the largest positive number.
pub(crate) fn getrlimit(thread: &mut Thread, resource: u32, rlim: GuestPtr<rlimit::Guest32>) -> SysResult {
    const OLD_INFINITY: u32 = 0x7fff_ffff;
    let now = limits(thread, resource)?;
    let old = |limit: ULong| ULong(limit.get().min(OLD_INFINITY));
    mem::write(rlim, &rlimit::Guest32 { rlim_cur: old(now.rlim_cur), rlim_max: old(now.rlim_max) }).map(|()| 0)
}

/// getrlimit(2)
pub(crate) fn ugetrlimit(thread: &mut Thread, resource: u32, rlim: GuestPtr<rlimit::Guest32>) -> SysResult {
    let now = limits(thread, resource)?;
    mem::write(rlim, &now).map(|()| 0)
}

fn limits(thread: &mut Thread, resource: u32) -> Result<rlimit::Guest32, Errno> {
    let mut now = rlimit::Host64::default();
    thread.sys(nr::GETRLIMIT, [u64::from(resource), host::addr_mut(&mut now)])?;
    Ok(now.saturate())
}

/// getrusage(2)
pub(crate) fn getrusage(thread: &mut Thread, who: u32, usage: GuestPtr<rusage::Guest32>) -> SysResult {
    let mut used = rusage::Host64::default();
    thread.sys(nr::GETRUSAGE, [u64::from(who), host::addr_mut(&mut used)])?;
    mem::write(usage, &used.truncate()).map(|()| 0)
}

/// sched_rr_get_interval(2)
pub(crate) fn sched_rr_get_interval(thread: &mut Thread, pid: i32, tp: GuestPtr<timespec::Guest32>) -> SysResult {
    let mut interval = timespec::Host64::default();
    thread.sys(nr::SCHED_RR_GET_INTERVAL, [host::int(pid), host::addr_mut(&mut interval)])?;
    mem::write(tp, &interval.truncate()).map(|()| 0)
}

/// sched_setaffinity(2). The mask is an array of `long`, read whole (`compat_get_bitmap` in kernel/compat.c): a length of 1
/// means 4 bytes. On a little-endian machine pairs of them are the host's `long`.
pub(crate) fn sched_setaffinity(thread: &mut Thread, pid: i32, len: u32, mask: GuestPtr<u32>) -> SysResult {
    // A length beyond the kernel's own mask is cut to that, so the largest ones need no rounding.
    let len = len.checked_next_multiple_of(4).unwrap_or(len);
    thread.sys(nr::SCHED_SETAFFINITY, [host::int(pid), u64::from(len), u64::from(mask.address())]).map(host::low)
}

/// sched_getaffinity(2). The length must be whole `long`s, which for the host are twice as long.
pub(crate) fn sched_getaffinity(thread: &mut Thread, pid: i32, len: u32, mask: GuestPtr<u32>) -> SysResult {
    /// More than any kernel's mask: 2^18 processors.
    const LONGEST: u32 = 1 << 15;
    if len % 4 != 0 {
        return Err(Errno::EINVAL);
    }
    // The kernel counts bits in an `unsigned int`, so that a length may be none.
    let len = (len.wrapping_mul(8) / 8).min(LONGEST);
    let wanted = usize::try_from(len / 4).map_err(|_| Errno::EINVAL)?;
    let mut words = Buf::<u32>::zeroed(wanted.next_multiple_of(2))?;
    let bytes = u64::from(len).next_multiple_of(8);
    let got = host::low(thread.sys(nr::SCHED_GETAFFINITY, [host::int(pid), bytes, host::addr_mut(&mut *words)])?);
    if words[wanted..].iter().any(|&word| word != 0) {
        // The guest's mask is half a host's `long` too short for the processors there are.
        return Err(Errno::EINVAL);
    }
    let got = got.min(len);
    let filled = usize::try_from(got / 4).map_err(|_| Errno::EINVAL)?;
    mem::write_slice(mask, &words[..filled.min(wanted)])?;
    Ok(got)
}

//! User and group ids. The calls that i386 has had from the start know 16 bits of them (`kernel/uid16.c`).

use super::input::UNREADABLE;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::scalar::Unsigned as _;
use abi::trace::{Arg, Id16};
use abi::{Errno, GuestPtr};

/// What a guest with 16-bit ids sees in place of a larger one: the default of `/proc/sys/kernel/overflowuid`.
const OVERFLOW_ID: u16 = 65534;

/// The most groups that a process can have.
const NGROUPS_MAX: u32 = 65536;

/// `high2lowuid`
fn low(id: u32) -> u16 {
    u16::try_from(id).unwrap_or(OVERFLOW_ID)
}

fn get(thread: &mut Thread, number: u32) -> SysResult {
    thread.sys(number, []).map(|id| u32::from(low(host::low(id))))
}

fn set<const N: usize>(thread: &mut Thread, number: u32, ids: [u32; N]) -> SysResult {
    thread.sys(number, ids.map(u64::from)).map(host::low)
}

/// setuid(2)
pub(crate) fn setuid(thread: &mut Thread, uid: u32) -> SysResult {
    set(thread, nr::SETUID, [uid])
}

/// getuid(2)
pub(crate) fn getuid(thread: &mut Thread) -> SysResult {
    get(thread, nr::GETUID)
}

/// setgid(2)
pub(crate) fn setgid(thread: &mut Thread, gid: u32) -> SysResult {
    set(thread, nr::SETGID, [gid])
}

/// getgid(2)
pub(crate) fn getgid(thread: &mut Thread) -> SysResult {
    get(thread, nr::GETGID)
}

/// geteuid(2)
pub(crate) fn geteuid(thread: &mut Thread) -> SysResult {
    get(thread, nr::GETEUID)
}

/// getegid(2)
pub(crate) fn getegid(thread: &mut Thread) -> SysResult {
    get(thread, nr::GETEGID)
}

/// setreuid(2)
pub(crate) fn setreuid(thread: &mut Thread, ruid: u32, euid: u32) -> SysResult {
    set(thread, nr::SETREUID, [ruid, euid])
}

/// setregid(2)
pub(crate) fn setregid(thread: &mut Thread, rgid: u32, egid: u32) -> SysResult {
    set(thread, nr::SETREGID, [rgid, egid])
}

/// setfsuid(2). The old id comes back whole.
pub(crate) fn setfsuid(thread: &mut Thread, uid: u32) -> SysResult {
    set(thread, nr::SETFSUID, [uid])
}

/// setfsgid(2). The old id comes back whole.
pub(crate) fn setfsgid(thread: &mut Thread, gid: u32) -> SysResult {
    set(thread, nr::SETFSGID, [gid])
}

/// setresuid(2)
pub(crate) fn setresuid(thread: &mut Thread, ruid: u32, euid: u32, suid: u32) -> SysResult {
    set(thread, nr::SETRESUID, [ruid, euid, suid])
}

/// setresgid(2)
pub(crate) fn setresgid(thread: &mut Thread, rgid: u32, egid: u32, sgid: u32) -> SysResult {
    set(thread, nr::SETRESGID, [rgid, egid, sgid])
}

/// getresuid(2)
pub(crate) fn getresuid(thread: &mut Thread, ruid: GuestPtr<u16>, euid: GuestPtr<u16>, suid: GuestPtr<u16>) -> SysResult {
    get_three(thread, nr::GETRESUID, [ruid, euid, suid])
}

/// getresgid(2)
pub(crate) fn getresgid(thread: &mut Thread, rgid: GuestPtr<u16>, egid: GuestPtr<u16>, sgid: GuestPtr<u16>) -> SysResult {
    get_three(thread, nr::GETRESGID, [rgid, egid, sgid])
}

fn get_three(thread: &mut Thread, number: u32, to: [GuestPtr<u16>; 3]) -> SysResult {
    let mut ids = [0u32; 3];
    let [real, effective, saved] = &mut ids;
    thread.sys(number, [host::addr_mut(real), host::addr_mut(effective), host::addr_mut(saved)])?;
    for (to, id) in to.into_iter().zip(ids) {
        mem::write(to, &low(id))?;
    }
    Ok(0)
}

/// getgroups(2)
pub(crate) fn getgroups(thread: &mut Thread, size: i32, list: GuestPtr<u16>) -> SysResult {
    let room = u32::try_from(size).map_err(|_| Errno::EINVAL)?;
    let count = host::low(thread.sys(nr::GETGROUPS, [0, 0])?);
    if room == 0 {
        return Ok(count);
    }
    if count > room {
        return Err(Errno::EINVAL);
    }
    let length = usize::try_from(count).map_err(|_| Errno::EINVAL)?;
    let (mut ids, mut narrow) = (Buf::<u32>::zeroed(length)?, Buf::<u16>::zeroed(length)?);
    thread.sys(nr::GETGROUPS, [u64::from(count), host::addr_mut(&mut *ids)])?;
    for (narrow, &id) in narrow.iter_mut().zip(ids.iter()) {
        *narrow = low(id);
    }
    mem::write_slice(list, &narrow)?;
    Ok(count)
}

/// setgroups(2)
pub(crate) fn setgroups(thread: &mut Thread, size: i32, list: GuestPtr<u16>) -> SysResult {
    let count = size.unsigned();
    let length = if count > NGROUPS_MAX { 0 } else { usize::try_from(count).map_err(|_| Errno::EINVAL)? };
    let (mut ids, mut narrow) = (Buf::<u32>::zeroed(length)?, Buf::<u16>::zeroed(length)?);
    // Too many, or unreadable: the kernel asks for the privilege first, then complains.
    let readable = length != 0 && mem::read_slice(list, &mut narrow).is_ok();
    for (id, &narrow) in ids.iter_mut().zip(narrow.iter()) {
        *id = Id16::from_register(u32::from(narrow));
    }
    let address = if readable { host::addr(&*ids) } else { UNREADABLE };
    thread.sys(nr::SETGROUPS, [u64::from(count), address]).map(host::low)
}

#[cfg(test)]
mod tests {
    use super::{OVERFLOW_ID, low};

    #[test]
    fn large_ids_overflow() {
        assert_eq!(low(0xffff), 0xffff);
        assert_eq!(low(0x1_0000), OVERFLOW_ID);
        assert_eq!(low(u32::MAX), OVERFLOW_ID);
    }
}

//! The machine as a whole: its name, its memory, its kernel.

use super::input::UNREADABLE;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::loader;
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::structs::system::{kexec_segment, new_utsname, old_utsname, oldold_utsname, sysinfo};
use abi::structs::{Chars, Narrow, Widen};
use abi::{Errno, GuestPtr};

/// The system's name, as a 32-bit program of this personality sees it: `x86_64`, unless it has asked for `PER_LINUX32` with
/// personality(2), as `setarch i386` does (`override_architecture` in kernel/sys.c). A kernel without 32-bit support
/// leaves the name alone even then, so it is done here.
fn name(thread: &mut Thread) -> Result<new_utsname::Host64, Errno> {
    const PER_MASK: u32 = 0xff;
    const PER_LINUX32: u32 = 8;
    const QUERY: u32 = u32::MAX;
    let mut name = new_utsname::Host64::default();
    thread.sys(nr::UNAME, [host::addr_mut(&mut name)])?;
    // The host's filters may forbid the question, which natively nobody asks.
    if loader::personality(QUERY) & PER_MASK == PER_LINUX32 {
        name.machine = Chars::default();
        name.machine.0[..4].copy_from_slice(b"i686");
    }
    Ok(name)
}

/// uname(2)
pub(crate) fn uname(thread: &mut Thread, buf: GuestPtr<new_utsname::Guest32>) -> SysResult {
    let name = name(thread)?;
    mem::write(buf, &name.truncate()).map(|()| 0)
}

/// uname(2) without the domain's name.
pub(crate) fn olduname(thread: &mut Thread, buf: GuestPtr<old_utsname::Guest32>) -> SysResult {
    let name = name(thread)?;
    let old = old_utsname::Guest32 {
        sysname: name.sysname,
        nodename: name.nodename,
        release: name.release,
        version: name.version,
        machine: name.machine,
    };
    mem::write(buf, &old).map(|()| 0)
}

/// uname(2) with 8 characters of each name.
pub(crate) fn oldolduname(thread: &mut Thread, buf: GuestPtr<oldold_utsname::Guest32>) -> SysResult {
    let name = name(thread)?;
    let first = |name: Chars<65>| {
        let mut cut = Chars::default();
        cut.0[..8].copy_from_slice(&name.0[..8]);
        cut
    };
    let old = oldold_utsname::Guest32 {
        sysname: first(name.sysname),
        nodename: first(name.nodename),
        release: first(name.release),
        version: first(name.version),
        machine: first(name.machine),
    };
    mem::write(buf, &old).map(|()| 0)
}

/// sysinfo(2)
pub(crate) fn sysinfo(thread: &mut Thread, info: GuestPtr<sysinfo::Guest32>) -> SysResult {
    let mut now = sysinfo::Host64::default();
    thread.sys(nr::SYSINFO, [host::addr_mut(&mut now)])?;
    mem::write(info, &now.scaled().truncate()).map(|()| 0)
}

/// lookup_dcookie(2)
pub(crate) fn lookup_dcookie(
    thread: &mut Thread,
    cookie_low: u32,
    cookie_high: u32,
    buffer: GuestPtr<u8>,
    len: u32,
) -> SysResult {
    let args = [host::join(cookie_low, cookie_high), u64::from(buffer.address()), u64::from(len)];
    thread.sys(nr::LOOKUP_DCOOKIE, args).map(host::low)
}

/// kexec_load(2)
pub(crate) fn kexec_load(
    thread: &mut Thread,
    entry: u32,
    nr_segments: u32,
    segments: GuestPtr<kexec_segment::Guest32>,
    flags: u32,
) -> SysResult {
    const KEXEC_ARCH_MASK: u32 = 0xffff_0000;
    const KEXEC_SEGMENT_MAX: u32 = 16;
    /// A bit that is not a flag.
    const WRONG_FLAG: u64 = 0x8000;
    if flags & KEXEC_ARCH_MASK == 0 {
        // "This architecture" would be the wrong one: EINVAL, but not before the privilege has been asked for.
        return thread.sys(nr::KEXEC_LOAD, [0, 0, 0, u64::from(flags) | WRONG_FLAG]).map(host::low);
    }
    let count = usize::try_from(nr_segments.min(KEXEC_SEGMENT_MAX)).map_err(|_| Errno::EINVAL)?;
    let mut guest = Buf::<kexec_segment::Guest32>::zeroed(count)?;
    let mut wide = Buf::<kexec_segment::Host64>::zeroed(count)?;
    let readable = nr_segments <= KEXEC_SEGMENT_MAX && mem::read_slice(segments, &mut guest).is_ok();
    for (wide, guest) in wide.iter_mut().zip(guest.iter()) {
        *wide = guest.widen();
    }
    let address = if readable { host::addr(&*wide) } else { UNREADABLE };
    thread.sys(nr::KEXEC_LOAD, [u64::from(entry), u64::from(nr_segments), address, u64::from(flags)]).map(host::low)
}

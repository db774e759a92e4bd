//! Memory: `mmap` and its kin.

use crate::dispatch::SysResult;
use crate::host;
use crate::mem;
use crate::mem::Buf;
use crate::mem::space::{PAGE, SPACE};
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::{Errno, GuestPtr};

/// mmap2(2): the offset is in pages.
pub(crate) fn mmap2(_: &mut Thread, address: u32, length: u32, prot: u32, flags: u32, fd: i32, page: u32) -> SysResult {
    SPACE.lock().map(address, length, prot, flags, fd, u64::from(page) * u64::from(PAGE))
}

/// The first mmap(2): one pointer to six words.
pub(crate) fn mmap(_: &mut Thread, arguments: GuestPtr<[u32; 6]>) -> SysResult {
    let [address, length, prot, flags, fd, offset] = mem::read(arguments)?;
    if offset % PAGE != 0 {
        return Err(Errno::EINVAL);
    }
    SPACE.lock().map(address, length, prot, flags, fd.signed(), u64::from(offset))
}

/// munmap(2)
pub(crate) fn munmap(_: &mut Thread, address: u32, length: u32) -> SysResult {
    SPACE.lock().unmap(address, length).map(|()| 0)
}

/// mremap(2)
pub(crate) fn mremap(_: &mut Thread, old: u32, old_length: u32, new_length: u32, flags: u32, new: u32) -> SysResult {
    SPACE.lock().remap(old, old_length, new_length, flags, new)
}

/// brk(2): the raw call returns where the heap ends now.
pub(crate) fn brk(_: &mut Thread, end: u32) -> SysResult {
    Ok(SPACE.lock().set_brk(end))
}

/// move_pages(2): an array of pointers.
pub(crate) fn move_pages(
    thread: &mut Thread,
    pid: i32,
    count: u32,
    pages: GuestPtr<u8>,
    nodes: GuestPtr<u8>,
    status: GuestPtr<u8>,
    flags: u32,
) -> SysResult {
    const LIMIT: u32 = 1 << 26;
    if count > LIMIT {
        return Err(Errno::E2BIG);
    }
    let mut guest = Buf::<u32>::zeroed(count as usize)?;
    mem::read_slice(pages.cast(), &mut guest)?;
    let mut list = Buf::<u64>::zeroed(count as usize)?;
    for (to, from) in list.iter_mut().zip(guest.iter()) {
        *to = u64::from(*from);
    }
    let args = [
        host::int(pid),
        u64::from(count),
        host::addr(&*list),
        u64::from(nodes.address()),
        u64::from(status.address()),
        u64::from(flags),
    ];
    thread.sys(host::nr::MOVE_PAGES, args).map(host::low)
}

/// process_madvise(2): an array of iovecs.
pub(crate) fn process_madvise(
    thread: &mut Thread,
    pidfd: i32,
    vector: GuestPtr<u8>,
    count: u32,
    advice: u32,
    flags: u32,
) -> SysResult {
    const UIO_MAXIOV: u32 = 1024;
    if count > UIO_MAXIOV {
        return Err(Errno::EINVAL);
    }
    let mut guest = Buf::<[u32; 2]>::zeroed(count as usize)?;
    mem::read_slice(vector.cast(), &mut guest)?;
    let mut list = Buf::<[u64; 2]>::zeroed(count as usize)?;
    for (to, from) in list.iter_mut().zip(guest.iter()) {
        *to = from.map(u64::from);
    }
    let args = [host::int(pidfd), host::addr(&*list), u64::from(count), u64::from(advice), u64::from(flags)];
    thread.sys(host::nr::PROCESS_MADVISE, args).map(host::low)
}

//! Memory: `mmap` and its kin.

use super::fd::{IoVecs, io_uring, uninterrupted};
use super::input::UNREADABLE;
use super::ioctl::sound;
use crate::dispatch::SysResult;
use crate::host::{self, addr_mut, low, nr};
use crate::mem;
use crate::mem::Buf;
use crate::mem::space::{PAGE, SPACE};
use crate::process_view;
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::{Errno, GuestPtr};
use zerocopy::IntoBytes;

/// mmap2(2): the offset is in pages.
pub(crate) fn mmap2(_: &mut Thread, address: u32, length: u32, prot: u32, flags: u32, fd: i32, page: u32) -> SysResult {
    map(address, length, prot, flags, fd, u64::from(page) * u64::from(PAGE))
}

/// The first mmap(2): one pointer to six words.
pub(crate) fn mmap(_: &mut Thread, arguments: GuestPtr<[u32; 6]>) -> SysResult {
    let [address, length, prot, flags, fd, offset] = mem::read(arguments)?;
    if offset % PAGE != 0 {
        return Err(Errno::EINVAL);
    }
    map(address, length, prot, flags, fd.signed(), u64::from(offset))
}

fn map(address: u32, length: u32, prot: u32, flags: u32, fd: i32, offset: u64) -> SysResult {
    const MAP_ANONYMOUS: u32 = 0x20;
    if flags & MAP_ANONYMOUS == 0 && sound::is_position_page(fd, offset) {
        return Err(Errno::ENXIO);
    }
    if flags & MAP_ANONYMOUS == 0 {
        if let Some(result) = io_uring::map(address, length, prot, flags, fd, offset) {
            return result;
        }
    }
    SPACE.lock().map(address, length, prot, flags, fd, offset)
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

/// mlockall(2). `RLIMIT_MEMLOCK` is for what the guest has mapped; the kernel counts the supervisor too, which is larger than many a
/// guest. Where that is too much and the guest is not, the guest's is locked piece by piece.
pub(crate) fn mlockall(thread: &mut Thread, flags: u32) -> SysResult {
    const MCL_CURRENT: u32 = 1;
    const MCL_FUTURE: u32 = 2;
    const MCL_ONFAULT: u32 = 4;
    const MLOCK_ONFAULT: u64 = 1;
    const RLIMIT_MEMLOCK: u64 = 8;
    let result = thread.sys(nr::MLOCKALL, [u64::from(flags)]).map(low);
    if result != Err(Errno::ENOMEM) || flags & MCL_CURRENT == 0 {
        return result;
    }
    let mut limit = [0u64; 2];
    uninterrupted(nr::GETRLIMIT, [RLIMIT_MEMLOCK, addr_mut(&mut limit)])?;
    let mut mapped = 0;
    process_view::each_guest_mapping(|range| mapped += range.end - range.start).map_err(|_| Errno::ENOMEM)?;
    if mapped > limit[0] {
        return result;
    }
    if flags & MCL_FUTURE != 0 {
        uninterrupted(nr::MLOCKALL, [u64::from(flags & (MCL_FUTURE | MCL_ONFAULT))])?;
    }
    let on_fault = if flags & MCL_ONFAULT == 0 { 0 } else { MLOCK_ONFAULT };
    // What cannot be read is passed over, as by mlockall.
    process_view::each_guest_mapping(|range| {
        let _ = uninterrupted(nr::MLOCK2, [range.start, range.end - range.start, on_fault]);
    })?;
    Ok(0)
}

/// move_pages(2): an array of pointers, which is converted piece by piece (`do_pages_move` and `do_pages_stat` in mm/migrate.c).
pub(crate) fn move_pages(
    thread: &mut Thread,
    pid: i32,
    count: u32,
    pages: GuestPtr<u8>,
    nodes: GuestPtr<u8>,
    status: GuestPtr<u8>,
    flags: u32,
) -> SysResult {
    /// The kernel itself looks at the pages 16 at a time where it is only to say where they are.
    const STEP: usize = 16;
    const PIECE: usize = 1024;
    let mut guest = Buf::<u32>::zeroed(PIECE)?;
    let mut list = Buf::<u64>::zeroed(PIECE)?;
    let mut done = 0;
    loop {
        let left = count - done;
        let wanted = (left as usize).min(PIECE);
        let array = |base: GuestPtr<u8>| {
            let at = u64::from(base.address()) + 4 * u64::from(done);
            if base.is_null() { 0 } else { at }
        };
        // What comes before a fault is done, as in the kernel.
        let mut have = match u32::try_from(u64::from(pages.address()) + 4 * u64::from(done)) {
            Ok(at) => mem::access::read_partial(at, guest[..wanted].as_mut_bytes()) / 4,
            Err(_) => 0,
        };
        if have < wanted && nodes.is_null() {
            have -= have % STEP;
        }
        for (to, from) in list.iter_mut().zip(guest[..have].iter()) {
            *to = u64::from(*from);
        }
        // Where nothing can be read the kernel is to find it: it looks for the process first.
        let (address, number) = if have == 0 && wanted > 0 { (UNREADABLE, 1) } else { (host::addr(&*list), have as u64) };
        let args = [host::int(pid), number, address, array(nodes), array(status), u64::from(flags)];
        let unmoved = thread.sys(host::nr::MOVE_PAGES, args).map(host::low)?;
        done += u32::try_from(have).unwrap_or(0);
        if unmoved > 0 {
            // That many were not moved, and those behind them neither.
            return Ok(unmoved + (count - done));
        }
        if have < wanted {
            return Err(Errno::EFAULT);
        }
        if done == count {
            return Ok(0);
        }
    }
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
    let vectors = IoVecs::read(vector.cast(), count)?;
    let args = [host::int(pidfd), vectors.host_address(), u64::from(count), u64::from(advice), u64::from(flags)];
    thread.sys(host::nr::PROCESS_MADVISE, args).map(host::low)
}

// ---- nodes ------------------------------------------------------------------------------------------------------------------

/// A mask of nodes for the host's kernel, which reads it in words of 64 bits where a 32-bit task's is in words of 32.
struct NodeMask {
    words: Buf<u64>,
    /// What the kernel gets where there are no words: null, or a pointer that it is to find bad.
    otherwise: u64,
}

impl NodeMask {
    /// Reads the mask whose length the guest gives as `maxnode`, which is one more than the bits that count
    /// (`get_nodes` in mm/mempolicy.c).
    fn read(mask: GuestPtr<u8>, maxnode: u32) -> Result<Self, Errno> {
        const MOST_BITS: u32 = PAGE * 8;
        // Too many, which is for the kernel to say; of no bits it reads nothing.
        let bits = maxnode.checked_sub(1).filter(|bits| *bits <= MOST_BITS).unwrap_or(0);
        let otherwise = if mask.is_null() { 0 } else { UNREADABLE };
        if mask.is_null() || bits == 0 {
            return Ok(Self { words: Buf::zeroed(0)?, otherwise });
        }
        let mut guest = Buf::<u32>::zeroed(bits.div_ceil(32) as usize)?;
        let mut words = Buf::<u64>::zeroed(bits.div_ceil(64) as usize)?;
        if mem::read_slice(mask.cast(), &mut guest).is_err() {
            return Ok(Self { words: Buf::zeroed(0)?, otherwise });
        }
        for (word, halves) in words.iter_mut().zip(guest.chunks(2)) {
            *word = host::join(halves.first().copied().unwrap_or(0), halves.get(1).copied().unwrap_or(0));
        }
        Ok(Self { words, otherwise })
    }

    /// The mask's address. Its length stays the guest's.
    fn host_address(&self) -> u64 {
        if self.words.is_empty() { self.otherwise } else { host::addr(&*self.words) }
    }
}

/// mbind(2)
pub(crate) fn mbind(
    thread: &mut Thread,
    addr: GuestPtr<u8>,
    len: u32,
    mode: u32,
    nodemask: GuestPtr<u8>,
    maxnode: u32,
    flags: u32,
) -> SysResult {
    let nodes = NodeMask::read(nodemask, maxnode)?;
    let args =
        [u64::from(addr.address()), u64::from(len), u64::from(mode), nodes.host_address(), u64::from(maxnode), u64::from(flags)];
    thread.sys(host::nr::MBIND, args).map(host::low)
}

/// set_mempolicy(2)
pub(crate) fn set_mempolicy(thread: &mut Thread, mode: u32, nodemask: GuestPtr<u8>, maxnode: u32) -> SysResult {
    let nodes = NodeMask::read(nodemask, maxnode)?;
    // The mode is an `int`, of which the host looks at the sign.
    let args = [host::int(mode.signed()), nodes.host_address(), u64::from(maxnode)];
    thread.sys(host::nr::SET_MEMPOLICY, args).map(host::low)
}

/// get_mempolicy(2). For a 32-bit task too the kernel fills whole words of 64 bits with what it has (`copy_nodes_to_user` in
/// mm/mempolicy.c); only of a mask for a single node it writes 32 bits, where a 64-bit task gets nothing.
pub(crate) fn get_mempolicy(
    thread: &mut Thread,
    mode: GuestPtr<u8>,
    nodemask: GuestPtr<u8>,
    maxnode: u32,
    addr: GuestPtr<u8>,
    flags: u32,
) -> SysResult {
    const MOST: usize = 4096;
    let (address, flags) = (u64::from(addr.address()), u64::from(flags));
    // What a 64-bit task gets, or an error if that is more than a page.
    let length = usize::try_from(u64::from(maxnode).saturating_sub(1).next_multiple_of(64) / 8).map_err(|_| Errno::EINVAL)?;
    let mut nodes = Buf::<u8>::zeroed(length.clamp(8, MOST))?;
    let host_nodes = if nodemask.is_null() { 0 } else { host::addr_mut(&mut *nodes) };
    let args = [u64::from(mode.address()), host_nodes, u64::from(maxnode), address, flags];
    let result = thread.sys(nr::GET_MEMPOLICY, args)?;
    if nodemask.is_null() {
        return Ok(host::low(result));
    }
    if maxnode == 1 {
        thread.sys(nr::GET_MEMPOLICY, [0, host_nodes, 2, address, flags])?;
    }
    // What follows the nodes that there are is cleared first, and they are a word of 32 bits for a compat task (`copy_nodes_to_user`).
    if length > 4 {
        mem::write_bytes(nodemask.byte_add(4).ok_or(Errno::EFAULT)?, &nodes[4..length.min(MOST)])?;
    }
    mem::write_bytes(nodemask, &nodes[..4])?;
    Ok(host::low(result))
}

/// migrate_pages(2)
pub(crate) fn migrate_pages(
    thread: &mut Thread,
    pid: i32,
    maxnode: u32,
    old_nodes: GuestPtr<u8>,
    new_nodes: GuestPtr<u8>,
) -> SysResult {
    let (old, new) = (NodeMask::read(old_nodes, maxnode)?, NodeMask::read(new_nodes, maxnode)?);
    let args = [host::int(pid), u64::from(maxnode), old.host_address(), new.host_address()];
    thread.sys(host::nr::MIGRATE_PAGES, args).map(host::low)
}

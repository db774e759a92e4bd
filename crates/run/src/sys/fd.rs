//! Reading, writing and control through file descriptors; asynchronous input and output.

pub(crate) mod events;
pub(crate) mod io_uring;

pub(crate) use io_uring::{io_uring_enter, io_uring_register, io_uring_setup};

use super::input::UNREADABLE;
use crate::dispatch::SysResult;
use crate::host::{self, addr, addr_mut, int, join, low, nr};
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::fd::{__aio_sigset, flock, flock64, iocb, iovec};
use abi::structs::fs::LINUX_DIRENT64_NAME;
use abi::structs::time::{timespec, timespec64};
use abi::structs::{Long, Narrow, U64, ULong, Widen};
use abi::trace::FcntlCommand;
use abi::{Errno, GuestPtr, I64};
use zerocopy::IntoBytes;

/// Makes a call of the host that must not be kept from being made by a signal: it looks at, or takes back, what an earlier call
/// of the same handler did. It must not be one that can wait, nor write but to the supervisor's storage.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn uninterrupted<const N: usize>(number: u32, args: [u64; N]) -> Result<u64, Errno> {
    // SAFETY: the callers are handlers, which pass numbers and the addresses of live local variables only.
    unsafe { host::call(number, args) }
}

/// Calls `each` with every number that is an open descriptor, and perhaps with others.
pub(crate) fn each_open(each: &mut dyn FnMut(i32)) {
    const DIRECTORY: u64 = 0o200_000;
    const AT_FDCWD: i32 = -100;
    /// Where /proc cannot tell: the usual limit.
    const UNLISTED: i32 = 1024;
    let path = c"/proc/self/fd";
    let Ok(list) = uninterrupted(nr::OPENAT, [int(AT_FDCWD), addr(path), DIRECTORY, 0]) else {
        (0..UNLISTED).for_each(each);
        return;
    };
    let mut entries = [0u64; 512];
    while let Ok(length @ 1..) = uninterrupted(nr::GETDENTS64, [list, addr_mut(&mut entries), size_of_val(&entries) as u64]) {
        let mut rest = usize::try_from(length).ok().and_then(|length| entries.as_bytes().get(..length)).unwrap_or_default();
        while let Some(length) = rest.get(16..).and_then(|bytes| bytes.first_chunk()).map(|bytes| u16::from_ne_bytes(*bytes)) {
            let Some((entry, next)) = rest.split_at_checked(usize::from(length.max(1))) else { break };
            let name = entry.get(LINUX_DIRENT64_NAME..).and_then(|name| name.split(|&byte| byte == 0).next());
            if let Some(fd) = name.and_then(|name| core::str::from_utf8(name).ok()?.parse().ok()) {
                each(fd);
            }
            rest = next;
        }
    }
    let _ = uninterrupted(nr::CLOSE, [list]);
}

// ---- positions --------------------------------------------------------------------------------------------------------------

/// lseek(2). A position that does not fit is cut off, not refused: so does `compat_sys_lseek` of a 64-bit kernel.
pub(crate) fn lseek(thread: &mut Thread, fd: i32, offset: i32, whence: u32) -> SysResult {
    super::fs::seek(thread, fd, i64::from(offset), whence).map(|position| low(position.unsigned()))
}

/// _llseek(2).
pub(crate) fn _llseek(
    thread: &mut Thread,
    fd: i32,
    offset_high: u32,
    offset_low: u32,
    result: GuestPtr<I64>,
    whence: u32,
) -> SysResult {
    let position = super::fs::seek(thread, fd, join(offset_low, offset_high).signed(), whence)?;
    if position < 0 {
        // A file of memory, whose positions are unsigned: the kernel returns it without storing it.
        return Ok(low(position.unsigned()));
    }
    mem::write(result, &I64(position)).map(|()| 0)
}

/// pread64(2).
pub(crate) fn pread64(
    thread: &mut Thread,
    fd: i32,
    buf: GuestPtr<u8>,
    count: u32,
    offset_low: u32,
    offset_high: u32,
) -> SysResult {
    thread.sys(nr::PREAD64, [int(fd), u64::from(buf.address()), u64::from(count), join(offset_low, offset_high)]).map(low)
}

/// pwrite64(2).
pub(crate) fn pwrite64(
    thread: &mut Thread,
    fd: i32,
    buf: GuestPtr<u8>,
    count: u32,
    offset_low: u32,
    offset_high: u32,
) -> SysResult {
    thread.sys(nr::PWRITE64, [int(fd), u64::from(buf.address()), u64::from(count), join(offset_low, offset_high)]).map(low)
}

/// readahead(2).
pub(crate) fn readahead(thread: &mut Thread, fd: i32, offset_low: u32, offset_high: u32, count: u32) -> SysResult {
    thread.sys(nr::READAHEAD, [int(fd), join(offset_low, offset_high), u64::from(count)]).map(low)
}

/// posix_fadvise(2) with a 32-bit length.
pub(crate) fn fadvise64(thread: &mut Thread, fd: i32, offset_low: u32, offset_high: u32, len: u32, advice: u32) -> SysResult {
    thread.sys(nr::FADVISE64, [int(fd), join(offset_low, offset_high), u64::from(len), u64::from(advice)]).map(low)
}

/// posix_fadvise(2).
pub(crate) fn fadvise64_64(
    thread: &mut Thread,
    fd: i32,
    offset_low: u32,
    offset_high: u32,
    len_low: u32,
    len_high: u32,
    advice: u32,
) -> SysResult {
    thread.sys(nr::FADVISE64, [int(fd), join(offset_low, offset_high), join(len_low, len_high), u64::from(advice)]).map(low)
}

/// sync_file_range(2).
pub(crate) fn sync_file_range(
    thread: &mut Thread,
    fd: i32,
    offset_low: u32,
    offset_high: u32,
    nbytes_low: u32,
    nbytes_high: u32,
    flags: u32,
) -> SysResult {
    let args = [int(fd), join(offset_low, offset_high), join(nbytes_low, nbytes_high), u64::from(flags)];
    thread.sys(nr::SYNC_FILE_RANGE, args).map(low)
}

/// sendfile(2) with a 32-bit position, as `compat_sys_sendfile` in `fs/read_write.c` does it.
pub(crate) fn sendfile(thread: &mut Thread, out_fd: i32, in_fd: i32, offset: GuestPtr<Long>, count: u32) -> SysResult {
    if offset.is_null() {
        return thread.sys(nr::SENDFILE, [int(out_fd), int(in_fd), 0, u64::from(count)]).map(low);
    }
    let start = i64::from(mem::read(offset)?.get());
    // Only up to what the position can say, and an error where it says that already.
    let room = abi::structs::fs::MAX_NON_LFS - start;
    let wanted = i64::from(count).min(room);
    let mut position = start;
    let sent = thread.sys(nr::SENDFILE, [int(out_fd), int(in_fd), addr_mut(&mut position), wanted.unsigned()]);
    mem::write(offset, &position.truncate())?;
    if room == 0 && count > 0 {
        sent?;
        return Err(Errno::EOVERFLOW);
    }
    sent.map(low)
}

// ---- arrays of buffers ------------------------------------------------------------------------------------------------------

/// Most elements that the kernel takes.
const UIO_MAXIOV: u32 = 1024;

/// An array of `struct iovec` for the host's kernel.
pub(crate) struct IoVecs {
    vectors: Buf<iovec::Host64>,
    /// Whether the kernel is to find the guest's pointer bad.
    unreadable: bool,
}

impl IoVecs {
    /// Converts the guest's array. What is wrong with it is left to the kernel to find, which first looks at the descriptor:
    /// too many elements, a length that is negative, an address that cannot be read.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub(crate) fn read(pointer: GuestPtr<iovec::Guest32>, count: u32) -> Result<Self, Errno> {
        let length = if count > UIO_MAXIOV { 0 } else { usize::try_from(count).unwrap_or(0) };
        let mut vectors = Buf::<iovec::Host64>::zeroed(length)?;
        let unreadable = count > UIO_MAXIOV || !read_vectors(pointer, &mut vectors);
        Ok(Self { vectors, unreadable })
    }

    /// The pieces, where the kernel would find nothing wrong with them and there is something in them.
    fn pieces(&self) -> Option<&[iovec::Host64]> {
        let sound = !self.unreadable && self.vectors.iter().all(|piece| piece.iov_len >= 0);
        (sound && self.vectors.iter().any(|piece| piece.iov_len > 0)).then_some(&*self.vectors)
    }

    /// The array's address. The count stays the guest's.
    pub(crate) fn host_address(&self) -> u64 {
        if self.unreadable { UNREADABLE } else { addr(&*self.vectors) }
    }
}

/// Converts the guest's array into `vectors`; false where the kernel is to find it unreadable.
fn read_vectors(pointer: GuestPtr<iovec::Guest32>, vectors: &mut [iovec::Host64]) -> bool {
    let mut guest = [iovec::Guest32::default(); 16];
    let mut at = pointer;
    for piece in vectors.chunks_mut(guest.len()) {
        let guest = &mut guest[..piece.len()];
        let got = mem::access::read_partial(at.address(), guest.as_mut_bytes()) / size_of::<iovec::Guest32>();
        for (host, guest) in piece.iter_mut().zip(&guest[..got]) {
            *host = guest.widen();
        }
        // A length that is negative is found before what cannot be read behind it (`copy_compat_iovec_from_user`).
        if guest[..got].iter().any(|vector| vector.iov_len.get() < 0) {
            return true;
        }
        if got < piece.len() {
            return false;
        }
        let bytes = u32::try_from(size_of_val(guest)).unwrap_or(u32::MAX);
        at = at.byte_add(bytes).unwrap_or(GuestPtr::new(u32::MAX));
    }
    true
}

fn vectored(thread: &mut Thread, number: u32, fd: i32, iov: GuestPtr<iovec::Guest32>, iovcnt: u32) -> SysResult {
    let vectors = IoVecs::read(iov, iovcnt)?;
    if let Some(result) = events::intercept_vectored(thread, number, fd, &vectors) {
        return result;
    }
    thread.sys(number, [int(fd), vectors.host_address(), u64::from(iovcnt)]).map(low)
}

/// readv(2).
pub(crate) fn readv(thread: &mut Thread, fd: i32, iov: GuestPtr<iovec::Guest32>, iovcnt: u32) -> SysResult {
    vectored(thread, nr::READV, fd, iov, iovcnt)
}

/// writev(2).
pub(crate) fn writev(thread: &mut Thread, fd: i32, iov: GuestPtr<iovec::Guest32>, iovcnt: u32) -> SysResult {
    vectored(thread, nr::WRITEV, fd, iov, iovcnt)
}

/// vmsplice(2).
pub(crate) fn vmsplice(thread: &mut Thread, fd: i32, iov: GuestPtr<iovec::Guest32>, nr_segs: u32, flags: u32) -> SysResult {
    let vectors = IoVecs::read(iov, nr_segs)?;
    thread.sys(nr::VMSPLICE, [int(fd), vectors.host_address(), u64::from(nr_segs), u64::from(flags)]).map(low)
}

/// The host takes the position in one register and ignores the next; a call without flags ignores the last.
fn positioned(
    thread: &mut Thread,
    number: u32,
    fd: i32,
    (iov, iovcnt): (GuestPtr<iovec::Guest32>, u32),
    position: u64,
    flags: u32,
) -> SysResult {
    /// The only flag that drivers without it do not mind.
    const RWF_HIPRI: u32 = 1;
    let vectors = IoVecs::read(iov, iovcnt)?;
    if position == u64::MAX && flags & !RWF_HIPRI == 0 {
        if let Some(result) = events::intercept_vectored(thread, number, fd, &vectors) {
            return result;
        }
    }
    thread.sys(number, [int(fd), vectors.host_address(), u64::from(iovcnt), position, 0, u64::from(flags)]).map(low)
}

/// preadv(2).
pub(crate) fn preadv(
    thread: &mut Thread,
    fd: i32,
    iov: GuestPtr<iovec::Guest32>,
    iovcnt: u32,
    offset_low: u32,
    offset_high: u32,
) -> SysResult {
    positioned(thread, nr::PREADV, fd, (iov, iovcnt), join(offset_low, offset_high), 0)
}

/// pwritev(2).
pub(crate) fn pwritev(
    thread: &mut Thread,
    fd: i32,
    iov: GuestPtr<iovec::Guest32>,
    iovcnt: u32,
    offset_low: u32,
    offset_high: u32,
) -> SysResult {
    positioned(thread, nr::PWRITEV, fd, (iov, iovcnt), join(offset_low, offset_high), 0)
}

/// preadv2(2).
pub(crate) fn preadv2(
    thread: &mut Thread,
    fd: i32,
    iov: GuestPtr<iovec::Guest32>,
    iovcnt: u32,
    offset_low: u32,
    offset_high: u32,
    flags: u32,
) -> SysResult {
    positioned(thread, nr::PREADV2, fd, (iov, iovcnt), join(offset_low, offset_high), flags)
}

/// pwritev2(2).
pub(crate) fn pwritev2(
    thread: &mut Thread,
    fd: i32,
    iov: GuestPtr<iovec::Guest32>,
    iovcnt: u32,
    offset_low: u32,
    offset_high: u32,
    flags: u32,
) -> SysResult {
    positioned(thread, nr::PWRITEV2, fd, (iov, iovcnt), join(offset_low, offset_high), flags)
}

// ---- fcntl ------------------------------------------------------------------------------------------------------------------

/// fcntl(2). A 64-bit kernel takes the commands for locks with 64-bit offsets here too: the table names `compat_sys_fcntl64`.
pub(crate) fn fcntl(thread: &mut Thread, fd: i32, cmd: u32, arg: u32) -> SysResult {
    fcntl64(thread, fd, cmd, arg)
}

/// fcntl64(2), as `do_compat_fcntl64` in `fs/fcntl.c` does it. All commands but those for record locks take what the host takes.
pub(crate) fn fcntl64(thread: &mut Thread, fd: i32, cmd: u32, arg: u32) -> SysResult {
    let host_command = match cmd {
        FcntlCommand::F_GETLK64 => FcntlCommand::F_GETLK,
        FcntlCommand::F_SETLK64 => FcntlCommand::F_SETLK,
        FcntlCommand::F_SETLKW64 => FcntlCommand::F_SETLKW,
        _ => cmd,
    };
    let call = |thread: &mut Thread, argument: u64| thread.sys(nr::FCNTL, [int(fd), u64::from(host_command), argument]);
    let short = GuestPtr::<flock::Guest32>::new(arg);
    let long = GuestPtr::<flock64::Guest32>::new(arg);
    match cmd {
        FcntlCommand::F_GETLK | FcntlCommand::F_SETLK | FcntlCommand::F_SETLKW => {
            // Not readable: the kernel looks at the descriptor first.
            let Ok(guest) = mem::read(short) else { return call(thread, UNREADABLE).map(low) };
            let mut host: flock::Host64 = guest.widen();
            let result = call(thread, addr_mut(&mut host))?;
            if cmd == FcntlCommand::F_GETLK {
                mem::write(short, &host.narrow().map_err(|overflow| thread.too_large(overflow))?)?;
            }
            Ok(low(result))
        }
        FcntlCommand::F_GETLK64
        | FcntlCommand::F_SETLK64
        | FcntlCommand::F_SETLKW64
        | FcntlCommand::F_OFD_GETLK
        | FcntlCommand::F_OFD_SETLK
        | FcntlCommand::F_OFD_SETLKW => {
            let Ok(guest) = mem::read(long) else { return call(thread, UNREADABLE).map(low) };
            let mut host: flock64::Host64 = guest.widen();
            let result = call(thread, addr_mut(&mut host))?;
            if cmd == FcntlCommand::F_GETLK64 || cmd == FcntlCommand::F_OFD_GETLK {
                mem::write(long, &host.truncate())?;
            }
            Ok(low(result))
        }
        _ => call(thread, u64::from(arg)).map(low),
    }
}

// ---- asynchronous input and output ------------------------------------------------------------------------------------------
//
// A context's id is the address of its ring of events, which the kernel maps where it maps everything for a 64-bit process. It
// lets the ring be moved, and the id with it (`aio_ring_mremap` in fs/aio.c), so the ring goes below 4 GiB, where the guest's
// libaio can read it too. Requests and events have one layout; only arrays of buffers in requests do not.

/// io_setup(2).
pub(crate) fn io_setup(thread: &mut Thread, nr_events: u32, ctx_idp: GuestPtr<ULong>) -> SysResult {
    let mut context = u64::from(mem::read(ctx_idp)?.get());
    thread.sys(nr::IO_SETUP, [u64::from(nr_events), addr_mut(&mut context)])?;
    let moved = move_ring(context).and_then(|id| {
        context = u64::from(id);
        mem::write(ctx_idp, &ULong(id))
    });
    if let Err(errno) = moved {
        let _ = uninterrupted(nr::IO_DESTROY, [context]);
        return Err(errno);
    }
    Ok(0)
}

/// Moves the ring of the context `id` below 4 GiB; the result is its new address, and so its id.
fn move_ring(id: u64) -> Result<u32, Errno> {
    const PRIVATE_ANONYMOUS_32BIT: u64 = 0x62;
    const MAYMOVE_FIXED: u64 = 3;
    let ring = usize::try_from(id).map_err(|_| Errno::ENOMEM)?;
    // `nr` of `struct aio_ring`: how many events fit behind a head of the size of an event, to the end of the last page.
    let events = core::ptr::with_exposed_provenance::<[u32; 2]>(ring);
    // SAFETY: the kernel has just mapped the ring there, and writes this field only once.
    let events = unsafe { (*events)[1] };
    let bytes = (u64::from(events) + 1) * 32;
    let place = uninterrupted(nr::MMAP, [0, bytes, 0, PRIVATE_ANONYMOUS_32BIT, u64::MAX, 0])?;
    let moved = uninterrupted(nr::MREMAP, [id, bytes, bytes, MAYMOVE_FIXED, place]);
    if moved.is_err() {
        let _ = uninterrupted(nr::MUNMAP, [place, bytes]);
    }
    u32::try_from(moved?).map_err(|_| Errno::ENOMEM)
}

/// How many requests are handed on at once.
const BATCH: usize = 64;

/// io_submit(2).
pub(crate) fn io_submit(thread: &mut Thread, ctx_id: u32, count: i32, iocbpp: GuestPtr<u8>) -> SysResult {
    let Ok(count) = u32::try_from(count) else { return Err(Errno::EINVAL) };
    if count == 0 {
        return thread.sys(nr::IO_SUBMIT, [u64::from(ctx_id), 0, UNREADABLE]).map(low);
    }
    let mut done = 0;
    while done < count {
        // As many as are passed on as they are, or one that is not.
        let mut pointers = [UNREADABLE; BATCH];
        let mut waiting = 0;
        let mut vectored = None;
        for slot in &mut pointers {
            if done + waiting == count {
                break;
            }
            let at = (done + waiting).checked_mul(4).and_then(|offset| iocbpp.byte_add(offset));
            let Some(pointer) = at.and_then(|at| mem::read::<GuestPtr<iocb::Guest32>>(at.cast()).ok()) else {
                // The kernel gets as far as here, and finds this.
                waiting += 1;
                break;
            };
            let request = mem::read(pointer).ok().filter(|request| is_vectored(request.aio_lio_opcode));
            if let Some(request) = request {
                if waiting == 0 {
                    vectored = Some((pointer, request));
                }
                break;
            }
            *slot = u64::from(pointer.address());
            waiting += 1;
        }
        let (expected, result) = match vectored {
            Some((pointer, request)) => (1, submit_vectored(thread, ctx_id, pointer, request)),
            None => (waiting, thread.sys(nr::IO_SUBMIT, [u64::from(ctx_id), u64::from(waiting), addr(&pointers)]).map(low)),
        };
        match result {
            Ok(submitted) => {
                done += submitted;
                if submitted < expected {
                    break;
                }
            }
            Err(errno) if done == 0 => return Err(errno),
            Err(_) => break,
        }
    }
    Ok(done)
}

fn is_vectored(opcode: u16) -> bool {
    const IOCB_CMD_PREADV: u16 = 7;
    const IOCB_CMD_PWRITEV: u16 = 8;
    matches!(opcode, IOCB_CMD_PREADV | IOCB_CMD_PWRITEV)
}

/// Submits a request whose buffer is an array of `struct iovec`. The kernel copies the array before it returns but remembers the
/// request by its address, so the guest's own request gets the address of the converted array, for as long as the call takes.
fn submit_vectored(thread: &mut Thread, ctx_id: u32, pointer: GuestPtr<iocb::Guest32>, request: iocb::Guest32) -> SysResult {
    const OFFSET_OF_BUF: u32 = 24;
    let field: GuestPtr<U64> = pointer.byte_add(OFFSET_OF_BUF).ok_or(Errno::EFAULT)?.cast();
    // As in the kernel, where the address is a compat_uptr_t and the count a number of 64 bits.
    let count = u32::try_from(request.aio_nbytes.get()).unwrap_or(u32::MAX);
    let vectors = IoVecs::read(GuestPtr::new(low(request.aio_buf.get())), count)?;
    mem::write(field, &U64(vectors.host_address()))?;
    let pointers = [u64::from(pointer.address())];
    let result = thread.sys(nr::IO_SUBMIT, [u64::from(ctx_id), 1, addr(&pointers)]).map(low);
    mem::write(field, &request.aio_buf)?;
    result
}

/// Reads a timeout with 32-bit times.
fn timeout32(timeout: GuestPtr<timespec::Guest32>) -> Result<Option<timespec::Host64>, Errno> {
    if timeout.is_null() { Ok(None) } else { Ok(Some(mem::read(timeout)?.widen())) }
}

/// io_getevents(2).
pub(crate) fn io_getevents(
    thread: &mut Thread,
    ctx_id: u32,
    min_nr: i32,
    count: i32,
    events: GuestPtr<u8>,
    timeout: GuestPtr<timespec::Guest32>,
) -> SysResult {
    let timeout = timeout32(timeout)?;
    let timeout = timeout.as_ref().map_or(0, addr);
    thread.sys(nr::IO_GETEVENTS, [u64::from(ctx_id), int(min_nr), int(count), u64::from(events.address()), timeout]).map(low)
}

/// io_pgetevents(2), given the address of its timeout.
fn pgetevents(
    thread: &mut Thread,
    ctx_id: u32,
    [min_nr, count]: [i32; 2],
    events: GuestPtr<u8>,
    timeout: u64,
    usig: GuestPtr<__aio_sigset::Guest32>,
) -> SysResult {
    let mask: Option<__aio_sigset::Host64> = if usig.is_null() { None } else { Some(mem::read(usig)?.widen()) };
    let mask = mask.as_ref().map_or(0, addr);
    let args = [u64::from(ctx_id), int(min_nr), int(count), u64::from(events.address()), timeout, mask];
    thread.sys(nr::IO_PGETEVENTS, args).map(low)
}

/// io_pgetevents(2) with 32-bit times.
pub(crate) fn io_pgetevents(
    thread: &mut Thread,
    ctx_id: u32,
    min_nr: i32,
    count: i32,
    events: GuestPtr<u8>,
    timeout: GuestPtr<timespec::Guest32>,
    usig: GuestPtr<__aio_sigset::Guest32>,
) -> SysResult {
    let timeout = timeout32(timeout)?;
    pgetevents(thread, ctx_id, [min_nr, count], events, timeout.as_ref().map_or(0, addr), usig)
}

/// io_pgetevents(2) with 64-bit times.
pub(crate) fn io_pgetevents_time64(
    thread: &mut Thread,
    ctx_id: u32,
    min_nr: i32,
    count: i32,
    events: GuestPtr<u8>,
    timeout: GuestPtr<timespec64::Guest32>,
    usig: GuestPtr<__aio_sigset::Guest32>,
) -> SysResult {
    let timeout = if timeout.is_null() { None } else { Some(super::time::low_nsec(mem::read(timeout)?.widen())) };
    pgetevents(thread, ctx_id, [min_nr, count], events, timeout.as_ref().map_or(0, addr), usig)
}

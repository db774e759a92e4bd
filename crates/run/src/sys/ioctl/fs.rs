//! ioctls of file systems.

use super::super::fs::host_fstat;
use super::Host;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem;
use crate::thread::Thread;
use abi::ioctl::fs::number::{FS_IOC_RESVSP, FS_IOC_RESVSP64, FS_IOC_ZERO_RANGE};
use abi::scalar::{Signed, Unsigned};
use abi::structs::Widen;
use abi::structs::ioctl::space_resv;
use abi::trace::{FallocateMode, Whence};
use abi::{Errno, GuestPtr};

/// `FS_IOC_RESVSP` and its kin. For 64-bit programs regular files alone have them, for 32-bit programs every file
/// (`compat_ioctl_preallocate` in fs/ioctl.c): what a device or a directory says is what it says to fallocate(2).
pub(super) fn preallocate(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<space_resv::Guest32>) -> SysResult {
    let mode = FallocateMode::FALLOC_FL_KEEP_SIZE
        | match request {
            FS_IOC_RESVSP | FS_IOC_RESVSP64 => 0,
            FS_IOC_ZERO_RANGE => FallocateMode::FALLOC_FL_ZERO_RANGE,
            _ => FallocateMode::FALLOC_FL_PUNCH_HOLE,
        };
    let fd = host::int(call.fd);
    let fallocate = |thread: &mut Thread, start: i64, length: i64| {
        thread.sys(nr::FALLOCATE, [fd, mode.into(), start.unsigned(), length.unsigned()]).map(host::low)
    };
    // Of nothing: never done, but it looks at the descriptor first.
    if let Err(Errno::EBADF) = fallocate(thread, 0, 0) {
        return Err(Errno::EBADF);
    }
    let range = mem::read(arg)?.widen();
    let from = match u32::try_from(range.l_whence).map_err(|_| Errno::EINVAL)? {
        Whence::SEEK_SET => 0,
        // What has no position is at its beginning.
        Whence::SEEK_CUR => thread.sys(nr::LSEEK, [fd, 0, Whence::SEEK_CUR.into()]).map_or(0, Signed::signed),
        Whence::SEEK_END => host_fstat(thread, call.fd)?.st_size,
        _ => return Err(Errno::EINVAL),
    };
    fallocate(thread, range.l_start.wrapping_add(from), range.l_len)
}

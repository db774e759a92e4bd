//! Files by name, what is known about them, directories, mounts and quotas.
//!
//! Every handler that takes a file's name gets it from [`path()`], or from [`path::to_read`] where it only looks.

use super::fd::{events, uninterrupted};
use super::input::UNREADABLE;
use crate::dispatch::SysResult;
use crate::host::{addr, addr_mut, int, join, low, nr};
use crate::mem::space::SPACE;
use crate::mem::{self, Buf};
use crate::path::{self, Last, MapsOf, PathArg};
use crate::process_view;
use crate::thread::Thread;
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::fs::{
    __old_kernel_stat, LINUX_DIRENT_NAME32, LINUX_DIRENT64_NAME, MAX_NON_LFS, fs_quota_stat, if_dqblk, linux_dirent,
    linux_dirent64, stat, stat64, statfs, statfs64, statx, ustat, utimbuf,
};
use abi::structs::fs::{file_handle, open_how};
use abi::structs::time::{timespec, timespec64, timeval};
use abi::structs::{Narrow, Widen};
use abi::trace::{OpenFlags, Whence};
use abi::{Errno, GuestPtr};
use core::mem::offset_of;
use core::sync::atomic::{AtomicBool, Ordering};
use zerocopy::{FromBytes, IntoBytes};

const AT_FDCWD: i32 = -100;
const AT_SYMLINK_NOFOLLOW: u64 = 0x100;
const S_IFMT: u32 = 0o170_000;
const S_IFDIR: u32 = 0o040_000;
const S_IFREG: u32 = 0o100_000;

/// The name at the guest's `pointer`, of something that the call makes, changes or removes.
///
/// # Errors
/// Whatever a name that has to be looked at first fails with.
#[allow(clippy::unnecessary_wraps)] // A name that is not passed on as it is may be unreadable.
pub(crate) fn path(_thread: &mut Thread, pointer: GuestPtr<u8>) -> Result<PathArg, Errno> {
    Ok(path::as_it_is(pointer))
}

/// Whether open(2) with these flags only looks. A directory that is opened as a place (`O_PATH`) may be one to make files in.
fn only_reads(flags: u32) -> bool {
    const O_ACCMODE: u32 = 3;
    let place = OpenFlags::O_PATH | OpenFlags::O_DIRECTORY;
    flags & place != place
        && (flags & OpenFlags::O_PATH != 0 || flags & (O_ACCMODE | OpenFlags::O_CREAT | OpenFlags::O_TRUNC) == 0)
}

/// The name of what open(2) opens with these flags.
fn path_to_open(thread: &mut Thread, pointer: GuestPtr<u8>, flags: u32) -> Result<PathArg, Errno> {
    if !only_reads(flags) {
        return path(thread, pointer);
    }
    path::to_read(thread, pointer, Last::keep_if(flags & OpenFlags::O_NOFOLLOW != 0))
}

/// The name of what a call with `AT_SYMLINK_NOFOLLOW` in its flags only looks at.
fn path_to_stat(thread: &mut Thread, pointer: GuestPtr<u8>, flags: u32) -> Result<PathArg, Errno> {
    path::to_read(thread, pointer, Last::keep_if(u64::from(flags) & AT_SYMLINK_NOFOLLOW != 0))
}

// ---- open -------------------------------------------------------------------------------------------------------------------

/// Whether the open file is one that `generic_file_open` refuses to a program without large-file support.
fn beyond_2_gib(fd: u32) -> bool {
    let mut host = stat::Host64::default();
    let known = uninterrupted(nr::FSTAT, [u64::from(fd), addr_mut(&mut host)]).is_ok();
    known && host.st_mode & S_IFMT == S_IFREG && host.st_size > MAX_NON_LFS
}

/// Closes `fd` again where it is a file too large for a program that did not say `O_LARGEFILE`. The host's kernel cannot tell: it
/// adds that flag itself for every 64-bit process.
fn refuse_large(fd: u32) -> SysResult {
    if beyond_2_gib(fd) {
        let _ = uninterrupted(nr::CLOSE, [u64::from(fd)]);
        return Err(Errno::EOVERFLOW);
    }
    Ok(fd)
}

/// Has the `/proc/PID/maps` of a guest that `fd` is show nothing of the supervisor, if it can be read.
fn show_guests_maps(fd: u32, flags: u32, path: &PathArg) {
    let heap = (path.maps() == Some(MapsOf::Own)).then(|| SPACE.lock().heap());
    if flags & OpenFlags::O_PATH == 0 {
        // Where there is no memory or descriptor for that, all is shown.
        let _ = process_view::show_guests_maps(fd, heap);
    }
}

/// openat(2).
pub(crate) fn openat(thread: &mut Thread, dirfd: i32, pathname: GuestPtr<u8>, flags: u32, mode: u32) -> SysResult {
    events::noticed(open_file(thread, dirfd, pathname, flags, mode))
}

fn open_file(thread: &mut Thread, dirfd: i32, pathname: GuestPtr<u8>, flags: u32, mode: u32) -> SysResult {
    let path = path_to_open(thread, pathname, flags)?;
    let name = path.host_address();
    if path.maps().is_some() {
        let fd = thread.sys(nr::OPENAT, [int(dirfd), name, u64::from(flags), u64::from(mode)]).map(low)?;
        show_guests_maps(fd, flags, &path);
        return Ok(fd);
    }
    let open =
        |thread: &mut Thread, flags: u32| thread.sys(nr::OPENAT, [int(dirfd), name, u64::from(flags), u64::from(mode)]).map(low);
    if flags & (OpenFlags::O_LARGEFILE | OpenFlags::O_PATH) != 0 {
        return open(thread, flags);
    }
    if flags & OpenFlags::O_TRUNC != 0 {
        // The kernel refuses a large file before it truncates it, so look first, and open what is large without truncating it:
        // that finds every error that comes before EOVERFLOW. Only a regular file, whose opening has no effect of its own.
        let mut host = stat::Host64::default();
        let follow = if flags & OpenFlags::O_NOFOLLOW != 0 { AT_SYMLINK_NOFOLLOW } else { 0 };
        let found = thread.sys(nr::NEWFSTATAT, [int(dirfd), name, addr_mut(&mut host), follow]).is_ok();
        if found && host.st_mode & S_IFMT == S_IFREG && host.st_size > MAX_NON_LFS {
            let fd = refuse_large(open(thread, flags & !OpenFlags::O_TRUNC)?)?;
            // It shrank meanwhile.
            let _ = uninterrupted(nr::CLOSE, [u64::from(fd)]);
        }
        return open(thread, flags);
    }
    let fd = open(thread, flags)?;
    let new = flags & (OpenFlags::O_CREAT | OpenFlags::O_EXCL) == OpenFlags::O_CREAT | OpenFlags::O_EXCL;
    if new || flags & OpenFlags::O_DIRECTORY != 0 { Ok(fd) } else { refuse_large(fd) }
}

/// open(2).
pub(crate) fn open(thread: &mut Thread, pathname: GuestPtr<u8>, flags: u32, mode: u32) -> SysResult {
    openat(thread, AT_FDCWD, pathname, flags, mode)
}

/// creat(2): `O_LARGEFILE` is implied even for a 32-bit task (`sys_creat` in `fs/open.c`).
pub(crate) fn creat(thread: &mut Thread, pathname: GuestPtr<u8>, mode: u32) -> SysResult {
    let name = path(thread, pathname)?;
    events::noticed(thread.sys(nr::CREAT, [name.host_address(), u64::from(mode)]).map(low))
}

/// openat2(2): `O_LARGEFILE` is implied, as in `creat`.
pub(crate) fn openat2(
    thread: &mut Thread,
    dirfd: i32,
    pathname: GuestPtr<u8>,
    how: GuestPtr<open_how::Guest32>,
    size: u32,
) -> SysResult {
    // A path that is confined to a directory cannot be absolute. What cannot be read the kernel finds.
    let asked = mem::read(how).ok().filter(|how| how.resolve.get() == 0);
    let flags = asked.and_then(|how| u32::try_from(how.flags.get()).ok());
    let name = path_to_open(thread, pathname, flags.unwrap_or(OpenFlags::O_CREAT))?;
    let fd = thread.sys(nr::OPENAT2, [int(dirfd), name.host_address(), u64::from(how.address()), u64::from(size)]).map(low);
    if let (Ok(fd), Some(flags), Some(_)) = (fd, flags, name.maps()) {
        show_guests_maps(fd, flags, &name);
    }
    events::noticed(fd)
}

/// open_by_handle_at(2).
pub(crate) fn open_by_handle_at(
    thread: &mut Thread,
    mount_fd: i32,
    handle: GuestPtr<file_handle::Guest32>,
    flags: u32,
) -> SysResult {
    let fd = thread.sys(nr::OPEN_BY_HANDLE_AT, [int(mount_fd), u64::from(handle.address()), u64::from(flags)]).map(low)?;
    events::noticed(if flags & (OpenFlags::O_LARGEFILE | OpenFlags::O_PATH) != 0 { Ok(fd) } else { refuse_large(fd) })
}

// ---- names ------------------------------------------------------------------------------------------------------------------

/// readlink(2).
pub(crate) fn readlink(thread: &mut Thread, pathname: GuestPtr<u8>, buf: GuestPtr<u8>, bufsiz: u32) -> SysResult {
    readlinkat(thread, AT_FDCWD, pathname, buf, bufsiz)
}

/// readlinkat(2).
pub(crate) fn readlinkat(thread: &mut Thread, dirfd: i32, pathname: GuestPtr<u8>, buf: GuestPtr<u8>, bufsiz: u32) -> SysResult {
    if let Some(result) = path::read_exe_link(thread, pathname, buf, bufsiz) {
        return result;
    }
    let name = path::to_read(thread, pathname, Last::Keep)?;
    // The size is an int: what is negative in 32 bits must stay so, to be EINVAL.
    let size = int(bufsiz.signed());
    thread.sys(nr::READLINKAT, [int(dirfd), name.host_address(), u64::from(buf.address()), size]).map(low)
}

/// access(2).
pub(crate) fn access(thread: &mut Thread, pathname: GuestPtr<u8>, mode: u32) -> SysResult {
    faccessat(thread, AT_FDCWD, pathname, mode)
}

/// faccessat(2), whose system call has no flags.
pub(crate) fn faccessat(thread: &mut Thread, dirfd: i32, pathname: GuestPtr<u8>, mode: u32) -> SysResult {
    let name = path::to_read(thread, pathname, Last::Follow)?;
    thread.sys(nr::FACCESSAT, [int(dirfd), name.host_address(), u64::from(mode)]).map(low)
}

/// faccessat2(2).
pub(crate) fn faccessat2(thread: &mut Thread, dirfd: i32, pathname: GuestPtr<u8>, mode: u32, flags: u32) -> SysResult {
    let name = path_to_stat(thread, pathname, flags)?;
    thread.sys(nr::FACCESSAT2, [int(dirfd), name.host_address(), u64::from(mode), u64::from(flags)]).map(low)
}

/// umount(2), the first: without flags.
pub(crate) fn umount(thread: &mut Thread, target: GuestPtr<u8>) -> SysResult {
    let name = path(thread, target)?;
    thread.sys(nr::UMOUNT2, [name.host_address(), 0]).map(low)
}

/// chown(2) with 16-bit ids.
pub(crate) fn chown(thread: &mut Thread, pathname: GuestPtr<u8>, owner: u32, group: u32) -> SysResult {
    let name = path(thread, pathname)?;
    thread.sys(nr::CHOWN, [name.host_address(), u64::from(owner), u64::from(group)]).map(low)
}

/// lchown(2) with 16-bit ids.
pub(crate) fn lchown(thread: &mut Thread, pathname: GuestPtr<u8>, owner: u32, group: u32) -> SysResult {
    let name = path(thread, pathname)?;
    thread.sys(nr::LCHOWN, [name.host_address(), u64::from(owner), u64::from(group)]).map(low)
}

/// fchown(2) with 16-bit ids.
pub(crate) fn fchown(thread: &mut Thread, fd: i32, owner: u32, group: u32) -> SysResult {
    thread.sys(nr::FCHOWN, [int(fd), u64::from(owner), u64::from(group)]).map(low)
}

/// truncate(2).
pub(crate) fn truncate(thread: &mut Thread, pathname: GuestPtr<u8>, length: i32) -> SysResult {
    let name = path(thread, pathname)?;
    thread.sys(nr::TRUNCATE, [name.host_address(), int(length)]).map(low)
}

/// ftruncate(2).
pub(crate) fn ftruncate(thread: &mut Thread, fd: i32, length: i32) -> SysResult {
    thread.sys(nr::FTRUNCATE, [int(fd), int(length)]).map(low)
}

/// truncate64(2).
pub(crate) fn truncate64(thread: &mut Thread, pathname: GuestPtr<u8>, length_low: u32, length_high: u32) -> SysResult {
    let name = path(thread, pathname)?;
    thread.sys(nr::TRUNCATE, [name.host_address(), join(length_low, length_high)]).map(low)
}

/// ftruncate64(2).
pub(crate) fn ftruncate64(thread: &mut Thread, fd: i32, length_low: u32, length_high: u32) -> SysResult {
    thread.sys(nr::FTRUNCATE, [int(fd), join(length_low, length_high)]).map(low)
}

/// fallocate(2).
pub(crate) fn fallocate(
    thread: &mut Thread,
    fd: i32,
    mode: u32,
    offset_low: u32,
    offset_high: u32,
    len_low: u32,
    len_high: u32,
) -> SysResult {
    thread.sys(nr::FALLOCATE, [int(fd), u64::from(mode), join(offset_low, offset_high), join(len_low, len_high)]).map(low)
}

/// fanotify_mark(2).
pub(crate) fn fanotify_mark(
    thread: &mut Thread,
    fanotify_fd: i32,
    flags: u32,
    mask_low: u32,
    mask_high: u32,
    dirfd: i32,
    pathname: GuestPtr<u8>,
) -> SysResult {
    let name = path(thread, pathname)?;
    let mask = join(mask_low, mask_high);
    thread.sys(nr::FANOTIFY_MARK, [int(fanotify_fd), u64::from(flags), mask, int(dirfd), name.host_address()]).map(low)
}

// ---- times ------------------------------------------------------------------------------------------------------------------

/// Reads the two times of the calls below, `None` meaning "now".
fn two_times<T: FromBytes + IntoBytes + Widen<H>, H>(times: GuestPtr<[T; 2]>) -> Result<Option<[H; 2]>, Errno> {
    if times.is_null() { Ok(None) } else { mem::read(times).map(|times| Some(times.map(Widen::widen))) }
}

/// Their address for the host's kernel.
fn or_null<T>(value: Option<&T>) -> u64 {
    value.map_or(0, addr)
}

/// utime(2).
pub(crate) fn utime(thread: &mut Thread, filename: GuestPtr<u8>, times: GuestPtr<utimbuf::Guest32>) -> SysResult {
    let times: Option<utimbuf::Host64> = if times.is_null() { None } else { Some(mem::read(times)?.widen()) };
    let name = path(thread, filename)?;
    thread.sys(nr::UTIME, [name.host_address(), or_null(times.as_ref())]).map(low)
}

/// utimes(2).
pub(crate) fn utimes(thread: &mut Thread, filename: GuestPtr<u8>, times: GuestPtr<[timeval::Guest32; 2]>) -> SysResult {
    futimesat(thread, AT_FDCWD, filename, times)
}

/// futimesat(2).
pub(crate) fn futimesat(
    thread: &mut Thread,
    dirfd: i32,
    pathname: GuestPtr<u8>,
    times: GuestPtr<[timeval::Guest32; 2]>,
) -> SysResult {
    let times: Option<[timeval::Host64; 2]> = two_times(times)?;
    let name = path(thread, pathname)?;
    thread.sys(nr::FUTIMESAT, [int(dirfd), name.host_address(), or_null(times.as_ref())]).map(low)
}

/// utimensat(2) with 32-bit times. `UTIME_NOW` and `UTIME_OMIT` are positive in 32 bits.
pub(crate) fn utimensat(
    thread: &mut Thread,
    dirfd: i32,
    pathname: GuestPtr<u8>,
    times: GuestPtr<[timespec::Guest32; 2]>,
    flags: u32,
) -> SysResult {
    let times: Option<[timespec::Host64; 2]> = two_times(times)?;
    let name = path(thread, pathname)?;
    thread.sys(nr::UTIMENSAT, [int(dirfd), name.host_address(), or_null(times.as_ref()), u64::from(flags)]).map(low)
}

/// utimensat(2) with 64-bit times.
pub(crate) fn utimensat_time64(
    thread: &mut Thread,
    dirfd: i32,
    pathname: GuestPtr<u8>,
    times: GuestPtr<[timespec64::Guest32; 2]>,
    flags: u32,
) -> SysResult {
    let times = two_times(times)?.map(|times| times.map(super::time::low_nsec));
    let name = path(thread, pathname)?;
    thread.sys(nr::UTIMENSAT, [int(dirfd), name.host_address(), or_null(times.as_ref()), u64::from(flags)]).map(low)
}

// ---- stat -------------------------------------------------------------------------------------------------------------------

/// The host's `stat` or `lstat`.
fn host_stat(thread: &mut Thread, number: u32, pathname: GuestPtr<u8>) -> Result<stat::Host64, Errno> {
    let name = path::to_read(thread, pathname, Last::keep_if(number == nr::LSTAT))?;
    let mut host = stat::Host64::default();
    thread.sys(number, [name.host_address(), addr_mut(&mut host)])?;
    Ok(host)
}

/// The host's `fstat`.
pub(super) fn host_fstat(thread: &mut Thread, fd: i32) -> Result<stat::Host64, Errno> {
    let mut host = stat::Host64::default();
    thread.sys(nr::FSTAT, [int(fd), addr_mut(&mut host)])?;
    Ok(host)
}

fn put_stat(statbuf: GuestPtr<stat::Guest32>, host: stat::Host64, thread: &mut Thread) -> SysResult {
    mem::write(statbuf, &stat::Guest32::from_host(host).map_err(|overflow| thread.too_large(overflow))?).map(|()| 0)
}

fn put_stat64(statbuf: GuestPtr<stat64::Guest32>, host: &stat::Host64) -> SysResult {
    const PAD: usize = 4;
    // The host's structure has one layout; the two rows of the guest's name its fields in one order each.
    let host = stat64::Host64::read_from_bytes(host.as_bytes()).map_err(|_| Errno::EFAULT)?;
    let guest = stat64::Guest32::from_host(host);
    // The kernel leaves what is between the members as it is.
    let mut at = 0;
    for end in [offset_of!(stat64::Guest32, __pad0), offset_of!(stat64::Guest32, __pad3), size_of::<stat64::Guest32>()] {
        let place = u32::try_from(at).ok().and_then(|at| statbuf.cast::<u8>().byte_add(at)).ok_or(Errno::EFAULT)?;
        mem::write_bytes(place, &guest.as_bytes()[at..end])?;
        at = end + PAD;
    }
    Ok(0)
}

fn put_old_stat(statbuf: GuestPtr<__old_kernel_stat::Guest32>, host: &stat::Host64, thread: &mut Thread) -> SysResult {
    mem::write(statbuf, &__old_kernel_stat::Guest32::from_host(host).map_err(|overflow| thread.too_large(overflow))?).map(|()| 0)
}

/// stat(2).
pub(crate) fn stat(thread: &mut Thread, pathname: GuestPtr<u8>, statbuf: GuestPtr<stat::Guest32>) -> SysResult {
    put_stat(statbuf, host_stat(thread, nr::STAT, pathname)?, thread)
}

/// lstat(2).
pub(crate) fn lstat(thread: &mut Thread, pathname: GuestPtr<u8>, statbuf: GuestPtr<stat::Guest32>) -> SysResult {
    put_stat(statbuf, host_stat(thread, nr::LSTAT, pathname)?, thread)
}

/// fstat(2).
pub(crate) fn fstat(thread: &mut Thread, fd: i32, statbuf: GuestPtr<stat::Guest32>) -> SysResult {
    put_stat(statbuf, host_fstat(thread, fd)?, thread)
}

/// stat64(2).
pub(crate) fn stat64(thread: &mut Thread, pathname: GuestPtr<u8>, statbuf: GuestPtr<stat64::Guest32>) -> SysResult {
    put_stat64(statbuf, &host_stat(thread, nr::STAT, pathname)?)
}

/// lstat64(2).
pub(crate) fn lstat64(thread: &mut Thread, pathname: GuestPtr<u8>, statbuf: GuestPtr<stat64::Guest32>) -> SysResult {
    put_stat64(statbuf, &host_stat(thread, nr::LSTAT, pathname)?)
}

/// fstat64(2).
pub(crate) fn fstat64(thread: &mut Thread, fd: i32, statbuf: GuestPtr<stat64::Guest32>) -> SysResult {
    put_stat64(statbuf, &host_fstat(thread, fd)?)
}

/// fstatat64(2).
pub(crate) fn fstatat64(
    thread: &mut Thread,
    dirfd: i32,
    pathname: GuestPtr<u8>,
    statbuf: GuestPtr<stat64::Guest32>,
    flags: u32,
) -> SysResult {
    let name = path_to_stat(thread, pathname, flags)?;
    let mut host = stat::Host64::default();
    thread.sys(nr::NEWFSTATAT, [int(dirfd), name.host_address(), addr_mut(&mut host), u64::from(flags)])?;
    put_stat64(statbuf, &host)
}

/// stat(2) as it first was.
pub(crate) fn oldstat(thread: &mut Thread, pathname: GuestPtr<u8>, statbuf: GuestPtr<__old_kernel_stat::Guest32>) -> SysResult {
    put_old_stat(statbuf, &host_stat(thread, nr::STAT, pathname)?, thread)
}

/// lstat(2) as it first was.
pub(crate) fn oldlstat(thread: &mut Thread, pathname: GuestPtr<u8>, statbuf: GuestPtr<__old_kernel_stat::Guest32>) -> SysResult {
    put_old_stat(statbuf, &host_stat(thread, nr::LSTAT, pathname)?, thread)
}

/// fstat(2) as it first was.
pub(crate) fn oldfstat(thread: &mut Thread, fd: i32, statbuf: GuestPtr<__old_kernel_stat::Guest32>) -> SysResult {
    put_old_stat(statbuf, &host_fstat(thread, fd)?, thread)
}

/// statx(2): the structure is the same.
pub(crate) fn statx(
    thread: &mut Thread,
    dirfd: i32,
    pathname: GuestPtr<u8>,
    flags: u32,
    mask: u32,
    statxbuf: GuestPtr<statx::Guest32>,
) -> SysResult {
    let name = path_to_stat(thread, pathname, flags)?;
    let buf = u64::from(statxbuf.address());
    thread.sys(nr::STATX, [int(dirfd), name.host_address(), u64::from(flags), u64::from(mask), buf]).map(low)
}

/// The host's `statfs`.
fn host_statfs(thread: &mut Thread, pathname: GuestPtr<u8>) -> Result<statfs::Host64, Errno> {
    let name = path::to_read(thread, pathname, Last::Follow)?;
    let mut host = statfs::Host64::default();
    thread.sys(nr::STATFS, [name.host_address(), addr_mut(&mut host)])?;
    Ok(host)
}

/// The host's `fstatfs`.
fn host_fstatfs(thread: &mut Thread, fd: i32) -> Result<statfs::Host64, Errno> {
    let mut host = statfs::Host64::default();
    thread.sys(nr::FSTATFS, [int(fd), addr_mut(&mut host)])?;
    Ok(host)
}

fn put_statfs(buf: GuestPtr<statfs::Guest32>, host: statfs::Host64, thread: &mut Thread) -> SysResult {
    mem::write(buf, &statfs::Guest32::from_host(host).map_err(|overflow| thread.too_large(overflow))?).map(|()| 0)
}

fn put_statfs64(buf: GuestPtr<statfs64::Guest32>, host: &statfs::Host64, thread: &mut Thread) -> SysResult {
    let host = statfs64::Host64::read_from_bytes(host.as_bytes()).map_err(|_| Errno::EFAULT)?;
    mem::write(buf, &host.narrow().map_err(|overflow| thread.too_large(overflow))?).map(|()| 0)
}

/// statfs(2).
pub(crate) fn statfs(thread: &mut Thread, pathname: GuestPtr<u8>, buf: GuestPtr<statfs::Guest32>) -> SysResult {
    put_statfs(buf, host_statfs(thread, pathname)?, thread)
}

/// fstatfs(2).
pub(crate) fn fstatfs(thread: &mut Thread, fd: i32, buf: GuestPtr<statfs::Guest32>) -> SysResult {
    put_statfs(buf, host_fstatfs(thread, fd)?, thread)
}

/// Whether the guest's idea of the size of `struct statfs64` is right.
fn check_statfs64_size(sz: u32) -> Result<(), Errno> {
    if usize::try_from(sz) == Ok(size_of::<statfs64::Guest32>()) { Ok(()) } else { Err(Errno::EINVAL) }
}

/// statfs64(2).
pub(crate) fn statfs64(thread: &mut Thread, pathname: GuestPtr<u8>, sz: u32, buf: GuestPtr<statfs64::Guest32>) -> SysResult {
    check_statfs64_size(sz)?;
    put_statfs64(buf, &host_statfs(thread, pathname)?, thread)
}

/// fstatfs64(2).
pub(crate) fn fstatfs64(thread: &mut Thread, fd: i32, sz: u32, buf: GuestPtr<statfs64::Guest32>) -> SysResult {
    check_statfs64_size(sz)?;
    put_statfs64(buf, &host_fstatfs(thread, fd)?, thread)
}

/// ustat(2).
pub(crate) fn ustat(thread: &mut Thread, dev: u32, ubuf: GuestPtr<ustat::Guest32>) -> SysResult {
    let mut host = ustat::Host64::default();
    thread.sys(nr::USTAT, [u64::from(dev), addr_mut(&mut host)])?;
    mem::write(ubuf, &host.truncate()).map(|()| 0)
}

// ---- extended attributes ----------------------------------------------------------------------------------------------------

/// getxattr(2).
pub(crate) fn getxattr(
    thread: &mut Thread,
    pathname: GuestPtr<u8>,
    name: GuestPtr<u8>,
    value: GuestPtr<u8>,
    size: u32,
) -> SysResult {
    let file = path::to_read(thread, pathname, Last::Follow)?;
    let (name, value) = (u64::from(name.address()), u64::from(value.address()));
    thread.sys(nr::GETXATTR, [file.host_address(), name, value, u64::from(size)]).map(low)
}

/// lgetxattr(2).
pub(crate) fn lgetxattr(
    thread: &mut Thread,
    pathname: GuestPtr<u8>,
    name: GuestPtr<u8>,
    value: GuestPtr<u8>,
    size: u32,
) -> SysResult {
    let file = path::to_read(thread, pathname, Last::Keep)?;
    let (name, value) = (u64::from(name.address()), u64::from(value.address()));
    thread.sys(nr::LGETXATTR, [file.host_address(), name, value, u64::from(size)]).map(low)
}

/// listxattr(2).
pub(crate) fn listxattr(thread: &mut Thread, pathname: GuestPtr<u8>, list: GuestPtr<u8>, size: u32) -> SysResult {
    let file = path::to_read(thread, pathname, Last::Follow)?;
    thread.sys(nr::LISTXATTR, [file.host_address(), u64::from(list.address()), u64::from(size)]).map(low)
}

/// llistxattr(2).
pub(crate) fn llistxattr(thread: &mut Thread, pathname: GuestPtr<u8>, list: GuestPtr<u8>, size: u32) -> SysResult {
    let file = path::to_read(thread, pathname, Last::Keep)?;
    thread.sys(nr::LLISTXATTR, [file.host_address(), u64::from(list.address()), u64::from(size)]).map(low)
}

// ---- directories ------------------------------------------------------------------------------------------------------------
//
// A position in a directory of ext4 is a hash of the name. ext4 makes it 31 bits long for a 32-bit task and 63 bits for every other
// (`hash2pos` in fs/ext4/dir.c), and cannot know that this process stands for a 32-bit task. glibc's readdir for programs without
// large-file support fails with EOVERFLOW on such a position; telldir and seekdir lose half of it. But the short position is the
// high word of the long one, so it can be made here, and made into one that leads to the same place.

/// Set once a shortened position was given to the guest: until then no `lseek` can be to one.
static SHORTENED: AtomicBool = AtomicBool::new(false);

const EXT4_SUPER_MAGIC: u64 = 0xef53;
const OVERLAYFS_SUPER_MAGIC: u64 = 0x794c_7630;

/// Longest position of a 32-bit task (`EXT4_HTREE_EOF_32BIT`).
const HASH_END_32: i64 = 0x7fff_ffff;

/// The position as a 32-bit task would have it, in a directory that has hashes.
fn shorten(position: i64) -> i64 {
    position >> 32
}

/// Whether positions beyond 32 bits in this directory are hashes of ext4. An overlay hands through those of the file system below.
fn has_hashes(fd: i32) -> bool {
    let mut host = statfs::Host64::default();
    uninterrupted(nr::FSTATFS, [int(fd), addr_mut(&mut host)]).is_ok()
        && matches!(host.f_type, EXT4_SUPER_MAGIC | OVERLAYFS_SUPER_MAGIC)
}

fn is_directory(fd: i32) -> bool {
    let mut host = stat::Host64::default();
    uninterrupted(nr::FSTAT, [int(fd), addr_mut(&mut host)]).is_ok() && host.st_mode & S_IFMT == S_IFDIR
}

/// `lseek` of the host, with the positions in directories as a 32-bit task has them.
pub(super) fn seek(thread: &mut Thread, fd: i32, offset: i64, whence: u32) -> Result<i64, Errno> {
    let mut lseek = |offset: i64, whence: u32| {
        thread.sys(nr::LSEEK, [int(fd), offset.unsigned(), whence.into()]).map(abi::scalar::Signed::signed)
    };
    let beyond =
        offset > HASH_END_32 && matches!(whence, Whence::SEEK_SET | Whence::SEEK_CUR | Whence::SEEK_DATA | Whence::SEEK_HOLE);
    let short = whence == Whence::SEEK_SET && offset > 0 && SHORTENED.load(Ordering::Relaxed);
    if (beyond || short) && is_directory(fd) && has_hashes(fd) {
        let before = lseek(0, Whence::SEEK_CUR)?;
        // A directory without an index has byte offsets; one with hashes ends at the largest of them.
        if lseek(0, Whence::SEEK_END) != Ok(i64::MAX) {
            lseek(before, Whence::SEEK_SET)?;
        } else if beyond {
            lseek(before, Whence::SEEK_SET)?;
            return Err(if matches!(whence, Whence::SEEK_SET | Whence::SEEK_CUR) { Errno::EINVAL } else { Errno::ENXIO });
        } else {
            let long = if offset == HASH_END_32 { i64::MAX } else { offset << 32 };
            return lseek(long, Whence::SEEK_SET).map(shorten);
        }
    }
    let position = lseek(offset, whence)?;
    if position > i64::from(u32::MAX) && is_directory(fd) && has_hashes(fd) { Ok(shorten(position)) } else { Ok(position) }
}

/// The entry that begins at `offset` in what the host's `getdents64` gave: its head, and its name with the NUL.
fn entry(bytes: &[u8], offset: usize) -> Option<(linux_dirent64::Host64, &[u8])> {
    let rest = bytes.get(offset..)?;
    let (head, _) = linux_dirent64::Host64::read_from_prefix(rest).ok()?;
    let name = rest.get(LINUX_DIRENT64_NAME..usize::from(head.d_reclen))?;
    let end = name.iter().position(|&byte| byte == 0)?;
    Some((head, name.get(..=end)?))
}

/// getdents64(2): the entries are the same, but for the positions in them.
pub(crate) fn getdents64(thread: &mut Thread, fd: i32, dirp: GuestPtr<u8>, count: u32) -> SysResult {
    let filled = thread.sys(nr::GETDENTS64, [int(fd), u64::from(dirp.address()), u64::from(count)]).map(low)?;
    let mut offset = 0;
    while offset < filled {
        let Some(at) = dirp.byte_add(offset) else { break };
        let head = mem::read::<linux_dirent64::Guest32>(at.cast())?;
        let position = head.d_off.get();
        // Only the first entry of an empty or unindexed directory is followed by a short position.
        if offset == 0 && (position <= i64::from(u32::MAX) || !has_hashes(fd)) {
            break;
        }
        if position > i64::from(u32::MAX) {
            SHORTENED.store(true, Ordering::Relaxed);
            let field = at.byte_add(8).ok_or(Errno::EFAULT)?;
            mem::write(field.cast(), &shorten(position))?;
        }
        match u32::from(head.d_reclen) {
            0 => break,
            length => offset += length,
        }
    }
    Ok(filled)
}

/// Rounds up to a multiple of 4.
fn align4(value: usize) -> usize {
    (value + 3) & !3
}

/// The most that is read of a directory at once.
const LARGEST_READ: usize = 128 * 1024;

/// Room for one entry of the longest name.
const LARGEST_ENTRY: usize = 280;

/// getdents(2) as `compat_filldir` in `fs/readdir.c` does it: an inode number that does not fit is `EOVERFLOW`, but only after
/// everything before it was returned; a position is cut off.
pub(crate) fn getdents(thread: &mut Thread, fd: i32, dirp: GuestPtr<u8>, count: u32) -> SysResult {
    // An `int` in the kernel, where no entry fits a negative one.
    let count = i32::try_from(count).ok().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    // An entry here is at least 8 bytes shorter than the host's, so all that fill `count` + 8 bytes fit; a single one, which may
    // be up to 12 bytes shorter, must be tried in any case.
    let room = count.saturating_add(12).clamp(LARGEST_ENTRY, LARGEST_READ);
    let mut entries = Buf::<u8>::zeroed(room)?;
    let start = thread.sys(nr::LSEEK, [int(fd), 0, 1]);
    let filled = thread.sys(nr::GETDENTS64, [int(fd), addr_mut(&mut *entries), room as u64])?;
    let filled = usize::try_from(filled).unwrap_or(0).min(room);
    let hashes = entry(&entries[..filled], 0).is_some_and(|(head, _)| head.d_off > i64::from(u32::MAX)) && has_hashes(fd);

    let mut from = 0;
    let mut to = 0;
    let mut position = start.map(abi::scalar::Signed::signed);
    let mut stopped = None;
    while let Some((head, name)) = entry(&entries[..filled], from) {
        let length = align4(LINUX_DIRENT_NAME32 + name.len() + 1);
        if length > count - to {
            stopped = Some(Errno::EINVAL);
            break;
        }
        let shown = if hashes { shorten(head.d_off) } else { head.d_off };
        let guest = linux_dirent::Host64 {
            d_ino: head.d_ino,
            d_off: shown.unsigned(),
            d_reclen: u16::try_from(length).unwrap_or(u16::MAX),
            ..Default::default()
        };
        let guest = match Narrow::<linux_dirent::Guest32>::narrow(guest) {
            Ok(guest) => guest,
            Err(overflow) => {
                stopped = Some(thread.too_large(overflow));
                break;
            }
        };
        let at = u32::try_from(to).ok().and_then(|to| dirp.byte_add(to)).ok_or(Errno::EFAULT);
        let mut bytes = [0; LARGEST_ENTRY];
        let end = LINUX_DIRENT_NAME32 + name.len();
        let bytes = bytes.get_mut(..end).ok_or(Errno::EIO)?;
        bytes[..LINUX_DIRENT_NAME32].copy_from_slice(&guest.as_bytes()[..LINUX_DIRENT_NAME32]);
        bytes[LINUX_DIRENT_NAME32..].copy_from_slice(name);
        // The kind is the last byte. What is between the name and it stays as it is.
        let put = |at: GuestPtr<u8>| {
            let last = u32::try_from(length - 1).ok().and_then(|last| at.byte_add(last)).ok_or(Errno::EFAULT)?;
            // The position is written first, and nothing where that fails.
            let position = offset_of!(linux_dirent::Guest32, d_off)..offset_of!(linux_dirent::Guest32, d_reclen);
            let there = u32::try_from(position.start).ok().and_then(|start| at.byte_add(start)).ok_or(Errno::EFAULT)?;
            mem::write_bytes(there, &bytes[position])?;
            mem::write_bytes(at, bytes)?;
            mem::write(last, &head.d_type)
        };
        if at.and_then(put).is_err() {
            stopped = Some(Errno::EFAULT);
            break;
        }
        if hashes {
            SHORTENED.store(true, Ordering::Relaxed);
        }
        position = Ok(head.d_off);
        from += usize::from(head.d_reclen);
        to += length;
    }
    if let Some(errno) = stopped {
        // Back to the entry that was not returned.
        if let Ok(position) = position {
            let _ = uninterrupted(nr::LSEEK, [int(fd), position.unsigned(), 0]);
        }
        if to == 0 {
            return Err(errno);
        }
    }
    u32::try_from(to).map_err(|_| Errno::EINVAL)
}

/// readdir(2), which is getdents of one entry with another layout, and with the position of the entry itself.
pub(crate) fn readdir(thread: &mut Thread, fd: i32, dirp: GuestPtr<linux_dirent::Guest32>, _count: u32) -> SysResult {
    let mut entries = Buf::<u8>::zeroed(LARGEST_ENTRY)?;
    let start = thread.sys(nr::LSEEK, [int(fd), 0, 1]);
    let filled = thread.sys(nr::GETDENTS64, [int(fd), addr_mut(&mut *entries), LARGEST_ENTRY as u64])?;
    let filled = usize::try_from(filled).unwrap_or(0).min(LARGEST_ENTRY);
    let Some((head, name)) = entry(&entries[..filled], 0) else { return Ok(0) };
    let start = start?.signed();
    let hashes = head.d_off > i64::from(u32::MAX) && has_hashes(fd);
    let shown = if hashes { shorten(start) } else { start };
    let guest = linux_dirent::Host64 {
        d_ino: head.d_ino,
        d_off: shown.unsigned(),
        d_reclen: u16::try_from(name.len() - 1).unwrap_or(u16::MAX),
        ..Default::default()
    };
    let guest: Result<linux_dirent::Guest32, _> = guest.narrow();
    let next = if guest.is_ok() { head.d_off } else { start };
    let _ = uninterrupted(nr::LSEEK, [int(fd), next.unsigned(), 0]);
    let mut bytes = [0; LARGEST_ENTRY];
    bytes[..LINUX_DIRENT_NAME32]
        .copy_from_slice(&guest.map_err(|overflow| thread.too_large(overflow))?.as_bytes()[..LINUX_DIRENT_NAME32]);
    let length = LINUX_DIRENT_NAME32 + name.len();
    bytes.get_mut(LINUX_DIRENT_NAME32..length).ok_or(Errno::EIO)?.copy_from_slice(name);
    mem::write_bytes(dirp.cast(), &bytes[..length])?;
    if hashes {
        SHORTENED.store(true, Ordering::Relaxed);
    }
    Ok(1)
}

// ---- quotas -----------------------------------------------------------------------------------------------------------------

/// The part of quotactl(2) and quotactl_fd(2) that is about the structure at `pointer`: `call` gets the address for the host.
fn quota(
    thread: &mut Thread,
    cmd: u32,
    pointer: GuestPtr<u8>,
    call: impl FnOnce(&mut Thread, u64) -> Result<u64, Errno>,
) -> SysResult {
    const Q_GETQUOTA: u32 = 0x80_0007;
    const Q_SETQUOTA: u32 = 0x80_0008;
    const Q_XGETQSTAT: u32 = 0x5805;
    match cmd >> 8 {
        Q_GETQUOTA => {
            let mut host = if_dqblk::Host64::default();
            call(thread, addr_mut(&mut host))?;
            mem::write(pointer.cast(), &host.truncate()).map(|()| 0)
        }
        Q_SETQUOTA => match mem::read::<if_dqblk::Guest32>(pointer.cast()) {
            Ok(guest) => call(thread, addr(&guest.widen())).map(low),
            // The kernel looks at the rest first.
            Err(_) => call(thread, UNREADABLE).map(low),
        },
        Q_XGETQSTAT => {
            let mut host = fs_quota_stat::Host64::default();
            call(thread, addr_mut(&mut host))?;
            mem::write(pointer.cast(), &host.truncate()).map(|()| 0)
        }
        _ => call(thread, u64::from(pointer.address())).map(low),
    }
}

/// quotactl(2).
pub(crate) fn quotactl(thread: &mut Thread, cmd: u32, special: GuestPtr<u8>, id: u32, pointer: GuestPtr<u8>) -> SysResult {
    let name = path(thread, special)?;
    quota(thread, cmd, pointer, |thread, address| {
        thread.sys(nr::QUOTACTL, [u64::from(cmd), name.host_address(), u64::from(id), address])
    })
}

/// quotactl_fd(2).
pub(crate) fn quotactl_fd(thread: &mut Thread, fd: i32, cmd: u32, id: u32, pointer: GuestPtr<u8>) -> SysResult {
    quota(thread, cmd, pointer, |thread, address| thread.sys(nr::QUOTACTL_FD, [int(fd), u64::from(cmd), u64::from(id), address]))
}

//! Argument types of the area `fd`.

use crate::named_arg;
use crate::scalar::Signed as _;
use crate::trace::{Arg, Call, TraceValue, When, pointer};
use crate::{GuestPtr, structs::fd};
use core::fmt::{self, Write};
use zerocopy::IntoBytes;

/// An array of `struct iovec`, whose length is argument `LEN`.
pub struct IoVecs<const LEN: usize>;
impl<const LEN: usize> Arg for IoVecs<LEN> {
    type Value = GuestPtr<fd::iovec::Guest32>;
    fn from_register(register: u32) -> Self::Value {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        array::<fd::iovec::Guest32>(call, index, call.args[LEN], out)
    }
}

/// Up to this many elements of an array are printed.
const SHOWN: u32 = 8;

/// Prints the first of the `count` elements of an array in the guest's memory, or its address where it cannot be read.
///
/// # Errors
/// Whatever `out` returns.
pub(crate) fn array<T: TraceValue + zerocopy::FromBytes + IntoBytes>(
    call: &Call<'_>,
    index: usize,
    count: u32,
    out: &mut dyn Write,
) -> fmt::Result {
    let start = call.args[index];
    let size = u32::try_from(size_of::<T>()).unwrap_or(u32::MAX);
    for i in 0..count.min(SHOWN) {
        let mut value = T::new_zeroed();
        let address = start.wrapping_add(i.wrapping_mul(size));
        if start == 0 || call.memory.read(address, value.as_mut_bytes()) < size_of::<T>() {
            if i == 0 {
                return pointer(start, out);
            }
            return write!(out, ", {address:#x}]");
        }
        out.write_str(if i == 0 { "[" } else { ", " })?;
        value.trace(out)?;
    }
    match count {
        0 => out.write_str("[]"),
        1..=SHOWN => out.write_char(']'),
        _ => out.write_str(", ...]"),
    }
}

/// The two descriptors that pipe(2) fills in.
pub struct FdPair;
impl Arg for FdPair {
    type Value = GuestPtr<[i32; 2]>;
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> Self::Value {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let mut fds = [0i32; 2];
        if call.result != Some(0) || call.memory.read(call.args[index], fds.as_mut_bytes()) < 8 {
            return pointer(call.args[index], out);
        }
        fds.trace(out)
    }
}

named_arg! {
    /// `whence` of lseek(2).
    choice Whence { SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2, SEEK_DATA = 3, SEEK_HOLE = 4 }
}
named_arg! {
    /// `cmd` of fcntl(2).
    choice FcntlCommand {
        F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4, F_GETLK = 5, F_SETLK = 6, F_SETLKW = 7, F_SETOWN = 8,
        F_GETOWN = 9, F_SETSIG = 10, F_GETSIG = 11, F_GETLK64 = 12, F_SETLK64 = 13, F_SETLKW64 = 14, F_SETOWN_EX = 15,
        F_GETOWN_EX = 16, F_GETOWNER_UIDS = 17, F_OFD_GETLK = 36, F_OFD_SETLK = 37, F_OFD_SETLKW = 38, F_SETLEASE = 1024,
        F_GETLEASE = 1025, F_NOTIFY = 1026, F_DUPFD_QUERY = 1027, F_CREATED_QUERY = 1028, F_CANCELLK = 1029, F_DUPFD_CLOEXEC = 1030,
        F_SETPIPE_SZ = 1031, F_GETPIPE_SZ = 1032, F_ADD_SEALS = 1033, F_GET_SEALS = 1034, F_GET_RW_HINT = 1035, F_SET_RW_HINT = 1036,
        F_GET_FILE_RW_HINT = 1037, F_SET_FILE_RW_HINT = 1038, F_GETDELEG = 1039, F_SETDELEG = 1040,
    }
}
/// The argument of fcntl(2), which the command before it explains.
pub struct FcntlArgument;
impl Arg for FcntlArgument {
    type Value = u32;
    // A lock may be one that the kernel fills in, and one that it reads is still there afterwards.
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        use FcntlCommand as C;
        let value = call.args[index];
        match index.checked_sub(1).map_or(u32::MAX, |command| call.args[command]) {
            C::F_GETFD | C::F_GETFL | C::F_GETOWN | C::F_GETSIG | C::F_GETLEASE | C::F_GETPIPE_SZ | C::F_GET_SEALS => Ok(()),
            C::F_SETFD => crate::trace::flag_names(value, &[("FD_CLOEXEC", 1)], out),
            C::F_SETFL => crate::trace::open_flags(value, out),
            C::F_DUPFD | C::F_DUPFD_CLOEXEC | C::F_SETOWN | C::F_SETSIG | C::F_SETPIPE_SZ => write!(out, "{}", value.signed()),
            C::F_GETLK | C::F_SETLK | C::F_SETLKW => lock::<fd::flock::Guest32>(call, index, out),
            C::F_GETLK64 | C::F_SETLK64 | C::F_SETLKW64 | C::F_OFD_GETLK | C::F_OFD_SETLK | C::F_OFD_SETLKW => {
                lock::<fd::flock64::Guest32>(call, index, out)
            }
            _ => write!(out, "{value:#x}"),
        }
    }
}

fn lock<T: TraceValue + zerocopy::FromBytes + IntoBytes>(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
    let mut value = T::new_zeroed();
    if call.memory.read(call.args[index], value.as_mut_bytes()) < size_of::<T>() {
        return pointer(call.args[index], out);
    }
    value.trace(out)
}

named_arg! {
    /// `flags` of pipe2(2) and dup3(2): those of open(2) that they take.
    flags DescriptorFlags { O_CLOEXEC = 0o2_000_000, O_NONBLOCK = 0o4000, O_DIRECT = 0o40_000, O_NOTIFICATION_PIPE = 0o200 }
}
named_arg! {
    /// `flags` of close_range(2).
    flags CloseRangeFlags { CLOSE_RANGE_UNSHARE = 2, CLOSE_RANGE_CLOEXEC = 4 }
}
named_arg! {
    /// `flags` of eventfd2(2).
    flags EventfdFlags { EFD_SEMAPHORE = 1, EFD_NONBLOCK = 0o4000, EFD_CLOEXEC = 0o2_000_000 }
}
named_arg! {
    /// `flags` of signalfd4(2).
    flags SignalfdFlags { SFD_NONBLOCK = 0o4000, SFD_CLOEXEC = 0o2_000_000 }
}
named_arg! {
    /// `flags` of memfd_create(2).
    flags MemfdFlags { MFD_CLOEXEC = 1, MFD_ALLOW_SEALING = 2, MFD_HUGETLB = 4, MFD_NOEXEC_SEAL = 8, MFD_EXEC = 16 }
}
named_arg! {
    /// `flags` of splice(2), tee(2) and vmsplice(2).
    flags SpliceFlags { SPLICE_F_MOVE = 1, SPLICE_F_NONBLOCK = 2, SPLICE_F_MORE = 4, SPLICE_F_GIFT = 8 }
}
named_arg! {
    /// `flags` of preadv2(2) and pwritev2(2).
    flags RwfFlags {
        RWF_HIPRI = 1, RWF_DSYNC = 2, RWF_SYNC = 4, RWF_NOWAIT = 8, RWF_APPEND = 0x10, RWF_NOAPPEND = 0x20, RWF_ATOMIC = 0x40,
        RWF_DONTCACHE = 0x80,
    }
}
named_arg! {
    /// `advice` of posix_fadvise(2).
    choice FadviseAdvice {
        POSIX_FADV_NORMAL = 0, POSIX_FADV_RANDOM = 1, POSIX_FADV_SEQUENTIAL = 2, POSIX_FADV_WILLNEED = 3, POSIX_FADV_DONTNEED = 4,
        POSIX_FADV_NOREUSE = 5,
    }
}
named_arg! {
    /// `flags` of sync_file_range(2).
    flags SyncFileRangeFlags { SYNC_FILE_RANGE_WAIT_BEFORE = 1, SYNC_FILE_RANGE_WRITE = 2, SYNC_FILE_RANGE_WAIT_AFTER = 4 }
}

//! `read(2)`, `fcntl(2)`, `io_submit(2)`: what is done through a file descriptor.

use crate::structs::{I64, Layout, Long, Pad, Ptr32, Row, SameLayout, U64, ULong};

abi_struct! {
    /// A piece of memory, readv(2). The length is unsigned, but one that is negative as a signed number is invalid on either side:
    /// sign-extended it stays so.
    pub struct iovec ("struct iovec" / "struct iovec" in "linux/uio.h"): 8 / 16 {
        iov_base @ 0 / 0: Ptr32;
        iov_len @ 4 / 8: Long;
    }
}

abi_struct! {
    /// An event of an input device, read from `/dev/input/event*` and written to `/dev/uinput`. The time is of two unsigned longs, and
    /// the kernel cuts what does not fit (`input_event_to_user`).
    pub struct input_event ("struct input_event" / "struct input_event" in "linux/input.h"): 16 / 24 {
        input_event_sec @ 0 / 0: ULong, truncate;
        input_event_usec @ 4 / 8: ULong, truncate;
        r#type @ 8 / 16: u16;
        code @ 10 / 18: u16;
        value @ 12 / 20: i32;
    }
}

abi_struct! {
    /// A record lock with 32-bit offsets, fcntl(2) `F_SETLK`.
    pub struct flock ("struct flock" / "struct flock" in "linux/fcntl.h"): 16 / 32 {
        l_type @ 0 / 0: i16;
        l_whence @ 2 / 2: i16;
        __pad0 @ 4 / 4: Pad<0> => Pad<4>;
        l_start @ 4 / 8: Long;
        l_len @ 8 / 16: Long, saturate;
        l_pid @ 12 / 24: i32;
        __pad1 @ 16 / 28: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// A record lock with 64-bit offsets, fcntl(2) `F_SETLK64` and `F_OFD_SETLK`.
    pub struct flock64 ("struct flock64" / "struct flock" in "linux/fcntl.h"): 24 / 32 {
        l_type @ 0 / 0: i16;
        l_whence @ 2 / 2: i16;
        __pad0 @ 4 / 4: Pad<0> => Pad<4>;
        l_start @ 4 / 8: I64;
        l_len @ 12 / 16: I64;
        l_pid @ 20 / 24: i32;
        __pad1 @ 24 / 28: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// A request for asynchronous input or output, io_submit(2).
    pub struct iocb ("struct iocb" / "struct iocb" in "linux/aio_abi.h"): 64 / 64 {
        aio_data @ 0 / 0: U64;
        aio_key @ 8 / 8: u32;
        aio_rw_flags @ 12 / 12: i32;
        aio_lio_opcode @ 16 / 16: u16;
        aio_reqprio @ 18 / 18: i16;
        aio_fildes @ 20 / 20: u32;
        aio_buf @ 24 / 24: U64;
        aio_nbytes @ 32 / 32: U64;
        aio_offset @ 40 / 40: I64;
        aio_reserved2 @ 48 / 48: U64;
        aio_flags @ 56 / 56: u32;
        aio_resfd @ 60 / 60: u32;
    }
}
impl SameLayout for iocb::Guest32 {}

abi_struct! {
    /// A completed request, io_getevents(2).
    pub struct io_event ("struct io_event" / "struct io_event" in "linux/aio_abi.h"): 32 / 32 {
        data @ 0 / 0: U64;
        obj @ 8 / 8: U64;
        res @ 16 / 16: I64;
        res2 @ 24 / 24: I64;
    }
}
impl SameLayout for io_event::Guest32 {}

abi_struct! {
    /// The signal mask of io_pgetevents(2) (`struct __aio_sigset` in `fs/aio.c`).
    pub struct __aio_sigset ("" / "" in ""): 8 / 16 {
        sigmask @ 0 / 0: Ptr32;
        sigsetsize @ 4 / 8: ULong;
    }
}

abi_struct! {
    /// A part of a file, cachestat(2). In `linux/mman.h` since Linux 6.5, which is newer than the headers it is compared with.
    pub struct cachestat_range ("" / "" in ""): 16 / 16 {
        off @ 0 / 0: U64;
        len @ 8 / 8: U64;
    }
}
impl SameLayout for cachestat_range::Guest32 {}

abi_struct! {
    /// What of it is in the page cache, cachestat(2). In `linux/mman.h` like the one above.
    pub struct cachestat ("" / "" in ""): 40 / 40 {
        nr_cache @ 0 / 0: U64;
        nr_dirty @ 8 / 8: U64;
        nr_writeback @ 16 / 16: U64;
        nr_evicted @ 24 / 24: U64;
        nr_recently_evicted @ 32 / 32: U64;
    }
}
impl SameLayout for cachestat::Guest32 {}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    iovec::Guest32::LAYOUT,
    input_event::Guest32::LAYOUT,
    flock::Guest32::LAYOUT,
    flock64::Guest32::LAYOUT,
    iocb::Guest32::LAYOUT,
    io_event::Guest32::LAYOUT,
    __aio_sigset::Guest32::LAYOUT,
    cachestat_range::Guest32::LAYOUT,
    cachestat::Guest32::LAYOUT,
];

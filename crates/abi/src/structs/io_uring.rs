//! io_uring(7): what the guest and the kernel share is the same on both sides, and these rows are the proof.

use crate::structs::{Layout, Row, SameLayout, U64};

abi_struct! {
    /// What a ring is to be, and where its parts are then, io_uring_setup(2). The offsets of the submission queue are those of its head,
    /// tail, mask, number of entries, flags, dropped requests and array of indices; then two words reserved, and an address.
    pub struct io_uring_params ("struct io_uring_params" / "struct io_uring_params" in "linux/io_uring.h"): 120 / 120 {
        sq_entries @ 0 / 0: u32;
        cq_entries @ 4 / 4: u32;
        flags @ 8 / 8: u32;
        sq_thread_cpu @ 12 / 12: u32;
        sq_thread_idle @ 16 / 16: u32;
        features @ 20 / 20: u32;
        wq_fd @ 24 / 24: u32;
        resv @ 28 / 28: [u32; 3];
        sq_off @ 40 / 40: [u32; 10];
        cq_off @ 80 / 80: [u32; 10];
    }
}
impl SameLayout for io_uring_params::Guest32 {}

abi_struct! {
    /// A request.
    pub struct io_uring_sqe ("struct io_uring_sqe" / "struct io_uring_sqe" in "linux/io_uring.h"): 64 / 64 {
        opcode @ 0 / 0: u8;
        flags @ 1 / 1: u8;
        ioprio @ 2 / 2: u16;
        fd @ 4 / 4: i32;
        off @ 8 / 8: U64;
        addr @ 16 / 16: U64;
        len @ 24 / 24: u32;
        rw_flags @ 28 / 28: u32;
        user_data @ 32 / 32: U64;
        buf_index @ 40 / 40: u16;
        personality @ 42 / 42: u16;
        splice_fd_in @ 44 / 44: i32;
        addr3 @ 48 / 48: U64;
        __pad2 @ 56 / 56: U64;
    }
}
impl SameLayout for io_uring_sqe::Guest32 {}

abi_struct! {
    /// A completed request.
    pub struct io_uring_cqe ("struct io_uring_cqe" / "struct io_uring_cqe" in "linux/io_uring.h"): 16 / 16 {
        user_data @ 0 / 0: U64;
        res @ 8 / 8: i32;
        flags @ 12 / 12: u32;
    }
}
impl SameLayout for io_uring_cqe::Guest32 {}

abi_struct! {
    /// Until when to wait, and with which mask, io_uring_enter(2) with `IORING_ENTER_EXT_ARG`. `pad` is `min_wait_usec` by now.
    pub struct io_uring_getevents_arg ("struct io_uring_getevents_arg" / "struct io_uring_getevents_arg" in "linux/io_uring.h"): 24 / 24 {
        sigmask @ 0 / 0: U64;
        sigmask_sz @ 8 / 8: u32;
        __pad @ 12 / 12: u32;
        ts @ 16 / 16: U64;
    }
}
impl SameLayout for io_uring_getevents_arg::Guest32 {}

abi_struct! {
    /// Files or buffers to register, `IORING_REGISTER_BUFFERS2`. The structure is the same; the array of `struct iovec` at `data` is not.
    pub struct io_uring_rsrc_register ("struct io_uring_rsrc_register" / "struct io_uring_rsrc_register" in "linux/io_uring.h"): 32 / 32 {
        nr @ 0 / 0: u32;
        flags @ 4 / 4: u32;
        resv2 @ 8 / 8: U64;
        data @ 16 / 16: U64;
        tags @ 24 / 24: U64;
    }
}
impl SameLayout for io_uring_rsrc_register::Guest32 {}

abi_struct! {
    /// Files or buffers to put in the place of others, `IORING_REGISTER_BUFFERS_UPDATE`.
    pub struct io_uring_rsrc_update2 ("struct io_uring_rsrc_update2" / "struct io_uring_rsrc_update2" in "linux/io_uring.h"): 32 / 32 {
        offset @ 0 / 0: u32;
        resv @ 4 / 4: u32;
        data @ 8 / 8: U64;
        tags @ 16 / 16: U64;
        nr @ 24 / 24: u32;
        resv2 @ 28 / 28: u32;
    }
}
impl SameLayout for io_uring_rsrc_update2::Guest32 {}

abi_struct! {
    /// What the kernel says of one operation, `IORING_REGISTER_PROBE`.
    pub struct io_uring_probe_op ("struct io_uring_probe_op" / "struct io_uring_probe_op" in "linux/io_uring.h"): 8 / 8 {
        op @ 0 / 0: u8;
        resv @ 1 / 1: u8;
        flags @ 2 / 2: u16;
        resv2 @ 4 / 4: u32;
    }
}
impl SameLayout for io_uring_probe_op::Guest32 {}

abi_struct! {
    /// The head of the kernel's answer to `IORING_REGISTER_PROBE`, which the operations follow.
    pub struct io_uring_probe ("struct io_uring_probe" / "struct io_uring_probe" in "linux/io_uring.h"): 16 / 16 {
        last_op @ 0 / 0: u8;
        ops_len @ 1 / 1: u8;
        resv @ 2 / 2: u16;
        resv2 @ 4 / 4: [u32; 3];
    }
}
impl SameLayout for io_uring_probe::Guest32 {}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    io_uring_params::Guest32::LAYOUT,
    io_uring_sqe::Guest32::LAYOUT,
    io_uring_cqe::Guest32::LAYOUT,
    io_uring_getevents_arg::Guest32::LAYOUT,
    io_uring_rsrc_register::Guest32::LAYOUT,
    io_uring_rsrc_update2::Guest32::LAYOUT,
    io_uring_probe_op::Guest32::LAYOUT,
    io_uring_probe::Guest32::LAYOUT,
];

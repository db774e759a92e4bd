//! `poll(2)`, `select(2)`, `epoll(7)`: waiting for file descriptors.

use crate::structs::{Layout, Ptr32, Row, SameLayout, ULong};

abi_struct! {
    /// One descriptor to wait for, poll(2).
    pub struct pollfd ("struct pollfd" / "struct pollfd" in "asm/poll.h"): 8 / 8 {
        fd @ 0 / 0: i32;
        events @ 4 / 4: u16;
        revents @ 6 / 6: u16;
    }
}
impl SameLayout for pollfd::Guest32 {}

abi_struct! {
    /// epoll_wait(2). x86-64 packs it, so that it is the same as on i386; the data is two words here, not to be aligned to 8.
    pub struct epoll_event ("struct epoll_event" / "struct epoll_event" in "linux/eventpoll.h"): 12 / 12 {
        events @ 0 / 0: u32;
        data @ 4 / 4: [u32; 2];
    }
}
impl SameLayout for epoll_event::Guest32 {}

abi_struct! {
    /// The arguments of the first `select`, which passes a pointer to them (`struct sel_arg_struct` in `fs/select.c`).
    pub struct sel_arg_struct ("" / "" in ""): 20 / 40 {
        n @ 0 / 0: ULong;
        inp @ 4 / 8: Ptr32;
        outp @ 8 / 16: Ptr32;
        exp @ 12 / 24: Ptr32;
        tvp @ 16 / 32: Ptr32;
    }
}

abi_struct! {
    /// The last argument of `pselect6` (`struct sigset_argpack` in `fs/select.c`).
    pub struct sigset_argpack ("" / "" in ""): 8 / 16 {
        p @ 0 / 0: Ptr32;
        size @ 4 / 8: ULong;
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] =
    &[pollfd::Guest32::LAYOUT, epoll_event::Guest32::LAYOUT, sel_arg_struct::Guest32::LAYOUT, sigset_argpack::Guest32::LAYOUT];

//! Argument types of the area `poll`.

use crate::named_arg;
use crate::structs::poll;
use crate::trace::fd::array;
use crate::trace::{Arg, Call, When, pointer};
use crate::{GuestPtr, trace::Memory};
use core::fmt::{self, Write};

/// An array of `struct pollfd`, whose length is argument 1. Printed after the call, with what happened.
pub struct PollFds;
impl Arg for PollFds {
    type Value = GuestPtr<poll::pollfd::Guest32>;
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> Self::Value {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        array::<poll::pollfd::Guest32>(call, index, call.args[1], out)
    }
}

/// The array that epoll_wait(2) fills in; the call's result is its length.
pub struct EpollEvents;
impl Arg for EpollEvents {
    type Value = GuestPtr<poll::epoll_event::Guest32>;
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> Self::Value {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        match call.result.map(u32::try_from) {
            Some(Ok(count)) => array::<poll::epoll_event::Guest32>(call, index, count, out),
            _ => pointer(call.args[index], out),
        }
    }
}

/// A set of descriptors of select(2) below argument 0. Prints those that are in it.
pub struct FdSet;
impl Arg for FdSet {
    type Value = GuestPtr<u32>;
    fn from_register(register: u32) -> Self::Value {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        fd_set(call.memory, call.args[index], call.args[0], out)
    }
}

/// Largest descriptor that a trace of a set looks at, as in `FD_SETSIZE`.
const FD_SETSIZE: u32 = 1024;

fn fd_set(memory: &dyn Memory, address: u32, end: u32, out: &mut dyn Write) -> fmt::Result {
    if address == 0 {
        return out.write_str("NULL");
    }
    let mut first = true;
    for fd in 0..end.min(FD_SETSIZE) {
        let mut byte = [0];
        if memory.read(address.wrapping_add(fd / 8), &mut byte) == 0 {
            return if first { pointer(address, out) } else { out.write_str(" ...]") };
        }
        if byte[0] >> (fd % 8) & 1 != 0 {
            out.write_char(if first { '[' } else { ' ' })?;
            write!(out, "{fd}")?;
            first = false;
        }
    }
    out.write_str(if first { "[]" } else { "]" })
}

named_arg! {
    /// `op` of epoll_ctl(2).
    choice EpollOperation { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL = 2, EPOLL_CTL_MOD = 3 }
}
named_arg! {
    /// `flags` of epoll_create1(2).
    flags EpollCreateFlags { EPOLL_CLOEXEC = 0o2_000_000 }
}

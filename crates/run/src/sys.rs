//! The handlers: one file per area of the table, one function per `call` row, named after it.
//!
//! Rules: check flags for unknown bits first; read guest memory in argument order and once only; all reads before all writes;
//! never a panic on a guest's value; whatever the guest waits for goes through [`crate::thread::Thread::sys`].

pub(crate) mod control;
pub(crate) mod fd;
pub(crate) mod fs;
pub(crate) mod identity;
mod input;
pub(crate) mod ioctl;
pub(crate) mod ipc;
pub(crate) mod mem;
pub(crate) mod poll;
pub(crate) mod process;
pub(crate) mod ptrace;
pub(crate) mod sched;
pub(crate) mod security;
pub(crate) mod signal;
pub(crate) mod socket;
pub(crate) mod system;
pub(crate) mod thread;
pub(crate) mod time;

//! The one description of every interface in both word sizes, from which everything else follows.
//!
//! - [`scalar`]: the guest ABI's own scalars (`Long`, `U64`, `Ptr32`, [`GuestPtr`]), with widening and narrowing;
//! - [`structs`]: a row per structure, `structs/<area>.rs`: both layouts, the conversions, the proofs of every offset;
//! - [`syscalls`]: a row per system call, `syscalls/i386.rs`: number, name, typed arguments, action, support;
//! - [`ioctl`]: a row per ioctl, `ioctl/<device>.rs`;
//! - [`cmsg`]: control messages of sockets, the one structure that is a chain;
//! - [`siginfo`]: what a signal says of itself, a union;
//! - [`dump`]: what a core dump of the supervisor says of the guest;
//! - [`user_regs`]: the registers, as tracers and core dumps have them;
//! - [`trace`]: how an argument of each type is printed.
//!
//! No I/O and no behaviour here: `run` executes the rows, everything else prints them.
#![no_std]
#![forbid(unsafe_code)]

pub mod cmsg;
pub mod dump;
pub mod errno;
pub mod ioctl;
pub mod scalar;
pub mod siginfo;
pub mod structs;
pub mod syscalls;
pub mod trace;
pub mod user_regs;

pub use errno::Errno;
pub use scalar::{GuestPtr, I64, Long, Ptr32, U64, ULong};

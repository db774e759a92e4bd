//! What belongs to one thread.

use crate::structs::{Layout, Row, SameLayout, U64};
use crate::trace::{Arg, Call};
use core::fmt::{self, Write};

abi_struct! {
    /// `struct user_desc`, set_thread_area(2) and modify_ldt(2). The bit-fields are one word:
    /// `seg_32bit`, `contents` (2 bits), `read_exec_only`, `limit_in_pages`, `seg_not_present`, `useable`.
    pub struct user_desc ("struct user_desc" / "struct user_desc" in "asm/ldt.h"): 16 / 16 {
        entry_number @ 0 / 0: u32;
        base_addr @ 4 / 4: u32;
        limit @ 8 / 8: u32;
        flags @ 12 / 12: u32;
    }
}
impl SameLayout for user_desc::Guest32 {}

abi_struct! {
    /// `struct clone_args`, clone3(2): made of 64-bit words so that it is the same everywhere.
    pub struct clone_args ("struct clone_args" / "struct clone_args" in "linux/sched.h"): 88 / 88 {
        flags @ 0 / 0: U64;
        pidfd @ 8 / 8: U64;
        child_tid @ 16 / 16: U64;
        parent_tid @ 24 / 24: U64;
        exit_signal @ 32 / 32: U64;
        stack @ 40 / 40: U64;
        stack_size @ 48 / 48: U64;
        tls @ 56 / 56: U64;
        set_tid @ 64 / 64: U64;
        set_tid_size @ 72 / 72: U64;
        cgroup @ 80 / 80: U64;
    }
}
impl SameLayout for clone_args::Guest32 {}

/// The operation of futex(2): a number and two flags.
pub struct FutexOperation;
impl Arg for FutexOperation {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        const NAMES: [&str; 14] = [
            "FUTEX_WAIT", "FUTEX_WAKE", "FUTEX_FD", "FUTEX_REQUEUE", "FUTEX_CMP_REQUEUE", "FUTEX_WAKE_OP", "FUTEX_LOCK_PI",
            "FUTEX_UNLOCK_PI", "FUTEX_TRYLOCK_PI", "FUTEX_WAIT_BITSET", "FUTEX_WAKE_BITSET", "FUTEX_WAIT_REQUEUE_PI",
            "FUTEX_CMP_REQUEUE_PI", "FUTEX_LOCK_PI2",
        ];
        let value = call.args[index];
        match usize::try_from(value & 0x7f).ok().and_then(|number| NAMES.get(number)) {
            Some(name) => out.write_str(name)?,
            None => write!(out, "{:#x}", value & 0x7f)?,
        }
        if value & 0x80 != 0 {
            out.write_str("_PRIVATE")?;
        }
        if value & 0x100 != 0 {
            out.write_str("|FUTEX_CLOCK_REALTIME")?;
        }
        Ok(())
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[user_desc::Guest32::LAYOUT, clone_args::Guest32::LAYOUT];

//! `int $0x80` as it arrives when it is not rewritten.
//!
//! A kernel without 32-bit system calls has no gate for it: general protection, SIGSEGV. One that has would make the call, so
//! syscall user dispatch (`Documentation/admin-guide/syscall-user-dispatch.rst`) is told to turn every system call from
//! below 4 GiB into SIGSYS instead. It holds per thread and does not survive fork.

use super::{Entry, lowpage};
use crate::dispatch;
use crate::host;
use crate::mem;
use crate::signal::{HostContext, SIGSEGV, SIGSYS, siginfo};
use crate::thread::Thread;
use abi::Errno;
use abi::structs::signal::SiginfoBytes;
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Whether syscall user dispatch has to be on in every thread.
static DISPATCH_NEEDED: AtomicBool = AtomicBool::new(false);
/// What the probe has seen.
static PROBE_ACCEPTED: AtomicBool = AtomicBool::new(false);
/// The entry design in use.
static ENTRY: AtomicU8 = AtomicU8::new(1);

/// The entry design in use.
pub(crate) fn design() -> Entry {
    match ENTRY.load(Ordering::Relaxed) {
        0 => Entry::Stub,
        2 => Entry::Trap,
        3 => Entry::Kernel,
        _ => Entry::Patched,
    }
}

/// Chooses the entry design.
pub(crate) fn choose(entry: Entry) {
    ENTRY.store(
        match entry {
            Entry::Stub => 0,
            Entry::Patched => 1,
            Entry::Trap => 2,
            Entry::Kernel => 3,
        },
        Ordering::Relaxed,
    );
}

/// Finds out whether the kernel makes 32-bit system calls, and keeps it from doing so. The signal handler must be in place.
///
/// # Errors
/// The kernel's errno where it makes them and cannot be kept from it: it is older than 5.11. `ENOSYS` where the kernel's own
/// entry is wanted and it has none.
pub(crate) fn start() -> Result<(), Errno> {
    let dispatch = user_dispatch(true);
    let accepted = probe();
    if design() == Entry::Kernel {
        let _ = user_dispatch(false);
        return if accepted { Ok(()) } else { Err(Errno::ENOSYS) };
    }
    if accepted {
        DISPATCH_NEEDED.store(true, Ordering::Relaxed);
        return dispatch;
    }
    // It costs every system call something, and there is nothing to keep the kernel from.
    let _ = user_dispatch(false);
    Ok(())
}

/// Switches syscall user dispatch on for the calling thread, where it is needed.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn start_thread() -> Result<(), Errno> {
    if DISPATCH_NEEDED.load(Ordering::Relaxed) { user_dispatch(true) } else { Ok(()) }
}

/// Turns every system call from below 4 GiB into SIGSYS, or no longer; the supervisor's own come from above.
fn user_dispatch(on: bool) -> Result<(), Errno> {
    const PR_SET_SYSCALL_USER_DISPATCH: u64 = 59;
    const ALLOWED_START: u64 = 1 << 32;
    const ALLOWED_LENGTH: u64 = (1 << 47) - ALLOWED_START;
    let range = if on { [ALLOWED_START, ALLOWED_LENGTH] } else { [0, 0] };
    // SAFETY: no memory is touched.
    unsafe { host::call(host::nr::PRCTL, [PR_SET_SYSCALL_USER_DISPATCH, u64::from(on), range[0], range[1], 0])? };
    Ok(())
}

/// Whether `int $0x80` reaches the kernel's 32-bit system calls: SIGSYS says that it would have, SIGSEGV that it does not.
/// Without syscall user dispatch it is a getpid that succeeds.
fn probe() -> bool {
    const GETPID: u64 = 20;
    let code: usize = lowpage::at(lowpage::PROBE) as usize;
    let result: u64;
    // SAFETY: the low page holds `int $0x80; ret` there; the signal handler steps over it where it faults.
    unsafe {
        core::arch::asm!("call {code}", code = in(reg) code, inlateout("rax") GETPID => result, clobber_abi("C"));
    }
    PROBE_ACCEPTED.load(Ordering::Relaxed) || result != GETPID
}

/// Whether `rip` is where the probe's signal arrives.
pub(crate) fn is_at_probe(rip: u64) -> bool {
    let at = u64::from(lowpage::at(lowpage::PROBE));
    (at..=at + 2).contains(&rip)
}

/// In the signal handler: whether this signal is the probe's; steps over it if so.
pub(crate) fn is_probe(signal: i32, context: &mut HostContext) -> bool {
    let at = u64::from(lowpage::at(lowpage::PROBE));
    if signal == SIGSEGV && context.ip == at {
        context.ip += 2;
        return true;
    }
    if signal == SIGSYS && context.ip == at + 2 {
        PROBE_ACCEPTED.store(true, Ordering::Relaxed);
        return true;
    }
    false
}

/// Where the `int $0x80` is that raised this signal in 32-bit code, if that is what it was.
pub(crate) fn int80_site(signal: i32, info: &SiginfoBytes, context: &HostContext) -> Option<u32> {
    const SYS_USER_DISPATCH: i32 = 2;
    const GENERAL_PROTECTION: u64 = 13;
    let rip = host::low(context.ip);
    if signal == SIGSYS && siginfo::code(info) == SYS_USER_DISPATCH {
        return Some(rip.wrapping_sub(2));
    }
    if signal != SIGSEGV || context.trapno != GENERAL_PROTECTION {
        return None;
    }
    // The error code differs between processors, and under FRED: the bytes tell. The fault is at the first of them, prefixes that
    // mean nothing included; the kernel counts back from the end, so a call is made again without them. Byte by byte, because what
    // follows the instruction may not be there.
    const LONGEST_INSTRUCTION: u32 = 15;
    let byte = |at: u32| {
        let mut byte = [0];
        (mem::access::read_partial(at, &mut byte) == 1).then_some(byte[0])
    };
    for length in 0..LONGEST_INSTRUCTION {
        let at = rip.wrapping_add(length);
        match byte(at)? {
            0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf2 | 0xf3 => {}
            0xcd if byte(at.wrapping_add(1))? == 0x80 => return Some(at),
            // Another thread may have rewritten it since it trapped.
            _ => return super::patch::is_rewritten(at).then_some(at),
        }
    }
    None
}

/// Where the call of the `int $0x80` at `site` is made again: that of `__kernel_vsyscall` from its beginning, where the unwind
/// information of the kernel's vDSO is right.
pub(crate) fn restart(site: u32) -> u32 {
    if site.wrapping_add(2) == lowpage::SYSINFO_RETURN.load(Ordering::Relaxed) {
        lowpage::SYSINFO.load(Ordering::Relaxed)
    } else {
        site
    }
}

/// What the assembly calls for a trapped `int $0x80`: rewrites it, so that it traps no more, and makes the call.
pub(crate) unsafe extern "C" fn trapped(thread: &mut Thread) {
    if design() == Entry::Patched {
        super::patch::rewrite(thread.regs.restart_eip);
    }
    // SAFETY: called by the assembly, like this function, with the thread that it runs on.
    unsafe { dispatch::dispatch(thread) };
}

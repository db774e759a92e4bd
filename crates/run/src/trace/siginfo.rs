//! A signal, as strace(1) prints it.

use crate::signal::siginfo::{Member, code, member, signo, to_guest};
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::signal::{SiginfoBytes, signal_name};
use core::fmt::{self, Write};

/// `si_code` values that belong to one signal, by number from 1 (`asm-generic/siginfo.h`).
const CODES: &[(i32, &[&str])] = &[
    (4, &["ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK"]),
    (5, &["TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH", "TRAP_HWBKPT", "TRAP_UNK", "TRAP_PERF"]),
    (7, &["BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"]),
    (8, &["FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB"]),
    (11, &["SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR"]),
    (17, &["CLD_EXITED", "CLD_KILLED", "CLD_DUMPED", "CLD_TRAPPED", "CLD_STOPPED", "CLD_CONTINUED"]),
    (29, &["POLL_IN", "POLL_OUT", "POLL_MSG", "POLL_ERR", "POLL_PRI", "POLL_HUP"]),
    (31, &["SYS_SECCOMP", "SYS_USER_DISPATCH"]),
];

fn code_name(signal: i32, code: i32) -> Option<&'static str> {
    Some(match code {
        0 => "SI_USER",
        0x80 => "SI_KERNEL",
        -1 => "SI_QUEUE",
        -2 => "SI_TIMER",
        -3 => "SI_MESGQ",
        -4 => "SI_ASYNCIO",
        -5 => "SI_SIGIO",
        -6 => "SI_TKILL",
        _ => {
            let names = CODES.iter().find(|(of, _)| *of == signal)?.1;
            usize::try_from(code).ok().and_then(|code| names.get(code.wrapping_sub(1)))?
        }
    })
}

/// Prints `{si_signo=…, si_code=…, …}` as the guest sees it.
///
/// # Errors
/// Whatever `out` returns.
pub(super) fn describe(host: &SiginfoBytes, out: &mut dyn Write) -> fmt::Result {
    let (signal, code, guest) = (signo(host), code(host), to_guest(host));
    let word = |at: usize| u32::from_le_bytes([guest[at], guest[at + 1], guest[at + 2], guest[at + 3]]);
    let int = |at: usize| word(at).signed();
    out.write_str("{si_signo=")?;
    signal_name(signal.unsigned(), out)?;
    match code_name(signal, code) {
        Some(name) => write!(out, ", si_code={name}")?,
        None => write!(out, ", si_code={code}")?,
    }
    let errno = int(4);
    if errno != 0 {
        write!(out, ", si_errno={errno}")?;
    }
    match member(signal, code) {
        // Nothing but the code: the kernel says nothing of who.
        Member::Kill if code == 0x80 => {}
        Member::Kill => write!(out, ", si_pid={}, si_uid={}", int(12), word(16))?,
        Member::Timer => write!(out, ", si_timerid={:#x}, si_overrun={}, si_value={:#x}", word(12), int(16), word(20))?,
        Member::Poll => write!(out, ", si_band={}, si_fd={}", int(12), int(16))?,
        Member::Fault | Member::BusMce | Member::Bounds | Member::ProtectionKey | Member::PerfEvent => {
            if word(12) == 0 {
                out.write_str(", si_addr=NULL")?;
            } else {
                write!(out, ", si_addr={:#x}", word(12))?;
            }
        }
        Member::Child => {
            write!(out, ", si_pid={}, si_uid={}, si_status=", int(12), word(16))?;
            if code == 1 { write!(out, "{}", int(20)) } else { signal_name(word(20), out) }?;
            write!(out, ", si_utime={}, si_stime={}", int(24), int(28))?;
        }
        // What tkill(2) sends has no value.
        Member::Rt if code == -6 => write!(out, ", si_pid={}, si_uid={}", int(12), word(16))?,
        Member::Rt => write!(out, ", si_pid={}, si_uid={}, si_value={:#x}", int(12), word(16), word(20))?,
        Member::Sys => write!(out, ", si_call_addr={:#x}, si_syscall={}, si_arch={:#x}", word(12), int(16), word(20))?,
    }
    out.write_char('}')
}

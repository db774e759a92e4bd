//! `siginfo_t` between the two widths: a union whose member is told by signal and code
//! (`siginfo_layout` in `kernel/signal.c`, `copy_siginfo_to_external32`).
//!
//! The first three words are the same on both sides; the union begins at 12 in the guest and at 16 on the host.

use crate::structs::signal::SiginfoBytes;

/// The member of the union that is in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// Sent by a process: its id, and its user's.
    Kill,
    /// A timer's: its id, overruns and value.
    Timer,
    /// A descriptor's: what has happened, and its number.
    Poll,
    /// A fault's: the address.
    Fault,
    /// A memory error's: the address, and how much is concerned.
    BusMce,
    /// A bound's: the address, and both bounds.
    Bounds,
    /// A protection key's: the address and the key.
    ProtectionKey,
    /// A performance event's: the address, its data, type and flags.
    PerfEvent,
    /// A child's: its id, user, status and times.
    Child,
    /// Queued: who did, and the value.
    Rt,
    /// A system call's: where it is, its number and architecture.
    Sys,
}

const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;
const SIGCHLD: i32 = 17;
const SIGIO: i32 = 29;
const SIGSYS: i32 = 31;

const SI_USER: i32 = 0;
const SI_KERNEL: i32 = 0x80;
const SI_TIMER: i32 = -2;
const SI_SIGIO: i32 = -5;

/// Which member of the union a signal uses.
#[must_use]
pub fn member(signal: i32, code: i32) -> Member {
    if code > SI_USER && code < SI_KERNEL {
        match (signal, code) {
            (SIGBUS, 4 | 5) => Member::BusMce,
            (SIGSEGV, 3) => Member::Bounds,
            (SIGSEGV, 4) => Member::ProtectionKey,
            (SIGTRAP, 6) => Member::PerfEvent,
            (SIGILL | SIGTRAP | SIGBUS | SIGFPE | SIGSEGV, _) => Member::Fault,
            (SIGCHLD, 1..=6) => Member::Child,
            (SIGSYS, 1..=2) => Member::Sys,
            (SIGIO, _) | (_, 1..=6) => Member::Poll,
            _ => Member::Kill,
        }
    } else {
        match code {
            SI_TIMER => Member::Timer,
            SI_SIGIO => Member::Poll,
            code if code < 0 => Member::Rt,
            _ => Member::Kill,
        }
    }
}

fn word(bytes: &SiginfoBytes, at: usize) -> [u8; 4] {
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}

/// The signal's number.
#[must_use]
pub fn signo(info: &SiginfoBytes) -> i32 {
    i32::from_le_bytes(word(info, 0))
}

/// Why it was sent.
#[must_use]
pub fn code(info: &SiginfoBytes) -> i32 {
    i32::from_le_bytes(word(info, 8))
}

/// Where each word of the union is: (offset in the guest, offset on the host). A pointer or a long is narrowed by taking its low
/// word, which is what the kernel does.
fn words(member: Member) -> &'static [(usize, usize)] {
    match member {
        Member::Kill => &[(12, 16), (16, 20)],
        Member::Timer => &[(12, 16), (16, 20), (20, 24)],
        Member::Poll => &[(12, 16), (16, 24)],
        Member::Fault => &[(12, 16)],
        Member::BusMce => &[(12, 16), (16, 24)],
        Member::Bounds => &[(12, 16), (20, 32), (24, 40)],
        Member::ProtectionKey => &[(12, 16), (20, 32)],
        Member::PerfEvent => &[(12, 16), (16, 24), (20, 32), (24, 36)],
        Member::Child => &[(12, 16), (16, 20), (20, 24), (24, 32), (28, 40)],
        Member::Rt => &[(12, 16), (16, 20), (20, 24)],
        Member::Sys => &[(12, 16), (16, 24), (20, 28)],
    }
}

/// In the code of a signal that a process has queued for itself, with a code that only the kernel gives: a fault's. Only the
/// supervisor, which looks at the sign to tell what the processor has raised, ever sees it.
const QUEUED: i32 = i32::MIN;

/// Where the host's form has four bytes without a meaning, which the kernel passes on, and what is there beside [`QUEUED`].
const PADDING: core::ops::Range<usize> = 12..16;
const IS_QUEUED: [u8; 4] = [1, 0, 0, 0];

/// Makes what a thread queues for itself a signal that was sent, whatever its code says.
pub fn mark_queued(host: &mut SiginfoBytes) {
    let code = code(host);
    if code > SI_USER {
        host[8..12].copy_from_slice(&(code | QUEUED).to_le_bytes());
        host[PADDING].copy_from_slice(&IS_QUEUED);
    }
}

/// The code as the guest knows it.
fn guest_code(host: &SiginfoBytes) -> i32 {
    let code = code(host);
    if code < 0 && host[PADDING] == IS_QUEUED { code & !QUEUED } else { code }
}

/// The guest's form.
#[must_use]
pub fn to_guest(host: &SiginfoBytes) -> SiginfoBytes {
    let mut guest = [0; 128];
    let code = guest_code(host);
    guest[..12].copy_from_slice(&host[..12]);
    guest[8..12].copy_from_slice(&code.to_le_bytes());
    for &(to, from) in words(member(signo(host), code)) {
        guest[to..to + 4].copy_from_slice(&host[from..from + 4]);
    }
    guest
}

/// The host's form of what the guest queues (`copy_siginfo_from_user32`).
#[must_use]
pub fn to_host(guest: &SiginfoBytes) -> SiginfoBytes {
    let mut host = [0; 128];
    host[..12].copy_from_slice(&guest[..12]);
    for &(from, to) in words(member(signo(guest), code(guest))) {
        host[to..to + 4].copy_from_slice(&guest[from..from + 4]);
    }
    host
}

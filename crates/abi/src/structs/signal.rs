//! `signal(7)`: dispositions, alternate stacks, and what the kernel puts on the stack of a handler.
//!
//! The frames have no counterpart to convert to: they are built from the registers. `siginfo_t` is a union that is converted by
//! its code, in `run/src/signal/siginfo.rs`.

use crate::scalar::Signed as _;
use crate::named_arg;
use crate::scalar::GuestPtr;
use crate::trace::{Arg, Call, TraceValue, When};
use core::fmt::{self, Write};
use crate::structs::{Layout, Pad, Ptr32, Row, U64, ULong};
use zerocopy::{FromBytes, Immutable, IntoBytes};

abi_struct! {
    /// `struct kernel_sigaction` as rt_sigaction(2) takes it; `compat_sigaction` in the kernel.
    pub struct sigaction ("" / "" in "asm/signal.h"): 20 / 32 {
        handler @ 0 / 0: Ptr32;
        flags @ 4 / 8: ULong;
        restorer @ 8 / 16: Ptr32;
        mask @ 12 / 24: U64;
    }
}

abi_struct! {
    /// `stack_t`, sigaltstack(2).
    pub struct sigaltstack ("struct sigaltstack" / "struct sigaltstack" in "asm/signal.h"): 12 / 24 {
        ss_sp @ 0 / 0: Ptr32;
        ss_flags @ 4 / 8: i32;
        __pad @ 8 / 12: Pad<0> => Pad<4>;
        ss_size @ 8 / 16: ULong;
    }
}

/// `struct old_sigaction`, sigaction(2) of the first Linux: the mask has 32 bits and stands second.
#[derive(Clone, Copy, Default, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct OldSigaction {
    pub handler: u32,
    pub mask: u32,
    pub flags: u32,
    pub restorer: u32,
}

/// `struct sigcontext` of i386 (`asm/sigcontext.h`, `struct sigcontext_32`).
#[derive(Clone, Copy, Default, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Sigcontext {
    pub gs: u32,
    pub fs: u32,
    pub es: u32,
    pub ds: u32,
    pub edi: u32,
    pub esi: u32,
    pub ebp: u32,
    pub esp: u32,
    pub ebx: u32,
    pub edx: u32,
    pub ecx: u32,
    pub eax: u32,
    pub trapno: u32,
    pub err: u32,
    pub eip: u32,
    pub cs: u32,
    pub eflags: u32,
    pub esp_at_signal: u32,
    pub ss: u32,
    pub fpstate: u32,
    pub oldmask: u32,
    pub cr2: u32,
}

/// The frame of a handler without `SA_SIGINFO`, `struct sigframe_ia32` (`arch/x86/include/asm/sigframe.h`).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Sigframe {
    pub pretcode: u32,
    pub sig: u32,
    pub sc: Sigcontext,
    /// `struct _fpstate_32`, once used and still there.
    pub fpstate_unused: [u32; 156],
    /// The upper half of the mask; the lower is `sc.oldmask`.
    pub extramask: u32,
    pub retcode: [u8; 8],
}

/// `siginfo_t` as 128 bytes.
pub type SiginfoBytes = [u8; 128];

/// `struct ucontext` of i386 (`struct ucontext_ia32`).
#[derive(Clone, Copy, Default, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Ucontext {
    pub flags: u32,
    pub link: u32,
    pub stack: sigaltstack::Guest32,
    pub mcontext: Sigcontext,
    pub sigmask: U64,
}

/// The frame of a handler with `SA_SIGINFO`, `struct rt_sigframe_ia32`.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct RtSigframe {
    pub pretcode: u32,
    pub sig: u32,
    pub pinfo: u32,
    pub puc: u32,
    pub info: SiginfoBytes,
    pub uc: Ucontext,
    pub retcode: [u8; 8],
}

const _: () = {
    assert!(size_of::<Sigcontext>() == 88);
    assert!(size_of::<Sigframe>() == 8 + 88 + 624 + 4 + 8);
    assert!(size_of::<RtSigframe>() == 16 + 128 + 20 + 88 + 8 + 8);
};

/// The names of the standard signals, `signal(7)`.
const NAMES: [&str; 31] = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS"];

/// Prints a signal's name.
///
/// # Errors
/// Whatever `out` returns.
pub fn signal_name(signal: u32, out: &mut dyn Write) -> fmt::Result {
    let name = usize::try_from(signal).ok().and_then(|signal| NAMES.get(signal.wrapping_sub(1)));
    match (name, signal) {
        (Some(name), _) => out.write_str(name),
        (None, 32..=64) => write!(out, "SIGRT_{}", signal - 32),
        (None, _) => write!(out, "{signal}"),
    }
}

/// A signal's number.
pub struct Signal;
impl Arg for Signal {
    type Value = i32;
    fn from_register(register: u32) -> i32 {
        register.signed()
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        signal_name(call.args[index], out)
    }
}

named_arg! { /** How sigprocmask(2) changes the mask. */ choice MaskHow { SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2 } }

fn trace_set(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
    let mut bytes = [0; 8];
    if call.args[index] == 0 || call.memory.read(call.args[index], &mut bytes) < 8 {
        return GuestPtr::<u8>::new(call.args[index]).trace(out);
    }
    let set = u64::from_le_bytes(bytes);
    // Nearly everything: what is missing is shorter to read.
    let inverted = set.count_ones() > 32;
    out.write_str(if inverted { "~[" } else { "[" })?;
    let shown = if inverted { !set } else { set };
    let mut first = true;
    for signal in 1..=64u32 {
        if shown & 1 << (signal - 1) != 0 {
            if !first {
                out.write_char(' ')?;
            }
            signal_name(signal, out)?;
            first = false;
        }
    }
    out.write_char(']')
}

macro_rules! set_arg {
    ($(#[$doc:meta] $t:ident $when:ident;)*) => { $(
        #[$doc]
        pub struct $t;
        impl Arg for $t {
            type Value = GuestPtr<U64>;
            const WHEN: When = When::$when;
            fn from_register(register: u32) -> GuestPtr<U64> { GuestPtr::new(register) }
            fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result { trace_set(call, index, out) }
        }
    )* };
}
set_arg! {
    /// A signal set that the kernel reads.
    InSet Entry;
    /// A signal set that the kernel fills.
    OutSet Exit;
}

impl TraceValue for OldSigaction {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{{sa_handler={:#x}, sa_mask={:#x}, sa_flags={:#x}}}", self.handler, self.mask, self.flags)
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[sigaction::Guest32::LAYOUT, sigaltstack::Guest32::LAYOUT];

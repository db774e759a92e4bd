//! Into 32-bit code and back.
//!
//! The processor runs 32-bit code in compatibility mode when the code segment is 0x23, which the kernel keeps in the GDT whether
//! or not it accepts 32-bit system calls. A far jump to segment 0x33 comes back. r8 to r15 survive compatibility mode (as
//! Wine relies on too); r15 holds the [`crate::thread::Thread`] while the guest runs.
//!
//! [`entry`] is the assembly of both directions, [`lowpage`] the few instructions below 4 GiB that a 32-bit far
//! jump can reach, [`cross`] calls between a program and a guest that is its library, [`patch`] the rewriting of `int $0x80`, [`trap`] the same instruction unrewritten.

pub(crate) mod cross;
pub(crate) mod decode;
pub(crate) mod entry;
pub(crate) mod lowpage;
pub(crate) mod patch;
pub(crate) mod trap;

pub(crate) use entry::{biarch_safe_syscall, enter};

/// Code segment of 32-bit user code, `__USER32_CS` (`arch/x86/include/asm/segment.h`).
pub(crate) const USER32_CS: u16 = 0x23;
/// Code segment of 64-bit user code, `__USER_CS`.
pub(crate) const USER_CS: u16 = 0x33;
/// Data and stack segment, `__USER_DS`.
pub(crate) const USER_DS: u16 = 0x2b;

/// How the guest's system calls reach the supervisor (`--entry`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// `__kernel_vsyscall` is our stub; `int $0x80` traps.
    Stub,
    /// As `Stub`, and an `int $0x80` is rewritten after its first trap to reach the stub. The default.
    Patched,
    /// Everything is an `int $0x80` that traps.
    Trap,
    /// The kernel's own 32-bit entry, where it exists. For comparison only: the guest then makes 32-bit system calls.
    Kernel,
}

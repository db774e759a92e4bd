//! System calls to the host's kernel. The only way out of the supervisor.
//!
//! [`call`] goes straight to the kernel. What a guest waits for goes through [`crate::thread::Thread::sys`] instead,
//! which a signal interrupts even when it arrives just before the kernel is entered.
//!
//! Nothing here touches `errno` or any other thread-local variable: guest threads share the first thread's, or have none.

use abi::Errno;
use abi::scalar::Unsigned as _;
pub(crate) use abi::scalar::low;
use core::arch::asm;

/// Numbers of the host's system calls (`arch/x86/entry/syscalls/syscall_64.tbl`).
#[allow(missing_docs, dead_code)]
pub(crate) mod nr {
    include!("host_numbers.rs");
}

/// Makes the host's system call `number`.
///
/// # Safety
/// The arguments must be what that call expects, and whatever it does to memory must be sound: a guest's memory may be
/// written at will, the supervisor's only where `args` points at storage that outlives the call.
///
/// # Errors
/// The kernel's errno.
#[inline]
pub(crate) unsafe fn call<const N: usize>(number: u32, args: [u64; N]) -> Result<u64, Errno> {
    const { assert!(N <= 6) };
    let mut all = [0; 6];
    all[..N].copy_from_slice(&args);
    let result: u64;
    // SAFETY: the caller vouches for the call; the kernel clobbers rcx and r11 only.
    unsafe {
        asm!("syscall", inlateout("rax") u64::from(number) => result, in("rdi") all[0], in("rsi") all[1], in("rdx") all[2],
             in("r10") all[3], in("r8") all[4], in("r9") all[5], lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    check(result)
}

/// Splits the kernel's return value into result and errno: -4095 to -1 are errors (`IS_ERR_VALUE`).
///
/// # Errors
/// The errno, where `result` is one.
#[inline]
pub(crate) fn check(result: u64) -> Result<u64, Errno> {
    let negated = result.wrapping_neg();
    match u16::try_from(negated) {
        Ok(number @ 1..=4095) => Err(Errno(number)),
        _ => Ok(result),
    }
}

/// Sign-extends an `int` to a register.
#[inline]
pub(crate) fn int(value: i32) -> u64 {
    i64::from(value).unsigned()
}

/// Joins a 64-bit argument that i386 passes in two registers, low half first.
#[inline]
pub(crate) fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The address of a piece of the supervisor's memory, as a system call argument.
#[inline]
pub(crate) fn addr<T: ?Sized>(value: &T) -> u64 {
    core::ptr::from_ref(value).cast::<u8>().expose_provenance() as u64
}

/// The address of a piece of the supervisor's memory that the kernel will write, as a system call argument.
#[inline]
pub(crate) fn addr_mut<T: ?Sized>(value: &mut T) -> u64 {
    core::ptr::from_mut(value).cast::<u8>().expose_provenance() as u64
}

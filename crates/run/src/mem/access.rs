//! Reading and writing the guest's memory: the only place that does, and it returns `EFAULT` where nothing is mapped,
//! as the kernel's `copy_from_user` and `copy_to_user` do.
//!
//! The copy is one instruction between two labels. When it faults, the signal handler finds its address between them and
//! continues at the fix-up ([`fixup`]), as the kernel's exception table does; `rep movsb` leaves in rcx how many bytes
//! are still to be copied.

use abi::{Errno, GuestPtr};
use core::arch::global_asm;
use zerocopy::{FromBytes, Immutable, IntoBytes};

global_asm!(
    ".globl biarch_copy, biarch_copy_insn, biarch_copy_end, biarch_cmpxchg_insn",
    "biarch_copy:", // (rdi: to, rsi: from, rdx: bytes) -> rax: bytes not copied
    "mov rcx, rdx",
    "biarch_copy_insn:",
    "rep movsb",
    "biarch_copy_end:",
    "mov rax, rcx",
    "ret",
    // (rdi: address, esi: expected, edx: new) -> rax: 0 not equal, 1 exchanged, 2 fault
    ".globl biarch_cmpxchg, biarch_cmpxchg_fault",
    "biarch_cmpxchg:",
    "mov eax, esi",
    "biarch_cmpxchg_insn:",
    "lock cmpxchg dword ptr [rdi], edx",
    "sete al",
    "movzx eax, al",
    "ret",
    "biarch_cmpxchg_fault:",
    "mov eax, 2",
    "ret",
);

unsafe extern "C" {
    fn biarch_copy(to: u64, from: u64, bytes: usize) -> usize;
    fn biarch_cmpxchg(address: u64, expected: u32, new: u32) -> u32;
    static biarch_cmpxchg_insn: u8;
    static biarch_cmpxchg_fault: u8;
    static biarch_copy_insn: u8;
    static biarch_copy_end: u8;
}

/// Where to continue after a fault at the supervisor's instruction `rip`, if that instruction may fault.
pub(crate) fn fixup(rip: u64) -> Option<u64> {
    let pairs = [
        (&raw const biarch_copy_insn, &raw const biarch_copy_end),
        (&raw const biarch_cmpxchg_insn, &raw const biarch_cmpxchg_fault),
    ];
    pairs.into_iter().find(|(insn, _)| rip == insn.addr() as u64).map(|(_, fixup)| fixup.addr() as u64)
}

/// Puts `new` at `pointer` if `expected` is there; returns whether it was.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn compare_exchange(pointer: GuestPtr<u32>, expected: u32, new: u32) -> Result<bool, Errno> {
    // SAFETY: below 4 GiB only the guest's memory is, and a fault is mended.
    match unsafe { biarch_cmpxchg(u64::from(pointer.address()), expected, new) } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Errno::EFAULT),
    }
}

/// Whether a byte can be written; what is there stays.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn check_writable(address: GuestPtr<u8>) -> Result<(), Errno> {
    // Of the aligned word around it, which is in one cache line. If that is zero it becomes zero.
    compare_exchange(GuestPtr::new(address.address() & !3), 0, 0).map(|_| ())
}

/// Copies `out.len()` bytes from the guest's `address`; returns how many there were before an unmapped one.
pub(crate) fn read_partial(address: u32, out: &mut [u8]) -> usize {
    let wanted = out.len().min(room(address));
    // SAFETY: the destination is `out`; the source is below 4 GiB, where only the guest's memory is, and a fault is mended.
    wanted - unsafe { biarch_copy(crate::host::addr_mut(out), u64::from(address), wanted) }
}

/// Copies bytes from where the kernel has put something above 4 GiB, and may have taken it away.
///
/// # Errors
/// `EFAULT` where not all of it is mapped and readable.
pub(crate) fn read_host(address: u64, out: &mut [u8]) -> Result<(), Errno> {
    // SAFETY: the destination is `out`, and a fault on the source is mended.
    let left = unsafe { biarch_copy(crate::host::addr_mut(out), address, out.len()) };
    if left == 0 { Ok(()) } else { Err(Errno::EFAULT) }
}

/// How many bytes there are from `address` to 4 GiB.
fn room(address: u32) -> usize {
    usize::try_from((1u64 << 32) - u64::from(address)).unwrap_or(usize::MAX)
}

/// Copies bytes from the guest.
///
/// # Errors
/// `EFAULT` where not all of it is mapped and readable.
pub(crate) fn read_bytes(address: GuestPtr<u8>, out: &mut [u8]) -> Result<(), Errno> {
    if read_partial(address.address(), out) == out.len() { Ok(()) } else { Err(Errno::EFAULT) }
}

/// Copies bytes to the guest.
///
/// # Errors
/// `EFAULT` where not all of it is mapped and writable; what came before the fault is written, as in the kernel.
pub(crate) fn write_bytes(address: GuestPtr<u8>, bytes: &[u8]) -> Result<(), Errno> {
    const WORD: usize = 4;
    const PAGE: u32 = 4096;
    if bytes.len() > room(address.address()) {
        return Err(Errno::EFAULT);
    }
    let to_page_end = usize::try_from(PAGE - address.address() % PAGE).unwrap_or(0);
    if let (true, Some((head, tail))) = (bytes.len() <= WORD && to_page_end < bytes.len(), bytes.split_at_checked(to_page_end)) {
        // The kernel stores a word with one instruction (`put_user`): all of it or nothing.
        check_writable(address)?;
        write_bytes(address.byte_add(PAGE - address.address() % PAGE).ok_or(Errno::EFAULT)?, tail)?;
        return write_bytes(address, head);
    }
    // SAFETY: the source is `bytes`; the destination is below 4 GiB, the guest's memory, and a fault is mended.
    let left = unsafe { biarch_copy(u64::from(address.address()), crate::host::addr(bytes), bytes.len()) };
    if left == 0 { Ok(()) } else { Err(Errno::EFAULT) }
}

/// Reads a `T`.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn read<T: FromBytes + IntoBytes>(pointer: GuestPtr<T>) -> Result<T, Errno> {
    let mut value = T::new_zeroed();
    read_bytes(pointer.cast(), value.as_mut_bytes())?;
    Ok(value)
}

/// Writes a `T`.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn write<T: IntoBytes + Immutable>(pointer: GuestPtr<T>, value: &T) -> Result<(), Errno> {
    write_bytes(pointer.cast(), value.as_bytes())
}

/// Reads an array.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn read_slice<T: FromBytes + IntoBytes>(pointer: GuestPtr<T>, out: &mut [T]) -> Result<(), Errno> {
    read_bytes(pointer.cast(), out.as_mut_bytes())
}

/// Writes an array.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn write_slice<T: IntoBytes + Immutable>(pointer: GuestPtr<T>, values: &[T]) -> Result<(), Errno> {
    write_bytes(pointer.cast(), values.as_bytes())
}

/// Reads a NUL-terminated string into `out`; the result includes the NUL.
///
/// # Errors
/// `EFAULT` where it runs into unmapped memory, `ENAMETOOLONG` where it does not end within `out` (as `getname` says).
pub(crate) fn read_cstr(address: GuestPtr<u8>, out: &mut [u8]) -> Result<&[u8], Errno> {
    let mut have = 0;
    while have < out.len() {
        // Page by page, so that a short string at the end of a mapping costs no fault.
        let at = u64::from(address.address()) + have as u64;
        let to_page_end = usize::try_from(4096 - at % 4096).unwrap_or(4096);
        let piece = to_page_end.min(out.len() - have).min(256);
        let Ok(at) = u32::try_from(at) else { return Err(Errno::EFAULT) };
        let got = read_partial(at, &mut out[have..have + piece]);
        if let Some(end) = out[have..have + got].iter().position(|&byte| byte == 0) {
            return Ok(&out[..=have + end]);
        }
        if got < piece {
            return Err(Errno::EFAULT);
        }
        have += piece;
    }
    Err(Errno::ENAMETOOLONG)
}

//! The few instructions below 4 GiB that lead from 32-bit code to the supervisor.
//!
//! They live in two pages of the guest's address space, next to the vDSO and like it: mapped first, readable, not writable.
//!
//! ```text
//! offset 0x00  32-bit: ljmp $0x33, 0x40; ret       a __kernel_vsyscall for where there is no vDSO to hold it
//!        0x10  32-bit: a __kernel_sigreturn
//!        0x20  32-bit: a __kernel_rt_sigreturn
//!        0x40  64-bit: jmp to the supervisor's entry for the stub
//!        0x50  64-bit: jmp to the supervisor's entry for rewritten sites, for sigreturn
//!        0x60  64-bit: int $0x80; ret              to find out what it does
//!        0x66  32-bit: call *%eax; ljmp $0x33, 0x90   how the host calls a function of the guest
//!        0x6f  32-bit: ret                        how a function of the host returns to the guest
//!        0x70  32-bit: ljmp $0x33, 0xa0           where the functions of the host lead that the guest can call
//!        0x80  the address of the supervisor's entry for the stub
//!        0x88  the address of the supervisor's entry for rewritten sites
//!        0x90  64-bit: jmp to the end of a call, see `cross`, and at 0x98 its address
//!        0xa0  64-bit: jmp to the beginning of a call from the guest, and at 0xa8 its address
//!       0x100  thunks of rewritten sites (see `patch`), to the end of the second page
//! ```

use crate::host;
use crate::mem::{self, space::SPACE};
use crate::switch::{USER_CS, USER32_CS, cross, entry};
use abi::{Errno, GuestPtr};
use core::sync::atomic::{AtomicU32, Ordering};

/// Both pages.
pub(crate) const LENGTH: u32 = 0x2000;
/// A `__kernel_vsyscall`.
pub(crate) const STUB: u32 = 0;
/// A `__kernel_sigreturn`.
pub(crate) const SIGRETURN: u32 = 0x10;
/// A `__kernel_rt_sigreturn`.
pub(crate) const RT_SIGRETURN: u32 = 0x20;
/// The 64-bit code of the stub.
pub(crate) const STUB64: u32 = 0x40;
/// The 64-bit code of sigreturn: it goes on nowhere, so it needs no address to return to.
pub(crate) const SIGRETURN64: u32 = 0x50;
/// An `int $0x80` in 64-bit code.
pub(crate) const PROBE: u32 = 0x60;
/// The address of the supervisor's entry for rewritten sites.
pub(crate) const PATCHED64_POINTER: u32 = 0x88;
/// How the host calls a function of the guest, and the guest's call of one of the host ends: by `call` and `ret`, which the processor
/// predicts in pairs.
const CALL: u32 = 0x66;
const CALLED64: u32 = 0x90;
const RETURN: u32 = 0x6f;
/// Where the functions of the host lead that the guest can call.
pub(crate) const CALLBACK: u32 = 0x70;
const CALLBACK64: u32 = 0xa0;
/// Where thunks begin.
pub(crate) const THUNKS: u32 = 0x100;

static START: AtomicU32 = AtomicU32::new(0);

/// The address of what is at `offset` in the pages.
pub(crate) fn at(offset: u32) -> u32 {
    START.load(Ordering::Relaxed) + offset
}

/// Where the guest's `__kernel_vsyscall` begins: `AT_SYSINFO`. A call is made again from here.
pub(crate) static SYSINFO: AtomicU32 = AtomicU32::new(0);
/// The `ret` at its end: where the guest goes on after the call.
pub(crate) static SYSINFO_RETURN: AtomicU32 = AtomicU32::new(0);

/// Where a far jump into 32-bit code leads, as the processor takes it from memory.
#[repr(C)]
pub(crate) struct FarAddress {
    offset: AtomicU32,
    selector: u16,
}

impl FarAddress {
    const fn new() -> Self {
        Self { offset: AtomicU32::new(0), selector: USER32_CS }
    }
}

/// The address of what is at [`CALL`].
pub(crate) static CALL_ADDRESS: FarAddress = FarAddress::new();
/// The address of what is at [`RETURN`].
pub(crate) static RETURN_ADDRESS: FarAddress = FarAddress::new();

/// Whether `address` is where a function of the guest returns to that the host has called.
pub(crate) fn is_call(address: u32) -> bool {
    address == CALL_ADDRESS.offset.load(Ordering::Relaxed) + 2
}

/// Whether `rip` is in the pages.
pub(crate) fn contains(rip: u64) -> bool {
    u32::try_from(rip).is_ok_and(|rip| rip.wrapping_sub(START.load(Ordering::Relaxed)) < LENGTH)
}

/// Length of [`far_jump`] in bytes.
pub(crate) const FAR_JUMP_LENGTH: u32 = 7;

/// `ljmp $0x33, $target` as 32-bit code: opcode EA, offset, selector.
pub(crate) fn far_jump(target: u32) -> [u8; 7] {
    let [a, b, c, d] = target.to_le_bytes();
    let [e, f] = USER_CS.to_le_bytes();
    [0xea, a, b, c, d, e, f]
}

/// Puts `__kernel_vsyscall` at `start`, with its `ret` at `end`.
pub(crate) fn set_sysinfo(start: u32, end: u32) {
    SYSINFO.store(start, Ordering::Relaxed);
    SYSINFO_RETURN.store(end, Ordering::Relaxed);
}

/// Maps and fills the pages.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn map() -> Result<(), Errno> {
    const READ_WRITE: u32 = 3;
    const PRIVATE_ANONYMOUS: u32 = 0x22;
    let start = SPACE.lock().map(0, LENGTH, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0)?;
    START.store(start, Ordering::Relaxed);
    let mut code = [0xcc; THUNKS as usize];
    code[..7].copy_from_slice(&far_jump(at(STUB64)));
    code[7] = 0xc3;
    code[0x10..0x16].copy_from_slice(&[0x58, 0xb8, 119, 0, 0, 0]);
    code[0x16..0x1d].copy_from_slice(&far_jump(at(SIGRETURN64)));
    code[0x20..0x25].copy_from_slice(&[0xb8, 173, 0, 0, 0]);
    code[0x25..0x2c].copy_from_slice(&far_jump(at(SIGRETURN64)));
    // jmp *0x80(page), relative to the end of its six bytes; then the addresses.
    code[0x40..0x46].copy_from_slice(&[0xff, 0x25, 0x80 - 0x46, 0, 0, 0]);
    code[0x50..0x56].copy_from_slice(&[0xff, 0x25, 0x88 - 0x56, 0, 0, 0]);
    code[0x60..0x63].copy_from_slice(&[0xcd, 0x80, 0xc3]);
    code[0x66..0x68].copy_from_slice(&[0xff, 0xd0]);
    code[0x68..0x6f].copy_from_slice(&far_jump(at(CALLED64)));
    code[0x6f] = 0xc3;
    code[0x70..0x77].copy_from_slice(&far_jump(at(CALLBACK64)));
    code[0x90..0x96].copy_from_slice(&[0xff, 0x25, 0x98 - 0x96, 0, 0, 0]);
    code[0xa0..0xa6].copy_from_slice(&[0xff, 0x25, 0xa8 - 0xa6, 0, 0, 0]);
    CALL_ADDRESS.offset.store(at(CALL), Ordering::Relaxed);
    RETURN_ADDRESS.offset.store(at(RETURN), Ordering::Relaxed);
    for (at, target) in [
        (0x80, &raw const entry::biarch_entry_stub),
        (0x88, &raw const entry::biarch_entry_patched),
        (0x98, &raw const cross::biarch_cross_returned),
        (0xa8, &raw const cross::biarch_cross_callback),
    ] {
        code[at..at + 8].copy_from_slice(&(target.addr() as u64).to_le_bytes());
    }
    mem::write_bytes(GuestPtr::new(start), &code)?;
    make_executable(start, LENGTH)
}

/// Makes pages of ours below 4 GiB, with what has been written there, executable and no longer writable.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn make_executable(start: u32, length: u32) -> Result<(), Errno> {
    const READ_EXEC: u64 = 5;
    const PRIVATE_FIXED: u64 = 0x12;
    const MFD_CLOEXEC: u64 = 1;
    let range = [u64::from(start), u64::from(length)];
    // SAFETY: the pages are ours; the kernel reads them, and puts the same there.
    unsafe {
        match host::call(host::nr::MPROTECT, [range[0], range[1], READ_EXEC]) {
            Err(Errno::EACCES) => {}
            other => return other.map(drop),
        }
        // PR_SET_MDWE: what was writable does not become executable, but a file may be mapped so.
        let file = host::call(host::nr::MEMFD_CREATE, [host::addr(c"biarch-code".to_bytes_with_nul()), MFD_CLOEXEC])?;
        let mapped = host::call(host::nr::PWRITE64, [file, range[0], range[1], 0])
            .and_then(|_| host::call(host::nr::MMAP, [range[0], range[1], READ_EXEC, PRIVATE_FIXED, file, 0]));
        let _ = host::call(host::nr::CLOSE, [file]);
        mapped.map(drop)
    }
}

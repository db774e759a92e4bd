//! The 32-bit vDSO: the kernel's own where it can be had, so that `clock_gettime` costs what it costs a native task; ours
//! ([`own`]) elsewhere.
//!
//! `arch_prctl(ARCH_MAP_VDSO_32)` maps it into a 64-bit process, but not beside the 64-bit one, so that goes first; nothing
//! in `run` calls into it but our own vDSO, which then is not there. Its `__kernel_vsyscall` is rewritten to be our stub, which
//! keeps its unwind information good: both its first instruction and its last see the caller's frame as it was (see `lowpage`).

pub(crate) mod own;
mod symbols;

use crate::host;
use crate::mem::{self, space::SPACE};
use crate::switch::{Entry, lowpage, trap};
use abi::{Errno, GuestPtr};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Where the guest's vDSO comes from (`--vdso`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vdso {
    /// The kernel's, by `ARCH_MAP_VDSO_32`.
    Kernel,
    /// Our own.
    Own,
    /// There is none.
    None,
}

/// What was asked for, for the children.
static CHOICE: AtomicU8 = AtomicU8::new(0);

/// What was asked for, if anything.
pub(crate) fn choice() -> Option<Vdso> {
    match CHOICE.load(Ordering::Relaxed) {
        1 => Some(Vdso::Kernel),
        2 => Some(Vdso::Own),
        3 => Some(Vdso::None),
        _ => None,
    }
}

/// Gives the guest a vDSO: the one that is asked for, else the kernel's, ours where that is not to be had, or none where not even
/// a page is. `wide` is where the kernel has put the 64-bit one.
///
/// # Errors
/// The kernel's errno, where it is to be one and cannot be had.
pub(crate) fn map(choice: Option<Vdso>, wide: u64) -> Result<(), Errno> {
    let (number, result) = match choice {
        // The kernel's own entry comes with signal frames of the kernel's, which lead back through its own vDSO.
        None if trap::design() == Entry::Kernel => (0, map_kernels(wide).or_else(|_| none())),
        None => (0, map_kernels(wide).or_else(|_| map_own(wide)).or_else(|_| none())),
        Some(Vdso::Kernel) => (1, map_kernels(wide)),
        Some(Vdso::Own) => (2, map_own(wide)),
        Some(Vdso::None) => (3, none()),
    };
    CHOICE.store(number, Ordering::Relaxed);
    result
}

/// Addresses in the vDSO that the supervisor hands to the guest.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Symbols {
    /// Where the ELF header is: `AT_SYSINFO_EHDR`; 0 where there is none.
    pub(crate) base: u32,
    pub(crate) vsyscall: u32,
    pub(crate) sigreturn: u32,
    pub(crate) rt_sigreturn: u32,
}

static BASE: AtomicU32 = AtomicU32::new(0);
static VSYSCALL: AtomicU32 = AtomicU32::new(0);
static SIGRETURN: AtomicU32 = AtomicU32::new(0);
static RT_SIGRETURN: AtomicU32 = AtomicU32::new(0);

/// What has been mapped.
pub(crate) fn symbols() -> Symbols {
    Symbols {
        base: BASE.load(Ordering::Relaxed),
        vsyscall: VSYSCALL.load(Ordering::Relaxed),
        sigreturn: SIGRETURN.load(Ordering::Relaxed),
        rt_sigreturn: RT_SIGRETURN.load(Ordering::Relaxed),
    }
}

/// Maps the kernel's 32-bit vDSO; `wide` is where the kernel has put the 64-bit one, which is gone then. Where the 32-bit one turns
/// out to be one that we cannot make ours, the 64-bit one is brought back.
///
/// # Errors
/// `EINVAL` or `ENOSYS` where this kernel has none to give, `ENOEXEC` where it is not as expected.
fn map_kernels(wide: u64) -> Result<(), Errno> {
    const ARCH_MAP_VDSO_64: u64 = 0x2003;
    // vvar pages come first; how many differs between kernels, so room is looked for generously.
    const ROOM: u32 = 0x10000;
    let mut space = SPACE.lock();
    let at = space.find(ROOM).ok_or(Errno::ENOMEM)?;
    let (length, lowest) = replace(wide, at)?;
    let mut end = at;
    while end < at + ROOM && mem::space::is_mapped(end) {
        end += mem::space::PAGE;
    }
    space.note_kernel_mapping(at, end - at);
    drop(space);
    let length = u32::try_from(length).map_err(|_| Errno::ENOEXEC);
    let adopted = length.and_then(|length| {
        let base = end.checked_sub(length).filter(|&base| base >= at).ok_or(Errno::ENOEXEC)?;
        adopt(base, length)
    });
    if adopted.is_err() && end > at {
        let _ = SPACE.lock().unmap(at, end - at);
        // SAFETY: the kernel takes the address as a hint. What calls into the new mapping looks first whether it is there.
        let _ = unsafe { host::call(host::nr::ARCH_PRCTL, [ARCH_MAP_VDSO_64, lowest]) };
    }
    adopted
}

/// Maps our own.
fn map_own(wide: u64) -> Result<(), Errno> {
    let (base, length) = own::map(wide)?;
    adopt(base, length)
}

/// Unmaps the 64-bit vDSO with its data and maps the 32-bit one near `at`; returns the length of its ELF image, which comes
/// last, and the lowest address that has been unmapped.
///
/// The kernel refuses (`EEXIST`) as long as any piece of the old one is mapped. The data pages lie directly below the code, in
/// one mapping or more that cannot be split, so each is found by trying lengths; `/proc` may not be there to tell.
fn replace(wide: u64, at: u32) -> Result<(u64, u64), Errno> {
    const ARCH_MAP_VDSO_32: u64 = 0x2002;
    const PAGE: u64 = mem::space::PAGE as u64;
    const MOST_PAGES: u64 = 16;
    // SAFETY: the kernel takes the address as a hint, and there is a gap.
    let map = || unsafe { host::call(host::nr::ARCH_PRCTL, [ARCH_MAP_VDSO_32, u64::from(at)]) };
    let mut result = map();
    if wide == 0 || result != Err(Errno::EEXIST) {
        return Ok((result?, wide));
    }
    // SAFETY: nothing calls into the 64-bit vDSO from here on. A length that would split a mapping changes nothing.
    let unmap = |start: u64, pages: u64| unsafe { host::call(host::nr::MUNMAP, [start, pages * PAGE]) }.is_ok();
    // The code: from its ELF header upwards.
    if !(1..MOST_PAGES).any(|pages| unmap(wide, pages)) {
        return Ok((result?, wide));
    }
    let mut start = wide;
    loop {
        result = map();
        if result != Err(Errno::EEXIST) {
            return Ok((result?, start));
        }
        let Some(pages) = (1..MOST_PAGES).find(|&pages| unmap(start - pages * PAGE, pages)) else {
            return Ok((result?, start));
        };
        start -= pages * PAGE;
    }
}

/// Finds the symbols of the vDSO at `base` and puts our stub into it.
fn adopt(base: u32, length: u32) -> Result<(), Errno> {
    let read = |at: u64, out: &mut [u8]| {
        let at = u32::try_from(at).map_err(|_| Errno::EFAULT)?;
        mem::read_bytes(GuestPtr::new(at), out)
    };
    let (mut vsyscall, mut sigreturn, mut rt_sigreturn) = (None, None, None);
    symbols::each(u64::from(base), read, |name, symbol| match name {
        b"__kernel_vsyscall\0" => vsyscall = Some(symbol),
        b"__kernel_sigreturn\0" => sigreturn = Some(symbol),
        b"__kernel_rt_sigreturn\0" => rt_sigreturn = Some(symbol),
        _ => {}
    })?;
    let vsyscall = vsyscall.ok_or(Errno::ENOEXEC)?;
    let address = |symbol: Option<symbols::Symbol>| symbol.map(|symbol| host::low(symbol.address)).ok_or(Errno::ENOEXEC);
    let start = address(Some(vsyscall))?;
    SIGRETURN.store(address(sigreturn)?, Ordering::Relaxed);
    RT_SIGRETURN.store(address(rt_sigreturn)?, Ordering::Relaxed);
    VSYSCALL.store(start, Ordering::Relaxed);
    // The last instruction is `ret`; a kernel built against straight-line speculation has an `int3` behind it.
    let (mut last, mut byte) = (start.wrapping_add(host::low(vsyscall.length)), [0xcc]);
    while byte == [0xcc] && last > start {
        last = last.wrapping_sub(1);
        mem::read_bytes(GuestPtr::new(last), &mut byte)?;
    }
    if last.wrapping_sub(start) < lowpage::FAR_JUMP_LENGTH || byte != [0xc3] {
        return Err(Errno::ENOEXEC);
    }
    match trap::design() {
        Entry::Kernel => {}
        Entry::Trap => {
            // int $0x80 right before the ret, where the caller's frame is as it was; and at the start a jump there.
            let site = last.wrapping_sub(2);
            write_code(base, length, site, &[0xcd, 0x80])?;
            let distance = u8::try_from(site.wrapping_sub(start.wrapping_add(2))).map_err(|_| Errno::ENOEXEC)?;
            write_code(base, length, start, &[0xeb, distance])?;
            lowpage::set_sysinfo(start, last);
        }
        Entry::Stub | Entry::Patched => {
            write_code(base, length, start, &lowpage::far_jump(lowpage::at(lowpage::STUB64)))?;
            lowpage::set_sysinfo(start, last);
        }
    }
    if trap::design() != Entry::Kernel {
        rewrite_sigreturn(base, length)?;
    }
    BASE.store(base, Ordering::Relaxed);
    Ok(())
}

/// Rewrites the `int $0x80` of `__kernel_sigreturn` and `__kernel_rt_sigreturn`. They must never trap: syscall user dispatch
/// lets exactly these two through to the kernel (`arch_syscall_is_vdso_sigreturn`), whose frames ours are not.
fn rewrite_sigreturn(base: u32, length: u32) -> Result<(), Errno> {
    // popl %eax; movl $119, %eax; int $0x80 and movl $173, %eax; int $0x80. Padding follows to the next 32 bytes.
    let symbols = symbols();
    for (symbol, code) in [
        (symbols.sigreturn, &[0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80][..]),
        (symbols.rt_sigreturn, &[0xb8, 173, 0, 0, 0, 0xcd, 0x80]),
    ] {
        let mut found = [0; 8];
        let found = &mut found[..code.len()];
        mem::read_bytes(GuestPtr::new(symbol), found)?;
        if *found != *code {
            return Err(Errno::ENOEXEC);
        }
        let instruction = u32::try_from(code.len() - 2).map_err(|_| Errno::ENOEXEC)?;
        write_code(base, length, symbol.wrapping_add(instruction), &lowpage::far_jump(lowpage::at(lowpage::SIGRETURN64)))?;
    }
    Ok(())
}

/// Replaces instructions at `address`, which lies in the mapping of `length` bytes at `start` that is not writable. The vDSO's
/// mapping cannot be split, so it is named whole.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn write_code(start: u32, length: u32, address: u32, code: &[u8]) -> Result<(), Errno> {
    const READ_WRITE: u64 = 3;
    // SAFETY: pages of ours, before the guest begins.
    unsafe { host::call(host::nr::MPROTECT, [u64::from(start), u64::from(length), READ_WRITE])? };
    let written = mem::write_bytes(GuestPtr::new(address), code);
    lowpage::make_executable(start, length)?;
    written
}

/// Where there is no vDSO: `__kernel_vsyscall` and the two ways back from a handler on the low page.
fn none() -> Result<(), Errno> {
    let (stub, sigreturn, rt_sigreturn) =
        (lowpage::at(lowpage::STUB), lowpage::at(lowpage::SIGRETURN), lowpage::at(lowpage::RT_SIGRETURN));
    match trap::design() {
        Entry::Stub | Entry::Patched => lowpage::set_sysinfo(stub, stub + lowpage::FAR_JUMP_LENGTH),
        Entry::Trap | Entry::Kernel => write_code(lowpage::at(0), lowpage::LENGTH, stub, &[0xcd, 0x80, 0xc3])?,
    }
    if trap::design() == Entry::Kernel {
        // The kernel makes the frames, so it takes them back.
        write_code(lowpage::at(0), lowpage::LENGTH, sigreturn + 6, &[0xcd, 0x80])?;
        write_code(lowpage::at(0), lowpage::LENGTH, rt_sigreturn + 5, &[0xcd, 0x80])?;
    }
    BASE.store(0, Ordering::Relaxed);
    VSYSCALL.store(stub, Ordering::Relaxed);
    SIGRETURN.store(sigreturn, Ordering::Relaxed);
    RT_SIGRETURN.store(rt_sigreturn, Ordering::Relaxed);
    Ok(())
}

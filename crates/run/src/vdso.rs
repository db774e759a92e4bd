//! The 32-bit vDSO: the kernel's own where it can be had, so that `clock_gettime` costs what it costs a native task.
//!
//! `arch_prctl(ARCH_MAP_VDSO_32)` maps it into a 64-bit process, but not beside the 64-bit one, so that goes first; nothing
//! in `run` calls into it. Its `__kernel_vsyscall` is rewritten to be our stub, which keeps its unwind information good: both
//! its first instruction and its last see the caller's frame as it was (see `lowpage`).

use crate::host;
use crate::mem::{self, space::SPACE};
use crate::switch::{Entry, lowpage, trap};
use abi::{Errno, GuestPtr};
use core::sync::atomic::{AtomicU32, Ordering};

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

/// Maps the kernel's 32-bit vDSO; `own` is where the kernel has put the 64-bit one.
///
/// # Errors
/// `EINVAL` or `ENOSYS` where this kernel has none to give.
pub(crate) fn map_kernels(own: u64) -> Result<(), Errno> {
    // vvar pages come first; how many differs between kernels, so room is looked for generously.
    const ROOM: u32 = 0x10000;
    let mut space = SPACE.lock();
    let at = space.find(ROOM).ok_or(Errno::ENOMEM)?;
    let length = replace(own, at)?;
    let length = u32::try_from(length).map_err(|_| Errno::ENOEXEC)?;
    let mut end = at;
    while end < at + ROOM && mem::space::is_mapped(end) {
        end += mem::space::PAGE;
    }
    let base = end.checked_sub(length).filter(|&base| base >= at).ok_or(Errno::ENOEXEC)?;
    space.note_kernel_mapping(at, end - at);
    drop(space);
    adopt(base, length)
}

/// Unmaps the 64-bit vDSO with its data and maps the 32-bit one near `at`; returns the length of its ELF image, which comes
/// last.
///
/// The kernel refuses (`EEXIST`) as long as any piece of the old one is mapped. The data pages lie directly below the code, in
/// one mapping or more that cannot be split, so each is found by trying lengths; `/proc` may not be there to tell.
fn replace(own: u64, at: u32) -> Result<u64, Errno> {
    const ARCH_MAP_VDSO_32: u64 = 0x2002;
    const PAGE: u64 = mem::space::PAGE as u64;
    const MOST_PAGES: u64 = 16;
    // SAFETY: the kernel takes the address as a hint, and there is a gap.
    let map = || unsafe { host::call(host::nr::ARCH_PRCTL, [ARCH_MAP_VDSO_32, u64::from(at)]) };
    let mut result = map();
    if own == 0 || result != Err(Errno::EEXIST) {
        return result;
    }
    // SAFETY: nothing calls into the 64-bit vDSO from here on. A length that would split a mapping changes nothing.
    let unmap = |start: u64, pages: u64| unsafe { host::call(host::nr::MUNMAP, [start, pages * PAGE]) }.is_ok();
    // The code: from its ELF header upwards.
    if !(1..MOST_PAGES).any(|pages| unmap(own, pages)) {
        return result;
    }
    let mut start = own;
    loop {
        result = map();
        if result != Err(Errno::EEXIST) {
            return result;
        }
        let Some(pages) = (1..MOST_PAGES).find(|&pages| unmap(start - pages * PAGE, pages)) else { return result };
        start -= pages * PAGE;
    }
}

/// Finds the symbols of the vDSO at `base` and puts our stub into it.
fn adopt(base: u32, length: u32) -> Result<(), Errno> {
    let mut magic = [0; 4];
    mem::read_bytes(GuestPtr::new(base), &mut magic)?;
    if &magic != b"\x7fELF" {
        return Err(Errno::ENOEXEC);
    }
    let word = |at: u32| mem::read(GuestPtr::<u32>::new(base.wrapping_add(at)));
    let half = |at: u32| mem::read(GuestPtr::<u16>::new(base.wrapping_add(at)));
    // Program headers: the dynamic section. The image is linked at 0 (System V gABI, chapters 4 and 5).
    const PT_DYNAMIC: u32 = 2;
    const DT_HASH: u32 = 4;
    const DT_STRTAB: u32 = 5;
    const DT_SYMTAB: u32 = 6;
    const DT_GNU_HASH: u32 = 0x6fff_fef5;
    let (phoff, phnum) = (word(28)?, half(44)?);
    let mut dynamic = None;
    for index in 0..u32::from(phnum) {
        let header = phoff.wrapping_add(index * 32);
        if word(header)? == PT_DYNAMIC {
            dynamic = Some(word(header.wrapping_add(8))?);
        }
    }
    let mut at = dynamic.ok_or(Errno::ENOEXEC)?;
    let (mut symbols, mut strings, mut count) = (None, None, None);
    loop {
        let (tag, value) = (word(at)?, word(at.wrapping_add(4))?);
        match tag {
            0 => break,
            DT_HASH => count = Some(word(value.wrapping_add(4))?),
            // Linked at 0, with the symbol table directly followed by the string table.
            DT_GNU_HASH => {}
            DT_STRTAB => strings = Some(value),
            DT_SYMTAB => symbols = Some(value),
            _ => {}
        }
        at = at.wrapping_add(8);
    }
    let (symbols, strings) = (symbols.ok_or(Errno::ENOEXEC)?, strings.ok_or(Errno::ENOEXEC)?);
    let count = count.unwrap_or_else(|| strings.saturating_sub(symbols) / 16).min(256);
    let mut vsyscall_length = 0;
    for index in 0..count {
        let symbol = symbols.wrapping_add(index * 16);
        let mut name = [0; 32];
        let Ok(name) = mem::read_cstr(GuestPtr::new(base.wrapping_add(strings).wrapping_add(word(symbol)?)), &mut name) else {
            continue;
        };
        let value = base.wrapping_add(word(symbol.wrapping_add(4))?);
        match name {
            b"__kernel_vsyscall\0" => {
                VSYSCALL.store(value, Ordering::Relaxed);
                vsyscall_length = word(symbol.wrapping_add(8))?;
            }
            b"__kernel_sigreturn\0" => SIGRETURN.store(value, Ordering::Relaxed),
            b"__kernel_rt_sigreturn\0" => RT_SIGRETURN.store(value, Ordering::Relaxed),
            _ => {}
        }
    }
    let start = VSYSCALL.load(Ordering::Relaxed);
    // The last instruction is `ret`; a kernel built against straight-line speculation has an `int3` behind it.
    let (mut last, mut byte) = (start.wrapping_add(vsyscall_length), [0xcc]);
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
            // int $0x80; ret: a call from here is made again from here.
            write_code(base, length, start, &[0xcd, 0x80, 0xc3])?;
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
    const READ_WRITE_EXEC: u64 = 7;
    const READ_EXEC: u64 = 5;
    // SAFETY: guest pages, which keep being executable all the time.
    unsafe { host::call(host::nr::MPROTECT, [u64::from(start), u64::from(length), READ_WRITE_EXEC])? };
    let written = mem::write_bytes(GuestPtr::new(address), code);
    // SAFETY: as above.
    unsafe { host::call(host::nr::MPROTECT, [u64::from(start), u64::from(length), READ_EXEC])? };
    written
}

/// Where there is no vDSO: `__kernel_vsyscall` and the two ways back from a handler on the low page.
pub(crate) fn none() {
    lowpage::set_sysinfo(lowpage::at(lowpage::STUB), lowpage::at(lowpage::STUB) + lowpage::FAR_JUMP_LENGTH);
    BASE.store(0, Ordering::Relaxed);
    VSYSCALL.store(lowpage::at(lowpage::STUB), Ordering::Relaxed);
    SIGRETURN.store(lowpage::at(lowpage::SIGRETURN), Ordering::Relaxed);
    RT_SIGRETURN.store(lowpage::at(lowpage::RT_SIGRETURN), Ordering::Relaxed);
}

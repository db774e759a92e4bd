//! The first stack of a program: strings, auxiliary vector, pointers (`create_elf_tables` in `fs/binfmt_elf.c`; i386 psABI,
//! "Process Initialization").

use super::elf32::Image;
use super::{LoadError, Program, random};
use crate::host;
use crate::mem;
use crate::mem::space::PAGE;
use abi::{Errno, GuestPtr};
use core::ffi::CStr;

mod at {
    pub(super) const NULL: u32 = 0;
    pub(super) const PHDR: u32 = 3;
    pub(super) const PHENT: u32 = 4;
    pub(super) const PHNUM: u32 = 5;
    pub(super) const PAGESZ: u32 = 6;
    pub(super) const BASE: u32 = 7;
    pub(super) const FLAGS: u32 = 8;
    pub(super) const ENTRY: u32 = 9;
    pub(super) const UID: u32 = 11;
    pub(super) const EUID: u32 = 12;
    pub(super) const GID: u32 = 13;
    pub(super) const EGID: u32 = 14;
    pub(super) const PLATFORM: u32 = 15;
    pub(super) const HWCAP: u32 = 16;
    pub(super) const CLKTCK: u32 = 17;
    pub(super) const SECURE: u32 = 23;
    pub(super) const RANDOM: u32 = 25;
    pub(super) const HWCAP2: u32 = 26;
    pub(super) const EXECFN: u32 = 31;
    pub(super) const SYSINFO: u32 = 32;
    pub(super) const SYSINFO_EHDR: u32 = 33;
    pub(super) const MINSIGSTKSZ: u32 = 51;
}

/// A stack that is being filled, downwards.
struct Stack {
    at: u32,
    floor: u32,
}

impl Stack {
    fn push(&mut self, bytes: &[u8]) -> Result<u32, LoadError> {
        let too_big = LoadError::Host(Errno::E2BIG, "copying arguments and environment");
        let length = u32::try_from(bytes.len()).map_err(|_| too_big)?;
        self.at = self.at.checked_sub(length).filter(|&at| at >= self.floor).ok_or(too_big)?;
        mem::write_bytes(GuestPtr::new(self.at), bytes).map_err(|errno| LoadError::Host(errno, "filling the stack"))?;
        Ok(self.at)
    }
    fn push_string(&mut self, string: &CStr) -> Result<u32, LoadError> {
        self.push(string.to_bytes_with_nul())
    }
    fn put(&mut self, at: u32, value: u32) -> Result<(), LoadError> {
        mem::write(GuestPtr::new(at), &value).map_err(|errno| LoadError::Host(errno, "filling the stack"))
    }
}

fn id(number: u32) -> u32 {
    // SAFETY: the calls for ids take no arguments.
    host::low(unsafe { host::call(number, []) }.unwrap_or(0))
}

/// Maps the stack below `top` and fills it; returns esp.
pub(super) fn build(
    program: &Program<'_>,
    image: &Image,
    interpreter_base: u32,
    top: u32,
    executable: bool,
    randomise: bool,
) -> Result<u32, LoadError> {
    const GROWS_DOWN: u64 = 0x0100;
    const STACK: u64 = 0x2_0000;
    const PRIVATE_ANONYMOUS_NOREPLACE: u64 = 0x10_0022;
    /// The kernel begins with this much (`setup_arg_pages`); the rest comes when it is touched.
    const FIRST: u64 = 128 * 1024;
    let strings: u64 = program.argv.iter().chain(program.envp).map(|string| string.count_bytes() as u64 + 1 + 4).sum();
    let length = (strings + FIRST).next_multiple_of(u64::from(PAGE));
    let start = u64::from(top).checked_sub(length).ok_or(LoadError::Host(Errno::E2BIG, "copying arguments and environment"))?;
    let prot = if executable { 7 } else { 3 };
    let args = [start, length, prot, PRIVATE_ANONYMOUS_NOREPLACE | GROWS_DOWN | STACK, u64::MAX, 0];
    // SAFETY: the range has been kept free for the stack.
    unsafe { host::call(host::nr::MMAP, args) }.map_err(|errno| LoadError::Host(errno, "mapping the stack"))?;

    let mut stack = Stack { at: top - 4, floor: host::low(start) };
    let execfn = stack.push_string(program.execfn)?;
    // The strings end up in order, so they are written from the last to the first; their addresses are found again below.
    for string in program.envp.iter().rev() {
        stack.push_string(string)?;
    }
    let mut environment = stack.at;
    for string in program.argv.iter().rev() {
        stack.push_string(string)?;
    }
    let mut arguments = stack.at;
    crate::process_view::set_strings(arguments, environment, execfn);
    if randomise {
        stack.at -= random(13);
    }
    stack.at &= !15;
    let platform = stack.push(b"i686\0")?;
    let mut seed = [0; 16];
    // SAFETY: the seed outlives the call.
    let _ = unsafe { host::call(host::nr::GETRANDOM, [host::addr_mut(&mut seed), 16, 0]) };
    let seed = stack.push(&seed)?;
    stack.at &= !15;

    let vdso = crate::vdso::symbols();
    let auxv = [
        (at::SYSINFO, vdso.vsyscall),
        (at::SYSINFO_EHDR, vdso.base),
        (at::MINSIGSTKSZ, program.auxv.minimum_signal_stack),
        (at::HWCAP, program.auxv.hwcap),
        (at::PAGESZ, PAGE),
        (at::CLKTCK, program.auxv.clock_ticks),
        (at::PHDR, image.phdr),
        (at::PHENT, 32),
        (at::PHNUM, image.phnum),
        (at::BASE, interpreter_base),
        (at::FLAGS, 0),
        (at::ENTRY, image.entry),
        (at::UID, id(host::nr::GETUID)),
        (at::EUID, id(host::nr::GETEUID)),
        (at::GID, id(host::nr::GETGID)),
        (at::EGID, id(host::nr::GETEGID)),
        (at::SECURE, u32::from(program.auxv.secure)),
        (at::RANDOM, seed),
        (at::HWCAP2, program.auxv.hwcap2),
        (at::EXECFN, execfn),
        (at::PLATFORM, platform),
        (at::NULL, 0),
    ];
    let entries = auxv.iter().filter(|&&(kind, value)| kind != at::SYSINFO_EHDR || value != 0).count();
    let words = 1 + program.argv.len() + 1 + program.envp.len() + 1 + 2 * entries;
    let bytes = u32::try_from(words * 4).map_err(|_| LoadError::Host(Errno::E2BIG, "copying arguments and environment"))?;
    let esp = stack.at.checked_sub(bytes).map(|at| at & !15).filter(|&at| at >= stack.floor);
    let esp = esp.ok_or(LoadError::Host(Errno::E2BIG, "copying arguments and environment"))?;
    let mut at = esp;
    let mut next = |stack: &mut Stack, value: u32| -> Result<(), LoadError> {
        stack.put(at, value)?;
        at += 4;
        Ok(())
    };
    next(&mut stack, u32::try_from(program.argv.len()).unwrap_or(0))?;
    for (strings, address) in [(program.argv, &mut arguments), (program.envp, &mut environment)] {
        for string in strings {
            next(&mut stack, *address)?;
            *address += u32::try_from(string.count_bytes() + 1).unwrap_or(0);
        }
        next(&mut stack, 0)?;
    }
    for (kind, value) in auxv {
        if kind != at::SYSINFO_EHDR || value != 0 {
            next(&mut stack, kind)?;
            next(&mut stack, value)?;
        }
    }
    let length = u32::try_from(entries * 8).unwrap_or(0);
    crate::process_view::set_auxv(at - length, length);
    Ok(esp)
}

//! What other programs see of the guest, and it of itself: its command line, its name, `/proc/self/exe`, `/proc/self/maps`.
//!
//! `prctl(PR_SET_MM, PR_SET_MM_MAP)` tells the kernel where the guest's arguments, environment and stack are, without privileges,
//! so that `ps` and `/proc/self/cmdline` show the guest. Where the kernel has no such call they show biarch.

use crate::host;
use abi::Errno;
use core::ffi::CStr;
use core::ops::{ControlFlow, Range};
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

const O_CLOEXEC: u64 = 0o2_000_000;

static ARGUMENTS: AtomicU32 = AtomicU32::new(0);
static ENVIRONMENT: AtomicU32 = AtomicU32::new(0);
static STRINGS_END: AtomicU32 = AtomicU32::new(0);
static AUXV: AtomicU32 = AtomicU32::new(0);
static AUXV_LENGTH: AtomicU32 = AtomicU32::new(0);

/// Longest path that the kernel takes, with its NUL (`PATH_MAX`).
pub(crate) const PATH_MAX: usize = 4096;

/// The guest's `/proc/self/exe`: written once before the guest starts, and inherited by fork.
static EXE: crate::sync::Lock<[u8; PATH_MAX]> = crate::sync::Lock::new([0; PATH_MAX]);

static EXE_FILE: AtomicI32 = AtomicI32::new(-1);

/// Notes where the stack holds the strings.
pub(crate) fn set_strings(arguments: u32, environment: u32, end: u32) {
    ARGUMENTS.store(arguments, Ordering::Relaxed);
    ENVIRONMENT.store(environment, Ordering::Relaxed);
    STRINGS_END.store(end, Ordering::Relaxed);
}

/// Notes where the stack holds the auxiliary vector, and its length in bytes.
pub(crate) fn set_auxv(address: u32, length: u32) {
    AUXV.store(address, Ordering::Relaxed);
    AUXV_LENGTH.store(length, Ordering::Relaxed);
}

/// Where the stack holds the auxiliary vector, and its length in bytes.
pub(crate) fn auxv() -> [u32; 2] {
    [AUXV.load(Ordering::Relaxed), AUXV_LENGTH.load(Ordering::Relaxed)]
}

/// Notes where the program is, and a descriptor of it where that is not a way to it.
pub(crate) fn set_exe(path: &CStr, file: Option<i32>) {
    EXE_FILE.store(file.unwrap_or(-1), Ordering::Relaxed);
    if let Some(fd) = file {
        crate::hidden::add(fd);
    }
    let bytes = path.to_bytes_with_nul();
    if bytes.len() <= PATH_MAX {
        EXE.lock()[..bytes.len()].copy_from_slice(bytes);
    }
}

/// The descriptor of a program that has no path any more, because it was deleted or never had one (memfd_create(2)).
pub(crate) fn exe_file() -> Option<i32> {
    Some(EXE_FILE.load(Ordering::Relaxed)).filter(|&fd| fd >= 0)
}

/// Shows the path of the program to `look`.
pub(crate) fn with_exe<R>(look: impl FnOnce(&CStr) -> R) -> R {
    // SAFETY: written once, before there is a second thread. A lock could be held by a thread that a fork leaves behind.
    let exe = unsafe { EXE.peek(|exe| &*exe) };
    look(CStr::from_bytes_until_nul(exe).unwrap_or(c""))
}

/// Nothing of a guest's is above.
const GUEST_END: u64 = 1 << 32;

/// What a line of `/proc/PID/maps` is about: `START-END rights offset device inode   path`.
fn mapped(line: &[u8]) -> Option<Range<u64>> {
    let mut ends = line.split(|&byte| byte == b'-' || byte == b' ');
    let mut hexadecimal = || u64::from_str_radix(core::str::from_utf8(ends.next()?).ok()?, 16).ok();
    Some(hexadecimal()?..hexadecimal()?)
}

/// Opens `name`, which ends with a NUL, to be read.
fn open(name: &[u8]) -> Result<u64, Errno> {
    const AT_FDCWD: i32 = -100;
    // SAFETY: the name outlives the call.
    unsafe { host::call(host::nr::OPENAT, [host::int(AT_FDCWD), host::addr(name), O_CLOEXEC, 0]) }
}

/// Closes a descriptor of our own.
fn close(fd: u64) {
    // SAFETY: nothing else uses it.
    let _ = unsafe { host::call(host::nr::CLOSE, [fd]) };
}

/// Shows `look` what can be read of `fd`, piece by piece. `look` says how much of what it has been shown it is to see again, with what
/// follows; `None` when it has seen enough.
fn read_pieces<const N: usize>(fd: u64, mut look: impl FnMut(&[u8]) -> Option<usize>) {
    let mut bytes = [0; N];
    let mut held = 0;
    while let Some(room) = bytes.get_mut(held..).filter(|room| !room.is_empty()) {
        // SAFETY: the room outlives the call.
        let got = unsafe { host::call(host::nr::READ, [fd, host::addr_mut(room), room.len() as u64]) }.unwrap_or(0);
        let Ok(got @ 1..) = usize::try_from(got) else { break };
        let Some(again) = bytes.get(..held + got).and_then(&mut look) else { break };
        bytes.copy_within(held + got - again..held + got, 0);
        held = again;
    }
}

/// Shows `look` each line of `fd`, which is `/proc/PID/maps`, and the range that it is about, until `look` breaks off.
fn each_mapping(fd: u64, mut look: impl FnMut(Range<u64>, &[u8]) -> ControlFlow<()>) {
    /// The longest line: what is before the path, and it.
    const LINE: usize = PATH_MAX + 128;
    read_pieces::<LINE>(fd, |bytes| {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
            if mapped(line).is_some_and(|range| look(range, line).is_break()) {
                return None;
            }
        }
        Some(bytes.len() - whole)
    });
}

/// Shows `look` the lines of `fd`, which is `/proc/PID/maps`, that are about the guest's memory.
fn each_guest_line(fd: u64, mut look: impl FnMut(Range<u64>, &[u8])) {
    each_mapping(fd, |range, line| {
        if range.end > GUEST_END {
            return ControlFlow::Break(());
        }
        look(range, line);
        ControlFlow::Continue(())
    });
}

/// Shows `look` where the guest has something mapped; in between, too, are two pages of biarch's.
///
/// # Errors
/// The kernel's errno, where there is no /proc.
pub(crate) fn each_guest_mapping(mut look: impl FnMut(Range<u64>)) -> Result<(), Errno> {
    let fd = open(b"/proc/self/maps\0")?;
    each_guest_line(fd, |range, _| look(range));
    close(fd);
    Ok(())
}

/// Where the kernel has mapped the program headers of the guest that is process `pid`: its auxiliary vector says it, for [`show`] has
/// given the kernel the guest's.
fn program_headers(pid: u32) -> Option<u32> {
    const AT_PHDR: u32 = 3;
    let mut name = crate::text::Text::<32>::of(format_args!("/proc/{pid}/auxv"));
    let mut found = None;
    let fd = open(name.with_nul()).ok()?;
    read_pieces::<1024>(fd, |bytes| {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        found = (0..bytes.len()).step_by(8).find(|&at| word(at) == Some(AT_PHDR)).and_then(|at| word(at + 4));
        None
    });
    close(fd);
    found.filter(|&at| at != 0)
}

/// The program of the guest that is process `pid`, of this very biarch: its path, with a NUL, is put into `out`. `None` where it is no
/// such process, may not be looked at, or its program has no path any more.
pub(crate) fn exe_of(pid: u32, out: &mut [u8; PATH_MAX]) -> Option<usize> {
    if !crate::sys::ptrace::is_biarch(pid) {
        return None;
    }
    let headers = program_headers(pid)?;
    let mut name = crate::text::Text::<32>::of(format_args!("/proc/{pid}/maps"));
    let mut length = None;
    let fd = open(name.with_nul()).ok()?;
    each_mapping(fd, |range, line| {
        if !range.contains(&headers.into()) {
            return ControlFlow::Continue(());
        }
        let path = line.iter().position(|&byte| byte == b'/').and_then(|at| line.get(at..line.len() - 1)).unwrap_or_default();
        // A line feed in it is written as \012, and one that was deleted has another name.
        let plain = !path.is_empty() && !path.contains(&b'\\') && !path.ends_with(b" (deleted)");
        if let Some(room) = out.get_mut(..=path.len()).filter(|_| plain) {
            room[..path.len()].copy_from_slice(path);
            room[path.len()] = 0;
            length = Some(path.len() + 1);
        }
        ControlFlow::Break(())
    });
    close(fd);
    length
}

/// Has `fd`, which is `/proc/PID/maps` of a guest and has not been read, show what the guest has mapped, without the supervisor's, which
/// is above. `heap` is where the guest's heap is, which the kernel does not know. What is there now is what is read later.
///
/// # Errors
/// The kernel's errno, where there is no room for another file; `fd` shows everything then.
pub(crate) fn show_guests_maps(fd: u32, heap: Option<Range<u64>>) -> Result<(), Errno> {
    const MFD_CLOEXEC: u64 = 1;
    const F_GETFD: u64 = 1;
    const SEEK_SET: u64 = 0;
    let fd = u64::from(fd);
    // SAFETY: the name outlives the call.
    let file = unsafe { host::call(host::nr::MEMFD_CREATE, [host::addr(c"maps".to_bytes_with_nul()), MFD_CLOEXEC]) }?;
    let mut result = Ok(());
    let mut write = |bytes: &[u8]| {
        // SAFETY: the bytes outlive the call.
        if let Err(error) = unsafe { host::call(host::nr::WRITE, [file, host::addr(bytes), bytes.len() as u64]) } {
            result = Err(error);
        }
    };
    each_guest_line(fd, |range, line| {
        let within_heap = heap.as_ref().is_some_and(|heap| range.start < heap.end && heap.start < range.end);
        if let Some(anonymous) = line.strip_suffix(b" \n").filter(|line| within_heap && line.ends_with(b" 0")) {
            // Names are in column 73 (`show_vma_header_prefix` in fs/proc/task_mmu.c).
            let mut text = crate::text::Text::<96>::new();
            let numbers = core::str::from_utf8(anonymous).unwrap_or_default();
            let _ = core::fmt::write(&mut text, format_args!("{numbers:<73}[heap]\n"));
            write(text.bytes());
        } else {
            write(line);
        }
    });
    let mut name = crate::reexec::fd_path(i32::try_from(file).unwrap_or(-1));
    // Opened anew it can only be read, and from its beginning.
    let shown = result.and_then(|()| open(name.with_nul())).and_then(|shown| {
        // SAFETY: only descriptors are concerned; that one which is replaced is the guest's new one, of which it does not know yet.
        let replaced = unsafe {
            host::call(host::nr::FCNTL, [fd, F_GETFD]).and_then(|flags| {
                let cloexec = if flags == 0 { 0 } else { O_CLOEXEC };
                host::call(host::nr::DUP3, [shown, fd, cloexec])
            })
        };
        close(shown);
        replaced
    });
    close(file);
    if shown.is_err() {
        // SAFETY: as above.
        let _ = unsafe { host::call(host::nr::LSEEK, [fd, 0, SEEK_SET]) };
    }
    shown.map(|_| ())
}

/// `struct prctl_mm_map` (`linux/prctl.h`).
#[repr(C)]
struct MmMap {
    start_code: u64,
    end_code: u64,
    start_data: u64,
    end_data: u64,
    start_brk: u64,
    brk: u64,
    start_stack: u64,
    arg_start: u64,
    arg_end: u64,
    env_start: u64,
    env_end: u64,
    auxv: u64,
    auxv_size: u32,
    exe_fd: u32,
}

/// Shows the guest instead of the supervisor. `esp` is where its stack begins.
pub(crate) fn show(program: &crate::loader::Program<'_>, esp: u32) {
    const PR_SET_NAME: u64 = 15;
    const PR_SET_MM: u64 = 35;
    const PR_SET_MM_MAP: u64 = 14;
    let arguments = u64::from(ARGUMENTS.load(Ordering::Relaxed));
    let environment = u64::from(ENVIRONMENT.load(Ordering::Relaxed));
    let end = u64::from(STRINGS_END.load(Ordering::Relaxed));
    let brk = {
        // SAFETY: brk(0) only asks.
        unsafe { host::call(host::nr::BRK, [0]) }.unwrap_or(0)
    };
    let map = MmMap {
        start_code: 0x1_0000,
        end_code: 0x1_1000,
        start_data: 0x1_1000,
        end_data: 0x1_2000,
        start_brk: brk,
        brk,
        start_stack: u64::from(esp),
        arg_start: arguments,
        arg_end: environment,
        env_start: environment,
        env_end: end,
        // The kernel keeps a copy of these bytes for /proc/self/auxv, and does not care that they are pairs of 32-bit words; it shows
        // them up to the first pair that is zero at an even place, which is at most two after the end.
        auxv: u64::from(AUXV.load(Ordering::Relaxed)),
        auxv_size: AUXV_LENGTH.load(Ordering::Relaxed),
        exe_fd: u32::MAX,
    };
    // SAFETY: the structure outlives the call; it changes only what /proc shows. The supervisor's break stays where it is.
    let _ = unsafe { host::call(host::nr::PRCTL, [PR_SET_MM, PR_SET_MM_MAP, host::addr(&map), size_of::<MmMap>() as u64, 0]) };
    let name = program.execfn.to_bytes_with_nul();
    let start = name.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
    // SAFETY: the name outlives the call.
    let _ = unsafe { host::call(host::nr::PRCTL, [PR_SET_NAME, host::addr(&name[start..]), 0, 0, 0]) };
}

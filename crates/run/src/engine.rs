//! [`crate::embed`] for C: what a bridge's transport `in-process` is built on (`crates/bridge/runtime/engine.h` declares it).
//!
//! Built as a static library only, which needs a panic handler of its own.

use crate::embed::{self, CallResult, Crash, Hooks, Left};
use crate::loader::{HostAuxv, Program};
use crate::text::Text;
use crate::thread::Thread;
use crate::{Entry, Options, StartError};
use core::ffi::{CStr, c_char};

/// A panic is a bug of biarch's; the program cannot go on.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    Text::<512>::of(format_args!("biarch: internal error: {info}; please report it\n")).write_to(2);
    loop {
        // SAFETY: the process ends.
        let _ = unsafe { crate::host::call(crate::host::nr::EXIT_GROUP, [134]) };
    }
}

/// What [`biarch_engine_start`] needs.
#[repr(C)]
pub(crate) struct Start {
    /// The launcher, open for reading.
    launcher: i32,
    /// Directory of the guest's files, or null.
    sysroot: *const c_char,
    /// The environment, ended by null.
    environment: *const *const c_char,
    hwcap: u32,
    hwcap2: u32,
    clock_ticks: u32,
    minimum_signal_stack: u32,
    vdso: u64,
    hooks: Hooks,
    /// Where a sentence goes that says why it failed.
    why: *mut u8,
    why_size: usize,
    /// The guest's first thread.
    thread: *mut Thread,
}

const MOST_VARIABLES: usize = 4096;

/// Starts the guest: returns [`Left`], or -1 with a sentence in `why`.
///
/// # Safety
/// All pointers of `start` are good; once in a process.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_start(start: &mut Start) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    match unsafe { begin(start) } {
        Ok(left) => left as i32,
        Err(error) => {
            let mut text = Text::<512>::of(format_args!("{error}"));
            let bytes = text.with_nul();
            let length = bytes.len().min(start.why_size);
            // SAFETY: as above.
            unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), start.why, length) };
            -1
        }
    }
}

unsafe fn begin(start: &mut Start) -> Result<Left, StartError> {
    let host = |errno, what| StartError::Host(errno, what);
    if !start.sysroot.is_null() {
        // SAFETY: the caller vouches for the string.
        let sysroot = unsafe { CStr::from_ptr(start.sysroot) };
        crate::path::set_sysroot(sysroot).map_err(|errno| host(errno, "the directory of the 32-bit files"))?;
    }
    let mut variables = [c""; MOST_VARIABLES];
    let mut count = 0;
    for slot in &mut variables {
        // SAFETY: the array ends with a null pointer, at which this ends.
        let variable = unsafe { *start.environment.add(count) };
        if variable.is_null() {
            break;
        }
        // SAFETY: the caller vouches for the string.
        *slot = unsafe { CStr::from_ptr(variable) };
        count += 1;
    }
    let mut name = [0; 4096];
    let interpreter = crate::open_interpreter(start.launcher, &mut name).map_err(|error| match error {
        crate::InterpreterError::Program(error) => StartError::Load(error),
        other => host(other.errno(), "the 32-bit loader /lib/ld-linux.so.2 (Debian's package libc6:i386)"),
    })?;
    let program = Program {
        fd: start.launcher,
        interpreter,
        execfn: c"biarch-bridge",
        exe: c"/proc/self/exe",
        exe_file: None,
        argv: &[c"biarch-bridge"],
        envp: &variables[..count],
        auxv: HostAuxv {
            hwcap: start.hwcap,
            hwcap2: start.hwcap2,
            clock_ticks: start.clock_ticks,
            minimum_signal_stack: start.minimum_signal_stack,
            vdso: start.vdso,
            secure: false,
            traced: false,
        },
    };
    let options = Options { entry: Entry::Patched, vdso: None, trace: None, log: None, seccomp: None };
    let (thread, left) = embed::start(&program, &options, &start.hooks)?;
    start.thread = thread;
    Ok(left)
}

/// [`embed::reserve`]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn biarch_engine_reserve(address: u32, length: u32) {
    embed::reserve(address, length);
}

/// [`embed::call`]
///
/// # Safety
/// As there; `words` are `count`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_call(
    thread: *mut Thread,
    function: u32,
    words: *const u32,
    count: u32,
    result: *mut CallResult,
    in_st0: u32,
) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { crate::switch::cross::biarch_cross_call(thread, function, words, count, result, in_st0) }
}

/// [`embed::resume`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_resume(thread: *mut Thread) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { embed::resume(thread) as u32 }
}

/// [`embed::adopt`]: null where it fails, with [`Left`] and the guest's errno in `why`.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_adopt(
    spawner: *mut Thread,
    spawn: u32,
    argument: u32,
    why: &mut [i32; 2],
) -> *mut Thread {
    // SAFETY: the caller vouches for it.
    match unsafe { embed::adopt(spawner, spawn, argument) } {
        Ok(thread) => thread,
        Err((left, errno)) => {
            *why = [left as i32, errno];
            core::ptr::null_mut()
        }
    }
}

/// [`embed::end`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_end(thread: *mut Thread) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { embed::end(thread) as u32 }
}

/// [`embed::free`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_free(thread: *mut Thread) {
    // SAFETY: the caller vouches for it.
    unsafe { embed::free(thread) }
}

/// [`embed::begin`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_begin(thread: *mut Thread) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { embed::begin(thread) }
}

/// [`embed::set_program_stack`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_set_program_stack(thread: *mut Thread, start: u64, end: u64) {
    // SAFETY: the caller vouches for it.
    unsafe { embed::set_program_stack(thread, [start, end]) };
}

/// [`embed::said`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_said(thread: *const Thread) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { embed::said(thread) }
}

/// [`embed::errno`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_errno(thread: *const Thread) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { embed::errno(thread) }
}

/// [`embed::forked`]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn biarch_engine_forked(thread: *mut Thread) {
    embed::forked(thread);
}

/// [`embed::stop`]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn biarch_engine_stop() {
    embed::stop();
}

/// [`embed::crash`]
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_crash(thread: *const Thread, crash: &mut Crash) {
    // SAFETY: the caller vouches for it.
    *crash = unsafe { embed::crash(thread) };
}

/// [`embed::read`]
///
/// # Safety
/// `to` has room for `size` bytes.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_read(from: u32, to: *mut u8, size: usize) -> usize {
    // SAFETY: the caller vouches for it.
    embed::read(from, unsafe { core::slice::from_raw_parts_mut(to, size) })
}

/// [`embed::write`]: 0, or -1.
///
/// # Safety
/// `from` has `size` bytes.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn biarch_engine_write(to: u32, from: *const u8, size: usize) -> i32 {
    // SAFETY: the caller vouches for it.
    match embed::write(to, unsafe { core::slice::from_raw_parts(from, size) }) {
        Ok(()) => 0,
        Err(_) => -1,
    }
}

/// [`embed::map`]: 0 where there is no room.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn biarch_engine_map(length: u32) -> u32 {
    embed::map(length).unwrap_or(0)
}

/// [`embed::unmap`]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn biarch_engine_unmap(address: u32, length: u32) {
    let _ = embed::unmap(address, length);
}

/// [`embed::map_callbacks`]: 0 where there is no room.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn biarch_engine_map_callbacks(first: u32) -> u32 {
    embed::map_callbacks(first).unwrap_or(0)
}

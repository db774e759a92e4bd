//! Runs i386 programs on a 64-bit kernel, without a single 32-bit system call.
//!
//! The 32-bit program lives below 4 GiB in this very process, and the processor runs it natively in compatibility mode; its
//! system calls come back here by a far jump. The phases, and where they are:
//!
//! | phase | where |
//! |---|---|
//! | put the program in memory, with its loader, stack and vDSO | `loader/`, `vdso.rs`, `vdso/` |
//! | into 32-bit code and back | `switch/` |
//! | number → row → handler | `dispatch.rs`, `sys/<area>.rs` |
//! | signals | `signal/` |
//! | the guest's memory | `mem/` |
//! | one guest thread | `thread.rs` |
//! | a guest that is the library of a 64-bit program | `embed.rs`, `switch/cross.rs`, `engine.rs` |
//! | executing another program | `sys/process/exec.rs`, `reexec.rs` |
//!
//! No `std`, no heap: guest threads have no thread-local storage of the host's C library, so nothing that might use it
//! may be called, and the compiler enforces that.
#![no_std]
#![deny(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss, clippy::unwrap_used)]

pub mod damaged;
mod dispatch;
mod dump;
#[cfg_attr(not(feature = "engine"), allow(dead_code, reason = "the bridge calls it"))]
mod embed;
#[cfg(feature = "engine")]
mod engine;
pub mod hidden;
mod host;
mod loader;
mod log;
mod mem;
pub mod path;
mod process_view;
pub mod reexec;
pub mod script;
pub mod seccomp;
mod signal;
mod switch;
mod sync;
mod sys;
mod text;
mod thread;
pub mod trace;
mod traced;
mod vdso;

use core::fmt;

pub use abi::Errno;
pub use loader::{AT_FLAGS_TRACED, HostAuxv, LoadError, Program};
pub use switch::Entry;
pub use vdso::Vdso;

/// How to run a program.
pub struct Options<'a> {
    /// How its system calls come in.
    pub entry: Entry,
    /// Where its vDSO comes from: `None` for the kernel's where it has one to give, and ours elsewhere.
    pub vdso: Option<Vdso>,
    /// What is traced, if anything.
    pub trace: Option<trace::Config<'a>>,
    /// Descriptor of where to record what the program asks for in vain; it becomes hidden from the guest.
    pub log: Option<i32>,
    /// The file with the filters of system calls of the program that executes this one; it is read and closed.
    pub seccomp: Option<i32>,
}

/// Why a program was not started.
#[derive(Clone, Copy, Debug)]
pub enum StartError {
    /// The processor has no `xsave`.
    NoXsave,
    /// This kernel makes 32-bit system calls and cannot be kept from it (before Linux 5.11).
    CannotIntercept(Errno),
    /// The kernel's 32-bit vDSO was asked for and cannot be had.
    NoKernelVdso(Errno),
    /// The kernel refused something that the supervisor needs.
    Host(Errno, &'static str),
    /// The program could not be loaded.
    Load(LoadError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoXsave => f.write_str("this processor has no XSAVE, which signal handling needs (it is from before 2011)"),
            Self::CannotIntercept(errno) => {
                write!(
                    f,
                    "the int $0x80 of programs cannot be caught here ({errno}): this kernel makes 32-bit system calls itself, and "
                )?;
                f.write_str("has no syscall user dispatch, which came with Linux 5.11")
            }
            Self::NoKernelVdso(Errno::ENOEXEC) => {
                f.write_str("the 32-bit vDSO that the kernel gives is not as biarch expects it")
            }
            Self::NoKernelVdso(errno) => {
                write!(f, "the kernel gives no 32-bit vDSO: arch_prctl(ARCH_MAP_VDSO_32): {errno}")
            }
            Self::Host(errno, what) => write!(f, "the kernel does not give what is needed: {what}: {errno}"),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for StartError {}

/// Runs `program` in this process, which becomes it. Returns only if that fails.
///
/// Must be called by the process's only thread, and once.
#[must_use]
pub fn start(program: &Program<'_>, options: &Options<'_>) -> StartError {
    match prepare(program, options) {
        Ok(thread) => {
            thread.ptrace = traced::State::ready();
            thread.dump = dump::description();
            if program.auxv.traced {
                traced::stop_at_begin(thread);
            }
            // SAFETY: everything on the stack is dead from here on: the guest has copies.
            unsafe { switch::enter(thread) }
        }
        Err(error) => error,
    }
}

/// Why a program's interpreter was not opened.
#[derive(Clone, Copy, Debug)]
pub enum InterpreterError {
    /// The program cannot be loaded, with or without one.
    Program(LoadError),
    /// `PT_INTERP` is no string, or the file ends before it does.
    Name(Errno),
    /// It cannot be opened; its name is what was asked for.
    Open(Errno),
    /// It is no i386 program itself (`ELIBBAD`).
    Unfit,
}

impl InterpreterError {
    /// What execve(2) fails with.
    pub(crate) fn errno(self) -> Errno {
        match self {
            Self::Program(_) => Errno::ENOEXEC,
            Self::Name(errno) | Self::Open(errno) => errno,
            Self::Unfit => Errno::ELIBBAD,
        }
    }
}

/// Opens the interpreter of the program that is open as `fd`, where it names one, and looks whether it can be one: everything that
/// execve(2) fails for before it is too late. `name` gets what the program calls it, with a NUL.
///
/// # Errors
/// Why not.
pub fn open_interpreter(fd: i32, name: &mut [u8; 4096]) -> Result<Option<i32>, InterpreterError> {
    name.fill(0);
    let elf = loader::elf32::read(fd).map_err(InterpreterError::Program)?;
    let Some(name) = elf.interpreter(fd, name).map_err(InterpreterError::Name)? else { return Ok(None) };
    let opened = path::open_interpreter(name).map_err(InterpreterError::Open)?;
    let opened = i32::try_from(opened).map_err(|_| InterpreterError::Open(Errno::EBADF))?;
    match loader::elf32::read(opened) {
        Ok(_) => Ok(Some(opened)),
        Err(_) => {
            // SAFETY: a descriptor of our own.
            let _ = unsafe { host::call(host::nr::CLOSE, [host::int(opened)]) };
            Err(InterpreterError::Unfit)
        }
    }
}

fn prepare(program: &Program<'_>, options: &Options<'_>) -> Result<&'static mut thread::Thread, StartError> {
    if !signal::xstate::detect() {
        return Err(StartError::NoXsave);
    }
    let thread = thread::Thread::allocate(&raw const signal::SIGHAND)
        .map_err(|errno| StartError::Host(errno, "memory for the first thread"))?;
    trap::choose(options.entry);
    switch::entry::detect_rcx();
    let (stack_top, randomise) = loader::lay_out();
    switch::lowpage::map().map_err(|errno| StartError::Host(errno, "two pages of the guest's address space"))?;
    sys::thread::forget_old_areas();
    signal::start(thread);
    trap::start().map_err(StartError::CannotIntercept)?;
    vdso::map(options.vdso, program.auxv.vdso).map_err(|errno| match options.vdso {
        Some(Vdso::Kernel) => StartError::NoKernelVdso(errno),
        _ => StartError::Host(errno, "memory for the vDSO"),
    })?;
    let start = loader::load(program, stack_top, randomise).map_err(StartError::Load)?;
    process_view::set_exe(program.exe, program.exe_file);
    process_view::show(program, start.esp);
    // SAFETY: the descriptors have served.
    unsafe {
        let close = |fd: i32| host::call(host::nr::CLOSE, [host::int(fd)]);
        let _ = close(program.fd);
        let _ = program.interpreter.map(close);
    }
    sys::process::register_only(thread);
    sys::fd::events::notice_inherited();
    thread.regs.eip = start.eip;
    thread.regs.esp = start.esp;
    thread.regs.eflags = 0x202;
    signal::xstate::initialise(thread.xsave_image());
    thread.image_valid = 1;
    if let Some(fd) = options.seccomp {
        seccomp::take_over(thread, fd).map_err(|errno| StartError::Host(errno, "filters of system calls"))?;
    }
    if let Some(fd) = options.log {
        log::start(fd);
    }
    if let Some(config) = &options.trace {
        trace::start(config, thread, program).map_err(|errno| StartError::Host(errno, "the table of the trace"))?;
    }
    Ok(thread)
}

use switch::trap;

/// Ends the process because the supervisor itself is broken: says so where a person may see it.
fn fatal(signal: i32, rip: u64, address: u32) -> ! {
    // Below 4 GiB there is nothing of the supervisor's but two pages.
    if rip < 1 << 32 && !switch::lowpage::contains(rip) {
        text::Text::<160>::of(format_args!(
            "biarch: the program has gone to 64-bit code (segment 0x33), which is not supported: signal {signal} at {rip:#x}\n"
        ))
        .write_to(2);
    } else {
        text::Text::<160>::of(format_args!(
            "biarch: internal error: signal {signal} at {rip:#x}, address {address:#x}; please report it\n"
        ))
        .write_to(2);
    }
    loop {
        // SAFETY: the process ends.
        let _ = unsafe { host::call(host::nr::EXIT_GROUP, [125]) };
    }
}

//! How one biarch becomes another: a 32-bit program that executes a 32-bit program.
//!
//! ```text
//! argv[0]  biarch:exec
//! argv[1]  options: fd=N entry=… vdso=… …
//! argv[2]  the sysroot, or nothing
//! argv[3]  AT_EXECFN
//! argv[4…] the program's own arguments, argv[0] first
//! ```
//! The program is passed open, so that what was looked at is what runs. A 64-bit program that a guest with filters of system calls
//! executes is passed by name, see `seccomp.rs`.

use crate::switch::{Entry, trap};
use crate::sync::Lock;
use crate::text::Text;
use crate::vdso::{self, Vdso};
use crate::{hidden, host};
use abi::Errno;
use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// `argv[0]` of a biarch that was executed by a guest, with its NUL.
pub const NAME: &[u8] = b"biarch:exec\0";

/// A descriptor of biarch itself, for when `/proc` is not there; -1 where none is held.
static SELF: AtomicI32 = AtomicI32::new(-1);
/// Whether the kernel gives i386 programs to biarch by itself.
static GIVEN: AtomicBool = AtomicBool::new(false);
/// How `--trace` was given, for the children.
static OPTIONS: Lock<Text<KEPT>> = Lock::new(Text::new());
/// Longest text of further options for the children, in bytes.
pub(crate) const KEPT: usize = 1024;
/// Longest `argv[1]`, with its NUL.
const OPTIONS_MAX: usize = KEPT + 128;

/// Holds on to biarch itself across a chroot(2).
pub fn hold_self(fd: i32) {
    SELF.store(fd, Ordering::Relaxed);
    if fd >= 0 {
        hidden::add(fd);
    }
}

/// The descriptor of biarch itself that the guest must not see, or -1.
pub(crate) fn held() -> i32 {
    SELF.load(Ordering::Relaxed)
}

/// Notes that binfmt_misc has an entry for biarch: the kernel can be left to execute i386 programs.
pub fn kernel_gives_programs() {
    GIVEN.store(true, Ordering::Relaxed);
}

/// Whether the kernel gives i386 programs to biarch by itself.
pub(crate) fn kernel_can() -> bool {
    GIVEN.load(Ordering::Relaxed)
}

/// Keeps further options for the children, as they are to appear in `argv[1]`.
///
/// # Errors
/// `E2BIG` for more than [`KEPT`] bytes.
pub(crate) fn inherit_options(options: &[u8]) -> Result<(), Errno> {
    let mut kept = OPTIONS.lock();
    // A text as long as the room may be one that has been cut.
    if options.len() >= KEPT {
        return Err(Errno::E2BIG);
    }
    kept.truncate(0);
    kept.push(options);
    Ok(())
}

/// `/proc/self/fd/N`.
pub(crate) fn fd_path(fd: i32) -> Text<32> {
    Text::of(format_args!("/proc/self/fd/{fd}"))
}

/// `/dev/fd/N`: the name of a program that was executed by descriptor.
pub(crate) fn dev_fd_path(fd: i32) -> Text<32> {
    Text::of(format_args!("/dev/fd/{fd}"))
}

/// `argv[1]`. `seccomp` is the file with the program's filters of system calls, if it has any.
pub(crate) fn options(fd: u64, seccomp: Option<i32>) -> Text<OPTIONS_MAX> {
    let entry = match trap::design() {
        Entry::Stub => "stub",
        Entry::Patched => "patched",
        Entry::Trap => "trap",
        Entry::Kernel => "kernel",
    };
    let vdso = match vdso::choice() {
        Some(Vdso::Kernel) => " vdso=kernel",
        Some(Vdso::Own) => " vdso=own",
        Some(Vdso::None) => " vdso=none",
        None => "",
    };
    let filters = seccomp.map_or(Text::new(), |seccomp| Text::<32>::of(format_args!(" seccomp={seccomp}")));
    let filters = core::str::from_utf8(filters.bytes()).unwrap_or("");
    let kept = OPTIONS.lock();
    let more = core::str::from_utf8(kept.bytes()).unwrap_or("");
    Text::of(format_args!(
        "fd={fd} self={} log={} entry={entry}{vdso}{filters}{}{more}",
        held(),
        crate::log::descriptor(),
        if more.is_empty() { "" } else { " " }
    ))
}

/// Whether the program in `fd` and the interpreter that it names can be executed.
///
/// # Errors
/// What Linux gives: `ENOENT` and so on from opening the interpreter, `ELIBBAD` for one that is none, `ENOEXEC` for a program that
/// cannot be one.
pub(crate) fn check_interpreter(fd: u64) -> Result<(), Errno> {
    let fd = i32::try_from(fd).map_err(|_| Errno::EBADF)?;
    let mut name = [0; crate::process_view::PATH_MAX];
    if let Some(opened) = crate::open_interpreter(fd, &mut name).map_err(crate::InterpreterError::errno)? {
        // SAFETY: a descriptor of our own.
        let _ = unsafe { host::call(host::nr::CLOSE, [host::int(opened)]) };
    }
    Ok(())
}

/// Executes biarch with these arrays of strings; the program `fd` and biarch's own descriptors stay open across it.
///
/// # Errors
/// The kernel's errno. Success does not return.
pub(crate) fn execute(fd: u64, argv: u64, envp: u64) -> Result<u64, Errno> {
    const F_SETFD: u64 = 2;
    const FD_CLOEXEC: u64 = 1;
    // SAFETY: a descriptor of our own.
    unsafe { host::call(host::nr::FCNTL, [fd, F_SETFD, 0])? };
    hidden::inherit(true);
    let result = execute_self(argv, envp);
    hidden::inherit(false);
    // SAFETY: as above.
    let _ = unsafe { host::call(host::nr::FCNTL, [fd, F_SETFD, FD_CLOEXEC]) };
    result
}

/// Executes biarch with these arrays of strings.
///
/// # Errors
/// The kernel's errno. Success does not return.
pub(crate) fn execute_self(argv: u64, envp: u64) -> Result<u64, Errno> {
    const AT_EMPTY_PATH: u64 = 0x1000;
    let own = held();
    // SAFETY: descriptors of our own; the arrays outlive the call.
    unsafe {
        let mut result = host::call(host::nr::EXECVE, [host::addr(c"/proc/self/exe".to_bytes_with_nul()), argv, envp]);
        if own >= 0 && matches!(result, Err(Errno::ENOENT | Errno::ENOTDIR | Errno::ELOOP | Errno::EACCES)) {
            // No /proc in this root, or none that knows this process.
            let empty = b"\0";
            result = host::call(host::nr::EXECVEAT, [host::int(own), host::addr(empty), argv, envp, AT_EMPTY_PATH]);
        }
        result
    }
}

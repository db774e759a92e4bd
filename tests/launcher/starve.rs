//! `--without-memory N`: the N-th time that the program or one of its children wants memory of the kernel, there is none.

use std::ffi::{CString, OsString};
use std::io::{Error, Result};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use crate::{jump, load, set_filter, statement};

/// Ways to memory. `brk` is not among them: biarch has no heap, and its guest's is a mapping.
const WAYS: [libc::c_long; 3] = [libc::SYS_mmap, libc::SYS_mremap, libc::SYS_mprotect];

/// linux/seccomp.h: `struct seccomp_notif`, `struct seccomp_notif_resp`, and what reads and writes them.
#[repr(C)]
#[derive(Default)]
struct Wanted {
    id: u64,
    pid: u32,
    flags: u32,
    nr: i32,
    arch: u32,
    instruction_pointer: u64,
    arguments: [u64; 6],
}
#[repr(C)]
struct Answer {
    id: u64,
    val: i64,
    error: i32,
    flags: u32,
}
const SECCOMP_IOCTL_NOTIF_RECV: libc::c_ulong = 0xc050_2100;
const SECCOMP_IOCTL_NOTIF_SEND: libc::c_ulong = 0xc018_2101;
const SECCOMP_USER_NOTIF_FLAG_CONTINUE: u32 = 1;

/// Runs the program; says on standard error how often memory was wanted, and ends as the program does.
pub(crate) fn run(which: u64, words: &[OsString]) -> Result<ExitCode> {
    let words: Vec<CString> = words.iter().map(|word| CString::new(word.as_bytes())).collect::<std::result::Result<_, _>>()?;
    let mut pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
    pointers.push(std::ptr::null());
    let mut ends = [0; 2];
    // SAFETY: the array has room for two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0, ends.as_mut_ptr()) })?;
    // SAFETY: this process has one thread, so that its child may do what it may.
    let child = check(unsafe { libc::fork() })?;
    if child == 0 {
        // No memory is wanted before the program begins: whoever answers does not have the descriptor yet.
        let listener = filter();
        let number = listener.unwrap_or(-1);
        let mut ready = 0_u8;
        // SAFETY: each gets a pointer to a live value, and the words and the array of them live until the end.
        unsafe {
            libc::write(ends[1], (&raw const number).cast(), size_of_val(&number));
            libc::read(ends[1], (&raw mut ready).cast(), 1);
            if number >= 0 {
                libc::execv(pointers[0], pointers.as_ptr());
            }
            libc::_exit(127);
        }
    }
    let mut number = -1_i32;
    // SAFETY: as above.
    unsafe { libc::read(ends[0], (&raw mut number).cast(), size_of_val(&number)) };
    // SAFETY: no memory is touched.
    let listener = unsafe {
        let process = check(i32::try_from(libc::syscall(libc::SYS_pidfd_open, child, 0)).unwrap_or(-1))?;
        check(i32::try_from(libc::syscall(libc::SYS_pidfd_getfd, process, number, 0)).unwrap_or(-1))?
    };
    // SAFETY: one byte that is there.
    unsafe { libc::write(ends[0], c"".as_ptr().cast(), 1) };
    let times = answer(listener, which)?;
    let mut status = 0;
    // SAFETY: a pointer to a live integer.
    check(unsafe { libc::waitpid(child, &raw mut status, 0) })?;
    eprintln!("launcher: memory was wanted {times} times");
    if libc::WIFSIGNALED(status) {
        // SAFETY: no memory is touched.
        unsafe {
            libc::signal(libc::WTERMSIG(status), libc::SIG_DFL);
            libc::raise(libc::WTERMSIG(status));
        }
    }
    Ok(ExitCode::from(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(1)))
}

/// Installs what asks for each of [`WAYS`]; where that is asked.
fn filter() -> Result<i32> {
    let mut filter = vec![load(crate::OFFSET_OF_ARCH)];
    filter.extend([jump(crate::AUDIT_ARCH_I386, 0, 1), statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_KILL_PROCESS)]);
    filter.push(load(crate::OFFSET_OF_NR));
    for way in WAYS {
        filter.extend([
            jump(u32::try_from(way).unwrap_or(0), 0, 1),
            statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_USER_NOTIF),
        ]);
    }
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    set_filter(&mut filter, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)
}

/// Lets all but one have it, until nobody is left who asks.
fn answer(listener: i32, which: u64) -> Result<u64> {
    let mut times = 0;
    loop {
        let mut there = libc::pollfd { fd: listener, events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor that is there.
        check(unsafe { libc::poll(&raw mut there, 1, -1) })?;
        if there.revents & libc::POLLIN == 0 {
            return Ok(times);
        }
        let mut wanted = Wanted::default();
        // SAFETY: the kernel writes what the number says, the size of the structure.
        if unsafe { libc::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &raw mut wanted) } < 0 {
            // It was killed meanwhile.
            continue;
        }
        times += 1;
        let (error, flags) = if times == which { (-libc::ENOMEM, 0) } else { (0, SECCOMP_USER_NOTIF_FLAG_CONTINUE) };
        let answer = Answer { id: wanted.id, val: 0, error, flags };
        // SAFETY: the kernel reads what the number says, the size of the structure.
        unsafe { libc::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
    }
}

fn check(result: i32) -> Result<i32> {
    if result < 0 { Err(Error::last_os_error()) } else { Ok(result) }
}

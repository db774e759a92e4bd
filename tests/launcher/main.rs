//! `launcher [--without-vdso | --without-memory N] PROG [ARG…]`: runs a program that dies at its first 32-bit system call.
//!
//! A seccomp filter looks at the architecture of every system call, and kills the whole process with SIGSYS when it is
//! AUDIT_ARCH_I386. The filter is inherited by every child and survives exec, so one launcher proves a whole tree of
//! processes independent of the kernel's 32-bit entry points. `--without-vdso` makes the kernel one that has no 32-bit vDSO to
//! give: `arch_prctl(ARCH_MAP_VDSO_32)` fails with `EINVAL`, as where it was compiled without. `--without-memory`: see starve.rs.
#![allow(clippy::print_stderr, reason = "a program with nothing to say but why it could not start")]

mod starve;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// linux/audit.h: EM_386 | __AUDIT_ARCH_LE. The libc crate does not have it.
const AUDIT_ARCH_I386: u32 = 0x4000_0003;

/// offsetof(struct seccomp_data, …), linux/seccomp.h.
const OFFSET_OF_NR: u32 = 0;
const OFFSET_OF_ARCH: u32 = 4;
const OFFSET_OF_FIRST_ARGUMENT: u32 = 16;

/// asm/prctl.h
const ARCH_MAP_VDSO_32: u32 = 0x2002;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    let without_vdso = arguments.next_if(|argument| argument == "--without-vdso").is_some();
    let starves = arguments.next_if(|argument| argument == "--without-memory").is_some();
    let which = if starves { arguments.next().and_then(|number| number.to_str()?.parse().ok()) } else { Some(0) };
    let (Some(program), Some(which)) = (arguments.next(), which) else {
        eprintln!("usage: launcher [--without-vdso | --without-memory N] PROG [ARG...]");
        return ExitCode::from(125);
    };
    if starves {
        let words: Vec<OsString> = std::iter::once(program).chain(arguments).collect();
        return starve::run(which, &words).unwrap_or_else(|error| {
            eprintln!("launcher: {error}");
            ExitCode::from(125)
        });
    }
    if let Err(error) = filter(without_vdso) {
        eprintln!("launcher: seccomp: {error}");
        return ExitCode::from(125);
    }
    let rest: Vec<OsString> = arguments.collect();
    let error = Command::new(&program).args(rest).exec();
    eprintln!("launcher: {}: {error}", program.to_string_lossy());
    ExitCode::from(127)
}

fn statement(code: u32, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: u16::try_from(code).unwrap_or(0), jt: 0, jf: 0, k }
}

/// Compares what was loaded.
fn jump(k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { jt, jf, ..statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, k) }
}

/// Loads a word of `struct seccomp_data`.
fn load(offset: u32) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

/// Installs the filter on this process, for good.
fn filter(without_vdso: bool) -> std::io::Result<()> {
    let arch_prctl = u32::try_from(libc::SYS_arch_prctl).unwrap_or(0);
    let mut filter = vec![
        load(OFFSET_OF_ARCH),
        jump(AUDIT_ARCH_I386, 0, 1),
        statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_KILL_PROCESS),
    ];
    if without_vdso {
        let error = libc::SECCOMP_RET_ERRNO | u32::try_from(libc::EINVAL).unwrap_or(0);
        filter.extend([
            load(OFFSET_OF_NR),
            jump(arch_prctl, 0, 3),
            load(OFFSET_OF_FIRST_ARGUMENT),
            jump(ARCH_MAP_VDSO_32, 0, 1),
            statement(libc::BPF_RET | libc::BPF_K, error),
        ]);
    }
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    set_filter(&mut filter, 0).map(drop)
}

/// seccomp(2): what it returns.
fn set_filter(filter: &mut [libc::sock_filter], flags: libc::c_ulong) -> std::io::Result<i32> {
    let program = libc::sock_fprog { len: u16::try_from(filter.len()).unwrap_or(0), filter: filter.as_mut_ptr() };
    // SAFETY: the kernel copies the filter, which lives until the call returns.
    let install = || unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    // Whoever may do so without giving up privileges changes nothing else about the program.
    let mut result = install();
    // SAFETY: prctl reads its integer arguments only.
    if result < 0 && unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } == 0 {
        result = install();
    }
    if result < 0 { Err(std::io::Error::last_os_error()) } else { Ok(i32::try_from(result).unwrap_or(0)) }
}

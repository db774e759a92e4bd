//! The entry point where `biarch run` can run programs.

use super::cmd;
use super::cmd::run::x86_64::{given, note_auxv, reexecuted};
use std::ffi::{c_char, c_int};

/// The C entry point: Rust's own would set SIGPIPE to be ignored and open closed descriptors, and the guest inherits both.
///
/// # Safety
/// Only for the C library, which passes the environment where the kernel has put it.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn main(_argc: c_int, _argv: *const *const c_char, environment: *const *const c_char) -> c_int {
    // SAFETY: the environment is where the kernel has put it.
    unsafe { note_auxv(environment) };
    let arguments = std::env::args_os();
    let status = if let Some(given) = given() {
        given.run(arguments)
    } else if arguments.len() >= 4 && std::env::args_os().next().is_some_and(|name| is_reexecuted(&name)) {
        reexecuted(arguments)
    } else {
        cmd::main()
    };
    c_int::from(status)
}

fn is_reexecuted(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes() == &run::reexec::NAME[..run::reexec::NAME.len() - 1]
}

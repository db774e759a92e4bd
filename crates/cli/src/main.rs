//! `biarch`: 32-bit software on 64-bit Linux. The arguments are in `cmd`, the work in the other crates.
#![no_main]

mod cmd;

use clap::Parser;
use std::ffi::{c_char, c_int};

/// The C entry point: Rust's own would set SIGPIPE to be ignored and open closed descriptors, and the guest inherits both.
///
/// # Safety
/// Only for the C library, which passes the environment where the kernel has put it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn main(_argc: c_int, _argv: *const *const c_char, environment: *const *const c_char) -> c_int {
    // SAFETY: the environment is where the kernel has put it.
    unsafe { cmd::note_auxv(environment) };
    let mut arguments = std::env::args_os();
    let status = if arguments.len() >= 4 && std::env::args_os().next().is_some_and(|name| is_reexecuted(&name)) {
        cmd::reexecuted(arguments)
    } else {
        let _ = arguments.next();
        cmd::Cli::try_parse().map_or_else(|error| cmd::usage(&error), cmd::Cli::run)
    };
    c_int::from(status)
}

fn is_reexecuted(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes() == &run::reexec::NAME[..run::reexec::NAME.len() - 1]
}

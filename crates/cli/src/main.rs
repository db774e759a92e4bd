//! `biarch`: 32-bit software on 64-bit Linux. The arguments are in `cmd`, the work in the other crates.
#![cfg_attr(target_arch = "x86_64", no_main)]

mod cmd;
#[cfg(target_arch = "x86_64")]
mod entry;

#[cfg(not(target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    cmd::main().into()
}

//! 32-bit programs run, and there is no dynamic loader for them
//!
//! # What
//! The kernel of this machine runs 32-bit programs; no 32-bit C library's loader is where programs look for it.
//!
//! # Why
//! Every program that is not static names its loader, and the kernel reports "No such file or directory" about a program
//! that is plainly there if the loader is not. Nothing is wrong with a system that has no such programs.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-amd64
//! | machine x86_64
//! [loaders]
//! [probe i386]
//! | probe 1 i386
//! | end i386
//! ```
//!
//! Good:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-amd64
//! | machine x86_64
//! [loaders]
//! | /lib/ld-linux.so.2
//! [probe i386]
//! | probe 1 i386
//! | end i386
//! ```
//!
//! # Fix
//! If there are to be such programs, install their C library: on Debian
//!
//! ```text
//! dpkg --add-architecture ARCHITECTURE && apt update && apt install libc6:ARCHITECTURE
//! ```
//!
//! with i386 or, on ARM, armhf; on Fedora glibc.i686, in an image built by Yocto the multilib's glibc.
//!
//! # References
//! - man 8 ld.so; man 2 execve, ENOENT

use super::Found;
use crate::facts::Facts;
use crate::facts::machine::is_loader_of;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        let Some((machine, probe)) = kernel.machine.as_ref().and_then(|machine| Some((machine, machine.native()?))) else { continue };
        let Some(loaders) = &machine.loaders else { continue };
        if !loaders.iter().any(|loader| is_loader_of(loader, &probe.name)) {
            let message = format!("static {} programs start, others do not: there is no loader for them", probe.name);
            let others = if loaders.is_empty() { "no 32-bit loader".to_owned() } else { loaders.join(", ") };
            found.add(&kernel.name, message, format!("there is {others}; Debian's is in libc6:{}", probe.name));
        }
    }
}

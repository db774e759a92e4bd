//! x86: int $0x80 takes many times as long as the other way into the kernel
//!
//! # What
//! On this machine a system call by int $0x80 takes at least four times as long as one by __kernel_vsyscall, measured here.
//!
//! # Why
//! i386 programs enter the kernel by __kernel_vsyscall, in the vDSO, which uses the processor's fast instruction, or by
//! int $0x80, which always works. The C libraries use both: musl at every cancellation point (read, write, poll), glibc since
//! 2.41 at the same, Go for everything. An interrupt gate is slow by itself; under some hypervisors it is very slow.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-amd64
//! | machine x86_64
//! [probe i386]
//! | probe 1 i386
//! | ns.int80.getppid 4120.8
//! | ns.vsyscall.getppid 180.1
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
//! [probe i386]
//! | probe 1 i386
//! | ns.int80.getppid 210.8
//! | ns.vsyscall.getppid 90.1
//! | end i386
//! ```
//!
//! # Fix
//! `biarch run PROGRAM` rewrites int $0x80 after its first execution, and then both ways take the same time. Programs that
//! are linked with an older glibc are not concerned.
//!
//! # References
//! - arch/x86/entry/vdso/vdso32/system_call.S; arch/x86/entry/entry_64_compat.S
//! - glibc 2.41, sysdeps/unix/sysv/linux/i386/syscall_cancel.S

use super::Found;
use crate::facts::Facts;

/// How many times as long is worth a word.
const MUCH: f64 = 4.0;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (kernel, probe) in facts.kernels.iter().filter_map(|kernel| Some((kernel, kernel.native()?))) {
        let keys = ["ns.int80.getppid", "ns.vsyscall.getppid"];
        let [Some(slow), Some(fast)] = keys.map(|key| probe.nanoseconds(key)) else { continue };
        if slow / fast >= MUCH {
            let message = "Go programs, and others at every cancellation point, take many times as long for a system call";
            found.add(&kernel.name, message, format!("{}: {:.0} times as long", probe.quote(&keys), slow / fast));
        }
    }
}

//! A sysctl takes from 32-bit programs what the kernel has for them
//!
//! # What
//! sysctl.d or /etc/sysctl.conf in the root file system has abi.vsyscall32=0, abi.cp15_barrier=0 or abi.setend=0.
//!
//! # Why
//! abi.vsyscall32=0 is vdso32=0 at run time: i386 programs get no vDSO, and every clock_gettime() is a system call. On arm64
//! abi.cp15_barrier=0 makes the barriers of ARMv6 programs SIGILL, and abi.setend=0 the SETEND instruction; both are otherwise
//! emulated or executed. Guides to hardening ask for the first; whoever has i386 programs has to choose.
//!
//! # Fix
//! Remove the line, and boot again or set the value: `sysctl abi.vsyscall32=1`, `sysctl abi.cp15_barrier=1`,
//! `sysctl abi.setend=1`. Programs that run already keep what they have.
//!
//! # References
//! - arch/x86/entry/vdso/vdso32-setup.c; Documentation/arch/arm64/legacy_instructions.rst
//! - man 5 sysctl.d

use super::Found;
use crate::facts::Facts;
use crate::sysctl;
use findings::Severity;

/// Name, what 0 does, and how bad that is.
const SETTINGS: &[(&str, &str, Severity)] = &[
    ("abi.vsyscall32", "i386 programs make a system call whenever they read the clock", Severity::Slow),
    ("abi.cp15_barrier", "programs with CP15 barriers, built for ARMv6, die with SIGILL", Severity::Risk),
    ("abi.setend", "programs with SETEND die with SIGILL", Severity::Note),
];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let settings = sysctl::of_root(root);
        for (name, message, severity) in SETTINGS {
            if let Some(setting) = settings.get(*name).filter(|setting| setting.value == "0") {
                found.add(&setting.place, *message, format!("it has {name} = 0")).severity = *severity;
            }
        }
    }
}

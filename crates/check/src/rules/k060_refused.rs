//! A 32-bit program was tried on this machine and refused
//!
//! # What
//! A static 32-bit program was started. The kernel did not execute it, or ended it at its first system call, although its
//! configuration has what such programs need.
//!
//! # Why
//! ENOEXEC, "Exec format error", comes from the kernel: it was told on its command line to refuse 32-bit programs
//! (ia32_emulation=0, arm64.no32bit_el0), or the processor has no AArch32 at EL0, as Apple's and most of Arm's since 2021. A
//! program that is killed by SIGSYS was executed, and a filter of system calls then ended it: systemd's
//! SystemCallArchitectures=native does so, and containers may. Guides to hardening ask for both; whoever has 32-bit programs
//! has to choose.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-amd64
//! | machine x86_64
//! [/proc/cmdline]
//! | root=/dev/sda1 ro quiet ia32_emulation=0
//! [probe i386]
//! ! exit 126 Exec format error
//! ```
//!
//! Good:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-amd64
//! | machine x86_64
//! [/proc/cmdline]
//! | root=/dev/sda1 ro quiet
//! [probe i386]
//! | probe 1 i386
//! | end i386
//! ```
//!
//! # Fix
//! i386 programs need nothing from the kernel under
//!
//! ```text
//! biarch run PROGRAM
//! ```
//!
//! Otherwise take the word off the command line (boot loader, or CONFIG_CMDLINE), and the filter off the service or the
//! container. Where the processor is the cause use an emulator, such as qemu-arm.
//!
//! # References
//! - Documentation/admin-guide/kernel-parameters.txt, ia32_emulation=, arm64.no32bit_el0
//! - man 5 systemd.exec, SystemCallArchitectures=; man 2 seccomp
//! - Documentation/arch/arm64/asymmetric-32bit.rst

use super::Found;
use crate::facts::machine::Refusal;
use crate::facts::{Architecture, Facts, Kernel};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        let Some(probe) = kernel.machine.as_ref().and_then(|machine| machine.tried()) else { continue };
        let evidence = match &probe.failure {
            Some((status, message)) => format!("probe-{}: exit status {status} {message}", probe.name),
            None => continue,
        };
        match probe.refusal() {
            // The configuration says it: K002, K017 and K018.
            Some(Refusal::NoSuchFormat) if kernel.lacks("COMPAT") || kernel.lacks("IA32_EMULATION") => {}
            Some(Refusal::NoSuchFormat) => {
                let Some(why) = why(kernel) else { continue };
                found.add(&kernel.name, format!("{} programs do not start: {why}", probe.name), evidence.trim_end());
            }
            Some(Refusal::Filtered) => {
                let message = format!("a filter of system calls ends {} programs", probe.name);
                found.add(&kernel.name, message, evidence.trim_end());
            }
            Some(Refusal::Other) | None => {}
        }
    }
}

/// What the kernel was told, or what the processor lacks; nothing, where another rule says it.
fn why(kernel: &Kernel) -> Option<String> {
    let words = ["ia32_emulation", "ia32-emulation", "arm64.no32bit_el0", "id_aa64pfr0.el0"];
    let told = kernel.command_line().filter(|word| words.contains(&word.split('=').next().unwrap_or(word))).last();
    Some(match told {
        Some(word) => format!("the kernel was started with {word}"),
        None if kernel.has("IA32_EMULATION_DEFAULT_DISABLED") => return None,
        None if kernel.architecture() == Some(Architecture::Arm64) && kernel.has("COMPAT") => {
            "the processor has no AArch32, or not on every core".to_owned()
        }
        None => "the kernel has no support for them, or the processor has not".to_owned(),
    })
}

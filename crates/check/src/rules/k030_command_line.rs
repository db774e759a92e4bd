//! The built-in command line turns 32-bit programs off or slows them
//!
//! # What
//! CONFIG_CMDLINE has ia32_emulation=0, vdso32=0 or vdso=0.
//!
//! # Why
//! A command line that is built in is easily forgotten: /proc/cmdline shows it, the boot loader does not.
//! ia32_emulation=0 refuses i386 programs, vdso32=0 takes their vDSO away, so that every clock_gettime() is a system
//! call.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_CMDLINE_BOOL=y
//! CONFIG_CMDLINE="quiet ia32_emulation=0"
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_CMDLINE_BOOL=y
//! CONFIG_CMDLINE="quiet"
//! ```
//!
//! # Fix
//! Take the word out of CONFIG_CMDLINE, or say the opposite in the boot loader, which comes later unless
//! CONFIG_CMDLINE_OVERRIDE is on.
//!
//! # References
//! - Documentation/admin-guide/kernel-parameters.txt, ia32_emulation=, vdso32=

use super::Found;
use crate::facts::Facts;
use crate::config::Setting;
use findings::Severity;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        // A kernel that runs has what the boot loader says as well; K060, K061 and K029 say what became of it.
        if kernel.machine.is_some() {
            continue;
        }
        let Some(Setting::Value(line)) = kernel.option("CMDLINE") else { continue };
        for word in line.split_ascii_whitespace() {
            let (message, severity) = match word {
                "ia32_emulation=0" | "ia32_emulation=off" | "ia32_emulation=n" | "ia32_emulation=false" => {
                    ("i386 programs do not start", Severity::Fails)
                }
                "vdso32=0" => ("i386 programs make a system call whenever they read the clock", Severity::Slow),
                "vdso=0" => ("64-bit programs make a system call whenever they read the clock", Severity::Slow),
                _ => continue,
            };
            found.add(&kernel.name, message, kernel.quote(&["CMDLINE"])).severity = severity;
        }
    }
}

//! The built-in command line turns 32-bit programs off or slows them
//!
//! # What
//! CONFIG_CMDLINE has ia32_emulation=0, arm64.no32bit_el0, vdso32=0, vdso=0, or a clock source that the vDSO cannot read.
//!
//! # Why
//! A command line that is built in is easily forgotten: /proc/cmdline shows it, the boot loader does not.
//! ia32_emulation=0 and arm64.no32bit_el0 refuse 32-bit programs, vdso32=0 takes the vDSO from i386 programs, so that every
//! clock_gettime() is a system call. Guides to hardening (kernel-hardening-checker among them) ask for ia32_emulation=0 and
//! vdso32=0; whoever has 32-bit programs has to choose.
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
//! - Documentation/admin-guide/kernel-parameters.txt, ia32_emulation=, arm64.no32bit_el0, vdso32=, vdso=, clocksource=

use super::Found;
use crate::command_line::effects;
use crate::config::Setting;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        // A kernel that runs has what the boot loader says as well; K060, K061 and K029 say what became of it.
        if kernel.machine.is_some() {
            continue;
        }
        let Some(Setting::Value(line)) = kernel.option("CMDLINE") else { continue };
        for effect in effects(line) {
            found.add(&kernel.name, effect.message, format!("{} in {}", effect.word, kernel.quote(&["CMDLINE"]))).severity = effect.severity;
        }
    }
}

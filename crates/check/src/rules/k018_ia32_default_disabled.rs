//! x86-64: 32-bit programs run only with a boot parameter
//!
//! # What
//! CONFIG_IA32_EMULATION_DEFAULT_DISABLED is on.
//!
//! # Why
//! The code for i386 programs is there and switched off: without `ia32_emulation=1` on the command line the kernel
//! refuses them with ENOEXEC. The option exists since Linux 6.7. Guides to hardening want it, or CONFIG_IA32_EMULATION off;
//! whoever has 32-bit programs has to choose. A boot loader's configuration in the same root file system that has the
//! parameter is seen, and then nothing is said.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! CONFIG_IA32_EMULATION_DEFAULT_DISABLED=y
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_IA32_EMULATION=y
//! # CONFIG_IA32_EMULATION_DEFAULT_DISABLED is not set
//! ```
//!
//! # Fix
//! Add `ia32_emulation=1` to the kernel's command line, or run the program with `biarch run PROGRAM`, which does not need
//! it.
//!
//! # References
//! - arch/x86/Kconfig, config IA32_EMULATION_DEFAULT_DISABLED
//! - Documentation/admin-guide/kernel-parameters.txt, ia32_emulation=

use super::Found;
use crate::fixes;
use crate::command_line::turns_ia32_on;
use crate::config::Setting;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.has("IA32_EMULATION_DEFAULT_DISABLED") && kernel.runs_narrow() != Some(true)) {
        let built_in = match kernel.option("CMDLINE") {
            Some(Setting::Value(line)) => line,
            _ => "",
        };
        if !turns_ia32_on(facts, built_in) {
            let evidence = kernel.quote(&["IA32_EMULATION", "IA32_EMULATION_DEFAULT_DISABLED"]);
            found.add(&kernel.name, "i386 programs do not start unless it is booted with ia32_emulation=1", evidence).patch =
            Some(fixes::command_line("ia32_emulation=1"));
        }
    }
}

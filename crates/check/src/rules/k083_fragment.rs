//! A fragment of the kernel's configuration turns off what 32-bit programs need
//!
//! # What
//! A fragment that the tree gives its AArch64 kernel has a line against 32-bit programs, or one that cannot have an effect.
//!
//! # Why
//! Fragments come last and win over defconfig. Many are copied from guides to hardening, which want the 32-bit interface
//! away. COMPAT off: no 32-bit program starts. COMPAT_32BIT_TIME off: programs with a 32-bit time_t abort. KUSER_HELPERS off:
//! programs built for ARMv6 and older crash. COMPAT_VDSO off: reading the clock is a system call, 25 times slower.
//! COMPAT_VDSO=y without a 32-bit compiler is dropped without a word, for the option is invisible then.
//!
//! # Fix
//! Take the line out, or say =y, if the kernel is to run 32-bit programs. For COMPAT_VDSO=y give the kernel a compiler, as
//! K080 says.
//!
//! # References
//! - scripts/kconfig/merge_config.sh, which warns "Value requested for CONFIG_… not in final .config"
//! - Kernel Self Protection Project, recommended settings

use super::{Found, k080_compat_compiler::lacks_compiler};
use crate::facts::Facts;
use findings::Severity;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for tree in facts.trees.iter().filter(|tree| tree.arm64.is_some()) {
        let turned_off = |option| tree.turned_off(option);
        if let Some(said) = turned_off("COMPAT") {
            // Whoever makes no 32-bit programs may well want it so.
            let severity = if tree.narrow.is_empty() { Severity::Note } else { Severity::Fails };
            let evidence = tree.narrow.first().map_or_else(|| said.to_string(), |narrow| format!("{said}; {narrow}"));
            found.add(&tree.name, "32-bit ARM programs will not start: a fragment turns COMPAT off", evidence).severity = severity;
            continue;
        }
        for (option, severity, message) in [
            ("COMPAT_32BIT_TIME", Severity::Fails, "32-bit programs with a 32-bit time_t will abort: futex and ppoll return ENOSYS"),
            ("COMPAT_VDSO", Severity::Slow, "32-bit programs will make a system call whenever they read the clock"),
            ("KUSER_HELPERS", Severity::Risk, "32-bit programs built for ARMv6 and older will crash"),
            ("COMPAT_ALIGNMENT_FIXUPS", Severity::Risk, "32-bit programs with unaligned LDM or LDRD will die with SIGBUS"),
            ("CP15_BARRIER_EMULATION", Severity::Risk, "32-bit programs with the barriers of ARMv6 may die with SIGILL"),
            ("SWP_EMULATION", Severity::Risk, "32-bit programs with SWP will die with SIGILL"),
        ] {
            if let Some(said) = turned_off(option) {
                found.add(&tree.name, message, said.to_string()).severity = severity;
            }
        }
        let on = tree.fragments.iter().rfind(|fragment| fragment.option == "COMPAT_VDSO").filter(|fragment| fragment.on);
        if let Some(on) = on.filter(|_| lacks_compiler(tree)) {
            found.add(&tree.name, "COMPAT_VDSO=y has no effect without a 32-bit compiler", on.said.to_string()).severity = Severity::Note;
        }
    }
}

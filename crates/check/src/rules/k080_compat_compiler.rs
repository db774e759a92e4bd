//! The kernel is built without a compiler for its 32-bit vDSO
//!
//! # What
//! The tree builds an AArch64 kernel, and nothing in it gives the kernel's make CROSS_COMPILE_COMPAT.
//!
//! # Why
//! CONFIG_COMPAT_VDSO exists only if that variable has a value when the kernel is configured, or if clang and LLD build it.
//! Otherwise the option is not even shown, .config has no line about it, and every gettimeofday() and clock_gettime() of a
//! 32-bit program is a system call, 25 times slower. OE-core, Buildroot and PTXdist know nothing of the variable; Armbian
//! has an extension for it that is off by default.
//!
//! # Fix
//! `biarch check --fix TREE` prints what to add to the tree, and `--fix --write` adds it:
//!
//! - Yocto: a class that takes the compiler of the multilib for 32-bit ARM (K082 if there is none), and INHERIT.
//! - Buildroot: CROSS_COMPILE_COMPAT in LINUX_MAKE_FLAGS in external.mk, or exported in local.mk.
//! - PTXdist: CROSS_COMPILE_COMPAT in KERNEL_BASE_OPT in rules/post/.
//! - Armbian: the extension arm64-compat-vdso.
//!
//! Then configure and build the kernel again.
//!
//! # References
//! - arch/arm64/Kconfig, config COMPAT_VDSO
//! - OE-core's meta/classes-recipe/kernel.bbclass, Buildroot's linux/linux.mk, PTXdist's rules/kernel.make
//! - armbian/build #9216; raspberrypi/linux #6601

use super::Found;
use crate::facts::Facts;
use crate::fixes;
use crate::tree::{System, Tree};
use findings::Severity;

/// Whether the option cannot be there: no compiler, and no clang with LLD.
pub(super) fn lacks_compiler(tree: &Tree) -> bool {
    let llvm = tree.clang.is_some() && tree.lld.is_some();
    tree.arm64.is_some() && tree.compat.is_none() && !llvm && tree.turned_off("COMPAT").is_none()
}

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    // Of a kernel's own tree .config says it all: see K001.
    let trees = facts.trees.iter().filter(|tree| tree.system != System::Kernel && tree.clang.is_none());
    for tree in trees.filter(|tree| lacks_compiler(tree)) {
        let mut evidence: Vec<String> = tree.arm64.iter().map(ToString::to_string).collect();
        evidence.push(format!("none of the {} files read sets CROSS_COMPILE_COMPAT", tree.searched));
        let built = facts.kernels.iter().find(|kernel| tree.has(kernel) && kernel.is_arm64_with_compat());
        evidence.extend(built.map(|kernel| format!("{}: {}", kernel.name, kernel.quote(&["COMPAT", "COMPAT_VDSO"]))));
        let on = tree.fragments.iter().find(|fragment| fragment.option == "COMPAT" && fragment.on);
        evidence.extend(on.map(|fragment| fragment.said.to_string()));
        evidence.extend(tree.narrow.first().map(ToString::to_string));
        let wanted = built.is_some() || on.is_some() || !tree.narrow.is_empty();
        let message = if wanted {
            "32-bit programs will make a system call whenever they read the clock, 25 times slower"
        } else {
            "32-bit programs, if it is to run any, will make a system call whenever they read the clock"
        };
        let finding = found.add(&tree.name, message, evidence.join("; "));
        finding.patch = fixes::compat_compiler(tree);
        if !wanted {
            finding.severity = Severity::Note;
        }
    }
}

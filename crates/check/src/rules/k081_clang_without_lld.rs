//! The kernel is built with clang, but linked with GNU ld
//!
//! # What
//! The tree builds an AArch64 kernel with clang and without LLD, and gives it no CROSS_COMPILE_COMPAT.
//!
//! # Why
//! clang can compile for 32-bit ARM by itself, so it looks as if the kernel had its 32-bit vDSO. Kconfig wants LLD, too:
//! GNU ld of an AArch64 toolchain cannot link 32-bit ARM. OE-core's kernel-arch.bbclass uses ld.bfd with
//! KERNEL_TOOLCHAIN = "clang" unless DISTRO_FEATURES has ld-is-lld; Armbian's KERNEL_COMPILER=clang does not bring LLD
//! either. CONFIG_COMPAT_VDSO then has no line in .config, and reading the clock is a system call, 25 times slower.
//!
//! # Fix
//! Link the kernel with LLD: in Yocto add ld-is-lld to DISTRO_FEATURES, which changes the linker of every recipe that is
//! built with clang; elsewhere set LLVM=1. Or give the kernel a 32-bit ARM linker by CROSS_COMPILE_COMPAT, which changes
//! nothing else: `biarch check --fix TREE` does that.
//!
//! # References
//! - arch/arm64/Kconfig, config COMPAT_VDSO; arch/arm64/kernel/vdso32/Makefile
//! - OE-core's meta/classes-recipe/kernel-arch.bbclass, KERNEL_LD:toolchain-clang

use super::{Found, k080_compat_compiler::lacks_compiler};
use crate::facts::Facts;
use crate::fixes;
use crate::tree::System;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for tree in facts.trees.iter().filter(|tree| lacks_compiler(tree)) {
        let Some(clang) = &tree.clang else { continue };
        let linker = match tree.system {
            System::Yocto | System::Layer => "DISTRO_FEATURES has no ld-is-lld",
            _ => "nothing says LLD",
        };
        let evidence = format!("{clang}; {linker}; none of the {} files read sets CROSS_COMPILE_COMPAT", tree.searched);
        let message = "32-bit programs will make a system call whenever they read the clock: clang alone does not link their vDSO";
        found.add(&tree.name, message, evidence).patch = fixes::compat_compiler(tree);
    }
}

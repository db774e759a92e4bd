//! The 32-bit vDSO has no clock_gettime64
//!
//! # What
//! The vDSO inside the kernel's image, or the one that a 32-bit program is given, has no __vdso_clock_gettime64.
//!
//! # Why
//! Programs with a 64-bit time_t (Debian's armhf since 13, musl since 1.2, everything built with -D_TIME_BITS=64) ask for
//! clock_gettime64 only. Where the vDSO lacks it the C library makes a system call, although a vDSO is there. Kernels of
//! 2019 and before lack it.
//!
//! # Fix
//! Update the kernel to 5.10 or later. Programs with a 32-bit time_t are not affected.
//!
//! # References
//! - arch/arm64/kernel/vdso32/vdso.lds.S, arch/x86/entry/vdso/vdso32/vdso32.lds.S
//! - tools/testing/selftests/vDSO/vdso_config.h

use super::Found;
use crate::facts::Facts;
use ::elf::{Class, EM_386, EM_ARM};

const SYMBOL: &str = "__vdso_clock_gettime64";

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    let message = "32-bit programs with a 64-bit time_t make a system call whenever they read the clock";
    for (kernel, probe) in facts.kernels.iter().filter_map(|kernel| Some((kernel, kernel.native()?))) {
        // One without any symbols has not been read to its end.
        if probe.has_vdso() && !probe.symbols.is_empty() && !probe.symbols.iter().any(|symbol| symbol == SYMBOL) {
            found.add(&kernel.name, message, format!("the vDSO of an {} program has {}", probe.name, probe.symbols.join(", ")));
        }
    }
    for (kernel, image) in facts.kernels.iter().filter_map(|kernel| Some((kernel, kernel.image.as_ref()?))) {
        // The vDSO for x32 is also of 32 bits, but its time_t never was.
        let vdsos = image.vdsos.iter().filter(|vdso| vdso.class == Class::Elf32 && matches!(vdso.machine, EM_386 | EM_ARM));
        for vdso in vdsos.filter(|vdso| !vdso.symbols.iter().any(|symbol| symbol == SYMBOL)) {
            found.add(&kernel.name, message, format!("{} has {}", vdso.soname, vdso.symbols.join(", ")));
        }
    }
}

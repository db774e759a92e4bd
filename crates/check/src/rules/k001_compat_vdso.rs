//! arm64: 32-bit programs get no vDSO
//!
//! # What
//! The kernel runs 32-bit ARM programs (CONFIG_COMPAT) but has no vDSO for them (CONFIG_COMPAT_VDSO).
//!
//! # Why
//! The vDSO is how a program reads the clock without a system call. Without it every gettimeofday() and clock_gettime()
//! of a 32-bit program enters the kernel: on a Raspberry Pi 3 B+ 500,000 calls took 1,905,827 us instead of 68,856 us,
//! over 25 times as long. Nothing says so: the option is invisible when the kernel is built without a 32-bit compiler,
//! and then .config has no line about it at all.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_CC_IS_GCC=y
//! # CONFIG_CPU_BIG_ENDIAN is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! CONFIG_CC_IS_GCC=y
//! CONFIG_COMPAT_VDSO=y
//! ```
//!
//! # Fix
//! Build the kernel with a 32-bit ARM compiler beside the 64-bit one; CONFIG_COMPAT_VDSO then turns itself on:
//!
//! ```text
//! make ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CROSS_COMPILE_COMPAT=arm-linux-gnueabihf- olddefconfig Image
//! ```
//!
//! Or build with clang and LLD together (LLVM=1), which needs no second compiler; clang with GNU ld is not enough.
//! Programs profit if their C library is glibc 2.22 or later, or musl.
//!
//! # References
//! - arch/arm64/Kconfig, config COMPAT_VDSO; arch/arm64/kernel/vdso32/Makefile
//! - R. Weinberger, "A Time Consuming Pitfall for 32-bit Applications on AArch64", 2024

use super::Found;
use crate::facts::machine::{Probe, without_vdso};
use crate::facts::{Architecture, Facts, Kernel};
use crate::config::Setting;
use ::elf::{Class, EM_ARM};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm64)) {
        // What programs get is what counts, then what the image holds, whatever a configuration says.
        let live = kernel.native();
        let inside = live.map(Probe::has_vdso).or_else(|| {
            let image = kernel.image.as_ref()?;
            Some(image.vdsos.iter().any(|vdso| vdso.class == Class::Elf32 && vdso.machine == EM_ARM))
        });
        let narrow = kernel.runs_narrow().unwrap_or_else(|| !kernel.lacks("COMPAT"));
        if !narrow || inside == Some(true) || inside.is_none() && !kernel.lacks("COMPAT_VDSO") {
            continue;
        }
        let mut evidence = match inside {
            Some(_) if live.is_some() => without_vdso(live),
            Some(_) => "no 32-bit ARM vDSO is inside the image".to_owned(),
            None => String::new(),
        };
        if kernel.config.is_some() {
            if inside.is_some() {
                evidence.push_str("; ");
            }
            evidence.push_str(&kernel.quote(&["COMPAT", "COMPAT_VDSO"]));
            evidence.push_str(": ");
            evidence.push_str(&cause(kernel));
        }
        let message = if kernel.config.is_some() || live.is_some() {
            "32-bit programs make a system call whenever they read the clock, 25 times slower"
        } else {
            "32-bit programs, if it runs any, make a system call whenever they read the clock, 25 times slower"
        };
        found.add(&kernel.name, message, evidence);
    }
}

/// Why the option is off, which Kconfig does not say.
fn cause(kernel: &Kernel) -> String {
    let compiler = kernel.quote(&["CC_IS_CLANG", "LD_IS_LLD"]);
    match kernel.option("COMPAT_VDSO") {
        Some(Setting::Yes) => "the configuration is not the one that this image was built with".to_owned(),
        Some(Setting::No) => "somebody turned it off, for this kernel could have been built with it".to_owned(),
        _ if kernel.is_before(5, 3) => "Linux has it since 5.3".to_owned(),
        _ if kernel.has("CPU_BIG_ENDIAN") => "it does not exist for big-endian kernels (CONFIG_CPU_BIG_ENDIAN=y)".to_owned(),
        _ if kernel.has("CC_IS_CLANG") && kernel.has("LD_IS_LLD") => {
            "clang and LLD could have built it; the kernel may be too old for that, or the option was removed".to_owned()
        }
        _ if kernel.has("CC_IS_CLANG") => {
            format!("it needs CROSS_COMPILE_COMPAT, or clang together with LLD, and this kernel has clang without LLD ({compiler})")
        }
        _ => "it needs CROSS_COMPILE_COMPAT, which was empty when this kernel was configured".to_owned(),
    }
}

//! arm64: the kernel does not run 32-bit programs
//!
//! # What
//! CONFIG_COMPAT is off: no 32-bit ARM program starts.
//!
//! # Why
//! The kernel refuses the file with ENOEXEC, which a shell shows as "cannot execute binary file: Exec format error".
//! Guides to hardening (the Kernel Self Protection Project among them) want it so, because the 32-bit interface is a
//! second way into the kernel. Whoever has 32-bit programs has to choose.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! # CONFIG_COMPAT is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_ARM64_4K_PAGES=y
//! CONFIG_COMPAT=y
//! ```
//!
//! # Fix
//! If 32-bit programs are to run, set CONFIG_COMPAT=y (with 16 or 64 KiB pages it is only visible with CONFIG_EXPERT=y),
//! and give the kernel build CROSS_COMPILE_COMPAT as well, or K001 is next. The processor must have AArch32 at EL0:
//! Cortex-A34, A35, A53 to A78, A510 (some) and Neoverse N1 do, Apple's and most cores since 2021 do not. Otherwise use
//! an emulator, such as qemu-arm.
//!
//! # References
//! - arch/arm64/Kconfig, menuconfig COMPAT
//! - kernel-hardening-checker, which wants COMPAT off

use super::Found;
use crate::facts::{Architecture, Facts};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm64) && kernel.lacks("COMPAT") && kernel.runs_narrow() != Some(true)) {
        found.add(&kernel.name, "32-bit ARM programs do not start", kernel.quote(&["COMPAT", "ARM64_4K_PAGES", "EXPERT"]));
    }
}

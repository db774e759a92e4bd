//! ARM: the lowest address that a program may map is above where old programs begin
//!
//! # What
//! CONFIG_DEFAULT_MMAP_MIN_ADDR, or vm.mmap_min_addr of this machine, is more than 32768, and the kernel runs 32-bit ARM programs.
//!
//! # Why
//! GNU ld placed programs for ARM at 0x8000 (32768) until about 2014; newer ones begin at 0x10000 or are position-independent. A program that has to be mapped below the limit is killed by SIGKILL before its first instruction, unless root starts it.
//! Guides to hardening want 65536, and Kconfig's own text says that on ARM it should not be more than 32768. Give the root
//! file system or the program as well, and K056 says which files are affected.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! CONFIG_DEFAULT_MMAP_MIN_ADDR=65536
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! CONFIG_DEFAULT_MMAP_MIN_ADDR=4096
//! ```
//!
//! # Fix
//! If there are such programs: CONFIG_DEFAULT_MMAP_MIN_ADDR=32768, or `sysctl vm.mmap_min_addr=32768`; or link the programs
//! again. Where SELinux is active its own limit, CONFIG_LSM_MMAP_MIN_ADDR, counts as well.
//!
//! # References
//! - mm/Kconfig, config DEFAULT_MMAP_MIN_ADDR; security/commoncap.c, cap_mmap_addr()
//! - kernel-hardening-checker, which wants 65536

use super::Found;
use crate::facts::{Architecture, Facts};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() || kernel.architecture() == Some(Architecture::Arm)) {
        if let Some(lowest) = kernel.lowest_address().filter(|lowest| *lowest > 0x8000) {
            let message = format!("programs linked at 0x8000, as until about 2014, are killed: nothing below {lowest:#x} can be mapped");
            let set = kernel.sysctl("vm.mmap_min_addr").map(|value| format!("vm.mmap_min_addr is {value}"));
            found.add(&kernel.name, message, set.unwrap_or_else(|| kernel.quote(&["DEFAULT_MMAP_MIN_ADDR"])));
        }
    }
}

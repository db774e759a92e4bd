//! arm64: pages are larger than the segments of most 32-bit programs
//!
//! # What
//! CONFIG_COMPAT is on, with pages of 16 or 64 KiB.
//!
//! # Why
//! Most 32-bit ARM programs and libraries are linked for pages of 4 KiB. Where the kernel's pages are larger they do not
//! start ("ELF load command address/offset not page-aligned", or SIGSEGV at once). Raspberry Pi 5's default kernel has
//! pages of 16 KiB for this reason among the complaints. Give the root file system or the program as well, and K048 says
//! which files are affected.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! CONFIG_EXPERT=y
//! CONFIG_ARM64_16K_PAGES=y
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
//! Boot a kernel with pages of 4 KiB (CONFIG_ARM64_4K_PAGES=y; on a Raspberry Pi 5 `kernel=kernel8.img` in config.txt),
//! or link all 32-bit programs and libraries again with
//!
//! ```text
//! -Wl,-z,max-page-size=65536
//! ```
//!
//! # References
//! - arch/arm64/Kconfig, menuconfig COMPAT
//! - raspberrypi/linux #5761; raspberrypi/bookworm-feedback #107 and #120

use super::Found;
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat()) {
        if let Some(size) = kernel.page_size().filter(|size| *size > 4 << 10) {
            let message = format!("32-bit programs that were linked for pages of 4 KiB do not start: its pages have {} KiB", size >> 10);
            found.add(&kernel.name, message, kernel.evidence(&["auxv.AT_PAGESZ"], &["ARM64_4K_PAGES", "ARM64_16K_PAGES", "ARM64_64K_PAGES"]));
        }
    }
}

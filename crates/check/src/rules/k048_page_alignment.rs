//! 32-bit ARM files are only for pages of 4 KiB
//!
//! # What
//! The segments (PT_LOAD) of a 32-bit ARM program or library are aligned to less than the 16 or 64 KiB that an arm64
//! kernel may have as its page.
//!
//! # Why
//! A kernel maps whole pages. On a kernel with larger pages (CONFIG_ARM64_16K_PAGES, CONFIG_ARM64_64K_PAGES) the file
//! cannot be mapped: "ELF load command address/offset not page-aligned", or SIGSEGV at once. With a kernel of 4 KiB pages
//! there is nothing to do.
//!
//! # Fix
//! Boot a kernel with pages of 4 KiB (on a Raspberry Pi 5 `kernel=kernel8.img` in config.txt), or link again with
//!
//! ```text
//! -Wl,-z,max-page-size=65536
//! ```
//!
//! The program and all its libraries have to be linked so.
//!
//! # References
//! - arch/arm64/Kconfig, menuconfig COMPAT; man 1 ld, -z max-page-size
//! - raspberrypi/bookworm-feedback #107, #120; nextcloud/docker #2078

use super::Found;
use crate::facts::{Abi, Architecture, Facts, Object};
use crate::grouped::grouped;
use crate::libraries::each_group;
use findings::Severity;

/// The largest page that the file can be mapped with: its alignment, as far as offsets and addresses keep to it.
fn largest_page(object: &Object) -> Option<u64> {
    let fits = |page: u64| {
        object.details.loads.iter().all(|load| load.align >= page && load.address.wrapping_sub(load.offset) % page == 0)
    };
    (!object.details.loads.is_empty()).then(|| [64 << 10, 16 << 10, 4 << 10].into_iter().find(|page| fits(*page)).unwrap_or(1))
}

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    let kernels = || facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm64));
    let pages: Vec<_> = kernels().filter_map(|kernel| Some((kernel, kernel.page_size()?))).collect();
    for (target, objects) in each_group(facts) {
        let arm: Vec<_> = objects.into_iter().filter(|object| matches!(object.abi(), Abi::Arm(_)) && object.details.damage.is_empty()).collect();
        let files: Vec<_> = arm.iter().filter_map(|object| Some((largest_page(object)?, *object))).collect();
        for (kernel, page) in &pages {
            for (_, users) in grouped(files.iter().filter(|(largest, _)| largest < page).map(|(_, object)| ((), *object)).collect()) {
                let message = format!("{} for 32-bit ARM cannot be mapped by {}, whose pages have {} KiB", users.count(), kernel.name, page >> 10);
                found.add(&target, message, users.to_string()).severity = Severity::Fails;
            }
        }
        if !pages.is_empty() {
            continue;
        }
        let (small, large): (Vec<_>, Vec<_>) = files.iter().partition(|(largest, _)| *largest < 16 << 10);
        for (_, users) in grouped(small.iter().map(|(_, object)| ((), *object)).collect()) {
            let message = if large.is_empty() {
                format!("{} for 32-bit ARM {} on kernels with pages of 4 KiB only", users.count(), users.verb("runs", "run"))
            } else {
                format!("{} for 32-bit ARM {} for pages of 4 KiB only, {} not", users.count(), users.verb("is", "are"), large.len())
            };
            found.add(&target, message, users.to_string());
        }
    }
}

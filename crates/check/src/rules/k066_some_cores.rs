//! arm64: on this machine 32-bit programs run on some of the cores only
//!
//! # What
//! /sys/devices/system/cpu/aarch32_el0 lists fewer cores than are on line.
//!
//! # Why
//! The other cores have no AArch32 at EL0. The kernel was told to run 32-bit programs all the same
//! (allow_mismatched_32bit_el0): on the cores that have it. A task that is bound to another core is killed by SIGKILL when it
//! executes a 32-bit program, the affinity that a program has set may be changed under it, and all 32-bit programs together
//! have only these cores.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.6.30
//! | machine aarch64
//! [/sys/devices/system/cpu/aarch32_el0]
//! | 0-3,6
//! [/sys/devices/system/cpu/online]
//! | 0-7
//! [end]
//! ```
//!
//! Good:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.6.30
//! | machine aarch64
//! [/sys/devices/system/cpu/aarch32_el0]
//! | 0-3,5
//! [/sys/devices/system/cpu/online]
//! | 0-3,5
//! [end]
//! ```
//!
//! # Fix
//! Let programs that bind themselves, and cpusets, use the cores that are listed only:
//!
//! ```text
//! taskset -c $(cat /sys/devices/system/cpu/aarch32_el0) PROGRAM
//! ```
//!
//! # References
//! - Documentation/arch/arm64/asymmetric-32bit.rst

use super::Found;
use crate::facts::Facts;
use std::collections::BTreeSet;

/// Cores that are looked at. Linux for arm64 has room for 4096.
const MAX_CORES: usize = 1 << 13;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (kernel, machine) in facts.kernels.iter().filter_map(|kernel| Some((kernel, kernel.machine.as_ref()?))) {
        let [narrow, online] = ["aarch32_el0", "online"].map(|name| machine.file(&format!("/sys/devices/system/cpu/{name}")));
        let (Some(narrow), Some(online)) = (narrow, online) else { continue };
        let without = cores(online).difference(&cores(narrow)).count();
        if without > 0 {
            let message = format!("32-bit programs run on cores {narrow} only, and are killed on others");
            found.add(&kernel.name, message, format!("on line are {online}; without AArch32 at EL0: {without}"));
        }
    }
}

/// The cores of a list as the kernel writes it, `0-3,6`.
fn cores(list: &str) -> BTreeSet<u32> {
    let ranges = list.split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some((first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?))
    });
    ranges.flat_map(|(first, last)| first..=last).take(MAX_CORES).collect()
}

//! arm64: 32-bit programs run on some of the cores only
//!
//! # What
//! The kernel's command line has allow_mismatched_32bit_el0.
//!
//! # Why
//! Where some cores have no AArch32 the kernel refuses all 32-bit programs, unless it is told otherwise by this word. Then they
//! run on the cores that have it (/sys/devices/system/cpu/aarch32_el0 lists them). A task that is bound to another core is
//! killed by SIGKILL when it executes a 32-bit program, an affinity mask that a program has set may be changed under it, and
//! the last core with AArch32 cannot be taken off line.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! CONFIG_CMDLINE="console=ttyS0 allow_mismatched_32bit_el0"
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_ARM64=y
//! CONFIG_COMPAT=y
//! CONFIG_CMDLINE="console=ttyS0"
//! ```
//!
//! # Fix
//! Bind 32-bit programs (taskset, cpusets, systemd's CPUAffinity=) only to cores of that list. On a machine whose cores all have
//! AArch32, or none, the word does nothing and can go.
//!
//! # References
//! - Documentation/arch/arm64/asymmetric-32bit.rst; Linux 5.15

use super::Found;
use crate::command_line::{mismatched, of_root};
use crate::config::Setting;
use crate::facts::{Architecture, Facts};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    let message = "32-bit programs run on the cores with AArch32 only, and are killed on others";
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm64)) {
        if let Some(Setting::Value(line)) = kernel.option("CMDLINE") {
            if mismatched(line).is_some() {
                found.add(&kernel.name, message, kernel.quote(&["CMDLINE"]));
            }
        }
    }
    for line in facts.roots.iter().flat_map(of_root) {
        if let Some(word) = mismatched(line.line) {
            found.add(&line.place, message, format!("it has {word}"));
        }
    }
}

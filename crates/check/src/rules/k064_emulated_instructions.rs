//! Programs on this machine execute instructions that the kernel emulates
//!
//! # What
//! The kernel's log names programs that have executed SWP, a CP15 barrier or SETEND since the machine was started.
//!
//! # Why
//! ARMv8 deprecates these instructions, or has no longer any. The kernel emulates them, at the price of a trap each: a
//! hundred times what the instruction took, and a loop of a lock or of a barrier may do nothing else. In one build of rustc
//! 26 million CP15 barriers were counted, and it seemed to hang.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-arm64
//! | machine aarch64
//! [log]
//! | "rustc" (1234) uses deprecated CP15 Barrier instruction at 0xf6b1a9e4
//! [end]
//! ```
//!
//! Good:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-arm64
//! | machine aarch64
//! [log]
//! | "biarch-probe" (1240) uses deprecated CP15 Barrier instruction at 0x10a3c
//! [end]
//! ```
//!
//! # Fix
//! Install these programs built for ARMv7 (Debian's armhf, not armel or Raspbian), or build them with -march=armv7-a. CP15
//! barriers need no emulation where the processor still executes them:
//!
//! ```text
//! sysctl abi.cp15_barrier=2
//! ```
//!
//! # References
//! - Documentation/arch/arm64/legacy_instructions.rst; arch/arm64/kernel/armv8_deprecated.c
//! - rust-lang/rustup #3122

use super::Found;
use crate::facts::Facts;
use std::collections::BTreeSet;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (kernel, machine) in facts.kernels.iter().filter_map(|kernel| Some((kernel, kernel.machine.as_ref()?))) {
        let mut programs = BTreeSet::new();
        let mut first = None;
        for line in machine.log.iter().filter(|line| line.contains("uses deprecated") || line.contains("uses obsolete")) {
            // "rustc" (1234) uses deprecated CP15 Barrier instruction at 0xf6b1a9e4
            let Some(program) = line.split('"').nth(1) else { continue };
            // Our own.
            if program != "biarch-probe" {
                programs.insert(program);
                first.get_or_insert(line);
            }
        }
        let Some(first) = first else { continue };
        let count = programs.len();
        let names = programs.into_iter().take(5).collect::<Vec<_>>().join(", ");
        let names = if count > 5 { format!("{names} and {} more", count - 5) } else { names };
        found.add(&kernel.name, format!("the kernel emulates instructions of {names}"), format!("its log: {first}"));
    }
}

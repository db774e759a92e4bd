//! ARM programs with CP15 barriers and a kernel that does not emulate them
//!
//! # What
//! The code of a 32-bit ARM file uses a write to the coprocessor CP15 as a barrier, and the arm64 kernel was built
//! without CONFIG_CP15_BARRIER_EMULATION.
//!
//! # Why
//! On a processor that does not execute these instructions any more the program dies with SIGILL. K009 is about the
//! kernel alone; this rule says which files it concerns. A library that also has a variant for ARMv7, and chooses when it
//! starts, is named although it works.
//!
//! # Fix
//! Set CONFIG_ARMV8_DEPRECATED=y and CONFIG_CP15_BARRIER_EMULATION=y in the kernel, or build the files for ARMv7
//! (-march=armv7-a), which has instructions for barriers.
//!
//! # References
//! - Documentation/arch/arm64/legacy_instructions.rst

use super::Found;
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::each_group;

const KEYS: &[&str] = &["does.cp15_barrier"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.is_arm64_with_compat() && kernel.fails(KEYS, kernel.lacks("CP15_BARRIER_EMULATION"))) {
        for (target, objects) in each_group(facts) {
            let users = objects.into_iter().filter(|object| object.details.legacy.cp15_barriers);
            for (abi, files) in grouped(users.map(|object| (object.abi().name(), object)).collect()) {
                let message = format!("{} for {abi} {} barriers that {} does not emulate", files.count(), files.verb("uses", "use"), kernel.name);
                found.add(&target, message, format!("{}; {files}", kernel.evidence(KEYS, &["CP15_BARRIER_EMULATION"])));
            }
        }
    }
}

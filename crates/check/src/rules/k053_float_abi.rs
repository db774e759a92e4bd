//! Hard-float and soft-float files for ARM are in one root file system
//!
//! # What
//! Some 32-bit ARM files pass floating-point arguments in floating-point registers (armhf), others in integer registers
//! (armel), and both are in the root file system.
//!
//! # Why
//! A program of one kind cannot use a library of the other: the loader passes over it, and the library seems to be
//! missing. Two complete sets are fine, if each has its own directories and its own C library (/lib/ld-linux-armhf.so.3
//! and /lib/ld-linux.so.3).
//!
//! # Fix
//! Build everything with the same -mfloat-abi=, or keep both sets complete.
//!
//! # References
//! - ELF for the Arm Architecture, EF_ARM_ABI_FLOAT_HARD
//! - Debian wiki, ArmHardFloatPort

use super::Found;
use crate::facts::{Abi, Facts};
use crate::grouped::grouped;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let of = |hard: bool| root.objects.iter().filter(move |object| object.details.dynamic && object.abi() == Abi::Arm(Some(hard)));
        let (hard, soft) = (of(true).count(), of(false).count());
        if hard == 0 || soft == 0 {
            continue;
        }
        let fewer = hard < soft;
        for (_, files) in grouped(of(fewer).map(|object| ((), object)).collect()) {
            let message = format!("{hard} ARM files are hard-float and {soft} are soft-float");
            found.add(&root.name, message, format!("{}: {files}", if fewer { "hard-float" } else { "soft-float" }));
        }
    }
}

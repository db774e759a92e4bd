//! x86: 16-bit segments are refused
//!
//! # What
//! CONFIG_X86_16BIT is off.
//!
//! # Why
//! 16-bit code in protected mode needs it: Windows 3.1 programs in Wine, and DOSEMU. 32-bit programs do not.
//!
//! # Example
//! Bad:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! # CONFIG_X86_16BIT is not set
//! ```
//!
//! Good:
//!
//! ```text
//! CONFIG_X86_64=y
//! CONFIG_X86=y
//! CONFIG_X86_16BIT=y
//! ```
//!
//! # Fix
//! Set CONFIG_X86_16BIT=y (visible with CONFIG_EXPERT=y) for such programs.
//!
//! # References
//! - arch/x86/Kconfig, config X86_16BIT

use super::Found;
use crate::facts::Facts;
use crate::config::Setting;
use crate::facts::machine::Outcome;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.option("X86_16BIT") == Some(Setting::No) && kernel.outcome("call.modify_ldt.write_16bit") != Some(Outcome::Works)) {
        found.add(&kernel.name, "16-bit programs do not run in Wine or DOSEMU", kernel.evidence(&["call.modify_ldt.write_16bit"], &["X86_16BIT"]));
    }
}

//! 32-bit ARM: the vDSO may tell the wrong time to programs with a 64-bit time_t
//!
//! # What
//! A 32-bit ARM kernel from 5.5 to 5.7 with a vDSO.
//!
//! # Why
//! Where the processor has no usable counter the kernel takes gettimeofday and clock_gettime out of the vDSO, and these
//! releases forget clock_gettime64. Programs with a 64-bit time_t (musl 1.2, Debian 13) then read a clock that stands
//! still. Linux 5.8 repairs it.
//!
//! # Example
//! Bad:
//!
//! ```text
//! #
//! # Linux/arm 5.6.0 Kernel Configuration
//! #
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! CONFIG_VDSO=y
//! ```
//!
//! Good:
//!
//! ```text
//! #
//! # Linux/arm 5.10.0 Kernel Configuration
//! #
//! CONFIG_ARM=y
//! CONFIG_MMU=y
//! CONFIG_CPU_V7=y
//! CONFIG_VDSO=y
//! ```
//!
//! # Fix
//! Update the kernel to 5.8 or later, or set CONFIG_VDSO to n. Raspberry Pi 1 to 3 in 32-bit mode were affected.
//!
//! # References
//! - Linux commit 4405bdf3c57e; richfelker/musl-cross-make #96; raspberrypi/linux #3579

use super::Found;
use crate::facts::{Architecture, Facts};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| kernel.architecture() == Some(Architecture::Arm) && kernel.has("VDSO") && kernel.is_before(5, 8) && !kernel.is_before(5, 5)) {
        found.add(&kernel.name, "programs with a 64-bit time_t may read a clock that stands still", kernel.quote(&["VDSO"]));
    }
}

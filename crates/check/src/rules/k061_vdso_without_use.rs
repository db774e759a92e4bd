//! There is a 32-bit vDSO, and reading the clock through it is no faster than a system call
//!
//! # What
//! On this machine a 32-bit program has a vDSO; calling it takes about as long as a system call, measured here.
//!
//! # Why
//! The vDSO makes a system call itself where it cannot read the clock. On x86 that depends on the clock source: it reads the
//! processor's time stamp counter, KVM's and Hyper-V's clock, and neither the HPET nor the ACPI timer. On arm64 a Cortex-A76
//! or Neoverse N1 up to r3p1 has erratum 1418040: the kernel takes the vDSO's clock from 32-bit programs. Nothing says so:
//! the auxiliary vector names a vDSO, and it has all its symbols.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-arm64
//! | machine aarch64
//! [/proc/cpuinfo]
//! | CPU implementer : 0x41
//! | CPU variant : 0x3
//! | CPU part : 0xd0c
//! | CPU revision : 1
//! [probe armhf]
//! | probe 1 armhf
//! | auxv.AT_SYSINFO_EHDR 0xf7f6b000
//! | ns.resolution 1
//! | ns.syscall.clock_gettime64 221.4
//! | ns.vdso.clock_gettime64 238.0
//! | end armhf
//! ```
//!
//! Good:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 6.12.43+deb13-arm64
//! | machine aarch64
//! [probe armhf]
//! | probe 1 armhf
//! | auxv.AT_SYSINFO_EHDR 0xf7f6b000
//! | ns.resolution 1
//! | ns.syscall.clock_gettime64 221.4
//! | ns.vdso.clock_gettime64 38.0
//! | end armhf
//! ```
//!
//! # Fix
//! On x86 see why the time stamp counter is not used, and boot with clocksource=tsc if it can be trusted:
//!
//! ```text
//! dmesg | grep -i -e tsc -e clocksource
//! ```
//!
//! Erratum 1418040 has no remedy in software: move programs that read the clock often to 64 bits, or to another core.
//!
//! # References
//! - arch/x86/include/asm/vdso/clocksource.h; Documentation/admin-guide/kernel-parameters.txt, clocksource=, tsc=
//! - drivers/clocksource/arm_arch_timer.c, disable_compat_vdso

use super::Found;
use crate::facts::machine::{ERRATUM_1418040, Machine};
use crate::facts::{Architecture, Facts, Kernel};

/// The least that a vDSO is worth: a system call takes so many times as long. Where it works it is 4 to 25.
const WORTH: f64 = 1.4;
/// A clock that is coarser than this, in nanoseconds, cannot time a call.
const COARSE: f64 = 1000.0;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (kernel, machine) in facts.kernels.iter().filter_map(|kernel| Some((kernel, kernel.machine.as_ref()?))) {
        let Some(probe) = machine.native().filter(|probe| probe.has_vdso()) else { continue };
        let Some((call, vdso, by_kernel)) = probe.clock() else { continue };
        if by_kernel / vdso >= WORTH || probe.nanoseconds("ns.resolution").is_some_and(|resolution| resolution > COARSE) {
            continue;
        }
        let message = format!("{} programs have a vDSO, and reading the clock takes as long as without one", probe.name);
        let evidence = format!("{call}: {vdso} ns by the vDSO, {by_kernel} ns by a system call; {}", why(kernel, machine));
        found.add(&kernel.name, message, evidence);
    }
}

/// What is known of the cause.
fn why(kernel: &Kernel, machine: &Machine) -> String {
    let affected = machine.processors().iter().any(|processor| processor.is_one_of(ERRATUM_1418040));
    if kernel.architecture() == Some(Architecture::Arm64) && affected {
        return "the processor has erratum 1418040".to_owned();
    }
    let mut text = format!("the clock source is {}", machine.clocksource().unwrap_or("not known"));
    if let Some(line) = machine.log.iter().rev().find(|line| line.contains("Marking clocksource")) {
        text.push_str(&format!("; the kernel's log has {line:?}"));
    }
    text
}

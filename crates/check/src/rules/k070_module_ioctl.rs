//! A kernel module has a device that 32-bit programs cannot control
//!
//! # What
//! A module's struct file_operations has unlocked_ioctl and no compat_ioctl.
//!
//! # Why
//! ioctl(2) of a 32-bit program on such a device ends with ENOTTY, "Inappropriate ioctl for device", whatever the request; the
//! same program built for 64 bits works. It happens with drivers that nobody has used from 32-bit programs: those of boards and
//! of vendors. What is part of the kernel itself is a note. The structure is found by the names and relocations of the module,
//! and only where they agree with the layout of the kernel that it is for; devices whose structure has no name of its own are not
//! found. Compressed modules that came with the kernel, below kernel/ in a root file system, are not unpacked, which would take
//! half a minute; give one as a target.
//!
//! # Fix
//! In the driver, if its arguments are the same in both widths (no long, no pointer, no 8-byte member that is aligned otherwise
//! on i386):
//!
//! ```text
//! .compat_ioctl = compat_ptr_ioctl,
//! ```
//!
//! Otherwise write a function that converts them. Until then use the device from a 64-bit program.
//!
//! # References
//! - Documentation/driver-api/ioctl.rst, "32-bit compat mode"; fs/ioctl.c, COMPAT_SYSCALL_DEFINE3(ioctl)

use super::Found;
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::each_group;
use findings::Severity;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (target, objects) in each_group(facts) {
        let mut gaps = Vec::new();
        for object in objects {
            let Some(module) = &object.module else { continue };
            let severity = if module.in_tree { Severity::Note } else { Severity::Risk };
            gaps.extend(module.gaps.iter().map(|gap| ((severity, &module.release, gap), object)));
        }
        for ((severity, release, gap), modules) in grouped(gaps) {
            let message = format!("32-bit programs get ENOTTY from all ioctls of {}'s own in {modules}", gap.operations);
            let evidence = format!("unlocked_ioctl is {}, compat_ioctl is empty; for Linux {release}", gap.function);
            found.add(&target, message, evidence).severity = severity;
        }
    }
}

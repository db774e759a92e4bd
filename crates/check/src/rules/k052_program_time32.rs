//! Programs with a 32-bit time_t and a kernel without its system calls
//!
//! # What
//! A 32-bit file imports functions with a 32-bit time_t, and the kernel was built without CONFIG_COMPAT_32BIT_TIME.
//!
//! # Why
//! These functions end in system calls that the kernel does not have. glibc aborts with "The futex facility returned an
//! unexpected error code", others see ENOSYS from functions that never fail. K012 is about the kernel alone; this rule
//! says which files it concerns. (glibc 2.34 and later try the newer calls first for most of these functions, but not for
//! every futex.)
//!
//! # Fix
//! Set CONFIG_COMPAT_32BIT_TIME=y in the kernel; or build the files with -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64, all of
//! them.
//!
//! # References
//! - arch/Kconfig, config COMPAT_32BIT_TIME

use super::{Found, k012_compat_32bit_time};
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::each_group;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| k012_compat_32bit_time::is_without(kernel)) {
        for (target, objects) in each_group(facts) {
            let users = objects.into_iter().filter(|object| !object.time32.is_empty());
            for (abi, files) in grouped(users.map(|object| (object.abi().name(), object)).collect()) {
                let message = format!("{} for {abi} {} what {} does not have", files.count(), files.verb("calls", "call"), kernel.name);
                found.add(&target, message, format!("{}; {files}", k012_compat_32bit_time::evidence(kernel)));
            }
        }
    }
}

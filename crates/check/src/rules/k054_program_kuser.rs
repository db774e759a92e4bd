//! ARM programs that use the kernel's helpers and a kernel without them
//!
//! # What
//! The code of a 32-bit ARM file calls the functions at 0xffff0f60 to 0xffff0fe0, and the kernel was built without
//! CONFIG_KUSER_HELPERS.
//!
//! # Why
//! The page is not there: the call is a SIGSEGV at that address, in the first lock or the first use of a thread's own
//! data. K005 is about the kernel alone; this rule says which files it concerns. The addresses are looked for in the
//! code, and a file that computes them in another way is not found.
//!
//! # Fix
//! Set CONFIG_KUSER_HELPERS=y in the kernel, or build the files for ARMv7 (-march=armv7-a), which does not need the
//! helpers.
//!
//! # References
//! - Documentation/arch/arm/kernel_user_helpers.rst
//! - arch/arm64/Kconfig, config KUSER_HELPERS

use super::{Found, k005_kuser_helpers};
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::each_group;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in facts.kernels.iter().filter(|kernel| k005_kuser_helpers::is_without(kernel)) {
        for (target, objects) in each_group(facts) {
            let users = objects.into_iter().filter(|object| object.details.legacy.kernel_helpers);
            for (abi, files) in grouped(users.map(|object| (object.abi().name(), object)).collect()) {
                let message = format!("{} for {abi} {} helpers that {} does not have", files.count(), files.verb("uses", "use"), kernel.name);
                found.add(&target, message, format!("{}; {files}", k005_kuser_helpers::evidence(kernel)));
            }
        }
    }
}

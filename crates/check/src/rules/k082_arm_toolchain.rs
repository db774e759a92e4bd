//! There is no 32-bit ARM compiler where the kernel is told to find one
//!
//! # What
//! CROSS_COMPILE_COMPAT names a compiler that is not there, or the class compat-vdso has no multilib to take one from.
//!
//! # Why
//! Kconfig looks only at whether the variable has a value. It turns CONFIG_COMPAT_VDSO on, and the build of the kernel stops
//! later, in arch/arm64/kernel/vdso32, because the compiler cannot be run. The class leaves the variable empty and warns.
//!
//! # Fix
//! Install the compiler; on Debian and Ubuntu it is gcc-arm-linux-gnueabihf. In Yocto either add a multilib to
//! conf/local.conf, for which a second C library is built, and which moves the 64-bit libraries to /lib64:
//!
//! ```text
//! require conf/multilib.conf
//! MULTILIBS = "multilib:lib32"
//! DEFAULTTUNE:virtclass-multilib-lib32 = "armv7athf-neon"
//! ```
//!
//! or let it use the compiler of the machine that builds:
//!
//! ```text
//! HOSTTOOLS += "arm-linux-gnueabihf-gcc arm-linux-gnueabihf-ld"
//! CROSS_COMPILE_COMPAT = "arm-linux-gnueabihf-"
//! ```
//!
//! # References
//! - arch/arm64/Kconfig, config COMPAT_VDSO: "$(CROSS_COMPILE_COMPAT)" != ""
//! - The Yocto Project's Development Tasks Manual, "Using Multilib"

use super::Found;
use crate::facts::Facts;
use crate::target::tree::yocto::CLASS;
use crate::tree::System;
use findings::{Patch, Severity, Step};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for tree in &facts.trees {
        let Some(prefix) = &tree.compat else { continue };
        if let Some(missing) = &prefix.missing {
            let message = format!("the kernel's build will stop: there is no {missing}");
            let finding = found.add(&tree.name, message, prefix.said.to_string());
            if let Some(package) = ["arm-linux-gnueabihf", "arm-linux-gnueabi"].into_iter().find(|name| missing == &format!("{name}-gcc")) {
                let command = format!("apt-get install gcc-{package}");
                finding.patch = Some(Patch { name: "compiler", directory: tree.path.clone(), steps: vec![Step::Run { command }] });
            }
        } else if tree.system == System::Yocto && prefix.said.place.contains(CLASS) && tree.arm_multilib().is_none() {
            let message = "the kernel will have no vDSO for 32-bit programs: the class finds no multilib for 32-bit ARM";
            found.add(&tree.name, message, format!("{}; no variant in MULTILIBS is for 32-bit ARM", prefix.said)).severity = Severity::Slow;
        }
    }
}

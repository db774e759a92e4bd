//! Programs at addresses where nothing can be mapped
//!
//! # What
//! A program that is not position-independent begins below the kernel's CONFIG_DEFAULT_MMAP_MIN_ADDR, or below what
//! vm.mmap_min_addr is set to in the root file system.
//!
//! # Why
//! The kernel cannot map the program where it has to be and kills it by SIGKILL ("Killed", no other message), unless root starts
//! it. ARM programs linked until about 2014 begin at 0x8000. K035 is about the kernel alone; this rule says which
//! programs it concerns.
//!
//! # Fix
//! `sysctl vm.mmap_min_addr=32768`, or link the program again with
//!
//! ```text
//! -pie
//! ```
//!
//! or `-Wl,-Ttext-segment=0x10000`. Guides to hardening want 65536; the choice is between them and these programs.
//!
//! # References
//! - security/commoncap.c, cap_mmap_addr(); Documentation/admin-guide/sysctl/vm.rst, mmap_min_addr

use super::Found;
use crate::facts::{Facts, Object};
use crate::grouped::grouped;
use crate::libraries::each_group;
use crate::sysctl;
use ::elf::Kind;

/// The lowest address of a program that cannot be moved.
fn lowest(object: &Object) -> Option<u64> {
    let fixed = object.details.facts.kind == Kind::Executable && object.details.damage.is_empty();
    object.details.loads.iter().filter(|_| fixed).map(|load| load.address).min()
}

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    let mut limits: Vec<(u64, String)> = Vec::new();
    for kernel in &facts.kernels {
        limits.extend(kernel.lowest_address().map(|limit| (limit, format!("{}: {}", kernel.name, kernel.quote(&["DEFAULT_MMAP_MIN_ADDR"])))));
    }
    for root in &facts.roots {
        let settings = sysctl::of_root(root);
        let setting = settings.get("vm.mmap_min_addr").and_then(|setting| Some((setting.value.parse().ok()?, setting)));
        limits.extend(setting.map(|(limit, setting)| (limit, format!("{}: vm.mmap_min_addr = {limit}", setting.place))));
    }
    for (target, objects) in each_group(facts) {
        for (limit, evidence) in &limits {
            let below = objects.iter().filter(|object| object.abi().is_narrow() && lowest(object).is_some_and(|lowest| lowest < *limit));
            for (abi, files) in grouped(below.map(|object| (object.abi().name(), *object)).collect()) {
                let message = format!("{} for {abi} {} below {limit:#x}, where nothing can be mapped", files.count(), files.verb("begins", "begin"));
                found.add(&target, message, format!("{evidence}; {files}"));
            }
        }
    }
}

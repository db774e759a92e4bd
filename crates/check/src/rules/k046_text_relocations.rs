//! A 32-bit file has relocations in its code
//!
//! # What
//! A 32-bit program or library has DT_TEXTREL: its code was not compiled to be position-independent.
//!
//! # Why
//! The loader has to make the code writable, change it and share it with nobody: every process has its own copy of these
//! pages. SELinux refuses it ("cannot restore segment prot after reloc: Permission denied"), musl and Android do not load
//! such a library at all. It is common in i386 libraries with hand-written assembly (codecs), and rare elsewhere.
//!
//! # Fix
//! Compile with -fPIC, and find the place with `-Wl,-z,text`, which makes the linker name it. Assembly has to go through
//! the GOT; many libraries have an option such as --disable-asm.
//!
//! # References
//! - gABI, DT_TEXTREL; SELinux execmod
//! - lintian, specific-address-in-shared-library

use super::Found;
use crate::facts::Facts;
use crate::grouped::grouped;
use crate::libraries::each_group;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (target, objects) in each_group(facts) {
        let bad = objects.into_iter().filter(|object| object.abi().is_narrow() && object.details.text_relocations);
        for (abi, files) in grouped(bad.map(|object| (object.abi().name(), object)).collect()) {
            let message = format!("{} for {abi} with relocations in its code", files.count());
            found.add(&target, message, files.to_string());
        }
    }
}

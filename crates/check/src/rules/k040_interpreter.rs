//! The interpreter of a program is not there
//!
//! # What
//! A dynamically linked program names its interpreter, the dynamic loader, and the root file system has none at that
//! path, or a link that leads nowhere, or one for another architecture.
//!
//! # Why
//! The kernel starts the interpreter, not the program. Where it is missing the error is "No such file or directory",
//! about a file that is plainly there: the most confusing message of all that a missing 32-bit library can cause.
//!
//! # Fix
//! Install the C library of the program's architecture: on Debian libc6:i386 or libc6:armhf (after `dpkg
//! --add-architecture`), on Fedora glibc.i686, in an image built by Yocto the multilib's glibc. If the library is there
//! and only the link is missing, make the link.
//!
//! # References
//! - man 8 ld.so; man 2 execve, ENOENT
//! - gABI, "Program Interpreter"

use super::Found;
use crate::facts::{Facts, shown};
use crate::grouped::grouped;
use crate::libraries::is_for_linux;
use crate::root::Found as Path;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let mut missing = Vec::new();
        for object in root.objects.iter().filter(|object| is_for_linux(object)) {
            let Some(path) = &object.details.facts.interpreter else { continue };
            let (abi, why) = match root.find(path.as_bytes()) {
                Path::Object(interpreter) if interpreter.abi().agrees(object.abi()) => continue,
                // A part has its interpreter elsewhere.
                Path::Missing | Path::Dangling(_) if !root.is_whole() => continue,
                Path::Object(interpreter) => (object.abi(), format!("{path} is for {}", interpreter.abi().name())),
                Path::Other => (object.abi(), format!("{path} is not an ELF file")),
                Path::Dangling(link) => (object.abi(), format!("{path} leads nowhere: the link {} does", shown(link))),
                Path::Missing => (object.abi(), format!("there is no {path}")),
            };
            missing.push(((abi.name(), why), object));
        }
        for ((abi, why), users) in grouped(missing) {
            found.add(&root.name, format!("{abi} programs do not start: {why}"), format!("interpreter of {users}"));
        }
    }
}

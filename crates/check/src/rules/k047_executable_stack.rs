//! A 32-bit file asks for an executable stack
//!
//! # What
//! PT_GNU_STACK of a 32-bit program or library is executable, or is missing, which means the same on i386 and ARM.
//!
//! # Why
//! One such library makes the stack of the whole process executable; a program that loads it with dlopen() is refused by
//! glibc 2.41 and later ("cannot enable executable stack"), and by SELinux. For a program Linux also sets
//! READ_IMPLIES_EXEC, or did before 5.8. Usually nobody wanted it: an assembly file lacks the line that says so.
//!
//! # Fix
//! Add to each assembly file
//!
//! ```text
//! .section .note.GNU-stack,"",%progbits
//! ```
//!
//! or link with -Wl,-z,noexecstack. If the file cannot be built again: `patchelf --clear-execstack FILE`. Functions
//! nested in C (a GCC extension) whose address is taken do need it.
//!
//! # References
//! - man 1 ld, -z noexecstack; glibc 2.41 release notes
//! - arch/x86/include/asm/elf.h and arch/arm/kernel/elf.c of Linux

use super::Found;
use crate::facts::{Abi, Facts};
use crate::grouped::grouped;
use crate::libraries::each_group;
use ::elf::Stack;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (target, objects) in each_group(facts) {
        let mut bad = Vec::new();
        for object in objects.into_iter().filter(|object| object.abi().is_narrow() && !object.details.loads.is_empty()) {
            match object.details.stack {
                Stack::Executable => bad.push(((object.abi().name(), ("asks for an executable stack", "ask for an executable stack")), object)),
                // A library says nothing when it is made of data alone; a program without the line is an old one.
                Stack::Unsaid if matches!(object.abi(), Abi::I386 | Abi::Arm(_)) && object.details.facts.interpreter.is_some() => {
                    bad.push(((object.abi().name(), ("does not say that its stack is not executable", "do not say that their stack is not executable")), object));
                }
                _ => {}
            }
        }
        for ((abi, what), files) in grouped(bad) {
            found.add(&target, format!("{} for {abi} {}", files.count(), files.verb(what.0, what.1)), files.to_string());
        }
    }
}

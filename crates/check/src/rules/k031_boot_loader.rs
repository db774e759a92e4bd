//! The boot loader turns 32-bit programs off or slows them
//!
//! # What
//! A boot loader's configuration in the root file system gives the kernel ia32_emulation=0, arm64.no32bit_el0, vdso32=0,
//! vdso=0, or a clock source that the vDSO cannot read.
//!
//! # Why
//! ia32_emulation=0 and arm64.no32bit_el0 (Linux 6.10) refuse 32-bit programs with ENOEXEC. vdso32=0 takes the vDSO from i386
//! programs: every clock_gettime() is a system call, and they enter the kernel by int $0x80. clocksource=hpet and acpi_pm do
//! the first to all programs. Guides to hardening (kernel-hardening-checker among them) ask for ia32_emulation=0 and vdso32=0;
//! whoever has 32-bit programs has to choose.
//!
//! # Fix
//! Take the word out: in /etc/default/grub and then `update-grub`, in /boot/extlinux/extlinux.conf, in cmdline.txt on a
//! Raspberry Pi, in /boot/loader/entries/ for systemd-boot. If it has to stay, `biarch run PROGRAM` starts i386 programs.
//!
//! # References
//! - Documentation/admin-guide/kernel-parameters.txt, ia32_emulation=, arm64.no32bit_el0, vdso32=, vdso=, clocksource=

use super::Found;
use crate::command_line::{effects, of_root};
use crate::facts::Facts;

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        for line in of_root(root) {
            for effect in effects(line.line) {
                found.add(&line.place, effect.message, format!("it has {}", effect.word)).severity = effect.severity;
            }
        }
    }
}

//! What will go wrong or be slow for 32-bit programs, and why, before it does.
//!
//! [`target`] turns what is given into [`facts`], the rules (`rules/`, one file each) turn these into findings.

mod command_line;
pub mod config;
pub mod facts;
mod fixes;
mod grouped;
mod libraries;
mod progress;
pub mod root;
mod rules;
mod sysctl;
pub mod target;
pub mod tree;
pub mod write;

pub use findings::Progress;

use facts::{Abi, Facts, Kernel};
use findings::{Guest, Report, Rule, Target, Unchecked, baseline};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Looks at all targets, together: a kernel and a root file system say more than each alone.
#[must_use]
pub fn check(targets: &[PathBuf]) -> Report {
    check_and_tell(targets, &[], &())
}

/// The same for these programs only, where there are any, and tells `progress` how far it is.
#[must_use]
pub fn check_and_tell(targets: &[PathBuf], guests: &[Guest], progress: &dyn Progress) -> Report {
    let given: Vec<String> = targets.iter().map(|path| facts::shown(path.as_os_str().as_bytes())).collect();
    judged(target::collect(targets, progress), guests, &given)
}

/// Looks at this machine, for these programs only, where there are any. `biarch` is the command that runs an i386 program where
/// the kernel does not.
#[must_use]
pub fn this_machine(biarch: &[PathBuf], guests: &[Guest]) -> Report {
    judged(target::this_machine(biarch), guests, &[target::THIS_MACHINE.to_owned()])
}

fn judged((mut facts, mut report): (Facts, Report), guests: &[Guest], given: &[String]) -> Report {
    if !guests.is_empty() {
        facts.only(guests, &mut report);
    }
    judge(&facts, &mut report);
    baseline::mark(&mut report, given);
    report
}

/// Applies every rule to the facts.
pub fn judge(facts: &Facts, report: &mut Report) {
    describe(facts, report);
    rules::apply(facts, report);
    report.sort();
}

/// Every rule, in the order of their ids.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::ROWS.iter().map(|row| &row.rule)
}

fn describe(facts: &Facts, report: &mut Report) {
    for kernel in &facts.kernels {
        report.targets.push(Target { name: kernel.name.clone(), description: facts::plain(&kernel_description(kernel)) });
        if kernel.machine.is_some() {
            // It says itself what it could not read.
        } else if kernel.config.is_none() {
            report.not_checked.push(Unchecked {
                what: kernel.name.clone(),
                because: "its configuration is not inside (CONFIG_IKCONFIG is off); give its config-* file as well".to_owned(),
            });
        } else if kernel.architecture().is_none() {
            report.not_checked.push(Unchecked {
                what: kernel.name.clone(),
                because: "it is for a processor that there are no rules about".to_owned(),
            });
        }
    }
    for object in &facts.objects {
        report.targets.push(Target { name: object.name(), description: format!("{} {}", object.abi().name(), object.kind()) });
    }
    for tree in &facts.trees {
        report.targets.push(Target { name: tree.name.clone(), description: tree.description() });
    }
    for root in &facts.roots {
        let mut counts: BTreeMap<Abi, usize> = BTreeMap::new();
        for object in &root.objects {
            *counts.entry(object.abi()).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(abi, count)| format!("{count} for {}", abi.name())).collect();
        let counts = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
        let what = if root.whole { "root file system" } else { "part of a root file system," };
        let mut description = format!("{what} with {} paths; ELF files: {counts}", root.entries.len());
        if !root.others.is_empty() {
            description.push_str(&format!("; {} others left out", root.others.len()));
        }
        report.targets.push(Target { name: root.name.clone(), description });
    }
}

fn kernel_description(kernel: &Kernel) -> String {
    let architecture = kernel.architecture().map_or("", facts::Architecture::name);
    let mut text = format!("{architecture} kernel {}", kernel.release().unwrap_or("of unknown version")).trim().to_owned();
    if let Some(config) = &kernel.config {
        text.push_str(&format!("; {} options", config.len()));
    }
    if let Some(machine) = &kernel.machine {
        text.push_str(&format!("; {}", machine.description()));
    }
    if let Some(image) = &kernel.image {
        text.push_str(&format!("; {}", image.format.join(" of ")));
        let narrow = image.vdsos.iter().filter(|vdso| vdso.class == elf::Class::Elf32 && vdso.machine != elf::EM_X86_64);
        let mut any = false;
        for vdso in narrow {
            any = true;
            text.push_str(&format!("; 32-bit vDSO {}: {}", vdso.soname, vdso.symbols.join(" ")));
        }
        if !any {
            text.push_str("; no 32-bit vDSO");
        }
    }
    text
}

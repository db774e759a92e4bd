//! `biarch run` where the processor does not execute i386 code: what the program needs instead.

use super::{Failure, OWN_FAILURE, Run};
use elf::{Class, Facts};
use std::convert::Infallible;
use std::env::consts::ARCH;
use std::fs::File;
use std::io::Read;
use std::path::Path;

impl Run {
    pub(super) fn start(self) -> Result<Infallible, Failure> {
        let path = Path::new(self.program().0);
        let shown = path.display().to_string();
        let (what, next) = facts(path).map_or_else(|| unknown(&shown), |facts| refusal(&shown, &facts));
        let text = [format!("cannot run {shown}: {what}")].into_iter().chain(next).collect::<Vec<_>>().join("\n  ");
        Err(Failure { status: OWN_FAILURE, error: anyhow::Error::msg(text) })
    }
}

/// Of the file, if it is an ELF file.
fn facts(path: &Path) -> Option<Facts> {
    // A FIFO would keep its opener waiting.
    if !path.is_file() {
        return None;
    }
    let mut contents = vec![];
    // As much as it takes to say what it is.
    File::open(path).ok()?.take(1 << 20).read_to_end(&mut contents).ok()?;
    elf::facts(&contents).ok()
}

const ON_X86_64: &str = "biarch runs i386 programs, and only on x86-64, whose processors execute their code";
const BY_THE_KERNEL: &str = "an AArch64 kernel with CONFIG_COMPAT runs it, where the processor has AArch32 at EL0";

fn refusal(shown: &str, facts: &Facts) -> (String, Vec<String>) {
    let as_it_is = format!("run it as it is: {shown}");
    match (facts.machine, facts.class, facts.big_endian) {
        (elf::EM_386, ..) => (format!("it is an i386 program, and this is {ARCH}; {ON_X86_64}"), translators(shown)),
        (elf::EM_ARM, _, false) => (
            format!("it is a 32-bit ARM program, which needs no biarch: {BY_THE_KERNEL}"),
            vec![as_it_is, format!("if that fails, see why: biarch check {shown}")],
        ),
        (elf::EM_AARCH64, Class::Elf64, false) => {
            ("it is a 64-bit program (AArch64), which needs no biarch".to_owned(), vec![as_it_is])
        }
        (number, ..) => {
            let machine = elf::machine(facts);
            let next = match machine.emulator {
                Some(emulator) => format!("an emulator runs it: apt install qemu-user && {emulator} {shown}"),
                None => "there is no user-mode emulator of it that could run it here".to_owned(),
            };
            (format!("it is for {} (e_machine {number}), and this is {ARCH}; {ON_X86_64}", machine.name), vec![next])
        }
    }
}

fn translators(shown: &str) -> Vec<String> {
    vec![
        format!("on an x86-64 machine: biarch run {shown}"),
        format!("here, translated: apt install qemu-user && qemu-i386 {shown}; box64 and FEX do that too"),
    ]
}

/// What to say of a script, of a name to be found on `PATH`, of nothing: nobody knows for which processor it is.
fn unknown(shown: &str) -> (String, Vec<String>) {
    let mut next = translators(shown);
    next.push(format!("a 32-bit ARM program needs no biarch: {BY_THE_KERNEL}"));
    next.push("what this machine can run, and how fast: biarch check".to_owned());
    (format!("this is {ARCH}; {ON_X86_64}"), next)
}

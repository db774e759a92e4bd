//! `biarch run` on a machine that is not x86-64: what the program needs instead.

use clap::Args;
use elf::{Class, Facts};
use std::env::consts::ARCH;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Say what an i386 program needs on this machine: biarch runs them on x86-64 only
///
/// The exit status is 125, as for everything that biarch itself cannot do.
#[derive(Args)]
pub(crate) struct Run {
    /// The program, its arguments, and options as on x86-64
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// biarch itself failed.
pub(super) const OWN_FAILURE: u8 = 125;

impl Run {
    /// Says why not. The result is the exit status.
    pub(crate) fn run(self) -> u8 {
        let found = self.words.iter().map(Path::new).find_map(|path| Some((path, facts(path)?)));
        let (what, next) = found.map_or_else(unknown, |(path, facts)| refusal(path, &facts));
        let text = [what].into_iter().chain(next).collect::<Vec<_>>().join("\n  ");
        ui::exit::failure(anyhow::Error::msg(text).as_ref(), OWN_FAILURE)
    }
}

/// Of the file, if it is an ELF file: the first of the words that is one is the program, whatever options stand before it.
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

fn refusal(path: &Path, facts: &Facts) -> (String, Vec<String>) {
    let shown = path.display();
    let machine = elf::machine(facts);
    match (facts.machine, facts.class) {
        (elf::EM_386, _) => {
            (format!("cannot run {shown}: it is an i386 program, and this is {ARCH}; {ON_X86_64}"), translators(&shown.to_string()))
        }
        (elf::EM_ARM, _) if !facts.big_endian => (
            format!("cannot run {shown}: it is a 32-bit ARM program, which needs no biarch: {BY_THE_KERNEL}"),
            vec![format!("run it as it is: {shown}"), format!("if that fails, see why: biarch check {shown}")],
        ),
        (elf::EM_AARCH64, Class::Elf64) if !facts.big_endian => (
            format!("cannot run {shown}: it is a 64-bit program (AArch64), which needs no biarch"),
            vec![format!("run it as it is: {shown}")],
        ),
        (number, _) => {
            let next = match machine.emulator {
                Some(emulator) => format!("an emulator runs it: apt install qemu-user && {emulator} {shown}"),
                None => "there is no user-mode emulator of it that could run it here".to_owned(),
            };
            (format!("cannot run {shown}: it is for {} (e_machine {number}); {ON_X86_64}", machine.name), vec![next])
        }
    }
}

const ON_X86_64: &str = "biarch runs i386 programs, on x86-64 only, where the processor executes them";
const BY_THE_KERNEL: &str = "an AArch64 kernel with CONFIG_COMPAT runs it, where the processor has AArch32 at EL0";

fn translators(shown: &str) -> Vec<String> {
    vec![
        format!("on an x86-64 machine: biarch run {shown}"),
        format!("here, translated: apt install qemu-user && qemu-i386 {shown}; box64 and FEX translate i386 programs too, and faster"),
    ]
}

/// What to say where no word is an ELF file, so that nobody knows for which processor it is.
fn unknown() -> (String, Vec<String>) {
    let mut next = translators("PROGRAM");
    next.push(format!("a 32-bit ARM program needs no biarch: {BY_THE_KERNEL}"));
    next.push("what this machine can run, and how fast: biarch check".to_owned());
    (format!("this is {ARCH}; {ON_X86_64}"), next)
}

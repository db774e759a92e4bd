//! Facts about one ELF file: what it is for, and what it needs to start; and about one [`kernel`] image or one of its
//! modules.

pub mod compression;
mod details;
pub mod dwarf;
mod exports;
pub mod kernel;
pub mod layout;
pub mod module;
mod source;

pub use details::{Depth, Details, Legacy, Load, Stack, details};
pub use exports::{Export, exports};
pub use source::{OpenFile, Source};

use object::Endianness;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::StringTable;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};

/// Why there are no facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The first four bytes are others.
    #[error("it is not an ELF file")]
    NotElf,
    /// It begins like one, and then the header is cut off or says what it cannot.
    #[error("its ELF header is damaged")]
    Damaged,
}

/// Word size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `ELFCLASS32`
    Elf32,
    /// `ELFCLASS64`
    Elf64,
}

/// What a file is to be used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `ET_REL`: an object file.
    Object,
    /// `ET_EXEC`: a program at a fixed address.
    Executable,
    /// `ET_DYN`: a shared object, or a program that goes anywhere.
    Dynamic,
    /// `ET_CORE`
    Core,
    /// Something else.
    Other(u16),
}

/// What one file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Word size.
    pub class: Class,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// `e_machine`
    pub machine: u16,
    /// `e_type`
    pub kind: Kind,
    /// `EI_OSABI`
    pub os_abi: u8,
    /// `PT_INTERP`, where there is one that can be read.
    pub interpreter: Option<String>,
    /// `DT_NEEDED`, in order, as far as they can be read.
    pub needed: Vec<String>,
}

/// Collects the facts of the file with these contents. Only the header must be whole: what else is damaged is left out.
///
/// # Errors
/// See [`Error`].
pub fn facts(contents: &[u8]) -> Result<Facts, Error> {
    if !contents.starts_with(&elf::ELFMAG) {
        return Err(Error::NotElf);
    }
    match contents.get(4) {
        Some(&elf::ELFCLASS32) => of::<FileHeader32<Endianness>>(contents, Class::Elf32),
        Some(&elf::ELFCLASS64) => of::<FileHeader64<Endianness>>(contents, Class::Elf64),
        _ => Err(Error::Damaged),
    }
}

fn of<H: FileHeader<Endian = Endianness>>(contents: &[u8], class: Class) -> Result<Facts, Error> {
    let header = H::parse(contents).map_err(|_| Error::Damaged)?;
    let endian = header.endian().map_err(|_| Error::Damaged)?;
    let segments = header.program_headers(endian, contents).unwrap_or_default();
    let interpreter = segments.iter().find_map(|segment| segment.interpreter(endian, contents).ok().flatten());
    Ok(Facts {
        class,
        big_endian: endian == Endianness::Big,
        machine: header.e_machine(endian),
        kind: match header.e_type(endian) {
            elf::ET_REL => Kind::Object,
            elf::ET_EXEC => Kind::Executable,
            elf::ET_DYN => Kind::Dynamic,
            elf::ET_CORE => Kind::Core,
            other => Kind::Other(other),
        },
        os_abi: header.e_ident().os_abi,
        interpreter: interpreter.map(text),
        needed: needed::<H>(segments, endian, contents).unwrap_or_default(),
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The names of `DT_NEEDED`, found as the dynamic loader finds them: through the program headers.
fn needed<H: FileHeader<Endian = Endianness>>(
    segments: &[H::ProgramHeader],
    endian: Endianness,
    contents: &[u8],
) -> Option<Vec<String>> {
    let entries = segments.iter().find_map(|segment| segment.dynamic(endian, contents).ok().flatten())?;
    let entries: Vec<(u64, u64)> = entries.iter().map(|entry| (entry.d_tag(endian).into(), entry.d_val(endian).into())).collect();
    let value = |tag: u32| entries.iter().find(|(found, _)| *found == u64::from(tag)).map(|(_, value)| *value);
    let (address, size) = (value(elf::DT_STRTAB)?, value(elf::DT_STRSZ)?);
    let strings = segments.iter().find_map(|segment| segment.data_range(endian, contents, address, size).ok().flatten())?;
    let strings = StringTable::new(strings, 0, strings.len() as u64);
    let names = entries
        .iter()
        .take_while(|(tag, _)| *tag != u64::from(elf::DT_NULL))
        .filter(|(tag, _)| *tag == u64::from(elf::DT_NEEDED));
    Some(names.filter_map(|(_, offset)| strings.get(u32::try_from(*offset).ok()?).ok()).map(text).collect())
}

/// `EM_386`
pub const EM_386: u16 = elf::EM_386;
/// `EM_X86_64`
pub const EM_X86_64: u16 = elf::EM_X86_64;
/// `EM_ARM`
pub const EM_ARM: u16 = elf::EM_ARM;
/// `EM_AARCH64`
pub const EM_AARCH64: u16 = elf::EM_AARCH64;
/// `EM_IA_64`
pub const EM_IA_64: u16 = elf::EM_IA_64;

/// A processor architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What people call it.
    pub name: &'static str,
    /// The name of QEMU's user-mode emulator of it, for the usual byte order, where there is one.
    pub emulator: Option<&'static str>,
}

/// The architecture that the file is for.
#[must_use]
pub fn machine(facts: &Facts) -> Machine {
    let wide = facts.class == Class::Elf64;
    let (name, emulator) = match (facts.machine, facts.big_endian) {
        (elf::EM_386, _) => ("i386", Some("qemu-i386")),
        (elf::EM_X86_64, _) if !wide => ("x32", None),
        (elf::EM_X86_64, _) => ("x86-64", Some("qemu-x86_64")),
        (elf::EM_ARM, false) => ("32-bit ARM", Some("qemu-arm")),
        (elf::EM_ARM, true) => ("big-endian 32-bit ARM", Some("qemu-armeb")),
        (elf::EM_AARCH64, false) => ("64-bit ARM", Some("qemu-aarch64")),
        (elf::EM_AARCH64, true) => ("big-endian 64-bit ARM", Some("qemu-aarch64_be")),
        (elf::EM_IA_64, _) => ("Itanium", None),
        (elf::EM_MIPS, true) if wide => ("64-bit MIPS", Some("qemu-mips64")),
        (elf::EM_MIPS, false) if wide => ("little-endian 64-bit MIPS", Some("qemu-mips64el")),
        (elf::EM_MIPS, true) => ("MIPS", Some("qemu-mips")),
        (elf::EM_MIPS, false) => ("little-endian MIPS", Some("qemu-mipsel")),
        (elf::EM_PPC, _) => ("PowerPC", Some("qemu-ppc")),
        (elf::EM_PPC64, true) => ("64-bit PowerPC", Some("qemu-ppc64")),
        (elf::EM_PPC64, false) => ("little-endian 64-bit PowerPC", Some("qemu-ppc64le")),
        (elf::EM_RISCV, _) if wide => ("64-bit RISC-V", Some("qemu-riscv64")),
        (elf::EM_RISCV, _) => ("32-bit RISC-V", Some("qemu-riscv32")),
        (elf::EM_S390, _) if wide => ("s390x", Some("qemu-s390x")),
        (elf::EM_SPARC, _) => ("SPARC", Some("qemu-sparc")),
        (elf::EM_SPARCV9, _) => ("64-bit SPARC", Some("qemu-sparc64")),
        (elf::EM_68K, _) => ("Motorola 68000", Some("qemu-m68k")),
        (elf::EM_ALPHA, _) => ("Alpha", Some("qemu-alpha")),
        (elf::EM_LOONGARCH, _) => ("LoongArch", Some("qemu-loongarch64")),
        _ => ("another processor", None),
    };
    Machine { name, emulator }
}

#[cfg(test)]
mod tests {
    use super::{Class, EM_X86_64, Error, Kind, facts, machine};

    #[test]
    fn this_very_program() {
        let contents = std::fs::read("/proc/self/exe").expect("a program can read itself");
        let facts = facts(&contents).expect("it is an ELF file");
        assert_eq!((facts.class, facts.machine, facts.big_endian), (Class::Elf64, EM_X86_64, false));
        assert!(matches!(facts.kind, Kind::Dynamic | Kind::Executable));
        assert_eq!(machine(&facts).name, "x86-64");
    }

    #[test]
    fn a_shared_c_library_is_needed_by_name() {
        // Every dynamic program of the system will do.
        let Ok(contents) = std::fs::read("/bin/true") else { return };
        let facts = facts(&contents).expect("it is an ELF file");
        if facts.interpreter.is_some() {
            assert!(facts.needed.iter().any(|name| name.starts_with("libc.")), "{facts:?}");
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        assert_eq!(facts(b""), Err(Error::NotElf));
        assert_eq!(facts(b"#!/bin/sh\n"), Err(Error::NotElf));
        assert_eq!(facts(b"\x7fELF"), Err(Error::Damaged));
        assert_eq!(facts(b"\x7fELF\x01\x01\x01"), Err(Error::Damaged));
    }

    #[test]
    fn no_damage_to_the_rest_is_fatal() {
        let contents = std::fs::read("/proc/self/exe").expect("a program can read itself");
        for at in 0..1024 {
            let mut damaged = contents[..8192].to_vec();
            damaged[at] ^= 0xff;
            // It must come back at all; what it says is another matter.
            let _ = facts(&damaged);
        }
    }
}

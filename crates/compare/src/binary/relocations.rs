//! Relocations: what the dynamic linker does before a program starts, and while it runs.

use super::{Both, Side};
use anyhow::Result;
use object::elf::*;
use object::read::elf::{ElfFile, FileHeader, SectionHeader};
use serde::Serialize;

/// A kind of relocation, and its type for i386, x86-64, ARM and AArch64.
struct Kind {
    name: &'static str,
    i386: &'static [u32],
    x86_64: &'static [u32],
    arm: &'static [u32],
    aarch64: &'static [u32],
}

/// The kinds that linkers leave in programs and libraries.
const KINDS: [Kind; 8] = [
    Kind {
        name: "base address added",
        i386: &[R_386_RELATIVE],
        x86_64: &[R_X86_64_RELATIVE, R_X86_64_RELATIVE64],
        arm: &[R_ARM_RELATIVE],
        aarch64: &[R_AARCH64_RELATIVE],
    },
    Kind {
        name: "function, through the PLT",
        i386: &[R_386_JMP_SLOT],
        x86_64: &[R_X86_64_JUMP_SLOT],
        arm: &[R_ARM_JUMP_SLOT],
        aarch64: &[R_AARCH64_JUMP_SLOT],
    },
    Kind {
        name: "symbol, in the GOT",
        i386: &[R_386_GLOB_DAT],
        x86_64: &[R_X86_64_GLOB_DAT],
        arm: &[R_ARM_GLOB_DAT],
        aarch64: &[R_AARCH64_GLOB_DAT],
    },
    Kind {
        name: "symbol, in data",
        i386: &[R_386_32],
        x86_64: &[R_X86_64_64, R_X86_64_32],
        arm: &[R_ARM_ABS32],
        aarch64: &[R_AARCH64_ABS64],
    },
    Kind {
        name: "relative to its own place",
        i386: &[R_386_PC32],
        x86_64: &[R_X86_64_PC32, R_X86_64_PC64],
        arm: &[R_ARM_REL32],
        aarch64: &[R_AARCH64_PREL64, R_AARCH64_PREL32],
    },
    Kind {
        name: "copied into the program",
        i386: &[R_386_COPY],
        x86_64: &[R_X86_64_COPY],
        arm: &[R_ARM_COPY],
        aarch64: &[R_AARCH64_COPY],
    },
    Kind {
        name: "thread-local",
        i386: &[R_386_TLS_TPOFF, R_386_TLS_TPOFF32, R_386_TLS_DTPMOD32, R_386_TLS_DTPOFF32, R_386_TLS_DESC],
        x86_64: &[R_X86_64_TPOFF64, R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_TLSDESC],
        arm: &[R_ARM_TLS_TPOFF32, R_ARM_TLS_DTPMOD32, R_ARM_TLS_DTPOFF32, R_ARM_TLS_DESC],
        aarch64: &[R_AARCH64_TLS_TPREL, R_AARCH64_TLS_DTPMOD, R_AARCH64_TLS_DTPREL, R_AARCH64_TLSDESC],
    },
    Kind {
        name: "chosen at start",
        i386: &[R_386_IRELATIVE],
        x86_64: &[R_X86_64_IRELATIVE],
        arm: &[R_ARM_IRELATIVE],
        aarch64: &[R_AARCH64_IRELATIVE],
    },
];

/// How many there are of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is done.
    pub name: String,
    /// How often.
    pub count: Both,
}

pub(super) fn compare(narrow: &object::File<'_>, wide: &object::File<'_>) -> Result<Vec<Row>> {
    let mut counts = vec![Both::default(); KINDS.len() + 1];
    for (object, side) in [(narrow, Side::Narrow), (wide, Side::Wide)] {
        let mut add = |machine: u16, kind: u32, count: u64| {
            let at = KINDS.iter().position(|row| row.types(machine).contains(&kind)).unwrap_or(KINDS.len());
            if let Some(both) = counts.get_mut(at) {
                side.add(both, count);
            }
        };
        match object {
            object::File::Elf32(file) => count(file, &mut add)?,
            object::File::Elf64(file) => count(file, &mut add)?,
            _ => {}
        }
    }
    let names = KINDS.iter().map(|kind| kind.name).chain(["other"]);
    let rows = names.zip(counts).map(|(name, count)| Row { name: name.to_owned(), count });
    Ok(rows.filter(|row| row.count != Both::default()).collect())
}

impl Kind {
    fn types(&self, machine: u16) -> &'static [u32] {
        match machine {
            EM_386 => self.i386,
            EM_X86_64 => self.x86_64,
            EM_ARM => self.arm,
            EM_AARCH64 => self.aarch64,
            _ => &[],
        }
    }
}

/// Calls `add` with the machine, the type and the number of relocations.
fn count<H: FileHeader<Endian = object::Endianness>>(file: &ElfFile<'_, H>, add: &mut dyn FnMut(u16, u32, u64)) -> Result<()> {
    let (endian, data) = (file.endian(), file.data());
    let machine = file.elf_header().e_machine(endian);
    for section in file.elf_section_table().iter() {
        if let Some((all, _)) = section.rel(endian, data)? {
            all.iter().for_each(|one| add(machine, object::read::elf::Rel::r_type(one, endian), 1));
        }
        if let Some((all, _)) = section.rela(endian, data)? {
            all.iter().for_each(|one| add(machine, object::read::elf::Rela::r_type(one, endian, false), 1));
        }
        if let Some(all) = section.relr(endian, data)? {
            // Packed: all of them add the base address.
            let relative = KINDS.first().and_then(|kind| kind.types(machine).first().copied()).unwrap_or_default();
            add(machine, relative, all.count() as u64);
        }
    }
    Ok(())
}

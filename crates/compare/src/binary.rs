//! What two builds of one program are, without running them: how large, of which instructions, with which relocations, and how
//! far the program's own structures grow.

mod relocations;
mod sections;
mod types;

pub use relocations::Row as RelocationRow;
pub use sections::{Row as SectionRow, Sections};
pub use types::{Growth, MemberGrowth, Types};

use crate::disassembly::{Decoder, Mix};
use crate::regular;
use anyhow::{Context, Result, bail, ensure};
use elf::dwarf::{self, Structure};
use object::read::elf::ElfFile;
use object::{Architecture, FileKind, Object};
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The version of what `--json` writes: it changes when a field goes away or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;
/// Files above this are not read: no program has that much, and it has to be in memory.
const MAX_FILE: u64 = 1 << 30;

/// One of the two.
#[derive(Clone, Debug, Serialize)]
pub struct Binary {
    /// Where it is.
    pub path: PathBuf,
    /// Its ABI, as people call it.
    pub abi: String,
    /// Bits of a pointer.
    pub bits: u8,
    /// Bytes of the whole file.
    pub file_size: u64,
}

/// A figure of both, the narrow one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Both {
    /// Of the program of 32 bits.
    pub narrow: u64,
    /// Of the program of 64 bits.
    pub wide: u64,
}

impl Both {
    /// How many times as much the wide one has.
    #[must_use]
    pub fn ratio(self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "sizes and counts")]
        (self.narrow > 0).then(|| self.wide as f64 / self.narrow as f64)
    }
}

#[derive(Clone, Copy)]
enum Side {
    Narrow,
    Wide,
}

impl Side {
    /// Adds to this side's figure.
    fn add(self, both: &mut Both, amount: u64) {
        let sum = match self {
            Self::Narrow => &mut both.narrow,
            Self::Wide => &mut both.wide,
        };
        // A hostile file's sections are as large as they like.
        *sum = sum.saturating_add(amount);
    }
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// [`SCHEMA_VERSION`]
    pub schema_version: u32,
    /// The program of 32 bits; of two programs of the same word size the one that was named first.
    pub narrow: Binary,
    /// The program of 64 bits.
    pub wide: Binary,
    /// Bytes.
    pub sections: Sections,
    /// What the code is made of.
    pub instructions: Instructions,
    /// Relocations, by what is done; kinds that neither has are left out.
    pub relocations: Vec<RelocationRow>,
    /// The structures of the program's own; `None` where one of them has no debugging information.
    pub types: Option<Types>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

/// What the code of both is made of; of an architecture without a disassembler nothing is known.
#[derive(Clone, Debug, Serialize)]
pub struct Instructions {
    /// Of the program of 32 bits.
    pub narrow: Option<Mix>,
    /// Of the program of 64 bits.
    pub wide: Option<Mix>,
}

fn mix(image: &Image<'_>, notes: &mut Vec<String>) -> Result<Option<Mix>> {
    let Some(decoder) = Decoder::of(&image.object) else {
        notes.push(format!("{}: biarch has no disassembler for it, so that instructions are not counted", image.binary.abi));
        return Ok(None);
    };
    Mix::of(&image.object, &decoder).with_context(|| image.binary.path.display().to_string()).map(Some)
}

/// The program's own structures, from its file or from that with its debugging information.
fn structures(image: &Image<'_>, debug: &[PathBuf], notes: &mut Vec<String>) -> Option<Vec<Structure>> {
    let own = image.object.section_by_name(".debug_info").is_some() || image.object.section_by_name(".zdebug_info").is_some();
    let shown = image.binary.path.display();
    let found = if own {
        dwarf::structures(&image.object)
    } else {
        let Some(path) = dwarf::debug_file(&image.binary.path, &image.object, debug) else {
            notes.push(format!(
                "{shown} has no debugging information, so that structures are not compared: install its -dbgsym package, or name \
                 where that was unpacked: --debug-dir DIRECTORY"
            ));
            return None;
        };
        read(&path).and_then(|bytes| {
            let object = object::File::parse(bytes.as_slice())?;
            ensure!(object.build_id()? == image.object.build_id()?, "{} is of another build", path.display());
            dwarf::structures(&object)
        })
    };
    found.map_err(|error| notes.push(format!("{shown}: its debugging information cannot be read: {error:#}"))).ok()
}

/// Looks at two programs, in any order. `debug` has directories with debugging information, as debuggers expect it.
///
/// # Errors
/// Where one of them cannot be read, or is no program.
pub fn compare(one: &Path, two: &Path, debug: &[PathBuf]) -> Result<Pair> {
    let (one_bytes, two_bytes) = (read(one)?, read(two)?);
    let (first, second) = (Image::parse(one, &one_bytes)?, Image::parse(two, &two_bytes)?);
    let (narrow, wide) = if first.binary.bits > second.binary.bits { (second, first) } else { (first, second) };
    let mut notes = Vec::new();
    if narrow.binary.abi == wide.binary.abi {
        notes.push(format!("both are of {}: the first named is on the left", narrow.binary.abi));
    } else if narrow.binary.bits == wide.binary.bits {
        notes.push(format!("both are of {} bits: the first named is on the left", narrow.binary.bits));
    } else if FAMILIES.iter().all(|family| !(family.contains(&narrow.abi) && family.contains(&wide.abi))) {
        notes.push(format!(
            "{} and {} are not two word sizes of one architecture: instructions do not compare",
            narrow.binary.abi, wide.binary.abi
        ));
    }
    let sections = sections::compare(&narrow.object, &wide.object)?;
    let relocations = relocations::compare(&narrow.object, &wide.object)?;
    let instructions = Instructions { narrow: mix(&narrow, &mut notes)?, wide: mix(&wide, &mut notes)? };
    let types = match (structures(&narrow, debug, &mut notes), structures(&wide, debug, &mut notes)) {
        (Some(narrow), Some(wide)) => Some(types::compare(narrow, wide)),
        _ => None,
    };
    Ok(Pair {
        schema_version: SCHEMA_VERSION,
        narrow: narrow.binary,
        wide: wide.binary,
        sections,
        instructions,
        relocations,
        types,
        notes,
    })
}

/// Architectures that are word sizes of one.
const FAMILIES: [&[Architecture]; 6] = [
    &[Architecture::I386, Architecture::X86_64, Architecture::X86_64_X32],
    &[Architecture::Arm, Architecture::Aarch64, Architecture::Aarch64_Ilp32],
    &[Architecture::PowerPc, Architecture::PowerPc64],
    &[Architecture::Riscv32, Architecture::Riscv64],
    &[Architecture::Mips, Architecture::Mips64],
    &[Architecture::Sparc32Plus, Architecture::Sparc64],
];

/// A file that was read.
struct Image<'data> {
    object: object::File<'data>,
    abi: Architecture,
    binary: Binary,
}

impl<'data> Image<'data> {
    fn parse(path: &Path, bytes: &'data [u8]) -> Result<Self> {
        let shown = path.display();
        if let Some((_, what)) = NOT_PROGRAMS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            bail!("{shown} is {what}");
        }
        let kind = FileKind::parse(bytes).ok();
        ensure!(
            matches!(kind, Some(FileKind::Elf32 | FileKind::Elf64)),
            "{shown} is no ELF program or library: name one of 32 bits and one of 64 bits"
        );
        let damaged = || format!("{shown} is a damaged ELF file; `readelf -h -S` says where");
        let object = object::File::parse(bytes).with_context(damaged)?;
        match kind_of(&object) {
            object::elf::ET_EXEC | object::elf::ET_DYN => {}
            object::elf::ET_CORE => bail!("{shown} is a core file, the memory of a program that ended: name the program"),
            object::elf::ET_REL => {
                bail!("{shown} is an object file, and not linked: name the program or library it is linked into")
            }
            other => bail!("{shown} is an ELF file of type {other}, and no program or library"),
        }
        ensure!(
            object.sections().next().is_some(),
            "{shown} has no section headers, so that nothing tells code from data; they were stripped off, or the file is packed \
             (`upx -d` unpacks it)"
        );
        let abi = object.architecture();
        let bits = if object.is_64() { 64 } else { 32 };
        let binary = Binary { path: path.to_owned(), abi: name(abi, bits), bits, file_size: bytes.len() as u64 };
        Ok(Self { object, abi, binary })
    }
}

/// What is taken for a program, with what to do instead.
const NOT_PROGRAMS: [(&[u8], &str); 5] = [
    (b"!<arch>\ndebian-binary", "a Debian package: unpack it with `dpkg-deb -x FILE DIRECTORY` and name what is in there"),
    (b"!<arch>\n", "an archive of object files: name a program or library that it is linked into"),
    (b"!<thin>\n", "an archive of object files: name a program or library that it is linked into"),
    (b"#!", "a script: name the program that runs it"),
    (b"\x1f\x8b", "compressed: unpack it with `gunzip`"),
];

fn read(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    let mut file = regular::open(path).with_context(|| format!("cannot read {shown}"))?;
    let metadata = file.metadata()?;
    ensure!(!metadata.is_dir(), "{shown} is a directory: name a program or library in it");
    // What blocks or never ends is no program either.
    ensure!(metadata.is_file(), "{shown} is no regular file");
    ensure!(
        metadata.len() <= MAX_FILE,
        "{shown} has {} MiB; the most that is read is {} MiB",
        metadata.len() >> 20,
        MAX_FILE >> 20
    );
    ensure!(metadata.len() > 0, "{shown} is empty");
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    Ok(bytes)
}

/// `e_type`.
fn kind_of(object: &object::File<'_>) -> u16 {
    use object::read::elf::FileHeader;
    fn of<H: FileHeader<Endian = object::Endianness>>(file: &ElfFile<'_, H>) -> u16 {
        file.elf_header().e_type(file.endian())
    }
    match object {
        object::File::Elf32(file) => of(file),
        object::File::Elf64(file) => of(file),
        _ => object::elf::ET_NONE,
    }
}

/// As Debian calls it.
fn name(abi: Architecture, bits: u8) -> String {
    match abi {
        Architecture::I386 => "i386".to_owned(),
        Architecture::X86_64 => "x86-64".to_owned(),
        Architecture::X86_64_X32 => "x32".to_owned(),
        Architecture::Arm => "ARM".to_owned(),
        Architecture::Aarch64 => "AArch64".to_owned(),
        Architecture::Unknown => format!("an unknown architecture of {bits} bits"),
        other => format!("{other:?}"),
    }
}

//! The worker: one C program (`worker/`), built for each ABI, that does the work of the suites and times it.

use anyhow::{Context, Result, bail};
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, FileKind};
use rustix::fs::{MemfdFlags, memfd_create};
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

/// What a worker is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Abi {
    /// i386
    I386,
    /// x86-64
    #[serde(rename = "x86-64")]
    X86_64,
    /// ARM EABI with floating-point registers
    Armhf,
    /// AArch64
    Arm64,
    /// x86-64 with 32-bit pointers
    X32,
}

impl Abi {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::I386 => "i386",
            Self::X86_64 => "x86-64",
            Self::Armhf => "armhf",
            Self::Arm64 => "arm64",
            Self::X32 => "x32",
        }
    }

    /// The two of this machine: of 32 and of 64 bits.
    #[must_use]
    pub fn pair() -> (Self, Self) {
        if cfg!(target_arch = "aarch64") { (Self::Armhf, Self::Arm64) } else { (Self::I386, Self::X86_64) }
    }

    /// Debian's name for it.
    #[must_use]
    pub fn debian(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            other => other.name(),
        }
    }

    /// The name of the directory with its libraries.
    pub(crate) fn triplet(self) -> &'static str {
        match self {
            Self::I386 => "i386-linux-gnu",
            Self::X86_64 => "x86_64-linux-gnu",
            Self::Armhf => "arm-linux-gnueabihf",
            Self::Arm64 => "aarch64-linux-gnu",
            Self::X32 => "x86_64-linux-gnux32",
        }
    }

    /// Whether a file is for it.
    pub(crate) fn is(self, facts: &elf::Facts) -> bool {
        let (machine, class) = match self {
            Self::I386 => (elf::EM_386, elf::Class::Elf32),
            Self::X86_64 => (elf::EM_X86_64, elf::Class::Elf64),
            Self::Armhf => (elf::EM_ARM, elf::Class::Elf32),
            Self::Arm64 => (elf::EM_AARCH64, elf::Class::Elf64),
            Self::X32 => (elf::EM_X86_64, elf::Class::Elf32),
        };
        (facts.machine, facts.class) == (machine, class)
    }

    /// The worker, an ELF file; empty where its compiler was missing when biarch was built.
    pub(crate) fn image(self) -> &'static [u8] {
        /// As an ELF header has to be.
        #[repr(align(8))]
        struct Aligned<Bytes: ?Sized>(Bytes);
        static I386: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/worker-i386")));
        static X86_64: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/worker-x86_64")));
        static ARMHF: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/worker-armhf")));
        static ARM64: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/worker-arm64")));
        static X32: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/worker-x32")));
        let image = match self {
            Self::I386 => I386,
            Self::X86_64 => X86_64,
            Self::Armhf => ARMHF,
            Self::Arm64 => ARM64,
            Self::X32 => X32,
        };
        &image.0
    }
}

/// A benchmark of the worker, as its `BENCH` line describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The suite, the name of the C file.
    pub suite: &'static str,
    /// Its name, an identifier.
    pub name: &'static str,
    /// What is done, once.
    pub title: &'static str,
    /// Whether it is the work of two processes, which may be of different ABIs.
    pub pair: bool,
    /// Whether it is about the ways into the kernel, so that it is also done through each of `biarch run`.
    pub entries: bool,
    /// Whether it is only shown: programs do not do it on this machine, so that no verdict follows from it.
    pub shown: bool,
    /// Whether it is only done if somebody asks for it or for its suite.
    pub asked: bool,
}

/// The benchmarks of the worker, in the order of `build.rs` and of the C files.
///
/// # Errors
/// Where the worker is not what `build.rs` makes: a fault of the build.
pub fn rows() -> Result<Vec<Row>> {
    let image = Abi::pair().1.image();
    let section = match FileKind::parse(image)? {
        FileKind::Elf32 => section::<FileHeader32<Endianness>>(image)?,
        FileKind::Elf64 => section::<FileHeader64<Endianness>>(image)?,
        kind => bail!("the worker is {kind:?}"),
    };
    let text = std::str::from_utf8(section)?;
    let row = |line: &'static str| {
        let mut fields = line.trim_start_matches('\0').split('\t');
        let (suite, name, title, marks) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let marked = |mark| marks.split(' ').any(|word| word == mark);
        Some(Row {
            suite,
            name,
            title,
            pair: marked("pair"),
            entries: marked("entries"),
            shown: marked("shown"),
            asked: marked("asked"),
        })
    };
    Ok(text.lines().filter_map(row).collect())
}

fn section<Header: FileHeader<Endian = Endianness>>(image: &'static [u8]) -> Result<&'static [u8]> {
    let header = Header::parse(image)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, image)?;
    let (_, section) = sections.section_by_name(endian, b"bench_rows").context("the worker has no section bench_rows")?;
    Ok(section.data(endian, image)?)
}

/// Holds these bytes in a file in memory, so that nothing is left behind and no mount option forbids to execute it. It has this path
/// while this process has it open.
///
/// # Errors
/// Where there is no memory.
pub(crate) fn held(bytes: &[u8]) -> Result<(File, PathBuf)> {
    let fd = memfd_create("biarch", MemfdFlags::CLOEXEC).context("cannot make a file in memory")?;
    let mut file = File::from(fd);
    file.write_all(bytes).context("cannot write to a file in memory")?;
    let path = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
    Ok((file, path))
}

/// A worker that can be executed.
#[derive(Debug)]
pub struct Program {
    _file: File,
    path: PathBuf,
}

impl Program {
    /// Of this ABI.
    ///
    /// # Errors
    /// Where this biarch was built without it, or there is no memory.
    pub fn new(abi: Abi) -> Result<Self> {
        if abi.image().is_empty() {
            bail!("this biarch was built without the programs for {}: its compiler was missing", abi.name());
        }
        let (file, path) = held(abi.image())?;
        Ok(Self { _file: file, path })
    }

    /// Where it can be executed while this process and the program are there.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }
}

//! Facts about one kernel image: its release, the configuration inside it (`CONFIG_IKCONFIG`), and the vDSOs that it would
//! give to programs.
//!
//! An image is a wrapper around another, down to the kernel's own memory: U-Boot's (`uImage`, FIT), EFI's (zboot), the x86
//! boot protocol's (bzImage), ARM's self-extracting zImage, and any of these compressed. Each wrapper is taken off in turn;
//! what is unpacked is limited, whatever the image says.

use crate::compression::{Compression, MAGIC, Members, reader};
use crate::details::{Depth, details};
use crate::{Class, Kind};
use memchr::memmem;
use object::elf;
use std::io::Read;

/// The most that is unpacked of one image, in bytes. Distributions' kernels have 30 to 120 MiB.
pub const MAX_UNPACKED: usize = 384 << 20;
/// Wrappers around wrappers: a compressed FIT with a compressed kernel has three.
const MAX_DEPTH: usize = 6;
/// The most that is looked at for one vDSO, in bytes. Real ones have 2 to 16 KiB.
const MAX_VDSO: usize = 256 << 10;
/// A configuration has 100 to 400 KiB.
const MAX_CONFIG: u64 = 8 << 20;

/// Why nothing is known about an image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It has none of the beginnings that a kernel image has.
    #[error("it is not a kernel image")]
    NotKernel,
    /// It says what it cannot.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// Unpacked it is larger than [`MAX_UNPACKED`].
    #[error("it unpacks to more than {} MiB, which no kernel does", MAX_UNPACKED >> 20)]
    TooLarge,
}

/// A vDSO inside a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vdso {
    /// `e_machine`
    pub machine: u16,
    /// Word size.
    pub class: Class,
    /// `DT_SONAME`, such as `linux-vdso.so.1` or `linux-gate.so.1`.
    pub soname: String,
    /// The functions that a program finds in it, sorted.
    pub symbols: Vec<String>,
}

/// What one kernel image holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The wrappers that were taken off, outermost first, and what was inside.
    pub format: Vec<&'static str>,
    /// `e_machine` of the processor it is for.
    pub machine: Option<u16>,
    /// The kernel's banner, "Linux version …", to the end of the line.
    pub banner: Option<String>,
    /// The configuration, where `CONFIG_IKCONFIG=y` put it there.
    pub config: Option<String>,
    /// The vDSOs, in the order they are found, each once.
    pub vdsos: Vec<Vdso>,
}

impl Image {
    /// The release, such as `6.12.43+deb13-arm64`.
    #[must_use]
    pub fn release(&self) -> Option<&str> {
        self.banner.as_deref()?.strip_prefix(BANNER)?.split(' ').next()
    }
}

const BANNER: &str = "Linux version ";

/// Whether the beginning of a file is that of a kernel image; of a compressed file, that it might be one.
#[must_use]
pub fn is_image(start: &[u8]) -> bool {
    wrapper(start).is_some()
}

/// What an image is wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrapper {
    Compressed(Compression),
    Legacy,
    Fit,
    Zboot,
    BzImage,
    ZImage,
    Arm64,
    Elf,
}

fn wrapper(contents: &[u8]) -> Option<Wrapper> {
    let at = |offset: usize, magic: &[u8]| contents.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    if at(0, b"\x27\x05\x19\x56") {
        Some(Wrapper::Legacy)
    } else if at(0, b"\xd0\x0d\xfe\xed") {
        Some(Wrapper::Fit)
    } else if at(0, b"MZ") && at(4, b"zimg") {
        Some(Wrapper::Zboot)
    } else if at(0x202, b"HdrS") {
        Some(Wrapper::BzImage)
    } else if at(0x24, b"\x18\x28\x6f\x01") || at(0x24, b"\x01\x6f\x28\x18") {
        Some(Wrapper::ZImage)
    } else if at(0x38, b"ARM\x64") {
        Some(Wrapper::Arm64)
    } else if is_vmlinux(contents) {
        Some(Wrapper::Elf)
    } else {
        Compression::of(contents).map(Wrapper::Compressed)
    }
}

/// Whether this is an ELF file for the kernel's half of the address space.
fn is_vmlinux(contents: &[u8]) -> bool {
    if !contents.starts_with(b"\x7fELF") {
        return false;
    }
    let Some((class, machine)) = contents.get(4).zip(contents.get(18..20)) else { return false };
    if matches!(machine, [0, 0]) {
        return false;
    }
    // Only the headers, which are at the beginning of the file: the rest may not have been read yet.
    let wide = *class == 2;
    let number = |at: usize, length: usize| {
        let field = contents.get(at..at.checked_add(length)?)?;
        Some(field.iter().rev().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte)))
    };
    let (entry, offset) = if wide { (number(24, 8), number(32, 8)) } else { (number(24, 4), number(28, 4)) };
    let size: u64 = if wide { 56 } else { 32 };
    let high = |address: u64| if wide { address >> 63 == 1 } else { address >= 0x8000_0000 };
    let first = offset.and_then(|offset| usize::try_from(offset.checked_add(if wide { 16 } else { 8 })?).ok());
    let count = number(if wide { 56 } else { 44 }, 2).unwrap_or(0).min(64);
    let segments = (0..count).filter_map(|index| {
        let at = first?.checked_add(usize::try_from(index * size).ok()?)?;
        let kind = number(at.checked_sub(if wide { 16 } else { 8 })?, 4)?;
        let address = number(at, if wide { 8 } else { 4 })?;
        (kind == 1).then_some(address)
    });
    entry.is_some_and(high) || segments.into_iter().any(high)
}

/// Collects what the image with these contents holds.
///
/// # Errors
/// See [`Error`].
pub fn image(contents: &[u8]) -> Result<Image, Error> {
    let mut image = Image::default();
    unwrap(contents, 0, &mut Budget(MAX_UNPACKED), &mut image)?;
    // The vDSO for 64-bit programs is for the kernel's own processor.
    let own = image.vdsos.iter().find(|vdso| vdso.class == Class::Elf64).or(image.vdsos.first());
    image.machine = image.machine.or(own.map(|vdso| vdso.machine));
    if image.banner.is_none() && image.vdsos.is_empty() && image.config.is_none() {
        return Err(Error::NotKernel);
    }
    Ok(image)
}

/// Bytes that may still be unpacked, whatever comes of them: an image may hold a thousand files that all begin well.
struct Budget(usize);

impl Budget {
    fn unpack(&mut self, contents: &[u8], compression: Compression) -> Result<Vec<u8>, Error> {
        let mut unpacked = Vec::new();
        let opened = reader(contents, compression, Members::First).map_err(|_| Error::Damaged(CANNOT_UNPACK));
        let result = opened.and_then(|reader| all(reader, self.0, &mut unpacked));
        // An attempt has a price even if nothing is unpacked.
        self.0 = self.0.saturating_sub(unpacked.len().max(MAX_UNPACKED / 64));
        result.map(|()| unpacked)
    }
}

fn unwrap(contents: &[u8], depth: usize, budget: &mut Budget, image: &mut Image) -> Result<(), Error> {
    let Some(wrapper) = wrapper(contents) else {
        // What a wrapper held has no beginning of its own on some architectures: it is the kernel's memory.
        return if depth > 0 { scanned(contents, image) } else { Err(Error::NotKernel) };
    };
    if depth > MAX_DEPTH {
        return Err(Error::Damaged("there is a wrapper in a wrapper in a wrapper, and so on"));
    }
    match wrapper {
        Wrapper::Compressed(compression) => {
            image.format.push(compression.name());
            unwrap(&budget.unpack(contents, compression)?, depth + 1, budget, image)
        }
        Wrapper::Legacy => {
            image.format.push("uImage");
            // 64 bytes of header; its byte 30 is the type, 2 for a kernel alone and 4 for several files.
            let several = contents.get(30) == Some(&4);
            let data = contents.get(64..).ok_or(Error::Damaged("it ends in its header"))?;
            let skip = if several { data.chunks(4).position(|size| size == [0; 4]).map_or(0, |at| at * 4 + 4) } else { 0 };
            unwrap(data.get(skip..).unwrap_or_default(), depth + 1, budget, image)
        }
        Wrapper::Fit => {
            image.format.push("FIT");
            fit(contents, depth, budget, image)
        }
        Wrapper::Zboot => {
            image.format.push("zboot");
            let size = |at: usize| little(contents, at).ok_or(Error::Damaged("it ends in its header"));
            let (offset, length) = (size(8)?, size(12)?);
            let payload = offset.checked_add(length).and_then(|end| contents.get(offset..end));
            unwrap(payload.ok_or(Error::Damaged("its payload lies beyond its end"))?, depth + 1, budget, image)
        }
        Wrapper::BzImage => {
            image.format.push("bzImage");
            unwrap(bz_payload(contents).ok_or(Error::Damaged("its payload lies beyond its end"))?, depth + 1, budget, image)
        }
        Wrapper::ZImage => {
            image.format.push("zImage");
            image.machine = Some(elf::EM_ARM);
            z_image(contents, budget, image)
        }
        Wrapper::Arm64 => {
            image.format.push("Image");
            image.machine = Some(elf::EM_AARCH64);
            scanned(contents, image)
        }
        Wrapper::Elf => {
            image.format.push("vmlinux");
            image.machine = contents.get(18..20).map(|bytes| match contents.get(5) {
                Some(&elf::ELFDATA2MSB) => u16::from(bytes[0]) << 8 | u16::from(bytes[1]),
                _ => u16::from(bytes[1]) << 8 | u16::from(bytes[0]),
            });
            scanned(contents, image)
        }
    }
}

fn scanned(contents: &[u8], image: &mut Image) -> Result<(), Error> {
    scan(contents, image);
    Ok(())
}

/// A little-endian number of 4 bytes.
fn little(contents: &[u8], at: usize) -> Option<usize> {
    let field: [u8; 4] = contents.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(field)).ok()
}

/// A big-endian number of 4 bytes.
fn big(contents: &[u8], at: usize) -> Option<usize> {
    let field: [u8; 4] = contents.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(field)).ok()
}

/// The payload as the x86 boot protocol 2.08 and later describes it (Documentation/arch/x86/boot.rst).
fn bz_payload(contents: &[u8]) -> Option<&[u8]> {
    let setup = match *contents.get(0x1f1)? {
        0 => 4,
        sectors => usize::from(sectors),
    };
    let start = (setup + 1).checked_mul(512)?.checked_add(little(contents, 0x248)?)?;
    contents.get(start..start.checked_add(little(contents, 0x24c)?)?)
}

/// A zImage unpacks itself and says nowhere where what it unpacks is: the first place that can be unpacked is it.
fn z_image(contents: &[u8], budget: &mut Budget, image: &mut Image) -> Result<(), Error> {
    for (magic, compression) in MAGIC {
        // The code before it may hold these bytes by chance, but not often.
        for at in memmem::find_iter(contents, magic).take(16) {
            match budget.unpack(contents.get(at..).unwrap_or_default(), *compression) {
                Ok(unpacked) if unpacked.len() > contents.len() / 2 => {
                    image.format.push(compression.name());
                    return scanned(&unpacked, image);
                }
                Err(Error::TooLarge) => return Err(Error::TooLarge),
                _ => {}
            }
        }
    }
    Err(Error::Damaged("nothing in it can be unpacked"))
}

/// A flattened image tree: a device tree whose properties called `data` are files. The first that is a kernel is it.
fn fit(contents: &[u8], depth: usize, budget: &mut Budget, image: &mut Image) -> Result<(), Error> {
    const DAMAGED: Error = Error::Damaged("its device tree cannot be read");
    let header = |at: usize| big(contents, at).ok_or(DAMAGED);
    let (total, mut at, strings) = (header(4)?, header(8)?, header(12)?);
    let (mut offset, mut size) = (None, None);
    let mut last = Err(Error::Damaged("no file in it is a kernel"));
    loop {
        let token = big(contents, at).ok_or(DAMAGED)?;
        at += 4;
        match token {
            // FDT_BEGIN_NODE and its name
            1 => {
                let name = memchr::memchr(0, contents.get(at..).unwrap_or_default()).ok_or(DAMAGED)?;
                at = (at + name + 4) & !3;
                (offset, size) = (None, None);
            }
            // FDT_PROP: length, name, value
            3 => {
                let (length, name) = (big(contents, at).ok_or(DAMAGED)?, big(contents, at + 4).ok_or(DAMAGED)?);
                let start = at + 8;
                let end = start.checked_add(length).ok_or(DAMAGED)?;
                let value = contents.get(start..end).ok_or(DAMAGED)?;
                let name = contents.get(strings.saturating_add(name)..).unwrap_or_default();
                let mut file = None;
                if name.starts_with(b"data\0") {
                    file = Some(value);
                } else if name.starts_with(b"data-offset\0") {
                    offset = big(value, 0).and_then(|offset| offset.checked_add(total.checked_add(3)? & !3));
                } else if name.starts_with(b"data-position\0") {
                    offset = big(value, 0);
                } else if name.starts_with(b"data-size\0") {
                    size = big(value, 0);
                }
                if let Some((from, length)) = offset.zip(size) {
                    file = from.checked_add(length).and_then(|end| contents.get(from..end));
                    (offset, size) = (None, None);
                }
                if let Some(file) = file.filter(|file| is_image(file)) {
                    let mut inner = Image { format: image.format.clone(), ..Image::default() };
                    last = unwrap(file, depth + 1, budget, &mut inner);
                    if last.is_ok() && inner.banner.is_some() {
                        *image = inner;
                        return Ok(());
                    }
                }
                at = end.checked_add(3).ok_or(DAMAGED)? & !3;
            }
            // FDT_END_NODE, FDT_NOP
            2 | 4 => {}
            // FDT_END
            9 => return last.and(Err(Error::Damaged("no file in it is a kernel"))),
            _ => return Err(DAMAGED),
        }
    }
}

/// Unpacks `contents`, which may have other bytes behind it.
///
/// # Errors
/// [`Error::Damaged`] or [`Error::TooLarge`].
pub fn unpack(contents: &[u8], compression: Compression) -> Result<Vec<u8>, Error> {
    Budget(MAX_UNPACKED).unpack(contents, compression)
}

const CANNOT_UNPACK: &str = "what is compressed in it cannot be unpacked";

fn all(reader: impl Read, limit: usize, unpacked: &mut Vec<u8>) -> Result<(), Error> {
    let result = reader.take(limit as u64 + 1).read_to_end(unpacked);
    if unpacked.len() > limit {
        return Err(Error::TooLarge);
    }
    if unpacked.is_empty() {
        Err(Error::Damaged(CANNOT_UNPACK))
    } else {
        result.map(drop).map_err(|_| Error::Damaged(CANNOT_UNPACK))
    }
}

/// Looks through the kernel's memory for what is recognizable in it.
fn scan(memory: &[u8], image: &mut Image) {
    image.banner = memmem::find_iter(memory, BANNER).find_map(|at| banner(memory, at));
    image.config = memmem::find_iter(memory, b"IKCFG_ST").find_map(|at| config(memory, at + 8));
    for at in memmem::find_iter(memory, b"\x7fELF") {
        let end = memory.len().min(at.saturating_add(MAX_VDSO));
        if let Some(vdso) = memory.get(at..end).and_then(vdso).filter(|vdso| !image.vdsos.contains(vdso)) {
            image.vdsos.push(vdso);
        }
    }
}

/// The banner at `at`, unless it is the pattern that it is printed with.
fn banner(memory: &[u8], at: usize) -> Option<String> {
    let rest = memory.get(at..memory.len().min(at + 512))?;
    let line = rest.split(|byte| *byte == b'\n' || *byte == 0).next()?;
    let known = line.get(BANNER.len()).is_some_and(u8::is_ascii_digit) && line.iter().all(|byte| (b' '..=b'~').contains(byte));
    known.then(|| String::from_utf8_lossy(line).into_owned())
}

fn config(memory: &[u8], at: usize) -> Option<String> {
    let mut text = Vec::new();
    flate2::bufread::GzDecoder::new(memory.get(at..)?).take(MAX_CONFIG).read_to_end(&mut text).ok()?;
    String::from_utf8(text).ok().filter(|text| text.contains("CONFIG_"))
}

fn vdso(memory: &[u8]) -> Option<Vdso> {
    let found = details(memory, Depth::Symbols).ok()?;
    let soname = found.soname.filter(|name| name.starts_with("linux-vdso") || name.starts_with("linux-gate"))?;
    if found.facts.kind != Kind::Dynamic {
        return None;
    }
    let mut symbols: Vec<String> = found.exports.into_iter().filter(|name| name.starts_with("__")).collect();
    symbols.sort();
    symbols.dedup();
    Some(Vdso { machine: found.facts.machine, class: found.facts.class, soname, symbols })
}

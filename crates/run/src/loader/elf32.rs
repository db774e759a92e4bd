//! One ELF file of the guest's class: reading its headers and mapping its segments (`elf_load`, `total_mapping_size`).

use super::LoadError;
use crate::host;
use crate::mem::space::{PAGE, SPACE, Space, TASK_SIZE};
use crate::mem::{self, Buf};
use crate::process_view::PATH_MAX;
use abi::{Errno, GuestPtr};
use zerocopy::{FromBytes, FromZeros, IntoBytes};

/// `Elf32_Ehdr` (System V gABI, chapter 4).
#[derive(Clone, Copy, FromBytes, IntoBytes)]
#[repr(C)]
struct Header {
    ident: [u8; 16],
    kind: u16,
    machine: u16,
    version: u32,
    entry: u32,
    phoff: u32,
    shoff: u32,
    flags: u32,
    ehsize: u16,
    phentsize: u16,
    phnum: u16,
    shentsize: u16,
    shnum: u16,
    shstrndx: u16,
}

/// `Elf32_Phdr`.
#[derive(Clone, Copy, FromBytes, IntoBytes)]
#[repr(C)]
struct Segment {
    kind: u32,
    offset: u32,
    vaddr: u32,
    paddr: u32,
    filesz: u32,
    memsz: u32,
    flags: u32,
    align: u32,
}

const ET_EXEC: u16 = 2;
const ET_DYN: u16 = 3;
const EM_386: u16 = 3;
const EM_486: u16 = 6;
const PT_LOAD: u32 = 1;
const PT_PHDR: u32 = 6;
const PT_GNU_STACK: u32 = 0x6474_e551;
const PF_X: u32 = 1;
const PF_W: u32 = 2;
const PF_R: u32 = 4;

/// The most that the kernel reads of program headers, in bytes (`load_elf_phdrs`).
const MAX_HEADERS: usize = 65536;

/// The headers of a file.
pub(crate) struct Elf {
    header: Header,
    segments: Buf<Segment>,
}

/// Where to put a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// At the addresses it is linked to.
    Fixed,
    /// With its first page here.
    At(u32),
    /// Wherever a library would go, at a multiple of this.
    Anywhere(u32),
}

/// A file in memory.
pub(crate) struct Image {
    /// What is added to every address in the file.
    pub(crate) bias: u32,
    /// Where execution begins.
    pub(crate) entry: u32,
    /// Where its program headers are.
    pub(crate) phdr: u32,
    /// How many there are.
    pub(crate) phnum: u32,
    /// One past its last byte.
    pub(crate) end: u32,
}

fn pread(fd: i32, out: &mut [u8], offset: u64) -> Result<usize, LoadError> {
    let mut have = 0;
    while have < out.len() {
        let rest = &mut out[have..];
        let args = [host::int(fd), host::addr_mut(rest), rest.len() as u64, offset + have as u64];
        // SAFETY: the kernel writes into `rest`.
        let got = unsafe { host::call(host::nr::PREAD64, args) }.map_err(|errno| LoadError::Host(errno, "reading the file"))?;
        if got == 0 {
            break;
        }
        have += usize::try_from(got).unwrap_or(0);
    }
    Ok(have)
}

/// Reads the headers.
///
/// # Errors
/// [`LoadError::Malformed`] with what is wrong.
pub(crate) fn read(fd: i32) -> Result<Elf, LoadError> {
    let mut header = Header::new_zeroed();
    if pread(fd, header.as_mut_bytes(), 0)? < size_of::<Header>() || &header.ident[..4] != b"\x7fELF" {
        return Err(LoadError::Malformed("it is not an ELF file"));
    }
    // The class and the byte order in e_ident are not looked at, as in the kernel.
    if header.machine != EM_386 && header.machine != EM_486 {
        return Err(LoadError::Malformed("it is not an i386 program"));
    }
    if header.kind != ET_EXEC && header.kind != ET_DYN {
        return Err(LoadError::Malformed("it is neither a program nor a shared object"));
    }
    let count = usize::from(header.phnum);
    if usize::from(header.phentsize) != size_of::<Segment>() || count == 0 || count * size_of::<Segment>() > MAX_HEADERS {
        return Err(LoadError::Malformed("its program headers cannot be used"));
    }
    let mut segments = Buf::<Segment>::zeroed(count).map_err(|errno| LoadError::Host(errno, "reading the file"))?;
    let bytes = segments.as_mut_bytes();
    let length = bytes.len();
    if pread(fd, bytes, u64::from(header.phoff))? < length {
        return Err(LoadError::Malformed("it ends before its program headers do"));
    }
    Ok(Elf { header, segments })
}

impl Elf {
    fn segments(&self) -> &[Segment] {
        &self.segments
    }
    /// The largest alignment that a segment asks for, at least a page (`maximum_alignment`).
    pub(crate) fn alignment(&self) -> u32 {
        let wanted = self.segments().iter().filter(|segment| segment.kind == PT_LOAD && segment.align.is_power_of_two());
        wanted.map(|segment| segment.align).max().unwrap_or(PAGE).max(PAGE)
    }
    fn loads(&self) -> impl Iterator<Item = &Segment> {
        self.segments().iter().filter(|segment| segment.kind == PT_LOAD && segment.memsz != 0)
    }
    /// The pages of each segment, of a file that has been checked.
    pub(crate) fn pages(&self, bias: u32) -> impl Iterator<Item = Pages> {
        self.loads().map(move |segment| Pages::of(segment, bias))
    }
    /// `ET_DYN`.
    pub(crate) fn is_position_independent(&self) -> bool {
        self.header.kind == ET_DYN
    }
    /// The interpreter that `PT_INTERP` names, with its NUL.
    ///
    /// # Errors
    /// `ENOEXEC` where the name is not a string, `EIO` where the file ends before it does.
    pub(crate) fn interpreter<'a>(&self, fd: i32, out: &'a mut [u8; PATH_MAX]) -> Result<Option<&'a [u8]>, Errno> {
        const PT_INTERP: u32 = 3;
        let Some(segment) = self.segments().iter().find(|segment| segment.kind == PT_INTERP) else { return Ok(None) };
        let length = segment.filesz as usize;
        let name = out.get_mut(..length).filter(|name| name.len() >= 2).ok_or(Errno::ENOEXEC)?;
        if pread(fd, name, u64::from(segment.offset)).map_err(|_| Errno::EIO)? < length {
            return Err(Errno::EIO);
        }
        if name[length - 1] != 0 {
            return Err(Errno::ENOEXEC);
        }
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(length - 1);
        Ok(Some(&out[..=end]))
    }
    /// No `PT_GNU_STACK` at all.
    pub(crate) fn read_implies_exec(&self) -> bool {
        !self.segments().iter().any(|segment| segment.kind == PT_GNU_STACK)
    }
    /// `PT_GNU_STACK` with `PF_X`, or none.
    pub(crate) fn stack_is_executable(&self) -> bool {
        self.segments().iter().find(|segment| segment.kind == PT_GNU_STACK).is_none_or(|segment| segment.flags & PF_X != 0)
    }
}

pub(crate) fn floor(address: u32) -> u32 {
    address & !(PAGE - 1)
}

fn prot(flags: u32) -> u32 {
    (if flags & PF_R != 0 { 1 } else { 0 }) | (if flags & PF_W != 0 { 2 } else { 0 }) | (if flags & PF_X != 0 { 4 } else { 0 })
}

/// The pages of a segment, and where in them its contents end.
pub(crate) struct Pages {
    pub(crate) start: u32,
    pub(crate) file_end: u32,
    pub(crate) end: u32,
}

impl Pages {
    /// Of a segment that has been checked, with `bias` added to its addresses.
    fn of(segment: &Segment, bias: u32) -> Self {
        let address = segment.vaddr.wrapping_add(bias);
        let start = floor(address);
        let after = |size: u32| address.wrapping_add(size).next_multiple_of(PAGE);
        let file_end = if segment.filesz == 0 { start } else { after(segment.filesz) };
        Self { start, file_end, end: after(segment.memsz).max(file_end) }
    }
}

/// Checks what the segments say; returns the first page and one past the last.
pub(crate) fn check(elf: &Elf) -> Result<(u32, u32), LoadError> {
    const OUT_OF_RANGE: LoadError = LoadError::Malformed("a segment lies outside the address space");
    let mut low = u32::MAX;
    let mut high = 0;
    for segment in elf.loads() {
        if segment.filesz > segment.memsz {
            return Err(LoadError::Malformed("a segment is larger in the file than in memory"));
        }
        if segment.filesz != 0 && segment.vaddr % PAGE != segment.offset % PAGE {
            return Err(LoadError::Malformed("a segment's offset and address do not match"));
        }
        let end =
            segment.vaddr.checked_add(segment.memsz).and_then(|end| end.checked_next_multiple_of(PAGE)).ok_or(OUT_OF_RANGE)?;
        low = low.min(floor(segment.vaddr));
        high = high.max(end);
    }
    if low >= high {
        return Err(LoadError::Malformed("it has nothing to load"));
    }
    if high - low > TASK_SIZE {
        return Err(OUT_OF_RANGE);
    }
    Ok((low, high))
}

const PRIVATE: u32 = 2;
const ANONYMOUS: u32 = 0x20;
const FIXED: u32 = 0x10;

/// Takes `span` bytes of addresses, inaccessible, so that no part of the file can come to lie on something else. `low` is the first
/// address that the file is linked to.
fn reserve(space: &mut Space, place: Place, low: u32, span: u32) -> Result<u32, LoadError> {
    const FIXED_NOREPLACE: u32 = 0x10_0000;
    let failed = |errno| LoadError::Host(errno, "reserving its addresses");
    let at = match place {
        Place::Fixed => low,
        Place::At(at) => at,
        Place::Anywhere(PAGE) => return space.map(0, span, 0, PRIVATE | ANONYMOUS, -1, 0).map_err(failed),
        Place::Anywhere(alignment) => {
            let whole = span.checked_add(alignment).ok_or(failed(Errno::ENOMEM))?;
            let start = space.map(0, whole, 0, PRIVATE | ANONYMOUS, -1, 0).map_err(failed)?;
            let aligned = start.checked_next_multiple_of(alignment).ok_or(failed(Errno::ENOMEM))?;
            let ends = [(start, aligned), (aligned + span, start + whole)];
            for (from, to) in ends.into_iter().filter(|(from, to)| from < to) {
                space.unmap(from, to - from).map_err(failed)?;
            }
            return Ok(aligned);
        }
    };
    space.map(at, span, 0, PRIVATE | ANONYMOUS | FIXED_NOREPLACE, -1, 0).map_err(|errno| match errno {
        Errno::EEXIST | Errno::EPERM | Errno::EACCES | Errno::ENOMEM => LoadError::AddressTaken { start: at, length: span },
        errno => failed(errno),
    })
}

/// Gives back the pages between segments: they belong to nobody, as in the kernel.
fn give_back_holes(space: &mut Space, elf: &Elf, bias: u32, start: u32, end: u32) -> Result<(), LoadError> {
    let segments = || elf.loads().map(|segment| Pages::of(segment, bias));
    let mut at = start;
    while at < end {
        if let Some(pages) = segments().find(|pages| pages.start <= at && at < pages.end) {
            at = pages.end;
        } else {
            let next = segments().map(|pages| pages.start).filter(|&start| start > at).min().unwrap_or(end);
            space.unmap(at, next - at).map_err(|errno| LoadError::Host(errno, "mapping a segment"))?;
            at = next;
        }
    }
    Ok(())
}

/// Maps the file's segments, one after the other: where two overlap, the later one is what is there.
///
/// # Errors
/// See [`LoadError`].
pub(crate) fn map(fd: i32, elf: &Elf, place: Place) -> Result<Image, LoadError> {
    /// What the kernel gives to what is not in the file (`vm_brk_flags`), and to code.
    const READ_WRITE: u32 = 3;
    const EXECUTE: u32 = 4;
    let (low, high) = check(elf)?;
    let span = high - low;
    let mut space = SPACE.lock();
    let start = reserve(&mut space, place, low, span)?;
    let bias = start.wrapping_sub(low);
    let failed = |errno| LoadError::Host(errno, "mapping a segment");
    let mut end = 0;
    let mut phdr = None;
    for segment in elf.loads() {
        let address = segment.vaddr.wrapping_add(bias);
        let pages = Pages::of(segment, bias);
        if segment.filesz != 0 {
            let offset = u64::from(segment.offset - (address - pages.start));
            space
                .map(pages.start, pages.file_end - pages.start, prot(segment.flags), PRIVATE | FIXED, fd, offset)
                .map_err(failed)?;
            let file_end = address.wrapping_add(segment.filesz);
            if segment.memsz > segment.filesz && segment.flags & PF_W != 0 {
                // To the end of the page, and not only of the segment: the dynamic loader allocates from there (`padzero`).
                let zeroes = [0; PAGE as usize];
                mem::write_bytes(GuestPtr::new(file_end), &zeroes[..(pages.file_end - file_end) as usize]).map_err(failed)?;
            }
        }
        if pages.end > pages.file_end {
            let prot = READ_WRITE | (prot(segment.flags) & EXECUTE);
            space.map(pages.file_end, pages.end - pages.file_end, prot, PRIVATE | ANONYMOUS | FIXED, -1, 0).map_err(failed)?;
        }
        if segment.offset <= elf.header.phoff && elf.header.phoff - segment.offset < segment.filesz {
            phdr = Some(address.wrapping_add(elf.header.phoff - segment.offset));
        }
        end = end.max(address.wrapping_add(segment.memsz));
    }
    give_back_holes(&mut space, elf, bias, start, start + span)?;
    if let Some(header) = elf.segments().iter().find(|segment| segment.kind == PT_PHDR) {
        phdr = Some(header.vaddr.wrapping_add(bias));
    }
    let entry = elf.header.entry.wrapping_add(bias);
    if entry >= TASK_SIZE {
        return Err(LoadError::Malformed("it begins outside the address space"));
    }
    Ok(Image { bias, entry, phdr: phdr.unwrap_or(0), phnum: u32::from(elf.header.phnum), end })
}

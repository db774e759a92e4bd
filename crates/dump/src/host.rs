//! The dump that the kernel has written of the 64-bit process.
//!
//! Its form is that of 64-bit processes. But what it has of registers depends on the thread that died: where that was in 32-bit code, the
//! kernel takes it for a 32-bit task and shows all threads as such (`task_user_regset_view` in arch/x86/kernel/ptrace.c), with the low
//! halves of some registers and none of `r8` to `r15`.

use crate::Error;
use abi::scalar::low;
use abi::user_regs::{Guest, Host as Registers};
use elf::Source;
use object::elf::{
    EM_386, EM_X86_64, ET_CORE, FileHeader32, FileHeader64, NT_AUXV, NT_FILE, NT_PRFPREG, NT_PRPSINFO, NT_PRSTATUS, NT_SIGINFO,
    NT_X86_XSTATE, PN_XNUM, PT_LOAD, PT_NOTE, ProgramHeader64, SectionHeader64,
};
use object::read::elf::{FileHeader as _, NoteIterator};
use object::{LittleEndian, pod};
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

const ENDIAN: LittleEndian = LittleEndian;

/// `NT_X86_XSAVE_LAYOUT`: where the components of `NT_X86_XSTATE` are, since Linux 6.12.
pub(crate) const NT_X86_XSAVE_LAYOUT: u32 = 0x205;

/// The most that is read of notes: 20000 threads with all of their vector registers.
const MOST_NOTES: u64 = 256 << 20;

/// What is there of `struct user_regs_struct` of i386 in the place of that of x86-64.
fn widen(bytes: &Registers) -> Registers {
    let regs = Guest::read_from_prefix(bytes.as_bytes()).map_or_else(|_| Guest::default(), |(regs, _)| regs);
    let wide = u64::from;
    Registers {
        bx: wide(regs.ebx),
        cx: wide(regs.ecx),
        dx: wide(regs.edx),
        si: wide(regs.esi),
        di: wide(regs.edi),
        bp: wide(regs.ebp),
        ax: wide(regs.eax),
        ds: wide(regs.ds),
        es: wide(regs.es),
        fs: wide(regs.fs),
        gs: wide(regs.gs),
        orig_ax: wide(regs.orig_eax),
        ip: wide(regs.eip),
        cs: wide(regs.cs),
        flags: wide(regs.eflags),
        sp: wide(regs.esp),
        ss: wide(regs.ss),
        ..Registers::default()
    }
}

/// `struct elf_prstatus` of x86-64 (linux/elfcore.h).
#[repr(C)]
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub(crate) struct Status {
    pub(crate) info: [u32; 3],
    pub(crate) cursig: u16,
    padding: u16,
    pub(crate) sigpend: u64,
    pub(crate) sighold: u64,
    /// Thread id, parent, process group, session.
    pub(crate) ids: [u32; 4],
    /// Seconds and microseconds, four times: user, system, and both of children.
    pub(crate) times: [u64; 8],
    pub(crate) regs: Registers,
    fpvalid: u32,
    end: u32,
}

/// `struct elf_prpsinfo` of x86-64.
#[repr(C)]
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub(crate) struct Process {
    pub(crate) state: [u8; 4],
    padding: u32,
    pub(crate) flag: u64,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) ids: [u32; 4],
    pub(crate) name: [u8; 16],
    pub(crate) arguments: [u8; 80],
}

/// What the notes say of a thread.
#[derive(Clone)]
pub(crate) struct Thread {
    pub(crate) status: Status,
    /// `NT_FPREGSET`, as `fxsave` writes it.
    pub(crate) fxsave: Option<Vec<u8>>,
    /// `NT_X86_XSTATE`.
    pub(crate) xstate: Option<Vec<u8>>,
}

/// A part of the process's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) address: u64,
    pub(crate) length: u64,
    pub(crate) flags: u32,
    pub(crate) align: u64,
    /// Where its bytes are in the file, of which there may be fewer, or none.
    pub(crate) offset: u64,
    pub(crate) in_file: u64,
}

/// `NT_FILE`: what is mapped from files.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    pub(crate) range: Range<u64>,
    /// Where in the file, in pages.
    pub(crate) offset: u64,
    pub(crate) name: Vec<u8>,
}

/// The whole dump.
pub(crate) struct Dump<'a, S: ?Sized> {
    /// Registers are those of a 32-bit task.
    pub(crate) narrow: bool,
    pub(crate) source: &'a S,
    /// By address.
    pub(crate) segments: Vec<Segment>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) process: Option<Process>,
    pub(crate) siginfo: Option<[u8; 128]>,
    pub(crate) page_size: u64,
    pub(crate) mappings: Vec<Mapping>,
    /// `NT_X86_XSAVE_LAYOUT`.
    pub(crate) layout: Option<Vec<u8>>,
}

/// What is packed by whom, told by its first bytes.
const PACKED: &[(&[u8], &str)] = &[
    (&[0x28, 0xb5, 0x2f, 0xfd], "zstd"),
    (&[0x04, 0x22, 0x4d, 0x18], "lz4"),
    (&[0xfd, b'7', b'z', b'X', b'Z'], "xz"),
    (&[0x1f, 0x8b], "gzip"),
];

fn read<S: Source + ?Sized>(source: &S, what: &'static str, offset: u64, length: u64) -> Result<Vec<u8>, Error> {
    let size = source.size();
    let end = offset.checked_add(length).ok_or(Error::Damaged("an offset is beyond every file"))?;
    if end > size {
        return Err(Error::Cut { what, size, end });
    }
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| Error::Damaged("a length is beyond every memory"))?];
    source.read_at(offset, &mut bytes).map_err(Error::Read)?;
    Ok(bytes)
}

impl<'a, S: Source + ?Sized> Dump<'a, S> {
    /// Reads everything but memory.
    pub(crate) fn read(source: &'a S) -> Result<Self, Error> {
        let header = header(source)?;
        let (segments, notes) = segments(source, &header)?;
        let mut dump = Self {
            narrow: header.e_machine.get(ENDIAN) == EM_386,
            source,
            segments,
            threads: Vec::new(),
            process: None,
            siginfo: None,
            page_size: 4096,
            mappings: Vec::new(),
            layout: None,
        };
        for (offset, length) in notes {
            if length > MOST_NOTES {
                return Err(Error::Damaged("its notes are larger than any kernel writes them"));
            }
            let bytes = read(source, "its notes", offset, length)?;
            dump.take_notes(&bytes)?;
        }
        if dump.threads.is_empty() {
            return Err(Error::Damaged("it has no thread (NT_PRSTATUS)"));
        }
        Ok(dump)
    }

    fn take_notes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let damaged = |_| Error::Damaged("a note is longer than all of them");
        let mut notes = NoteIterator::<FileHeader64<LittleEndian>>::new(ENDIAN, 4, bytes).map_err(damaged)?;
        while let Some(note) = notes.next().map_err(damaged)? {
            let content = note.desc();
            match (note.name(), note.n_type(ENDIAN)) {
                (b"CORE", NT_PRSTATUS) => {
                    let (mut status, _) =
                        Status::read_from_prefix(content).map_err(|_| Error::Damaged("NT_PRSTATUS is not as x86-64 has it"))?;
                    if self.narrow {
                        status.regs = widen(&status.regs);
                    }
                    self.threads.push(Thread { status, fxsave: None, xstate: None });
                }
                (b"CORE", NT_PRPSINFO) => self.process = Process::read_from_prefix(content).ok().map(|(process, _)| process),
                (b"CORE", NT_SIGINFO) if self.siginfo.is_none() => self.siginfo = content.try_into().ok(),
                (b"CORE", NT_FILE) => self.take_mappings(content)?,
                (b"CORE", NT_PRFPREG) => {
                    if let Some(thread) = self.threads.last_mut() {
                        thread.fxsave = Some(content.to_vec());
                    }
                }
                (b"LINUX", NT_X86_XSTATE) => {
                    if let Some(thread) = self.threads.last_mut() {
                        thread.xstate = Some(content.to_vec());
                    }
                }
                (b"LINUX", NT_X86_XSAVE_LAYOUT) => self.layout = Some(content.to_vec()),
                // NT_AUXV is biarch's own; the guest's is in its memory.
                (b"CORE", NT_AUXV) | (_, _) => {}
            }
        }
        Ok(())
    }

    fn take_mappings(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let damaged = || Error::Damaged("NT_FILE has more mappings than bytes");
        let word = |at: usize| {
            let bytes = bytes.get(at..at.checked_add(8)?)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let count = word(0).ok_or_else(damaged)?;
        self.page_size = word(8).ok_or_else(damaged)?;
        let count = usize::try_from(count).ok().filter(|&count| count < bytes.len() / 24).ok_or_else(damaged)?;
        let mut names = bytes.get(16 + 24 * count..).unwrap_or_default().split(|&byte| byte == 0);
        for number in 0..count {
            let at = 16 + 24 * number;
            let (start, end, offset) = (word(at), word(at + 8), word(at + 16));
            let (Some(start), Some(end), Some(offset)) = (start, end, offset) else { return Err(damaged()) };
            let name = names.next().ok_or_else(damaged)?.to_vec();
            self.mappings.push(Mapping { range: start..end, offset, name });
        }
        Ok(())
    }

    /// An address as registers have it: there may be no more of it than the low half.
    pub(crate) fn address(&self, address: u64) -> u64 {
        if self.narrow { u64::from(low(address)) } else { address }
    }

    /// Fills `buffer` with the memory from `address` on; false where it is not all in the dump.
    pub(crate) fn memory(&self, address: u64, buffer: &mut [u8]) -> Result<bool, Error> {
        let mut done = 0;
        while done < buffer.len() {
            let Some(at) = address.checked_add(done as u64) else { return Ok(false) };
            let next = self.segments.partition_point(|segment| segment.address <= at);
            let Some(segment) = next.checked_sub(1).and_then(|index| self.segments.get(index)) else { return Ok(false) };
            let inside = at - segment.address;
            if inside >= segment.in_file {
                return Ok(false);
            }
            let there = usize::try_from(segment.in_file - inside).unwrap_or(usize::MAX);
            let end = buffer.len().min(done.saturating_add(there));
            let Some(part) = buffer.get_mut(done..end) else { return Ok(false) };
            self.source.read_at(segment.offset + inside, part).map_err(Error::Read)?;
            done = end;
        }
        Ok(true)
    }

    /// A value in memory.
    pub(crate) fn value<T: FromBytes + IntoBytes>(&self, address: u64) -> Result<Option<T>, Error> {
        let mut value = T::new_zeroed();
        Ok(self.memory(address, value.as_mut_bytes())?.then_some(value))
    }

    /// `comm` of the process.
    pub(crate) fn name(&self) -> String {
        let name = self.process.map_or([0; 16], |process| process.name);
        String::from_utf8_lossy(name.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
    }

    /// The process's id.
    pub(crate) fn pid(&self) -> u32 {
        let first = self.threads.first().map_or(0, |thread| thread.status.ids[0]);
        self.process.map_or(first, |process| process.ids[0])
    }
}

fn header<S: Source + ?Sized>(source: &S) -> Result<FileHeader64<LittleEndian>, Error> {
    let mut start = vec![0; usize::try_from(source.size()).unwrap_or(usize::MAX).min(64)];
    source.read_at(0, &mut start).map_err(Error::Read)?;
    if let Some((_, by)) = PACKED.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(Error::Packed(by));
    }
    if !start.starts_with(b"\x7fELF") {
        return Err(Error::NotCore);
    }
    if let Ok((header, _)) = pod::from_bytes::<FileHeader32<LittleEndian>>(&start) {
        if header.is_supported() && header.e_type.get(ENDIAN) == ET_CORE {
            let machine = header.e_machine.get(ENDIAN);
            return Err(if machine == EM_386 { Error::Native } else { Error::Machine(machine) });
        }
    }
    let cut = Error::Cut { what: "its ELF header", size: source.size(), end: 64 };
    let (header, _) = pod::from_bytes::<FileHeader64<LittleEndian>>(&start).map_err(|()| cut)?;
    if !header.is_supported() || header.e_type.get(ENDIAN) != ET_CORE {
        return Err(Error::NotCore);
    }
    match header.e_machine.get(ENDIAN) {
        EM_X86_64 | EM_386 => Ok(*header),
        machine => Err(Error::Machine(machine)),
    }
}

type Segments = (Vec<Segment>, Vec<(u64, u64)>);

/// The parts of memory, by address, and where the notes are.
fn segments<S: Source + ?Sized>(source: &S, header: &FileHeader64<LittleEndian>) -> Result<Segments, Error> {
    let mut count = u64::from(header.e_phnum.get(ENDIAN));
    if count == u64::from(PN_XNUM) {
        let bytes =
            read(source, "its section header", header.e_shoff.get(ENDIAN), size_of::<SectionHeader64<LittleEndian>>() as u64)?;
        let (section, _) = pod::from_bytes::<SectionHeader64<LittleEndian>>(&bytes)
            .map_err(|()| Error::Damaged("its section header is short"))?;
        count = u64::from(section.sh_info.get(ENDIAN));
    }
    let entry = size_of::<ProgramHeader64<LittleEndian>>();
    if usize::from(header.e_phentsize.get(ENDIAN)) != entry {
        return Err(Error::Damaged("its program headers have another length than x86-64's"));
    }
    let bytes = read(source, "its program headers", header.e_phoff.get(ENDIAN), count * entry as u64)?;
    let count = usize::try_from(count).map_err(|_| Error::Damaged("it has too many program headers"))?;
    let (headers, _) = pod::slice_from_bytes::<ProgramHeader64<LittleEndian>>(&bytes, count)
        .map_err(|()| Error::Damaged("its program headers are short"))?;
    let (mut segments, mut notes) = (Vec::new(), Vec::new());
    let mut left = source.size();
    for header in headers {
        let (offset, in_file) = (header.p_offset.get(ENDIAN), header.p_filesz.get(ENDIAN));
        let (address, length) = (header.p_vaddr.get(ENDIAN), header.p_memsz.get(ENDIAN));
        match header.p_type.get(ENDIAN) {
            PT_NOTE => notes.push((offset, in_file)),
            PT_LOAD => {
                let end = offset.checked_add(in_file).ok_or(Error::Damaged("an offset is beyond every file"))?;
                if end > source.size() {
                    return Err(Error::Cut { what: "its memory", size: source.size(), end: ends(headers) });
                }
                left = left.checked_sub(in_file).ok_or(Error::Damaged("its segments overlap in the file"))?;
                if in_file > length || address.checked_add(length).is_none() {
                    return Err(Error::Damaged("a segment is longer in the file than in memory"));
                }
                let (flags, align) = (header.p_flags.get(ENDIAN), header.p_align.get(ENDIAN));
                segments.push(Segment { address, length, flags, align, offset, in_file });
            }
            _ => {}
        }
    }
    segments.sort_by_key(|segment| segment.address);
    if segments.windows(2).any(|pair| matches!(pair, [one, next] if one.address + one.length > next.address)) {
        return Err(Error::Damaged("its segments overlap in memory"));
    }
    Ok((segments, notes))
}

/// Where a file with these segments ends.
fn ends(headers: &[ProgramHeader64<LittleEndian>]) -> u64 {
    let end = |header: &ProgramHeader64<LittleEndian>| header.p_offset.get(ENDIAN).saturating_add(header.p_filesz.get(ENDIAN));
    headers.iter().map(end).max().unwrap_or(0)
}

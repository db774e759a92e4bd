//! What is written: a core dump as a kernel writes one of a 32-bit task.

use crate::Error;
use crate::host::{self, Dump, NT_X86_XSAVE_LAYOUT, Segment};
use crate::thread::{Thread, narrow_id};
use abi::scalar::low;
use abi::structs::thread::user_desc;
use abi::user_regs::Guest as Registers;
use elf::Source;
use object::elf::{
    EM_386, ET_CORE, NT_386_TLS, NT_AUXV, NT_FILE, NT_PRFPREG, NT_PRPSINFO, NT_PRSTATUS, NT_PRXFPREG, NT_SIGINFO, NT_X86_XSTATE,
    PN_XNUM, PT_LOAD, PT_NOTE,
};
use std::io::{self, Seek, SeekFrom, Write};
use zerocopy::{Immutable, IntoBytes};

/// Where 32-bit addresses end.
const LIMIT: u64 = 1 << 32;
const PAGE: u64 = 4096;
/// More than the kernel gives to a program.
const MOST_AUXV: u32 = 4096;

const HEADER: u64 = 52;
const PROGRAM_HEADER: u64 = 32;
const SECTION_HEADER: u64 = 40;

/// `struct compat_elf_prstatus` (linux/elfcore-compat.h).
#[repr(C)]
#[derive(IntoBytes, Immutable)]
struct Status {
    info: [u32; 3],
    cursig: u16,
    padding: u16,
    sigpend: u32,
    sighold: u32,
    ids: [u32; 4],
    times: [u32; 8],
    regs: Registers,
    fpvalid: u32,
}

/// `struct compat_elf_prpsinfo`.
#[repr(C)]
#[derive(IntoBytes, Immutable)]
struct Process {
    state: [u8; 4],
    flag: u32,
    uid: u16,
    gid: u16,
    ids: [u32; 4],
    name: [u8; 16],
    arguments: [u8; 80],
}

/// Notes, one after the other.
#[derive(Default)]
struct Notes(Vec<u8>);

impl Notes {
    fn add(&mut self, owner: &[u8], kind: u32, content: &[u8]) -> Result<(), Error> {
        let length = u32::try_from(content.len()).map_err(|_| Error::TooLarge(content.len() as u64))?;
        let owner_length = u32::try_from(owner.len() + 1).unwrap_or(0);
        for word in [owner_length, length, kind] {
            self.0.extend(word.to_le_bytes());
        }
        for part in [owner, &[0]] {
            self.0.extend(part);
        }
        self.align();
        self.0.extend(content);
        self.align();
        Ok(())
    }

    fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }

    fn core(&mut self, kind: u32, content: &[u8]) -> Result<(), Error> {
        self.add(b"CORE", kind, content)
    }

    fn linux(&mut self, kind: u32, content: &[u8]) -> Result<(), Error> {
        self.add(b"LINUX", kind, content)
    }
}

fn status(thread: &Thread<'_>) -> Status {
    let host = &thread.host.status;
    Status {
        info: host.info,
        cursig: host.cursig,
        padding: 0,
        sigpend: low(host.sigpend),
        sighold: low(host.sighold),
        ids: host.ids,
        times: host.times.map(low),
        regs: thread.regs,
        fpvalid: u32::from(thread.state.fxsave().is_some()),
    }
}

fn process(host: &host::Process) -> Process {
    Process {
        state: host.state,
        flag: low(host.flag),
        uid: narrow_id(host.uid),
        gid: narrow_id(host.gid),
        ids: host.ids,
        name: host.name,
        arguments: host.arguments,
    }
}

/// `NT_FILE` of what is below 4 GiB.
fn files<S: Source + ?Sized>(dump: &Dump<'_, S>) -> Option<Vec<u8>> {
    let (mut words, mut names) = (Vec::new(), Vec::new());
    for mapping in dump.mappings.iter().filter(|mapping| mapping.range.end <= LIMIT) {
        let Ok(offset) = u32::try_from(mapping.offset) else { continue };
        words.extend([low(mapping.range.start), low(mapping.range.end), offset]);
        names.extend(&mapping.name);
        names.push(0);
    }
    let count = u32::try_from(words.len() / 3).ok()?;
    if count == 0 {
        return None;
    }
    let head = [count, low(dump.page_size)];
    let mut bytes: Vec<u8> = head.iter().chain(&words).flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(names);
    Some(bytes)
}

/// The guest's auxiliary vector, from its stack.
fn auxv<S: Source + ?Sized>(dump: &Dump<'_, S>, thread: &Thread<'_>) -> Result<Option<Vec<u8>>, Error> {
    let [address, length] = thread.description.auxv;
    if length > MOST_AUXV {
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    Ok(dump.memory(address.into(), &mut bytes)?.then_some(bytes).filter(|bytes| !bytes.is_empty()))
}

/// Where the program itself was mapped from: the file with its program headers.
pub(crate) fn program<S: Source + ?Sized>(dump: &Dump<'_, S>, thread: &Thread<'_>) -> Result<Option<String>, Error> {
    const AT_PHDR: u32 = 3;
    let Some(auxv) = auxv(dump, thread)? else { return Ok(None) };
    let words: Vec<u32> = auxv.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?))).collect();
    let headers = words.chunks_exact(2).find_map(|pair| matches!(pair, [AT_PHDR, _]).then(|| pair.get(1).copied())?);
    let mapping = headers.and_then(|at| dump.mappings.iter().find(|mapping| mapping.range.contains(&u64::from(at))));
    Ok(mapping.map(|mapping| String::from_utf8_lossy(&mapping.name).into_owned()))
}

/// The registers of one thread but those of [`Status`].
fn add_registers(notes: &mut Notes, thread: &Thread<'_>) -> Result<(), Error> {
    if let (Some(fsave), Some(fxsave)) = (thread.state.fsave(thread.regs.cs, thread.regs.ds), thread.state.fxsave()) {
        notes.core(NT_PRFPREG, &fsave)?;
        notes.linux(NT_PRXFPREG, &fxsave)?;
    }
    if let Some(xstate) = thread.state.xstate() {
        notes.linux(NT_X86_XSTATE, xstate)?;
    }
    if thread.areas.iter().any(Option::is_some) {
        // LDT_EMPTY: read_exec_only and seg_not_present.
        const EMPTY: u32 = 0x28;
        let areas = (12u32..)
            .zip(&thread.areas)
            .map(|(entry_number, area)| area.unwrap_or(user_desc::Guest32 { entry_number, flags: EMPTY, ..Default::default() }));
        let bytes: Vec<u8> = areas
            .flat_map(|area| [area.entry_number, area.base_addr, area.limit, area.flags])
            .flat_map(u32::to_le_bytes)
            .collect();
        notes.linux(NT_386_TLS, &bytes)?;
    }
    Ok(())
}

/// The notes in the order of the kernel's.
fn notes<S: Source + ?Sized>(dump: &Dump<'_, S>, threads: &[Thread<'_>], doubts: &mut Vec<String>) -> Result<Vec<u8>, Error> {
    let mut notes = Notes::default();
    for (index, thread) in threads.iter().enumerate() {
        notes.core(NT_PRSTATUS, status(thread).as_bytes())?;
        if index == 0 {
            if let Some(host) = &dump.process {
                notes.core(NT_PRPSINFO, process(host).as_bytes())?;
            }
            if let Some(info) = &dump.siginfo {
                notes.core(NT_SIGINFO, &abi::siginfo::to_guest(info))?;
            }
            match auxv(dump, thread)? {
                Some(auxv) => notes.core(NT_AUXV, &auxv)?,
                None => doubts.push(
                    "the program's auxiliary vector is not in the dump: a debugger may not find where program and libraries are"
                        .to_owned(),
                ),
            }
            if let Some(files) = files(dump) {
                notes.core(NT_FILE, &files)?;
            }
        }
        add_registers(&mut notes, thread)?;
    }
    if let Some(layout) = &dump.layout {
        notes.linux(NT_X86_XSAVE_LAYOUT, layout)?;
    }
    Ok(notes.0)
}

struct Headers(Vec<u8>);

impl Headers {
    fn half(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn program(&mut self, kind: u32, offset: u32, segment: &Segment) {
        let address = low(segment.address);
        let (in_file, length) = (low(segment.in_file), low(segment.length));
        self.words([kind, offset, address, 0, in_file, length, segment.flags, low(segment.align)]);
    }
}

/// Writes the dump of the guest with these threads.
pub(crate) fn write<S: Source + ?Sized, W: Write + Seek>(
    dump: &Dump<'_, S>,
    threads: &[Thread<'_>],
    doubts: &mut Vec<String>,
    out: &mut W,
) -> Result<(), Error> {
    let segments: Vec<Segment> =
        dump.segments.iter().filter(|segment| segment.address + segment.length <= LIMIT).copied().collect();
    let notes = notes(dump, threads, doubts)?;
    let count = segments.len() as u64 + 1;
    // Where the count does not fit, a section header has it.
    let many = count >= u64::from(PN_XNUM);
    let notes_at = HEADER + count * PROGRAM_HEADER;
    let mut next = (notes_at + notes.len() as u64).next_multiple_of(PAGE);
    let end = next + segments.iter().map(|segment| segment.in_file).sum::<u64>() + if many { SECTION_HEADER } else { 0 };
    if end > u64::from(u32::MAX) {
        return Err(Error::TooLarge(end));
    }
    let sections_at = low(end - SECTION_HEADER);

    let mut headers = Headers(Vec::new());
    headers.0.extend(*b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0");
    headers.half(ET_CORE);
    headers.half(EM_386);
    headers.words([1, 0, low(HEADER), if many { sections_at } else { 0 }, 0]);
    headers.half(u16::try_from(HEADER).unwrap_or(0));
    headers.half(u16::try_from(PROGRAM_HEADER).unwrap_or(0));
    headers.half(u16::try_from(count).ok().filter(|_| !many).unwrap_or(PN_XNUM));
    headers.half(if many { u16::try_from(SECTION_HEADER).unwrap_or(0) } else { 0 });
    headers.half(u16::from(many));
    headers.half(0);
    let note = Segment { address: 0, length: 0, flags: 0, align: 4, offset: 0, in_file: notes.len() as u64 };
    headers.program(PT_NOTE, low(notes_at), &note);
    let mut places = Vec::with_capacity(segments.len());
    for segment in &segments {
        headers.program(PT_LOAD, low(next), segment);
        places.push(next);
        next += segment.in_file;
    }
    let mut out = Sparse { out, at: 0 };
    out.write(&headers.0)?;
    out.write(&notes)?;
    for (segment, place) in segments.iter().zip(places) {
        out.seek(place)?;
        copy(dump.source, segment, &mut out)?;
    }
    if many {
        let mut section = Headers(Vec::new());
        section.words([0, 0, 0, 0, 0, 1, 0, low(count), 0, 0]);
        out.seek(u64::from(sections_at))?;
        out.write(&section.0)?;
    }
    out.finish(end)
}

/// A file with holes where there are zeros.
struct Sparse<'a, W> {
    out: &'a mut W,
    at: u64,
}

impl<W: Write + Seek> Sparse<'_, W> {
    fn seek(&mut self, to: u64) -> Result<(), Error> {
        if to != self.at {
            self.out.seek(SeekFrom::Start(to)).map_err(Error::Write)?;
            self.at = to;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(Error::Write)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// The last byte is there even if it is in a hole.
    fn finish(mut self, end: u64) -> Result<(), Error> {
        let length = self.out.seek(SeekFrom::End(0)).map_err(Error::Write)?;
        self.at = length;
        if let Some(last) = end.checked_sub(1).filter(|&last| last >= length) {
            self.seek(last)?;
            self.write(&[0])?;
        }
        self.out.flush().map_err(Error::Write)
    }
}

fn copy<S: Source + ?Sized, W: Write + Seek>(source: &S, segment: &Segment, out: &mut Sparse<'_, W>) -> Result<(), Error> {
    /// A hole is not smaller than this.
    const PIECE: usize = 64 << 10;
    let mut piece = vec![0; PIECE];
    let mut done = 0;
    while done < segment.in_file {
        let length = usize::try_from(segment.in_file - done).unwrap_or(PIECE).min(PIECE);
        let piece = piece.get_mut(..length).ok_or_else(|| Error::Read(io::ErrorKind::UnexpectedEof.into()))?;
        source.read_at(segment.offset + done, piece).map_err(Error::Read)?;
        if piece.iter().any(|&byte| byte != 0) {
            out.write(piece)?;
        } else {
            out.seek(out.at + length as u64)?;
        }
        done += length as u64;
    }
    Ok(())
}

//! More about one ELF file, read in pieces: what the kernel and the dynamic loader look at, and nothing else of it.
//!
//! The file is foreign. Every table is read up to a limit that no real file comes near, every number is checked before it
//! is used, and what does not fit together is left out and named in [`Details::damage`].

use crate::source::Source;
use crate::{Class, Error, Facts, Kind};
use object::elf;

/// Entries of the dynamic section that are looked at. Real ones have about 40.
const MAX_DYNAMIC: u64 = 4096;
/// Bytes of the string table that are looked at; LLVM's library, the largest that Debian has, needs 5 MiB.
const MAX_STRINGS: u64 = 32 << 20;
/// Symbols that are looked at.
const MAX_SYMBOLS: u64 = 1 << 18;
/// Bytes of a path or of the name of a library: `PATH_MAX` of Linux.
const MAX_PATH: u64 = 4096;
/// Bytes of all names of libraries. LibreOffice's largest has 150 libraries, which are 3 KiB.
const MAX_NEEDED: usize = 64 << 10;
/// Directories of `DT_RPATH` or `DT_RUNPATH`.
const MAX_DIRECTORIES: usize = 64;
/// Bytes of a symbol's name. C++ has longer ones, and no rule about them.
const MAX_NAME: u64 = 256;
/// Bytes of code that are looked at.
const MAX_CODE: u64 = 64 << 20;
/// Sections that are looked at, to find the number of dynamic symbols.
const MAX_SECTIONS: u64 = 4096;

/// A `PT_LOAD` segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// `p_offset`, in bytes.
    pub offset: u64,
    /// `p_vaddr`
    pub address: u64,
    /// `p_filesz`, in bytes.
    pub size: u64,
    /// `p_align`, in bytes.
    pub align: u64,
}

/// What the file says about its stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// No `PT_GNU_STACK`: the kernel makes it executable where that is the architecture's old default.
    Unsaid,
    /// `PT_GNU_STACK` without `PF_X`.
    Data,
    /// `PT_GNU_STACK` with `PF_X`.
    Executable,
}

/// What a file says about itself, beyond [`Facts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// As of [`crate::facts`].
    pub facts: Facts,
    /// `e_flags`; of ARM, the version of its EABI and how floating-point arguments are passed.
    pub flags: u32,
    /// `PT_LOAD`, in order.
    pub loads: Vec<Load>,
    /// What `PT_GNU_STACK` says.
    pub stack: Stack,
    /// Whether there is a dynamic section.
    pub dynamic: bool,
    /// `DT_SONAME`
    pub soname: Option<String>,
    /// `DT_RPATH`, split at the colons.
    pub rpath: Vec<String>,
    /// `DT_RUNPATH`, split at the colons.
    pub runpath: Vec<String>,
    /// `DT_TEXTREL`, or `DF_TEXTREL` in `DT_FLAGS`.
    pub text_relocations: bool,
    /// Whether it is a program although its type is `ET_DYN`: `DF_1_PIE`.
    pub pie: bool,
    /// Names of undefined dynamic symbols, where [`Depth::Symbols`] was asked for.
    pub imports: Vec<String>,
    /// Names of defined dynamic symbols, where [`Depth::Symbols`] was asked for.
    pub exports: Vec<String>,
    /// What its code needs of the kernel, where the symbols were asked for.
    pub legacy: Legacy,
    /// What is wrong with the file; each a clause.
    pub damage: Vec<&'static str>,
}

/// What 32-bit ARM code of before ARMv7 needs of the kernel, as far as it shows in the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legacy {
    /// It calls the functions in the page of kernel helpers, Documentation/arch/arm/kernel_user_helpers.rst.
    pub kernel_helpers: bool,
    /// It uses writes to the coprocessor CP15 as barriers.
    pub cp15_barriers: bool,
}

impl Legacy {
    /// Whether both have been found.
    fn is_all(self) -> bool {
        self.kernel_helpers && self.cp15_barriers
    }

    /// Looks at one word, which may be an instruction or a constant between instructions. 28 bits and more are compared:
    /// that a word of another meaning looks so happens once in 250 million.
    fn look(&mut self, word: u32) {
        // The addresses of cmpxchg64, memory_barrier, cmpxchg and get_tls; and `mvn rX, #0xf000`, from which others compute them.
        let address = matches!(word, 0xffff_0f60 | 0xffff_0fa0 | 0xffff_0fc0 | 0xffff_0fe0);
        self.kernel_helpers |= address || word & 0xffff_0fff == 0xe3e0_0a0f;
        // `mcr p15, 0, rX, c7, c10, 5`, `…, c7, c10, 4` and `…, c7, c5, 4`: DMB, DSB and ISB.
        self.cp15_barriers |= matches!(word & 0xffff_0fff, 0xee07_0fba | 0xee07_0f9a | 0xee07_0f95);
    }
}

/// How much to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Headers and the dynamic section.
    Headers,
    /// The names of the dynamic symbols as well, if the file is of 32 bits.
    Symbols32,
    /// The names of the dynamic symbols as well.
    Symbols,
}

impl Details {
    /// Whether the kernel would start it: it has a type for that, and an interpreter or no need of one.
    #[must_use]
    pub fn is_program(&self) -> bool {
        match self.facts.kind {
            Kind::Executable => true,
            Kind::Dynamic => self.facts.interpreter.is_some() || self.pie,
            _ => false,
        }
    }

    /// The smallest alignment of its segments in memory, in bytes: it cannot be mapped with larger pages.
    #[must_use]
    pub fn alignment(&self) -> Option<u64> {
        self.loads.iter().map(|load| load.align.max(1)).min()
    }
}

/// Numbers in the file's byte order and word size.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) wide: bool,
    big_endian: bool,
}

impl Layout {
    fn number<const N: usize>(self, bytes: &[u8], at: usize) -> Option<u64> {
        let field: &[u8] = bytes.get(at..at.checked_add(N)?)?;
        let join = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if self.big_endian { field.iter().fold(0, join) } else { field.iter().rev().fold(0, join) })
    }

    pub(crate) fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        self.number::<2>(bytes, at).and_then(|value| u16::try_from(value).ok())
    }

    pub(crate) fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        self.number::<4>(bytes, at).and_then(|value| u32::try_from(value).ok())
    }

    /// A word: at `narrow` of a file of 32 bits, at `wide` of one of 64.
    pub(crate) fn word(self, bytes: &[u8], narrow: usize, wide: usize) -> Option<u64> {
        if self.wide { self.number::<8>(bytes, wide) } else { self.number::<4>(bytes, narrow) }
    }
}

/// One program header.
#[derive(Clone, Copy)]
struct Segment {
    kind: u32,
    flags: u32,
    load: Load,
}

/// A file that is being read.
pub(crate) struct Reader<'a, S: Source + ?Sized> {
    source: &'a S,
    pub(crate) layout: Layout,
    segments: Vec<Segment>,
    damage: Vec<&'static str>,
}

impl<S: Source + ?Sized> Reader<'_, S> {
    /// `size` bytes at `offset`, or nothing if the file does not have them. The size is checked before memory is asked for.
    fn bytes(&self, offset: u64, size: u64) -> Option<Vec<u8>> {
        if offset.checked_add(size)? > self.source.size() {
            return None;
        }
        let mut buffer = vec![0; usize::try_from(size).ok()?];
        self.source.read_at(offset, &mut buffer).ok()?;
        Some(buffer)
    }

    /// Where in the file the byte at `address` is, and how many follow it in its segment.
    fn place(&self, address: u64) -> Option<(u64, u64)> {
        self.segments.iter().filter(|segment| segment.kind == elf::PT_LOAD).find_map(|Segment { load, .. }| {
            let into = address.checked_sub(load.address)?;
            let rest = load.size.checked_sub(into).filter(|rest| *rest > 0)?;
            Some((load.offset.checked_add(into)?, rest))
        })
    }

    /// Up to `size` bytes at `address`, as the loader would see them.
    pub(crate) fn at_address(&self, address: u64, size: u64) -> Option<Vec<u8>> {
        let (offset, rest) = self.place(address)?;
        self.bytes(offset, size.min(rest).min(self.source.size().checked_sub(offset)?))
    }

    /// The dynamic section, if it can be read.
    pub(crate) fn dynamic(&self) -> Option<Dynamic> {
        let entries = self.entries()?;
        Dynamic::new(self, entries)
    }

    /// The entries of the dynamic section; nothing where that lies beyond the end of the file.
    fn entries(&self) -> Option<Vec<(u64, u64)>> {
        let layout = self.layout;
        let Load { offset, size, .. } = self.segments.iter().find(|segment| segment.kind == elf::PT_DYNAMIC)?.load;
        let entry = if layout.wide { 16 } else { 8 };
        let table = self.bytes(offset, size.min(MAX_DYNAMIC * entry))?;
        let entries = table.chunks_exact(usize::try_from(entry).ok()?);
        let entries = entries.filter_map(|entry| Some((layout.word(entry, 0, 0)?, layout.word(entry, 4, 8)?)));
        Some(entries.take_while(|(tag, _)| *tag != u64::from(elf::DT_NULL)).collect())
    }

    /// The table of the dynamic symbols, as far as it is looked at.
    pub(crate) fn symbols(&self, header: &[u8], dynamic: &Dynamic) -> Option<Vec<u8>> {
        let entry = if self.layout.wide { 24 } else { 16 };
        let count = symbol_count(self, header, dynamic)?;
        self.at_address(dynamic.value(elf::DT_SYMTAB)?, count.min(MAX_SYMBOLS) * entry)
    }
}

/// Reads what `depth` asks for. Only the header must be whole.
///
/// # Errors
/// See [`Error`].
pub fn details<S: Source + ?Sized>(source: &S, depth: Depth) -> Result<Details, Error> {
    let (mut reader, header) = open(source)?;
    read(&mut reader, &header, depth).ok_or(Error::Damaged)
}

/// Reads the header, and the program headers as far as they are there.
pub(crate) fn open<S: Source + ?Sized>(source: &S) -> Result<(Reader<'_, S>, [u8; 64]), Error> {
    let mut header = [0; 64];
    let available = usize::try_from(source.size().min(64)).unwrap_or(64);
    let start = header.get_mut(..available).ok_or(Error::Damaged)?;
    source.read_at(0, start).map_err(|_| Error::NotElf)?;
    if !header.starts_with(&elf::ELFMAG) {
        return Err(Error::NotElf);
    }
    let wide = match header[4] {
        elf::ELFCLASS32 => false,
        elf::ELFCLASS64 => true,
        _ => return Err(Error::Damaged),
    };
    let big_endian = match header[5] {
        elf::ELFDATA2LSB => false,
        elf::ELFDATA2MSB => true,
        _ => return Err(Error::Damaged),
    };
    if available < if wide { 64 } else { 52 } {
        return Err(Error::Damaged);
    }
    let layout = Layout { wide, big_endian };
    let mut reader = Reader { source, layout, segments: Vec::new(), damage: Vec::new() };
    segments(&mut reader, &header).ok_or(Error::Damaged)?;
    Ok((reader, header))
}

fn read<S: Source + ?Sized>(reader: &mut Reader<'_, S>, header: &[u8], depth: Depth) -> Option<Details> {
    let layout = reader.layout;
    let kind = match layout.u16(header, 16)? {
        elf::ET_REL => Kind::Object,
        elf::ET_EXEC => Kind::Executable,
        elf::ET_DYN => Kind::Dynamic,
        elf::ET_CORE => Kind::Core,
        other => Kind::Other(other),
    };
    let interpreter = interpreter(reader);
    let mut details = Details {
        facts: Facts {
            class: if layout.wide { Class::Elf64 } else { Class::Elf32 },
            big_endian: layout.big_endian,
            machine: layout.u16(header, 18)?,
            kind,
            os_abi: *header.get(7)?,
            interpreter,
            needed: Vec::new(),
        },
        flags: layout.u32(header, if layout.wide { 48 } else { 36 })?,
        loads: reader.segments.iter().filter(|s| s.kind == elf::PT_LOAD).map(|s| s.load).collect(),
        stack: match reader.segments.iter().find(|segment| segment.kind == elf::PT_GNU_STACK) {
            None => Stack::Unsaid,
            Some(segment) if segment.flags & elf::PF_X != 0 => Stack::Executable,
            Some(_) => Stack::Data,
        },
        dynamic: false,
        soname: None,
        rpath: Vec::new(),
        runpath: Vec::new(),
        text_relocations: false,
        pie: false,
        imports: Vec::new(),
        exports: Vec::new(),
        legacy: Legacy::default(),
        damage: Vec::new(),
    };
    // A separate debug file has the program headers of the file it belongs to, and none of its contents.
    if details.loads.iter().any(|load| load.offset.checked_add(load.size).is_none_or(|end| end > reader.source.size())) {
        reader.damage.push("a segment lies beyond the end of the file");
    } else {
        let wanted = depth == Depth::Symbols || depth == Depth::Symbols32 && !layout.wide;
        if let Some(symbols) = dynamic(reader, &mut details).filter(|_| wanted) {
            read_symbols(reader, header, &symbols, &mut details);
        }
        if wanted && details.facts.machine == elf::EM_ARM && !layout.wide && !layout.big_endian {
            details.legacy = legacy(reader, header);
        }
    }
    details.damage = std::mem::take(&mut reader.damage);
    Some(details)
}

/// Looks through the code of a 32-bit file. Where the linker put constants into the segment of the code only the sections tell
/// one from the other, and tables of Unicode do have words that look like these; so a file without sections is left out.
fn legacy<S: Source + ?Sized>(reader: &Reader<'_, S>, header: &[u8]) -> Legacy {
    const PIECE: u64 = 128 << 10;
    let layout = reader.layout;
    let mut legacy = Legacy::default();
    let mut left = MAX_CODE;
    for section in sections(reader, header).unwrap_or_default() {
        let [kind, flags, offset, size] = [4, 8, 16, 20].map(|at| layout.u32(&section, at).unwrap_or_default());
        if kind != elf::SHT_PROGBITS || flags & elf::SHF_EXECINSTR == 0 {
            continue;
        }
        let size = u64::from(size).min(left);
        left -= size;
        let mut at = 0;
        while at < size && !legacy.is_all() {
            let Some(piece) = reader.bytes(u64::from(offset) + at, PIECE.min(size - at)) else { break };
            for word in piece.chunks_exact(4) {
                legacy.look(word.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)));
            }
            at += PIECE;
        }
    }
    legacy
}

fn segments<S: Source + ?Sized>(reader: &mut Reader<'_, S>, header: &[u8]) -> Option<()> {
    let layout = reader.layout;
    let (at, size, count) = if layout.wide {
        (layout.word(header, 0, 32)?, layout.u16(header, 54)?, layout.u16(header, 56)?)
    } else {
        (layout.word(header, 28, 0)?, layout.u16(header, 42)?, layout.u16(header, 44)?)
    };
    if count == 0 {
        return Some(());
    }
    if size != if layout.wide { 56 } else { 32 } {
        reader.damage.push("its program headers have a size that no program header has");
        return Some(());
    }
    let Some(table) = reader.bytes(at, u64::from(size) * u64::from(count)) else {
        reader.damage.push("its program headers lie beyond the end of the file");
        return Some(());
    };
    for entry in table.chunks_exact(usize::from(size)) {
        reader.segments.push(Segment {
            kind: layout.u32(entry, 0)?,
            flags: layout.u32(entry, if layout.wide { 4 } else { 24 })?,
            load: Load {
                offset: layout.word(entry, 4, 8)?,
                address: layout.word(entry, 8, 16)?,
                size: layout.word(entry, 16, 32)?,
                align: layout.word(entry, 28, 48)?,
            },
        });
    }
    Some(())
}

fn interpreter<S: Source + ?Sized>(reader: &mut Reader<'_, S>) -> Option<String> {
    let Load { offset, size, .. } = reader.segments.iter().find(|segment| segment.kind == elf::PT_INTERP)?.load;
    let path = if size <= MAX_PATH { reader.bytes(offset, size) } else { None };
    let path = path.as_deref().and_then(|path| path.split(|byte| *byte == 0).next()).filter(|path| !path.is_empty());
    if path.is_none() {
        reader.damage.push("the name of its interpreter cannot be read");
    }
    path.map(text)
}

/// The dynamic section.
pub(crate) struct Dynamic {
    entries: Vec<(u64, u64)>,
    strings: Vec<u8>,
}

impl Dynamic {
    fn new<S: Source + ?Sized>(reader: &Reader<'_, S>, entries: Vec<(u64, u64)>) -> Option<Self> {
        let mut dynamic = Self { entries, strings: Vec::new() };
        let (address, size) = dynamic.value(elf::DT_STRTAB).zip(dynamic.value(elf::DT_STRSZ))?;
        dynamic.strings = reader.at_address(address, size.min(MAX_STRINGS))?;
        Some(dynamic)
    }

    /// The value of the first entry of a kind.
    pub(crate) fn value(&self, tag: u32) -> Option<u64> {
        self.entries.iter().find(|(found, _)| *found == u64::from(tag)).map(|(_, value)| *value)
    }

    /// One of its strings.
    pub(crate) fn string(&self, at: u64, limit: u64) -> Option<String> {
        string(&self.strings, at, limit)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The string at `at`, if it ends within `limit` bytes: a thousand entries may all name the same long one.
fn string(strings: &[u8], at: u64, limit: u64) -> Option<String> {
    let rest = strings.get(usize::try_from(at).ok()?..)?;
    let rest = rest.get(..usize::try_from(limit).ok()?).unwrap_or(rest);
    Some(text(rest.get(..memchr::memchr(0, rest)?)?))
}

fn dynamic<S: Source + ?Sized>(reader: &mut Reader<'_, S>, details: &mut Details) -> Option<Dynamic> {
    details.dynamic = reader.segments.iter().any(|segment| segment.kind == elf::PT_DYNAMIC);
    if !details.dynamic {
        return None;
    }
    let Some(entries) = reader.entries() else {
        reader.damage.push("its dynamic section lies beyond the end of the file");
        return None;
    };
    let value = |tag: u32| entries.iter().find(|(found, _)| *found == u64::from(tag)).map(|(_, value)| *value);
    details.text_relocations =
        value(elf::DT_TEXTREL).is_some() || value(elf::DT_FLAGS).is_some_and(|flags| flags & u64::from(elf::DF_TEXTREL) != 0);
    details.pie = value(elf::DT_FLAGS_1).is_some_and(|flags| flags & u64::from(elf::DF_1_PIE) != 0);
    let Some(dynamic) = Dynamic::new(reader, entries) else {
        reader.damage.push("the strings of its dynamic section cannot be found");
        return None;
    };
    let mut missing = false;
    let mut name = |tag: u32| -> Vec<String> {
        let wanted = dynamic.entries.iter().filter(|(found, _)| *found == u64::from(tag));
        wanted
            .filter_map(|(_, at)| {
                let name = dynamic.string(*at, MAX_PATH);
                missing |= name.is_none();
                name
            })
            .collect()
    };
    // The loader takes one of each.
    let split = |paths: Vec<String>| {
        paths.iter().take(1).flat_map(|path| path.split(':')).take(MAX_DIRECTORIES).map(str::to_owned).collect()
    };
    let mut room = MAX_NEEDED;
    details.facts.needed = name(elf::DT_NEEDED);
    details.facts.needed.retain(|name| {
        room = room.saturating_sub(name.len() + 1);
        room > 0
    });
    details.soname = name(elf::DT_SONAME).into_iter().next();
    details.rpath = split(name(elf::DT_RPATH));
    details.runpath = split(name(elf::DT_RUNPATH));
    if missing {
        reader.damage.push("its dynamic section names strings that are not there");
    }
    Some(dynamic)
}

fn read_symbols<S: Source + ?Sized>(reader: &mut Reader<'_, S>, header: &[u8], dynamic: &Dynamic, details: &mut Details) {
    let layout = reader.layout;
    if dynamic.value(elf::DT_SYMTAB).is_none() {
        return;
    }
    let entry: usize = if layout.wide { 24 } else { 16 };
    let Some(table) = reader.symbols(header, dynamic) else {
        let is_counted = symbol_count(reader, header, dynamic).is_some();
        let what = ["the number of its dynamic symbols cannot be found", "its dynamic symbols cannot be found"];
        reader.damage.push(what[usize::from(is_counted)]);
        return;
    };
    for symbol in table.chunks_exact(entry).skip(1) {
        let name = layout.u32(symbol, 0).and_then(|at| dynamic.string(at.into(), MAX_NAME));
        let section = layout.u16(symbol, if layout.wide { 6 } else { 14 });
        match (name, section) {
            (Some(name), Some(elf::SHN_UNDEF)) if !name.is_empty() => details.imports.push(name),
            (Some(name), Some(_)) if !name.is_empty() => details.exports.push(name),
            _ => {}
        }
    }
}

/// The number of dynamic symbols stands in no place that every file has.
fn symbol_count<S: Source + ?Sized>(reader: &Reader<'_, S>, header: &[u8], dynamic: &Dynamic) -> Option<u64> {
    let layout = reader.layout;
    // DT_HASH begins with the number of buckets and that of symbols.
    let hash = dynamic.value(elf::DT_HASH).and_then(|address| reader.at_address(address, 8));
    if let Some(count) = hash.and_then(|hash| layout.u32(&hash, 4)) {
        return Some(count.into());
    }
    from_sections(reader, header).or_else(|| from_gnu_hash(reader, dynamic.value(elf::DT_GNU_HASH)?))
}

fn from_sections<S: Source + ?Sized>(reader: &Reader<'_, S>, header: &[u8]) -> Option<u64> {
    let layout = reader.layout;
    let sections = sections(reader, header)?;
    let found = sections.iter().find(|entry| layout.u32(entry, 4) == Some(elf::SHT_DYNSYM))?;
    Some(layout.word(found, 20, 32)? / if layout.wide { 24 } else { 16 })
}

/// The section headers. A file works without them, and some have none.
fn sections<S: Source + ?Sized>(reader: &Reader<'_, S>, header: &[u8]) -> Option<Vec<Vec<u8>>> {
    let layout = reader.layout;
    let (at, size, count) = if layout.wide {
        (layout.word(header, 0, 40)?, layout.u16(header, 58)?, layout.u16(header, 60)?)
    } else {
        (layout.word(header, 32, 0)?, layout.u16(header, 46)?, layout.u16(header, 48)?)
    };
    if size != if layout.wide { 64 } else { 40 } {
        return None;
    }
    let table = reader.bytes(at, u64::from(size) * u64::from(count).min(MAX_SECTIONS))?;
    Some(table.chunks_exact(usize::from(size)).map(<[u8]>::to_vec).collect())
}

/// The last symbol of the longest chain of `DT_GNU_HASH`, which is sorted by bucket.
fn from_gnu_hash<S: Source + ?Sized>(reader: &Reader<'_, S>, address: u64) -> Option<u64> {
    let layout = reader.layout;
    let header = reader.at_address(address, 16)?;
    let [buckets, first, bloom] = [0, 4, 8].map(|at| layout.u32(&header, at).map(u64::from));
    let (buckets, first, bloom) = (buckets?.min(MAX_SYMBOLS), first?, bloom?);
    let word = if layout.wide { 8 } else { 4 };
    let buckets_at = address.checked_add(16)?.checked_add(bloom.checked_mul(word)?)?;
    let table = reader.at_address(buckets_at, buckets * 4)?;
    let last = table.chunks_exact(4).filter_map(|bucket| layout.u32(bucket, 0)).max().map(u64::from)?;
    if last < first {
        return Some(first);
    }
    let chains_at = buckets_at.checked_add(buckets * 4)?;
    let chain = reader.at_address(chains_at.checked_add((last - first).checked_mul(4)?)?, MAX_SYMBOLS * 4)?;
    let length = chain.chunks_exact(4).position(|hash| layout.u32(hash, 0).is_some_and(|hash| hash & 1 == 1))?;
    last.checked_add(length as u64)?.checked_add(1)
}

//! Structures of a program, from its debugging information.

use crate::layout::{Member, Of, Record, Shape, TIMES};
use anyhow::{Context, Result, bail, ensure};
use gimli::{AttributeValue, DebugInfoOffset, EndianSlice, RunTimeEndian, Section as _, UnitOffset, UnitSectionOffset};
use object::{CompressionFormat, Object, ObjectKind, ObjectSection, ObjectSymbol, RelocationTarget};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What one section of debugging information may have, unpacked.
const MAX_SECTION: u64 = 1 << 30;
/// Types within types that are followed: arrays of structures in structures; hostile ones are in themselves.
const MAX_DEPTH: usize = 32;
/// Abbreviations, which say what entries look like, in bytes: those of the C library have two MiB.
const MAX_ABBREVIATIONS: usize = 32 << 20;
/// Reading takes a second for each 50 MiB; hostile entries may be long, and read often.
const LIMIT: Duration = Duration::from_secs(60);
/// Dimensions of an array.
const MAX_DIMENSIONS: usize = 16;
/// Structures above this number are left out.
const MAX_TYPES: usize = 1 << 18;
/// Members of one structure above this number are left out.
const MAX_MEMBERS: usize = 1 << 12;
/// Types in all that the pointers of functions lead to; after so many no more pointers are followed.
const MAX_FOLLOWED: usize = 1 << 20;

/// A structure, class or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// With its namespaces.
    pub name: String,
    /// Whether it is a union.
    pub union: bool,
    /// Bytes.
    pub size: u64,
    /// In the order in which they are declared.
    pub members: Vec<Field>,
}

/// A member of one, as far as its size goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Empty where it has none.
    pub name: String,
    /// What it is: `pointer`, a name of a type.
    pub of: String,
    /// Bytes; 0 of a bit-field.
    pub size: u64,
}

/// A function that other files see, as it was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Where its code begins; nothing where it is only known from where it was inlined.
    pub address: Option<u64>,
    /// What it takes and returns.
    pub signature: Signature,
}

/// What a function takes and returns, or one that a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// In order.
    pub parameters: Vec<Value>,
    /// Nothing for `void`.
    pub result: Option<Value>,
    /// Whether there may be more.
    pub is_variadic: bool,
    /// Whether there is a prototype: else what is passed is wider than what the parameter is declared as.
    pub has_prototype: bool,
}

/// What a function takes or returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Empty where it has none.
    pub name: String,
    /// Its type.
    pub of: Of,
}

/// What a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Something in memory.
    Type(Of),
    /// Code.
    Function(Signature),
}

/// Functions, and all that their pointers lead to, and what is there leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// By their names.
    pub named: BTreeMap<String, Function>,
    /// By [`Of::to`].
    pub targets: BTreeMap<usize, Target>,
}

impl Functions {
    /// What a pointer leads to, where that is known.
    #[must_use]
    pub fn target(&self, pointer: &Of) -> Option<&Target> {
        self.targets.get(&pointer.to?)
    }
}

type Slice<'data> = EndianSlice<'data, RunTimeEndian>;

/// The structures of a program's own: what system headers define is not.
///
/// # Errors
/// Where it is damaged, packed in an unknown way, or too large.
pub fn structures(object: &object::File<'_>) -> Result<Vec<Structure>> {
    read(object, |reader| {
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        for at in 0..reader.units.len() {
            reader.unit(at, &mut found, &mut known)?;
        }
        Ok(found)
    })
}

/// The types of these names, with all that is in them; `struct` and the like may be before a name. What is only declared is left out.
///
/// # Errors
/// Where the debugging information is damaged, packed in an unknown way, or too large.
pub fn layouts(object: &object::File<'_>, names: &[String]) -> Result<BTreeMap<String, Of>> {
    read(object, |reader| {
        let mut found = BTreeMap::new();
        for at in 0..reader.units.len() {
            reader.named(at, names, &mut found)?;
        }
        Ok(found)
    })
}

/// The functions of these names that other files see, and what their pointers lead to.
///
/// # Errors
/// Where the debugging information is damaged, packed in an unknown way, or too large.
pub fn functions(object: &object::File<'_>, names: &BTreeSet<&str>) -> Result<Functions> {
    read(object, |reader| {
        let mut named = BTreeMap::new();
        for at in 0..reader.units.len() {
            reader.functions(at, names, &mut named)?;
        }
        let targets = reader.targets(&named)?;
        Ok(Functions { named, targets })
    })
}

/// Calls `what` with the debugging information of a file.
fn read<Found>(object: &object::File<'_>, what: impl FnOnce(&Reader<'_, '_>) -> Result<Found>) -> Result<Found> {
    let endian = if object.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let sections = gimli::DwarfSections::load(|id| -> Result<Cow<'_, [u8]>> {
        object.section_by_name(id.name()).map_or(Ok(Cow::Borrowed(&[][..])), |section| contents(object, &section))
    })?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let units = units(&dwarf)?;
    let reader = Reader { dwarf: &dwarf, units: &units, start: Instant::now() };
    what(&reader)
}

/// All units. Tables that units share are read once, and none reaches into the next: else a small file could ask for any amount of
/// memory.
fn units<'data>(dwarf: &gimli::Dwarf<Slice<'data>>) -> Result<Vec<gimli::Unit<Slice<'data>>>> {
    let mut headers = Vec::new();
    let mut all = dwarf.units();
    while let Some(header) = all.next()? {
        headers.push(header);
    }
    let section = *dwarf.debug_abbrev.reader();
    ensure!(section.len() <= MAX_ABBREVIATIONS, "its abbreviations have {} MiB", section.len() >> 20);
    let mut starts: Vec<usize> = headers.iter().map(|header| header.debug_abbrev_offset().0).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut tables = BTreeMap::new();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(section.len()).min(section.len());
        let own = gimli::DebugAbbrev::from(section.range_to(..end));
        tables.insert(*start, Arc::new(own.abbreviations(gimli::DebugAbbrevOffset(*start))?));
    }
    let mut units = Vec::with_capacity(headers.len());
    let mut lines = 0;
    for header in headers {
        let table = tables.get(&header.debug_abbrev_offset().0).context("abbreviations")?;
        let unit = gimli::Unit::new_with_abbreviations(dwarf, header, Arc::clone(table))?;
        // A unit's list of files is its own as well.
        lines += unit.line_program.as_ref().map_or(0, |program| program.header().header_length());
        ensure!(lines <= 4 * dwarf.debug_line.reader().len(), "its lists of files overlap");
        units.push(unit);
    }
    Ok(units)
}

/// A section, unpacked; that of an object file with its relocations applied.
fn contents<'data>(object: &object::File<'data>, section: &object::Section<'data, '_>) -> Result<Cow<'data, [u8]>> {
    let mut bytes = unpacked(section)?;
    if object.kind() != ObjectKind::Relocatable {
        return Ok(bytes);
    }
    for (offset, relocation) in section.relocations() {
        // The other kind has its addend where it is to be applied, and sections start at 0.
        if relocation.has_implicit_addend() {
            continue;
        }
        let start = match relocation.target() {
            RelocationTarget::Symbol(symbol) => object.symbol_by_index(symbol)?.address(),
            _ => 0,
        };
        let value = start.wrapping_add_signed(relocation.addend());
        let length = usize::from(relocation.size() / 8);
        let place = usize::try_from(offset)?;
        let bytes = bytes.to_mut();
        let into = place.checked_add(length).and_then(|end| bytes.get_mut(place..end)).context("a relocation leads nowhere")?;
        match length {
            4 if object.is_little_endian() => into.copy_from_slice(&u32::try_from(value & 0xffff_ffff)?.to_le_bytes()),
            4 => into.copy_from_slice(&u32::try_from(value & 0xffff_ffff)?.to_be_bytes()),
            8 if object.is_little_endian() => into.copy_from_slice(&value.to_le_bytes()),
            8 => into.copy_from_slice(&value.to_be_bytes()),
            _ => {}
        }
    }
    Ok(bytes)
}

fn unpacked<'data>(section: &object::Section<'data, '_>) -> Result<Cow<'data, [u8]>> {
    let packed = section.compressed_data()?;
    match packed.format {
        CompressionFormat::None => Ok(Cow::Borrowed(packed.data)),
        CompressionFormat::Zlib => {
            ensure!(packed.uncompressed_size <= MAX_SECTION, "the debugging information is too large");
            let mut bytes = Vec::new();
            flate2::read::ZlibDecoder::new(packed.data).take(packed.uncompressed_size).read_to_end(&mut bytes)?;
            Ok(Cow::Owned(bytes))
        }
        _ => {
            bail!("the debugging information is packed in a way that biarch does not read; `objcopy --decompress-debug-sections`")
        }
    }
}

struct Reader<'all, 'data> {
    dwarf: &'all gimli::Dwarf<Slice<'data>>,
    units: &'all [gimli::Unit<Slice<'data>>],
    start: Instant,
}

type Entry<'all, 'data> = gimli::DebuggingInformationEntry<'all, 'all, Slice<'data>>;

impl<'all, 'data> Reader<'all, 'data> {
    /// Adds the structures of a unit that are not known yet.
    fn unit(&self, at: usize, found: &mut Vec<Structure>, known: &mut HashSet<(String, u64, u64)>) -> Result<()> {
        let unit = self.units.get(at).context("a unit")?;
        // Of each entry above the current one its depth and, if names within it have it before them, its name.
        let mut above: Vec<(isize, Option<String>)> = Vec::new();
        // The structure whose members come now, and its depth.
        let mut open: Vec<(isize, usize)> = Vec::new();
        let mut depth = 0;
        let mut entries = unit.entries();
        while let Some((delta, entry)) = entries.next_dfs()? {
            depth += delta;
            ensure!(self.start.elapsed() < LIMIT, "it takes longer than {} s", LIMIT.as_secs());
            above.retain(|(own, _)| *own < depth);
            open.retain(|(own, _)| *own < depth);
            let tag = entry.tag();
            if matches!(tag, gimli::DW_TAG_member | gimli::DW_TAG_inheritance) {
                let parent = open.last().filter(|(own, _)| own + 1 == depth).and_then(|(_, index)| found.get_mut(*index));
                // A static member is no part of the structure.
                let part = entry.attr(gimli::DW_AT_external)?.is_none();
                if let Some(parent) = parent.filter(|parent| part && parent.members.len() < MAX_MEMBERS) {
                    let (of, size) = self.shape(at, entry, 0)?;
                    let bits = entry.attr_value(gimli::DW_AT_bit_size)?.is_some();
                    let name = self.name(at, entry)?.unwrap_or_default();
                    parent.members.push(Field { name, of, size: if bits { 0 } else { size } });
                }
                continue;
            }
            let name = self.name(at, entry)?;
            let record = matches!(tag, gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type);
            if record || tag == gimli::DW_TAG_namespace {
                above.push((depth, name.clone()));
            }
            let (true, Some(_), Some(size)) = (record, name, entry.attr_value(gimli::DW_AT_byte_size)?) else { continue };
            let size = size.udata_value().unwrap_or_default();
            let line = entry.attr_value(gimli::DW_AT_decl_line)?.and_then(|line| line.udata_value()).unwrap_or_default();
            let name = above.iter().filter_map(|(_, name)| name.as_deref()).collect::<Vec<_>>().join("::");
            if found.len() < MAX_TYPES && !self.of_system(at, entry)? && known.insert((name.clone(), size, line)) {
                open.push((depth, found.len()));
                found.push(Structure { name, union: tag == gimli::DW_TAG_union_type, size, members: Vec::new() });
            }
        }
        Ok(())
    }

    fn name(&self, at: usize, entry: &Entry<'_, 'data>) -> Result<Option<String>> {
        let (Some(unit), Some(name)) = (self.units.get(at), entry.attr_value(gimli::DW_AT_name)?) else { return Ok(None) };
        Ok(self.dwarf.attr_string(unit, name).ok().map(|name| name.to_string_lossy().into_owned()))
    }

    /// Whether it is defined in a header of the system.
    fn of_system(&self, at: usize, entry: &Entry<'_, 'data>) -> Result<bool> {
        let file = match entry.attr_value(gimli::DW_AT_decl_file)? {
            Some(AttributeValue::FileIndex(index)) => index,
            Some(other) => other.udata_value().unwrap_or_default(),
            None => return Ok(false),
        };
        let Some(unit) = self.units.get(at) else { return Ok(false) };
        let Some(header) = unit.line_program.as_ref().map(gimli::IncompleteLineProgram::header) else { return Ok(false) };
        let directory = header.file(file).and_then(|file| file.directory(header));
        let Some(directory) = directory.and_then(|directory| self.dwarf.attr_string(unit, directory).ok()) else {
            return Ok(false);
        };
        let directory = directory.to_string_lossy();
        Ok(["/usr/include", "/usr/lib/gcc"].iter().any(|system| directory.starts_with(system)))
    }

    /// What the type of an entry is called, and its bytes.
    fn shape(&self, at: usize, entry: &Entry<'_, 'data>, depth: usize) -> Result<(String, u64)> {
        let unknown = || ("unknown".to_owned(), 0);
        if depth > MAX_DEPTH {
            return Ok(unknown());
        }
        let Some((at, offset)) = entry.attr_value(gimli::DW_AT_type)?.and_then(|reference| self.find(at, &reference)) else {
            return Ok(unknown());
        };
        let Some(unit) = self.units.get(at) else { return Ok(unknown()) };
        let of = unit.entry(offset)?;
        let own = self.name(at, &of)?;
        let size = of.attr_value(gimli::DW_AT_byte_size)?.and_then(|size| size.udata_value());
        Ok(match of.tag() {
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type
            | gimli::DW_TAG_ptr_to_member_type => {
                ("pointer".to_owned(), size.unwrap_or_else(|| u64::from(unit.encoding().address_size)))
            }
            // The name that the source uses says more than what is behind it, but that it is a pointer matters more.
            gimli::DW_TAG_typedef => {
                let (inner, size) = self.shape(at, &of, depth + 1)?;
                (if inner == "pointer" { inner } else { own.unwrap_or(inner) }, size)
            }
            gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type | gimli::DW_TAG_atomic_type | gimli::DW_TAG_restrict_type => {
                self.shape(at, &of, depth + 1)?
            }
            gimli::DW_TAG_array_type => {
                let (inner, one) = self.shape(at, &of, depth + 1)?;
                let count = self.elements(unit, offset)?;
                (format!("{inner}[{count}]"), size.unwrap_or_else(|| one.saturating_mul(count)))
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                (own.map_or_else(|| "structure".to_owned(), |own| format!("struct {own}")), size.unwrap_or_default())
            }
            gimli::DW_TAG_union_type => {
                (own.map_or_else(|| "union".to_owned(), |own| format!("union {own}")), size.unwrap_or_default())
            }
            _ => (own.unwrap_or_else(|| "unknown".to_owned()), size.unwrap_or_default()),
        })
    }

    /// Elements of an array, in all of its dimensions; one without an end has none of its own.
    fn elements(&self, unit: &gimli::Unit<Slice<'data>>, offset: UnitOffset) -> Result<u64> {
        let dimensions = self.dimensions(unit, offset)?;
        Ok(dimensions.into_iter().map(Option::unwrap_or_default).fold(1, u64::saturating_mul))
    }

    /// The dimensions of an array.
    fn dimensions(&self, unit: &gimli::Unit<Slice<'data>>, offset: UnitOffset) -> Result<Vec<Option<u64>>> {
        let mut tree = unit.entries_tree(Some(offset))?;
        let mut children = tree.root()?.children();
        let mut found = Vec::new();
        for _ in 0..MAX_DIMENSIONS {
            let Some(child) = children.next()? else { break };
            let entry = child.entry();
            if entry.tag() == gimli::DW_TAG_subrange_type {
                let value = |at| Ok::<_, gimli::Error>(entry.attr_value(at)?.and_then(|value| value.udata_value()));
                found.push(match (value(gimli::DW_AT_count)?, value(gimli::DW_AT_upper_bound)?) {
                    (Some(count), _) => Some(count),
                    (None, Some(last)) => Some(last.wrapping_add(1)),
                    (None, None) => None,
                });
            }
        }
        Ok(found)
    }

    /// Adds the types of these names that a unit defines.
    fn named(&self, at: usize, names: &[String], found: &mut BTreeMap<String, Of>) -> Result<()> {
        let unit = self.units.get(at).context("a unit")?;
        let mut above: Vec<(isize, Option<String>)> = Vec::new();
        let mut depth = 0;
        let mut entries = unit.entries();
        while let Some((delta, entry)) = entries.next_dfs()? {
            depth += delta;
            ensure!(self.start.elapsed() < LIMIT, "it takes longer than {} s", LIMIT.as_secs());
            above.retain(|(own, _)| *own < depth);
            let tag = entry.tag();
            let word = match tag {
                gimli::DW_TAG_structure_type => "struct ",
                gimli::DW_TAG_class_type => "class ",
                gimli::DW_TAG_union_type => "union ",
                gimli::DW_TAG_typedef | gimli::DW_TAG_namespace => "",
                _ => continue,
            };
            let name = self.name(at, entry)?;
            if tag != gimli::DW_TAG_typedef {
                above.push((depth, name.clone()));
            }
            if name.is_none() || entry.attr(gimli::DW_AT_declaration)?.is_some() {
                continue;
            }
            let outer =
                if tag == gimli::DW_TAG_typedef { above.as_slice() } else { above.get(..above.len() - 1).unwrap_or_default() };
            let path: Vec<&str> = outer.iter().filter_map(|(_, name)| name.as_deref()).chain(name.as_deref()).collect();
            let own = path.join("::");
            let wanted = names.iter().find(|wanted| **wanted == own || wanted.strip_prefix(word) == Some(own.as_str()));
            if let Some(wanted) = wanted.filter(|wanted| !found.contains_key(*wanted) && tag != gimli::DW_TAG_namespace) {
                let of = self.whole(at, entry.offset(), 0)?;
                if of.size > 0 {
                    found.insert(wanted.clone(), of);
                }
            }
        }
        Ok(())
    }

    /// Adds the functions of these names that a unit defines.
    fn functions(&self, at: usize, names: &BTreeSet<&str>, found: &mut BTreeMap<String, Function>) -> Result<()> {
        let unit = self.units.get(at).context("a unit")?;
        // With `-g1` there are functions and lines, and neither types nor parameters.
        if !self.has_types(unit)? {
            return Ok(());
        }
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            ensure!(self.start.elapsed() < LIMIT, "it takes longer than {} s", LIMIT.as_secs());
            let is_seen = entry.tag() == gimli::DW_TAG_subprogram
                && entry.attr(gimli::DW_AT_external)?.is_some()
                && entry.attr(gimli::DW_AT_declaration)?.is_none();
            let name = if is_seen { self.name(at, entry)? } else { None };
            let Some(name) = name.filter(|name| names.contains(name.as_str()) && !found.contains_key(name)) else { continue };
            let address = match entry.attr_value(gimli::DW_AT_low_pc)? {
                Some(value) => self.dwarf.attr_address(unit, value)?,
                None => None,
            };
            found.insert(name, Function { address, signature: self.signature(at, entry)? });
        }
        Ok(())
    }

    /// What a function takes and returns, or the type of one.
    fn signature(&self, at: usize, entry: &Entry<'_, 'data>) -> Result<Signature> {
        let unit = self.units.get(at).context("a unit")?;
        let has_prototype = entry.attr(gimli::DW_AT_prototyped)?.is_some();
        let result = match entry.attr(gimli::DW_AT_type)? {
            Some(_) => Some(self.value(at, entry)?),
            None => None,
        };
        let mut signature = Signature { parameters: Vec::new(), result, is_variadic: false, has_prototype };
        let mut tree = unit.entries_tree(Some(entry.offset()))?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            match child.entry().tag() {
                gimli::DW_TAG_formal_parameter if signature.parameters.len() < MAX_MEMBERS => {
                    signature.parameters.push(self.value(at, child.entry())?);
                }
                gimli::DW_TAG_unspecified_parameters => signature.is_variadic = true,
                _ => {}
            }
        }
        Ok(signature)
    }

    /// All that the pointers of functions lead to, and the pointers of that.
    fn targets(&self, functions: &BTreeMap<String, Function>) -> Result<BTreeMap<usize, Target>> {
        let mut found = BTreeMap::new();
        let mut open = Vec::new();
        let mut followed = 0;
        for function in functions.values() {
            followed += pointers_of(&function.signature, &mut open);
        }
        while let Some(place) = open.pop().filter(|_| followed < MAX_FOLLOWED) {
            if found.contains_key(&place) {
                continue;
            }
            let target = self.target(place)?;
            followed += 1 + match &target {
                Target::Type(of) => pointers(of, &mut open),
                Target::Function(signature) => pointers_of(signature, &mut open),
            };
            found.insert(place, target);
        }
        Ok(found)
    }

    /// What a pointer leads to.
    fn target(&self, place: usize) -> Result<Target> {
        let mut at = self.find(0, &AttributeValue::DebugInfoRef(DebugInfoOffset(place))).context("a type")?;
        for _ in 0..MAX_DEPTH {
            let entry = self.units.get(at.0).context("a unit")?.entry(at.1)?;
            match entry.tag() {
                gimli::DW_TAG_subroutine_type => return Ok(Target::Function(self.signature(at.0, &entry)?)),
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_atomic_type => {}
                _ => break,
            }
            let inner = entry.attr_value(gimli::DW_AT_type)?.and_then(|reference| self.find(at.0, &reference));
            let Some(inner) = inner else { break };
            at = inner;
        }
        let (at, offset) = self.find(0, &AttributeValue::DebugInfoRef(DebugInfoOffset(place))).context("a type")?;
        Ok(Target::Type(self.whole(at, offset, 0)?))
    }

    /// Where in all of the debugging information an entry is.
    fn place(&self, at: usize, offset: UnitOffset) -> Option<usize> {
        Some(offset.to_debug_info_offset(&self.units.get(at)?.header)?.0)
    }

    /// Whether a unit says of anything what its type is.
    fn has_types(&self, unit: &gimli::Unit<Slice<'data>>) -> Result<bool> {
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            ensure!(self.start.elapsed() < LIMIT, "it takes longer than {} s", LIMIT.as_secs());
            if entry.attr(gimli::DW_AT_type)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What an entry has as its type.
    fn value(&self, at: usize, entry: &Entry<'_, 'data>) -> Result<Value> {
        let name = self.name(at, entry)?.unwrap_or_default();
        let of = match entry.attr_value(gimli::DW_AT_type)?.and_then(|reference| self.find(at, &reference)) {
            Some((at, offset)) => self.whole(at, offset, 0)?,
            None => Of::default(),
        };
        Ok(Value { name, of })
    }

    /// A type, with all that is in it.
    fn whole(&self, at: usize, offset: UnitOffset, depth: usize) -> Result<Of> {
        ensure!(self.start.elapsed() < LIMIT, "it takes longer than {} s", LIMIT.as_secs());
        let unit = self.units.get(at).context("a unit")?;
        if depth > MAX_DEPTH {
            return Ok(Of::default());
        }
        let entry = unit.entry(offset)?;
        let own = self.name(at, &entry)?;
        let number = |name| Ok::<_, gimli::Error>(entry.attr_value(name)?.and_then(|value| value.udata_value()));
        let size = number(gimli::DW_AT_byte_size)?.unwrap_or_default();
        let inner = entry.attr_value(gimli::DW_AT_type)?.and_then(|reference| self.find(at, &reference));
        let below = || match inner {
            Some((at, offset)) => self.whole(at, offset, depth + 1),
            None => Ok(Of { name: "void".to_owned(), ..Of::default() }),
        };
        let named = |word: &str| own.as_ref().map_or_else(|| format!("{word} {{…}}"), |own| format!("{word} {own}"));
        let is_time = own.as_deref().is_some_and(|own| TIMES.contains(&own.trim_start_matches('_')));
        Ok(match entry.tag() {
            tag @ (gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type
            | gimli::DW_TAG_ptr_to_member_type) => {
                let (to, known) = match inner {
                    Some((at, offset)) => self.pointed(at, offset, depth + 1)?,
                    None => ("void".to_owned(), false),
                };
                let size = if size > 0 { size } else { u64::from(unit.encoding().address_size) };
                let mark = if tag == gimli::DW_TAG_pointer_type { '*' } else { '&' };
                let space = if to.ends_with('*') { "" } else { " " };
                let place = inner.and_then(|(at, offset)| self.place(at, offset));
                Of { name: format!("{to}{space}{mark}"), size, is_time: false, shape: Shape::Pointer(known), to: place }
            }
            gimli::DW_TAG_typedef => {
                let of = below()?;
                Of { name: own.unwrap_or_default(), is_time: is_time || of.is_time, ..of }
            }
            gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type | gimli::DW_TAG_atomic_type | gimli::DW_TAG_restrict_type => {
                below()?
            }
            gimli::DW_TAG_array_type => {
                let mut of = below()?;
                for count in self.dimensions(unit, offset)?.into_iter().rev() {
                    let name = match count {
                        Some(count) => format!("{}[{count}]", of.name),
                        None => format!("{}[]", of.name),
                    };
                    let size = of.size.saturating_mul(count.unwrap_or_default());
                    of = Of { name, size, shape: Shape::Array(Box::new(of), count), ..Of::default() };
                }
                of
            }
            tag @ (gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type) => {
                let is_union = tag == gimli::DW_TAG_union_type;
                let word = if is_union { "union" } else { "struct" };
                let record = Record { is_union, members: self.members(at, offset, depth)?, hidden: None };
                Of { name: named(word), size, is_time, shape: Shape::Record(Box::new(record)), to: None }
            }
            gimli::DW_TAG_enumeration_type => Of { name: named("enum"), size, ..Of::default() },
            _ => {
                let floating = matches!(
                    entry.attr_value(gimli::DW_AT_encoding)?,
                    Some(AttributeValue::Encoding(gimli::DW_ATE_float | gimli::DW_ATE_complex_float))
                );
                let shape = if floating { Shape::Floating } else { Shape::Scalar };
                Of { name: own.unwrap_or_default(), size, shape, ..Of::default() }
            }
        })
    }

    /// What a pointer leads to: its name, and whether it is known what that is.
    fn pointed(&self, at: usize, offset: UnitOffset, depth: usize) -> Result<(String, bool)> {
        let Some(unit) = self.units.get(at).filter(|_| depth <= MAX_DEPTH) else { return Ok((String::new(), false)) };
        let entry = unit.entry(offset)?;
        let own = self.name(at, &entry)?;
        let inner = entry.attr_value(gimli::DW_AT_type)?.and_then(|reference| self.find(at, &reference));
        let below = || inner.map_or_else(|| Ok(("void".to_owned(), false)), |(at, offset)| self.pointed(at, offset, depth + 1));
        let named = |word: &str| own.as_ref().map_or_else(|| word.to_owned(), |own| format!("{word} {own}"));
        let known = entry.attr(gimli::DW_AT_declaration)?.is_none();
        Ok(match entry.tag() {
            gimli::DW_TAG_const_type => (format!("const {}", below()?.0), below()?.1),
            gimli::DW_TAG_volatile_type | gimli::DW_TAG_atomic_type | gimli::DW_TAG_restrict_type => below()?,
            gimli::DW_TAG_typedef => (own.unwrap_or_default(), below()?.1),
            gimli::DW_TAG_pointer_type => (format!("{} *", below()?.0), true),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => (named("struct"), known),
            gimli::DW_TAG_union_type => (named("union"), known),
            gimli::DW_TAG_enumeration_type => (named("enum"), true),
            gimli::DW_TAG_subroutine_type => ("function".to_owned(), true),
            _ => (own.unwrap_or_default(), true),
        })
    }

    fn members(&self, at: usize, offset: UnitOffset, depth: usize) -> Result<Vec<Member>> {
        let unit = self.units.get(at).context("a unit")?;
        let mut tree = unit.entries_tree(Some(offset))?;
        let mut children = tree.root()?.children();
        let mut members = Vec::new();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            let is_member = matches!(entry.tag(), gimli::DW_TAG_member | gimli::DW_TAG_inheritance);
            if !is_member || entry.attr(gimli::DW_AT_external)?.is_some() || members.len() >= MAX_MEMBERS {
                continue;
            }
            let number = |name| Ok::<_, gimli::Error>(entry.attr_value(name)?.and_then(|value| value.udata_value()));
            let of = match entry.attr_value(gimli::DW_AT_type)?.and_then(|reference| self.find(at, &reference)) {
                Some((at, offset)) => self.whole(at, offset, depth + 1)?,
                None => Of::default(),
            };
            let bits = number(gimli::DW_AT_bit_size)?;
            let bytes = match entry.attr_value(gimli::DW_AT_data_member_location)? {
                // Until DWARF 3 it is computed from the address of the structure.
                Some(AttributeValue::Exprloc(expression)) => match expression.operations(unit.encoding()).next()? {
                    Some(gimli::Operation::PlusConstant { value }) => value,
                    _ => 0,
                },
                Some(location) => location.udata_value().unwrap_or_default(),
                None => 0,
            };
            let bytes = bytes.saturating_mul(8);
            let offset = match (number(gimli::DW_AT_data_bit_offset)?, number(gimli::DW_AT_bit_offset)?, bits) {
                (Some(offset), _, _) => offset,
                // Until DWARF 3 they are counted from the most significant bit of what holds them.
                (None, Some(from_top), Some(bits)) => {
                    (bytes + of.size.saturating_mul(8)).saturating_sub(from_top.saturating_add(bits))
                }
                _ => bytes,
            };
            let name = match self.name(at, entry)? {
                Some(name) => name,
                None if entry.tag() == gimli::DW_TAG_inheritance => of.name.clone(),
                None => String::new(),
            };
            members.push(Member { name, offset, bits, of });
        }
        Ok(members)
    }

    /// Where a reference leads: the unit and the place in it.
    fn find(&self, at: usize, reference: &AttributeValue<Slice<'data>>) -> Option<(usize, UnitOffset)> {
        match reference {
            AttributeValue::UnitRef(offset) => Some((at, *offset)),
            AttributeValue::DebugInfoRef(offset) => {
                let start = |unit: &gimli::Unit<Slice<'data>>| match unit.header.offset() {
                    UnitSectionOffset::DebugInfoOffset(DebugInfoOffset(start)) => start,
                    UnitSectionOffset::DebugTypesOffset(_) => usize::MAX,
                };
                let at = self.units.partition_point(|unit| start(unit) <= offset.0).checked_sub(1)?;
                Some((at, offset.to_unit_offset(&self.units.get(at)?.header)?))
            }
            _ => None,
        }
    }
}

/// Adds what pointers in a type lead to, and says how many types it has.
fn pointers(of: &Of, into: &mut Vec<usize>) -> usize {
    into.extend(of.to);
    match &of.shape {
        Shape::Array(element, _) => 1 + pointers(element, into),
        Shape::Record(record) => 1 + record.members.iter().map(|member| pointers(&member.of, into)).sum::<usize>(),
        _ => 1,
    }
}

/// The same of all that a function takes and returns.
fn pointers_of(signature: &Signature, into: &mut Vec<usize>) -> usize {
    signature.parameters.iter().chain(&signature.result).map(|value| pointers(&value.of, into)).sum()
}

/// The file with the debugging information of a program: itself, or where debuggers look for it, by its build-id or its name.
#[must_use]
pub fn debug_file(path: &Path, object: &object::File<'_>, roots: &[std::path::PathBuf]) -> Option<std::path::PathBuf> {
    let mut candidates = Vec::new();
    if let Ok(Some([first, rest @ ..])) = object.build_id() {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let name = format!(".build-id/{}/{}.debug", hex(&[*first]), hex(rest));
        candidates.extend(roots.iter().map(|root| root.join(&name)));
    }
    if let Ok(Some((name, _))) = object.gnu_debuglink() {
        let name = String::from_utf8_lossy(name).into_owned();
        let directory = path.parent().unwrap_or(Path::new("."));
        // It is a name, and leads nowhere else.
        if !name.contains('/') && name != ".." {
            candidates.push(directory.join(&name));
            candidates.push(directory.join(".debug").join(&name));
            let absolute = std::fs::canonicalize(directory).unwrap_or_default();
            let relative = absolute.strip_prefix("/").unwrap_or(&absolute).to_owned();
            candidates.extend(roots.iter().map(|root| root.join(&relative).join(&name)));
        }
    }
    let own = std::fs::canonicalize(path).ok();
    candidates.into_iter().find(|candidate| candidate.is_file() && std::fs::canonicalize(candidate).ok() != own)
}

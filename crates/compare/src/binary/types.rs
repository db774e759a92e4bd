//! Structures of a program, from its debugging information: how large each is, and which members make it grow.

use anyhow::{Context, Result, bail, ensure};
use gimli::{AttributeValue, DebugInfoOffset, EndianSlice, RunTimeEndian, Section as _, UnitOffset, UnitSectionOffset};
use object::{CompressionFormat, Object, ObjectSection};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
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

/// A structure, class or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    /// With its namespaces.
    pub(super) name: String,
    pub(super) union: bool,
    pub(super) size: u64,
    pub(super) members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Member {
    pub(super) name: String,
    /// What it is: `pointer`, a name of a type.
    pub(super) of: String,
    pub(super) size: u64,
}

/// A structure that both programs have, and that does not have the same size.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// Its name, with its namespaces.
    pub name: String,
    /// Bytes.
    pub size: super::Both,
    /// What makes it grow, in the order of the members.
    pub members: Vec<MemberGrowth>,
    /// Bytes of what lies between and behind members, for their alignment; not of unions.
    pub padding: Option<super::Both>,
}

/// A member that does not have the same size.
#[derive(Clone, Debug, Serialize)]
pub struct MemberGrowth {
    /// Its name; empty where it has none.
    pub name: String,
    /// What it is in the program of 64 bits.
    pub of: String,
    /// Bytes.
    pub size: super::Both,
}

/// The structures of both programs.
#[derive(Clone, Debug, Serialize)]
pub struct Types {
    /// Those whose sizes differ, those first that grow most.
    pub grown: Vec<Growth>,
    /// How many have the same size in both.
    pub same: usize,
    /// How many only one of them has, or the two differently.
    pub unpaired: usize,
}

pub(super) fn compare(narrow: Vec<Type>, wide: Vec<Type>) -> Types {
    // Two types of one name in different C files are told apart by their members.
    let key = |one: &Type| (one.name.clone(), one.members.iter().map(|member| member.name.clone()).collect::<Vec<_>>());
    let mut others: BTreeMap<_, Vec<Type>> = BTreeMap::new();
    let mut unpaired = narrow.len();
    narrow.into_iter().for_each(|one| others.entry(key(&one)).or_default().push(one));
    let (mut grown, mut same) = (Vec::new(), 0);
    for wide in wide {
        let Some(narrow) = others.get_mut(&key(&wide)).filter(|all| !all.is_empty()).map(|all| all.remove(0)) else {
            unpaired += 1;
            continue;
        };
        unpaired -= 1;
        if narrow.size == wide.size {
            same += 1;
        } else {
            grown.push(growth(&narrow, &wide));
        }
    }
    grown.sort_by_key(|one| (std::cmp::Reverse(one.size.wide.saturating_sub(one.size.narrow)), one.name.clone()));
    Types { grown, same, unpaired }
}

fn growth(narrow: &Type, wide: &Type) -> Growth {
    let pairs = narrow.members.iter().zip(&wide.members);
    let members = pairs.filter(|(one, two)| one.size != two.size).map(|(one, two)| MemberGrowth {
        name: two.name.clone(),
        of: two.of.clone(),
        size: super::Both { narrow: one.size, wide: two.size },
    });
    // Bit fields, which share their bytes, are in it; bases of C++ may lie in each other's padding.
    let padding = |own: &Type| own.size.saturating_sub(own.members.iter().map(|member| member.size).fold(0, u64::saturating_add));
    Growth {
        name: wide.name.clone(),
        size: super::Both { narrow: narrow.size, wide: wide.size },
        members: members.collect(),
        padding: (!wide.union).then(|| super::Both { narrow: padding(narrow), wide: padding(wide) }),
    }
}

type Slice<'data> = EndianSlice<'data, RunTimeEndian>;

/// The structures of a program's own: what system headers define is not.
pub(super) fn of(object: &object::File<'_>) -> Result<Vec<Type>> {
    let endian = if object.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let sections = gimli::DwarfSections::load(|id| -> Result<Cow<'_, [u8]>> {
        object.section_by_name(id.name()).map_or(Ok(Cow::Borrowed(&[][..])), |section| contents(&section))
    })?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let units = units(&dwarf)?;
    let reader = Reader { dwarf: &dwarf, units: &units, start: Instant::now() };
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for at in 0..units.len() {
        reader.unit(at, &mut found, &mut known)?;
    }
    Ok(found)
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

/// A section, unpacked.
fn contents<'data>(section: &object::Section<'data, '_>) -> Result<Cow<'data, [u8]>> {
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
    fn unit(&self, at: usize, found: &mut Vec<Type>, known: &mut HashSet<(String, u64, u64)>) -> Result<()> {
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
                    parent.members.push(Member { name, of, size: if bits { 0 } else { size } });
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
                found.push(Type { name, union: tag == gimli::DW_TAG_union_type, size, members: Vec::new() });
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

    /// Elements of an array, in all of its dimensions.
    fn elements(&self, unit: &gimli::Unit<Slice<'data>>, offset: UnitOffset) -> Result<u64> {
        let mut tree = unit.entries_tree(Some(offset))?;
        let mut children = tree.root()?.children();
        let mut count = 1u64;
        for _ in 0..MAX_DIMENSIONS {
            let Some(child) = children.next()? else { break };
            let entry = child.entry();
            if entry.tag() == gimli::DW_TAG_subrange_type {
                let value = |at| Ok::<_, gimli::Error>(entry.attr_value(at)?.and_then(|value| value.udata_value()));
                // One without an end has no elements of its own.
                let own = match (value(gimli::DW_AT_count)?, value(gimli::DW_AT_upper_bound)?) {
                    (Some(count), _) => count,
                    (None, Some(last)) => last.wrapping_add(1),
                    (None, None) => 0,
                };
                count = count.saturating_mul(own);
            }
        }
        Ok(count)
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

/// The file with the debugging information of a program: itself, or where debuggers look for it, by its build-id or its name.
pub(super) fn debug_file(path: &Path, object: &object::File<'_>, roots: &[std::path::PathBuf]) -> Option<std::path::PathBuf> {
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

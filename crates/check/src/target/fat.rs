//! A FAT file system (Microsoft's specification "FAT: General Overview of On-Disk Format"): what boards boot from. There are no
//! programs in it, but often the kernel.

use super::intake::{Intake, normal};
use super::little::{half, word};
use crate::root::Entry;
use elf::Source;
use std::cell::RefCell;
use std::collections::HashSet;
use std::io;

/// Bytes of an entry of a directory.
const ENTRY: usize = 32;
/// Bytes of a directory: the specification has no larger ones.
const MAX_DIRECTORY: u64 = 2 << 20;
/// `ATTR_VOLUME_ID`, `ATTR_DIRECTORY`, and both together with others: a part of a long name.
const VOLUME: u8 = 0x08;
const DIRECTORY: u8 = 0x10;
const LONG: u8 = 0x0f;

/// Whether this is the beginning of such a file system.
pub(super) fn is_fat(start: &[u8]) -> bool {
    let named = |at: usize| start.get(at..).is_some_and(|rest| rest.starts_with(b"FAT"));
    matches!(start.first(), Some(0xeb | 0xe9)) && start.get(510..512) == Some(b"\x55\xaa") && (named(54) || named(82))
}

/// Bits of an entry of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Fat12,
    Fat16,
    Fat32,
}

/// A file system. Places are in bytes.
struct Volume<'a> {
    source: &'a dyn Source,
    width: Width,
    table: u64,
    data: u64,
    /// Of a cluster, in bytes.
    size: u64,
    clusters: u32,
}

impl Volume<'_> {
    /// The cluster behind `cluster`, or nothing at the end of the chain.
    fn next(&self, cluster: u32) -> io::Result<Option<u32>> {
        let at = u64::from(cluster);
        let mut field = [0; 4];
        let (at, length) = match self.width {
            Width::Fat12 => (at + at / 2, 2),
            Width::Fat16 => (at * 2, 2),
            Width::Fat32 => (at * 4, 4),
        };
        self.source.read_at(self.table + at, field.get_mut(..length).unwrap_or_default())?;
        let value = word(&field, 0);
        let next = match self.width {
            Width::Fat12 if cluster % 2 == 1 => value >> 4,
            Width::Fat12 => value & 0xfff,
            Width::Fat16 => value,
            Width::Fat32 => value & 0x0fff_ffff,
        };
        Ok(self.is_cluster(next).then_some(next))
    }

    fn is_cluster(&self, cluster: u32) -> bool {
        cluster >= 2 && cluster - 2 < self.clusters
    }
}

/// A file, or a directory, to be read.
struct Contents<'a> {
    volume: &'a Volume<'a>,
    size: u64,
    /// Its clusters, as far as they have been looked for.
    chain: RefCell<Vec<u32>>,
}

impl<'a> Contents<'a> {
    fn new(volume: &'a Volume<'a>, first: u32, size: u64) -> Self {
        let first = Some(first).filter(|first| volume.is_cluster(*first));
        Self { volume, size, chain: RefCell::new(first.into_iter().collect()) }
    }
}

impl Source for Contents<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
        offset.checked_add(buffer.len() as u64).filter(|end| *end <= self.size).ok_or_else(short)?;
        let chain = &mut *self.chain.borrow_mut();
        let size = self.volume.size;
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            let index = usize::try_from(at / size).map_err(io::Error::other)?;
            while chain.len() <= index {
                let last = chain.last().ok_or_else(short)?;
                chain.push(self.volume.next(*last)?.ok_or_else(short)?);
            }
            let length = usize::try_from(size - at % size).unwrap_or(usize::MAX).min(rest.len());
            let cluster = u64::from(chain.get(index).map_or(0, |cluster| cluster - 2));
            self.volume
                .source
                .read_at(self.volume.data + cluster * size + at % size, rest.get_mut(..length).unwrap_or_default())?;
            done += length;
        }
        Ok(())
    }
}

/// Reads the file system.
///
/// # Errors
/// What is wrong with its first sector.
pub(super) fn read(source: &dyn Source, intake: &mut Intake) -> Result<(), String> {
    let mut header = [0; 512];
    source.read_at(0, &mut header).map_err(|_| "it is cut off in its first sector")?;
    let sector = u64::from(half(&header, 11));
    let size = sector * u64::from(header[13]);
    let sectors = |narrow: usize, wide: usize| match half(&header, narrow) {
        0 => u64::from(word(&header, wide)),
        count => u64::from(count),
    };
    let table = sector * u64::from(half(&header, 14));
    let root = table + sector * u64::from(header[16]) * sectors(22, 36);
    let root_size = (u64::from(half(&header, 17)) * ENTRY as u64).next_multiple_of(sector.max(1));
    let data = root + root_size;
    let clusters = (sector * sectors(19, 32)).saturating_sub(data).checked_div(size);
    let clusters = clusters.and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0 && *count < 0x0fff_fff5);
    let clusters = clusters.ok_or("it is damaged: its first sector says what none does")?;
    let width = match clusters {
        0..4085 => Width::Fat12,
        4085..65525 => Width::Fat16,
        _ => Width::Fat32,
    };
    let volume = Volume { source, width, table, data, size, clusters };
    let mut seen = HashSet::new();
    let mut todo = Vec::new();
    if width == Width::Fat32 {
        todo.push((Vec::new(), word(&header, 44)));
    } else {
        let mut entries = vec![0; usize::try_from(root_size).unwrap_or_default()];
        source.read_at(root, &mut entries).map_err(|_| "it is cut off in its root directory")?;
        list(&volume, &[], &entries, intake, &mut todo);
    }
    while let Some((directory, cluster)) = todo.pop() {
        if intake.is_full() {
            break;
        }
        if !seen.insert(cluster) {
            intake.failed(directory, "it is damaged: a directory is in two places".to_owned());
            continue;
        }
        let contents = Contents::new(&volume, cluster, MAX_DIRECTORY);
        let mut entries = Vec::new();
        let mut piece = vec![0; usize::try_from(size).unwrap_or_default()];
        while contents.read_at(entries.len() as u64, &mut piece).is_ok() {
            entries.extend_from_slice(&piece);
        }
        list(&volume, &directory, &entries, intake, &mut todo);
    }
    Ok(())
}

/// Reads the entries of a directory.
fn list(volume: &Volume<'_>, directory: &[u8], entries: &[u8], intake: &mut Intake, todo: &mut Vec<(Vec<u8>, u32)>) {
    let mut long: Vec<u16> = Vec::new();
    for entry in entries.chunks_exact(ENTRY) {
        let attributes = entry[11];
        match entry[0] {
            0 => break,
            0xe5 => long.clear(),
            _ if attributes & 0x3f == LONG => {
                // The parts of a long name come last first, 13 units of UTF-16 each.
                let fields = [1..11, 14..26, 28..32].map(|range| entry.get(range).unwrap_or_default());
                let mut part: Vec<u16> =
                    fields.iter().flat_map(|field| field.chunks_exact(2)).map(|unit| half(unit, 0)).collect();
                part.append(&mut long);
                long = part;
                long.truncate(260);
            }
            _ if attributes & VOLUME != 0 => long.clear(),
            _ => {
                let name = if long.is_empty() { short(entry) } else { name(&long) };
                long.clear();
                let Some(path) = normal(&[directory, &name].join(&b'/')).filter(|_| !matches!(name.as_slice(), b"." | b".."))
                else {
                    continue;
                };
                let cluster =
                    if volume.width == Width::Fat32 { u32::from(half(entry, 20)) << 16 } else { 0 } | u32::from(half(entry, 26));
                if attributes & DIRECTORY != 0 {
                    todo.push((path.clone(), cluster));
                    intake.add(path, Entry::Directory);
                } else {
                    intake.file(path, &Contents::new(volume, cluster, u64::from(word(entry, 28))));
                }
            }
        }
    }
}

fn name(units: &[u16]) -> Vec<u8> {
    let units = units.split(|unit| *unit == 0).next().unwrap_or_default();
    String::from_utf16_lossy(units).into_bytes()
}

/// A name of eight characters and three, in the case that Windows NT notes in byte 12.
fn short(entry: &[u8]) -> Vec<u8> {
    let part = |range: std::ops::Range<usize>, lower: u8| {
        let part = entry.get(range).unwrap_or_default().trim_ascii_end();
        if entry[12] & lower != 0 { part.to_ascii_lowercase() } else { part.to_vec() }
    };
    let (base, extension) = (part(0..8, 0x08), part(8..11, 0x10));
    if extension.is_empty() { base } else { [base, extension].join(&b'.') }
}

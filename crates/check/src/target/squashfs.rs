//! A root file system as a squashfs image, version 4 (Documentation/filesystems/squashfs.rst), in any of its compressions. Only
//! what is looked at is unpacked: the tables of inodes and directories, and of each file the blocks that are read.
//!
//! The crate backhand reads squashfs as well. It keeps every fragment that it has unpacked, follows directories that contain
//! each other to the end of the stack, and slices by numbers from the image; here an image is foreign.

use super::intake::{Intake, normal};
use crate::Progress;
use crate::root::Entry;
use elf::Source;
use elf::compression::{Compression, block};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::rc::Rc;

/// The superblock.
const HEADER: usize = 96;
/// A block of the tables, unpacked.
const TABLE_BLOCK: usize = 8 << 10;
/// The largest block of a file: `SQUASHFS_FILE_MAX_SIZE` of the kernel.
const MAX_BLOCK: u32 = 1 << 20;
/// Blocks of tables that are kept unpacked, and blocks of files.
const KEPT_TABLE: usize = 512;
const KEPT_DATA: usize = 16;
/// The most that is unpacked of an image: blocks may overlap, and small ones be unpacked to large ones for each of a million files.
const MAX_UNPACKED: u64 = 16 << 30;
/// Entries of one directory.
const MAX_DIRECTORY: usize = 1 << 20;
/// Blocks of one file: 512 GiB in blocks of 128 KiB.
const MAX_BLOCKS: usize = 4 << 20;
/// Fragments have this number where there is none.
const NO_FRAGMENT: u32 = u32::MAX;
/// Set in the size of a block of a file, and of a table, that is stored as it is.
const DATA_AS_IT_IS: u32 = 1 << 24;
const TABLE_AS_IT_IS: u16 = 1 << 15;

/// Whether this is the beginning of such an image.
pub(super) fn is_squashfs(start: &[u8]) -> bool {
    start.starts_with(b"hsqs")
}

fn damaged(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The little-endian number of `N` bytes at `at`.
fn number<const N: usize>(bytes: &[u8], at: usize) -> io::Result<u64> {
    let field = at.checked_add(N).and_then(|end| bytes.get(at..end)).ok_or_else(|| damaged("a table ends too early"))?;
    Ok(field.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

fn half(bytes: &[u8], at: usize) -> io::Result<u16> {
    number::<2>(bytes, at).map(|number| u16::try_from(number).unwrap_or_default())
}

fn word(bytes: &[u8], at: usize) -> io::Result<u32> {
    number::<4>(bytes, at).map(|number| u32::try_from(number).unwrap_or_default())
}

/// Unpacked blocks, by where they are; those that came first go first.
struct Kept {
    most: usize,
    blocks: HashMap<u64, (Rc<Vec<u8>>, u64)>,
    order: VecDeque<u64>,
}

impl Kept {
    fn new(most: usize) -> Self {
        Self { most, blocks: HashMap::new(), order: VecDeque::new() }
    }

    fn put(&mut self, at: u64, block: Rc<Vec<u8>>, end: u64) {
        if self.order.len() >= self.most {
            if let Some(first) = self.order.pop_front() {
                self.blocks.remove(&first);
            }
        }
        self.order.push_back(at);
        self.blocks.insert(at, (block, end));
    }
}

/// An image.
struct Image<'a> {
    source: &'a dyn Source,
    compression: Compression,
    block_size: u32,
    inodes: u64,
    directories: u64,
    fragments: u64,
    fragment_count: u32,
    tables: RefCell<Kept>,
    data: RefCell<Kept>,
    unpacked: Cell<u64>,
}

/// A place in a table: where its block is in the image, and how far into what that unpacks to.
#[derive(Clone, Copy)]
struct Place {
    block: u64,
    offset: usize,
}

/// What an inode is.
enum Inode {
    Directory { place: Place, size: u32 },
    File(File),
    Link(Vec<u8>),
    Special,
}

/// A regular file.
struct File {
    start: u64,
    size: u64,
    fragment: u32,
    offset: u32,
    links: u32,
    /// Where the sizes of its blocks are.
    sizes: Place,
}

impl Image<'_> {
    fn read(&self, at: u64, size: usize) -> io::Result<Vec<u8>> {
        let end = at.checked_add(size as u64).filter(|end| *end <= self.source.size());
        end.ok_or_else(|| damaged("a block lies beyond the end of the image"))?;
        let mut bytes = vec![0; size];
        self.source.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    /// What is stored unpacks to, unless it is stored `as_it_is`.
    fn unpack(&self, stored: Vec<u8>, as_it_is: bool, limit: usize) -> io::Result<Vec<u8>> {
        // An attempt has a price even if nothing comes of it.
        let unpacked = self.unpacked.get().saturating_add(limit as u64);
        if unpacked > MAX_UNPACKED {
            return Err(io::Error::other(format!("more than {} GiB of it would have to be unpacked", MAX_UNPACKED >> 30)));
        }
        self.unpacked.set(unpacked);
        if as_it_is { Ok(stored) } else { block(&stored, self.compression, limit) }
    }

    /// The block of a table at `at`, unpacked, and where the next one is.
    fn table(&self, at: u64) -> io::Result<(Rc<Vec<u8>>, u64)> {
        if let Some(kept) = self.tables.borrow().blocks.get(&at) {
            return Ok(kept.clone());
        }
        let header = half(&self.read(at, 2)?, 0)?;
        let size = usize::from(header & !TABLE_AS_IT_IS);
        let stored = self.read(at.saturating_add(2), size)?;
        let block = self.unpack(stored, header & TABLE_AS_IT_IS != 0, TABLE_BLOCK)?;
        if block.is_empty() || block.len() > TABLE_BLOCK {
            return Err(damaged("a block of a table has a size that none has"));
        }
        let (block, end) = (Rc::new(block), at.saturating_add(2).saturating_add(size as u64));
        self.tables.borrow_mut().put(at, Rc::clone(&block), end);
        Ok((block, end))
    }

    /// The next `size` bytes of a table.
    fn take(&self, place: &mut Place, size: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while bytes.len() < size {
            let (block, end) = self.table(place.block)?;
            let rest = block.get(place.offset..).ok_or_else(|| damaged("a place in a table lies beyond its block"))?;
            let part = rest.get(..size - bytes.len()).unwrap_or(rest);
            bytes.extend_from_slice(part);
            place.offset += part.len();
            if place.offset >= block.len() {
                *place = Place { block: end, offset: 0 };
            }
        }
        Ok(bytes)
    }

    fn inode(&self, place: Place) -> io::Result<Inode> {
        let place = &mut Place { block: self.inodes.saturating_add(place.block), offset: place.offset };
        let kind = half(&self.take(place, 16)?, 0)?;
        let directory = |block: u32, offset: u16, size| Inode::Directory {
            place: Place { block: self.directories.saturating_add(u64::from(block)), offset: usize::from(offset) },
            size,
        };
        Ok(match kind {
            1 => {
                let fields = self.take(place, 16)?;
                directory(word(&fields, 0)?, half(&fields, 10)?, u32::from(half(&fields, 8)?))
            }
            8 => {
                let fields = self.take(place, 24)?;
                directory(word(&fields, 8)?, half(&fields, 18)?, word(&fields, 4)?)
            }
            2 => {
                let fields = self.take(place, 16)?;
                let [start, fragment, offset, size] =
                    [word(&fields, 0)?, word(&fields, 4)?, word(&fields, 8)?, word(&fields, 12)?];
                Inode::File(File { start: u64::from(start), size: u64::from(size), fragment, offset, links: 1, sizes: *place })
            }
            9 => {
                let fields = self.take(place, 40)?;
                let [links, fragment, offset] = [word(&fields, 24)?, word(&fields, 28)?, word(&fields, 32)?];
                Inode::File(File {
                    start: number::<8>(&fields, 0)?,
                    size: number::<8>(&fields, 8)?,
                    fragment,
                    offset,
                    links,
                    sizes: *place,
                })
            }
            3 | 10 => {
                let size = word(&self.take(place, 8)?, 4)?;
                let size = usize::try_from(size).ok().filter(|size| *size <= super::intake::MAX_PATH);
                Inode::Link(self.take(place, size.ok_or_else(|| damaged("a link is longer than any path"))?)?)
            }
            4..=7 | 11..=14 => Inode::Special,
            _ => return Err(damaged("an inode is of no known type")),
        })
    }

    /// The entries of a directory: name and inode.
    fn list(&self, mut place: Place, size: u32) -> io::Result<Vec<(Vec<u8>, Place)>> {
        let mut found = Vec::new();
        // An empty directory has a size of 3, for its two entries that are not stored.
        let mut left = usize::try_from(size).unwrap_or_default().saturating_sub(3);
        let mut take = |count: usize| {
            left = left.checked_sub(count).ok_or_else(|| damaged("a directory ends too early"))?;
            Ok::<_, io::Error>((self.take(&mut place, count)?, left))
        };
        if size <= 3 {
            return Ok(found);
        }
        loop {
            let (header, _) = take(12)?;
            let (count, block) = (word(&header, 0)?, u64::from(word(&header, 4)?));
            // SQUASHFS_DIR_COUNT
            if count >= 256 || found.len() > MAX_DIRECTORY {
                return Err(damaged("a directory has more entries than it may"));
            }
            let mut rest = 0;
            for _ in 0..=count {
                let (entry, _) = take(8)?;
                let (name, left) = take(usize::from(half(&entry, 6)?) + 1)?;
                found.push((name, Place { block, offset: usize::from(half(&entry, 0)?) }));
                rest = left;
            }
            if rest == 0 {
                return Ok(found);
            }
        }
    }

    /// The block of a file at `at`, unpacked.
    fn data(&self, at: u64, size: u32) -> io::Result<Rc<Vec<u8>>> {
        if let Some((block, _)) = self.data.borrow().blocks.get(&at) {
            return Ok(Rc::clone(block));
        }
        let stored = size & !DATA_AS_IT_IS;
        if stored > self.block_size {
            return Err(damaged("a block of a file is larger than any"));
        }
        let stored = self.read(at, usize::try_from(stored).unwrap_or_default())?;
        let limit = usize::try_from(self.block_size).unwrap_or_default();
        let block = Rc::new(self.unpack(stored, size & DATA_AS_IT_IS != 0, limit)?);
        self.data.borrow_mut().put(at, Rc::clone(&block), 0);
        Ok(block)
    }

    /// Where a fragment is, and its size.
    fn fragment(&self, index: u32) -> io::Result<(u64, u32)> {
        if index >= self.fragment_count {
            return Err(damaged("a file has a fragment that there is not"));
        }
        let at =
            self.fragments.checked_add(u64::from(index / 512) * 8).ok_or_else(|| damaged("there is no table of fragments"))?;
        let block = number::<8>(&self.read(at, 8)?, 0)?;
        let place = &mut Place { block, offset: usize::try_from(index % 512).unwrap_or_default() * 16 };
        let entry = self.take(place, 16)?;
        Ok((number::<8>(&entry, 0)?, word(&entry, 8)?))
    }
}

/// A file of an image, to be read.
struct Contents<'a> {
    image: &'a Image<'a>,
    file: File,
    /// Of the blocks that have been looked for, where each is and its size; and where the sizes of the next ones are.
    blocks: RefCell<(Vec<(u64, u32)>, Place)>,
}

impl Contents<'_> {
    /// The block with this index, unpacked; nothing where it is full of zero bytes.
    fn block(&self, index: usize) -> io::Result<Option<Rc<Vec<u8>>>> {
        let size = u64::from(self.image.block_size);
        let whole = if self.file.fragment == NO_FRAGMENT { self.file.size.div_ceil(size) } else { self.file.size / size };
        if index as u64 >= whole {
            let (at, size) = self.image.fragment(self.file.fragment)?;
            return self.image.data(at, size).map(Some);
        }
        if index >= MAX_BLOCKS {
            return Err(damaged("it has more blocks than any file"));
        }
        let (blocks, place) = &mut *self.blocks.borrow_mut();
        while blocks.len() <= index {
            let at = blocks.last().map_or(self.file.start, |(at, size)| at.saturating_add(u64::from(size & !DATA_AS_IT_IS)));
            let size = word(&self.image.take(place, 4)?, 0)?;
            blocks.push((at, size));
        }
        match blocks.get(index) {
            Some((at, size)) if *size != 0 => self.image.data(*at, *size).map(Some),
            _ => Ok(None),
        }
    }
}

impl Source for Contents<'_> {
    fn size(&self) -> u64 {
        self.file.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > self.file.size) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let size = u64::from(self.image.block_size);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            let index = usize::try_from(at / size).map_err(io::Error::other)?;
            let in_fragment = self.file.fragment != NO_FRAGMENT && at / size == self.file.size / size;
            let into = at % size + if in_fragment { u64::from(self.file.offset) } else { 0 };
            let into = usize::try_from(into).map_err(io::Error::other)?;
            let count = usize::try_from(size - at % size).unwrap_or(usize::MAX).min(rest.len());
            let rest = rest.get_mut(..count).unwrap_or_default();
            match self.block(index)? {
                None => rest.fill(0),
                Some(block) => {
                    let part =
                        block.get(into..into.saturating_add(count)).ok_or_else(|| damaged("a block of it is too short"))?;
                    rest.copy_from_slice(part);
                }
            }
            done += count;
        }
        Ok(())
    }
}

/// Reads the image `name`.
///
/// # Errors
/// What is wrong with its superblock or its root directory.
pub(super) fn read(source: &dyn Source, name: &str, intake: &mut Intake, progress: &dyn Progress) -> Result<(), String> {
    let mut header = [0; HEADER];
    source.read_at(0, &mut header).map_err(|_| "it is cut off in its superblock")?;
    let text = |error: io::Error| format!("it is damaged: {error}");
    let compression = match half(&header, 20).map_err(text)? {
        1 => Compression::Gzip,
        2 => Compression::Lzma,
        3 => Compression::Lzo,
        4 => Compression::Xz,
        5 => Compression::Lz4,
        6 => Compression::Zstd,
        _ => return Err("it is damaged: it has an unknown compression".to_owned()),
    };
    let version = half(&header, 28).map_err(text)?;
    if version != 4 {
        return Err(format!("it is a squashfs of version {version}; only version 4, of Linux 2.6.29 and later, is read"));
    }
    let block_size = word(&header, 12).map_err(text)?;
    if block_size == 0 || block_size > MAX_BLOCK {
        return Err("it is damaged: its blocks have a size that none have".to_owned());
    }
    let table = |at: usize| number::<8>(&header, at).map_err(text);
    let image = Image {
        source,
        compression,
        block_size,
        inodes: table(64)?,
        directories: table(72)?,
        fragments: table(80)?,
        fragment_count: word(&header, 16).map_err(text)?,
        tables: RefCell::new(Kept::new(KEPT_TABLE)),
        data: RefCell::new(Kept::new(KEPT_DATA)),
        unpacked: Cell::new(0),
    };
    let place =
        |reference: u64| Place { block: reference >> 16, offset: usize::try_from(reference & 0xffff).unwrap_or_default() };
    let total = u64::from(word(&header, 4).map_err(text)?);
    let root = place(table(32)?);
    let Inode::Directory { place, size } = image.inode(root).map_err(text)? else {
        return Err("it is damaged: its root is no directory".to_owned());
    };
    let mut todo = vec![(Vec::new(), place, size)];
    let mut seen = HashSet::from([(root.block, root.offset)]);
    let mut files: HashMap<(u64, usize), Vec<u8>> = HashMap::new();
    while let Some((directory, place, size)) = todo.pop() {
        let entries = match image.list(place, size) {
            Ok(entries) => entries,
            Err(error) if directory.is_empty() => return Err(text(error)),
            Err(error) => {
                intake.failed(directory, error.to_string());
                continue;
            }
        };
        progress.at(intake.count as u64, Some(total), name);
        for (entry, place) in entries {
            if intake.is_full() {
                return Ok(());
            }
            // A name with a slash in it, and "..", are none.
            let Some(path) = normal(&[directory.as_slice(), &entry].join(&b'/')).filter(|_| !entry.contains(&b'/')) else {
                continue;
            };
            let key = (place.block, place.offset);
            match image.inode(place) {
                Err(error) => intake.failed(path, error.to_string()),
                Ok(Inode::Directory { place, size }) => {
                    if seen.insert(key) {
                        todo.push((path.clone(), place, size));
                    } else {
                        intake.failed(path.clone(), "it is damaged: a directory is in two places".to_owned());
                    }
                    intake.add(path, Entry::Directory);
                }
                Ok(Inode::Link(target)) => intake.add(path, Entry::Link(target)),
                Ok(Inode::Special) => intake.add(path, Entry::Special),
                Ok(Inode::File(file)) => match files.get(&key) {
                    Some(first) => intake.hard_link(path, first),
                    None => {
                        if file.links > 1 {
                            files.insert(key, path.clone());
                        }
                        let blocks = RefCell::new((Vec::new(), file.sizes));
                        intake.file(path, &Contents { image: &image, file, blocks });
                    }
                },
            }
        }
    }
    Ok(())
}

//! A root file system as an image of ext2, ext3 or ext4 (Documentation/filesystems/ext4/).
//!
//! The crate ext4-view reads them as well. It takes a missing indirect block for block 0, so that files with holes, which is
//! what `mke2fs -d` makes, cannot be read of ext2 and ext3; and it opens every file by its path.

use super::intake::{Intake, MAX_PATH};
use super::little::{half, word};
use crate::Progress;
use crate::root::Entry;
use elf::Source;
use std::collections::{HashMap, HashSet};
use std::io;

/// Where the superblock is.
const SUPERBLOCK: u64 = 1024;
/// `EXT4_ROOT_INO`
const ROOT: u32 = 2;
/// The most that is read of directories, in bytes: a million names have 40 MiB.
const MAX_DIRECTORIES: u64 = 1 << 30;
/// Entries of one directory.
const MAX_DIRECTORY: usize = 1 << 20;
/// The depth of a tree of extents: `EXT4_MAX_EXTENT_DEPTH` of the kernel.
const MAX_DEPTH: usize = 5;
/// `EXT4_EXTENTS_FL`, `EXT4_INLINE_DATA_FL`, `EXT4_ENCRYPT_FL`
const EXTENTS: u32 = 0x8_0000;
const INLINE: u32 = 0x1000_0000;
const ENCRYPTED: u32 = 0x800;
/// `EXT4_FEATURE_INCOMPAT_RECOVER`, and `_64BIT`.
const RECOVER: u32 = 0x4;
const WIDE: u32 = 0x80;
/// Features that do not matter for reading, or are done here: file types, recovery, extents, 64 bits, MMP, flexible groups, large
/// attributes, seeds of checksums, large directories, inline data, encryption, case folding.
const KNOWN: u32 = 0x2 | RECOVER | 0x40 | WIDE | 0x100 | 0x200 | 0x400 | 0x2000 | 0x4000 | 0x8000 | 0x1_0000 | 0x2_0000;

/// Whether this is the beginning of such an image.
pub(super) fn is_ext4(start: &[u8]) -> bool {
    start.get(0x438..).is_some_and(|rest| rest.starts_with(b"\x53\xef"))
}

fn damaged(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// An image.
struct Image<'a> {
    source: &'a dyn Source,
    block_size: u64,
    inodes: u32,
    inodes_per_group: u32,
    inode_size: u64,
    /// Where the descriptors of the groups are, and the size of one, in bytes.
    groups: u64,
    group_size: u64,
}

/// An inode, as it is stored.
struct Inode {
    mode: u16,
    links: u16,
    size: u64,
    flags: u32,
    /// `i_block`
    map: [u8; 60],
}

/// Blocks of a file that lie one behind the other: the first of them, or nothing for a hole; and how many there are.
type Run = (Option<u64>, u64);

impl Image<'_> {
    fn bytes<const N: usize>(&self, at: u64) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        let inside = at.checked_add(N as u64).is_some_and(|end| end <= self.source.size());
        inside.then_some(()).ok_or_else(|| damaged("something in it lies beyond its end"))?;
        self.source.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    fn inode(&self, number: u32) -> io::Result<Inode> {
        let index = number.checked_sub(1).filter(|_| number <= self.inodes).ok_or_else(|| damaged("there is no such inode"))?;
        let (group, index) = (index / self.inodes_per_group, index % self.inodes_per_group);
        let descriptor = self.groups + u64::from(group) * self.group_size;
        let low = word(&self.bytes::<4>(descriptor + 8)?, 0);
        let high = if self.group_size >= 64 { word(&self.bytes::<4>(descriptor + 0x28)?, 0) } else { 0 };
        let table = (u64::from(high) << 32 | u64::from(low)).checked_mul(self.block_size);
        let at = table.and_then(|table| table.checked_add(u64::from(index) * self.inode_size));
        let bytes: [u8; 128] = self.bytes(at.ok_or_else(|| damaged("a table of inodes lies beyond its end"))?)?;
        let mut map = [0; 60];
        map.copy_from_slice(&bytes[0x28..0x64]);
        Ok(Inode {
            mode: half(&bytes, 0),
            links: half(&bytes, 0x1a),
            size: u64::from(word(&bytes, 0x6c)) << 32 | u64::from(word(&bytes, 4)),
            flags: word(&bytes, 0x20),
            map,
        })
    }

    /// Where the block `index` of a file is.
    fn run(&self, inode: &Inode, index: u64) -> io::Result<Run> {
        if inode.flags & EXTENTS != 0 { self.in_extents(inode, index) } else { self.in_map(inode, index) }
    }

    fn in_extents(&self, inode: &Inode, index: u64) -> io::Result<Run> {
        let mut node = inode.map.to_vec();
        for _ in 0..=MAX_DEPTH {
            if half(&node, 0) != 0xf30a {
                return Err(damaged("a tree of extents is damaged"));
            }
            let (count, depth) = (usize::from(half(&node, 2)), half(&node, 6));
            let entries = node.get(12..).unwrap_or_default().chunks_exact(12).take(count);
            let mut next = None;
            let mut found = None;
            for entry in entries {
                let first = u64::from(word(entry, 0));
                if first > index {
                    next = Some(first);
                    break;
                }
                found = Some((first, entry));
            }
            let hole = (None, next.map_or(u64::MAX, |next| next - index));
            let Some((first, entry)) = found else { return Ok(hole) };
            if depth == 0 {
                // A length above 32768 is of blocks that were not written: they are read as zero bytes.
                let length = u64::from(half(entry, 4));
                let (length, written) = if length > 32768 { (length - 32768, false) } else { (length, true) };
                let into = index - first;
                let start = u64::from(half(entry, 6)) << 32 | u64::from(word(entry, 8));
                return Ok(if into >= length { hole } else { (written.then_some(start + into), length - into) });
            }
            let block = u64::from(half(entry, 8)) << 32 | u64::from(word(entry, 4));
            node = self.block(block)?;
        }
        Err(damaged("a tree of extents is deeper than any"))
    }

    fn in_map(&self, inode: &Inode, index: u64) -> io::Result<Run> {
        let fan = self.block_size / 4;
        let present = |block: u32| Some(u64::from(block)).filter(|block| *block != 0);
        let direct = |index: u64| word(&inode.map, usize::try_from(index).unwrap_or(60) * 4);
        if index < 12 {
            return Ok((present(direct(index)), 1));
        }
        let (mut index, mut reach) = (index - 12, fan);
        for level in 0..3u32 {
            if index < reach {
                let mut block = present(direct(12 + u64::from(level)));
                for _ in 0..=level {
                    reach /= fan;
                    let Some(table) = block else { return Ok((None, reach - index % reach)) };
                    let at = table.checked_mul(self.block_size).and_then(|at| at.checked_add(index / reach * 4));
                    block = present(word(&self.bytes::<4>(at.unwrap_or(u64::MAX))?, 0));
                    index %= reach;
                }
                return Ok((block, 1));
            }
            (index, reach) = (index - reach, reach * fan);
        }
        Err(damaged("it has more blocks than any file"))
    }

    fn block(&self, number: u64) -> io::Result<Vec<u8>> {
        let at = number.checked_mul(self.block_size).filter(|at| at.saturating_add(self.block_size) <= self.source.size());
        let mut block = vec![0; usize::try_from(self.block_size).unwrap_or_default()];
        self.source.read_at(at.ok_or_else(|| damaged("a block lies beyond its end"))?, &mut block)?;
        Ok(block)
    }

    /// The entries of one block of a directory: name and inode.
    fn entries(&self, block: &[u8], found: &mut Vec<(Vec<u8>, u32)>) {
        let mut rest = block;
        while rest.len() >= 8 {
            // Sizes of 64 KiB do not fit: they are stored as 0 or 65535.
            let size = match half(rest, 4) {
                0 | 0xffff if self.block_size == 1 << 16 => 1 << 16,
                size => usize::from(size),
            };
            let name = rest.get(8..8 + usize::from(rest[6])).unwrap_or_default();
            // What is no entry has the inode 0: of an index, of a checksum, and what was deleted.
            if word(rest, 0) != 0 && !matches!(name, b"" | b"." | b"..") && !name.contains(&b'/') {
                found.push((name.to_vec(), word(rest, 0)));
            }
            match rest.get(size..) {
                Some(next) if size >= 8 => rest = next,
                _ => break,
            }
        }
    }
}

/// A file of an image, to be read.
struct Contents<'a> {
    image: &'a Image<'a>,
    inode: Inode,
}

impl Source for Contents<'_> {
    fn size(&self) -> u64 {
        self.inode.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > self.inode.size) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if self.inode.flags & ENCRYPTED != 0 {
            return Err(io::Error::other("it is encrypted"));
        }
        if self.inode.flags & INLINE != 0 {
            // What does not fit there is among the extended attributes. Programs never fit.
            return self.inode.map.as_slice().read_at(offset, buffer).map_err(|_| io::Error::other("it is stored in its inode"));
        }
        let size = self.image.block_size;
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            let (block, count) = self.image.run(&self.inode, at / size)?;
            let count = count.max(1).saturating_mul(size).saturating_sub(at % size);
            let length = usize::try_from(count).unwrap_or(usize::MAX).min(rest.len());
            let part = rest.get_mut(..length).unwrap_or_default();
            match block {
                None => part.fill(0),
                Some(block) => {
                    let place = block.checked_mul(size).and_then(|place| place.checked_add(at % size));
                    let place = place.filter(|place| place.saturating_add(length as u64) <= self.image.source.size());
                    self.image
                        .source
                        .read_at(place.ok_or_else(|| damaged("a block of it lies beyond the end of the image"))?, part)?;
                }
            }
            done += length;
        }
        Ok(())
    }
}

/// Reads the image `name`.
///
/// # Errors
/// What is wrong with its superblock or its root directory, or that it was not unmounted.
pub(super) fn read(source: &dyn Source, name: &str, intake: &mut Intake, progress: &dyn Progress) -> Result<(), String> {
    let mut superblock = [0; 1024];
    source.read_at(SUPERBLOCK, &mut superblock).map_err(|_| "it is cut off in its superblock")?;
    let [inodes, free, first_block, log, per_group, features] = [0, 0x10, 0x14, 0x18, 0x28, 0x60].map(|at| word(&superblock, at));
    if features & !KNOWN != 0 {
        return Err(format!(
            "it is an ext4 with features that biarch does not know ({:#x}); mount it and give the directory",
            features & !KNOWN
        ));
    }
    if log > 6 || per_group == 0 {
        return Err("it is damaged: its superblock says what no superblock does".to_owned());
    }
    let block_size = 1024 << log;
    // Revision 0 has inodes of 128 bytes and says nothing.
    let inode_size = if word(&superblock, 0x4c) == 0 { 128 } else { u64::from(half(&superblock, 0x58)) };
    let group_size = if features & WIDE != 0 { u64::from(half(&superblock, 0xfe)).max(32) } else { 32 };
    if !(128..=block_size).contains(&inode_size) {
        return Err("it is damaged: its inodes have a size that none have".to_owned());
    }
    let groups = (u64::from(first_block) + 1) * block_size;
    let image = Image { source, block_size, inodes, inodes_per_group: per_group, inode_size, groups, group_size };
    tree(&image, u64::from(inodes.saturating_sub(free)), name, intake, progress)?;
    if features & RECOVER != 0 {
        return Err("it was not unmounted: what is only in its journal is left out; `e2fsck -p FILE` writes it".to_owned());
    }
    Ok(())
}

fn tree(image: &Image<'_>, total: u64, name: &str, intake: &mut Intake, progress: &dyn Progress) -> Result<(), String> {
    let mut todo = vec![(Vec::new(), ROOT)];
    let mut seen = HashSet::from([ROOT]);
    let mut files: HashMap<u32, Vec<u8>> = HashMap::new();
    let mut left = MAX_DIRECTORIES;
    while let Some((directory, number)) = todo.pop() {
        let entries = match list(image, number, &mut left) {
            Ok(entries) => entries,
            Err(error) if directory.is_empty() => return Err(format!("its root directory cannot be read: {error}")),
            Err(error) => {
                intake.failed(directory, error.to_string());
                continue;
            }
        };
        progress.at(intake.count as u64, Some(total), name);
        for (entry, number) in entries {
            if intake.is_full() {
                return Ok(());
            }
            let path = [directory.as_slice(), &entry].join(&b'/');
            let inode = match image.inode(number) {
                Ok(inode) if path.len() <= MAX_PATH => inode,
                Ok(_) => continue,
                Err(error) => {
                    intake.failed(path, error.to_string());
                    continue;
                }
            };
            // S_IFMT, S_IFDIR, S_IFLNK, S_IFREG of stat.h
            match inode.mode & 0o170_000 {
                0o040_000 => {
                    if seen.insert(number) {
                        todo.push((path.clone(), number));
                    } else {
                        intake.failed(path.clone(), "it is damaged: a directory is in two places".to_owned());
                    }
                    intake.add(path, Entry::Directory);
                }
                0o120_000 => match link(image, inode) {
                    Ok(target) => intake.add(path, Entry::Link(target)),
                    Err(error) => intake.failed(path, error.to_string()),
                },
                0o100_000 => match files.get(&number) {
                    Some(first) => intake.hard_link(path, first),
                    None => {
                        if inode.links > 1 {
                            files.insert(number, path.clone());
                        }
                        intake.file(path, &Contents { image, inode });
                    }
                },
                _ => intake.add(path, Entry::Special),
            }
        }
    }
    Ok(())
}

/// The entries of a directory; `left` is what may still be read of directories.
fn list(image: &Image<'_>, number: u32, left: &mut u64) -> io::Result<Vec<(Vec<u8>, u32)>> {
    let inode = image.inode(number)?;
    let mut found = Vec::new();
    if inode.flags & (ENCRYPTED | INLINE) != 0 {
        return Err(io::Error::other("it is encrypted, or stored in its inode"));
    }
    let contents = Contents { image, inode };
    *left = left.checked_sub(contents.size()).ok_or_else(|| damaged("its directories are larger than any"))?;
    let mut block = vec![0; usize::try_from(image.block_size).unwrap_or_default()];
    for at in (0..contents.size()).step_by(block.len()) {
        contents.read_at(at, &mut block)?;
        image.entries(&block, &mut found);
        if found.len() > MAX_DIRECTORY {
            return Err(damaged("it has more entries than any directory"));
        }
    }
    Ok(found)
}

/// Where a symbolic link leads. A short one is in the inode itself.
fn link(image: &Image<'_>, inode: Inode) -> io::Result<Vec<u8>> {
    let size = usize::try_from(inode.size).ok().filter(|size| *size <= MAX_PATH);
    let size = size.ok_or_else(|| damaged("a link is longer than any path"))?;
    if size < 60 && inode.flags & EXTENTS == 0 {
        return Ok(inode.map.get(..size).unwrap_or_default().to_vec());
    }
    let mut target = vec![0; size];
    Contents { image, inode }.read_at(0, &mut target)?;
    Ok(target)
}

//! A root file system as an image of ext2, ext3 or ext4.

use super::intake::{Intake, MAX_PATH};
use crate::progress::Progress;
use crate::root::Entry;
use elf::Source;
use ext4_view::{Ext4, Ext4Read, File, FileType};
use std::cell::RefCell;
use std::error::Error;
use std::io;
use std::rc::Rc;

/// Where the superblock is, and its magic number in it.
const SUPERBLOCK: usize = 1024;
const MAGIC: usize = SUPERBLOCK + 0x38;
/// Directories in directories that are entered: an image may have one that is in itself.
const MAX_DEPTH: usize = 128;
/// Parts of paths that are looked up: every file is opened by its path, from the root.
const MAX_LOOKUPS: usize = 50_000_000;

/// Whether this is the beginning of such an image.
pub(super) fn is_ext4(start: &[u8]) -> bool {
    start.get(MAGIC..).is_some_and(|rest| rest.starts_with(b"\x53\xef"))
}

/// The image, as the crate wants it.
struct Image(Rc<dyn Source>);

impl Ext4Read for Image {
    fn read(&mut self, start: u64, buffer: &mut [u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(self.0.read_at(start, buffer)?)
    }
}

/// A file of an image.
struct Contents(RefCell<File>);

impl Source for Contents {
    fn size(&self) -> u64 {
        self.0.borrow().metadata().len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut file = self.0.borrow_mut();
        file.seek_to(offset).map_err(|error| io::Error::other(error.to_string()))?;
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match file.read_bytes(rest).map_err(|error| io::Error::other(error.to_string()))? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => done += count,
            }
        }
        Ok(())
    }
}

/// Reads the image `name`.
///
/// # Errors
/// What is wrong with its superblock or its root directory.
pub(super) fn read(source: Rc<dyn Source>, name: &str, intake: &mut Intake, progress: &dyn Progress) -> Result<(), String> {
    let mut superblock = [0; 1024];
    source.read_at(SUPERBLOCK as u64, &mut superblock).map_err(|_| "it is cut off in its superblock")?;
    let number = |at: usize| {
        superblock.get(at..at + 4).map_or(0, |field| field.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    // s_inodes_count and s_free_inodes_count
    let total = number(0).saturating_sub(number(0x10));
    let image = Ext4::load(Box::new(Image(source))).map_err(|error| format!("it is damaged, or no ext4 as is known: {error}"))?;
    let mut todo = vec![(Vec::new(), 0)];
    let mut lookups = 0;
    while let Some((directory, depth)) = todo.pop() {
        let at = if directory.is_empty() { b"/".as_slice() } else { &directory };
        let entries = match image.read_dir(at) {
            Ok(entries) => entries,
            Err(error) if directory.is_empty() => return Err(format!("its root directory cannot be read: {error}")),
            Err(error) => {
                intake.failed(directory, error.to_string());
                continue;
            }
        };
        progress.at(intake.count as u64, Some(total), name);
        for entry in entries {
            lookups += depth + 1;
            if intake.is_full() || lookups > MAX_LOOKUPS {
                return if intake.is_full() {
                    Ok(())
                } else {
                    Err("its directories are deeper than any; the rest is left out".to_owned())
                };
            }
            let (entry, kind) = match entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) {
                Ok(entry) => entry,
                Err(error) => {
                    intake.failed(directory.clone(), error.to_string());
                    break;
                }
            };
            let entry_name = entry.file_name();
            if matches!(entry_name.as_ref(), b"." | b"..") || entry_name.as_ref().contains(&b'/') {
                continue;
            }
            let path = [directory.as_slice(), entry_name.as_ref()].join(&b'/');
            match kind {
                FileType::Directory if depth >= MAX_DEPTH || path.len() > MAX_PATH => {
                    intake.failed(path, "it is deeper than any directory".to_owned());
                }
                FileType::Directory => {
                    todo.push((path.clone(), depth + 1));
                    intake.add(path, Entry::Directory);
                }
                FileType::Symlink => match image.read_link(path.as_slice()) {
                    Ok(target) => intake.add(path, Entry::Link(target.as_ref().to_vec())),
                    Err(error) => intake.failed(path, error.to_string()),
                },
                FileType::Regular => match image.open(path.as_slice()) {
                    Ok(file) => intake.file(path, &Contents(RefCell::new(file))),
                    Err(error) => {
                        intake.failed(path.clone(), error.to_string());
                        intake.add(path, Entry::File);
                    }
                },
                _ => intake.add(path, Entry::Special),
            }
        }
    }
    Ok(())
}

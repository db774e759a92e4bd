//! A root file system as a cpio archive, "newc" with and without checksums: what the kernel unpacks as an initramfs. Like the
//! kernel (Documentation/driver-api/early-userspace/buffer-format.rst) it takes several archives one behind the other, each as
//! it is or compressed.

use super::intake::{Held, Intake, normal};
use crate::root::Entry;
use elf::compression::{Compression, Members, reader};
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

/// The header: the magic number, and 13 numbers of 8 digits.
const HEADER: usize = 110;
/// The largest name, and the largest link.
const MAX_TEXT: u64 = 64 << 10;
/// Archives in archives: the kernel unpacks none, and an initramfs is compressed once.
const MAX_DEPTH: usize = 2;

/// Whether this is the beginning of such an archive.
pub(super) fn is_cpio(start: &[u8]) -> bool {
    start.starts_with(b"070701") || start.starts_with(b"070702")
}

/// Reads the archives.
///
/// # Errors
/// What is wrong; what comes before that has been read.
pub(super) fn read(input: &mut dyn BufRead, intake: &mut Intake) -> Result<(), String> {
    segments(input, 0, intake)
}

fn segments(mut input: &mut dyn BufRead, depth: usize, intake: &mut Intake) -> Result<(), String> {
    let cut = |error: io::Error| format!("it is cut off or damaged ({error}); what is behind that is left out");
    let mut first = true;
    loop {
        // Between two archives there are zero bytes.
        let start = input.fill_buf().map_err(cut)?;
        let zeros = start.iter().take_while(|byte| **byte == 0).count();
        if start.is_empty() {
            return if first { Err("it is empty".to_owned()) } else { Ok(()) };
        }
        if zeros > 0 && !first {
            input.consume(zeros);
            continue;
        }
        let compression = Compression::of(start);
        if is_cpio(start) || start.len() < 6 {
            archive(&mut input, intake).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => format!("it is damaged: {error}; what is behind that is left out"),
                _ => cut(error),
            })?;
        } else if let Some(compression) = compression.filter(|_| depth < MAX_DEPTH) {
            let unpacked = reader(&mut input, compression, Members::First).map_err(cut)?;
            segments(&mut BufReader::new(unpacked), depth + 1, intake)?;
        } else if first {
            return Err("it is no cpio archive".to_owned());
        } else {
            return Err("behind its last archive there is something else, which is left out".to_owned());
        }
        first = false;
        if intake.is_full() {
            return Ok(());
        }
    }
}

/// The eight hexadecimal digits at `at`.
fn number(header: &[u8], at: usize) -> io::Result<u32> {
    let digits = header.get(at..at + 8).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or_else(|| damaged("a header has what is no number"))
}

fn damaged(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Passes over `count` bytes.
fn skip(input: &mut dyn Read, count: u64) -> io::Result<()> {
    if io::copy(&mut input.take(count), &mut io::sink())? < count { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// One archive, up to its trailer.
fn archive(input: &mut dyn Read, intake: &mut Intake) -> io::Result<()> {
    // Of a file with several names the contents come with the last.
    let mut names: HashMap<_, Vec<Vec<u8>>> = HashMap::new();
    loop {
        let mut header = [0; HEADER];
        input.read_exact(&mut header)?;
        if !is_cpio(&header) {
            return Err(damaged("a header has not the number that it begins with"));
        }
        let field = |index: usize| number(&header, 6 + 8 * index);
        let [inode, mode, links, size, major, minor, length] = [0, 1, 4, 6, 7, 8, 11].map(field);
        let (mode, size, length) = (mode?, u64::from(size?), u64::from(length?));
        let file = (major?, minor?, inode?);
        if length == 0 || length > MAX_TEXT {
            return Err(damaged("a name is longer than any"));
        }
        let mut name = Vec::new();
        input.take(length).read_to_end(&mut name)?;
        let padding = |length: u64| length.next_multiple_of(4) - length;
        skip(input, padding(HEADER as u64 + length))?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        if name == b"TRAILER!!!" {
            return Ok(());
        }
        let mut contents = input.take(size);
        if let Some(path) = normal(name) {
            // S_IFMT, S_IFDIR, S_IFLNK, S_IFREG of stat.h
            match mode & 0o170_000 {
                0o040_000 => intake.add(path, Entry::Directory),
                0o120_000 => {
                    let mut target = Vec::new();
                    contents.by_ref().take(MAX_TEXT).read_to_end(&mut target)?;
                    intake.add(path, Entry::Link(target));
                }
                0o100_000 if links? > 1 && size == 0 => {
                    names.entry(file).or_default().push(path.clone());
                    intake.add(path, Entry::File);
                }
                0o100_000 => {
                    intake.file(path.clone(), &Held::new(&mut contents, size));
                    names.remove(&file).into_iter().flatten().for_each(|other| intake.hard_link(other, &path));
                }
                _ => intake.add(path, Entry::Special),
            }
        }
        let left = contents.limit();
        skip(input, left + padding(size))?;
        if intake.is_full() {
            return Ok(());
        }
    }
}

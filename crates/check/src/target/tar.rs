//! A root file system as a tar archive: ustar, with the extensions of GNU tar and of pax for long names. It is read once, from
//! its beginning to its end, and never unpacked.

use super::module;
use crate::facts::Object;
use crate::root::{Entry, Tree, is_configuration};
use elf::{Depth, details};
use findings::{Report, Unchecked};
use std::io::Read;

const BLOCK: usize = 512;
/// The most that is read of an archive, unpacked: an image of a whole board has less.
const MAX_SIZE: u64 = 16 << 30;
/// The largest ELF file that is looked at: it is held in memory.
const MAX_OBJECT: u64 = 256 << 20;
/// The largest name, link or file of configuration.
const MAX_TEXT: u64 = 64 << 10;
/// Paths that are looked at.
const MAX_ENTRIES: usize = 1_000_000;

/// Whether this is the beginning of a tar archive.
pub(super) fn is_tar(start: &[u8]) -> bool {
    start.get(..BLOCK).is_some_and(|header| header.get(257..262) == Some(b"ustar") && is_header(header))
}

/// Whether the sum of the bytes is the one that stands in the header.
fn is_header(header: &[u8]) -> bool {
    let stored = octal(header.get(148..156).unwrap_or_default());
    let counted = |(at, byte): (usize, &u8)| if (148..156).contains(&at) { u64::from(b' ') } else { u64::from(*byte) };
    stored == Some(header.iter().enumerate().map(counted).sum())
}

/// A number in octal digits, or in base 256 where its first bit is set.
fn octal(field: &[u8]) -> Option<u64> {
    if let Some((first, rest)) = field.split_first().filter(|(first, _)| **first & 0x80 != 0) {
        return rest.iter().try_fold(u64::from(first & 0x7f), |sum, byte| sum.checked_mul(256)?.checked_add(u64::from(*byte)));
    }
    let digits = field.iter().skip_while(|byte| **byte == b' ').take_while(|byte| byte.is_ascii_digit());
    digits.into_iter().try_fold(0u64, |sum, digit| sum.checked_mul(8)?.checked_add(u64::from(digit - b'0')))
}

/// The text before the first zero byte.
fn text(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The path from the root, with a slash before each part; nothing for the root itself and for what leads out of it.
fn normal(path: &[u8]) -> Option<Vec<u8>> {
    let mut normal = Vec::new();
    for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".") {
        if part == b".." {
            return None;
        }
        normal.push(b'/');
        normal.extend_from_slice(part);
    }
    (!normal.is_empty()).then_some(normal)
}

/// What the entries before one say about it.
#[derive(Default)]
struct Extended {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
}

/// Reads an archive. What is behind damage is left out, and the report says so.
///
/// # Errors
/// Where not even the first entry can be read.
pub(super) fn read(input: impl Read, name: &str, report: &mut Report) -> Result<Tree, String> {
    let mut tree = Tree::default();
    let mut input = input.take(MAX_SIZE);
    let end = entries(&mut input, &mut tree);
    let because = match end {
        Ok(()) => return Ok(tree),
        Err(_) if input.limit() == 0 => format!("it has more than {} GiB; what is behind them is left out", MAX_SIZE >> 30),
        Err(because) => because,
    };
    if tree.entries.is_empty() && tree.objects.is_empty() {
        return Err(because);
    }
    report.not_checked.push(Unchecked { what: name.to_owned(), because });
    Ok(tree)
}

fn entries(input: &mut impl Read, tree: &mut Tree) -> Result<(), String> {
    let cut = |error: std::io::Error| format!("it is cut off or damaged ({error}); what is behind that is left out");
    let mut extended = Extended::default();
    let mut header = [0; BLOCK];
    loop {
        match input.read_exact(&mut header) {
            Ok(()) => {}
            Err(error) => return Err(cut(error)),
        }
        if header.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        if !is_header(&header) {
            return Err("it is damaged: a header has a wrong sum; what is behind it is left out".to_owned());
        }
        if tree.entries.len() + tree.objects.len() > MAX_ENTRIES {
            return Err(format!("it has more than {MAX_ENTRIES} paths; what is behind them is left out"));
        }
        let size = octal(&header[124..136]).ok_or("it is damaged: a size is no number; what is behind it is left out")?;
        let kind = header[156];
        let long = matches!(kind, b'L' | b'K' | b'x');
        let size = if long { size } else { extended.size.unwrap_or(size) };
        let size = if matches!(kind, b'1'..=b'6') { 0 } else { size };
        let padded = size.checked_next_multiple_of(BLOCK as u64).ok_or("it is damaged: a size is no number")?;
        let mut member = input.take(padded);
        if long {
            if size > MAX_TEXT {
                return Err("it is damaged: a name is longer than any; what is behind it is left out".to_owned());
            }
            let bytes = take(&mut member, size).map_err(cut)?;
            match kind {
                b'L' => extended.path = Some(text(&bytes).to_vec()),
                b'K' => extended.link = Some(text(&bytes).to_vec()),
                _ => pax(&bytes, &mut extended),
            }
        } else if kind != b'g' {
            let stored = if header.starts_with(b"/") || header[345] == 0 || &header[257..263] != b"ustar\0" {
                text(&header[..100]).to_vec()
            } else {
                [text(&header[345..500]), text(&header[..100])].join(&b'/')
            };
            let path = extended.path.take().unwrap_or(stored);
            let link = extended.link.take().unwrap_or_else(|| text(&header[157..257]).to_vec());
            extended = Extended::default();
            if let Some(path) = normal(&path) {
                add(tree, path, kind, link, size, &mut member).map_err(cut)?;
            }
        }
        let left = member.limit();
        let skipped = std::io::copy(&mut member, &mut std::io::sink()).map_err(cut)?;
        if skipped < left {
            return Err("it is cut off; what is behind that is left out".to_owned());
        }
    }
}

fn take(member: &mut impl Read, size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    member.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The records of a pax header: "LENGTH KEY=VALUE\n".
fn pax(mut bytes: &[u8], extended: &mut Extended) {
    while let Some(space) = bytes.iter().position(|byte| *byte == b' ') {
        let digits = bytes.get(..space).and_then(|digits| std::str::from_utf8(digits).ok());
        let length = digits.and_then(|digits| digits.parse::<usize>().ok()).filter(|length| *length > space + 1);
        let Some(record) = length.and_then(|length| bytes.get(space + 1..length)) else { return };
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        if let Some(path) = record.strip_prefix(b"path=") {
            extended.path = Some(path.to_vec());
        } else if let Some(link) = record.strip_prefix(b"linkpath=") {
            extended.link = Some(link.to_vec());
        } else if let Some(size) = record.strip_prefix(b"size=") {
            extended.size = std::str::from_utf8(size).ok().and_then(|size| size.parse().ok());
        }
        bytes = length.and_then(|length| bytes.get(length..)).unwrap_or_default();
    }
}

fn add(tree: &mut Tree, path: Vec<u8>, kind: u8, link: Vec<u8>, size: u64, member: &mut impl Read) -> std::io::Result<()> {
    // An archive need not have the directories that its files are in.
    let slashes = path.iter().enumerate().skip(1).filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    for parent in slashes.rev().map(|at| path[..at].to_vec()) {
        if tree.entries.contains_key(&parent) {
            break;
        }
        tree.entries.insert(parent, Entry::Directory);
    }
    let entry = match kind {
        b'1' => Entry::Link(normal(&link).unwrap_or_default()),
        b'2' => Entry::Link(link),
        b'5' => Entry::Directory,
        b'3' | b'4' | b'6' => Entry::Special,
        _ if is_configuration(&path) => {
            let text = take(member, size.min(MAX_TEXT))?;
            tree.configure(path.clone(), text);
            Entry::File
        }
        _ if module::is_added(&path) => match module::unpacked(&path, member.take(size)) {
            Some(object) => {
                tree.objects.push(object);
                return Ok(());
            }
            None => Entry::File,
        },
        _ => {
            let mut bytes = take(member, size.min(4))?;
            if bytes == b"\x7fELF" && size <= MAX_OBJECT {
                member.take(size - 4).read_to_end(&mut bytes)?;
                if let Ok(details) = details(bytes.as_slice(), Depth::Symbols32) {
                    tree.objects.push(module::noted(Object::new(path, details), bytes.as_slice()));
                    return Ok(());
                }
            }
            Entry::File
        }
    };
    tree.entries.insert(path, entry);
    Ok(())
}

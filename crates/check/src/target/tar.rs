//! A root file system as a tar archive: ustar, with the extensions of GNU tar and of pax for long names. It is read once, from
//! its beginning to its end, and never unpacked.

use super::intake::{Held, Intake, normal};
use crate::root::Entry;
use std::io::Read;

const BLOCK: usize = 512;
/// The largest name or link.
const MAX_TEXT: u64 = 64 << 10;

/// Whether this is the beginning of a tar archive.
pub(super) fn is_tar(start: &[u8]) -> bool {
    start.get(..BLOCK).is_some_and(|header| header.get(257..262) == Some(b"ustar") && is_header(header))
}

/// The path of the first member of the archive that begins so, as it is in its header.
pub(super) fn first(start: &[u8]) -> &[u8] {
    text(start.get(..100).unwrap_or_default())
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

/// What the entries before one say about it.
#[derive(Default)]
struct Extended {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
}

/// A member of an archive: its path as it is stored, its type, where it links to, and its contents.
pub(super) struct Member<'a> {
    pub(super) path: Vec<u8>,
    kind: u8,
    link: Vec<u8>,
    pub(super) size: u64,
    pub(super) contents: &'a mut dyn Read,
}

impl Member<'_> {
    /// The path of the member that it is another name of, or a symbolic link to.
    pub(super) fn target(&self) -> Option<Vec<u8>> {
        let directory =
            self.path.iter().rposition(|byte| *byte == b'/').and_then(|slash| self.path.get(..slash)).unwrap_or_default();
        match self.kind {
            b'1' => Some(self.link.clone()),
            // docker has `../DIGEST/layer.tar`, one directory above that of the link.
            b'2' if !directory.contains(&b'/') => self.link.strip_prefix(b"../").map(<[u8]>::to_vec),
            _ => None,
        }
    }

    /// Whether it is a regular file.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.kind, 0 | b'0' | b'7')
    }
}

/// Reads an archive of a root file system.
///
/// # Errors
/// What is wrong with it; what comes before that has been read.
pub(super) fn read(input: &mut dyn Read, intake: &mut Intake) -> Result<(), String> {
    members(input, |member| {
        let Some(path) = normal(&member.path) else { return !intake.is_full() };
        match member.kind {
            b'1' => match normal(&member.link) {
                Some(target) => intake.hard_link(path, &target),
                None => intake.add(path, Entry::Link(Vec::new())),
            },
            b'2' => intake.add(path, Entry::Link(member.link)),
            b'5' => intake.add(path, Entry::Directory),
            b'3' | b'4' | b'6' => intake.add(path, Entry::Special),
            _ => intake.file(path, &Held::new(member.contents, member.size)),
        }
        !intake.is_full()
    })
}

/// Gives each member of an archive to `take`, until that has enough.
///
/// # Errors
/// As of [`read`].
pub(super) fn members(mut input: &mut dyn Read, mut take: impl FnMut(Member<'_>) -> bool) -> Result<(), String> {
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
        let size = octal(&header[124..136]).ok_or("it is damaged: a size is no number; what is behind it is left out")?;
        let kind = header[156];
        let long = matches!(kind, b'L' | b'K' | b'x');
        let size = if long { size } else { extended.size.unwrap_or(size) };
        let size = if matches!(kind, b'1'..=b'6') { 0 } else { size };
        let padded = size.checked_next_multiple_of(BLOCK as u64).ok_or("it is damaged: a size is no number")?;
        let mut member = Read::take(&mut input, padded);
        if long {
            if size > MAX_TEXT {
                return Err("it is damaged: a name is longer than any; what is behind it is left out".to_owned());
            }
            let mut bytes = Vec::new();
            member.by_ref().take(size).read_to_end(&mut bytes).map_err(cut)?;
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
            if !take(Member { path, kind, link, size, contents: &mut member }) {
                return Ok(());
            }
        }
        let left = member.limit();
        let skipped = std::io::copy(&mut member, &mut std::io::sink()).map_err(cut)?;
        if skipped < left {
            return Err("it is cut off; what is behind that is left out".to_owned());
        }
    }
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

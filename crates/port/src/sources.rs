//! The text of the files that findings are in.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

/// A file of more bytes than this is shown without its text.
const MAX_FILE: u64 = 64 << 20;

/// A file's text, and where its lines begin.
#[derive(Debug, Default)]
pub(crate) struct Text {
    bytes: Vec<u8>,
    lines: Vec<usize>,
}

impl Text {
    fn read(path: &str) -> Self {
        let mut bytes = Vec::new();
        // What cannot be read any more has been read by the compiler a moment ago: the finding is worth more than its text.
        let _ = File::open(path).and_then(|file| file.take(MAX_FILE).read_to_end(&mut bytes));
        // A program has no lines.
        if bytes.starts_with(b"\x7fELF") {
            bytes.clear();
        }
        Self::from(bytes)
    }

    /// What has these bytes.
    pub(crate) fn from(bytes: Vec<u8>) -> Self {
        let mut lines = vec![0];
        lines.extend(memchr::memchr_iter(b'\n', &bytes).map(|at| at + 1));
        Self { bytes, lines }
    }

    /// The line, from 1, and the column in bytes, from 1, of an offset.
    pub(crate) fn position(&self, offset: u32) -> (u32, u32) {
        let offset = offset as usize;
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or_default();
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(offset - start + 1).unwrap_or(u32::MAX))
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text of a line, from 1, without its end.
    pub(crate) fn line(&self, line: u32) -> String {
        let at = (line as usize).wrapping_sub(1);
        let Some(start) = self.lines.get(at) else { return String::new() };
        let end = self.lines.get(at + 1).map_or(self.bytes.len(), |next| next - 1);
        let bytes = self.bytes.get(*start..end).unwrap_or_default();
        // What is not UTF-8 becomes a character of one byte, for columns are bytes.
        let chunks = bytes.strip_suffix(b"\r").unwrap_or(bytes).utf8_chunks();
        chunks.map(|chunk| format!("{}{}", chunk.valid(), "?".repeat(chunk.invalid().len()))).collect()
    }

    /// Those lines that there are.
    pub(crate) fn lines(&self, lines: Range<u32>) -> Vec<String> {
        lines.filter(|line| (*line as usize) <= self.lines.len()).map(|line| self.line(line)).collect()
    }

    /// What is between two offsets.
    pub(crate) fn between(&self, start: u32, end: u32) -> String {
        String::from_utf8_lossy(self.bytes.get(start as usize..end as usize).unwrap_or_default()).into_owned()
    }
}

/// The files that have been read.
#[derive(Debug, Default)]
pub(crate) struct Sources(HashMap<String, Text>);

impl Sources {
    /// The text of this file.
    pub(crate) fn text(&mut self, path: &str) -> &Text {
        self.0.entry(path.to_owned()).or_insert_with_key(|path| Text::read(path))
    }
}

/// At most `longest` bytes of a file from an offset on, without the rest of it.
pub(crate) fn piece(path: &str, offset: u32, longest: usize) -> Option<String> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(offset.into())).ok()?;
    let mut bytes = Vec::new();
    file.take(longest as u64).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

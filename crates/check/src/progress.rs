//! Reading that tells how far it is.

use findings::Progress;
use std::io::{self, Read, Seek, SeekFrom};

/// A file that tells how much of it has been read.
pub(crate) struct Watched<'a, R> {
    inner: R,
    at: u64,
    told: u64,
    total: u64,
    name: &'a str,
    progress: &'a dyn Progress,
}

/// Bytes after which it is told again.
const STEP: u64 = 1 << 20;

impl<'a, R> Watched<'a, R> {
    /// `inner`, a target of `total` bytes.
    pub(crate) fn new(inner: R, total: u64, name: &'a str, progress: &'a dyn Progress) -> Self {
        Self { inner, at: 0, told: 0, total, name, progress }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.at = self.at.saturating_add(count as u64);
        if self.at >= self.told.saturating_add(STEP) {
            self.told = self.at;
            self.progress.at(self.at.min(self.total), Some(self.total), self.name);
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for Watched<'_, R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.at = self.inner.seek(position)?;
        self.told = self.at;
        Ok(self.at)
    }
}

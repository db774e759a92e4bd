//! Where the bytes of a file come from: memory, or a file that is read in pieces.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Something with a size that can be read anywhere. A file of a gigabyte costs what is read of it.
pub trait Source {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// Fills `buffer` from `offset` on.
    ///
    /// # Errors
    /// Where there are not that many bytes, or they cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Source for [u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let end = start.checked_add(buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(self.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A regular file that is open.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    size: u64,
}

impl OpenFile {
    /// The file, with its size as it is now. A file that shrinks later gives errors, not other bytes.
    ///
    /// # Errors
    /// Where its size cannot be had.
    pub fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file, size })
    }
}

impl Source for OpenFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}

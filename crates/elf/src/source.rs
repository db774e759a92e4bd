//! Where the bytes of a file come from: memory, or a file that is read in pieces.

use std::cell::OnceCell;
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
    size: OnceCell<u64>,
}

impl OpenFile {
    /// The file. Its size is that when it is first asked for: of most files nobody asks. A file that shrinks later gives errors, not
    /// other bytes.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self { file, size: OnceCell::new() }
    }

    /// The file again.
    #[must_use]
    pub fn into_file(self) -> File {
        self.file
    }
}

impl Source for OpenFile {
    fn size(&self) -> u64 {
        // fstat(2) of an open file does not fail; nothing could be read of one of which it did.
        *self.size.get_or_init(|| self.file.metadata().map_or(0, |metadata| metadata.len()))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}

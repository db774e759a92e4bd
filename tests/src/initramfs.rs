//! Builds an initial file system for a kernel to boot: an archive in cpio's `newc` format
//! (Documentation/driver-api/early-userspace/buffer-format.rst in the kernel's source). The kernel takes it uncompressed.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};

/// An archive under construction. Directories come into being with the files in them.
#[derive(Debug, Default)]
pub struct Initramfs {
    bytes: Vec<u8>,
    directories: BTreeSet<String>,
    inode: u32,
}

impl Initramfs {
    /// Adds a directory and those above it.
    pub fn directory(&mut self, path: &str) -> Result<()> {
        if path.is_empty() || self.directories.contains(path) {
            return Ok(());
        }
        self.directory(path.rsplit_once('/').map_or("", |(parent, _)| parent))?;
        self.directories.insert(path.to_owned());
        self.entry(path, 0o040_755, &[])
    }

    /// Adds an executable file. Paths are relative to the root.
    pub fn file(&mut self, path: &str, contents: &[u8]) -> Result<()> {
        self.directory(path.rsplit_once('/').map_or("", |(parent, _)| parent))?;
        self.entry(path, 0o100_755, contents)
    }

    /// Adds a copy of a file of this machine.
    pub fn copy(&mut self, path: &str, from: &Path) -> Result<()> {
        let contents = std::fs::read(from).with_context(|| from.display().to_string())?;
        self.file(path, &contents)
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: &str, to: &str) -> Result<()> {
        self.directory(path.rsplit_once('/').map_or("", |(parent, _)| parent))?;
        self.entry(path, 0o120_777, to.as_bytes())
    }

    /// The whole archive.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.entry("TRAILER!!!", 0, &[])?;
        Ok(self.bytes)
    }

    fn entry(&mut self, path: &str, mode: u32, contents: &[u8]) -> Result<()> {
        self.inode += 1;
        let size = u32::try_from(contents.len()).context("a file of more than 4 GiB")?;
        let name = u32::try_from(path.len() + 1)?;
        // inode, mode, uid, gid, links, mtime, size, device (2), device it is (2), length of the name, checksum
        let header = [self.inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name, 0];
        self.bytes.extend_from_slice(b"070701");
        for field in header {
            self.bytes.extend_from_slice(format!("{field:08X}").as_bytes());
        }
        self.bytes.extend_from_slice(path.as_bytes());
        self.bytes.push(0);
        self.align();
        self.bytes.extend_from_slice(contents);
        self.align();
        Ok(())
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

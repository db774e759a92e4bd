//! One file: a kernel, its configuration, an archive or an image of a root file system, or an ELF file.

use super::intake::{Extent, Intake};
use super::{cpio, deb, kernel, name, open, tar};
use crate::facts::{Facts, Object};
use crate::progress::{Progress, Watched};
use elf::compression::{Compression, Members, reader};
use elf::kernel::is_image;
use elf::{Depth, OpenFile, details};
use findings::{Report, Unchecked};
use std::io::{BufRead, BufReader, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Enough of a file to know what it is.
const BEGINNING: u64 = 16 << 10;
/// The most that is read of an archive, unpacked: an image of a whole board has less.
const MAX_SIZE: u64 = 16 << 30;

/// A format that is read from the beginning to the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Archive {
    Tar,
    Cpio,
    Deb,
}

impl Archive {
    /// What the beginning of a file says.
    fn of(start: &[u8]) -> Option<Self> {
        if tar::is_tar(start) {
            Some(Self::Tar)
        } else if cpio::is_cpio(start) {
            Some(Self::Cpio)
        } else {
            deb::is_deb(start).then_some(Self::Deb)
        }
    }

    /// Reads all of it.
    fn read(self, input: impl BufRead, name: &str, facts: &mut Facts, report: &mut Report) -> Result<(), String> {
        let mut intake = Intake::default();
        let mut input = input.take(MAX_SIZE);
        let result = match self {
            Self::Tar => tar::read(&mut input, &mut intake),
            Self::Cpio => cpio::read(&mut input, &mut intake),
            Self::Deb => deb::read(&mut input, &mut intake),
        };
        if let Err(mut because) = result {
            if input.limit() == 0 {
                because = format!("it has more than {} GiB; what is behind them is left out", MAX_SIZE >> 30);
            }
            if intake.count == 0 {
                return Err(because);
            }
            report.not_checked.push(Unchecked { what: name.to_owned(), because });
        }
        let extent = if self == Self::Deb { Extent::Part } else { Extent::Unknown };
        intake.finish(name.to_owned(), format!("{name}:"), extent, facts, report);
        Ok(())
    }
}

/// Reads the file at `path` into `facts`; the error says why not.
pub(super) fn read(path: &Path, facts: &mut Facts, report: &mut Report, progress: &dyn Progress) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let mut file = open(path).map_err(text)?;
    let start = beginning(&mut file)?;
    file.rewind().map_err(text)?;
    let name = name(path);
    if start.starts_with(b"\x7fELF") && !is_image(&start) {
        let details = details(&OpenFile::new(file).map_err(text)?, Depth::Symbols32).map_err(|error| error.to_string())?;
        facts.objects.push(Object::new(path.as_os_str().as_bytes().to_vec(), details));
        return Ok(());
    }
    let size = file.metadata().map_err(text)?.len();
    if let Some(archive) = Archive::of(&start) {
        return archive.read(BufReader::new(Watched::new(file, size, &name, progress)), &name, facts, report);
    }
    if let Some(compression) = Compression::of(&start) {
        // What is inside shows in its beginning.
        let inside =
            reader(BufReader::new(&file), compression, Members::All).map_err(text).and_then(beginning).unwrap_or_default();
        file.rewind().map_err(text)?;
        let packed = BufReader::new(Watched::new(&file, size, &name, progress));
        let unpacked = || reader(packed, compression, Members::All).map_err(text);
        if let Some(archive) = Archive::of(&inside) {
            return archive.read(BufReader::new(unpacked()?), &name, facts, report);
        }
        if is_config(&inside) {
            facts.kernels.push(kernel::config(name.clone(), unpacked()?)?);
            return Ok(());
        }
        file.rewind().map_err(text)?;
    } else if is_config(&start) {
        facts.kernels.push(kernel::config(name, file)?);
        return Ok(());
    } else if !is_image(&start) {
        return Err("it is no kernel image, no kernel configuration, no ELF file, and no archive or image of a root file system"
            .to_owned());
    }
    facts.kernels.push(kernel::image(name, &OpenFile::new(file).map_err(text)?)?);
    Ok(())
}

/// Gives what `input` unpacks to to `read`; what is not compressed is given as it is.
pub(super) fn unpacked<T>(mut input: impl BufRead, read: impl FnOnce(&mut dyn Read) -> Result<T, String>) -> Result<T, String> {
    let text = |error: std::io::Error| error.to_string();
    match Compression::of(input.fill_buf().map_err(text)?) {
        None => read(&mut input),
        Some(compression) => read(&mut reader(input, compression, Members::All).map_err(text)?.take(MAX_SIZE)),
    }
}

/// Reads the beginning.
fn beginning(mut input: impl Read) -> Result<Vec<u8>, String> {
    let mut start = Vec::new();
    match input.by_ref().take(BEGINNING).read_to_end(&mut start) {
        // Of what is damaged later the beginning may still do.
        Err(error) if start.is_empty() => Err(error.to_string()),
        _ => Ok(start),
    }
}

/// Whether this is the beginning of a configuration: text, with an option or with the heading that Kconfig writes.
fn is_config(start: &[u8]) -> bool {
    let mut lines = start.split(|byte| *byte == b'\n');
    !start.contains(&0) && lines.any(|line| line.starts_with(b"CONFIG_") || line.starts_with(b"# CONFIG_"))
}

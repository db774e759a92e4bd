//! One file: a kernel, its configuration, an archive or an image of a root file system, or an ELF file.

use super::intake::{Extent, Intake, Taken};
use super::{cpio, deb, disk, ext4, fat, kernel, kit, module, name, oci, open, squashfs, tar};
use crate::Progress;
use crate::facts::{Facts, Object};
use crate::progress::Watched;
use elf::compression::{Compression, Members, reader};
use elf::kernel::is_image;
use elf::{Depth, OpenFile, Source, details};
use findings::{Report, Unchecked};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;

/// Enough of a file to know what it is.
const BEGINNING: u64 = disk::BEGINNING as u64;
/// The most that is read of an archive, unpacked: an image of a whole board has less.
const MAX_SIZE: u64 = 16 << 30;

/// The most that is read of an image of a file system, in bytes.
const MAX_READ: u64 = 32 << 30;

/// A format that is read from the beginning to the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Archive {
    Tar,
    Images,
    Cpio,
    Deb,
}

impl Archive {
    /// What the beginning of a file says.
    fn of(start: &[u8]) -> Option<Self> {
        if tar::is_tar(start) {
            Some(if oci::is_member(tar::first(start)) { Self::Images } else { Self::Tar })
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
            Self::Images => return oci::read(&mut input, name, facts, report),
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

/// A file system that is read where it is.
#[derive(Clone, Copy)]
enum FileSystem {
    Squashfs,
    Ext4,
    Fat,
}

impl FileSystem {
    /// What the beginning of a file or of a partition says.
    fn of(start: &[u8]) -> Option<Self> {
        if squashfs::is_squashfs(start) {
            Some(Self::Squashfs)
        } else if ext4::is_ext4(start) {
            Some(Self::Ext4)
        } else {
            fat::is_fat(start).then_some(Self::Fat)
        }
    }
}

/// Reads the image of a file system that begins with `start`.
fn file_system(
    source: &Rc<dyn Source>,
    start: &[u8],
    name: &str,
    taken: &mut Taken,
    facts: &mut Facts,
    report: &mut Report,
    progress: &dyn Progress,
) -> Result<(), String> {
    let mut intake = Intake::after(*taken);
    let source = &Metered { source: source.as_ref(), left: Cell::new(MAX_READ) };
    let result = match FileSystem::of(start) {
        Some(FileSystem::Squashfs) => squashfs::read(source, name, &mut intake, progress),
        Some(FileSystem::Ext4) => ext4::read(source, name, &mut intake, progress),
        Some(FileSystem::Fat) => fat::read(source, &mut intake),
        None => Err("it is no file system that biarch knows".to_owned()),
    };
    if let Err(because) = result {
        if intake.is_empty() {
            return Err(because);
        }
        report.not_checked.push(Unchecked { what: name.to_owned(), because });
    }
    *taken = intake.taken();
    intake.finish(name.to_owned(), format!("{name}:"), Extent::Unknown, facts, report);
    Ok(())
}

/// An image of which only so much is read: its tables may send a reader round in it.
struct Metered<'a> {
    source: &'a dyn Source,
    left: Cell<u64>,
}

impl Source for Metered<'_> {
    fn size(&self) -> u64 {
        self.source.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        // Many small reads cost as well.
        let left = self.left.get().checked_sub((buffer.len() as u64).max(512));
        self.left.set(left.ok_or_else(|| std::io::Error::other("more of it would have to be read than any image has"))?);
        self.source.read_at(offset, buffer)
    }
}

/// Reads what is in the partitions of the image `name`.
fn disk(
    partitions: Vec<disk::Partition>,
    name: &str,
    facts: &mut Facts,
    report: &mut Report,
    progress: &dyn Progress,
) -> Result<(), String> {
    let before = facts.roots.len();
    let mut left_out = Vec::new();
    let mut taken = Taken::default();
    for disk::Partition { number, contents } in partitions {
        let mut start = vec![0; usize::try_from(contents.size()).unwrap_or(usize::MAX).min(disk::BEGINNING)];
        let read = contents.read_at(0, &mut start).map_err(|error| error.to_string());
        let name = format!("{name}:{number}");
        let because = match (read, FileSystem::of(&start)) {
            (Err(error), _) => error,
            (Ok(()), Some(_)) => match file_system(&contents, &start, &name, &mut taken, facts, report, progress) {
                Ok(()) => continue,
                Err(because) => because,
            },
            (Ok(()), None) => match disk::foreign(&start) {
                Some(what) => format!("it is {what}, which biarch does not read"),
                None => "there is no file system in it".to_owned(),
            },
        };
        left_out.push(Unchecked { what: name, because });
    }
    if facts.roots.len() == before {
        let list: Vec<_> = left_out.iter().map(|left| format!("{}: {}", left.what, left.because)).collect();
        return Err(format!("none of its partitions has a file system that biarch reads ({})", list.join("; ")));
    }
    report.not_checked.extend(left_out);
    Ok(())
}

/// The command that unpacks a file.
fn unpacking(compression: Compression) -> String {
    let command = match compression {
        Compression::Gzip => "gzip",
        Compression::Lzo => "lzop",
        Compression::Lz4Legacy => "lz4",
        Compression::Lzma => "xz --format=lzma",
        other => other.name(),
    };
    format!("`{command} -d FILE`")
}

/// Reads the file at `path` into `facts`; the error says why not.
pub(super) fn read(path: &Path, facts: &mut Facts, report: &mut Report, progress: &dyn Progress) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let mut file = open(path).map_err(text)?;
    let start = beginning(&mut file)?;
    file.rewind().map_err(text)?;
    let name = name(path);
    if start.starts_with(b"\x7fELF") && !is_image(&start) {
        let source = OpenFile::new(file);
        let details = details(&source, Depth::Symbols32).map_err(|error| error.to_string())?;
        facts.objects.push(module::noted(Object::new(path.as_os_str().as_bytes().to_vec(), details), &source));
        return Ok(());
    }
    if module::is_compressed(path.as_os_str().as_bytes()) {
        let object = module::unpacked(path.as_os_str().as_bytes().to_vec(), file);
        facts.objects.push(object.ok_or("its name is that of a compressed kernel module, and it is none")?);
        return Ok(());
    }
    let size = file.metadata().map_err(text)?.len();
    if let Some(archive) = Archive::of(&start) {
        return archive.read(BufReader::new(Watched::new(file, size, &name, progress)), &name, facts, report);
    }
    if !is_image(&start) || FileSystem::of(&start).is_some() {
        let source: Rc<dyn Source> = Rc::new(OpenFile::new(file.try_clone().map_err(text)?));
        if FileSystem::of(&start).is_some() {
            return file_system(&source, &start, &name, &mut Taken::default(), facts, report, progress);
        }
        if let Some(partitions) = disk::partitions(&source).filter(|_| disk::foreign(&start).is_none()) {
            return disk(partitions, &name, facts, report, progress);
        }
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
        if FileSystem::of(&inside).is_some() || inside.get(510..512) == Some(b"\x55\xaa") && !is_image(&inside) {
            return Err(format!(
                "it is a compressed image of a disk or a file system; unpack it first, {}",
                unpacking(compression)
            ));
        }
        file.rewind().map_err(text)?;
    } else if kit::is_kit(&start) {
        return kit::read(&name, file, facts, report);
    } else if is_config(&start) {
        facts.kernels.push(kernel::config(name, file)?);
        return Ok(());
    } else if !is_image(&start) {
        if let Some(what) = disk::foreign(&start) {
            return Err(format!("it is {what}, which biarch does not read; mount it and give the directory"));
        }
        return Err("it is no kernel image, no kernel configuration, no ELF file, and no archive or image of a root file system"
            .to_owned());
    }
    facts.kernels.push(kernel::image(name, &OpenFile::new(file))?);
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

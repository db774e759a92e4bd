//! One file: a kernel, its configuration, an archive of a root file system, or an ELF file.

use super::{kit, name, open, tar};
use crate::config::Config;
use crate::facts::{Facts, Kernel, Object};
use crate::progress::{Progress, Watched};
use crate::root::Root;
use elf::kernel::{self, Compression};
use elf::{Depth, OpenFile, Source, details};
use findings::Report;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Enough of a file to know what it is.
const BEGINNING: u64 = 16 << 10;
/// A configuration has 100 to 400 KiB.
const MAX_CONFIG: u64 = 8 << 20;

/// Reads the file at `path` into `facts`; the error says why not.
pub(super) fn read(path: &Path, facts: &mut Facts, report: &mut Report, progress: &dyn Progress) -> Result<(), String> {
    let mut file = open(path).map_err(|error| error.to_string())?;
    let start = beginning(&mut file)?;
    file.rewind().map_err(|error| error.to_string())?;
    if start.starts_with(b"\x7fELF") && !kernel::is_image(&start) {
        let source = OpenFile::new(file).map_err(|error| error.to_string())?;
        let details = details(&source, Depth::Symbols32).map_err(|error| error.to_string())?;
        facts.objects.push(Object::new(path.as_os_str().as_bytes().to_vec(), details));
        return Ok(());
    }
    let name = name(path);
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if tar::is_tar(&start) {
        return archive(path, BufReader::new(Watched::new(file, size, &name, progress)), facts, report);
    }
    if let Some(compression) = Compression::of(&start) {
        // What is inside shows in its beginning. lz4 is only used for kernels.
        let inside = kernel::reader(BufReader::new(&file), compression).ok().map(beginning).transpose().unwrap_or_default();
        let inside = inside.unwrap_or_default();
        file.rewind().map_err(|error| error.to_string())?;
        let packed = BufReader::new(Watched::new(&file, size, &name, progress));
        if tar::is_tar(&inside) {
            return archive(path, kernel::reader(packed, compression).map_err(|error| error.to_string())?, facts, report);
        }
        if is_config(&inside) {
            return config(path, kernel::reader(packed, compression).map_err(|error| error.to_string())?, facts);
        }
    } else if kit::is_kit(&start) {
        return kit::read(&name, file, facts, report);
    } else if is_config(&start) {
        return config(path, file, facts);
    } else if !kernel::is_image(&start) {
        return Err("it is no kernel image, no kernel configuration, no ELF file and no tar archive".to_owned());
    }
    facts.kernels.push(image(path, file)?);
    Ok(())
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

fn config(path: &Path, input: impl Read, facts: &mut Facts) -> Result<(), String> {
    let mut bytes = Vec::new();
    input.take(MAX_CONFIG).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let config = Config::parse(&String::from_utf8_lossy(&bytes)).ok_or("it has no kernel option in it")?;
    facts.kernels.push(Kernel { name: name(path), config: Some(config), image: None, machine: None });
    Ok(())
}

/// The kernel whose image is in `file`.
pub(super) fn image(path: &Path, mut file: File) -> Result<Kernel, String> {
    file.rewind().map_err(|error| error.to_string())?;
    let start = beginning(&mut file)?;
    let source = OpenFile::new(file).map_err(|error| error.to_string())?;
    let mut size = source.size();
    if start.starts_with(b"\x7fELF") {
        // A vmlinux may have a gigabyte of debug information behind what is loaded.
        if let Ok(details) = details(&source, Depth::Headers) {
            size = details.loads.iter().map(|load| load.offset.saturating_add(load.size)).max().unwrap_or(size).min(size);
        }
    }
    let size = usize::try_from(size).ok().filter(|size| *size <= kernel::MAX_UNPACKED).ok_or("it is larger than any kernel")?;
    let mut contents = vec![0; size];
    source.read_at(0, &mut contents).map_err(|error| error.to_string())?;
    let image = kernel::image(&contents).map_err(|error| error.to_string())?;
    let config = image.config.as_deref().and_then(Config::parse);
    Ok(Kernel { name: name(path), config, image: Some(image), machine: None })
}

fn archive(path: &Path, input: impl Read, facts: &mut Facts, report: &mut Report) -> Result<(), String> {
    let name = name(path);
    let tree = tar::read(input, &name, report)?;
    facts.roots.push(Root::new(name.clone(), format!("{name}:"), tree));
    Ok(())
}

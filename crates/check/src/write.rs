//! `--write`: applies a patch below its tree, and nowhere else.
//!
//! Every directory on the way is opened by itself and without following links, so that no link, not even one that is made
//! meanwhile, leads out of the tree. A file appears or changes as a whole, by a rename.

use findings::{Patch, Step};
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, fchmod, mkdirat, openat, renameat, renameat_with, unlinkat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path};

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Created,
    /// Lines were added to it.
    Appended,
    /// It was like that already.
    Unchanged,
}

impl Outcome {
    /// For a person.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Appended => "added lines to",
            Self::Unchanged => "nothing to do in",
        }
    }
}

/// A build system's file has some KiB; what is larger is none.
const MAX_FILE: u64 = 4 << 20;

/// Applies the steps that change files; each with the name of its file, in order.
#[must_use]
pub fn apply(patch: &Patch) -> Vec<(String, Result<Outcome, String>)> {
    let file_steps = patch.steps.iter().filter_map(|step| match step {
        Step::Create { path, contents } => Some((path, step, contents.clone())),
        Step::Append { path, contents } => Some((path, step, patch.block(contents))),
        Step::Fragment { .. } | Step::Run { .. } | Step::BootArgument { .. } => None,
    });
    let mut outcomes = Vec::new();
    for (path, step, contents) in file_steps {
        let shown = crate::facts::shown(std::os::unix::ffi::OsStrExt::as_bytes(patch.directory.join(path).as_os_str()));
        let outcome = apply_one(patch, Path::new(path), matches!(step, Step::Append { .. }), &contents);
        let failed = outcome.is_err();
        outcomes.push((shown, outcome));
        // A later step may need this one: a line that inherits a class that is not there stops the build.
        if failed {
            break;
        }
    }
    outcomes
}

fn apply_one(patch: &Patch, path: &Path, append: bool, contents: &str) -> Result<Outcome, String> {
    let directory = parent(&patch.directory, path)?;
    let name = path.file_name().ok_or("it has no name")?;
    let old =
        match openat(&directory, name, OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => Some(read(file)?),
            Err(Errno::NOENT) => None,
            Err(Errno::LOOP) => {
                return Err("it is a symbolic link, which is not followed; give the tree that it leads to".to_owned());
            }
            Err(error) => return Err(error.to_string()),
        };
    let Some((old, metadata)) = old else {
        replace(&directory, name, contents.as_bytes(), None)?;
        return Ok(Outcome::Created);
    };
    let has = |part: &str| old.windows(part.len().max(1)).any(|window| window == part.as_bytes());
    if old == contents.as_bytes() || append && has(contents) {
        return Ok(Outcome::Unchanged);
    } else if !append {
        return Err("there is such a file already, and it is not biarch's; move it away, or change it by hand".to_owned());
    } else if has(&patch.mark()) {
        return Err(format!("it has other lines below `{}`; take them out, then try again", patch.mark()));
    }
    if old.trim_ascii_end().ends_with(b"\\") {
        return Err("its last line ends with a backslash, so that what is added would belong to it".to_owned());
    }
    let mut new = old;
    if !new.is_empty() && !new.ends_with(b"\n") {
        new.push(b'\n');
    }
    new.extend_from_slice(contents.as_bytes());
    replace(&directory, name, &new, Some(&metadata))?;
    Ok(Outcome::Appended)
}

/// Opens the directory that `path` is in, and makes those that are not there.
fn parent(tree: &Path, path: &Path) -> Result<OwnedFd, String> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at = openat(rustix::fs::CWD, tree, flags, Mode::empty()).map_err(|error| error.to_string())?;
    for part in path.parent().unwrap_or(Path::new("")).components() {
        let Component::Normal(part) = part else { return Err("its path leads out of the tree".to_owned()) };
        match mkdirat(&at, part, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.to_string()),
        }
        at = openat(&at, part, flags | OFlags::NOFOLLOW, Mode::empty()).map_err(|error| match error {
            Errno::LOOP | Errno::NOTDIR => {
                format!("{} on the way is a link or no directory, and links are not followed", Path::new(part).display())
            }
            error => error.to_string(),
        })?;
    }
    Ok(at)
}

/// Reads a regular file, and what its successor is to have of it.
fn read(file: OwnedFd) -> Result<(Vec<u8>, Metadata), String> {
    let file = File::from(file);
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let mut text = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_FILE {
        return Err("it is too large for a file of a build system".to_owned());
    }
    Ok((text, metadata))
}

/// Puts a file in place as a whole, with mode and owner of the one that was there.
fn replace(directory: &OwnedFd, name: &OsStr, contents: &[u8], old: Option<&Metadata>) -> Result<(), String> {
    let temporary = format!(".biarch-{}", std::process::id());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(directory, &temporary, flags, Mode::from_raw_mode(0o600)).map_err(|error| error.to_string())?;
    let written = (|| {
        if let Some(old) = old {
            // Only root can give a file away; whoever else may write here then owns the new one.
            let _ = std::os::unix::fs::fchown(&file, Some(old.uid()), Some(old.gid()));
        }
        fchmod(&file, Mode::from_raw_mode(old.map_or(0o644, |old| old.mode() & 0o777)))?;
        let mut file = File::from(file);
        file.write_all(contents)?;
        file.sync_all()?;
        // What came into being meanwhile is somebody's.
        if old.is_none() {
            match renameat_with(directory, &temporary, directory, name, RenameFlags::NOREPLACE) {
                // Not every file system knows this flag.
                Err(Errno::INVAL) => rustix::fs::linkat(directory, &temporary, directory, name, AtFlags::empty())
                    .and_then(|()| unlinkat(directory, &temporary, AtFlags::empty()))?,
                result => result?,
            }
        } else {
            renameat(directory, &temporary, directory, name)?;
        }
        Ok::<(), std::io::Error>(())
    })();
    written.map_err(|error| {
        let _ = unlinkat(directory, &temporary, AtFlags::empty());
        error.to_string()
    })
}

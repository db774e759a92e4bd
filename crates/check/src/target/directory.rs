//! A directory: a root file system, with the kernels in its `/boot`.

use super::descriptors::Descriptors;
use super::intake::{Extent, Intake, MAX_ENTRIES, is_left_out};
use super::{name, open};
use crate::Progress;
use crate::facts::Facts;
use crate::root::Entry;
use elf::OpenFile;
use findings::Report;
use rustix::fs::{AtFlags, Dir, DirEntry, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::CStr;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// Directories to read.
#[derive(Default)]
struct Work {
    /// Paths from the root, without the last slash.
    todo: Vec<Vec<u8>>,
    /// Threads that may still add to `todo`.
    busy: usize,
    /// Threads that wait for that.
    waiting: usize,
    entries: usize,
}

/// Reads the root file system at `path` into `facts`.
pub(super) fn read(path: &Path, facts: &mut Facts, report: &mut Report, progress: &dyn Progress) {
    let work = Mutex::new(Work { todo: vec![Vec::new()], ..Work::default() });
    let more = Condvar::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let mut intake = Intake::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| walk(path, &work, &more, progress))).collect();
        for worker in workers {
            // A thread that panicked takes the program with it: panics abort.
            let Ok(part) = worker.join() else { continue };
            intake.merge(part);
        }
    });
    // Which thread met which kernel first must not show.
    for kernel in intake.postponed() {
        match open(&place(path, &kernel)).map(OpenFile::new) {
            Ok(file) => intake.kernel(&kernel, &file),
            Err(error) => intake.failed(kernel, error.to_string()),
        }
    }
    let prefix = name(path);
    intake.finish(prefix.clone(), prefix.trim_end_matches('/').to_owned(), Extent::Unknown, facts, report);
}

/// Reads directories until there are none left.
fn walk(root: &Path, work: &Mutex<Work>, more: &Condvar, progress: &dyn Progress) -> Intake {
    let shown = name(root);
    let lock = || work.lock().unwrap_or_else(PoisonError::into_inner);
    let mut intake = Intake::postponing();
    let mut descriptors = Descriptors::of_this_thread();
    let mut state = lock();
    loop {
        let Some(directory) = state.todo.pop() else {
            if state.busy == 0 {
                more.notify_all();
                return intake;
            }
            state.waiting += 1;
            state = more.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
            continue;
        };
        if state.entries > MAX_ENTRIES {
            continue;
        }
        state.busy += 1;
        drop(state);
        let before = intake.count;
        let found = list(root, &directory, &mut intake, &mut descriptors);
        state = lock();
        state.busy -= 1;
        state.entries += intake.count - before;
        progress.at(state.entries as u64, None, &shown);
        state.todo.extend(found);
        // Nobody is woken for nothing: that is a system call for each directory.
        if state.waiting > 0 {
            more.notify_all();
        }
    }
}

/// Where `path` of the root file system at `root` is.
fn place(root: &Path, path: &[u8]) -> PathBuf {
    let mut full = root.as_os_str().as_bytes().to_vec();
    while full.ends_with(b"/") {
        full.pop();
    }
    full.extend_from_slice(if path.is_empty() && full.is_empty() { b"/" } else { path });
    PathBuf::from(std::ffi::OsString::from_vec(full))
}

/// Reads one directory; gives the directories in it.
fn list(root: &Path, directory: &[u8], intake: &mut Intake, descriptors: &mut Descriptors) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut entries = match open_directory(&place(root, directory)) {
        Ok(entries) => entries,
        Err(error) => {
            intake.failed(directory.to_vec(), error.to_string());
            return found;
        }
    };
    while let Some(entry) = entries.read() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                intake.failed(directory.to_vec(), io::Error::from(error).to_string());
                continue;
            }
        };
        let file_name = entry.file_name();
        if matches!(file_name.to_bytes(), b"." | b"..") {
            continue;
        }
        let path = [directory, file_name.to_bytes()].join(&b'/');
        let Ok(opened) = entries.fd() else { continue };
        match kind(opened, &entry) {
            Ok(FileType::Directory) => {
                if !is_left_out(&path) {
                    found.push(path.clone());
                }
                intake.add(path, Entry::Directory);
            }
            Ok(FileType::Symlink) => match rustix::fs::readlinkat(opened, file_name, Vec::new()) {
                Ok(target) => intake.add(path, Entry::Link(target.into_bytes())),
                Err(error) => intake.failed(path, io::Error::from(error).to_string()),
            },
            Ok(FileType::RegularFile) => match regular(opened, file_name, descriptors) {
                Ok(file) => {
                    intake.file(path, &file);
                    descriptors.close(file.into_file().into());
                }
                Err(error) => {
                    intake.failed(path.clone(), error.to_string());
                    intake.add(path, Entry::File);
                }
            },
            Ok(_) => intake.add(path, Entry::Special),
            Err(error) => intake.failed(path, error.to_string()),
        }
    }
    found
}

fn open_directory(path: &Path) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(Dir::new(rustix::fs::open(path.join(""), flags, Mode::empty())?)?)
}

/// What an entry is. Some file systems do not say it with the name.
fn kind(directory: BorrowedFd<'_>, entry: &DirEntry) -> io::Result<FileType> {
    Ok(match entry.file_type() {
        FileType::Unknown => {
            let stat = rustix::fs::statat(directory, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
            FileType::from_raw_mode(stat.st_mode)
        }
        known => known,
    })
}

/// Opens what was a regular file a moment ago. What has taken its place must not make us wait.
fn regular(directory: BorrowedFd<'_>, name: &CStr, descriptors: &mut Descriptors) -> io::Result<OpenFile> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let open = || rustix::fs::openat(directory, name, flags, Mode::empty());
    let file = match open() {
        Err(Errno::MFILE) if descriptors.close_all() => open()?,
        opened => opened?,
    };
    Ok(OpenFile::new(file.into()))
}

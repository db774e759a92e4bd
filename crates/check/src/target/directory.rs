//! A directory: a root file system, with the kernels in its `/boot`.

use super::intake::{Extent, Intake, MAX_ENTRIES, is_left_out};
use super::{name, open};
use crate::facts::Facts;
use crate::progress::Progress;
use crate::root::Entry;
use elf::OpenFile;
use findings::Report;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// Directories to read.
#[derive(Default)]
struct Work {
    /// Paths from the root, without the last slash.
    todo: Vec<Vec<u8>>,
    /// Threads that may still add to `todo`.
    busy: usize,
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
        match open(&place(path, &kernel)).and_then(OpenFile::new) {
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
    let mut state = lock();
    loop {
        let Some(directory) = state.todo.pop() else {
            if state.busy == 0 {
                more.notify_all();
                return intake;
            }
            state = more.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        if state.entries > MAX_ENTRIES {
            continue;
        }
        state.busy += 1;
        drop(state);
        let before = intake.count;
        let found = list(root, &directory, &mut intake);
        state = lock();
        state.busy -= 1;
        state.entries += intake.count - before;
        progress.at(state.entries as u64, None, &shown);
        state.todo.extend(found);
        more.notify_all();
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
fn list(root: &Path, directory: &[u8], intake: &mut Intake) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let entries = match std::fs::read_dir(place(root, directory).join("")) {
        Ok(entries) => entries,
        Err(error) => {
            intake.failed(directory.to_vec(), error.to_string());
            return found;
        }
    };
    for entry in entries {
        let (path, kind) = match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok((file_name, kind)) => ([directory, file_name.as_bytes()].join(&b'/'), kind),
            Err(error) => {
                intake.failed(directory.to_vec(), error.to_string());
                continue;
            }
        };
        if kind.is_dir() {
            if !is_left_out(&path) {
                found.push(path.clone());
            }
            intake.add(path, Entry::Directory);
        } else if kind.is_symlink() {
            match std::fs::read_link(place(root, &path)) {
                Ok(target) => intake.add(path, Entry::Link(target.into_os_string().into_vec())),
                Err(error) => intake.failed(path, error.to_string()),
            }
        } else if kind.is_file() {
            match regular(&place(root, &path)) {
                Ok(file) => intake.file(path, &file),
                Err(error) => {
                    intake.failed(path.clone(), error.to_string());
                    intake.add(path, Entry::File);
                }
            }
        } else {
            intake.add(path, Entry::Special);
        }
    }
    found
}

/// Opens what was a regular file a moment ago. What has taken its place must not make us wait.
fn regular(path: &Path) -> io::Result<OpenFile> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    OpenFile::new(OpenOptions::new().read(true).custom_flags(flags).open(path)?)
}

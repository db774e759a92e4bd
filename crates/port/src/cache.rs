//! What earlier runs have found in files that are the same as they were, and what programs have answered that were asked.
//!
//! A result is kept in a file of its own, whose name stands for all that was asked: the file and its arguments for both word sizes,
//! this biarch, this libclang. In it are the contents of all files that were read, as hashes, and the names in all directories that
//! were searched, so that a header that appears before another is noticed. What is damaged does not count.

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::env;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// The directory for what can be made again, of the XDG Base Directory Specification.
///
/// # Errors
/// Where the environment names none.
pub(crate) fn directory() -> Result<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Ok(cache.context("there is no HOME: set XDG_CACHE_HOME to a directory that can be written")?.join("biarch/port"))
}

/// What stands for a text of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Key([u8; 16]);

impl Key {
    /// That of a text.
    pub(crate) fn of(text: &(impl AsRef<[u8]> + ?Sized)) -> Self {
        let mut key = [0; 16];
        key.copy_from_slice(&Sha256::digest(text.as_ref())[..16]);
        Self(key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

/// All bytes of the cache, at most; what was not used for longest goes first.
const LIMIT: u64 = 512 << 20;
/// A file of more bytes is known by its size and times, as make knows it.
const LARGE: u64 = 16 << 20;
/// A program of more bytes, as a compiler, is so as well: nobody writes it anew with the same text.
const LARGE_PROGRAM: u64 = 64 << 10;
/// What compilers write: it is no header, and comes and goes with every build.
const WRITTEN: [&str; 13] = ["o", "lo", "d", "Po", "Plo", "a", "la", "so", "gcno", "gcda", "log", "json", "tmp"];

/// A result as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    files: Vec<(String, Option<Key>)>,
    directories: Vec<(String, Option<Key>)>,
    result: T,
}

/// What a result depends on besides what was asked.
#[derive(Default)]
pub(crate) struct Seen {
    /// The files that were read.
    pub(crate) files: BTreeSet<String>,
    /// The directories that were searched.
    pub(crate) directories: BTreeSet<String>,
}

/// The results of earlier runs.
#[derive(Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
    started: SystemTime,
    /// What has been looked at in this run, by path.
    contents: Mutex<HashMap<String, Option<Key>>>,
    names: Mutex<HashMap<String, Option<Key>>>,
    has_stored: AtomicBool,
}

impl Cache {
    /// That in this directory.
    pub(crate) fn open(directory: &Path) -> Self {
        Self {
            directory: directory.join("results"),
            started: SystemTime::now(),
            contents: Mutex::default(),
            names: Mutex::default(),
            has_stored: AtomicBool::default(),
        }
    }

    fn path(&self, key: Key) -> PathBuf {
        let name = key.to_string();
        self.directory.join(&name[..2]).join(&name[2..])
    }

    /// What was found when this was asked, if everything is as it was.
    pub(crate) fn find<T: DeserializeOwned>(&self, key: Key) -> Option<T> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let (sum, text) = bytes.split_at_checked(16)?;
        if Key::of(text).0 != sum {
            return None;
        }
        let kept: Kept<T> = serde_json::from_slice(text).ok()?;
        let same = kept.files.iter().all(|(path, key)| self.content(path) == *key)
            && kept.directories.iter().all(|(path, key)| self.names(path) == *key);
        // So that it is known when it was used.
        let used = same.then(|| File::options().append(true).open(&path).and_then(|file| file.set_modified(self.started)));
        used.map(|_| kept.result)
    }

    /// Keeps what was found. A cache that cannot be written is none.
    pub(crate) fn store<T: Serialize>(&self, key: Key, seen: &Seen, result: &T) {
        let is_old = |path: &String| {
            let changed = fs::metadata(path).and_then(|of| of.modified());
            changed.is_ok_and(|changed| changed < self.started)
        };
        // What is written while this runs may not be what was read.
        if !seen.files.iter().all(is_old) {
            return;
        }
        let kept = Kept {
            files: seen.files.iter().map(|path| (path.clone(), self.content(path))).collect(),
            directories: seen.directories.iter().map(|path| (path.clone(), self.names(path))).collect(),
            result,
        };
        let Ok(text) = serde_json::to_vec(&kept) else { return };
        let path = self.path(key);
        let beside = path.with_extension(format!("{}", std::process::id()));
        let bytes = [&Key::of(&text).0[..], &text].concat();
        let written = path.parent().map(fs::create_dir_all).is_some_and(|made| made.is_ok())
            && fs::write(&beside, bytes).is_ok()
            && fs::rename(&beside, &path).is_ok();
        if written {
            self.has_stored.store(true, Ordering::Relaxed);
        } else {
            // A full disk is not to stay so.
            let _ = fs::remove_file(&beside);
        }
    }

    /// What stands for the content of a file; nothing, where it cannot be read.
    fn content(&self, path: &str) -> Option<Key> {
        remembered(&self.contents, path, || {
            let mut digest = Sha256::new();
            let file = File::open(path).ok()?;
            let of = file.metadata().ok().filter(Metadata::is_file)?;
            let large = if of.mode() & 0o111 == 0 { LARGE } else { LARGE_PROGRAM };
            if of.len() > large {
                return Some(Key::of(&format!("{:?}", (of.dev(), of.ino(), of.len(), of.mtime(), of.mtime_nsec(), of.ctime()))));
            }
            std::io::copy(&mut { file }, &mut Hashing(&mut digest)).ok()?;
            let mut key = [0; 16];
            key.copy_from_slice(&digest.finalize()[..16]);
            Some(Key(key))
        })
    }

    /// What stands for the names in a directory; nothing, where there is none.
    fn names(&self, path: &str) -> Option<Key> {
        remembered(&self.names, path, || {
            let mut names: Vec<Vec<u8>> =
                fs::read_dir(path).ok()?.flatten().map(|entry| entry.file_name().into_encoded_bytes()).collect();
            let is_written = |name: &[u8]| {
                name.rsplit(|byte| *byte == b'.').next().is_some_and(|end| WRITTEN.iter().any(|other| end == other.as_bytes()))
            };
            names.retain(|name| !is_written(name));
            names.sort();
            Some(Key::of(&names.join(&0)))
        })
    }

    /// Removes what has not been used for longest, if there is too much.
    pub(crate) fn tidy(&self) {
        if !self.has_stored.load(Ordering::Relaxed) {
            return;
        }
        let below = |path: PathBuf| fs::read_dir(path).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, u64, PathBuf)> = below(self.directory.clone())
            .flat_map(|entry| below(entry.path()))
            .filter_map(|entry| {
                let of = entry.metadata().ok()?;
                Some((of.modified().ok()?, of.len(), entry.path()))
            })
            .collect();
        files.sort();
        let mut total: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files {
            if total <= LIMIT {
                break;
            }
            let _ = fs::remove_file(path);
            total -= length;
        }
    }
}

/// Hashes what is written to it.
struct Hashing<'a>(&'a mut Sha256);

impl std::io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What was answered when this was asked before, or is now, with what the answer depends on. What is not there is not kept: it may come.
pub(crate) fn ask<T: Serialize + DeserializeOwned>(
    cache: Option<&Cache>,
    key: Key,
    ask: impl FnOnce() -> Option<(T, Seen)>,
) -> Option<T> {
    if let Some(known) = cache.and_then(|cache| cache.find(key)) {
        return Some(known);
    }
    let (answer, seen) = ask()?;
    if let Some(cache) = cache {
        cache.store(key, &seen, &answer);
    }
    Some(answer)
}

fn remembered(known: &Mutex<HashMap<String, Option<Key>>>, path: &str, find: impl FnOnce() -> Option<Key>) -> Option<Key> {
    if let Some(key) = known.lock().ok().and_then(|known| known.get(path).copied()) {
        return key;
    }
    let key = find();
    if let Ok(mut known) = known.lock() {
        known.insert(path.to_owned(), key);
    }
    key
}

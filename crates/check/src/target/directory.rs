//! A directory: a root file system, with the kernels in its `/boot`.

use super::{file, name, open};
use crate::config::Config;
use crate::facts::{Facts, Kernel, Object, shown};
use crate::progress::Progress;
use crate::root::{Entry, Root, Tree, is_loader_configuration};
use elf::{Depth, OpenFile, details};
use findings::{Report, Unchecked};
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// Paths that are looked at; a developer's whole machine has a million or two.
const MAX_ENTRIES: usize = 3_000_000;
/// Root file systems inside a root file system that are named.
const MAX_NESTED: usize = 20;
/// Kernels that are looked at: a board that never removed one has a few.
const MAX_KERNELS: usize = 8;
/// What is no part of a root file system, although it is there when the system runs.
const NOT_ENTERED: &[&[u8]] = &[b"/proc", b"/sys", b"/dev", b"/run"];
/// A file of the loader's configuration has a line or two.
const MAX_CONFIGURATION: u64 = 64 << 10;

/// Directories to read, and what became of the others.
#[derive(Default)]
struct Work {
    /// Paths from the root, without the last slash.
    todo: Vec<Vec<u8>>,
    /// Threads that may still add to `todo`.
    busy: usize,
    entries: usize,
    /// What could not be read: how many, and the first.
    failures: usize,
    first: Option<(String, String)>,
}

/// Reads the root file system at `path` into `facts`.
pub(super) fn read(path: &Path, facts: &mut Facts, report: &mut Report, progress: &dyn Progress) {
    let work = Mutex::new(Work { todo: vec![Vec::new()], ..Work::default() });
    let more = Condvar::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let mut tree = Tree::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| walk(path, &work, &more, progress))).collect();
        for worker in workers {
            // A thread that panicked takes the program with it: panics abort.
            let Ok(part) = worker.join() else { continue };
            tree.objects.extend(part.objects);
            tree.entries.extend(part.entries);
            tree.configurations.extend(part.configurations);
        }
    });
    let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((what, because)) = work.first {
        let more = if work.failures > 1 { format!(" (and {} more)", work.failures - 1) } else { String::new() };
        report.not_checked.push(Unchecked { what: what + &more, because });
    }
    if work.entries > MAX_ENTRIES {
        let because = format!("it has more than {MAX_ENTRIES} paths; those that were read last are left out");
        report.not_checked.push(Unchecked { what: name(path), because });
    }
    kernels(path, &tree, facts, report);
    let prefix = name(path);
    let root = Root::new(prefix.clone(), prefix.trim_end_matches('/').to_owned(), tree);
    let nested = root.nested.iter().take(MAX_NESTED).map(|inner| Unchecked {
        what: format!("{}{}", root.prefix, shown(inner)),
        because: "it is a root file system of its own; give it as a target".to_owned(),
    });
    report.not_checked.extend(nested);
    if let Some(more) = root.nested.len().checked_sub(MAX_NESTED).filter(|more| *more > 0) {
        let because = format!("{more} more root file systems are inside it");
        report.not_checked.push(Unchecked { what: root.name.clone(), because });
    }
    facts.roots.push(root);
}

/// Reads directories until there are none left.
fn walk(root: &Path, work: &Mutex<Work>, more: &Condvar, progress: &dyn Progress) -> Tree {
    let shown = name(root);
    let lock = || work.lock().unwrap_or_else(PoisonError::into_inner);
    let mut tree = Tree::default();
    let mut state = lock();
    loop {
        let Some(directory) = state.todo.pop() else {
            if state.busy == 0 {
                more.notify_all();
                return tree;
            }
            state = more.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        if state.entries > MAX_ENTRIES {
            continue;
        }
        state.busy += 1;
        drop(state);
        let mut failures = Vec::new();
        let (count, found) = list(root, &directory, &mut tree, &mut failures);
        state = lock();
        state.busy -= 1;
        state.entries += count;
        progress.at(state.entries as u64, None, &shown);
        state.failures += failures.len();
        if state.first.is_none() {
            state.first = failures.into_iter().next();
        }
        state.todo.extend(found);
        more.notify_all();
    }
}

/// One directory: the number of its entries, and the directories in it.
fn list(root: &Path, directory: &[u8], tree: &mut Tree, failures: &mut Vec<(String, String)>) -> (usize, Vec<Vec<u8>>) {
    let place = |path: &[u8]| {
        let mut full = root.as_os_str().as_bytes().to_vec();
        while full.ends_with(b"/") {
            full.pop();
        }
        full.extend_from_slice(if path.is_empty() && full.is_empty() { b"/" } else { path });
        PathBuf::from(std::ffi::OsString::from_vec(full))
    };
    let mut found = Vec::new();
    let entries = match std::fs::read_dir(place(directory).join("")) {
        Ok(entries) => entries,
        Err(error) => {
            failures.push((name(&place(directory)), error.to_string()));
            return (0, found);
        }
    };
    let mut count = 0;
    for entry in entries {
        let (path, kind) = match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok((file_name, kind)) => ([directory, file_name.as_bytes()].join(&b'/'), kind),
            Err(error) => {
                failures.push((name(&place(directory)), error.to_string()));
                continue;
            }
        };
        count += 1;
        if kind.is_dir() {
            if !NOT_ENTERED.contains(&path.as_slice()) {
                found.push(path.clone());
            }
            tree.entries.insert(path, Entry::Directory);
        } else if kind.is_symlink() {
            match std::fs::read_link(place(&path)) {
                Ok(target) => drop(tree.entries.insert(path, Entry::Link(target.into_os_string().into_vec()))),
                Err(error) => failures.push((name(&place(&path)), error.to_string())),
            }
        } else if kind.is_file() {
            match regular(&place(&path), &path, tree) {
                Ok(Some(object)) => tree.objects.push(object),
                Ok(None) => drop(tree.entries.insert(path, Entry::File)),
                Err(error) => {
                    failures.push((name(&place(&path)), error.to_string()));
                    tree.entries.insert(path, Entry::File);
                }
            }
        } else {
            tree.entries.insert(path, Entry::Special);
        }
    }
    (count, found)
}

/// The ELF file at `full`, if it is one.
fn regular(full: &Path, path: &[u8], tree: &mut Tree) -> io::Result<Option<Object>> {
    // It was a regular file a moment ago. What has taken its place must not make us wait.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(full)?;
    if is_loader_configuration(path) {
        let mut text = Vec::new();
        file.take(MAX_CONFIGURATION).read_to_end(&mut text)?;
        tree.configurations.insert(path.to_vec(), text);
        return Ok(None);
    }
    let mut magic = [0; 4];
    if file.read_at(&mut magic, 0)? < 4 || &magic != b"\x7fELF" {
        return Ok(None);
    }
    let found = details(&OpenFile::new(file)?, Depth::Symbols32);
    Ok(found.ok().map(|details| Object::new(path.to_vec(), details)))
}

/// The kernels of the root file system, each with the configuration that has the same release in its name.
fn kernels(root: &Path, tree: &Tree, facts: &mut Facts, report: &mut Report) {
    let mut images: Vec<(String, PathBuf)> = Vec::new();
    let mut configs: Vec<(String, PathBuf)> = Vec::new();
    let is_file = |entry: &Entry| matches!(entry, Entry::File);
    let paths = tree.entries.iter().filter(|(_, entry)| is_file(entry)).map(|(path, _)| path.as_slice());
    let paths = paths.chain(tree.objects.iter().map(|object| object.path.as_slice()));
    for path in paths {
        let Some(file_name) = path.strip_prefix(b"/boot/").and_then(|name| std::str::from_utf8(name).ok()) else { continue };
        let full = root.join("boot").join(file_name);
        let release = |kind: &str| file_name.strip_prefix(kind).filter(|rest| !rest.contains('/')).map(str::to_owned);
        let image =
            ["vmlinuz", "vmlinux", "vmlinuz", "zImage", "uImage", "Image", "bzImage"].iter().find_map(|kind| release(kind));
        if let Some(release) = release("config-") {
            configs.push((release, full));
        } else if let Some(release) = image {
            images.push((release.trim_start_matches('-').to_owned(), full));
        }
    }
    images.sort();
    configs.sort();
    if images.len() > MAX_KERNELS {
        let because = format!("there are {} kernels in it; the first {MAX_KERNELS} are looked at", images.len());
        report.not_checked.push(Unchecked { what: name(&root.join("boot")), because });
    }
    for (release, path) in images.iter().take(MAX_KERNELS) {
        let kernel = open(path).map_err(|error| error.to_string()).and_then(|file| file::image(path, file));
        match kernel {
            Ok(mut kernel) => {
                let config = configs.iter().find(|(other, _)| other == release);
                kernel.config = kernel.config.or_else(|| read_config(&config?.1));
                facts.kernels.push(kernel);
            }
            Err(because) => report.not_checked.push(Unchecked { what: name(path), because }),
        }
    }
    for (_, path) in configs.iter().filter(|(release, _)| !images.iter().any(|(other, _)| other == release)).take(MAX_KERNELS) {
        if let Some(config) = read_config(path) {
            facts.kernels.push(Kernel { name: name(path), config: Some(config), image: None, machine: None });
        }
    }
}

fn read_config(path: &Path) -> Option<Config> {
    let mut text = Vec::new();
    open(path).ok()?.take(8 << 20).read_to_end(&mut text).ok()?;
    Config::parse(&String::from_utf8_lossy(&text))
}

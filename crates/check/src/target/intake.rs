//! What is read of a root file system, in whatever format, goes into a tree here: the same is kept of the same.

use super::{kernel, module};
use crate::facts::{Facts, Object, shown};
use crate::root::{Entry, Over, Root, Tree, is_configuration};
use elf::module::MAX_MODULE;
use elf::{Depth, Source, details};
use findings::{Report, Unchecked};
use std::cell::RefCell;
use std::io::{self, Read};

/// Paths that are looked at; a developer's whole machine has a million or two.
pub(super) const MAX_ENTRIES: usize = 3_000_000;
/// The most that is kept of them, in bytes: a hostile archive has long ones, and files that need much.
const MAX_KEPT: usize = 384 << 20;
/// A path, or where a link leads, in bytes: `PATH_MAX` of Linux.
pub(super) const MAX_PATH: usize = 4096;
/// A file of configuration has up to 20 KiB.
const MAX_CONFIGURATION: u64 = 64 << 10;
/// Root file systems inside a root file system that are named.
const MAX_NESTED: usize = 20;
/// The most of one file that is held in memory, where only reading on is possible.
const MAX_HELD: u64 = 256 << 20;
/// What is no part of a root file system, although it is there when the system runs.
const NOT_ENTERED: &[&[u8]] = &[b"/proc", b"/sys", b"/dev", b"/run"];

/// Whether what is below this directory is left out.
pub(super) fn is_left_out(directory: &[u8]) -> bool {
    NOT_ENTERED.contains(&directory)
}

/// A root file system that is being read.
#[derive(Clone, Default)]
pub(super) struct Intake {
    pub(super) tree: Tree,
    /// Paths so far, and bytes that are kept.
    pub(super) count: usize,
    kept: usize,
    /// What could not be read: how many, and the first.
    failures: usize,
    first: Option<(Vec<u8>, String)>,
    /// Images and configurations of kernels that were seen, of which the first few are looked at.
    kernels: usize,
    /// Those that are to be looked at later.
    postponed: Option<Vec<Vec<u8>>>,
}

/// How much of what there is when the system runs a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// A package: what it needs may be in another one.
    Part,
    /// That shows in what there is.
    Unknown,
}

impl Intake {
    /// One that leaves kernels for later.
    pub(super) fn postponing() -> Self {
        Self { postponed: Some(Vec::new()), ..Self::default() }
    }

    /// The paths of kernels that were left for later, the first few of them.
    pub(super) fn postponed(&mut self) -> Vec<Vec<u8>> {
        let mut paths = self.postponed.take().unwrap_or_default();
        paths.sort();
        paths
    }

    /// One that has room for as much less as the others have taken: layers, partitions.
    pub(super) fn after(others: Taken) -> Self {
        Self { count: others.0, kept: others.1, ..Self::default() }
    }

    /// What it and those before it have taken.
    pub(super) fn taken(&self) -> Taken {
        Taken(self.count, self.kept)
    }

    /// Whether nothing was read.
    pub(super) fn is_empty(&self) -> bool {
        self.tree.entries.is_empty()
    }

    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.count > MAX_ENTRIES || self.kept > MAX_KEPT
    }

    /// Adds what is no regular file.
    pub(super) fn add(&mut self, path: Vec<u8>, entry: Entry) {
        self.count += 1;
        self.kept += path.len() + if let Entry::Link(target) = &entry { target.len() } else { 0 };
        if !self.is_full() && !NOT_ENTERED.iter().any(|left| path.strip_prefix(*left).is_some_and(|rest| rest.starts_with(b"/")))
        {
            self.tree.entries.insert(path, entry);
        }
    }

    /// Adds a regular file.
    pub(super) fn file(&mut self, path: Vec<u8>, contents: &(impl Source + ?Sized)) {
        let entry = self.look(&path, contents).unwrap_or_else(|error| {
            // That an archive is cut off it says itself.
            if error.kind() != io::ErrorKind::UnexpectedEof {
                self.failed(path.clone(), error.to_string());
            }
            Entry::File
        });
        self.add(path, entry);
    }

    fn look(&mut self, path: &[u8], contents: &(impl Source + ?Sized)) -> io::Result<Entry> {
        if is_configuration(path) {
            let mut text = vec![0; usize::try_from(contents.size().min(MAX_CONFIGURATION)).unwrap_or_default()];
            contents.read_at(0, &mut text)?;
            self.kept += text.len();
            self.tree.configure(path.to_vec(), text);
            return Ok(Entry::File);
        }
        if module::is_added(path) {
            let mut packed = vec![0; usize::try_from(contents.size().min(MAX_MODULE)).unwrap_or_default()];
            contents.read_at(0, &mut packed)?;
            return Ok(module::unpacked(Vec::new(), packed.as_slice()).map_or(Entry::File, |object| self.object(object)));
        }
        if kernel::role(path).is_some() {
            match &mut self.postponed {
                Some(postponed) => postponed.push(path.to_vec()),
                None => self.kernel(path, contents),
            }
        }
        let mut magic = [0; 4];
        match contents.read_at(0, &mut magic) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(Entry::File),
            read => read?,
        }
        if &magic != b"\x7fELF" {
            return Ok(Entry::File);
        }
        let Ok(details) = details(contents, Depth::Symbols32) else { return Ok(Entry::File) };
        Ok(self.object(module::noted(Object::new(Vec::new(), details), contents)))
    }

    /// Keeps an ELF file.
    fn object(&mut self, object: Object) -> Entry {
        self.kept += weight(&object);
        self.tree.objects.push(object);
        Entry::Object(self.tree.objects.len() - 1)
    }

    /// Looks at the kernel's image or configuration at `path`.
    pub(super) fn kernel(&mut self, path: &[u8], contents: &(impl Source + ?Sized)) {
        self.kernels += 1;
        if self.kernels <= kernel::MAX_KERNELS {
            match kernel::read(path, contents) {
                Ok(kernel) => drop(self.tree.kernels.insert(path.to_vec(), kernel)),
                Err(because) => self.failed(path.to_vec(), because),
            }
        }
    }

    /// Adds another name of the regular file at `target`.
    pub(super) fn hard_link(&mut self, path: Vec<u8>, target: &[u8]) {
        let Some(entry) = self.tree.entries.get(target).cloned() else {
            // Of an archive that is a part of another one. A link leads there as well.
            return self.add(path, Entry::Link(target.to_vec()));
        };
        if let Some(text) = self.tree.configurations.get(target).filter(|_| is_configuration(&path)).cloned() {
            self.kept += text.len();
            self.tree.configure(path.clone(), text);
        }
        if let Some(kernel) = self.tree.kernels.get(target).filter(|_| kernel::role(&path).is_some()) {
            self.kernels += 1;
            if self.kernels <= kernel::MAX_KERNELS {
                self.tree.kernels.insert(path.clone(), kernel.clone());
            }
        }
        self.add(path, entry);
    }

    /// Notes what could not be read, and goes on.
    pub(super) fn failed(&mut self, path: Vec<u8>, because: String) {
        self.failures += 1;
        self.first.get_or_insert((path, because));
    }

    /// Adds what another thread has read of the same.
    pub(super) fn merge(&mut self, other: Self) {
        self.tree.merge(other.tree);
        self.count += other.count;
        self.kept += other.kept;
        self.failures += other.failures;
        self.kernels += other.kernels;
        self.postponed.get_or_insert_default().extend(other.postponed.unwrap_or_default());
        if self.first.is_none() {
            self.first = other.first;
        }
    }

    /// Lays the next layer onto this one.
    pub(super) fn lay(&mut self, layer: &Self) {
        self.tree.lay(layer.tree.clone(), Over::Layer);
        self.count = self.tree.entries.len();
        self.failures += layer.failures;
        self.kernels += layer.kernels;
        if self.first.is_none() {
            self.first.clone_from(&layer.first);
        }
    }

    /// The root file system, with its kernels, becomes facts. `prefix` goes before a path in it.
    pub(super) fn finish(mut self, name: String, prefix: String, extent: Extent, facts: &mut Facts, report: &mut Report) {
        let mut unchecked = |what: String, because: String| report.not_checked.push(Unchecked { what, because });
        if let Some((path, because)) = self.first.take() {
            let more = if self.failures > 1 { format!(" (and {} more)", self.failures - 1) } else { String::new() };
            unchecked(format!("{prefix}{}{more}", shown(&path)), because);
        }
        if self.is_empty() {
            unchecked(name.clone(), "it is empty; if it is where something is mounted, mount that first".to_owned());
        }
        if self.is_full() {
            unchecked(
                name.clone(),
                format!("it has more than {MAX_ENTRIES} paths, or too long ones; those that were read last are left out"),
            );
        }
        if self.kernels > kernel::MAX_KERNELS {
            let because = format!(
                "there are {} images and configurations of kernels in it; {} are looked at",
                self.kernels,
                kernel::MAX_KERNELS
            );
            unchecked(name.clone(), because);
        }
        facts.kernels.extend(kernel::paired(std::mem::take(&mut self.tree.kernels), &prefix));
        let mut root = Root::new(name.clone(), prefix, self.tree);
        root.whole = match extent {
            Extent::Whole => true,
            Extent::Part => false,
            Extent::Unknown => !root.is_package(),
        };
        if extent == Extent::Unknown && root.whole && !root.is_system() {
            (root.whole, root.assumed) = (false, true);
        }
        for inner in root.nested.iter().take(MAX_NESTED) {
            let because = "it is a root file system of its own; give it as a target".to_owned();
            unchecked(format!("{}{}", root.prefix, shown(inner)), because);
        }
        if let Some(more) = root.nested.len().checked_sub(MAX_NESTED).filter(|more| *more > 0) {
            unchecked(name, format!("{more} more root file systems are inside it"));
        }
        facts.roots.push(root);
    }
}

/// Paths and bytes that others have taken of what there is room for.
#[derive(Clone, Copy, Default)]
pub(super) struct Taken(usize, usize);

/// About the memory that is kept of an ELF file, in bytes.
fn weight(object: &Object) -> usize {
    let facts = &object.details;
    let names = facts.facts.needed.iter().chain(&facts.rpath).chain(&facts.runpath);
    let symbols = object.time32.iter().chain(object.time64.iter());
    let strings: usize = names.chain(symbols).map(|name| name.len() + size_of::<String>()).sum();
    strings + size_of_val(facts.loads.as_slice()) + size_of::<elf::Details>()
}

/// The path from the root, with a slash before each part; nothing for the root itself, for what leads out of it, and for what is
/// longer than any path.
pub(super) fn normal(path: &[u8]) -> Option<Vec<u8>> {
    let mut normal = Vec::new();
    for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".") {
        if part == b".." {
            return None;
        }
        normal.push(b'/');
        normal.extend_from_slice(part);
    }
    (!normal.is_empty() && normal.len() <= MAX_PATH).then_some(normal)
}

/// A file in an archive that can only be read on: what has been read is held, so that it can be read again.
pub(super) struct Held<R> {
    size: u64,
    state: RefCell<(R, Vec<u8>)>,
}

impl<R: Read> Held<R> {
    /// The next `size` bytes of `input`.
    pub(super) fn new(input: R, size: u64) -> Self {
        Self { size, state: RefCell::new((input, Vec::new())) }
    }
}

impl<R: Read> Source for Held<R> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|end| *end <= self.size).ok_or(io::ErrorKind::UnexpectedEof)?;
        if end > MAX_HELD {
            return Err(io::Error::other(format!("what is wanted of it lies behind its first {} MiB", MAX_HELD >> 20)));
        }
        let (input, held) = &mut *self.state.borrow_mut();
        let more = end.saturating_sub(held.len() as u64);
        input.take(more).read_to_end(held)?;
        held.as_slice().read_at(offset, buffer)
    }
}

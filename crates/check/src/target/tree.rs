//! A build tree: what it is shows in its files. Nothing is built, and only files are read that say something about the kernel.

pub(crate) mod armbian;
mod bitbake;
mod buildroot;
mod kernel;
mod ptxdist;
pub(crate) mod yocto;

use super::{name, open};
use crate::config::{Config, Setting};
use crate::facts::{Facts, Kernel, plain, shown};
use crate::tree::{Fragment, Prefix, Said, System, Tree};
use findings::{Report, Unchecked};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Files of one tree that are read. OE-core with a vendor's ten layers has some 1,500 that matter.
const MAX_FILES: usize = 20_000;
/// Names of one tree that are looked at.
const MAX_NAMES: usize = 200_000;
/// Directories inside directories.
const MAX_DEPTH: usize = 8;
/// A file of a build system. Kernel configurations are larger.
const MAX_TEXT: u64 = 1 << 20;
/// A kernel configuration.
const MAX_CONFIG: u64 = 8 << 20;
/// Kernels of one tree.
const MAX_KERNELS: usize = 16;
/// Things of one kind that are kept: fragments' lines, packages, what was not read. Nobody reads more.
const MAX_KEPT: usize = 1_000;
/// Characters of a line that are shown.
const MAX_LINE: usize = 160;

/// Options that a fragment may get wrong for 32-bit programs.
const WATCHED: &[&str] = &[
    "COMPAT",
    "COMPAT_VDSO",
    "COMPAT_32BIT_TIME",
    "COMPAT_ALIGNMENT_FIXUPS",
    "KUSER_HELPERS",
    "SWP_EMULATION",
    "CP15_BARRIER_EMULATION",
];

/// Reads the build tree at `path` into `facts`; says whether it is one.
pub(super) fn read(path: &Path, facts: &mut Facts, report: &mut Report) -> bool {
    let Some(system) = system(path) else { return false };
    let mut files = Files::new(path);
    let mut tree = Tree::new(name(path), path.to_owned(), system);
    match system {
        System::Yocto | System::Layer => yocto::read(&mut tree, &mut files),
        System::Buildroot => buildroot::read(&mut tree, &mut files),
        System::Ptxdist => ptxdist::read(&mut tree, &mut files),
        System::Armbian => armbian::read(&mut tree, &mut files),
        System::Kernel => kernel::read(&mut tree, &mut files),
    }
    tree.searched = files.read;
    arm_prefix().clone_into(&mut tree.arm_prefix);
    if files.is_exhausted() {
        files.unchecked.push((String::new(), "it has more files than are looked at; some were left out".to_owned()));
    }
    for (what, because) in files.unchecked.into_iter().take(MAX_KEPT) {
        let what = if what.is_empty() { tree.name.clone() } else { what };
        report.not_checked.push(Unchecked { what, because: plain(&because) });
    }
    facts.kernels.extend(files.kernels);
    facts.trees.push(tree);
    true
}

/// What it is a tree of.
fn system(path: &Path) -> Option<System> {
    let has = |inner: &str| path.join(inner).is_file();
    let is = |inner: &str| path.join(inner).is_dir();
    if has("conf/bblayers.conf") || has("conf/local.conf") {
        Some(System::Yocto)
    } else if has("conf/layer.conf") || has("meta/conf/layer.conf") {
        Some(System::Layer)
    } else if has("compile.sh") && is("extensions") && is("config/boards") {
        Some(System::Armbian)
    } else if buildroot::is_one(path) {
        Some(System::Buildroot)
    } else if ptxdist::is_one(path) {
        Some(System::Ptxdist)
    } else {
        kernel::is_one(path).then_some(System::Kernel)
    }
}

/// The files of a tree: read with limits, and not by a link that leads out of it.
struct Files {
    root: PathBuf,
    /// Directories, without links in their path, that files may be in: the tree, and what it names itself.
    inside: Vec<PathBuf>,
    read: usize,
    names: usize,
    kernels: Vec<Kernel>,
    /// What was not read, and why. An empty name is the tree.
    unchecked: Vec<(String, String)>,
}

impl Files {
    fn new(root: &Path) -> Self {
        let inside = std::fs::canonicalize(root).into_iter().collect();
        Self { root: root.to_owned(), inside, read: 0, names: 0, kernels: Vec::new(), unchecked: Vec::new() }
    }

    fn is_exhausted(&self) -> bool {
        self.read >= MAX_FILES || self.names >= MAX_NAMES
    }

    /// Lets files be read in a directory that the tree names, such as a layer.
    fn add(&mut self, directory: &Path) {
        self.inside.extend(std::fs::canonicalize(directory));
    }

    /// The file's text; nothing where there is none.
    fn text(&mut self, path: &Path) -> Option<String> {
        self.contents(path, MAX_TEXT)
    }

    fn contents(&mut self, path: &Path, limit: u64) -> Option<String> {
        let real = std::fs::canonicalize(path).ok()?;
        if self.is_exhausted() {
            return None;
        }
        if !self.inside.iter().any(|directory| real.starts_with(directory)) {
            self.unchecked.push((name(path), "it is a link that leads out of the tree".to_owned()));
            return None;
        }
        self.read += 1;
        let mut text = Vec::new();
        let read = open(&real).and_then(|file| file.take(limit + 1).read_to_end(&mut text));
        if let Err(error) = read {
            self.unchecked.push((name(path), error.to_string()));
            return None;
        }
        if text.len() as u64 > limit {
            self.unchecked.push((name(path), format!("it is larger than {} KiB", limit >> 10)));
            return None;
        }
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// What is in a directory, in order. Links in it are not followed to directories.
    fn list(&mut self, directory: &Path) -> Vec<(PathBuf, bool)> {
        let real = std::fs::canonicalize(directory).unwrap_or_default();
        if !self.inside.iter().any(|inside| real.starts_with(inside)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            if self.is_exhausted() {
                break;
            }
            self.names += 1;
            if let Ok(kind) = entry.file_type() {
                found.push((entry.path(), kind.is_dir()));
            }
        }
        found.sort();
        found
    }

    /// The files below a directory whose name has one of these endings.
    fn below(&mut self, directory: &Path, endings: &[&str]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut todo = vec![(directory.to_owned(), 0)];
        while let Some((directory, depth)) = todo.pop() {
            for (path, is_directory) in self.list(&directory) {
                let file_name = path.file_name().unwrap_or_default().as_bytes();
                if is_directory {
                    if depth < MAX_DEPTH && !file_name.starts_with(b".") {
                        todo.push((path, depth + 1));
                    }
                } else if endings.iter().any(|ending| file_name.ends_with(ending.as_bytes())) {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }

    /// The path as it is shown: from the tree, where it is inside.
    fn shown(&self, path: &Path) -> String {
        shown(path.strip_prefix(&self.root).unwrap_or(path).as_os_str().as_bytes())
    }

    fn said(&self, path: &Path, line: usize, text: &str) -> Said {
        let text: String = text.trim().chars().take(MAX_LINE).collect();
        Said { place: format!("{}:{line}", self.shown(path)), text: plain(&text) }
    }

    /// The first line, without its comment, that `matches`, and its number.
    fn find(&mut self, path: &Path, matches: impl Fn(&str) -> bool) -> Option<Said> {
        let text = self.text(path)?;
        let line = |line: &str| line.split('#').next().is_some_and(&matches);
        let (number, line) = text.lines().enumerate().find(|(_, text)| line(text))?;
        Some(self.said(path, number + 1, line))
    }

    /// Takes the kernel whose configuration this is.
    fn kernel(&mut self, path: &Path) {
        if self.kernels.len() >= MAX_KERNELS || !path.is_file() {
            return;
        }
        let Some(text) = self.contents(path, MAX_CONFIG) else { return };
        if let Some(config) = Config::parse(&text) {
            self.kernels.push(Kernel { name: name(path), config: Some(config), image: None, machine: None });
        }
    }

    /// Takes what a fragment of a kernel configuration says.
    fn fragment(&mut self, path: &Path, tree: &mut Tree) {
        let Some(text) = self.contents(path, MAX_CONFIG) else { return };
        for (number, line) in text.lines().enumerate() {
            let Some(config) = Config::parse(line) else { continue };
            for option in WATCHED {
                let on = match config.get(option) {
                    Setting::Absent => continue,
                    setting => setting.is_on(),
                };
                let said = self.said(path, number + 1, line);
                if tree.fragments.len() >= MAX_KEPT {
                    return;
                }
                tree.fragments.push(Fragment { option: (*option).to_owned(), on, said });
            }
        }
    }

    /// Looks for `CROSS_COMPILE_COMPAT` in a file, and notes its value.
    fn compat(&mut self, path: &Path, tree: &mut Tree) {
        if let Some(text) = self.text(path) {
            self.compat_in(path, &text, tree);
        }
    }

    /// The same in a text that was read.
    fn compat_in(&self, path: &Path, text: &str, tree: &mut Tree) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split('#').next().unwrap_or_default();
            let Some((_, after)) = code.split_once("CROSS_COMPILE_COMPAT") else { continue };
            let said = self.said(path, number + 1, line);
            if after.starts_with("_VDSO") {
                tree.outdated.get_or_insert(said);
            } else if let Some(prefix) = assigned(after) {
                let missing = missing_compiler(prefix);
                tree.compat.get_or_insert(Prefix { said, missing });
            }
        }
    }
}

/// What is behind `CROSS_COMPILE_COMPAT`, if it is set there to something.
fn assigned(after: &str) -> Option<&str> {
    let after = after.trim_start();
    // Python: d.setVar('CROSS_COMPILE_COMPAT', …)
    if after.starts_with(['\'', '"']) && after.get(1..)?.trim_start().starts_with(',') {
        return Some("${}");
    }
    let after = after.trim_start_matches(['?', ':', '+', '.']);
    let value = after.strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let value = value.split(['"', '\'', ' ', '\t', ')', '\\']).next()?;
    (!value.is_empty()).then_some(value)
}

/// The compiler with this prefix, if it is not there. A prefix that is made of variables is only known in the build.
fn missing_compiler(prefix: &str) -> Option<String> {
    if prefix.contains('$') {
        return None;
    }
    let compiler = format!("{prefix}gcc");
    let there = if prefix.contains('/') {
        Path::new(&compiler).is_file()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|directory| directory.join(&compiler).is_file())
    };
    (!there).then(|| plain(&compiler))
}

/// The prefix of a 32-bit ARM compiler of this machine; Debian's if there is none.
fn arm_prefix() -> &'static str {
    let known = ["arm-linux-gnueabihf-", "arm-linux-gnueabi-", "arm-none-linux-gnueabihf-"];
    known.into_iter().find(|prefix| missing_compiler(prefix).is_none()).unwrap_or("arm-linux-gnueabihf-")
}

/// The values of `NAME=value` lines with a common beginning, as Kconfig writes them, with their lines.
fn settings(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.lines().enumerate().filter_map(|(number, line)| {
        let (name, value) = line.split_once('=').filter(|(name, _)| !name.starts_with('#'))?;
        Some((number + 1, name.trim(), value.trim().trim_matches('"')))
    })
}

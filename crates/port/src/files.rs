//! The files of a project as text: how it is built, and what its sources say for architectures that nobody has compiled them for.

use crate::compiler::Language;
use crate::directory::Directory;
use crate::pair::{Abi, NARROW, Pair, WIDE};
use crate::project::{Built, Project};
use crate::rules::Hit;
use crate::{Analysed, rules, system};
use findings::Confidence;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// C and C++, and what they include.
    Source,
    Assembly,
    /// A Makefile, or what stands for one with another tool.
    Build,
    /// What a person has written for configure, or another script of a shell.
    Script,
    /// What autoconf and libtool have written.
    Configure,
    /// `config.guess` and `config.sub`.
    Guess,
    /// What the linker has written of its work.
    LinkMap,
    /// A program or library that the build has made; its text is what it needs, a line `NEEDED name => path` each.
    Linked,
}

/// A file.
pub(crate) struct File<'a> {
    /// Absolute.
    pub(crate) path: &'a str,
    pub(crate) name: &'a str,
    pub(crate) kind: FileKind,
    pub(crate) text: &'a str,
    pub(crate) pair: Pair,
    /// All files of its tree.
    pub(crate) tree: &'a Directory,
}

impl<'a> File<'a> {
    /// Its lines, each with its offset.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        lines(self.text)
    }

    /// Whether a shell reads it as it is, and autoconf makes nothing of it.
    pub(crate) fn is_shell(&self) -> bool {
        !(self.name.ends_with(".m4") || self.name.starts_with("configure."))
    }

    /// How compilers of each side say which processor they compile for.
    pub(crate) fn macros(&self) -> [&'static [&'static str]; 2] {
        [NARROW, WIDE].map(|side| macros(self.pair.sides[side].name))
    }
}

/// The lines of a text, each with its offset.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let here = at;
        at += line.len();
        (here, line.trim_end())
    })
}

/// The macros by which sources know an architecture.
pub(crate) const MACROS: [(&str, &[&str]); 4] = [
    ("i386", &["__i386__", "__i386", "i386", "_M_IX86", "_X86_", "__I86__", "__X86__"]),
    ("armhf", &["__arm__", "__arm", "_M_ARM", "_ARM_", "__ARM_ARCH_7A__", "__ARMEL__", "__thumb__"]),
    ("x86-64", &["__x86_64__", "__x86_64", "__amd64__", "__amd64", "_M_X64", "_M_AMD64"]),
    ("arm64", &["__aarch64__", "_M_ARM64", "__arm64__", "__arm64", "__AARCH64EL__", "__ARM_64BIT_STATE"]),
];

fn macros(name: &str) -> &'static [&'static str] {
    MACROS.iter().find(|(other, _)| *other == name).map_or(&[], |(_, macros)| macros)
}

/// The words of C, and of what is like it.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// What a file of this name is for, if it is for anything here.
pub(crate) fn kind(path: &Path) -> Option<FileKind> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_make =
        |name: &str| ["Makefile", "makefile", "GNUmakefile"].contains(&name.split(['.', '-', '_']).next().unwrap_or_default());
    Some(match name {
        "config.guess" | "config.sub" => FileKind::Guess,
        "configure" | "ltconfig" | "aclocal.m4" | "ltmain.sh" | "libtool.m4" | "libtool" | "config.status" => FileKind::Configure,
        "CMakeLists.txt" | "meson.build" | "SConstruct" | "SConscript" => FileKind::Build,
        "configure.ac" | "configure.in" => FileKind::Script,
        _ if is_make(name) => FileKind::Build,
        _ => match (extension, Language::of_file(name)) {
            ("mk" | "mak" | "am" | "cmake" | "pro", _) => FileKind::Build,
            ("m4" | "sh", _) => FileKind::Script,
            ("map", _) => FileKind::LinkMap,
            ("h" | "hh" | "hpp" | "hxx" | "inc", _) | (_, Some(Language::C | Language::Cxx)) => FileKind::Source,
            (_, Some(Language::Other("assembly"))) => FileKind::Assembly,
            _ => return None,
        },
    })
}

/// Of larger files nobody has written the text.
const MAX_FILE: u64 = 8 << 20;
/// What a build makes has its debugging information in it.
const MAX_LINKED: u64 = 256 << 20;

/// What the rules say of the files: those of the trees, those that were named, and the project's own of what they include.
pub(crate) fn analysed<'a>(project: &'a Project, included: impl IntoIterator<Item = &'a String>, pair: Pair) -> Analysed {
    let mut analysed = Analysed::default();
    let nowhere = project.compilations.iter().filter(|of| of.built == Built::Nowhere);
    let nowhere: HashSet<&Path> = nowhere.map(|of| Path::new(&of.file)).collect();
    for tree in project.trees() {
        let Ok(directory) = Directory::read(tree) else { continue };
        let others = system::left_out(directory.files(), pair);
        let is_other = |path: &Path| others.contains(path) && matches!(kind(path), Some(FileKind::Source | FileKind::Assembly));
        for path in directory.files().iter().filter(|path| !is_other(path)) {
            let mut hits = of_file(path, &directory, pair);
            if nowhere.contains(path.as_path()) {
                hits.iter_mut().for_each(|hit| hit.confidence = Confidence::Possible);
            }
            analysed.hits.extend(hits);
        }
    }
    let is_in_tree = |path: &PathBuf| project.trees().iter().any(|tree| path.starts_with(tree));
    let included = included.into_iter().filter_map(|path| fs::canonicalize(path).ok());
    let alone: BTreeSet<PathBuf> = project.named().iter().cloned().chain(included).filter(|path| !is_in_tree(path)).collect();
    let mut beside: Option<Directory> = None;
    for path in &alone {
        let Some(parent) = path.parent() else { continue };
        // They are in the order of their names: those of one directory come together.
        let directory = match beside.take().filter(|known| known.root() == parent) {
            Some(known) => known,
            None => Directory::beside(parent),
        };
        analysed.hits.extend(of_file(path, &directory, pair));
        beside = Some(directory);
    }
    analysed
}

/// Whether a file without an extension is a script of a shell, as `build` and `mk` are.
fn is_script(path: &Path) -> bool {
    let is_program = path.extension().is_none() && fs::metadata(path).is_ok_and(|of| of.mode() & 0o111 != 0);
    let mut head = Vec::new();
    let read = is_program && fs::File::open(path).and_then(|file| file.take(64).read_to_end(&mut head)).is_ok();
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    read && line.starts_with(b"#!") && line.trim_ascii_end().ends_with(b"sh")
}

/// Whether the rules about text look at a file of this name, and it is no source that is compiled.
pub(crate) fn is_only_text(path: &Path) -> bool {
    kind(path).map_or_else(|| is_script(path), |kind| kind != FileKind::Source)
}

fn of_file(path: &Path, directory: &Directory, pair: Pair) -> Vec<Hit> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let (kind, text) = match kind(path).or_else(|| is_script(path).then_some(FileKind::Script)) {
        Some(kind) => {
            let small = fs::metadata(path).is_ok_and(|of| of.len() <= MAX_FILE);
            let Some(bytes) = small.then(|| fs::read(path).ok()).flatten() else { return Vec::new() };
            (kind, as_text(bytes))
        }
        None => {
            let Some(text) = linked(path, pair.sides[WIDE], directory) else { return Vec::new() };
            (FileKind::Linked, text)
        }
    };
    rules::apply_to_file(&File { path: &path.to_string_lossy(), name, kind, text: &text, pair, tree: directory })
}

/// What a program or library for this architecture needs, and where that is on this machine.
fn linked(path: &Path, abi: Abi, tree: &Directory) -> Option<String> {
    let of = fs::metadata(path).ok()?;
    let may_be = of.mode() & 0o111 != 0 || path.to_string_lossy().contains(".so");
    let mut magic = [0; 4];
    fs::File::open(path).ok().filter(|_| may_be && of.len() <= MAX_LINKED)?.read_exact(&mut magic).ok()?;
    let facts = (magic == *b"\x7fELF").then(|| fs::read(path).ok()).flatten().and_then(|bytes| elf::facts(&bytes).ok())?;
    let machine = if abi.name == "arm64" { elf::EM_AARCH64 } else { elf::EM_X86_64 };
    if facts.machine != machine || facts.class != elf::Class::Elf64 {
        return None;
    }
    let places = |abi: Abi| {
        ["/lib", "/usr/lib"]
            .map(|lib| Path::new(lib).join(abi.triplet))
            .into_iter()
            .chain([Path::new("/usr").join(abi.target).join("lib")])
    };
    let others = Pair::ALL.into_iter().flat_map(|pair| pair.sides).filter(|other| *other != abi);
    let all: Vec<PathBuf> = std::iter::once(abi).chain(others).flat_map(places).collect();
    let place = |name: &str| {
        let own = tree.files().iter().any(|file| file.file_name().is_some_and(|file| file == name));
        let found = (!own).then(|| all.iter().map(|directory| directory.join(name)).find(|path| path.exists())).flatten();
        found.map_or_else(String::new, |path| path.display().to_string())
    };
    Some(facts.needed.iter().map(|name| format!("NEEDED {name} => {}\n", place(name))).collect())
}

/// The text, in which every byte is where it was: offsets are those of the file.
fn as_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        error.into_bytes().iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()
    })
}

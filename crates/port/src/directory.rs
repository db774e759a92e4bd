//! A directory of which nobody knows how it is built: its files, and where the headers are that they include.
//!
//! The options are a guess, made of the tree itself: a directory is searched for headers where an `#include` of the tree leads to a
//! file in it, and a `config.h` that only configure would write is made of its template.

use crate::cache;
use crate::compiler::Language;
use crate::project::Compilation;
use anyhow::{Context, Result};
use findings::Unchecked;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// What a tree of source may have of files; with more it is a disk.
const MAX_FILES: usize = 1_000_000;
/// How deep directories are followed.
const MAX_DEPTH: usize = 100;
/// What is read of a file for its `#include`s: they are at the top.
const HEAD: u64 = 256 << 10;
/// Directories of a tool, not of a project.
const NOT_SOURCE: [&str; 2] = ["CMakeFiles", "autom4te.cache"];
/// Directories with what a program needs on other systems than Linux, where it has one for each.
const OTHER_SYSTEMS: [&str; 26] = [
    "acorn", "amiga", "aosvs", "atari", "atheos", "beos", "cmsmvs", "human68k", "macos", "msdos", "netware", "novell", "nsk",
    "os2", "os390", "os400", "qdos", "riscos", "symbian", "tandem", "theos", "tops20", "vms", "win", "win32", "wince",
];
/// What a template's name has in the place of `.h`.
const TEMPLATES: [&str; 7] = [".h.in", ".hin", ".in", "-h.in", "_h.in", ".h.cmake", ".h.cmake.in"];

/// A tree of source.
pub(crate) struct Directory {
    root: PathBuf,
    /// All files, absolute.
    files: Vec<PathBuf>,
    unread: Vec<Unchecked>,
}

impl Directory {
    /// Finds its files. Symbolic links are not followed: what they lead to is elsewhere in the tree, or not part of it.
    ///
    /// # Errors
    /// Where the directory itself cannot be read.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        fs::read_dir(root).with_context(|| format!("cannot read {}", root.display()))?;
        let mut found = Self { root: root.to_path_buf(), files: Vec::new(), unread: Vec::new() };
        let top = fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
        let mut todo = vec![(root.to_path_buf(), 0)];
        while let Some((directory, depth)) = todo.pop() {
            let mut refuse = |because: String| found.unread.push(Unchecked { what: directory.display().to_string(), because });
            let entries = match fs::read_dir(&directory) {
                Ok(entries) => entries,
                Err(error) => {
                    refuse(format!("it cannot be read: {error}"));
                    continue;
                }
            };
            if depth > MAX_DEPTH {
                refuse(format!("it is more than {MAX_DEPTH} directories deep"));
                continue;
            } else if found.files.len() > MAX_FILES {
                refuse(format!("there are more than {MAX_FILES} files: name the directories of the source"));
                break;
            }
            for entry in entries.flatten() {
                let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
                let hidden = name.as_encoded_bytes().starts_with(b".");
                let lower = name.to_string_lossy().to_lowercase();
                if kind.is_dir() && OTHER_SYSTEMS.contains(&lower.as_str()) {
                    let because = "by its name it is for another system; biarch port analyses it where it is named".to_owned();
                    found.unread.push(Unchecked { what: entry.path().display().to_string(), because });
                } else if kind.is_dir() && !hidden && !NOT_SOURCE.iter().any(|other| name == **other) {
                    todo.push((entry.path(), depth + 1));
                } else if kind.is_file() {
                    found.files.push(entry.path());
                } else if kind.is_symlink() && !hidden {
                    found.unread.extend(left_out(&entry.path(), &top));
                }
            }
        }
        found.files.sort();
        Ok(found)
    }

    /// What is beside a file that was named: nothing below, and nothing where that cannot be read.
    pub(crate) fn beside(parent: &Path) -> Self {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
        let mut files: Vec<PathBuf> = entries.take(MAX_FILES).filter(is_file).map(|entry| entry.path()).collect();
        files.sort();
        Self { root: parent.to_path_buf(), files, unread: Vec::new() }
    }

    /// Where it begins.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path of the tree, from its root.
    pub(crate) fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// All files.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Each file, with what is guessed of its options; what is guessed is said.
    pub(crate) fn compilations(&self, unchecked: &mut Vec<Unchecked>) -> Vec<Compilation> {
        unchecked.extend(self.unread.iter().cloned());
        let sources: Vec<(&PathBuf, bool)> = self
            .files
            .iter()
            .filter_map(|path| match Language::of_file(&path.to_string_lossy())? {
                Language::C => Some((path, false)),
                Language::Cxx => Some((path, true)),
                // `biarch port` on a tree is about its C; rules about the tree look at the others.
                Language::Other(_) => None,
            })
            .collect();
        if sources.is_empty() {
            return Vec::new();
        }
        self.say_how_to_build(unchecked);
        let includes = self.includes();
        let (mut directories, templates) = self.search(&includes);
        let config = self.configured(&templates, unchecked);
        if let Some(config) = &config {
            directories.insert(config.clone());
        }
        let is_configured = self.files.iter().any(|path| is_made_by_configure(path));
        let arguments_of = |path: &Path| {
            let near = |directory: &&PathBuf| std::cmp::Reverse(together(directory, path));
            let mut ordered: Vec<&PathBuf> = directories.iter().collect();
            // The sort keeps the order of the alphabet among those that are as near.
            ordered.sort_by_key(near);
            // Behind the system's own, because a directory may have a `string.h` for systems without one.
            let mut words: Vec<String> = ordered
                .iter()
                .flat_map(|directory| ["-iquote", "-idirafter"].map(|option| format!("{option}{}", directory.display())))
                .collect();
            if config.is_some() || is_configured {
                words.push("-DHAVE_CONFIG_H".to_owned());
            }
            words
        };
        let mut by_directory: HashMap<PathBuf, Vec<String>> = HashMap::new();
        let compilation = |(path, is_cxx): (&PathBuf, bool)| {
            let directory = path.parent().unwrap_or(&self.root).to_path_buf();
            let arguments = by_directory.entry(directory.clone()).or_insert_with(|| arguments_of(path)).clone();
            let file = path.to_string_lossy().into_owned();
            Compilation { file, directory, compiler: String::new(), arguments, is_cxx }
        };
        sources.into_iter().map(compilation).collect()
    }

    /// Whether there is a build to observe, which knows what is guessed here.
    fn say_how_to_build(&self, unchecked: &mut Vec<Unchecked>) {
        let has = |name: &str| self.root.join(name).is_file();
        let rows: [(&[&str], &str); 5] = [
            (&["Makefile", "makefile", "GNUmakefile"], "make clean; biarch port -- make"),
            (&["CMakeLists.txt"], "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; biarch port build/compile_commands.json"),
            (&["meson.build"], "meson setup build; biarch port build/compile_commands.json"),
            (&["configure"], "./configure; biarch port -- make"),
            (&["configure.ac", "configure.in"], "autoreconf -i; ./configure; biarch port -- make"),
        ];
        let found = rows.iter().find_map(|(names, command)| Some((names.iter().find(|name| has(name))?, command)));
        if let Some((name, command)) = found {
            let because = format!("the build was not observed, so options are guessed; {command}");
            unchecked.push(Unchecked { what: (*name).to_owned(), because });
        }
    }

    /// What each file of C or C++ includes: the file, and the name with whether it was in quotes.
    fn includes(&self) -> Vec<(&Path, Vec<(String, bool)>)> {
        let is_read = |path: &Path| {
            let header = path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| {
                ["h", "hh", "hpp", "hxx", "H", "inc", "def", "tcc", "ipp", "y", "l"].contains(&extension)
            });
            header || matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C | Language::Cxx))
        };
        self.files.iter().filter(|path| is_read(path)).map(|path| (path.as_path(), included(path))).collect()
    }

    /// The directories in which there is what the files include, and the templates of what is not there.
    fn search(&self, includes: &[(&Path, Vec<(String, bool)>)]) -> (BTreeSet<PathBuf>, BTreeMap<String, PathBuf>) {
        let mut by_name: HashMap<&std::ffi::OsStr, Vec<&Path>> = HashMap::new();
        for path in &self.files {
            if let Some(name) = path.file_name() {
                by_name.entry(name).or_default().push(path);
            }
        }
        let all: HashSet<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let (mut directories, mut templates) = (BTreeSet::new(), BTreeMap::new());
        for (path, names) in includes {
            let beside = path.parent().unwrap_or(&self.root);
            for (name, quoted) in names {
                let Some(name) = plain(name) else { continue };
                if (*quoted && all.contains(beside.join(&name).as_path())) || (!quoted && in_system(&name)) {
                    continue;
                }
                let candidates = name.file_name().and_then(|last| by_name.get(last)).map_or(&[][..], Vec::as_slice);
                let nearest = candidates
                    .iter()
                    .filter(|path| path.ends_with(&name))
                    .max_by_key(|other| (together(other, path), std::cmp::Reverse(other.components().count())));
                match nearest {
                    Some(nearest) => {
                        let levels = name.components().count();
                        directories.extend(nearest.ancestors().nth(levels).map(Path::to_path_buf));
                    }
                    None if !in_system(&name) => {
                        let shown = name.to_string_lossy().into_owned();
                        let template = TEMPLATES.iter().find_map(|end| {
                            let of = shown.strip_suffix(".h")?.to_owned() + end;
                            let last = Path::new(&of).file_name()?.to_owned();
                            let candidates = by_name.get(last.as_os_str())?;
                            candidates.iter().max_by_key(|other| together(other, path)).map(|path| path.to_path_buf())
                        });
                        templates.extend(template.map(|template| (shown, template)));
                    }
                    None => {}
                }
            }
        }
        (directories, templates)
    }

    /// A directory with what configure would have made of these templates, as near as can be told without running it.
    fn configured(&self, templates: &BTreeMap<String, PathBuf>, unchecked: &mut Vec<Unchecked>) -> Option<PathBuf> {
        if templates.is_empty() {
            return None;
        }
        let directory = cache::directory()
            .ok()?
            .join("configured")
            .join(cache::Key::of(self.root.as_os_str().as_encoded_bytes()).to_string());
        let system = SystemNames::default();
        for (name, template) in templates {
            let text = configured(&String::from_utf8_lossy(&fs::read(template).unwrap_or_default()), &system);
            let path = directory.join(name);
            let written = path.parent().map(fs::create_dir_all).and_then(Result::ok).and_then(|()| fs::write(&path, text).ok());
            written?;
            let because = format!(
                "it is not there, and was made of {}, with what this system's headers have; ./configure makes the real one",
                template.strip_prefix(&self.root).unwrap_or(template).display()
            );
            unchecked.push(Unchecked { what: name.clone(), because });
        }
        Some(directory)
    }
}

/// What makes `off_t` 64 bits wide for 32 bits as well, feature_test_macros(7).
pub(crate) const LARGE_FILES: &str = "_FILE_OFFSET_BITS";

/// Whether this header was made by a ./configure that asks for large files, and was told that they need nothing here: for 32 bits it would
/// define [`LARGE_FILES`].
pub(crate) fn wants_large_files(header: &Path) -> bool {
    is_made_by_configure(header)
        && fs::read(header).is_ok_and(|text| String::from_utf8_lossy(&text).contains(&format!("/* #undef {LARGE_FILES} */")))
}

/// Whether it is a header that ./configure has made, as its first line says.
fn is_made_by_configure(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut head = [0; 256];
    name.contains("conf")
        && name.ends_with(".h")
        && File::open(path).and_then(|mut file| file.read(&mut head)).is_ok()
        && String::from_utf8_lossy(&head).contains("by configure")
}

/// What is not analysed because of a symbolic link, of which only those to elsewhere in the tree cost nothing.
fn left_out(link: &Path, top: &Path) -> Option<Unchecked> {
    let is_source = |path: &Path| matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C | Language::Cxx));
    let because = match fs::canonicalize(link) {
        // Of a directory nobody knows what would be in it; packages have links to files of tools that are not installed.
        Err(error) if is_source(link) || error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            format!("it is a symbolic link that leads nowhere: {error}")
        }
        Err(_) => return None,
        Ok(to) if to.is_dir() && link.starts_with(&to) => {
            "it is a symbolic link to a directory that it is in itself, and not followed".to_owned()
        }
        Ok(to) if to.starts_with(top) => return None,
        Ok(to) if to.is_dir() || is_source(link) => {
            format!(
                "it is a symbolic link to {}, which is not in the tree; biarch port analyses it where it is named",
                to.display()
            )
        }
        Ok(_) => return None,
    };
    Some(Unchecked { what: link.display().to_string(), because })
}

/// How many directories two paths have in common.
fn together(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

/// The name without `./` and `../` at its beginning; nothing, where it leads elsewhere.
fn plain(name: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir if path.as_os_str().is_empty() => {}
            _ => return None,
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Where the system's headers are, for a first look.
const SYSTEM: [&str; 3] = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"];

fn in_system(name: &Path) -> bool {
    // Those of the compiler, which no package has in the open.
    let own = ["stddef.h", "stdarg.h", "stdint.h", "stdbool.h", "limits.h", "float.h", "iso646.h", "stdalign.h", "stdnoreturn.h"];
    own.iter().any(|other| name == Path::new(other)) || SYSTEM.iter().any(|directory| Path::new(directory).join(name).is_file())
}

/// The names that a file includes.
fn included(path: &Path) -> Vec<(String, bool)> {
    let mut bytes = Vec::new();
    if File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes)).is_err() {
        return Vec::new();
    }
    let line = |line: &[u8]| {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"include")?;
        let rest = rest.strip_prefix(b"_next").unwrap_or(rest).trim_ascii_start();
        let (quoted, close) = match rest.first()? {
            b'"' => (true, b'"'),
            b'<' => (false, b'>'),
            _ => return None,
        };
        let name = rest[1..].split(|byte| *byte == close).next()?;
        Some((String::from_utf8_lossy(name).into_owned(), quoted))
    };
    bytes.split(|byte| *byte == b'\n').filter_map(line).collect()
}

/// The names that this system's C library declares.
#[derive(Default)]
struct SystemNames(std::cell::OnceCell<HashSet<Vec<u8>>>);

impl SystemNames {
    fn has(&self, name: &str) -> bool {
        self.0.get_or_init(Self::read).contains(name.as_bytes())
    }

    fn read() -> HashSet<Vec<u8>> {
        let mut names = HashSet::new();
        let below = SYSTEM
            .iter()
            .flat_map(|directory| ["", "sys", "bits", "net", "netinet", "arpa"].map(|sub| Path::new(directory).join(sub)));
        for path in below.filter_map(|directory| fs::read_dir(directory).ok()).flatten().flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "h") {
                let mut bytes = Vec::new();
                let _ = File::open(&path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes));
                let words = bytes.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
                names.extend(words.filter(|word| word.len() > 2).map(<[u8]>::to_vec));
            }
        }
        names
    }
}

/// The sizes that the compiler itself knows, for both word sizes.
const SIZES: [(&str, &str); 12] = [
    ("SIZEOF_SHORT", "__SIZEOF_SHORT__"),
    ("SIZEOF_INT", "__SIZEOF_INT__"),
    ("SIZEOF_LONG", "__SIZEOF_LONG__"),
    ("SIZEOF_LONG_INT", "__SIZEOF_LONG__"),
    ("SIZEOF_UNSIGNED_LONG", "__SIZEOF_LONG__"),
    ("SIZEOF_UNSIGNED_INT", "__SIZEOF_INT__"),
    ("SIZEOF_LONG_LONG", "__SIZEOF_LONG_LONG__"),
    ("SIZEOF_UNSIGNED_LONG_LONG", "__SIZEOF_LONG_LONG__"),
    ("SIZEOF_SIZE_T", "__SIZEOF_SIZE_T__"),
    ("SIZEOF_VOID_P", "__SIZEOF_POINTER__"),
    ("SIZEOF_CHAR_P", "__SIZEOF_POINTER__"),
    ("SIZEOF_PTRDIFF_T", "__SIZEOF_PTRDIFF_T__"),
];

/// Texts that every `config.h` of autoconf has.
const TEXTS: [&str; 8] = [
    "PACKAGE",
    "VERSION",
    "PACKAGE_NAME",
    "PACKAGE_STRING",
    "PACKAGE_VERSION",
    "PACKAGE_TARNAME",
    "PACKAGE_BUGREPORT",
    "PACKAGE_URL",
];

/// What a template becomes: autoheader's comments say which header or function a macro speaks of.
fn configured(template: &str, system: &SystemNames) -> String {
    let mut text = String::new();
    let mut comment = String::new();
    for line in template.lines() {
        let undefined = line.strip_prefix("#undef ").or_else(|| line.strip_prefix("# undef "));
        // CMake's way to write the same.
        let undefined = undefined.or_else(|| line.strip_prefix("#cmakedefine01 ")).or_else(|| line.strip_prefix("#cmakedefine "));
        let value = undefined.and_then(|rest| value_of(rest.split_whitespace().next()?, &comment, system));
        match (undefined, value) {
            (Some(rest), Some(value)) => {
                text.push_str(&format!("#define {} {value}\n", rest.split_whitespace().next().unwrap_or_default()));
            }
            (Some(rest), None) => {
                text.push_str(&format!("/* #undef {} */\n", rest.split_whitespace().next().unwrap_or_default()))
            }
            // What configure would replace is nothing here.
            (None, _) if line.contains('@') && line.trim_start().starts_with('#') => text.push('\n'),
            (None, _) => {
                text.push_str(line);
                text.push('\n');
            }
        }
        if line.trim_start().starts_with("/*") {
            comment.clear();
        }
        comment.push_str(line);
        if undefined.is_some() {
            comment.clear();
        }
    }
    text
}

fn value_of(name: &str, comment: &str, system: &SystemNames) -> Option<String> {
    let one = || Some("1".to_owned());
    if name == LARGE_FILES {
        return Some("64".to_owned());
    }
    if let Some((_, value)) = SIZES.iter().find(|(size, _)| *size == name) {
        return Some((*value).to_owned());
    } else if TEXTS.contains(&name) {
        return Some("\"\"".to_owned());
    } else if ["STDC_HEADERS", "HAVE_CONFIG_H", "TIME_WITH_SYS_TIME", "_GNU_SOURCE", "_ALL_SOURCE", "HAVE_PROTOTYPES"]
        .contains(&name)
    {
        return one();
    }
    let lower = name.strip_prefix("HAVE_")?.strip_prefix("DECL_").unwrap_or(&name[5..]).to_lowercase();
    // "… if you have the <sys/time.h> header file": the name alone does not say where the slashes are.
    let named = comment.split('<').nth(1).and_then(|rest| rest.split('>').next()).filter(|header| header.ends_with(".h"));
    // "… if bool is an available type": C has it since 1999.
    if ["bool", "bool_t", "_bool"].contains(&lower.as_str()) {
        return one();
    }
    match (named, lower.strip_suffix("_h")) {
        (Some(header), _) if comment.contains("header") => in_system(Path::new(header)).then(one)?,
        (_, Some(stem)) => {
            let places = [format!("{stem}.h"), format!("{}.h", stem.replacen('_', "/", 1))];
            places.iter().any(|header| in_system(Path::new(header))).then(one)?
        }
        _ => system.has(&lower).then(one)?,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_with_what_the_system_has() {
        let template = "/* Define to 1 if you have the <sys/time.h> header file. */\n#undef HAVE_SYS_TIME_H\n\n\
            /* Define to 1 if you have the <io/dos.h> header file. */\n#undef HAVE_IO_DOS_H\n\n\
            /* Define to 1 if you have the `strdup' function. */\n#undef HAVE_STRDUP\n#undef HAVE_NO_SUCH_FUNCTION_ANYWHERE\n\
            /* The size of `long', as computed by sizeof. */\n#undef SIZEOF_LONG\n#undef PACKAGE_NAME\n#define KEPT 3\n";
        let text = configured(template, &SystemNames::default());
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("#define")).collect();
        assert_eq!(
            lines,
            [
                "#define HAVE_SYS_TIME_H 1",
                "#define HAVE_STRDUP 1",
                "#define SIZEOF_LONG __SIZEOF_LONG__",
                "#define PACKAGE_NAME \"\"",
                "#define KEPT 3"
            ]
        );
    }
}

//! A directory of which nobody knows how it is built: its files, and where the headers are that they include.
//!
//! The options are a guess, made of the tree itself: a directory is searched for headers where an `#include` of the tree leads to a
//! file in it, and a `config.h` that only configure would write is made of its template.

use crate::built;
use crate::cache;
use crate::compiler::Language;
use crate::configured::{self, in_system};
use crate::defines::{self, Makefile, Makefiles};
use crate::files;
use crate::grammar;
use crate::missing;
use crate::pair::Pair;
use crate::project::{Built, Compilation, without_dots};
use crate::system;
use anyhow::{Context, Result};
use findings::Unchecked;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

/// What a tree of source may have of files; with more it is a disk.
const MAX_FILES: usize = 1_000_000;
/// How deep directories are followed.
const MAX_DEPTH: usize = 100;
/// What is read of a file for its `#include`s: they are at the top.
pub(crate) const HEAD: u64 = 256 << 10;
/// Larger files nobody has written.
const LARGEST: u64 = 4 << 20;
/// Directories of a tool, not of a project.
const NOT_SOURCE: [&str; 2] = ["CMakeFiles", "autom4te.cache"];
/// What a template's name has in the place of `.h`.
const TEMPLATES: [&str; 9] = [".h.cmakein", ".h.in", ".hin", ".in", "h.in", "-h.in", "_h.in", ".h.cmake", ".h.cmake.in"];
/// The same, where the build makes a copy: `config.def.h`.
const COPIES: [&str; 5] = [".def.h", ".h.def", ".h.default", ".h.dist", ".h0"];

/// Headers that all together only a C library has, which is compiled with its own.
const C_LIBRARY: [&str; 5] = ["ctype.h", "stdio.h", "stdlib.h", "string.h", "unistd.h"];

const OF_OTHER_SYSTEM: &str = "by its name it is for another system or processor; biarch port analyses it where it is named";

/// A directory in that of made headers, from which they are one above.
const BELOW: &str = "below";

/// What autoconf makes ./configure of, and autoheader the template.
pub(crate) const CONFIGURE: [&str; 2] = ["configure.ac", "configure.in"];

/// What says where a project begins how it is built, and how its build is observed.
pub(crate) const BUILDS: [(&[&str], &str); 5] = [
    (&["Makefile", "makefile", "GNUmakefile"], "make clean; biarch port -- make"),
    (&["CMakeLists.txt"], "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; biarch port build/compile_commands.json"),
    (&["meson.build"], "meson setup build; biarch port build/compile_commands.json"),
    (&["configure"], "./configure; biarch port -- make"),
    (&["configure.ac", "configure.in"], "autoreconf -i; ./configure; biarch port -- make"),
];

/// What builds a tree, and how to observe that.
pub(crate) fn build_of(root: &Path) -> Option<(&'static str, &'static str)> {
    let has = |name: &&&str| root.join(name).is_file();
    BUILDS.iter().find_map(|(names, command)| Some((*names.iter().find(has)?, *command)))
}

/// A tree of source.
pub(crate) struct Directory {
    root: PathBuf,
    /// All files, absolute.
    files: Vec<PathBuf>,
    unread: Vec<Unchecked>,
    /// Whether a file has a word, as far as it was asked for; nothing, where there are more files than are known here.
    words: Option<Mutex<HashMap<String, bool>>>,
}

impl Directory {
    /// Finds its files. Symbolic links are not followed: what they lead to is elsewhere in the tree, or not part of it.
    ///
    /// # Errors
    /// Where the directory itself cannot be read.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        fs::read_dir(root).with_context(|| format!("cannot read {}", root.display()))?;
        let mut found = Self { root: root.to_path_buf(), files: Vec::new(), unread: Vec::new(), words: Some(Mutex::default()) };
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
                if kind.is_dir() && system::is_other(&lower) {
                    found
                        .unread
                        .push(Unchecked { what: entry.path().display().to_string(), because: OF_OTHER_SYSTEM.to_owned() });
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
        Self { root: parent.to_path_buf(), files, unread: Vec::new(), words: None }
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

    /// Whether a file has a word, also behind `-D`, but for lines that say nothing.
    pub(crate) fn has_word(&self, word: &str, says_nothing: fn(&str) -> bool) -> bool {
        let Some(Ok(mut words)) = self.words.as_ref().map(Mutex::lock) else { return true };
        if let Some(known) = words.get(word) {
            return *known;
        }
        let is_it = |part: &str| part == word || part.strip_prefix('D') == Some(word);
        let has = |line: &str| line.contains(word) && !says_nothing(line) && files::words(line).any(is_it);
        let is_written = |path: &PathBuf| fs::metadata(path).is_ok_and(|of| of.len() <= LARGEST);
        let read = |path: &PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let known = self.files.iter().filter(|path| is_written(path)).any(|path| read(path).lines().any(has));
        words.insert(word.to_owned(), known);
        known
    }

    /// The files below a directory, from there.
    fn below<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = &'a Path> {
        let first = self.files.partition_point(|path| path.as_path() < directory);
        self.files[first..].iter().map_while(move |path| path.strip_prefix(directory).ok())
    }

    /// Each file, with what is guessed of its options; what is guessed is said.
    pub(crate) fn compilations(&self, pair: Pair, unchecked: &mut Vec<Unchecked>) -> Vec<Compilation> {
        unchecked.extend(self.unread.iter().cloned());
        let left_out = system::left_out(&self.files, pair);
        let (others, sources): (Vec<_>, Vec<_>) = self
            .files
            .iter()
            // In a tree `.i` is an interface for SWIG: what a compiler has preprocessed nobody keeps.
            .filter(|path| path.extension().is_none_or(|extension| extension != "i"))
            .filter_map(|path| match Language::of_file(&path.to_string_lossy())? {
                Language::C => Some((path, false)),
                Language::Cxx => Some((path, true)),
                // `biarch port` on a tree is about its C; rules about the tree look at the others.
                Language::Other(_) => None,
            })
            .partition(|(path, _)| left_out.contains(path.as_path()));
        if sources.is_empty() {
            return Vec::new();
        }
        let others: Vec<&Path> = others.iter().map(|(path, _)| path.as_path()).collect();
        unchecked.extend(some(&others).map(|what| Unchecked { what, because: OF_OTHER_SYSTEM.to_owned() }));
        self.say_how_to_build(unchecked);
        let includes = self.includes();
        let included = includes.iter().flat_map(|(_, names)| names).filter_map(|(name, _)| Path::new(name).file_name());
        let included: HashSet<String> = included.map(|name| name.to_string_lossy().into_owned()).collect();
        let unnamed = built::unnamed(self, &included, &left_out);
        let is_alone = |path: &&Path| !path.file_name().is_some_and(|name| included.contains(&*name.to_string_lossy()));
        let mut alone: Vec<&Path> = unnamed.iter().copied().filter(is_alone).collect();
        alone.sort();
        let because = "no build file names it, so that what is found there is only possible";
        unchecked.extend(some(&alone).map(|what| Unchecked { what, because: because.to_owned() }));
        let configures = self.configures();
        let names = configured::SystemNames::default();
        let makefiles = Makefiles::read(self);
        let (mut directories, templates) = self.search(&includes, &configures, &makefiles);
        let defined = configures.iter().flat_map(|(_, text)| configured::defined_by(text, &names)).collect();
        let config = self.configured(&templates, &defined, &names, unchecked);
        if let Some(config) = &config {
            // Also as `../config.h`.
            directories.extend([config.clone(), config.join(BELOW)]);
        }
        // Of a grammar nothing is made that says what the system has.
        let has_config = config.is_some() && !templates.values().all(|template| grammar::is_grammar(template));
        let system = configured::SystemHeaders::read();
        // Where one of them goes on to the system's, the directory is made to be searched first.
        let hides = |directory: &Path| {
            let mut own = self.below(directory).filter(|name| system.has(name)).peekable();
            let is_c_library = || C_LIBRARY.iter().all(|name| self.files.binary_search(&directory.join(name)).is_ok());
            own.peek().is_some() && !is_c_library() && !own.any(|name| configured::goes_on(&directory.join(name)))
        };
        let hiding: HashSet<&Path> = directories.iter().map(PathBuf::as_path).filter(|directory| hides(directory)).collect();
        let is_configured = self.files.iter().any(|path| configured::is_made(path));
        let answers = answers(&configures, &names);
        // One that is beside all sources, as `unix/configure`, is for all of them.
        let only = answers.first().filter(|(above, _)| answers.len() == 1 && self.has_no_source(above));
        // That which says least besides.
        let for_linux = self.files.iter().filter(|path| defines::is_for_linux(path)).min_by_key(|path| path.as_os_str().len());
        let for_linux = for_linux.and_then(|path| Makefile::read(path, &self.root)).unwrap_or_default().options;
        let arguments_of = |path: &Path| {
            // What is made is made at the top, and is there before what is in another part of the tree.
            let is_made = |directory: &Path| config.as_ref().is_some_and(|config| directory.starts_with(config));
            let near = |directory: &&PathBuf| {
                let at = if is_made(directory) { &self.root } else { *directory };
                (order(&makefiles, path, directory), std::cmp::Reverse(together(at, path)), !is_made(directory))
            };
            let mut ordered: Vec<&PathBuf> = directories.iter().collect();
            // The sort keeps the order of the alphabet among those that are as near.
            ordered.sort_by_key(near);
            let option = |option: &str, directory: &Path| format!("{option}{}", directory.display());
            let mut words: Vec<String> = ordered.iter().map(|directory| option("-iquote", directory)).collect();
            ordered.sort_by_key(|directory| !is_public(directory, path));
            // Behind the system's own, where a directory has a `string.h` for systems without one. Clang takes what is there for the
            // system's, of which it says little.
            let last = |directory: &Path| if hiding.contains(directory) { "-idirafter" } else { "-I" };
            words.extend(ordered.iter().map(|directory| option(last(directory), directory)));
            if has_config || is_configured {
                words.push("-DHAVE_CONFIG_H".to_owned());
            }
            let nearest =
                answers.iter().filter(|(above, _)| path.starts_with(above)).max_by_key(|(above, _)| above.as_os_str().len());
            words.extend(nearest.or(only).into_iter().flat_map(|(_, answers)| answers.clone()));
            words.extend(makefiles.options(path).unwrap_or_else(|| for_linux.clone()));
            words
        };
        let mut by_directory: HashMap<PathBuf, Vec<String>> = HashMap::new();
        let compilation = |(path, is_cxx): (&PathBuf, bool)| {
            let directory = path.parent().unwrap_or(&self.root).to_path_buf();
            let arguments = by_directory.entry(directory.clone()).or_insert_with(|| arguments_of(path)).clone();
            let file = path.to_string_lossy().into_owned();
            let built = match (unnamed.contains(path.as_path()), is_alone(&path.as_path())) {
                _ if is_for_lack(path, &names) => Built::Nowhere,
                (false, _) => Built::Named,
                (true, false) => Built::Included,
                (true, true) => Built::Nowhere,
            };
            Compilation { file, directory, compiler: String::new(), arguments, is_cxx, built }
        };
        sources.into_iter().map(compilation).collect()
    }

    /// Whether nothing to be compiled is below a directory.
    fn has_no_source(&self, directory: &Path) -> bool {
        let is_source = |path: &Path| matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C | Language::Cxx));
        !self.below(directory).any(is_source)
    }

    /// Whether there is a build to observe, which knows what is guessed here.
    fn say_how_to_build(&self, unchecked: &mut Vec<Unchecked>) {
        if let Some((name, command)) = build_of(&self.root) {
            let because = format!("the build was not observed, so options are guessed; {command}");
            unchecked.push(Unchecked { what: name.to_owned(), because });
        }
    }

    /// What autoconf makes ./configure of, and what it says.
    fn configures(&self) -> Vec<(&Path, String)> {
        let is_it = |path: &&PathBuf| CONFIGURE.iter().any(|name| path.ends_with(name));
        let read = |path: &'_ Path| Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned());
        self.files.iter().filter(is_it).filter_map(|path| Some((path.as_path(), read(path)?))).collect()
    }

    /// What each file of C or C++ includes: the file, and the name with whether it was in quotes.
    fn includes(&self) -> Vec<(&Path, Vec<(String, bool)>)> {
        let is_read = |path: &Path| {
            let header = path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| {
                ["h", "hh", "hpp", "hxx", "H", "inc", "def", "tcc", "ipp", "y", "l"].contains(&extension)
            });
            // What is made of a template includes what that does.
            let header = header
                || path.to_str().is_some_and(|name| TEMPLATES.iter().any(|end| end.starts_with(".h") && name.ends_with(end)));
            header || matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C | Language::Cxx))
        };
        self.files.iter().filter(|path| is_read(path)).map(|path| (path.as_path(), included(path))).collect()
    }

    /// The directories in which there is what the files include, and the templates of what is not there.
    fn search(
        &self,
        includes: &[(&Path, Vec<(String, bool)>)],
        configures: &[(&Path, String)],
        makefiles: &Makefiles,
    ) -> (BTreeSet<PathBuf>, BTreeMap<String, PathBuf>) {
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
                let nearest = candidates.iter().filter(|path| path.ends_with(&name)).max_by_key(|other| {
                    let of = other.ancestors().nth(name.components().count()).unwrap_or(other);
                    let order = order(makefiles, path, of);
                    let is_public = !quoted && is_public(of, path);
                    (std::cmp::Reverse(order), is_public, together(other, path), std::cmp::Reverse(other.components().count()))
                });
                // What is in another part of the tree is not what ./configure makes above.
                let is_above = |of: &Path| of.parent().is_some_and(|above| path.starts_with(above));
                // Nor is what only the name of the tree itself would lead to.
                let levels = name.components().count();
                let is_outside = |of: &Path| of.ancestors().nth(levels).is_none_or(|above| !above.starts_with(&self.root));
                let made = nearest.filter(|nearest| !is_above(nearest) || is_outside(nearest)).and_then(|nearest| {
                    let template = template(&name, path, &by_name, configures)?;
                    (is_above(&template) && (template.parent() != nearest.parent() || is_outside(nearest))).then_some(template)
                });
                if let Some(made) = made {
                    keep(&mut templates, &name, made);
                    continue;
                }
                match nearest {
                    Some(nearest) => {
                        directories.extend(nearest.ancestors().nth(levels).map(Path::to_path_buf));
                    }
                    None if !in_system(&name) => {
                        template(&name, path, &by_name, configures)
                            .or_else(|| self.linked(&name, candidates))
                            .into_iter()
                            .for_each(|template| keep(&mut templates, &name, template));
                    }
                    None => {}
                }
            }
        }
        (directories, templates)
    }

    /// The header that `name/x.h` is, where the build links `name/` to `include/`, in which there is one; or puts all of the project's headers
    /// into one directory, which has its name, and of which this is the only one that is called so.
    fn linked(&self, header: &Path, candidates: &[&Path]) -> Option<PathBuf> {
        if header.components().count() != 2 || missing::is_of_library(&header.to_string_lossy()) {
            return None;
        }
        let is_included = |path: &&&Path| path.parent().is_some_and(|parent| parent.ends_with("include"));
        let whole = self.root.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        // `libetpan-1.9.4`
        let is_version = |last: &str| last.starts_with(|c: char| c.is_ascii_digit());
        let own = whole.rsplit_once('-').filter(|(_, last)| is_version(last)).map_or(&*whole, |(name, _)| name);
        let is_own = |name: String| name == own || own.strip_prefix("lib") == Some(&name);
        let is_alone = candidates.len() == 1 && header.parent().is_some_and(|name| is_own(name.to_string_lossy().to_lowercase()));
        candidates.iter().find(is_included).or(candidates.first().filter(|_| is_alone)).map(|path| path.to_path_buf())
    }

    /// A directory with what configure would have made of these templates, as near as can be told without running it.
    fn configured(
        &self,
        templates: &BTreeMap<String, PathBuf>,
        defined: &BTreeMap<String, String>,
        system: &configured::SystemNames,
        unchecked: &mut Vec<Unchecked>,
    ) -> Option<PathBuf> {
        if templates.is_empty() {
            return None;
        }
        let directory = cache::directory()
            .ok()?
            .join("configured")
            .join(cache::Key::of(self.root.as_os_str().as_encoded_bytes()).to_string());
        fs::create_dir_all(directory.join(BELOW)).ok()?;
        let mut links = BTreeMap::new();
        for (name, template) in templates {
            let path = directory.join(name);
            let is_copy = COPIES.iter().any(|end| template.to_string_lossy().ends_with(end));
            if is_link(name, template) || is_copy {
                fs::create_dir_all(path.parent()?).ok()?;
                // One of another run is as good, if it leads to the same.
                if !fs::read_link(&path).is_ok_and(|to| to == *template) {
                    let _ = fs::remove_file(&path);
                    let _ = std::os::unix::fs::symlink(template, &path);
                }
                if is_copy {
                    let because = format!(
                        "it is not there, and {} was taken for it; the build copies that",
                        self.relative(template).display()
                    );
                    unchecked.push(Unchecked { what: name.clone(), because });
                } else {
                    let from = links.entry(Path::new(name).parent()?).or_insert_with(BTreeSet::new);
                    from.insert(self.relative(template.parent()?));
                }
                continue;
            }
            let mut text = String::from_utf8_lossy(&fs::read(template).unwrap_or_default()).into_owned();
            if template.file_name().is_some_and(|name| CONFIGURE.iter().any(|other| name == *other)) {
                text = configured::template_of(&text);
            }
            let is_grammar = grammar::is_grammar(template);
            let text = if is_grammar { grammar::header(&text) } else { Some(configured::of_template(&text, defined, system)) };
            let Some(text) = text else { continue };
            // What leads into the tree since another run is not written to: that would change the project's own file.
            if path.is_symlink() {
                fs::remove_file(&path).ok()?;
            }
            let written = path.parent().map(fs::create_dir_all).and_then(Result::ok).and_then(|()| fs::write(&path, text).ok());
            written?;
            let (with, maker) = match is_grammar {
                true => ("the tokens that it declares", "yacc"),
                false => ("what this system's headers have", "./configure"),
            };
            let template = self.relative(template).display();
            let because = format!("it is not there, and was made of {template}, with {with}; {maker} makes the real one");
            unchecked.push(Unchecked { what: name.clone(), because });
        }
        for (name, from) in links {
            let from = some(&from.into_iter().collect::<Vec<_>>()).unwrap_or_default();
            let because =
                format!("it is not there, and the headers of {from} are taken for those in it; the build makes the real one");
            unchecked.push(Unchecked { what: name.display().to_string(), because });
        }
        Some(directory)
    }
}

/// How many directories makefiles have the compiler look into before this one, where it compiles a file: those that are nearer come first. What
/// none of them names is behind all.
fn order(makefiles: &Makefiles, file: &Path, directory: &Path) -> usize {
    let mut above = makefiles.above(file).flat_map(|makefile| &makefile.searched);
    above.position(|other| other == directory).unwrap_or(usize::MAX)
}

/// Whether a source is only built where the system has no function of its name: `missing/asprintf.c`.
fn is_for_lack(path: &Path, system: &configured::SystemNames) -> bool {
    const DIRECTORIES: [&str; 4] = ["libcompat", "missing", "replace", "replacements"];
    let is_named = |part: &std::ffi::OsStr| DIRECTORIES.iter().any(|name| part == *name);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.parent().and_then(Path::file_name).is_some_and(is_named) && system.has(&stem)
}

/// By directory: the options by which a ./configure there that makes no header says what it has found.
fn answers<'a>(configures: &[(&'a Path, String)], system: &configured::SystemNames) -> Vec<(&'a Path, Vec<String>)> {
    configures.iter().filter_map(|(path, text)| Some((path.parent()?, configured::options(text, system)))).collect()
}

/// Whether a directory has the headers that a project has for all its files: what is beside the file would be in quotes.
fn is_public(directory: &Path, file: &Path) -> bool {
    directory.ends_with("include") && directory.parent().is_some_and(|parent| file.starts_with(parent))
}

/// The first of some files, and how many others there are.
fn some(files: &[&Path]) -> Option<String> {
    let (first, more) = files.split_first()?;
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Some(format!("{}{more}", first.display()))
}

/// Whether a header is not made of this one, but is this one.
fn is_link(header: &str, template: &Path) -> bool {
    Path::new(header).file_name() == template.file_name()
}

/// Keeps what a header is made of; of several with one name that of the whole project, which is less deep.
fn keep(templates: &mut BTreeMap<String, PathBuf>, header: &Path, template: PathBuf) {
    let depth = |path: &Path| path.components().count();
    let known = templates.entry(header.to_string_lossy().into_owned()).or_insert_with(|| template.clone());
    if depth(&template) < depth(known) {
        *known = template;
    }
}

/// What a header that is made is made of: a template, what autoheader makes that of, which was read before, or a grammar.
fn template(
    header: &Path,
    includer: &Path,
    by_name: &HashMap<&std::ffi::OsStr, Vec<&Path>>,
    configures: &[(&Path, String)],
) -> Option<PathBuf> {
    let shown = header.to_string_lossy();
    // Of two that are as near, the one of the whole project.
    let key = |other: &&&Path| (together(other, includer), std::cmp::Reverse(other.components().count()));
    let nearest = |candidates: &[&Path]| candidates.iter().max_by_key(key).map(|path| path.to_path_buf());
    let named = |ends: &[&str]| {
        ends.iter().find_map(|end| {
            let of = shown.strip_suffix(".h")?.to_owned() + end;
            nearest(by_name.get(Path::new(&of).file_name()?)?)
        })
    };
    let grammar = || {
        let makes = |(_, paths): (&&std::ffi::OsStr, &Vec<&Path>)| paths.first().is_some_and(|path| grammar::makes(path, header));
        let candidates = by_name.iter().filter(|(name, paths)| makes((name, paths)));
        nearest(&candidates.flat_map(|(_, paths)| paths.iter().copied()).collect::<Vec<_>>())
    };
    let configured = || {
        // What is made may be above, as `../config.h` of `unix/configure`.
        let made = |(path, text): &(&Path, String)| {
            let above = path.parent()?;
            let (made, template) = configured::made(text, header)?;
            let is_below = |directory: &Path| includer.starts_with(directory);
            let is_near = is_below(above) || without_dots(&above.join(made)).parent().is_some_and(is_below);
            // Only what is in the tree: it may say whatever it likes.
            let is_ours = |template: &PathBuf| {
                let named = template.file_name().and_then(|name| by_name.get(name));
                named.is_some_and(|paths| paths.contains(&template.as_path()))
            };
            let template = template.map(|template| without_dots(&above.join(template))).filter(is_ours);
            is_near.then(|| template.unwrap_or(path.to_path_buf()))
        };
        let made: Vec<PathBuf> = configures.iter().filter_map(made).collect();
        nearest(&made.iter().map(PathBuf::as_path).collect::<Vec<_>>())
    };
    named(&TEMPLATES).or_else(configured).or_else(|| named(&COPIES)).or_else(grammar)
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

/// The names that a file includes.
fn included(path: &Path) -> Vec<(String, bool)> {
    let mut bytes = Vec::new();
    if File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes)).is_err() {
        return Vec::new();
    }
    includes_of(&bytes)
}

/// The names that a text includes, and whether in quotes.
pub(crate) fn includes_of(text: &[u8]) -> Vec<(String, bool)> {
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
    text.split(|byte| *byte == b'\n').filter_map(line).collect()
}

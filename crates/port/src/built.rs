//! Which sources of a tree its build files name: what nobody names is most likely not built.

use crate::compiler::Language;
use crate::directory::{CONFIGURE, Directory};
use crate::files::{FileKind, kind, lines};
use crate::{automake, conditions};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a build file that somebody has written, or automake.
const LARGEST: u64 = 4 << 20;

/// How a build file takes whatever there is.
const WILDCARDS: [&str; 9] =
    ["*.c", "*.C", "wildcard", "GLOB", "glob(", "Glob(", "aux_source_directory", "$(shell ls", "$(shell find"];
/// Directories of tests.
const TESTS: [&str; 7] = ["regress", "regression", "t", "test", "tests", "testsuite", "validation"];
/// Others whose sources are mostly no part of the program: what others have given, what shows how something is used, and what makes a package
/// of it.
const BESIDE: [&str; 7] = ["contrib", "debian", "doc", "docs", "example", "examples", "samples"];

/// Whether a file, of which the path is that from the root of its tree, is a test's, or lies beside the program: what that does wrong is not
/// what users feel.
pub(crate) fn is_beside(path: &Path) -> bool {
    let lower = |part: &OsStr| part.to_string_lossy().to_lowercase();
    let directory = |part: &OsStr| {
        let name = lower(part);
        BESIDE.contains(&name.as_str()) || name.starts_with("test") || name.split(['-', '_']).any(|word| TESTS.contains(&word))
    };
    let stem = path.file_stem().map(lower).unwrap_or_default();
    let is_named = ["check", "test", "tests"].contains(&stem.as_str())
        || ["test_", "test-"].iter().any(|start| stem.starts_with(start))
        || ["_test", "-test"].iter().any(|end| stem.ends_with(end));
    is_named || path.parent().is_some_and(|parent| parent.iter().any(directory))
}

/// The sources, also those of assembly, that no build file names; nothing, where a build file may take them without their names, or names
/// no more than half of the C. What another source includes is compiled with that; `others` is what is there for other systems or processors.
pub(crate) fn unnamed<'a>(directory: &'a Directory, included: &HashSet<String>, others: &HashSet<&Path>) -> HashSet<&'a Path> {
    let files = directory.files();
    let is_assembly = |path: &&PathBuf| kind(path) == Some(FileKind::Assembly);
    let is_c = |path: &&&PathBuf| matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C | Language::Cxx));
    let is_ours = |path: &Path| !others.contains(path);
    let sources: Vec<&PathBuf> = files.iter().filter(|path| is_ours(path) && (is_c(&path) || is_assembly(path))).collect();
    let mut rest: HashSet<String> = sources.iter().map(|path| stem(path)).collect();
    let mut twins = Twins::new(&sources);
    // Those of configure are the largest, and mostly everything is named before.
    let is_build = |path: &Path| kind(path) == Some(FileKind::Build);
    let is_script = |path: &Path| matches!(kind(path), Some(FileKind::Script | FileKind::Configure));
    let automakes = conditionals(directory);
    let is_made_of =
        |path: &Path| path.ends_with("Makefile.in") && files.binary_search(&path.with_file_name("Makefile.am")).is_ok();
    // Directories that are only for another system; those above come first.
    let mut left: HashSet<PathBuf> = HashSet::new();
    let mut builds: Vec<&PathBuf> = files.iter().filter(|path| is_build(path) && !is_made_of(path) && is_ours(path)).collect();
    builds.sort_by_key(|path| path.components().count());
    for path in builds.into_iter().chain(files.iter().filter(|path| is_script(path))) {
        if rest.is_empty() && twins.sources.is_empty() && !is_build(path) {
            break;
        }
        if path.ancestors().any(|above| left.contains(above)) {
            continue;
        }
        if fs::metadata(path).is_ok_and(|of| of.len() > LARGEST) {
            continue;
        }
        // What makedepend(1) has written says what is included too.
        if path.extension().is_some_and(|extension| extension == "dep") {
            continue;
        }
        let bytes = fs::read(path).unwrap_or_default();
        // `$*.c` is one file.
        let text = String::from_utf8_lossy(&bytes).replace("$*", "").replace("\\\n", " ");
        // What automake only packs, or removes, is not built for that.
        let is_packed = |line: &str| {
            let first = line.split(|c: char| c.is_whitespace() || "+=".contains(c)).next().unwrap_or_default();
            let command = line.strip_prefix('\t').map(|command| command.trim_start_matches([' ', '@', '-']));
            let removes = |command: &str| command.starts_with("rm ") || command.starts_with("find ") && command.contains(" rm ");
            first == "EXTRA_DIST" || first.ends_with("CLEANFILES") || command.is_some_and(removes)
        };
        let is_wild = |line: &str| WILDCARDS.iter().any(|wildcard| line.contains(wildcard)) && !line.contains("*.java");
        let groups = if is_build(path) { conditions::groups(&text) } else { Vec::new() };
        let of_others = |at: &usize| conditions::is_for_other_system(&groups, *at, &automakes);
        let lines = lines(&text).filter(|(_, line)| !line.trim_start().starts_with('#') && !is_packed(line));
        let (others, lines): (Vec<_>, Vec<_>) = lines.partition(|(at, _)| of_others(at));
        let words = |lines: &[(usize, &str)]| -> HashSet<String> {
            let is_between = |c: char| c.is_whitespace() || c == '=';
            let words = lines.iter().flat_map(|(_, line)| line.split(is_between)).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        let of_others = words(&others);
        for (_, line) in &lines {
            if is_build(path) && is_wild(line) {
                return HashSet::new();
            }
            let line = if is_build(path) { &*compiled(conditions::code(line), included) } else { line };
            // What is there for a choice, of which the other one is taken: `EXTRA_main_SOURCES = lex.l flex.l`.
            if line.starts_with("EXTRA_") {
                let taken = line.split_whitespace().filter(|word| !of_others.contains(*word));
                taken.for_each(|word| name(word, is_build(path), &mut rest));
            } else {
                name(line, is_build(path), &mut rest);
            }
            twins.name(line, path.parent().unwrap_or(directory.root()));
        }
        if of_others.is_empty() {
            continue;
        }
        let only: Vec<String> = of_others.difference(&words(&lines)).cloned().collect();
        // Not `.`, which is the directory itself.
        let named = only.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_alphanumeric()));
        left.extend(named.filter_map(|word| Some(path.parent()?.join(word))).filter(|below| below.is_dir()));
    }
    let is_unnamed = |path: &&Path| rest.contains(&stem(path)) || twins.is_other(path);
    let unnamed: HashSet<&Path> = sources.iter().map(|path| path.as_path()).filter(is_unnamed).collect();
    let is_part = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut above = directory.relative(path).parent().into_iter().flat_map(Path::iter);
        let is_beside =
            |part: &OsStr| [&TESTS, &BESIDE].iter().any(|names| names.contains(&&*part.to_string_lossy().to_lowercase()));
        !included.contains(&*name) && !above.any(is_beside)
    };
    let parts: Vec<&&PathBuf> = sources.iter().filter(|path| is_c(path) && is_part(path)).collect();
    let strays = parts.iter().filter(|path| unnamed.contains(path.as_path())).count();
    if parts.is_empty() || strays * 2 >= parts.len() { HashSet::new() } else { unnamed }
}

/// A line of a makefile without the sources behind the first of which an object is made and that others include: `all.o: all.c part.c`.
fn compiled<'a>(line: &'a str, included: &HashSet<String>) -> Cow<'a, str> {
    let is_object = |target: &str| [".o", ".lo", ".obj", ".$(OBJEXT)"].iter().any(|end| target.ends_with(end));
    let Some((targets, prerequisites)) = line.split_once(':').filter(|(targets, _)| targets.split_whitespace().any(is_object))
    else {
        return Cow::Borrowed(line);
    };
    let is_source = |word: &&str| matches!(Language::of_file(word), Some(Language::C | Language::Cxx));
    let is_included = |word: &&str| word.rsplit('/').next().is_some_and(|name| included.contains(name));
    let mut words: Vec<&str> = prerequisites.split_whitespace().collect();
    let first = words.iter().copied().find(is_source);
    words.retain(|word| !is_source(word) || !is_included(word) || first == Some(*word));
    Cow::Owned(format!("{targets}: {}", words.join(" ")))
}

/// What its configure.ac says of automake's conditionals.
fn conditionals(directory: &Directory) -> automake::Others {
    let text = CONFIGURE.iter().find_map(|name| fs::read(directory.root().join(name)).ok());
    text.map(|text| automake::Others::of(&String::from_utf8_lossy(&text))).unwrap_or_default()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Sources that have one name in several directories, of which a build file means those of its own directory, or of that which it names.
struct Twins<'a> {
    sources: HashMap<String, Vec<&'a Path>>,
    /// Those that are meant.
    meant: HashSet<&'a Path>,
    /// The names of which it is not known somewhere which are.
    vague: HashSet<String>,
}

impl<'a> Twins<'a> {
    fn new(all: &[&'a PathBuf]) -> Self {
        let mut sources: HashMap<String, Vec<&Path>> = HashMap::new();
        for path in all {
            sources.entry(stem(path)).or_default().push(path);
        }
        sources.retain(|_, paths| paths.iter().any(|path| path.parent() != paths[0].parent()));
        Self { sources, meant: HashSet::new(), vague: HashSet::new() }
    }

    /// What a line of a build file in this directory means.
    fn name(&mut self, line: &str, directory: &Path) {
        let is_between = |c: char| c.is_whitespace() || "=:;,'\"()[]".contains(c);
        for word in line.split(is_between).filter(|_| !self.sources.is_empty()) {
            let (above, last) = word.rsplit_once('/').unwrap_or(("", word));
            let first = last.split('.').next().unwrap_or_default();
            // `foo-main.o` is made of main.c.
            let names = [first, first.rsplit_once('-').map_or("", |(_, last)| last)];
            let Some((name, sources)) = names.iter().find_map(|name| self.sources.get_key_value(*name)) else { continue };
            let of = resolved(directory, above);
            let meant: Vec<&Path> = sources.iter().copied().filter(|path| path.parent() == of.as_deref()).collect();
            // A word without an end may be anything.
            if meant.is_empty() && last.contains('.') {
                self.vague.insert(name.clone());
            }
            self.meant.extend(meant);
        }
    }

    /// Whether only others of its name are meant.
    fn is_other(&self, path: &Path) -> bool {
        let name = stem(path);
        let mut sources = self.sources.get(&name).into_iter().flatten();
        !self.vague.contains(&name) && !self.meant.contains(path) && sources.any(|other| self.meant.contains(other))
    }
}

/// What `../src` is in a directory; nothing, where a variable is in it.
fn resolved(directory: &Path, relative: &str) -> Option<PathBuf> {
    let mut path = directory.to_owned();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()),
            _ if part.contains('$') => return None,
            _ => path.push(part),
        }
    }
    Some(path)
}

/// Takes away what a line names: `main.c`, `main.o`, `main.$(OBJEXT)`, `foo-main.o` of automake, and in a build file also the program
/// `main`, which make knows how to build. A header is not compiled.
fn name(line: &str, is_build: bool, rest: &mut HashSet<String>) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
    for word in line.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()) {
        let whole = match word.rsplit_once('.') {
            Some((_, "h" | "hh" | "hpp" | "hxx" | "H")) => continue,
            Some((whole, _)) => whole,
            None if is_build => word,
            None => continue,
        };
        let first = word.split('.').next().unwrap_or_default();
        rest.remove(first);
        if let Some((_, last)) = first.rsplit_once('-') {
            rest.remove(last);
        }
        rest.remove(whole);
    }
}

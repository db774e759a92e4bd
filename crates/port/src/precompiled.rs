//! The headers of the C++ library that most files of a project include, compiled beforehand: to parse them is most of what the compiler does
//! in many a file of C++, once for each word size.
//!
//! Nothing may come out of that but time: a file has the same result as without. So it takes part only if it includes all of these headers
//! itself, which is looked at afterwards, and defines nothing that the headers of the system ask for.

use crate::ast::Unit;
use crate::configured::OVERLAY;
use crate::directory::includes_of;
use crate::pair::{NARROW, WIDE};
use crate::worker::Worker;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// Files of C++ that are to be parsed, from which on it is worth while.
pub(crate) const MANY: usize = 24;

/// Files that are parsed first, to see what they include.
pub(crate) const PROBES: usize = 8;

/// So many files more are parsed in vain before that ends.
const FAILURES: i32 = 6;

/// What a project may define before it includes a header, so that this has something else in it; with `_GNU_SOURCE`, which compilers of C++
/// define, the C library's other macros have no effect.
const ASKED: [&str; 9] = [
    "_FILE_OFFSET_BITS",
    "_TIME_BITS",
    "_GNU_SOURCE",
    "_GLIBCXX_",
    "_LIBCPP_",
    "__STDC_",
    "__STRICT_ANSI__",
    "private",
    "protected",
];

/// The library's headers that a file includes, by its own lines or by others of them, and where they are.
pub(crate) type Included = BTreeSet<PathBuf>;

/// Those of a file that was parsed without anything compiled beforehand.
pub(crate) fn included(unit: &Unit) -> Included {
    let paths = unit.inclusions.iter().map(|(file, _)| Path::new(unit.file(*file)));
    paths.filter(|path| is_librarys(path)).map(Path::to_owned).collect()
}

/// Whether it is a header that the language has: `/usr/include/c++/12/string`, `/usr/include/c++/v1/string`.
fn is_librarys(path: &Path) -> bool {
    let above = path.parent().and_then(Path::parent).and_then(Path::file_name);
    above.is_some_and(|name| name == "c++") && path.extension().is_none()
}

/// What one word size has.
#[derive(Clone, Debug)]
struct Made {
    path: String,
    files: Files,
}

/// What a compiled header was made of.
pub(crate) type Files = Arc<Vec<String>>;

/// What matters of a file's text.
struct Text {
    /// What it includes, whatever `#if` it is below.
    includes: Vec<String>,
    /// Whether it defines what headers of the system ask for.
    is_asked: bool,
}

/// Headers that are compiled beforehand.
pub(crate) struct Precompiled {
    scratch: Scratch,
    headers: Included,
    /// By the arguments that matter; nothing, where the compiler refuses to do it.
    made: Mutex<BTreeMap<Vec<String>, Option<Made>>>,
    texts: Mutex<HashMap<PathBuf, Arc<Text>>>,
    /// How many files more it was for nothing with than not.
    failures: AtomicI32,
    /// By a header of the library: all that it includes.
    closures: Mutex<HashMap<PathBuf, Arc<Included>>>,
}

/// A directory that is gone afterwards.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How the name of one begins; the number of its process follows.
const NAME: &str = "biarch-port-";

/// Removes those of processes that were killed.
fn remove_left(above: &Path) {
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(NAME)?.split('-').next()?.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Two analyses of one process have directories of their own.
static NEXT: AtomicU32 = AtomicU32::new(0);

impl Precompiled {
    /// What is worth most, as far as the files tell that were looked at: many headers that many have.
    pub(crate) fn choose(probes: &[Included]) -> Option<Self> {
        let has = |header: &PathBuf| probes.iter().filter(|probe| probe.contains(header)).count();
        let all: Included = probes.iter().flatten().cloned().collect();
        let at_least = |count: usize| -> Included { all.iter().filter(|header| has(header) >= count).cloned().collect() };
        let worth = |headers: &Included| headers.len() * probes.iter().filter(|probe| probe.is_superset(headers)).count();
        let headers = (1..=probes.len()).map(at_least).max_by_key(worth).filter(|headers| worth(headers) > 0)?;
        remove_left(&std::env::temp_dir());
        let name = format!("{NAME}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let scratch = Scratch(std::env::temp_dir().join(name));
        // Whoever has made it before us would choose what we read.
        fs::create_dir(&scratch.0).ok()?;
        Some(Self {
            scratch,
            headers,
            made: Mutex::default(),
            texts: Mutex::default(),
            failures: AtomicI32::new(0),
            closures: Mutex::default(),
        })
    }

    /// The arguments of a file for both word sizes, with what is compiled beforehand, and what that is made of. The worker does that, when it is
    /// asked for first.
    pub(crate) fn with(&self, arguments: &[Vec<String>; 2], worker: &mut Worker) -> Option<([Vec<String>; 2], [Files; 2])> {
        if self.failures.load(Ordering::Relaxed) > FAILURES {
            return None;
        }
        let mut with = |side: usize| {
            let made = self.made(&arguments[side], worker)?;
            let mut words = vec!["-include-pch".to_owned(), made.path];
            words.extend_from_slice(&arguments[side]);
            Some((words, made.files))
        };
        let ((narrow, of_narrow), (wide, of_wide)) = (with(NARROW)?, with(WIDE)?);
        Some(([narrow, wide], [of_narrow, of_wide]))
    }

    fn made(&self, arguments: &[String], worker: &mut Worker) -> Option<Made> {
        let matters = of_library(arguments)?;
        let mut made = self.made.lock().ok()?;
        if let Some(known) = made.get(&matters) {
            return known.clone();
        }
        let path = |end: &str| self.scratch.0.join(format!("{}.{end}", made.len())).to_string_lossy().into_owned();
        let (source, to) = (path("h"), path("pch"));
        let names = self.headers.iter().filter_map(|header| Some(header.file_name()?.to_string_lossy().into_owned()));
        let text: String = names.map(|name| format!("#include <{name}>\n")).collect();
        let files = fs::write(&source, text).ok().and_then(|()| worker.precompile(&source, &to, &matters).ok());
        if files.is_none() {
            // It may have ended for that, and is waited for.
            worker.is_gone();
        }
        let of_library = |files: Vec<String>| Arc::new(files.into_iter().filter(|file| *file != source).collect());
        let one = files.map(of_library).map(|files| Made { path: to, files });
        made.insert(matters, one.clone());
        one
    }

    /// Notes whether it was of use to a file.
    pub(crate) fn count(&self, is_of_use: bool) {
        self.failures.fetch_add(if is_of_use { -1 } else { 1 }, Ordering::Relaxed);
    }

    /// Whether a file that was parsed with this would be the same without. Where it is, it includes what this is made of.
    pub(crate) fn complete(&self, unit: &mut Unit, files: &[String]) -> bool {
        let Some(directory) = self.headers.first().and_then(|first| first.parent()) else { return false };
        let mut missing: Included = self.headers.clone();
        for path in unit.inclusions.iter().map(|(file, _)| unit.file(*file)) {
            let text = self.text(Path::new(path));
            if text.is_asked && !path.starts_with("/usr/") {
                return false;
            }
            for header in text.includes.iter().map(|name| directory.join(name)).filter(|header| is_librarys(header)) {
                if !missing.is_empty() {
                    let closure = self.closure(&header, files);
                    missing.retain(|header| !closure.contains(header));
                }
            }
        }
        unit.include(files);
        missing.is_empty()
    }

    fn text(&self, path: &Path) -> Arc<Text> {
        if let Some(known) = self.texts.lock().ok().and_then(|texts| texts.get(path).cloned()) {
            return known;
        }
        let bytes = fs::read(path).unwrap_or_default();
        let defines = |line: &[u8]| {
            let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
            let name = directive.and_then(|rest| rest.strip_prefix(b"define").or(rest.strip_prefix(b"undef")));
            name.is_some_and(|name| ASKED.iter().any(|asked| name.trim_ascii_start().starts_with(asked.as_bytes())))
        };
        let text = Arc::new(Text {
            includes: includes_of(&bytes).into_iter().map(|(name, _)| name).collect(),
            is_asked: bytes.split(|byte| *byte == b'\n').any(defines),
        });
        if let Ok(mut texts) = self.texts.lock() {
            texts.insert(path.to_owned(), Arc::clone(&text));
        }
        text
    }

    /// A header of the library and all of its headers that it includes, also by those that are for one architecture, which are elsewhere.
    fn closure(&self, header: &Path, files: &[String]) -> Arc<Included> {
        if let Some(known) = self.closures.lock().ok().and_then(|closures| closures.get(header).cloned()) {
            return known;
        }
        let (mut seen, mut todo) = (Included::new(), vec![header.to_owned()]);
        while let Some(next) = todo.pop() {
            let directories: Vec<&Path> = [header, &next].into_iter().filter_map(Path::parent).collect();
            let mut found = Vec::new();
            for name in &self.text(&next).includes {
                let beside = directories.iter().map(|directory| directory.join(name)).find(|path| path.is_file());
                let elsewhere = || files.iter().map(Path::new).find(|path| path.ends_with(name)).map(Path::to_owned);
                found.extend(beside.or_else(elsewhere));
            }
            if seen.insert(next) {
                todo.extend(found.into_iter().filter(|path| !seen.contains(path)));
            }
        }
        seen.retain(|path| is_librarys(path));
        let closure = Arc::new(seen);
        if let Ok(mut closures) = self.closures.lock() {
            closures.insert(header.to_owned(), Arc::clone(&closure));
        }
        closure
    }
}

/// The arguments that matter to the headers of the library; nothing, where something comes before these.
fn of_library(arguments: &[String]) -> Option<Vec<String>> {
    let mut taken = vec!["-xc++-header".to_owned()];
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let is = |options: &[&str]| options.contains(&word.as_str());
        if is(&["-include", "-imacros", "-x", "-fms-extensions"]) || word.starts_with("-x") && word != "-xc++" {
            return None;
        } else if is(&["-I", "-iquote", "-working-directory"]) {
            words.next();
        } else if is(&["-D", "-U"]) {
            let value = words.next()?;
            if value.starts_with('_') {
                taken.extend([word.clone(), value.clone()]);
            }
        } else if is(&["-isystem", "-idirafter"]) {
            taken.extend([word.clone(), words.next()?.clone()]);
        } else {
            let name = word.strip_prefix("-D").or(word.strip_prefix("-U"));
            let is_projects = name.is_some_and(|name| !name.starts_with('_'))
                || ["-I", "-iquote", OVERLAY, "-xc++"].iter().any(|option| word.starts_with(option));
            taken.extend((!is_projects).then(|| word.clone()));
        }
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_is_the_projects_does_not_matter_to_the_library() {
        let of = |line: &str| of_library(&words(line)).map(|taken| taken.join(" "));
        let taken = of(
            "-std=c++17 -Iinc -I inc -iquote . -DNAME -D NAME=1 -D_REENTRANT -D _GLIBCXX_DEBUG -U_X -isystem /s -working-directory /w -O2",
        );
        assert_eq!(taken.as_deref(), Some("-xc++-header -std=c++17 -D_REENTRANT -D _GLIBCXX_DEBUG -U_X -isystem /s -O2"));
        for line in ["-include config.h", "-imacros m.h", "-xc", "-fms-extensions"] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn what_many_have_is_chosen() {
        let of = |names: &str| -> Included {
            names.split(' ').map(|name| PathBuf::from(format!("/usr/include/c++/12/{name}"))).collect()
        };
        let chosen = |probes: &[&str]| {
            let probes: Vec<Included> = probes.iter().map(|names| of(names)).collect();
            Precompiled::choose(&probes).map(|chosen| chosen.headers.clone())
        };
        assert_eq!(chosen(&["a b c d", "a b c", "a b c d", "a"]), Some(of("a b c")));
        assert_eq!(chosen(&["a b c d e f", "a"]), Some(of("a b c d e f")));
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn what_a_killed_process_has_left_is_removed() {
        let above = std::env::temp_dir().join(format!("biarch-left-{}", std::process::id()));
        let left = above.join(format!("{NAME}{}-0", u32::MAX));
        let own = above.join(format!("{NAME}{}-0", std::process::id()));
        for directory in [&left, &own, &above.join("other")] {
            fs::create_dir_all(directory).unwrap();
        }
        remove_left(&above);
        assert_eq!([&left, &own, &above.join("other")].map(|directory| directory.exists()), [false, true, true]);
        fs::remove_dir_all(&above).unwrap();
    }
}

//! Which sources of a tree its build files name: what nobody names is most likely not built.

use crate::compiler::Language;
use crate::files::{FileKind, kind};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a build file that somebody has written, or automake.
const LARGEST: u64 = 4 << 20;

/// How a build file takes whatever there is.
const WILDCARDS: [&str; 9] =
    ["*.c", "*.C", "wildcard", "GLOB", "glob(", "Glob(", "aux_source_directory", "$(shell ls", "$(shell find"];

/// The sources that no build file names, nor includes another source; nothing, where a build file may take them without their names, or does
/// not name most of the others.
pub(crate) fn unnamed<'a>(files: &'a [PathBuf], included: &HashSet<String>) -> HashSet<&'a Path> {
    let of_c = |path: &&PathBuf| matches!(Language::of_file(&path.to_string_lossy()), Some(Language::C | Language::Cxx));
    let sources: Vec<&PathBuf> = files.iter().filter(of_c).collect();
    let is_build = |path: &&PathBuf| matches!(kind(path), Some(FileKind::Build | FileKind::Script | FileKind::Configure));
    let mut words: HashSet<String> = HashSet::new();
    for path in files.iter().filter(is_build) {
        if fs::metadata(path).is_ok_and(|of| of.len() > LARGEST) {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        if kind(path) == Some(FileKind::Build) && WILDCARDS.iter().any(|wildcard| text.contains(wildcard)) {
            return HashSet::new();
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
        for word in text.split(|c: char| !is_part(c)) {
            // `main.c`, `main.o`, `main.$(OBJEXT)`, and `foo-main.o` of automake.
            let stem = word.split('.').next().unwrap_or_default();
            words.extend([stem, stem.rsplit('-').next().unwrap_or_default()].map(str::to_owned));
            words.insert(word.rsplit_once('.').map_or(word, |(stem, _)| stem).to_owned());
        }
    }
    let is_named = |path: &Path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        words.contains(&*stem) || included.contains(&*name)
    };
    let unnamed: HashSet<&Path> = sources.iter().map(|path| path.as_path()).filter(|path| !is_named(path)).collect();
    if unnamed.len() * 3 > sources.len() { HashSet::new() } else { unnamed }
}

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
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut rest: HashSet<String> = sources.iter().map(|path| stem(path)).collect();
    // Those of configure are the largest, and mostly everything is named before.
    let is_build = |path: &Path| kind(path) == Some(FileKind::Build);
    let is_script = |path: &Path| matches!(kind(path), Some(FileKind::Script | FileKind::Configure));
    let builds = files.iter().filter(|path| is_build(path));
    for path in builds.chain(files.iter().filter(|path| is_script(path))) {
        if rest.is_empty() && !is_build(path) {
            break;
        }
        if fs::metadata(path).is_ok_and(|of| of.len() > LARGEST) {
            continue;
        }
        let bytes = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        if is_build(path) && WILDCARDS.iter().any(|wildcard| text.contains(wildcard)) {
            return HashSet::new();
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
        for word in text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()) {
            // `main.c`, `main.o`, `main.$(OBJEXT)`, and `foo-main.o` of automake.
            let first = word.split('.').next().unwrap_or_default();
            rest.remove(first);
            if let Some((_, last)) = first.rsplit_once('-') {
                rest.remove(last);
            }
            if let Some((whole, _)) = word.rsplit_once('.').filter(|(whole, _)| whole.len() != first.len()) {
                rest.remove(whole);
            }
        }
    }
    let is_unnamed = |path: &&Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        rest.contains(&stem(path)) && !included.contains(&*name)
    };
    let unnamed: HashSet<&Path> = sources.iter().map(|path| path.as_path()).filter(is_unnamed).collect();
    if unnamed.len() * 3 > sources.len() { HashSet::new() } else { unnamed }
}

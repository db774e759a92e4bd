//! A file looks for its libraries in a directory of the machine that built it
//!
//! # What
//! DT_RPATH or DT_RUNPATH has an absolute path below a home or build directory, or one that is relative, or empty.
//!
//! # Why
//! The directory is not on the system that runs the program, so that its libraries are not found, or not these. Where
//! somebody else can make the directory (below /tmp, or a relative one), they choose what the program runs.
//!
//! # Fix
//! Link again without `-rpath` (libtool: remove rpath from libtool; CMake: CMAKE_SKIP_RPATH or CMAKE_INSTALL_RPATH), or
//! edit the file: `patchelf --remove-rpath FILE` or `patchelf --set-rpath '$ORIGIN/../lib' FILE`.
//!
//! # References
//! - man 8 ld.so, "$ORIGIN"; OE-core, insane.bbclass, test "rpaths"; lintian, custom-library-search-path

use super::Found;
use crate::facts::{Facts, Object};
use crate::grouped::grouped;
use crate::root::{Found as Path, Root};

/// Where people and build systems build.
const BUILD: &[&str] = &["/home/", "/root/", "/tmp/", "/var/tmp/", "/build/", "/builddir/", "/buildroot/", "/workspace/", "/Users/"];
/// Where everybody can make a directory.
const OPEN: &[&str] = &["/tmp/", "/var/tmp/"];

/// What is wrong with a path of DT_RPATH.
fn wrong(path: &str, root: Option<&Root>) -> Option<&'static str> {
    let slashed = format!("{path}/");
    let below = |directories: &[&str]| directories.iter().any(|directory| slashed.starts_with(directory));
    if path.is_empty() {
        Some("is empty, which is the directory it is started in")
    } else if !path.starts_with('/') {
        (!path.starts_with('$')).then_some("is relative to the directory it is started in")
    } else if below(OPEN) {
        Some("is where everybody can make a directory")
    } else if root.is_some_and(|root| matches!(root.find(path.as_bytes()), Path::Other)) {
        // It is there after all: somebody has built for this place.
        None
    } else {
        (below(BUILD) || slashed.contains("/tmp/work/")).then_some("is of the machine that built it")
    }
}

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    let bad = |root: Option<&Root>, object: &Object| -> Vec<(&'static str, String, &'static str)> {
        let tags = [("DT_RPATH", &object.details.rpath), ("DT_RUNPATH", &object.details.runpath)];
        let paths = tags.into_iter().flat_map(|(tag, paths)| paths.iter().map(move |path| (tag, path)));
        paths.filter_map(|(tag, path)| Some((tag, path.clone(), wrong(path, root)?))).collect()
    };
    let alone = facts.objects.iter().map(|object| (object.name(), None, vec![object]));
    let inside = facts.roots.iter().map(|root| (root.name.clone(), Some(root), root.objects.iter().collect()));
    for (target, root, objects) in alone.chain(inside) {
        let mut files = Vec::new();
        for object in objects {
            files.extend(bad(root, object).into_iter().map(|key| (key, object)));
        }
        for ((tag, path, why), files) in grouped(files) {
            let message = format!("{} with a {tag} that {why}", files.count());
            found.add(&target, message, format!("{tag} has \"{}\" in {files}", path.escape_debug()));
        }
    }
}

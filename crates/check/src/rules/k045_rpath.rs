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
use crate::facts::Facts;
use crate::libraries::each;

/// Where people and build systems build.
const BUILD: &[&str] = &["/home/", "/root/", "/tmp/", "/var/tmp/", "/build/", "/builddir/", "/buildroot/", "/workspace/", "/Users/"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for (target, object) in each(facts) {
        for (tag, paths) in [("DT_RPATH", &object.details.rpath), ("DT_RUNPATH", &object.details.runpath)] {
            for path in paths {
                let slashed = format!("{path}/");
                let why = if BUILD.iter().any(|build| slashed.starts_with(build)) || slashed.contains("/tmp/work/") {
                    "is of the machine that built it"
                } else if path.is_empty() {
                    "is empty, which is the directory it is started in"
                } else if !path.starts_with('/') && !path.starts_with('$') {
                    "is relative to the directory it is started in"
                } else {
                    continue;
                };
                found.add(&target, format!("its {tag} {why}"), format!("{target}: {tag} has \"{}\"", path.escape_debug()));
            }
        }
    }
}

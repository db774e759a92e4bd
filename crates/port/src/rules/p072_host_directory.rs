//! The compiler is told to look in a directory of the machine that builds
//!
//! # What
//! A build file names `-I/usr/include`, `-L/usr/lib`, `-L/usr/local/lib` or the like.
//!
//! # Why
//! Where the software is cross-compiled, these are the headers and libraries of the machine that builds, not of the target: the linker
//! skips or takes what is for the wrong architecture, and headers for another word size are read without a word. It shows at run
//! time. Where both word sizes are installed, `/usr/lib` may be those of the other.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: rules.mk
//! LDFLAGS = -L/usr/lib -lfoo
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: rules.mk
//! # once -L/usr/lib
//! LDFLAGS = $(shell pkg-config --libs foo)
//! ```
//!
//! # Fix
//! Leave it out: compilers and linkers know these directories, below the right root. For others ask pkg-config, with
//! PKG_CONFIG_SYSROOT_DIR when cross-compiling.
//!
//! # References
//! - CWE-1105
//! - <https://autotools.info/pkgconfig/cross-compiling.html>

use super::{Found, Visit};
use crate::conditions;
use crate::files::{File, FileKind};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::File(look);

/// Where only the machine's own are.
const DIRECTORIES: [&str; 10] = [
    "-I/usr/include",
    "-I/usr/local/include",
    "-I/usr/X11R6/include",
    "-L/usr/lib64",
    "-L/usr/lib",
    "-L/lib64",
    "-L/lib",
    "-L/usr/local/lib",
    "-L/usr/X11R6/lib",
    "-L/usr/X11/lib",
];

fn look(file: &File<'_>, found: &mut Found<'_>) {
    // What configure has made is of this machine by intention; what configure.ac names, it may only try.
    let is_script = file.kind == FileKind::Script && file.is_shell();
    let may_be = (file.kind == FileKind::Build || is_script) && ["-I/", "-L/"].iter().any(|option| file.text.contains(option));
    if !may_be || super::p073_machine_flag::is_generated(file) {
        return;
    }
    for (at, line) in file.lines() {
        let code = conditions::code(line);
        for (position, option) in DIRECTORIES.iter().flat_map(|option| code.match_indices(option)) {
            // The option ends there, or goes on below the directory.
            let word = code[position..].split([' ', '\t', '"', '\'', ')', '\\', ',', ';']).next().unwrap_or(option);
            let rest = word.get(option.len()..).unwrap_or_default();
            if !rest.is_empty() && !rest.starts_with('/') {
                continue;
            }
            let message = format!("{word} is searched on the machine that builds, whatever it builds for");
            let sides =
                ["it has what is needed, on a machine of that kind".to_owned(), "it has what the machine that builds needs".to_owned()];
            if let Some(hit) = found.add_text(file, (at + position, at + position + word.len()), message, sides) {
                hit.confidence = Confidence::Possible;
            }
        }
    }
}

//! A path that only the old architecture has is written down
//!
//! # What
//! The dynamic loader of the old architecture, or its directory of libraries, stands in the source or the build files:
//! `/lib/ld-linux.so.2`, `/usr/lib/i386-linux-gnu`. In a build file that says in its name that it is for that architecture, as `Makefile.linux-32`,
//! it is only possible.
//!
//! # Why
//! Every architecture has a loader and a multiarch directory of its own, and others have `/usr/lib64`. A program that is linked with
//! another's loader does not start ("No such file or directory"); a directory that is not there is searched in vain.
//!
//! # Example
//! Bad:
//!
//! ```c
//! const char *loader = "/lib/ld-linux.so.2";
//! ```
//!
//! Good:
//!
//! ```c
//! #ifdef __i386__
//! const char *loader = "/lib/ld-linux.so.2";
//! #else
//! const char *loader = "/lib64/ld-linux-x86-64.so.2";
//! #endif
//! ```
//!
//! # Fix
//! Let the compiler choose the loader; ask pkg-config, `gcc -print-multiarch` or `$(libdir)` for directories. Where a program has to
//! know the loader, read PT_INTERP of itself.
//!
//! # References
//! - CWE-1105
//! - <https://wiki.debian.org/Multiarch/Implementation>

use super::{Found, Visit, p073_machine_flag};
use crate::conditions;
use crate::files::{File, FileKind};
use crate::pair::{NARROW, WIDE};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::File(look);

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if !matches!(file.kind, FileKind::Source | FileKind::Build | FileKind::Script) {
        return;
    }
    let own: [&[&str]; 2] = [NARROW, WIDE].map(|side| match file.pair.sides[side].name {
        "i386" => &["/lib/ld-linux.so.2", "/lib/i386-linux-gnu"][..],
        "armhf" => &["/lib/ld-linux-armhf.so.3", "/lib/arm-linux-gnueabihf"],
        "x86-64" => &["/ld-linux-x86-64.so.2", "/lib/x86_64-linux-gnu", "/lib64"],
        _ => &["/ld-linux-aarch64.so.1", "/lib/aarch64-linux-gnu"],
    });
    let has = |paths: &[&str]| paths.iter().any(|path| file.text.contains(path));
    // A file that has the new one's as well has thought of it; what configure writes, it writes again.
    if !has(own[NARROW]) || has(own[WIDE]) || file.kind != FileKind::Source && p073_machine_flag::is_generated(file) {
        return;
    }
    // What a build or a script does under a condition on the machine is as it is to be.
    let (groups, asking) = match file.kind {
        FileKind::Source => (Vec::new(), Vec::new()),
        _ => (conditions::groups(file.text), conditions::machine_variables(file)),
    };
    // Whoever takes it wants 32 bits.
    let is_named = file.kind != FileKind::Source && p073_machine_flag::is_named_for(file.name, file.pair.sides[NARROW].name);
    for (at, line) in file.lines() {
        if is_comment(line.trim_start()) {
            continue;
        }
        for path in own[NARROW] {
            for (position, _) in line.match_indices(path) {
                if conditions::is_for_machine(&groups, at, file.pair.sides[NARROW].name, &asking) {
                    continue;
                }
                let message = format!("{path} is there only for {}", file.pair.sides[NARROW].name);
                let place = (at + position, at + position + path.len());
                let sides = ["it is there".to_owned(), "it is not there, or holds what cannot be used".to_owned()];
                if let Some(hit) = found.add_text(file, place, message, sides).filter(|_| is_named) {
                    hit.confidence = Confidence::Possible;
                }
            }
        }
    }
}

fn is_comment(code: &str) -> bool {
    // `# define` is none, nor is `*path = …`.
    let is_definition = || code.strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("define"));
    let goes_on = || code.strip_prefix('*').is_some_and(|rest| rest.starts_with([' ', '\t', '/']));
    code.starts_with('#') && !is_definition() || ["//", "/*", "dnl"].iter().any(|mark| code.starts_with(mark)) || goes_on()
}

//! Libraries are installed into one directory, whatever their word size
//!
//! # What
//! A build file sets the directory of libraries to `/usr/lib`, `/usr/local/lib` or `/lib` itself, or copies libraries there. A directory of
//! its own below that is left alone, and so is what is made of `$(prefix)`.
//!
//! # Why
//! On systems that run programs of both word sizes, each has its directory: `/usr/lib64` beside `/usr/lib`, or
//! `/usr/lib/x86_64-linux-gnu` beside `/usr/lib/i386-linux-gnu`. A 64-bit library in `/usr/lib` overwrites the 32-bit one of that name, or is
//! not looked for there.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: rules.mk
//! libdir = /usr/lib
//! libfoo.so: foo.o ; $(CC) -shared -o $@ $^
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: rules.mk
//! prefix = /usr
//! libdir = $(prefix)/lib
//! datadir = /usr/lib/foo
//! LIBDIR = /usr/lib/foo
//! libfoo.so: foo.o ; $(CC) -shared -o $@ $^
//! ```
//!
//! # Fix
//! Let whoever builds say it: `libdir ?= $(prefix)/lib`, autoconf's `@libdir@`, `CMAKE_INSTALL_LIBDIR` of GNUInstallDirs, and give it when
//! building: `--libdir=/usr/lib/x86_64-linux-gnu`.
//!
//! # References
//! - CWE-1105
//! - Filesystem Hierarchy Standard 3.0, 4.7 and 4.8
//! - <https://wiki.debian.org/Multiarch/Implementation>

use super::{Found, Visit};
use crate::conditions;
use crate::files::{File, FileKind};
use crate::system;
use findings::Confidence;
use std::path::Path;

pub(super) const VISIT: Visit = Visit::File(look);

/// Directories that one word size has to itself.
const DIRECTORIES: [&str; 4] = ["/usr/local/lib", "/usr/X11R6/lib", "/usr/lib", "/lib"];

fn look(file: &File<'_>, found: &mut Found<'_>) {
    let is_script = file.kind == FileKind::Script && file.is_shell();
    if !(file.kind == FileKind::Build || is_script) || super::p073_machine_flag::is_generated(file) {
        return;
    }
    let is_other = system::is_build_of_other(file.tree.relative(Path::new(file.path)));
    // What only copies libraries says so in that line.
    let makes_libraries = ["-shared", "SHARED", "shared_library"].iter().any(|word| file.text.contains(word));
    // What is `/usr/lib64` elsewhere is chosen.
    let others: Vec<&str> =
        file.lines().map(|(_, line)| conditions::code(line)).filter(|code| code.contains("64")).filter_map(conditions::variable).collect();
    for (at, line) in file.lines() {
        let code = conditions::code(line);
        let is_chosen = conditions::variable(code).is_some_and(|name| others.contains(&name));
        let copied = copied(code);
        let Some((position, directory, is_asked)) = assigned(code).or_else(|| destination(code)).or(copied) else { continue };
        let message = format!("libraries of every word size are installed into {directory}");
        let sides = [
            "it is where they are looked for".to_owned(),
            "they replace those for 32 bits, or are not looked for there".to_owned(),
        ];
        if let Some(hit) = found.add_text(file, (at + position, at + position + directory.len()), message, sides) {
            // Programs have directories for libraries too, in which nothing is. A static library is in the way of those only who link, and
            // tell the linker where it is.
            let is_archive = code.contains("ARCHIVE ") && !code.contains("LIBRARY ");
            let is_static = is_archive || copied.is_some() && !code.contains(".so");
            let is_installed = makes_libraries || copied.is_some();
            let is_used = || !is_bundled(file) && !is_spare(file);
            hit.confidence = if is_installed && !is_static && !is_asked && !is_chosen && !is_other && is_used() {
                Confidence::Probable
            } else {
                Confidence::Possible
            };
        }
    }
}

/// Whether it is below a directory that is configured by itself, as a library is that is brought along: nobody installs that.
fn is_bundled(file: &File<'_>) -> bool {
    let is_there = |directory: &Path| file.tree.files().binary_search(&directory.join("configure")).is_ok();
    let above = Path::new(file.path).ancestors().skip(1).take_while(|above| *above != file.tree.root());
    is_there(file.tree.root()) && above.into_iter().any(is_there)
}

/// Whether it is there for those who do not want to configure the project, as `Makefile.no_auto` is.
fn is_spare(file: &File<'_>) -> bool {
    let extension = Path::new(&file.name).extension().and_then(|extension| extension.to_str());
    let is_named = match extension {
        Some("mak") => true,
        Some("am" | "in" | "txt") | None => false,
        Some(_) => file.name.to_lowercase().starts_with("makefile"),
    };
    is_named && file.tree.files().binary_search(&file.tree.root().join("configure")).is_ok()
}

/// One of the directories, if that is all that is here.
fn directory(text: &str) -> Option<&'static str> {
    let plain = text.trim().trim_matches(['"', '\'']).trim_end_matches('/');
    DIRECTORIES.into_iter().find(|directory| *directory == plain)
}

/// `libdir = /usr/lib`: where it is, and whether it is only what is taken if nobody says anything else.
fn assigned(code: &str) -> Option<(usize, &'static str, bool)> {
    let (before, value) = match code.split_once('=') {
        Some(both) => both,
        // CMake's `set(LIB_DIR /usr/lib)`.
        None => code.trim_start().strip_prefix("set(").or_else(|| code.trim_start().strip_prefix("SET("))?.split_once(' ')?,
    };
    let is_asked = before.ends_with('?') || value.contains("CACHE") || before.contains("${");
    let name = before.trim_end_matches([':', '?', '+']).split_whitespace().last()?.to_ascii_lowercase();
    let flat: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let is_name = [
        "libdir",
        "libdirectory",
        "installlibdir",
        "instlib",
        "installlib",
        "cmakeinstalllibdir",
        "libinstalldir",
        "libpath",
        "libdest",
        "destlib",
        "shlibdir",
        "sharedlibdir",
        "instlibdir",
    ];
    let value = value.split(['}', ')', ' ', ';']).find(|part| !part.trim().is_empty())?;
    let found = directory(value).filter(|_| is_name.contains(&flat.as_str()))?;
    let start = code.find('=').map_or(0, |equals| equals + 1);
    code.get(start..)?.find(found).map(|offset| (start + offset, found, is_asked))
}

/// `install(TARGETS foo LIBRARY DESTINATION /usr/lib)`.
fn destination(code: &str) -> Option<(usize, &'static str, bool)> {
    let at = code.find("DESTINATION ")? + "DESTINATION ".len();
    let found = directory(code.get(at..)?.split([')', ' ']).next()?)?;
    code.get(at..)?.find(found).map(|offset| (at + offset, found, false))
}

/// `install libfoo.so $(DESTDIR)/usr/lib`.
fn copied(code: &str) -> Option<(usize, &'static str, bool)> {
    let mut words = code.trim_start().trim_start_matches(['@', '-']).split_whitespace();
    let command = words.next()?;
    let copies = ["install", "cp", "$(INSTALL)", "${INSTALL}", "$(INSTALL_DATA)", "$(INSTALL_PROGRAM)", "mv"].contains(&command);
    let words: Vec<&str> = words.collect();
    let (last, files) = words.split_last().filter(|_| copies)?;
    let is_library = |word: &&str| word.contains(".so") || word.ends_with(".a");
    let root = last.rfind([')', '}']).map_or(0, |end| end + 1);
    let found = directory(last.get(root..)?).filter(|_| files.iter().any(is_library))?;
    code.rfind(found).map(|at| (at, found, false))
}

//! config.guess or config.sub does not know the new architecture
//!
//! # What
//! `config.guess` says which machine this is, `config.sub` which names of machines there are. These have no line for the new
//! architecture: they are older than it.
//!
//! # Why
//! configure stops with "cannot guess build type; you must specify one", or "machine `…' not recognized". Nothing is built.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: config.guess
//! timestamp='1999-02-01'
//! case "$UNAME_MACHINE:$UNAME_SYSTEM" in
//!     i*86:Linux:*:*) echo "$UNAME_MACHINE-pc-linux-gnu" ;;
//! esac
//! ```
//!
//! Good:
//!
//! ```c
//! int main(void) { return 0; }
//! // file: config.guess
//! timestamp='2020-01-01'
//! case "$UNAME_MACHINE:$UNAME_SYSTEM" in
//!     i*86:Linux:*:*) echo "$UNAME_MACHINE-pc-linux-gnu" ;;
//!     x86_64:Linux:*:*) echo "$UNAME_MACHINE-pc-linux-gnu" ;;
//! esac
//! ```
//!
//! # Fix
//! Take today's: `autoreconf -fi`, or copy /usr/share/misc/config.guess and config.sub of Debian's package autotools-dev; Debian's
//! packages do it by dh_update_autotools_config. They are the same for all projects.
//!
//! # References
//! - CWE-1105
//! - <https://www.gnu.org/software/gettext/manual/html_node/config_002eguess.html>

use super::{Found, Visit};
use crate::directory::CONFIGURE;
use crate::files::{File, FileKind};
use crate::pair::{NARROW, WIDE};
use findings::Confidence;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const VISIT: Visit = Visit::File(look);

fn look(file: &File<'_>, found: &mut Found<'_>) {
    if file.kind != FileKind::Guess {
        return;
    }
    let is_guess = file.name == "config.guess";
    let sign = match file.pair.sides[WIDE].name {
        "x86-64" => ["x86_64", "x86_64:Linux"],
        _ => ["aarch64", "aarch64:Linux"],
    }[usize::from(is_guess)];
    // Old ones end with what the linker of any Linux says, and only config.sub has the list of processors.
    let is_for_any = is_guess
        && ["${UNAME_MACHINE}-unknown-linux-gnu", "$UNAME_MACHINE-unknown-linux-gnu"].iter().any(|any| file.text.contains(any));
    let known = is_for_any || file.text.contains(sign) || asks_another(file, sign);
    // A wrapper that calls the system's has no list at all.
    if known || !["i*86", "i[3456]86", "i[34567]86", "i386"].iter().any(|old| file.text.contains(old)) {
        return;
    }
    let dated = file.lines().find(|(_, line)| line.starts_with("timestamp="));
    let date = dated.map_or("without a date", |(_, line)| line.trim_start_matches("timestamp=").trim_matches(['\'', '"']));
    let place = dated.map_or((0, 1), |(at, line)| (at, at + line.len()));
    let names = [NARROW, WIDE].map(|side| file.pair.sides[side].name);
    let message =
        format!("{} ({date}) does not know {}: configure will stop, or go on without knowing the system", file.name, names[1]);
    let sides = [format!("{} is known", names[0]), format!("there is no line with {sign}")];
    if let Some(hit) = found.add_text(file, place, message, sides) {
        let is_felt = Path::new(file.path).parent().is_none_or(|directory| is_called(directory) && !is_told_in_vain(directory));
        hit.confidence = if is_felt { Confidence::Certain } else { Confidence::Possible };
    }
}

/// Whether it asks another one that lies beside it and knows it, as GMP's asks `configfsf.guess`.
fn asks_another(file: &File<'_>, sign: &str) -> bool {
    let names = file.text.split(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
    let mut others = names.filter(|name| {
        [".guess", ".sub"].iter().any(|end| name.ends_with(end)) && !["config.guess", "config.sub"].contains(name)
    });
    // Only what the tree has as a file: what else lies there may never end.
    let is_ours = |path: &PathBuf| file.tree.files().binary_search(path).is_ok();
    let knows = |path: PathBuf| fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains(sign));
    others.any(|other| Some(Path::new(file.path).with_file_name(other)).filter(is_ours).is_some_and(knows))
}

/// Whether the configure of this directory goes on whatever it is told, as those of autoconf 2.13 do, and nothing that it was made of looks at the
/// answer.
fn is_told_in_vain(directory: &Path) -> bool {
    let read = |name: &str| fs::read(directory.join(name)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let goes_on = |script: &str| {
        let mut asks = script.lines().filter(|line| line.contains("$ac_config_sub $host_alias")).peekable();
        asks.peek().is_some() && asks.all(|line| line.ends_with('`'))
    };
    let looks = |text: &str| {
        let names = ["host", "target", "build"].iter().flat_map(|of| ["", "_cpu", "_os", "_vendor", "_alias"].map(|part| format!("{of}{part}")));
        let signs: Vec<String> = names.flat_map(|name| [format!("${name}"), format!("${{{name}"), format!("@{name}@")]).collect();
        let is_word = |text: &str, at: usize| !text[at..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        // automake has them in every makefile.
        let is_usual = |line: &str| line.split_once(" = @").is_some_and(|(name, _)| ["build_", "host_", "target_"].iter().any(|of| name.starts_with(of)));
        let text: String = text.lines().filter(|line| !is_usual(line)).flat_map(|line| [line, "\n"]).collect();
        text.contains("LIBTOOL") || signs.iter().any(|sign| text.match_indices(sign.as_str()).any(|(at, _)| is_word(&text, at + sign.len())))
    };
    let sources = CONFIGURE.into_iter().chain(["Makefile.in", "aclocal.m4"]).filter_map(read);
    read(SCRIPT).is_some_and(|script| goes_on(&script)) && !sources.into_iter().any(|text| looks(&text))
}

/// What asks: the script that autoconf makes.
const SCRIPT: &str = "configure";

/// Above which a directory for auxiliary files may be, `AC_CONFIG_AUX_DIR([build/aux])`.
const LEVELS: usize = 3;

/// What is on the line by which one says that directory, as it is written and as autoconf makes it.
const AUXILIARY: [&str; 3] = ["AUX_DIR", "aux_dir", "for ac_dir in"];

/// Whether a configure asks what is in a directory which system this is: one in it that says so, one below, which looks above itself, or one above
/// that names it. What nobody asks stops nothing; where there is none at all, nobody knows.
fn is_called(directory: &Path) -> bool {
    let paths = |directory: &Path| [SCRIPT].into_iter().chain(CONFIGURE).map(|name| directory.join(name)).collect::<Vec<_>>();
    let read = |directory: &Path| {
        let bytes = paths(directory).iter().find_map(|path| fs::read(path).ok())?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    if let Some(text) = read(directory) {
        return !directory.join(SCRIPT).exists() || text.contains("system type");
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    if entries.map(|entry| entry.path()).any(|below| paths(&below).iter().any(|path| path.exists())) {
        return true;
    }
    let names = |above: &Path| {
        let name = directory.strip_prefix(above).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_it = |line: &str| line.contains(&name) && AUXILIARY.iter().any(|part| line.contains(part));
        read(above).map(|text| text.lines().any(is_it))
    };
    let above: Vec<bool> = directory.ancestors().skip(1).take(LEVELS).filter_map(names).collect();
    above.is_empty() || above.contains(&true)
}

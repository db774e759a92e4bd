//! A function that returns a pointer or a `long` is called without a declaration
//!
//! # What
//! A function is called that nothing has declared, and what it returns becomes a pointer or a number of 8 bytes; or it is a function
//! of the C library that returns one of those. A number is only possible: it is right as long as it has 32 bits. It is surer
//! where another file defines it, and what it returns is known; then also where the file itself declares it as `extern f();`, which is an
//! `int`.
//!
//! # Why
//! What is not declared returns `int`. The compiler takes 4 bytes of the pointer and extends their sign: the program is killed
//! where it follows it. On 32-bit systems this always worked.
//!
//! # Example
//! Bad:
//!
//! ```c
//! char *f(void) { return getenv("HOME"); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdlib.h>
//! char *f(void) { return getenv("HOME"); }
//! int g(void) { return own_number(); }
//! ```
//!
//! # Fix
//! Include the header that declares it: its manual page names it. A declaration by hand must have the right type.
//!
//! # References
//! - CWE-704, CWE-758
//! - <https://wiki.debian.org/ImplicitPointerConversions>

use super::{Asked, Found, Hit, Visit};
use crate::ast::Unit;
use crate::ast::kind::{Kind, TypeKind, binary};
use crate::compiler::Language;
use crate::destination::Destination;
use crate::directory::includes_of;
use crate::files::words;
use crate::missing;
use crate::pair::{NARROW, WIDE};
use crate::symbols::{Candidate, Class, Lookup, Signature, function};
use crate::tree::{Expression, Tree, Types};
use findings::Confidence;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const VISIT: Visit = Visit::Several(&[Visit::Tree(look), Visit::Lookup(ask, look_up)]);

/// What functions of the C library return, where that has 8 bytes and the compiler does not know them by itself.
const RETURNS: [(&str, &[&str]); 3] = [
    (
        "a pointer",
        &[
            "asctime", "asctime_r", "basename", "bind_textdomain_codeset", "bindtextdomain", "bsearch", "crypt", "ctermid", "ctime",
            "ctime_r", "cuserid", "dirname", "dlerror", "dlopen", "dlsym", "ecvt", "fcvt", "fdopen", "fdopendir", "fgetgrent",
            "fgetpwent", "fmemopen", "gcvt", "getcwd", "getenv", "getgrent", "getgrgid", "getgrnam", "gethostbyaddr", "gethostbyname",
            "gethostent", "getlogin", "getmntent", "getnetbyname", "getpass", "getprotobyname", "getprotobynumber", "getpwent",
            "getpwnam", "getpwuid", "gets", "getservbyname", "getservbyport", "getspnam", "gettext", "getusershell", "getutent",
            "getutid", "getutline", "getwd", "gmtime", "gmtime_r", "hsearch", "index", "inet_ntoa", "inet_ntop", "lfind", "localeconv",
            "localtime", "localtime_r", "lsearch", "memmem", "mkdtemp", "mktemp", "mmap", "nl_langinfo", "open_memstream", "opendir",
            "popen", "ptsname", "readdir", "realpath", "rindex", "sbrk", "setmntent", "setlocale", "shmat", "signal", "strcasestr",
            "strchrnul", "strerror", "strptime", "strsep", "strsignal", "strtok_r", "tempnam", "textdomain", "tfind", "tgetstr",
            "tgoto", "tigetstr", "tmpfile", "tmpnam", "tparm", "tsearch", "ttyname",
        ],
    ),
    ("a time", &["mktime", "time", "timegm"]),
    (
        "a number of 8 bytes",
        &["a64l", "atol", "clock", "ftell", "labs", "lrand48", "lseek", "mrand48", "strtol", "strtoul", "sysconf", "telldir", "times"],
    ),
];

fn look(tree: &Tree<'_>, found: &mut Found<'_>) {
    let undeclared = lacking(tree);
    if undeclared.is_empty() {
        return;
    }
    // Where a header is missing, or `#if HAVE_UNISTD_H` asks for what nobody has said, the declaration is most likely there.
    let incomplete = tree.units[WIDE].diagnostics.iter().any(|said| said.severity >= 3);
    let mut offered = HashMap::new();
    for call in tree.calls() {
        let Some((name, _)) = call.call().filter(|(name, _)| undeclared.contains(name) && call.types().is(TypeKind::Int)) else {
            continue;
        };
        let known = RETURNS.iter().find(|(_, names)| names.contains(&name)).map(|(what, _)| *what);
        let is_pointer = becomes(call).is_some_and(Types::is_pointer);
        let (confidence, returns) = match (known, is_pointer) {
            (Some("a pointer"), true) => (Confidence::Certain, "a pointer"),
            (None, true) if incomplete => continue,
            (None, true) => (Confidence::Probable, "what is used as a pointer"),
            (Some("a pointer"), _) if matches!(call.destination(), Destination::Tested | Destination::Dropped) => continue,
            (Some("a pointer"), _) => (Confidence::Probable, "a pointer"),
            // What has no more than 32 bits is right, as a time is until 2038.
            (Some(what), _) if call.destination() != Destination::Dropped => (Confidence::Possible, what),
            _ => continue,
        };
        let message = message(name, returns);
        let sides = ["int (4 bytes) of 4 bytes".to_owned(), "int (4 bytes) of 8 bytes".to_owned()];
        // What nobody has configured may include more, or ask the headers that are included for more.
        let most = match tree.is_configured {
            _ if incomplete => Confidence::Possible,
            true => Confidence::Certain,
            // One of the project's own is another one's, see `look_up`.
            false if known.is_none() || *offered.entry(name).or_insert_with(|| is_offered(tree, name)) => Confidence::Possible,
            false => Confidence::Probable,
        };
        let confidence = confidence.min(most);
        if let Some(hit) = found.report(call, confidence, message, sides) {
            // One line repairs all calls of it in the file.
            hit.folds = true;
        }
    }
}

/// What is called without a declaration, of whose result something is made.
fn ask<'a>(tree: &'a Tree<'a>) -> Vec<Asked<'a>> {
    if tree.is_foreign || missing::names(tree.units[WIDE]).any(|header| header.is_of_all()) {
        return Vec::new();
    }
    let undeclared = lacking(tree);
    // Of what is missing the declaration may be a part; and what nobody has configured may include less.
    let is_whole = !tree.units[WIDE].diagnostics.iter().any(|said| said.severity >= 3);
    let confidence = match is_whole {
        true if tree.is_configured => Confidence::Certain,
        true => Confidence::Probable,
        false => Confidence::Possible,
    };
    let calls = tree.calls().filter(|call| call.types().is(TypeKind::Int));
    let of = |at: Expression<'a>| {
        let (name, _) = at.call().filter(|_| becomes(at).is_some_and(|of| of.is_pointer() || of.grows()))?;
        if !(undeclared.contains(name) || is_untyped(at)) {
            return None;
        }
        let called = Signature::new(function(at.child(0)?.types())?)?;
        Some(Asked { at, name, called, confidence })
    };
    calls.filter_map(of).collect()
}

/// Whether this file declares it itself, as `extern f();`: so does who does not know what it returns.
fn is_untyped(call: Expression<'_>) -> bool {
    let called = call.declaration().filter(|of| of.kind == Kind::Function);
    let is_plain = || call.child(0).and_then(|of| function(of.types())).is_some_and(|of| of.is(TypeKind::FunctionNoPrototype));
    called.is_some_and(|of| is_plain() && !of.in_system_header && Language::of_file(call.unit().file(of.place.file)).is_some())
}

/// The function is in another file, and returns a pointer or a number of 8 bytes.
fn look_up(lookup: &Lookup, candidates: &[Candidate]) -> Option<Hit> {
    let candidate = candidates.first().filter(|candidate| candidate.is_known)?;
    let result = &candidate.is.result;
    let is_wide = |of: &Candidate| of.is.result.sizes == Some([4, 8]) && of.is.result.class != Class::Other;
    if !candidates.iter().all(is_wide) {
        return None;
    }
    let returns = if result.class == Class::Pointer { "what is used as a pointer" } else { "a number of 8 bytes" };
    let message = message(&lookup.name, returns);
    let sides = [NARROW, WIDE].map(|side| format!("{} of {} taken as int (4 bytes)", result.describe(side), candidate.file));
    // The header that is missing is not that which declares it: that one is there, and this file does not include it.
    let includes = |line: &str| line.trim_start().starts_with('#') && line.contains("include") && line.contains(&candidate.file);
    // Of several with one name it may be the wrong one that was found.
    let is_included = || fs::read(&lookup.hit.path).is_ok_and(|text| String::from_utf8_lossy(&text).lines().any(includes));
    let is_elsewhere = Language::of_file(&candidate.file).is_none() && !is_included();
    let least = if is_elsewhere { Confidence::Probable } else { Confidence::Possible };
    // Most numbers have no more than 31 bits.
    let most = if result.class == Class::Pointer { Confidence::Certain } else { Confidence::Possible };
    Some(Hit { message, sides, confidence: lookup.hit.confidence.max(least).min(most), folds: true, ..lookup.hit.clone() })
}

/// What only a header declares here that the file includes, below an `#if` that only what configure finds would make true.
pub(super) fn below_condition<'a>(tree: &Tree<'a>) -> BTreeSet<&'a str> {
    let lacking = lacking(tree);
    undeclared(tree).into_iter().filter(|name| !lacking.contains(name)).collect()
}

/// Those without what a header that the file includes declares, below an `#if` that only what configure finds would make true.
fn lacking<'a>(tree: &Tree<'a>) -> BTreeSet<&'a str> {
    let mut undeclared = undeclared(tree);
    let unit = tree.units[WIDE];
    // Also one of the project's in angles. What the system's leave out has to be asked for, as by _GNU_SOURCE.
    let is_own = |path: &&str| !path.starts_with("/usr/") && Language::of_file(path).is_none();
    for path in unit.inclusions.iter().map(|(file, _)| unit.file(*file)).filter(is_own) {
        if tree.is_configured || undeclared.is_empty() {
            break;
        }
        let bytes = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        undeclared.retain(|name| !declares(&text, name));
    }
    if !tree.is_configured && !undeclared.is_empty() {
        let made = made_by_gnulib(unit);
        undeclared.retain(|name| !made.iter().any(|text| words(text).any(|word| word == *name)));
    }
    undeclared
}

/// What configure makes of gnulib's templates for those of the system's headers that the file includes, `string.in.h` for `string.h`: these declare
/// by macros, `_GL_FUNCDECL_SYS (mbsstr, char *, ..)`.
fn made_by_gnulib(unit: &Unit) -> Vec<String> {
    let included = || unit.inclusions.iter().map(|(file, _)| Path::new(unit.file(*file)));
    let is_systems = |path: &&Path| path.starts_with("/usr/");
    let directories: BTreeSet<&Path> = included().filter(|path| !is_systems(path)).filter_map(Path::parent).collect();
    let names: BTreeSet<_> = included().filter(is_systems).filter_map(Path::file_stem).collect();
    let templates = directories.iter().flat_map(|directory| names.iter().map(|name| directory.join(name).with_extension("in.h")));
    templates.filter_map(|template| fs::read(template).ok()).map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
}

/// Whether the name is there, and what it takes; what a macro calls it does not declare.
fn declares(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_called = |before: &str| {
        // The lines of a macro end in a backslash.
        let start = before.rmatch_indices('\n').find(|(end, _)| !before[..*end].ends_with('\\')).map_or(0, |(end, _)| end + 1);
        let macro_of = before[start..].trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define"));
        macro_of.is_some_and(|head| !head.trim().is_empty())
    };
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_word) && after.trim_start().starts_with('(') && !is_called(before)
    })
}

/// Whether a header that the file or one of the project's could include declares it, or one that they do include, below an `#if`.
fn is_offered(tree: &Tree<'_>, name: &str) -> bool {
    let unit = tree.units[WIDE];
    let taken: BTreeSet<&str> = unit.inclusions.iter().map(|(file, _)| unit.file(*file)).collect();
    let mut seen = BTreeSet::new();
    taken.iter().any(|path| {
        let is_own = !path.starts_with("/usr/");
        offers(Path::new(path), name, if is_own { INCLUDED } else { 0 }, &mut seen)
    })
}

/// So many headers that include each other are looked at.
const INCLUDED: usize = 4;

/// Where the headers of the system are, and those of another architecture's C library.
const SYSTEM: [&str; 3] = ["/usr/include", "/usr/x86_64-linux-gnu/include", "/usr/i686-linux-gnu/include"];

/// Whether a file declares a function, or includes one that does and was not seen before; `#if`s are not asked.
fn offers(path: &Path, name: &str, depth: usize, seen: &mut BTreeSet<PathBuf>) -> bool {
    if !seen.insert(path.to_owned()) {
        return false;
    }
    let bytes = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    // The calls are no declarations.
    if Language::of_file(&path.to_string_lossy()).is_none() && declares(&text, name) {
        return true;
    }
    depth > 0
        && includes_of(&bytes).into_iter().any(|(header, _)| {
            let beside = path.parent().map(|directory| directory.join(&header));
            let mut candidates = beside.into_iter().chain(SYSTEM.map(|directory| Path::new(directory).join(&header)));
            let found = candidates.find(|candidate| candidate.is_file());
            found.is_some_and(|found| offers(&found, name, depth - 1, seen))
        })
}

fn message(name: &str, returns: &str) -> String {
    format!("{name} is not declared with its type: it returns {returns}, and int is taken")
}

/// What the result of a call is converted to.
fn becomes(call: Expression<'_>) -> Option<Types<'_>> {
    let conversions = call.ancestors().take_while(|outer| outer.converted().is_some() || outer.kind() == Kind::Paren);
    conversions.last().map(Expression::types)
}

/// The functions that are called and not declared.
fn undeclared<'a>(tree: &Tree<'a>) -> BTreeSet<&'a str> {
    let said = tree.units[WIDE].diagnostics.iter().filter(|said| said.option == "-Wimplicit-function-declaration");
    said.filter_map(|said| said.text.split('\'').nth(1)).collect()
}

/// Whether it is the result of such a function, or is computed of one.
pub(super) fn is_result(value: Expression<'_>) -> bool {
    let value = value.strip_casts();
    match (value.kind(), value.operator()) {
        (Kind::Conditional, _) => return value.children().skip(1).any(is_result),
        (Kind::Binary, binary::ADD | binary::SUB) => return value.children().any(is_result),
        _ => {}
    }
    value.call().is_some_and(|(name, _)| undeclared(value.tree()).contains(name))
}

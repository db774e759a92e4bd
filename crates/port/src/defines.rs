//! What the makefiles of a directory say to the compiler, by `-D`, `-I` and `-fpack-struct`, where nobody has observed the build.

use crate::conditions;
use crate::directive::{self, Directive};
use crate::directory::Directory;
use crate::files::lines;
use crate::project::without_dots;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Those that are looked at, the first that is there: what automake makes a makefile of says the same with less around it.
const MAKEFILES: [&str; 7] =
    ["Makefile.am", "GNUmakefile", "Makefile.linux", "makefile.linux", "makefile", "Makefile", "Makefile.in"];

/// Bytes of a makefile that somebody has written.
const LARGEST: u64 = 1 << 20;

/// The end of the names of variables that have options of the compiler in every makefile.
const VARIABLES: [&str; 7] = ["CPPFLAGS", "CFLAGS", "CXXFLAGS", "DEFS", "DEFINES", "INCLUDES", "OPTIONS"];

/// By which name the options of such a command are known.
const COMMAND: &str = "CFLAGS";

/// What the makefile of one directory says to the compiler of all that is compiled there. What is below a condition, in a comment or in a
/// recipe is for another system, or nobody knows for which, but for the recipe of every source; and so is what depends on variables, but for
/// texts, which are paths mostly.
#[derive(Default)]
pub(crate) struct Makefile {
    /// The options that define something, or say how structures lie in memory, each name once.
    pub(crate) options: Vec<String>,
    /// The directories of the tree in which headers are looked for, in order.
    pub(crate) searched: Vec<PathBuf>,
    /// Whether it gives its variables to the makefiles below.
    hands_down: bool,
}

/// By directory.
pub(crate) struct Makefiles(HashMap<PathBuf, Makefile>);

impl Makefiles {
    /// Those of a tree.
    pub(crate) fn read(directory: &Directory) -> Self {
        let (root, mut all) = (directory.root(), HashMap::new());
        let parents: HashSet<&Path> = directory.files().iter().flat_map(|path| path.ancestors().skip(1)).collect();
        for parent in parents.into_iter().filter(|parent| parent.starts_with(root)) {
            if let Some(makefile) = MAKEFILES.iter().find_map(|name| Makefile::read(&parent.join(name), root)) {
                all.insert(parent.to_owned(), makefile);
            }
        }
        Self(all)
    }

    /// That of a directory, and those above it, the nearest first.
    pub(crate) fn above<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a Makefile> {
        path.ancestors().skip(1).filter_map(|above| self.0.get(above))
    }

    /// The options of the nearest one for a file, and of those above it that hand theirs down; nothing, where there is none.
    pub(crate) fn options(&self, path: &Path) -> Option<Vec<String>> {
        let mut above = self.above(path);
        let nearest = above.next()?;
        let mut options = nearest.options.clone();
        for option in above.filter(|makefile| makefile.hands_down).flat_map(|makefile| &makefile.options) {
            add(&mut options, option.clone());
        }
        Some(options)
    }
}

impl Makefile {
    /// Reads one, with those that it includes; nothing, where nobody has written it.
    pub(crate) fn read(path: &Path, root: &Path) -> Option<Self> {
        let directory = path.parent()?;
        let text = whole(path, directory, root, &mut { INCLUDED })?;
        let assigned = assigned(&text);
        let words = words(&assigned);
        let mut of = Self { hands_down: hands_down(&text), ..Self::default() };
        for word in &words {
            if let Some(option) = define(word).or_else(|| is_layout(word).then(|| word.clone())) {
                add(&mut of.options, option);
            }
        }
        let paths = words.iter().filter_map(|word| resolved(word.strip_prefix("-I")?, &assigned, directory, root));
        of.searched = paths.filter(|path| path.starts_with(root)).collect();
        Some(of)
    }
}

/// Adds an option, unless there is one for its name.
fn add(options: &mut Vec<String>, option: String) {
    fn name(option: &str) -> &str {
        option.split('=').next().unwrap_or_default()
    }
    if !options.iter().any(|other| name(other) == name(&option)) {
        options.push(option);
    }
}

/// Makefiles that one includes, with what those include, at most.
const INCLUDED: usize = 64;

/// The text of a makefile, with those of the tree that it includes where it does so: they are for the directory of that which includes them.
fn whole(path: &Path, directory: &Path, root: &Path, left: &mut usize) -> Option<String> {
    let is_read = fs::metadata(path).is_ok_and(|of| of.is_file() && of.len() <= LARGEST);
    let bytes = fs::read(path).ok().filter(|_| is_read)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut taken = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let name = ["include ", "-include ", "sinclude "].iter().find_map(|word| line.strip_prefix(word)).map(str::trim);
        let included = name.filter(|_| *left > 0).and_then(|name| {
            *left -= 1;
            let path = resolved(name, &assigned(&taken), directory, root).filter(|path| path.starts_with(root))?;
            whole(&path, directory, root, left)
        });
        match included {
            Some(inner) => taken.push_str(&format!("{}\n", inner.trim_end())),
            None => taken.push_str(line),
        }
    }
    Some(taken)
}

/// A path that a makefile names, which may begin with a variable of those that are assigned.
fn resolved(name: &str, assigned: &[(String, String)], directory: &Path, root: &Path) -> Option<PathBuf> {
    let is_plain = |path: &str| !path.contains(['$', '@', '*']);
    let Some(variable) = name.strip_prefix('$').or(name.strip_prefix('@')) else {
        return is_plain(name).then(|| without_dots(&directory.join(name)));
    };
    let (variable, rest) = variable.trim_start_matches(['(', '{']).split_once([')', '}', '@'])?;
    let base = match variable {
        "srcdir" | "builddir" => directory.to_owned(),
        "top_srcdir" | "top_builddir" => root.to_owned(),
        _ => {
            let (_, value) = assigned.iter().rev().find(|(name, value)| name == variable && is_plain(value))?;
            directory.join(value.trim())
        }
    };
    is_plain(rest).then(|| without_dots(&base.join(rest.trim_start_matches('/'))))
}

/// Whether a makefile gives its variables to those that it calls make(1) for.
fn hands_down(text: &str) -> bool {
    let is_for_compiler = |line: &str| VARIABLES.iter().any(|variable| line.contains(variable));
    text.lines().any(|line| {
        let line = line.trim();
        let is_call = || line.contains("$(MAKE)") || line.contains("${MAKE}");
        line.starts_with(".EXPORT_ALL_VARIABLES")
            || line == "export"
            || line.starts_with("export ") && is_for_compiler(line)
            || is_call() && line.split_whitespace().any(|word| word.contains('=') && is_for_compiler(word))
    })
}

/// Whether a project has this makefile for Linux, and others for other systems: `Makefile.linux`.
pub(crate) fn is_for_linux(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().starts_with("makefile.linux"))
}

/// Deeper ones lead in a circle.
const DEPTH: usize = 8;
/// Words that a makefile has for a compiler, at most: what leads in several circles has more than anybody can count.
const WORDS: usize = 4096;

/// The words that are given to variables for the compiler, also by others: `CFLAGS = $(PLATFORM)`.
fn words(assigned: &[(String, String)]) -> Vec<String> {
    let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, value) in assigned {
        by_name.entry(name).or_default().push(value);
    }
    let is_for_compiler = |name: &str| VARIABLES.iter().any(|variable| name.ends_with(variable));
    let mut found = Vec::new();
    for (_, value) in assigned.iter().filter(|(name, _)| is_for_compiler(name)) {
        let mut rest: Vec<(&str, usize)> = value.split_whitespace().rev().map(|word| (word, 0)).collect();
        for _ in 0..WORDS {
            let Some((word, depth)) = rest.pop() else { break };
            let name = word.strip_prefix("$(").and_then(|name| name.strip_suffix(')'));
            match name.filter(|name| depth < DEPTH && !is_for_compiler(name)) {
                Some(name) => {
                    let values = by_name.get(name).into_iter().flatten().rev();
                    rest.extend(values.flat_map(|value| value.split_whitespace().rev()).map(|word| (word, depth + 1)));
                }
                None => found.push(word.to_owned()),
            }
        }
    }
    found
}

/// What is assigned to variables under no condition, in the order of the lines; and what is given to the compiler for every source.
fn assigned(text: &str) -> Vec<(String, String)> {
    let (mut depth, mut found, mut rest) = (0_usize, Vec::new(), text.lines());
    while let Some(line) = rest.next() {
        let mut whole = conditions::code(line).trim_end().to_owned();
        while let Some(part) = whole.strip_suffix('\\') {
            whole = format!("{part} {}", rest.next().map(|next| conditions::code(next).trim_end()).unwrap_or_default());
        }
        match whole.split_whitespace().next().unwrap_or_default() {
            "if" | "ifeq" | "ifneq" | "ifdef" | "ifndef" | "define" => depth += 1,
            "endif" | "endef" => depth = depth.saturating_sub(1),
            _ => {}
        }
        // How everything is compiled: `.c.o:`, `%.o: %.c`.
        let is_general = || whole.contains("$<") && whole.split_whitespace().any(|word| word == "-c");
        if depth == 0 && whole.starts_with('\t') && is_general() {
            found.push((COMMAND.to_owned(), whole.clone()));
        }
        if depth > 0 || whole.starts_with(['\t', '#']) {
            continue;
        }
        let Some((name, value)) = whole.split_once('=') else { continue };
        let name = name.trim().trim_end_matches(['+', ':', '?']).trim_end();
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            found.push((name.to_owned(), value.to_owned()));
        }
    }
    found
}

/// Names that compilers define without being asked, beside those that begin with `_`.
const OF_COMPILERS: [&str; 4] = ["arm", "i386", "linux", "unix"];

/// What has to be defined for a condition of the preprocessor to hold, as far as that is plain: `ifdef A`, `if defined(A) && B`.
fn wanted(directive: &str) -> impl Iterator<Item = &str> {
    let directive = directive.split("/*").next().unwrap_or_default();
    let terms = match directive.strip_prefix("if") {
        Some(rest) if rest.starts_with([' ', '\t', '(']) && !rest.contains("||") => rest,
        _ => directive.strip_prefix("ifdef").unwrap_or_default(),
    };
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
    };
    let ends = ['(', ')', ' ', '\t'];
    // `defined__i386__` is one name.
    terms
        .split("&&")
        .map(move |term| term.trim_matches(ends))
        .map(move |term| {
            let rest = term.strip_prefix("defined").filter(|rest| rest.starts_with(ends));
            rest.unwrap_or(term).trim_matches(ends)
        })
        .filter(is_name)
}

/// The directives `if` that are open where something is in a text; nothing, where that is behind an `else`.
fn open(text: &str, at: usize) -> Vec<&str> {
    let mut open = Vec::new();
    for (_, line) in lines(text).take_while(|(start, _)| *start < at) {
        match directive::of(line) {
            Some(Directive::If(text)) => open.push(text),
            Some(Directive::Elif(_) | Directive::Else(_)) => {
                open.pop();
                open.push("");
            }
            Some(Directive::Endif) => drop(open.pop()),
            Some(Directive::Other(_)) | None => {}
        }
    }
    open
}

/// Whether what is at a place of a source is there for nobody: below a condition on a name that no file of the tree has but to ask for it.
pub(crate) fn is_asked_in_vain(tree: &Directory, text: &str, at: usize) -> bool {
    // autoheader makes `HAVE_MMX` of what configure.ac has in small letters.
    let is_of_others = |name: &&str| OF_COMPILERS.contains(name) || name.starts_with("HAVE_");
    open(text, at).into_iter().flat_map(wanted).filter(|name| !is_of_others(name)).any(|name| !tree.has_word(name, asks))
}

/// Whether a line of a source only asks whether something is defined, or says behind that what was asked.
fn asks(line: &str) -> bool {
    directive::of(line).is_some_and(|directive| !matches!(directive, Directive::Other(_)))
}

/// Whether an option says how structures lie in memory, or which sign a `char` has.
fn is_layout(word: &str) -> bool {
    let is_number = |size: &str| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
    ["-fpack-struct", "-fshort-enums", "-fsigned-char", "-funsigned-char"].contains(&word)
        || word.strip_prefix("-fpack-struct=").is_some_and(is_number)
}

/// The option that a word is, as the compiler gets it.
fn define(word: &str) -> Option<String> {
    let word = word.trim_matches(['\'', '"']);
    let (name, value) =
        word.strip_prefix("-D")?.split_once('=').map_or((word.strip_prefix("-D")?, None), |(name, value)| (name, Some(value)));
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let value = match value {
        _ if !is_name => return None,
        None => return Some(format!("-D{name}")),
        Some(value) => value,
    };
    // `-DNAME=\"text\"`, `'-DNAME="text"'`.
    let is_text = value.starts_with("\\\"") || value.starts_with('"') || value.starts_with("'\"");
    let depends = value.contains(['$', '@', '`']);
    match (is_text, depends) {
        (true, true) => Some(format!("-D{name}=\"\"")),
        (true, false) => Some(format!("-D{name}=\"{}\"", value.replace(['\\', '"', '\''], ""))),
        (false, true) => None,
        (false, false) => Some(format!("-D{name}={value}")),
    }
}

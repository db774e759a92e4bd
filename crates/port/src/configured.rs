//! Headers that are made when a package is configured, as `config.h`: for one word size, and here they are read for both.

use crate::cache;
use crate::directory::HEAD;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What makes `off_t` 64 bits wide for 32 bits as well, feature_test_macros(7).
pub(crate) const LARGE_FILES: &str = "_FILE_OFFSET_BITS";

/// How deep in a directory of CMake what it has made may be.
const CMAKE_LEVELS: usize = 4;

/// Whether it is a header that a configuration has made: ./configure and Meson say so in its first line, and CMake's is where that builds.
pub(crate) fn is_made(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut head = [0; 256];
    let says = |text: &str| text.contains("by configure") || text.contains("by the Meson build system");
    name.contains("conf")
        && name.ends_with(".h")
        && File::open(path).and_then(|mut file| file.read(&mut head)).is_ok()
        && (says(&String::from_utf8_lossy(&head))
            || path.ancestors().skip(1).take(CMAKE_LEVELS).any(|above| above.join("CMakeCache.txt").is_file()))
}

/// A header that a configuration has made.
pub(crate) struct Made {
    pub(crate) path: PathBuf,
    /// Whether large files were asked for, and need nothing here: for 32 bits it would define [`LARGE_FILES`].
    pub(crate) wants_large_files: bool,
    /// What it says for both word sizes, where that is something else.
    pub(crate) for_both: Option<String>,
}

/// Those in a directory; those of the system are what they are.
pub(crate) fn made_in(directory: &Path) -> Vec<Made> {
    if SYSTEM.iter().any(|system| directory.starts_with(system)) {
        return Vec::new();
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| is_made(path));
    let made = paths.map(|path| {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
        let wants_large_files = text.contains(&format!("/* #undef {LARGE_FILES} */"));
        Made { path, wants_large_files, for_both: for_both(&text) }
    });
    made.collect()
}

/// What clang is given an overlay with; the name follows at once.
pub(crate) const OVERLAY: &str = "-ivfsoverlay";

/// What clang's [`OVERLAY`] takes: texts in the place of files, which keep their names.
///
/// The format is <https://clang.llvm.org/doxygen/classllvm_1_1vfs_1_1RedirectingFileSystem.html>.
pub(crate) fn overlay<'a>(files: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let file = |(name, contents): (&str, String)| json!({"type": "file", "name": name, "external-contents": contents});
    let roots: Vec<Value> = files.into_iter().map(file).collect();
    json!({"version": 0, "use-external-names": false, "roots": roots}).to_string()
}

/// An overlay for clang with these texts in the place of headers; nothing, where there is none or none can be written.
pub(crate) fn written(texts: &BTreeMap<PathBuf, String>) -> Option<PathBuf> {
    let key = (!texts.is_empty()).then(|| cache::Key::of(&format!("{texts:?}")))?;
    let directory = cache::directory().ok()?.join("configured").join(key.to_string());
    fs::create_dir_all(&directory).ok()?;
    let mut files = Vec::new();
    for (at, (header, text)) in texts.iter().enumerate() {
        let path = directory.join(format!("{at}.h"));
        fs::write(&path, text).ok()?;
        files.push((header.to_str()?, path.to_str()?.to_owned()));
    }
    let path = directory.join("overlay.json");
    fs::write(&path, overlay(files)).ok()?;
    Some(path)
}

/// Where the system's headers are, for a first look.
const SYSTEM: [&str; 3] = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"];

/// The headers of the compiler, which no package has in the open.
const OF_COMPILER: [&str; 9] =
    ["stddef.h", "stdarg.h", "stdint.h", "stdbool.h", "limits.h", "float.h", "iso646.h", "stdalign.h", "stdnoreturn.h"];

/// Whether this system has the header.
pub(crate) fn in_system(name: &Path) -> bool {
    OF_COMPILER.iter().any(|other| name == Path::new(other))
        || SYSTEM.iter().any(|directory| Path::new(directory).join(name).is_file())
}

/// Whether a header only adds to the system's of its name, and is made to be found before it.
pub(crate) fn goes_on(header: &Path) -> bool {
    fs::read(header).is_ok_and(|text| String::from_utf8_lossy(&text).contains("include_next"))
}

/// The headers of this system, by how their names begin.
pub(crate) struct SystemHeaders(HashSet<OsString>);

impl SystemHeaders {
    /// Those that are there.
    pub(crate) fn read() -> Self {
        let names = |directory: PathBuf| fs::read_dir(directory).into_iter().flatten().flatten();
        let of_cxx = names(PathBuf::from("/usr/include/c++")).map(|entry| entry.path());
        let directories = SYSTEM.iter().map(PathBuf::from).chain(of_cxx);
        Self(directories.flat_map(names).map(|entry| entry.file_name()).chain(OF_COMPILER.map(OsString::from)).collect())
    }

    /// Whether a header of this name may be one of them: to look for each file would take longer.
    pub(crate) fn has(&self, name: &Path) -> bool {
        let mut parts = name.components();
        let is_known = parts.next().is_some_and(|first| self.0.contains(first.as_os_str()));
        is_known && (parts.next().is_none() || in_system(name))
    }
}

/// The names that this system's C library declares.
#[derive(Default)]
pub(crate) struct SystemNames(std::cell::OnceCell<HashSet<Vec<u8>>>);

impl SystemNames {
    /// Whether a header of the system has this name, of a function or anything else.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.get_or_init(Self::read).contains(name.as_bytes())
    }

    fn read() -> HashSet<Vec<u8>> {
        let mut names = HashSet::new();
        let below = SYSTEM
            .iter()
            .flat_map(|directory| ["", "sys", "bits", "net", "netinet", "arpa"].map(|sub| Path::new(directory).join(sub)));
        for path in below.filter_map(|directory| fs::read_dir(directory).ok()).flatten().flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "h") {
                let mut bytes = Vec::new();
                let _ = File::open(&path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes));
                let words = bytes.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
                names.extend(words.filter(|word| word.len() > 2).map(<[u8]>::to_vec));
            }
        }
        names
    }
}

/// The sizes that the compiler itself knows, for both word sizes.
const SIZES: [(&str, &str); 29] = [
    ("SIZEOF_CHAR", "1"),
    ("SIZEOF_UNSIGNED_CHAR", "1"),
    ("SIZEOF_SHORT", "__SIZEOF_SHORT__"),
    ("SIZEOF_SHORT_INT", "__SIZEOF_SHORT__"),
    ("SIZEOF_UNSIGNED_SHORT", "__SIZEOF_SHORT__"),
    ("SIZEOF_INT", "__SIZEOF_INT__"),
    ("SIZEOF_LONG", "__SIZEOF_LONG__"),
    ("SIZEOF_LONG_INT", "__SIZEOF_LONG__"),
    ("SIZEOF_UNSIGNED_LONG", "__SIZEOF_LONG__"),
    ("SIZEOF_UNSIGNED_LONG_INT", "__SIZEOF_LONG__"),
    ("SIZEOF_UNSIGNED_INT", "__SIZEOF_INT__"),
    ("SIZEOF_LONG_LONG", "__SIZEOF_LONG_LONG__"),
    ("SIZEOF_LONG_LONG_INT", "__SIZEOF_LONG_LONG__"),
    ("SIZEOF_UNSIGNED_LONG_LONG", "__SIZEOF_LONG_LONG__"),
    ("SIZEOF_LONG_DOUBLE", "__SIZEOF_LONG_DOUBLE__"),
    ("SIZEOF_SIZE_T", "__SIZEOF_SIZE_T__"),
    ("SIZEOF_SSIZE_T", "__SIZEOF_SIZE_T__"),
    ("SIZEOF_VOID_P", "__SIZEOF_POINTER__"),
    ("SIZEOF_VOIDP", "__SIZEOF_POINTER__"),
    ("SIZEOF_CHAR_P", "__SIZEOF_POINTER__"),
    ("SIZEOF_CHARP", "__SIZEOF_POINTER__"),
    ("SIZEOF_INT_P", "__SIZEOF_POINTER__"),
    ("SIZEOF_INTPTR_T", "__SIZEOF_POINTER__"),
    ("SIZEOF_UINTPTR_T", "__SIZEOF_POINTER__"),
    ("SIZEOF_PTRDIFF_T", "__SIZEOF_PTRDIFF_T__"),
    ("SIZEOF_TIME_T", "__SIZEOF_LONG__"),
    ("SIZEOF_FLOAT", "__SIZEOF_FLOAT__"),
    ("SIZEOF_DOUBLE", "__SIZEOF_DOUBLE__"),
    ("SIZEOF_WCHAR_T", "__SIZEOF_WCHAR_T__"),
];

/// What says the size of a type for each word size, in the place of what a configuration has found for its own: `NAME`, `8`.
fn size_of(name: &str, value: &str) -> Option<&'static str> {
    let (_, size) = SIZES.iter().find(|(size, _)| *size == name)?;
    value.bytes().all(|byte| byte.is_ascii_digit()).then_some(size)
}

/// The same of an argument: `-DSIZEOF_LONG=8`, or what stands behind `-D`.
pub(crate) fn argument_for_both(word: String) -> String {
    let (option, definition) = word.strip_prefix("-D").map_or(("", word.as_str()), |definition| ("-D", definition));
    let size = definition.split_once('=').and_then(|(name, value)| Some((name, size_of(name, value)?)));
    size.map(|(name, size)| format!("{option}{name}={size}")).unwrap_or(word)
}

/// What a header that a configuration has made for one word size says for both; nothing, where it says the same.
fn for_both(made: &str) -> Option<String> {
    let mut is_changed = false;
    let line = |line: &str| {
        let define = line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define"));
        let mut words = define.unwrap_or_default().split_whitespace();
        let size = words.next().zip(words.next()).and_then(|(name, value)| Some((name, size_of(name, value)?)));
        is_changed |= size.is_some();
        size.map_or_else(|| line.to_owned(), |(name, size)| format!("#define {name} {size}"))
    };
    let text: Vec<String> = made.split('\n').map(line).collect();
    is_changed.then(|| text.join("\n"))
}

/// Texts that every `config.h` of autoconf has.
const TEXTS: [&str; 8] = [
    "PACKAGE",
    "VERSION",
    "PACKAGE_NAME",
    "PACKAGE_STRING",
    "PACKAGE_VERSION",
    "PACKAGE_TARNAME",
    "PACKAGE_BUGREPORT",
    "PACKAGE_URL",
];

/// What autoconf's tests for types and the like say with the GNU C library.
const ANSWERS: [(&str, &str); 11] = [
    ("ACCEPT_TYPE_ARG1", "int"),
    ("ACCEPT_TYPE_ARG2", "struct sockaddr *"),
    ("ACCEPT_TYPE_ARG3", "socklen_t"),
    ("FLEXIBLE_ARRAY_MEMBER", ""),
    ("GETGROUPS_T", "gid_t"),
    ("ICONV_CONST", ""),
    ("LT_OBJDIR", "\".libs/\""),
    ("RETSIGTYPE", "void"),
    ("SELECT_TYPE_ARG1", "int"),
    ("SELECT_TYPE_ARG234", "(fd_set *)"),
    ("SELECT_TYPE_ARG5", "(struct timeval *)"),
];

/// What every system with a compiler of this century has.
const KNOWN: [&str; 11] = [
    "STDC_HEADERS",
    "HAVE_CONFIG_H",
    "TIME_WITH_SYS_TIME",
    "_GNU_SOURCE",
    "_ALL_SOURCE",
    "HAVE_PROTOTYPES",
    "HAVE_LONG_LONG",
    "HAVE_LONG_LONG_INT",
    "HAVE_UNSIGNED_LONG_LONG",
    "HAVE_UNSIGNED_LONG_LONG_INT",
    "HAVE_LONG_DOUBLE",
];

/// Where ./configure makes a header that is included by this name, and of which template if that is said:
/// `AC_CONFIG_HEADERS([src/config.h:config.hin])`. The paths are from the directory in which it is.
pub(crate) fn made<'a>(configure: &'a str, header: &Path) -> Option<(&'a Path, Option<&'a Path>)> {
    let lists = configure.split("CONFIG_HEADER").skip(1).filter_map(|rest| rest.split_once('(')?.1.split(')').next());
    let mut names = lists.flat_map(|list| list.split(['[', ']', ',', ' ', '\n', '\t'])).map(|name| {
        let mut parts = name.split(':').map(Path::new);
        (parts.next().unwrap_or(Path::new("")), parts.next())
    });
    names.find(|(name, _)| name.ends_with(header))
}

/// The options by which ./configure says what it has found, where it makes no header for that: as far as the answers are known.
pub(crate) fn options(configure: &str, system: &SystemNames) -> Vec<String> {
    if configure.contains("CONFIG_HEADER") {
        return Vec::new();
    }
    let made = of_template(&template_of(configure), &defined_by(configure, system), system);
    let definition = |line: &str| {
        let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
        // How the program is called has a name that may be another thing where automake does not say it, as `enum { VERSION }`.
        let is_said = configure.contains("AM_INIT_AUTOMAKE") || !TEXTS.contains(&name);
        is_said.then(|| format!("-D{name}={value}"))
    };
    made.lines().filter_map(definition).collect()
}

/// The name of a macro for a header, a function or a type.
fn macro_of(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

/// What autoheader would make of configure.ac, as far as the answers are known: which headers, functions and sizes are asked for.
pub(crate) fn template_of(configure: &str) -> String {
    const USUAL: [&str; 6] = ["inttypes.h", "stdint.h", "stdlib.h", "string.h", "strings.h", "unistd.h"];
    const ASKED: [&str; 8] = [
        "AC_CHECK_HEADERS",
        "AC_CHECK_HEADERS_ONCE",
        "AC_CHECK_HEADER",
        "AC_CHECK_FUNCS",
        "AC_CHECK_FUNCS_ONCE",
        "AC_REPLACE_FUNCS",
        "AC_CHECK_TYPES",
        "AC_CHECK_SIZEOF",
    ];
    let usual = ["STDC_HEADERS"].into_iter().chain(TEXTS).chain(ANSWERS.map(|(name, _)| name));
    let mut text: String = usual.map(|name| format!("#undef {name}\n")).collect();
    if configure.contains("AC_SYS_LARGEFILE") {
        text.push_str(&format!("#undef {LARGE_FILES}\n"));
    }
    let mut add = |asked: &str, name: &str| match asked {
        "AC_CHECK_SIZEOF" => text.push_str(&format!("#undef SIZEOF_{}\n", macro_of(&name.replace('*', "p")))),
        asked if asked.contains("HEADER") => {
            text.push_str(&format!("/* the <{name}> header */\n#undef HAVE_{}\n", macro_of(name)))
        }
        _ => text.push_str(&format!("#undef HAVE_{}\n", macro_of(name))),
    };
    USUAL.iter().for_each(|name| add("AC_CHECK_HEADERS", name));
    let code = without_comments(configure);
    for asked in ASKED {
        for (at, _) in code.match_indices(asked) {
            let Some(list) = code[at + asked.len()..].strip_prefix('(').map(first_argument) else { continue };
            if asked == "AC_CHECK_SIZEOF" || asked == "AC_CHECK_TYPES" {
                list.split(',').map(|name| name.trim_matches(['[', ']', ' ', '\n', '\t'])).for_each(|name| add(asked, name));
            } else {
                let is_name = |name: &&str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && *name != "m4_flatten";
                list.split(|c: char| c.is_whitespace() || "[](),\\".contains(c))
                    .filter(is_name)
                    .for_each(|name| add(asked, name));
            }
        }
    }
    // What it asks for in words of its own.
    for rest in code.split("AC_DEFINE").skip(1) {
        let arguments = rest.strip_prefix("_UNQUOTED").unwrap_or(rest).strip_prefix('(');
        let name = arguments.map(first_argument).unwrap_or_default().trim_matches(['[', ']', ' ', '\n', '\t']);
        if name.starts_with("HAVE_") && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            text.push_str(&format!("#undef {name}\n"));
        }
    }
    text.extend(for_linux(configure).keys().map(|name| format!("#undef {name}\n")));
    text.extend(libraries(configure).into_iter().map(|(name, _)| format!("#undef {name}\n")));
    text
}

/// What is left of configure.ac without its comments.
fn without_comments(configure: &str) -> String {
    let lines = configure
        .lines()
        .map(|line| line.split("dnl ").next().unwrap_or_default())
        .filter(|line| !line.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

/// What configure.ac defines where a library has a function: `AC_CHECK_LIB([z], [gzread])`, which defines `HAVE_LIBZ` where nothing else is
/// said. With the name of the function.
fn libraries(configure: &str) -> Vec<(String, String)> {
    let code = without_comments(configure);
    let asked = code.split("AC_CHECK_LIB(").skip(1).filter_map(|arguments| {
        let library = first_argument(arguments);
        let arguments = arguments[library.len()..].strip_prefix(',')?;
        let function = first_argument(arguments);
        let action = arguments[function.len()..].strip_prefix(',').map(first_argument).unwrap_or_default();
        let [library, function, action] = [library, function, action].map(|of| of.trim_matches(['[', ']', ' ', '\n', '\t']));
        let is_name = |of: &str| !of.is_empty() && of.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+-.".contains(&byte));
        // Every program has a `main`: which header the library comes with is not said by that.
        let is_asked = is_name(library) && is_name(function) && action.is_empty() && function != "main";
        is_asked.then(|| (format!("HAVE_LIB{}", macro_of(library)), function.to_owned()))
    });
    asked.collect()
}

/// What configure.ac defines on Linux, and for the libraries of which this system has the headers.
pub(crate) fn defined_by(configure: &str, system: &SystemNames) -> BTreeMap<String, String> {
    let mut defined = for_linux(configure);
    let there = libraries(configure).into_iter().filter(|(_, function)| system.has(function));
    defined.extend(there.map(|(name, _)| (name, "1".to_owned())));
    defined
}

/// What configure.ac defines in a branch that is for Linux: `case $host in *-linux*) AC_DEFINE(LINUX_DRIVER)`.
fn for_linux(configure: &str) -> BTreeMap<String, String> {
    let mut defined = BTreeMap::new();
    let mut is_for_linux = false;
    for line in configure.lines().map(str::trim).filter(|line| !line.starts_with(['#']) && !line.starts_with("dnl")) {
        let is_pattern = line.split_once(')').is_some_and(|(pattern, _)| !pattern.contains('('));
        match line.split_whitespace().next().unwrap_or_default() {
            "if" | "elif" => is_for_linux = line.to_lowercase().contains("linux") && !line.contains("!="),
            "else" | "fi" | "esac" | ";;" => is_for_linux = false,
            _ if is_pattern => is_for_linux = line.to_lowercase().contains("linux"),
            _ => {}
        }
        let Some((_, arguments)) = line.split_once("AC_DEFINE(").filter(|_| is_for_linux) else { continue };
        let inside = arguments.split(')').next().unwrap_or_default();
        let mut arguments = inside.split(',').map(|argument| argument.trim_matches(['[', ']', ' ']));
        let (name, value) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !name.is_empty() {
            let value = if value.is_empty() { "1" } else { value };
            defined.insert(name.to_owned(), value.to_owned());
        }
        is_for_linux &= !line.ends_with(";;");
    }
    defined
}

/// The first of the arguments that begin here: to a comma that is in no brackets.
fn first_argument(arguments: &str) -> &str {
    let mut depth = 0_u32;
    for (at, c) in arguments.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ',' | ')' if depth == 0 => return &arguments[..at],
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    ""
}

/// What a template becomes: autoheader's comments say which header or function a macro speaks of, and [`defined_by`] what configure.ac does.
pub(crate) fn of_template(template: &str, defined: &BTreeMap<String, String>, system: &SystemNames) -> String {
    let mut text = String::new();
    let mut comment = String::new();
    for line in template.lines() {
        let line = &*with_sign(line);
        let undefined = line.strip_prefix("#undef ").or_else(|| line.strip_prefix("# undef "));
        // CMake's way to write the same.
        let undefined = undefined.or_else(|| line.strip_prefix("#cmakedefine01 ")).or_else(|| line.strip_prefix("#cmakedefine "));
        // No answer yet is no in some, or a name between signs: what is found replaces that as well.
        let is_open = |value: &str| value == "0" || is_replaced(value);
        let open = line.strip_prefix("#define ").filter(|rest| rest.split_whitespace().nth(1).is_some_and(is_open));
        let name = undefined.or(open).map(|rest| rest.split_whitespace().next().unwrap_or_default());
        let value = name.and_then(|name| value_of(name, &comment, system).or_else(|| defined.get(name).cloned()));
        match (name, value) {
            (Some(name), Some(value)) => text.push_str(&format!("#define {name} {value}\n")),
            (Some(name), None) if undefined.is_some() => text.push_str(&format!("/* #undef {name} */\n")),
            // What configure would replace is nothing here, and no answer is no.
            _ if line.contains('@') && line.trim_start().starts_with('#') => {
                let directive = line.trim_start().trim_start_matches('#').trim_start();
                text.push_str(match directive {
                    _ if directive.starts_with("if") => "#if 0\n",
                    _ if directive.starts_with("elif") => "#elif 0\n",
                    _ => "\n",
                });
            }
            _ if is_replaced(line.trim()) => text.push('\n'),
            _ => {
                text.push_str(&with_type(line));
                text.push('\n');
            }
        }
        if line.trim_start().starts_with("/*") {
            comment.clear();
        }
        comment.push_str(line);
        if name.is_some() {
            comment.clear();
        }
    }
    text
}

/// Whether a condition asks for what this system does not lack: `ifndef HAVE_VSNPRINTF`.
pub(crate) fn is_for_lack(condition: &str, system: &SystemNames) -> bool {
    let rest = condition.strip_prefix("ifndef").or_else(|| condition.strip_prefix("if")?.trim_start().strip_prefix('!'));
    let name = rest.map(|rest| rest.trim().trim_start_matches("defined").trim_matches(['(', ')', ' ', '\t']));
    name.is_some_and(|name| name.starts_with("HAVE_") && value_of(name, "", system).is_some())
}

/// Whether a line is one name that configure or CMake replaces by others.
fn is_replaced(line: &str) -> bool {
    let name = line.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// `@define NAME`, which is to stay when the preprocessor has answered what begins with `#`, as the compiler will get it.
fn with_sign(line: &str) -> Cow<'_, str> {
    let directives = ["define", "elif", "else", "endif", "if", "ifdef", "ifndef", "include", "undef"];
    let word = |rest: &str| rest.split_whitespace().next().is_some_and(|word| directives.contains(&word));
    match line.strip_prefix('@') {
        Some(rest) if word(rest) => format!("#{rest}").into(),
        _ => line.into(),
    }
}

/// `typedef @SIZE16@ ogg_int16_t;` with the type that has so many bits.
fn with_type(line: &str) -> Cow<'_, str> {
    let parts: Vec<&str> = line.split('@').collect();
    let ([before, name, after], true) = (parts.as_slice(), line.trim_start().starts_with("typedef ")) else { return line.into() };
    let types = [("64", "long long"), ("32", "int"), ("16", "short"), ("8", "signed char")];
    let Some((_, signed)) = types.iter().find(|(bits, _)| name.ends_with(bits)) else { return line.into() };
    let of = if name.starts_with(['U', 'u']) {
        format!("unsigned {}", signed.trim_start_matches("signed "))
    } else {
        (*signed).to_owned()
    };
    format!("{before}{of}{after}").into()
}

fn value_of(name: &str, comment: &str, system: &SystemNames) -> Option<String> {
    let one = || Some("1".to_owned());
    if name == LARGE_FILES {
        return Some("64".to_owned());
    }
    if let Some((_, value)) = SIZES.iter().chain(&ANSWERS).find(|(other, _)| *other == name) {
        return Some((*value).to_owned());
    } else if TEXTS.contains(&name) {
        return Some("\"\"".to_owned());
    } else if KNOWN.contains(&name) {
        return one();
    }
    // Whether what a project has of gnulib is there.
    if name.starts_with("GNULIB_") {
        return comment.contains("gnulib module").then(one)?;
    }
    // What find_package() of CMake says of a library.
    if let Some(of) = name.strip_suffix("_FOUND") {
        return in_system(Path::new(&format!("{}.h", of.to_lowercase()))).then(one)?;
    }
    let lower = name.strip_prefix("HAVE_")?.strip_prefix("DECL_").unwrap_or(&name[5..]).to_lowercase();
    // "… if you have the <sys/time.h> header file": the name alone does not say where the slashes are.
    let named = comment.split('<').nth(1).and_then(|rest| rest.split('>').next()).filter(|header| header.ends_with(".h"));
    // "… if bool is an available type": C has it since 1999.
    if ["bool", "bool_t", "_bool"].contains(&lower.as_str()) {
        return one();
    }
    // "… if you have the `z' library (-lz)", or say so otherwise: where its header is, mostly it is.
    if comment.contains("library") && !comment.contains("header") {
        return in_system(Path::new(&format!("{}.h", lower.strip_prefix("lib").unwrap_or(&lower)))).then(one)?;
    }
    // A structure, or a member of one: `HAVE_STRUCT_STAT_ST_BLKSIZE`.
    if let Some(of) = lower.strip_prefix("struct_") {
        let is_member = |(at, _)| system.has(&of[..at]) && system.has(&of[at + 1..]);
        return (system.has(of) || of.match_indices('_').any(is_member)).then(one)?;
    }
    match (named, lower.strip_suffix("_h")) {
        (Some(header), _) if comment.contains("header") => in_system(Path::new(header)).then(one)?,
        (_, Some(stem)) => {
            let places = [format!("{stem}.h"), format!("{}.h", stem.replacen('_', "/", 1))];
            places.iter().any(|header| in_system(Path::new(header))).then(one)?
        }
        _ => system.has(&lower).then(one)?,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_configure_asks_for_is_a_template() {
        let configure = "AC_CONFIG_HEADERS([src/config.h:config.hin])\nAC_CHECK_HEADERS(m4_flatten([\n\tsys/time.h\n\tno/such.h\n]), [x], [y])\n\
            # AC_CHECK_FUNCS(commented)\nAC_CHECK_FUNCS([strdup \\\n memcpy],,[AC_MSG_ERROR(no)])\nAC_CHECK_SIZEOF([char *])\nAC_CHECK_SIZEOF(long, 4)\n\
            AC_CHECK_TYPES([ssize_t, struct no_such])\nAC_SYS_LARGEFILE\nAC_DEFINE(HAVE_SOCKLEN_T)\n  AC_DEFINE_UNQUOTED([HAVE_GETPID], $x)\n\
            AC_DEFINE([HAVE_NOBODY], 1, [has it])\nAC_DEFINE(SOCKLEN_T, int)\nAC_DEFINE(HAVE_$y)\nAC_CHECK_HEADERS(open";
        let made = |header: &str| made(configure, Path::new(header));
        let of = Some((Path::new("src/config.h"), Some(Path::new("config.hin"))));
        assert_eq!([made("config.h"), made("src/config.h"), made("x/config.h"), made("config.hin")], [of, of, None, None]);
        assert_eq!(super::made("AC_INIT(config.h)", Path::new("config.h")), None);
        assert_eq!(super::made("AC_CONFIG_HEADERS(a.h b.h)", Path::new("b.h")), Some((Path::new("b.h"), None)));
        let text = of_template(&template_of(configure), &for_linux(configure), &SystemNames::default());
        let has = |line: &str| text.lines().any(|other| other == line);
        for name in [
            "HAVE_SYS_TIME_H 1",
            "HAVE_STRDUP 1",
            "HAVE_MEMCPY 1",
            "HAVE_STDINT_H 1",
            "HAVE_SSIZE_T 1",
            "HAVE_SOCKLEN_T 1",
            "HAVE_GETPID 1",
        ] {
            assert!(has(&format!("#define {name}")), "{name}: {text}");
        }
        for name in ["SIZEOF_CHAR_P __SIZEOF_POINTER__", "SIZEOF_LONG __SIZEOF_LONG__", "_FILE_OFFSET_BITS 64"] {
            assert!(has(&format!("#define {name}")), "{name}: {text}");
        }
        for name in ["NO_SUCH_H", "COMMENTED", "NO", "X", "OPEN", "4", "NOBODY"] {
            assert!(!has(&format!("#define HAVE_{name} 1")), "{name}: {text}");
        }
    }

    #[test]
    fn what_configure_defines_in_a_branch_for_linux_is_defined() {
        let configure = "case $host in\n  *-linux* | *-gnu*)\n    AC_DEFINE([CASE], 3, [of it])\n    ;;\n  *-hpux*)\n    AC_DEFINE(HPUX)\n    ;;\n\
            esac\nif test \"x$system\" = xLinux; then\n  echo yes\n  AC_DEFINE(BRANCH)\nelse\n  AC_DEFINE(OTHER)\nfi\nAC_DEFINE(BEHIND)\n\
            dnl AC_DEFINE(GONE)\nif test $os != linux; then AC_DEFINE(NOT)\nfi\ncase $os in linux) AC_DEFINE(LINE) ;;\nAC_DEFINE(NEXT)\n\
            if test $os = linux; then AC_DEFINE($x, 1)\nfi\n";
        let defined: Vec<String> = for_linux(configure).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
        assert_eq!(defined, ["BRANCH 1", "CASE 3", "LINE 1"]);
        let text = of_template("#undef CASE\n#undef HPUX\n", &for_linux(configure), &SystemNames::default());
        assert_eq!(text, "#define CASE 3\n/* #undef HPUX */\n");
    }

    #[test]
    fn a_library_is_there_where_a_header_of_the_system_has_its_function() {
        let configure = "AC_CHECK_LIB(m, exp)\nAC_CHECK_LIB([no-such], [no_such_function_anywhere])\nAC_CHECK_LIB([acted], [exp], [LIBS=x])\n\
            AC_CHECK_LIB([rt+2], [strdup], , [AC_MSG_ERROR([no])])\nAC_CHECK_LIB(any, main)\ndnl AC_CHECK_LIB(gone, exp)\n\
            AC_CHECK_LIB([$of], exp)\nAC_CHECK_LIB(open, exp";
        let system = SystemNames::default();
        let defined: Vec<String> = defined_by(configure, &system).into_keys().collect();
        assert_eq!(defined, ["HAVE_LIBM", "HAVE_LIBRT_2"]);
        let text = of_template(&template_of(configure), &defined_by(configure, &system), &system);
        assert!(text.contains("#define HAVE_LIBM 1\n") && text.contains("/* #undef HAVE_LIBNO_SUCH */\n"), "{text}");
        assert!(!text.contains("ACTED") && !text.contains("LIBANY"), "{text}");
    }

    #[test]
    fn what_is_replaced_in_a_template_is_nothing_or_a_type_of_that_width() {
        let template = "@MORE@\n  typedef @SIZE16@ half;\ntypedef @USIZE64@ most;\ntypedef @WORD@ word;\n@A@ b @C@\ntypedef @X8@ @Y8@;\n@@\n";
        let text = of_template(template, &BTreeMap::new(), &SystemNames::default());
        let wanted = "\n  typedef short half;\ntypedef unsigned long long most;\ntypedef @WORD@ word;\n@A@ b @C@\ntypedef @X8@ @Y8@;\n@@\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn a_directive_that_is_to_stay_has_another_sign_in_a_template() {
        let text =
            of_template("@ifndef A_H\n@  define A_H\n@define@\n@A@\n@A b\n@endif\n", &BTreeMap::new(), &SystemNames::default());
        assert_eq!(text, "#ifndef A_H\n#  define A_H\n\n\n@A b\n#endif\n");
    }

    #[test]
    fn a_template_is_filled_with_what_the_system_has() {
        let template = "/* Define to 1 if you have the <sys/time.h> header file. */\n#undef HAVE_SYS_TIME_H\n\n\
            /* Define to 1 if you have the <io/dos.h> header file. */\n#undef HAVE_IO_DOS_H\n\n\
            /* Define to 1 if you have the `strdup' function. */\n#undef HAVE_STRDUP\n#undef HAVE_NO_SUCH_FUNCTION_ANYWHERE\n\
            /* The size of `long', as computed by sizeof. */\n#undef SIZEOF_LONG\n#undef PACKAGE_NAME\n#define KEPT 3\n\
            /* Define to a C preprocessor expression that evaluates to 1 or 0, depending\n   whether the gnulib module xalloc shall be considered present. */\n#undef GNULIB_XALLOC\n\n\
            /* Define to nothing if C supports flexible array members. */\n#undef FLEXIBLE_ARRAY_MEMBER\n#undef GNULIB_NO_VLA\n\
            #undef RETSIGTYPE\n#undef HAVE_STRUCT_STAT_ST_BLKSIZE\n#undef HAVE_STRUCT_SOCKADDR_STORAGE\n#undef HAVE_STRUCT_STAT_ST_NO_SUCH_MEMBER\n#undef HAVE_LONG_LONG\n\
            # if @HAVE_THIS@\n#elif @HAVE_THAT@\n#define @NAME@ 4\n#endif\n";
        let text = of_template(template, &BTreeMap::new(), &SystemNames::default());
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("#define")).collect();
        assert_eq!(
            lines,
            [
                "#define HAVE_SYS_TIME_H 1",
                "#define HAVE_STRDUP 1",
                "#define SIZEOF_LONG __SIZEOF_LONG__",
                "#define PACKAGE_NAME \"\"",
                "#define KEPT 3",
                "#define GNULIB_XALLOC 1",
                "#define FLEXIBLE_ARRAY_MEMBER ",
                "#define RETSIGTYPE void",
                "#define HAVE_STRUCT_STAT_ST_BLKSIZE 1",
                "#define HAVE_STRUCT_SOCKADDR_STORAGE 1",
                "#define HAVE_LONG_LONG 1",
            ]
        );
        assert!(text.ends_with("#if 0\n#elif 0\n\n#endif\n"), "{text}");
    }

    #[test]
    fn a_condition_for_what_is_there_never_holds() {
        let is_for_lack = |condition: &str| is_for_lack(condition, &SystemNames::default());
        for condition in ["ifndef HAVE_STRDUP", "if !HAVE_STRDUP", "if !defined (HAVE_STRDUP)", "if ! defined(HAVE_SYS_TIME_H)"] {
            assert!(is_for_lack(condition), "{condition}");
        }
        for condition in
            ["ifdef HAVE_STRDUP", "if HAVE_STRDUP", "ifndef HAVE_NO_SUCH", "ifndef STRDUP_H", "ifndef", "if !", "if !A && !B"]
        {
            assert!(!is_for_lack(condition), "{condition}");
        }
    }
}

//! What of a tree is for another system than Linux, or for a machine without one, by its name.

use crate::pair::Pair;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Directories with what a program needs on other systems, where it has one for each.
const OTHERS: [&str; 28] = [
    "acorn", "amiga", "aosvs", "atari", "atheos", "beos", "cmsmvs", "dos", "human68k", "macos", "osx", "msdos", "netware",
    "novell", "nsk", "os2", "os390", "os400", "qdos", "riscos", "symbian", "tandem", "theos", "tops20", "vms", "win", "win32",
    "wince",
];
/// The same, of machines that have no system, or one of their own.
const MACHINES: [&str; 15] = [
    "avr",
    "dreamcast",
    "esp32",
    "esp8266",
    "gamecube",
    "nds",
    "nestedvm",
    "nrf52",
    "pic32",
    "ps2",
    "ps3",
    "psp",
    "stm32",
    "stm8",
    "wii",
];
/// The same, of compilers, whatever comes behind their names: what configures it for them is beside it.
const COMPILERS: [&str; 8] = ["visualc", "msvc", "msvs", "visualstudio", "borland", "bcc", "watcom", "codewarrior"];
/// Words of the names of files besides: alone they say nothing.
const WORDS: [&str; 17] = [
    "aix", "bsd", "bsdi", "cygwin", "darwin", "djgpp", "freebsd", "hpux", "irix", "netbsd", "nto", "openbsd", "solaris", "sunos",
    "tru64", "unixware", "windows",
];
/// What the file beside has, that is for Linux.
const OWN: [&str; 4] = ["linux", "posix", "unix", "x11"];

/// Whether a directory of this name, in small letters, is for another system: also `libwin32`.
pub(crate) fn is_other(name: &str) -> bool {
    let compiler = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    OTHERS.contains(&name.strip_prefix("lib").unwrap_or(name)) || MACHINES.contains(&name) || COMPILERS.contains(&compiler)
}

/// Whether one of the words is the name of another system, in small letters.
pub(crate) fn names_other(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| is_other(word) || is_word_of_other(word))
}

/// Whether a build file is in a directory for another system, as `os2/` or `linux-cross-amiga/`, or is called `makefile.mingw`.
pub(crate) fn is_build_of_other(path: &Path) -> bool {
    let mut directories = path.parent().into_iter().flat_map(Path::components);
    directories.any(|part| names_other(&part.as_os_str().to_string_lossy().to_lowercase()))
        || name_words(path).iter().any(|word| is_word_of_other(word))
}

/// The files that are there once for each system or processor, and are for another one.
pub(crate) fn left_out(files: &[PathBuf], pair: Pair) -> HashSet<&Path> {
    let mut others = others(files);
    others.extend(of_other_processors(files, pair));
    others
}

/// The files that are there once for each system, without those for Linux: `fooWinDraw.c` beside `fooUnixDraw.c`, and `windows.c` where
/// `windows.cmake` is beside `unix.cmake`.
fn others(files: &[PathBuf]) -> HashSet<&Path> {
    let mut platforms: HashMap<&Path, BTreeSet<String>> = HashMap::new();
    let mut prefixes: HashSet<(&Path, String)> = HashSet::new();
    let words: Vec<(&Path, &Path, Vec<String>)> =
        files.iter().filter_map(|path| Some((path.as_path(), path.parent()?, name_words(path)))).collect();
    for (path, directory, words) in &words {
        if path.extension().is_some_and(|extension| extension == "cmake") {
            platforms.entry(directory).or_default().insert(stem(path));
        }
        if let Some(at) = words.iter().position(|word| OWN.contains(&word.as_str())) {
            prefixes.insert((directory, side(words, at)));
        }
    }
    platforms.retain(|_, stems| OWN.iter().any(|own| stems.remove(*own)));
    let built: BTreeSet<&String> = platforms.values().flatten().filter(|stem| is_word_of_other(stem)).collect();
    let is_other = |(path, directory, words): &(&Path, &Path, Vec<String>)| {
        let at = words.iter().position(|word| is_word_of_other(word));
        at.is_some_and(|at| prefixes.contains(&(*directory, side(words, at)))) || built.contains(&stem(path))
    };
    words.iter().filter(|file| is_other(file)).map(|(path, ..)| *path).collect()
}

/// How files and directories of a processor are called, the name by which biarch knows it first.
const PROCESSORS: [&[&str]; 32] = [
    &["x86-64", "amd64", "x64"],
    &["i386", "i486", "i586", "i686", "ia32", "x86", "386"],
    &["arm64", "aarch64"],
    &["armhf", "arm", "arm32", "armel"],
    &["alpha"],
    &["arc"],
    &["avr32"],
    &["bfin"],
    &["cris"],
    &["csky"],
    &["frv"],
    &["hppa", "parisc", "pa"],
    &["ia64"],
    &["kvx"],
    &["loongarch64"],
    &["m32r"],
    &["m68k"],
    &["m88k"],
    &["metag"],
    &["microblaze"],
    &["mips", "mips64", "mipsel", "mips32"],
    &["moxie"],
    &["nios2"],
    &["or1k"],
    &["powerpc", "powerpc64", "ppc", "ppc64", "power"],
    &["riscv", "riscv32", "riscv64"],
    &["s390", "s390x"],
    &["sh", "sh4", "sh64"],
    &["sparc", "sparc64", "sun4u"],
    &["tile", "tilegx"],
    &["vax"],
    &["xtensa"],
];

/// The processor that a word of a name is, with the next word: `x86_64` is two.
fn processor(word: &str, next: Option<&String>) -> Option<&'static str> {
    match (word, next.map(String::as_str)) {
        ("x86", Some("64")) => Some("x86-64"),
        _ => PROCESSORS.iter().find(|names| names.contains(&word)).map(|names| names[0]),
    }
}

/// The files that are there once for each processor, `call-arm.c` beside `call-m68k.c`, `arm/call.c` beside `m68k/call.c` or `posix-arm/call.c`
/// beside `posix-m68k/call.c`, without those for the new one; where there is none for it, that for the old one says what is to be written.
fn of_other_processors(files: &[PathBuf], pair: Pair) -> HashSet<&Path> {
    let [narrow, wide] = pair.sides.map(|abi| abi.name);
    let mut groups: HashMap<(&Path, String), Vec<(&str, &Path)>> = HashMap::new();
    for path in files {
        let (Some(directory), words) = (path.parent(), name_words(path)) else { continue };
        if let Some((at, of)) = (0..words.len()).find_map(|at| Some((at, processor(&words[at], words.get(at + 1))?))) {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            groups.entry((directory, format!("{}.{extension}", side(&words, at)))).or_default().push((of, path));
        }
        let mut words = name_words(directory);
        let found = (0..words.len()).find_map(|at| Some((at, processor(&words[at], words.get(at + 1))?)));
        if let Some(((at, mut of), above)) = found.zip(directory.parent()) {
            match (words[at].as_str(), of) {
                ("x86", "x86-64") => drop(words.remove(at + 1)),
                // That is mostly for both.
                ("x86", _) if wide == "x86-64" => of = wide,
                _ => {}
            }
            groups.entry((above, side(&words, at))).or_default().push((of, path));
        }
    }
    let mut others = HashSet::new();
    for group in groups.into_values() {
        let names: BTreeSet<&str> = group.iter().map(|(name, _)| *name).collect();
        let is_ours = |name: &str| name == wide || name == narrow && !names.contains(wide);
        if names.len() >= SEVERAL {
            others.extend(group.into_iter().filter(|(name, _)| !is_ours(name)).map(|(_, path)| path));
        }
    }
    others
}

/// So many processors are all that there are.
const SEVERAL: usize = 3;

/// What files have in common of which each is for one system: what is in front of its name, or all behind it.
fn side(words: &[String], at: usize) -> String {
    if at == 0 { words[1..].join(" ") } else { words[..at].join(" ") + " " }
}

fn is_word_of_other(word: &str) -> bool {
    ["mingw", "emscripten", "opensolaris"].iter().any(|name| word.starts_with(name))
        || [&OTHERS[..], &MACHINES, &WORDS].iter().any(|names| names.contains(&word))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The words of a file's name, in small letters: `tkWinDraw.c` and `tk_win_draw.c` have the same.
fn name_words(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && before.is_ascii_lowercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

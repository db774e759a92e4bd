//! The compilers' command lines: who is a compiler, which words are options, and which are files.

use std::path::Path;

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cxx,
    /// What libclang is not asked to parse, by name.
    Other(&'static str),
}

/// What the compilers take a file for by the end of its name; gcc(1), "Options Controlling the Kind of Output".
const EXTENSIONS: &[(&[&str], Language)] = &[
    (&["c", "i"], Language::C),
    (&["cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"], Language::Cxx),
    (&["s", "S", "sx", "asm"], Language::Other("assembly")),
    (&["m", "mi"], Language::Other("Objective-C")),
    (&["mm", "M", "mii"], Language::Other("Objective-C++")),
    (
        &["f", "for", "ftn", "F", "FOR", "fpp", "FPP", "FTN", "f90", "f95", "f03", "f08", "F90", "F95", "F03", "F08"],
        Language::Other("Fortran"),
    ),
    (&["adb", "ads"], Language::Other("Ada")),
    (&["d"], Language::Other("D")),
    (&["go"], Language::Other("Go")),
    (&["rs"], Language::Other("Rust")),
    (&["cu"], Language::Other("CUDA")),
    (&["vala"], Language::Other("Vala")),
    (&["swift"], Language::Other("Swift")),
    (&["rc"], Language::Other("a Windows resource")),
];

/// The same for the word after `-x`.
const NAMES: &[(&[&str], Language)] = &[
    (&["c", "cpp-output", "c-header"], Language::C),
    (&["c++", "c++-cpp-output", "c++-header"], Language::Cxx),
    (&["assembler", "assembler-with-cpp"], Language::Other("assembly")),
    (&["objective-c", "objective-c-header", "objective-c-cpp-output"], Language::Other("Objective-C")),
    (&["objective-c++", "objective-c++-header", "objective-c++-cpp-output"], Language::Other("Objective-C++")),
    (&["f77", "f77-cpp-input", "f95", "f95-cpp-input"], Language::Other("Fortran")),
    (&["ada"], Language::Other("Ada")),
    (&["d"], Language::Other("D")),
    (&["go"], Language::Other("Go")),
    (&["cuda"], Language::Other("CUDA")),
];

impl Language {
    /// By the file's name.
    pub(crate) fn of_file(path: &str) -> Option<Self> {
        let extension = Path::new(path).extension()?.to_str()?;
        EXTENSIONS.iter().find(|(names, _)| names.contains(&extension)).map(|(_, language)| *language)
    }

    /// By the name that `-x` gives it.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(names, _)| names.contains(&name)).map(|(_, language)| *language)
    }
}

/// What starts compilers, and is not one: the word after it is.
const LAUNCHERS: [&str; 4] = ["ccache", "distcc", "sccache", "icecc"];

/// The compilers' names, and what they take `.c` for. They have the target before them and the version behind them.
const COMPILERS: [(&str, Language); 10] = [
    ("cc", Language::C),
    ("gcc", Language::C),
    ("clang", Language::C),
    ("c89", Language::C),
    ("c99", Language::C),
    ("tcc", Language::C),
    ("icx", Language::C),
    ("g++", Language::Cxx),
    ("c++", Language::Cxx),
    ("clang++", Language::Cxx),
];

/// The last part of a path.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a program of this name, with or without its directory, is a compiler, and of what: `aarch64-linux-gnu-g++-12` is one
/// of C++.
pub(crate) fn is_compiler(program: &str) -> Option<Language> {
    let mut name = base_name(program);
    if let Some((before, version)) = name.rsplit_once('-') {
        if version.starts_with(|c: char| c.is_ascii_digit()) && version.chars().all(|c| c.is_ascii_digit() || c == '.') {
            name = before;
        }
    }
    let is = |compiler: &str| name.strip_suffix(compiler).is_some_and(|target| target.is_empty() || target.ends_with('-'));
    COMPILERS.iter().find(|(compiler, _)| is(compiler)).map(|(_, language)| *language)
}

/// Whether a program of this name starts compilers.
pub(crate) fn is_launcher(program: &str) -> bool {
    LAUNCHERS.contains(&base_name(program))
}

/// A command line without what only starts the compiler.
pub(crate) fn without_launcher(mut words: &[String]) -> &[String] {
    while let [first, rest @ ..] = words {
        // `ccache gcc`, and `distcc -c x.c`, which calls `cc`.
        let next = rest.first().is_some_and(|next| !next.starts_with('-') && !is_source(next));
        if !(is_launcher(first) || base_name(first) == "env") || !next {
            break;
        }
        words = rest;
    }
    words
}

fn is_source(word: &str) -> bool {
    Language::of_file(word).is_some()
}

/// What is not passed on to clang, and has its argument in the next word.
const SKIPPED_WITH_WORD: [&str; 25] = [
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-aux-info",
    "--param",
    "-T",
    "-L",
    "-l",
    "-z",
    "-u",
    "-e",
    "-A",
    "-B",
    "-G",
    "-wrapper",
    "-dumpbase",
    "-dumpdir",
    "-arch",
    "-target",
];

/// What is passed on with its argument, which is in the same word or the next one.
pub(crate) const WITH_WORD: [&str; 11] =
    ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-isysroot", "--sysroot", "-x"];

/// Whether the next word belongs to this one.
pub(crate) fn takes_next(word: &str) -> bool {
    SKIPPED_WITH_WORD.contains(&word) || WITH_WORD.contains(&word)
}

/// The files that a command line compiles, as it names them, each with its language: that of `-x`, else by its name. `arguments` is
/// without the compiler.
pub(crate) fn sources(arguments: &[String]) -> Vec<(String, Option<Language>)> {
    let (mut found, mut given) = (Vec::new(), None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(name) = word.strip_prefix("-x") {
            let name = if name.is_empty() { words.next().map_or("", String::as_str) } else { name };
            given =
                (name != "none").then(|| Language::of_name(name).unwrap_or(Language::Other("of a language that is not known")));
        } else if takes_next(word) {
            words.next();
        } else if !word.starts_with('-') {
            match given {
                Some(language) => found.push((word.clone(), Some(language))),
                None if is_source(word) => found.push((word.clone(), Language::of_file(word))),
                // Objects and libraries are for the linker.
                None => {}
            }
        }
    }
    found
}

/// How deep response files may name others; gcc has a limit of its own.
const MAX_RESPONSES: usize = 2000;
/// A response file of more bytes is none.
const MAX_RESPONSE: u64 = 16 << 20;

/// The words with those of `@FILE` in place of it. What cannot be read stays as it is, as with gcc.
pub(crate) fn with_responses(words: Vec<String>, directory: &Path) -> Vec<String> {
    if !words.iter().any(|word| word.starts_with('@')) {
        return words;
    }
    let mut todo: Vec<String> = words.into_iter().rev().collect();
    let (mut done, mut read) = (Vec::new(), 0);
    while let Some(word) = todo.pop() {
        let path = word.strip_prefix('@').map(|name| directory.join(name)).filter(|_| read < MAX_RESPONSES);
        let is_small = |path: &Path| std::fs::metadata(path).is_ok_and(|of| of.is_file() && of.len() <= MAX_RESPONSE);
        match path.filter(|path| is_small(path)).and_then(|path| std::fs::read(path).ok()) {
            Some(bytes) => {
                read += 1;
                todo.extend(response_words(&String::from_utf8_lossy(&bytes)).into_iter().rev());
            }
            None => done.push(word),
        }
    }
    done
}

/// The words of a response file, which gcc splits in its own way: a backslash counts everywhere, also between single quotes.
fn response_words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => word.get_or_insert_with(String::new).extend(characters.next()),
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_with(String::new);
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_with(String::new).push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn compilers_are_known_with_target_version_and_directory() {
        for name in ["cc", "/usr/bin/gcc-12", "aarch64-linux-gnu-gcc", "clang-19", "c89-gcc", "x86_64-linux-gnu-gcc-12.2"] {
            assert_eq!(is_compiler(name), Some(Language::C), "{name}");
        }
        for name in ["c++", "/opt/my sdk/arm-poky-linux-gnueabi-g++", "clang++-19"] {
            assert_eq!(is_compiler(name), Some(Language::Cxx), "{name}");
        }
        for name in ["gcc-ar", "ld", "clang-format", "mpicc", "gccgo", "ccache", "as", ""] {
            assert_eq!(is_compiler(name), None, "{name}");
        }
    }

    #[test]
    fn a_launcher_is_not_the_compiler() {
        assert_eq!(without_launcher(&words("ccache distcc gcc -c a.c")), words("gcc -c a.c"));
        assert_eq!(without_launcher(&words("distcc -c a.c")), words("distcc -c a.c"));
        assert_eq!(without_launcher(&words("/usr/bin/ccache")), words("/usr/bin/ccache"));
    }

    #[test]
    fn what_an_option_names_is_no_source() {
        let found = |text: &str| sources(&words(text)).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(found("-c -o b.c a.c -MF c.c -include d.c -I e.c -lf.c x.o y.a"), ["a.c"]);
        assert_eq!(found("-O2 a.c b.cc c.S -o prog"), ["a.c", "b.cc", "c.S"]);
        assert_eq!(
            sources(&words("-x c++ a.c -x none b.c")),
            [("a.c".to_owned(), Some(Language::Cxx)), ("b.c".to_owned(), Some(Language::C))]
        );
        assert_eq!(sources(&words("-xassembler-with-cpp a.txt")), [("a.txt".to_owned(), Some(Language::Other("assembly")))]);
    }

    #[test]
    fn response_files_may_name_others_and_themselves() {
        let directory = std::env::temp_dir().join(format!("biarch-responses-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("a"), "-DA='x y' \"-DB=\\\"q\\\"\"\n@b -I a\\ b").unwrap();
        std::fs::write(directory.join("b"), "-DC").unwrap();
        std::fs::write(directory.join("circle"), "@circle").unwrap();
        let read = |word: &str| with_responses(vec!["-c".to_owned(), word.to_owned()], &directory);
        assert_eq!(read("@a"), ["-c", "-DA=x y", "-DB=\"q\"", "-DC", "-I", "a b"]);
        assert_eq!(read("@missing"), ["-c", "@missing"]);
        assert_eq!(read("@circle"), ["-c", "@circle"]);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}

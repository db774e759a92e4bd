//! The command line that clang gets, made of that of the build.

use crate::Options;
use crate::compiler::{self, Language, WITH_WORD};
use crate::configured;
use crate::headers::Headers;
use crate::pair::{Abi, NARROW};
use crate::project::Compilation;

/// What is taken over as it is: what changes the language, the layout or the meaning of a program. What only gcc knows is not
/// here: clang would refuse the file.
const TAKEN: [&str; 29] = [
    "-std=",
    "-ansi",
    "-nostdinc",
    "-undef",
    "-trigraphs",
    "-traditional-cpp",
    "-funsigned-char",
    "-fsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fno-short-wchar",
    "-fpack-struct",
    "-fms-extensions",
    "-fgnu89-inline",
    "-fno-builtin",
    "-ffreestanding",
    "-fno-asm",
    "-fchar8_t",
    "-fno-char8_t",
    "-fno-exceptions",
    "-fno-rtti",
    "-pthread",
    "-fopenmp",
    "-fblocks",
    "-O",
    configured::OVERLAY,
];

/// The same of what is about a processor, for the sides that have one of that kind; the narrow one alone, where it says so.
const OF_PROCESSOR: [(&str, &[&str], bool); 15] = [
    ("-msse", &["i386", "x86-64"], false),
    ("-mssse", &["i386", "x86-64"], false),
    ("-mavx", &["i386", "x86-64"], false),
    ("-mno-sse", &["i386", "x86-64"], false),
    ("-mno-avx", &["i386", "x86-64"], false),
    ("-maes", &["i386", "x86-64"], false),
    ("-mpclmul", &["i386", "x86-64"], false),
    ("-msha", &["i386", "x86-64"], false),
    ("-mbmi", &["i386", "x86-64"], false),
    ("-mfma", &["i386", "x86-64"], false),
    ("-mf16c", &["i386", "x86-64"], false),
    ("-mpopcnt", &["i386", "x86-64"], false),
    ("-mms-bitfields", &["i386", "x86-64"], false),
    // Nobody has this for 64 bits, where it is the rule anyway.
    ("-malign-double", &["i386"], true),
    ("-mfpu=", &["armhf"], true),
];

/// What clang is asked to say: only what the rules read.
const WARNINGS: [&str; 12] = [
    "-Wformat",
    "-Wimplicit-function-declaration",
    "-Wincompatible-pointer-types",
    "-Wshift-count-overflow",
    "-Wtautological-constant-out-of-range-compare",
    "-Wconstant-conversion",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=register",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    // To find the end of a function without a return, which no rule asks for, clang makes a graph of each: a tenth of its time.
    "-Wno-return-type",
];

/// The arguments for one side.
pub(crate) fn for_clang(options: &Options, compilation: &Compilation, headers: &Headers<'_>, side: usize) -> Vec<String> {
    let abi = options.pair.sides[side];
    let mut arguments = vec![format!("--target={}", abi.target), "-fsyntax-only".to_owned(), "-ferror-limit=0".to_owned()];
    arguments.extend(WARNINGS.iter().map(|&warning| warning.to_owned()));
    arguments.extend([
        "-Qunused-arguments".to_owned(),
        "-working-directory".to_owned(),
        compilation.directory.to_string_lossy().into_owned(),
    ]);
    if (Language::of_file(&compilation.file) == Some(Language::Cxx)) != compilation.is_cxx {
        arguments.push(if compilation.is_cxx { "-xc++" } else { "-xc" }.to_owned());
    }
    if compilation.compiler.is_empty() {
        // What the user says comes before what is guessed.
        let named = options.arguments.iter().filter_map(|word| word.strip_prefix("-I"));
        arguments.extend(named.map(|directory| format!("-iquote{directory}")));
    }
    arguments.extend(of_build(compilation).into_iter().filter(|word| suits(word, abi, side)).map(configured::argument_for_both));
    arguments.extend(options.arguments.iter().cloned());
    if !arguments.iter().any(|word| word == "-nostdinc") {
        arguments.push("-nostdlibinc".to_owned());
        let directories = headers.directories(side, compilation);
        arguments.extend(directories.into_iter().flat_map(|(option, directory)| [option.to_owned(), directory]));
    }
    arguments
}

/// The directories in which clang looks for headers.
pub(crate) fn searched(arguments: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        for option in ["-I", "-isystem", "-iquote", "-idirafter"] {
            match word.strip_prefix(option) {
                Some("") => found.extend(words.next().map(String::as_str)),
                Some(directory) => found.push(directory),
                None => {}
            }
        }
    }
    found
}

fn suits(word: &str, abi: Abi, side: usize) -> bool {
    OF_PROCESSOR
        .iter()
        .find(|(option, ..)| word.starts_with(option))
        .is_none_or(|(_, names, only_narrow)| names.contains(&abi.name) && (!only_narrow || side == NARROW))
}

/// What of the build's own arguments means anything to a reader of the source, for whatever word size.
pub(crate) fn of_build(compilation: &Compilation) -> Vec<String> {
    let mut taken = Vec::new();
    match compiler::base_name(&compilation.compiler) {
        "c89" => taken.push("-std=c89".to_owned()),
        "c99" => taken.push("-std=c99".to_owned()),
        _ => {}
    }
    let mut words = compilation.arguments.iter();
    while let Some(word) = words.next() {
        // What is given to the preprocessor alone: `-Wp,-DA,-DB`.
        for word in word.strip_prefix("-Wp,").into_iter().flat_map(|list| list.split(',')) {
            if ["-D", "-U", "-I"].iter().any(|option| word.starts_with(option)) && !is_of_output(word) {
                taken.push(word.to_owned());
            }
        }
        if let Some(option) = WITH_WORD.iter().find(|option| word.starts_with(**option)) {
            let value = if word == option { words.next().cloned() } else { None };
            let is_root = word.starts_with("--sysroot") || word.starts_with("-isysroot");
            // The language is known, and the system's directory is asked of the compiler.
            if *option == "-x" || is_root || is_of_output(&format!("{word}{}", value.as_deref().unwrap_or_default())) {
                continue;
            }
            taken.push(word.clone());
            taken.extend(value);
        } else if compiler::takes_next(word) {
            words.next();
        } else if TAKEN.iter().any(|option| word.starts_with(option))
            || OF_PROCESSOR.iter().any(|(option, ..)| word.starts_with(option))
        {
            taken.push(word.clone());
        }
    }
    taken
}

/// Macros that say how the code is to be made, and not what it does: libtool's, and that of the checked functions of the C
/// library, which hide the calls that rules look for.
fn is_of_output(word: &str) -> bool {
    word == "-DPIC" || word.strip_prefix("-D").is_some_and(|name| name.trim_start().starts_with("_FORTIFY_SOURCE"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Built;

    fn of(words: &[&str]) -> Vec<String> {
        let arguments = words.iter().map(|word| (*word).to_owned()).collect();
        of_build(&Compilation {
            file: "/x/a.c".to_owned(),
            directory: "/x".into(),
            compiler: "gcc".to_owned(),
            arguments,
            is_cxx: false,
            built: Built::Named,
        })
    }

    #[test]
    fn what_changes_the_meaning_is_taken_and_what_only_gcc_knows_is_not() {
        let words = of(&[
            "-m32",
            "-march=i686",
            "-fno-tree-vectorize",
            "-flto=auto",
            "-ffat-lto-objects",
            "-Wall",
            "-g",
            "-std=gnu++2c",
            "-isystem",
            "/a b",
            "-include",
            "x.h",
            "-DA=\"q\"",
            "-D",
            "B=1",
            "-Ic",
            "-funsigned-char",
            "-c",
            "-o",
            "-DC",
            "-MF",
            "-DD",
            "a.c",
        ]);
        assert_eq!(
            words,
            ["-std=gnu++2c", "-isystem", "/a b", "-include", "x.h", "-DA=\"q\"", "-D", "B=1", "-Ic", "-funsigned-char"]
        );
    }

    #[test]
    fn how_the_code_is_made_is_no_difference() {
        let words = of(&[
            "-fPIC",
            "-DPIC",
            "-D_FORTIFY_SOURCE=2",
            "-D",
            "_FORTIFY_SOURCE=3",
            "-Wp,-D_FORTIFY_SOURCE=2,-DX,-MD,a.d",
            "--sysroot",
            "/s",
        ]);
        assert_eq!(words, ["-DX"]);
    }

    #[test]
    fn options_of_a_processor_go_to_the_sides_that_have_it() {
        let pair = crate::pair::Pair::parse("i386:arm64").unwrap_or(crate::pair::Pair::ALL[0]);
        for (word, sides) in
            [("-msse2", [true, false]), ("-malign-double", [true, false]), ("-mfpu=neon", [false, false]), ("-DA", [true, true])]
        {
            assert_eq!([0, 1].map(|side| suits(word, pair.sides[side], side)), sides, "{word}");
        }
    }
}

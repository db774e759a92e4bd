//! The command line that clang gets, made of that of the build.

use crate::Options;
use crate::headers::Headers;
use crate::project::Compilation;

/// What is taken over with the word that follows, where it is not part of the same word.
const WITH_WORD: [&str; 11] =
    ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-isysroot", "--sysroot", "-x"];

/// What is taken over as it is: what changes the language, the layout or the meaning of a program.
const TAKEN: [&str; 22] = [
    "-std=",
    "-ansi",
    "-nostdinc",
    "-funsigned-char",
    "-fsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-fms-extensions",
    "-fgnu89-inline",
    "-fno-builtin",
    "-ffreestanding",
    "-fno-exceptions",
    "-fno-rtti",
    "-fpermissive",
    "-pthread",
    "-fopenmp",
    "-fblocks",
    "-O",
];

/// What clang is asked to say: only what the rules read.
const WARNINGS: [&str; 12] = [
    "-w",
    "-Wformat",
    "-Wimplicit-function-declaration",
    "-Wincompatible-pointer-types",
    "-Wshift-count-overflow",
    "-Wtautological-constant-out-of-range-compare",
    "-Wconstant-conversion",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
];

/// The arguments for one side.
pub(crate) fn for_clang(options: &Options, compilation: &Compilation, headers: &Headers, side: usize) -> Vec<String> {
    let abi = options.pair.sides[side];
    let mut arguments = vec![format!("--target={}", abi.target), "-fsyntax-only".to_owned(), "-ferror-limit=0".to_owned()];
    arguments.extend(WARNINGS.iter().skip(1).map(|&warning| warning.to_owned()));
    arguments.extend([
        "-Qunused-arguments".to_owned(),
        "-working-directory".to_owned(),
        compilation.directory.to_string_lossy().into_owned(),
    ]);
    let is_cxx = is_cxx(compilation);
    let mut words = compilation.arguments.iter().chain(&options.arguments);
    let (mut own_headers, mut defined_date) = (false, false);
    while let Some(word) = words.next() {
        if let Some(option) = WITH_WORD.iter().find(|option| word.starts_with(**option)) {
            // `-D` is also the beginning of nothing else, but `-include` begins with `-I` in no case.
            arguments.push(word.clone());
            own_headers |= *option == "--sysroot";
            if word == option {
                arguments.extend(words.next().cloned());
            }
        } else if TAKEN.iter().any(|taken| word.starts_with(taken)) && word != "-Og" {
            defined_date |= word.starts_with("-nostdinc");
            arguments.push(word.clone());
        } else if ["-o", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler", "-aux-info", "--param", "-T", "-L", "-l", "-z", "-u"]
            .contains(&word.as_str())
        {
            words.next();
        }
    }
    if !own_headers && !defined_date {
        arguments.push("-nostdlibinc".to_owned());
        let directories = headers.directories(side, is_cxx);
        arguments.extend(directories.iter().flat_map(|(option, directory)| [(*option).to_owned(), directory.clone()]));
    }
    arguments
}

/// Whether it is C++.
fn is_cxx(compilation: &Compilation) -> bool {
    let said = compilation
        .arguments
        .iter()
        .any(|word| word.starts_with("-std=c++") || word.starts_with("-std=gnu++") || word == "-xc++");
    let extension = compilation.file.rsplit('.').next().unwrap_or_default();
    said || ["cc", "cpp", "cxx", "c++", "C", "ii"].contains(&extension)
}

//! `compile_commands.json`: read, and written.
//!
//! The format is <https://clang.llvm.org/docs/JSONCompilationDatabase.html>.

use crate::compiler::{self, Language};
use crate::project::{Built, Compilation};
use anyhow::{Context, Result, ensure};
use findings::Unchecked;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A list of more bytes than this is none.
const MAX_LIST: u64 = 1 << 30;

/// One command of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Where it is started.
    pub(crate) directory: PathBuf,
    /// The file, where the list names it; else it is found among the words.
    pub(crate) file: Option<PathBuf>,
    /// The compiler and its arguments.
    pub(crate) words: Vec<String>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Reads a list. An entry that makes no sense is no error, but named.
///
/// # Errors
/// Where it cannot be read, or is no list at all.
pub(crate) fn read(path: &Path, unchecked: &mut Vec<Unchecked>) -> Result<Vec<Command>> {
    let shown = path.display();
    let size = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?.len();
    ensure!(size <= MAX_LIST, "{shown} has more than {} MiB, and is no list of files", MAX_LIST >> 20);
    let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let advice = "biarch port -- make writes a new one with --save, cmake with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
    // Tools cut in the middle of a character, or write names as the file system has them.
    let entries: Vec<Value> = serde_json::from_str(&String::from_utf8_lossy(&bytes))
        .with_context(|| format!("{shown} is no compilation database, as CMake, Meson and Bear write them; {advice}"))?;
    let mut commands = Vec::new();
    for (at, value) in entries.into_iter().enumerate() {
        let mut refuse = |what: String, because: &str| unchecked.push(Unchecked { what, because: because.to_owned() });
        let named = value.get("file").and_then(Value::as_str).map_or_else(|| format!("{shown}: entry {at}"), str::to_owned);
        let entry: Entry = match serde_json::from_value(value) {
            Ok(entry) => entry,
            Err(error) => {
                refuse(named, &format!("its entry in {shown} is damaged: {error}"));
                continue;
            }
        };
        let words = match (entry.arguments, entry.command) {
            (Some(arguments), _) if !arguments.is_empty() => arguments,
            (_, Some(command)) => match shlex::split(&command) {
                Some(words) if !words.is_empty() => words,
                _ => {
                    refuse(named, &format!("its `command` in {shown} is nothing that a shell can split: a quote has no end"));
                    continue;
                }
            },
            _ => {
                refuse(named, &format!("its entry in {shown} has neither `arguments` nor `command`"));
                continue;
            }
        };
        let directory = path.parent().unwrap_or(Path::new("/")).join(entry.directory);
        commands.push(Command { directory, file: Some(entry.file), words });
    }
    Ok(commands)
}

/// What is compiled by these commands, each once; what is not C or C++, or not there, is named.
pub(crate) fn compilations(commands: Vec<Command>, unchecked: &mut Vec<Unchecked>) -> Vec<Compilation> {
    let (mut found, mut seen, mut missing) = (Vec::new(), HashSet::new(), Vec::new());
    for command in commands {
        let words = compiler::with_responses(command.words, &command.directory);
        let words = compiler::without_launcher(&words);
        let Some((program, arguments)) = words.split_first() else { continue };
        let as_cxx = compiler::is_compiler(program) == Some(Language::Cxx);
        let sources = compiler::sources(arguments);
        let files: Vec<(PathBuf, Option<Language>)> = match command.file {
            Some(file) => {
                let said = sources.iter().find(|(name, _)| Path::new(name) == file).and_then(|(_, language)| *language);
                let by_name = || Language::of_file(&file.to_string_lossy());
                // A command with one source means that one, by whatever name the list has for it.
                let only = if let [(_, language)] = sources.as_slice() { *language } else { None };
                let language = said.or(only).or_else(by_name);
                vec![(file, language)]
            }
            None => sources.into_iter().map(|(name, language)| (PathBuf::from(name), language)).collect(),
        };
        for (file, language) in files {
            let path = command.directory.join(&file);
            // CMake compiles its own files in directories that it removes.
            let Some(path) = fs::canonicalize(&path).ok().filter(|_| command.directory.is_dir()) else {
                missing.push(path.to_string_lossy().into_owned());
                continue;
            };
            let shown = path.to_string_lossy().into_owned();
            let is_cxx = match language {
                Some(Language::Other(name)) => {
                    unchecked.push(Unchecked { what: shown, because: format!("it is {name}, not C or C++") });
                    continue;
                }
                Some(Language::C) => as_cxx,
                Some(Language::Cxx) => true,
                None => {
                    unchecked.push(Unchecked { what: shown, because: "its name says of no language that it is in".to_owned() });
                    continue;
                }
            };
            let compilation = Compilation {
                file: shown,
                directory: command.directory.clone(),
                compiler: program.clone(),
                arguments: arguments.to_vec(),
                is_cxx,
                built: Built::Named,
            };
            // The same file is compiled more than once, for a static and a shared library: what only names the output is no
            // difference to the reader.
            if seen.insert((compilation.file.clone(), is_cxx, crate::arguments::of_build(&compilation))) {
                found.push(compilation);
            }
        }
    }
    missing.sort();
    missing.dedup();
    if let [first, more @ ..] = missing.as_slice() {
        let because = match more.len() {
            0 => "it was compiled, and is not there any more; configure makes such files, or the build has to be run first"
                .to_owned(),
            more => format!(
                "it and {more} others were compiled, and are not there any more; configure makes such files, or the build has to be run first"
            ),
        };
        unchecked.push(Unchecked { what: first.clone(), because });
    }
    found
}

/// The list of these compilations. What nobody has compiled is a command as well, which other programs that read such lists take.
pub(crate) fn written(compilations: &[Compilation]) -> String {
    let entries: Vec<Value> = compilations
        .iter()
        .map(|of| {
            let (compiler, source) = match (of.compiler.as_str(), of.is_cxx) {
                ("", true) => ("c++", &["-c", &of.file][..]),
                ("", false) => ("cc", &["-c", &of.file][..]),
                (compiler, _) => (compiler, &[][..]),
            };
            let arguments = of.arguments.iter().map(String::as_str);
            let words: Vec<&str> = std::iter::once(compiler).chain(arguments).chain(source.iter().copied()).collect();
            json!({ "directory": of.directory, "file": of.file, "arguments": words })
        })
        .collect();
    serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n"
}

//! What is to be compiled: from `compile_commands.json`, or the files themselves.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// One file, and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compilation {
    /// Absolute.
    pub(crate) file: String,
    /// Where the compiler is started; relative paths of the arguments start there.
    pub(crate) directory: PathBuf,
    /// The compiler's command line, without the compiler; as it was.
    pub(crate) arguments: Vec<String>,
}

/// What is analysed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Project {
    /// What it is called.
    pub(crate) name: String,
    pub(crate) compilations: Vec<Compilation>,
    /// The directories whose files are the project's, absolute, with a slash at the end.
    roots: Vec<String>,
}

/// A list of more bytes than this is none.
const MAX_LIST: u64 = 1 << 30;

/// What the compilers take for C and C++.
const EXTENSIONS: [&str; 8] = ["c", "cc", "cpp", "cxx", "c++", "C", "i", "ii"];

impl Project {
    /// Finds out what there is to analyse at these paths.
    pub(crate) fn find(paths: &[PathBuf]) -> Result<Self> {
        let mut project =
            Self { name: paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "), ..Self::default() };
        for path in paths {
            project.add(path)?;
        }
        ensure!(
            !project.compilations.is_empty(),
            "{}: no C or C++ files, and no compile_commands.json: name the files or their directory",
            project.name
        );
        Ok(project)
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        let shown = path.display();
        let absolute = fs::canonicalize(path).with_context(|| format!("cannot read {shown}"))?;
        if absolute.is_dir() {
            self.root(&absolute);
            let lists = [absolute.join("compile_commands.json"), absolute.join("build/compile_commands.json")];
            match lists.iter().find(|list| list.is_file()) {
                Some(list) => self.list(list),
                None => self.tree(&absolute),
            }
        } else if absolute.extension().is_some_and(|extension| extension == "json") {
            self.list(&absolute)
        } else {
            let directory = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
            self.root(&directory);
            self.compilations.push(Compilation { file: text(&absolute), directory, arguments: Vec::new() });
            Ok(())
        }
    }

    fn root(&mut self, directory: &Path) {
        self.roots.push(format!("{}/", text(directory).trim_end_matches('/')));
    }

    /// Reads a compilation database; <https://clang.llvm.org/docs/JSONCompilationDatabase.html>.
    fn list(&mut self, path: &Path) -> Result<()> {
        #[derive(Deserialize)]
        struct Entry {
            directory: PathBuf,
            file: PathBuf,
            arguments: Option<Vec<String>>,
            command: Option<String>,
        }
        let shown = path.display();
        let size = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?.len();
        ensure!(size <= MAX_LIST, "{shown} has more than {} MiB, and is no list of files", MAX_LIST >> 20);
        let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
        let entries: Vec<Entry> = serde_json::from_slice(&bytes)
            .with_context(|| format!("{shown} is no compilation database, as CMake, Meson and Bear write them"))?;
        for (at, entry) in entries.into_iter().enumerate() {
            let words = match (entry.arguments, entry.command) {
                (Some(arguments), _) => arguments,
                (None, Some(command)) => split(&command),
                (None, None) => bail!("{shown}: entry {at}, {}, has neither `arguments` nor `command`", entry.file.display()),
            };
            let directory = path.parent().unwrap_or(Path::new("/")).join(entry.directory);
            let file = directory.join(entry.file);
            let file = fs::canonicalize(&file).unwrap_or(file);
            self.compilations.push(Compilation { file: text(&file), directory, arguments: words.into_iter().skip(1).collect() });
        }
        if let Some(directory) = path.parent() {
            let directory = if directory.ends_with("build") { directory.parent().unwrap_or(directory) } else { directory };
            self.root(directory);
        }
        Ok(())
    }

    fn tree(&mut self, directory: &Path) -> Result<()> {
        let entries = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if path.is_symlink() || hidden {
                continue;
            } else if path.is_dir() {
                self.tree(&path)?;
            } else if path
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| EXTENSIONS.contains(&extension))
            {
                self.compilations.push(Compilation {
                    file: text(&path),
                    directory: directory.to_path_buf(),
                    arguments: Vec::new(),
                });
            }
        }
        Ok(())
    }

    /// Whether a file is the project's.
    pub(crate) fn is_own(&self, path: &str) -> bool {
        let own = |path: &str| self.roots.iter().any(|root| path.starts_with(root.as_str()));
        if path.starts_with('/') && !path.contains("/../") {
            own(path)
        } else {
            fs::canonicalize(path).is_ok_and(|path| own(&text(&path)))
        }
    }

    /// A path as it is shown: from the working directory, where it is below that, else from the directory that was given.
    pub(crate) fn relative(&self, path: &Path) -> String {
        let path = text(&fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()));
        let here = std::env::current_dir().map(|here| format!("{}/", text(&here).trim_end_matches('/'))).unwrap_or_default();
        if let Some(below) = path.strip_prefix(&here).filter(|_| !here.is_empty()) {
            return below.to_owned();
        }
        let root = self.roots.iter().filter(|root| path.starts_with(root.as_str())).max_by_key(|root| root.len());
        root.map_or(path.clone(), |root| path[root.len()..].to_owned())
    }

    /// The project's directories, as the beginning of paths as they are shown.
    pub(crate) fn shown(&self) -> Vec<String> {
        let shown = self.roots.iter().map(|root| self.relative(Path::new(root)));
        shown.filter(|shown| !shown.is_empty() && !shown.starts_with('/')).collect()
    }

    /// What of a path that is shown is within the project.
    pub(crate) fn within<'a>(&self, shown: &'a str) -> &'a str {
        let roots = self.shown();
        let rest = roots.iter().filter_map(|root| shown.strip_prefix(root.as_str())?.strip_prefix('/'));
        rest.min_by_key(|rest| rest.len()).unwrap_or(shown)
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A command as a shell splits it into words.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_with(String::new);
            }
            (None | Some('"'), '\\') => word.get_or_insert_with(String::new).extend(characters.next()),
            (None, character) if character.is_whitespace() => words.extend(word.take()),
            (_, character) => word.get_or_insert_with(String::new).push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_command_is_split_as_a_shell_does() {
        let words = super::split(r#"cc -D'A B' "-DC=\"x\"" -I a\ b ''"#);
        assert_eq!(words, ["cc", "-DA B", "-DC=\"x\"", "-I", "a b", ""]);
    }
}

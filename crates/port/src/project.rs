//! What is analysed: what a build has compiled, what `compile_commands.json` lists, or the files themselves.

use crate::arguments;
use crate::commands;
use crate::compiler::Language;
use crate::directory::{Directory, LARGE_FILES, wants_large_files};
use crate::observe::{self, Surroundings};
use crate::{Options, cache, files, missing};
use anyhow::{Context, Result, bail, ensure};
use findings::Unchecked;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One file, and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Compilation {
    /// Absolute.
    pub(crate) file: String,
    /// Where the compiler is started; relative paths of the arguments start there.
    pub(crate) directory: PathBuf,
    /// As the build has called it; nothing, where nobody knows.
    pub(crate) compiler: String,
    /// Its arguments, as they were.
    pub(crate) arguments: Vec<String>,
    /// Whether it is taken for C++.
    pub(crate) is_cxx: bool,
}

impl Compilation {
    /// Bytes of the file, without what it includes; 0 where nobody can tell.
    pub(crate) fn size(&self) -> u64 {
        fs::metadata(&self.file).map_or(0, |metadata| metadata.len())
    }

    /// Whether anybody has said how it is compiled.
    pub(crate) fn is_configured(&self, options: &Options) -> bool {
        !self.compiler.is_empty() || !options.arguments.is_empty()
    }
}

/// What is analysed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Project {
    /// What it is called.
    pub(crate) name: String,
    pub(crate) compilations: Vec<Compilation>,
    /// What was not looked at, or not as exactly as it could be.
    pub(crate) unchecked: Vec<Unchecked>,
    /// The directories whose files are the project's, absolute, with a slash at the end.
    roots: Vec<String>,
    /// Those of them that are a project, and not only where a file is that was named.
    trees: Vec<PathBuf>,
    /// Files that were named themselves.
    named: Vec<PathBuf>,
    /// A list without entries.
    empty: Option<PathBuf>,
    seen: HashSet<Compilation>,
}

/// Where builds put their list of commands, below the directory that is given.
const LISTS: [&str; 5] = ["", "build", "builddir", "_build", "out"];

/// How deep in a project a directory for builds may be.
const LEVELS: usize = 3;

impl Project {
    /// Finds out what there is to analyse.
    ///
    /// # Errors
    /// Where a path cannot be read, a list is damaged, the build cannot be started, or there is nothing.
    pub(crate) fn find(options: &Options) -> Result<Self> {
        let names: Vec<String> = options.paths.iter().map(|path| path.display().to_string()).collect();
        let mut project = Self { name: names.join(", "), ..Self::default() };
        if options.input.build.is_empty() {
            for path in &options.paths {
                project.add(path)?;
            }
        } else {
            project.build(options)?;
        }
        if let Some(path) = &options.input.save {
            fs::write(path, commands::written(&project.compilations))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        project.widen_files();
        if let ([], Some(list)) = (project.compilations.as_slice(), &project.empty) {
            bail!(
                "{}: no C or C++ files: the list is empty, for nothing was compiled when it was written. `make clean; biarch port -- make` \
                 builds all and analyses it; CMake writes the list with `cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`; or name the files",
                list.display()
            );
        }
        ensure!(
            !project.compilations.is_empty() || project.named.iter().any(|file| files::is_only_text(file)),
            "{}: no C or C++ files, and no compile_commands.json: name the files or their directory{}",
            brief(&project.name),
            listed(&project.unchecked)
        );
        Ok(project)
    }

    /// Gives files that are compiled with a configure's header what that configure would have said for 32 bits.
    fn widen_files(&mut self) {
        let mut known: HashMap<PathBuf, bool> = HashMap::new();
        for compilation in &mut self.compilations {
            let beside = Path::new(&compilation.file).parent().map(Path::to_path_buf);
            let searched =
                arguments::searched(&compilation.arguments).into_iter().map(|directory| compilation.directory.join(directory));
            let mut headers = searched
                .chain(beside)
                .chain([compilation.directory.clone()])
                .flat_map(|directory| missing::MADE.map(|name| directory.join(name)));
            if headers.any(|header| *known.entry(header).or_insert_with_key(|header| wants_large_files(header))) {
                compilation.arguments.push(format!("-D{LARGE_FILES}=64"));
            }
        }
    }

    /// Runs the build, and takes what it compiles.
    fn build(&mut self, options: &Options) -> Result<()> {
        let observed = observe::run(&options.input.build, &cache::directory()?, Surroundings::default())?;
        ensure!(!observed.commands.is_empty(), "{}", observe::nothing(&options.input.build, observed.status));
        let shown: Vec<_> = options.input.build.iter().map(|word| word.to_string_lossy()).collect();
        if let Some(because) = observe::complaint(observed.status) {
            self.unchecked.push(Unchecked { what: shown.join(" "), because });
        }
        for path in &options.paths {
            let absolute = fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
            self.tree(if absolute.is_dir() { &absolute } else { absolute.parent().unwrap_or(&absolute) });
        }
        let compilations = commands::compilations(observed.commands, &mut self.unchecked);
        self.extend(compilations);
        Ok(())
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        let shown = path.display();
        let absolute = fs::canonicalize(path).with_context(|| format!("cannot read {shown}"))?;
        if absolute.is_dir() {
            self.tree(&absolute);
            let mut lists = LISTS.iter().map(|directory| absolute.join(directory).join("compile_commands.json"));
            match lists.find(|list| list.is_file()) {
                Some(list) => self.list(&list),
                None => {
                    let directory = Directory::read(&absolute)?;
                    let compilations = directory.compilations(&mut self.unchecked);
                    // A directory and one in it, or the same twice: the guess for the first is the better one.
                    let known: HashSet<String> = self.compilations.iter().map(|of| of.file.clone()).collect();
                    self.extend(compilations.into_iter().filter(|of| !known.contains(&of.file)));
                    Ok(())
                }
            }
        } else if !absolute.is_file() {
            // What blocks or never ends is no source.
            bail!("{shown} is no regular file: name a file of C or C++, a directory, or a compile_commands.json");
        } else if absolute.extension().is_some_and(|extension| extension == "json") {
            self.list(&absolute)
        } else {
            let directory = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
            self.root(&directory);
            let file = text(&absolute);
            match Language::of_file(&file) {
                // A Makefile, a script: what it says is looked at, and nothing in it is compiled.
                None if files::is_only_text(&absolute) => {}
                Some(Language::Other(name)) => {
                    self.unchecked.push(Unchecked { what: file, because: format!("it is {name}, not C or C++") });
                }
                language => {
                    let is_cxx = language == Some(Language::Cxx);
                    self.extend([Compilation { file, directory, compiler: String::new(), arguments: Vec::new(), is_cxx }]);
                }
            }
            self.named.push(absolute);
            Ok(())
        }
    }

    fn extend(&mut self, compilations: impl IntoIterator<Item = Compilation>) {
        for compilation in compilations {
            if self.seen.insert(compilation.clone()) {
                self.compilations.push(compilation);
            }
        }
    }

    fn tree(&mut self, directory: &Path) {
        self.root(directory);
        if !self.trees.iter().any(|tree| directory.starts_with(tree)) {
            self.trees.push(directory.to_path_buf());
        }
    }

    /// The directories whose build systems are looked at.
    pub(crate) fn trees(&self) -> &[PathBuf] {
        &self.trees
    }

    /// The files that were named themselves, absolute.
    pub(crate) fn named(&self) -> &[PathBuf] {
        &self.named
    }

    fn root(&mut self, directory: &Path) {
        self.roots.push(format!("{}/", text(directory).trim_end_matches('/')));
    }

    /// Takes what a list of commands lists.
    fn list(&mut self, path: &Path) -> Result<()> {
        let before = self.unchecked.len();
        let commands = commands::read(path, &mut self.unchecked)?;
        if commands.is_empty() && self.unchecked.len() == before {
            self.empty = Some(path.to_path_buf());
            let because = "it lists no files: nothing was compiled when it was written".to_owned();
            self.unchecked.push(Unchecked { what: text(path), because });
        }
        let compilations = commands::compilations(commands, &mut self.unchecked);
        let mut directory = path.parent().unwrap_or(Path::new("/"));
        // What is compiled in a directory for builds is mostly elsewhere: a few levels above.
        for _ in 0..LEVELS {
            let inside = compilations.iter().filter(|of| Path::new(&of.file).starts_with(directory)).count();
            match directory.parent().filter(|_| inside * 2 < compilations.len()) {
                Some(above) => directory = above,
                None => break,
            }
        }
        self.tree(directory);
        self.extend(compilations);
        Ok(())
    }

    /// The directories whose files are the project's, each with a slash at its end.
    pub(crate) fn roots(&self) -> &[String] {
        &self.roots
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
        self.shortest(&fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
    }

    /// The same, of a symbolic link and not of what it leads to.
    pub(crate) fn relative_link(&self, path: &Path) -> String {
        let link = || Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
        match link().filter(|_| path.is_symlink()) {
            Some(link) => self.shortest(&link),
            None => self.relative(path),
        }
    }

    fn shortest(&self, path: &Path) -> String {
        let path = text(path);
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

/// The first of what could not be looked at, for an error.
pub(crate) fn listed(unchecked: &[Unchecked]) -> String {
    unchecked.iter().take(10).map(|of| format!("\n  {}: {}", brief(&of.what), brief(&of.because))).collect()
}

/// As many bytes of a text that somebody else has written are quoted in a message.
const QUOTED: usize = 600;

/// A text for a message.
pub(crate) fn brief(text: &str) -> String {
    findings::brief(text, QUOTED)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

//! What is analysed: what a build has compiled, what `compile_commands.json` lists, or the files themselves.

use crate::arguments;
use crate::commands;
use crate::compiler::Language;
use crate::configured::{self, LARGE_FILES, Made, OVERLAY};
use crate::directory::{BUILDS, Directory};
use crate::observe::{self, Surroundings};
use crate::pair::Pair;
use crate::{Options, cache, files};
use anyhow::{Context, Result, bail, ensure};
use findings::Unchecked;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

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
    pub(crate) built: Built,
}

/// Whether a file is most likely built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Built {
    /// A build file names it, or nobody can tell.
    Named,
    /// The build files name the others, and not this one, which is included.
    Included,
    /// Nobody names it.
    Nowhere,
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
                project.add(path, options.pair)?;
            }
        } else {
            project.build(options)?;
        }
        if let Some(path) = &options.input.save {
            fs::write(path, commands::written(&project.compilations))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        project.configure_for_both();
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

    /// What a configuration has found for the word size that it was made for, files hear for both.
    fn configure_for_both(&mut self) {
        let mut known: HashMap<PathBuf, Vec<Made>> = HashMap::new();
        let mut with_sizes = Vec::new();
        for (at, compilation) in self.compilations.iter_mut().enumerate() {
            let beside = Path::new(&compilation.file).parent().map(Path::to_path_buf);
            let searched =
                arguments::searched(&compilation.arguments).into_iter().map(|directory| compilation.directory.join(directory));
            let directories: BTreeSet<PathBuf> =
                searched.chain(beside).chain([compilation.directory.clone()]).map(|directory| without_dots(&directory)).collect();
            let (mut wants_large_files, mut has_sizes) = (false, false);
            for directory in directories {
                let made = known.entry(directory).or_insert_with_key(|directory| configured::made_in(directory));
                wants_large_files |= made.iter().any(|header| header.wants_large_files);
                has_sizes |= made.iter().any(|header| header.for_both.is_some());
            }
            if wants_large_files {
                compilation.arguments.push(format!("-D{LARGE_FILES}=64"));
            }
            with_sizes.extend(has_sizes.then_some(at));
        }
        let texts = known.into_values().flatten().filter_map(|header| Some((header.path, header.for_both?))).collect();
        if let Some(overlay) = configured::written(&texts) {
            with_sizes.into_iter().for_each(|at| self.compilations[at].arguments.push(format!("{OVERLAY}{}", overlay.display())));
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

    fn add(&mut self, path: &Path, pair: Pair) -> Result<()> {
        let shown = path.display();
        let absolute = fs::canonicalize(path).with_context(|| format!("cannot read {shown}"))?;
        if absolute.is_dir() {
            self.tree(&absolute);
            let mut lists = LISTS.iter().map(|directory| absolute.join(directory).join("compile_commands.json"));
            match lists.find(|list| list.is_file()) {
                Some(list) => {
                    let before = self.compilations.len();
                    self.list(&list)?;
                    self.say_where_files_are(pair, &absolute, &list, before)
                }
                None => {
                    let directory = Directory::read(&absolute)?;
                    let compilations = directory.compilations(pair, &mut self.unchecked);
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
                    self.extend([Compilation {
                        file,
                        directory,
                        compiler: String::new(),
                        arguments: Vec::new(),
                        is_cxx,
                        built: Built::Named,
                    }]);
                }
            }
            self.named.push(absolute);
            Ok(())
        }
    }

    /// A list that was copied with its directory is about the files that are where it was written.
    fn say_where_files_are(&mut self, pair: Pair, directory: &Path, list: &Path, before: usize) -> Result<()> {
        let listed = &self.compilations[before..];
        let Some(first) = listed.first().filter(|_| !listed.iter().any(|of| Path::new(&of.file).starts_with(directory))) else {
            return Ok(());
        };
        let because = format!("it lists no file of this directory: those that it lists were analysed, {} and others", first.file);
        if !Directory::read(directory)?.compilations(pair, &mut Vec::new()).is_empty() {
            self.unchecked.push(Unchecked { what: text(list), because });
        }
        Ok(())
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

    /// Whether a file is in one of them.
    pub(crate) fn is_in_tree(&self, path: &Path) -> bool {
        self.trees.iter().any(|tree| path.starts_with(tree))
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
        self.tree(root_of(path.parent().unwrap_or(Path::new("/")), &compilations));
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

    /// The first of some files, and how many others there are.
    pub(crate) fn some(&self, files: &[&str]) -> String {
        let first = self.relative(Path::new(files.first().copied().unwrap_or_default()));
        match files.len() {
            0 | 1 => first,
            count => format!("{first} and {} more", count - 1),
        }
    }

    /// A path as [`Self::relative`] shows it, of a symbolic link and not of what it leads to.
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

/// Where the project begins that was compiled: what a list in a directory for builds lists is mostly elsewhere, a few levels above.
fn root_of<'a>(list: &'a Path, compilations: &'a [Compilation]) -> &'a Path {
    let inside = |directory: &Path| {
        let directory = directory.to_path_buf();
        compilations.iter().map(|of| Path::new(&of.file)).filter(move |file| file.starts_with(&directory))
    };
    let above = list.ancestors().take(LEVELS + 1);
    let has_most = |directory: &&Path| inside(directory).count() * 2 >= compilations.len();
    let top = above.clone().find(has_most).or(above.last()).unwrap_or(list);
    if top == list {
        return list;
    }
    // What is above both may be the directory of all projects.
    let Some(first) = inside(top).next() else { return list };
    let common = first.ancestors().skip(1).find(|directory| inside(top).all(|file| file.starts_with(directory))).unwrap_or(top);
    let begins = |directory: &&Path| BUILDS.iter().flat_map(|(names, _)| names.iter()).any(|name| directory.join(name).is_file());
    common.ancestors().take_while(|directory| directory.starts_with(top)).filter(begins).last().unwrap_or(common)
}

/// A path as clang looks for it in an overlay.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

//! What breaks when C and C++ source becomes 64-bit.
//!
//! Every file is parsed for both word sizes; what differs is what changes by the move.

mod allow;
mod arguments;
mod ast;
mod automake;
mod bits;
mod blame;
mod blocks;
mod boundary;
mod built;
mod cache;
mod carried;
mod commands;
mod compiler;
mod conditions;
mod configured;
pub mod damaged;
mod dead;
mod defines;
mod destination;
mod directive;
mod directory;
mod doubt;
pub mod explorer;
mod files;
mod fix;
mod format;
mod grammar;
mod headers;
pub mod interface;
mod layout;
pub mod matrix;
mod missing;
pub mod observe;
mod origin;
mod packaged;
pub mod pair;
mod precompiled;
mod project;
mod range;
mod report;
mod retype;
mod rules;
mod sources;
mod symbols;
mod system;
mod tree;
mod uncalled;
mod va_lists;
mod worker;
pub mod write;

pub use allow::Allowed;
use anyhow::{Context, Result, bail};
use ast::Diagnostic;
use cache::{Cache, Key, Seen};
pub use findings::Progress;
use findings::{Report, Rule, Unchecked};
use pair::{NARROW, Pair, WIDE};
use precompiled::Precompiled;
use project::{Built, Compilation};
use rules::Hit;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tree::Tree;
use worker::Worker;

/// What is to be analysed, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files, directories, `compile_commands.json`.
    pub paths: Vec<PathBuf>,
    /// From which architecture to which.
    pub pair: Pair,
    /// What is added to the command line of every file, as `-I` and `-D`.
    pub arguments: Vec<String>,
    /// How many parsers run at a time: a large file has one for each word size, where there is a processor for it.
    pub jobs: usize,
    /// Whether repairs are tried, so that they can be offered.
    pub fix: bool,
    /// What is allowed in a file of its own.
    pub allowed: Vec<Allowed>,
    /// Where the list of files comes from, and what one file may cost.
    pub input: Input,
}

impl Options {
    /// These files, with nothing else said: one parser at a time, no repairs, nothing allowed or kept.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>, pair: Pair) -> Self {
        Self { paths, pair, arguments: Vec::new(), jobs: 1, fix: false, allowed: Vec::new(), input: Input::default() }
    }
}

/// Where the list of files comes from, and what one file may cost.
#[derive(Clone, Debug)]
pub struct Input {
    /// A command that builds, which is run and observed; empty where there is none.
    pub build: Vec<OsString>,
    /// Where the list of what is compiled is written, as `compile_commands.json`.
    pub save: Option<PathBuf>,
    /// How many seconds one file may take, for each word size.
    pub time_limit: u32,
    /// Where what was found is kept for the next run; nothing, where it is not.
    pub cache: Option<PathBuf>,
}

impl Input {
    /// Where the results of earlier runs are kept, unless the user says otherwise.
    #[must_use]
    pub fn usual_cache() -> Option<PathBuf> {
        cache::directory().ok()
    }
}

impl Default for Input {
    fn default() -> Self {
        Self { build: Vec::new(), save: None, time_limit: 120, cache: None }
    }
}

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::ROWS.iter().map(|row| &row.rule)
}

/// A thread's stack: trees are as deep as somebody has nested them.
pub const STACK: usize = 256 << 20;

/// What has become of one file.
#[derive(Default, Serialize, Deserialize)]
struct Analysed {
    hits: Vec<Hit>,
    /// What the rules about the whole project need of it.
    summary: boundary::Summary,
    symbols: symbols::Symbols,
    names: uncalled::Names,
    unchecked: Vec<Unchecked>,
    /// The headers that were not found.
    missing: BTreeSet<missing::Header>,
    /// What the compiler refuses in a header, which is said of that.
    refused: Option<Refused>,
    failed: bool,
    /// Those of the project that it is made of.
    files: BTreeSet<String>,
}

impl Analysed {
    /// Whether there are lines that could not be analysed.
    fn is_partial(&self) -> bool {
        !self.missing.is_empty() || !self.unchecked.is_empty() || self.refused.is_some()
    }
}

/// The first error of a file, where that is in a header.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Refused {
    header: String,
    text: String,
}

/// Analyses source.
///
/// # Errors
/// Where there is nothing to analyse, or nothing could be; libclang or the headers of the C library are missing, or a list of files
/// is damaged. A file that cannot be analysed is no error, but named in the report.
pub fn analyse(options: &Options, progress: &dyn Progress) -> Result<Report> {
    let project = project::Project::find(options)?;
    let cache = options.input.cache.as_deref().map(Cache::open);
    let headers = headers::Headers::find(options.pair, cache.as_ref())?;
    // Before the threads: what is missing is said once.
    let mut first = None;
    let version = worker::version(cache.as_ref(), options.input.time_limit, &mut first)?;
    let compilations = &project.compilations;
    let about =
        About { options, headers: &headers, cache: cache.as_ref(), key: Key::of(&format!("{version}{:?}", project.roots())) };
    let own = |path: &str| project.is_own(path);
    // The largest first, so that none is left over at the end to be waited for.
    let mut order: Vec<(u64, usize)> = compilations.iter().enumerate().map(|(at, of)| (of.size(), at)).collect();
    order.sort_by_key(|&(size, at)| (Reverse(size), at));
    let done = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Analysed>> = Mutex::default();
    // A worker ends with the thread that has started it.
    let each = |of: &[(u64, usize)],
                started: Option<Worker>,
                analyse: &(dyn Fn(&Compilation, &mut Running<'_>, bool) -> Option<Analysed> + Sync)| {
        let next = AtomicUsize::new(0);
        let workers = Mutex::new(Vec::from_iter(started));
        let threads = options.jobs.clamp(1, of.len().max(1));
        let idle = AtomicUsize::new(options.jobs.saturating_sub(threads));
        let work = || {
            let mut running = Running { workers: [workers.lock().ok().and_then(|mut workers| workers.pop()), None], idle: &idle };
            while let Some(&(size, at)) = of.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(compilation) = compilations.get(at) else { break };
                let Some(analysed) = analyse(compilation, &mut running, size >= LARGE) else { continue };
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.at(done as u64, Some(compilations.len() as u64), &compilation.file);
                if let Ok(mut results) = results.lock() {
                    results.insert(at, analysed);
                }
            }
            idle.fetch_add(1, Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                // Where the system has no more threads, those that it had do the work.
                let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
        });
    };
    if about.cache.is_some() {
        each(&order, None, &|compilation, _, _| known(&about, compilation));
    }
    let is_new = |at: usize| results.lock().is_ok_and(|results| !results.contains_key(&at));
    order.retain(|&(_, at)| is_new(at));
    let is_cxx = |&(_, at): &(u64, usize)| compilations.get(at).is_some_and(|of| of.is_cxx);
    let many = order.iter().filter(|of| is_cxx(of)).count();
    let mut precompiled = None;
    if many >= precompiled::MANY {
        let probes: Vec<_> = order.iter().filter(|of| is_cxx(of)).step_by(many / precompiled::PROBES).copied().collect();
        let probed = Mutex::default();
        let reader = Reader { precompiled: None, probed: Some(&probed) };
        each(&probes, first.take(), &|compilation, running, is_large| {
            Some(one(&about, &reader, compilation, &own, running, is_large))
        });
        order.retain(|&(_, at)| is_new(at));
        precompiled = Precompiled::choose(&probed.into_inner().unwrap_or_default());
    }
    let reader = Reader { precompiled: precompiled.as_ref(), probed: None };
    each(&order, first, &|compilation, running, is_large| Some(one(&about, &reader, compilation, &own, running, is_large)));
    if let Some(cache) = &cache {
        cache.tidy();
    }
    let mut results: Vec<Analysed> =
        results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_values().collect();
    if !results.is_empty() && results.iter().all(|result| result.failed) {
        let unchecked: Vec<Unchecked> = results.into_iter().flat_map(|result| result.unchecked).collect();
        bail!("nothing of {} could be analysed:{}", project::brief(&project.name), project::listed(&unchecked));
    }
    let repairs = if options.fix { fix::prove(&about, compilations, &own, &results)? } else { BTreeMap::new() };
    let missing = results.iter().zip(compilations).map(|(result, compilation)| (compilation.file.as_str(), &result.missing));
    let mut missing = missing::listed(missing, &project, cache.as_ref());
    missing.extend(refused(
        results.iter().zip(compilations).filter_map(|(result, of)| Some((result.refused.as_ref()?, of))),
        &project,
    ));
    let as_text = files::analysed(&project, results.iter().flat_map(|result| &result.files), options.pair);
    results.push(as_text);
    let mut report = report::of(options, &project, &version, results, &repairs);
    report.not_checked.extend(missing.into_iter().chain(headers.not_asked()));
    report.sort();
    Ok(report)
}

/// What is said of headers that the compiler refuses: once, with how many files have lines that are not analysed for that.
fn refused<'a>(files: impl Iterator<Item = (&'a Refused, &'a Compilation)>, project: &project::Project) -> Vec<Unchecked> {
    let mut by_header: BTreeMap<&Refused, Vec<&str>> = BTreeMap::new();
    for (refused, compilation) in files {
        by_header.entry(refused).or_default().push(&compilation.file);
    }
    let said = by_header.into_iter().map(|(refused, files)| Unchecked {
        what: project.relative(Path::new(&refused.header)),
        because: format!("lines of {} are not analysed: {}", project.some(&files), refused.text),
    });
    said.collect()
}

/// What is the same for all files.
struct About<'a> {
    options: &'a Options,
    headers: &'a headers::Headers<'a>,
    cache: Option<&'a Cache>,
    /// What a result depends on besides the file and its arguments.
    key: Key,
}

/// How files are read.
struct Reader<'a> {
    precompiled: Option<&'a Precompiled>,
    /// What the files of C++ include, if that is to be known.
    probed: Option<&'a Mutex<Vec<precompiled::Included>>>,
}

/// Changes with every change of a rule.
const SOURCES: &str = env!("BIARCH_PORT_SOURCES");

/// What clang says of `(int)pointer` in C++, unless it is as lenient as Microsoft's compiler.
const CUT: &str = "cast from pointer to smaller type";

/// Bytes of a file that takes longer to parse than a second parser takes to start.
const LARGE: u64 = 256 << 10;

/// The parsers of a thread.
struct Running<'a> {
    /// The second one for files that are parsed for both word sizes at once.
    workers: [Option<Worker>; 2],
    /// How many processors have nothing to do.
    idle: &'a AtomicUsize,
}

impl Running<'_> {
    /// A file for both word sizes, at once where that is worth it and a processor is idle.
    fn parse(
        &mut self,
        about: &About<'_>,
        compilation: &Compilation,
        arguments: &[Vec<String>; 2],
        is_large: bool,
    ) -> Result<[ast::Unit; 2]> {
        let [narrow, wide] = arguments;
        let [first, second] = &mut self.workers;
        let wide =
            |worker: &mut _| parse(about, compilation, wide, worker, |running, file, arguments| running.parse(file, arguments));
        let narrow = |worker: &mut _, with_instances| {
            parse(about, compilation, narrow, worker, |running, file, arguments| {
                running.parse_briefly(file, arguments, with_instances)
            })
        };
        // What functions of templates become for 32 bits matters only where the compiler says something of what they become for 64.
        let Some(taken) = Taken::of(self.idle, is_large) else {
            let wide = wide(first)?;
            return Ok([narrow(first, !compilation.is_cxx || wide.has_said_of_instances())?, wide]);
        };
        let (wide, once) = taken.both(|| wide(second), || narrow(first, !compilation.is_cxx))?;
        let (wide, once) = (wide?, once?);
        let is_enough = !compilation.is_cxx || !wide.has_said_of_instances();
        Ok([if is_enough { once } else { narrow(first, true)? }, wide])
    }

    /// The same, with what is compiled beforehand, where that makes no difference.
    fn parse_with(
        &mut self,
        precompiled: &Precompiled,
        about: &About<'_>,
        compilation: &Compilation,
        arguments: &[Vec<String>; 2],
        is_large: bool,
    ) -> Option<[ast::Unit; 2]> {
        let worker = match &mut self.workers[0] {
            Some(running) => running,
            none => none.insert(Worker::start(about.options.input.time_limit).ok()?),
        };
        let with = precompiled.with(arguments, worker);
        if worker.has_ended() {
            self.workers[0] = None;
        }
        let (with, files) = with?;
        let both = self.parse(about, compilation, &with, is_large).ok();
        let is_same =
            |both: &mut [ast::Unit; 2]| both.iter_mut().zip(&files).all(|(unit, files)| precompiled.complete(unit, files));
        let both = both.and_then(|mut both| is_same(&mut both).then_some(both));
        precompiled.count(both.is_some());
        both
    }
}

/// A processor that had nothing to do, for as long as this is there.
struct Taken<'a>(&'a AtomicUsize);

impl<'a> Taken<'a> {
    /// One, where it is worth it and there is one.
    fn of(idle: &'a AtomicUsize, is_large: bool) -> Option<Self> {
        let take = |idle: usize| idle.checked_sub(1);
        let is_taken = is_large && idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
        is_taken.then(|| Self(idle))
    }

    /// Both, at once.
    fn both<A: Send, B>(&self, one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> Result<(A, B)> {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let one = thread.spawn_scoped(scope, one).context("there is no thread for it")?;
            let other = other();
            Ok((one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other))
        })
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A file for one word size, by a worker that is started where there is none.
fn parse(
    about: &About<'_>,
    compilation: &Compilation,
    arguments: &[String],
    worker: &mut Option<Worker>,
    parse: impl FnOnce(&mut Worker, &str, &[String]) -> Result<ast::Unit>,
) -> Result<ast::Unit> {
    let running = match worker {
        Some(running) => running,
        None => worker.insert(Worker::start(about.options.input.time_limit)?),
    };
    let mut unit = parse(running, &compilation.file, arguments);
    match &mut unit {
        Ok(unit) => unit.resolve(&compilation.directory),
        Err(_) => *worker = None,
    }
    unit
}

/// The arguments of a file for both word sizes, and what its result is kept by.
fn asked(about: &About<'_>, compilation: &Compilation) -> ([Vec<String>; 2], Key) {
    let arguments = [NARROW, WIDE].map(|side| arguments::for_clang(about.options, compilation, about.headers, side));
    let asked = (&compilation.file, about.options.pair, compilation.built);
    let key = Key::of(&format!("{SOURCES}{}{asked:?}{arguments:?}", about.key));
    (arguments, key)
}

/// What an earlier run has found in a file, if everything is as it was.
fn known(about: &About<'_>, compilation: &Compilation) -> Option<Analysed> {
    about.cache.and_then(|cache| cache.find(asked(about, compilation).1))
}

fn one(
    about: &About<'_>,
    reader: &Reader<'_>,
    compilation: &Compilation,
    own: &(dyn Fn(&str) -> bool + Sync),
    running: &mut Running<'_>,
    is_large: bool,
) -> Analysed {
    let options = about.options;
    let (mut arguments, key) = asked(about, compilation);
    let mut analysed = Analysed::default();
    let readable = File::open(&compilation.file).context("it cannot be read");
    let mut both = readable.and_then(|_| {
        let precompiled = reader.precompiled.filter(|_| compilation.is_cxx);
        let quickly =
            precompiled.and_then(|precompiled| running.parse_with(precompiled, about, compilation, &arguments, is_large));
        quickly.map_or_else(|| running.parse(about, compilation, &arguments, is_large), Ok)
    });
    if let (Some(probed), Ok([_, wide])) = (reader.probed, &both) {
        if let Ok(mut probed) = probed.lock() {
            probed.push(precompiled::included(wide));
        }
    }
    // In C++ clang refuses what is the finding, and leaves it out of the tree.
    if both.as_ref().is_ok_and(|[_, wide]| wide.diagnostics.iter().any(|said| said.severity >= 3 && said.text.starts_with(CUT))) {
        arguments.iter_mut().for_each(|words| words.push("-fms-extensions".to_owned()));
        both = running.parse(about, compilation, &arguments, is_large);
    }
    let [narrow, wide] = match both {
        Ok(mut both) => {
            both.iter_mut().for_each(|unit| unit.claim(own));
            both
        }
        Err(error) => {
            analysed.unchecked.push(Unchecked { what: compilation.file.clone(), because: format!("{error:#}") });
            analysed.failed = true;
            return analysed;
        }
    };
    analysed.missing = [&narrow, &wide].into_iter().flat_map(missing::names).collect();
    let mut tree = Tree::new(options.pair, [&narrow, &wide], compilation.is_configured(options));
    tree.is_foreign |= compilation.built != Built::Named;
    let files = narrow.inclusions.iter().filter(|(_, in_system)| !in_system).map(|(file, _)| narrow.file(*file));
    analysed.files = files.filter(|path| own(path)).map(str::to_owned).collect();
    let apply = || rules::apply(&tree, &new(&narrow, &wide), own);
    let summarise = || {
        let symbols = symbols::summarise(&tree, compilation.is_cxx, own, rules::lookups(&tree, own));
        (boundary::summarise(&tree, own), symbols, uncalled::summarise(&tree, &compilation.file, own))
    };
    let at_once = Taken::of(running.idle, is_large).and_then(|taken| taken.both(apply, summarise).ok());
    let (hits, (summary, symbols, names)) = at_once.unwrap_or_else(|| (apply(), summarise()));
    analysed = Analysed { hits, summary, symbols, names, ..analysed };
    for (side, unit) in [&narrow, &wide].into_iter().enumerate() {
        // What the compiler refuses for 64 bits alone is a finding, and looked at.
        let is_finding = |of: &&Diagnostic| side == WIDE && is_at(&analysed.hits, unit, of);
        let errors = unit.diagnostics.iter().filter(|of| of.severity >= 3 && missing::name(of).is_none());
        let mut errors = errors.filter(|of| !is_finding(of));
        // What follows from a header that is missing is said where that is.
        if let Some(first) = errors.next().filter(|_| analysed.missing.is_empty()) {
            let (count, name) = (1 + errors.count(), options.pair.sides[side].name);
            let (path, text) = (unit.file(first.place.file), format!("{} ({name})", first.text));
            if path == compilation.file || path.is_empty() {
                let because = format!("{count} of its lines are not analysed: {text}");
                analysed.unchecked.push(Unchecked { what: compilation.file.clone(), because });
            } else {
                analysed.refused = Some(Refused { header: path.to_owned(), text });
            }
            // One word about a file is enough.
            break;
        }
    }
    if let Some(cache) = about.cache {
        let read = [&narrow, &wide].into_iter().flat_map(|unit| unit.inclusions.iter().map(|(file, _)| unit.file(*file)));
        let absolute = |path: &str| compilation.directory.join(path).to_string_lossy().into_owned();
        // The stubs of the worker are in no file.
        let files: BTreeSet<String> = read.filter(|path| !path.starts_with(headers::STUBS)).map(absolute).collect();
        let searched = arguments.iter().flat_map(|arguments| arguments::searched(arguments)).map(absolute);
        let beside = files.iter().filter_map(|file| Some(Path::new(file).parent()?.to_string_lossy().into_owned()));
        let directories = searched.chain(beside).collect();
        cache.store(key, &Seen { files, directories }, &analysed);
    }
    analysed
}

/// Whether something was found where the compiler says this.
fn is_at(hits: &[Hit], unit: &ast::Unit, said: &Diagnostic) -> bool {
    hits.iter().any(|hit| hit.start == said.place.start && hit.path == unit.file(said.place.file))
}

/// What the compiler says for 64 bits and not for 32.
fn new(narrow: &ast::Unit, wide: &ast::Unit) -> Vec<Diagnostic> {
    let key = |unit: &ast::Unit, of: &Diagnostic| (of.option.clone(), unit.file(of.place.file).to_owned(), of.place.start);
    let known: BTreeSet<_> = narrow.diagnostics.iter().map(|of| key(narrow, of)).collect();
    let is_new = |of: &&Diagnostic| of.severity >= 2 && !known.contains(&key(wide, of));
    wide.diagnostics.iter().filter(is_new).cloned().collect()
}

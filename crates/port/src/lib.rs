//! What breaks when C and C++ source becomes 64-bit.
//!
//! Every file is parsed for both word sizes; what differs is what changes by the move.

mod arguments;
mod ast;
mod boundary;
pub mod explorer;
mod headers;
mod layout;
pub mod pair;
mod project;
mod rules;
mod sources;
mod tree;
mod worker;

use anyhow::Result;
use ast::Diagnostic;
use findings::{Finding, Report, Rule, Source, Target, Unchecked};
use pair::{NARROW, Pair, WIDE};
use project::Compilation;
use rules::Hit;
use sources::Sources;
use std::collections::{BTreeMap, BTreeSet};
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
    /// How many files are parsed at a time.
    pub jobs: usize,
}

/// Is told how far the work is.
pub trait Progress: Sync {
    /// `done` of `total` files are analysed, `what` is the last of them.
    fn at(&self, done: u64, total: Option<u64>, what: &str);
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {
    fn at(&self, _: u64, _: Option<u64>, _: &str) {}
}

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::ROWS.iter().map(|row| &row.rule)
}

/// A thread's stack: trees are as deep as somebody has nested them.
const STACK: usize = 256 << 20;

/// What has become of one file.
#[derive(Default)]
struct Analysed {
    hits: Vec<Hit>,
    /// What the rules about the whole project need of it.
    summary: boundary::Summary,
    unchecked: Vec<Unchecked>,
    failed: bool,
}

/// Analyses source.
///
/// # Errors
/// Where there is nothing to analyse, libclang or the headers of the C library are missing, or a list of files is damaged. A file
/// that cannot be analysed is no error, but named in the report.
pub fn analyse(options: &Options, progress: &dyn Progress) -> Result<Report> {
    let project = project::Project::find(&options.paths)?;
    let headers = headers::Headers::find(options.pair)?;
    // Before the threads: what is missing is said once.
    let first = Worker::start()?;
    let version = first.version.clone();
    let compilations = &project.compilations;
    let own = |path: &str| project.is_own(path);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<BTreeMap<usize, Analysed>> = Mutex::default();
    let workers = Mutex::new(vec![first]);
    let work = || {
        let mut worker = workers.lock().ok().and_then(|mut workers| workers.pop());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(compilation) = compilations.get(at) else { break };
            let analysed = one(options, compilation, &headers, &own, &mut worker);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.at(done as u64, Some(compilations.len() as u64), &compilation.file);
            if let Ok(mut results) = results.lock() {
                results.insert(at, analysed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, compilations.len().max(1)) {
            // Where the system has no more threads, those that it had do the work.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
    });
    let results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(report(options, &project, &version, results.into_values().collect()))
}

fn one(
    options: &Options,
    compilation: &Compilation,
    headers: &headers::Headers,
    own: &dyn Fn(&str) -> bool,
    worker: &mut Option<Worker>,
) -> Analysed {
    let mut analysed = Analysed::default();
    let mut parse = |side: usize| {
        let running = match worker {
            Some(running) => running,
            None => worker.insert(Worker::start()?),
        };
        let arguments = arguments::for_clang(options, compilation, headers, side);
        let unit = running.parse(&compilation.file, &arguments);
        if unit.is_err() {
            *worker = None;
        }
        unit
    };
    let both = parse(NARROW).and_then(|narrow| Ok((narrow, parse(WIDE)?)));
    let (narrow, wide) = match both {
        Ok(both) => both,
        Err(error) => {
            analysed.unchecked.push(Unchecked { what: compilation.file.clone(), because: format!("{error:#}") });
            analysed.failed = true;
            return analysed;
        }
    };
    for (side, unit) in [&narrow, &wide].into_iter().enumerate() {
        let errors = unit.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= 3);
        if let Some(first) = errors.clone().next() {
            let (count, name) = (errors.count(), options.pair.sides[side].name);
            let because = format!("{} of its lines are not analysed: {} ({name})", count, first.text);
            analysed.unchecked.push(Unchecked { what: compilation.file.clone(), because });
            // One word about a file is enough.
            break;
        }
    }
    let tree = Tree::new(options.pair, [&narrow, &wide]);
    analysed.hits = rules::apply(&tree, &new(&narrow, &wide), own);
    analysed.summary = boundary::summarise(&tree, own);
    analysed
}

/// What the compiler says for 64 bits and not for 32.
fn new(narrow: &ast::Unit, wide: &ast::Unit) -> Vec<Diagnostic> {
    let key = |unit: &ast::Unit, of: &Diagnostic| (of.option.clone(), unit.file(of.place.file).to_owned(), of.place.start);
    let known: BTreeSet<_> = narrow.diagnostics.iter().map(|of| key(narrow, of)).collect();
    let is_new = |of: &&Diagnostic| of.severity >= 2 && !known.contains(&key(wide, of));
    wide.diagnostics.iter().filter(is_new).cloned().collect()
}

fn report(options: &Options, project: &project::Project, version: &str, results: Vec<Analysed>) -> Report {
    let mut sources = Sources::default();
    let mut report = Report::default();
    let failed = results.iter().filter(|result| result.failed).count();
    let files = results.len();
    let description = format!("{} of {files} files, {}, {}", files - failed, options.pair.name().replace(':', " to "), version);
    report.targets.push(Target { name: project.name.clone(), description });
    let mut seen = BTreeSet::new();
    let mut summaries = Vec::new();
    let mut hits = Vec::new();
    for result in results {
        report.not_checked.extend(result.unchecked);
        hits.push(result.hits);
        summaries.push(result.summary);
    }
    hits.push(rules::apply_to_crossings(&boundary::join(&summaries)));
    for hits in hits {
        for hit in hits {
            // What is in a header is found by each file that includes it.
            if seen.insert((hit.rule.id, hit.path.clone(), hit.start, hit.message.clone())) {
                report.findings.push(finding(&hit, project, &mut sources));
            }
        }
    }
    report.sort();
    findings::baseline::mark(&mut report, &[]);
    report
}

fn finding(hit: &Hit, project: &project::Project, sources: &mut Sources) -> Finding {
    let text = sources.text(&hit.path);
    let (line, column) = text.position(hit.start);
    let (end_line, end_column) = text.position(hit.end);
    let shown = text.line(line);
    let end = if end_line == line { end_column } else { u32::try_from(shown.len() + 1).unwrap_or(u32::MAX) };
    let [narrow, wide] = hit.sides.clone();
    let documentation = hit.rule.documentation;
    Finding {
        rule: hit.rule.id,
        fingerprint: String::new(),
        baseline_state: None,
        severity: hit.severity,
        target: project.relative(Path::new(&hit.path)),
        message: hit.message.clone(),
        evidence: format!("32-bit: {narrow}; 64-bit: {wide}"),
        cause: documentation.section("Why"),
        fix: documentation.section("Fix"),
        patch: None,
        source: Some(Source {
            line,
            column,
            end_column: end.max(column + 1),
            text: shown,
            confidence: hit.confidence,
            narrow,
            wide,
        }),
    }
}

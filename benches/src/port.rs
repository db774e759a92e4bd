//! `biarch port` on programs that nobody here wrote: beside compilers and other analysers, and how often it is right.

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, Subcommand};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Measure `biarch port` on Debian's source packages, which packaging/debian-sources.sh unpacks
#[derive(Parser)]
#[command(name = "port")]
struct Options {
    #[command(subcommand)]
    what: What,
    /// The biarch program
    #[arg(long, global = true, default_value = "target/x86_64-unknown-linux-gnu/release/biarch")]
    biarch: PathBuf,
    /// A directory with an unpacked source package in each of its directories
    #[arg(long, global = true, default_value = "target/sources")]
    trees: PathBuf,
}

#[derive(Subcommand)]
enum What {
    /// Print what it finds and what clang, gcc, cppcheck and splint find, and how long each takes
    Peers,
    /// Print findings to be read by a person, chosen by chance: of each rule as many as there are for all
    Sample {
        /// How many
        #[arg(long, default_value_t = 100)]
        count: usize,
        /// Another one chooses others
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print how often each rule is right, from what has been read
    Precision {
        /// A line for each finding that was read: rule, package, file:line, how sure it is now, true, harmless or false, why
        #[arg(long, default_value = "docs/port-judged.tsv")]
        judged: PathBuf,
    },
}

fn main() -> Result<()> {
    let options = Options::parse();
    match &options.what {
        What::Peers => peers(&options),
        What::Sample { count, seed } => sample(&options, *count, *seed),
        What::Precision { judged } => precision(&fs::read_to_string(judged).with_context(|| format!("{}", judged.display()))?),
    }
}

/// A line of a file of a package.
type Place = (String, u64);

#[derive(Deserialize)]
struct Report {
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    rule: String,
    target: String,
    message: String,
    source: Option<Source>,
}

#[derive(Deserialize)]
struct Source {
    line: u64,
    confidence: String,
    #[serde(default)]
    uses: Vec<Use>,
    narrow: String,
    wide: String,
}

#[derive(Deserialize)]
struct Use {
    file: String,
    line: u64,
}

/// The packages that are there.
fn packages(options: &Options) -> Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(&options.trees)
        .with_context(|| format!("{} is missing: packaging/debian-sources.sh bookworm DIR PACKAGE…", options.trees.display()))?;
    let directories = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir());
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut all: Vec<_> = directories.map(|path| (name(&path), path)).filter(|(name, _)| !name.starts_with('.')).collect();
    all.sort();
    ensure!(!all.is_empty(), "{} has no packages", options.trees.display());
    all.iter_mut().try_for_each(|(_, path)| fs::canonicalize(&path).map(|real| *path = real))?;
    Ok(all)
}

/// What biarch finds in a package, and how long it takes.
fn analysed(options: &Options, tree: &Path, save: &Path) -> Result<(Vec<Finding>, Duration)> {
    let biarch = fs::canonicalize(&options.biarch).with_context(|| format!("{} is missing", options.biarch.display()))?;
    let start = Instant::now();
    let output = Command::new(biarch)
        .args(["port", "--json", "--no-cache", "--save"])
        .arg(save)
        .arg(".")
        .current_dir(tree)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    let time = start.elapsed();
    let report: Report = serde_json::from_slice(&output.stdout).with_context(|| format!("{}: no report", tree.display()))?;
    Ok((report.findings, time))
}

/// Those that biarch is sure of.
fn sure(findings: &[Finding]) -> impl Iterator<Item = (&Finding, &Source)> {
    let sources = findings.iter().filter_map(|finding| Some((finding, finding.source.as_ref()?)));
    sources.filter(|(finding, source)| source.confidence != "possible" && finding.rule != "P090")
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Vec<String>,
}

/// Another program, and how it is asked about one file.
struct Peer {
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    /// Whether it takes the options of a compiler.
    is_compiler: bool,
    /// What is said with these as well is left out.
    without: Option<&'static [&'static str]>,
}

const CLANG: &[&str] =
    &["-fsyntax-only", "-Wall", "-Wextra", "-Wshorten-64-to-32", "-ferror-limit=0", "--target=x86_64-linux-gnu"];
const NARROW: &[&str] = &["-fsyntax-only", "-Wall", "-Wextra", "-Wshorten-64-to-32", "-ferror-limit=0", "-m32"];

const PEERS: [Peer; 5] = [
    Peer { name: "clang", program: "clang-19", arguments: CLANG, is_compiler: true, without: None },
    Peer { name: "clang, 64-bit only", program: "clang-19", arguments: CLANG, is_compiler: true, without: Some(NARROW) },
    Peer {
        name: "gcc -Wconversion",
        program: "gcc",
        arguments: &["-fsyntax-only", "-Wall", "-Wextra", "-Wconversion"],
        is_compiler: true,
        without: None,
    },
    Peer {
        name: "cppcheck",
        program: "cppcheck",
        arguments: &[
            "--quiet",
            "--enable=warning,portability",
            "--platform=unix64",
            "--max-configs=1",
            "--template={file}:{line}:1: warning: {message} [{id}]",
        ],
        is_compiler: false,
        without: None,
    },
    Peer {
        name: "splint",
        program: "splint",
        arguments: &["+posixlib", "-linelen", "999", "+quiet"],
        is_compiler: false,
        without: None,
    },
];

/// One file may take so long.
const LIMIT: &str = "60";

/// The places that a program warns about.
fn warned(peer: &Peer, arguments: &[&str], entries: &[Entry], tree: &Path) -> Result<BTreeSet<Place>> {
    let mut places = BTreeSet::new();
    for entry in entries {
        let mut command = Command::new("timeout");
        command.args([LIMIT, peer.program]).args(arguments);
        let mut words = entry.arguments.iter().skip(1);
        while let Some(word) = words.next() {
            // What the build defines and includes; splint and cppcheck know no more. Where options are guessed, each directory is
            // there for both kinds of #include.
            if word.starts_with("-iquote") || word.starts_with("-idirafter") {
                match word.strip_prefix("-iquote") {
                    _ if peer.is_compiler => {
                        command.arg(word);
                    }
                    Some(directory) => {
                        command.arg(format!("-I{directory}"));
                    }
                    None => {}
                }
            } else if ["-I", "-D", "-U"].iter().any(|option| word.starts_with(option)) {
                command.arg(word);
                if word.len() == 2 {
                    command.args(words.next());
                }
            } else if peer.is_compiler && word.starts_with("-std=") {
                command.arg(word);
            }
        }
        let file = entry.directory.join(&entry.file);
        let output = command.arg(&file).current_dir(&entry.directory).env("LC_ALL", "C").stdin(Stdio::null()).output()?;
        for text in [output.stderr, output.stdout] {
            for line in String::from_utf8_lossy(&text).lines() {
                places.extend(place(line, &entry.directory, tree));
            }
        }
    }
    Ok(places)
}

/// `file:line:column: text`, where it is a warning about a file of the package.
fn place(line: &str, directory: &Path, tree: &Path) -> Option<Place> {
    let mut parts = line.splitn(3, ':');
    let (file, number, rest) = (parts.next()?, parts.next()?.trim().parse().ok()?, parts.next()?);
    if file.starts_with(' ') || rest.contains(" error: ") || rest.contains(" note: ") {
        return None;
    }
    let path = fs::canonicalize(directory.join(file)).ok()?;
    Some((path.strip_prefix(tree).ok()?.to_string_lossy().into_owned(), number))
}

fn peers(options: &Options) -> Result<()> {
    // One that is missing would have found nothing.
    for peer in &PEERS {
        let there = Command::new(peer.program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        there.with_context(|| format!("{} cannot be started: apt-get install clang-19 gcc cppcheck splint", peer.program))?;
    }
    let mut totals = vec![(0, 0, 0, 0, Duration::ZERO); PEERS.len()];
    let (mut own_total, mut own_time, mut lines, mut count) = (0, Duration::ZERO, 0, 0);
    let mut out = io::stdout().lock();
    let names = PEERS.iter().map(|peer| format!("{}: all / both / time", peer.name)).collect::<Vec<_>>().join(" | ");
    writeln!(out, "| package | lines | biarch: places / time | {names} |\n|---|---:|---:|{}", "---:|".repeat(PEERS.len()))?;
    let save = std::env::temp_dir().join(format!("biarch-port-{}.json", std::process::id()));
    for (name, tree) in packages(options)? {
        let (findings, time) = analysed(options, &tree, &save)?;
        let mut own: BTreeSet<Place> = BTreeSet::new();
        for (finding, source) in sure(&findings) {
            own.insert((finding.target.clone(), source.line));
            own.extend(source.uses.iter().map(|place| (place.file.clone(), place.line)));
        }
        let entries: Vec<Entry> = serde_json::from_slice(&fs::read(&save)?)?;
        let size = entries.iter().filter_map(|entry| fs::read(entry.directory.join(&entry.file)).ok());
        let size: usize = size.map(|text| text.iter().filter(|byte| **byte == b'\n').count()).sum();
        write!(out, "| {name} | {size} | {} / {:.1} s |", own.len(), time.as_secs_f64())?;
        for (peer, total) in PEERS.iter().zip(&mut totals) {
            let start = Instant::now();
            let mut theirs = warned(peer, peer.arguments, &entries, &tree)?;
            if let Some(arguments) = peer.without {
                theirs = &theirs - &warned(peer, arguments, &entries, &tree)?;
            }
            let (both, time) = ((&own & &theirs).len(), start.elapsed());
            write!(out, " {} / {both} / {:.1} s |", theirs.len(), time.as_secs_f64())?;
            *total = (
                total.0 + both,
                total.1 + own.len() - both,
                total.2 + theirs.len() - both,
                total.3 + theirs.len(),
                total.4 + time,
            );
        }
        writeln!(out)?;
        out.flush()?;
        (own_total, own_time, lines, count) = (own_total + own.len(), own_time + time, lines + size, count + 1);
    }
    let _ = fs::remove_file(&save);
    writeln!(out, "\n{count} packages, {lines} lines; biarch: {own_total} places, {:.0} s\n", own_time.as_secs_f64())?;
    writeln!(out, "| beside | by both | biarch only | the other only | time |\n|---|---:|---:|---:|---:|")?;
    for (peer, (both, ours, theirs, _, time)) in PEERS.iter().zip(totals) {
        writeln!(out, "| {} | {both} | {ours} | {theirs} | {:.0} s |", peer.name, time.as_secs_f64())?;
    }
    Ok(())
}

/// Numbers that look like chance, and are the same for the same seed: SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn sample(options: &Options, count: usize, seed: u64) -> Result<()> {
    let mut by_rule: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
    let mut state = seed;
    for (name, tree) in packages(options)? {
        let (findings, _) = analysed(options, &tree, Path::new("/dev/null"))?;
        for (finding, source) in sure(&findings) {
            let text = String::from_utf8_lossy(&fs::read(tree.join(&finding.target)).unwrap_or_default()).into_owned();
            let first = source.line.saturating_sub(6).max(1);
            let around = (1..).zip(text.lines()).skip_while(|(number, _)| *number < first).take(11);
            let lines: String = around
                .map(|(number, line)| format!("{}{number:6} {line}\n", if number == source.line { '>' } else { ' ' }))
                .collect();
            let heading = format!("{}\t{name}\t{}:{}\t{}", finding.rule, finding.target, source.line, source.confidence);
            let text = format!("{heading}\n{}; 32-bit: {}; 64-bit: {}\n{lines}", finding.message, source.narrow, source.wide);
            by_rule.entry(finding.rule.clone()).or_default().push((random(&mut state), text));
        }
    }
    by_rule.values_mut().for_each(|all| all.sort());
    let most = by_rule.values().map(Vec::len).max().unwrap_or_default();
    let chosen = (0..most).flat_map(|at| by_rule.values().filter_map(move |all| all.get(at)));
    let mut chosen: Vec<&String> = chosen.take(count).map(|(_, text)| text).collect();
    chosen.sort();
    let mut out = io::stdout().lock();
    chosen.into_iter().try_for_each(|text| writeln!(out, "{text}"))?;
    Ok(())
}

fn precision(judged: &str) -> Result<()> {
    let mut rules: BTreeMap<(u8, &str), [u32; 3]> = BTreeMap::new();
    for (number, line) in (1..).zip(judged.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [rule, _, _, shown, verdict, why] = columns.as_slice() else { bail!("line {number}: not six columns") };
        ensure!(!why.is_empty(), "line {number}: says no reason");
        let place = |names: &[&str], name: &str| names.iter().position(|other| *other == name);
        let at = place(&["true", "harmless", "false"], verdict);
        let at = at.with_context(|| format!("line {number}: '{verdict}' is not true, harmless or false"))?;
        // What is not shown any more counts only for how it was.
        let keys: &[(u8, &str)] = match *shown {
            "certain" => &[(0, rule), (1, "all that is certain")],
            "probable" => &[(0, rule), (2, "all that is probable")],
            "possible" => &[(3, "now only possible")],
            "none" => &[(4, "not found any more")],
            _ => bail!("line {number}: '{shown}' is not certain, probable, possible or none"),
        };
        for key in keys {
            rules.entry(*key).or_default()[at] += 1;
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "| rule | read | true | harmless | false | right |\n|---|---:|---:|---:|---:|---:|")?;
    for ((_, rule), [right, harmless, wrong]) in rules {
        let all = right + harmless + wrong;
        writeln!(out, "| {rule} | {all} | {right} | {harmless} | {wrong} | {} % |", (100 * right + all / 2) / all.max(1))?;
    }
    Ok(())
}

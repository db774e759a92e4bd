//! Hazards of every kind are planted into code that has none, at places that chance chooses: those that are not found are the ones
//! that `port` misses. With BIARCH_SOURCES, a directory of C files, they are planted there instead of into this repository's own.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use port::pair::Pair;
use port::{Input, Options, Silent, analyse, rules};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How often each is planted.
const TIMES: usize = 4;
/// As many are planted into one file.
const PER_FILE: usize = 12;

/// Numbers that look like chance, and are the same in every run: SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }
}

/// C files with functions that begin as `{` in a line of its own.
fn hosts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directories = match std::env::var_os("BIARCH_SOURCES") {
        Some(directory) => vec![PathBuf::from(directory)],
        None => vec![root.join("worker"), root.join("../compare/worker")],
    };
    let (mut todo, mut found) = (directories, Vec::new());
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") && !bodies(&text(&path)).is_empty() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn text(path: &Path) -> Vec<String> {
    String::from_utf8_lossy(&fs::read(path).unwrap()).lines().map(str::to_owned).collect()
}

/// The lines where the bodies of functions begin, which are in no condition of the preprocessor.
fn bodies(lines: &[String]) -> Vec<usize> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        depth += i32::from(directive.is_some_and(|directive| directive.starts_with("if")));
        depth -= i32::from(directive.is_some_and(|directive| directive.starts_with("endif")));
        if line == "{" && depth == 0 && lines[..at].iter().rev().find(|line| !line.is_empty()).is_some_and(|line| line.contains(')')) {
            found.push(at);
        }
    }
    found
}

/// A plant: its rule, and what it is.
fn templates() -> BTreeMap<String, [Vec<String>; 2]> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted");
    let template = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().to_uppercase();
        let lines = text(&path);
        let (top, body) = lines.split_at(lines.iter().position(|line| line == "/* in a function */").unwrap());
        (name, [top.to_vec(), body[1..].to_vec()])
    };
    fs::read_dir(directory).unwrap().map(|entry| template(entry.unwrap().path())).collect()
}

#[test]
fn there_is_a_plant_for_every_rule() {
    let planted: Vec<String> = templates().into_keys().collect();
    assert_eq!(planted, rules().map(|rule| rule.id.to_owned()).collect::<Vec<_>>());
}

/// One line that has to be found, by the mark that was planted with it.
struct Wanted {
    rule: String,
    file: String,
    plant: String,
}

#[test]
fn what_is_planted_is_found() {
    let (hosts, templates) = (hosts(), templates());
    assert!(hosts.len() >= 5, "{hosts:?}");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    let mut chance = Chance(1);
    let mut todo: Vec<(usize, &String)> = templates.keys().flat_map(|rule| (0..TIMES).map(move |_| (0, rule))).collect();
    for (order, _) in &mut todo {
        *order = chance.below(usize::MAX);
    }
    todo.sort();
    let mut wanted = Vec::new();
    let mut arguments = Vec::new();
    for (number, plants) in todo.chunks(PER_FILE).enumerate() {
        let host = &hosts[chance.below(hosts.len())];
        let argument = format!("-I{}", host.parent().unwrap().display());
        if !arguments.contains(&argument) {
            arguments.push(argument);
        }
        let mut lines = text(host);
        let file = format!("{number}_{}", host.file_name().unwrap().to_string_lossy());
        for (at, (_, rule)) in plants.iter().enumerate() {
            let plant = format!("planted_{number}_{at}");
            let bodies = bodies(&lines);
            plant_into(&mut lines, bodies[chance.below(bodies.len())], &templates[*rule], &plant);
            wanted.push(Wanted { rule: (*rule).clone(), file: file.clone(), plant });
        }
        fs::write(directory.join(&file), lines.join("\n") + "\n").unwrap();
    }
    let options = Options {
        paths: vec![directory.clone()],
        pair: Pair::ALL[0],
        arguments,
        jobs: 2,
        fix: false,
        allowed: Vec::new(),
        input: Input::default(),
    };
    let report = analyse(&options, &Silent).unwrap();
    let mut recall: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut missed = Vec::new();
    for wanted in &wanted {
        let lines = text(&directory.join(&wanted.file));
        let is_found = report.findings.iter().any(|finding| {
            let line = |line: u32| lines.get(line as usize - 1).is_some_and(|line| line.contains(&wanted.plant) && line.contains("/* here */"));
            finding.rule == wanted.rule
                && finding.target.ends_with(&wanted.file)
                && finding.source.as_ref().is_some_and(|source| line(source.line))
        });
        recall.entry(&wanted.rule).or_default()[usize::from(!is_found)] += 1;
        if !is_found {
            missed.push(format!("{} {} in {}", wanted.rule, wanted.plant, wanted.file));
        }
    }
    for (rule, [found, lost]) in &recall {
        println!("{rule}: {found} of {}", found + lost);
    }
    let found: usize = recall.values().map(|[found, _]| found).sum();
    assert!(found * 100 >= wanted.len() * 95, "{found} of {} found; missed: {missed:#?}\n{:?}", wanted.len(), report.not_checked);
    assert!(recall.values().all(|[found, lost]| found > lost), "missed: {missed:#?}");
}

/// Puts a plant into the function whose body begins at this line, and what it needs before that function.
fn plant_into(lines: &mut Vec<String>, body: usize, [top, inside]: &[Vec<String>; 2], plant: &str) {
    let named = |line: &String| {
        let line = line.replace("PLANT", plant);
        // What is found at a line has to say whose it is.
        if line.contains("/* here */") { line.replace("/* here */", &format!("/* here */ /* {plant} */")) } else { line }
    };
    let mut block = vec!["{".to_owned()];
    block.extend(inside.iter().map(named));
    block.push("}".to_owned());
    lines.splice(body + 1..body + 1, block);
    let is_end = |line: &String| line.is_empty() || line == "}" || line.ends_with(';') || line.starts_with('#') || line.ends_with("*/");
    let mut start = body;
    // The parameters of old-style functions end in a semicolon too, but are indented.
    while start > 0 && (!is_end(&lines[start - 1]) || lines[start - 1].starts_with([' ', '\t'])) {
        start -= 1;
    }
    lines.splice(start..start, top.iter().map(named));
}

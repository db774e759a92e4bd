//! Hazards of every kind are planted into code that has none, at places that chance chooses: those that are not found are the ones
//! that `port` misses. `p001.c` is much like the example of P001; `p001-member.c` is written as others would: with typedefs, macros,
//! members, other functions. With BIARCH_SOURCES, a directory of C files, they are planted there instead of into this repository's own.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use port::pair::Pair;
use port::{Options, analyse, rules};
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

/// C files with functions, and C++.
fn hosts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut todo = match std::env::var_os("BIARCH_SOURCES") {
        Some(directory) => vec![PathBuf::from(directory)],
        None => ["worker", "../compare/worker", "../../tests/programs/gcc"].iter().map(|name| root.join(name)).collect(),
    };
    let mut found = Vec::new();
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if is_cxx(&path) || extension(&path) == "c" && !bodies(&text(&path)).is_empty() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn is_cxx(path: &Path) -> bool {
    extension(path) == "cc"
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
        let is_below =
            line == "{" && lines[..at].iter().rev().find(|line| !line.is_empty()).is_some_and(|line| line.contains(')'));
        // A plant that is there already may begin with `switch (…) {`.
        let is_beside =
            line.ends_with(") {") && line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.starts_with("switch ");
        if (is_below || is_beside) && depth == 0 {
            found.push(at);
        }
    }
    found
}

/// What is planted for one rule.
struct Template {
    name: String,
    rule: String,
    is_cxx: bool,
    /// The architectures that it is about.
    pair: Pair,
    /// Before a function, and in one.
    parts: [Vec<String>; 2],
}

fn templates() -> Vec<Template> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted");
    let template = |path: PathBuf| {
        let lines = text(&path);
        let (top, body) = lines.split_at(lines.iter().position(|line| line == "/* in a function */").unwrap());
        let pair = top.iter().find_map(|line| line.strip_prefix("// pair: ")).map(|name| Pair::parse(name).unwrap());
        Template {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            rule: path.file_stem().unwrap().to_string_lossy().split('-').next().unwrap().to_uppercase(),
            is_cxx: is_cxx(&path),
            pair: pair.unwrap_or(Pair::ALL[0]),
            parts: [top.to_vec(), body[1..].to_vec()],
        }
    };
    let mut all: Vec<Template> = fs::read_dir(directory).unwrap().map(|entry| template(entry.unwrap().path())).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The rules about files that are not C: their examples are the test.
const NOT_IN_C: [&str; 9] = ["P070", "P071", "P072", "P073", "P074", "P075", "P077", "P078", "P080"];

#[test]
fn there_is_a_plant_for_every_rule() {
    let mut planted: Vec<String> = templates().into_iter().map(|template| template.rule).collect();
    planted.dedup();
    let in_c = rules().map(|rule| rule.id.to_owned()).filter(|id| !NOT_IN_C.contains(&id.as_str()));
    assert_eq!(planted, in_c.collect::<Vec<_>>());
}

/// A plant that has to be found, by the mark in its line.
struct Wanted<'a> {
    name: &'a str,
    rule: &'a str,
    file: PathBuf,
    plant: String,
}

#[test]
fn what_is_planted_is_found() {
    let (hosts, templates) = (hosts(), templates());
    assert!(hosts.len() >= 5, "{hosts:?}");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    let _ = fs::remove_dir_all(&directory);
    let mut chance = Chance(1);
    let mut todo: Vec<(usize, &Template)> =
        templates.iter().flat_map(|template| (0..TIMES).map(move |_| (0, template))).collect();
    for (order, _) in &mut todo {
        *order = chance.below(usize::MAX);
    }
    todo.sort_by_key(|(order, template)| (template.pair.name(), template.is_cxx, *order));
    let mut wanted = Vec::new();
    let mut reports = Vec::new();
    for of_pair in todo.chunk_by(|a, b| a.1.pair == b.1.pair) {
        let pair = of_pair[0].1.pair;
        let below = directory.join(pair.name().replace(':', "-"));
        let mut arguments = Vec::new();
        for of_language in of_pair.chunk_by(|a, b| a.1.is_cxx == b.1.is_cxx) {
            let hosts: Vec<&PathBuf> = hosts.iter().filter(|host| is_cxx(host) == of_language[0].1.is_cxx).collect();
            for (number, plants) in of_language.chunks(PER_FILE).enumerate() {
                let host = hosts[chance.below(hosts.len())];
                arguments.push(format!("-I{}", host.parent().unwrap().display()));
                let mut lines = text(host);
                let file = below.join(format!("{number}_{}", host.file_name().unwrap().to_string_lossy()));
                for (at, (_, template)) in plants.iter().enumerate() {
                    let plant = format!("planted_{number}_{at}");
                    plant_into(&mut lines, template, &plant, &mut chance);
                    wanted.push(Wanted { name: &template.name, rule: &template.rule, file: file.clone(), plant });
                }
                fs::create_dir_all(&below).unwrap();
                fs::write(file, lines.join("\n") + "\n").unwrap();
            }
        }
        arguments.sort();
        arguments.dedup();
        let options = Options { arguments, jobs: 2, ..Options::new(vec![below], pair) };
        reports.push(analyse(&options, &()).unwrap());
    }
    let mut recall: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut missed = Vec::new();
    for wanted in &wanted {
        let lines = text(&wanted.file);
        let is_marked =
            |line: u32| lines.get(line as usize - 1).is_some_and(|line| line.ends_with(&format!("/* {} */", wanted.plant)));
        let is_found = reports.iter().flat_map(|report| &report.findings).any(|finding| {
            let source = finding.source.as_ref().filter(|_| finding.rule == wanted.rule);
            source.is_some_and(|source| is_marked(source.line)) && wanted.file.ends_with(&finding.target)
        });
        recall.entry(wanted.name).or_default()[usize::from(!is_found)] += 1;
        if !is_found {
            missed.push(format!("{} {} in {}", wanted.name, wanted.plant, wanted.file.display()));
        }
    }
    for (name, [found, lost]) in &recall {
        println!("{name}: {found} of {}", found + lost);
    }
    let unchecked: Vec<_> = reports.iter().flat_map(|report| &report.not_checked).collect();
    let found: usize = recall.values().map(|[found, _]| found).sum();
    assert!(found * 100 >= wanted.len() * 95, "{found} of {} found; missed: {missed:#?}\n{unchecked:#?}", wanted.len());
    for (name, [found, lost]) in &recall {
        assert!(found > lost, "{name}; missed: {missed:#?}\n{unchecked:#?}");
    }
}

/// Puts a plant into a function, and what it needs before that function; what is only something to declare, between functions.
fn plant_into(lines: &mut Vec<String>, template: &Template, plant: &str, chance: &mut Chance) {
    // What is found at a line has to say whose it is.
    let named = |line: &String| line.replace("PLANT", plant).replace("/* here */", &format!("/* {plant} */"));
    let [top, inside] = &template.parts;
    if inside.is_empty() {
        let is_between =
            |at: &usize| lines[*at].is_empty() && lines.get(at + 1).is_some_and(|next| !next.starts_with([' ', '\t', '}']));
        let places: Vec<usize> = (0..lines.len()).filter(is_between).collect();
        let at = places.get(chance.below(places.len())).copied().unwrap_or(lines.len());
        lines.splice(at..at, top.iter().map(named));
        return;
    }
    let bodies = bodies(lines);
    let body = bodies[chance.below(bodies.len())];
    let block = std::iter::once("{".to_owned()).chain(inside.iter().map(named)).chain(["}".to_owned()]);
    lines.splice(body + 1..body + 1, block.collect::<Vec<_>>());
    let is_end = |line: &String| {
        line.is_empty() || line == "}" || line.ends_with([';', '\\']) || line.starts_with('#') || line.ends_with("*/")
    };
    let mut start = body;
    // The parameters of old-style functions end in a semicolon too, but are indented.
    while start > 0 && (!is_end(&lines[start - 1]) || lines[start - 1].starts_with([' ', '\t'])) {
        start -= 1;
    }
    lines.splice(start..start, top.iter().map(named));
}

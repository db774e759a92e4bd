//! How sure a finding is: for each condition that makes one less sure, or silent, there is a line where it decides, and one beside it where it
//! does not. `confidence/p025.c` has those of P025: a line that ends in `/* certain */`, `/* probable */` or `/* possible */` has a finding
//! of that rule, which is as sure as that; every other line has none. What has another name, as `p001-guessed.c`,
//! is not compiled without errors, or with options of its own. `// pair: i386:arm64` says which architectures it is about.
//!
//! `confidence/p075.txt` has those of a rule about text: what decides there is a whole file, its name or what is beside it, so that each
//! case is a project of its own. `// case: WHAT` begins one, and `// file: NAME` a file of it, as in the rules' examples; the marks are
//! taken out, because not all that a rule reads has comments.
#![allow(clippy::unwrap_used, missing_docs)]

use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse, rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CONFIDENCES: [(Confidence, &str); 3] =
    [(Confidence::Certain, "certain"), (Confidence::Probable, "probable"), (Confidence::Possible, "possible")];

/// A line without its mark, and the mark.
fn mark(line: &str) -> (&str, Option<&'static str>) {
    let found = CONFIDENCES.iter().find_map(|(_, name)| Some((line.strip_suffix(&format!(" /* {name} */"))?, *name)));
    found.map_or((line, None), |(line, name)| (line, Some(name)))
}

/// Whether a line has what nobody takes for a mark, `// certain` or one with a space behind it: it would say nothing.
fn is_slip(line: &str) -> bool {
    let text = line.trim_end().trim_end_matches("*/").trim_end();
    let is_comment = |before: &str| ["//", "/*"].iter().any(|begin| before.trim_end().ends_with(begin));
    mark(line).1.is_none() && CONFIDENCES.iter().any(|(_, name)| text.strip_suffix(name).is_some_and(is_comment))
}

/// What is marked in a file: the line, and how sure it is.
fn marked(text: &str) -> BTreeSet<(u32, &'static str)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, mark(line).1?))).collect()
}

/// A file that is written for a case.
struct Written {
    name: String,
    text: String,
    /// The line of the fixture above its first one.
    above: u32,
}

/// One project of a fixture.
#[derive(Default)]
struct Case {
    pair: Option<Pair>,
    files: Vec<Written>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("// case: ") {
            cases.push(Case::default());
            continue;
        }
        // What is above the first case is for whoever reads it.
        let Some(case) = cases.last_mut() else { continue };
        if let Some(name) = line.strip_prefix("// file: ") {
            case.files.push(Written { name: name.to_owned(), text: String::new(), above: number });
        } else if let Some(file) = case.files.last_mut() {
            file.text.extend([mark(line).0, "\n"]);
        } else if let Some(name) = line.strip_prefix("// pair: ") {
            case.pair = Some(Pair::parse(name).unwrap());
        }
    }
    cases
}

/// What a rule has found: the file, the line, how sure it is.
fn found(rule: &str, fixture: &Path, options: &Options) -> BTreeSet<(String, u32, &'static str)> {
    let report = analyse(options, &()).unwrap();
    // What has a word more in its name has errors.
    let is_whole = !fixture.file_stem().unwrap().to_string_lossy().contains('-');
    assert!(!is_whole || report.not_checked.is_empty(), "{}: {:?}", fixture.display(), report.not_checked);
    let name_of = |sure: Confidence| CONFIDENCES.iter().find(|(other, _)| *other == sure).unwrap().1;
    let ours = report.findings.iter().filter(|finding| finding.rule == rule);
    ours.filter_map(|finding| {
        let source = finding.source.as_ref()?;
        Some((finding.target.clone(), source.line, name_of(source.confidence)))
    })
    .collect()
}

/// What is found in all cases of a fixture, by its line in there.
fn found_in_cases(rule: &str, fixture: &Path, text: &str) -> BTreeSet<(u32, &'static str)> {
    let mut all = BTreeSet::new();
    for (number, case) in cases(text).iter().enumerate() {
        let name = fixture.file_stem().unwrap().to_string_lossy();
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("confidence").join(&*name).join(number.to_string());
        let _ = fs::remove_dir_all(&directory);
        // With a file that was named there is something to do, although nothing may be there to compile.
        let named = directory.join("named.mk");
        let written = case.files.iter().map(|file| (directory.join(&file.name), file.text.as_str()));
        for (path, text) in written.chain([(named.clone(), "")]) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let options = Options::new(vec![directory, named], case.pair.unwrap_or(Pair::ALL[0]));
        for (target, line, confidence) in found(rule, fixture, &options) {
            let file = case.files.iter().find(|file| file.name == target).unwrap();
            all.insert((file.above + line, confidence));
        }
    }
    all
}

/// Each file is a program of its own, so that none changes what is found in another.
#[test]
fn every_finding_is_as_sure_as_it_says() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/confidence");
    let mut files: Vec<PathBuf> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy().to_uppercase();
        let rule = rules().map(|rule| rule.id).find(|id| name.split('-').next() == Some(id)).unwrap();
        let text = fs::read_to_string(file).unwrap();
        let slips = (1..).zip(text.lines()).filter(|(_, line)| is_slip(line));
        wrong.extend(slips.map(|(number, _)| format!("{}:{number}: this is no mark", file.display())));
        let found: BTreeSet<_> = if file.extension().is_some_and(|extension| extension == "txt") {
            found_in_cases(rule, file, &text)
        } else {
            // Of what was configured it is known which headers it includes.
            let arguments = if name.ends_with("-CONFIGURED") { vec!["-DCONFIGURED".to_owned()] } else { Vec::new() };
            let pair = text.lines().find_map(|line| line.strip_prefix("// pair: "));
            let pair = pair.map_or(Pair::ALL[0], |name| Pair::parse(name).unwrap());
            let options = Options { arguments, ..Options::new(vec![file.clone()], pair) };
            found(rule, file, &options).into_iter().map(|(_, line, confidence)| (line, confidence)).collect()
        };
        for (line, confidence) in found.symmetric_difference(&marked(&text)) {
            let what = if found.contains(&(*line, *confidence)) { "is found" } else { "is not found" };
            wrong.push(format!("{}:{line}: {confidence} {what}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! How sure a finding is: for each condition that makes one less sure, or silent, there is a line where it decides, and one beside it where it
//! does not. `confidence/p025.c` has those of P025: a line that ends in `/* certain */`, `/* probable */` or `/* possible */` has a finding
//! of that rule, which is as sure as that; every other line has none. What has another name, as `p001-guessed.c`,
//! is not compiled without errors, or with options of its own.
#![allow(clippy::unwrap_used, missing_docs)]

use findings::Confidence;
use port::pair::Pair;
use port::{Options, analyse, rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What is marked in a file: the line, and how sure it is.
fn marked(text: &str) -> BTreeSet<(u32, &'static str)> {
    let mark = |line: &str| CONFIDENCES.iter().map(|(_, name)| *name).find(|name| line.ends_with(&format!(" /* {name} */")));
    (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, mark(line)?))).collect()
}

const CONFIDENCES: [(Confidence, &str); 3] =
    [(Confidence::Certain, "certain"), (Confidence::Probable, "probable"), (Confidence::Possible, "possible")];

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
        // Of what was configured it is known which headers it includes.
        let arguments = if name.ends_with("-CONFIGURED") { vec!["-DCONFIGURED".to_owned()] } else { Vec::new() };
        let options = Options { arguments, ..Options::new(vec![file.clone()], Pair::ALL[0]) };
        let report = analyse(&options, &()).unwrap();
        let ours = report.findings.iter().filter(|finding| finding.rule == rule).filter_map(|finding| finding.source.as_ref());
        let name_of = |sure: Confidence| CONFIDENCES.iter().find(|(other, _)| *other == sure).unwrap().1;
        let found: BTreeSet<_> = ours.map(|source| (source.line, name_of(source.confidence))).collect();
        let wanted = marked(&fs::read_to_string(file).unwrap());
        for (line, confidence) in found.symmetric_difference(&wanted) {
            let what = if found.contains(&(*line, *confidence)) { "is found" } else { "is not found" };
            wrong.push(format!("{}:{line}: {confidence} {what}", file.display()));
        }
        assert!(name.contains('-') || report.not_checked.is_empty(), "{}: {:?}", file.display(), report.not_checked);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

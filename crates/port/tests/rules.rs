//! Every rule: its documentation is whole, and its examples are some.
#![allow(clippy::unwrap_used, missing_docs)]

use findings::{Documentation, Report};
use port::pair::Pair;
use port::{Options, analyse, rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_documentation_of_every_rule_is_whole() {
    for rule in rules() {
        let sections = rule.documentation.sections();
        for name in Documentation::SECTIONS.iter().chain(&["Example"]) {
            assert!(sections.contains(name), "{}: no section {name}", rule.id);
            assert!(!rule.documentation.section(name).is_empty(), "{}: nothing under {name}", rule.id);
        }
        let title = rule.documentation.title();
        assert!((10..=100).contains(&title.len()), "{}: a title of one line: {title:?}", rule.id);
        assert!(!title.ends_with('.'), "{}: a title has no full stop", rule.id);
        assert!(rule.documentation.section("References").contains("CWE-"), "{}: no CWE", rule.id);
    }
}

#[test]
fn ids_are_unique_and_in_order() {
    let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
}

#[test]
fn every_file_is_registered_under_its_id() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let files: BTreeSet<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().split('_').next().unwrap().to_uppercase())
        .collect();
    let ids: BTreeSet<String> = rules().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(files, ids);
}

/// The programs below a heading of the example: `Bad` must give a finding, `Good` must not. A line `// file: NAME` begins a file;
/// without one it is `example.c`.
fn files(text: &str, heading: &str) -> Vec<(String, String)> {
    let below = text.lines().skip_while(|line| *line != heading).skip(1);
    let lines = below.take_while(|line| line.is_empty() || line.starts_with("    "));
    let mut files = vec![("example.c".to_owned(), String::new())];
    for line in lines {
        let line = line.strip_prefix("    ").unwrap_or(line);
        match line.strip_prefix("// file: ") {
            Some(name) => files.push((name.to_owned(), String::new())),
            None => files.last_mut().unwrap().1.extend([line, "\n"]),
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    files
}

fn analysed(directory: &Path, files: &[(String, String)]) -> Report {
    let _ = fs::remove_dir_all(directory);
    for (name, text) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    // A rule that is about some architectures says which: `// pair: i386:arm64`.
    let pair = files.iter().find_map(|(_, text)| text.lines().find_map(|line| line.strip_prefix("// pair: ")));
    let pair = pair.map_or(Pair::ALL[0], |name| Pair::parse(name).unwrap());
    let paths = vec![directory.to_path_buf()];
    analyse(&Options::new(paths, pair), &()).unwrap()
}

#[test]
fn what_is_bad_is_found_and_what_is_good_is_not() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let example = rule.documentation.section("Example");
        for (heading, bad) in [("Bad:", true), ("Good:", false)] {
            let files = files(&example, heading);
            if files.is_empty() {
                wrong.push(format!("{}: no example {heading}", rule.id));
                continue;
            }
            let directory =
                PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rules").join(rule.id).join(heading.trim_end_matches(':'));
            let report = analysed(&directory, &files);
            if report.findings.iter().any(|finding| finding.rule == rule.id) != bad {
                let seen: Vec<String> =
                    report.findings.iter().map(|finding| format!("{} {}", finding.rule, finding.message)).collect();
                wrong.push(format!("{}: {heading} found {seen:?}, not checked {:?}", rule.id, report.not_checked));
            }
            if !report.not_checked.is_empty() {
                wrong.push(format!("{}: {heading} {:?}", rule.id, report.not_checked));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Headers that are not found: which, by how many files, and the package that has them.

use crate::ast::{Diagnostic, Unit};
use crate::project::Project;
use findings::Unchecked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// How many headers are asked for: each question takes a moment.
const ASKED: usize = 20;

/// The header that this says is missing.
pub(crate) fn name(diagnostic: &Diagnostic) -> Option<&str> {
    diagnostic.text.strip_prefix('\'')?.strip_suffix("' file not found")
}

/// Those that a file lacks.
pub(crate) fn names(unit: &Unit) -> impl Iterator<Item = String> {
    unit.diagnostics.iter().filter_map(name).map(str::to_owned)
}

/// What is said of them, each once.
pub(crate) fn listed<'a>(files: impl Iterator<Item = (&'a str, &'a BTreeSet<String>)>, project: &Project) -> Vec<Unchecked> {
    let mut by_header: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, missing) in files {
        for header in missing {
            by_header.entry(header).or_default().push(file);
        }
    }
    let who = |files: &[&str]| {
        let first = project.relative(Path::new(files.first().copied().unwrap_or_default()));
        match files.len() {
            1 => first,
            count => format!("{first} and {} more", count - 1),
        }
    };
    // Those that most files lack are asked for.
    let mut ordered: Vec<(&str, Vec<&str>)> = by_header.into_iter().collect();
    ordered.sort_by_key(|(header, files)| (std::cmp::Reverse(files.len()), *header));
    let (mut listed, mut unknown) = (Vec::new(), (Vec::new(), Vec::new()));
    for (at, (header, files)) in ordered.into_iter().enumerate() {
        match (at < ASKED).then(|| advice(header)).flatten() {
            Some(advice) => {
                let because = format!("this header was not found, so that lines of {} are not analysed; {advice}", who(&files));
                listed.push(Unchecked { what: header.to_owned(), because });
            }
            None => {
                unknown.0.push(header);
                unknown.1.extend(files);
            }
        }
    }
    // Those of other systems are many, and nobody wants a line for each.
    let (headers, mut files) = unknown;
    if !headers.is_empty() {
        files.sort_unstable();
        files.dedup();
        let because = format!(
            "not found, so that lines of {} are not analysed; if they are not those of other systems, -I names their directory",
            who(&files)
        );
        listed.push(Unchecked { what: headers.join(", "), because });
    }
    listed
}

/// What to do to have it, as far as Debian's tools know.
fn advice(header: &str) -> Option<String> {
    let header = header.trim_start_matches("./").trim_start_matches("../");
    // Not every name is one of a file.
    if header.is_empty() || header.contains(['*', '?', '[', '\\']) || header.starts_with('-') {
        return None;
    }
    let lines = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let installed = lines("dpkg-query", &["-S", &format!("*/include/*/{header}")])
        .into_iter()
        .chain(lines("dpkg-query", &["-S", &format!("*/include/{header}")]))
        .find_map(|text| {
            let path = text.lines().find_map(|line| line.split(": ").nth(1).filter(|path| path.starts_with("/usr/include/")))?;
            Some(path.strip_suffix(header)?.trim_end_matches('/').to_owned())
        });
    if let Some(directory) = installed {
        return Some(format!("it is in {directory}: -I {directory}"));
    }
    let found = lines("apt-file", &["--fixed-string", "--package-only", "search", &format!("/usr/include/{header}")])?;
    let mut packages: Vec<&str> = found.lines().collect();
    packages.sort_by_key(|package| (!package.ends_with("-dev"), package.len()));
    packages.first().map(|package| format!("apt-get install {package}"))
}

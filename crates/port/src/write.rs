//! What was offered to repair findings, as a patch, or done.

use crate::fix;
use anyhow::{Context, Result, ensure};
use findings::{Edit, Report};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The edits of the findings that count, by file: its path, its name.
fn edits(report: &Report) -> BTreeMap<(&Path, &str), Vec<&Edit>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for edit in report.new_findings().filter_map(|finding| finding.source.as_ref()).flat_map(|source| &source.edits) {
        all.entry((edit.path.as_path(), edit.file.as_str())).or_default().push(edit);
    }
    all
}

/// The old text of a file and the new one.
fn texts(path: &Path, edits: &[&Edit]) -> Result<[Vec<u8>; 2]> {
    let old = fs::read(path).context("it cannot be read")?;
    let edits = edits.iter().map(|edit| (edit.start, edit.end, edit.text.as_str()));
    let new = fix::replaced(&old, edits).context("it has been changed in the meantime")?;
    Ok([old, new])
}

/// A unified diff of all repairs, which `patch -p1` takes in the directory in which biarch was started.
#[must_use]
pub fn diff(report: &Report) -> String {
    let mut diff = String::new();
    for ((path, file), edits) in edits(report) {
        let Ok(texts) = texts(path, &edits) else { continue };
        // A patch is text; what is not UTF-8 can only be written.
        let [Ok(old), Ok(new)] = texts.map(String::from_utf8) else { continue };
        let lines = TextDiff::from_lines(&old, &new);
        diff.push_str(&lines.unified_diff().header(&format!("a/{file}"), &format!("b/{file}")).to_string());
    }
    diff
}

/// Changes the files, each at once or not at all; returns what became of them.
pub fn apply(report: &Report) -> Vec<(String, Result<()>)> {
    let all = edits(report).into_iter();
    all.map(|((path, file), edits)| (file.to_owned(), texts(path, &edits).and_then(|texts| put(path, &texts)))).collect()
}

/// Puts the new text in the place of the old one, if that is still there.
fn put(path: &Path, [old, new]: &[Vec<u8>; 2]) -> Result<()> {
    let name = path.file_name().context("it has no name")?.to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.biarch-{}", std::process::id()));
    let write = || -> Result<()> {
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).open(&beside).context("no file can be made beside it")?;
        file.set_permissions(fs::metadata(path)?.permissions())?;
        file.write_all(new)?;
        file.sync_all()?;
        ensure!(fs::read(path)? == *old, "it has been changed in the meantime");
        fs::rename(&beside, path).context("it cannot be replaced")
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

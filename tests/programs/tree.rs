//! What a run left in the file system: the upper layer of its overlay, compared with another one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::case::Case;
use crate::differ;

/// One changed file: what `stat` says that two runs must have in common, and where its content is.
struct Entry {
    facts: String,
    content: Option<PathBuf>,
}

/// The number of differing files that are shown; one cause tends to make many.
const SHOWN: usize = 20;

/// The size of a file whose difference is looked for in detail.
const SHOWABLE: u64 = 16 << 20;

/// Says how two layers differ; empty when they do not.
pub(crate) fn differences(case: &Case, native: &Path, biarch: &Path) -> Result<String> {
    let [native, biarch] = [read(case, native)?, read(case, biarch)?];
    let mut report = String::new();
    let mut count = 0;
    let mut say = |text: String| {
        count += 1;
        if count <= SHOWN {
            report.push_str(&text);
        }
    };
    for (path, entry) in &native {
        match biarch.get(path) {
            None => say(format!("{path}: written by native only ({})\n", entry.facts)),
            Some(other) if entry.facts != other.facts => {
                // A file that differs in size may be the same once filtered.
                let sizes_only = entry.facts.split(" size ").next() == other.facts.split(" size ").next();
                match content(case, path, entry, other)? {
                    Some(text) if text.is_empty() && sizes_only => {}
                    text => say(format!("{path}: {} | {}\n{}", entry.facts, other.facts, text.unwrap_or_default())),
                }
            }
            Some(other) => match content(case, path, entry, other)? {
                Some(text) if !text.is_empty() => say(text),
                _ => {}
            },
        }
    }
    for (path, entry) in biarch.iter().filter(|(path, _)| !native.contains_key(*path)) {
        say(format!("{path}: written by biarch only ({})\n", entry.facts));
    }
    if count > SHOWN {
        writeln!(report, "… and {} more files", count - SHOWN)?;
    }
    Ok(report)
}

/// How the content of a file differs once filtered; `None` when it has no content.
fn content(case: &Case, path: &str, native: &Entry, biarch: &Entry) -> Result<Option<String>> {
    let (Some(native), Some(biarch)) = (&native.content, &biarch.content) else { return Ok(None) };
    if same(native, biarch)? {
        return Ok(Some(String::new()));
    }
    if native.metadata()?.size().max(biarch.metadata()?.size()) > SHOWABLE {
        return Ok(Some(format!("{path}: the contents differ\n")));
    }
    let [left, right] = [std::fs::read(native)?, std::fs::read(biarch)?];
    differ::filtered(case, path, &left, &right).map(Some)
}

/// Whether two files have the same content.
fn same(native: &Path, biarch: &Path) -> Result<bool> {
    if native.metadata()?.size() != biarch.metadata()?.size() {
        return Ok(false);
    }
    let [mut left, mut right] = [BufReader::new(File::open(native)?), BufReader::new(File::open(biarch)?)];
    loop {
        let [some, other] = [left.fill_buf()?, right.fill_buf()?];
        let length = some.len().min(other.len());
        if some[..length] != other[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(some.is_empty() && other.is_empty());
        }
        left.consume(length);
        right.consume(length);
    }
}

fn read(case: &Case, layer: &Path) -> Result<BTreeMap<String, Entry>> {
    let mut entries = BTreeMap::new();
    let mut pending = vec![layer.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(&directory)? {
            let path = entry?.path();
            let name = format!("/{}", path.strip_prefix(layer)?.to_string_lossy());
            let metadata = path.symlink_metadata()?;
            if metadata.is_dir() {
                pending.push(path.clone());
            }
            if !case.ignores(&name) {
                entries.insert(name, facts(&path, &metadata).with_context(|| path.display().to_string())?);
            }
        }
    }
    Ok(entries)
}

fn facts(path: &Path, metadata: &std::fs::Metadata) -> Result<Entry> {
    let kind = metadata.file_type();
    let mut content = None;
    let what = if kind.is_symlink() {
        format!("link to {}", path.read_link()?.display())
    } else if kind.is_dir() {
        "directory".to_owned()
    } else if kind.is_char_device() && metadata.rdev() == 0 {
        // An overlay's way to say that a file of the lower layer is gone.
        "removed".to_owned()
    } else if kind.is_char_device() || kind.is_block_device() {
        format!("device {:#x}", metadata.rdev())
    } else if kind.is_fifo() {
        "fifo".to_owned()
    } else if kind.is_socket() {
        "socket".to_owned()
    } else {
        content = Some(path.to_owned());
        format!("file links {} size {}", metadata.nlink(), metadata.size())
    };
    let facts = format!("mode {:o} owner {}:{} {what}", metadata.mode() & 0o7777, metadata.uid(), metadata.gid());
    Ok(Entry { facts, content })
}

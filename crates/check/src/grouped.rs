//! One finding for many files: a hundred programs without one library are one thing to repair.

use crate::facts::Object;
use std::collections::BTreeMap;
use std::fmt;

/// Files that are named.
const NAMED: usize = 3;

/// Some files, of which the first few are named.
pub(crate) struct Files {
    total: usize,
    names: Vec<String>,
}

impl Files {
    /// "1 file", "12 files"
    pub(crate) fn count(&self) -> String {
        format!("{} file{}", self.total, if self.total == 1 { "" } else { "s" })
    }

    /// The form of a verb that fits their number.
    pub(crate) fn verb<'a>(&self, one: &'a str, many: &'a str) -> &'a str {
        if self.total == 1 { one } else { many }
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(", "))?;
        if self.total > self.names.len() {
            write!(f, " and {} more", self.total - self.names.len())?;
        }
        Ok(())
    }
}

/// Puts the files with the same key together; the keys are in order.
pub(crate) fn grouped<K: Ord>(files: Vec<(K, &Object)>) -> Vec<(K, Files)> {
    let mut groups: BTreeMap<K, Files> = BTreeMap::new();
    for (key, object) in files {
        let group = groups.entry(key).or_insert(Files { total: 0, names: Vec::new() });
        group.total += 1;
        if group.names.len() < NAMED {
            group.names.push(object.name());
        }
    }
    groups.into_iter().collect()
}

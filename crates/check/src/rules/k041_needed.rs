//! A library that a file needs is not there
//!
//! # What
//! A file names a library (DT_NEEDED) that is in none of the directories where the dynamic loader looks for it.
//!
//! # Why
//! The program ends before main() with "error while loading shared libraries". The directories are those that the file
//! names (DT_RPATH, DT_RUNPATH), those of /etc/ld.so.conf, and the loader's own. A library that is somewhere else in the
//! root file system may be found by a wrapper that sets LD_LIBRARY_PATH: for a program that is a risk, not a failure.
//! Where a library needs it, the program that loads both has most likely loaded it already, and that is a note. So it is where
//! nothing needs the file itself: it is a plug-in for something that is not installed, and the program works without it.
//!
//! # Fix
//! Install the package that has the library for this architecture; or add its directory to /etc/ld.so.conf.d/ and run
//! ldconfig.
//!
//! # References
//! - man 8 ld.so, "DESCRIPTION"

use super::Found;
use crate::facts::{Facts, Object, shown};
use crate::grouped::grouped;
use crate::libraries::{Lookup, lookup};
use findings::Severity;
use std::collections::{HashMap, HashSet};

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for root in &facts.roots {
        let needed: HashSet<&str> = root.objects.iter().flat_map(|object| &object.details.facts.needed).map(String::as_str).collect();
        let is_plugin = |object: &Object| {
            let name = object.path.rsplit(|byte| *byte == b'/').next().and_then(|name| std::str::from_utf8(name).ok());
            let mut names = object.details.soname.as_deref().into_iter().chain(name);
            !object.details.is_program() && !names.any(|name| needed.contains(name))
        };
        let (mut missing, mut elsewhere) = (Vec::new(), Vec::new());
        // A library that a program lacks is one thing to repair, whatever plug-ins lack it as well.
        let mut worst: HashMap<(&str, &str), Severity> = HashMap::new();
        for (object, name, result) in lookup(root) {
            let library = (object.abi().name(), name);
            match result {
                Lookup::Missing => {
                    let severity = if is_plugin(object) { Severity::Note } else { Severity::Fails };
                    worst.entry(library).and_modify(|worst| *worst = severity.max(*worst)).or_insert(severity);
                    missing.push((library, object));
                }
                Lookup::Elsewhere(other) => {
                    let severity = if object.details.is_program() { Severity::Risk } else { Severity::Note };
                    worst.entry(library).and_modify(|worst| *worst = severity.max(*worst)).or_insert(severity);
                    elsewhere.push(((library, shown(&other.path)), object));
                }
                Lookup::Found(_) | Lookup::Other(_) => {}
                Lookup::Unknown => found.not_checked(&root.name, "it names more libraries in more directories than are looked for"),
            }
        }
        let severity = |library| worst.get(&library).copied().unwrap_or(Severity::Note);
        for ((abi, name), users) in grouped(missing) {
            let message = format!("{name} for {abi} is missing");
            found.add(&root.name, message, format!("{name} is needed by {users}")).severity = severity((abi, name));
        }
        for (((abi, name), place), users) in grouped(elsewhere) {
            let message = format!("{name} for {abi} is only in {place}, where the loader does not look by itself");
            found.add(&root.name, message, format!("{name} is needed by {users}")).severity = severity((abi, name));
        }
    }
}

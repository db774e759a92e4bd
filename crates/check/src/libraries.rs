//! Which library a file gets: the search of the dynamic loader, ld.so(8), in a root file system.

use crate::facts::{Abi, Facts, Object};
use crate::root::{Found, Root};
use std::collections::HashMap;

/// What the loader would find.
#[derive(Clone, Copy)]
pub(crate) enum Lookup<'a> {
    /// This library.
    Found(&'a Object),
    /// Only one of another architecture, word size or calling convention.
    Other(&'a Object),
    /// Nothing where it looks, but this one elsewhere.
    Elsewhere(&'a Object),
    /// Nothing.
    Missing,
}

/// Every file that names libraries, each of them, and what the loader would find.
pub(crate) fn lookup(root: &Root) -> impl Iterator<Item = (&Object, &str, Lookup<'_>)> {
    let mut by_name: HashMap<&[u8], Vec<&Object>> = HashMap::new();
    for object in root.reachable() {
        by_name.entry(object.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()).or_default().push(object);
    }
    let mut directories: HashMap<Abi, Vec<Vec<u8>>> = HashMap::new();
    let mut known: HashMap<(Abi, &str), Lookup<'_>> = HashMap::new();
    let files = root.objects.iter().filter(|object| is_for_linux(object) && !object.path.starts_with(b"/usr/lib/debug/"));
    let needs = files.flat_map(|object| object.details.facts.needed.iter().map(move |name| (object, name.as_str())));
    let results = needs.filter(|(_, name)| !name.starts_with("linux-vdso") && !name.starts_with("linux-gate")).map(
        move |(object, name)| {
            let abi = object.abi();
            if name.contains('/') {
                let paths = expanded(object, name);
                return (object, name, search(root, &[], &String::from_utf8_lossy(&paths), abi));
            }
            if let found @ Lookup::Found(_) = search(root, &own_directories(object), name, abi) {
                return (object, name, found);
            }
            let directories = directories.entry(abi).or_insert_with(|| root.library_directories(abi));
            let result = *known.entry((abi, name)).or_insert_with(|| match search(root, directories, name, abi) {
                Lookup::Missing => {
                    let elsewhere = by_name.get(name.as_bytes()).and_then(|all| all.iter().find(|other| other.abi().agrees(abi)));
                    elsewhere.map_or(Lookup::Missing, |other| Lookup::Elsewhere(other))
                }
                found => found,
            });
            (object, name, result)
        },
    );
    // What a part does not have may be elsewhere.
    results.filter(|(.., result)| root.is_whole() || matches!(result, Lookup::Found(_)))
}

fn search<'a>(root: &'a Root, directories: &[Vec<u8>], name: &str, abi: Abi) -> Lookup<'a> {
    let mut other = Lookup::Missing;
    let mut look = |path: &[u8]| match root.find(path) {
        Found::Object(library) if library.abi().agrees(abi) => Some(Lookup::Found(library)),
        Found::Object(library) => {
            other = Lookup::Other(library);
            None
        }
        _ => None,
    };
    let found = if name.contains('/') {
        look(name.as_bytes())
    } else {
        directories.iter().find_map(|directory| look(&[directory.as_slice(), name.as_bytes()].join(&b'/')))
    };
    found.unwrap_or(other)
}

/// Whether it is in a file format that Linux starts: those of the BSDs say so in their headers.
pub(crate) fn is_for_linux(object: &Object) -> bool {
    // ELFOSABI_SYSV, ELFOSABI_GNU, ELFOSABI_ARM
    matches!(object.details.facts.os_abi, 0 | 3 | 97) && !matches!(object.abi(), Abi::Other(..))
}

/// The directories that the file itself names. `DT_RPATH` counts only without `DT_RUNPATH`.
fn own_directories(object: &Object) -> Vec<Vec<u8>> {
    let details = &object.details;
    let paths = if details.runpath.is_empty() { &details.rpath } else { &details.runpath };
    paths.iter().map(|path| expanded(object, path)).filter(|path| path.starts_with(b"/")).collect()
}

/// A path with the loader's variables filled in.
fn expanded(object: &Object, path: &str) -> Vec<u8> {
    let slash = object.path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let origin = String::from_utf8_lossy(object.path.get(..slash).unwrap_or_default());
    let library = object.abi().triplet().map_or_else(|| "lib".to_owned(), |triplet| format!("lib/{triplet}"));
    let path = path.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
    path.replace("${LIB}", &library).replace("$LIB", &library).into_bytes()
}

/// The files, those of a root file system together, with its name; each other one by itself.
pub(crate) fn each_group(facts: &Facts) -> Vec<(String, Vec<&Object>)> {
    let alone = facts.objects.iter().map(|object| (object.name(), vec![object]));
    alone.chain(facts.roots.iter().map(|root| (root.name.clone(), root.objects.iter().collect()))).collect()
}

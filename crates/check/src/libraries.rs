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
    for object in &root.objects {
        by_name.entry(object.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()).or_default().push(object);
    }
    let mut directories: HashMap<Abi, Vec<Vec<u8>>> = HashMap::new();
    let mut known: HashMap<(Abi, &str), Lookup<'_>> = HashMap::new();
    let files = root.objects.iter().filter(|object| !object.path.starts_with(b"/usr/lib/debug/"));
    let needs = files.flat_map(|object| object.details.facts.needed.iter().map(move |name| (object, name.as_str())));
    needs.filter(|(_, name)| !name.starts_with("linux-vdso") && !name.starts_with("linux-gate")).map(move |(object, name)| {
        let abi = object.abi();
        let own = own_directories(object);
        if let found @ Lookup::Found(_) = search(root, &own, name, abi) {
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
    })
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

/// The directories that the file itself names. `DT_RPATH` counts only without `DT_RUNPATH`.
fn own_directories(object: &Object) -> Vec<Vec<u8>> {
    let details = &object.details;
    let paths = if details.runpath.is_empty() { &details.rpath } else { &details.runpath };
    let slash = object.path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let origin = String::from_utf8_lossy(object.path.get(..slash).unwrap_or_default());
    let library = object.abi().triplet().map_or_else(|| "lib".to_owned(), |triplet| format!("lib/{triplet}"));
    let expanded = paths.iter().map(|path| {
        let path = path.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
        path.replace("${LIB}", &library).replace("$LIB", &library)
    });
    expanded.filter(|path| path.starts_with('/')).map(String::into_bytes).collect()
}

/// Every file with the name that a person finds it by.
pub(crate) fn each(facts: &Facts) -> impl Iterator<Item = (String, &Object)> {
    facts.every_object().map(|(root, object)| (root.map_or("", |root| &root.prefix).to_owned() + &object.name(), object))
}

/// The files, those of a root file system together, with its name; each other one by itself.
pub(crate) fn each_group(facts: &Facts) -> Vec<(String, Vec<&Object>)> {
    let alone = facts.objects.iter().map(|object| (object.name(), vec![object]));
    alone.chain(facts.roots.iter().map(|root| (root.name.clone(), root.objects.iter().collect()))).collect()
}

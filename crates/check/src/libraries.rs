//! Which library a file gets: the search of the dynamic loader, ld.so(8), in a root file system.

use crate::facts::{Abi, Facts, Object};
use crate::root::{Entry, Found, Root};
use memchr::memmem;
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
    /// Nobody knows: there was too much to look for. Everything after it is left out.
    Unknown,
}

/// Places that are looked at for what files name: a system of a million files has a million. A file that means no good may
/// name four thousand libraries and sixty directories.
const MAX_PLACES: usize = 1_500_000;

/// Every file that names libraries, each of them, and what the loader would find.
pub(crate) fn lookup(root: &Root) -> impl Iterator<Item = (&Object, &str, Lookup<'_>)> {
    let mut by_name: HashMap<&[u8], Vec<&Object>> = HashMap::new();
    let base = |path: &[u8]| path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    for object in root.reachable() {
        by_name.entry(object.path.get(base(&object.path)..).unwrap_or_default()).or_default().push(object);
    }
    // A library has its name from a link: /usr/lib/…/lapack/liblapack.so.3.
    for (path, entry) in &root.entries {
        let is_library = matches!(entry, Entry::Link(_)) && memmem::find(path, b".so").is_some();
        if let Some(Found::Object(object)) = is_library.then(|| root.find(path)) {
            by_name.entry(path.get(base(path)..).unwrap_or_default()).or_default().push(object);
        }
    }
    for objects in by_name.values_mut() {
        // The map of entries has no order.
        objects.sort_by(|a, b| a.path.cmp(&b.path));
    }
    let mut directories: HashMap<Abi, Vec<Vec<u8>>> = HashMap::new();
    let mut known: HashMap<(Abi, &str), Lookup<'_>> = HashMap::new();
    let files = root.objects.iter().filter(|object| is_for_linux(object) && !object.path.starts_with(b"/usr/lib/debug/"));
    let mut places = MAX_PLACES;
    let needs = files.flat_map(|object| object.details.facts.needed.iter().map(move |name| (object, name.as_str())));
    let needs = needs.filter(|(_, name)| !name.starts_with("linux-vdso") && !name.starts_with("linux-gate"));
    let results = needs.map(move |(object, name)| {
        let abi = object.abi();
        let own = own_directories(object);
        places = places.saturating_sub(own.len() + 1);
        if places == 0 {
            return (object, name, Lookup::Unknown);
        }
        if name.contains('/') {
            let paths = expanded(object, name);
            return (object, name, search(root, &[], &String::from_utf8_lossy(&paths), abi));
        }
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
    });
    let mut known = true;
    let results = results.take_while(move |(.., result)| std::mem::replace(&mut known, !matches!(result, Lookup::Unknown)));
    // What a part does not have may be elsewhere.
    results.filter(|(.., result)| root.is_whole() || matches!(result, Lookup::Found(_) | Lookup::Unknown))
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

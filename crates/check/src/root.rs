//! A root file system as rules see it: every path, what it is, and the ELF files among them. It is never entered: links are
//! followed here, inside the tree, so that one that leads to `/etc/passwd` leads to the tree's own.

use crate::facts::{Abi, Object};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Links that are followed to one file, as in Linux.
const MAX_LINKS: usize = 40;

/// Directories of the loader's configuration that are looked at. Real systems have up to ten.
const MAX_CONFIGURED: usize = 256;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A directory.
    Directory,
    /// A regular file that is no ELF file.
    File,
    /// An ELF file, by its place in [`Root::objects`] and, behind them, [`Root::others`].
    Object(usize),
    /// A symbolic link, and where it leads.
    Link(Vec<u8>),
    /// A device, a pipe or a socket.
    Special,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// To an ELF file.
    Object(&'a Object),
    /// To something else that is there.
    Other,
    /// To a link that leads nowhere or in a circle: the link.
    Dangling(&'a [u8]),
    /// Nowhere.
    Missing,
}

/// One root file system.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// As it was given.
    pub name: String,
    /// What goes before a path in it, so that a person finds the file: the directory, or an archive's name and a colon.
    pub prefix: String,
    /// The ELF files in question, by path.
    pub objects: Vec<Object>,
    /// Those that are not in question: they are only there to be found.
    pub others: Vec<Object>,
    /// Everything, by its path from the root; the root itself is not in it.
    pub entries: HashMap<Vec<u8>, Entry>,
    /// The directories of `/etc/ld.so.conf` and what it includes.
    pub configured: Vec<Vec<u8>>,
    /// Root file systems inside this one, such as that of a chroot or a container. What is in them is left out: it uses
    /// nothing of this one.
    pub nested: Vec<Vec<u8>>,
}

/// The directories below which there is a whole root file system, the outermost only.
fn nested(tree: &Tree) -> Vec<Vec<u8>> {
    let has = |inner: &[u8], name: &str| tree.entries.contains_key([inner, name.as_bytes()].concat().as_slice());
    let inner = tree.entries.keys().filter_map(|path| path.strip_suffix(b"/usr/bin")).filter(|inner| !inner.is_empty());
    let mut inner: Vec<Vec<u8>> =
        inner.filter(|inner| has(inner, "/etc") && has(inner, "/usr/lib")).map(<[u8]>::to_vec).collect();
    inner.sort();
    let mut outermost: Vec<Vec<u8>> = Vec::new();
    for path in inner {
        if !outermost.last().is_some_and(|outer| is_below(&path, outer)) {
            outermost.push(path);
        }
    }
    outermost
}

fn is_below(path: &[u8], directory: &[u8]) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
}

impl Root {
    /// The root file system that was read into `tree`.
    #[must_use]
    pub fn new(name: String, prefix: String, mut tree: Tree) -> Self {
        let nested = nested(&tree);
        let inner: HashSet<&[u8]> = nested.iter().map(Vec::as_slice).collect();
        let inside = |path: &[u8]| {
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            slashes.into_iter().any(|(at, _)| path.get(..at).is_some_and(|directory| inner.contains(directory)))
        };
        if !nested.is_empty() {
            tree.objects.retain(|object| !inside(&object.path));
            tree.entries.retain(|path, _| !inside(path));
        }
        tree.objects.sort_by(|a, b| a.path.cmp(&b.path));
        // In a tar file a path may occur twice: the last one is what would be unpacked.
        tree.objects.reverse();
        tree.objects.dedup_by(|a, b| a.path == b.path);
        tree.objects.reverse();
        for (at, object) in tree.objects.iter().enumerate() {
            tree.entries.insert(object.path.clone(), Entry::Object(at));
        }
        let lines = tree.configurations.values().flat_map(|text| text.split(|byte| *byte == b'\n'));
        let configured = lines.map(<[u8]>::trim_ascii).filter(|line| line.starts_with(b"/"));
        let configured = configured.take(MAX_CONFIGURED).map(<[u8]>::to_vec).collect();
        Self { name, prefix, objects: tree.objects, others: Vec::new(), entries: tree.entries, configured, nested }
    }

    /// Leaves only the `wanted` ELF files in question.
    pub(crate) fn only(&mut self, wanted: impl Fn(&Object) -> bool) {
        let all = std::mem::take(&mut self.objects).into_iter().chain(std::mem::take(&mut self.others));
        (self.objects, self.others) = all.partition(wanted);
        for (at, object) in self.objects.iter().chain(&self.others).enumerate() {
            if let Some(entry) = self.entries.get_mut(&object.path) {
                *entry = Entry::Object(at);
            }
        }
    }

    /// The ELF file of this [`Entry::Object`].
    fn object(&self, at: usize) -> Option<&Object> {
        self.objects.get(at).or_else(|| self.others.get(at.checked_sub(self.objects.len())?))
    }

    /// Where `path` leads, links followed. A relative path begins at the root.
    #[must_use]
    pub fn find(&self, path: &[u8]) -> Found<'_> {
        // What is still to be walked, the next part last.
        let mut todo: Vec<&[u8]> = Vec::new();
        push(&mut todo, path);
        let mut at: Vec<u8> = Vec::new();
        let mut link: Option<&[u8]> = None;
        let mut links = 0;
        let mut rest = 0;
        while let Some(part) = todo.pop() {
            if part == b".." {
                at.truncate(at.iter().rposition(|byte| *byte == b'/').unwrap_or(0));
                continue;
            }
            let length = at.len();
            at.push(b'/');
            at.extend_from_slice(part);
            match self.entries.get_key_value(at.as_slice()) {
                Some((name, Entry::Link(target))) => {
                    links += 1;
                    link = Some(name);
                    if links > MAX_LINKS {
                        return Found::Dangling(name);
                    }
                    // What is behind the link: if only that is missing, the link is not to blame.
                    rest = todo.len();
                    at.truncate(if target.starts_with(b"/") { 0 } else { length });
                    push(&mut todo, target);
                }
                Some((_, Entry::Directory)) => {}
                Some((_, entry)) => {
                    return match entry {
                        _ if !todo.is_empty() => Found::Missing,
                        Entry::Object(at) => self.object(*at).map_or(Found::Other, Found::Object),
                        _ => Found::Other,
                    };
                }
                None => return link.filter(|_| todo.len() >= rest).map_or(Found::Missing, Found::Dangling),
            }
        }
        Found::Other
    }

    /// The directories where the dynamic loader looks for libraries of `abi`, after those that a file names.
    #[must_use]
    pub fn library_directories(&self, abi: Abi) -> Vec<Vec<u8>> {
        let mut directories = self.configured.clone();
        if let Some(triplet) = abi.triplet() {
            directories.extend(["/lib/", "/usr/lib/"].map(|parent| format!("{parent}{triplet}").into_bytes()));
        }
        let own: &[&str] = match abi {
            Abi::X32 => &["/libx32", "/usr/libx32"],
            _ if abi.is_narrow() => &["/lib32", "/usr/lib32"],
            _ => &["/lib64", "/usr/lib64"],
        };
        directories.extend(own.iter().chain(&["/lib", "/usr/lib", "/usr/local/lib"]).map(|path| path.as_bytes().to_vec()));
        directories
    }

    /// The ELF files with this name, wherever they are.
    pub fn named<'a>(&'a self, name: &'a [u8]) -> impl Iterator<Item = &'a Object> + 'a {
        self.objects.iter().filter(move |object| object.path.rsplit(|byte| *byte == b'/').next() == Some(name))
    }
}

/// Adds the parts of `path`, so that the first of them comes off first.
fn push<'a>(todo: &mut Vec<&'a [u8]>, path: &'a [u8]) {
    todo.extend(path.split(|byte| *byte == b'/').rev().filter(|part| !part.is_empty() && *part != b"."));
}

/// A root file system that is being read.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The ELF files, in any order.
    pub objects: Vec<Object>,
    /// Everything else.
    pub entries: HashMap<Vec<u8>, Entry>,
    /// Contents of `/etc/ld.so.conf` and of the files in `/etc/ld.so.conf.d/`, by path.
    pub configurations: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// Whether the dynamic loader's configuration is, or may be, in the file at this path from the root.
#[must_use]
pub fn is_loader_configuration(path: &[u8]) -> bool {
    path == b"/etc/ld.so.conf" || path.starts_with(b"/etc/ld.so.conf.d/") && path.ends_with(b".conf")
}

#[cfg(test)]
mod tests {
    use super::{Entry, Found, Root, Tree};

    fn root(links: &[(&str, &str)]) -> Root {
        let mut tree = Tree::default();
        for (name, to) in links {
            let entry = match *to {
                "DIRECTORY" => Entry::Directory,
                "FILE" => Entry::File,
                to => Entry::Link(to.into()),
            };
            tree.entries.insert(name.as_bytes().to_vec(), entry);
        }
        Root::new("test".to_owned(), "test".to_owned(), tree)
    }

    #[test]
    fn links_are_followed_inside() {
        let root = root(&[
            ("/lib", "usr/lib"),
            ("/usr", "DIRECTORY"),
            ("/usr/lib", "DIRECTORY"),
            ("/usr/lib/a", "FILE"),
            ("/b", "/lib/../lib/./a"),
            ("/up", "../../../../b"),
            ("/c", "c"),
            ("/d", "/nowhere"),
        ]);
        assert!(matches!(root.find(b"/lib/a"), Found::Other));
        assert!(matches!(root.find(b"/b"), Found::Other));
        assert!(matches!(root.find(b"/up"), Found::Other));
        assert!(matches!(root.find(b"/c"), Found::Dangling(b"/c")));
        assert!(matches!(root.find(b"/d"), Found::Dangling(b"/d")));
        assert!(matches!(root.find(b"/lib/b"), Found::Missing));
        assert!(matches!(root.find(b"/usr/lib/a/b"), Found::Missing));
    }
}

//! A root file system as rules see it: every path, what it is, and the ELF files among them. It is never entered: links are
//! followed here, inside the tree, so that one that leads to `/etc/passwd` leads to the tree's own.

use crate::facts::{Abi, Kernel, Object};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Paths from the root and what is there. There are a hundred thousand, and they are looked up often: the hash is a quick one, with a
/// seed that an archive's author does not know.
pub type Entries = HashMap<Vec<u8>, Entry, foldhash::fast::RandomState>;

/// Links that are followed to one file, as in Linux.
const MAX_LINKS: usize = 40;

/// Directories of the loader's configuration that are looked at. Real systems have up to ten.
const MAX_CONFIGURED: usize = 256;

/// Files of configuration that are kept, of at most 64 KiB each. Real systems have up to fifty.
const MAX_CONFIGURATIONS: usize = 256;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A directory.
    Directory,
    /// A regular file that is no ELF file.
    File,
    /// An ELF file, by its place in [`Tree::objects`], or in [`Root::objects`] and, behind them, [`Root::others`].
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
    pub entries: Entries,
    /// The directories of `/etc/ld.so.conf` and what it includes.
    pub configured: Vec<Vec<u8>>,
    /// What the files are that [`is_configuration`] names.
    pub configurations: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Root file systems inside this one, such as that of a chroot or a container. What is in them is left out: it uses
    /// nothing of this one.
    pub nested: Vec<Vec<u8>>,
    /// Whether it is all there is when the system runs. A package is only a part of that: what is missing in it may be
    /// elsewhere.
    pub whole: bool,
    /// Whether that it is a part was only concluded from what is not in it.
    pub assumed: bool,
    /// Of a part: the root file system that it was given together with, and in it this and all other parts.
    pub around: Option<Arc<Root>>,
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
        tree.add_parents();
        let nested = nested(&tree);
        let inner: HashSet<&[u8]> = nested.iter().map(Vec::as_slice).collect();
        let inside = |path: &[u8]| {
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            slashes.into_iter().any(|(at, _)| path.get(..at).is_some_and(|directory| inner.contains(directory)))
        };
        if !nested.is_empty() {
            tree.entries.retain(|path, _| !inside(path));
        }
        let mut objects = Vec::new();
        for (path, entry) in &tree.entries {
            let Entry::Object(at) = entry else { continue };
            objects.extend(tree.objects.get(*at).map(|object| Object { path: path.clone(), ..object.clone() }));
        }
        objects.sort_by(|a, b| a.path.cmp(&b.path));
        for (at, object) in objects.iter().enumerate() {
            tree.entries.insert(object.path.clone(), Entry::Object(at));
        }
        if !nested.is_empty() {
            tree.configurations.retain(|path, _| !inside(path));
        }
        let loader = tree.configurations.iter().filter(|(path, _)| path.starts_with(b"/etc/ld.so.conf"));
        let lines = loader.flat_map(|(_, text)| text.split(|byte| *byte == b'\n'));
        let configured = lines.map(<[u8]>::trim_ascii).filter(|line| line.starts_with(b"/"));
        let configured = configured.take(MAX_CONFIGURED).map(<[u8]>::to_vec).collect();
        Self {
            name,
            prefix,
            objects,
            others: Vec::new(),
            entries: tree.entries,
            configured,
            configurations: tree.configurations,
            nested,
            whole: true,
            assumed: false,
            around: None,
        }
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
        if let Some(around) = &self.around {
            return around.find(path);
        }
        let mut walk = Walk::new(path);
        let mut link: Option<&[u8]> = None;
        let mut rest = 0;
        while walk.forward() {
            match self.entries.get_key_value(walk.at.as_slice()) {
                Some((name, Entry::Link(target))) => {
                    link = Some(name);
                    // What is behind the link: if only that is missing, the link is not to blame.
                    rest = walk.todo.len();
                    if !walk.follow(target) {
                        return Found::Dangling(name);
                    }
                }
                Some((_, Entry::Directory)) => {}
                Some((_, entry)) => {
                    return match entry {
                        _ if !walk.todo.is_empty() => Found::Missing,
                        Entry::Object(at) => self.object(*at).map_or(Found::Other, Found::Object),
                        _ => Found::Other,
                    };
                }
                None => return link.filter(|_| walk.todo.len() >= rest).map_or(Found::Missing, Found::Dangling),
            }
        }
        Found::Other
    }

    /// Whether it is what a Debian package is made from, or the directory of an unpacked one: `dpkg-deb --raw-extract` makes it.
    #[must_use]
    pub fn is_package(&self) -> bool {
        self.entries.contains_key(b"/DEBIAN/control".as_slice())
    }

    /// Whether there is what every system has and no package of a program: a C library, a dynamic loader, a shell, users.
    /// Without files that need any of that it makes no difference.
    #[must_use]
    pub fn is_system(&self) -> bool {
        const PATHS: [&[u8]; 6] = [b"/bin/sh", b"/usr/bin/sh", b"/etc/passwd", b"/init", b"/sbin/init", b"/usr/sbin/init"];
        const NAMES: [&[u8]; 4] = [b"libc.so", b"ld-", b"ld.so", b"ld64.so"];
        let name = |path: &[u8]| {
            NAMES.iter().any(|name| path.rsplit(|byte| *byte == b'/').next().is_some_and(|last| last.starts_with(name)))
        };
        PATHS.iter().any(|path| self.entries.contains_key(*path))
            || self.entries.keys().any(|path| name(path))
            || !self.objects.iter().any(|object| object.details.dynamic)
    }

    /// Whether what is not found is not there when the system runs.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole || self.around.as_ref().is_some_and(|around| around.whole)
    }

    /// The ELF files that one in it may use: its own, and those around it.
    pub fn reachable(&self) -> impl Iterator<Item = &Object> {
        let root = self.around.as_deref().unwrap_or(self);
        root.objects.iter().chain(&root.others)
    }

    /// As it was read, to add to it.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let configuration = (b"/etc/ld.so.conf".to_vec(), self.configured.join(&b'\n'));
        Tree {
            entries: self.entries.clone(),
            objects: self.objects.iter().chain(&self.others).cloned().collect(),
            configurations: BTreeMap::from([configuration]),
            kernels: BTreeMap::new(),
        }
    }

    /// The directories where the dynamic loader looks for libraries of `abi`, after those that a file names.
    #[must_use]
    pub fn library_directories(&self, abi: Abi) -> Vec<Vec<u8>> {
        let mut directories = self.around.as_deref().unwrap_or(self).configured.clone();
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
}

/// A walk along a path, part by part. It does not leave the root.
struct Walk<'a> {
    /// Where it is.
    at: Vec<u8>,
    /// How long that was before the last part.
    before: usize,
    /// What is still to be walked, the next part last.
    todo: Vec<&'a [u8]>,
    links: usize,
}

impl<'a> Walk<'a> {
    fn new(path: &'a [u8]) -> Self {
        let mut walk = Self { at: Vec::new(), before: 0, todo: Vec::new(), links: 0 };
        walk.push(path);
        walk
    }

    fn push(&mut self, path: &'a [u8]) {
        self.todo.extend(path.split(|byte| *byte == b'/').rev().filter(|part| !part.is_empty() && *part != b"."));
    }

    /// Goes to the next part that has a name, if there is one.
    fn forward(&mut self) -> bool {
        while let Some(part) = self.todo.pop() {
            if part == b".." {
                self.at.truncate(self.at.iter().rposition(|byte| *byte == b'/').unwrap_or(0));
                continue;
            }
            self.before = self.at.len();
            self.at.push(b'/');
            self.at.extend_from_slice(part);
            return true;
        }
        false
    }

    /// Goes where the link leads at which it is, unless there were too many.
    fn follow(&mut self, target: &'a [u8]) -> bool {
        self.links += 1;
        self.at.truncate(if target.starts_with(b"/") { 0 } else { self.before });
        self.push(target);
        self.links <= MAX_LINKS
    }
}

/// A root file system that is being read.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Everything, by its path from the root. Directories that hold something may be missing.
    pub entries: Entries,
    /// The ELF files, where [`Entry::Object`] says; their paths are those of the entries.
    pub objects: Vec<Object>,
    /// Contents of the files that [`is_configuration`] names, by path.
    pub configurations: BTreeMap<Vec<u8>, Vec<u8>>,
    /// What was found out about kernels' images and configurations, by path.
    pub kernels: BTreeMap<Vec<u8>, Kernel>,
}

/// How a tree gets onto another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// As dpkg(1) unpacks a package: a link to a directory stays, and what the package has in that directory goes where it leads.
    Package,
    /// As a layer of a container's image (OCI image specification, layer.md): a directory takes the place of a link, and
    /// files whose names begin with `.wh.` say what of the layers below is gone.
    Layer,
}

/// Gives every part of a root file system what is around it: the first whole one that has files for the same ABI, or else the
/// first, and all other parts.
pub fn surround(roots: &mut [Root]) {
    let base = |part: &Root| {
        let mut whole = roots.iter().enumerate().filter(|(_, root)| root.whole);
        let fits = |root: &Root| root.objects.iter().any(|a| part.objects.iter().any(|b| a.abi() == b.abi()));
        let fitting = whole.clone().find(|(_, root)| fits(root));
        fitting.or_else(|| whole.next()).map(|(at, _)| at)
    };
    let parts: Vec<(usize, Option<usize>)> =
        roots.iter().enumerate().filter(|(_, root)| !root.whole).map(|(at, part)| (at, base(part))).collect();
    if let [(_, None)] = parts.as_slice() {
        // Around it there is nothing but itself.
        return;
    }
    let bases: std::collections::BTreeSet<Option<usize>> = parts.iter().map(|(_, base)| *base).collect();
    for base in bases {
        let mut tree = base.and_then(|at| roots.get(at)).map(Root::tree).unwrap_or_default();
        let inside: Vec<usize> = parts.iter().filter(|(_, own)| *own == base).map(|(at, _)| *at).collect();
        for part in inside.iter().filter_map(|at| roots.get(*at)) {
            tree.lay(part.tree(), Over::Package);
        }
        let mut around = Root::new(String::new(), String::new(), tree);
        around.whole = base.is_some();
        let around = Arc::new(around);
        for part in inside {
            if let Some(part) = roots.get_mut(part) {
                part.around = Some(Arc::clone(&around));
            }
        }
    }
}

impl Tree {
    /// Adds what another thread has read of the same.
    pub fn merge(&mut self, mut other: Self) {
        if other.entries.len() > self.entries.len() {
            // The smaller one is moved.
            std::mem::swap(self, &mut other);
        }
        let count = self.objects.len();
        self.entries.extend(other.entries.into_iter().map(|(path, entry)| (path, entry.moved(count))));
        self.objects.extend(other.objects);
        self.configurations.extend(other.configurations);
        self.kernels.extend(other.kernels);
    }

    /// Puts `upper` onto this.
    pub fn lay(&mut self, mut upper: Self, over: Over) {
        let mut gone = HashSet::new();
        let mut emptied = HashSet::new();
        if over == Over::Layer {
            upper.entries.retain(|path, _| match whiteout(path) {
                Some((directory, Some(name))) => !gone.insert([directory, name].join(&b'/')),
                Some((directory, None)) => !emptied.insert(directory.to_vec()),
                None => true,
            });
        }
        let mut entries: Vec<(Vec<u8>, Entry)> =
            upper.entries.iter().map(|(path, entry)| (path.clone(), entry.clone())).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let place = |path: &[u8]| {
            resolved(path, |at| match (upper.entries.get(at), self.entries.get(at)) {
                (Some(Entry::Directory), below) if over == Over::Package => below,
                (above, below) => above.or(below),
            })
        };
        let mut gone: HashSet<Vec<u8>> = gone.iter().map(|path| place(path)).collect();
        let emptied: HashSet<Vec<u8>> = emptied.iter().map(|path| place(&[path.as_slice(), b"."].join(&b'/'))).collect();
        let mut places: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        for (path, entry) in &entries {
            let place = place(path);
            if *entry != Entry::Directory && self.entries.get(&place) == Some(&Entry::Directory) {
                gone.insert(place.clone());
            }
            places.insert(path.clone(), place);
        }
        if !gone.is_empty() || !emptied.is_empty() {
            self.entries.retain(|path, _| {
                let mut above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').filter_map(|(at, _)| path.get(..at));
                !gone.contains(path) && !above.any(|directory| gone.contains(directory) || emptied.contains(directory))
            });
        }
        let count = self.objects.len();
        for (path, entry) in entries {
            let Some(place) = places.get(&path).cloned() else { continue };
            let is_link = matches!(self.entries.get(&place), Some(Entry::Link(_)));
            if !(over == Over::Package && entry == Entry::Directory && is_link) {
                self.entries.insert(place, entry.moved(count));
            }
        }
        let moved = |path: Vec<u8>| places.get(&path).cloned().unwrap_or(path);
        self.objects.extend(upper.objects);
        self.configurations.extend(upper.configurations.into_iter().map(|(path, text)| (moved(path), text)));
        self.kernels.extend(upper.kernels.into_iter().map(|(path, kernel)| (moved(path), kernel)));
        self.configurations.retain(|path, _| self.entries.contains_key(path));
        self.kernels.retain(|path, _| self.entries.contains_key(path));
    }

    /// Adds the directories that entries are in: an archive need not have them.
    fn add_parents(&mut self) {
        let mut missing = HashSet::new();
        for path in self.entries.keys() {
            let slashes = path.iter().enumerate().skip(1).filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
            for parent in slashes.rev().filter_map(|at| path.get(..at)) {
                if self.entries.contains_key(parent) || !missing.insert(parent.to_vec()) {
                    break;
                }
            }
        }
        self.entries.extend(missing.into_iter().map(|path| (path, Entry::Directory)));
    }
}

impl Entry {
    /// The same after `count` objects.
    fn moved(self, count: usize) -> Self {
        if let Self::Object(at) = self { Self::Object(at + count) } else { self }
    }
}

/// What a whiteout takes away: an entry of a directory, or all entries that are there before the layer.
fn whiteout(path: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let slash = path.iter().rposition(|byte| *byte == b'/')?;
    let (directory, name) = (path.get(..slash)?, path.get(slash + 1..)?.strip_prefix(b".wh.")?);
    Some((directory, Some(name).filter(|name| *name != b".wh..opq")))
}

/// Where what is put at `path` gets to: the links on the way are followed, the last part is not.
fn resolved<'a>(path: &'a [u8], entry: impl Fn(&[u8]) -> Option<&'a Entry>) -> Vec<u8> {
    let slash = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let (directory, name) = path.split_at(slash);
    let mut walk = Walk::new(directory);
    while walk.forward() {
        if let Some(Entry::Link(target)) = entry(&walk.at) {
            if !walk.follow(target) {
                return path.to_vec();
            }
        }
    }
    let mut at = walk.at;
    if name != b"/." {
        at.extend_from_slice(name);
    }
    at
}

impl Tree {
    /// Notes a configuration, unless there are more than any system has.
    pub fn configure(&mut self, path: Vec<u8>, text: Vec<u8>) {
        if self.configurations.len() < MAX_CONFIGURATIONS {
            self.configurations.insert(path, text);
        }
    }
}

/// Whether the file at this path from the root is, or may be, part of a configuration that rules look at: the dynamic loader's,
/// the kernel's at run time (sysctl), or that of a boot loader, which has the kernel's command line.
#[must_use]
pub fn is_configuration(path: &[u8]) -> bool {
    const FILES: &[&str] = &[
        "/etc/ld.so.conf",
        "/etc/sysctl.conf",
        "/etc/default/grub",
        "/etc/kernel/cmdline",
        "/boot/grub/grub.cfg",
        "/boot/grub2/grub.cfg",
        "/boot/extlinux/extlinux.conf",
        "/boot/armbianEnv.txt",
        "/boot/cmdline.txt",
        "/boot/firmware/cmdline.txt",
    ];
    const DIRECTORIES: &[(&str, &str)] = &[
        ("/etc/ld.so.conf.d/", ".conf"),
        ("/etc/sysctl.d/", ".conf"),
        ("/usr/lib/sysctl.d/", ".conf"),
        ("/usr/local/lib/sysctl.d/", ".conf"),
        ("/lib/sysctl.d/", ".conf"),
        ("/etc/default/grub.d/", ".cfg"),
        ("/boot/loader/entries/", ".conf"),
        ("/efi/loader/entries/", ".conf"),
    ];
    let is_in = |(directory, ending): &(&str, &str)| path.starts_with(directory.as_bytes()) && path.ends_with(ending.as_bytes());
    FILES.iter().any(|file| file.as_bytes() == path) || DIRECTORIES.iter().any(is_in)
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

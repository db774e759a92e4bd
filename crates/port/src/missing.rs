//! Headers that are not found: which, by how many files, and the package that has them.

use crate::ast::{Diagnostic, Place, Unit};
use crate::cache::{self, Cache, Key, Seen};
use crate::project::Project;
use crate::sources;
use findings::Unchecked;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How many headers are asked for: apt-file takes a moment for each.
const ASKED: usize = 20;

/// The header that this says is missing.
pub(crate) fn name(diagnostic: &Diagnostic) -> Option<&str> {
    diagnostic.text.strip_prefix('\'')?.strip_suffix("' file not found")
}

/// Those that a file lacks.
pub(crate) fn names(unit: &Unit) -> impl Iterator<Item = Header> {
    let header = |said| Some(Header { name: name(said)?.to_owned(), is_quoted: is_quoted(unit, said.place) });
    unit.diagnostics.iter().filter_map(header)
}

/// A header that is nowhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Header {
    name: String,
    /// Whether it was in quotes, as the project's own are.
    is_quoted: bool,
}

impl Header {
    /// Whether it looks like all that a library has, `<ell/ell.h>`: what that declares nobody knows, though its parts may be in the tree.
    pub(crate) fn is_of_all(&self) -> bool {
        !self.is_quoted && self.name.split_once('/').is_some_and(|(directory, name)| name.strip_suffix(".h") == Some(directory))
    }
}

/// Whether the name of a header, at this place, is in quotes.
pub(crate) fn is_quoted(unit: &Unit, place: Place) -> bool {
    sources::piece(unit.file(place.file), place.start, 1).as_deref() == Some("\"")
}

/// How the names of headers begin that libraries for Linux have: a file that includes one is no file of another system, even if the library is
/// not installed.
const LIBRARIES: [&str; 168] = [
    "aalib", "adns", "AL/", "alsa/", "archive", "ares.h", "asound", "attr/", "audiof", "avahi", "bfd.h", "blkid/", "bluetoo",
    "boost/", "bzlib", "caca", "cairo", "cdio/", "cdk", "crypt", "cups/", "curl/", "curses", "db.h", "db_185", "dbus/", "devmap",
    "dnet.h", "dvdread/", "dwarf", "event", "expat", "ext2fs/", "EXTERN.h", "ffi", "fftw3", "FL/", "FLAC/", "fltk", "freetype",
    "ft2build", "fuse", "gc/", "gcrypt", "gd.h", "gdbm", "gdk", "gelf", "GeoIP", "gif_lib", "GL/", "GLES", "glib", "glut",
    "gmime", "gmp", "gnutls/", "gpgme", "gpm", "gsl/", "gsm.h", "gsm/", "gssapi", "gtk", "hamlib/", "hdf5", "iconv", "id3tag",
    "Imlib", "infini", "jack/", "jansson", "jpeglib", "json", "krb5", "lame/", "lber", "lcms", "ldap", "libav", "libcdio",
    "libdnet", "libdv", "libelf", "libexif", "libical", "libnet", "libpq", "libssh", "libusb", "libxml", "libxslt", "lua",
    "lzma", "lzo", "mad", "magic", "Magick", "microht", "mikmod", "modplug", "mpfr", "mpg123", "mpi.h", "mysql", "ncurses",
    "net-snmp", "netax25/", "netcdf", "netlink/", "netrom/", "netrose/", "nettle/", "nids", "numa", "ogg/", "openssl/", "opus/",
    "pango", "parted/", "pcap", "pci/", "pcre", "perl.h", "png", "poppler", "popt", "portau", "pulse/", "Python.h", "Qt",
    "readline", "rpc/", "rrd", "ruby", "sampler", "sasl/", "SDL", "security", "selinux/", "sensors/", "slang", "sndfile",
    "speex", "sqlite", "systemd/", "taglib", "tcl", "tcpd.h", "theora/", "tiff", "tk.h", "udev", "unistr", "usb.h", "uuid/",
    "vorbis/", "wx/", "X11/", "Xaw", "xcb/", "xen", "Xm/", "xosd", "yaml", "zip.h", "zlib", "zmq",
];

/// Whether a library for Linux has it, by its name.
pub(crate) fn is_of_library(header: &str) -> bool {
    LIBRARIES.iter().any(|library| header.starts_with(library))
}

/// Headers that only other systems have, in small letters: a file that includes one is for those, also where that is in quotes.
const OTHERS: [&str; 7] = ["conio.h", "dos.h", "os2.h", "vxworks.h", "windows.h", "winsock.h", "winsock2.h"];

/// Whether only another system has it.
pub(crate) fn is_of_other_system(header: &str) -> bool {
    OTHERS.contains(&header.to_lowercase().as_str())
}

/// What is said of them, each once.
pub(crate) fn listed<'a>(
    files: impl Iterator<Item = (&'a str, &'a BTreeSet<Header>)>,
    project: &Project,
    cache: Option<&Cache>,
) -> Vec<Unchecked> {
    let mut by_header: BTreeMap<&Header, Vec<&str>> = BTreeMap::new();
    for (file, missing) in files {
        for header in missing {
            by_header.entry(header).or_default().push(file);
        }
    }
    // Those that most files lack are asked for.
    let mut ordered: Vec<(&Header, Vec<&str>)> = by_header.into_iter().collect();
    ordered.sort_by_key(|(header, files)| (std::cmp::Reverse(files.len()), *header));
    let asked: Vec<&str> = ordered.iter().filter_map(|(header, _)| askable(header)).take(ASKED).collect();
    let key = Key::of(&format!("{}{asked:?}", crate::SOURCES));
    let advised = cache::ask(cache, key, || {
        let installed = installed(&asked);
        let advised: BTreeMap<String, String> =
            asked.iter().filter_map(|header| Some(((*header).to_owned(), advice(header, &installed)?))).collect();
        // Changed by whatever installs a package, or asks for lists of packages.
        let seen =
            Seen { files: ["/var/lib/dpkg/status".to_owned()].into(), directories: ["/var/lib/apt/lists".to_owned()].into() };
        Some((advised, seen))
    });
    let advised = advised.unwrap_or_default();
    let (mut listed, mut unknown) = (Vec::new(), (Vec::new(), Vec::new()));
    for (header, files) in ordered {
        let name = header.name.as_str();
        match plain(name).and_then(|header| advised.get(header)) {
            Some(advice) => {
                let because =
                    format!("this header was not found, so that lines of {} are not analysed; {advice}", project.some(&files));
                listed.push(Unchecked { what: name.to_owned(), because });
            }
            None => {
                unknown.0.push(name);
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
            project.some(&files)
        );
        listed.push(Unchecked { what: headers.join(", "), because });
    }
    listed
}

/// What other packages are asked for: not for a bare name in quotes, which is the project's own, and is made when it is built. Whatever has
/// the same name elsewhere, as many a `version.h`, is something else.
fn askable(header: &Header) -> Option<&str> {
    let is_own =
        header.is_quoted && !header.name.contains('/') && !is_of_library(&header.name) && !MADE.contains(&header.name.as_str());
    plain(&header.name).filter(|_| !is_own)
}

/// The header as the end of a path; not every name is one of a file.
fn plain(header: &str) -> Option<&str> {
    let header = header.trim_start_matches("./").trim_start_matches("../");
    let is_name = !header.is_empty() && !header.contains(['*', '?', '[', '\\']) && !header.starts_with('-');
    is_name.then_some(header)
}

/// What a program prints.
fn printed(program: &str, arguments: &[String]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Packages whose headers are found by their bare names; what they have in directories below is something else, as `sys/io.h` is.
const OF_SYSTEM: [&str; 6] = ["libc6-", "linux-libc-dev", "musl-dev", "dietlibc-dev", "libklibc-dev", "libstdc++-"];

/// Where dpkg(1) has a list of its files for each package: `dpkg-query -S` reads all of them for each pattern that it is asked for.
const LISTS: &str = "/var/lib/dpkg/info";

/// The files of installed packages that may be these headers.
fn installed(headers: &[&str]) -> Vec<String> {
    if headers.is_empty() {
        return Vec::new();
    }
    let ends: Vec<String> = headers.iter().map(|header| format!("/{header}")).collect();
    let is_asked = |path: &str| path.starts_with("/usr/include/") && ends.iter().any(|end| path.ends_with(end));
    let is_list = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".list") && !OF_SYSTEM.iter().any(|package| name.starts_with(package))
    };
    let lists = fs::read_dir(LISTS).into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_list);
    let mut found = Vec::new();
    for list in lists {
        let files = fs::read(list).unwrap_or_default();
        found.extend(String::from_utf8_lossy(&files).lines().filter(|path| is_asked(path)).map(str::to_owned));
    }
    found.sort();
    found
}

/// Headers that a package makes for itself when it is configured. Others that are installed have such a name, and are something else.
pub(crate) const MADE: [&str; 3] = ["config.h", "autoconf.h", "configure.h"];

/// Whether a directory is of the library that this header is of: whatever is called `conf.h` or `io.h` is in many.
fn is_named(directory: &str, header: &str) -> bool {
    let stem = header.split(['/', '.']).next().unwrap_or_default().to_lowercase();
    let mut parts = directory.trim_start_matches("/usr/include").split('/').map(str::to_lowercase);
    header.contains('/') || is_of_library(header) || parts.any(|part| part == stem || stem.len() > 2 && part.starts_with(&stem))
}

/// What to do to have it, as far as Debian's tools know.
fn advice(header: &str, installed: &[String]) -> Option<String> {
    if MADE.contains(&header) {
        return Some(
            "it is made when the package is configured: do that (./configure, cmake, meson setup), and repeat".to_owned(),
        );
    }
    let directories = || installed.iter().filter_map(|path| path.strip_suffix(header)?.strip_suffix('/'));
    // One that is found by its bare name would not be missing; what is deep in a library is for itself.
    let named = directories().filter(|directory| *directory != "/usr/include" && is_named(directory, header));
    if let Some(directory) = named.min_by_key(|directory| directory.len()) {
        return Some(format!("it is in {directory}: -I {directory}"));
    }
    let words = ["--fixed-string", "--package-only", "search", &format!("/usr/include/{header}")].map(str::to_owned);
    let found = printed("apt-file", &words)?;
    let mut packages: Vec<&str> = found.lines().collect();
    packages.sort_by_key(|package| (!package.ends_with("-dev"), package.len()));
    packages.first().map(|package| format!("apt-get install {package}"))
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_bare_name_is_only_looked_for_where_the_library_is_called_so() {
        for (directory, header) in [
            ("/usr/include/tcl8.6", "tcl.h"),
            ("/usr/include/glib-2.0", "glib.h"),
            ("/usr/include/x/Xm", "Xm/Xm.h"),
            ("/usr/include/a", "ncurses.h"),
        ] {
            assert!(is_named(directory, header), "{directory} {header}");
        }
        for (directory, header) in
            [("/usr/include/openssl", "conf.h"), ("/usr/include/ios", "io.h"), ("/usr/include/llvm/Support", "Memory.h")]
        {
            assert!(!is_named(directory, header), "{directory} {header}");
        }
    }
}

//! Debian packages of both architectures, in a cache: programs of the same source and version that nobody has to install.
//!
//! They are fetched by apt, with lists and a cache of their own, verified as ever, by the script that also makes root file systems for
//! tests (`packaging/debian-packages.sh`). Programs are run where they were unpacked, by the loader and with the libraries
//! that were unpacked with them, on all sides alike.

use crate::measure::Missing;
use crate::worker::Abi;
use anyhow::{Context, Result, bail, ensure};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("../../../packaging/debian-packages.sh");
/// Where programs are, in the order in which they are looked for.
const BIN: [&str; 3] = ["usr/bin", "usr/sbin", "usr/games"];
/// As many links are followed as the kernel follows.
const LINKS: usize = 40;

/// What must be unpacked together; what it depends on comes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packages {
    suite: String,
    names: Vec<String>,
}

impl Packages {
    /// These packages, of the release that this machine is; of the stable one where it is no Debian.
    ///
    /// # Errors
    /// Where a name cannot be one of a package.
    pub fn new<Name: AsRef<str>>(names: &[Name]) -> Result<Self> {
        let mut names: Vec<String> = names.iter().map(|name| name.as_ref().to_owned()).collect();
        names.sort();
        names.dedup();
        for name in &names {
            // deb-control(5), "Source", and Policy 5.6.1. What else there might be would be an option, a pattern or a path.
            let mut characters = name.chars();
            let first = characters.next().is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
            let rest = characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c));
            ensure!(
                first && rest && (2..=100).contains(&name.len()),
                "{name:?} is no name of a package, without an architecture or a version: apt-cache search WORD"
            );
        }
        Ok(Self { suite: suite(&fs::read_to_string("/etc/os-release").unwrap_or_default()), names })
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> String {
        self.names.join(" ")
    }

    /// Their names, with the versions that are there.
    #[must_use]
    pub fn versions(&self, tree: &Tree) -> String {
        let versions = self.names.iter().map(|name| format!("{name} {}", tree.version(name).unwrap_or_default()));
        versions.collect::<Vec<_>>().join(", ")
    }

    /// Where they are unpacked for this ABI; fetched, where that is wanted and they are not there.
    ///
    /// # Errors
    /// [`Missing`] where they are not there, and what went wrong while they were fetched.
    pub fn tree(&self, abi: Abi, fetch: bool) -> Result<Tree> {
        let root = cache()?.join(&self.suite).join(self.names.join("_")).join(abi.debian());
        let tree = Tree { root, abi };
        if !tree.is_whole() {
            if !fetch {
                let (names, abi) = (self.names(), abi.debian());
                bail!(Missing(format!(
                    "Debian's {names} for {abi} has not been fetched: add --fetch, which downloads it to a cache"
                )));
            }
            self.fetch(&tree).with_context(|| format!("cannot fetch Debian's {} for {}", self.names(), abi.debian()))?;
        }
        Ok(tree)
    }

    fn fetch(&self, tree: &Tree) -> Result<()> {
        for (tool, package) in [("apt-get", "apt"), ("dpkg-deb", "dpkg"), ("bash", "bash"), ("tar", "tar")] {
            let there = env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|directory| directory.join(tool).exists());
            if !there {
                bail!(Missing(format!(
                    "there is no {tool}, which is in Debian's package {package}. Elsewhere, name two programs that you have: \
                     biarch compare -- COMMAND32 -- COMMAND64"
                )));
            }
        }
        let parent = tree.root.parent().context("a directory")?;
        let elsewhere = || format!("{}: set XDG_CACHE_HOME to a directory that can be written", parent.display());
        fs::create_dir_all(parent).with_context(elsewhere)?;
        let lock = File::create(tree.beside("lock")).with_context(elsewhere)?;
        rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).with_context(elsewhere)?;
        if tree.is_whole() {
            return Ok(());
        }
        let mut command = Command::new("bash");
        command.args(["-c", SCRIPT, "debian-packages", &self.suite, tree.abi.debian()]).arg(&tree.root).args(&self.names);
        let output = command.stdin(Stdio::null()).output().context("cannot run bash")?;
        ensure!(
            output.status.success(),
            "{}\nIs there such a package (apt-cache search WORD), a network, and {} free space? BIARCH_MIRROR names another mirror",
            String::from_utf8_lossy(&output.stderr).trim_end(),
            parent.display(),
        );
        Ok(())
    }
}

/// The release's name from `os-release`(5).
fn suite(release: &str) -> String {
    let field = |name: &str| {
        let value = release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        Some(value.trim_matches('"').to_owned())
    };
    let codename = field("VERSION_CODENAME").filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()));
    codename.filter(|_| field("ID").as_deref() == Some("debian")).unwrap_or_else(|| "stable".to_owned())
}

/// The directory for what is fetched, of the XDG Base Directory Specification.
fn cache() -> Result<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Ok(cache.context("there is no HOME: set XDG_CACHE_HOME to a directory for what is fetched")?.join("biarch/packages"))
}

/// Unpacked packages of one architecture.
#[derive(Clone, Debug)]
pub struct Tree {
    root: PathBuf,
    abi: Abi,
}

impl Tree {
    fn beside(&self, extension: &str) -> PathBuf {
        self.root.with_extension(extension)
    }

    /// The script writes this when everything is there.
    fn is_whole(&self) -> bool {
        self.beside("apt").join("done").exists()
    }

    /// What it is for.
    #[must_use]
    pub fn abi(&self) -> Abi {
        self.abi
    }

    /// Its directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The version that was unpacked.
    #[must_use]
    pub fn version(&self, package: &str) -> Option<String> {
        let text = fs::read_to_string(self.beside("apt").join("packages")).ok()?;
        // NAME_VERSION_ARCHITECTURE.deb, with the colon after an epoch escaped.
        let name = text.lines().find_map(|line| line.strip_prefix(package)?.strip_prefix('_'))?;
        Some(name.split('_').next()?.replace("%3a", ":"))
    }

    /// The command that runs this program of these packages, which is found as on a `PATH`, or by its absolute path.
    ///
    /// # Errors
    /// Where it is not there, or is no program of this ABI.
    pub fn command(&self, program: &OsStr) -> Result<Vec<OsString>> {
        let named = Path::new(program);
        let path = if named.is_absolute() {
            self.root.join(named.strip_prefix("/")?)
        } else {
            ensure!(
                named.components().count() == 1,
                "{}: a program of a package is named without a directory, or from /",
                named.display()
            );
            let mut places = BIN.iter().map(|directory| self.root.join(directory).join(named));
            places.find(|path| path.symlink_metadata().is_ok()).with_context(|| self.absent(named))?
        };
        let path = self.resolve(path)?;
        ensure!(path.is_file(), "{}", self.absent(named));
        let file = elf::OpenFile::new(File::open(&path).with_context(|| path.display().to_string())?);
        let details = match elf::details(&file, elf::Depth::Headers) {
            Ok(details) => details,
            Err(elf::Error::NotElf) => bail!(
                "{} is not a program but a script or data, so what would be measured is its interpreter: fetch that as well, \
                 with --package, and begin the command with it",
                named.display()
            ),
            Err(error) => bail!("{}: {error}", path.display()),
        };
        let found = elf::machine(&details.facts);
        ensure!(
            self.abi.is(&details.facts),
            "{} of the package for {} is for {}",
            named.display(),
            self.abi.debian(),
            found.name
        );
        let Some(interpreter) = &details.facts.interpreter else { return Ok(vec![path.into()]) };
        let libraries = self.root.join("usr/lib").join(self.abi.triplet());
        let loader = libraries.join(Path::new(interpreter).file_name().context("an interpreter without a name")?);
        ensure!(loader.exists(), "the loader of {} is not among the packages: add --package libc6", named.display());
        let mut directories = vec![libraries];
        // Directories of its own would be looked for on this machine.
        let own = details.rpath.iter().chain(&details.runpath).filter_map(|path| path.strip_prefix('/'));
        directories.extend(own.map(|path| self.root.join(path)));
        Ok(vec![
            loader.into(),
            "--argv0".into(),
            path.clone().into(),
            "--library-path".into(),
            env::join_paths(directories).context("a colon in the cache's path: set XDG_CACHE_HOME to one without")?,
            path.into(),
        ])
    }

    fn absent(&self, program: &Path) -> String {
        let named = program.file_name().unwrap_or_default();
        let mut has: Vec<String> = BIN
            .iter()
            .flat_map(|directory| fs::read_dir(self.root.join(directory)).into_iter().flatten().flatten())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        has.sort();
        let more = if has.len() > 12 { " and more" } else { "" };
        has.truncate(12);
        let (named, all) = (named.to_string_lossy(), has.join(" "));
        format!(
            "there is no program {named} among the packages for {}, but {all}{more}; ls {}",
            self.abi.debian(),
            self.root.display()
        )
    }

    /// Follows links inside the packages, where an absolute one means another file than on this machine.
    fn resolve(&self, mut path: PathBuf) -> Result<PathBuf> {
        for _ in 0..LINKS {
            let Ok(target) = fs::read_link(&path) else { return Ok(path) };
            let next = match target.strip_prefix("/") {
                Ok(target) => self.root.join(target),
                Err(_) => path.parent().unwrap_or(&self.root).join(&target),
            };
            ensure!(
                next.symlink_metadata().is_ok(),
                "{} is a link to {}, which is made when the package is installed: name the program itself",
                path.display(),
                target.display()
            );
            path = next;
        }
        bail!("{}: too many links", path.display())
    }
}

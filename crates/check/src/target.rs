//! From what is given to facts. What it is is found out by looking at it; names count for nothing.

mod cpio;
mod deb;
mod descriptors;
mod directory;
mod disk;
mod ext4;
mod fat;
mod file;
mod intake;
mod kernel;
pub mod kit;
mod little;
mod machine;
mod module;
mod oci;
mod squashfs;
mod tar;
pub(crate) mod tree;

use crate::Progress;
use crate::facts::{Facts, Kernel, version};
use findings::{Report, Unchecked};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// What the machine is called that the check runs on.
pub(crate) const THIS_MACHINE: &str = "this machine";

/// Collects the facts of all targets; the report has what could not be looked at.
#[must_use]
pub fn collect(targets: &[PathBuf], progress: &dyn Progress) -> (Facts, Report) {
    let (mut facts, mut report) = (Facts::default(), Report::default());
    for path in targets {
        let result = match std::fs::metadata(path) {
            Err(error) => Err(error.to_string()),
            Ok(metadata) if metadata.is_dir() && oci::is_layout(path) => {
                oci::read_layout(path, &mut facts, &mut report, progress)
            }
            Ok(metadata) if metadata.is_dir() => {
                if !tree::read(path, &mut facts, &mut report) {
                    directory::read(path, &mut facts, &mut report, progress);
                }
                Ok(())
            }
            Ok(metadata) if metadata.is_file() => file::read(path, &mut facts, &mut report, progress),
            Ok(_) => Err("it is neither a file nor a directory".to_owned()),
        };
        if let Err(because) = result {
            report.not_checked.push(Unchecked { what: name(path), because });
        }
    }
    facts.kernels = joined(std::mem::take(&mut facts.kernels));
    crate::root::surround(&mut facts.roots);
    for root in facts.roots.iter().filter(|root| root.assumed && !root.is_whole()) {
        let because = "it has no C library, no shell and no users, and looks like a part of a root file system: what its files need \
                       from elsewhere was not looked for; give the root file system as well";
        report.not_checked.push(Unchecked { what: root.name.clone(), because: because.to_owned() });
    }
    (facts, report)
}

/// Collects the facts of this machine. `biarch` is the command that runs an i386 program where the kernel does not.
#[must_use]
pub fn this_machine(biarch: &[PathBuf]) -> (Facts, Report) {
    let (mut facts, mut report) = (Facts::default(), Report::default());
    facts.kernels.push(machine::collect(biarch).read(THIS_MACHINE, &mut report));
    (facts, report)
}

fn name(path: &Path) -> String {
    crate::facts::shown(path.as_os_str().as_bytes())
}

/// Opens a regular file, and nothing else: a pipe would wait for a writer, and a device might do something.
fn open(path: &Path) -> io::Result<File> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Puts a configuration and an image together that are of one kernel: the name says it, or they are the only ones with their
/// version.
fn joined(kernels: Vec<Kernel>) -> Vec<Kernel> {
    let (images, rest): (Vec<_>, Vec<_>) = kernels.into_iter().partition(|kernel| kernel.config.is_none());
    let (configs, mut done): (Vec<_>, Vec<_>) = rest.into_iter().partition(|kernel| kernel.image.is_none());
    let numbers = |kernel: &Kernel| kernel.release().and_then(version);
    let count = |kernels: &[Kernel], kernel: &Kernel| kernels.iter().filter(|other| numbers(other) == numbers(kernel)).count();
    let mut used = vec![false; configs.len()];
    for image in &images {
        // Debian's 6.1.0-50-amd64 is a 6.1.176, as its configuration says; but the name of that has the release.
        let named = |config: &Kernel| image.release().is_some_and(|release| config.name.ends_with(&format!("config-{release}")));
        let matching = |config: &Kernel| match numbers(config) {
            _ if named(config) => true,
            None => images.len() == 1 && configs.len() == 1,
            version => version == numbers(image) && count(&configs, config) == 1 && count(&images, image) == 1,
        };
        let at = configs.iter().position(|config| config.is_of(image) && matching(config));
        let config = at.and_then(|at| {
            used[at] = true;
            configs[at].config.clone()
        });
        done.push(Kernel { config, ..image.clone() });
    }
    done.extend(configs.into_iter().zip(used).filter(|(_, used)| !used).map(|(config, _)| config));
    done.sort_by(|a, b| a.name.cmp(&b.name));
    done
}

impl Kernel {
    /// Whether a configuration may be that of an image.
    fn is_of(&self, image: &Self) -> bool {
        image.architecture().is_none() || self.architecture() == image.architecture()
    }
}

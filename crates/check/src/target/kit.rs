//! What was collected of a machine: the text that a kit writes on a board, and the kit itself.
//!
//! A section begins with `[NAME]`. Below it are `| TEXT`, a line of what was read, and `! TEXT`, why there is no more. Whatever
//! else a line says belongs to nobody: somebody may have written there.

use super::machine::{CONFIGS, FILES, LOADERS, LOG, PROGRAMS};
use crate::config::Config;
use crate::facts::machine::{Machine, Probe};
use crate::facts::{Facts, Kernel, plain};
use findings::{Report, Unchecked};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// How a kit's text begins.
const MAGIC: &str = "biarch-kit 1";
/// A configuration with 12,000 lines and `/proc/cpuinfo` of a large machine have a megabyte together.
const MAX_SIZE: u64 = 16 << 20;
/// Sections that are looked at; a kit has thirty.
const MAX_SECTIONS: usize = 256;

/// Lines of the kernel's log that are looked at.
const MAX_LOG: usize = 1000;
/// Characters of a line that are looked at; a kernel's command line has up to 4096.
const MAX_LINE: usize = 8192;

/// What was collected.
#[derive(Debug, Default)]
pub(super) struct Kit {
    /// By their names, in the order in which they were collected.
    pub(super) sections: Vec<(String, Section)>,
}

/// One thing that was read, or was to be.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) text: String,
    /// Why there is no more.
    pub(super) because: Option<String>,
}

/// Whether a file with this beginning is what a kit has written.
pub(super) fn is_kit(start: &[u8]) -> bool {
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).starts_with(MAGIC.as_bytes())
}

impl Kit {
    /// Adds what was read, or why it was not.
    pub(super) fn add(&mut self, name: &str, read: Result<String, String>) {
        let section = match read {
            Ok(text) => Section { text, because: None },
            Err(because) => Section { text: String::new(), because: Some(because) },
        };
        self.sections.push((name.to_owned(), section));
    }

    /// Reads the text that a kit has written.
    fn parse(text: &str) -> Self {
        let mut kit = Self::default();
        for line in text.lines() {
            if let Some(name) = line.trim_end().strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                if kit.sections.len() == MAX_SECTIONS {
                    break;
                }
                kit.sections.push((name.to_owned(), Section::default()));
                continue;
            }
            let Some((_, section)) = kit.sections.last_mut() else { continue };
            // A blank at the end of a line does not survive everywhere.
            let line = line.char_indices().nth(MAX_LINE).and_then(|(at, _)| line.get(..at)).unwrap_or(line);
            if let Some(text) = line.trim_end().strip_prefix('|') {
                section.text.push_str(text.strip_prefix(' ').unwrap_or(text));
                section.text.push('\n');
            } else if let Some(because) = line.strip_prefix("! ") {
                section.because.get_or_insert_with(|| because.trim_end().to_owned());
            }
        }
        // What was cut off in the middle says something that is not so: of a configuration, that options have no line.
        if kit.sections.last().is_some_and(|(name, _)| name != "end" && !name.starts_with("probe ")) {
            kit.sections.pop();
        }
        kit
    }

    /// What it says about the machine, as a kernel that is running; and what it could not say.
    pub(super) fn read(self, name: &str, report: &mut Report) -> Kernel {
        let mut machine = Machine::default();
        let mut config = None;
        let mut whole = false;
        let mut unchecked = |what: &str, because: String| {
            report.not_checked.push(Unchecked { what: format!("{name}: {what}"), because: plain(&because) });
        };
        for (section, Section { text, because }) in self.sections {
            match section.split_once(' ').unwrap_or((&section, "")) {
                ("uname", _) => {
                    for line in text.lines() {
                        match line.split_once(' ') {
                            Some(("release", release)) => release.clone_into(&mut machine.release),
                            Some(("machine", hardware)) => hardware.clone_into(&mut machine.hardware),
                            _ => {}
                        }
                    }
                }
                ("config", _) => {
                    config = Config::parse(&text);
                    if config.is_none() {
                        let because = because.unwrap_or_else(|| "there is no option in it".to_owned());
                        unchecked("the kernel's configuration", because);
                    }
                }
                ("loaders", _) => {
                    let known = text.lines().filter(|line| LOADERS.contains(line));
                    machine.loaders = Some(known.take(LOADERS.len()).map(str::to_owned).collect());
                }
                ("log", _) => {
                    machine.log = text.lines().take(MAX_LOG).map(str::to_owned).collect();
                    // Only there it says something about 32-bit programs.
                    if let Some(because) = because.filter(|_| machine.has_arm()) {
                        unchecked("the kernel's log", because);
                    }
                }
                ("probe", name) => machine.probes.push(probe(name, &text, because)),
                ("end", _) => whole = true,
                (path, "") if path.starts_with('/') && because.is_none() => drop(machine.files.insert(path.to_owned(), text)),
                _ => {}
            }
        }
        if !whole {
            unchecked("the end", "the text ends before it; was it cut off?".to_owned());
        }
        // Which processor it is matters for the errata of Arm's.
        for (path, matters) in [("/proc/cmdline", true), ("/proc/cpuinfo", machine.has_arm())] {
            if matters && machine.file(path).is_none() {
                unchecked(path, "it could not be read".to_owned());
            }
        }
        if let Some(because) = machine.untried() {
            unchecked("what 32-bit programs find", because);
        }
        Kernel { name: name.to_owned(), config, image: None, machine: Some(machine) }
    }
}

/// What a probe has said; the name is that of the section, `i386` or `i386 biarch`.
fn probe(name: &str, text: &str, because: Option<String>) -> Probe {
    let (name, by) = name.split_once(' ').unwrap_or((name, ""));
    let mut probe = Probe { name: name.to_owned(), by_biarch: by == "biarch", ..Probe::default() };
    // A shell may have said something before.
    for line in text.lines().skip_while(|line| !line.starts_with("probe 1 ")) {
        probe.read(line.trim_end());
    }
    if let Some(because) = because {
        let mut words = because.strip_prefix("exit ").unwrap_or("0 ").splitn(2, ' ');
        let status = words.next().and_then(|status| status.parse().ok()).unwrap_or_default();
        probe.failure = Some((status, words.next().unwrap_or_default().to_owned()));
    }
    probe
}

/// Reads what a kit has written, from a file called `name`.
pub(super) fn read(name: &str, input: impl Read, facts: &mut Facts, report: &mut Report) -> Result<(), String> {
    let mut bytes = Vec::new();
    input.take(MAX_SIZE).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let kernel = Kit::parse(&String::from_utf8_lossy(&bytes)).read(name, report);
    if kernel.machine.as_ref().is_none_or(|machine| machine.architecture().is_none()) {
        return Err("it is the text of a kit, but does not say of what machine".to_owned());
    }
    facts.kernels.push(kernel);
    Ok(())
}

/// Writes the kit into `directory`, which is made if it is not there: the probes, a script, and how to use them.
///
/// # Errors
/// What cannot be written, and why.
pub fn write(directory: &Path) -> io::Result<()> {
    let place = |name: &str, contents: &[u8], mode: u32| {
        let path = directory.join(name);
        let written =
            std::fs::write(&path, contents).and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)));
        written.map_err(|error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
    };
    std::fs::create_dir_all(directory)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot make {}: {error}", directory.display())))?;
    for program in PROGRAMS {
        place(&format!("probe-{}", program.name), program.contents, 0o755)?;
    }
    place("check.sh", script().as_bytes(), 0o755)?;
    place("README.txt", include_bytes!("../../kit/README.txt"), 0o644)
}

fn script() -> String {
    let probes: Vec<String> =
        PROGRAMS.iter().map(|program| format!("        {}) probe {} ;;", program.machines.join(" | "), program.name)).collect();
    include_str!("../../kit/check.sh")
        .replace("@FILES@", &FILES.join(" "))
        .replace("@CONFIGS@", &CONFIGS.join(" "))
        .replace("@LOADERS@", &LOADERS.join(" "))
        .replace("@PROBES@", &probes.join("\n"))
        .replace("@LOG@", &LOG.join("|"))
}

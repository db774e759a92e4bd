//! The three ways to run an i386 program, and the command that each takes.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Where the inputs are, inside the root directory.
pub(crate) const WORK: &str = "/var/tmp/biarch-bench";

/// One of the three columns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum System {
    /// The kernel's own 32-bit support.
    Native,
    /// `biarch run`.
    Biarch,
    /// User-mode translation.
    Qemu,
}

impl System {
    pub(crate) const ALL: [System; 3] = [System::Native, System::Biarch, System::Qemu];

    /// The column's heading, and the key in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            System::Native => "native",
            System::Biarch => "biarch",
            System::Qemu => "qemu-i386",
        }
    }
}

/// What is installed where.
pub(crate) struct Systems {
    /// Whether the kernel runs i386 programs itself.
    pub(crate) native: bool,
    pub(crate) biarch: Option<PathBuf>,
    /// The design of the entry, as `--entry` of `biarch run` takes it.
    pub(crate) entry: Option<String>,
    pub(crate) qemu: Option<PathBuf>,
    /// The compiled guests.
    pub(crate) guests: PathBuf,
    /// An i386 root directory.
    pub(crate) root: Option<PathBuf>,
}

impl Systems {
    pub(crate) fn has(&self, system: System) -> bool {
        match system {
            System::Native => self.native,
            System::Biarch => self.biarch.is_some(),
            System::Qemu => self.qemu.is_some(),
        }
    }

    /// The command for one of our own guests.
    pub(crate) fn guest(&self, system: System, name: &str, arguments: &[&str]) -> Result<Command> {
        let mut words = self.prefix(system)?;
        words.push(self.guests.join(name).into());
        words.extend(arguments.iter().map(Into::into));
        Ok(command(words))
    }

    /// The command for `fork_exec`, which starts `child`. The kernel itself executes the child of a translated guest, so the
    /// translator is named there once more.
    pub(crate) fn guest_exec(&self, system: System, name: &str, child: &str) -> Result<Command> {
        let mut words = self.prefix(system)?;
        words.push(self.guests.join(name).into());
        if system == System::Qemu {
            words.extend(self.prefix(system)?);
        }
        words.push(self.guests.join(child).into());
        Ok(command(words))
    }

    /// The command for a program of the root directory. `{work}` in an argument stands for the directory of the inputs.
    pub(crate) fn rooted(&self, system: System, argv: &[&str]) -> Result<Command> {
        let root = self.root.as_deref().context("no i386 root directory")?;
        let inside = |argument: &str| OsString::from(argument.replace("{work}", WORK));
        let words = match system {
            System::Native => {
                let mut words = change_root(root)?;
                words.extend(argv.iter().map(|argument| inside(argument)));
                words
            }
            System::Biarch => {
                let mut words = self.prefix(system)?;
                words.extend(["--chroot".into(), root.into()]);
                words.extend(argv.iter().map(|argument| inside(argument)));
                words
            }
            System::Qemu => {
                let mut words = self.prefix(system)?;
                let outside = |path: &str| format!("{}{path}", root.display());
                words.extend(["-L".into(), root.into()]);
                words.extend(argv.first().map(|program| outside(program).into()));
                words.extend(argv.iter().skip(1).map(|argument| argument.replace("{work}", &outside(WORK)).into()));
                words
            }
        };
        Ok(command(words))
    }

    fn prefix(&self, system: System) -> Result<Vec<OsString>> {
        let mut words: Vec<OsString> = Vec::new();
        match system {
            System::Native => {}
            System::Biarch => {
                words.extend([self.biarch.as_ref().context("no biarch")?.into(), "run".into()]);
                if let Some(entry) = &self.entry {
                    words.extend(["--entry".into(), entry.into()]);
                }
            }
            System::Qemu => words.push(self.qemu.as_ref().context("no qemu-i386")?.into()),
        }
        Ok(words)
    }
}

/// chroot(1) for root, and for everybody else the same in a user namespace of their own.
fn change_root(root: &Path) -> Result<Vec<OsString>> {
    let user = std::fs::metadata("/proc/self").context("cannot look at /proc/self")?.uid();
    Ok(if user == 0 {
        vec!["chroot".into(), root.into()]
    } else {
        vec!["unshare".into(), "--map-root-user".into(), "--root".into(), root.into()]
    })
}

/// The command, in an environment that is the same for everybody.
fn command(words: Vec<OsString>) -> Command {
    let mut words = words.into_iter();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).env_clear().env("LC_ALL", "C").env("HOME", "/");
    command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    command
}

/// The version of gcc in the root directory: the newest that has a compiler proper.
pub(crate) fn gcc_version(root: &Path) -> Result<u32> {
    let versions = root.join("usr/lib/gcc/i686-linux-gnu");
    std::fs::read_dir(&versions)
        .with_context(|| format!("no gcc in the root directory: cannot list {}", versions.display()))?
        .filter_map(|entry| entry.ok().filter(|entry| entry.path().join("cc1").exists()))
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .max()
        .with_context(|| format!("no cc1 below {}", versions.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> Vec<String> {
        std::iter::once(command.get_program()).chain(command.get_args()).map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn systems() -> Systems {
        Systems {
            native: true,
            biarch: Some("/b/biarch".into()),
            entry: Some("trap".to_owned()),
            qemu: Some("/q".into()),
            guests: "/g".into(),
            root: Some("/r".into()),
        }
    }

    #[test]
    fn a_guest_under_each_system() {
        let guest = |system| words(&systems().guest(system, "hello", &["x"]).expect("all are there"));
        assert_eq!(guest(System::Native), ["/g/hello", "x"]);
        assert_eq!(guest(System::Biarch), ["/b/biarch", "run", "--entry", "trap", "/g/hello", "x"]);
        assert_eq!(guest(System::Qemu), ["/q", "/g/hello", "x"]);
    }

    #[test]
    fn the_translator_is_named_again_for_what_its_guest_executes() {
        let guest = |system| words(&systems().guest_exec(system, "fork_exec", "exit").expect("all are there"));
        assert_eq!(guest(System::Native), ["/g/fork_exec", "/g/exit"]);
        assert_eq!(guest(System::Qemu), ["/q", "/g/fork_exec", "/q", "/g/exit"]);
    }

    #[test]
    fn a_rooted_program_finds_its_input_everywhere() {
        let rooted = |system| words(&systems().rooted(system, &["/bin/xz", "{work}/text"]).expect("all are there"));
        let inside = ["/bin/xz", "/var/tmp/biarch-bench/text"];
        assert_eq!(rooted(System::Biarch), [&["/b/biarch", "run", "--entry", "trap", "--chroot", "/r"][..], &inside].concat());
        assert_eq!(rooted(System::Qemu), ["/q", "-L", "/r", "/r/bin/xz", "/r/var/tmp/biarch-bench/text"]);
        let native = rooted(System::Native);
        assert_eq!(native[native.len() - 3..], ["/r", inside[0], inside[1]]);
    }
}

//! `biarch binfmt`: the kernel gives i386 programs to biarch by itself.

mod registry;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use registry::{Entry, Registry};
use serde_json::json;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use ui::Table;
use ui::exit::say;
use ui::writers::{self, Format};

/// Let the kernel run i386 programs with biarch, as if it could itself
///
/// With an entry in binfmt_misc, ./prog32 just works: in a shell, in scripts and make rules, in chroots and containers, which need no
/// biarch inside.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  sudo biarch binfmt install\n  ./prog32\n  sudo chroot /srv/i386 /bin/sh\n  biarch binfmt status"
)]
pub(crate) struct Binfmt {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Register this biarch for i386 programs, now and after every boot
    ///
    /// Registered once more, it is the biarch that is installed now: after an update of biarch do that.
    Install,
    /// Undo that
    Remove,
    /// Say who runs i386 programs; the exit status is 1 where it is not biarch
    Status(Status),
}

#[derive(Args)]
struct Status {
    /// Write the entries that i386 programs are given to as JSON
    #[arg(long)]
    json: bool,
}

/// What the entry is called.
const NAME: &str = "biarch";

impl Binfmt {
    /// Does it; the result is the exit status.
    pub(crate) fn run(self) -> u8 {
        let result = match self.action {
            Action::Install => install().map(|()| 0),
            Action::Remove => remove().map(|()| 0),
            Action::Status(status) => status.run(),
        };
        result.unwrap_or_else(|error| ui::exit::failure(error.as_ref(), super::FAILED))
    }
}

/// How biarch is called, beside `P`, which keeps the program's own `argv[0]`, and `F`: the kernel opens biarch now, so that it is there in
/// every root directory. `C` implies `O`, and both have the kernel open the program: what it looked at is what runs, also if
/// it may be executed but not read. With `C` set-user-id programs have their privileges, which then depend on biarch's own file.
fn flags(biarch: &Path) -> &'static str {
    if only_root_changes(biarch) { "CPF" } else { "OPF" }
}

/// Whether neither the file nor a directory on the way to it can be changed by anybody but root.
fn only_root_changes(path: &Path) -> bool {
    path.ancestors().all(|part| part.metadata().is_ok_and(|status| status.uid() == 0 && status.mode() & 0o022 == 0))
}

fn install() -> Result<()> {
    if !cfg!(target_arch = "x86_64") {
        bail!("biarch runs i386 programs on x86-64 only\n  what a program needs here: biarch run PROGRAM");
    }
    let registry = Registry::open()?;
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    if older(&release, [5, 12]) {
        bail!(
            "Linux {} does not tell biarch what a program's argv[0] is; 5.12 does\n  start programs with biarch run",
            release.trim()
        );
    }
    let others: Vec<Entry> = registry.for_i386()?.into_iter().filter(|entry| entry.name != NAME).collect();
    if !others.is_empty() {
        let explained: String = others.iter().map(|other| format!("\n  {}", conflict(other))).collect();
        bail!("i386 programs are given to another program already{explained}");
    }
    let biarch = std::env::current_exe().context("cannot find out where biarch is")?;
    let Some(path) = biarch.to_str().filter(|path| biarch.exists() && !path.contains([':', '\n'])) else {
        bail!("cannot register {}: the kernel needs a path without a colon, to a file that is there", biarch.display());
    };
    let flags = flags(&biarch);
    let line = registry::line(NAME, path, flags);
    if registry.entry(NAME).is_some() {
        registry.remove(NAME)?;
    }
    registry.register(&line)?;
    let kept = registry::keep(NAME, &line).map_err(|error| {
        let undone = match registry.remove(NAME) {
            Ok(()) => "nothing is registered".to_owned(),
            Err(error) => format!("it stays registered until the next boot: {error}"),
        };
        anyhow::anyhow!("{error}, so it would be gone after a boot; {undone}")
    })?;
    say(&format!("i386 programs are run by {path}, and after a boot by {}", kept.display()));
    if !flags.contains('C') {
        say(&format!(
            "set-user-id programs run without their privileges, because others than root can change {path}\n  \
             to have them: install -D -m 755 {path} /usr/local/bin/biarch && /usr/local/bin/biarch binfmt install"
        ));
    }
    if !registry.enabled() {
        say(SWITCHED_OFF);
    }
    Ok(())
}

const SWITCHED_OFF: &str =
    "binfmt_misc is switched off as a whole\n  switch it on, as root: echo 1 > /proc/sys/fs/binfmt_misc/status";

/// Whether the kernel is of before this version.
fn older(release: &str, version: [u32; 2]) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse::<u32>().ok());
    match [numbers.next().flatten(), numbers.next().flatten()] {
        [Some(major), Some(minor)] => [major, minor] < version,
        _ => false,
    }
}

/// Why an entry of somebody else's is in the way, and what to do.
fn conflict(entry: &Entry) -> String {
    let Entry { name, interpreter, .. } = entry;
    let mut text = format!("{name} gives them to {}", interpreter.display());
    let qemu = interpreter.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"qemu-"));
    if qemu {
        text.push_str(", which translates them: they run, and several times slower");
    }
    text.push_str("; of two entries the kernel asks the one that was registered last");
    text.push_str(&format!("\n  to switch it off, as root: echo -1 > /proc/sys/fs/binfmt_misc/{name}"));
    if let Some(file) = registry::configuration(name) {
        let masked = Path::new("/etc/binfmt.d").join(file.file_name().unwrap_or_default());
        let (file, masked) = (file.display(), masked.display());
        text.push_str(&format!("\n  {file} registers it after a boot; to keep it off: ln -sf /dev/null {masked}"));
    }
    text
}

fn remove() -> Result<()> {
    let mut removed = false;
    // A register that is not there does not keep the file from being deleted.
    if let Ok(registry) = Registry::open() {
        if registry.entry(NAME).is_some() {
            registry.remove(NAME)?;
            removed = true;
        }
    }
    let file = registry::own_configuration(NAME);
    match std::fs::remove_file(&file) {
        Ok(()) => removed = true,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => bail!("cannot delete {}: {error}\n  it registers biarch again after a boot", file.display()),
    }
    if removed {
        say("i386 programs are no longer given to biarch");
    } else {
        say("biarch was not registered");
    }
    if let Some(left) = registry::configuration(NAME) {
        say(&format!(
            "{} registers it after a boot\n  to keep it off: ln -s /dev/null {}",
            left.display(),
            Path::new("/etc/binfmt.d").join(left.file_name().unwrap_or_default()).display()
        ));
    }
    Ok(())
}

impl Status {
    /// Says it. The exit status is 0 where biarch runs i386 programs.
    fn run(&self) -> Result<u8> {
        let registry = Registry::open()?;
        let entries = registry.for_i386()?;
        let own = entries.iter().find(|entry| entry.name == NAME).filter(|_| registry.enabled());
        let mut out = ui::color::stdout();
        if self.json {
            let mut table = Table::new("entries", 1, &["name", "interpreter", "flags", "configuration"]);
            for entry in &entries {
                let configuration = registry::configuration(&entry.name);
                table.push([json!(entry.name), json!(entry.interpreter), json!(entry.flags), json!(configuration)]);
            }
            writers::write(&table, Format::Json, &mut out)?;
        } else {
            write!(out, "{}", self.text(&registry, &entries, own))?;
        }
        out.flush()?;
        Ok(u8::from(own.is_none()))
    }

    fn text(&self, registry: &Registry, entries: &[Entry], own: Option<&Entry>) -> String {
        let mut text = match own {
            Some(entry) => format!("i386 programs are run by {} (flags {})\n", entry.interpreter.display(), entry.flags),
            None if !registry.enabled() => format!("{SWITCHED_OFF}\n"),
            None => "i386 programs are not run by biarch\n  to change that, as root: biarch binfmt install\n".to_owned(),
        };
        match registry::configuration(NAME) {
            Some(file) => text.push_str(&format!("after a boot {} registers biarch\n", file.display())),
            None if own.is_some() => {
                text.push_str("after a boot nothing registers biarch\n  to change that, as root: biarch binfmt install\n")
            }
            None => {}
        }
        for other in entries.iter().filter(|entry| entry.name != NAME) {
            text.push_str(&format!("{}\n", conflict(other)));
        }
        text
    }
}

//! `biarch check [TARGET…]`: what will go wrong for 32-bit programs.

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use findings::baseline::Baseline;
use findings::{Guest, Report, Rule, Severity};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use ui::Progress;
use ui::writers::report::Options;
use ui::writers::{html, json, report, sarif};

/// The exit status of a check that failed itself: nobody can tell.
const CANNOT_TELL: u8 = 2;

/// A baseline of more bytes than this is none: a finding has a few hundred.
const MAX_BASELINE: u64 = 256 << 20;

/// Find what will go wrong or be slow for 32-bit programs, before it does
///
/// Without a TARGET it is this machine: its kernel's configuration and command line, sysctls and processors, and what small
/// 32-bit programs find that are run on it. They are in biarch, take less than a second, and change nothing.
///
/// A TARGET is a kernel (.config, plain or compressed; Image, zImage, bzImage, vmlinux, zboot, uImage, FIT), one ELF file, a
/// root file system (a directory; tar, cpio; squashfs, ext4, the image of a disk; an OCI layout), a Debian package, a build tree
/// (Yocto, Buildroot, PTXdist, Armbian, a kernel's), or what a kit has written on another machine. What it is is found out.
/// Several targets are looked at together: a kernel with its configuration, a program with the kernel that is to run it.
///
/// The exit status is 0 when nothing was found, 1 when something was, 2 when something could not be looked at.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch check
  biarch check --kit KIT; scp -r KIT board:/tmp; ssh board 'cd /tmp/KIT && sh check.sh'
  biarch check /boot/vmlinuz-$(uname -r) /boot/config-$(uname -r)
  biarch check build/tmp/deploy/images/board/Image rootfs/
  biarch check --fail-on slow --json .config
  biarch check --fix build/
  biarch check --json rootfs/ > known.json; biarch check --baseline known.json rootfs/
  biarch explain K001")]
pub(crate) struct Check {
    /// What to look at
    #[arg(value_name = "TARGET")]
    targets: Vec<PathBuf>,
    /// Write into DIR what a machine without biarch is checked with: a script, the 32-bit programs, and how to use them
    #[arg(long, value_name = "DIR", conflicts_with = "targets")]
    kit: Option<PathBuf>,
    /// Only what matters to programs of this architecture; may be given twice
    #[arg(long, value_name = "ARCH")]
    arch: Vec<Arch>,
    /// Write JSON
    #[arg(long, group = "format")]
    json: bool,
    /// Write SARIF 2.1.0
    #[arg(long, group = "format")]
    sarif: bool,
    /// Write one HTML file that needs nothing else
    #[arg(long, group = "format")]
    html: bool,
    /// Print what can be added to a build tree or typed to repair what was found
    #[arg(long)]
    fix: bool,
    /// Add it to the tree: new files, and marked lines at the end of files; nothing that is there is changed
    #[arg(long, requires = "fix")]
    write: bool,
    /// The least severity of a finding that makes the exit status 1
    #[arg(long, value_name = "LEVEL", default_value = "risk")]
    fail_on: Level,
    /// Leave out what FILE has, an earlier report of --json; JSON and SARIF have it all, and say what is new
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Say everything about each rule that has found something
    #[arg(long)]
    explain: bool,
    /// Write the JSON schema of what --json writes, and look at nothing
    #[arg(long, exclusive = true)]
    json_schema: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Arch {
    /// 32-bit ARM, hard-float or not
    Armhf,
    /// 32-bit x86
    I386,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Level {
    /// Programs do not start, stop, or compute wrong results
    Fails,
    /// Programs take many times longer than they need
    Slow,
    /// Some programs fail, or may
    Risk,
    /// Worth knowing
    Note,
}

impl Check {
    pub(crate) fn run(self) -> u8 {
        match self.checked() {
            Ok(status) => status,
            Err(error) => ui::exit::failure(error.as_ref(), CANNOT_TELL),
        }
    }

    fn checked(&self) -> Result<u8> {
        if self.json_schema {
            let mut out = ui::color::stdout();
            json::report_schema(&mut out)?;
            out.flush()?;
            return Ok(0);
        }
        if let Some(directory) = &self.kit {
            ::check::target::kit::write(directory)?;
            return Ok(0);
        }
        // Before the work, which may be long.
        let baseline = self.baseline.as_deref().map(|path| read(path, "biarch check --json TARGET")).transpose()?;
        let guests: Vec<Guest> = self.arch.iter().map(|arch| arch.guest()).collect();
        let progress = Progress::start();
        let mut found = if self.targets.is_empty() {
            ::check::this_machine(&["/proc/self/exe".into(), "run".into()], &guests)
        } else {
            ::check::check_and_tell(&self.targets, &guests, &progress)
        };
        drop(progress);
        if let Some(baseline) = baseline {
            baseline.compare(&mut found);
        }
        let status = found.exit_status(self.fail_on.severity());
        let written = self.write(&found);
        let status = if self.write && !apply(&found) { status.max(1) } else { status };
        match written {
            // Whoever reads only the beginning is told the truth about the rest all the same.
            Err(error) if ui::exit::is_broken_pipe(&error) => Ok(status),
            written => Ok(written.map(|()| status)?),
        }
    }

    fn write(&self, found: &Report) -> io::Result<()> {
        let mut out = ui::color::stdout();
        let rules: Vec<&Rule> = ::check::rules().collect();
        if self.json {
            json::report(found, "check", self.explain.then_some(rules.as_slice()), &mut out)?;
        } else if self.sarif {
            sarif::write(found, &rules, &mut out)?;
        } else if self.html {
            html::write(found, &rules, self.explain, &mut out)?;
        } else {
            report::write(found, &rules, Options { width: ui::columns(), explain: self.explain }, &mut out)?;
            if self.fix {
                report::patches(found, &mut out)?;
            }
        }
        out.flush()
    }
}

/// Applies the patches; says on stderr what became of each file, and returns whether all went well.
fn apply(found: &Report) -> bool {
    let mut well = true;
    for (path, outcome) in found.patches().into_iter().flat_map(|(patch, _)| ::check::write::apply(patch)) {
        match outcome {
            Ok(outcome) => ui::exit::say(&format!("{} {path}", outcome.name())),
            Err(because) => {
                well = false;
                ui::exit::say(&format!("{path} was left alone: {because}"));
            }
        }
    }
    well
}

/// The baseline in this file, which `written` writes.
pub(super) fn read(path: &Path, written: &str) -> Result<Baseline> {
    let why = || format!("cannot read the baseline {}, which --json writes, as `{written} > FILE`", path.display());
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BASELINE).read_to_end(&mut text)).with_context(why)?;
    Baseline::parse(&text).with_context(why)
}

impl Arch {
    fn guest(self) -> Guest {
        match self {
            Self::Armhf => Guest::Armhf,
            Self::I386 => Guest::I386,
        }
    }
}

impl Level {
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::Fails => Severity::Fails,
            Self::Slow => Severity::Slow,
            Self::Risk => Severity::Risk,
            Self::Note => Severity::Note,
        }
    }
}

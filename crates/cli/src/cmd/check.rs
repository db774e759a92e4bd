//! `biarch check [TARGET…]`: what will go wrong for 32-bit programs.

use clap::{Args, ValueEnum};
use findings::Severity;
use std::io::{self, Write};
use std::path::PathBuf;
use ui::writers::{Format, report, sarif};

/// The exit status of a check that failed itself: nobody can tell.
const CANNOT_TELL: u8 = 2;

/// Find what will go wrong or be slow for 32-bit programs, before it does
///
/// Without a TARGET it is this machine: its kernel's configuration and command line, sysctls and processors, and what small
/// 32-bit programs find that are run on it. They are in biarch, take less than a second, and change nothing.
///
/// A TARGET is a kernel (.config, plain or compressed; Image, zImage, bzImage, vmlinux, zboot, uImage, FIT), one ELF file, a
/// root file system (a directory, or a tar archive), or what a kit has written on another machine. What it is is found out. Several targets are looked at together: a
/// kernel with its configuration, a program with the kernel that is to run it.
///
/// The exit status is 0 when nothing was found, 1 when something was, 2 when something could not be looked at.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch check
  biarch check --kit KIT; scp -r KIT board:/tmp; ssh board 'cd /tmp/KIT && sh check.sh'
  biarch check /boot/vmlinuz-$(uname -r) /boot/config-$(uname -r)
  biarch check build/tmp/deploy/images/board/Image rootfs/
  biarch check --fail-on slow --json .config
  biarch explain K001")]
pub(crate) struct Check {
    /// What to look at
    #[arg(value_name = "TARGET")]
    targets: Vec<PathBuf>,
    /// Write into DIR what a machine without biarch is checked with: a script, the 32-bit programs, and how to use them
    #[arg(long, value_name = "DIR", conflicts_with = "targets")]
    kit: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write SARIF 2.1.0
    #[arg(long, conflicts_with = "json")]
    sarif: bool,
    /// The least severity of a finding that makes the exit status 1
    #[arg(long, value_name = "LEVEL", default_value = "risk")]
    fail_on: Level,
}

#[derive(Clone, Copy, ValueEnum)]
enum Level {
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
        if let Some(directory) = &self.kit {
            return match check::target::kit::write(directory) {
                Ok(()) => 0,
                Err(error) => ui::exit::failure(&error, CANNOT_TELL),
            };
        }
        let found = if self.targets.is_empty() {
            check::this_machine(&["/proc/self/exe".into(), "run".into()])
        } else {
            check::check(&self.targets)
        };
        let format = if self.json { Format::Json } else { Format::Text };
        let level = match self.fail_on {
            Level::Fails => Severity::Fails,
            Level::Slow => Severity::Slow,
            Level::Risk => Severity::Risk,
            Level::Note => Severity::Note,
        };
        let written: io::Result<()> = (|| {
            let mut out = ui::color::stdout();
            if self.sarif {
                sarif::write(&found, check::rules(), &mut out)?;
            } else {
                report::write(&found, "check", format, &mut out)?;
            }
            out.flush()
        })();
        match written {
            Ok(()) => found.exit_status(level),
            Err(error) => ui::exit::failure(&error, CANNOT_TELL),
        }
    }
}

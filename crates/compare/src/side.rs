//! The sides of a comparison: an ABI, and how programs of it are run.

use crate::worker::{Abi, Program};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How programs are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By the kernel.
    Native,
    /// By `biarch run`, which is this program.
    BiarchRun,
    /// By qemu-user: the program.
    Qemu(PathBuf),
}

/// One column of the results.
#[derive(Debug)]
pub struct Side {
    /// Its heading.
    pub name: String,
    /// What the programs are.
    pub abi: Abi,
    /// How they are run.
    pub how: How,
    program: Program,
}

impl Side {
    pub(crate) fn new(abi: Abi, how: How) -> Result<Self> {
        let name = match &how {
            How::Native => abi.name().to_owned(),
            How::BiarchRun => format!("{} biarch", abi.name()),
            How::Qemu(_) => format!("{} qemu", abi.name()),
        };
        Ok(Self { name, abi, how, program: Program::new(abi)? })
    }

    /// What comes before a program.
    ///
    /// # Errors
    /// Where this program cannot find itself, which it runs for `biarch run`.
    pub fn runner(&self) -> Result<Vec<OsString>> {
        Ok(match &self.how {
            How::Native => vec![],
            How::BiarchRun => {
                let own = std::env::current_exe().context("cannot find this program, to use its `run`")?;
                vec![own.into(), "run".into(), "--".into()]
            }
            How::Qemu(qemu) => vec![qemu.into()],
        })
    }

    /// The command that runs the worker.
    ///
    /// # Errors
    /// Where this program cannot find itself, which it runs for `biarch run`.
    pub fn worker(&self) -> Result<Command> {
        let mut words = self.runner()?;
        words.push(self.program.path().into());
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        Ok(command)
    }

    /// Whether it runs at all, and if not, why.
    ///
    /// # Errors
    /// What went wrong.
    pub fn works(&self) -> Result<()> {
        let output = self.worker()?.arg("exit").output().with_context(|| format!("cannot run {} programs", self.name))?;
        anyhow::ensure!(
            output.status.success(),
            "{} programs do not run: {} {}",
            self.name,
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(())
    }
}

/// The sides that this machine has: that of 64 bits first, then that of 32 bits that it is compared with, then others.
#[derive(Debug)]
pub struct Sides {
    /// At least two.
    pub sides: Vec<Side>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
}

/// Finds out what this machine has.
///
/// # Errors
/// Where programs of one of the two word sizes cannot be run in any way.
pub fn find(others: bool) -> Result<Sides> {
    let (narrow, wide) = Abi::pair();
    let mut sides = vec![Side::new(wide, How::Native)?];
    sides.iter().try_for_each(Side::works)?;
    let mut left_out = Vec::new();
    let mut ways = vec![How::Native];
    if cfg!(target_arch = "x86_64") {
        ways.push(How::BiarchRun);
        match qemu() {
            Some(qemu) if others => ways.push(How::Qemu(qemu)),
            None if others => {
                left_out.push("i386 under qemu-user: there is no qemu-i386; apt-get install qemu-user-static".to_owned())
            }
            _ => {}
        }
    }
    for how in ways {
        if sides.len() > 1 && !others {
            break;
        }
        let side = Side::new(narrow, how)?;
        match side.works() {
            Ok(()) => sides.push(side),
            Err(error) => left_out.push(format!("{}: {error:#}", side.name)),
        }
    }
    anyhow::ensure!(sides.len() > 1, "no {} program runs here:\n{}", narrow.name(), left_out.join("\n"));
    Ok(Sides { sides, left_out })
}

fn qemu() -> Option<PathBuf> {
    ["/usr/bin/qemu-i386-static", "/usr/bin/qemu-i386"].map(Path::new).into_iter().find(|path| path.exists()).map(Path::to_owned)
}

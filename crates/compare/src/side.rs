//! The sides of a comparison: an ABI, and how programs of it are run.

use crate::worker::{Abi, Program, Row};
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

/// What a side's programs have to do with another side.
#[derive(Debug)]
enum Role {
    /// Nothing: it takes part in every benchmark.
    Alone,
    /// That is at the other end, in benchmarks of two processes; it takes part in these.
    Pair(Box<Side>),
    /// That lends a ring of io_uring to this one, which enters the kernel as this `--entry` of `biarch run` says; it takes part in
    /// benchmarks of that.
    Entry(&'static str, Box<Side>),
}

/// The ways in of `biarch run`, as its `--entry` calls them.
const ENTRIES: [&str; 4] = ["stub", "patched", "trap", "kernel"];

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
    role: Role,
}

impl Side {
    pub(crate) fn new(abi: Abi, how: How) -> Result<Self> {
        let name = match &how {
            How::Native => abi.name().to_owned(),
            How::BiarchRun => format!("{} biarch", abi.name()),
            How::Qemu(_) => format!("{} qemu", abi.name()),
        };
        Ok(Self { name, abi, how, program: Program::new(abi)?, role: Role::Alone })
    }

    /// The same programs, run in the same way.
    fn again(&self) -> Result<Self> {
        Self::new(self.abi, self.how.clone())
    }

    /// One that has another side's programs at the other end.
    fn pair(own: &Self, other: &Self) -> Result<Self> {
        let name = format!("{}/{}", own.name, other.name);
        Ok(Self { name, role: Role::Pair(Box::new(other.again()?)), ..own.again()? })
    }

    /// One that enters the kernel in this way.
    fn entry(abi: Abi, entry: &'static str, lender: &Self) -> Result<Self> {
        let name = format!("{} {entry}", abi.name());
        Ok(Self { name, role: Role::Entry(entry, Box::new(lender.again()?)), ..Self::new(abi, How::BiarchRun)? })
    }

    /// Whether it takes part in a benchmark.
    #[must_use]
    pub fn takes_part(&self, row: &Row) -> bool {
        match self.role {
            Role::Alone => true,
            Role::Pair(_) => row.pair,
            Role::Entry(..) => row.entries,
        }
    }

    /// The command that runs a worker at the other end.
    ///
    /// # Errors
    /// As [`worker`](Self::worker).
    pub fn partner(&self) -> Result<Vec<OsString>> {
        match &self.role {
            Role::Pair(other) => other.words(),
            _ => self.words(),
        }
    }

    fn words(&self) -> Result<Vec<OsString>> {
        let mut words = self.runner()?;
        words.push(self.program.path().into());
        Ok(words)
    }

    /// What comes before a program.
    ///
    /// # Errors
    /// Where this program cannot find itself, which it runs for `biarch run`.
    pub fn runner(&self) -> Result<Vec<OsString>> {
        let mut words: Vec<OsString> = Vec::new();
        if let Role::Entry(_, lender) = &self.role {
            words.extend(lender.words()?);
            words.push("lend".into());
        }
        match &self.how {
            How::Native => {}
            How::BiarchRun => {
                let own = std::env::current_exe().context("cannot find this program, to use its `run`")?;
                words.extend([own.into(), "run".into()]);
                if let Role::Entry(entry, _) = &self.role {
                    words.extend(["--entry".into(), entry.into()]);
                }
                words.push("--".into());
            }
            How::Qemu(qemu) => words.push(qemu.into()),
        }
        Ok(words)
    }

    /// That of 64 bits, by itself.
    ///
    /// # Errors
    /// Where its programs do not run.
    pub fn wide() -> Result<Self> {
        let side = Self::new(Abi::pair().1, How::Native)?;
        side.works()?;
        Ok(side)
    }

    /// The command that runs the worker.
    ///
    /// # Errors
    /// Where this program cannot find itself, which it runs for `biarch run`.
    pub fn worker(&self) -> Result<Command> {
        let mut words = self.words()?.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        Ok(command)
    }

    /// Whether it runs at all, and if not, why.
    ///
    /// # Errors
    /// What went wrong.
    pub fn works(&self) -> Result<()> {
        let output = self.worker()?.arg("exit").output().with_context(|| {
            // Debian's kernels have it and want to be asked; most others are built without.
            let hint = if self.abi == Abi::X32 { " (CONFIG_X86_X32_ABI and, for Debian's kernels, syscall.x32=y)" } else { "" };
            format!("cannot run {} programs{hint}", self.name)
        })?;
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

/// Finds out what this machine has; `others` asks for further ways to run 32-bit programs. Sides of both word sizes are there where
/// one of the benchmarks has two processes, and the ways in where one is about them.
///
/// # Errors
/// Where programs of one of the two word sizes cannot be run in any way.
pub fn find(others: bool, rows: &[Row]) -> Result<Sides> {
    let (abi, _) = Abi::pair();
    let mut sides = vec![Side::wide()?];
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
        add(Side::new(abi, how)?, &mut sides, &mut left_out);
    }
    anyhow::ensure!(sides.len() > 1, "no {} program runs here:\n{}", abi.name(), left_out.join("\n"));
    if others && cfg!(target_arch = "x86_64") {
        match Side::new(Abi::X32, How::Native) {
            Ok(side) => add(side, &mut sides, &mut left_out),
            Err(error) => left_out.push(format!("x32: {error:#}")),
        }
    }
    let (wide, narrow) = (0, 1);
    if rows.iter().any(|row| row.pair) {
        for (own, other) in [(wide, narrow), (narrow, wide)] {
            sides.push(Side::pair(&sides[own], &sides[other])?);
        }
    }
    if rows.iter().any(|row| row.entries) && cfg!(target_arch = "x86_64") {
        for entry in ENTRIES {
            add(Side::entry(Abi::I386, entry, &sides[wide])?, &mut sides, &mut left_out);
        }
    }
    Ok(Sides { sides, left_out })
}

/// Adds a side, if its programs run.
fn add(side: Side, sides: &mut Vec<Side>, left_out: &mut Vec<String>) {
    match side.works() {
        Ok(()) => sides.push(side),
        Err(error) => left_out.push(format!("{}: {error:#}", side.name)),
    }
}

fn qemu() -> Option<PathBuf> {
    ["/usr/bin/qemu-i386-static", "/usr/bin/qemu-i386"].map(Path::new).into_iter().find(|path| path.exists()).map(Path::to_owned)
}

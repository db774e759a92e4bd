//! The program that a command names: whether it can be run, and of which word size it is.

use crate::worker::Abi;
use anyhow::{Context, Result, bail, ensure};
use elf::{Class, Details};
use rustix::fs::{Access, Mode, OFlags, access, open};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// What a file turned out to be.
#[derive(Debug)]
pub enum Kind {
    /// An ELF program.
    Elf(Box<Details>),
    /// A script; the interpreter that its first line names.
    Script(String),
    /// Something that only execve(2) may know.
    Other,
}

/// A program that is there and may be executed.
#[derive(Debug)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
}

impl Program {
    /// Finds it as execvp(3) does.
    ///
    /// # Errors
    /// Where it is not there, or cannot be executed; with what to do.
    pub fn find(word: &OsStr) -> Result<Self> {
        let shown = Path::new(word).display();
        ensure!(!word.is_empty(), "a command begins with an empty word: name a program");
        let path = if word.as_encoded_bytes().contains(&b'/') {
            PathBuf::from(word)
        } else {
            let path = env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
            let found = env::split_paths(&path).map(|directory| directory.join(word)).find(|path| is_executable(path));
            found.with_context(|| match Path::new(word).is_file() {
                true => format!("there is no program {shown} in the directories of PATH; the one here is ./{shown}"),
                false => format!("there is no program {shown} in the directories of PATH: give its path, such as ./{shown}"),
            })?
        };
        let metadata = path.metadata().with_context(|| format!("cannot run {shown}; see ls -l {shown}"))?;
        ensure!(!metadata.is_dir(), "{shown} is a directory: name a program in it");
        ensure!(metadata.is_file(), "{shown} is no file that could be executed; see ls -l {shown}");
        ensure!(is_executable(&path), "{shown} may not be executed: chmod +x {shown}");
        // A program that may be executed but not read is run all the same.
        // Whoever replaces it by a pipe does not stop us.
        let kind = match open(&path, OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => kind(file.into()).with_context(|| format!("{shown} is no program; see file {shown}"))?,
            Err(_) => Kind::Other,
        };
        let program = Self { path, kind };
        program.check_interpreter()?;
        Ok(program)
    }

    /// What execve(2) calls a missing file is often another one: the interpreter.
    fn check_interpreter(&self) -> Result<()> {
        let shown = self.path.display();
        match &self.kind {
            Kind::Elf(details) => {
                let Some(interpreter) = &details.facts.interpreter else { return Ok(()) };
                if Path::new(interpreter).exists() {
                    return Ok(());
                }
                let name = elf::machine(&details.facts).name;
                let mut says =
                    format!("cannot run {shown}, {} {name} program: its loader {interpreter} is not there", article(name));
                match interpreter.rsplit('/').next() {
                    Some("ld-linux.so.2") => says.push_str(
                        ".\nOn Debian and the like: dpkg --add-architecture i386 && apt update && apt install libc6:i386",
                    ),
                    Some("ld-linux-armhf.so.3") => says.push_str(
                        ".\nOn Debian and the like: dpkg --add-architecture armhf && apt update && apt install libc6:armhf",
                    ),
                    _ => says.push_str(&format!(".\nOn Debian and the like, find its package: apt-file search {interpreter}")),
                }
                if details.facts.machine == elf::EM_386 {
                    says.push_str(&format!(
                        "\nWith the files of an i386 system in DIR: biarch compare --any-abi -- biarch run --sysroot DIR {shown} … -- COMMAND64"
                    ));
                }
                bail!(says)
            }
            Kind::Script(interpreter) => {
                ensure!(
                    Path::new(interpreter).exists(),
                    "cannot run {shown}: its interpreter, {interpreter}, is not there; install it"
                );
                Ok(())
            }
            Kind::Other => Ok(()),
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn what(&self) -> String {
        match &self.kind {
            Kind::Elf(details) => {
                let name = elf::machine(&details.facts).name;
                format!("{} {name} program", article(name))
            }
            Kind::Script(interpreter) => format!("a script for {interpreter}"),
            Kind::Other => "neither an ELF program that can be read nor a script".to_owned(),
        }
    }

    /// What Debian calls its architecture, where it has that.
    #[must_use]
    pub fn architecture(&self) -> Option<&'static str> {
        let Kind::Elf(details) = &self.kind else { return None };
        [Abi::I386, Abi::X86_64, Abi::Armhf, Abi::Arm64].into_iter().find(|abi| abi.is(&details.facts)).map(Abi::debian)
    }

    /// The processor that it is for.
    #[must_use]
    pub fn machine(&self) -> Option<elf::Machine> {
        let Kind::Elf(details) = &self.kind else { return None };
        Some(elf::machine(&details.facts))
    }

    fn class(&self) -> Option<Class> {
        match &self.kind {
            Kind::Elf(details) => Some(details.facts.class),
            _ => None,
        }
    }
}

/// Refuses commands that are not what their places say, unless that is wanted.
///
/// # Errors
/// Where one cannot be run, or is of another word size.
pub fn check(narrow: &[OsString], wide: &[OsString], any_abi: bool) -> Result<()> {
    let find = |words: &[OsString]| Program::find(words.first().context("a command is missing")?);
    let (narrow, wide) = (find(narrow).context("the first command")?, find(wide).context("the second command")?);
    if any_abi {
        return Ok(());
    }
    let swapped = (narrow.class(), wide.class()) == (Some(Class::Elf64), Some(Class::Elf32));
    for (program, wanted, place) in [(&narrow, Class::Elf32, "first"), (&wide, Class::Elf64, "second")] {
        if program.class() == Some(wanted) {
            continue;
        }
        let bits = if wanted == Class::Elf32 { 32 } else { 64 };
        let next = match (&program.kind, swapped) {
            (_, true) => "The commands are the wrong way round: biarch compare -- COMMAND32 -- COMMAND64",
            (Kind::Elf(_), _) => {
                "If it leads to such a program, as env, taskset or `biarch run` do, or to compare it all the same: biarch compare --any-abi -- …"
            }
            _ => "Name the program that it leads to, or to compare it all the same: biarch compare --any-abi -- …",
        };
        bail!("the {place} command must be a {bits}-bit program, and {} is {}.\n{next}", program.path.display(), program.what());
    }
    Ok(())
}

fn kind(file: File) -> Result<Kind> {
    let mut start = [0; 256];
    let length = file.read_at(&mut start, 0)?;
    let start = start.get(..length).unwrap_or_default();
    ensure!(!start.is_empty(), "it is empty");
    if let Some(line) = start.strip_prefix(b"#!") {
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        return Ok(Kind::Script(line.split_ascii_whitespace().next().context("its first line names no interpreter")?.to_owned()));
    }
    match elf::details(&elf::OpenFile::new(file), elf::Depth::Headers) {
        Ok(details) => {
            ensure!(
                details.is_program() || details.facts.kind == elf::Kind::Dynamic,
                "it is an ELF file to be linked, or a core"
            );
            Ok(Kind::Elf(Box::new(details)))
        }
        Err(elf::Error::NotElf) => Ok(Kind::Other),
        Err(error) => Err(error.into()),
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_dir()) && access(path, Access::EXEC_OK).is_ok()
}

fn article(name: &str) -> &'static str {
    // x-, i386, ARM, Itanium, Alpha; a MIPS, a 32-bit ARM, a 64-bit one.
    if name.starts_with(['x', 'i', 'A', 'I']) { "an" } else { "a" }
}

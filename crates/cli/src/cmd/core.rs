//! `biarch core CORE`: the core dump of an i386 program.

use anyhow::{Context, Result};
use clap::Args;
use dump::{Converted, Error};
use elf::OpenFile;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Make the core dump of a program that ran under biarch one of an i386 program, which debuggers know
///
/// The kernel writes a core dump of the 64-bit process. What is written here is what a kernel that runs 32-bit programs itself would have
/// written: the program's memory below 4 GiB, its threads with their registers, the signal, the auxiliary vector, the mapped files.
/// `gdb PROGRAM CORE.i386` opens it, on a 64-bit system too.
///
/// What cannot be told of a thread is said.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch core core && gdb ./program core.i386
  coredumpctl dump program > core; biarch core core -o program.core")]
pub(crate) struct Core {
    /// The core dump that the kernel has written
    #[arg(value_name = "CORE")]
    core: PathBuf,
    /// Where to write; CORE.i386 if it is left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Core {
    pub(crate) fn run(self) -> Result<()> {
        let output = self.output.unwrap_or_else(|| with_suffix(&self.core, ".i386"));
        let converted = convert(&self.core, &output)?;
        for doubt in &converted.doubts {
            ui::exit::say(&format!("warning: {doubt}"));
        }
        let threads = if converted.threads == 1 { "one thread".to_owned() } else { format!("{} threads", converted.threads) };
        let program = converted.program.as_deref().unwrap_or("PROGRAM");
        ui::exit::say(&format!(
            "{}: process {} ({}), {threads}, signal {}\n  look at it: gdb {} {}",
            output.display(),
            converted.pid,
            converted.name.escape_debug(),
            converted.signal,
            program.escape_debug(),
            output.display()
        ));
        Ok(())
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Writes to a file beside `output`, which it becomes when all is there: nothing that is there already is lost by a failure.
fn convert(core: &Path, output: &Path) -> Result<Converted> {
    let shown = core.display();
    let file = File::open(core).with_context(|| format!("cannot read {shown}"))?;
    let status = file.metadata().with_context(|| format!("cannot read {shown}"))?;
    anyhow::ensure!(
        status.is_file(),
        "cannot read {shown}: it is no regular file\n  write the core dump to one first, and name that"
    );
    let same = fs::metadata(output).is_ok_and(|there| (there.dev(), there.ino()) == (status.dev(), status.ino()));
    anyhow::ensure!(
        !same,
        "{} is the core dump that is read\n  choose another name: biarch core {shown} -o FILE",
        output.display()
    );
    let part = with_suffix(output, &format!(".{}.part", std::process::id()));
    let cannot_write = || format!("cannot write {}", output.display());
    // Core dumps hold whatever the program knew: nobody else may read them.
    let mut written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part).with_context(cannot_write)?;
    let result = dump::convert(&OpenFile::new(file), &mut written)
        .map_err(|error| anyhow::Error::msg(refusal(core, output, &error)))
        .and_then(|converted| fs::rename(&part, output).with_context(cannot_write).map(|()| converted));
    if result.is_err() {
        // There is nothing to do about a failure of that.
        let _ = fs::remove_file(&part);
    }
    result
}

/// What is wrong, and what to do about it.
fn refusal(core: &Path, output: &Path, error: &Error) -> String {
    let core = core.display();
    let (packed, next) = match error {
        Error::NotCore => (None, format!("see what it is: file {core}")),
        Error::Packed(by) => (Some(by), String::new()),
        Error::Native => (None, format!("look at it as it is: gdb PROGRAM {core}")),
        Error::Machine(_) => (None, format!("see what it is for: readelf -h {core}")),
        Error::Cut { .. } => {
            (None, "let the kernel write all of it: ulimit -c unlimited; and look whether the disk was full".to_owned())
        }
        Error::Damaged(_) => (None, format!("see what it says: readelf -lnW {core}")),
        Error::NoGuest => (None, format!("if it is one of a 64-bit program, look at it as it is: gdb PROGRAM {core}")),
        Error::Version(_) => (None, "convert it with the biarch that has run the program".to_owned()),
        Error::TooLarge(_) => (None, format!("look at the process's own: gdb biarch {core}")),
        Error::Read(cause) => return format!("cannot read {core}: {cause}"),
        Error::Write(cause) => return format!("cannot write {}: {cause}", output.display()),
    };
    let next = packed.map_or(next, |by| format!("unpack it first: {by} -dc {core} > core && biarch core core"));
    format!("cannot convert {core}: {error}\n  {next}")
}

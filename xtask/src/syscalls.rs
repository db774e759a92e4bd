//! `syscalls`: docs/syscalls.md, what `biarch run` makes of every system call, from the rows.

use abi::ioctl::{Argument, IOCTLS};
use abi::syscalls::i386::TABLE;
use abi::syscalls::{Action, Support};
use anyhow::{Result, bail};
use std::fmt::{self, Write as _};
use std::io::Write;
use std::path::PathBuf;

pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    if !arguments.is_empty() {
        bail!("syscalls takes no arguments");
    }
    std::fs::write(path(), page()?)?;
    writeln!(out, "{}", path().display())?;
    Ok(())
}

fn path() -> PathBuf {
    crate::root().join("docs/syscalls.md")
}

/// The page's text.
fn page() -> Result<String, fmt::Error> {
    let rows = || TABLE.iter().flatten();
    let count = |wanted: fn(&Support) -> bool| rows().filter(|row| wanted(&row.support)).count();
    let mut text = String::new();
    writeln!(text, "# System calls of `biarch run`\n")?;
    writeln!(
        text,
        "Written by `cargo xtask syscalls` from the rows of `crates/abi/src/syscalls/i386.rs`; a test holds it to them."
    )?;
    writeln!(text, "`biarch list syscalls` prints the same. docs/known-gaps.md says what gaps mean in practice.\n")?;
    writeln!(
        text,
        "{} calls: {} full, which is all that the kernel's own 32-bit layer does, {} partial, {} refused: they\nfail with the errno that is said.\n",
        rows().count(),
        count(|support| matches!(support, Support::Full)),
        count(|support| matches!(support, Support::Partial(_))),
        count(|support| matches!(support, Support::Refused(_))),
    )?;
    writeln!(text, "| number | call | support | made | what is missing, or why |\n|---:|---|---|---|---|")?;
    for row in rows() {
        let (support, note) = match row.support {
            Support::Full => ("full", ""),
            Support::Partial(note) => ("partial", note),
            Support::Refused(note) => ("refused", note),
        };
        let made = match row.action {
            Action::Native(_) => "as it is".to_owned(),
            Action::Call => "converted".to_owned(),
            Action::Refuse(errno) => format!("`{errno:?}`"),
        };
        writeln!(text, "| {} | {} | {support} | {made} | {} |", row.number, name(row.name), cell(note))?;
    }
    let unused = unused().into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    writeln!(text, "\nNumbers in between that are no call of Linux, `ENOSYS` there and here: {unused}.\n")?;

    let ioctls = || IOCTLS.iter().copied().flatten();
    writeln!(text, "## Ioctls that are refused\n")?;
    writeln!(
        text,
        "Of {} ioctls that are known by number. What has no row is passed on only where the number says that the argument is smaller than\na pointer.\n",
        ioctls().count()
    )?;
    writeln!(text, "| number | ioctl | why |\n|---:|---|---|")?;
    for row in ioctls() {
        if let Argument::Refused(why) = row.argument {
            writeln!(text, "| {:#x} | {} | {} |", row.number32, name(row.name), cell(why))?;
        }
    }
    Ok(text)
}

/// Numbers below the highest that have no row.
fn unused() -> Vec<usize> {
    let end = TABLE.iter().rposition(Option::is_some).unwrap_or(0);
    (0..end).filter(|&number| TABLE[number].is_none()).collect()
}

/// A name with underscores at its ends, which would be emphasis otherwise.
fn name(name: &str) -> String {
    format!("`{name}`")
}

/// Text that does not end the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::{page, path, unused};
    use crate::numbers;
    use std::path::Path;

    #[test]
    fn the_page_is_what_the_rows_say() {
        let there = std::fs::read_to_string(path()).unwrap_or_default();
        assert!(there == page().unwrap(), "docs/syscalls.md is not what `cargo xtask syscalls` writes");
    }

    /// No number that the kernel's headers define is among those that the page calls unused.
    #[test]
    fn every_call_of_the_headers_has_a_row() {
        let headers = ["/usr/i686-linux-gnu/include/asm/unistd_32.h", "/usr/include/x86_64-linux-gnu/asm/unistd_32.h"];
        let Some(header) = headers.map(Path::new).into_iter().find(|path| path.exists()) else {
            panic!("none of {headers:?}: apt install linux-libc-dev");
        };
        let calls = numbers::read(header).unwrap();
        let undecided: Vec<_> =
            unused().into_iter().filter(|&number| u32::try_from(number).is_ok_and(|n| calls.contains_key(&n))).collect();
        assert!(calls.len() > 400 && undecided.is_empty(), "{header:?}: {undecided:?}");
    }
}

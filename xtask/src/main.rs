//! Generators and checks of the repository itself: `cargo xtask TASK`.

mod gen_host_numbers;
mod gen_syscalls;
mod man;
mod measured;
mod numbers;
mod syscalls;
mod verify_abi;
mod where_is;

use anyhow::{Result, bail};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One task: its one registration is its line in [`TASKS`].
struct Task {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String], &mut dyn Write) -> Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "gen-host-numbers",
        arguments: "[UNISTD_64_H]",
        help: "write crates/run/src/host_numbers.rs anew",
        run: gen_host_numbers::run,
    },
    Task {
        name: "gen-syscalls",
        arguments: "SYSCALL_32_TBL|UNISTD_32_H",
        help: "print the rows that the i386 table lacks",
        run: gen_syscalls::run,
    },
    Task { name: "man", arguments: "[DIRECTORY]", help: "write the man pages (default: target/man)", run: man::run },
    Task { name: "measured", arguments: "[PAGE…]", help: "measure the figures of the documentation anew", run: measured::run },
    Task { name: "syscalls", arguments: "", help: "write docs/syscalls.md from the rows", run: syscalls::run },
    Task {
        name: "verify-abi",
        arguments: "",
        help: "compare every structure and ioctl row with the UAPI headers, for i686 and x86-64",
        run: verify_abi::run,
    },
    Task {
        name: "where",
        arguments: "NAME",
        help: "row, handler, structures and tests of a system call, structure or ioctl",
        run: where_is::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    match dispatch(&arguments, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        return usage(out);
    };
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(rest, out),
        None if matches!(name.as_str(), "help" | "--help" | "-h") => usage(out),
        None => bail!("there is no task '{name}'; 'cargo xtask help' lists them"),
    }
}

fn usage(out: &mut dyn Write) -> Result<()> {
    writeln!(out, "cargo xtask TASK\n")?;
    for task in TASKS {
        writeln!(out, "  {:<46} {}", format!("{} {}", task.name, task.arguments), task.help)?;
    }
    Ok(())
}

/// The reader of our output has had enough, as `head` does: no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The repository's directory.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Every file below `directory` whose name ends in `.extension`, sorted; none where there is no such directory.
fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let entries = match std::fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error.into()),
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension() == Some(OsStr::new(extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

//! What `biarch run` says when it does not run a program: what, where, why, and what to type next.

use super::{CANNOT_EXECUTE, Failure, NOT_FOUND, OWN_FAILURE};
use elf::{Class, Facts, Kind};
use run::{Errno, InterpreterError, LoadError, StartError};
use std::path::Path;

/// An error of several lines: what is wrong, and what to do about it.
fn refuse(status: u8, what: String, next: &[String]) -> Failure {
    let mut text = what;
    for line in next {
        text.push_str("\n  ");
        text.push_str(line);
    }
    Failure { status, error: anyhow::Error::msg(text) }
}

/// `path` cannot be opened for being run.
pub(super) fn cannot_open(path: &Path, errno: Errno) -> Failure {
    let status = if matches!(errno, Errno::ENOENT | Errno::ENOTDIR) { NOT_FOUND } else { CANNOT_EXECUTE };
    let shown = if path.as_os_str().is_empty() { Path::new("''").display() } else { path.display() };
    let next = match errno {
        Errno::EACCES if path.is_dir() => vec!["it is a directory".into()],
        Errno::EACCES if path.is_file() => vec![format!("if it is a program, make it executable: chmod +x {shown}")],
        _ => vec![],
    };
    refuse(status, format!("cannot run {shown}: {errno}"), &next)
}

/// The script at `path` names an interpreter that cannot be opened.
pub(super) fn no_script_interpreter(path: &Path, interpreter: &Path, errno: Errno) -> Failure {
    let what =
        format!("cannot run {}: its first line names {}, which cannot be opened: {errno}", path.display(), interpreter.display());
    let next = "if it is in another root directory: biarch run --sysroot DIR, or biarch run --chroot DIR";
    let status = if matches!(errno, Errno::ENOENT | Errno::ENOTDIR) { NOT_FOUND } else { CANNOT_EXECUTE };
    refuse(status, what, &[next.into()])
}

/// Scripts run by scripts without end.
pub(super) fn too_many_scripts(path: &Path) -> Failure {
    let what = format!(
        "cannot run {}: it is a script that is run by a script, and so on, more than {} times",
        path.display(),
        run::script::DEPTH
    );
    refuse(CANNOT_EXECUTE, what, &[])
}

/// The file at `path` is neither an i386 program nor a script. `script` is what names it as its interpreter.
pub(super) fn not_a_guest(path: &Path, contents: &[u8], script: Option<&Path>) -> Failure {
    let shown = path.display();
    let subject = match script {
        Some(script) => format!("{}: its interpreter {shown}", script.display()),
        None => format!("{shown}: it"),
    };
    let native = script.unwrap_or(path).display();
    let facts = match elf::facts(contents) {
        Ok(facts) => facts,
        Err(elf::Error::NotElf) if contents.is_empty() => {
            return refuse(CANNOT_EXECUTE, format!("cannot run {subject} is empty"), &[]);
        }
        Err(elf::Error::NotElf) => {
            let what = format!("cannot run {subject} is neither an ELF program nor a script that begins with #!");
            return refuse(CANNOT_EXECUTE, what, &[format!("see what it is: file {shown}")]);
        }
        Err(error) => {
            return refuse(
                CANNOT_EXECUTE,
                format!("cannot run {subject} cannot be read: {error}"),
                &[format!("see what it is: readelf -h {shown}")],
            );
        }
    };
    let machine = elf::machine(&facts);
    let (what, next) = match (&facts, machine.name) {
        (Facts { machine: elf::EM_X86_64, class: Class::Elf64, kind: Kind::Executable | Kind::Dynamic, .. }, _) => {
            (format!("{subject} is a 64-bit program (x86-64), which needs no biarch"), vec![format!("run it as it is: {native}")])
        }
        (Facts { kind: Kind::Object, .. }, name) => {
            (format!("{subject} is an object file for {name}, not a program"), vec!["link it first".into()])
        }
        (Facts { kind: Kind::Core, .. }, _) => {
            (format!("{subject} is a core file, not a program"), vec![format!("look into it: gdb --core {shown}")])
        }
        (_, "x32") => (
            format!(
                "{subject} is an x32 program: 32-bit pointers, but 64-bit code, which only a kernel with CONFIG_X86_X32_ABI runs"
            ),
            vec!["see whether this one does: grep X86_X32_ABI /boot/config-$(uname -r)".into()],
        ),
        (_, name) => {
            let next = match machine.emulator {
                Some(emulator) => format!("an emulator runs it: apt install qemu-user && {emulator} {shown}"),
                None => "there is no user-mode emulator of it that could run it here".into(),
            };
            (format!("{subject} is for {name} (e_machine {}); biarch runs i386 programs", facts.machine), vec![next])
        }
    };
    refuse(CANNOT_EXECUTE, format!("cannot run {what}"), &next)
}

/// What Debian and its descendants call the package with an interpreter.
fn package(interpreter: &str) -> Option<&'static str> {
    match interpreter.rsplit('/').next() {
        Some("ld-linux.so.2") => Some("libc6:i386"),
        Some("ld-musl-i386.so.1") => Some("musl:i386"),
        _ => None,
    }
}

/// The interpreter `name` of the program at `path` is not to be had.
pub(super) fn interpreter(path: &Path, name: &str, error: InterpreterError) -> Failure {
    let shown = path.display();
    match error {
        InterpreterError::Program(error) => load(path, error),
        InterpreterError::Name(errno) => {
            let what = format!("cannot run {shown}: the name of its interpreter (PT_INTERP) cannot be read: {errno}");
            refuse(CANNOT_EXECUTE, what, &[format!("see what is there: readelf -l {shown}")])
        }
        InterpreterError::Unfit => {
            let what = format!("cannot run {shown}: its interpreter {name} is not an i386 program");
            refuse(CANNOT_EXECUTE, what, &[format!("see what it is: readelf -h {name}")])
        }
        InterpreterError::Open(errno) => {
            let mut next = vec![];
            match package(name) {
                Some(package) => next.push(format!(
                    "on Debian, Ubuntu and the like: dpkg --add-architecture i386 && apt update && apt install {package}"
                )),
                None => {
                    next.push(format!("on Debian, Ubuntu and the like, find the package that has it: apt-file search {name}"))
                }
            }
            next.push(format!("with the files of an i386 system in DIR: biarch run --sysroot DIR {shown}"));
            refuse(CANNOT_EXECUTE, format!("cannot run {shown}: its interpreter {name} cannot be opened: {errno}"), &next)
        }
    }
}

/// The program at `path` was not loaded.
fn load(path: &Path, error: LoadError) -> Failure {
    let shown = path.display();
    let next = match error {
        LoadError::Malformed(_) => vec![format!("see what it says: readelf -hl {shown}")],
        LoadError::AddressTaken { start, length } => taken(start, length),
        LoadError::Host(Errno::E2BIG, _) => vec!["give it fewer or shorter arguments, or a smaller environment: env -i".into()],
        LoadError::Host(Errno::ENOMEM, _) => vec!["see the limits on memory: ulimit -v, free -m".into()],
        LoadError::Host(..) => vec![],
    };
    refuse(CANNOT_EXECUTE, format!("cannot run {shown}: {error}"), &next)
}

/// What keeps a program from these addresses.
fn taken(start: u32, length: u32) -> Vec<String> {
    let minimum = std::fs::read_to_string("/proc/sys/vm/mmap_min_addr").ok().and_then(|text| text.trim().parse::<u32>().ok());
    if let Some(minimum) = minimum.filter(|&minimum| start < minimum) {
        return vec![
            format!("the kernel maps nothing below {minimum:#x} (vm.mmap_min_addr)"),
            format!("allow it, as root: sysctl vm.mmap_min_addr={}", start & !0xfff),
        ];
    }
    let end = u64::from(start) + u64::from(length);
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let overlaps = |line: &&str| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let parse = |text: &str| u64::from_str_radix(text, 16).ok();
        range
            .and_then(|(from, to)| Some((parse(from)?, parse(to)?)))
            .is_some_and(|(from, to)| from < end && u64::from(start) < to)
    };
    let mut next: Vec<String> = maps.lines().filter(overlaps).map(|line| format!("there is: {line}")).collect();
    if next.is_empty() {
        next.push("nothing is there, so it is a limit: see ulimit -v".into());
    }
    next
}

/// The program at `path` was ready and did not start.
pub(super) fn start(path: &Path, error: StartError) -> Failure {
    let shown = path.display();
    match error {
        StartError::Load(error) => load(path, error),
        StartError::CannotIntercept(_) => {
            let next = [
                format!("this kernel runs i386 programs itself: {shown}"),
                format!("to compare, through biarch with the kernel's own entry: biarch run --entry kernel {shown}"),
            ];
            refuse(OWN_FAILURE, format!("cannot run {shown}: {error}"), &next)
        }
        StartError::NoKernelVdso(_) => {
            let next = [format!("without --vdso biarch uses its own then: biarch run {shown}")];
            refuse(OWN_FAILURE, format!("cannot run {shown}: {error}"), &next)
        }
        StartError::NoXsave | StartError::Host(..) => refuse(OWN_FAILURE, format!("cannot run {shown}: {error}"), &[]),
    }
}

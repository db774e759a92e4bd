//! This machine: what is read of it, and the probes that are run on it.

use super::kit::{Kit, Section};
use elf::OpenFile;
use elf::compression::{Compression, Members, reader};
use std::fs::OpenOptions;
use std::io::{self, BufReader, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is read as it is. Which of them there are depends on the architecture and on the kernel.
pub(super) const FILES: &[&str] = &[
    "/proc/cmdline",
    "/proc/cpuinfo",
    "/proc/sys/abi/cp15_barrier",
    "/proc/sys/abi/setend",
    "/proc/sys/abi/swp",
    "/proc/sys/abi/vsyscall32",
    "/proc/sys/kernel/modify_ldt",
    "/proc/sys/kernel/randomize_va_space",
    "/proc/sys/vm/legacy_va_layout",
    "/proc/sys/vm/mmap_min_addr",
    "/sys/devices/system/clocksource/clocksource0/available_clocksource",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "/sys/devices/system/cpu/aarch32_el0",
    "/sys/devices/system/cpu/online",
];

/// Where the configuration of the running kernel may be, the surest first. A shell's `$release` is uname(2)'s release.
pub(super) const CONFIGS: &[&str] = &[
    "/proc/config.gz",
    "/boot/config-$release",
    "/lib/modules/$release/config",
    "/usr/lib/modules/$release/config",
    "/usr/lib/kernel/config-$release",
    "/lib/modules/$release/build/.config",
];

/// Where an image of the running kernel may be, for the configuration inside.
const IMAGES: &[&str] = &["/boot/vmlinuz-$release", "/lib/modules/$release/vmlinuz"];

/// The dynamic loaders of the C libraries: glibc's for i386, armhf and armel, and musl's.
pub(super) const LOADERS: &[&str] = &[
    "/lib/ld-linux.so.2",
    "/lib/ld-linux-armhf.so.3",
    "/lib/ld-linux.so.3",
    "/lib/ld-musl-i386.so.1",
    "/lib/ld-musl-armhf.so.1",
    "/lib/ld-musl-arm.so.1",
];

/// What lines of the kernel's log have in them that are of interest, as `grep -E` wants it.
pub(super) const LOG: &[&str] = &["deprecated CP15", "obsolete SWP", "deprecated setend", "32-bit EL0", "Marking clocksource"];

/// A program that tells what it finds, built from `probe/`.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// uname(2)'s `machine`, where a kernel may run it.
    pub(super) machines: &'static [&'static str],
    pub(super) contents: &'static [u8],
}

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "i386",
        machines: &["x86_64", "i386", "i486", "i586", "i686"],
        contents: include_bytes!(concat!(env!("OUT_DIR"), "/probe-i386")),
    },
    Program {
        name: "armhf",
        machines: &["aarch64", "armv7l", "armv7b", "armv8l", "armv8b"],
        contents: include_bytes!(concat!(env!("OUT_DIR"), "/probe-armhf")),
    },
];

/// No file that is read here is larger, in bytes; `/proc/cpuinfo` of a machine with 500 processors has 700 KiB.
const MAX_FILE: u64 = 8 << 20;
/// A probe says about 2 KiB.
const MAX_OUTPUT: u64 = 64 << 10;
/// The most of the kernel's log that is read, in records.
const MAX_RECORDS: usize = 100_000;

/// Looks at this machine. `biarch` is what runs an i386 program where the kernel does not: a command without the program.
pub(super) fn collect(biarch: &[PathBuf]) -> Kit {
    let mut kit = Kit::default();
    let uname = rustix::system::uname();
    let release = uname.release().to_string_lossy().into_owned();
    let hardware = uname.machine().to_string_lossy().into_owned();
    kit.add("uname", Ok(format!("release {release}\nmachine {hardware}\n")));
    for path in FILES {
        kit.add(path, read(Path::new(path)));
    }
    let (path, config) = config(&release);
    kit.add(format!("config {path}").trim_end(), config);
    let loaders: Vec<&str> = LOADERS.iter().copied().filter(|path| Path::new(path).exists()).collect();
    kit.add("loaders", Ok(loaders.join("\n")));
    for program in PROGRAMS.iter().filter(|program| program.machines.contains(&hardware.as_str())) {
        let ran = run(program, &[]);
        let refused = ran.text.is_empty();
        kit.sections.push((format!("probe {}", program.name), ran));
        if refused && program.name == "i386" && !biarch.is_empty() {
            kit.sections.push((format!("probe {} biarch", program.name), run(program, biarch)));
        }
    }
    kit.add("log", log());
    kit.add("end", Ok(String::new()));
    kit
}

fn read(path: &Path) -> Result<String, String> {
    let file = super::open(path).map_err(|error| error.to_string())?;
    text(file)
}

fn text(input: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    input.take(MAX_FILE).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The configuration of the running kernel, and where it was.
fn config(release: &str) -> (String, Result<String, String>) {
    let mut because = None;
    for path in CONFIGS.iter().map(|path| path.replace("$release", release)) {
        let found = super::open(Path::new(&path)).map_err(|error| error.to_string()).and_then(|file| {
            if path.ends_with(".gz") {
                text(reader(BufReader::new(file), Compression::Gzip, Members::All).map_err(|error| error.to_string())?)
            } else {
                text(file)
            }
        });
        match found {
            Ok(text) => return (path, Ok(text)),
            Err(error) if Path::new(&path).exists() => because = Some((path, error)),
            Err(_) => {}
        }
    }
    for path in IMAGES.iter().map(|path| path.replace("$release", release)) {
        let Ok(file) = super::open(Path::new(&path)).map(OpenFile::new) else { continue };
        let image = super::kernel::image(path.clone(), &file);
        if let Some(config) = image.ok().and_then(|kernel| kernel.image?.config) {
            return (path, Ok(config));
        }
    }
    match because {
        Some((path, error)) => (path, Err(error)),
        None => (String::new(), Err("No such file or directory".to_owned())),
    }
}

/// What a probe says, and, where it did not come to its end, a shell's exit status and the reason.
fn run(program: &Program, with: &[PathBuf]) -> Section {
    let result = match in_memory(program).and_then(|file| start(with, &file.path)) {
        // There is no /proc, or memory may not be executed; but a kernel that knows no such program will not know it elsewhere.
        Err(error) if error.raw_os_error() != Some(libc::ENOEXEC) => on_disk(program).and_then(|file| start(with, &file.path)),
        result => result,
    };
    match result {
        Ok((text, 0)) => Section { text, because: None },
        Ok((text, status)) => Section { text, because: Some(format!("exit {status}")) },
        Err(error) => Section { text: String::new(), because: Some(format!("exit 126 {error}")) },
    }
}

/// What a probe says and how it ended, as a shell says it.
fn start(with: &[PathBuf], program: &Path) -> io::Result<(String, i32)> {
    let (first, rest) = with.split_first().map_or((program, None), |(first, rest)| (first.as_path(), Some(rest)));
    let mut command = Command::new(first);
    if let Some(rest) = rest {
        command.args(rest).arg(program);
    }
    // Nobody's preloaded libraries, and nobody's options of biarch.
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut bytes = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(MAX_OUTPUT).read_to_end(&mut bytes)?;
    }
    let status = child.wait()?;
    let status = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or_default();
    Ok((String::from_utf8_lossy(&bytes).into_owned(), status))
}

/// A program that is there as long as this is.
struct Placed {
    path: PathBuf,
    /// What holds it, if it is in memory.
    memory: Option<OwnedFd>,
}

impl Drop for Placed {
    fn drop(&mut self) {
        if self.memory.is_none() {
            // Where it cannot be deleted there is nobody who could be told.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn in_memory(program: &Program) -> io::Result<Placed> {
    // Not closed on exec: biarch opens it.
    let file = rustix::fs::memfd_create("probe", rustix::fs::MemfdFlags::empty())?;
    let mut rest = program.contents;
    while !rest.is_empty() {
        rest = rest.get(rustix::io::write(&file, rest)?..).unwrap_or_default();
    }
    Ok(Placed { path: PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())), memory: Some(file) })
}

fn on_disk(program: &Program) -> io::Result<Placed> {
    let path = std::env::temp_dir().join(format!("biarch-probe-{}.{}", program.name, std::process::id()));
    // Whatever is there already is not ours.
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&path)?;
    let placed = Placed { path, memory: None };
    file.write_all(program.contents)?;
    Ok(placed)
}

/// The lines of the kernel's log that are of interest. A record of `/dev/kmsg` is a line: numbers, `;` and the text.
fn log() -> Result<String, String> {
    let log = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open("/dev/kmsg");
    let mut log = log.map_err(|error| error.to_string())?;
    let mut found = String::new();
    let mut record = vec![0; 8 << 10];
    for _ in 0..MAX_RECORDS {
        let length = match log.read(&mut record) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            // The record was overwritten meanwhile; the next read gets the oldest that is left.
            Err(error) if error.raw_os_error() == Some(libc::EPIPE) => continue,
            Err(error) => return Err(error.to_string()),
        };
        let text = String::from_utf8_lossy(record.get(..length).unwrap_or_default());
        let line = text.split_once(';').map_or("", |(_, line)| line).lines().next().unwrap_or_default();
        if LOG.iter().any(|word| line.contains(word)) {
            found.push_str(line);
            found.push('\n');
        }
    }
    Ok(found)
}

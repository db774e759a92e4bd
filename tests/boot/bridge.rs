//! A 64-bit program there that uses a 32-bit library by a bridge: in its own process, where no 32-bit system call is made, and in a
//! server, which then runs under `biarch run`.

use anyhow::{Context, Result, ensure};
use biarch_tests::initramfs::Initramfs;
use biarch_tests::process::{self, Outcome};
use biarch_tests::program::End;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where the library is.
pub(crate) const TRANSPORTS: [&str; 2] = ["in-process", "process"];
/// Where its sources are.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/boot/bridge");
/// Where the 32-bit C library is, there as here.
const LIBRARIES: &str = "lib/i386-linux-gnu";
/// What the 32-bit side needs of that.
const NEEDED: [&str; 4] = ["ld-linux.so.2", "libc.so.6", "libdl.so.2", "libpthread.so.0"];

/// Why there can be no bridge here, if there cannot.
pub(crate) fn missing() -> Option<String> {
    let has = NEEDED.iter().all(|name| Path::new("/").join(LIBRARIES).join(name).exists());
    (!has).then(|| "no 32-bit C library (libc6:i386)".to_owned())
}

/// What the job is called in which the library does all it can, or ends by a fault.
pub(crate) fn job(transport: &str, is_crash: bool) -> String {
    format!("bridge {transport}{}", if is_crash { " crash" } else { "" })
}

/// The words of a job.
pub(crate) fn words(transport: &str, is_crash: bool) -> Vec<PathBuf> {
    let program = PathBuf::from(format!("/bridge/{transport}/program"));
    std::iter::once(program).chain(is_crash.then(|| PathBuf::from("8"))).collect()
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The program with a library: its own sources for 64 bits, or a bridge.
fn compile(program: &Path, with: &[PathBuf]) -> Result<()> {
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-pthread", "-Wl,-rpath,$ORIGIN", "-o"]).arg(program).arg(format!("{SOURCES}/program.c"));
    run(compiler.args(with))
}

/// Builds both bridges with this biarch, and puts them and all that they need into the machine.
pub(crate) fn put(archive: &mut Initramfs, biarch: &Path, into: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(into);
    fs::create_dir_all(into)?;
    let library = into.join("libsmall.so");
    let mut compiler = Command::new("i686-linux-gnu-gcc");
    run(compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(format!("{SOURCES}/small.c")))?;
    archive.copy("bridge/libsmall.so", &library)?;
    fs::copy(format!("{SOURCES}/small.h"), into.join("small.h"))?;
    let annotation = fs::read_to_string(format!("{SOURCES}/small.toml"))?;
    for transport in TRANSPORTS {
        let (file, made) = (into.join(format!("{transport}.toml")), into.join(transport));
        fs::write(&file, format!("transport = \"{transport}\"\n{annotation}"))?;
        run(Command::new(biarch).args(["bridge", "build"]).arg(&file).arg("-o").arg(&made))?;
        compile(&made.join("program"), &[made.join("libsmall.so")])?;
        for entry in fs::read_dir(&made)? {
            let entry = entry?;
            if entry.metadata()?.is_file() {
                archive.copy(&format!("bridge/{transport}/{}", entry.file_name().to_string_lossy()), &entry.path())?;
            }
        }
    }
    for name in NEEDED {
        archive.copy(&format!("{LIBRARIES}/{name}"), &Path::new("/").join(LIBRARIES).join(name))?;
    }
    archive.link("lib/ld-linux.so.2", "i386-linux-gnu/ld-linux.so.2")
}

/// What the program did there against what it does here with the library for 64 bits.
pub(crate) fn same(there: &Outcome, into: &Path) -> Result<()> {
    let native = into.join("native");
    compile(&native, &[PathBuf::from(format!("{SOURCES}/small.c"))])?;
    let here = process::run(&[native], "", Duration::from_secs(30), &into.join("scratch"))?;
    ensure!(here.end == End::Exit(0) && here.stdout.lines().count() == 3, "{}", here.text());
    ensure!(*there == here, "here:\n{}there:\n{}", here.text(), there.text());
    Ok(())
}

/// A fault of the library is told with its place, and ends the program.
pub(crate) fn crashed(there: &Outcome) -> Result<()> {
    let is_told = ["crash: the library has crashed", "at address 0x8", "crash+0x"].iter().all(|part| there.stderr.contains(part));
    ensure!(is_told && there.stdout.is_empty() && there.end != End::Exit(0), "{}", there.text());
    Ok(())
}

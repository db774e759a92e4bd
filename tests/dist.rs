//! `make dist`: what is in the packages, that they install on a fresh Debian, and that the programs start. In the full tier, as
//! both programs are compiled for it.

use anyhow::{Context, Result, ensure};
use biarch_tests::machine;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let full = std::env::var_os("BIARCH_TEST_FULL").is_some();
    let no_dist = if full { missing() } else { Some("takes minutes: make test-full".to_owned()) };
    // SAFETY: it has no arguments and cannot fail.
    let root = unsafe { libc::geteuid() } == 0;
    let no_chroot = if root { None } else { Some("debootstrap and chroot need root".to_owned()) };
    let no_emulator = emulator().is_none().then(|| "no qemu-aarch64 (qemu-user-static)".to_owned());
    let trial = |name: &str, skip: Option<String>, run: fn(&Path) -> Result<()>| {
        let trial =
            Trial::test(format!("dist::{name}"), move || run(dist()?).map_err(|error| Failed::from(format!("{error:#}"))));
        match no_dist.clone().or(skip) {
            Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
            None => trial,
        }
    };
    let trials = vec![
        trial("programs, packages and their sums", None, sums),
        trial("both packages have the same files, each its own program", None, same_files),
        trial("the package installs on a fresh Debian, and leaves nothing behind", no_chroot, installs),
        trial("the AArch64 program starts", no_emulator, starts),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// What would have to be installed first, if anything.
fn missing() -> Option<String> {
    let output = Command::new(root().join("packaging/install-dependencies.sh")).args(["dist", "--print"]).output().ok()?;
    let words = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    (!output.status.success() || !words.is_empty()).then(|| format!("missing for make dist: {words}"))
}

fn emulator() -> Option<&'static str> {
    let there = |name: &&str| {
        Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    ["qemu-aarch64-static", "qemu-aarch64"].into_iter().find(there)
}

/// Runs it; its output, if it ends well.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "{command:?}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    Ok(text)
}

/// `target/dist`, made once.
fn dist() -> Result<&'static Path, Failed> {
    static MADE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = MADE.get_or_init(|| match output(&mut Command::new(root().join("packaging/dist.sh"))) {
        Ok(_) => Ok(root().join("target/dist")),
        Err(error) => Err(format!("{error:#}")),
    });
    made.as_deref().map_err(|error| Failed::from(error.clone()))
}

/// The file in `directory` whose name ends like this.
fn ending(directory: &Path, end: &str) -> Result<PathBuf> {
    let mut paths = std::fs::read_dir(directory)?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    paths.find(|path| path.to_string_lossy().ends_with(end)).with_context(|| format!("no file ends in {end}"))
}

fn sums(dist: &Path) -> Result<()> {
    let text = output(Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(dist))?;
    for end in ["-x86_64", "-aarch64", "_amd64.deb", "_arm64.deb"] {
        ensure!(text.lines().any(|line| line.ends_with(&format!("{end}: OK"))), "no sum of …{end}: {text}");
    }
    for (end, machine) in [("-x86_64", elf::EM_X86_64), ("-aarch64", elf::EM_AARCH64)] {
        let facts = elf::facts(&std::fs::read(ending(dist, end)?)?)?;
        ensure!(facts.machine == machine && facts.interpreter.is_none() && facts.needed.is_empty(), "{end}: {facts:?}");
    }
    Ok(())
}

fn same_files(dist: &Path) -> Result<()> {
    let names = |end: &str| -> Result<Vec<String>> {
        let text = output(Command::new("dpkg-deb").arg("--contents").arg(ending(dist, end)?))?;
        Ok(text.lines().filter_map(|line| line.rsplit(' ').next().map(str::to_owned)).collect())
    };
    let (one, other) = (names("_amd64.deb")?, names("_arm64.deb")?);
    ensure!(one == other, "{one:?}\n{other:?}");
    for name in ["usr/bin/biarch", "usr/share/man/man1/biarch-check.1.gz", "usr/share/bash-completion/completions/biarch"] {
        ensure!(one.contains(&format!("./{name}")), "no {name} in {one:?}");
    }
    ensure!(!one.iter().any(|name| name.contains("binfmt.d")), "nothing is registered with the kernel: {one:?}");
    Ok(())
}

fn installs(dist: &Path) -> Result<()> {
    let place = root().join("target/dist-root");
    if place.exists() {
        std::fs::remove_dir_all(&place)?;
    }
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
    output(Command::new("debootstrap").args(["--variant=minbase", "trixie"]).arg(&place).env("PATH", &path))?;
    let package = ending(dist, "_amd64.deb")?;
    std::fs::copy(&package, place.join("biarch.deb"))?;
    let script = "set -e; mount -t proc proc \"$1/proc\"; exec chroot \"$1\" /bin/sh -ec '
        dpkg -i /biarch.deb >/dev/null
        biarch --version
        gzip -dc /usr/share/man/man1/biarch-check.1.gz | grep -c \"^.TH\"
        biarch check || echo status $?
        dpkg --verify biarch
        dpkg --purge biarch >/dev/null
        test ! -e /usr/bin/biarch; test ! -e /usr/share/doc/biarch'";
    let mut command = Command::new("unshare");
    command.arg("--mount");
    if let Some(propagation) = machine::mount_propagation()? {
        command.arg(format!("--propagation={propagation}"));
    }
    let text = output(command.args(["sh", "-c", script, "sh"]).arg(&place).env("PATH", &path))?;
    let mut lines = text.lines();
    ensure!(lines.next() == Some(concat!("biarch ", env!("CARGO_PKG_VERSION"))) && lines.next() == Some("1"), "{text}");
    ensure!(text.contains("this machine: ") && !text.contains("status 2"), "{text}");
    Ok(())
}

fn starts(dist: &Path) -> Result<()> {
    let emulator = emulator().context("no emulator")?;
    let text = output(Command::new(emulator).arg(ending(dist, "-aarch64")?).arg("--version"))?;
    ensure!(text.trim_end() == concat!("biarch ", env!("CARGO_PKG_VERSION")), "{text}");
    Ok(())
}

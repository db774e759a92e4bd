//! An emulated machine, from a kernel's package to its end.

use crate::initramfs::Initramfs;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Why no machine can be started, if none can: there is no emulator called `qemu`, or the packages cannot be had. These are a
/// suite of Debian, an architecture, and names as packaging/debian-packages.sh has them; they are unpacked into `directory`.
pub fn missing(qemu: &str, package: &str, packages: &[&str], directory: &Path) -> Option<String> {
    if !Command::new(qemu).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success()) {
        return Some(format!("no {qemu} ({package})"));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging/debian-packages.sh");
    let (release, names) = packages.split_at(packages.len().min(2));
    match Command::new(script).arg("--alone").args(release).arg(directory).args(names).output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            Some(format!("no kernel: {}", text.lines().last().unwrap_or("cannot be downloaded")))
        }
        Err(error) => Some(format!("no kernel: {error}")),
    }
}

/// The file in `/boot` of unpacked packages whose name begins like this.
pub fn in_boot(packages: &Path, start: &str) -> Result<PathBuf> {
    std::fs::read_dir(packages.join("boot"))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start)))
        .with_context(|| format!("the kernel's package has no {start}"))
}

/// Waits for the machine to switch itself off; ends it when it no longer does anything: nothing is added to `outputs` for as
/// long as `silence`, or it takes longer than `limit`, however busy it seems.
pub fn run(machine: &mut Command, outputs: &[&Path], silence: Duration, limit: Duration) -> Result<()> {
    // SAFETY: only prctl(2) between fork and exec. The machine must not outlive a test run that is interrupted.
    unsafe {
        machine.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    let name = machine.get_program().to_string_lossy().into_owned();
    let mut machine = machine.spawn().context(name)?;
    let start = Instant::now();
    let mut sizes = vec![0; outputs.len()];
    let mut changed = start;
    let reason = loop {
        if let Some(status) = machine.try_wait()? {
            ensure!(status.success(), "QEMU ended with {status}");
            return Ok(());
        }
        let now: Vec<u64> = outputs.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).collect();
        if now != sizes {
            (sizes, changed) = (now, Instant::now());
        }
        if changed.elapsed() > silence {
            break format!("the machine has said nothing for {} seconds", silence.as_secs());
        }
        if start.elapsed() > limit {
            break format!("the machine was not done in {} minutes", limit.as_secs() / 60);
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    machine.kill()?;
    machine.wait()?;
    bail!(reason)
}

/// A machine whose first process is `tests/board/init`.
#[derive(Clone, Copy, Debug)]
pub struct Boot<'a> {
    /// Where its console and its other files are, by its name.
    pub directory: &'a Path,
    /// Its name.
    pub name: &'a str,
    /// What it boots.
    pub kernel: &'a Path,
    /// The kernel's parameters, the console's among them.
    pub parameters: &'a str,
    /// As for [`run`].
    pub silence: Duration,
    /// As for [`run`].
    pub limit: Duration,
}

impl Boot<'_> {
    /// Boots `machine`, an emulator with what the processor and the board are; the result is what the jobs in `archive` have said.
    pub fn jobs(&self, machine: &mut Command, archive: Initramfs) -> Result<Jobs> {
        let file = |kind: &str| self.directory.join(format!("{}.{kind}", self.name));
        let (console, errors, initrd) = (file("console"), file("qemu"), file("initramfs"));
        std::fs::write(&initrd, archive.finish()?)?;
        File::create(&console)?;
        machine.args(["-accel", "tcg", "-nodefaults", "-display", "none", "-no-reboot", "-append", self.parameters, "-kernel"]);
        machine.arg(self.kernel).arg("-initrd").arg(&initrd).arg("-serial").arg(format!("file:{}", console.display()));
        machine.stdin(Stdio::null()).stderr(File::create(&errors)?);
        run(machine, &[&console], self.silence, self.limit).with_context(|| end_of(&errors))?;
        let jobs = said(&String::from_utf8_lossy(&std::fs::read(&console)?));
        ensure!(jobs.contains_key("last"), "it did not get to its end:\n{}", end_of(&console));
        Ok(jobs)
    }
}

/// The last lines of a file, for a message about a machine that broke down.
#[must_use]
pub fn end_of(file: &Path) -> String {
    let bytes = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

/// What the jobs of `tests/board/init` have written, and their exit statuses, by their names.
pub type Jobs = BTreeMap<String, (String, i32)>;

/// Takes apart what is between the lines that `init` writes. What the kernel says in between is in the output of the job.
fn said(console: &str) -> Jobs {
    let mut jobs = Jobs::new();
    let mut current = None;
    for line in console.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("<<< ") {
            current = Some((name.trim().to_owned(), String::new()));
        } else if let Some(end) = line.strip_prefix(">>> ") {
            if let (Some((name, output)), Some((_, status))) = (current.take(), end.trim().rsplit_once(' ')) {
                jobs.insert(name, (output, status.parse().unwrap_or(-1)));
            }
        } else if let Some((_, output)) = &mut current {
            output.push_str(line);
        }
    }
    jobs
}

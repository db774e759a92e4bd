//! Devices that this machine has not: programs that talk to them run on Debian's kernel in QEMU, which emulates the devices.
//!
//! Each C program of this directory is compiled for both word sizes and runs three times: as x86-64, as i386 natively, and as i386 under
//! biarch. What it says must be the same. Full tier.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use anyhow::{Context, Result, anyhow, ensure};
use biarch_tests::emulator::{self, Boot, Jobs};
use biarch_tests::initramfs::Initramfs;
use biarch_tests::under_test;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const QEMU: &str = "qemu-system-x86_64";
/// The kernel for clouds has no USB.
const PACKAGES: &[&str] = &["trixie", "amd64", "linux-image-6.12.*[0-9]-amd64", "busybox-static"];
/// The processor is that of tests/boot, which says why.
const MACHINE: &[&str] = &["-cpu", "max,-smap,-smep,-cx16", "-smp", "2", "-m", "1024"];
const DEVICES: &[&str] = &[
    "-device",
    "qemu-xhci",
    "-blockdev",
    "driver=null-co,node-name=disk,read-zeroes=on",
    "-device",
    "usb-storage,drive=disk",
    "-device",
    "usb-tablet",
    "-audiodev",
    "none,id=silence",
    "-device",
    "usb-audio,audiodev=silence",
];
/// In the order in which they need each other, some with parameters; those that a kernel has built in are left out.
const MODULES: &[&str] = &[
    "usb-common",
    "usbcore",
    "xhci-hcd",
    "xhci-pci",
    "evdev",
    "uinput",
    "soundcore",
    "snd",
    "snd-timer",
    "snd-pcm",
    "snd-dummy fake_buffer=0",
    "snd-seq-device",
    "snd-rawmidi",
    "snd-seq",
    "snd-seq-midi-event",
    "snd-seq-virmidi",
    "snd-virmidi",
    "mc",
    "videodev",
    "videobuf2-common",
    "videobuf2-memops",
    "videobuf2-v4l2",
    "videobuf2-vmalloc",
    "videobuf2-dma-contig",
    "v4l2-tpg",
    "v4l2-dv-timings",
    "rc-core",
    "cec",
    "vivid n_devs=2 node_types=1,1 multiplanar=1,2",
];
/// A machine that has said nothing for this long is dead.
const SILENCE: Duration = Duration::from_secs(120);
/// However busy it seems.
const LIMIT: Duration = Duration::from_secs(10 * 60);

struct Suite {
    root: PathBuf,
    booted: OnceLock<std::result::Result<Jobs, String>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials(arguments.list) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("devices: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn trials(list_only: bool) -> Result<Vec<Trial>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the tests are in a workspace")?.to_owned();
    let suite = Arc::new(Suite { root, booted: OnceLock::new() });
    let missing = if std::env::var_os("BIARCH_TEST_FULL").is_none() {
        Some("takes minutes: make test-full".to_owned())
    } else if list_only {
        None
    } else {
        emulator::missing(QEMU, "qemu-system-x86", PACKAGES, &suite.root.join("target/device-packages"))
    };
    let mut trials = vec![];
    for name in suite.programs()? {
        let suite = Arc::clone(&suite);
        let title = format!("devices::{name}");
        let trial = Trial::test(title, move || suite.verdict(&name).map_err(|error| Failed::from(format!("{error:#}"))));
        trials.push(match &missing {
            Some(reason) => trial.with_kind(reason.clone()).with_ignored_flag(true),
            None => trial,
        });
    }
    Ok(trials)
}

impl Suite {
    /// The programs, without `.c`.
    fn programs(&self) -> Result<Vec<String>> {
        let mut names = vec![];
        for entry in std::fs::read_dir(self.root.join("tests/devices"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "c") {
                names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
        names.sort();
        Ok(names)
    }

    fn verdict(&self, name: &str) -> Result<()> {
        let booted = self.booted.get_or_init(|| self.boot().map_err(|error| format!("{error:#}")));
        let jobs = booted.as_ref().map_err(|text| anyhow!(text.clone()))?;
        let said =
            |flavour: &str| jobs.get(&format!("{name}-{flavour}")).with_context(|| format!("{name}-{flavour} did not run"));
        let (native, status) = said("i386")?;
        ensure!(*status == 0 && !native.is_empty(), "natively it ends with status {status}:\n{native}");
        for flavour in ["x86_64", "biarch"] {
            let (other, status) = said(flavour)?;
            ensure!(*status == 0 && other == native, "{flavour}, status {status}:\n{other}\nnatively:\n{native}");
        }
        Ok(())
    }

    fn boot(&self) -> Result<Jobs> {
        let packages = self.root.join("target/device-packages");
        let directory = self.root.join("target/devices");
        std::fs::create_dir_all(&directory)?;
        let mut archive = Initramfs::default();
        // The kernel opens it for the first process before devtmpfs is there.
        archive.directory("dev")?;
        archive.copy("init", &self.root.join("tests/board/init"))?;
        archive.copy("jobs", &self.root.join("tests/devices/jobs"))?;
        archive.copy("bin/busybox", &packages.join("usr/bin/busybox"))?;
        archive.copy("bin/biarch", &under_test::biarch()?)?;
        for name in self.programs()? {
            let source = self.root.join(format!("tests/devices/{name}.c"));
            for (compiler, flavour) in [("cc", "x86_64"), ("i686-linux-gnu-gcc", "i386")] {
                let program = directory.join(format!("{name}-{flavour}"));
                let mut command = Command::new(compiler);
                command
                    .args(["-static", "-pthread", "-O1", "-Wall", "-Werror", "-D_GNU_SOURCE", "-o"])
                    .arg(&program)
                    .arg(&source);
                let output = command.output().context(compiler)?;
                ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
                archive.copy(&format!("programs/{name}-{flavour}"), &program)?;
            }
        }
        for (number, (file, parameters)) in modules(&packages)?.iter().enumerate() {
            let output = Command::new("xz").arg("-dc").arg(file).output().context("xz")?;
            ensure!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
            let plain = directory.join("module.ko");
            std::fs::write(&plain, output.stdout)?;
            archive.copy(&format!("modules/{number:02}.ko"), &plain)?;
            archive.file(&format!("modules/{number:02}.parameters"), parameters.as_bytes())?;
        }
        let kernel = emulator::in_boot(&packages, "vmlinuz-")?;
        let parameters = "console=ttyS0 panic=-1 quiet nokaslr";
        let boot = Boot { directory: &directory, name: "machine", kernel: &kernel, parameters, silence: SILENCE, limit: LIMIT };
        boot.jobs(Command::new(QEMU).args(MACHINE).args(DEVICES), archive)
    }
}

/// The files of [`MODULES`], with their parameters.
fn modules(packages: &Path) -> Result<Vec<(PathBuf, &'static str)>> {
    let mut files = vec![];
    let mut directories = vec![packages.join("usr/lib/modules"), packages.join("lib/modules")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten() {
            let path = entry?.path();
            if path.is_dir() { directories.push(path) } else { files.push(path) }
        }
    }
    let find = |module: &&'static str| {
        let (name, parameters) = module.split_once(' ').unwrap_or((module, ""));
        let wanted = format!("{name}.ko.xz");
        let file = files.iter().find(|path| path.file_name().is_some_and(|file| file.to_string_lossy() == wanted))?;
        Some((file.clone(), parameters))
    };
    let found: Vec<_> = MODULES.iter().filter_map(find).collect();
    ensure!(!found.is_empty(), "the kernel's package has no modules");
    Ok(found)
}

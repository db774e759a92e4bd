//! The first process of the machine that the boot test boots: mounts what programs expect, runs the jobs it was given, and
//! sends back what they did through a virtio serial port.
#![allow(clippy::print_stdout, reason = "standard output is the machine's console, for a person who looks into a failure")]

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use biarch_tests::{process, wire};

/// What the kernel's devtmpfs calls the first port of the first virtio console.
const PORT: &str = "/dev/vport0p1";

fn main() {
    if std::process::id() == 1 {
        init();
    }
    if let Err(error) = work() {
        println!("agent: {error:#}");
        std::process::exit(1);
    }
}

/// Process 1: starts the worker, collects orphans until it is done, and switches the machine off.
fn init() -> ! {
    let result = mounts().and_then(|()| Command::new("/proc/self/exe").spawn().context("starting the worker"));
    match result {
        Ok(worker) => {
            let worker = i32::try_from(worker.id()).unwrap_or(-1);
            // SAFETY: wait(2) accepts a null pointer for the status.
            while !matches!(unsafe { libc::wait(std::ptr::null_mut()) }, pid if pid == worker || pid < 0) {}
        }
        Err(error) => println!("agent: {error:#}"),
    }
    // SAFETY: these have no memory arguments; nothing on this machine is worth keeping.
    unsafe {
        libc::sync();
        libc::reboot(libc::RB_POWER_OFF);
    }
    loop {
        std::thread::park();
    }
}

/// Mounts the file systems that programs expect, and brings up the loopback interface.
fn mounts() -> Result<()> {
    for (target, kind, data) in [
        ("/proc", "proc", ""),
        ("/sys", "sysfs", ""),
        ("/dev", "devtmpfs", ""),
        ("/dev/pts", "devpts", "ptmxmode=0666"),
        ("/dev/shm", "tmpfs", "mode=1777"),
        ("/dev/mqueue", "mqueue", ""),
        ("/tmp", "tmpfs", "mode=1777"),
    ] {
        std::fs::create_dir_all(target).context(target)?;
        let (path, kind, data) = (CString::new(target)?, CString::new(kind)?, CString::new(data)?);
        // SAFETY: four strings that outlive the call.
        let result = unsafe { libc::mount(kind.as_ptr(), path.as_ptr(), kind.as_ptr(), 0, data.as_ptr().cast()) };
        ensure!(result == 0, "mounting {target}: {}", std::io::Error::last_os_error());
    }
    for (link, target) in [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
        std::os::unix::fs::symlink(target, Path::new("/dev").join(link)).context(link)?;
    }
    let busybox = |words: &[&str]| -> Result<()> {
        let status = Command::new("/bin/busybox").args(words).status().context("busybox")?;
        ensure!(status.success(), "busybox {words:?}: {status}");
        Ok(())
    };
    busybox(&["--install", "-s", "/bin"])?;
    busybox(&["ip", "link", "set", "lo", "up"])?;
    busybox(&["hostname", "biarch"])
}

fn work() -> Result<()> {
    let mut port = OpenOptions::new().write(true).open(PORT).context(PORT)?;
    let jobs = wire::get_jobs(&mut File::open("/jobs").context("/jobs")?)?;
    for (number, job) in jobs.iter().enumerate() {
        println!("agent: {} of {}: {}", number + 1, jobs.len(), job.name);
        let outcome = process::run(&job.words, &job.stdin, job.timeout, &PathBuf::from("/tmp/scratch"))
            .with_context(|| job.name.clone())?;
        println!("agent: {}", outcome.end);
        wire::put_result(&mut port, &job.name, &outcome)?;
    }
    wire::put_end(&mut port, jobs.len())
}

//! What this machine has, found out by trying.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::program::Need;

/// The i386 program `_exit(42)` as a whole ELF file: header, one program header, `mov $1,%eax; mov $42,%ebx; int $0x80`.
/// No compiler is needed to ask the kernel whether it runs such a thing.
#[rustfmt::skip]
const EXIT_42: [u8; 96] = [
    0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 0, 3, 0, 1, 0, 0, 0, 0x54, 0x80, 0x04, 0x08, 52, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 52, 0, 32, 0, 1, 0, 0, 0,
    0, 0, 0, 0,
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x04, 0x08, 0, 0x80, 0x04, 0x08,
    96, 0, 0, 0, 96, 0, 0, 0, 5, 0, 0, 0, 0, 0x10, 0, 0,
    0xb8, 1, 0, 0, 0, 0xbb, 42, 0, 0, 0, 0xcd, 0x80,
];

/// Writes the smallest i386 program into `directory`; it exits with 42.
pub fn smallest_guest(directory: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(directory)?;
    let path = directory.join("exit42");
    // Another harness may be executing the file: only write it when it is not there, and move it in whole.
    if !path.exists() {
        let new = directory.join(format!("exit42.{}", std::process::id()));
        std::fs::write(&new, EXIT_42)?;
        std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o755))?;
        std::fs::rename(&new, &path)?;
    }
    Ok(path)
}

/// Whether this kernel runs i386 programs itself.
pub fn has_ia32(directory: &Path) -> Result<bool> {
    Ok(Command::new(smallest_guest(directory)?).status().is_ok_and(|status| status.code() == Some(42)))
}

/// How unshare(1) keeps what is mounted inside from being seen outside: `private`, or `unchanged` where it is private already.
/// In a chroot whose root is no mount point nothing can be changed, and mounts may be shared with the machine around it: `None`.
pub fn mount_propagation() -> Result<Option<&'static str>> {
    // proc_pid_mountinfo(5): number, its parent's, device, root, where it is mounted, options, and the fields, up to a hyphen.
    let mounts = std::fs::read_to_string("/proc/self/mountinfo")?;
    if mounts.lines().any(|line| line.split(' ').nth(4) == Some("/")) {
        return Ok(Some("private"));
    }
    // The mount that holds our root is not among those that can be seen from here, but among the first process's.
    let root = File::open("/")?;
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", root.as_raw_fd()))?;
    let number = info.lines().find_map(|line| line.strip_prefix("mnt_id:")).map(str::trim).context("fdinfo has no mnt_id")?;
    let all = std::fs::read_to_string("/proc/1/mountinfo")?;
    let ours = all.lines().find(|line| line.split(' ').next() == Some(number));
    Ok(ours.filter(|line| !line.split(" - ").next().is_some_and(|fields| fields.contains(" shared:"))).map(|_| "unchanged"))
}

/// Why `need` is not met here, if it is not.
#[must_use]
pub fn unmet(need: Need, ia32: bool) -> Option<&'static str> {
    match need {
        // SAFETY: geteuid(2) has no arguments and cannot fail.
        Need::Root => (unsafe { libc::geteuid() } != 0).then_some("needs root"),
        Need::Mounts => match mount_propagation() {
            Ok(Some(_)) => None,
            _ => Some("needs a root directory that is a mount point, or one on a mount that is not shared"),
        },
        Need::Net => std::net::TcpListener::bind("127.0.0.1:0").is_err().then_some("needs a loopback interface"),
        Need::Mqueue => (!Path::new("/proc/sys/fs/mqueue").exists()).then_some("needs POSIX message queues in the kernel"),
        Need::Vdso => {
            std::env::var_os("BIARCH_VDSO").is_some_and(|vdso| vdso == "none").then_some("needs a vDSO, and there is to be none")
        }
        Need::Ia32 => (!ia32).then_some("needs the kernel's 32-bit support to compare with"),
    }
}

//! Compiles the probes: 32-bit programs that need no C library, for i386 and for ARM, whatever biarch itself is built for.
#![allow(clippy::unwrap_used, missing_docs, reason = "a build that cannot go on ends by a panic, which says why")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// One architecture of the probes.
struct Probe {
    name: &'static str,
    /// Compilers that can do it, the first that works is taken. With words that only this one needs.
    compilers: &'static [&'static [&'static str]],
    flags: &'static [&'static str],
    package: &'static str,
}

const PROBES: &[Probe] = &[
    Probe {
        name: "i386",
        compilers: &[&["i686-linux-gnu-gcc"], &["cc"], &["clang", "--target=i686-linux-gnu", "-fuse-ld=lld"]],
        flags: &["-m32", "-march=i686"],
        package: "gcc-i686-linux-gnu",
    },
    Probe {
        name: "armhf",
        compilers: &[&["arm-linux-gnueabihf-gcc"], &["clang", "--target=armv7-linux-gnueabihf", "-fuse-ld=lld"]],
        flags: &["-march=armv7-a+fp", "-marm"],
        package: "gcc-arm-linux-gnueabihf",
    },
];

/// Static, at fixed addresses, without anything of a C library, and aligned for kernels with pages of 64 KiB.
const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O2",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-pic",
    "-fno-pie",
    "-no-pie",
    "-fno-asynchronous-unwind-tables",
    "-nostdlib",
    "-nostartfiles",
    "-static",
    "-Wl,--build-id=none",
    "-Wl,-z,max-page-size=65536",
    "-Wl,-z,noseparate-code",
    "-Wl,-z,noexecstack",
    "-s",
];

fn main() {
    println!("cargo::rerun-if-changed=probe");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap());
    for probe in PROBES {
        let path = out.join(format!("probe-{}", probe.name));
        compile(probe, &path);
        not_a_script(&path);
    }
}

fn compile(probe: &Probe, path: &Path) {
    let mut tried = String::new();
    for compiler in probe.compilers {
        let mut command = Command::new(compiler[0]);
        command.args(&compiler[1..]).args(probe.flags).args(FLAGS).arg("-o").arg(path).arg("probe/probe.c");
        match command.output() {
            Ok(output) if output.status.success() => return,
            Ok(output) => tried.push_str(&format!("\n{}: {}", compiler[0], String::from_utf8_lossy(&output.stderr))),
            Err(error) => tried.push_str(&format!("\n{}: {error}", compiler[0])),
        }
    }
    panic!(
        "no C compiler for {}: packaging/install-dependencies.sh installs one (Debian's package {}); tried:{tried}",
        probe.name, probe.package
    );
}

/// A shell takes a file that the kernel refuses for a script. Its first line would be as long as the next newline is away; so the
/// unused bytes of `e_ident` say `exit`.
fn not_a_script(path: &Path) {
    let mut program = std::fs::read(path).unwrap();
    program[9..15].copy_from_slice(b"\nexit\n");
    std::fs::write(path, program).unwrap();
}

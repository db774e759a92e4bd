//! Builds the runtime of bridges: `libbiarch.so`, which generated libraries need beside them, and what is inside it.
#![allow(clippy::unwrap_used, missing_docs, reason = "a build that cannot go on ends by a panic, which says why")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime's sources for every host.
const RUNTIME: &[&str] = &["core.c", "process.c"];
/// Those of the transport `in-process`, which x86-64 has.
const IN_PROCESS: &[&str] = &["in_process.c", "backtrace.c", "launcher.S"];

/// The server of the transport `process`, a program for the 32-bit architecture.
const SERVER: &[&str] = &["server.c", "call.S"];

const WARNINGS: &[&str] = &["-std=gnu11", "-O2", "-g0", "-Wall", "-Wextra", "-Werror"];

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap());
    // A bridge to a library for armhf can be made anywhere.
    runtime(&out.join("aarch64"), false);
    if std::env::var("CARGO_CFG_TARGET_ARCH").unwrap() == "x86_64" {
        runtime(&out.join("x86_64"), true);
    }
}

/// Runtime and server for programs of one architecture.
fn runtime(out: &Path, x86_64: bool) {
    std::fs::create_dir_all(out).unwrap();
    let mut command = Command::new(if x86_64 { "cc" } else { "aarch64-linux-gnu-gcc" });
    command.args(WARNINGS).args(["-fPIC", "-shared", "-fvisibility=hidden", "-pthread", "-s", "-Iruntime"]);
    command.args(["-Wl,-soname,libbiarch.so.0", "-Wl,-z,nodelete", "-Wl,-z,now", "-Wl,-z,defs", "-Wl,--gc-sections"]);
    command.args(["-Wl,--exclude-libs,ALL", "-o"]).arg(out.join("libbiarch.so.0"));
    command.args(RUNTIME.iter().map(|file| format!("runtime/{file}")));
    if x86_64 {
        let launcher = out.join("launcher");
        let mut compiler = Command::new("i686-linux-gnu-gcc");
        compiler.args(WARNINGS).args(["-pie", "-fPIE", "-pthread", "-s", "-o"]).arg(&launcher).arg("runtime/launcher.c");
        run(compiler.arg("-ldl"), "gcc-i686-linux-gnu");
        command.arg(format!("-DLAUNCHER=\"{}\"", launcher.display()));
        command.args(IN_PROCESS.iter().map(|file| format!("runtime/{file}"))).arg(engine(out));
    } else {
        command.arg("-DBIARCH_WITHOUT_IN_PROCESS");
    }
    run(&mut command, if x86_64 { "gcc" } else { "gcc-aarch64-linux-gnu libc6-dev-arm64-cross" });
    server(out, x86_64);
}

/// Dynamic: it loads the library, and so the C library that the library needs.
fn server(out: &Path, x86_64: bool) {
    let (compiler, package) = if x86_64 {
        ("i686-linux-gnu-gcc", "gcc-i686-linux-gnu libc6-dev-i386-cross")
    } else {
        ("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross")
    };
    let mut command = Command::new(compiler);
    command
        .args(WARNINGS)
        .args(["-pie", "-fPIE", "-funwind-tables", "-nostartfiles", "-s", "-Iruntime", "-o"])
        .arg(out.join("server"));
    command.args(SERVER.iter().map(|file| format!("runtime/{file}")));
    // See versions.h.
    run(command.args(["-Wl,--no-as-needed", "-l:libdl.so.2", "-l:libpthread.so.0"]), package);
}

/// The engine of `biarch run` as a static library: without the standard library, which this process's own C library would not suit, so
/// it is another build than that of the crate.
fn engine(out: &Path) -> PathBuf {
    println!("cargo::rerun-if-changed=../run");
    println!("cargo::rerun-if-changed=../abi");
    let directory = out.join("engine");
    let target = std::env::var("TARGET").unwrap();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap());
    cargo.args(["rustc", "--quiet", "--locked", "--release", "--package", "biarch-run", "--lib", "--crate-type", "staticlib"]);
    cargo.args(["--features", "engine", "--target", &target, "--config", "profile.release.panic='abort'"]);
    cargo.args(["--config", "profile.release.debug=false", "--target-dir"]).arg(&directory);
    // Position-independent for a shared library, and compiled by rustc itself, also where this build is clippy's.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", "").env_remove("RUSTC_WORKSPACE_WRAPPER");
    run(&mut cargo, "cargo");
    directory.join(target).join("release/librun.a")
}

fn run(command: &mut Command, package: &str) {
    match command.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => panic!(
            "{}: {error}; packaging/install-dependencies.sh installs it (Debian's package {package})",
            command.get_program().to_string_lossy()
        ),
    }
}

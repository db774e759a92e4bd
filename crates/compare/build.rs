//! Builds the worker for each ABI whose compiler is there. The ABIs of the machine that biarch is built for are needed; those of
//! other machines are for kits.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// An ABI, the compilers that make programs for it, and the Debian packages with the compiler and the C library.
const ABIS: [(&str, &[&str], &str); 5] = [
    ("i386", &["i686-linux-gnu-gcc"], "gcc-i686-linux-gnu libc6-dev-i386-cross"),
    ("x86_64", &["x86_64-linux-gnu-gcc"], "gcc-x86-64-linux-gnu libc6-dev-amd64-cross"),
    ("armhf", &["arm-linux-gnueabihf-gcc"], "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross"),
    ("arm64", &["aarch64-linux-gnu-gcc"], "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"),
    ("x32", &["x86_64-linux-gnux32-gcc"], "gcc-x86-64-linux-gnux32 libc6-dev-x32-cross"),
];

/// The suites, in the order in which they are run: cheap and simple things first.
const SOURCES: [&str; 14] = [
    "main.c",
    "evidence.c",
    "time.c",
    "calls.c",
    "constants.c",
    "system.c",
    "memory.c",
    "crypto.c",
    "ipc.c",
    "designs.c",
    "mix.c",
    "latency.c",
    "load.c",
    "trace.c",
];

fn main() {
    let sources: Vec<PathBuf> = SOURCES.iter().map(|name| Path::new("worker").join(name)).collect();
    println!("cargo::rerun-if-changed=worker");
    // A cross compiler that is installed later brings its worker.
    if Path::new("/usr/lib/gcc-cross").exists() {
        println!("cargo::rerun-if-changed=/usr/lib/gcc-cross");
    }
    let needed: &[&str] = match env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("aarch64") => &["armhf", "arm64"],
        _ => &["i386", "x86_64"],
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (abi, compilers, packages) in ABIS {
        let worker = out.join(format!("worker-{abi}"));
        let built = compilers.iter().any(|compiler| compile(compiler, &sources, &worker));
        assert!(
            built || !needed.contains(&abi),
            "no compiler for {abi} that can link a static program: apt-get install {packages}"
        );
        if !built {
            fs::write(&worker, []).expect("OUT_DIR can be written");
        }
    }
}

/// Whether there is such a compiler and it has its C library; it must then succeed.
fn compile(compiler: &str, sources: &[PathBuf], worker: &Path) -> bool {
    let empty = worker.with_extension("c");
    fs::write(&empty, "#include <stdio.h>\nint main(void) { return 0; }\n").expect("OUT_DIR can be written");
    let built = |arguments: &[&str], sources: &[PathBuf]| {
        let mut command = Command::new(compiler);
        // Symbols stay: `--explain` and the causes look functions up.
        command.args(arguments).args(["-static", "-Wl,--strip-debug", "-o"]).arg(worker).args(sources);
        command.output()
    };
    if !built(&[], &[empty]).is_ok_and(|output| output.status.success()) {
        return false;
    }
    let output =
        built(&["-std=gnu11", "-O2", "-pthread", "-fno-toplevel-reorder", "-Wall", "-Wextra", "-Wl,-e,begin_worker"], sources)
            .expect("it was there a moment ago");
    assert!(output.status.success(), "{compiler}:\n{}", String::from_utf8_lossy(&output.stderr));
    true
}

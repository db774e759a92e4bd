//! Builds the worker, which is a dynamic program for the machine that biarch is built for: it loads libclang.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is kept of an earlier run is only of use to the same rules.
fn fingerprint(directory: &Path, hasher: &mut DefaultHasher) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            fingerprint(&path, hasher);
        } else {
            path.hash(hasher);
            fs::read(&path).expect("a file").hash(hasher);
        }
    }
}

fn main() {
    println!("cargo::rerun-if-changed=worker");
    println!("cargo::rerun-if-changed=src");
    let mut hasher = DefaultHasher::new();
    for directory in ["src", "worker", "../findings/src"] {
        fingerprint(Path::new(directory), &mut hasher);
    }
    println!("cargo::rerun-if-changed=../findings/src");
    println!("cargo::rustc-env=BIARCH_PORT_SOURCES={:x}", hasher.finish());
    let compilers: &[&str] = match env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("aarch64") => &["aarch64-linux-gnu-gcc", "cc"],
        _ => &["x86_64-linux-gnu-gcc", "cc"],
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("worker");
    let mut tried = String::new();
    for compiler in compilers {
        let mut command = Command::new(compiler);
        command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-s", "-o"]).arg(&out).args([
            "worker/worker.c",
            "-ldl",
            "-lpthread",
        ]);
        match command.output() {
            Ok(output) if output.status.success() => return,
            Ok(output) => tried.push_str(&format!("\n{compiler}: {}", String::from_utf8_lossy(&output.stderr))),
            Err(error) => tried.push_str(&format!("\n{compiler}: {error}")),
        }
    }
    panic!("no C compiler that can build worker/worker.c: packaging/install-dependencies.sh installs one; tried:{tried}");
}

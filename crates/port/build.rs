//! Builds the worker, which is a dynamic program for the machine that biarch is built for: it loads libclang.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=worker");
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

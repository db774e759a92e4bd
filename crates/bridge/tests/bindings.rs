//! The declarations for Python and Rust: structures lie where C has them, whatever they are made of, and names are no words of the
//! language. What cannot be declared is left out.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Annotation;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bindings");

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {}: {said}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// The directory with the bridge in it, made once.
fn directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bindings");
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory");
        for name in ["layouts.h", "layouts.toml", "layouts.rs"] {
            fs::copy(Path::new(SOURCES).join(name), directory.join(name)).expect("a file");
        }
        let source = format!("{SOURCES}/layouts.c");
        run(Command::new("i686-linux-gnu-gcc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(directory.join("liblayouts.so"))
            .arg(&source));
        let annotation = Annotation::read(&directory.join("layouts.toml")).unwrap_or_else(|error| panic!("{error:#}"));
        bridge::build::build(&annotation, &directory.join("in-process")).unwrap_or_else(|error| panic!("{error:#}"));
        directory
    })
}

/// What is printed of all structures: their sizes, which C knows, and what the functions make of them.
fn expected(last: &str) -> String {
    let program = directory().join(format!("sizes-{}", last.len()));
    run(Command::new("cc").arg("-o").arg(&program).arg(format!("{SOURCES}/sizes.c")));
    run(&mut Command::new(&program)) + include_str!("bindings/printed.txt") + last
}

#[test]
fn python_sees_structures_as_c_has_them() {
    let mut command = Command::new("python3");
    command.arg("-B").arg(format!("{SOURCES}/layouts.py")).arg(directory().join("in-process"));
    assert_eq!(run(&mut command), expected("text 8 b'one' 13.5 False\n3021 3.0 [False, False, False, False, False, False]\n"));
}

#[test]
fn rust_sees_structures_as_c_has_them() {
    let directory = directory();
    let program = directory.join("rust");
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2024", "-O", "-L"]).arg(directory.join("in-process")).arg("-o").arg(&program);
    run(compiler.arg(directory.join("layouts.rs")));
    let printed = run(Command::new(&program).env("LD_LIBRARY_PATH", directory.join("in-process")));
    assert_eq!(printed, expected("185341 3021 12127 321\n16 4 4 1\n321 1230.5 21\n"));
    let text = fs::read_to_string(directory.join("in-process/layouts.rs")).expect("layouts.rs");
    assert!(text.contains("// twice is left out: it takes or returns `long double`"), "{text}");
}

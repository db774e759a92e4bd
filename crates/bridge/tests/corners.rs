//! A library that has everything which differs between 32 and 64 bits: the same program prints the same with the library for 64 bits and
//! with a bridge to that for 32; and one in which everything goes wrong.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Annotation;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}: {said}", output.status);
    assert!(said.is_empty(), "{command:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    directory
}

/// What `main.c` of a directory prints with a bridge to its 32-bit library; `more` is for the annotation file.
fn bridged(name: &str, transport: &str, more: &str, directory: &Path) -> String {
    let source = |file: &str| format!("{}/tests/{name}/{file}", env!("CARGO_MANIFEST_DIR"));
    let narrow = directory.join(format!("lib{name}.so"));
    let mut compiler = Command::new("i686-linux-gnu-gcc");
    run(compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&narrow).arg(source(&format!("{name}.c"))).arg("-lm"));
    let annotated = fs::read_to_string(source(&format!("{name}.toml"))).expect("an annotation file");
    let text = annotated.replace(&format!("{name}.h"), &source(&format!("{name}.h")));
    let text = text.replace(&format!("lib{name}.so"), &narrow.display().to_string());
    let file = directory.join(format!("{transport}.toml"));
    fs::write(&file, more.to_owned() + &text.replace("in-process", transport)).expect("an annotation file");
    let into = directory.join(transport);
    let annotation = Annotation::read(&file).unwrap_or_else(|error| panic!("{error:#}"));
    bridge::build::build(&annotation, &into).unwrap_or_else(|error| panic!("{error:#}"));
    let program = into.join("bridged");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O1", "-o"])
        .arg(&program)
        .arg(source("main.c"))
        .arg("-I")
        .arg(into.join("include"))
        .arg("-L")
        .arg(&into)
        .arg("-pthread");
    run(compiler.arg("-Wl,-rpath,$ORIGIN").arg(format!("-l{name}")).arg("-l:libbiarch.so.0"));
    run(&mut Command::new(&program))
}

fn same(printed: &str, expected: &str, transport: &str) {
    for (number, (one, two)) in expected.lines().zip(printed.lines()).enumerate() {
        assert_eq!(two, one, "{transport}, line {}", number + 1);
    }
    assert_eq!(printed.len(), expected.len(), "{transport}");
}

#[test]
fn corners_are_the_same_through_a_bridge() {
    let directory = scratch("corners");
    let source = |name: &str| format!("{}/tests/corners/{name}", env!("CARGO_MANIFEST_DIR"));
    let native = directory.join("native");
    run(Command::new("cc").args(["-O1", "-o"]).arg(&native).args([source("main.c"), source("corners.c")]).arg("-lm"));
    let expected = run(&mut Command::new(&native));
    for (transport, more) in [("in-process", ""), ("process", ""), ("in-process", "threads = \"one-at-a-time\"\n")] {
        same(&bridged("corners", transport, more, &directory), &expected, transport);
    }
    let module = directory.join("in-process/corners.py");
    let text = fs::read_to_string(&module).expect("corners.py");
    let constants: String = text.lines().filter(|line| line.starts_with("CORNERS_")).map(|line| line.to_owned() + "\n").collect();
    assert_eq!(
        constants,
        "CORNERS_MASK = 2147483648\nCORNERS_AGAIN = 2147483648\nCORNERS_BITS = 32\nCORNERS_NEGATIVE = -7\n\
         CORNERS_NAME = b\"a \\\"name\\\", \\303\\251\"\nCORNERS_THIRD = 0.25\nCORNERS_NINE = 9\nCORNERS_LAST = 122\n"
    );
    // C++ can include what C has words for that it has not.
    let source = directory.join("header.cc");
    fs::write(&source, "#include \"corners.h\"\nint main() { return is_odd(3) ? 0 : 1; }\n").expect("header.cc");
    let mut compiler = Command::new("c++");
    compiler.args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I"]).arg(directory.join("in-process/include"));
    run(compiler.arg(&source));
}

/// The library for 32-bit ARM and the program for AArch64, each in an emulator of its own.
#[test]
#[ignore = "needs qemu-user: make test-full"]
fn corners_are_the_same_on_aarch64() {
    let directory = scratch("corners-aarch64");
    let source = |file: &str| format!("{}/tests/corners/{file}", env!("CARGO_MANIFEST_DIR"));
    let emulated = |program: &Path| {
        let mut command = Command::new("qemu-aarch64-static");
        // libc6:arm64, where it is installed, would come before the cross root: the loader's own cache names it.
        command.args(["-L", "/usr/aarch64-linux-gnu", "-E", "LD_LIBRARY_PATH=/usr/aarch64-linux-gnu/lib"]).arg(program);
        run(&mut command)
    };
    let native = directory.join("native");
    let mut compiler = Command::new("aarch64-linux-gnu-gcc");
    run(compiler.args(["-O1", "-o"]).arg(&native).args([source("main.c"), source("corners.c")]).arg("-lm"));
    let library = directory.join("libcorners.so");
    let mut compiler = Command::new("arm-linux-gnueabihf-gcc");
    run(compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source("corners.c")).arg("-lm"));
    let annotated = fs::read_to_string(source("corners.toml")).expect("an annotation file").replace("in-process", "process");
    let text = annotated.replace("corners.h", &source("corners.h")).replace("libcorners.so", &library.display().to_string());
    let file = directory.join("corners.toml");
    fs::write(&file, text).expect("an annotation file");
    let into = directory.join("bridge");
    let annotation = Annotation::read(&file).unwrap_or_else(|error| panic!("{error:#}"));
    bridge::build::build(&annotation, &into).unwrap_or_else(|error| panic!("{error:#}"));
    let server = into.join("biarch-server-armhf");
    let emulator = format!("#!/bin/sh\nexec qemu-arm-static -L /usr/arm-linux-gnueabihf {}.arm \"$@\"\n", server.display());
    fs::rename(&server, into.join("biarch-server-armhf.arm")).expect("a server");
    fs::write(&server, emulator).expect("a script");
    fs::set_permissions(&server, fs::Permissions::from_mode(0o755)).expect("a script");
    let program = into.join("bridged");
    let mut compiler = Command::new("aarch64-linux-gnu-gcc");
    compiler.args(["-O1", "-o"]).arg(&program).arg(source("main.c")).arg("-I").arg(into.join("include")).arg("-L").arg(&into);
    run(compiler.args(["-pthread", "-Wl,-rpath,$ORIGIN", "-lcorners", "-l:libbiarch.so.0"]));
    // ARM's `long double` has no more digits than its `double`.
    let expected = emulated(&native).replace("0.33333333333333333333", "0.33333333333333331483");
    same(&emulated(&program), &expected, "AArch64");
}

#[test]
fn an_error_names_the_function_and_the_argument() {
    let directory = scratch("errors");
    let expected = include_str!("errors/printed.txt");
    for transport in ["in-process", "process"] {
        same(&bridged("errors", transport, "", &directory), expected, transport);
    }
}

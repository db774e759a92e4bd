//! A library that has everything which differs between 32 and 64 bits: the same program prints the same with the library for 64 bits and
//! with a bridge to that for 32.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Annotation;
use std::fs;
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

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corners");

#[test]
fn corners_are_the_same_through_a_bridge() {
    let directory = scratch("corners");
    let source = |name: &str| format!("{SOURCES}/{name}");
    let narrow = directory.join("libcorners.so");
    run(Command::new("i686-linux-gnu-gcc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&narrow)
        .arg(source("corners.c"))
        .arg("-lm"));
    let native = directory.join("native");
    run(Command::new("cc").args(["-O1", "-o"]).arg(&native).args([source("main.c"), source("corners.c")]).arg("-lm"));
    let expected = run(&mut Command::new(&native));
    for transport in ["in-process", "process"] {
        let annotated = fs::read_to_string(source("corners.toml")).expect("corners.toml");
        let text = annotated.replace("corners.h", &source("corners.h")).replace("libcorners.so", &narrow.display().to_string());
        let file = directory.join(format!("{transport}.toml"));
        fs::write(&file, text.replace("in-process", transport)).expect("an annotation file");
        let into = directory.join(transport);
        bridge::build::build(&Annotation::read(&file).expect("corners.toml"), &into).unwrap_or_else(|error| panic!("{error:#}"));
        let program = into.join("bridged");
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-o"]).arg(&program).arg(source("main.c")).arg("-L").arg(&into);
        run(compiler.args(["-Wl,-rpath,$ORIGIN", "-l:libcorners.so"]));
        let printed = run(&mut Command::new(&program));
        for (number, (one, two)) in expected.lines().zip(printed.lines()).enumerate() {
            assert_eq!(two, one, "{transport}, line {}", number + 1);
        }
        assert_eq!(printed.len(), expected.len(), "{transport}");
    }
}

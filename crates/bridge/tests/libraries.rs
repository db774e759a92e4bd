//! Debian's 32-bit libraries, by what `biarch bridge init` writes and a few corrections: a program prints the same as with the 64-bit library.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::Annotation;
use bridge::{library, questions};
use port::interface;
use port::pair::Pair;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/libraries");

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {}: {said}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            // An answer replaces an answer.
            (Some(toml::Value::Table(into)), toml::Value::Table(from)) if !from.contains_key("pass") => merge(into, from),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

/// The annotation file that `init` writes, with the corrections of this directory.
fn annotated(name: &str, header: &str, soname: &str, directory: &Path) -> PathBuf {
    let found = library::read(&library::find(Path::new(soname), None)).unwrap_or_else(|error| panic!("{error:#}"));
    let header = Path::new(header);
    let annotation = Annotation::new(header.to_owned(), found.path.clone());
    let interface = interface::read(header, Pair::ALL[0], &[]).unwrap_or_else(|error| panic!("{error:#}"));
    let asked = questions::ask(&interface, &found, annotation, [header, &found.path]);
    fs::write(directory.join("init.toml"), &asked.text).expect("init.toml");
    let mut table: toml::Table = toml::from_str(&asked.text).expect("init writes TOML");
    let corrections = fs::read_to_string(format!("{SOURCES}/{name}.toml")).expect("corrections");
    merge(&mut table, toml::from_str(&corrections).expect("TOML"));
    let file = directory.join(format!("{name}.toml"));
    fs::write(&file, table.to_string()).expect("an annotation file");
    file
}

fn same_as_64_bit(name: &str, header: &str, soname: &str, transports: &[&str]) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", transports.concat()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    let file = annotated(name, header, soname, &directory);
    let program = directory.join("program");
    run(Command::new("cc").args(["-O1", "-o"]).arg(&program).arg(format!("{SOURCES}/{name}.c")).arg(format!("-l:{soname}")));
    let expected = run(&mut Command::new(&program));
    for transport in transports {
        let text = fs::read_to_string(&file).expect("it").replace("in-process", transport);
        fs::write(&file, text).expect("it");
        let into = directory.join(transport);
        bridge::build::build(&Annotation::read(&file).expect("it"), &into).unwrap_or_else(|error| panic!("{error:#}"));
        // The program is the same: it was linked with the 64-bit library.
        let printed = run(Command::new(&program).env("LD_LIBRARY_PATH", &into));
        for (number, (one, two)) in expected.lines().zip(printed.lines()).enumerate() {
            assert_eq!(two, one, "{name}, {transport}, line {}", number + 1);
        }
        assert_eq!(printed.len(), expected.len(), "{name}, {transport}");
    }
}

#[test]
fn zlib_through_a_bridge() {
    same_as_64_bit("z", "/usr/include/zlib.h", "libz.so.1", &["in-process", "process"]);
}

#[test]
fn sqlite_through_a_bridge() {
    same_as_64_bit("sqlite3", "/usr/include/sqlite3.h", "libsqlite3.so.0", &["in-process"]);
}

#[test]
#[ignore = "600,000 calls to another process"]
fn sqlite_in_a_server() {
    same_as_64_bit("sqlite3", "/usr/include/sqlite3.h", "libsqlite3.so.0", &["process"]);
}

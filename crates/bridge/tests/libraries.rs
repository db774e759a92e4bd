//! Debian's 32-bit libraries, by what `biarch bridge init` writes and a few corrections: a program prints the same as with the 64-bit library.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::{Annotation, Transport};
use bridge::{library, model, questions};
use port::interface::{self, Interface};
use port::pair::Pair;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/libraries");
const PACKAGES: [&str; 10] = [
    "zlib1g",
    "zlib1g-dev",
    "libsqlite3-0",
    "libsqlite3-dev",
    "libexpat1",
    "libexpat1-dev",
    "libasound2",
    "libasound2-dev",
    "libusb-1.0-0",
    "libusb-1.0-0-dev",
];

/// The packages, for i386 and amd64.
fn packages() -> &'static [PathBuf; 2] {
    static PLACES: OnceLock<[PathBuf; 2]> = OnceLock::new();
    PLACES.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
        ["i386", "amd64"].map(|architecture| {
            let place = root.join("target/bridge-packages").join(architecture);
            fs::create_dir_all(place.parent().expect("target")).expect("a directory");
            let mut command = Command::new(root.join("packaging/debian-packages.sh"));
            let status = command.args(["--alone", "bookworm", architecture]).arg(&place).args(PACKAGES).status();
            assert!(status.is_ok_and(|status| status.success()), "the packages for {architecture} cannot be had");
            place
        })
    })
}

/// The library of a package.
fn packaged(place: &Path, soname: &str) -> PathBuf {
    let triplet = if place.ends_with("i386") { "i386-linux-gnu" } else { "x86_64-linux-gnu" };
    let places = ["lib", "usr/lib"].map(|directory| place.join(directory).join(triplet).join(soname));
    places.into_iter().find(|path| path.exists()).unwrap_or_else(|| panic!("no {soname}"))
}

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

fn initial(header: &str, soname: &str) -> (Interface, library::Library, questions::Questions) {
    let [narrow, wide] = packages();
    let found = library::read(&packaged(narrow, soname)).unwrap_or_else(|error| panic!("{error:#}"));
    let include = wide.join("usr/include");
    let header = include.join(header);
    let mut annotation = Annotation::new(header.clone(), found.path.clone());
    annotation.include = vec![include.clone(), include.join("x86_64-linux-gnu")];
    let interface = interface::read(&header, Pair::ALL[0], &annotation.arguments()).unwrap_or_else(|error| panic!("{error:#}"));
    let asked = questions::ask(&interface, &found, annotation, [&header, &found.path]);
    (interface, found, asked)
}

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    directory
}

/// Builds a bridge from what `init` writes, with the corrections of this directory.
fn bridged(name: &str, header: &str, soname: &str, transport: Transport) -> PathBuf {
    let directory = scratch(&format!("{name}-{}", transport.name()));
    let (_, _, asked) = initial(header, soname);
    let mut table: toml::Table = toml::from_str(&asked.text).expect("init writes TOML");
    let corrections = fs::read_to_string(format!("{SOURCES}/{name}.toml")).expect("corrections");
    merge(&mut table, toml::from_str(&corrections).expect("TOML"));
    table.insert("transport".to_owned(), transport.name().into());
    let file = directory.join(format!("{name}.toml"));
    fs::write(&file, table.to_string()).expect("an annotation file");
    bridge::build::build(&Annotation::read(&file).expect("it"), &directory).unwrap_or_else(|error| panic!("{error:#}"));
    directory
}

/// The same program, linked with the 64-bit library, finds one and then the other.
fn same_as_64_bit(name: &str, soname: &str, directory: &Path) {
    let [_, wide] = packages();
    let program = directory.join("program");
    let native = packaged(wide, soname);
    let include = wide.join("usr/include");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-I"]).arg(&include).arg("-I").arg(include.join("x86_64-linux-gnu")).arg("-o").arg(&program);
    run(compiler.arg(format!("{SOURCES}/{name}.c")).arg(&native));
    let expected = run(Command::new(&program).env("LD_LIBRARY_PATH", native.parent().expect("a directory")));
    let printed = run(Command::new(&program).env("LD_LIBRARY_PATH", directory));
    for (number, (one, two)) in expected.lines().zip(printed.lines()).enumerate() {
        assert_eq!(two, one, "{name}, line {}", number + 1);
    }
    assert_eq!(printed.len(), expected.len(), "{name}");
}

const PYTHON: &str = "
import ctypes, sys
sys.path.insert(0, sys.argv[1])
import z
packed, size = (ctypes.c_ubyte * 100)(), ctypes.c_uint64(100)
print(z.zlibVersion().decode(), hex(z.crc32(0, b'hello', 5)), z.compress(packed, size, b'a' * 1000, 1000), size.value)
";

/// Python's own module, which knows nothing of a bridge.
const MODULE: &str = "
import zlib
print(zlib.crc32(b'hello'), zlib.decompress(zlib.compress(b'x' * 100000)) == b'x' * 100000)
stream = zlib.compressobj(9, wbits=31)
packed = b''.join(stream.compress(bytes([i % 7]) * i) for i in range(1000)) + stream.flush()
print(len(zlib.decompress(packed, wbits=47)))
one = zlib.compressobj()
start = one.compress(b'a' * 300000)
two = one.copy()
print(zlib.decompress(start + two.compress(b'b') + two.flush()) == b'a' * 300000 + b'b', zlib.decompress(start + one.flush())[-1:])
try:
    zlib.decompress(b'no zlib')
except zlib.error as error:
    print(error)
";

#[test]
fn zlib_is_the_same_from_c_python_and_rust() {
    let directory = bridged("z", "zlib.h", "libz.so.1", Transport::InProcess);
    same_as_64_bit("z", "libz.so.1", &directory);
    let printed = run(Command::new("python3").args(["-c", PYTHON]).arg(&directory));
    assert_eq!(printed, "1.2.13 0x3610a686 0 17\n");
    let expected = run(Command::new("python3").args(["-c", MODULE]));
    // With -X dev, what Python has not written and what it has freed is full of garbage.
    for options in [&["-c", MODULE][..], &["-X", "dev", "-c", MODULE]] {
        let printed = run(Command::new("python3").args(options).env("LD_LIBRARY_PATH", &directory));
        assert_eq!(printed, expected);
    }
    let rust = directory.join("crc32.rs");
    fs::copy(format!("{SOURCES}/crc32.rs"), &rust).expect("crc32.rs");
    let program = directory.join("rust");
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2024", "-A", "warnings", "-L"]).arg(&directory).arg("-o").arg(&program).arg(&rust);
    run(&mut compiler);
    assert_eq!(run(Command::new(&program).env("LD_LIBRARY_PATH", &directory)), "3610a686\n");
}

#[test]
fn zlib_in_a_server_is_the_same() {
    same_as_64_bit("z", "libz.so.1", &bridged("z", "zlib.h", "libz.so.1", Transport::Process));
}

#[test]
fn expat_calls_the_program_with_its_own_data() {
    for transport in [Transport::InProcess, Transport::Process] {
        same_as_64_bit("expat", "libexpat.so.1", &bridged("expat", "expat.h", "libexpat.so.1", transport));
    }
}

#[test]
fn sqlite_has_rows_functions_text_and_blobs() {
    same_as_64_bit("sqlite3", "libsqlite3.so.0", &bridged("sqlite3", "sqlite3.h", "libsqlite3.so.0", Transport::InProcess));
}

#[test]
#[ignore = "600,000 calls to another process"]
fn sqlite_in_a_server_is_the_same() {
    same_as_64_bit("sqlite3", "libsqlite3.so.0", &bridged("sqlite3", "sqlite3.h", "libsqlite3.so.0", Transport::Process));
}

/// Of large interfaces, most needs no person.
#[test]
fn most_of_large_headers_is_answered_by_guesses() {
    for (header, soname, most) in [("alsa/asoundlib.h", "libasound.so.2", 1000), ("libusb-1.0/libusb.h", "libusb-1.0.so.0", 60)] {
        let (interface, found, asked) = initial(header, soname);
        let directory = scratch(soname);
        let file = directory.join("init.toml");
        fs::write(&file, &asked.text).expect("init.toml");
        let annotation = Annotation::read(&file).unwrap_or_else(|error| panic!("{error:#}"));
        let model = model::resolve(&interface, &found, &annotation);
        assert_eq!(model.refusals.len(), asked.open, "{soname}: what init leaves open is what build refuses");
        let called = model.functions.iter().filter(|function| function.call.is_ok()).count();
        assert!(called > most, "{soname}: {called} functions, {} questions", asked.open);
    }
}

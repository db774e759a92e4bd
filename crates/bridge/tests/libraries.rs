//! Debian's 32-bit libraries, by what `biarch bridge init` writes and a few corrections: a program prints the same as with the 64-bit library.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs, reason = "a test ends by a panic")]

use bridge::annotation::{Annotation, Transport};
use bridge::library::{ARM, X86};
use bridge::{library, model, questions};
use port::interface::{self, Interface};
use port::pair::Pair;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/libraries");
const PACKAGES: &[&str] = &[
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
    "libpng16-16",
    "libpng-dev",
    "liblua5.4-0",
    "liblua5.4-dev",
];

/// Those of the full tier: libcurl and all that it needs.
const LARGE: &[&str] = &[
    "libssl3",
    "libssl-dev",
    "libcurl4",
    "libcurl4-openssl-dev",
    "zlib1g",
    "libbrotli1",
    "libcom-err2",
    "libffi8",
    "libgmp10",
    "libgnutls30",
    "libgssapi-krb5-2",
    "libhogweed6",
    "libidn2-0",
    "libk5crypto3",
    "libkeyutils1",
    "libkrb5-3",
    "libkrb5support0",
    "libldap-2.5-0",
    "libnettle8",
    "libnghttp2-14",
    "libp11-kit0",
    "libpsl5",
    "librtmp1",
    "libsasl2-2",
    "libssh2-1",
    "libtasn1-6",
    "libunistring2",
    "libzstd1",
];

/// The library of a test, and the header that declares it.
struct Library {
    name: &'static str,
    header: &'static str,
    before: &'static [&'static str],
    /// Below usr/include.
    include: &'static str,
    soname: &'static str,
    is_large: bool,
    pair: Pair,
}

const fn library(name: &'static str, header: &'static str, soname: &'static str) -> Library {
    Library { name, header, before: &[], include: "", soname, is_large: false, pair: X86 }
}

const ZLIB: Library = library("z", "zlib.h", "libz.so.1");
const EXPAT: Library = library("expat", "expat.h", "libexpat.so.1");
const SQLITE: Library = library("sqlite3", "sqlite3.h", "libsqlite3.so.0");
const PNG: Library = library("png", "libpng16/png.h", "libpng16.so.16");
const LUA: Library = Library { before: &["lauxlib.h"], include: "lua5.4", ..library("lua", "lua5.4/lualib.h", "liblua5.4.so.0") };
/// OpenSSL's own headers declare some thousands of functions; the bridge has those that are called.
const CRYPTO: Library = Library {
    is_large: true,
    ..library("crypto", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/libraries/crypto.h"), "libcrypto.so.3")
};
const CURL: Library = Library { is_large: true, ..library("curl", "x86_64-linux-gnu/curl/curl.h", "libcurl.so.4") };

/// Its packages, for 32 and for 64 bits.
fn packages(of: &Library) -> &'static [PathBuf; 2] {
    static PLACES: [OnceLock<[PathBuf; 2]>; 3] = [const { OnceLock::new() }; 3];
    let (names, below) = if of.is_large { (LARGE, "target/bridge-packages/large") } else { (PACKAGES, "target/bridge-packages") };
    let (architectures, at) =
        if of.pair == ARM { (["armhf", "arm64"], 2) } else { (["i386", "amd64"], usize::from(of.is_large)) };
    PLACES[at].get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
        architectures.map(|architecture| {
            let place = root.join(below).join(architecture);
            fs::create_dir_all(place.parent().expect("target")).expect("a directory");
            let mut command = Command::new(root.join("packaging/debian-packages.sh"));
            let status = command.args(["--alone", "bookworm", architecture]).arg(&place).args(names).status();
            assert!(status.is_ok_and(|status| status.success()), "the packages for {architecture} cannot be had");
            place
        })
    })
}

/// The library of a package.
fn packaged(place: &Path, soname: &str) -> PathBuf {
    let triplet = match place.file_name().and_then(|name| name.to_str()) {
        Some("i386") => "i386-linux-gnu",
        Some("armhf") => "arm-linux-gnueabihf",
        Some("arm64") => "aarch64-linux-gnu",
        _ => "x86_64-linux-gnu",
    };
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

fn include(of: &Library) -> [PathBuf; 3] {
    let [_, wide] = packages(of);
    [of.include, "", of.pair.sides[1].triplet].map(|below| wide.join("usr/include").join(below))
}

fn initial(of: &Library) -> (Interface, library::Library, questions::Questions) {
    let [narrow, wide] = packages(of);
    let found = library::read(&packaged(narrow, of.soname)).unwrap_or_else(|error| panic!("{error:#}"));
    let header = wide.join("usr/include").join(of.header);
    let mut annotation = Annotation::new(header.clone(), found.path.clone());
    annotation.include = include(of).to_vec();
    annotation.before = of.before.iter().map(|&name| name.to_owned()).collect();
    let interface = interface::read(&header, of.pair, &annotation.arguments()).unwrap_or_else(|error| panic!("{error:#}"));
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
fn bridged(of: &Library, transport: Transport) -> PathBuf {
    let name = of.name;
    let directory = scratch(&format!("{name}-{}-{}", transport.name(), of.pair.sides[0].name));
    let (_, _, asked) = initial(of);
    let mut table: toml::Table = toml::from_str(&asked.text).expect("init writes TOML");
    let corrections = fs::read_to_string(format!("{SOURCES}/{name}.toml")).expect("corrections");
    merge(&mut table, toml::from_str(&corrections).expect("TOML"));
    table.insert("transport".to_owned(), transport.name().into());
    let file = directory.join(format!("{name}.toml"));
    fs::write(&file, table.to_string()).expect("an annotation file");
    bridge::build::build(&Annotation::read(&file).expect("it"), &directory).unwrap_or_else(|error| panic!("{error:#}"));
    directory
}

/// A program of another architecture, which finds its C library and what is in `places`.
fn emulated(machine: &str, target: &str, places: &OsStr) -> Command {
    let mut command = Command::new(format!("qemu-{machine}-static"));
    let root = format!("/usr/{target}");
    // libc6 of that architecture, where it is installed, would come before the cross root: the loader's own cache names it.
    let mut path = OsString::from(format!("LD_LIBRARY_PATH={root}/lib:"));
    path.push(places);
    command.args(["-L", &root, "-E"]).arg(path);
    command
}

/// The same program, linked with the 64-bit library, finds one and then the other.
fn same_as_64_bit(of: &Library, directory: &Path, words: &[&str]) {
    let [narrow, wide] = packages(of);
    let (name, program, native) = (of.name, directory.join("program"), packaged(wide, of.soname));
    let mut compiler = Command::new(if of.pair == ARM { "aarch64-linux-gnu-gcc" } else { "cc" });
    compiler.arg("-O1").args(include(of).map(|one| format!("-I{}", one.display()))).arg("-o").arg(&program);
    compiler.arg(format!("{SOURCES}/{name}.c")).arg(&native);
    // What it needs itself is found when the program starts.
    run(compiler.arg("-Wl,--allow-shlib-undefined"));
    let beside = |place: &Path| packaged(place, of.soname).parent().expect("a directory").to_owned();
    let started = |places: Vec<PathBuf>| {
        let places = std::env::join_paths(places).expect("paths");
        if of.pair == ARM {
            return run(emulated("aarch64", "aarch64-linux-gnu", &places).arg(&program).args(words));
        }
        run(Command::new(&program).args(words).env("LD_LIBRARY_PATH", places))
    };
    let expected = started(vec![beside(wide)]);
    let printed = started(vec![directory.to_owned(), beside(narrow)]);
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
print(z.zlibVersion() == z.ZLIB_VERSION, z.Z_DATA_ERROR, hex(z.crc32(0, b'hello', 5)), z.compress(packed, size, b'a' * 1000, 1000), size.value)
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
    let directory = bridged(&ZLIB, Transport::InProcess);
    same_as_64_bit(&ZLIB, &directory, &[]);
    let printed = run(Command::new("python3").args(["-c", PYTHON]).arg(&directory));
    assert_eq!(printed, "True -3 0x3610a686 0 17\n");
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
    assert_eq!(run(Command::new(&program).env("LD_LIBRARY_PATH", &directory)), "3610a686\n\"1.2.13\" 6\n");
}

#[test]
fn zlib_in_a_server_is_the_same() {
    same_as_64_bit(&ZLIB, &bridged(&ZLIB, Transport::Process), &[]);
}

#[test]
fn expat_calls_the_program_with_its_own_data() {
    for transport in [Transport::InProcess, Transport::Process] {
        same_as_64_bit(&EXPAT, &bridged(&EXPAT, transport), &[]);
    }
}

#[test]
fn sqlite_has_rows_functions_text_and_blobs() {
    same_as_64_bit(&SQLITE, &bridged(&SQLITE, Transport::InProcess), &[]);
}

#[test]
#[ignore = "600,000 calls to another process"]
fn sqlite_in_a_server_is_the_same() {
    same_as_64_bit(&SQLITE, &bridged(&SQLITE, Transport::Process), &[]);
}

/// In a server a program cannot look into the library's own memory: the programs are told so.
fn words_of(transport: Transport) -> &'static [&'static str] {
    if transport == Transport::Process { &["remote"] } else { &[] }
}

#[test]
fn libpng_leaves_calls_by_longjmp() {
    for transport in [Transport::InProcess, Transport::Process] {
        same_as_64_bit(&PNG, &bridged(&PNG, transport), words_of(transport));
    }
}

#[test]
fn lua_calls_and_is_called_and_its_errors_leave_both() {
    for transport in [Transport::InProcess, Transport::Process] {
        same_as_64_bit(&LUA, &bridged(&LUA, transport), words_of(transport));
    }
}

#[test]
#[ignore = "downloads 10 MB"]
fn libcrypto_digests() {
    for transport in [Transport::InProcess, Transport::Process] {
        same_as_64_bit(&CRYPTO, &bridged(&CRYPTO, transport), words_of(transport));
    }
}

#[test]
#[ignore = "downloads 30 MB"]
fn libcurl_reads_files_for_the_program() {
    for transport in [Transport::InProcess, Transport::Process] {
        same_as_64_bit(&CURL, &bridged(&CURL, transport), words_of(transport));
    }
}

/// Each side in an emulator of its own.
#[test]
#[ignore = "needs qemu-user: make test-full"]
fn libraries_for_armhf_are_the_same_on_aarch64() {
    for library in [ZLIB, EXPAT, PNG, LUA] {
        let library = Library { pair: ARM, ..library };
        let directory = bridged(&library, Transport::Process);
        let [narrow, _] = packages(&library);
        let beside = packaged(narrow, library.soname).parent().expect("a directory").to_owned();
        let server = directory.join("biarch-server-armhf");
        let itself = directory.join("armhf");
        fs::rename(&server, &itself).expect("a server");
        let mut emulator = emulated("arm", "arm-linux-gnueabihf", beside.as_os_str());
        emulator.arg(&itself);
        let words = [emulator.get_program()].into_iter().chain(emulator.get_args());
        let words: Vec<String> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
        fs::write(&server, format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" "))).expect("a script");
        fs::set_permissions(&server, fs::Permissions::from_mode(0o755)).expect("a script");
        same_as_64_bit(&library, &directory, words_of(Transport::Process));
    }
}

/// Of large interfaces, most needs no person.
#[test]
fn most_of_large_headers_is_answered_by_guesses() {
    for (header, soname, most) in [("alsa/asoundlib.h", "libasound.so.2", 1000), ("libusb-1.0/libusb.h", "libusb-1.0.so.0", 60)] {
        let (interface, found, asked) = initial(&library("", header, soname));
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

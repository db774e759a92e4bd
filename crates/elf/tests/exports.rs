//! The functions of shared objects as the dynamic loader finds them, beside what their section headers say.
#![allow(clippy::unwrap_used, missing_docs)]

use object::Endianness;
use object::elf;
use object::read::elf::{ElfFile32, Sym};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library with two versions of `f`, and functions of which only some are seen.
const SOURCE: &str = "int one(int a) { return a; } int two(int a) { return a + 1; } int g(void) { return 3; } int data = 4;
    static int own(void) { return 5; } __attribute__((visibility(\"hidden\"))) int hidden(void) { return own(); }
    extern int elsewhere(void); int h(void) { return elsewhere() + hidden(); }
    static int (*chosen(void))(void) { return own; } int late(void) __attribute__((ifunc(\"chosen\")));

    #ifdef VERSIONS
    __asm__(\".symver one,f@V1,remove\\n.symver two,f@@V2,remove\");
    #else
    int f(int a) { return a; }
    #endif
    ";

fn library(name: &str, options: &[&str]) -> Option<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports").join(name);
    std::fs::create_dir_all(&directory).unwrap();
    let [source, map, made] = ["x.c", "x.map", "libx.so"].map(|file| directory.join(file));
    std::fs::write(&source, SOURCE).unwrap();
    std::fs::write(&map, "V1 { global: g; late; h; data; }; V2 { } V1;\n").unwrap();
    let mut compiler = Command::new("i686-linux-gnu-gcc");
    compiler.args(["-shared", "-fPIC", "-nostdlib", "-w"]).args(options).arg("-o").arg(&made).arg(&source);
    if options.contains(&"-DVERSIONS") {
        compiler.arg(format!("-Wl,--version-script={}", map.display()));
    }
    compiler.status().ok().map(|status| assert!(status.success()))?;
    Some(made)
}

/// What is left of a file where `sstrip` has been: it ends with its last segment, and has no section headers.
fn stripped(bytes: &[u8]) -> Vec<u8> {
    let file = ElfFile32::<Endianness>::parse(bytes).unwrap();
    let endian = file.endian();
    let ends = file.elf_program_headers().iter().map(|segment| segment.p_offset.get(endian) + segment.p_filesz.get(endian));
    let mut bytes = bytes[..ends.max().unwrap() as usize].to_vec();
    bytes[32..36].fill(0);
    bytes[48..52].fill(0);
    bytes
}

type Known = (String, Option<String>, bool, u64);

fn by_sections(bytes: &[u8]) -> Vec<Known> {
    let file = ElfFile32::<Endianness>::parse(bytes).unwrap();
    let (endian, table) = (file.endian(), file.elf_section_table());
    let symbols = table.symbols(endian, bytes, elf::SHT_DYNSYM).unwrap();
    let versions = table.versions(endian, bytes).unwrap();
    let is_function = |symbol: &elf::Sym32<Endianness>| {
        matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_GNU_IFUNC) && !symbol.is_undefined(endian)
    };
    let seen = symbols.enumerate().filter(|(_, symbol)| is_function(symbol) && !symbol.is_local());
    seen.map(|(at, symbol)| {
        let name = std::str::from_utf8(symbols.symbol_name(endian, symbol).unwrap()).unwrap().to_owned();
        let number = versions.as_ref().map(|versions| versions.version_index(endian, at));
        let version = number.and_then(|number| versions.as_ref().unwrap().version(number).unwrap());
        let version = version.map(|version| String::from_utf8(version.name().to_vec()).unwrap());
        (name, version, number.is_none_or(|number| !number.is_hidden()), u64::from(symbol.st_value.get(endian)))
    })
    .collect()
}

fn as_the_loader(bytes: &[u8]) -> Vec<Known> {
    let found = ::elf::exports(bytes).unwrap();
    found.into_iter().map(|one| (one.name, one.version, one.is_default, one.address)).collect()
}

#[test]
fn a_file_without_section_headers_has_the_same_functions() {
    let both = [
        ("sysv", vec!["-Wl,--hash-style=sysv"]),
        ("gnu", vec!["-Wl,--hash-style=gnu"]),
        ("both", vec!["-Wl,--hash-style=both"]),
        ("versions", vec!["-Wl,--hash-style=gnu", "-DVERSIONS"]),
        ("sysv-versions", vec!["-Wl,--hash-style=sysv", "-DVERSIONS"]),
    ];
    for (name, options) in both {
        let Some(path) = library(name, &options) else { return };
        let bytes = std::fs::read(path).unwrap();
        let expected = by_sections(&bytes);
        let names: Vec<&str> = expected.iter().map(|(name, ..)| name.as_str()).collect();
        assert!(["f", "g", "h", "late"].iter().all(|name| names.contains(name)), "{name}: {names:?}");
        assert!(!["own", "hidden", "elsewhere", "data"].iter().any(|name| names.contains(name)), "{name}: {names:?}");
        if options.contains(&"-DVERSIONS") {
            let of = |wanted: &str| {
                expected
                    .iter()
                    .filter(|(name, ..)| name == wanted)
                    .map(|(_, version, is, _)| (version.as_deref(), *is))
                    .collect::<Vec<_>>()
            };
            assert!(of("f").contains(&(Some("V1"), false)) && of("f").contains(&(Some("V2"), true)), "{expected:?}");
        }
        assert_eq!(as_the_loader(&bytes), expected, "{name}");
        let without = stripped(&bytes);
        assert!(without.len() < bytes.len());
        assert_eq!(as_the_loader(&without), expected, "{name}, without section headers");
    }
}

#[test]
fn the_c_library_has_the_same_functions_by_either_way() {
    for path in ["/lib/i386-linux-gnu/libc.so.6", "/usr/i686-linux-gnu/lib/libc.so.6"] {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let expected = by_sections(&bytes);
        assert!(expected.len() > 2000);
        assert_eq!(as_the_loader(&bytes), expected, "{path}");
        assert_eq!(as_the_loader(&stripped(&bytes)), expected, "{path}");
    }
}

#[test]
fn what_is_no_library_has_none() {
    assert!(::elf::exports(b"no library".as_slice()).is_err());
    assert!(::elf::exports(&std::fs::read("/proc/self/exe").unwrap()[..4096]).unwrap().is_empty());
}

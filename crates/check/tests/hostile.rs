//! Files that mean no good: each gives a finding or an error, soon, and nothing else happens.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod object;
mod rootfs;

use object::Object;
use proptest::prelude::*;
use rootfs::directory;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

fn file(name: &str, contents: &[u8]) -> PathBuf {
    let path = directory(name).join("file");
    fs::write(&path, contents).unwrap();
    path
}

/// What is said about a file that is none of ours.
fn refusal(path: &Path) -> String {
    let report = check::check(&[path.to_owned()]);
    assert_eq!((report.targets.len(), report.findings.len(), report.not_checked.len()), (0, 0, 1), "{report:?}");
    assert_eq!(report.exit_status(findings::Severity::Note), 2);
    report.not_checked[0].because.clone()
}

#[test]
fn an_empty_directory_is_no_clean_root_file_system() {
    let report = check::check(&[directory("nothing")]);
    assert!(report.not_checked[0].because.contains("mount"), "{report:?}");
    assert_eq!(report.exit_status(findings::Severity::Note), 2);
}

#[test]
fn what_is_none_of_ours() {
    assert!(refusal(&file("empty", b"")).contains("no ELF file"));
    assert!(refusal(&file("text", b"hello\n")).contains("no kernel configuration"));
    assert!(refusal(Path::new("/dev/null")).contains("neither a file nor a directory"));
    assert!(refusal(Path::new("/nonexistent")).contains("No such file"));
    assert!(refusal(&file("elf", b"\x7fELF")).contains("damaged"));
    assert!(refusal(&file("gzip", b"\x1f\x8b\x08")).contains("unpack"));
}

#[test]
fn a_pipe_is_not_waited_for() {
    let root = directory("special");
    let made = std::process::Command::new("mkfifo").arg(root.join("pipe")).status().unwrap();
    assert!(made.success());
    std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    assert!(refusal(&root.join("pipe")).contains("neither a file nor a directory"));
    assert_eq!(check::check(&[root]).not_checked, []);
}

#[test]
fn links_in_circles_and_names_of_any_bytes() {
    let root = directory("circles");
    symlink(".", root.join("self")).unwrap();
    symlink("b", root.join("a")).unwrap();
    symlink("a", root.join("b")).unwrap();
    symlink("/etc/passwd", root.join("out")).unwrap();
    fs::create_dir_all(root.join("lib")).unwrap();
    symlink("../lib", root.join("lib/ld-linux.so.2")).unwrap();
    let name = OsStr::from_bytes(b"\xff\x1b[2J\n");
    let program = Object { interpreter: Some("/a/ld.so"), needed: &["self/self/libx.so", "\u{1b}]0;x"], ..Object::default() };
    fs::write(root.join(name), program.bytes()).unwrap();
    let report = check::check(&[root]);
    let rules: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["K040", "K041", "K041"], "{report:#?}");
    assert!(report.findings[0].evidence.contains("/\\xff\\u{1b}[2J\\n"), "{}", report.findings[0].evidence);
    for text in report.findings.iter().flat_map(|finding| [&finding.message, &finding.evidence]) {
        assert!(!text.contains(char::is_control), "{text:?}");
    }
}

#[test]
fn a_directory_deeper_than_any_path() {
    let root = directory("deep");
    // Made from the inside, for no path reaches it; and of names that are as long as they may be.
    let name = "d".repeat(255);
    let script = format!("cd '{}' && for i in $(seq 40); do mkdir {name} && cd -P {name} || exit 1; done", root.display());
    assert!(std::process::Command::new("sh").arg("-c").arg(script).status().unwrap().success());
    let report = check::check(std::slice::from_ref(&root));
    assert_eq!(report.not_checked.len(), 1, "{report:?}");
    assert!(report.not_checked[0].because.contains("too long"), "{report:?}");
    assert!(std::process::Command::new("rm").arg("-rf").arg(root).status().unwrap().success());
}

#[test]
fn what_unpacks_to_more_than_there_is() {
    // 600 MiB of nothing in half a megabyte.
    let path = directory("bomb").join("bomb.gz");
    let mut encoder = flate2::write::GzEncoder::new(fs::File::create(&path).unwrap(), flate2::Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..600 {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.finish().unwrap();
    assert!(refusal(&path).contains("more than 384 MiB"));
}

#[test]
fn a_long_string_is_not_copied_for_everyone_who_names_it() {
    // A thousand names that are all the same megabyte, and a path of a million directories.
    let long: &'static str = String::leak("x".repeat(1 << 20));
    let colons: &'static str = String::leak(":".repeat(1 << 20));
    let needed: &'static [&'static str] = Vec::leak(vec![long; 4]);
    let tags: &'static [(u64, u64)] = Vec::leak(vec![(1, 1); 1000]);
    let object = Object { needed, tags, strings: Vec::leak(vec![(29, colons)]), ..Object::default() };
    let report = check::check(&[file("long", &object.bytes())]);
    let text = format!("{report:?}");
    assert!(text.len() < 10_000, "{} bytes", text.len());
    assert!(report.findings.iter().any(|finding| finding.rule == "K050"), "{text}");
}

#[test]
fn many_libraries_in_many_directories_have_an_end() {
    // Each file names four thousand libraries and sixty directories; together that would be a hundred million places.
    let root = directory("many");
    let names: Vec<&'static str> = (0..3900).map(|number: u32| &*String::leak(format!("{number:x}"))).collect();
    let paths = (0..60).map(|number: u32| format!("/a/{number}")).collect::<Vec<_>>().join(":");
    let paths: &'static str = String::leak(paths);
    let strings: &'static [(u64, &'static str)] = Vec::leak(vec![(29, paths)]);
    let bytes = Object { needed: Vec::leak(names), strings, ..Object::default() }.bytes();
    for number in 0..400 {
        fs::write(root.join(format!("{number}.so")), &bytes).unwrap();
    }
    let start = std::time::Instant::now();
    let report = check::check(&[root]);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
    assert!(report.not_checked.iter().any(|unchecked| unchecked.because.contains("more libraries")), "{:?}", report.not_checked);
}

#[test]
fn of_a_path_of_many_directories_only_some_are_looked_at() {
    // The loader's own limit is memory; a program that names more than 64 has none of the rest searched here.
    let paths = |count: u32| (0..count).map(|number| format!("/a/{number}")).collect::<Vec<_>>().join(":");
    for (count, found) in [(63, true), (64, false)] {
        let root = directory("directories");
        let paths: &'static str = String::leak(paths(count) + ":/b");
        let strings: &'static [(u64, &'static str)] = Vec::leak(vec![(29, paths)]);
        fs::write(root.join("program"), Object { needed: &["liba.so"], strings, ..Object::default() }.bytes()).unwrap();
        // A system, and not a part of one, whose libraries may be elsewhere.
        fs::write(root.join("init"), "").unwrap();
        fs::create_dir_all(root.join("b")).unwrap();
        fs::write(root.join("b/liba.so"), Object::default().bytes()).unwrap();
        let report = check::check(&[root]);
        assert_eq!(report.findings.iter().all(|finding| finding.rule != "K041"), found, "{count}: {report:?}");
    }
}

#[test]
fn a_tar_archive_that_lies() {
    let mut header = [0; 512];
    header[..4].copy_from_slice(b"file");
    // 8 GiB that are not there
    header[124..136].copy_from_slice(b"77777777777\0");
    header[156] = b'0';
    header[257..263].copy_from_slice(b"ustar\0");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let path = file("lying-tar", &header);
    let report = check::check(&[path]);
    assert_eq!(report.not_checked.len(), 1, "{report:?}");
    assert!(report.not_checked[0].because.contains("cut off"), "{report:?}");
}

fn damaged(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8)], length: Option<prop::sample::Index>) -> Vec<u8> {
    for (at, value) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *value;
    }
    if let Some(length) = length {
        bytes.truncate(length.index(bytes.len()) + 1);
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_to_a_file_is_fatal(
        wide: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(0), Just(0xff), Just(0x7f), any::<u8>()]), 0..12),
        length: Option<prop::sample::Index>,
    ) {
        let object = Object {
            wide,
            machine: if wide { object::EM_X86_64 } else { object::EM_ARM },
            interpreter: Some("/lib/ld.so"),
            needed: &["libc.so.6", "liba.so"],
            strings: &[(14, "libb.so"), (15, "/a:$ORIGIN/b"), (29, "/c")],
            imports: &["time", "__time64"],
            exports: &["f"],
            ..Object::default()
        };
        let bytes = damaged(object.bytes(), &changes, length);
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutated");
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("file"), bytes).unwrap();
        let _ = check::check(&[root.join("file")]);
        let _ = check::check(&[root]);
    }

    #[test]
    fn no_configuration_is_fatal(text in "(CONFIG_[A-Z0-9_]{1,9}=[ymn\"0x]{0,4}\n|# CONFIG_(COMPAT|ARM64|VDSO) is not set\n|.{0,30}\n){0,20}") {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutated-config");
        fs::write(&path, text).unwrap();
        let _ = check::check(&[path]);
    }
}

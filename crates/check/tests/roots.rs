//! Root file systems that tests make: each has one thing wrong with it.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod object;

use findings::{Guest, Report, Severity};
use object::{EM_386, EM_ARM, EM_X86_64, HARD_FLOAT, Object, SOFT_FLOAT};
use std::fs;
use std::path::{Path, PathBuf};

/// A directory of its own for each test, empty.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn put(root: &Path, path: &str, object: &Object) {
    let path = root.join(path.trim_start_matches('/'));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, object.bytes()).unwrap();
}

fn link(root: &Path, path: &str, target: &str) {
    let path = root.join(path.trim_start_matches('/'));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

const LOADER: &str = "/lib/ld-linux.so.2";

fn program() -> Object {
    Object { interpreter: Some(LOADER), needed: &["libc.so.6"], ..Object::default() }
}

/// An i386 root file system with nothing wrong.
fn good(name: &str) -> PathBuf {
    let root = directory(name);
    link(&root, "/lib", "usr/lib");
    put(&root, "/usr/lib/i386-linux-gnu/libc.so.6", &Object::default());
    put(&root, "/usr/lib/ld-linux.so.2", &Object::default());
    put(&root, "/usr/bin/program", &program());
    root
}

fn check(root: &Path) -> Report {
    check::check(&[root.to_owned()])
}

#[track_caller]
fn only(report: &Report, rule: &str, severity: Severity, part: &str) {
    let found: Vec<_> = report.findings.iter().map(|f| (f.rule, f.severity, format!("{} {}", f.message, f.evidence))).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].1), (rule, severity), "{found:?}");
    assert!(found[0].2.contains(part), "{found:?}");
}

#[test]
fn nothing_wrong_is_nothing_found() {
    let report = check(&good("good"));
    assert_eq!((report.findings.as_slice(), report.not_checked.as_slice()), ([].as_slice(), [].as_slice()));
    assert!(report.targets[0].description.contains("3 for i386"), "{}", report.targets[0].description);
    assert_eq!(report.exit_status(Severity::Note), 0);
}

#[test]
fn a_missing_interpreter() {
    let root = good("interpreter");
    fs::remove_file(root.join("usr/lib/ld-linux.so.2")).unwrap();
    only(&check(&root), "K040", Severity::Fails, "there is no /lib/ld-linux.so.2");
}

#[test]
fn an_interpreter_that_is_a_link_to_nowhere() {
    let root = good("dangling");
    fs::remove_file(root.join("usr/lib/ld-linux.so.2")).unwrap();
    link(&root, "/usr/lib/ld-linux.so.2", "i386-linux-gnu/ld-2.31.so");
    only(&check(&root), "K040", Severity::Fails, "the link /usr/lib/ld-linux.so.2 does");
}

#[test]
fn an_interpreter_for_another_architecture() {
    let root = good("foreign-interpreter");
    put(&root, "/usr/lib/ld-linux.so.2", &Object { wide: true, machine: EM_X86_64, ..Object::default() });
    only(&check(&root), "K040", Severity::Fails, "is for x86-64");
}

#[test]
fn a_missing_library() {
    let root = good("missing");
    put(&root, "/usr/bin/program", &Object { needed: &["libc.so.6", "libgone.so.1"], ..program() });
    only(&check(&root), "K041", Severity::Fails, "libgone.so.1 is needed by /usr/bin/program");
}

#[test]
fn a_library_where_nobody_looks() {
    let root = good("elsewhere");
    put(&root, "/usr/bin/program", &Object { needed: &["libown.so.1"], ..program() });
    put(&root, "/opt/own/lib/libown.so.1", &Object::default());
    only(&check(&root), "K041", Severity::Risk, "/opt/own/lib/libown.so.1");
    // A plug-in of a program that has loaded the library is none to worry about.
    put(&root, "/usr/bin/program", &program());
    put(&root, "/opt/own/lib/plugin.so", &Object { needed: &["libown.so.1"], ..Object::default() });
    only(&check(&root), "K041", Severity::Note, "libown.so.1 is needed by /opt/own/lib/plugin.so");
    fs::remove_file(root.join("opt/own/lib/plugin.so")).unwrap();
    // The file itself may say where.
    const OWN: [&[(u64, &str)]; 2] = [&[(29, "$ORIGIN/../../opt/own/lib")], &[(15, "/opt/own/lib")]];
    for strings in OWN {
        put(&root, "/usr/bin/program", &Object { needed: &["libown.so.1"], strings, ..program() });
        assert_eq!(check(&root).findings, []);
    }
    // So may the loader's configuration.
    put(&root, "/usr/bin/program", &Object { needed: &["libown.so.1"], ..program() });
    fs::create_dir_all(root.join("etc/ld.so.conf.d")).unwrap();
    fs::write(root.join("etc/ld.so.conf.d/own.conf"), "# ours\n/opt/own/lib\n").unwrap();
    assert_eq!(check(&root).findings, []);
}

#[test]
fn a_library_of_the_other_word_size_only() {
    let root = good("other-class");
    put(&root, "/usr/bin/program", &Object { needed: &["libz.so.1"], ..program() });
    put(&root, "/usr/lib/libz.so.1", &Object { wide: true, machine: EM_X86_64, ..Object::default() });
    only(&check(&root), "K042", Severity::Fails, "libz.so.1 is there for x86-64, and not for i386");
}

#[test]
fn a_library_in_the_wrong_directory() {
    let root = good("wrong-directory");
    put(&root, "/usr/lib/x86_64-linux-gnu/libz.so.1", &Object::default());
    put(&root, "/usr/lib64/liba.so.1", &Object::default());
    let report = check(&root);
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.rule, finding.message.as_str())).collect();
    let wanted = [
        ("K043", "1 file for i386 in lib/x86_64-linux-gnu, which is for x86-64"),
        ("K043", "1 file for i386 in lib64, which is for 64-bit libraries"),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn two_widths_of_time() {
    let root = directory("time");
    let arm = || Object { machine: EM_ARM, flags: HARD_FLOAT, align: 0x10000, ..Object::default() };
    put(&root, "/lib/ld-linux-armhf.so.3", &arm());
    put(&root, "/usr/lib/libold.so.1", &Object { imports: &["time", "printf"], ..arm() });
    let program = |imports| Object { interpreter: Some("/lib/ld-linux-armhf.so.3"), needed: &["libold.so.1"], imports, ..arm() };
    put(&root, "/usr/bin/program", &program(&["__clock_gettime64"]));
    only(&check(&root), "K044", Severity::Risk, "libold.so.1 imports time");
    put(&root, "/usr/bin/program", &program(&["clock_gettime"]));
    assert_eq!(check(&root).findings, []);
}

#[test]
fn a_path_of_the_build_machine() {
    let root = good("rpath");
    put(&root, "/usr/bin/program", &Object { strings: &[(15, "/home/me/build/lib:/usr/lib")], ..program() });
    only(&check(&root), "K045", Severity::Risk, "/home/me/build/lib");
}

#[test]
fn relocations_in_code() {
    let root = good("textrel");
    put(&root, "/usr/lib/libcodec.so.1", &Object { tags: &[(22, 0)], ..Object::default() });
    only(&check(&root), "K046", Severity::Risk, "/usr/lib/libcodec.so.1");
}

#[test]
fn executable_stacks() {
    let root = good("stack");
    put(&root, "/usr/bin/program", &Object { stack: None, ..program() });
    only(&check(&root), "K047", Severity::Risk, "1 file for i386 does not say");
    put(&root, "/usr/bin/program", &program());
    put(&root, "/usr/lib/liba.so.1", &Object { stack: Some(7), ..Object::default() });
    only(&check(&root), "K047", Severity::Risk, "1 file for i386 asks for an executable stack");
}

/// A configuration in a file of its own.
fn config(name: &str, text: &str) -> PathBuf {
    let path = directory(name).join("config");
    fs::write(&path, text).unwrap();
    path
}

fn arm_program(name: &str, object: &Object) -> PathBuf {
    let path = directory(name).join("program");
    fs::write(&path, object.bytes()).unwrap();
    path
}

#[test]
fn segments_and_pages() {
    let arm = |align| Object { machine: EM_ARM, flags: HARD_FLOAT, kind: 2, align, ..Object::default() };
    let small = arm_program("small-pages", &arm(0x1000));
    only(&check(&small), "K048", Severity::Note, "1 file for 32-bit ARM runs on kernels with pages of 4 KiB only");
    let large = arm_program("large-pages", &arm(0x10000));
    assert_eq!(check(&large).findings, []);
    let options = "CONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_COMPAT_VDSO=y\nCONFIG_ARM64_16K_PAGES=y\nCONFIG_KUSER_HELPERS=y\n\
                   CONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_CP15_BARRIER_EMULATION=y\nCONFIG_SETEND_EMULATION=y\n\
                   CONFIG_SWP_EMULATION=y\n";
    let kernel = config("pages", options);
    let rules = |targets: &[PathBuf]| -> Vec<&'static str> {
        check::check(targets).findings.iter().filter(|f| f.severity == Severity::Fails).map(|f| f.rule).collect()
    };
    assert_eq!(rules(&[kernel.clone(), small]), ["K016", "K048"]);
    assert_eq!(rules(&[kernel, large]), ["K016"]);
}

#[test]
fn a_program_and_a_kernel_that_refuses_it() {
    let kernel = config("refusing", "CONFIG_X86_64=y\n# CONFIG_IA32_EMULATION is not set\nCONFIG_MODIFY_LDT_SYSCALL=y\n");
    let path = arm_program("refused", &Object { kind: 2, machine: EM_386, ..Object::default() });
    let report = check::check(&[kernel, path]);
    let rules: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["K017", "K051"]);
    assert!(report.findings[1].fix.contains("biarch run"));
}

#[test]
fn a_program_and_a_kernel_without_its_time() {
    let text = "CONFIG_X86_64=y\nCONFIG_IA32_EMULATION=y\n# CONFIG_COMPAT_32BIT_TIME is not set\nCONFIG_MODIFY_LDT_SYSCALL=y\n";
    let kernel = config("no-time32", text);
    let path = arm_program("time32", &Object { imports: &["nanosleep"], ..Object::default() });
    let rules: Vec<_> = check::check(&[kernel, path]).findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["K012", "K052"]);
}

#[test]
fn old_code_and_a_kernel_that_does_not_help_it() {
    let options = |helpers: &str, barriers: &str| {
        format!(
            "CONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_COMPAT_VDSO=y\nCONFIG_KUSER_HELPERS={helpers}\n\
             CONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_CP15_BARRIER_EMULATION={barriers}\nCONFIG_SETEND_EMULATION=y\n"
        )
    };
    let bad = config("no-help", &options("n", "n"));
    let good = config("help", &options("y", "y"));
    let rules = |kernel: &PathBuf, code: &'static [u32]| -> Vec<&'static str> {
        let object = Object { machine: EM_ARM, flags: SOFT_FLOAT, kind: 2, align: 0x10000, code, ..Object::default() };
        let path = arm_program("old-code", &object);
        let found = check::check(&[kernel.clone(), path]).findings;
        found.iter().map(|finding| finding.rule).filter(|rule| *rule > "K040").collect()
    };
    // get_tls; mvn r3, #0xf000; and what is none of them
    assert_eq!(rules(&bad, &[0xe1a0_0000, 0xffff_0fe0]), ["K054"]);
    assert_eq!(rules(&bad, &[0xe3e0_3a0f]), ["K054"]);
    assert_eq!(rules(&bad, &[0xffff_0fe4, 0xe3e0_3a0e]), [] as [&str; 0]);
    // mcr p15, 0, r1, c7, c10, 5
    assert_eq!(rules(&bad, &[0xee07_1fba]), ["K055"]);
    // A constant of the same value is none of the code's.
    let object = Object {
        machine: EM_ARM,
        flags: SOFT_FLOAT,
        kind: 2,
        align: 0x10000,
        tags: &[(0x6fff_fff0, 0xffff_0fc0)],
        code: &[0],
        ..Object::default()
    };
    let path = arm_program("old-constant", &object);
    assert!(check::check(&[bad.clone(), path]).findings.iter().all(|finding| finding.rule < "K040"));
    assert_eq!(rules(&good, &[0xffff_0fe0, 0xee07_1fba]), [] as [&str; 0]);
}

#[test]
fn two_ways_to_pass_a_float() {
    let root = directory("float");
    let arm = |flags| Object { machine: EM_ARM, flags, align: 0x10000, ..Object::default() };
    put(&root, "/usr/lib/a.so", &arm(HARD_FLOAT));
    put(&root, "/usr/lib/b.so", &arm(HARD_FLOAT));
    put(&root, "/usr/lib/c.so", &arm(SOFT_FLOAT));
    only(&check(&root), "K053", Severity::Risk, "soft-float: /usr/lib/c.so");
}

#[test]
fn a_file_that_was_cut_off() {
    let root = good("cut");
    let path = root.join("usr/lib/i386-linux-gnu/libcut.so.1");
    let bytes = Object::default().bytes();
    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    only(&check(&root), "K050", Severity::Risk, "a segment lies beyond the end of the file");
}

#[test]
fn a_root_in_a_root_is_another_target() {
    let root = good("nested");
    for directory in ["etc", "usr/bin", "usr/lib"] {
        fs::create_dir_all(root.join("srv/chroot").join(directory)).unwrap();
    }
    put(&root, "/srv/chroot/usr/bin/program", &Object { needed: &["libgone.so"], ..program() });
    let report = check(&root);
    assert_eq!(report.findings, []);
    assert!(report.not_checked[0].what.ends_with("/srv/chroot"), "{:?}", report.not_checked);
    assert_eq!(report.exit_status(Severity::Note), 2);
}

#[test]
fn the_same_in_a_tar_archive() {
    let root = good("archived");
    put(&root, "/usr/bin/program", &Object { needed: &["libgone.so.1"], ..program() });
    let archive = directory("archive").join("root.tar");
    let status = std::process::Command::new("tar").arg("-C").arg(&root).arg("-cf").arg(&archive).arg(".").status().unwrap();
    assert!(status.success());
    only(&check(&archive), "K041", Severity::Fails, "libgone.so.1 is needed by /usr/bin/program");
    let packed = archive.with_extension("tar.gz");
    let mut encoder = flate2::write::GzEncoder::new(fs::File::create(&packed).unwrap(), flate2::Compression::fast());
    std::io::copy(&mut fs::File::open(&archive).unwrap(), &mut encoder).unwrap();
    encoder.finish().unwrap();
    only(&check(&packed), "K041", Severity::Fails, "libgone.so.1 is needed by /usr/bin/program");
}

/// The good root file system with an x86-64 program that lacks a library, and an i386 program that finds only an x86-64 library.
fn mixed(name: &str) -> PathBuf {
    let root = good(name);
    let wide = || Object { wide: true, machine: EM_X86_64, ..Object::default() };
    put(&root, "/usr/bin/wide", &Object { needed: &["libgone.so.1"], ..wide() });
    put(&root, "/usr/bin/program", &Object { needed: &["libz.so.1"], ..program() });
    put(&root, "/usr/lib/libz.so.1", &wide());
    root
}

#[test]
fn with_an_architecture_other_files_are_found_and_not_judged() {
    let root = mixed("arch");
    let of = |guests: &[Guest]| check::check_and_tell(std::slice::from_ref(&root), guests, &());
    assert_eq!(of(&[]).findings.len(), 2, "{:?}", of(&[]).findings);
    let i386 = of(&[Guest::I386]);
    only(&i386, "K042", Severity::Fails, "libz.so.1 is there for x86-64, and not for i386");
    assert!(i386.targets[0].description.ends_with("ELF files: 3 for i386; 2 others left out"), "{:?}", i386.targets);
    assert_eq!(of(&[Guest::Armhf]).findings, []);
}

#[test]
fn another_mount_point_is_no_other_finding() {
    let kernel = directory("kernels").join("config");
    fs::write(&kernel, "CONFIG_X86_64=y\nCONFIG_MODIFY_LDT_SYSCALL=y\n# CONFIG_IA32_EMULATION is not set\n").unwrap();
    let fingerprints = |root: PathBuf, kernel: PathBuf| -> Vec<String> {
        let report = check::check(&[root, kernel]);
        report.findings.into_iter().map(|finding| finding.fingerprint).collect()
    };
    let moved = directory("kernels/moved").join("another");
    fs::copy(&kernel, &moved).unwrap();
    let one = fingerprints(mixed("first"), kernel);
    assert_eq!(one, fingerprints(mixed("second place"), moved));
    let wanted = [
        "K017 i386 programs do not start; `biarch run` starts them",
        "K041 libgone.so.1 for x86-64 is missing",
        "K042 libz.so.1 is there for x86-64, and not for i386",
        "K051 for i386 does not start on ",
    ];
    assert_eq!(one, wanted);
}

//! Parts of a root file system, which are packages, and the layers of a container's image.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod object;
mod rootfs;

use findings::{Report, Severity};
use object::{EM_ARM, HARD_FLOAT, Object};
use rootfs::{directory, file};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn program(needed: &'static [&'static str]) -> Object {
    Object { interpreter: Some("/lib/ld-linux.so.2"), needed, ..Object::default() }
}

/// A whole root file system for i386, with merged /usr.
fn system(name: &str) -> PathBuf {
    let root = directory(name);
    fs::create_dir_all(root.join("usr/lib")).unwrap();
    std::os::unix::fs::symlink("usr/lib", root.join("lib")).unwrap();
    file(&root, "/usr/lib/ld-linux.so.2", Object::default().bytes());
    file(&root, "/usr/lib/i386-linux-gnu/libc.so.6", Object::default().bytes());
    root
}

fn tar(root: &Path) -> Vec<u8> {
    let output = Command::new("tar").arg("-C").arg(root).args(["-c", "."]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

/// A Debian package of what is in `root`: an ar archive with its three members.
fn package(root: &Path) -> PathBuf {
    let mut file = b"!<arch>\n".to_vec();
    for (name, contents) in [("debian-binary", b"2.0\n".to_vec()), ("control.tar", Vec::new()), ("data.tar", tar(root))] {
        file.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 100_644, contents.len()).bytes());
        file.extend(&contents);
        file.resize(file.len().next_multiple_of(2), b'\n');
    }
    let path = root.with_extension("deb");
    fs::write(&path, file).unwrap();
    path
}

fn rules(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_package_may_need_what_is_elsewhere() {
    let root = directory("alone");
    file(&root, "/usr/bin/program", program(&["libc.so.6", "libother.so.1"]).bytes());
    let report = check::check(&[package(&root)]);
    assert_eq!((rules(&report).as_slice(), report.exit_status(Severity::Note)), ([].as_slice(), 0), "{report:?}");
    assert!(report.targets[0].description.starts_with("part of a root file system"), "{report:?}");
    // What it is made from is the same.
    file(&root, "/DEBIAN/control", b"Package: program\n");
    let report = check::check(std::slice::from_ref(&root));
    assert_eq!((rules(&report).as_slice(), report.exit_status(Severity::Note)), ([].as_slice(), 0), "{report:?}");
    // What is wrong with a file in it is wrong with the package.
    file(&root, "/usr/bin/program", Object { strings: &[(15, "/home/me/build")], ..program(&[]) }.bytes());
    assert_eq!(rules(&check::check(&[package(&root)])), ["K045"]);
}

#[test]
fn a_package_and_the_root_file_system_it_is_for() {
    let root = system("with");
    let one = directory("one");
    file(&one, "/usr/bin/program", program(&["libc.so.6", "libother.so.1"]).bytes());
    let report = check::check(&[root.clone(), package(&one)]);
    assert_eq!(rules(&report), ["K041"], "{report:?}");
    assert!(
        report.findings[0].target.ends_with("one.deb") && report.findings[0].message.starts_with("libother.so.1"),
        "{report:?}"
    );
    // In another package, which still has it below /lib.
    let other = directory("other");
    file(&other, "/lib/i386-linux-gnu/libother.so.1", Object::default().bytes());
    assert_eq!(rules(&check::check(&[package(&other), root.clone(), package(&one)])), [] as [&str; 0]);
    // A root file system for something else does not have it.
    let arm = directory("arm");
    file(
        &arm,
        "/lib/ld-linux-armhf.so.3",
        Object { machine: EM_ARM, flags: HARD_FLOAT, align: 0x10000, ..Object::default() }.bytes(),
    );
    assert_eq!(rules(&check::check(&[arm, package(&one)])), ["K040", "K041", "K041"]);
}

#[test]
fn a_directory_without_a_system_is_no_system() {
    let root = directory("destdir");
    file(&root, "/usr/bin/program", program(&["libc.so.6"]).bytes());
    let report = check::check(std::slice::from_ref(&root));
    assert_eq!((rules(&report).as_slice(), report.not_checked.len()), ([].as_slice(), 1), "{report:?}");
    assert!(report.not_checked[0].because.contains("looks like a part"), "{report:?}");
    assert_eq!(check::check(&[root, system("destdir-for")]).not_checked, []);
}

/// An OCI layout: of each platform the layers, the lowest first.
fn layout(name: &str, images: &[(&str, &[&Path])]) -> PathBuf {
    let place = directory(name);
    let blob = |contents: &[u8], kind: &str| {
        // The digest of the layers' contents is not looked at; it must only be another one for each.
        let digest = format!(
            "{:064x}",
            contents.iter().fold(0u128, |sum, byte| sum.wrapping_mul(0x0100_0000_01b3).wrapping_add(u128::from(*byte)))
        );
        file(&place, &format!("blobs/sha256/{digest}"), contents);
        format!("\"mediaType\":\"application/vnd.oci.image.{kind}\",\"digest\":\"sha256:{digest}\",\"size\":{}", contents.len())
    };
    let mut manifests = Vec::new();
    for (architecture, layers) in images {
        let layers: Vec<String> = layers.iter().map(|layer| format!("{{{}}}", blob(&tar(layer), "layer.v1.tar"))).collect();
        let config = blob(format!("{{\"architecture\":\"{architecture}\",\"os\":\"linux\"}}").as_bytes(), "config.v1+json");
        let manifest = format!("{{\"schemaVersion\":2,\"config\":{{{config}}},\"layers\":[{}]}}", layers.join(","));
        manifests.push(format!("{{{}}}", blob(manifest.as_bytes(), "manifest.v1+json")));
    }
    file(&place, "index.json", format!("{{\"schemaVersion\":2,\"manifests\":[{}]}}", manifests.join(",")).as_bytes());
    file(&place, "oci-layout", b"{\"imageLayoutVersion\":\"1.0.0\"}");
    place
}

#[test]
fn layers_are_put_one_onto_the_other() {
    let base = system("base");
    file(&base, "/usr/lib/libone.so.1", Object::default().bytes());
    file(&base, "/usr/lib/libtwo.so.1", Object::default().bytes());
    file(&base, "/opt/lib/libthree.so.1", Object::default().bytes());
    file(&base, "/etc/ld.so.conf", b"/opt/lib\n");
    let programs = directory("programs");
    file(&programs, "/usr/bin/program", program(&["libone.so.1", "libtwo.so.1", "libthree.so.1"]).bytes());
    // In the directory that is a link below.
    file(&programs, "/opt/new/libnew.so", Object { needed: &["libone.so.1"], ..Object::default() }.bytes());
    let found = |name: &str, top: &Path| {
        let report = check::check(&[layout(name, &[("386", &[&base, &programs, top])])]);
        let missing = |f: &findings::Finding| f.message.split(' ').next().unwrap_or_default().to_owned();
        assert!(report.findings.iter().all(|f| f.rule == "K041" && f.target.ends_with(" (linux/386)")), "{report:?}");
        report.findings.iter().map(missing).collect::<Vec<_>>()
    };
    let top = directory("top");
    file(&top, "/etc/issue", b"");
    assert_eq!(found("nothing", &top), [] as [&str; 0]);
    // A file is taken away, and only it.
    file(&top, "/usr/lib/.wh.libone.so.1", b"");
    file(&top, "/usr/lib/.wh.nothing", b"");
    fs::create_dir_all(top.join("opt/lib")).unwrap();
    assert_eq!(found("whiteout", &top), ["libone.so.1"]);
    // All of a directory, but what the layer itself has.
    let top = directory("opaque");
    file(&top, "/opt/.wh..wh..opq", b"");
    assert_eq!(found("emptied", &top), ["libthree.so.1"]);
    file(&top, "/opt/lib/libthree.so.1", Object::default().bytes());
    assert_eq!(found("emptied-and-filled", &top), [] as [&str; 0]);
    // What is not a directory takes the place of all that is in one.
    let top = directory("replaced");
    file(&top, "/opt/lib", b"");
    assert_eq!(found("file-for-directory", &top), ["libthree.so.1"]);
    // Nothing above the root can be taken away, and names of nothing are none.
    let top = directory("tricks");
    for name in ["/.wh...", "/.wh..", "/.wh.", "/usr/.wh..."] {
        file(&top, name, b"");
    }
    assert_eq!(found("up", &top), [] as [&str; 0]);
}

#[test]
fn every_platform_of_an_image() {
    let arm = directory("platform-arm");
    let object = || Object { machine: EM_ARM, flags: HARD_FLOAT, align: 0x10000, ..Object::default() };
    file(&arm, "/bin/program", Object { interpreter: Some("/lib/ld-linux-armhf.so.3"), ..object() }.bytes());
    let intel = system("platform-i386");
    let place = layout("platforms", &[("386", &[&intel]), ("arm", &[&arm])]);
    let said = |path: &Path| {
        let report = check::check(&[path.to_owned()]);
        let name = path.to_str().unwrap();
        let targets: Vec<_> =
            report.targets.iter().map(|target| format!("{}: {}", target.name.replace(name, ""), target.description)).collect();
        let found: Vec<_> =
            report.findings.iter().map(|f| format!("{} {} {}", f.rule, f.target.replace(name, ""), f.evidence)).collect();
        assert_eq!(report.not_checked, []);
        (targets, found)
    };
    let (targets, found) = said(&place);
    assert_eq!(targets.len(), 2, "{targets:?}");
    // An image is all there is: its program does not start.
    assert_eq!(found, ["K040  (linux/arm) interpreter of /bin/program"]);
    let archive = place.with_extension("tar");
    fs::write(&archive, tar(&place)).unwrap();
    // The archive begins with "./", which says nothing; docker and skopeo leave it out.
    let status =
        Command::new("tar").arg("-C").arg(&place).arg("-cf").arg(&archive).args(["blobs", "index.json", "oci-layout"]).status();
    assert!(status.unwrap().success());
    assert_eq!(said(&archive), (targets, found));
}

#[test]
fn an_image_that_lies() {
    let place = directory("lying");
    file(&place, "oci-layout", b"{}");
    let because = |index: &str| {
        file(&place, "index.json", index.as_bytes());
        let report = check::check(std::slice::from_ref(&place));
        assert_eq!((report.targets.len(), report.not_checked.len()), (0, 1), "{report:?}");
        report.not_checked[0].because.clone()
    };
    assert!(because("{").contains("damaged"));
    assert!(because("{\"manifests\":[]}").contains("no image"));
    assert!(because("{\"manifests\":[{\"digest\":\"sha256:../../../../etc/passwd\"}]}").contains("is not in it"));
    // An index that is in itself.
    let index = "{\"manifests\":[{\"digest\":\"sha256:aa\"},{\"digest\":\"sha256:aa\"}]}";
    file(&place, "blobs/sha256/aa", index.as_bytes());
    assert!(because(index).contains("no image"));
}

//! Small root file systems, for tests.
// Not every test file needs all of it.
#![allow(dead_code)]

use crate::object::Object;
use std::fs;
use std::path::{Path, PathBuf};

/// A directory of its own for each test, empty.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn put(root: &Path, path: &str, object: &Object) {
    file(root, path, object.bytes());
}

pub fn file(root: &Path, path: &str, contents: impl AsRef<[u8]>) {
    let path = root.join(path.trim_start_matches('/'));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}

pub fn link(root: &Path, path: &str, target: &str) {
    let path = root.join(path.trim_start_matches('/'));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

pub const LOADER: &str = "/lib/ld-linux.so.2";

pub fn program() -> Object {
    Object { interpreter: Some(LOADER), needed: &["libc.so.6"], ..Object::default() }
}

/// An i386 root file system with nothing wrong.
pub fn good(name: &str) -> PathBuf {
    let root = directory(name);
    link(&root, "/lib", "usr/lib");
    put(&root, "/usr/lib/i386-linux-gnu/libc.so.6", &Object::default());
    put(&root, "/usr/lib/ld-linux.so.2", &Object::default());
    put(&root, "/usr/bin/program", &program());
    root
}

//! A kernel: its source, or the directory of `make O=`.

use super::Files;
use crate::tree::Tree;
use std::path::Path;

pub(super) fn is_one(path: &Path) -> bool {
    let source = path.join("Kbuild").is_file() && path.join("arch/arm64/Kconfig").is_file();
    // The directory of `make O=` has a link to the source, and the scripts that were built.
    let built = path.join(".config").is_file() && path.join("include/config").is_dir() && path.join("Makefile").is_file();
    source || built
}

pub(super) fn read(tree: &mut Tree, files: &mut Files) {
    let top = tree.path.clone();
    let config = top.join(".config");
    if config.is_file() {
        files.kernel(&config);
        tree.arm64 = files.find(&config, |line| line.starts_with("CONFIG_ARM64=y"));
    } else {
        files.unchecked.push((String::new(), "it has no .config yet: configure it, then check again".to_owned()));
    }
    // make reads this one first.
    files.compat(&top.join("GNUmakefile"), tree);
    tree.places = vec!["GNUmakefile".to_owned()];
}

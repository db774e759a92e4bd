//! A PTXdist project: its platforms with their kernels, and the rules of its own.

use super::{Files, settings};
use crate::tree::Tree;
use std::path::{Path, PathBuf};

pub(super) fn is_one(path: &Path) -> bool {
    !platforms(path, &mut Files::new(path)).is_empty()
        && (path.join("configs").is_dir() || path.join("ptxconfig").is_file() || path.join("selected_ptxconfig").exists())
}

/// The platformconfig files, the selected one alone if there is one.
fn platforms(top: &Path, files: &mut Files) -> Vec<PathBuf> {
    for selected in ["selected_platformconfig", "platformconfig"] {
        if top.join(selected).is_file() {
            return vec![
                std::fs::canonicalize(top.join(selected))
                    .ok()
                    .and_then(|real| below(top, &real))
                    .unwrap_or_else(|| top.join(selected)),
            ];
        }
    }
    let configs = files.list(&top.join("configs"));
    let all = configs.into_iter().filter(|(_, is_directory)| *is_directory).map(|(path, _)| path.join("platformconfig"));
    all.filter(|path| path.is_file()).collect()
}

/// A path without links, as one that begins with the tree's.
fn below(top: &Path, real: &Path) -> Option<PathBuf> {
    Some(top.join(real.strip_prefix(std::fs::canonicalize(top).ok()?).ok()?))
}

pub(super) fn read(tree: &mut Tree, files: &mut Files) {
    let top = tree.path.clone();
    let platforms = platforms(&top, files);
    for platform in &platforms {
        let Some(text) = files.text(platform) else { continue };
        let directory = platform.parent().unwrap_or(&top);
        let (mut arm64, mut kernel) = (None, None);
        for (line, name, value) in settings(&text) {
            match (name, value) {
                ("PTXCONF_ARCH_ARM64", "y") => arm64 = Some(files.said(platform, line, "PTXCONF_ARCH_ARM64=y")),
                ("PTXCONF_KERNEL", "y") => kernel = Some(()),
                ("PTXCONF_KERNEL_CONFIG", value) => files.kernel(&directory.join(value)),
                _ => {}
            }
        }
        if kernel.is_some() && tree.arm64.is_none() {
            tree.arm64 = arm64;
        }
        // PTXCONF_KERNEL_EXTRA_MAKEVARS goes to the kernel's make as it is.
        files.compat(platform, tree);
        let mut rules = files.below(&directory.join("rules"), &[".make"]);
        if directory != top {
            rules.extend(files.below(&top.join("rules"), &[".make"]));
        }
        for path in rules {
            files.compat(&path, tree);
        }
        // Rules of a platform come with the platform; those of the project are for all of them.
        if tree.places.is_empty() {
            let place = if platforms.len() == 1 { directory } else { &top };
            let place = place.strip_prefix(&top).ok().and_then(Path::to_str).unwrap_or_default();
            let place = if place.is_empty() { String::new() } else { format!("{place}/") };
            tree.places.push(format!("{place}rules/post/compat-vdso.make"));
        }
    }
}

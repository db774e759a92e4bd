//! Buildroot: its source, a directory of `make O=`, or an external tree (`BR2_EXTERNAL`).

use super::{Files, settings};
use crate::tree::Tree;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// External trees, and fragments of one list.
const MAX_EXTERNALS: usize = 100;

pub(super) fn is_one(path: &Path) -> bool {
    let source = path.join("linux/linux.mk").is_file() && path.join("package").is_dir();
    let external = path.join("external.desc").is_file() && path.join("external.mk").is_file();
    source || external || is_output(path)
}

/// Whether its `.config` is Buildroot's.
fn is_output(path: &Path) -> bool {
    let Ok(file) = super::open(&path.join(".config")) else { return false };
    let mut start = Vec::new();
    let read = std::io::Read::read_to_end(&mut std::io::Read::take(file, 16 << 10), &mut start);
    read.is_ok() && String::from_utf8_lossy(&start).lines().any(|line| line.starts_with("BR2_"))
}

pub(super) fn read(tree: &mut Tree, files: &mut Files) {
    let top = tree.path.clone();
    let config = top.join(".config");
    let mut externals = Vec::new();
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    let mut fragments = Vec::new();
    let mut local = Some(top.join("local.mk"));
    let mut source = top.join("linux/linux.mk").is_file().then(|| top.clone());
    if top.join("external.mk").is_file() {
        externals.push(top.clone());
    }
    let mut configs = vec![config.clone()];
    if !config.is_file() {
        // An external tree, or a fresh one: what its board is for is in the defconfig.
        configs = files.list(&top.join("configs")).into_iter().map(|(path, _)| path).collect();
    }
    if let Some(text) = files.text(&top.join("Makefile")) {
        // `make O=` writes one that goes back to the source.
        let back = text.lines().find_map(|line| line.trim().strip_prefix("MAKEARGS := -C "));
        source = source.or_else(|| back.map(PathBuf::from).filter(|path| path.is_absolute()));
    }
    let many = configs.len() > 1;
    for path in &configs {
        let Some(text) = files.text(path) else { continue };
        for (line, name, value) in settings(&text) {
            let said = || files.said(path, line, &format!("{name}={value}"));
            match name {
                "BR2_aarch64" if value == "y" => tree.arm64 = tree.arm64.take().or_else(|| Some(said())),
                "BR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES" | "BR2_LINUX_KERNEL_CUSTOM_CONFIG_FILE" => {
                    fragments.extend(value.split_ascii_whitespace().take(MAX_EXTERNALS).map(str::to_owned));
                }
                "BR2_PACKAGE_OVERRIDE_FILE" if !many => {
                    local = Some(PathBuf::from(value));
                }
                _ => {
                    // The paths of external trees are options, too.
                    let external = name.strip_prefix("BR2_EXTERNAL_").is_some_and(|rest| rest.ends_with("_PATH"));
                    if external && Path::new(value).is_absolute() && externals.len() < MAX_EXTERNALS {
                        externals.push(PathBuf::from(value));
                        variables.insert(name.to_owned(), value.to_owned());
                    }
                }
            }
        }
    }
    if tree.arm64.is_some() && !many && config.is_file() {
        let built = files
            .text(&config)
            .is_some_and(|text| settings(&text).any(|(_, name, value)| (name, value) == ("BR2_LINUX_KERNEL", "y")));
        if !built {
            tree.arm64 = None;
        }
    }
    if let Some(source) = &source {
        files.add(source);
        variables.insert("TOPDIR".to_owned(), source.display().to_string());
    }
    variables.insert("CONFIG_DIR".to_owned(), top.display().to_string());
    let description = files.text(&top.join("external.desc")).unwrap_or_default();
    if let Some(name) = description.lines().find_map(|line| line.strip_prefix("name:")) {
        variables.insert(format!("BR2_EXTERNAL_{}_PATH", name.trim()), top.display().to_string());
    }
    externals.dedup();
    fragments.truncate(10 * MAX_EXTERNALS);
    for external in &externals {
        files.add(external);
    }
    let local = local.and_then(|path| expand(&path.display().to_string(), &variables));
    let mut makefiles: Vec<PathBuf> = local.iter().filter(|path| path.is_file()).cloned().collect();
    makefiles.extend(source.as_ref().map(|source| source.join("linux/linux.mk")));
    for external in &externals {
        makefiles.push(external.join("external.mk"));
        for directory in ["linux", "package", "board"] {
            makefiles.extend(files.below(&external.join(directory), &[".mk"]));
        }
    }
    makefiles.sort();
    makefiles.dedup();
    for path in makefiles {
        files.compat(&path, tree);
    }
    for fragment in fragments {
        match expand(&fragment, &variables) {
            Some(path) => {
                let path = if path.is_absolute() { path } else { source.as_ref().unwrap_or(&top).join(path) };
                if path.is_file() {
                    files.fragment(&path, tree);
                } else {
                    files
                        .unchecked
                        .push((path.display().to_string(), "the kernel's configuration names it, and it is not here".to_owned()));
                }
            }
            None => files.unchecked.push((fragment, "it has a variable whose value is not known here".to_owned())),
        }
    }
    for build in ["output/build", "build"] {
        for (path, is_directory) in files.list(&top.join(build)) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if is_directory
                && name.starts_with("linux-")
                && !name.starts_with("linux-headers")
                && !name.starts_with("linux-firmware")
            {
                files.kernel(&path.join(".config"));
            }
        }
    }
    // An external tree is the place for what is one's own; local.mk is read from the output directory.
    let inside = |path: &Path| path.strip_prefix(&top).ok().and_then(Path::to_str).map(str::to_owned);
    let external = externals.iter().find_map(|external| inside(&external.join("external.mk")));
    tree.places = external.or_else(|| inside(&local?)).into_iter().collect();
}

/// Replaces `$(NAME)`; nothing where one is not known.
fn expand(text: &str, variables: &BTreeMap<String, String>) -> Option<PathBuf> {
    let mut text = text.to_owned();
    for (name, value) in variables {
        text = text.replace(&format!("$({name})"), value);
    }
    (!text.contains("$(")).then(|| PathBuf::from(text))
}

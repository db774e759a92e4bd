//! Armbian's build tree with the user's own configuration in `userpatches`.

use super::Files;
use crate::tree::{Prefix, Tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Boards of one file of the user's.
const MAX_BOARDS: usize = 100;

/// The extension that builds the vDSO.
pub(crate) const EXTENSION: &str = "arm64-compat-vdso";

pub(super) fn read(tree: &mut Tree, files: &mut Files) {
    let top = tree.path.clone();
    let user: Vec<PathBuf> = files.list(&top.join("userpatches")).into_iter().map(|(path, _)| path).collect();
    let is_config = |path: &&PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name == "lib.config" || name.starts_with("config-") && (name.ends_with(".conf") || name.ends_with(".conf.sh"))
    };
    let mut sources: Vec<PathBuf> = user.iter().filter(is_config).cloned().collect();
    let configs: Vec<PathBuf> = sources.iter().filter(|path| !path.ends_with("lib.config")).cloned().collect();
    let boards = boards(&top, &sources, files);
    for board in &boards {
        if let Some(family) = family(&top, board, files) {
            tree.arm64 = tree.arm64.take().or_else(|| files.find(&family, is_arm64));
            sources.push(family);
        }
        sources.push(board.clone());
    }
    if boards.is_empty() {
        let because = "no file of userpatches names a BOARD, so what it builds for is not known".to_owned();
        files.unchecked.push((String::new(), because));
    } else if tree.arm64.is_none() {
        let because = "its board's family does not say in a file of its own what processor it is for".to_owned();
        files.unchecked.push((String::new(), because));
    }
    for path in &sources {
        let enabled = files.find(path, |line| {
            line.contains(EXTENSION) && (line.contains("enable_extension") || line.contains("ENABLE_EXTENSIONS"))
        });
        if let Some(said) = enabled {
            // The extension stops the build itself where there is no compiler.
            tree.compat.get_or_insert(Prefix { said, missing: None });
        }
        let clang =
            files.find(path, |line| line.trim().trim_end_matches('"').ends_with("clang") && line.contains("KERNEL_COMPILER="));
        tree.clang = tree.clang.take().or(clang);
        files.compat(path, tree);
    }
    let mut below: Vec<String> =
        configs.iter().filter_map(|path| path.strip_prefix(&top).ok()?.to_str().map(str::to_owned)).collect();
    if below.is_empty() {
        below.push("userpatches/config-compat-vdso.conf.sh".to_owned());
    }
    if top.join("extensions").join(format!("{EXTENSION}.sh")).is_file() {
        tree.places = below;
    }
}

/// The boards that the user's configuration names.
fn boards(top: &Path, sources: &[PathBuf], files: &mut Files) -> Vec<PathBuf> {
    let mut boards = Vec::new();
    for path in sources {
        let Some(text) = files.text(path) else { continue };
        let named = text.lines().filter_map(|line| value(line, "BOARD")).map(str::to_owned);
        let named: BTreeSet<String> = named.filter(|board| !board.contains('/')).take(MAX_BOARDS).collect();
        for board in named {
            let found = ["conf", "csc", "wip", "eos", "tvb"]
                .into_iter()
                .map(|kind| top.join("config/boards").join(format!("{board}.{kind}")));
            boards.extend(found.into_iter().find(|path| path.is_file()));
        }
    }
    boards
}

/// The file of a board's family.
fn family(top: &Path, board: &Path, files: &mut Files) -> Option<PathBuf> {
    let text = files.text(board)?;
    let family = text.lines().find_map(|line| value(line, "BOARDFAMILY"))?;
    let path = top.join("config/sources/families").join(format!("{family}.conf"));
    (!family.contains('/') && path.is_file()).then_some(path)
}

/// The value of an assignment of the shell, with or without `declare -g`.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let line = line.split('#').next()?.trim();
    let line = ["declare -g ", "export "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
    let value = line.strip_prefix(name)?.strip_prefix('=')?;
    Some(value.trim_matches(['"', '\'']))
}

/// Whether a line of a family's file says that it is for AArch64. Some only take the settings that others have, too.
fn is_arm64(line: &str) -> bool {
    let shared = ["rockchip64_common", "meson64_common", "sunxi64_common", "bcm2711", "imx8", "k3_common", "mvebu64"];
    value(line, "ARCH") == Some("arm64") || line.contains("source") && shared.iter().any(|name| line.contains(name))
}

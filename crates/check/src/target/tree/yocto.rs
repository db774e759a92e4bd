//! Yocto and OpenEmbedded: a build directory with its layers, or layers alone.

use super::Files;
use super::bitbake::{Assignment, Statement, Values, parse};
use crate::tree::{Multilib, Said, System, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Layers that are read; a vendor's build has up to forty.
const MAX_LAYERS: usize = 100;
/// Files that include others, and each other.
const MAX_INCLUDES: usize = 2_000;

/// The class that the fix makes.
pub(crate) const CLASS: &str = "compat-vdso";

/// The configuration: what the files say, in the order in which BitBake reads them.
struct Configuration {
    values: Values,
    /// Where files are looked for: the build directory and the layers.
    path: Vec<PathBuf>,
    /// Every file that was included, resolved or not.
    included: Vec<(String, Said)>,
    inherited: Vec<(String, Said)>,
    unresolved: Vec<Said>,
    seen: usize,
    /// An override in the syntax that BitBake has had since 1.52.
    new_syntax: bool,
}

impl Configuration {
    fn new(path: Vec<PathBuf>) -> Self {
        Self {
            values: Values::default(),
            path,
            included: Vec::new(),
            inherited: Vec::new(),
            unresolved: Vec::new(),
            seen: 0,
            new_syntax: false,
        }
    }

    fn load(&mut self, path: &Path, files: &mut Files) {
        let Some(text) = files.text(path) else { return };
        for statement in parse(&text) {
            match statement {
                Statement::Assignment(mut assignment) => {
                    assignment.said = Some(files.said(path, assignment.line, &assignment.text));
                    self.new_syntax |= !assignment.old && !assignment.overrides.is_empty();
                    self.values.add(assignment);
                }
                Statement::Include { path: wanted, line, text } => {
                    self.seen += 1;
                    if self.seen > MAX_INCLUDES {
                        return;
                    }
                    let said = files.said(path, line, &text);
                    let wanted = self.values.expand(&wanted);
                    self.included.push((wanted.clone(), said.clone()));
                    match self.find(&wanted) {
                        Some(found) => self.load(&found, files),
                        // `include` of what is not there is nothing to worry about.
                        None if text.starts_with("require") => self.unresolved.push(said),
                        None => {}
                    }
                }
                Statement::Inherit { classes, line, text } => {
                    let said = files.said(path, line, &text);
                    self.inherited.extend(classes.split_ascii_whitespace().map(|class| (class.to_owned(), said.clone())));
                }
            }
        }
    }

    fn find(&self, wanted: &str) -> Option<PathBuf> {
        self.path.iter().map(|directory| directory.join(wanted)).find(|path| path.is_file())
    }

    /// What says that this is a configuration for AArch64.
    fn arm64(&self) -> Option<Said> {
        if let Some(tune) = self.values.get("DEFAULTTUNE").filter(|tune| !tune.contains("${")) {
            let said = self.values.all("DEFAULTTUNE").find(|assignment| assignment.value == tune);
            return is_arm64(&tune).then(|| said.and_then(|assignment| assignment.said.clone())).flatten();
        }
        let file = |path: &str| path.rsplit('/').next().unwrap_or_default().trim_end_matches(".inc").to_owned();
        let tune = |path: &str| file(path).trim_start_matches("tune-").trim_start_matches("arch-").to_owned();
        self.included.iter().find(|(path, _)| is_arm64(&tune(path))).map(|(_, said)| said.clone())
    }
}

/// The number of the core in `cortexa53-crypto`.
fn cortex(tune: &str) -> Option<u32> {
    let digits: String = tune.strip_prefix("cortexa")?.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether a tune is for AArch64. Cores before the Cortex-A34 have AArch32 only, and so has the A32.
fn is_arm64(tune: &str) -> bool {
    let starts = ["aarch64", "armv8", "armv9", "arm64", "neoverse", "thunderx", "octeontx"];
    starts.iter().any(|start| tune.starts_with(start)) || cortex(tune).is_some_and(|number| number >= 34)
}

/// Whether a tune is for 32-bit ARM.
fn is_arm(tune: &str) -> bool {
    let old = ["armv4", "armv5", "armv6", "armv7", "arm9", "arm1136", "arm1176", "strongarm", "xscale"];
    old.iter().any(|start| tune.starts_with(start)) || cortex(tune).is_some_and(|number| number < 34)
}

pub(super) fn read(tree: &mut Tree, files: &mut Files) {
    let top = tree.path.clone();
    let real = std::fs::canonicalize(&top).unwrap_or_else(|_| top.clone());
    let mut configuration = Configuration::new(vec![top.clone()]);
    if let Some(real) = real.to_str() {
        for statement in parse(&format!("TOPDIR = \"{real}\"\nTMPDIR ?= \"{real}/tmp\"\n")) {
            if let Statement::Assignment(assignment) = statement {
                configuration.values.add(assignment);
            }
        }
    }
    let layers = if tree.system == System::Yocto {
        configuration.load(&top.join("conf/bblayers.conf"), files);
        listed_layers(&configuration, files)
    } else {
        inner_layers(&top, files)
    };
    for layer in &layers {
        files.add(layer);
    }
    configuration.path.extend(layers.iter().cloned());
    for layer in &layers {
        configuration.load(&layer.join("conf/layer.conf"), files);
        let appended = files.find(&layer.join("conf/layer.conf"), |line| line.contains(".bbappend"));
        if tree.system == System::Layer && appended.is_some() {
            appends(layer, &top, tree, files);
        }
    }
    if tree.system == System::Yocto {
        build(&top, &mut configuration, tree, files);
    } else {
        machines(&layers, &configuration, tree, files);
    }
    search(&top, &layers, &configuration, tree, files);
    if tree.system == System::Yocto {
        kernels(&configuration, files);
    }
}

/// The layers of conf/bblayers.conf.
fn listed_layers(configuration: &Configuration, files: &mut Files) -> Vec<PathBuf> {
    let listed = configuration.values.get("BBLAYERS").unwrap_or_default();
    let mut layers = Vec::new();
    for word in listed.split_ascii_whitespace().take(MAX_LAYERS) {
        let layer = PathBuf::from(word);
        if layer.is_absolute() && layer.join("conf/layer.conf").is_file() {
            layers.push(layer);
        } else {
            files.unchecked.push((word.to_owned(), "conf/bblayers.conf names it as a layer, and there is none here".to_owned()));
        }
    }
    layers
}

/// The tree itself if it is a layer, and the layers in it.
fn inner_layers(top: &Path, files: &mut Files) -> Vec<PathBuf> {
    let inner = files.list(top).into_iter().filter(|(_, is_directory)| *is_directory).map(|(path, _)| path);
    let all = std::iter::once(top.to_owned()).chain(inner);
    all.filter(|layer| layer.join("conf/layer.conf").is_file()).take(MAX_LAYERS).collect()
}

/// What conf/local.conf and the machine's and the distribution's files say.
fn build(top: &Path, configuration: &mut Configuration, tree: &mut Tree, files: &mut Files) {
    for file in ["conf/site.conf", "conf/auto.conf", "conf/local.conf"] {
        if top.join(file).exists() {
            configuration.load(&top.join(file), files);
        }
    }
    let machine = configuration.values.get("MACHINE");
    for (kind, name) in [("machine", machine.clone()), ("distro", configuration.values.get("DISTRO"))] {
        let Some(name) = name else { continue };
        match configuration.find(&format!("conf/{kind}/{name}.conf")) {
            Some(path) => configuration.load(&path, files),
            None => files.unchecked.push((
                String::new(),
                format!("conf/{kind}/{name}.conf is in none of its layers that are here, so what it sets is not known"),
            )),
        }
        configuration.values.active.insert(name);
    }
    for said in std::mem::take(&mut configuration.unresolved) {
        // multilib.conf is known without being read.
        if !said.text.contains("conf/multilib.conf") {
            files.unchecked.push((said.to_string(), "there is no such file in the layers that are here".to_owned()));
        }
    }
    tree.arm64 = configuration.arm64().or_else(|| {
        let said = configuration.values.all("MACHINE").filter_map(|assignment| assignment.said.clone()).last();
        machine.as_deref().filter(|machine| machine.contains("arm64") || machine.contains("aarch64")).and(said)
    });
    if tree.arm64.is_some() {
        configuration.values.active.insert("aarch64".to_owned());
    }
    let values = &configuration.values;
    tree.multilib_conf =
        configuration.included.iter().find(|(path, _)| path == "conf/multilib.conf").map(|(_, said)| said.clone());
    let multilibs = values.get("MULTILIBS").unwrap_or_default();
    for variant in multilibs.split_ascii_whitespace().filter_map(|word| word.strip_prefix("multilib:")).take(MAX_LAYERS) {
        let over = format!("virtclass-multilib-{variant}");
        let of_variant = |assignment: &&Assignment| assignment.overrides.contains(&over);
        let tune = values.all("DEFAULTTUNE").filter(of_variant).last();
        if let Some(old) = tune.filter(|assignment| assignment.old && configuration.new_syntax) {
            tree.old_override.clone_from(&old.said);
        }
        let tune = tune.filter(|assignment| !(assignment.old && configuration.new_syntax));
        let value = values.get_with("DEFAULTTUNE", &over).unwrap_or_default();
        let arm = tune.is_some() && is_arm(&value);
        let said = tune.and_then(|assignment| assignment.said.clone());
        if arm {
            tree.narrow.extend(said.clone());
        }
        tree.multilibs.push(Multilib { variant: variant.to_owned(), tune: said, arm });
    }
    for variable in ["IMAGE_INSTALL", "CORE_IMAGE_EXTRA_INSTALL", "PACKAGE_INSTALL", "TOOLCHAIN_TARGET_TASK"] {
        for assignment in values.all(variable) {
            packages(&assignment.value, assignment.said.as_ref(), tree);
        }
    }
    let global = values.get("KERNEL_TOOLCHAIN").as_deref() == Some("clang");
    let mut toolchains = values.all("KERNEL_TOOLCHAIN").chain(values.all("TOOLCHAIN")).filter(|one| one.value.trim() == "clang");
    let clang = toolchains
        .find(|one| global && one.name == "KERNEL_TOOLCHAIN" || one.overrides.iter().any(|part| part.starts_with("pn-linux")));
    tree.clang = clang.and_then(|assignment| assignment.said.clone());
    if values.get("DISTRO_FEATURES").is_some_and(|value| value.split_ascii_whitespace().any(|word| word == "ld-is-lld")) {
        tree.lld = values.with_word("DISTRO_FEATURES", "ld-is-lld").and_then(|assignment| assignment.said.clone());
    }
    let global = |assignment: &&Assignment| !assignment.overrides.iter().any(|part| part.starts_with("pn-"));
    let no_flags = values.all("GLIBC_64BIT_TIME_FLAGS").filter(global).filter(|assignment| assignment.value.trim().is_empty());
    let no_test = ["WARN_QA", "ERROR_QA"]
        .into_iter()
        .flat_map(|name| values.all(name))
        .filter(|assignment| assignment.operator == super::bitbake::Operator::Remove && assignment.value.contains("32bit-time"));
    tree.time32 = no_flags.chain(no_test).filter_map(|assignment| assignment.said.clone()).take(MAX_LAYERS).collect();
    // BitBake finds a class of the build directory if that is in BBPATH, where the template of bblayers.conf puts it.
    let top = values.get("TOPDIR").unwrap_or_default();
    if values.get("BBPATH").is_some_and(|path| path.split(':').any(|directory| directory == top)) {
        tree.places = vec![format!("classes/{CLASS}.bbclass"), "conf/local.conf".to_owned()];
    }
}

/// Packages of a multilib in a list.
fn packages(list: &str, said: Option<&Said>, tree: &mut Tree) {
    for word in list.split_ascii_whitespace() {
        let Some(variant) =
            ["lib32", "libx32"].into_iter().find(|variant| word.strip_prefix(variant).is_some_and(|rest| rest.starts_with('-')))
        else {
            continue;
        };
        if tree.multilib_packages.len() >= MAX_LAYERS {
            return;
        }
        if let Some(said) = said.filter(|said| !tree.multilib_packages.iter().any(|(_, other)| other == *said)) {
            tree.multilib_packages.push((variant.to_owned(), said.clone()));
            tree.narrow.push(said.clone());
        }
    }
}

/// Whether one of the machines of layers without a build directory is for AArch64.
fn machines(layers: &[PathBuf], configuration: &Configuration, tree: &mut Tree, files: &mut Files) {
    for layer in layers {
        for (path, is_directory) in files.list(&layer.join("conf/machine")) {
            if is_directory || !path.as_os_str().as_bytes().ends_with(b".conf") || tree.arm64.is_some() {
                continue;
            }
            let mut machine = Configuration::new(configuration.path.clone());
            machine.load(&path, files);
            tree.arm64 = machine.arm64();
        }
    }
}

/// The names of a layer's kernel recipes, for whom the fix is an append file.
fn appends(layer: &Path, top: &Path, tree: &mut Tree, files: &mut Files) {
    let mut recipes = BTreeSet::new();
    for path in files.below(&layer.join("recipes-kernel"), &[".bb", ".bbappend"]) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let recipe = stem.split('_').next().unwrap_or_default();
        if recipe.starts_with("linux-") && !["linux-firmware", "linux-libc-headers"].contains(&recipe) {
            recipes.insert(recipe.to_owned());
        }
    }
    let Some(layer) = layer.strip_prefix(top).ok().and_then(Path::to_str).filter(|_| !recipes.is_empty()) else { return };
    let below = |path: String| if layer.is_empty() { path } else { format!("{layer}/{path}") };
    tree.places.push(below(format!("classes/{CLASS}.bbclass")));
    for recipe in recipes {
        tree.places.push(below(format!("recipes-kernel/linux/{recipe}_%.bbappend")));
    }
    // It builds what modules outside the kernel need, with the kernel's own make files, the vDSO's among them.
    tree.places.push(below("recipes-kernel/make-mod-scripts/make-mod-scripts_%.bbappend".to_owned()));
}

/// Looks in classes and in recipes of kernels.
fn search(top: &Path, layers: &[PathBuf], configuration: &Configuration, tree: &mut Tree, files: &mut Files) {
    let mut classes: BTreeMap<String, Tree> = BTreeMap::new();
    let mut inherited: BTreeSet<String> = configuration.inherited.iter().map(|(class, _)| class.clone()).collect();
    for variable in ["INHERIT", "KERNEL_CLASSES"] {
        inherited.extend(configuration.values.get(variable).unwrap_or_default().split_ascii_whitespace().map(str::to_owned));
    }
    let mut recipes = Vec::new();
    for directory in std::iter::once(top).chain(layers.iter().map(PathBuf::as_path)) {
        for place in ["classes", "classes-recipe", "classes-global"] {
            for path in files.below(&directory.join(place), &[".bbclass"]) {
                let mut class = Tree::new(String::new(), PathBuf::new(), tree.system);
                files.compat(&path, &mut class);
                if let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) {
                    classes.entry(stem.to_owned()).or_insert(class);
                }
            }
        }
        for path in files.below(&directory.join("conf"), &[".conf", ".inc"]) {
            files.compat(&path, tree);
        }
        for place in ["recipes-kernel", "recipes-bsp", "dynamic-layers"] {
            let found = files.below(&directory.join(place), &[".bb", ".bbappend", ".inc"]);
            recipes.extend(found.into_iter().map(|path| (directory.to_owned(), path)));
        }
        let images: Vec<PathBuf> = files.list(directory).into_iter().map(|(path, _)| path.join("images")).collect();
        for images in images.into_iter().filter(|images| images.is_dir()) {
            for path in files.below(&images, &[".bb", ".bbappend", ".inc"]) {
                let Some(text) = files.text(&path) else { continue };
                for statement in parse(&text) {
                    if let Statement::Assignment(assignment) = statement {
                        if assignment.name == "IMAGE_INSTALL" {
                            packages(&assignment.value, Some(&files.said(&path, assignment.line, &assignment.text)), tree);
                        }
                    }
                }
            }
        }
    }
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut directories: BTreeSet<PathBuf> = BTreeSet::new();
    for (directory, path) in recipes {
        let Some(text) = files.text(&path) else { continue };
        files.compat_in(&path, &text, tree);
        for statement in parse(&text) {
            match statement {
                Statement::Inherit { classes, .. } => inherited.extend(classes.split_ascii_whitespace().map(str::to_owned)),
                Statement::Assignment(assignment) if assignment.name == "SRC_URI" => {
                    let uris = assignment.value.split_ascii_whitespace().filter_map(|word| word.strip_prefix("file://"));
                    named.extend(uris.map(|uri| uri.split(';').next().unwrap_or_default()).map(last).map(str::to_owned));
                    directories.insert(directory.join("recipes-kernel"));
                }
                _ => {}
            }
        }
    }
    for (name, class) in classes {
        if inherited.contains(&name) {
            tree.compat = tree.compat.take().or(class.compat);
            tree.outdated = tree.outdated.take().or(class.outdated);
        }
    }
    fragments(&directories, named, tree, files);
}

/// What is behind the last slash.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The fragments of kernel configurations that recipes name, and those that these name.
fn fragments(directories: &BTreeSet<PathBuf>, mut named: BTreeSet<String>, tree: &mut Tree, files: &mut Files) {
    let mut found = Vec::new();
    for directory in directories {
        found.extend(files.below(directory, &[".cfg", ".config", ".scc", "defconfig"]));
    }
    let is_scc = |path: &&PathBuf| path.as_os_str().as_bytes().ends_with(b".scc");
    for path in found.iter().filter(is_scc) {
        let Some(text) = files.text(path) else { continue };
        let words = text
            .lines()
            .filter(|line| line.trim_start().starts_with("kconf"))
            .filter_map(|line| line.split_ascii_whitespace().last());
        named.extend(words.map(last).map(str::to_owned));
    }
    for path in found.iter().filter(|path| !is_scc(path)) {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| named.contains(name)) {
            files.fragment(path, tree);
        }
    }
}

/// The configurations of kernels that were built.
fn kernels(configuration: &Configuration, files: &mut Files) {
    let Some(temporary) = configuration.values.get("TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute()) else { return };
    files.add(&temporary);
    let directories = |files: &mut Files, path: &Path| -> Vec<PathBuf> {
        files.list(path).into_iter().filter(|(_, is_directory)| *is_directory).map(|(path, _)| path).collect()
    };
    for machine in directories(files, &temporary.join("work-shared")) {
        files.kernel(&machine.join("kernel-build-artifacts/.config"));
    }
    if !files.kernels.is_empty() {
        return;
    }
    for machine in directories(files, &temporary.join("work")) {
        for recipe in directories(files, &machine) {
            let name = recipe.file_name().unwrap_or_default().as_bytes();
            if !name.starts_with(b"linux-") || name.starts_with(b"linux-libc-headers") || name.starts_with(b"linux-firmware") {
                continue;
            }
            for version in directories(files, &recipe) {
                for built in directories(files, &version) {
                    if built.file_name().is_some_and(|name| name.as_bytes().ends_with(b"build")) {
                        files.kernel(&built.join(".config"));
                    }
                }
            }
        }
    }
}

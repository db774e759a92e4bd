//! What `--fix` does to a build tree, in the terms of its build system.

use crate::facts::{Facts, Kernel};
use crate::target::tree::armbian::EXTENSION;
use crate::target::tree::yocto::CLASS;
use crate::tree::{System, Tree};
use findings::{Patch, Step};
use std::path::PathBuf;

/// Finds the compiler of the first multilib for 32-bit ARM and gives it to the kernel.
const BBCLASS: &str = r#"# Gives the kernel build a compiler for 32-bit ARM, with which it makes the vDSO of 32-bit programs
# (CONFIG_COMPAT_VDSO). It is that of the first multilib for 32-bit ARM, or the one whose prefix is in
# CROSS_COMPILE_COMPAT, such as "arm-linux-gnueabihf-" together with
# HOSTTOOLS += "arm-linux-gnueabihf-gcc arm-linux-gnueabihf-ld".
#
# Either inherit it everywhere (INHERIT += "compat-vdso"), or in the recipes of kernels and in make-mod-scripts, which
# runs the kernel's own "make prepare", so that it builds the vDSO as well.

CROSS_COMPILE_COMPAT ??= ""

python () {
    if not bb.data.inherits_class('kernel', d) and d.getVar('BPN') != 'make-mod-scripts':
        return
    if d.getVar('TARGET_ARCH') != 'aarch64':
        return
    import oe.utils
    for variant in (d.getVar('MULTILIB_VARIANTS') or '').split():
        if d.getVar('CROSS_COMPILE_COMPAT'):
            break
        multilib = oe.utils.get_multilib_datastore(variant, d)
        if multilib.getVar('TARGET_ARCH') == 'arm':
            d.setVar('CROSS_COMPILE_COMPAT', multilib.getVar('TARGET_PREFIX'))
            d.appendVar('DEPENDS', ' %s-gcc-cross-arm %s-binutils-cross-arm' % (variant, variant))
            # The directory in recipe-sysroot-native/usr/bin that the compiler is in.
            d.appendVar('EXTRANATIVEPATH', ' ' + multilib.getVar('TARGET_SYS'))
    if not d.getVar('CROSS_COMPILE_COMPAT'):
        bb.warn('%s: there is no multilib for 32-bit ARM and CROSS_COMPILE_COMPAT is empty, so that the kernel '
                'has no vDSO for 32-bit programs' % d.getVar('PN'))
        return
    d.setVarFlag('CROSS_COMPILE_COMPAT', 'export', '1')
    # For menuconfig, which would drop the option otherwise.
    d.appendVar('OE_TERMINAL_EXPORTS', ' CROSS_COMPILE_COMPAT')
}
"#;

/// Gives the kernel build of the tree a compiler for 32-bit ARM. Nothing where the tree has no place for that.
pub(crate) fn compat_compiler(tree: &Tree) -> Option<Patch> {
    let prefix = &tree.arm_prefix;
    let first = tree.places.first()?;
    let create = |path: &str, contents: String| Step::Create { path: path.to_owned(), contents };
    let append = |path: &String, contents: String| Step::Append { path: path.clone(), contents };
    let run = |command: String| Step::Run { command };
    let steps = match tree.system {
        System::Yocto | System::Layer => {
            let line = if tree.system == System::Yocto { format!("INHERIT += \"{CLASS}\"") } else { format!("inherit {CLASS}") };
            let class = create(first, BBCLASS.to_owned());
            std::iter::once(class).chain(tree.places.iter().skip(1).map(|path| append(path, line.clone()))).collect()
        }
        System::Buildroot if first.ends_with("external.mk") => vec![
            append(
                first,
                format!(
                    "# A compiler for 32-bit ARM: the kernel makes the vDSO of 32-bit programs with it.\nLINUX_MAKE_FLAGS += CROSS_COMPILE_COMPAT={prefix}"
                ),
            ),
            run("make linux-reconfigure all".to_owned()),
        ],
        // Read before linux.mk, which would set LINUX_MAKE_FLAGS anew.
        System::Buildroot => vec![
            append(
                first,
                format!(
                    "# A compiler for 32-bit ARM: the kernel makes the vDSO of 32-bit programs with it.\nexport CROSS_COMPILE_COMPAT = {prefix}"
                ),
            ),
            run("make linux-reconfigure all".to_owned()),
        ],
        // Read after rules/kernel.make, for configuring, building and installing.
        System::Ptxdist => vec![
            create(
                first,
                format!(
                    "# -*-makefile-*-\n# A compiler for 32-bit ARM: the kernel makes the vDSO of 32-bit programs with it.\nKERNEL_BASE_OPT += CROSS_COMPILE_COMPAT={prefix}\n"
                ),
            ),
            run("ptxdist clean kernel && ptxdist go".to_owned()),
        ],
        System::Armbian => tree.places.iter().map(|path| append(path, format!("enable_extension \"{EXTENSION}\""))).collect(),
        System::Kernel => vec![
            create(
                first,
                format!(
                    "# make reads this file instead of Makefile. A compiler for 32-bit ARM: the vDSO of 32-bit programs is made with it.\nexport CROSS_COMPILE_COMPAT ?= {prefix}\ninclude Makefile\n"
                ),
            ),
            run("make ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- olddefconfig".to_owned()),
        ],
    };
    Some(Patch { name: CLASS, directory: tree.path.clone(), steps })
}

/// Makes the multilib of this variant one for 32-bit ARM.
pub(crate) fn multilib(tree: &Tree, lines: String) -> Option<Patch> {
    let place = tree.places.iter().find(|place| *place == "conf/local.conf")?;
    let steps = vec![Step::Append { path: place.clone(), contents: lines }];
    Some(Patch { name: "multilib", directory: tree.path.clone(), steps })
}

/// Turns options of a kernel on: by its own script in a kernel's tree, and as a fragment elsewhere.
pub(crate) fn options(facts: &Facts, kernel: &Kernel, options: &[&str]) -> Option<Patch> {
    let architecture = kernel.architecture()?;
    let steps = if facts.trees.iter().any(|tree| tree.system == System::Kernel && tree.has(kernel)) {
        let names: Vec<String> = options.iter().map(|option| format!("-e {option}")).collect();
        // What `make O=` makes has a link to the source.
        let script = "$([ -d source ] && echo source || echo .)/scripts/config";
        let architecture = architecture.name().replace("x86-64", "x86_64");
        vec![Step::Run {
            command: format!("{script} --file .config {} && make ARCH={architecture} olddefconfig", names.join(" ")),
        }]
    } else {
        vec![Step::Fragment { contents: options.iter().map(|option| format!("CONFIG_{option}=y\n")).collect() }]
    };
    Some(Patch { name: "kernel options", directory: PathBuf::new(), steps })
}

/// A word for the kernel's command line.
pub(crate) fn command_line(argument: &str) -> Patch {
    let steps = vec![Step::BootArgument { argument: argument.to_owned() }];
    Patch { name: "command line", directory: PathBuf::new(), steps }
}

/// Something to type on the machine that the kernel runs on.
pub(crate) fn command(command: &str) -> Patch {
    Patch { name: "command", directory: PathBuf::new(), steps: vec![Step::Run { command: command.to_owned() }] }
}

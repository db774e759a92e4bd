//! Build trees that tests make, in the format of each build system: what is found in them, and that `--fix --write` cures it.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use check::write::{Outcome, apply};
use findings::{Finding, Report, Severity, Step};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A directory of its own for each test, with these files in it. `@` in a file is the directory.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trees").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    for (file, text) in files {
        put(&path, file, text);
    }
    path
}

fn put(tree: &Path, file: &str, text: &str) {
    let path = tree.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text.replace('@', tree.to_str().unwrap())).unwrap();
}

fn check(tree: &Path) -> Report {
    check::check(&[tree.to_owned()])
}

fn rules(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[track_caller]
fn only(tree: &Path, rule: &str, severity: Severity, part: &str) -> Finding {
    let report = check(tree);
    assert_eq!(rules(&report), [rule], "{report:#?}");
    let finding = report.findings[0].clone();
    assert_eq!(finding.severity, severity, "{finding:#?}");
    assert!(format!("{}: {}", finding.message, finding.evidence).contains(part), "{finding:#?}");
    finding
}

/// Every file below a directory, with what is in it.
fn snapshot(tree: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut todo = vec![tree.to_owned()];
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                todo.push(path)
            } else {
                found.push((path.clone(), fs::read(path).unwrap_or_default()))
            }
        }
    }
    found.sort();
    found
}

/// Applies the finding's patch: it must go through, change nothing the second time, and cure the finding.
#[track_caller]
fn cured(tree: &Path, finding: &Finding) {
    let patch = finding.patch.as_ref().expect("it has a patch");
    let before = snapshot(tree);
    for (path, outcome) in apply(patch) {
        assert!(matches!(outcome, Ok(Outcome::Created | Outcome::Appended)), "{path}: {outcome:?}");
    }
    let once = snapshot(tree);
    for (path, text) in before {
        let now = &once.iter().find(|(other, _)| *other == path).unwrap().1;
        assert!(now.starts_with(&text), "{}: what was there is there still", path.display());
    }
    for (path, outcome) in apply(patch) {
        assert_eq!(outcome, Ok(Outcome::Unchanged), "{path}");
    }
    assert_eq!(snapshot(tree), once, "the second time nothing changes");
    assert!(!rules(&check(tree)).contains(&finding.rule), "{:#?}", check(tree).findings);
}

const BBLAYERS: &str = "# a comment\nBBPATH = \"${TOPDIR}\"\nBBFILES ?= \"\"\n\nBBLAYERS ?= \" \\\n  @/layers/meta \\\n  ${TOPDIR}/layers/meta-board \\\n  \"\n";
const MULTILIB: &str =
    "require conf/multilib.conf\nMULTILIBS = \"multilib:lib32\"\nDEFAULTTUNE:virtclass-multilib-lib32 = \"armv7athf-neon\"\n";

/// A build directory of Yocto with two layers: the core and a board's.
fn yocto(name: &str, local: &str, more: &[(&str, &str)]) -> PathBuf {
    let path = tree(
        name,
        &[
            ("conf/bblayers.conf", BBLAYERS),
            ("layers/meta/conf/layer.conf", "BBPATH .= \":${LAYERDIR}\"\nBBFILES += \"${LAYERDIR}/recipes-*/*/*.bb\"\n"),
            ("layers/meta/conf/multilib.conf", "MULTILIBS ??= \"multilib:lib32\"\n"),
            (
                "layers/meta/conf/machine/include/arm/armv8a/tune-cortexa53.inc",
                "DEFAULTTUNE ?= \"cortexa53\"\nrequire conf/machine/include/arm/arch-armv8a.inc\n",
            ),
            (
                "layers/meta/conf/machine/include/arm/arch-armv8a.inc",
                "DEFAULTTUNE ?= \"armv8a\"\nTUNE_FEATURES:tune-armv8a = \"aarch64\"\n",
            ),
            ("layers/meta/classes-recipe/kernel.bbclass", "inherit kernel-arch\nexport CROSS_COMPILE = \"${TARGET_PREFIX}\"\n"),
            (
                "layers/meta-board/conf/layer.conf",
                "BBPATH .= \":${LAYERDIR}\"\nBBFILES += \"${LAYERDIR}/recipes-*/*/*.bbappend\"\n",
            ),
            ("layers/meta-board/conf/machine/board.conf", "require conf/machine/include/arm/armv8a/tune-cortexa53.inc\n"),
            ("layers/meta-board/conf/distro/small.conf", "DISTRO_FEATURES ?= \"ipv4\"\n"),
        ],
    );
    put(&path, "conf/local.conf", &format!("MACHINE ??= \"board\"\nDISTRO = \"small\"\n{local}"));
    for (file, text) in more {
        put(&path, file, text);
    }
    path
}

#[test]
fn yocto_without_the_compiler() {
    let path = yocto("yocto", MULTILIB, &[]);
    let finding = only(&path, "K080", Severity::Slow, "layers/meta/conf/machine/include/arm/armv8a/tune-cortexa53.inc:1");
    assert!(finding.evidence.contains("conf/local.conf:5: DEFAULTTUNE:virtclass-multilib-lib32"), "{}", finding.evidence);
    assert_eq!(check(&path).not_checked, []);
    cured(&path, &finding);
    let class = fs::read_to_string(path.join("classes/compat-vdso.bbclass")).unwrap();
    assert!(class.contains("gcc-cross-arm"), "{class}");
    assert!(fs::read_to_string(path.join("conf/local.conf")).unwrap().ends_with("# <<< biarch compat-vdso <<<\n"));
}

#[test]
fn yocto_that_makes_no_32_bit_programs_is_only_told() {
    let path = yocto("yocto-64", "", &[]);
    let finding = only(&path, "K080", Severity::Note, "if it is to run any");
    cured(&path, &finding);
    // Now the class has no compiler to find.
    only(&path, "K082", Severity::Slow, "no variant in MULTILIBS is for 32-bit ARM");
}

#[test]
fn yocto_for_32_bit_arm_and_for_x86_is_left_alone() {
    let path = yocto("yocto-arm", "DEFAULTTUNE = \"armv7athf-neon\"\n", &[]);
    assert_eq!(rules(&check(&path)), [""; 0]);
    put(&path, "layers/meta-board/conf/machine/board.conf", "require conf/machine/include/x86/tune-corei7.inc\n");
    assert_eq!(rules(&check(&path)), [""; 0]);
    // A file that is required and not there may have said something.
    assert!(check(&path).not_checked[0].what.contains("board.conf:1"), "{:?}", check(&path).not_checked);
}

#[test]
fn yocto_where_a_recipe_or_an_inherited_class_exports_it() {
    let recipe = "layers/meta-board/recipes-kernel/linux/linux-board_6.6.bb";
    for (file, text) in [
        (recipe, "inherit kernel\nexport CROSS_COMPILE_COMPAT = \"${CROSS32}\"\n"),
        (recipe, "inherit kernel\nEXTRA_OEMAKE += \"CROSS_COMPILE_COMPAT=${CROSS32}\"\n"),
        ("conf/auto.conf", "export CROSS_COMPILE_COMPAT = \"${CROSS32}\"\n"),
    ] {
        let path = yocto("yocto-set", MULTILIB, &[(file, text)]);
        assert_eq!(rules(&check(&path)), [""; 0], "{text}");
    }
    let class = ("layers/meta-board/classes/own.bbclass", "python () {\n    d.setVar('CROSS_COMPILE_COMPAT', 'x')\n}\n");
    let path = yocto("yocto-class", MULTILIB, &[class]);
    only(&path, "K080", Severity::Slow, "25 times slower");
    put(&path, recipe, "inherit kernel own\n");
    assert_eq!(rules(&check(&path)), [""; 0]);
    // A comment sets nothing, and nor does an empty value.
    for text in ["inherit kernel\n# CROSS_COMPILE_COMPAT = \"x\"\n", "inherit kernel\nexport CROSS_COMPILE_COMPAT = \"\"\n"] {
        put(&path, recipe, text);
        assert_eq!(rules(&check(&path)), ["K080"], "{text}");
    }
}

#[test]
fn yocto_with_clang_and_gnu_ld() {
    let clang = format!("{MULTILIB}KERNEL_TOOLCHAIN = \"clang\"\n");
    let path = yocto("yocto-clang", &clang, &[]);
    let finding = only(&path, "K081", Severity::Slow, "conf/local.conf:6: KERNEL_TOOLCHAIN");
    cured(&path, &finding);
    let path = yocto("yocto-lld", &format!("{clang}DISTRO_FEATURES:append = \" ld-is-lld\"\n"), &[]);
    assert_eq!(rules(&check(&path)), [""; 0]);
    let path = yocto("yocto-pn", &format!("{MULTILIB}TOOLCHAIN:pn-linux-board = \"clang\"\n"), &[]);
    only(&path, "K081", Severity::Slow, "TOOLCHAIN:pn-linux-board");
    // The toolchain of everything else is not the kernel's.
    let path = yocto("yocto-userspace", &format!("{MULTILIB}TOOLCHAIN = \"clang\"\n"), &[]);
    only(&path, "K080", Severity::Slow, "");
    let path = yocto("yocto-gcc", &format!("{MULTILIB}TOOLCHAIN:pn-linux-board = \"gcc\"\n"), &[]);
    only(&path, "K080", Severity::Slow, "");
}

#[test]
fn yocto_multilibs_that_are_not_set_up() {
    let compiler = "CROSS_COMPILE_COMPAT = \"${CROSS32}\"\n";
    let path = yocto("multilib-conf", &format!("{compiler}{}", MULTILIB.replace("require conf/multilib.conf\n", "")), &[]);
    let finding = only(&path, "K084", Severity::Fails, "nothing includes conf/multilib.conf");
    cured(&path, &finding);
    let path = yocto("multilib-tune", &format!("{compiler}require conf/multilib.conf\n"), &[]);
    let finding = only(&path, "K084", Severity::Fails, "nothing sets DEFAULTTUNE:virtclass-multilib-lib32");
    cured(&path, &finding);
    let old = format!("{compiler}{}", MULTILIB.replace("DEFAULTTUNE:", "DEFAULTTUNE_"));
    only(&yocto("multilib-old", &old, &[]), "K084", Severity::Fails, "conf/local.conf:6: DEFAULTTUNE_virtclass-multilib-lib32");
    // In a tree of that time it is right.
    let path = yocto(
        "multilib-dunfell",
        &old,
        &[("layers/meta/conf/machine/include/arm/arch-armv8a.inc", "DEFAULTTUNE ?= \"armv8a\"\n")],
    );
    assert_eq!(rules(&check(&path)), [""; 0]);
    let lists = "IMAGE_INSTALL:append = \" lib32-glibc\"\n";
    only(
        &yocto("multilib-none", &format!("{compiler}{lists}"), &[]),
        "K085",
        Severity::Fails,
        "conf/local.conf:4: IMAGE_INSTALL:append",
    );
    assert_eq!(rules(&check(&yocto("multilib-all", &format!("{compiler}{MULTILIB}{lists}"), &[]))), [""; 0]);
}

#[test]
fn yocto_fragments_against_32_bit_programs() {
    let recipe = (
        "layers/meta-board/recipes-kernel/linux/linux-board_%.bbappend",
        "SRC_URI += \"file://hardening.cfg file://board.scc;x=y\"\n",
    );
    let fragment = "layers/meta-board/recipes-kernel/linux/files/hardening.cfg";
    let compiler = format!("CROSS_COMPILE_COMPAT = \"${{CROSS32}}\"\n{MULTILIB}");
    for (text, severity) in [
        ("CONFIG_A=y\n# CONFIG_COMPAT is not set\n", Severity::Fails),
        ("CONFIG_A=y\nCONFIG_COMPAT_32BIT_TIME=n\n", Severity::Fails),
        ("CONFIG_A=y\n# CONFIG_COMPAT_VDSO is not set\n", Severity::Slow),
        ("CONFIG_A=y\n# CONFIG_KUSER_HELPERS is not set\n", Severity::Risk),
    ] {
        let path = yocto("fragment", &compiler, &[recipe, (fragment, text)]);
        only(&path, "K083", severity, "layers/meta-board/recipes-kernel/linux/files/hardening.cfg:2: ");
        // Nobody uses it: nothing is wrong.
        fs::remove_file(path.join(recipe.0)).unwrap();
        assert_eq!(rules(&check(&path)), [""; 0], "{text}");
    }
    // A description of features names it.
    let scc = ("layers/meta-board/recipes-kernel/linux/files/board.scc", "define KMACHINE board\nkconf hardware more.cfg\n");
    let more = ("layers/meta-board/recipes-kernel/linux/files/more.cfg", "CONFIG_COMPAT_32BIT_TIME=n\n");
    only(&yocto("fragment-scc", &compiler, &[recipe, scc, more]), "K083", Severity::Fails, "more.cfg:1");
    let path = yocto("fragment-vain", MULTILIB, &[recipe, (fragment, "CONFIG_COMPAT_VDSO=y\n")]);
    assert_eq!(rules(&check(&path)), ["K080", "K083"]);
}

#[test]
fn yocto_programs_with_a_32_bit_time() {
    let compiler = format!("CROSS_COMPILE_COMPAT = \"${{CROSS32}}\"\n{MULTILIB}");
    let path = yocto("time32", &format!("{compiler}GLIBC_64BIT_TIME_FLAGS = \"\"\n"), &[]);
    only(&path, "K087", Severity::Risk, "conf/local.conf:7: GLIBC_64BIT_TIME_FLAGS");
    let path = yocto("time32-qa", &format!("{compiler}WARN_QA:remove = \"32bit-time\"\n"), &[]);
    only(&path, "K087", Severity::Note, "conf/local.conf:7: WARN_QA:remove");
    // One recipe that needs both interfaces does it like this.
    let path = yocto("time32-one", &format!("{compiler}GLIBC_64BIT_TIME_FLAGS:pn-pipewire = \"\"\n"), &[]);
    assert_eq!(rules(&check(&path)), [""; 0]);
}

#[test]
fn yocto_kernels_that_were_built_are_looked_at() {
    let config = "# Linux/arm64 6.6.1 Kernel Configuration\nCONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_COMPAT_32BIT_TIME=n\n";
    for place in [
        "tmp/work-shared/board/kernel-build-artifacts/.config",
        "tmp/work/board-poky-linux/linux-board/6.6/linux-board-build/.config",
    ] {
        let path = yocto("yocto-built", MULTILIB, &[(place, config)]);
        let report = check(&path);
        assert!(rules(&report).contains(&"K012") && rules(&report).contains(&"K001"), "{:?}", rules(&report));
        let finding = report.findings.iter().find(|finding| finding.rule == "K080").unwrap();
        assert!(finding.evidence.contains(place), "{}", finding.evidence);
    }
}

#[test]
fn a_layer_gets_append_files() {
    let files = [
        ("conf/layer.conf", "BBFILES += \"${LAYERDIR}/recipes-*/*/*.bb ${LAYERDIR}/recipes-*/*/*.bbappend\"\n"),
        ("conf/machine/board.conf", "require conf/machine/include/arm/armv8a/tune-cortexa72.inc\n"),
        ("recipes-kernel/linux/linux-board_6.6.bb", "inherit kernel\n"),
        ("recipes-kernel/linux/linux-other_%.bbappend", "SRC_URI += \"file://x.cfg\""),
        ("recipes-kernel/linux-firmware/linux-firmware_%.bbappend", ""),
    ];
    let path = tree("layer", &files);
    let finding = only(&path, "K080", Severity::Note, "conf/machine/board.conf:1");
    cured(&path, &finding);
    let appended = fs::read_to_string(path.join("recipes-kernel/linux/linux-other_%.bbappend")).unwrap();
    assert_eq!(
        appended,
        "SRC_URI += \"file://x.cfg\"\n# >>> biarch compat-vdso >>>\ninherit compat-vdso\n# <<< biarch compat-vdso <<<\n"
    );
    assert!(path.join("recipes-kernel/linux/linux-board_%.bbappend").exists());
    assert!(!path.join("recipes-kernel/linux/linux-firmware_%.bbappend").exists());
    // Layers inside a directory, as poky has them.
    let poky = tree("poky", &[]);
    for (file, text) in files {
        put(&poky, &format!("meta/{file}"), text);
    }
    let finding = only(&poky, "K080", Severity::Note, "meta/conf/machine/board.conf:1");
    cured(&poky, &finding);
    assert!(poky.join("meta/classes/compat-vdso.bbclass").exists());
}

const BUILDROOT: &str = "#\n# Automatically generated file; DO NOT EDIT.\n#\nBR2_aarch64=y\nBR2_ARCH=\"aarch64\"\nBR2_LINUX_KERNEL=y\n\
                         BR2_PACKAGE_OVERRIDE_FILE=\"$(CONFIG_DIR)/local.mk\"\n";

#[test]
fn buildroot_without_the_compiler() {
    let mk = "LINUX_MAKE_FLAGS = \\\n\tARCH=$(KERNEL_ARCH) \\\n\tCROSS_COMPILE=\"$(TARGET_CROSS)\"\n";
    let path = tree("buildroot", &[("linux/linux.mk", mk), ("package/Makefile.in", ""), (".config", BUILDROOT)]);
    let finding = only(&path, "K080", Severity::Note, ".config:4: BR2_aarch64=y");
    cured(&path, &finding);
    assert!(fs::read_to_string(path.join("local.mk")).unwrap().contains("export CROSS_COMPILE_COMPAT = arm-"));
    // A directory of `make O=`, with an external tree inside and a built kernel.
    let config = format!(
        "{BUILDROOT}BR2_EXTERNAL_OURS_PATH=\"@/ours\"\nBR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES=\"$(BR2_EXTERNAL_OURS_PATH)/linux.config $(UNKNOWN)/x\"\n"
    );
    let built = "CONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_COMPAT_VDSO=y\nCONFIG_KUSER_HELPERS=y\nCONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_SWP_EMULATION=y\nCONFIG_CP15_BARRIER_EMULATION=y\nCONFIG_SETEND_EMULATION=y\n";
    let path = tree(
        "buildroot-output",
        &[
            (".config", &config),
            (
                "Makefile",
                "MAKEARGS := -C /nonexistent\nMAKEARGS += O=$(if $(patsubst /%,,$(makedir)),$(CURDIR)/)$(patsubst %/,%,$(makedir))\n",
            ),
            ("ours/external.mk", "include $(sort $(wildcard $(BR2_EXTERNAL_OURS_PATH)/package/*/*.mk))\n"),
            ("ours/linux.config", "# CONFIG_KUSER_HELPERS is not set\n"),
            ("build/linux-6.6.1/.config", built),
        ],
    );
    let report = check(&path);
    assert_eq!(rules(&report), ["K080", "K083", "K008"], "{:#?}", report.findings);
    assert_eq!(report.not_checked.len(), 1, "{:?}", report.not_checked);
    assert!(report.not_checked[0].what.contains("$(UNKNOWN)"), "{:?}", report.not_checked);
    cured(&path, &report.findings[0]);
    assert!(fs::read_to_string(path.join("ours/external.mk")).unwrap().contains("LINUX_MAKE_FLAGS += CROSS_COMPILE_COMPAT=arm-"));
}

#[test]
fn buildroot_for_another_processor_or_without_a_kernel_is_left_alone() {
    for config in [BUILDROOT.replace("aarch64", "arm"), BUILDROOT.replace("BR2_LINUX_KERNEL=y", "# BR2_LINUX_KERNEL is not set")]
    {
        assert_eq!(rules(&check(&tree("buildroot-other", &[(".config", &config)]))), [""; 0], "{config}");
    }
}

#[test]
fn an_external_tree_of_buildroot() {
    let files = [
        ("external.desc", "name: OURS\n"),
        ("external.mk", ""),
        ("configs/board_defconfig", "BR2_aarch64=y\nBR2_LINUX_KERNEL=y\n"),
    ];
    let path = tree("external", &files);
    let finding = only(&path, "K080", Severity::Note, "configs/board_defconfig:1");
    cured(&path, &finding);
}

const PLATFORM: &str =
    "PTXCONF_ARCH_ARM64=y\nPTXCONF_KERNEL=y\nPTXCONF_KERNEL_CONFIG=\"kernelconfig\"\nPTXCONF_KERNEL_EXTRA_MAKEVARS=\"\"\n";

#[test]
fn ptxdist_without_the_compiler() {
    let kernel = "CONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_COMPAT_32BIT_TIME=n\n";
    let path = tree(
        "ptxdist",
        &[
            ("configs/platform-board/platformconfig", PLATFORM),
            ("configs/platform-board/kernelconfig", kernel),
            ("rules/own.make", "PACKAGES-$(PTXCONF_OWN) += own\n"),
        ],
    );
    symlink("configs/platform-board/platformconfig", path.join("selected_platformconfig")).unwrap();
    let report = check(&path);
    assert!(rules(&report).contains(&"K012"), "its kernelconfig is a kernel: {:?}", rules(&report));
    let finding = report.findings.iter().find(|finding| finding.rule == "K080").unwrap();
    assert!(
        finding.evidence.starts_with("configs/platform-board/platformconfig:1: PTXCONF_ARCH_ARM64=y"),
        "{}",
        finding.evidence
    );
    cured(&path, finding);
    assert!(path.join("configs/platform-board/rules/post/compat-vdso.make").exists());
    let vars = PLATFORM.replace("MAKEVARS=\"\"", "MAKEVARS=\"CROSS_COMPILE_COMPAT=$(HOME)/arm-\"");
    let path = tree("ptxdist-set", &[("configs/platform-board/platformconfig", &vars)]);
    assert_eq!(rules(&check(&path)), [""; 0]);
}

fn armbian(name: &str, config: &str) -> PathBuf {
    tree(
        name,
        &[
            ("compile.sh", "#!/usr/bin/env bash\n"),
            ("extensions/arm64-compat-vdso.sh", "function extension_prepare_config__arm64_compat_vdso() {\n\t:\n}\n"),
            ("config/boards/rock.conf", "BOARD_NAME=\"Rock\"\nBOARDFAMILY=\"rockchip64\" # comment\n"),
            ("config/sources/families/rockchip64.conf", "source \"${BASH_SOURCE%/*}/include/rockchip64_common.inc\"\n"),
            ("userpatches/config-own.conf", config),
        ],
    )
}

#[test]
fn armbian_without_the_extension() {
    let path = armbian("armbian", "BOARD=\"rock\"\nBRANCH=current\n");
    let finding = only(&path, "K080", Severity::Note, "config/sources/families/rockchip64.conf:1");
    cured(&path, &finding);
    assert!(
        fs::read_to_string(path.join("userpatches/config-own.conf")).unwrap().contains("enable_extension \"arm64-compat-vdso\"")
    );
    let path = armbian("armbian-enabled", "BOARD=rock\nENABLE_EXTENSIONS=\"x,arm64-compat-vdso\"\n");
    assert_eq!(rules(&check(&path)), [""; 0]);
    let path = armbian("armbian-clang", "BOARD=rock\nKERNEL_COMPILER=\"clang\"\n");
    cured(&path, &only(&path, "K081", Severity::Slow, "userpatches/config-own.conf:2: KERNEL_COMPILER"));
    assert!(check(&armbian("armbian-no-board", "")).not_checked[0].because.contains("BOARD"));
}

fn kernel(name: &str, config: &str) -> PathBuf {
    tree(name, &[("Kbuild", ""), ("Makefile", "VERSION = 6\nPATCHLEVEL = 6\n"), ("arch/arm64/Kconfig", ""), (".config", config)])
}

#[test]
fn a_kernels_tree() {
    let config = "# Linux/arm64 6.6.1 Kernel Configuration\nCONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_CC_IS_GCC=y\nCONFIG_KUSER_HELPERS=y\n\
                  CONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_CP15_BARRIER_EMULATION=y\nCONFIG_SETEND_EMULATION=y\n\
                  # CONFIG_ARMV8_DEPRECATED is not set\nCONFIG_SWP_EMULATION=y\n";
    let path = kernel("kernel", config);
    let report = check(&path);
    assert_eq!(rules(&report), ["K001", "K008"], "{:#?}", report.findings);
    let patch = report.findings[0].patch.clone().unwrap();
    assert!(matches!(&patch.steps[..], [Step::Create { path, .. }, Step::Run { .. }] if path == "GNUmakefile"), "{patch:?}");
    assert!(apply(&patch).iter().all(|(_, outcome)| *outcome == Ok(Outcome::Created)));
    assert!(apply(&patch).iter().all(|(_, outcome)| *outcome == Ok(Outcome::Unchanged)));
    // Configured again, as tests/build_systems.rs does it with a real kernel.
    put(&path, ".config", &format!("{config}CONFIG_COMPAT_VDSO=y\n"));
    put(&path, "GNUmakefile", "export CROSS_COMPILE_COMPAT = @/bin/arm-\ninclude Makefile\n");
    let report = check(&path);
    assert_eq!(rules(&report), ["K082", "K008"], "there is no such compiler: {:#?}", report.findings);
    put(&path, "bin/arm-gcc", "");
    assert_eq!(rules(&check(&path)), ["K008"]);
    // Somebody turned it off: a compiler would not help.
    let path = kernel("kernel-off", &format!("{config}# CONFIG_COMPAT_VDSO is not set\n"));
    assert_eq!(check(&path).findings[0].patch, None);
    fs::remove_file(path.join(".config")).unwrap();
    assert!(check(&path).not_checked[0].because.contains("no .config yet"));
}

#[test]
fn a_variable_of_linux_5_3() {
    let path = kernel("kernel-old", "CONFIG_ARM64=y\nCONFIG_COMPAT=n\n");
    put(&path, "GNUmakefile", "export CROSS_COMPILE_COMPAT_VDSO = arm-linux-gnueabihf-\ninclude Makefile\n");
    assert!(rules(&check(&path)).contains(&"K086"));
}

#[test]
fn what_is_not_biarchs_is_not_touched() {
    let path = yocto("foreign", MULTILIB, &[("classes/compat-vdso.bbclass", "# somebody's\n")]);
    let before = snapshot(&path);
    let patch = only(&path, "K080", Severity::Slow, "").patch.unwrap();
    let outcomes = apply(&patch);
    assert_eq!(outcomes.len(), 1, "the line that inherits it is not added either: {outcomes:?}");
    assert!(outcomes[0].1.as_ref().is_err_and(|because| because.contains("not biarch's")), "{outcomes:?}");
    assert_eq!(snapshot(&path), before);
    let path = yocto("foreign-backslash", &format!("{MULTILIB}X = \" \\\n"), &[]);
    let outcomes = apply(&only(&path, "K080", Severity::Slow, "").patch.unwrap());
    assert!(outcomes[1].1.as_ref().is_err_and(|because| because.contains("backslash")), "{outcomes:?}");
    // Lines of an older biarch, or changed ones.
    let path = tree("foreign-block", &[(".config", BUILDROOT), ("local.mk", "# >>> biarch compat-vdso >>>\nX = 1\n")]);
    let before = snapshot(&path);
    let outcomes = apply(&only(&path, "K080", Severity::Note, "").patch.unwrap());
    assert!(outcomes[0].1.as_ref().is_err_and(|because| because.contains("other lines below")), "{outcomes:?}");
    assert_eq!(snapshot(&path), before);
}

#[test]
fn nothing_is_written_through_a_link() {
    let outside = tree("outside", &[("local.conf", "X = \"1\"\n"), ("classes/x", "")]);
    let before = snapshot(&outside);
    // A directory of the tree that is a link.
    let path = yocto("link-directory", MULTILIB, &[]);
    symlink(outside.join("classes"), path.join("classes")).unwrap();
    let outcomes = apply(&only(&path, "K080", Severity::Slow, "").patch.unwrap());
    assert!(outcomes[0].1.as_ref().is_err_and(|because| because.contains("link")), "{outcomes:?}");
    // A file that is a link, and one that leads nowhere.
    for target in [outside.join("local.conf"), outside.join("new")] {
        let path = tree("link-file", &[(".config", BUILDROOT)]);
        symlink(&target, path.join("local.mk")).unwrap();
        let report = check(&path);
        let outcomes = apply(report.findings[0].patch.as_ref().unwrap());
        assert!(outcomes[0].1.as_ref().is_err_and(|because| because.contains("symbolic link")), "{outcomes:?}");
    }
    assert_eq!(snapshot(&outside), before);
}

#[test]
fn a_file_that_leads_out_of_the_tree_is_not_read() {
    let outside = tree("secret", &[("multilib", MULTILIB), ("site", "CROSS_COMPILE_COMPAT = \"${X}\"\n")]);
    let path = yocto("link-read", MULTILIB, &[]);
    symlink(outside.join("site"), path.join("conf/site.conf")).unwrap();
    let report = check(&path);
    assert_eq!(rules(&report), ["K080"]);
    assert!(
        report.not_checked.iter().any(|unchecked| unchecked.because.contains("leads out of the tree")),
        "{:?}",
        report.not_checked
    );
}

#[test]
fn trees_that_mean_no_good_end_soon() {
    // Files that include themselves and each other, values that grow, layers everywhere, a file of any bytes.
    let mut local = String::from("require conf/local.conf\nrequire conf/other.conf\nA = \"${A}${B}\"\n");
    local.push_str(&format!("B = \"{}\"\nMACHINE = \"${{A}}\"\nDISTRO = \"../../../../etc/passwd\"\n", "${B}${A}".repeat(5000)));
    local
        .push_str("MULTILIBS = \"multilib:a multilib: multilib:${A}\"\nIMAGE_INSTALL += \"lib32-\x1b[31m\"\nX = \"unfinished \\");
    let path = yocto("hostile", &local, &[("conf/other.conf", "require conf/local.conf\nrequire conf/other.conf\n")]);
    put(
        &path,
        "conf/bblayers.conf",
        "BBLAYERS = \"/ /proc /dev /sys @ @/layers/meta . .. ${BBLAYERS}\"\nBBPATH = \"${TOPDIR}\"\n",
    );
    fs::write(path.join("conf/site.conf"), [b"A = \"\xff\xfe".as_slice(), &[0; 4096], b"\"\n"].concat()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path.join("conf/auto.conf")).status().unwrap();
    assert!(made.success());
    symlink("..", path.join("layers/meta/classes")).unwrap();
    let report = check(&path);
    assert!(report.not_checked.iter().any(|unchecked| unchecked.because.contains("regular file")), "{:?}", report.not_checked);
    let all = format!("{:?}", report.findings)
        + &report.not_checked.iter().map(|one| one.what.clone() + &one.because).collect::<String>();
    assert!(!all.contains('\x1b'), "it cannot talk to the terminal: {all}");
}

#[test]
fn a_root_file_system_with_a_conf_directory_is_none_of_them() {
    let path =
        tree("rootfs", &[("etc/passwd", ""), ("usr/bin/x", ""), ("conf/x.conf", ""), ("configs/y", ""), (".config", "x\n")]);
    let report = check(&path);
    assert!(report.targets[0].description.starts_with("root file system"), "{:?}", report.targets);
}

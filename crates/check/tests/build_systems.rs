//! What `--fix --write` adds to a build tree, given to the real programs: BitBake, GNU make, and the kernel's Kconfig.
//!
//! The files of OE-core, Buildroot and PTXdist are written here in these projects' format; no package of Debian or PyPI has the
//! real ones. BitBake itself is in PyPI's bitbake-setup, and the kernel in Debian's linux-source.
#![allow(clippy::unwrap_used, missing_docs)]

use check::write::apply;
use findings::Report;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BITBAKE: &str = "bitbake-setup==2.19.0";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A directory of its own for each test, with these files in it. `{TREE}` in a file is the directory.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-systems").join(name);
    let _ = fs::remove_dir_all(&path);
    for (file, text) in files {
        let place = path.join(file);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text.replace("{TREE}", path.to_str().unwrap())).unwrap();
    }
    path
}

fn check(tree: &Path) -> Report {
    check::check(&[tree.to_owned()])
}

/// Applies what is proposed about K080 or K001.
fn fix(tree: &Path) -> Result<(), Failed> {
    let report = check(tree);
    let finding = report.findings.iter().find(|finding| finding.patch.is_some()).ok_or(format!("{report:#?}"))?;
    for (path, outcome) in apply(finding.patch.as_ref().unwrap()) {
        outcome.map_err(|because| format!("{path}: {because}"))?;
    }
    Ok(())
}

fn output(command: &mut Command) -> Result<String, Failed> {
    // Whatever is above has its own settings for make.
    let output = command.env_remove("MAKEFLAGS").env_remove("CROSS_COMPILE_COMPAT").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr)).into())
    }
}

fn equal<T: PartialEq + std::fmt::Debug>(found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{found:?}, not {wanted:?}").into()) }
}

/// Where BitBake is unpacked, or why not.
fn bitbake() -> Result<PathBuf, String> {
    let place = root().join("target/check-packages/bitbake");
    if place.join("bb/parse").is_dir() {
        return Ok(place);
    }
    let wheels = root().join("target/check-packages/wheels");
    let run = |words: &[&str]| {
        let output = Command::new("python3").args(words).output().map_err(|error| format!("python3: {error}"))?;
        if output.status.success() {
            Ok(())
        } else {
            Err(format!(
                "{BITBAKE} cannot be had: {}",
                String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default()
            ))
        }
    };
    let wheels = wheels.to_str().unwrap();
    run(&["-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, BITBAKE])?;
    let wheel = fs::read_dir(wheels)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "whl"));
    run(&["-m", "zipfile", "-e", wheel.ok_or("there is no wheel")?.to_str().unwrap(), place.to_str().unwrap()])?;
    Ok(place)
}

fn evaluate(bitbake: &Path, directory: &Path, words: &[&str]) -> Result<Vec<String>, Failed> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bitbake/evaluate.py");
    fs::create_dir_all(directory)?;
    let text = output(Command::new("python3").arg("-B").arg(script).arg(bitbake).args(words).current_dir(directory))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The values that the parser's own test expects are those that BitBake gives.
fn values(bitbake: &Path) -> Result<(), Failed> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bitbake/values.txt");
    let found = evaluate(bitbake, &tree("values", &[("x", "")]), &["values", file.to_str().unwrap()])?;
    let text = fs::read_to_string(&file)?;
    let wanted: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("--- ")).collect();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    equal(found.iter().map(|line| words(line)).collect::<Vec<_>>(), wanted.iter().map(|line| words(line)).collect())
}

/// What OE-core's bitbake.conf, base.bbclass, kernel.bbclass and oe.utils do about prefixes, paths and multilibs.
const OE: &[(&str, &str)] = &[
    ("conf/bblayers.conf", "BBPATH = \"${TOPDIR}\"\nBBLAYERS = \"\"\n"),
    (
        "conf/bitbake.conf",
        "MACHINE ??= \"qemuarm64\"\nDEFAULTTUNE ?= \"aarch64\"\n\
         TARGET_ARCH = \"${@'aarch64' if d.getVar('DEFAULTTUNE') == 'aarch64' else 'arm'}\"\nTARGET_VENDOR = \"-poky\"\n\
         TARGET_VENDOR:virtclass-multilib-lib32 = \"-pokymllib32\"\nTARGET_OS = \"linux${@'' if d.getVar('TARGET_ARCH') == 'aarch64' else '-gnueabi'}\"\n\
         TARGET_SYS = \"${TARGET_ARCH}${TARGET_VENDOR}-${TARGET_OS}\"\nTARGET_PREFIX = \"${TARGET_SYS}-\"\n\
         STAGING_BINDIR_NATIVE = \"/native/usr/bin\"\nOVERRIDES = \"${TARGET_ARCH}:${MACHINE}\"\nPATH = \"/hosttools\"\n\
         MULTILIB_VARIANTS = \"${@' '.join(v.split(':')[1] for v in (d.getVar('MULTILIBS') or '').split())}\"\n\
         INHERIT = \"base\"\nrequire conf/local.conf\n",
    ),
    ("conf/multilib.conf", "MULTILIBS ??= \"multilib:lib32\"\n"),
    (
        "classes/base.bbclass",
        "def extra_path_elements(d):\n    return ''.join('${STAGING_BINDIR_NATIVE}/%s:' % e for e in (d.getVar('EXTRANATIVEPATH') or '').split())\n\n\
         EXTRANATIVEPATH += \"chrpath-native\"\nPATH:prepend = \"${@extra_path_elements(d)}\"\n",
    ),
    ("classes/kernel.bbclass", "DEPENDS += \"virtual/cross-cc\"\nexport CROSS_COMPILE = \"${TARGET_PREFIX}\"\n"),
    ("lib/oe/__init__.py", ""),
    (
        "lib/oe/utils.py",
        "import bb.data\n\ndef get_multilib_datastore(variant, d):\n    copy = bb.data.createCopy(d)\n\
         \x20   copy.setVar('OVERRIDES', copy.getVar('OVERRIDES', False) + ':virtclass-multilib-' + variant)\n\
         \x20   copy.setVar('MLPREFIX', variant + '-')\n    return copy\n",
    ),
    ("linux-board_6.6.bb", "BPN = \"linux-board\"\nPN = \"linux-board\"\ninherit kernel\n"),
    ("make-mod-scripts_1.0.bb", "BPN = \"make-mod-scripts\"\nPN = \"make-mod-scripts\"\nDEPENDS = \"bc-native\"\n"),
    ("hello_1.0.bb", "BPN = \"hello\"\nPN = \"hello\"\nDEPENDS = \"libc\"\n"),
];

const MULTILIB: &str =
    "require conf/multilib.conf\nMULTILIBS = \"multilib:lib32\"\nDEFAULTTUNE:virtclass-multilib-lib32 = \"armv7athf-neon\"\n";

/// The generated class, parsed and executed by BitBake.
fn class(bitbake: &Path) -> Result<(), Failed> {
    const ASKED: [&str; 3] = ["CROSS_COMPILE_COMPAT", "DEPENDS", "PATH"];
    let built = |name: &str, local: &str| -> Result<PathBuf, Failed> {
        let path = tree(name, OE);
        fs::write(path.join("conf/local.conf"), format!("MACHINE = \"qemuarm64\"\n{local}"))?;
        fix(&path)?;
        Ok(path)
    };
    let asked =
        |path: &Path, recipe: &str| evaluate(bitbake, path, &[&["recipe", path.to_str().unwrap(), recipe], &ASKED[..]].concat());
    let path = built("class", MULTILIB)?;
    let bin = "/native/usr/bin/arm-pokymllib32-linux-gnueabi";
    let prefix = "export arm-pokymllib32-linux-gnueabi-";
    let tools = "lib32-gcc-cross-arm lib32-binutils-cross-arm";
    let place = format!("/native/usr/bin/chrpath-native:{bin}:/hosttools");
    equal(asked(&path, "linux-board_6.6.bb")?, vec![prefix.into(), format!("virtual/cross-cc {tools}"), place.clone()])?;
    equal(asked(&path, "make-mod-scripts_1.0.bb")?, vec![prefix.into(), format!("bc-native {tools}"), place])?;
    let plain = "/native/usr/bin/chrpath-native:/hosttools".to_owned();
    equal(asked(&path, "hello_1.0.bb")?, vec![String::new(), "libc".into(), plain.clone()])?;
    // The kernel's own compiler is still its own.
    equal(
        evaluate(bitbake, &path, &["recipe", path.to_str().unwrap(), "linux-board_6.6.bb", "CROSS_COMPILE"])?,
        vec!["export aarch64-poky-linux-".into()],
    )?;
    // A layer gets append files instead.
    let layer = tree("class-layer", OE);
    fs::remove_file(layer.join("conf/bblayers.conf"))?;
    fs::write(layer.join("conf/layer.conf"), "BBFILES += \"${LAYERDIR}/recipes-*/*/*.bb ${LAYERDIR}/recipes-*/*/*.bbappend\"\n")?;
    fs::create_dir_all(layer.join("conf/machine"))?;
    fs::write(layer.join("conf/machine/board.conf"), "DEFAULTTUNE = \"aarch64\"\n")?;
    fs::create_dir_all(layer.join("recipes-kernel/linux"))?;
    fs::rename(layer.join("linux-board_6.6.bb"), layer.join("recipes-kernel/linux/linux-board_6.6.bb"))?;
    fix(&layer)?;
    fs::write(layer.join("conf/local.conf"), MULTILIB)?;
    for recipe in ["recipes-kernel/linux/linux-board_6.6.bb", "make-mod-scripts_1.0.bb"] {
        equal(asked(&layer, recipe)?.first().map(String::as_str), Some(prefix))?;
    }
    equal(asked(&layer, "hello_1.0.bb")?, vec![String::new(), "libc".into(), plain.clone()])?;
    let path = built("class-without", "")?;
    equal(asked(&path, "linux-board_6.6.bb")?, vec![String::new(), "virtual/cross-cc".into(), plain.clone()])?;
    // A compiler of the machine that builds, as K082 says.
    fs::write(
        path.join("conf/local.conf"),
        fs::read_to_string(path.join("conf/local.conf"))? + "CROSS_COMPILE_COMPAT = \"arm-linux-gnueabihf-\"\n",
    )?;
    equal(asked(&path, "linux-board_6.6.bb")?, vec!["export arm-linux-gnueabihf-".into(), "virtual/cross-cc".into(), plain])
}

/// A kernel's make as far as it matters here: it says what it was given.
const KERNEL: (&str, &str) = ("kernel/Makefile", "olddefconfig Image:\n\techo compat=$(CROSS_COMPILE_COMPAT)\n");

/// What the kernel's make sees, before and after the fix.
fn seen_by_make(path: &Path, words: &[&str]) -> Result<(), Failed> {
    let make = || output(Command::new("make").arg("-s").args(words).current_dir(path));
    equal(make()?.contains("compat=arm-"), false)?;
    fix(path)?;
    let text = make()?;
    if text.lines().count() < 2 || !text.lines().all(|line| line.starts_with("compat=arm-linux-gnueabi")) {
        return Err(format!("{text:?}").into());
    }
    Ok(())
}

const LINUX_MK: &str = "LINUX_MAKE_FLAGS = \\\n\tARCH=arm64 \\\n\tCROSS_COMPILE=\"$(TARGET_CROSS)\"\nLINUX_MAKE_ENV = \\\n\tPATH=\"$(PATH)\"\n\
                        LINUX_KCONFIG_OPTS = $(LINUX_MAKE_FLAGS)\nkernel-build:\n\
                        \t$(LINUX_MAKE_ENV) $(MAKE) -C kernel $(LINUX_KCONFIG_OPTS) olddefconfig\n\
                        \t$(LINUX_MAKE_ENV) $(MAKE) $(LINUX_MAKE_FLAGS) -C kernel Image\n";

/// The order of Buildroot's Makefile: local.mk, then linux.mk, then the external trees.
fn buildroot(external: bool) -> Result<(), Failed> {
    let config = format!(
        "BR2_aarch64=y\nBR2_LINUX_KERNEL=y\nBR2_PACKAGE_OVERRIDE_FILE=\"$(CONFIG_DIR)/local.mk\"\n{}",
        if external { "BR2_EXTERNAL_OURS_PATH=\"{TREE}/ours\"\n" } else { "" }
    );
    let main = "CONFIG_DIR := $(CURDIR)\ninclude .config\nunquoted = $(subst \",,$(1))\nall: kernel-build\n\
                -include $(call unquoted,$(BR2_PACKAGE_OVERRIDE_FILE))\ninclude linux/linux.mk\n\
                -include $(call unquoted,$(BR2_EXTERNAL_OURS_PATH))/external.mk\n";
    let path = tree(
        if external { "buildroot-external" } else { "buildroot" },
        &[
            (".config", &config),
            ("Makefile", main),
            ("linux/linux.mk", LINUX_MK),
            ("package/Makefile.in", ""),
            ("ours/external.mk", ""),
            KERNEL,
        ],
    );
    seen_by_make(&path, &[])
}

/// The order of PTXdist: the rules, then those in rules/post.
fn ptxdist() -> Result<(), Failed> {
    let rules = "KERNEL_BASE_OPT\t\t= \\\n\tARCH=arm64 \\\n\t$(PTXCONF_KERNEL_EXTRA_MAKEVARS)\nKERNEL_SHARED_OPT\t= \\\n\t-C kernel \\\n\t$(KERNEL_BASE_OPT)\n\
                 KERNEL_CONF_OPT\t\t= \\\n\t$(KERNEL_SHARED_OPT)\nKERNEL_MAKE_OPT\t\t= \\\n\t$(KERNEL_SHARED_OPT) \\\n\tImage\nkernel.compile:\n\
                 \t$(MAKE) $(KERNEL_CONF_OPT) olddefconfig\n\t$(MAKE) $(KERNEL_MAKE_OPT)\n";
    let path = tree(
        "ptxdist",
        &[
            ("configs/platform-board/platformconfig", "PTXCONF_ARCH_ARM64=y\nPTXCONF_KERNEL=y\n"),
            ("kernel.make", rules),
            (
                "Toplevel.make",
                "all: kernel.compile\ninclude kernel.make\ninclude $(wildcard configs/platform-board/rules/post/*.make)\n",
            ),
            KERNEL,
        ],
    );
    seen_by_make(&path, &["-f", "Toplevel.make"])
}

/// Debian's kernel source, configured by its own Kconfig with and without the fix, in the source and beside it.
fn kconfig() -> Result<(), Failed> {
    let place = root().join("target/check-packages/linux-source");
    let script = root().join("packaging/debian-packages.sh");
    output(Command::new(script).args(["--alone", "bookworm", "amd64"]).arg(&place).arg("linux-source-6.1"))?;
    let source = tree("kernel", &[("x", "")]).join("linux-source-6.1");
    let archive = place.join("usr/src/linux-source-6.1.tar.xz");
    let patterns = ["Makefile", "Kconfig*", "Kbuild*", "scripts", "arch/arm64", "include"];
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(source.parent().unwrap()).arg("-xf").arg(archive).args(["--wildcards", "linux-source-6.1/*/Kconfig*"]);
    output(tar.args(patterns.map(|pattern| format!("linux-source-6.1/{pattern}"))))?;
    let findings = |path: &Path| check(path).findings.iter().map(|finding| finding.rule).collect::<Vec<_>>();
    let beside = source.with_file_name("output");
    fs::create_dir_all(&beside)?;
    for path in [&beside, &source] {
        let make = |words: &[&str]| output(Command::new("make").args(["-s", "ARCH=arm64"]).args(words).current_dir(path));
        let has = || fs::read_to_string(path.join(".config")).unwrap().contains("CONFIG_COMPAT_VDSO=y");
        if path == &beside {
            output(
                Command::new("make")
                    .args(["-s", "ARCH=arm64", "defconfig"])
                    .arg(format!("O={}", beside.display()))
                    .current_dir(&source),
            )?;
        } else {
            make(&["defconfig"])?;
        }
        equal((has(), findings(path).contains(&"K001")), (false, true))?;
        fix(path)?;
        make(&["olddefconfig"])?;
        equal((has(), findings(path).contains(&"K001")), (true, false))?;
        // The variable alone does the same: what the report tells people to type.
        fs::remove_file(path.join("GNUmakefile"))?;
        make(&["olddefconfig"])?;
        equal((has(), findings(path).contains(&"K001")), (false, true))?;
        make(&["olddefconfig", "CROSS_COMPILE_COMPAT=arm-linux-gnueabihf-"])?;
        equal((has(), findings(path).contains(&"K001")), (true, false))?;
    }
    Ok(())
}

fn main() {
    let arguments = Arguments::from_args();
    let with_bitbake = |name: &str, test: fn(&Path) -> Result<(), Failed>| match bitbake() {
        Ok(place) => Trial::test(name, move || test(&place)),
        Err(reason) => Trial::test(name, || Ok(())).with_kind(reason).with_ignored_flag(true),
    };
    let trials = vec![
        with_bitbake("bitbake/values", values),
        with_bitbake("bitbake/class", class),
        Trial::test("make/buildroot", || buildroot(false)),
        Trial::test("make/buildroot-external", || buildroot(true)),
        Trial::test("make/ptxdist", ptxdist),
        Trial::test("kernel/kconfig", kconfig)
            .with_kind("a download of 140 MB")
            .with_ignored_flag(std::env::var_os("BIARCH_TEST_FULL").is_none()),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

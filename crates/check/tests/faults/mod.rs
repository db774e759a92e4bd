//! One fault for each rule that no configuration alone can show: what is wrong, and the same without it.

use crate::object::{EM_386, EM_ARM, EM_X86_64, HARD_FLOAT, Object, SOFT_FLOAT};
use crate::rootfs::{file, good, program, put};
use findings::Report;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A rule, and what must be found with its fault and must not be found without.
pub struct Fault {
    pub rule: &'static str,
    /// Puts the fault, or with `false` its repair, into an i386 root file system that has nothing wrong; and what else is to be
    /// looked at.
    pub make: fn(root: &Path, bad: bool) -> Vec<PathBuf>,
}

impl Fault {
    /// What is said about it.
    pub fn report(&self, bad: bool) -> Report {
        let root = good(&format!("fault-{}-{bad}", self.rule));
        let mut targets = (self.make)(&root, bad);
        targets.push(root);
        check::check(&targets)
    }
}

/// A kernel's configuration, beside the root.
fn config(root: &Path, lines: &str) -> Vec<PathBuf> {
    let path = root.with_extension("config");
    fs::write(&path, lines).unwrap();
    vec![path]
}

/// Multilib for 32-bit ARM.
const MULTILIB: &str =
    "require conf/multilib.conf\nMULTILIBS = \"multilib:lib32\"\nDEFAULTTUNE:virtclass-multilib-lib32 = \"armv7athf-neon\"\n";
/// The kernel is given the 32-bit compiler.
const COMPILER: &str = "CROSS_COMPILE_COMPAT = \"${CROSS32}\"\n";

/// A build directory of Yocto for an AArch64 board, beside the root, with these lines in its local.conf.
fn build(root: &Path, local: &str) -> Vec<PathBuf> {
    let path = root.with_extension("build");
    let _ = fs::remove_dir_all(&path);
    file(&path, "/conf/bblayers.conf", "BBPATH = \"${TOPDIR}\"\nBBLAYERS = \"\"\n");
    file(&path, "/conf/multilib.conf", "MULTILIBS ??= \"multilib:lib32\"\n");
    file(&path, "/conf/machine/qemuarm64.conf", "DEFAULTTUNE ?= \"armv8a\"\nTUNE_FEATURES:tune-armv8a = \"aarch64\"\n");
    file(&path, "/conf/local.conf", format!("MACHINE = \"qemuarm64\"\n{local}"));
    vec![path]
}

/// A kernel's image, beside the root: its memory in the wrapper that the architecture has.
fn image(root: &Path, machine: u16, vdsos: &[Object]) -> Vec<PathBuf> {
    let mut memory = b"Linux version 6.12.1-test (me@here) #1 SMP\n\0".to_vec();
    for vdso in vdsos {
        memory.resize(memory.len().next_multiple_of(0x1000), 0);
        memory.extend(vdso.bytes());
    }
    let mut file = Vec::new();
    if machine == EM_ARM {
        // An Image of arm64 is the kernel's memory itself.
        file.resize(0x38, 0);
        file.extend(b"ARM\x64");
        file.resize(0x1000, 0);
        file.extend(memory);
    } else {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&memory).unwrap();
        let payload = encoder.finish().unwrap();
        file.resize(0x400, 0);
        file[0x1f1] = 1;
        file[0x202..0x206].copy_from_slice(b"HdrS");
        file[0x24c..0x250].copy_from_slice(&u32::try_from(payload.len()).unwrap().to_le_bytes());
        file.extend(payload);
    }
    let path = root.with_extension("image");
    fs::write(&path, file).unwrap();
    vec![path]
}

fn arm(flags: u32) -> Object {
    Object { machine: EM_ARM, flags, kind: 2, align: 0x10000, ..Object::default() }
}

/// A library in the i386 root.
fn library(root: &Path, object: Object) -> Vec<PathBuf> {
    put(root, "/usr/lib/i386-linux-gnu/libown.so.1", &object);
    Vec::new()
}

fn needed(root: &Path, strings: &'static [(u64, &'static str)]) -> Vec<PathBuf> {
    put(root, "/usr/bin/program", &Object { needed: &["libown.so.1"], strings, ..program() });
    Vec::new()
}

/// A kernel module for x86-64 with one device, whose `struct file_operations` is that of Linux 6.12.
pub fn kernel_module(compat: bool, modinfo: &[u8]) -> Vec<u8> {
    use object::write::{Object, Relocation, Symbol, SymbolSection};
    use object::{
        Architecture, BinaryFormat, Endianness, RelocationFlags, SectionKind, SymbolFlags, SymbolKind, SymbolScope, elf,
    };
    let mut file = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let [text, data] = [object::write::StandardSection::Text, object::write::StandardSection::Data].map(|id| file.section_id(id));
    let information = file.add_section(Vec::new(), b".modinfo".to_vec(), SectionKind::ReadOnlyData);
    file.append_section_data(information, modinfo, 1);
    file.append_section_data(text, &[0xc3; 32], 16);
    file.append_section_data(data, &[0; 264], 32);
    let mut symbol = |name: &str, value, size, kind, section| {
        let (name, scope) = (name.as_bytes().to_vec(), SymbolScope::Compilation);
        file.add_symbol(Symbol { name, value, size, kind, scope, weak: false, section, flags: SymbolFlags::None })
    };
    let device_ioctl = symbol("device_ioctl", 0, 16, SymbolKind::Text, SymbolSection::Section(text));
    let device_open = symbol("device_open", 16, 16, SymbolKind::Text, SymbolSection::Section(text));
    symbol("device_fops", 0, 264, SymbolKind::Data, SymbolSection::Section(data));
    let compat_ptr_ioctl = symbol("compat_ptr_ioctl", 0, 0, SymbolKind::Text, SymbolSection::Undefined);
    let members = [(80, device_ioctl), (104, device_open), (88, compat_ptr_ioctl)];
    for (offset, symbol) in members.into_iter().take(if compat { 3 } else { 2 }) {
        let flags = RelocationFlags::Elf { r_type: elf::R_X86_64_64 };
        file.add_relocation(data, Relocation { offset, symbol, addend: 0, flags }).unwrap();
    }
    file.write().unwrap()
}

const ARM64: &str = "CONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_COMPAT_VDSO=y\n";

pub const FAULTS: &[Fault] = &[
    Fault {
        rule: "K003",
        make: |root, bad| {
            let exports: &[&str] =
                if bad { &["__vdso_clock_gettime"] } else { &["__vdso_clock_gettime", "__vdso_clock_gettime64"] };
            image(root, EM_ARM, &[Object { strings: &[(14, "linux-vdso.so.1")], exports, machine: EM_ARM, ..Object::default() }])
        },
    },
    Fault {
        rule: "K029",
        make: |root, bad| {
            let own = Object { wide: true, machine: EM_X86_64, strings: &[(14, "linux-vdso.so.1")], ..Object::default() };
            let exports: &[&str] = &["__vdso_clock_gettime64", "__kernel_vsyscall"];
            let narrow = Object { strings: &[(14, "linux-gate.so.1")], exports, ..Object::default() };
            image(root, EM_386, &[own, narrow][..if bad { 1 } else { 2 }])
        },
    },
    Fault {
        rule: "K031",
        make: |root, bad| {
            let word = if bad { "vdso32=0" } else { "vdso32=1" };
            file(root, "/etc/default/grub", format!("GRUB_CMDLINE_LINUX=\"quiet {word}\"\n"));
            Vec::new()
        },
    },
    Fault {
        rule: "K033",
        make: |root, bad| {
            file(root, "/usr/lib/sysctl.d/50-hard.conf", "abi.vsyscall32 = 0\n");
            file(root, "/etc/sysctl.d/90-own.conf", if bad { "# abi.vsyscall32 = 1\n" } else { "abi.vsyscall32 = 1\n" });
            Vec::new()
        },
    },
    Fault {
        rule: "K040",
        make: |root, bad| {
            if bad {
                fs::remove_file(root.join("usr/lib/ld-linux.so.2")).unwrap();
            }
            Vec::new()
        },
    },
    Fault {
        rule: "K041",
        make: |root, bad| {
            if !bad {
                library(root, Object::default());
            }
            needed(root, &[])
        },
    },
    Fault {
        rule: "K042",
        make: |root, bad| {
            if !bad {
                library(root, Object::default());
            }
            put(root, "/usr/lib/libown.so.1", &Object { wide: true, machine: EM_X86_64, ..Object::default() });
            needed(root, &[])
        },
    },
    Fault {
        rule: "K043",
        make: |root, bad| {
            put(root, if bad { "/usr/lib64/liba.so.1" } else { "/usr/lib32/liba.so.1" }, &Object::default());
            Vec::new()
        },
    },
    Fault {
        rule: "K044",
        make: |root, bad| {
            library(root, Object { imports: &["time"], ..Object::default() });
            let imports: &[&str] = if bad { &["__time64"] } else { &["time"] };
            put(root, "/usr/bin/program", &Object { needed: &["libown.so.1"], imports, ..program() });
            Vec::new()
        },
    },
    Fault {
        rule: "K045",
        make: |root, bad| {
            library(root, Object::default());
            needed(root, if bad { &[(15, "/home/me/build/lib")] } else { &[(15, "/opt/own/lib")] })
        },
    },
    Fault {
        rule: "K046",
        make: |root, bad| library(root, Object { tags: if bad { &[(22, 0)] } else { &[] }, ..Object::default() }),
    },
    Fault { rule: "K047", make: |root, bad| library(root, Object { stack: Some(if bad { 7 } else { 6 }), ..Object::default() }) },
    Fault {
        rule: "K048",
        make: |root, bad| {
            put(root, "/opt/arm/program", &Object { align: if bad { 0x1000 } else { 0x10000 }, ..arm(HARD_FLOAT) });
            Vec::new()
        },
    },
    Fault {
        rule: "K050",
        make: |root, bad| {
            library(root, Object::default());
            let path = root.join("usr/lib/i386-linux-gnu/libown.so.1");
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..bytes.len() - if bad { 20 } else { 0 }]).unwrap();
            Vec::new()
        },
    },
    Fault {
        rule: "K051",
        make: |root, bad| config(root, &format!("CONFIG_X86_64=y\nCONFIG_IA32_EMULATION={}\n", if bad { "n" } else { "y" })),
    },
    Fault {
        rule: "K052",
        make: |root, bad| {
            put(root, "/usr/bin/program", &Object { imports: &["nanosleep"], ..program() });
            config(
                root,
                &format!("CONFIG_X86_64=y\nCONFIG_IA32_EMULATION=y\nCONFIG_COMPAT_32BIT_TIME={}\n", if bad { "n" } else { "y" }),
            )
        },
    },
    Fault {
        rule: "K053",
        make: |root, bad| {
            put(root, "/opt/arm/a.so", &arm(HARD_FLOAT));
            put(root, "/opt/arm/b.so", &arm(if bad { SOFT_FLOAT } else { HARD_FLOAT }));
            Vec::new()
        },
    },
    Fault {
        rule: "K054",
        make: |root, bad| {
            put(root, "/opt/arm/program", &Object { code: &[0xffff_0fe0], ..arm(SOFT_FLOAT) });
            config(root, &format!("{ARM64}CONFIG_KUSER_HELPERS={}\n", if bad { "n" } else { "y" }))
        },
    },
    Fault {
        rule: "K055",
        make: |root, bad| {
            put(root, "/opt/arm/program", &Object { code: &[0xee07_1fba], ..arm(SOFT_FLOAT) });
            config(root, &format!("{ARM64}CONFIG_CP15_BARRIER_EMULATION={}\n", if bad { "n" } else { "y" }))
        },
    },
    Fault {
        rule: "K070",
        make: |root, bad| {
            let path = root.join("lib/modules/6.12.1/updates/device.ko");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, kernel_module(!bad, b"vermagic=6.12.1 SMP mod_unload \0")).unwrap();
            Vec::new()
        },
    },
    Fault { rule: "K080", make: |root, bad| build(root, &format!("{MULTILIB}{}", if bad { "" } else { COMPILER })) },
    Fault {
        rule: "K081",
        make: |root, bad| {
            let lld = if bad { "" } else { "DISTRO_FEATURES:append = \" ld-is-lld\"\n" };
            build(root, &format!("{MULTILIB}KERNEL_TOOLCHAIN = \"clang\"\n{lld}"))
        },
    },
    Fault {
        rule: "K082",
        make: |root, bad| {
            let tree = build(root, &format!("INHERIT += \"compat-vdso\"\n{}", if bad { "" } else { MULTILIB }));
            file(&tree[0], "/classes/compat-vdso.bbclass", "python () {\n    d.setVar('CROSS_COMPILE_COMPAT', 'x')\n}\n");
            tree
        },
    },
    Fault {
        rule: "K083",
        make: |root, bad| {
            let tree = build(root, &format!("{COMPILER}{MULTILIB}"));
            let recipes = "/recipes-kernel/linux";
            file(&tree[0], &format!("{recipes}/linux-board_%.bbappend"), "SRC_URI += \"file://board.cfg\"\n");
            let option = if bad { "# CONFIG_COMPAT is not set" } else { "CONFIG_COMPAT=y" };
            file(&tree[0], &format!("{recipes}/linux/board.cfg"), format!("{option}\n"));
            file(&tree[0], "/conf/layer.conf", "BBFILES += \"${LAYERDIR}/recipes-*/*/*.bbappend\"\n");
            file(&tree[0], "/conf/bblayers.conf", "BBPATH = \"${TOPDIR}\"\nBBLAYERS = \"${TOPDIR}\"\n");
            tree
        },
    },
    Fault {
        rule: "K084",
        make: |root, bad| {
            let without = MULTILIB.replace("require conf/multilib.conf\n", "");
            build(root, &format!("{COMPILER}{}", if bad { without.as_str() } else { MULTILIB }))
        },
    },
    Fault {
        rule: "K085",
        make: |root, bad| {
            let set_up = if bad { "" } else { MULTILIB };
            build(root, &format!("{COMPILER}{set_up}IMAGE_INSTALL:append = \" lib32-glibc\"\n"))
        },
    },
    Fault {
        rule: "K086",
        make: |root, bad| {
            let variable = if bad { "CROSS_COMPILE_COMPAT_VDSO" } else { "CROSS_COMPILE_COMPAT" };
            build(root, &format!("{MULTILIB}{variable} = \"${{CROSS32}}\"\n"))
        },
    },
    Fault {
        rule: "K087",
        make: |root, bad| {
            let flags = if bad { "GLIBC_64BIT_TIME_FLAGS = \"\"\n" } else { "" };
            build(root, &format!("{COMPILER}{MULTILIB}{flags}"))
        },
    },
    Fault {
        rule: "K056",
        make: |root, bad| {
            // It begins at address 0.
            put(root, "/opt/arm/program", &arm(HARD_FLOAT));
            config(root, &format!("{ARM64}CONFIG_DEFAULT_MMAP_MIN_ADDR={}\n", if bad { "4096" } else { "0" }))
        },
    },
];

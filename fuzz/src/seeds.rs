//! Files to begin with: real ones where this machine has some that are small, and small ones of our own.

use crate::object::{EM_386, EM_ARM, EM_X86_64, HARD_FLOAT, Object};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The largest file that is a seed, in bytes: a larger one has more places where damage does nothing.
const MAX_SEED: u64 = 64 << 10;
/// Real files of one directory.
const EACH: usize = 4;
/// Where ELF files are; what is not there is left out.
const DIRECTORIES: &[&str] = &[
    "/usr/bin",
    "/usr/i686-linux-gnu/lib",
    "/usr/lib/i386-linux-gnu",
    "/usr/arm-linux-gnueabihf/lib",
    "/usr/lib/gcc/x86_64-linux-gnu/12",
    "/usr/lib/gcc/x86_64-linux-gnu/14",
];

/// ELF files.
#[must_use]
pub fn objects() -> Vec<Vec<u8>> {
    let mut seeds = made();
    for directory in DIRECTORIES {
        let entries = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
        let small = entries.filter(|entry| entry.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_SEED));
        let mut paths: Vec<PathBuf> = small.map(|entry| entry.path()).collect();
        paths.sort();
        let contents = paths.iter().filter_map(|path| fs::read(path).ok());
        seeds.extend(contents.filter(|bytes| bytes.starts_with(b"\x7fELF")).take(EACH));
    }
    seeds
}

fn made() -> Vec<Vec<u8>> {
    [(false, EM_386), (false, EM_ARM), (true, EM_X86_64)]
        .map(|(wide, machine)| {
            let object = Object {
                wide,
                machine,
                flags: if machine == EM_ARM { HARD_FLOAT } else { 0 },
                interpreter: Some("/lib/ld.so"),
                needed: &["libc.so.6", "liba.so"],
                strings: &[(14, "linux-vdso.so.1"), (15, "/a:$ORIGIN/b"), (29, "/c")],
                imports: &["time", "__time64"],
                exports: &["__vdso_clock_gettime"],
                code: &[0xffff_0fe0, 0xee07_1fba],
                ..Object::default()
            };
            object.bytes()
        })
        .to_vec()
}

/// A program whose debugging information has one of each kind of type.
const PROGRAM: &str =
    "typedef struct list { struct list *next; const volatile char name[3][4]; union { float f; long double d; } of;
    unsigned low : 3, high : 9; enum { RED, GREEN } colour; int (*compare)(const void *, const void *); } list;
    static inline int half(int n) { return n / 2; }
    extern list *first(list *of, short n, ...); list *first(list *of, short n, ...) { of->low = half(n); return of->next; }
    double last(a, b) char a; float b; { return a + b; }
    void none(list of) { first(&of, 1); }";
/// Types of it.
pub const TYPES: [&str; 2] = ["list", "struct list"];
/// Functions of it.
pub const FUNCTIONS: [&str; 3] = ["first", "last", "none"];

/// Object files and libraries with debugging information, of each version and word size that compilers here know.
#[must_use]
pub fn debug_info() -> Vec<Vec<u8>> {
    let made = |compiler: &str, options: &[&str]| -> Option<Vec<u8>> {
        let path = std::env::temp_dir().join(format!("biarch-fuzz-{}.o", std::process::id()));
        let mut command = Command::new(compiler);
        command.args(options).args(["-w", "-std=gnu11", "-fPIC", "-nostdlib", "-xc", "-", "-o"]).arg(&path);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        child.stdin.take()?.write_all(PROGRAM.as_bytes()).ok()?;
        let bytes = child.wait().ok().filter(std::process::ExitStatus::success).and_then(|_| fs::read(&path).ok());
        let _ = fs::remove_file(&path);
        bytes
    };
    let ways = ["-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gz=zlib"].map(|way| ["-g", way]);
    let compilers = ["cc", "i686-linux-gnu-gcc", "arm-linux-gnueabihf-gcc"];
    let all = compilers.iter().flat_map(|compiler| ways.iter().map(move |way| (*compiler, way)));
    all.flat_map(|(compiler, [one, two])| ["-c", "-shared"].map(|kind| made(compiler, &[one, two, kind]))).flatten().collect()
}

/// Core dumps of processes in which an i386 program runs under biarch.
#[must_use]
pub fn cores() -> Vec<Vec<u8>> {
    use crate::made::{At, dump};
    let all = [At::Guest, At::Fast, At::Call, At::Rust, At::Way, At::Vdso, At::New, At::Foreign];
    let mut seeds = vec![dump(&all)];
    seeds.extend(all.map(|place| dump(&[place])));
    let mut narrow = dump(&all);
    crate::made::narrow(&mut narrow);
    seeds.push(narrow);
    seeds
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// A configuration as Kconfig writes it.
const CONFIG: &str = "#\n# Linux/arm64 6.12.43 Kernel Configuration\n#\nCONFIG_ARM64=y\nCONFIG_COMPAT=y\n# CONFIG_COMPAT_VDSO is not set\n\
                      CONFIG_ARM64_16K_PAGES=y\nCONFIG_CMDLINE=\"quiet ia32_emulation=0 vdso32=0 -- a\"\nCONFIG_DEFAULT_MMAP_MIN_ADDR=65536\n";

/// Configurations.
#[must_use]
pub fn configs() -> Vec<Vec<u8>> {
    let boot = fs::read_dir("/boot").into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let configs = boot.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("config-")));
    let x86 = CONFIG.replace("ARM64=y", "X86_64=y").replace("COMPAT=y", "IA32_EMULATION=y");
    let mut seeds = vec![CONFIG.as_bytes().to_vec(), x86.into_bytes()];
    seeds.extend(configs.filter_map(|path| fs::read(path).ok()).take(1));
    seeds
}

/// Kernel images: the same memory in every wrapper.
#[must_use]
pub fn kernels() -> Vec<Vec<u8>> {
    let mut memory = vec![0; 0x38];
    memory.extend(b"ARM\x64");
    memory.resize(0x200, 0);
    memory.extend(b"Linux version 6.12.43-test (me@here) #1 SMP\n\0");
    for vdso in made() {
        memory.resize(memory.len().next_multiple_of(0x100), 0);
        memory.extend(vdso);
    }
    memory.extend(b"IKCFG_ST");
    memory.extend(gzip(CONFIG.as_bytes()));
    let packed = gzip(&memory);
    let size = u32::try_from(packed.len()).unwrap_or_default();
    let mut zboot = b"MZ\0\0zimg\x40\0\0\0".to_vec();
    zboot.extend(size.to_le_bytes());
    zboot.resize(0x40, 0);
    zboot.extend(&packed);
    let mut legacy = b"\x27\x05\x19\x56".to_vec();
    legacy.resize(64, 2);
    legacy.extend(&packed);
    let mut boot = vec![0; 0x400];
    boot[0x1f1] = 1;
    boot[0x202..0x206].copy_from_slice(b"HdrS");
    boot[0x24c..0x250].copy_from_slice(&size.to_le_bytes());
    boot.extend(&packed);
    let mut z_image = vec![0; 0x24];
    z_image.extend(b"\x18\x28\x6f\x01");
    z_image.extend(&packed);
    // A device tree: header, one node with the properties data and data-size, strings.
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
    let mut tree = words(&[1, 0, 3, size, 0]);
    tree.extend(&packed);
    tree.resize(tree.len().next_multiple_of(4), 0);
    tree.extend(words(&[3, 4, 5, size, 2, 9]));
    let end = 40 + u32::try_from(tree.len()).unwrap_or_default();
    let fit = [words(&[0xd00d_feed, end + 15, 40, end, 0, 17, 16, 0, 0, 0]), tree, b"data\0data-size\0".to_vec()].concat();
    vec![memory, packed, zboot, legacy, boot, z_image, fit]
}

/// Everything that is a target of `biarch check`: the above, and root file systems as the tools of the trade pack them.
#[must_use]
pub fn files() -> Vec<Vec<u8>> {
    let mut seeds = [objects(), kernels(), configs()].concat();
    seeds.extend(configs().iter().map(|config| gzip(config)));
    let root = crate::scratch().with_extension("root");
    if root_file_system(&root).is_ok() {
        // Each writes one archive of the current directory to its standard output, or to $OUT; what is not installed is left out.
        for tool in [
            "tar -c --format=gnu .",
            "tar -c --format=posix .",
            "tar -cz --format=ustar .",
            "find . | cpio -o -H newc",
            "mksquashfs . $OUT -quiet -no-progress",
            "mke2fs -q -t ext4 -d . $OUT 256k",
            "mkdir -p DEBIAN && printf 'Package: a\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@b>\\nDescription: a\\n' >DEBIAN/control && dpkg-deb -b . $OUT",
        ] {
            let out = root.with_extension("out");
            let mut command = Command::new("sh");
            command.args(["-c", tool]).current_dir(&root).env("OUT", &out).stdin(Stdio::null()).stderr(Stdio::null());
            let written = command.output().map(|output| output.stdout).unwrap_or_default();
            seeds.push(fs::read(&out).unwrap_or(written));
            let _ = fs::remove_file(out);
        }
    }
    let _ = fs::remove_dir_all(root);
    seeds.retain(|seed| !seed.is_empty());
    seeds
}

fn root_file_system(root: &Path) -> std::io::Result<()> {
    let objects = made();
    for (path, contents) in [
        ("usr/bin/program", objects[0].as_slice()),
        ("usr/lib/arm-linux-gnueabihf/liba.so", &objects[1]),
        ("lib64/libc.so.6", &objects[2]),
        ("etc/ld.so.conf.d/own.conf", b"/usr/lib/own\n"),
        ("etc/default/grub", b"GRUB_CMDLINE_LINUX=\"vdso32=0 clocksource=hpet\"\n"),
        ("etc/sysctl.d/a.conf", b"abi.vsyscall32 = 0\nvm.mmap_min_addr = 65536\n"),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        fs::write(path, contents)?;
    }
    std::os::unix::fs::symlink("../lib64/libc.so.6", root.join("usr/libb.so"))
}

/// What a worker of `biarch port` answers for two small files: declarations, types, conversions, formats.
#[must_use]
pub fn trees() -> Vec<Vec<u8>> {
    let texts = [
        "extern int key(int);\nstruct s { long a; char b[3]; struct s *next; };\nenum e { A = 3, B };\n\
         long f(char *p, struct s *s) { return key((int)p) + s->a + 0xffffffff + (1 << B) + sizeof *s; }\n",
        "#include <stdio.h>\n#include <string.h>\nvoid g(FILE *f, long *v, int n) { int *p = (int *)v;\n\
         for (int i = 0; i < n; i++) { printf(\"%d %s\\n\", v[i], \"x\"); memcpy(p, v, 4 * n); }\n fwrite(v, sizeof v, 1, f); }\n",
    ];
    let directory = crate::scratch().with_extension("trees");
    let _ = fs::create_dir_all(&directory);
    let answer = |(at, text): (usize, &&str)| {
        let path = directory.join(format!("{at}.c"));
        fs::write(&path, text).ok()?;
        port::damaged::answers(&path).ok()
    };
    let found = texts.iter().enumerate().filter_map(answer).collect();
    let _ = fs::remove_dir_all(&directory);
    found
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Enough bytes for the largest structure, small numbers and large ones among them.
#[must_use]
pub fn structures() -> Vec<Vec<u8>> {
    let counted = (0..2048).map(|number| u8::try_from(number % 251).unwrap_or_default()).collect();
    vec![vec![0; 2048], vec![0xff; 2048], counted, words(&[0x8000_0000; 512]), words(&[1; 512])]
}

/// Control messages as a guest sends them, and as the kernel gives them: descriptors, credentials, each kind of time.
#[must_use]
pub fn messages() -> Vec<Vec<u8>> {
    let narrow = words(&[16, 1, 1, 5, 24, 1, 2, 100, 0, 0, 14, 0, 8, 0x0101]);
    let wide = |kind: u32, payload: &[u32]| {
        let length = u32::try_from(16 + payload.len() * 4).unwrap_or_default();
        let padding: &[u32] = if payload.len() % 2 == 1 { &[0] } else { &[] };
        words(&[[length, 0, 1, kind].as_slice(), payload, padding].concat())
    };
    let all = [
        wide(1, &[5, 6, 7]),
        wide(2, &[100, 0, 0]),
        wide(29, &[1, 0, 2, 0]),
        wide(35, &[1, 0, 2, 0]),
        wide(37, &[9; 12]),
        wide(4, &[8]),
    ];
    [all.to_vec(), vec![all.concat(), narrow]].concat()
}

/// What signals of each kind say of themselves.
#[must_use]
pub fn siginfos() -> Vec<Vec<u8>> {
    let kinds =
        [(11, 1), (7, 4), (11, 3), (11, 4), (5, 6), (17, 1), (31, 1), (29, 1), (10, 0), (10, -2), (34, -1), (10, -5), (9, 0x80)];
    kinds
        .map(|(signal, code): (u32, i32)| {
            words(&[[signal, 0, u32::from_ne_bytes(code.to_ne_bytes())].as_slice(), &[0x1234_5678; 29]].concat())
        })
        .to_vec()
}

/// Filters of system calls, behind what they are asked about: one that looks at numbers, one that computes and stores.
#[must_use]
pub fn filters() -> Vec<Vec<u8>> {
    let instruction = |code: u32, jt: u32, jf: u32, k: u32| [code | jt << 16 | jf << 24, k];
    let data = words(&[4, 0x4000_0003, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
    let looks = [
        instruction(0x20, 0, 0, 4),
        instruction(0x15, 0, 2, 0x4000_0003),
        instruction(0x20, 0, 0, 0),
        instruction(0x35, 0, 1, 100),
    ];
    let ends = [instruction(0x06, 0, 0, 0x7fff_0000), instruction(0x06, 0, 0, 0x0005_0001)];
    let computes = [
        instruction(0x00, 0, 0, 7),
        instruction(0x02, 0, 0, 3),
        instruction(0x61, 0, 0, 3),
        instruction(0x3c, 0, 0, 0),
        instruction(0x64, 0, 0, 31),
        instruction(0x84, 0, 0, 0),
        instruction(0x05, 0, 0, 0),
        instruction(0x16, 0, 0, 0),
    ];
    [[looks.as_slice(), &ends].concat(), computes.to_vec()].map(|code| [data.clone(), words(&code.concat())].concat()).to_vec()
}

/// 32-bit code: of compilers, with prefixes, and of vector instructions.
#[must_use]
pub fn codes() -> Vec<Vec<u8>> {
    let short = b"\x55\x89\xe5\x83\xec\x08\x65\xa1\x14\0\0\0\xe8\0\0\0\0\x0f\xb6\x44\x24\x04\xcd\x80\x8d\x74\x26\0\xc5\xf8\x77\x66\x90\xc9\xc3";
    let objects = objects()
        .into_iter()
        .filter(|object| object.get(18) == Some(&3))
        .filter_map(|object| Some(object.get(0x1000..0x1200)?.to_vec()));
    std::iter::once(short.to_vec()).chain(objects.take(EACH)).collect()
}

/// Registers of a signal frame, whole and not.
#[must_use]
pub fn frames() -> Vec<Vec<u8>> {
    let length = run::damaged::frame_length().unwrap_or(576);
    let mut whole = vec![0; 112 + length];
    let mut fsave = [0; 112];
    run::damaged::frame(&mut whole[112..], &mut fsave);
    whole[..112].copy_from_slice(&fsave);
    vec![whole, vec![0xff; 112 + length]]
}

//! The same root file system in every format, made by the tools that make them: what is found must be the same.
//!
//! A row of [`FORMATS`] is a format. Where its tool is not installed its test is left out, and says so.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod object;
mod rootfs;

use findings::Report;
use libtest_mimic::{Arguments, Failed, Trial};
use object::{EM_ARM, HARD_FLOAT, Object};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rootfs::{directory, file};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name, the tool that it needs, and how it is made of the directory `$ROOT`: as the file or directory `$OUT`, with `$OUT.*` to use.
const FORMATS: &[(&str, &str, &str)] = &[
    ("tar/gnu", "tar", "tar -C $ROOT -cf $OUT ."),
    ("tar/pax", "tar", "tar -C $ROOT --format=pax -cf $OUT ."),
    ("tar/ustar", "tar", "tar -C $ROOT --format=ustar -cf $OUT usr lib etc opt boot"),
    ("tar/gzip", "gzip", "tar -C $ROOT -c . | gzip >$OUT"),
    ("tar/gzip-in-two", "gzip", "tar -C $ROOT -cf $OUT.tar . && head -c 5000 $OUT.tar | gzip >$OUT && tail -c +5001 $OUT.tar | gzip >>$OUT"),
    ("tar/xz", "xz", "tar -C $ROOT -c . | xz >$OUT"),
    ("tar/zstd", "zstd", "tar -C $ROOT -c . | zstd -q >$OUT"),
    ("tar/zstd-in-two", "zstd", "tar -C $ROOT -cf $OUT.tar . && head -c 5000 $OUT.tar | zstd -q >$OUT && tail -c +5001 $OUT.tar | zstd -q >>$OUT"),
    ("tar/bzip2", "bzip2", "tar -C $ROOT -c . | bzip2 >$OUT"),
    ("tar/lz4", "lz4", "tar -C $ROOT -c . | lz4 -q - $OUT"),
    ("tar/lz4-legacy", "lz4", "tar -C $ROOT -c . | lz4 -q -l - $OUT"),
    ("tar/lzop", "lzop", "tar -C $ROOT -c . | lzop >$OUT"),
    ("tar/lzma", "xz", "tar -C $ROOT -c . | xz --format=lzma >$OUT"),
    ("cpio/newc", "cpio", "cd $ROOT && find . | cpio --quiet -o -H newc >$OUT"),
    ("cpio/crc", "cpio", "cd $ROOT && find . | cpio --quiet -o -H crc >$OUT"),
    ("cpio/gzip", "cpio", "cd $ROOT && find . | cpio --quiet -o -H newc | gzip >$OUT"),
    ("cpio/xz", "cpio", "cd $ROOT && find . | cpio --quiet -o -H newc | xz --check=crc32 >$OUT"),
    ("cpio/lz4", "cpio", "cd $ROOT && find . | cpio --quiet -o -H newc | lz4 -q -l - $OUT"),
    (
        // As update-initramfs(8) makes it: the processor's microcode first, as it is, then the rest, compressed.
        "cpio/early-and-zstd",
        "cpio",
        "cd $ROOT && find boot | cpio --quiet -o -H newc >$OUT && head -c 512 /dev/zero >>$OUT &&
         find usr lib etc opt | cpio --quiet -o -H newc | zstd -q -19 >>$OUT",
    ),
    ("squashfs/gzip", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -comp gzip"),
    ("squashfs/xz", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -comp xz -Xbcj x86"),
    ("squashfs/zstd", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -comp zstd -b 1M"),
    ("squashfs/lz4", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -comp lz4 -b 4K"),
    ("squashfs/lzo", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -comp lzo"),
    ("squashfs/lzma", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -comp lzma"),
    ("squashfs/as-it-is", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -noI -noD -noF -no-fragments"),
    ("ext/ext4", "mke2fs", "mke2fs -q -t ext4 -d $ROOT $OUT 64M && debugfs -w -R 'rmdir lost+found' $OUT"),
    ("ext/ext3", "mke2fs", "mke2fs -q -t ext3 -d $ROOT $OUT 64M && debugfs -w -R 'rmdir lost+found' $OUT"),
    ("ext/ext2", "mke2fs", "mke2fs -q -t ext2 -b 1024 -d $ROOT $OUT 64M && debugfs -w -R 'rmdir lost+found' $OUT"),
    (
        "disk/gpt",
        "sfdisk",
        "truncate -s 70M $OUT && printf 'label: gpt\\n start=2048, size=2048, type=linux\\n size=128M\\n' | sed 's/ size=128M/ size=65M/' |
         sfdisk -q $OUT && mke2fs -q -t ext4 -d $ROOT $OUT.ext4 64M && debugfs -w -R 'rmdir lost+found' $OUT.ext4 && dd if=$OUT.ext4 of=$OUT bs=1M seek=2 conv=notrunc status=none",
    ),
    (
        "disk/mbr-logical",
        "sfdisk",
        "truncate -s 70M $OUT && printf 'label: dos\\n start=2048, size=2048, type=82\\n type=5\\n size=64M\\n' | sfdisk -q $OUT &&
         mksquashfs $ROOT $OUT.squashfs -quiet -no-progress -comp zstd &&
         dd if=$OUT.squashfs of=$OUT bs=512 seek=6144 conv=notrunc status=none",
    ),
];

/// As scripts/Makefile.lib of the kernel compresses an image: name, tool, how, and what is said. Behind all but gzip's stands the size.
const KERNELS: &[(&str, &str, &str, &str)] = &[
    ("gzip", "gzip", "gzip -n -9 <$IN >$OUT", "gzip"),
    ("bzip2", "bzip2", "bzip2 -9 <$IN >$OUT; $SIZE", "bzip2"),
    ("lzma", "xz", "xz --format=lzma -9 <$IN >$OUT", "lzma"),
    ("lzo", "lzop", "lzop -9 <$IN >$OUT; $SIZE", "lzo"),
    ("lz4", "lz4", "lz4 -q -l -9 - - <$IN >$OUT; $SIZE", "lz4"),
    ("lz4-frame", "lz4", "lz4 -q -9 - - <$IN >$OUT", "lz4"),
    ("xz", "xz", "xz --check=crc32 --lzma2=dict=128MiB <$IN >$OUT; $SIZE", "xz"),
    ("zstd", "zstd", "zstd -q -22 --ultra <$IN >$OUT; $SIZE", "zstd"),
];

/// A kernel's image, compressed, is found to be one.
fn kernel_packed(name: &str, script: &str, wanted: &str, root: &Path) -> Result<(), Failed> {
    let out = directory(&format!("kernel/{name}")).join("image");
    let script = script.replace("$IN", "$ROOT/boot/Image-6.12.1-test").replace("$SIZE", "printf '\\0\\0\\20\\0' >>$OUT");
    shell(&script, root, &out)?;
    let report = check::check(std::slice::from_ref(&out));
    let wanted = format!("arm64 kernel 6.12.1-test; {wanted} of Image; no 32-bit vDSO");
    match report.targets.as_slice() {
        [target] if target.description == wanted => Ok(()),
        _ => Err(format!("{report:#?}").into()),
    }
}

/// A card as a board has it: the kernel in a FAT partition, the rest in another.
const CARD: &str = "
    truncate -s 104M $OUT && printf 'label: dos\\n size=36M, type=c\\n size=66M\\n' | sfdisk -q $OUT
    mkfs.vfat -F $BITS -s $SECTORS -C $OUT.fat $((36 * 1024)) >$OUT.log
    mcopy -i $OUT.fat $ROOT/boot/Image-6.12.1-test ::Image && mcopy -i $OUT.fat $ROOT/boot/config-6.12.1-test ::'config-a rather long name'
    mmd -i $OUT.fat ::overlays && mcopy -i $OUT.fat $ROOT/etc/ld.so.conf ::overlays/CONF.TXT
    mke2fs -q -t ext4 -d $ROOT $OUT.ext4 64M
    dd if=$OUT.fat of=$OUT bs=1M seek=1 conv=notrunc status=none && dd if=$OUT.ext4 of=$OUT bs=1M seek=37 conv=notrunc status=none";

/// What the shell says, if it fails.
fn shell(script: &str, root: &Path, out: &Path) -> Result<(), String> {
    // Root's tools are not on everybody's PATH.
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", script])
        .env("ROOT", root)
        .env("OUT", out)
        .env("PATH", path)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(format!("{script}: {}", String::from_utf8_lossy(&output.stderr))) }
}

/// An arm64 Image with nothing but its header and its banner.
fn kernel() -> Vec<u8> {
    let mut image = b"MZ".to_vec();
    image.resize(0x38, 0);
    image.extend(b"ARM\x64");
    image.resize(0x1000, 0);
    image.extend(b"Linux version 6.12.1-test (me@here) #1 SMP\n\0");
    image.resize(0x10_0000, 0);
    image
}

const CONFIG: &str = "# Linux/arm64 6.12.1 Kernel Configuration\nCONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_CC_IS_GCC=y\n";

/// Of everything something: two ABIs, faults of all kinds, links, hard links, a kernel, large files and many small ones.
fn faulty() -> PathBuf {
    let root = directory("root");
    fs::create_dir_all(root.join("usr/lib/i386-linux-gnu")).unwrap();
    symlink("usr/lib", root.join("lib")).unwrap();
    let program = Object { interpreter: Some("/lib/ld-linux.so.2"), needed: &["libc.so.6"], ..Object::default() };
    file(&root, "/usr/lib/ld-linux.so.2", Object::default().bytes());
    file(&root, "/usr/lib/i386-linux-gnu/libc.so.6", Object::default().bytes());
    file(&root, "/usr/bin/good", program.bytes());
    let missing = Object {
        needed: &["libc.so.6", "libgone.so.1"],
        strings: &[(15, "/home/me/build")],
        ..Object { interpreter: Some("/lib/ld-linux.so.2"), ..Object::default() }
    };
    file(&root, "/usr/bin/missing", missing.bytes());
    fs::hard_link(root.join("usr/bin/missing"), root.join("usr/bin/another-name")).unwrap();
    symlink("missing", root.join("usr/bin/link")).unwrap();
    let configured =
        Object { needed: &["libown.so.1"], ..Object { interpreter: Some("/lib/ld-linux.so.2"), ..Object::default() } };
    file(&root, "/usr/bin/configured", configured.bytes());
    file(&root, "/opt/own/lib/libown.so.1", Object::default().bytes());
    file(&root, "/etc/ld.so.conf", b"include /etc/ld.so.conf.d/*.conf\n");
    file(&root, "/etc/ld.so.conf.d/own.conf", b"/opt/own/lib\n");
    let arm = Object {
        machine: EM_ARM,
        flags: HARD_FLOAT,
        interpreter: Some("/lib/ld-linux-armhf.so.3"),
        align: 0x10000,
        ..Object::default()
    };
    file(&root, "/usr/bin/arm", arm.bytes());
    file(
        &root,
        "/usr/lib/i386-linux-gnu/libarm.so",
        Object { machine: EM_ARM, flags: HARD_FLOAT, align: 0x10000, ..Object::default() }.bytes(),
    );
    let damaged = Object::default().bytes();
    file(&root, "/usr/lib/damaged.so", &damaged[..damaged.len() - 20]);
    let long = "long/".repeat(40);
    file(&root, &format!("/opt/{long}/text.so"), Object { tags: &[(22, 0)], ..Object::default() }.bytes());
    // Larger than a block of any format, and with its dynamic section at the end.
    let mut large = Object { strings: &[(29, "/home/me/large")], ..Object::default() }.bytes();
    large.extend((0..3_000_000u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()));
    file(&root, "/usr/lib/large.so", &large);
    for number in 0..300 {
        file(&root, &format!("/usr/lib/small/{number}"), format!("{number}\n").as_bytes());
    }
    file(&root, "/usr/lib/empty", b"");
    file(&root, "/boot/Image-6.12.1-test", kernel());
    file(&root, "/boot/config-6.12.1-test", CONFIG.as_bytes());
    // What real tools made, where it is installed: the C library of i386.
    for name in ["libc.so.6", "libm.so.6"] {
        if let Ok(contents) = fs::read(Path::new("/usr/lib/i386-linux-gnu").join(name)) {
            file(&root, &format!("/usr/lib/i386-linux-gnu/{name}"), &contents);
        }
    }
    root
}

/// All that was said, without what it was said about.
fn said(report: &Report, names: &[String]) -> Vec<String> {
    let without = |text: &str| names.iter().fold(text.to_owned(), |text, name| text.replace(name.as_str(), ""));
    let findings = report
        .findings
        .iter()
        .map(|f| format!("{:?} {} {} {} {} {}", f.severity, f.rule, f.target, f.message, f.evidence, f.fix));
    let targets = report.targets.iter().map(|target| format!("{} is a {}", target.name, target.description));
    let unchecked = report.not_checked.iter().map(|left| format!("{} not checked: {}", left.what, left.because));
    let mut said: Vec<String> = findings.chain(targets).chain(unchecked).map(|text| without(&text)).collect();
    // Two targets of one report are in the order of their names.
    said.sort();
    said
}

fn same(name: &str, script: &str, root: &Path, wanted: &[String]) -> Result<(), Failed> {
    let out = directory(name).join("image");
    shell(script, root, &out)?;
    let report = check::check(std::slice::from_ref(&out));
    let text = out.to_str().unwrap();
    let mut report = report;
    // A disk has other partitions, and says so.
    if name.starts_with("disk/") {
        let other = report.not_checked.remove(0);
        if !other.what.ends_with(":1") || !other.because.contains("no file system") {
            return Err(format!("{other:?}").into());
        }
    }
    let partition = if name == "disk/gpt" { 2 } else { 5 };
    let found =
        said(&report, &[format!("{text}:{partition}:"), format!("{text}:{partition}"), format!("{text}:"), text.to_owned()]);
    let missing: Vec<_> = wanted.iter().filter(|line| !found.contains(line)).collect();
    let more: Vec<_> = found.iter().filter(|line| !wanted.contains(line)).collect();
    if found == wanted { Ok(()) } else { Err(format!("missing: {missing:#?}\nmore: {more:#?}").into()) }
}

/// The kernel is found in the FAT partition, with the configuration that has a long name, and the rest in the other.
fn card(bits: &str, sectors: &str, root: &Path) -> Result<(), Failed> {
    let out = directory(&format!("card/{bits}")).join("image");
    shell(&CARD.replace("$BITS", bits).replace("$SECTORS", sectors), root, &out)?;
    let report = check::check(std::slice::from_ref(&out));
    let text = out.to_str().unwrap();
    for (name, description) in [
        (format!("{text}:1"), "root file system with 4 paths; ELF files: none"),
        (format!("{text}:1:/Image"), "arm64 kernel 6.12.1-test; 3 options; Image; no 32-bit vDSO"),
        (format!("{text}:2"), "root file system with 372 paths"),
    ] {
        let found = report.targets.iter().any(|target| target.name == name && target.description.starts_with(description));
        if !found {
            return Err(format!("{name}: {description}: {report:#?}").into());
        }
    }
    if report.not_checked.is_empty() { Ok(()) } else { Err(format!("{:?}", report.not_checked).into()) }
}

/// A small root file system for images to be damaged: nothing in it is large, so that damage meets something.
fn small() -> PathBuf {
    let root = directory("small");
    let program = Object { interpreter: Some("/lib/ld-linux.so.2"), needed: &["libc.so.6"], ..Object::default() };
    file(&root, "/lib/ld-linux.so.2", Object::default().bytes());
    file(&root, "/usr/bin/program", program.bytes());
    fs::hard_link(root.join("usr/bin/program"), root.join("usr/bin/other")).unwrap();
    symlink("program", root.join("usr/bin/link")).unwrap();
    symlink("a/".repeat(60), root.join("usr/bin/long")).unwrap();
    file(&root, "/etc/ld.so.conf", b"/opt/lib\n");
    file(&root, "/boot/config-6.12", CONFIG.as_bytes());
    file(&root, "/usr/lib/large", [7; 20_000]);
    root
}

/// What is damaged, and how it is made. They are small and not compressed, as far as there is a choice.
const DAMAGED: &[(&str, &str, &str)] = &[
    ("tar", "tar", "tar -C $ROOT --format=pax -cf $OUT ."),
    ("cpio", "cpio", "cd $ROOT && find . | cpio --quiet -o -H newc >$OUT"),
    ("squashfs", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -noI -noD -noF -nopad"),
    ("squashfs-packed", "mksquashfs", "mksquashfs $ROOT $OUT -quiet -no-progress -nopad -b 4K"),
    ("ext4", "mke2fs", "mke2fs -q -t ext4 -O ^has_journal,^metadata_csum -N 64 -d $ROOT $OUT 512K"),
    ("ext2", "mke2fs", "mke2fs -q -t ext2 -N 64 -d $ROOT $OUT 256K"),
    ("fat", "mkfs.vfat", "mkfs.vfat -F 12 -C $OUT 128 >$OUT.log && mcopy -s -i $OUT $ROOT/usr/lib $ROOT/boot ::"),
    (
        "gpt",
        "sfdisk",
        "mke2fs -q -t ext2 -N 64 -d $ROOT $OUT.ext2 256K && truncate -s 1M $OUT &&
         printf 'label: gpt\nfirst-lba: 64\n start=64, size=512, type=linux\n' | sfdisk -q $OUT && dd if=$OUT.ext2 of=$OUT bs=512 seek=64 conv=notrunc status=none",
    ),
    (
        "deb",
        "dpkg-deb",
        "cp -r $ROOT $OUT.d && mkdir $OUT.d/DEBIAN && printf 'Package: a\nVersion: 1\nArchitecture: i386\nMaintainer: me\nDescription: none\n' >$OUT.d/DEBIAN/control &&
         dpkg-deb --root-owner-group -Znone -b $OUT.d $OUT >$OUT.log",
    ),
    (
        "docker",
        "tar",
        "mkdir $OUT.d && tar -C $ROOT -cf $OUT.d/a.tar . && cd $OUT.d && layer=$(sha256sum <a.tar | head -c 64) && mkdir $layer && mv a.tar $layer/layer.tar &&
         echo '{\"architecture\":\"386\",\"os\":\"linux\"}' >c.json && printf '[{\"Config\":\"c.json\",\"Layers\":[\"%s/layer.tar\"]}]' $layer >manifest.json &&
         tar -cf $OUT manifest.json c.json $layer",
    ),
];

/// Damages an image in many ways, and looks at it: it must come back. What it says is another matter.
fn damage(name: &str, script: &str, root: &Path) -> Result<(), Failed> {
    let place = directory(&format!("damage/{name}"));
    shell(script, root, &place.join("image"))?;
    let whole = fs::read(place.join("image")).unwrap();
    let path = place.join("damaged");
    let look = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        check::check(std::slice::from_ref(&path))
    };
    if look(&whole).targets.is_empty() {
        return Err("nothing is found in the whole image".into());
    }
    for part in 0..48 {
        let _ = look(&whole[..whole.len() * part / 48]);
    }
    // Most of an image is empty, and damage there means nothing.
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let value = prop_oneof![Just(0u8), Just(1), Just(0x7f), Just(0x80), Just(0xff), any::<u8>()];
    let changes = prop::collection::vec((any::<prop::sample::Index>(), -3isize..4, value), 1..24);
    let cases = if std::env::var_os("BIARCH_TEST_FULL").is_some() { 2000 } else { 100 };
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let result = TestRunner::new(config).run(&changes, |changes| {
        let mut bytes = whole.clone();
        for (at, near, value) in changes {
            let at = used[at.index(used.len())].saturating_add_signed(near).min(bytes.len() - 1);
            bytes[at] = value;
        }
        let _ = look(&bytes);
        Ok(())
    });
    result.map_err(|error| error.to_string().into())
}

/// What is small, and unpacks to gigabytes of nothing.
const BOMBS: &[(&str, &str, &str)] = &[
    ("squashfs", "mksquashfs", "truncate -s 4G $OUT.d/zeros && mksquashfs $OUT.d $OUT -quiet -no-progress"),
    (
        "ext4",
        "mke2fs",
        "truncate -s 4G $OUT.d/zeros && mke2fs -q -t ext4 -d $OUT.d $OUT 8M && debugfs -w -R 'rmdir lost+found' $OUT",
    ),
    ("cpio", "cpio", "truncate -s 1G $OUT.d/zeros && cd $OUT.d && echo zeros | cpio --quiet -o -H newc | zstd -q -1 >$OUT"),
];

fn bomb(name: &str, script: &str) -> Result<(), Failed> {
    let out = directory(&format!("bomb/{name}")).join("image");
    shell(&format!("mkdir $OUT.d && {script}"), Path::new(""), &out)?;
    let report = check::check(std::slice::from_ref(&out));
    let description = report.targets.first().map(|target| target.description.as_str());
    let right = description == Some("root file system with 1 paths; ELF files: none") && report.not_checked.is_empty();
    if right { Ok(()) } else { Err(format!("{report:?}").into()) }
}

fn installed(tool: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    path.split(':').any(|directory| Path::new(directory).join(tool).exists())
}

fn main() {
    let arguments = Arguments::from_args();
    let root = faulty();
    let report = check::check(std::slice::from_ref(&root));
    let wanted = said(&report, &[root.to_str().unwrap().to_owned()]);
    for rule in ["K001", "K040", "K041", "K043", "K045", "K046", "K050"] {
        assert!(report.findings.iter().any(|finding| finding.rule == rule), "{rule}: {report:#?}");
    }
    let mut trials = Vec::new();
    let mut add = |name: String, tools: &[&str], test: Box<dyn FnOnce() -> Result<(), Failed> + Send>| {
        let missing = tools.iter().find(|tool| !installed(tool));
        trials.push(match missing {
            None => Trial::test(name, test),
            Some(tool) => Trial::test(name, || Ok(())).with_kind(format!("{tool} is not installed")).with_ignored_flag(true),
        });
    };
    for (name, tool, script) in FORMATS {
        let (root, wanted) = (root.clone(), wanted.clone());
        add((*name).to_owned(), &[tool], Box::new(move || same(name, script, &root, &wanted)));
    }
    for (name, tool, script, wanted) in KERNELS {
        let root = root.clone();
        add(format!("kernel/{name}"), &[tool], Box::new(move || kernel_packed(name, script, wanted, &root)));
    }
    for (name, tool, script) in BOMBS {
        add(format!("bomb/{name}"), &[tool], Box::new(move || bomb(name, script)));
    }
    for (bits, sectors) in [("12", "32"), ("16", "4"), ("32", "1")] {
        let root = root.clone();
        add(format!("card/fat{bits}"), &["sfdisk", "mkfs.vfat", "mcopy", "mke2fs"], Box::new(move || card(bits, sectors, &root)));
    }
    let small = small();
    for (name, tool, script) in DAMAGED {
        let small = small.clone();
        add(format!("damage/{name}"), &[tool], Box::new(move || damage(name, script, &small)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

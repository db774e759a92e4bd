//! Debian's kernels and root file systems, as they are.
//!
//! The packages are downloaded once, into the target directory; where they cannot be had the tests are skipped, and say so.
#![allow(clippy::unwrap_used, missing_docs)]

use findings::{Report, Severity};
use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Suite, architecture, whether without what they depend on, packages.
type Packages = (&'static str, &'static str, bool, &'static [&'static str]);

const KERNELS: &[(Packages, Wanted)] = &[
    (("trixie", "arm64", true, &["linux-image-6.12.*-cloud-arm64"]), Wanted { machine: "arm64", inside: ARM, format: "Image" }),
    (
        ("bookworm", "arm64", true, &["linux-image-6.1.0-*-cloud-arm64"]),
        Wanted { machine: "arm64", inside: ARM, format: "Image" },
    ),
    (
        ("trixie", "amd64", true, &["linux-image-6.12.*-cloud-amd64"]),
        Wanted { machine: "x86-64", inside: I386, format: "bzImage of zstd of vmlinux" },
    ),
    (
        ("bookworm", "amd64", true, &["linux-image-6.1.0-*-cloud-amd64"]),
        Wanted { machine: "x86-64", inside: I386, format: "bzImage of lz4 of vmlinux" },
    ),
    (("trixie", "armhf", true, &["linux-image-6.12.*-armmp"]), Wanted { machine: "arm", inside: ARM, format: "zImage of xz" }),
];

const ROOTS: &[(Packages, &str)] = &[
    (("bookworm", "i386", false, &["libc6", "coreutils"]), "for i386"),
    (("trixie", "armhf", false, &["libc6", "coreutils"]), "for armhf"),
];

/// Packages, and the root file system of the same suite that they are for.
const PACKAGES: &[(Packages, Packages)] = &[
    (("bookworm", "i386", true, &["grep", "zlib1g"]), ROOTS[0].0),
    (("trixie", "armhf", true, &["grep", "zlib1g"]), ROOTS[1].0),
];

/// What must be said about a kernel.
#[derive(Clone, Copy)]
struct Wanted {
    machine: &'static str,
    inside: &'static str,
    format: &'static str,
}

const ARM: &str =
    "32-bit vDSO linux-vdso.so.1: __vdso_clock_getres __vdso_clock_gettime __vdso_clock_gettime64 __vdso_gettimeofday";
const I386: &str = "32-bit vDSO linux-gate.so.1: __kernel_rt_sigreturn __kernel_sigreturn __kernel_vsyscall";

/// Where the packages are unpacked, or why they are not.
fn unpacked(packages: Packages) -> Result<PathBuf, String> {
    fetched(packages, false)
}

/// Where the packages are, unpacked or packed, or why they are not.
fn fetched((suite, architecture, alone, names): Packages, packed: bool) -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let place = root.join("target/check-packages").join(format!(
        "{suite}-{architecture}{}",
        match (alone, packed) {
            (_, true) => "-packed",
            (true, false) => "-kernel",
            (false, false) => "",
        }
    ));
    let mut command = Command::new(root.join("packaging/debian-packages.sh"));
    if alone {
        command.arg("--alone");
    }
    if packed {
        command.arg("--packed");
    }
    fs::create_dir_all(place.parent().unwrap()).map_err(|error| error.to_string())?;
    let output = command.args([suite, architecture]).arg(&place).args(names).output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(place) } else { Err(format!("the packages of {suite} for {architecture} cannot be had")) }
}

/// The file in `/boot` whose name begins like this.
fn in_boot(place: &Path, start: &str) -> PathBuf {
    let entries = fs::read_dir(place.join("boot")).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: &PathBuf| path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start));
    entries.into_iter().find(named).unwrap()
}

fn ensure(condition: bool, report: &Report) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(format!("{report:#?}").into()) }
}

/// What is bad enough that somebody would complain.
fn complaints(report: &Report) -> Vec<&'static str> {
    report.findings.iter().filter(|finding| finding.severity > Severity::Note).map(|finding| finding.rule).collect()
}

/// Image and configuration together: one kernel, and nothing wrong with it.
fn kernel_is_good(place: &Path, wanted: Wanted) -> Result<(), Failed> {
    let report = check::check(&[in_boot(place, "vmlinuz-"), in_boot(place, "config-")]);
    let said = |part: &str| report.targets.len() == 1 && report.targets[0].description.contains(part);
    ensure(said(&format!("{} kernel 6.", wanted.machine)) && said(wanted.format) && said(wanted.inside), &report)?;
    ensure(complaints(&report).is_empty() && report.not_checked.is_empty(), &report)
}

/// The same kernel as Fedora configures it and builds it: exactly one finding more.
fn kernel_without_vdso_is_slow(place: &Path) -> Result<(), Failed> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(place.file_name().unwrap());
    fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let mut image = fs::read(in_boot(place, "vmlinuz-")).map_err(|error| error.to_string())?;
    // ELF, 32 bits, little-endian, ET_DYN, EM_ARM
    let start = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x28\0";
    let at = image.windows(start.len()).position(|window| window == start).unwrap();
    image[at] = 0;
    fs::write(directory.join("Image"), image).map_err(|error| error.to_string())?;
    let config = fs::read_to_string(in_boot(place, "config-")).map_err(|error| error.to_string())?;
    let config: Vec<&str> = config.lines().filter(|line| !line.contains("CONFIG_COMPAT_VDSO")).collect();
    let release = in_boot(place, "config-").file_name().unwrap().to_owned();
    fs::write(directory.join(&release), config.join("\n")).map_err(|error| error.to_string())?;
    let report = check::check(&[directory.join("Image"), directory.join(release)]);
    ensure(complaints(&report) == ["K001"], &report)?;
    ensure(
        report.findings[0]
            .evidence
            .contains("no 32-bit ARM vDSO is inside the image; CONFIG_COMPAT=y, CONFIG_COMPAT_VDSO has no line"),
        &report,
    )
}

fn root_is_good(place: &Path, wanted: &str) -> Result<(), Failed> {
    let report = check::check(&[place.to_owned()]);
    ensure(report.targets.iter().any(|target| target.description.contains(wanted)), &report)?;
    ensure(complaints(&report).is_empty() && report.not_checked.is_empty(), &report)?;
    // Without the C library every program fails, and one finding says so. A copy is made to lack it: others read the original.
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(place.file_name().unwrap()).with_extension("without-libc");
    let _ = fs::remove_dir_all(&copy);
    let linked = Command::new("cp").args(["-al", "--"]).arg(place).arg(&copy).status().map_err(|error| error.to_string())?;
    if !linked.success() {
        return Err(format!("cp -al {} {} failed", place.display(), copy.display()).into());
    }
    for directory in ["usr/lib/i386-linux-gnu", "usr/lib/arm-linux-gnueabihf"] {
        let _ = fs::remove_file(copy.join(directory).join("libc.so.6"));
    }
    let report = check::check(std::slice::from_ref(&copy));
    fs::remove_dir_all(&copy).map_err(|error| error.to_string())?;
    ensure(complaints(&report) == ["K041"] && report.findings[0].message.starts_with("libc.so.6"), &report)
}

/// A package needs others, and that is not its fault; in the root file system that it is for they are there.
fn packages_are_good(place: &Path, root: &Path) -> Result<(), Failed> {
    let packages: Vec<PathBuf> = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
    for targets in [packages.clone(), [packages, vec![root.to_owned()]].concat()] {
        let report = check::check(&targets);
        let parts = report.targets.iter().filter(|target| target.description.starts_with("part of a root file system")).count();
        ensure(parts == 2 && complaints(&report).is_empty() && report.not_checked.is_empty(), &report)?;
    }
    Ok(())
}

/// The same is found in an image of it.
fn image_is_the_same(place: &Path, tool: &str) -> Result<(), Failed> {
    let image = place.with_extension(tool);
    let _ = fs::remove_file(&image);
    let mut command = Command::new("env");
    command.arg(format!("PATH={}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())).arg(tool);
    match tool {
        "mksquashfs" => command.arg(place).arg(&image).args(["-quiet", "-no-progress", "-comp", "zstd"]),
        _ => command.args(["-q", "-d"]).arg(place).arg(&image).arg("300M"),
    };
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let (one, two) = (check::check(&[place.to_owned()]), check::check(std::slice::from_ref(&image)));
    fs::remove_file(image).map_err(|error| error.to_string())?;
    let said =
        |report: &Report| report.findings.iter().map(|f| format!("{} {} {}", f.rule, f.message, f.evidence)).collect::<Vec<_>>();
    ensure(said(&one) == said(&two) && two.not_checked.is_empty() && two.targets.len() == 1, &two)
}

fn installed(tool: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    path.split(':').any(|directory| Path::new(directory).join(tool).exists())
}

fn trial(name: String, packages: Packages, test: impl FnOnce(&Path) -> Result<(), Failed> + Send + 'static) -> Trial {
    match unpacked(packages) {
        Ok(place) => Trial::test(name, move || test(&place)),
        Err(reason) => Trial::test(name, || Ok(())).with_kind(reason).with_ignored_flag(true),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (packages, wanted) in KERNELS {
        let name = format!("kernel/{}/{}", packages.0, packages.1);
        trials.push(trial(name.clone(), *packages, |place| kernel_is_good(place, *wanted)));
        if wanted.machine == "arm64" {
            trials.push(trial(format!("{name}/without-vdso"), *packages, kernel_without_vdso_is_slow));
        }
    }
    for (packages, wanted) in ROOTS {
        trials.push(trial(format!("root/{}/{}", packages.0, packages.1), *packages, |place| root_is_good(place, wanted)));
    }
    for (packages, root) in PACKAGES {
        let name = format!("packages/{}/{}", packages.0, packages.1);
        trials.push(match fetched(*packages, true).and_then(|place| Ok((place, unpacked(*root)?))) {
            Ok((place, root)) => Trial::test(name, move || packages_are_good(&place, &root)),
            Err(reason) => Trial::test(name, || Ok(())).with_kind(reason).with_ignored_flag(true),
        });
    }
    for tool in ["mksquashfs", "mke2fs"] {
        for (packages, _) in ROOTS {
            let name = format!("image/{tool}/{}/{}", packages.0, packages.1);
            if installed(tool) {
                trials.push(trial(name, *packages, |place| image_is_the_same(place, tool)));
            } else {
                trials.push(Trial::test(name, || Ok(())).with_kind(format!("{tool} is not installed")).with_ignored_flag(true));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

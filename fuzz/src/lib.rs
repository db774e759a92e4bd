//! What is fed with damaged files, and where the files come from.
//!
//! A target is a row of [`TARGETS`]. Two drivers use the rows: the loop of `main.rs`, which runs with any compiler, and libFuzzer,
//! which needs to be built with counters (`fuzz/coverage`).

#[path = "../../crates/dump/tests/made/mod.rs"]
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is made there fits"
)]
mod made;
pub mod mutation;
#[path = "../../crates/check/tests/object/mod.rs"]
#[allow(missing_docs, unreachable_pub)]
mod object;
pub mod seeds;

use check::config::Config;
use check::facts::{Facts, Kernel};
use elf::{Depth, details};
use findings::Report;
use std::fs;
use std::hint::black_box;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use zerocopy::FromBytes;

/// Something that reads what strangers have written.
pub struct Target {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Reads the bytes. It may refuse them; it must not panic, hang, or ask for more memory than there is.
    pub run: fn(&[u8]),
    /// Files to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Everything that is fuzzed. `file` is whatever `biarch check FILE` may be given: a new format needs a seed, and no row.
pub const TARGETS: &[Target] = &[
    Target { name: "elf", run: elf_file, seeds: seeds::objects },
    Target { name: "dwarf", run: debug_info, seeds: seeds::debug_info },
    Target { name: "kernel", run: kernel, seeds: seeds::kernels },
    Target { name: "config", run: config, seeds: seeds::configs },
    Target { name: "file", run: file, seeds: seeds::files },
    Target { name: "core", run: core_dump, seeds: seeds::cores },
    Target { name: "tree", run: tree, seeds: seeds::trees },
    Target { name: "loader", run: loader, seeds: seeds::objects },
    Target { name: "structures", run: structures, seeds: seeds::structures },
    Target { name: "messages", run: messages, seeds: seeds::messages },
    Target { name: "siginfo", run: siginfo, seeds: seeds::siginfos },
    Target { name: "filter", run: filter, seeds: seeds::filters },
    Target { name: "code", run: machine_code, seeds: seeds::codes },
    Target { name: "frame", run: frame, seeds: seeds::frames },
];

/// Where a program that is linked to no address is put, among other places: at the end of the address space as well.
const BIASES: [u32; 3] = [0, 0x5655_5000, 0xffff_0000];

/// The target with this name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

fn elf_file(bytes: &[u8]) {
    let _ = black_box(elf::facts(bytes));
    let _ = black_box(details(bytes, Depth::Symbols));
    let _ = black_box(elf::exports(bytes));
    let _ = black_box(elf::module::module(bytes));
    let _ = black_box(elf::module::mentions_ioctl(bytes));
}

fn debug_info(bytes: &[u8]) {
    let Ok(object) = ::object::File::parse(bytes) else { return };
    let _ = black_box(elf::dwarf::structures(&object));
    let _ = black_box(elf::dwarf::layouts(&object, &seeds::TYPES.map(str::to_owned)));
    let _ = black_box(elf::dwarf::functions(&object, &seeds::FUNCTIONS.into()));
}

fn kernel(bytes: &[u8]) {
    let _ = black_box(elf::kernel::image(bytes));
}

fn core_dump(bytes: &[u8]) {
    let _ = black_box(dump::convert(bytes, &mut std::io::Cursor::new(Vec::new())));
}

fn config(bytes: &[u8]) {
    let Some(config) = Config::parse(&String::from_utf8_lossy(bytes)) else { return };
    let kernels = vec![Kernel { name: "config".to_owned(), config: Some(config), image: None, machine: None }];
    check::judge(&Facts { kernels, ..Facts::default() }, &mut Report::default());
}

fn loader(bytes: &[u8]) {
    let path = scratch();
    if fs::write(&path, bytes).is_ok() {
        if let Ok(file) = fs::File::open(&path) {
            for bias in BIASES {
                let _ = black_box(run::damaged::program(file.as_raw_fd(), bias));
            }
        }
    }
    let _ = fs::remove_file(path);
}

fn structures(bytes: &[u8]) {
    for row in abi::structs::LAYOUTS.iter().copied().flatten() {
        assert!((row.comes_back)(bytes), "{} comes back changed", row.name);
    }
}

/// Control messages: as a guest's that it sends, and as the kernel's that it receives, into buffers of every length.
fn messages(bytes: &[u8]) {
    if let Ok(length) = abi::cmsg::widened_length(bytes) {
        // What the kernel reads is never more than twice what the guest has written.
        assert!(length <= abi::cmsg::host_capacity(bytes.len()), "{length} of {}", bytes.len());
        assert!(abi::cmsg::widen(bytes, &mut vec![0; length]).is_ok(), "its length is known, and it is not converted");
    }
    for room in [0, 11, 12, 16, bytes.len() / 2, bytes.len()] {
        let mut guest = vec![0; room];
        let narrowed = abi::cmsg::narrow(bytes, &mut guest, &mut |descriptor| _ = black_box(descriptor));
        assert!(narrowed.length <= room, "{narrowed:?} in {room}");
    }
    abi::cmsg::descriptors_in(bytes, &mut |descriptor| _ = black_box(descriptor));
}

fn siginfo(bytes: &[u8]) {
    let Some(info) = bytes.first_chunk::<128>() else { return };
    let _ = black_box(abi::siginfo::to_guest(info));
    let mut host = abi::siginfo::to_host(info);
    let guest = abi::siginfo::to_guest(&host);
    assert_eq!(guest, abi::siginfo::to_guest(&abi::siginfo::to_host(&guest)), "what a guest has been told is not what it says");
    abi::siginfo::mark_queued(&mut host);
    assert_eq!(
        abi::siginfo::code(&abi::siginfo::to_guest(&host)),
        abi::siginfo::code(info),
        "the code of a signal that was queued"
    );
}

/// A filter of system calls, and after it what it is asked about.
fn filter(bytes: &[u8]) {
    let Some((data, rest)) = bytes.split_first_chunk::<64>() else { return };
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(data.chunks_exact(4)) {
        *word = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    }
    let whole = &rest[..rest.len() / 8 * 8];
    if let Ok(code) = <[abi::structs::security::sock_filter::Guest32]>::ref_from_bytes(whole) {
        let _ = black_box(run::damaged::filter(code, &words));
    }
}

fn machine_code(bytes: &[u8]) {
    let _ = black_box(run::damaged::code(bytes));
}

/// Registers that a handler has written over: the old form, and behind it the processor's.
fn frame(bytes: &[u8]) {
    let (Some((fsave, rest)), Some(length)) = (bytes.split_first_chunk(), run::damaged::frame_length()) else { return };
    let mut image = vec![0; length];
    let have = rest.len().min(length);
    image[..have].copy_from_slice(&rest[..have]);
    run::damaged::frame(&mut image, &mut fsave.to_owned());
}

/// On a thread like that of the analysis, whose stack is as deep as trees are.
fn tree(bytes: &[u8]) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(port::STACK).spawn_scoped(scope, || {
            let _ = black_box(port::damaged::judge(bytes));
        });
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()), "the analysis of a tree panics");
    });
}

/// A place for one file that only this process uses, in memory where there is such a place.
#[must_use]
pub fn scratch() -> PathBuf {
    let directory = PathBuf::from("/dev/shm");
    let directory = if directory.is_dir() { directory } else { std::env::temp_dir() };
    directory.join(format!("biarch-fuzz-{}", std::process::id()))
}

fn file(bytes: &[u8]) {
    let path = scratch();
    if fs::write(&path, bytes).is_ok() {
        let report = check::check(std::slice::from_ref(&path));
        let said = report.findings.iter().flat_map(|finding| [&finding.message, &finding.evidence]);
        let said = said.chain(report.not_checked.iter().flat_map(|unchecked| [&unchecked.what, &unchecked.because]));
        for text in said {
            assert!(!text.contains(|c: char| c.is_control()), "this would reach the terminal: {text:?}");
        }
    }
    let _ = fs::remove_file(path);
}

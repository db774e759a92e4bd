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
use std::path::PathBuf;

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
];

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

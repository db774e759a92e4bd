//! Rules of the repository that no compiler knows. CONTRIBUTING.md says why they are there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use abi::syscalls::{Action, i386};

/// The files that may contain `unsafe`, or directories with a `/` at the end. What is not here must do without.
const UNSAFE: &[&str] = &[
    "crates/abi/src/lib.rs",
    "crates/bridge/src/rust.rs",
    "crates/bridge/tests/bindings/layouts.rs",
    "crates/bridge/tests/libraries/crc32.rs",
    "crates/check/src/target/descriptors.rs",
    "crates/cli/src/cmd/run/x86_64.rs",
    "crates/cli/src/cmd/run/x86_64/program.rs",
    "crates/cli/src/entry.rs",
    "crates/run/src/dispatch.rs",
    "crates/run/src/embed.rs",
    "crates/run/src/engine.rs",
    "crates/run/src/host.rs",
    "crates/run/src/lib.rs",
    "crates/run/src/loader.rs",
    "crates/run/src/loader/",
    "crates/run/src/mem/access.rs",
    "crates/run/src/mem/buf.rs",
    "crates/run/src/mem/space.rs",
    "crates/run/src/hidden.rs",
    "crates/run/src/path.rs",
    "crates/run/src/trace.rs",
    "crates/run/src/trace/summary.rs",
    "crates/run/src/text.rs",
    "crates/run/src/process_view.rs",
    "crates/run/src/reexec.rs",
    "crates/run/src/seccomp.rs",
    "crates/run/src/signal.rs",
    "crates/run/src/signal/",
    "crates/run/src/switch.rs",
    "crates/run/src/switch/",
    "crates/run/src/sync.rs",
    "crates/run/src/sys/fd.rs",
    "crates/run/src/sys/process.rs",
    "crates/run/src/sys/process/exec.rs",
    "crates/run/src/sys/ptrace.rs",
    "crates/run/src/sys/signal.rs",
    "crates/run/src/sys/thread.rs",
    "crates/run/src/thread.rs",
    "crates/run/src/traced.rs",
    "crates/run/src/vdso.rs",
    "crates/run/src/vdso/own.rs",
];

/// Names that say nothing about what is inside.
const VAGUE: &[&str] = &["utils", "util", "misc", "helpers", "helper", "common"];

/// What each crate may depend on, of this workspace: one direction.
const DEPENDENCIES: &[(&str, &[&str])] = &[
    ("crates/abi", &[]),
    ("crates/bridge", &["elf", "port"]),
    ("crates/check", &["elf", "findings"]),
    ("crates/compare", &["elf"]),
    ("crates/dump", &["abi", "elf"]),
    ("crates/elf", &["abi"]),
    ("crates/findings", &[]),
    ("crates/port", &["elf", "findings"]),
    ("crates/run", &["abi", "elf"]),
    ("crates/ui", &["compare", "elf", "findings"]),
    ("crates/cli", &["abi", "bridge", "check", "compare", "dump", "elf", "findings", "port", "run", "ui"]),
    ("xtask", &["abi", "elf"]),
    ("tests", &["abi", "elf"]),
    ("benches", &["abi", "bridge", "compare", "elf"]),
    ("fuzz", &["abi", "check", "dump", "elf", "findings", "port", "run"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Every file below `directory`, with its path relative to the root; build products and hidden directories are left out.
fn files(directory: &str) -> Vec<(String, PathBuf)> {
    let mut found = vec![];
    let mut todo = vec![root().join(directory)];
    while let Some(directory) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                todo.push(path);
            } else if path.is_file() {
                let relative = path.strip_prefix(root()).map(|p| p.display().to_string()).unwrap_or_default();
                found.push((relative, path));
            }
        }
    }
    found.sort();
    found
}

fn sources(directory: &str) -> Vec<(String, String)> {
    files(directory)
        .into_iter()
        .filter(|(name, _)| name.ends_with(".rs"))
        .map(|(name, path)| (name, std::fs::read_to_string(path).unwrap_or_default()))
        .collect()
}

/// Whether `word` stands in `text` with no letter, digit or underscore beside it.
fn mentions(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part) && !text[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// A line without its comment. String literals that hold `//` lose their end, which does not matter here.
fn code(line: &str) -> &str {
    line.find("//").map_or(line, |at| &line[..at])
}

fn none<T: std::fmt::Display>(rule: &str, found: &[T]) {
    let list: String = found.iter().map(|item| format!("\n  {item}")).collect();
    assert!(found.is_empty(), "{rule}:{list}");
}

#[test]
fn names_say_what_is_inside() {
    let vague = |path: &str| {
        let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        VAGUE.contains(&stem.as_str()) || path.split('/').any(|part| VAGUE.contains(&part))
    };
    let found: Vec<_> = files("").into_iter().map(|(name, _)| name).filter(|name| vague(name)).collect();
    none("a file's name is the name of the thing in it", &found);
}

#[test]
fn unsafe_is_where_it_is_expected() {
    let allowed = |name: &str| UNSAFE.iter().any(|entry| name == *entry || (entry.ends_with('/') && name.starts_with(entry)));
    let mut found = vec![];
    let mut used = BTreeSet::new();
    for (name, text) in sources("crates").into_iter().chain(sources("xtask")) {
        if text.lines().any(|line| mentions(code(line), "unsafe")) {
            match UNSAFE.iter().find(|entry| name.starts_with(**entry)) {
                Some(entry) if allowed(&name) => drop(used.insert(*entry)),
                _ => found.push(name),
            }
        }
    }
    none("these files must do without unsafe, or be listed here with a reviewer's consent", &found);
    let stale: Vec<_> =
        UNSAFE.iter().filter(|entry| !used.contains(**entry) && !Path::new(&root().join(entry)).exists()).collect();
    none("listed, but there is no such file any more", &stale);
}

#[test]
fn unsafe_says_why_it_is_sound() {
    let mut found = vec![];
    for (name, text) in
        ["crates", "xtask", "tests", "benches"].into_iter().flat_map(sources).filter(|(name, _)| name != "tests/tidy.rs")
    {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| mentions(code(line), "unsafe")) {
            let above = || lines[..number].iter().rev().take(12).take_while(|line| !line.trim().is_empty());
            let line_code = code(line);
            let claim = ["unsafe {", "unsafe impl"].iter().any(|form| line_code.contains(form))
                || line_code.trim_end().ends_with("unsafe");
            // Of a private function the caller is in sight; of a type, `unsafe fn(`, there is nothing to say.
            let promise = line_code.contains("unsafe fn ") && line_code.trim_start().starts_with("pub");
            if claim && !line.contains("SAFETY:") && !above().any(|line| line.contains("SAFETY:")) {
                found.push(format!("{name}:{}: no `// SAFETY:` above", number + 1));
            }
            if promise
                && !lines[..number].iter().rev().take_while(|line| !line.trim().is_empty()).any(|line| line.contains("# Safety"))
            {
                found.push(format!("{name}:{}: no `# Safety` in its documentation", number + 1));
            }
        }
    }
    none("unsafe without a reason", &found);
}

/// The areas of the rows that a function translates; an area of `native` and `refuse` rows only has no file.
fn areas() -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let all = || i386::TABLE.iter().flatten();
    (all().map(|row| row.area).collect(), all().filter(|row| row.action == Action::Call).map(|row| row.area).collect())
}

#[test]
fn every_area_has_its_file_and_every_file_its_area() {
    let (all, translated) = areas();
    let mut found = vec![];
    let files: BTreeSet<String> = files("crates/run/src/sys")
        .into_iter()
        .filter_map(|(name, _)| name.strip_prefix("crates/run/src/sys/").map(str::to_owned))
        .map(|name| name.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned())
        // What handlers read their arguments with; it holds no handler.
        .filter(|name| name != "input")
        .collect();
    found.extend(
        translated
            .iter()
            .filter(|area| !files.contains(**area))
            .map(|area| format!("area {area} has no crates/run/src/sys/{area}.rs")),
    );
    found.extend(
        files
            .iter()
            .filter(|file| !all.contains(file.as_str()))
            .map(|file| format!("crates/run/src/sys/{file}.rs is no area of the table")),
    );
    none("an area of the table is a file of handlers", &found);
}

#[test]
fn dependencies_point_one_way() {
    let known: BTreeMap<_, _> = DEPENDENCIES.iter().copied().collect();
    let mut found = vec![];
    for (name, path) in files("").into_iter().filter(|(name, _)| name.ends_with("/Cargo.toml")) {
        let directory = name.trim_end_matches("/Cargo.toml");
        let Some(allowed) = known.get(directory) else {
            found.push(format!("{name}: not in this test's list"));
            continue;
        };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        for line in text.lines().filter(|line| line.starts_with("biarch-")) {
            let dependency: String = line["biarch-".len()..].chars().take_while(|c| c.is_alphanumeric()).collect();
            if !allowed.contains(&dependency.as_str()) {
                found.push(format!("{name}: must not depend on {dependency}"));
            }
        }
    }
    none("dependencies point one way", &found);
}

#[test]
fn what_is_built_is_what_was_tested() {
    assert!(root().join("Cargo.lock").exists(), "Cargo.lock belongs to the repository: biarch is a program");
    let ignored = std::fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
    assert!(!ignored.contains("Cargo.lock"), "Cargo.lock is ignored");
}

/// `tests/guest/untested.txt`: `NAME REASON` per line.
#[test]
fn every_call_has_a_guest_test() {
    let mut texts = String::new();
    for (name, path) in files("tests/guest") {
        if name.ends_with(".c") || name.ends_with(".go") || name.ends_with(".h") {
            texts.push_str(&std::fs::read_to_string(path).unwrap_or_default());
        }
    }
    let list = std::fs::read_to_string(root().join("tests/guest/untested.txt")).unwrap_or_default();
    let excused: BTreeMap<&str, &str> = list
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .collect();
    let mut found = vec![];
    let tested = |name: &str| {
        mentions(&texts, name) || mentions(&texts, &format!("SYS_{name}")) || mentions(&texts, &format!("__NR_{name}"))
    };
    for row in i386::TABLE.iter().flatten() {
        let refused = matches!(row.action, Action::Refuse(_));
        match excused.get(row.name) {
            Some(_) if tested(row.name) => found.push(format!("{}: is tested, so it must not be in untested.txt", row.name)),
            Some(reason) if reason.trim().is_empty() => found.push(format!("{}: no reason in untested.txt", row.name)),
            None if !refused && !tested(row.name) => found.push(format!("{}: no program in tests/guest mentions it", row.name)),
            _ => {}
        }
    }
    let names: BTreeSet<&str> = i386::TABLE.iter().flatten().map(|row| row.name).collect();
    found.extend(
        excused.keys().filter(|name| !names.contains(*name)).map(|name| format!("{name}: in untested.txt, but no such row")),
    );
    none("every system call that is not refused has a test, or a reason in tests/guest/untested.txt", &found);
}

/// Sections of docs/known-gaps.md about programs under biarch.
const GAPS_OF_RUN: &[&str] =
    &["System calls and devices", "Programs and processes", "binfmt", "Thread-local storage", "Ways in", "Paths", "`--trace`"];

#[test]
fn every_gap_says_who_notices() {
    let text = std::fs::read_to_string(root().join("docs/known-gaps.md")).unwrap_or_default();
    let (mut section, mut rows, mut found) = ("", BTreeMap::new(), vec![]);
    for line in text.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        if !GAPS_OF_RUN.contains(&section) || !line.starts_with("| ") {
            continue;
        }
        // A pipe in code is written with a backslash.
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if *rows.entry(section).and_modify(|rows| *rows += 1).or_insert(0) == 0 {
            if cells != ["gap", "consequence", "who notices", "what to do"] {
                found.push(format!("{section}: {line}"));
            }
        } else if cells.len() != 4 || cells.iter().any(|cell| cell.is_empty()) {
            found.push(format!("{section}: {}", cells[0]));
        }
    }
    found.extend(GAPS_OF_RUN.iter().filter(|name| !rows.contains_key(*name)).map(|name| format!("{name}: no such section")));
    none("gaps in docs/known-gaps.md say what, what follows, who notices, and what to do", &found);
}

#[test]
fn scripts_are_executable_and_strict() {
    use std::os::unix::fs::PermissionsExt;
    let mut found = vec![];
    for (name, path) in files("packaging")
        .into_iter()
        .chain(files("tests"))
        .chain(files("benches"))
        .chain([(".ci/run".to_owned(), root().join(".ci/run"))])
    {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // What runs inside the trees is under test itself: it goes on after a failure, to show more of them.
        if !text.starts_with("#!") || name.starts_with("tests/guest/") || name.starts_with("tests/programs/") {
            continue;
        }
        if path.metadata().map_or(0, |m| m.permissions().mode()) & 0o111 == 0 {
            found.push(format!("{name}: not executable"));
        }
        if text.lines().next().unwrap_or_default().contains("bash") && !text.contains("set -euo pipefail") {
            found.push(format!("{name}: no `set -euo pipefail`"));
        }
    }
    none("scripts", &found);
}

//! `biarch port layout`: what is said of types in source, in object files and by pahole is the same.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use elf::layout::{Comparison, Row, Spot, Verdict};
use port::explorer::{Layouts, of_builds, of_source};
use port::{Options, pair::Pair};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAMES: [&str; 13] = [
    "same",
    "node",
    "aligned",
    "bits",
    "inner",
    "outer",
    "flexible",
    "opaque",
    "packed",
    "stat",
    "sockaddr_in6",
    "sigaction",
    "itimerspec",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layout/shapes.c")
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn from_source(types: &[&str]) -> anyhow::Result<Layouts> {
    of_source(&Options::new(vec![source()], Pair::ALL[0]), &names(types))
}

/// The object file of one architecture, made in a directory of the test's own.
fn object(test: &str, prefix: &str, flags: &[&str]) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("layout").join(test);
    fs::create_dir_all(&directory).unwrap();
    let object = directory.join(format!("{prefix}{}.o", flags.concat()));
    let mut command = Command::new(format!("{prefix}-gcc"));
    let output = command.arg("-c").args(flags).arg("-o").arg(&object).arg(source()).output().unwrap();
    assert!(output.status.success(), "{prefix}-gcc: {}", String::from_utf8_lossy(&output.stderr));
    object
}

/// The members of a structure as pahole prints them: the first bit, and the bytes of what is no bit-field.
fn pahole(object: &Path, name: &str) -> BTreeMap<String, (u64, u64)> {
    let output = Command::new("pahole").args(["-C", name]).arg(object).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut members = BTreeMap::new();
    // What is in a structure within this one is indented further.
    for line in text.lines().filter(|line| line.starts_with('\t') && !line.starts_with("\t\t")) {
        let Some((code, comment)) = line.split_once("/*") else { continue };
        let numbers: Vec<u64> = comment
            .split(|c: char| !c.is_ascii_digit())
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().unwrap())
            .collect();
        let code = code.trim().trim_end_matches(';');
        if code.is_empty() || numbers.len() < 2 || comment.contains("XXX") || comment.contains("size:") {
            continue;
        }
        let is_bits = comment.contains(':');
        let code = code.rsplit_once(" __attribute__").map_or(code, |(code, _)| code);
        let name = match code.split_once("(*") {
            Some((_, rest)) => rest.split(')').next().unwrap(),
            None => code.split(['[', ':']).next().unwrap().split_whitespace().next_back().unwrap(),
        };
        let name = if name == "}" { "" } else { name.trim_start_matches('*') };
        let bit = if is_bits { numbers[0] * 8 + numbers[1] } else { numbers[0] * 8 };
        members.insert(name.to_owned(), (bit, if is_bits { 0 } else { numbers[1] }));
    }
    members
}

fn members(of: &Comparison, side: fn(&Row) -> Option<&Spot>) -> BTreeMap<String, (u64, u64)> {
    let rows = of.members.iter().filter(|row| row.depth == 0);
    let spots = rows.filter_map(|row| Some((row.path.clone(), side(row)?)));
    spots.map(|(path, spot)| (path, (spot.offset * 8 + spot.bit, if spot.bits.is_some() { 0 } else { spot.size }))).collect()
}

#[test]
fn object_files_say_what_pahole_says() {
    for flags in [["-g"].as_slice(), &["-gdwarf-4"], &["-g", "-gz"]] {
        let [narrow, wide] = ["i686-linux-gnu", "x86_64-linux-gnu"].map(|prefix| object("pahole", prefix, flags));
        // The order of the files does not matter.
        let layouts = of_builds([&wide, &narrow], &names(&NAMES)).unwrap();
        for (of, name) in layouts.types.iter().zip(NAMES) {
            type Side = fn(&Row) -> Option<&Spot>;
            let sides: [(_, Side); 2] = [(&narrow, |row| row.narrow.as_ref()), (&wide, |row| row.wide.as_ref())];
            for (file, side) in sides {
                let expected = pahole(file, name);
                assert!(!expected.is_empty(), "pahole knows {name}");
                let own = members(of, side);
                let own: BTreeMap<_, _> = own.into_iter().filter(|(member, _)| expected.contains_key(member)).collect();
                assert_eq!(own, expected, "{name} in {} {flags:?}", file.display());
            }
        }
    }
}

#[test]
fn source_says_what_its_objects_say() {
    let [narrow, wide] = ["i686-linux-gnu", "x86_64-linux-gnu"].map(|prefix| object("source", prefix, &["-g"]));
    // Those of the system depend on the options of the compiler's maker.
    let own: Vec<&str> = NAMES.iter().copied().take(9).collect();
    let (built, parsed) = (of_builds([&narrow, &wide], &names(&own)).unwrap(), from_source(&own).unwrap());
    for (built, parsed) in built.types.iter().zip(&parsed.types) {
        let facts = |of: &Comparison| {
            let row = |row: &Row| {
                let spot =
                    |spot: &Option<Spot>| spot.as_ref().map(|spot| (spot.offset, spot.bit, spot.size, spot.bits, spot.hole));
                (row.path.clone(), spot(&row.narrow), spot(&row.wide))
            };
            (of.narrow, of.wide, of.padding, of.verdict, of.members.iter().map(row).collect::<Vec<_>>())
        };
        assert_eq!(facts(built), facts(parsed), "{}", parsed.name);
    }
}

#[test]
fn the_verdict_says_whether_one_can_be_made_of_the_other() {
    use Verdict::{Full, None, Repackable};
    let wanted = [
        ("same", Full, ""),
        ("struct node", Repackable, ""),
        ("aligned", Repackable, ""),
        ("packed", Repackable, ""),
        ("nameless", Repackable, ""),
        ("union either", None, "a union"),
        ("outer", None, "a union"),
        ("flexible", None, "length is known elsewhere"),
        ("opaque", None, "context is a pointer to something unknown"),
    ];
    let layouts = from_source(&wanted.map(|(name, ..)| name)).unwrap();
    for (of, (name, verdict, because)) in layouts.types.iter().zip(wanted) {
        assert_eq!(of.verdict, verdict, "{name}: {:?}", of.because);
        assert!(of.because.join("; ").contains(because), "{name}: {:?}", of.because);
    }
}

#[test]
fn holes_are_where_nothing_lies() {
    let layouts = from_source(&["outer", "aligned"]).unwrap();
    let aligned = &layouts.types[1];
    let b = aligned.members.iter().find(|row| row.path == "b").unwrap();
    assert_eq!((b.narrow.as_ref().unwrap().hole, b.wide.as_ref().unwrap().hole), (3, 7));
    for of in &layouts.types {
        for (side, size, padding) in [(0, of.narrow, of.padding[0]), (1, of.wide, of.padding[1])] {
            let spots = of.members.iter().filter(|row| row.depth == 0);
            let spots = spots.filter_map(|row| if side == 0 { row.narrow.as_ref() } else { row.wide.as_ref() });
            let used: u64 = spots.map(|spot| spot.size + spot.hole).sum();
            assert_eq!(used + padding, size, "{}", of.name);
        }
    }
}

#[test]
fn what_is_not_there_is_said() {
    let error = from_source(&["missing"]).unwrap_err().to_string();
    assert!(error.contains("no type `missing`") && error.contains("outer"), "{error}");
    let object = object("missing", "x86_64-linux-gnu", &["-g"]);
    let error = of_builds([&object, &object], &names(&["outer"])).unwrap_err().to_string();
    assert!(error.contains("the same word size"), "{error}");
    let plain = self::object("missing", "x86_64-linux-gnu", &["-g0"]);
    let error = of_builds([&plain, &object], &names(&["outer"])).unwrap_err().to_string();
    assert!(error.contains("no debugging information"), "{error}");
}

//! `biarch compare --static` against other people's tools (size, readelf, objdump, pahole), on Debian's own programs and libraries and
//! on small ones made here; and on files that are none, or are damaged.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use compare::binary::{self, Both, Pair};
use compare::disassembly::{self, Class, Decoder};
use compare::stats::Random;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Two word sizes: the architectures as Debian calls them, and the prefix of their tools.
#[derive(Clone, Copy)]
struct Family {
    name: &'static str,
    debian: [&'static str; 2],
    tools: [&'static str; 2],
}

/// What is tried on programs that are built here.
type Try = fn(Family) -> Result<(), Failed>;
const BUILT: [(&str, Try); 3] = [("structures", structures), ("separate", separate), ("damaged", damaged)];

const FAMILIES: [Family; 2] = [
    Family { name: "x86", debian: ["i386", "amd64"], tools: ["i686-linux-gnu-", "x86_64-linux-gnu-"] },
    Family { name: "arm", debian: ["armhf", "arm64"], tools: ["arm-linux-gnueabihf-", "aarch64-linux-gnu-"] },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// What a command prints.
fn output(program: &str, arguments: &[&str]) -> Result<String, Failed> {
    let output =
        Command::new(program).args(arguments).env("LC_ALL", "C").output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, own: &T, others: &T) -> Result<(), Failed> {
    if own == others { Ok(()) } else { Err(format!("{what}: {own:?}, and not {others:?}").into()) }
}

/// The tool of a GNU toolchain; that of the machine itself may have no prefix.
fn tool(prefix: &str, name: &str) -> String {
    let own = format!("{prefix}{name}");
    if Command::new(&own).arg("--version").output().is_ok() { own } else { name.to_owned() }
}

/// A place for one trial's files.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&place).unwrap();
    place
}

fn build(prefix: &str, source: &str, to: &Path, flags: &[&str]) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
    let mut arguments = vec![source.to_str().unwrap(), "-o", to.to_str().unwrap()];
    arguments.extend(flags);
    output(&format!("{prefix}gcc"), &arguments).map(|_| ())
}

fn look(narrow: &Path, wide: &Path) -> Result<Pair, Failed> {
    binary::compare(narrow, wide, &[]).map_err(|error| format!("{error:#}").into())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Everything that other tools say as well.
fn agrees(family: Family, narrow: &Path, wide: &Path) -> Result<(), Failed> {
    let pair = look(narrow, wide)?;
    for (at, path) in [narrow, wide].into_iter().enumerate() {
        let side = |both: Both| if at == 0 { both.narrow } else { both.wide };
        let sums = output(&tool(family.tools[at], "size"), &[text(path)])?;
        let sums: Vec<u64> = sums.lines().nth(1).unwrap().split_whitespace().take(3).map(|n| n.parse().unwrap()).collect();
        let own = [pair.sections.text, pair.sections.data, pair.sections.bss].map(side).to_vec();
        same("size(1)", &own, &sums)?;

        let listed = output("readelf", &["-SW", text(path)])?;
        let mut sections: BTreeMap<String, u64> = BTreeMap::new();
        for line in listed.lines().filter_map(|line| line.trim_start().strip_prefix('[')?.split_once(']')) {
            let fields: Vec<&str> = line.1.split_whitespace().collect();
            if line.0.trim().parse::<u32>().is_ok_and(|number| number > 0) {
                *sections.entry(fields[0].to_owned()).or_default() += u64::from_str_radix(fields[4], 16).unwrap();
            }
        }
        let names = |row: &binary::SectionRow| if at == 0 { row.narrow_sections.clone() } else { row.wide_sections.clone() };
        let own: u64 = pair.sections.rows.iter().map(|row| side(row.size)).sum();
        same("bytes of all sections", &own, &sections.values().sum())?;
        for row in &pair.sections.rows {
            let listed: u64 = names(row).iter().map(|name| sections[name]).sum();
            same(&row.name, &side(row.size), &listed)?;
        }

        let mut relocations = output("readelf", &["-rW", text(path)])?;
        // Packed ones are listed without a type.
        relocations.retain(|c| c != '\r');
        let listed = relocations.lines().filter(|line| line.split_whitespace().nth(2).is_some_and(|kind| kind.starts_with("R_")));
        let own: u64 = pair.relocations.iter().map(|row| side(row.count)).sum();
        same("relocations", &own, &(listed.count() as u64))?;
        same("relocations of other kinds", &pair.relocations.iter().any(|row| row.name == "other"), &false)?;

        let listed = output(&tool(family.tools[at], "objdump"), &["-d", "-z", text(path)])?;
        let mix = [&pair.instructions.narrow, &pair.instructions.wide][at].as_ref().unwrap();
        let instructions: Vec<&str> = listed.lines().filter_map(|line| line.strip_prefix(' ')?.split('\t').nth(2)).collect();
        // Without mapping symbols objdump takes the constants between functions of 32-bit ARM for code.
        if family.debian[at] != "armhf" {
            let own = mix.instructions + mix.count(Class::Padding) + mix.count(Class::Data);
            same("instructions", &own, &(instructions.len() as u64))?;
            let calls = instructions.iter().filter(|text| {
                let name =
                    text.split_whitespace().find(|word| !["bnd", "notrack", "rep", "repz"].contains(word)).unwrap_or_default();
                ["call", "callq", "calll", "callw", "ret", "retq", "retl", "retw", "bl", "blr"].contains(&name)
                    || name.starts_with("lcall")
            });
            same("calls and returns", &mix.count(Class::Call), &(calls.count() as u64))?;
        }
    }
    Ok(())
}

/// The package `name` of both architectures, as it is in Debian 12.
fn packages(family: Family, names: &[&str]) -> Result<[PathBuf; 2], String> {
    let both = family.debian.map(|architecture| {
        let place = root().join("target/compare-packages").join(architecture);
        fs::create_dir_all(place.parent().unwrap()).map_err(|error| error.to_string())?;
        let mut command = Command::new(root().join("packaging/debian-packages.sh"));
        let output = command.args(["--alone", "bookworm", architecture]).arg(&place).args(names).output();
        match output {
            Ok(output) if output.status.success() => Ok(place),
            _ => Err(format!("the packages for {architecture} cannot be had")),
        }
    });
    let [narrow, wide] = both;
    Ok([narrow?, wide?])
}

fn library(place: &Path, name: &str) -> PathBuf {
    let directories = fs::read_dir(place.join("lib")).unwrap().map(|entry| entry.unwrap().path());
    directories.into_iter().find_map(|directory| Some(directory.join(name)).filter(|path| path.exists())).unwrap()
}

/// Every instruction of a program is of the class that its comment says.
fn classes(prefix: &str, source: &str, flags: &[&str]) -> Result<(), Failed> {
    let place = place(&format!("classes-{source}"));
    let program = place.join("program");
    build(prefix, source, &program, &[&["-nostdlib", "-static", "-Wl,--build-id=none"], flags].concat())?;
    let bytes = fs::read(&program)?;
    let object = object::File::parse(bytes.as_slice()).unwrap();
    let mut own = Vec::new();
    for code in disassembly::code(&object).unwrap().iter().filter(|code| code.name == ".text") {
        Decoder::of(&object).unwrap().walk(code, true, &mut |one| own.push((one.class, one.text, one.length)));
    }
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source))?;
    let wanted: Vec<(&str, &str)> = source
        .lines()
        .filter(|line| {
            line.starts_with("    ") && !line.trim_start().starts_with('.') || line.contains(".byte") || line.contains(".word")
        })
        .filter_map(|line| {
            let at = ["# ", "@ ", "// "].iter().filter_map(|mark| line.rfind(mark).map(|at| (at, mark.len()))).max()?;
            Some((line[..at.0].trim(), line[at.0 + at.1..].trim()))
        })
        .collect();
    for (at, (instruction, class)) in wanted.iter().enumerate() {
        let (found, text, _) = own.get(at).ok_or_else(|| format!("only {} instructions", own.len()))?;
        same(&format!("{instruction} ({text})"), &format!("{found:?}").to_lowercase().as_str(), class)?;
    }
    // The linker may fill up behind the last.
    same("what follows", &own[wanted.len()..].iter().all(|(class, ..)| *class == Class::Padding), &true)
}

/// Sizes of structures are those of pahole, and each reason of growth is named.
fn structures(family: Family) -> Result<(), Failed> {
    let place = place(&format!("structures-{}", family.name));
    let programs = family.tools.map(|prefix| (prefix, place.join(prefix)));
    for (flags, kind) in [
        (["-g", "-O1"].as_slice(), "plain"),
        (["-g", "-gz", "-O1"].as_slice(), "compressed"),
        (["-g", "-gdwarf-4"].as_slice(), "DWARF 4"),
    ] {
        for (prefix, program) in &programs {
            build(prefix, "structures.c", program, flags)?;
        }
        let types = look(&programs[0].1, &programs[1].1)?.types.ok_or("no structures")?;
        if kind == "plain" {
            let sizes = |program: &Path| -> Result<BTreeMap<String, u64>, Failed> {
                let listed = output("pahole", &["--sizes", text(program)])?;
                let line = |line: &str| Some((line.split('\t').next()?.to_owned(), line.split('\t').nth(1)?.parse().ok()?));
                Ok(listed.lines().filter_map(line).collect())
            };
            let (narrow, wide) = (sizes(&programs[0].1)?, sizes(&programs[1].1)?);
            let grown: BTreeMap<_, _> =
                types.grown.iter().map(|one| (one.name.clone(), (one.size.narrow, one.size.wide))).collect();
            let listed = narrow.iter().filter_map(|(name, size)| Some((name.clone(), (*size, *wide.get(name)?))));
            same("structures that grow", &grown, &listed.filter(|(_, (one, two))| one != two).collect())?;
        }
        let record = types.grown.iter().find(|one| one.name == "record").ok_or("no record")?;
        let mut members: Vec<(&str, &str)> = record.members.iter().map(|one| (one.name.as_str(), one.of.as_str())).collect();
        // Of i386 only: its 8-byte integers need an address that is a multiple of 4.
        members.retain(|(name, _)| *name != "inner");
        let wanted = [
            ("count", "long int"),
            ("length", "size_t"),
            ("when", "time_t"),
            ("name", "pointer"),
            ("table", "pointer[4]"),
            ("call", "pointer"),
            ("nameless", "structure"),
            ("matrix", "long int[6]"),
        ];
        same(kind, &members, &wanted.to_vec())?;
        let growth: u64 = record.members.iter().map(|one| one.size.wide - one.size.narrow).sum();
        let padding = record.padding.unwrap();
        same("members and padding", &(growth + padding.wide - padding.narrow), &(record.size.wide - record.size.narrow))?;
        same(
            "alignment alone",
            &types.grown.iter().any(|one| one.name == "inner" && one.members.is_empty()),
            &(family.name == "x86"),
        )?;
    }
    Ok(())
}

/// Debugging information that is in a file of its own is found by its build-id and by its name, and only if it is of this program.
fn separate(family: Family) -> Result<(), Failed> {
    let place = place(&format!("separate-{}", family.name));
    let root = place.join("debug");
    let programs = family.tools.map(|prefix| (prefix, place.join(format!("{prefix}program"))));
    for (prefix, program) in &programs {
        let debug = program.with_extension("debug");
        build(prefix, "structures.c", program, &["-g", "-Wl,--build-id"])?;
        let objcopy = tool(prefix, "objcopy");
        output(&objcopy, &["--only-keep-debug", text(program), text(&debug)])?;
        output(&objcopy, &["--strip-debug", "--add-gnu-debuglink", text(&debug), text(program)])?;
    }
    let grown = |pair: &Pair| pair.types.as_ref().map(|types| types.grown.len());
    let by_name = look(&programs[0].1, &programs[1].1)?;
    same("by name", &grown(&by_name).is_some_and(|count| count >= 3), &true)?;
    for (_, program) in &programs {
        let notes = output("readelf", &["-n", text(program)])?;
        let id = notes.lines().find_map(|line| line.trim().strip_prefix("Build ID: ")).ok_or("no build-id")?.to_owned();
        let to = root.join(".build-id").join(&id[..2]);
        fs::create_dir_all(&to)?;
        fs::rename(program.with_extension("debug"), to.join(format!("{}.debug", &id[2..])))?;
    }
    let lost = look(&programs[0].1, &programs[1].1)?;
    same("not there", &(grown(&lost), lost.notes.iter().any(|note| note.contains("--debug-dir"))), &(None, true))?;
    let by_id = binary::compare(&programs[0].1, &programs[1].1, &[root]).map_err(|error| format!("{error:#}"))?;
    same("by build-id", &grown(&by_id), &grown(&by_name))?;
    // That of another build would say something else.
    build(programs[1].0, "structures.c", &programs[1].1.with_extension("debug"), &["-g", "-O2", "-Wl,--build-id"])?;
    let stale = look(&programs[0].1, &programs[1].1)?;
    same("of another build", &(grown(&stale), stale.notes.iter().any(|note| note.contains("another build"))), &(None, true))
}

fn refused() -> Result<(), Failed> {
    let place = place("refused");
    let program = Path::new("/proc/self/exe").canonicalize()?;
    let (object, archive, script, empty) = (place.join("a.o"), place.join("a.a"), place.join("a.sh"), place.join("empty"));
    build("x86_64-linux-gnu-", "structures.c", &object, &["-c"])?;
    let _ = fs::remove_file(&archive);
    output("ar", &["rc", text(&archive), text(&object)])?;
    fs::write(&script, "#!/bin/sh\n")?;
    fs::write(&empty, "")?;
    let mut core = fs::read(&object)?;
    core[16] = 4;
    fs::write(place.join("core"), core)?;
    let bare = place.join("bare");
    build("x86_64-linux-gnu-", "x86_64.s", &bare, &["-nostdlib", "-static"])?;
    let mut bytes = fs::read(&bare)?;
    // e_shoff, e_shnum and e_shstrndx
    bytes[40..48].fill(0);
    bytes[60..64].fill(0);
    fs::write(&bare, bytes)?;
    for (path, says) in [
        (object.as_path(), "not linked"),
        (&archive, "archive"),
        (&script, "script"),
        (&empty, "is empty"),
        (&place.join("core"), "core file"),
        (&bare, "section headers"),
        (&place, "directory"),
        (Path::new("/dev/zero"), "no regular file"),
        (Path::new("/etc/passwd"), "no ELF"),
        (&place.join("nowhere"), "cannot read"),
    ] {
        for pair in [(path, program.as_path()), (&program, path)] {
            let said = binary::compare(pair.0, pair.1, &[]).map_or_else(|error| format!("{error:#}"), |_| "nothing".to_owned());
            if !said.contains(says) || !said.contains(text(path)) {
                return Err(format!("{}: {said}, and not {says}", path.display()).into());
            }
        }
    }
    Ok(())
}

/// Damaged programs are refused or compared, and nothing else happens.
fn damaged(family: Family) -> Result<(), Failed> {
    let place = place(&format!("damaged-{}", family.name));
    let whole = place.join("whole");
    let mut random = Random::new(1);
    for prefix in family.tools {
        build(prefix, "structures.c", &whole, &["-g"])?;
        let bytes = fs::read(&whole)?;
        let hurt = place.join("hurt");
        let mut different = 0;
        let sections = bytes.len() - bytes.len() / 4;
        for round in 0..400 {
            let mut bytes = bytes.clone();
            if round % 8 == 0 {
                bytes.truncate(random.below(bytes.len()));
            }
            for _ in 0..random.below(12) {
                // Headers are at both ends, debugging information in between.
                let at = match round % 3 {
                    0 => random.below(64),
                    1 => sections + random.below(bytes.len().saturating_sub(sections).max(1)),
                    _ => random.below(bytes.len().max(1)),
                };
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next().to_le_bytes()[0];
                }
            }
            fs::write(&hurt, bytes)?;
            different += usize::from(binary::compare(&hurt, &whole, &[]).is_err());
        }
        same("some are refused, some not", &(different > 20 && different < 390), &true)?;
    }
    Ok(())
}

fn order_and_word_sizes() -> Result<(), Failed> {
    let place = place("order");
    let programs = FAMILIES[0].tools.map(|prefix| place.join(prefix));
    for (prefix, program) in FAMILIES[0].tools.iter().zip(&programs) {
        build(prefix, "structures.c", program, &["-g"])?;
    }
    let (one, two) = (look(&programs[0], &programs[1])?, look(&programs[1], &programs[0])?);
    same("the narrow one is on the left", &(&one.narrow.path, &one.narrow.abi), &(&two.narrow.path, &"i386".to_owned()))?;
    same("sums", &one.sections.loaded, &two.sections.loaded)?;
    same("nothing to note", &one.notes, &Vec::new())?;
    let own = look(&programs[1], &programs[1])?;
    same("itself", &own.notes.iter().any(|note| note.contains("both are of x86-64")), &true)?;
    same("itself", &(own.sections.loaded.ratio(), own.types.map(|types| types.grown.len())), &(Some(1.0), Some(0)))
}

fn skipped(name: String, reason: &str) -> Trial {
    Trial::test(name, || Ok(())).with_kind(reason.to_owned()).with_ignored_flag(true)
}

fn main() {
    let arguments = Arguments::from_args();
    let has = |command: &str| Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success());
    let mut trials = vec![Trial::test("refused", refused), Trial::test("order_and_word_sizes", order_and_word_sizes)];
    let x86: [&[&str]; 2] = [&["-m32"], &["-Wa,--divide"]];
    trials.push(Trial::test("classes/i386", move || {
        classes("i686-linux-gnu-", "x86.s", &[]).and_then(|()| classes("i686-linux-gnu-", "i386.s", x86[0]))
    }));
    trials.push(Trial::test("classes/x86_64", move || classes("x86_64-linux-gnu-", "x86_64.s", x86[1])));
    for family in FAMILIES {
        let missing = family.tools.iter().find(|prefix| !has(&format!("{prefix}gcc")));
        for (name, run) in BUILT {
            let name = format!("{name}/{}", family.name);
            trials.push(match missing {
                Some(prefix) => skipped(name, &format!("{prefix}gcc is not installed")),
                None if name.starts_with("structures") && !has("pahole") => skipped(name, "pahole is not installed"),
                None => Trial::test(name, move || run(family)),
            });
        }
        for (at, prefix) in family.tools.into_iter().enumerate().filter(|_| family.name == "arm") {
            let (name, source) = [("classes/arm", "arm.s"), ("classes/aarch64", "aarch64.s")][at];
            trials.push(match missing {
                Some(prefix) => skipped(name.to_owned(), &format!("{prefix}gcc is not installed")),
                None => Trial::test(name, move || classes(prefix, source, &[])),
            });
        }
        let name = format!("debian/{}", family.name);
        trials.push(match (missing, packages(family, &["gzip", "zlib1g"])) {
            (Some(prefix), _) => skipped(name, &format!("{prefix}objdump is not installed")),
            (_, Err(reason)) => skipped(name, &reason),
            (_, Ok([narrow, wide])) => Trial::test(name, move || {
                agrees(family, &narrow.join("bin/gzip"), &wide.join("bin/gzip"))?;
                agrees(family, &library(&narrow, "libz.so.1"), &library(&wide, "libz.so.1"))
            }),
        });
    }
    libtest_mimic::run(&arguments, trials).exit();
}

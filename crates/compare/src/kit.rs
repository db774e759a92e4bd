//! The kit: what a machine without biarch is measured with, and the text of raw samples that it writes there.
//!
//! A section begins with `[NAME]`. Below it are `| TEXT`, what was read or measured, and `! TEXT`, why there is no more. Whatever
//! else a line says belongs to nobody: somebody may have written there, on a serial console.

use crate::comparison::{Comparison, Outcome, Ratio, SCHEMA_VERSION, SELF_CHECK, SelfCheck};
use crate::machine::{FILES, Machine, VULNERABILITIES};
use crate::measure::DIFFERENT;
use crate::worker::{self, Abi, Row};
use anyhow::{Context, Result, ensure};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// How a kit's text begins.
const MAGIC: &str = "biarch-compare-kit 1";
/// Batches in a process; a worker has room for 64.
const MAX_BATCHES: usize = 64;

/// A pair of ABIs: what `uname -m` says where it runs, that of 64 bits, that of 32 bits.
const PAIRS: [(&str, Abi, Abi); 2] = [("x86_64", Abi::X86_64, Abi::I386), ("aarch64 | arm64", Abi::Arm64, Abi::Armhf)];

/// Writes a kit with these benchmarks into `directory`, which is made if it is not there: the programs of every pair of ABIs that
/// this biarch was built with, a script, and how to use them. The result is the pairs' names, and what is missing.
///
/// # Errors
/// What cannot be written, and why.
pub fn write(directory: &Path, rows: &[Row]) -> Result<Vec<String>> {
    let place = |name: &str, contents: &[u8], mode: u32| {
        let path = directory.join(name);
        let written =
            std::fs::write(&path, contents).and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)));
        written.with_context(|| format!("cannot write {}", path.display()))
    };
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let mut said = Vec::new();
    let mut cases = Vec::new();
    for (machines, wide, narrow) in PAIRS {
        let pair = format!("{} and {}", narrow.name(), wide.name());
        if [wide, narrow].iter().any(|abi| abi.image().is_empty()) {
            said.push(format!("{pair}: not in this biarch, which was built without their compilers"));
            continue;
        }
        for abi in [wide, narrow] {
            place(&format!("worker-{}", abi.name()), abi.image(), 0o755)?;
        }
        cases.push(format!("    {machines}) wide={} narrow={} ;;", wide.name(), narrow.name()));
        said.push(format!("{pair}: on a machine whose `uname -m` is {}", machines.replace(" | ", " or ")));
    }
    // Those of Debian's packages are not in a kit.
    let own = worker::rows()?;
    let rows: Vec<String> =
        rows.iter().filter(|row| own.contains(row)).map(|row| format!("{} {} {}", row.suite, row.name, row.title)).collect();
    let script = include_str!("../kit/compare.sh")
        .replace("@PAIRS@", &cases.join("\n"))
        .replace("@FILES@", &FILES.join(" "))
        .replace("@VULNERABILITIES@", VULNERABILITIES)
        .replace("@SELF_CHECK@", &SELF_CHECK.join(" "))
        .replace("@BENCHMARKS@", &rows.join("\n"));
    place("compare.sh", script.as_bytes(), 0o755)?;
    place("README.txt", include_bytes!("../kit/README.txt"), 0o644)?;
    Ok(said)
}

/// Whether a file with these bytes is what a kit has written.
pub(crate) fn is_kit(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC.as_bytes())
}

/// What stands below a heading.
struct Section<'a> {
    name: &'a str,
    /// What was read.
    lines: Vec<&'a str>,
    /// Why there is no more.
    because: Option<&'a str>,
}

/// Reads what a kit has written; the conclusions are still to be drawn.
///
/// # Errors
/// Where it does not say what was compared, or not with what the same program differs from itself.
pub(crate) fn parse(text: &str) -> Result<Comparison> {
    let mut sections = sections(text);
    let mut left_out = Vec::new();
    // What was cut off in the middle says something that is not so.
    if sections.last().is_none_or(|last| last.name != "end") {
        let last = sections.pop().map_or("nothing", |last| last.name);
        left_out.push(format!("the rest: the text ends in [{last}]; was it cut off?"));
    }
    let find = |name: &str| sections.iter().find(|section| section.name == name);
    let sides: Vec<String> = find("sides").map(|own| own.lines.iter().map(|&line| line.to_owned()).collect()).unwrap_or_default();
    ensure!(sides.len() == 2, "it is the text of a kit, but does not say what two sides it has");
    let fact = |key: &str| find("uname")?.lines.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let cpus = fact("cpus").and_then(|cpus| cpus.parse().ok()).unwrap_or(1);
    let names = sections.iter().filter_map(|section| section.name.strip_prefix(VULNERABILITIES).map(str::to_owned)).collect();
    let read = |path: &str| Some(find(path)?.lines.join("\n"));
    let machine = Machine::of(&read, fact("release").unwrap_or("unknown"), cpus, names);
    let known = worker::rows()?;
    let mut own = Vec::new();
    let mut outcomes = Vec::new();
    for section in &sections {
        if let Some(name) = section.name.strip_prefix("self-check ") {
            let (samples, _) = samples(section);
            let [first, second] = samples.as_slice() else { continue };
            own.extend(Ratio::of(second, first).map(|ratio| (name.to_owned(), ratio)));
        } else if let Some(row) = section.name.strip_prefix("benchmark ") {
            let mut words = row.splitn(3, ' ').map(str::to_owned);
            let (suite, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let (samples, missing) = samples(section);
            let shown = known.iter().any(|row| row.name == name && row.shown);
            let title = words.next().unwrap_or_default();
            outcomes.push(Outcome { suite, name, title, samples, shown, missing, ..Outcome::default() });
        }
    }
    ensure!(
        own.len() == SELF_CHECK.len(),
        "the same program on both sides was not measured, without which nothing can be claimed"
    );
    let self_check = SelfCheck::of(own);
    let notes = self_check.advice().into_iter().collect();
    Ok(Comparison { schema_version: SCHEMA_VERSION, machine, sides, self_check, outcomes, left_out, notes })
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            sections.push(Section { name, lines: Vec::new(), because: None });
        } else if let Some(section) = sections.last_mut() {
            if let Some(because) = line.strip_prefix("! ") {
                section.because.get_or_insert(because);
            } else if let Some(line) = line.strip_prefix('|') {
                section.lines.push(line.strip_prefix(' ').unwrap_or(line));
            }
        }
    }
    sections
}

/// The samples of both sides, and why there are none.
fn samples(section: &Section<'_>) -> (Vec<Vec<f64>>, Vec<String>) {
    let none = |why: &str| (vec![Vec::new(); 2], vec![why.to_owned()]);
    let mut samples = vec![Vec::new(); 2];
    let mut result = None;
    for line in &section.lines {
        let Some((side, own, ns)) = sample(line) else { return none("a line of it cannot be read; was it disturbed?") };
        if *result.get_or_insert(own) != own {
            return none(DIFFERENT);
        }
        if let Some(samples) = samples.get_mut(side) {
            samples.push(ns);
        }
    }
    match section.because {
        Some(because) => none(because),
        None if samples.iter().any(Vec::is_empty) => none("there are no samples"),
        // Of a round both have to be there.
        None if samples.iter().map(Vec::len).collect::<std::collections::BTreeSet<_>>().len() > 1 => none("a sample is missing"),
        None => (samples, Vec::new()),
    }
}

/// `SIDE COUNT check RESULT ns NANOSECONDS…`: the side, the result, and the nanoseconds for one unit in the fastest batch.
fn sample(line: &str) -> Option<(usize, &str, f64)> {
    let mut words = line.split(' ');
    let side: usize = words.next()?.parse().ok().filter(|side| *side < 2)?;
    let count: u32 = words.next()?.parse().ok().filter(|count| *count > 0)?;
    let result = (words.next()? == "check").then(|| words.next())??;
    let mut fastest: Option<f64> = None;
    for _ in 0..MAX_BATCHES {
        match words.next() {
            Some("ns") => {
                let ns: f64 = words.next()?.parse().ok().filter(|ns| (0.001..1e18).contains(ns))?;
                fastest = Some(fastest.map_or(ns, |known| known.min(ns)));
            }
            Some(_) => return None,
            None => break,
        }
    }
    Some((side, result, fastest? / f64::from(count)))
}

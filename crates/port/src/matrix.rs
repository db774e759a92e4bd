//! Many projects at once: Debian's source packages, each fetched, configured and built for the new architecture, and analysed.
//!
//! What has been done is kept: the next run goes on with what is left.

use crate::observe::{self, Surroundings};
use crate::pair::{Pair, WIDE};
use crate::project::Project;
use crate::{Input, Options, Progress, cache, commands};
use anyhow::{Context, Result, ensure};
use findings::{Confidence, Unchecked};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Fetches sources; the same script fetches packages for `biarch compare`.
const FETCH: &str = include_str!("../../../packaging/debian-packages.sh");
/// Configures and builds.
const BUILD: &str = include_str!("../matrix/build.sh");

/// How a project was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was.
    Builds,
    /// It was not.
    Fails,
    /// Its source could not be had.
    Unfetched,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The source package.
    pub package: String,
    /// That was built.
    pub version: String,
    /// How it went.
    pub outcome: Outcome,
    /// The step that failed, as `configure`.
    pub step: String,
    /// What kind of error it was.
    pub class: String,
    /// The error.
    pub error: String,
    /// How many files were analysed.
    pub files: usize,
    /// How many findings are certain, probable, possible.
    pub findings: [usize; 3],
    /// How long it took.
    pub seconds: u64,
}

/// Kinds of errors, each with what the lines of a log have that mean it. The first line that means one is the cause: what comes after it
/// follows from it.
const CLASSES: [(&str, &[&str]); 16] = [
    ("config.guess too old", &["cannot guess build type", "unable to guess system type", "Invalid configuration `"]),
    (
        "refuses to be cross-compiled",
        &[
            "cannot cross-compile",
            "cannot cross compile",
            "can't cross-compile",
            "ross-compiling is not supported",
            "ross compiling is not supported",
        ],
    ),
    // What `missing` stands for is older than what it is made of, as after a patch of configure.ac.
    ("autoreconf needed", &["/missing: line", "' is missing on your system"]),
    (
        "runs programs of the target",
        &["cannot run test program while cross compiling", "Exec format error", "cannot run C compiled programs"],
    ),
    (
        "option of another processor",
        &[
            "unrecognized command-line option",
            "unrecognized command line option",
            "unknown value",
            "bad value (",
            "is not supported for this configuration",
        ],
    ),
    (
        "assembly of another processor",
        &[
            "unknown mnemonic",
            "unknown or missing operation mnemonic",
            "operand type mismatch",
            "invalid instruction suffix",
            "unknown pseudo-op",
            "impossible constraint in",
            "unknown register name",
        ],
    ),
    (
        "libraries of the machine that builds",
        &["file in wrong format", "incompatible with", "file not recognized", "skipping incompatible"],
    ),
    ("a header is missing", &["No such file or directory\n#", "fatal error:"]),
    (
        "a library is missing",
        &[
            "cannot find -l",
            "Could NOT find",
            "required, but not found",
            "Package requirements",
            "not found via pkg-config",
            "Dependency \"",
            "library not found",
            "libraries not found",
            "libraries - configure failed",
            "Config.sh: No such file or directory",
            "not installed",
        ],
    ),
    ("a tool is missing", &["command not found", ": not found", "not found. Please install"]),
    ("undefined reference", &["undefined reference to"]),
    ("no known build system", &["there is no configure"]),
    ("a file is missing", &["*** No rule to make target"]),
    ("a Makefile for another make", &["*** missing separator", "*** multiple target patterns"]),
    ("configure", &["configure: error:", "CMake Error", "ERROR:", "unknown option", "autoreconf: error"]),
    ("compile error", &[": error: "]),
];

/// What no line of the log is known to mean.
const OTHER: &str = "other";

/// Builds and analyses what `list` names, one source package a line; `#` begins a comment. Those of which there is a result are not built
/// again.
///
/// # Errors
/// Where the list cannot be read, names what can be no package, or there is no directory for the work.
pub fn run(list: &Path, pair: Pair, input: &Input, jobs: usize, limit: Duration, progress: &dyn Progress) -> Result<Vec<Row>> {
    let text = fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let names: Vec<&str> = text.lines().filter_map(|line| line.split('#').next()?.split_whitespace().next()).collect();
    ensure!(!names.is_empty(), "{} names no source package; one a line: zlib", list.display());
    for name in &names {
        let is_name = name.len() > 1 && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        let is_name = is_name && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c));
        ensure!(is_name, "{}: {name:?} is no name of a source package: apt-cache showsrc NAME", list.display());
    }
    let work = match &input.cache {
        Some(cache) => cache.clone(),
        None => cache::directory()?,
    };
    let work = work.join("matrix").join(pair.sides[WIDE].name);
    let mut rows = Vec::new();
    for (at, name) in names.iter().enumerate() {
        progress.at(at as u64, Some(names.len() as u64), name);
        let directory = work.join(name);
        let kept = directory.join("result.json");
        let known = fs::read(&kept).ok().and_then(|bytes| serde_json::from_slice::<Row>(&bytes).ok());
        let row = match known {
            Some(row) => row,
            None => {
                fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
                let row = one(name, &directory, pair, input, jobs, limit)?;
                // What could not be fetched may be there the next time.
                if row.outcome != Outcome::Unfetched {
                    fs::write(&kept, serde_json::to_vec(&row)?).with_context(|| format!("cannot write {}", kept.display()))?;
                }
                row
            }
        };
        rows.push(row);
    }
    Ok(rows)
}

fn one(name: &str, directory: &Path, pair: Pair, input: &Input, jobs: usize, limit: Duration) -> Result<Row> {
    let start = Instant::now();
    let wide = pair.sides[WIDE];
    let mut row = Row {
        package: name.to_owned(),
        version: String::new(),
        outcome: Outcome::Unfetched,
        step: "fetch".to_owned(),
        class: "not fetched".to_owned(),
        error: String::new(),
        files: 0,
        findings: [0; 3],
        seconds: 0,
    };
    let source = directory.join("source");
    let suite = suite();
    let mut fetch = Command::new("bash");
    fetch.args(["-c", FETCH, "debian-packages", "--source", &suite, "all"]).arg(&source).arg(name).stdin(Stdio::null());
    let fetched = fetch.output().context("cannot start bash")?;
    if !fetched.status.success() {
        let said = String::from_utf8_lossy(&fetched.stderr).into_owned();
        // apt's own word says more than the script's, which comes last.
        row.error = said.lines().find(|line| line.starts_with("E: ")).map_or_else(|| last_line(&said), shortened);
        return Ok(row);
    }
    let packages = fs::read_to_string(directory.join("source.apt/packages")).unwrap_or_default();
    row.version = packages.trim().trim_end_matches(".dsc").split('_').nth(1).unwrap_or_default().to_owned();
    let log = directory.join("log");
    let tree = source.join(name);
    let build: Vec<OsString> = ["bash", "-c", BUILD, "build", wide.target].map(OsString::from).to_vec();
    let surroundings = Surroundings { directory: Some(&tree), log: Some(File::create(&log)?), limit: Some(limit) };
    let observed = observe::run(&build, &cache::directory()?, surroundings)?;
    let said = read_log(&log);
    let (step, class, error) = cause(&said);
    let is_nothing = observed.commands.is_empty();
    if observed.status.success() && is_nothing {
        // As a Makefile that only says what there is to make, or goes on whatever fails.
        row.outcome = Outcome::Fails;
        let is_known = class != OTHER;
        (row.step, row.class, row.error) =
            if is_known { (step, class, error) } else { (step, "nothing compiled".to_owned(), last_line(&said)) };
    } else if observed.status.success() {
        row.outcome = Outcome::Builds;
        (row.step, row.class, row.error) = Default::default();
    } else {
        row.outcome = Outcome::Fails;
        let late = format!("it took longer than {} seconds", limit.as_secs());
        (row.step, row.class, row.error) =
            if observed.is_late { (step, "time limit".to_owned(), late) } else { (step, class, error) };
    }
    let mut unchecked: Vec<Unchecked> = Vec::new();
    let compilations = commands::compilations(observed.commands, &mut unchecked);
    if !compilations.is_empty() {
        let list = directory.join("source/compile_commands.json");
        fs::write(&list, commands::written(&compilations))?;
        let paths = vec![list];
        let input = Input { build: Vec::new(), save: None, ..input.clone() };
        let options = Options { jobs, input, ..Options::new(paths, pair) };
        row.files = Project::find(&options).map_or(0, |project| project.compilations.len());
        if let Ok(report) = crate::analyse(&options, &()) {
            let count = |confidence| {
                report
                    .findings
                    .iter()
                    .filter(|of| of.source.as_ref().is_some_and(|source| source.confidence == confidence))
                    .count()
            };
            row.findings = Confidence::ALL.map(count);
        }
    }
    row.seconds = start.elapsed().as_secs();
    Ok(row)
}

/// The release that this machine is, or the stable one.
fn suite() -> String {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let field =
        |name: &str| text.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix('=')?.trim_matches('"').to_owned()));
    field("VERSION_CODENAME").filter(|_| field("ID").as_deref() == Some("debian")).unwrap_or_else(|| "stable".to_owned())
}

/// A log of more is one of a loop.
const MAX_LOG: u64 = 64 << 20;

fn read_log(path: &PathBuf) -> String {
    let mut bytes = Vec::new();
    let _ = File::open(path).and_then(|file| file.take(MAX_LOG).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn last_line(text: &str) -> String {
    shortened(text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default())
}

fn shortened(line: &str) -> String {
    line.trim().chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The step that failed, the kind of its first error, and that line.
fn cause(log: &str) -> (String, String, String) {
    let at = log.rmatch_indices("== ").find(|(at, _)| *at == 0 || log[..*at].ends_with('\n')).map_or(0, |(at, _)| at);
    let (first, rest) = log[at..].split_once('\n').unwrap_or((&log[at..], ""));
    let step = first.trim_start_matches("== ").to_owned();
    for line in rest.lines() {
        // What configure tries, and answers itself, is no error.
        let is_answer = line.starts_with("checking ") && !line.contains("configure failed")
            || line.starts_with("libtool.m4: error:")
            || line.contains("warning:")
            || line.contains("... no")
            || line.starts_with("-- ");
        if is_answer {
            continue;
        }
        if let Some((class, _)) = CLASSES.iter().find(|(_, marks)| marks.iter().any(|mark| line.contains(mark))) {
            // gcc says "fatal error: zlib.h: No such file or directory".
            let class = if *class == "a header is missing" && !line.contains("No such file") { "compile error" } else { class };
            return (step, class.to_owned(), shortened(line));
        }
    }
    (step, OTHER.to_owned(), last_line(rest))
}

#[cfg(test)]
mod tests {
    use super::cause;

    #[test]
    fn the_first_error_of_the_last_step_is_the_cause() {
        let log = "== configure\nchecking for x... not found\nchecking build system type... ./config.guess: unable to guess system type\n\
                   configure: error: cannot guess build type; you must specify one\n";
        assert_eq!(cause(log).1, "config.guess too old");
        let log = "== configure\nconfigure: error: this is over\n== make\ngcc -c a.c\na.c:1:10: fatal error: zlib.h: No such file or directory\n\
                   make: *** [a.o] Error 1\n";
        assert_eq!(
            cause(log),
            (
                "make".to_owned(),
                "a header is missing".to_owned(),
                "a.c:1:10: fatal error: zlib.h: No such file or directory".to_owned()
            )
        );
        let rows = [
            ("gcc: error: unrecognized command-line option '-m32'", "option of another processor"),
            ("a.s:3: Error: unknown mnemonic `pushl' -- `pushl %ebp'", "assembly of another processor"),
            ("/usr/lib/libz.a: file not recognized: file format not recognized", "libraries of the machine that builds"),
            ("/usr/bin/ld: cannot find -lncurses: No such file or directory", "a library is missing"),
            ("a.c:3:1: error: expected ';'", "compile error"),
            ("./gen: cannot execute binary file: Exec format error", "runs programs of the target"),
            ("sh: 1: yacc: not found", "a tool is missing"),
            (
                "libtool.m4: error: problem compiling CXX test program\nSorry -- you cannot cross-compile this package",
                "refuses to be cross-compiled",
            ),
            ("/x/missing: line 81: aclocal-1.14: command not found", "autoreconf needed"),
            ("/usr/lib/tclConfig.sh: line 2: /usr/lib/x/tclConfig.sh: No such file or directory", "a library is missing"),
            ("checking for libraries... Cannot find terminal libraries - configure failed", "a library is missing"),
            ("make: *** No rule to make target 'a.in', needed by 'a'.  Stop.", "a file is missing"),
            ("makefile:28: *** missing separator.  Stop.", "a Makefile for another make"),
            ("there is no configure, CMakeLists.txt, meson.build or Makefile", "no known build system"),
            ("checking for cc... not found\nall is lost", "other"),
        ];
        for (line, class) in rows {
            assert_eq!(cause(&format!("== make\nmaking\n{line}\n")).1, class, "{line}");
        }
    }
}

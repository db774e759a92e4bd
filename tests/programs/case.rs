//! One case of the suite: a script, and what its directives say.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// The tree that a case runs in; the two that `rootfs.sh` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// Debian with the programs.
    Full,
    /// Debian unpacked and not configured.
    Foreign,
}

/// A script in `tests/programs/PROGRAM/NAME.sh`, and its `#:` lines.
#[derive(Debug)]
pub(crate) struct Case {
    /// The directory: the program that the case is about.
    pub(crate) program: String,
    /// The file name without its suffix.
    pub(crate) name: String,
    /// The script, run by the interpreter that its first line names.
    pub(crate) script: PathBuf,
    /// `#: full`: takes too long for every change.
    pub(crate) full: bool,
    /// `#: root foreign`.
    pub(crate) root: Root,
    /// `#: timeout SECONDS`, for each of the two runs.
    pub(crate) timeout: Duration,
    /// `#: filter SED`: extended sed expressions that take away what no two runs have in common. They are applied to stdout and
    /// stderr, and to files that differ.
    pub(crate) filters: Vec<String>,
    /// `#: ignore PATTERN`: files that no two runs have in common; `*` stands for anything, slashes too.
    pub(crate) ignored: Vec<String>,
    /// `#: gap REASON`: known to differ under biarch. The case fails once it does not.
    pub(crate) gap: Option<String>,
}

impl Case {
    /// Reads the directives of one script.
    fn read(program: &str, script: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(script)?;
        let name = script.file_stem().and_then(|name| name.to_str()).context("the name is not text")?;
        let mut case = Self {
            program: program.to_owned(),
            name: name.to_owned(),
            script: script.to_owned(),
            full: false,
            root: Root::Full,
            timeout: Duration::from_secs(60),
            filters: vec![],
            ignored: vec![],
            gap: None,
        };
        if !text.starts_with("#!/") {
            bail!("the first line does not name an interpreter");
        }
        // Both sides would refuse to execute it, and agree.
        if script.metadata()?.permissions().mode() & 0o111 == 0 {
            bail!("not executable");
        }
        for line in text.lines().filter_map(|line| line.strip_prefix("#: ")) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match (word, rest) {
                ("full", "") => case.full = true,
                ("root", "foreign") => case.root = Root::Foreign,
                ("timeout", seconds) => case.timeout = Duration::from_secs(seconds.parse().context("timeout")?),
                ("filter", expression) if !expression.is_empty() => case.filters.push(expression.to_owned()),
                ("ignore", pattern) if !pattern.is_empty() => case.ignored.push(pattern.to_owned()),
                ("gap", reason) if !reason.is_empty() => case.gap = Some(reason.to_owned()),
                _ => bail!("no such directive: {line}"),
            }
        }
        Ok(case)
    }

    /// Whether two runs may differ in this file.
    pub(crate) fn ignores(&self, path: &str) -> bool {
        self.ignored.iter().any(|pattern| matches(pattern.as_bytes(), path.as_bytes()))
    }
}

/// Every case in `directory`, in the order of their names.
pub(crate) fn discover(directory: &Path) -> Result<Vec<Case>> {
    let mut cases = vec![];
    for program in sorted(directory)?.into_iter().filter(|path| path.is_dir()) {
        let about = program.file_name().and_then(|name| name.to_str()).context("the name is not text")?;
        for script in sorted(&program)?.into_iter().filter(|path| path.extension().is_some_and(|suffix| suffix == "sh")) {
            cases.push(Case::read(about, &script).with_context(|| script.display().to_string())?);
        }
    }
    Ok(cases)
}

fn sorted(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).with_context(|| directory.display().to_string())?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// `*` in `pattern` stands for any number of bytes.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skipped| matches(rest, &text[skipped..])),
        Some((first, rest)) => text.split_first().is_some_and(|(byte, text)| byte == first && matches(rest, text)),
    }
}

//! A guest program: a source file that says in `//#` comments how it wants to be built and run, and what it ends with.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// How long a program may run unless it says otherwise.
const TIMEOUT: Duration = Duration::from_secs(20);

/// One way to compile a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// i386, glibc, statically linked.
    Static,
    /// i386, glibc, through the dynamic loader.
    Dynamic,
    /// i386, musl, statically linked.
    Musl,
    /// i386, glibc, static, with 64-bit `time_t` and `off_t`.
    Time64,
    /// x86-64: what the same source does in the other width.
    Wide,
}

impl Flavour {
    /// The name in test names and in the build directory.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "i386 static",
            Self::Dynamic => "i386 dynamic",
            Self::Musl => "i386 musl",
            Self::Time64 => "i386 time64",
            Self::Wide => "x86-64",
        }
    }
}

/// What a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Compiled by a C compiler, in every flavour.
    C,
    /// Compiled by the Go toolchain; only [`Flavour::Static`] and [`Flavour::Wide`].
    Go,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// exit(2) with this status.
    Exit(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Killed by the harness because it ran too long.
    Timeout,
    /// Killed by the harness because it wrote too much.
    Flood,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(status) => write!(f, "exit status {status}"),
            Self::Signal(signal) => write!(f, "{}", signal_name(*signal)),
            Self::Timeout => write!(f, "ran out of time"),
            Self::Flood => write!(f, "wrote without end"),
        }
    }
}

/// Signals that a directive may name.
const SIGNALS: &[(&str, i32)] = &[
    ("SIGHUP", libc::SIGHUP),
    ("SIGINT", libc::SIGINT),
    ("SIGQUIT", libc::SIGQUIT),
    ("SIGILL", libc::SIGILL),
    ("SIGTRAP", libc::SIGTRAP),
    ("SIGABRT", libc::SIGABRT),
    ("SIGBUS", libc::SIGBUS),
    ("SIGFPE", libc::SIGFPE),
    ("SIGKILL", libc::SIGKILL),
    ("SIGUSR1", libc::SIGUSR1),
    ("SIGSEGV", libc::SIGSEGV),
    ("SIGUSR2", libc::SIGUSR2),
    ("SIGPIPE", libc::SIGPIPE),
    ("SIGALRM", libc::SIGALRM),
    ("SIGTERM", libc::SIGTERM),
    ("SIGXCPU", libc::SIGXCPU),
    ("SIGXFSZ", libc::SIGXFSZ),
    ("SIGSYS", libc::SIGSYS),
];

/// The name of a signal, or its number.
#[must_use]
pub fn signal_name(signal: i32) -> String {
    SIGNALS.iter().find(|(_, n)| *n == signal).map_or_else(|| format!("signal {signal}"), |(name, _)| (*name).to_owned())
}

/// What a program needs of the machine beyond a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The superuser's rights.
    Root,
    /// Mounts in a namespace that nobody else sees.
    Mounts,
    /// A loopback interface that is up.
    Net,
    /// SysV or POSIX message queues in this kernel: `mqueue`.
    Mqueue,
    /// A vDSO: not where `BIARCH_VDSO=none` takes it away.
    Vdso,
    /// The kernel's own 32-bit support, for what can only be told by comparison.
    Ia32,
}

/// A guest program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The directory it is in: what it is about.
    pub area: String,
    /// The file's name without suffixes.
    pub name: String,
    /// The file.
    pub source: PathBuf,
    /// What it is written in.
    pub language: Language,
    /// `.32` in the file name: means something in 32-bit code only.
    pub only_32: bool,
    /// `//# libc:`
    pub flavours: Vec<Flavour>,
    /// `//# args:`
    pub arguments: Vec<String>,
    /// `//# exit:` or `//# signal:`
    pub end: End,
    /// `//# options:`, of `biarch run`.
    pub options: Vec<String>,
    /// `//# needs:`
    pub needs: Vec<Need>,
    /// `//# link:`
    pub link: Vec<String>,
    /// `//# cflags:`
    pub cflags: Vec<String>,
    /// `//# gap:`, why the program does not do under biarch what it does natively. Once it does, that is a failure.
    pub gap: Option<String>,
    /// `//# stdin:`
    pub stdin: String,
    /// `//# timeout:`, in seconds.
    pub timeout: Duration,
}

impl Program {
    /// Reads a source file's directives. A directive that is not known is an error: a misspelt one must not be lost.
    pub fn read(source: &Path) -> Result<Self> {
        let language = match source.extension().and_then(|e| e.to_str()) {
            Some("c") => Language::C,
            Some("go") => Language::Go,
            _ => bail!("{}: neither C nor Go", source.display()),
        };
        let text = std::fs::read_to_string(source).with_context(|| source.display().to_string())?;
        let stem = source.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let area = source.parent().and_then(Path::file_name).map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let (name, only_32) = stem.strip_suffix(".32").map_or((stem.as_str(), false), |name| (name, true));
        let mut program = Self {
            area,
            name: name.to_owned(),
            source: source.to_owned(),
            language,
            only_32,
            flavours: vec![Flavour::Static],
            arguments: vec![],
            end: End::Exit(0),
            options: vec![],
            needs: vec![],
            link: vec![],
            cflags: vec![],
            gap: None,
            stdin: String::new(),
            timeout: TIMEOUT,
        };
        for (number, line) in text.lines().enumerate() {
            let Some(directive) = line.strip_prefix("//#") else { continue };
            program.apply(directive).with_context(|| format!("{}:{}: {line}", source.display(), number + 1))?;
        }
        Ok(program)
    }

    fn apply(&mut self, directive: &str) -> Result<()> {
        let (key, value) = directive.split_once(':').context("a directive is `//# key: value`")?;
        let words = || value.split_whitespace();
        match key.trim() {
            "libc" => self.flavours = words().map(flavour).collect::<Result<_>>()?,
            "args" => self.arguments = words().map(str::to_owned).collect(),
            "exit" => self.end = End::Exit(value.trim().parse()?),
            "signal" => {
                let (_, number) = SIGNALS.iter().find(|(name, _)| *name == value.trim()).context("not a signal's name")?;
                self.end = End::Signal(*number);
            }
            "options" => self.options = words().map(str::to_owned).collect(),
            "needs" => self.needs = words().map(need).collect::<Result<_>>()?,
            "link" => self.link = words().map(str::to_owned).collect(),
            "cflags" => self.cflags = words().map(str::to_owned).collect(),
            "gap" => self.gap = Some(value.trim().to_owned()),
            "stdin" => self.stdin = value.trim().replace("\\n", "\n"),
            "timeout" => self.timeout = Duration::from_secs(value.trim().parse()?),
            other => bail!("no directive is called {other}"),
        }
        Ok(())
    }
}

fn flavour(word: &str) -> Result<Flavour> {
    Ok(match word {
        "static" => Flavour::Static,
        "dynamic" => Flavour::Dynamic,
        "musl" => Flavour::Musl,
        "time64" => Flavour::Time64,
        other => bail!("no C library is called {other}"),
    })
}

fn need(word: &str) -> Result<Need> {
    Ok(match word {
        "root" => Need::Root,
        "mounts" => Need::Mounts,
        "net" => Need::Net,
        "mqueue" => Need::Mqueue,
        "vdso" => Need::Vdso,
        "ia32" => Need::Ia32,
        other => bail!("no need is called {other}"),
    })
}

/// Every program in `<directory>/<area>/`, sorted by area and name.
pub fn discover(directory: &Path) -> Result<Vec<Program>> {
    let mut programs = vec![];
    for area in std::fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let area = area?.path();
        if !area.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&area)? {
            let file = file?.path();
            if file.extension().is_some_and(|e| e == "c" || e == "go") {
                programs.push(Program::read(&file)?);
            }
        }
    }
    programs.sort_by(|a, b| (&a.area, &a.name).cmp(&(&b.area, &b.name)));
    Ok(programs)
}

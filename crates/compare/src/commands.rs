//! Two commands that a user names: each is run as it is, and what it prints must be the same.

use crate::comparison::{Comparison, Outcome, Progress, SCHEMA_VERSION, SelfCheck, pair, seed};
use crate::machine::Machine;
use crate::measure::{Contender, Different, Effort, LIMIT, Sample, take_turns};
use crate::packages::Packages;
use crate::process::{self, Ended, TimedOut, Written};
use crate::program::{self, Program};
use crate::side::{self, How, Side};
use crate::stats::{self, Random};
use crate::worker::Abi;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::ErrorKind;
use std::iter;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What is asked of the commands.
#[derive(Clone, Debug)]
pub struct Terms {
    /// A run that takes longer is killed, and the comparison ends.
    pub limit: Duration,
    /// What they print may differ.
    pub ignore_output: bool,
    /// They may fail, if they do so alike.
    pub ignore_status: bool,
    /// They may be programs of any ABI, and scripts.
    pub any_abi: bool,
}

/// The same command of packages of both architectures.
#[derive(Clone, Debug)]
pub struct Packaged {
    /// The packages.
    pub packages: Packages,
    /// Whether they may be downloaded.
    pub fetch: bool,
    /// The program's name, and its arguments.
    pub words: Vec<OsString>,
}

/// A command that is run as often as needed.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    /// Who it is, in messages.
    name: String,
    words: Vec<OsString>,
    terms: Terms,
    /// What it reads, from the beginning each time.
    input: Option<&'static str>,
    /// The program brings its libraries, so this machine's must not get in.
    packaged: bool,
}

impl Invocation {
    pub(crate) fn packaged(name: String, words: Vec<OsString>, limit: Duration) -> Self {
        let terms = Terms { limit, ignore_output: false, ignore_status: false, any_abi: false };
        Self { name, words, terms, input: None, packaged: true }
    }

    /// Runs it, once.
    pub(crate) fn run(&self, padding: usize) -> Result<Ended> {
        let (program, arguments) = self.words.split_first().context("an empty command")?;
        let mut command = Command::new(program);
        command.args(arguments).env("BIARCH_PADDING", "x".repeat(padding));
        if self.packaged {
            for name in ["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "LANGUAGE"] {
                command.env_remove(name);
            }
            // The one that is in the C library itself, and not among files of this machine.
            command.env("LC_ALL", "C.UTF-8");
        }
        command.stdin(match self.input {
            Some(path) => File::open(path).context("cannot read standard input again")?.into(),
            None => Stdio::null(),
        });
        let ended = process::finish(&mut command, self.terms.limit).map_err(|error| self.cannot(&error))?;
        self.check(&ended)?;
        Ok(ended)
    }

    fn cannot(&self, error: &anyhow::Error) -> anyhow::Error {
        let next = match error.downcast_ref::<std::io::Error>().map(std::io::Error::kind) {
            _ if error.is::<TimedOut>() => "Give it less to do, or more time: --timeout SECONDS".to_owned(),
            Some(ErrorKind::PermissionDenied) => {
                "See whether its directories may be entered, and its file system is mounted noexec: namei -l, findmnt -T"
                    .to_owned()
            }
            Some(ErrorKind::ArgumentListTooLong) => "Give it fewer arguments".to_owned(),
            _ if error.downcast_ref().and_then(std::io::Error::raw_os_error)
                == Some(rustix::io::Errno::NOEXEC.raw_os_error()) =>
            {
                self.translated()
            }
            _ => "See whether it runs by itself".to_owned(),
        };
        anyhow!("{} ({}): {error:#}\n{next}", self.name, show(&self.words))
    }

    /// How to run what the kernel does not.
    fn translated(&self) -> String {
        let program = self.words.first().and_then(|word| Program::find(word).ok());
        let machine = program.as_ref().and_then(Program::machine);
        let how = match machine {
            Some(machine) if machine.name == "i386" && cfg!(target_arch = "x86_64") => "biarch run".to_owned(),
            Some(machine) => machine.emulator.unwrap_or("EMULATOR").to_owned(),
            None => return "It is cut off, or of a kind that the kernel does not know: see file".to_owned(),
        };
        format!("This kernel does not run it; what does: biarch compare --any-abi -- {how} COMMAND32 -- COMMAND64")
    }

    fn check(&self, ended: &Ended) -> Result<()> {
        if ended.status.success() {
            return Ok(());
        }
        let says = ended.error.text();
        let says: String =
            says.lines().rev().take(8).collect::<Vec<_>>().into_iter().rev().map(|line| format!("\n  {line}")).collect();
        let name = &self.name;
        if let Some(signal) = ended.status.signal() {
            let next = match signal {
                9 => "\nSIGKILL comes from a person, or from the kernel when memory runs out: see dmesg, ulimit -v and free -m",
                24 => "\nSIGXCPU: see ulimit -t",
                31 => "\nSIGSYS: a filter of system calls forbids what it does; a sandbox or container may be too narrow",
                _ => "\nRun it by itself to see why it ends like that; there is no time of work that was not done",
            };
            bail!("{name} was ended by a {}{says}{next}", ended.status);
        }
        if let Some(library) = missing_library(&ended.error) {
            bail!("{name} does not start: its library {library} is not there{says}\n{}", self.where_is(&library));
        }
        ensure!(
            self.terms.ignore_status,
            "{name} failed with {}{says}\nRun it by itself to see why; if that is what it should do: biarch compare --ignore-status …",
            ended.status
        );
        Ok(())
    }

    /// Which package brings a library: that which brought the library of the same name for another ABI.
    fn where_is(&self, library: &str) -> String {
        if self.packaged {
            return "Its package does not say that it depends on that; add the library's package: --package".to_owned();
        }
        let of = Program::find(self.words.first().map_or("".as_ref(), |word| word.as_os_str())).ok();
        let architecture = of.and_then(|program| program.architecture());
        let owner = Command::new("dpkg-query").args(["-S", &format!("*/{library}")]).stderr(Stdio::null()).output();
        let owner = owner.ok().and_then(|output| {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Some(text.lines().next()?.split([':', ',']).next()?.to_owned())
        });
        match (owner, architecture) {
            (Some(package), Some(architecture)) => format!(
                "On Debian and the like: dpkg --add-architecture {architecture} && apt update && apt install {package}:{architecture}"
            ),
            _ => format!("On Debian and the like, find its package: apt-file search {library}"),
        }
    }

    /// What of a run must be the same in the next one, and on the other side.
    fn result(&self, ended: &Ended) -> Vec<u8> {
        let mut result = ended.status.into_raw().to_le_bytes().to_vec();
        if !self.terms.ignore_output {
            result.extend(ended.out.identity());
        }
        result
    }
}

impl Contender for Invocation {
    fn sample(&self, padding: usize) -> Result<Sample> {
        let ended = self.run(padding)?;
        Ok(Sample { ns: ended.time.as_secs_f64() * 1e9, result: self.result(&ended) })
    }
}

/// The library that the loader did not find: glibc's words, and musl's.
fn missing_library(error: &Written) -> Option<String> {
    let text = error.text();
    text.lines().find_map(|line| {
        let glibc = || line.split_once("error while loading shared libraries: ")?.1.split(':').next();
        let musl = || line.strip_prefix("Error loading shared library ")?.split(':').next();
        glibc().or_else(musl).map(|name| name.trim().to_owned())
    })
}

/// Runs each command twice: it must print what it printed before, and what the other one prints. The result is what else is worth
/// to be said.
fn agree(narrow: &Invocation, wide: &Invocation) -> Result<Vec<String>> {
    let twice = |command: &Invocation| {
        let first = command.run(0)?;
        let again = command.run(1).with_context(|| {
            format!(
                "{} worked once and not again: a command must not use up its input, nor mind its own earlier output",
                command.name
            )
        })?;
        if command.result(&first) != command.result(&again) {
            let differ = difference(&first, &again, ["it first", "and then"]);
            bail!(
                "{} does not come to the same result each time, so it cannot be checked that both do the same work.\n{differ}\nIf that is \
                 the same work all the same (a clock, an address, a random number): biarch compare --ignore-output …",
                command.name
            );
        }
        Ok(first)
    };
    let (first, second) = (twice(narrow)?, twice(wide)?);
    if narrow.result(&first) != wide.result(&second) {
        bail!(
            "the commands come to different results, so that times would be those of different work.\n{}\nIf it is the same work all the \
             same: biarch compare --ignore-output …",
            difference(&first, &second, [&narrow.name, &wide.name])
        );
    }
    let mut notes = Vec::new();
    if first.error != second.error && !narrow.terms.ignore_output {
        let differ = first_difference(&first.error, &second.error, [&narrow.name, &wide.name]);
        notes.push(format!("on standard error, which need not be the same, the commands differ. {differ}"));
    }
    Ok(notes)
}

fn difference(one: &Ended, two: &Ended, names: [&str; 2]) -> String {
    if one.status == two.status {
        first_difference(&one.out, &two.out, names)
    } else {
        format!("{}: {}; {}: {}", names[0], one.status, names[1], two.status)
    }
}

/// Where two outputs part.
fn first_difference(one: &Written, two: &Written, names: [&str; 2]) -> String {
    let lines = |written: &Written| written.head.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (left, right) = (lines(one), lines(two));
    let at = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
    if one.head == two.head || at >= left.len().min(right.len()) {
        return format!(
            "{} printed {} bytes, {} {} bytes; the first difference is behind the first {} bytes: cmp <(COMMAND32) <(COMMAND64)",
            names[0],
            one.length,
            names[1],
            two.length,
            one.head.len().min(two.head.len())
        );
    }
    let show = |line: Option<&Vec<u8>>| {
        let line = line.map(Vec::as_slice).unwrap_or_default();
        let text: String = String::from_utf8_lossy(line.get(..200).unwrap_or(line)).chars().take(80).collect();
        format!("{text:?}")
    };
    format!(
        "The first difference is in line {}:\n  {}: {}\n  {}: {}",
        at + 1,
        names[0],
        show(left.get(at)),
        names[1],
        show(right.get(at))
    )
}

/// Standard input, where it is a file, which each run can have for itself.
fn input() -> Result<Option<&'static str>> {
    let stdin = std::io::stdin();
    let Ok(stat) = rustix::fs::fstat(&stdin) else { return Ok(None) };
    match rustix::fs::FileType::from_raw_mode(stat.st_mode) {
        rustix::fs::FileType::RegularFile => Ok(Some("/proc/self/fd/0")),
        rustix::fs::FileType::Fifo => {
            let waiting = rustix::io::ioctl_fionread(&stdin).unwrap_or_default();
            ensure!(
                waiting == 0,
                "standard input is a pipe, and only one run could read it: save it to a file, and biarch compare … <FILE gives that to each run"
            );
            Ok(None)
        }
        _ => Ok(None),
    }
}

fn show(words: &[OsString]) -> String {
    words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Compares two commands that a user names, of 32 and of 64 bits.
///
/// # Errors
/// Where one of them fails, or what they print differs.
pub fn commands(
    narrow: Vec<OsString>,
    wide: Vec<OsString>,
    terms: &Terms,
    effort: &Effort,
    progress: Progress<'_>,
) -> Result<Comparison> {
    program::check(&narrow, &wide, terms.any_abi)?;
    let title = format!("{} and {}", show(&narrow), show(&wide));
    let input = input()?;
    let make = |name: &str, words| Invocation { name: name.to_owned(), words, terms: terms.clone(), input, packaged: false };
    let (narrow, wide) = (make("the 32-bit command", narrow), make("the 64-bit command", wide));
    let (narrow_abi, wide_abi) = Abi::pair();
    let sides: Vec<Side> = [wide_abi, narrow_abi].into_iter().flat_map(|abi| Side::new(abi, How::Native)).collect();
    let mut found = turns([&wide, &narrow], &sides, &title, effort, progress)?;
    let preloaded = std::env::var_os("LD_PRELOAD").filter(|value| !value.is_empty());
    found.notes.extend(preloaded.map(|value| {
        format!(
            "LD_PRELOAD is set to {}, which loads into programs of its own word size only: unset it",
            Path::new(&value).display()
        )
    }));
    Ok(found)
}

/// Compares one command, with the program of each architecture's packages.
///
/// # Errors
/// Where the packages or the program are not there, one of the programs fails, or what they print differs.
pub fn packages(packaged: &Packaged, terms: &Terms, effort: &Effort, progress: Progress<'_>) -> Result<Comparison> {
    let (program, arguments) =
        packaged.words.split_first().context("a command is missing: biarch compare --package NAME -- COMMAND")?;
    let input = input()?;
    let sides = side::find(false, &[])?.sides;
    let mut versions = Vec::new();
    let mut invocations = Vec::new();
    for side in &sides {
        let debian = side.abi.debian();
        if packaged.fetch {
            progress(0, 3, &format!("fetching {} for {debian}", packaged.packages.names()));
        }
        let tree = packaged.packages.tree(side.abi, packaged.fetch)?;
        versions.push(packaged.packages.versions(&tree));
        let words = [side.runner()?, tree.command(program)?, arguments.to_vec()].concat();
        let name = format!("the command for {debian}");
        invocations.push(Invocation { name, words, terms: terms.clone(), input, packaged: true });
    }
    let [wide, narrow] = invocations.as_slice() else { bail!("two sides are needed") };
    let title = format!("{} of {}", show(&packaged.words), versions.first().cloned().unwrap_or_default());
    let mut found = turns([wide, narrow], &sides, &title, effort, progress)?;
    found.sides = sides.into_iter().map(|side| side.name).collect();
    if let [one, two] = versions.as_slice() {
        if one != two {
            found.notes.push(format!("the versions differ: {one} and {two}"));
        }
    }
    Ok(found)
}

/// Measures the commands; on `sides`, programs that do nothing say what it takes to start and end one.
fn turns(
    [wide, narrow]: [&Invocation; 2],
    sides: &[Side],
    title: &str,
    effort: &Effort,
    progress: Progress<'_>,
) -> Result<Comparison> {
    let machine = Machine::look();
    let mut random = Random::new(seed());
    progress(0, 3, "whether both do the same");
    let mut notes = agree(narrow, wide)?;
    let later = |error: anyhow::Error| {
        if error.is::<Different>() {
            error
                .context("the output was the same at first, and then not: if that is no matter, biarch compare --ignore-output …")
        } else {
            error
        }
    };
    progress(1, 3, "the same command on both sides");
    let own = pair(wide, wide, effort, &mut random).map_err(later)?;
    let self_check = SelfCheck::of(vec![("the 64-bit command".to_owned(), own)]);
    progress(2, 3, "both commands");
    let samples = take_turns(&[wide, narrow], effort, &mut random).map_err(later)?;
    let mut outcome = Outcome::new("commands", "commands", title, samples, Vec::new(), self_check.resolution);
    outcome.overhead = sides.iter().map(|side| overhead(side, effort, &mut random).ok()).collect();
    notes.extend(share(&outcome));
    notes.extend(self_check.advice());
    Ok(Comparison {
        schema_version: SCHEMA_VERSION,
        machine,
        sides: vec!["64-bit".to_owned(), "32-bit".to_owned()],
        self_check,
        outcomes: vec![outcome],
        left_out: Vec::new(),
        notes,
    })
}

/// What each sample of a command holds that no command can do without: the time to start and end a program that does nothing, in
/// nanoseconds.
///
/// # Errors
/// Where this side's programs do not run.
pub(crate) fn overhead(side: &Side, effort: &Effort, random: &mut Random) -> Result<f64> {
    let worker = side.worker()?;
    let words = iter::once(worker.get_program()).chain(worker.get_args()).chain([OsStr::new("exit")]);
    let nothing = Invocation::packaged(side.name.clone(), words.map(OsStr::to_owned).collect(), LIMIT);
    let samples = take_turns(&[&nothing], &Effort { budget: Duration::ZERO, ..*effort }, random)?;
    samples.first().and_then(|samples| stats::median(samples)).context("no rounds")
}

/// Says it where starting and ending is more than a tenth of what was measured.
fn share(outcome: &Outcome) -> Option<String> {
    let of = |side: usize| Some((outcome.overhead.get(side).copied().flatten()?, outcome.median(side)?));
    let ((wide_start, wide), (narrow_start, narrow)) = (of(0)?, of(1)?);
    let (wide_share, narrow_share) = (wide_start / wide, narrow_start / narrow);
    let most = wide_share.max(narrow_share);
    let rest = (most < 0.9).then(|| format!("; without it the ratio is {:.2}", (narrow - narrow_start) / (wide - wide_start)));
    (most > 0.1).then(|| {
        format!(
            "starting and ending a program is {:.0} % of the 32-bit time and {:.0} % of the 64-bit time{}: give the commands more to do",
            narrow_share.min(1.0) * 100.0,
            wide_share.min(1.0) * 100.0,
            rest.unwrap_or_default()
        )
    })
}

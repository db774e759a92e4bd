//! `biarch bridge`: what a call costs, beside what it is made of (two far jumps, a futex in shared memory, memcpy) and what else could be used (pipes, Unix
//! sockets, msl-loadlib). Interleaved; medians of ratios.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use compare::stats;

/// Compare calls through a bridge with bare means of communication and with msl-loadlib.
///
/// Exit status: 0, or 1 if a target was missed.
#[derive(Parser)]
#[command(name = "bridge")]
struct Options {
    /// How often each pair is measured
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// A directory with msl-loadlib: `pip install --target DIR msl-loadlib`
    #[arg(long, value_name = "DIR")]
    msl_loadlib: Option<PathBuf>,
}

/// A target: the measured ratio is at most, or at least, this.
enum Target {
    AtMost(f64),
    AtLeast(f64),
    Shown,
}

/// A row: what is measured, what it is compared with, and the ratio.
struct Row {
    name: &'static str,
    own: Means,
    beside: Means,
    /// Times of the other that are one of ours.
    times: f64,
    target: Target,
}

/// One way from one side to the other and back.
enum Means {
    /// `calls`: a transport, what is called, words.
    Call(&'static str, &'static str, &'static str),
    /// An interface of one's own: words, and the widths of client and server.
    Interface(&'static str, &'static str, &'static str),
    /// `words`: a futex, a pipe or a socket with nothing around it; words, and the widths of both.
    Words(&'static str, &'static str, &'static str, &'static str),
    /// Into 32-bit code and back, by far jumps.
    Jump,
    MslLoadlib,
}

const IN_PROCESS_F: Means = Means::Call("in-process", "f", "2");
const PROCESS_F: Means = Means::Call("process", "f", "2");

const ROWS: &[Row] = &[
    Row {
        name: "in process, f(int, int) : far jumps",
        own: IN_PROCESS_F,
        beside: Means::Jump,
        times: 1.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "in process, callback : two of far jumps",
        own: Means::Call("in-process", "callback", "2"),
        beside: Means::Jump,
        times: 2.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "in process, f(int, int) : msl-loadlib",
        own: IN_PROCESS_F,
        beside: Means::MslLoadlib,
        times: 1.0,
        target: Target::AtMost(1.0 / 2000.0),
    },
    Row {
        name: "in process, memcpy of 1 MiB : copied",
        own: Means::Call("in-process", "memcpy", "2"),
        beside: Means::Call("in-process", "copy", "2"),
        times: 1.0,
        target: Target::AtLeast(0.9),
    },
    Row {
        name: "f(int, int) : futex ping-pong",
        own: PROCESS_F,
        beside: Means::Words("futex", "2", "64", "32"),
        times: 1.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "60 words : futex ping-pong",
        own: Means::Call("process", "f", "60"),
        beside: Means::Words("futex", "60", "64", "32"),
        times: 1.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "call with callback : two of futex",
        own: Means::Call("process", "callback", "2"),
        beside: Means::Words("futex", "2", "64", "32"),
        times: 2.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "interface, 2 words : futex ping-pong",
        own: Means::Interface("2", "32", "64"),
        beside: Means::Words("futex", "2", "32", "64"),
        times: 1.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "interface, 60 words : futex ping-pong",
        own: Means::Interface("60", "32", "64"),
        beside: Means::Words("futex", "60", "32", "64"),
        times: 1.0,
        target: Target::AtMost(1.5),
    },
    Row {
        name: "memcpy of 1 MiB : call that copies it",
        own: Means::Call("process", "memcpy", "2"),
        beside: Means::Call("process", "copy", "2"),
        times: 1.0,
        target: Target::AtLeast(0.9),
    },
    Row {
        name: "call with 1 MiB shared : f(int, int)",
        own: Means::Call("process", "pass", "2"),
        beside: PROCESS_F,
        times: 1.0,
        target: Target::AtMost(1.5),
    },
    Row { name: "f(int, int) : msl-loadlib", own: PROCESS_F, beside: Means::MslLoadlib, times: 1.0, target: Target::Shown },
];

const WORDS: [&str; 6] = ["0", "2", "8", "20", "40", "60"];

/// Which processors: on one, each round trip is two switches; on two, a wake-up crosses, or is seen without one.
const PROCESSORS: [(&str, &str); 2] = [("one processor", "0"), ("two processors", "0,1")];

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let built = build()?;
    let mut out = io::stdout().lock();
    let mut missed = false;
    for (name, processors) in PROCESSORS {
        let programs = Programs { directory: &built, processors, options: &options };
        writeln!(out, "{name:38} {:>10} {:>10}  {:>22}  target", "ns", "beside", "ratio (95 %)")?;
        for row in ROWS {
            missed |= programs.row(&mut out, row)?;
        }
        writeln!(out)?;
    }
    let programs = Programs { directory: &built, processors: "0", options: &options };
    programs.table(&mut out)?;
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

struct Programs<'a> {
    directory: &'a Path,
    processors: &'a str,
    options: &'a Options,
}

impl Programs<'_> {
    fn run(&self, program: &str, arguments: &[&str]) -> Result<f64> {
        let mut command = Command::new("taskset");
        command.args(["-c", self.processors]).arg(self.directory.join(program)).args(arguments).current_dir(self.directory);
        number(&mut command)
    }

    /// `None` where something is not installed.
    fn measure(&self, means: &Means) -> Result<Option<f64>> {
        Ok(Some(match *means {
            Means::Call(transport, what, words) => {
                let server = format!("./{}", bridge::runtime::files(bridge::library::X86)[1].0);
                self.run("calls", &[transport, &server, "./libbench.so", what, words])?
            }
            Means::Interface(words, client, server) => {
                self.run(&format!("ping-client{client}"), &[words, &format!("./ping-server{server}")])?
            }
            Means::Words(means, words, client, server) => {
                self.run(&format!("words{client}"), &[means, words, &format!("./words{server}")])?
            }
            Means::Jump => self.run("jump", &[])?,
            Means::MslLoadlib => {
                let Some(directory) = &self.options.msl_loadlib else { return Ok(None) };
                let mut command = Command::new("taskset");
                command.args(["-c", self.processors, "python3"]).arg(sources().join("msl_loadlib_peer.py"));
                number(command.arg(self.directory.join("libbench.so")).env("PYTHONPATH", fs::canonicalize(directory)?))?
            }
        }))
    }

    /// Whether its target was missed.
    fn row(&self, out: &mut impl Write, row: &Row) -> Result<bool> {
        let (mut own, mut other, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.options.rounds {
            let Some((one, two)) = self.measure(&row.own)?.zip(self.measure(&row.beside)?) else {
                writeln!(out, "{:38} {:>10} {:>10}  not installed: see --help", row.name, "", "")?;
                return Ok(false);
            };
            own.push(one);
            other.push(two);
            ratios.push(one / (two * row.times));
        }
        let (ratio, (low, high)) = stats::median(&ratios).zip(stats::interval(&ratios, 0.95)).context("no rounds")?;
        // What the noise explains is not missed.
        let (wanted, missed) = match row.target {
            Target::AtMost(limit) => (format!("at most {limit}"), low > limit),
            Target::AtLeast(limit) => (format!("at least {limit}"), high < limit),
            Target::Shown => (String::new(), false),
        };
        let (own, other) = stats::median(&own).zip(stats::median(&other)).context("no rounds")?;
        let digits = if ratio < 0.01 { 5 } else { 2 };
        let shown = format!("{ratio:.digits$} [{low:.digits$}, {high:.digits$}]");
        let verdict = if wanted.is_empty() {
            ""
        } else if missed {
            ": missed"
        } else {
            ": met"
        };
        writeln!(out, "{:38} {own:>10.0} {other:>10.0}  {shown:>22}  {wanted}{verdict}", row.name)?;
        Ok(missed)
    }

    /// Nanoseconds of a round trip with so many words each way, for each pair of widths; on one processor, where the scheduler decides nothing.
    fn table(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "{:24}{}", "words of 32 bits, ns", WORDS.map(|count| format!("{count:>9}")).concat())?;
        for means in ["futex", "pipe", "socket", "interface"] {
            for (client, server) in [("64", "64"), ("64", "32"), ("32", "64"), ("32", "32")] {
                self.line(out, &format!("{means} {client}/{server}"), |words| match means {
                    "interface" => Means::Interface(words, client, server),
                    _ => Means::Words(means, words, client, server),
                })?;
            }
        }
        for transport in ["process", "in-process"] {
            self.line(out, &format!("{transport} 64/32"), |words| Means::Call(transport, "f", words))?;
        }
        Ok(())
    }

    fn line(&self, out: &mut impl Write, name: &str, means: impl Fn(&'static str) -> Means) -> Result<()> {
        write!(out, "{name:24}")?;
        for words in WORDS {
            let samples =
                (0..self.options.rounds).filter_map(|_| self.measure(&means(words)).transpose()).collect::<Result<Vec<_>>>()?;
            write!(out, "{:>9.0}", stats::median(&samples).context("no rounds")?)?;
        }
        Ok(writeln!(out)?)
    }
}

fn number(command: &mut Command) -> Result<f64> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().with_context(|| format!("{command:?} printed no number but: {text}"))
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bridge")
}

/// The runtime, the server, and the programs of `benches/bridge`.
fn build() -> Result<PathBuf> {
    let directory = std::env::current_exe()?.parent().context("this program is in no directory")?.join("bridge-work");
    fs::create_dir_all(&directory)?;
    for (name, contents) in bridge::runtime::files(bridge::library::X86) {
        fs::write(directory.join(name), contents)?;
        fs::set_permissions(directory.join(name), fs::Permissions::from_mode(0o755))?;
    }
    bridge::build::build(&bridge::annotation::Annotation::read(&sources().join("ping.toml"))?, &directory)?;
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/bridge/runtime");
    for (compiler, arguments) in [
        ("cc", "jump.c -o jump"),
        ("cc", "words.c -o words64"),
        ("i686-linux-gnu-gcc", "words.c -o words32"),
        ("cc", "ping_client.c ping-client.c -pthread -o ping-client64"),
        ("cc", "ping_server.c ping-server.c -pthread -o ping-server64"),
        ("i686-linux-gnu-gcc", "ping_client.c ping-client.c -pthread -o ping-client32"),
        ("i686-linux-gnu-gcc", "ping_server.c ping-server.c -pthread -o ping-server32"),
        ("i686-linux-gnu-gcc", "-shared -fPIC library.c -o libbench.so"),
        ("cc", "calls.c -o calls libbiarch.so.0 -Wl,-rpath,$ORIGIN"),
    ] {
        let mut command = Command::new(compiler);
        command.args(["-std=gnu11", "-O2", "-Iinclude", "-I"]).arg(&runtime).current_dir(&directory);
        // Beside what was made there is what was written.
        command.args(
            arguments
                .split(' ')
                .map(PathBuf::from)
                .map(|word| Some(sources().join(&word)).filter(|path| path.is_file()).unwrap_or(word)),
        );
        let output =
            command.output().with_context(|| format!("cannot run {compiler}: packaging/install-dependencies.sh test"))?;
        if !output.status.success() {
            bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    Ok(directory)
}

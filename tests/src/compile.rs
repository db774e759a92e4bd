//! Compiles guest programs, each flavour once, and again only when its source, a header or the command has changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow, bail};

use crate::program::{Flavour, Language, Program};

/// The cross compiler of Debian's gcc-i686-linux-gnu. Not `gcc -m32`: gcc-multilib cannot live beside it.
const CC_32: &str = "i686-linux-gnu-gcc";
/// Debian's musl-dev:i386.
const MUSL: (&str, &str) = ("/usr/include/i386-linux-musl", "/usr/lib/i386-linux-musl");

/// Kernel headers, which musl does not bring.
const KERNEL: &str = "/usr/i686-linux-gnu/include";

/// The file a binary is in, or why there is none.
type Built = Arc<OnceLock<std::result::Result<PathBuf, String>>>;

/// The build directory and what has been asked of it.
#[derive(Debug)]
pub struct Compiler {
    target: PathBuf,
    headers: PathBuf,
    done: Mutex<HashMap<(PathBuf, Flavour), Built>>,
}

impl Compiler {
    /// Builds into `target`; `headers` is the directory of the programs' own header files.
    #[must_use]
    pub fn new(target: PathBuf, headers: PathBuf) -> Self {
        Self { target, headers, done: Mutex::default() }
    }

    /// The binary of one flavour. Two threads that ask for the same one share the work.
    pub fn binary(&self, program: &Program, flavour: Flavour) -> Result<PathBuf> {
        let key = (program.source.clone(), flavour);
        let built = Arc::clone(self.done.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        built
            .get_or_init(|| self.build(program, flavour).map_err(|error| format!("{error:#}")))
            .clone()
            .map_err(|text| anyhow!(text))
    }

    fn build(&self, program: &Program, flavour: Flavour) -> Result<PathBuf> {
        let directory = self.target.join(flavour.name().replace(' ', "-")).join(&program.area);
        std::fs::create_dir_all(&directory)?;
        let output = directory.join(&program.name);
        let mut command = match program.language {
            Language::C => self.c(program, flavour, &output),
            Language::Go => self.go(program, flavour, &output)?,
        };
        let line = format!("{command:?}");
        let record = output.with_extension("command");
        if std::fs::read_to_string(&record).is_ok_and(|old| old == line) && self.is_current(&output, program)? {
            return Ok(output);
        }
        let result = command.output().with_context(|| line.clone())?;
        if !result.status.success() {
            bail!("{line}\n{}", String::from_utf8_lossy(&result.stderr));
        }
        std::fs::write(record, line)?;
        Ok(output)
    }

    fn is_current(&self, output: &Path, program: &Program) -> Result<bool> {
        let Ok(built) = output.metadata().and_then(|m| m.modified()) else { return Ok(false) };
        let mut newest: SystemTime = program.source.metadata()?.modified()?;
        for entry in std::fs::read_dir(&self.headers)? {
            let entry = entry?;
            if entry.path().extension().is_some_and(|e| e == "h") {
                newest = newest.max(entry.metadata()?.modified()?);
            }
        }
        Ok(newest <= built)
    }

    fn c(&self, program: &Program, flavour: Flavour, output: &Path) -> Command {
        let mut command = Command::new(if flavour == Flavour::Wide { "gcc" } else { CC_32 });
        // Frame pointers and no inlining across noinline: the assembly in some programs relies on neither, but a person
        // who debugs one is grateful.
        command.args([
            "-std=gnu11",
            "-D_GNU_SOURCE",
            "-O1",
            "-g",
            "-fno-omit-frame-pointer",
            "-Wall",
            "-Werror=implicit-function-declaration",
        ]);
        command.arg("-I").arg(&self.headers).args(&program.cflags);
        match flavour {
            Flavour::Static | Flavour::Wide => drop(command.arg("-static")),
            Flavour::Dynamic => {}
            Flavour::Time64 => drop(command.args(["-static", "-D_FILE_OFFSET_BITS=64", "-D_TIME_BITS=64"])),
            Flavour::Musl => drop(command.args([
                // stat64 and its like, which _GNU_SOURCE no longer brings since musl 1.2.4.
                "-D_LARGEFILE64_SOURCE",
                "-static",
                "-no-pie",
                "-fno-pie",
                "-nostdinc",
                "-nostdlib",
                "-isystem",
                MUSL.0,
                "-idirafter",
                KERNEL,
            ])),
        }
        command.arg("-o").arg(output).arg(&program.source);
        if flavour == Flavour::Musl {
            let file = |name: &str| Path::new(MUSL.1).join(name);
            command
                .args(["crt1.o", "crti.o", "libc.a"].map(file))
                .args(["-lgcc", "-lgcc_eh"])
                .args(["libc.a", "crtn.o"].map(file));
        } else {
            command.args(&program.link);
        }
        command
    }

    fn go(&self, program: &Program, flavour: Flavour, output: &Path) -> Result<Command> {
        let go = go().context("no Go toolchain")?;
        let mut command = Command::new(go);
        command.args(["build", "-trimpath", "-o"]).arg(output).arg(&program.source);
        command.current_dir(&self.target).env("GOOS", "linux").env("CGO_ENABLED", "0").env("GO111MODULE", "off");
        command.env("GOCACHE", self.target.join("go-cache")).env("GOFLAGS", "-p=2").env("GOTOOLCHAIN", "local");
        command.env("GOARCH", if flavour == Flavour::Wide { "amd64" } else { "386" }).env("GOPROXY", "off");
        Ok(command)
    }
}

/// Why a flavour cannot be built here, if it cannot.
#[must_use]
pub fn missing(language: Language, flavour: Flavour) -> Option<&'static str> {
    static CROSS: OnceLock<bool> = OnceLock::new();
    static HOST: OnceLock<bool> = OnceLock::new();
    static GO: OnceLock<bool> = OnceLock::new();
    let runs = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    match (language, flavour) {
        (Language::Go, _) => (!GO.get_or_init(|| go().is_some())).then_some("no Go toolchain (golang-go)"),
        (Language::C, Flavour::Wide) => (!HOST.get_or_init(|| runs("gcc"))).then_some("no gcc"),
        (Language::C, _) if !CROSS.get_or_init(|| runs(CC_32)) => Some("no cross compiler (gcc-i686-linux-gnu)"),
        (Language::C, Flavour::Musl) if !Path::new(MUSL.1).join("libc.a").exists() => Some("no musl (musl-dev:i386)"),
        (Language::C, Flavour::Dynamic) if !Path::new("/lib/ld-linux.so.2").exists() => Some("no 32-bit loader (libc6:i386)"),
        _ => None,
    }
}

fn go() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    places.push(PathBuf::from("/usr/local/go/bin"));
    places.into_iter().map(|place| place.join("go")).find(|go| go.is_file())
}

//! Where the headers of the C and C++ libraries are, for each side: asked of the compilers.

use crate::cache::{self, Cache, Key, Seen};
use crate::compiler::{self, Language};
use crate::observe;
use crate::pair::{Abi, NARROW, Pair, WIDE};
use crate::project::Compilation;
use anyhow::{Result, bail};
use findings::Unchecked;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// The directories, in order, each with the option that names it.
type Directories = Vec<(&'static str, String)>;

/// What a compiler says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Driver {
    /// The triplet of what it compiles for.
    machine: String,
    directories: Vec<String>,
}

impl Driver {
    /// The name of the [`Abi`] that it compiles for with these options, if that is one.
    fn abi(&self, options: &[String]) -> Option<&'static str> {
        match self.machine.split('-').next().unwrap_or_default() {
            "x86_64" if options.iter().any(|option| option == "-m32") => Some("i386"),
            "x86_64" => Some("x86-64"),
            "aarch64" => Some("arm64"),
            name if name.starts_with("arm") => Some("armhf"),
            name if name.len() == 4 && name.starts_with('i') && name.ends_with("86") => Some("i386"),
            _ => None,
        }
    }
}

/// A compiler, with the options that change where it looks; and whether it is for C++.
type Query = (String, Vec<String>, bool);

/// The directories of headers.
#[derive(Debug)]
pub(crate) struct Headers<'a> {
    /// By side, C and C++.
    directories: [[Directories; 2]; 2],
    pair: Pair,
    /// Those of the build's own compilers, as far as they have been asked.
    drivers: Mutex<BTreeMap<Query, Option<Driver>>>,
    cache: Option<&'a Cache>,
}

/// Where the worker has headers that a C library for 64 bits need not have, and that say nothing.
pub(crate) const STUBS: &str = "/biarch";

impl<'a> Headers<'a> {
    /// Asks the compilers, or the cache for what they have said.
    ///
    /// # Errors
    /// Where there is no C library of a side.
    pub(crate) fn find(pair: Pair, cache: Option<&'a Cache>) -> Result<Self> {
        let of = |side: usize| -> Result<[Directories; 2]> {
            let abi = pair.sides[side];
            let mut both = [directories(abi, false, cache)?, directories(abi, true, cache).unwrap_or_default()];
            for one in &mut both {
                one.push(("-idirafter", STUBS.to_owned()));
            }
            Ok(both)
        };
        Ok(Self { directories: [of(NARROW)?, of(WIDE)?], pair, drivers: Mutex::default(), cache })
    }

    /// Those for one side of this file. A compiler that the build names is asked where it looks: if it is for this side, that is
    /// taken; if not, its directories come last, for the libraries that only it knows of.
    pub(crate) fn directories(&self, side: usize, compilation: &Compilation) -> Directories {
        let usual = &self.directories[side][usize::from(compilation.is_cxx)];
        let Some(query) = query(compilation) else { return usual.clone() };
        let Ok(mut drivers) = self.drivers.lock() else { return usual.clone() };
        let options = query.1.clone();
        let driver = drivers.entry(query).or_insert_with_key(|(program, options, is_cxx)| {
            asked((program, options), &compilation.directory, *is_cxx, self.cache)
        });
        let Some(driver) = driver else { return usual.clone() };
        if driver.abi(&options) == Some(self.pair.sides[side].name) {
            let mut own: Directories = driver.directories.iter().map(|directory| ("-isystem", directory.clone())).collect();
            own.push(("-idirafter", STUBS.to_owned()));
            return own;
        }
        let known = |directory: &&String| !usual.iter().any(|(_, other)| other == *directory);
        let more = driver.directories.iter().filter(known).map(|directory| ("-idirafter", directory.clone()));
        usual.iter().cloned().chain(more).collect()
    }

    /// The compilers that could not be asked.
    pub(crate) fn not_asked(&self) -> Vec<Unchecked> {
        let Ok(drivers) = self.drivers.lock() else { return Vec::new() };
        let silent = drivers.iter().filter(|(_, driver)| driver.is_none()).map(|((compiler, ..), _)| Unchecked {
            what: compiler.clone(),
            because: "this compiler of the build does not say where its headers are: this system's were taken".to_owned(),
        });
        silent.collect()
    }
}

/// What to ask the compiler of this file, where it is not the one that everybody has.
fn query(compilation: &Compilation) -> Option<Query> {
    let program = compilation.compiler.as_str();
    compiler::is_compiler(program)?;
    let mut options = Vec::new();
    let mut words = compilation.arguments.iter();
    while let Some(word) = words.next() {
        let matters = ["--sysroot", "-isysroot", "-B", "-specs", "--specs", "-mfloat-abi", "-mx32", "-stdlib="];
        if matters.iter().any(|option| word.starts_with(option)) || ["-m32", "-m64", "-mthumb"].contains(&word.as_str()) {
            options.push(word.clone());
            if compiler::takes_next(word) {
                options.extend(words.next().cloned());
            }
        }
    }
    let own = [("cc", Language::C), ("gcc", Language::C), ("clang", Language::C), ("c++", Language::Cxx), ("g++", Language::Cxx)];
    let name = compiler::base_name(program).trim_end_matches(|c: char| c == '-' || c == '.' || c.is_ascii_digit());
    let usual = own.iter().any(|(other, _)| *other == name)
        && (!program.contains('/') || program.starts_with("/usr/bin/") || program.starts_with("/bin/"))
        && options.iter().all(|option| option == "-m32" || option == "-m64");
    (!usual).then(|| (program.to_owned(), options, compilation.is_cxx))
}

/// Whether this machine's own headers serve: they are for both word sizes.
fn is_native(abi: Abi) -> bool {
    let native = if cfg!(target_arch = "aarch64") { ["armhf", "arm64"] } else { ["i386", "x86-64"] };
    native.contains(&abi.name)
}

fn directories(abi: Abi, is_cxx: bool, cache: Option<&Cache>) -> Result<Directories> {
    let gcc = if is_cxx { "g++" } else { "gcc" };
    let ask = |compiler: &str, is_cxx| Some(asked((compiler, &[]), Path::new("/"), is_cxx, cache)?.directories);
    let own = |is_cxx| [gcc, "cc", "clang"].into_iter().find_map(|compiler| ask(compiler, is_cxx));
    let mut found = Directories::new();
    if is_native(abi) {
        let multiarch = format!("/usr/include/{}", abi.triplet);
        if Path::new(&multiarch).join("gnu").is_dir() {
            found.push(("-isystem", multiarch));
        }
        let Some(search) = own(is_cxx) else {
            bail!("no C compiler whose headers could be used: apt-get install gcc libc6-dev");
        };
        found.extend(search.into_iter().map(|directory| ("-isystem", directory)));
    } else {
        let Some(search) = ask(&format!("{}-{gcc}", abi.target), is_cxx) else {
            bail!("no headers for {}: apt-get install {gcc}-{}", abi.name, abi.target.replace('_', "-"));
        };
        found.extend(search.into_iter().map(|directory| ("-isystem", directory)));
        // Those of other libraries are mostly the same for every architecture.
        if let Some(own) = own(false) {
            found.extend(own.into_iter().map(|directory| ("-idirafter", directory)));
        }
    }
    Ok(found)
}

/// What the answer of a compiler depends on besides its options.
const ENVIRONMENT: [&str; 5] = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"];

/// What a compiler says of itself with these options, when it is started in this directory.
fn asked((program, options): (&str, &[String]), directory: &Path, is_cxx: bool, cache: Option<&Cache>) -> Option<Driver> {
    let program = observe::program(program, directory)?;
    let environment = ENVIRONMENT.map(env::var_os);
    let key = Key::of(&format!("{}{:?}", crate::SOURCES, (&program, options, directory, is_cxx, environment)));
    cache::ask(cache, key, || {
        let mut command = Command::new(&program);
        command.args(options).args(["-E", "-v", "-x", if is_cxx { "c++" } else { "c" }, "/dev/null"]).current_dir(directory);
        let output = command.env("LC_ALL", "C").output().ok()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let machine = said.lines().find_map(|line| line.strip_prefix("Target: "))?.trim().to_owned();
        let directories = searched(&said)?;
        // One that comes to be is searched then.
        let absent = said
            .lines()
            .filter_map(|line| line.strip_prefix("ignoring nonexistent directory "))
            .map(|name| name.trim_matches('"'));
        let directories_seen = absent.map(str::to_owned).chain(directories.iter().cloned()).collect();
        let files = [program.to_string_lossy().into_owned()].into();
        Some((Driver { machine, directories }, Seen { files, directories: directories_seen }))
    })
}

/// Where a compiler looks for headers, but for its own, for clang has its own.
fn searched(said: &str) -> Option<Vec<String>> {
    let list = said.split("#include <...> search starts here:").nth(1)?.split("End of search list.").next()?;
    let directories = list.lines().map(str::trim).filter(|line| line.starts_with('/'));
    let is_own = |line: &&str| !(line.contains("/lib/gcc") || line.contains("/lib/clang/") || line.contains("/lib/llvm"));
    let of_cxx = |line: &&str| line.contains("/c++/");
    let kept: Vec<String> = directories
        // A cross compiler has its library below its own directory: /usr/lib/gcc-cross/TARGET/12/../../../../TARGET/include.
        .map(|line| fs::canonicalize(line).map_or_else(|_| line.to_owned(), |path| path.to_string_lossy().into_owned()))
        .filter(|line| is_own(&line.as_str()) || of_cxx(&line.as_str()))
        .collect();
    (!kept.is_empty()).then_some(kept)
}

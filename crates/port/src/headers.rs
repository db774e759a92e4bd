//! Where the headers of the C and C++ libraries are, for each side.

use crate::pair::{Abi, NARROW, Pair, WIDE};
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The directories, in order, each with the option that names it.
type Directories = Vec<(&'static str, String)>;

/// The directories of headers.
#[derive(Clone, Debug)]
pub(crate) struct Headers {
    /// By side, C and C++.
    directories: [[Directories; 2]; 2],
}

/// Where the worker has headers that a C library for 64 bits need not have, and that say nothing.
const STUBS: &str = "/biarch";

impl Headers {
    /// Asks the compilers.
    pub(crate) fn find(pair: Pair) -> Result<Self> {
        let of = |side: usize| -> Result<[Directories; 2]> {
            let abi = pair.sides[side];
            let mut both = [directories(abi, false)?, directories(abi, true).unwrap_or_default()];
            for one in &mut both {
                one.push(("-idirafter", STUBS.to_owned()));
            }
            Ok(both)
        };
        Ok(Self { directories: [of(NARROW)?, of(WIDE)?] })
    }

    /// Those for one side.
    pub(crate) fn directories(&self, side: usize, is_cxx: bool) -> &Directories {
        &self.directories[side][usize::from(is_cxx)]
    }
}

/// Whether this machine's own headers serve: they are for both word sizes.
fn is_native(abi: Abi) -> bool {
    let native = if cfg!(target_arch = "aarch64") { ["armhf", "arm64"] } else { ["i386", "x86-64"] };
    native.contains(&abi.name)
}

fn directories(abi: Abi, is_cxx: bool) -> Result<Directories> {
    let (gcc, language) = if is_cxx { ("g++", "c++") } else { ("gcc", "c") };
    let own: &[String] = &[gcc.to_owned(), "cc".to_owned(), "clang".to_owned()];
    let cross = [format!("{}-{gcc}", abi.target.replace("i686-linux", "i686-linux"))];
    let mut found = Directories::new();
    if is_native(abi) {
        let multiarch = format!("/usr/include/{}", abi.triplet);
        if Path::new(&multiarch).join("gnu").is_dir() {
            found.push(("-isystem", multiarch));
        }
        let Some(search) = own.iter().find_map(|compiler| ask(compiler, language)) else {
            bail!("no C compiler whose headers could be used: apt-get install gcc libc6-dev");
        };
        found.extend(search.into_iter().map(|directory| ("-isystem", directory)));
    } else {
        let Some(search) = cross.iter().find_map(|compiler| ask(compiler, language)) else {
            bail!("no headers for {}: apt-get install {gcc}-{}", abi.name, abi.target.replace('_', "-"));
        };
        found.extend(search.into_iter().map(|directory| ("-isystem", directory)));
        // Those of other libraries are mostly the same for every architecture.
        if let Some(own) = own.iter().find_map(|compiler| ask(compiler, "c")) {
            found.extend(own.into_iter().map(|directory| ("-idirafter", directory)));
        }
    }
    Ok(found)
}

/// Where a compiler looks for headers, but for its own, for clang has its own.
fn ask(compiler: &str, language: &str) -> Option<Vec<String>> {
    let output = Command::new(compiler).args(["-E", "-v", "-x", language, "/dev/null"]).env("LC_ALL", "C").output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let list = said.split("#include <...> search starts here:").nth(1)?.split("End of search list.").next()?;
    let directories = list.lines().map(str::trim).filter(|line| line.starts_with('/'));
    let is_own = |line: &&str| !(line.contains("/lib/gcc") || line.contains("/lib/clang/") || line.contains("/lib/llvm"));
    let of_cxx = |line: &&str| line.contains("/c++/");
    let kept: Vec<String> = directories
        .filter(|line| is_own(line) || of_cxx(line))
        .map(|line| fs::canonicalize(line).map_or_else(|_| line.to_owned(), |path| path.to_string_lossy().into_owned()))
        .collect();
    (!kept.is_empty()).then_some(kept)
}

//! A 32-bit library: what its file says of it.

use crate::debug_info;
use anyhow::{Context, Result, anyhow, bail, ensure};
use elf::Depth;
use elf::dwarf::Functions;
use object::{Object, ObjectSymbol};
use port::interface::Interface;
use port::pair::Pair;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A library above this size is not read.
const MAX_FILE: u64 = 1 << 30;

/// The library that every bridge needs beside it.
const RUNTIME: &str = "libbiarch.so.0";

/// What a file says of a library.
#[derive(Clone, Debug)]
pub struct Library {
    /// Where it is.
    pub path: PathBuf,
    /// Its architecture, and that of the programs that use it.
    pub pair: Pair,
    /// `DT_SONAME`, or the name of the file.
    pub soname: String,
    /// The version of each function that it has, where it has one.
    pub functions: BTreeMap<String, Option<String>>,
    /// Where the code of each begins.
    pub addresses: BTreeMap<String, u64>,
    /// The versions, in order, each with what it follows.
    pub versions: Vec<String>,
    /// What its debugging information says of functions of the header, where [`Library::with`] has read it; or why that cannot be read.
    pub compiled: Result<Functions, String>,
}

impl Library {
    /// The same with what its debugging information says of what a header declares, if it has any.
    #[must_use]
    pub fn with(mut self, interface: &Interface) -> Self {
        self.compiled = debug_info::read(&self, interface).map_err(|error| format!("{error:#}"));
        self
    }
}

/// Where a system has 32-bit libraries.
const DIRECTORIES: [(u16, &[&str]); 2] = [
    (elf::EM_386, &["lib/i386-linux-gnu", "usr/lib/i386-linux-gnu", "lib32", "usr/lib32", "usr/i686-linux-gnu/lib", "usr/lib"]),
    (elf::EM_ARM, &["lib/arm-linux-gnueabihf", "usr/lib/arm-linux-gnueabihf", "lib", "usr/lib"]),
];

/// i386 and x86-64.
pub const X86: Pair = Pair::ALL[0];
/// 32-bit ARM with floating-point registers, and AArch64.
pub const ARM: Pair = Pair::ALL[1];
/// That of this machine.
pub const NATIVE: Pair = if cfg!(target_arch = "aarch64") { ARM } else { X86 };
/// `EF_ARM_ABI_FLOAT_SOFT`: arguments are not in floating-point registers.
const SOFT_FLOAT: u32 = 0x200;

/// A library by its path; or by its name, in the system's directories or those of a sysroot.
#[must_use]
pub fn find(path: &Path, sysroot: Option<&str>) -> PathBuf {
    let Some(name) = path.file_name().filter(|_| !path.exists()) else { return path.to_owned() };
    let root = Path::new(sysroot.unwrap_or("/"));
    let native = if NATIVE == ARM { elf::EM_ARM } else { elf::EM_386 };
    // What is found by its name alone is for this machine.
    let known = DIRECTORIES.iter().filter(|(machine, _)| sysroot.is_some() || *machine == native);
    let mut places = known.flat_map(|(_, directories)| *directories).map(|directory| root.join(directory).join(name));
    places.find(|place| place.exists()).unwrap_or_else(|| path.to_owned())
}

/// Looks at a library.
///
/// # Errors
/// Where it cannot be read, or is not a library for i386.
pub fn read(path: &Path) -> Result<Library> {
    let shown = path.display();
    let about = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?;
    ensure!(about.is_file(), "{shown} is no file: name the 32-bit library");
    let size = about.len();
    ensure!(size <= MAX_FILE, "{shown} has more than {} MiB", MAX_FILE >> 20);
    let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let facts = elf::facts(&bytes).map_err(|error| anyhow!("{shown}: {error}: name the 32-bit library itself"))?;
    let machine = elf::machine(&facts).name;
    let pair = match facts.machine {
        elf::EM_386 if NATIVE == X86 => X86,
        elf::EM_386 => bail!("{shown} is for i386, and its bridge for x86-64: build it there"),
        elf::EM_ARM if !facts.big_endian => ARM,
        _ => bail!("{shown} is for {machine}, and a bridge is for a library for i386 or armhf: name that one (file {shown})"),
    };
    ensure!(facts.kind == elf::Kind::Dynamic, "{shown} is no shared library: name a .so");
    let details = elf::details(bytes.as_slice(), Depth::Headers).map_err(|error| anyhow!("{shown}: {error}"))?;
    ensure!(
        pair == X86 || details.flags & SOFT_FLOAT == 0,
        "{shown} is for ARM without floating-point registers (armel), and a bridge is for armhf: compile it with -mfloat-abi=hard"
    );
    let soname = details.soname.or_else(|| Some(path.file_name()?.to_string_lossy().into_owned())).unwrap_or_default();
    // A loader takes a path; what is made is a file in a directory of the user's.
    let soname = soname.rsplit('/').next().unwrap_or_default().to_owned();
    let is_odd = |one: char| one.is_whitespace() || one.is_control() || "\"'\\,$".contains(one);
    ensure!(
        !soname.is_empty() && !soname.starts_with('.') && !soname.contains(is_odd),
        "{shown} has the name {soname:?} (DT_SONAME), which no file made for it can have: rename a copy, patchelf --set-soname"
    );
    ensure!(soname != RUNTIME, "{shown} has the name of the bridges' own runtime, {RUNTIME} (DT_SONAME)");
    let mut library = Library {
        path: path.canonicalize().with_context(|| format!("cannot read {shown}"))?,
        pair,
        soname,
        functions: BTreeMap::new(),
        addresses: BTreeMap::new(),
        versions: Vec::new(),
        compiled: Ok(Functions::default()),
    };
    for elf::Export { name, version, is_default, address } in
        elf::exports(bytes.as_slice()).map_err(|error| anyhow!("{shown}: {error}"))?
    {
        // Of several the one that new programs are linked with counts.
        if is_default || !library.functions.contains_key(&name) {
            library.functions.insert(name.clone(), version);
            library.addresses.insert(name, address);
        }
    }
    if library.functions.is_empty() {
        bail!("{shown} has no functions that a program could call");
    }
    for version in library.functions.values().flatten() {
        if !library.versions.contains(version) {
            library.versions.push(version.clone());
        }
    }
    library.versions.sort();
    Ok(library)
}

/// The functions that a bridge has for programs.
///
/// # Errors
/// Where it cannot be read.
pub(crate) fn exported(bridge: &Path) -> Result<BTreeSet<String>> {
    let bytes = fs::read(bridge).with_context(|| format!("cannot read {}", bridge.display()))?;
    let file = object::File::parse(bytes.as_slice()).with_context(|| bridge.display().to_string())?;
    let names = file.dynamic_symbols().filter(|symbol| symbol.is_definition()).filter_map(|symbol| symbol.name().ok());
    Ok(names.map(str::to_owned).collect())
}

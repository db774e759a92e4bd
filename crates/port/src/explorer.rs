//! Both layouts of types that somebody names: from source, which is parsed for both sides, or from the debugging information of two
//! builds.

use crate::ast::kind::Kind;
use crate::ast::{TypeId, Unit};
use crate::pair::{NARROW, WIDE};
use crate::worker::Worker;
use crate::{Options, arguments, headers, layout, project};
use anyhow::{Context, Result, bail, ensure};
use elf::layout::{Comparison, Of};
use object::{Object, ObjectSection};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files above this are not read: they have to be in memory.
const MAX_FILE: u64 = 1 << 30;
/// How many types are named where the one that is asked for is not there.
const SUGGESTED: usize = 12;

/// What is compared: the names of both sides, and the types.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// The architectures, or the files.
    pub sides: [String; 2],
    /// In the order in which they are named.
    pub types: Vec<Comparison>,
}

/// Whether a file is a program, library or object file.
#[must_use]
pub fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"\x7fELF"
}

/// The layouts of types in a file of source.
///
/// # Errors
/// Where the file cannot be parsed, or has no such type.
pub fn of_source(options: &Options, types: &[String]) -> Result<Layouts> {
    let project = project::Project::find(options)?;
    let compilation = project.compilations.first().context("no file")?;
    let headers = headers::Headers::find(options.pair, None)?;
    let mut worker = Worker::start(options.input.time_limit)?;
    let mut parse = |side: usize| {
        let arguments = arguments::for_clang(options, compilation, &headers, side);
        worker.parse(&compilation.file, &arguments).with_context(|| compilation.file.clone())
    };
    let units = [parse(NARROW)?, parse(WIDE)?];
    let compared = |name: &String| {
        let both = units.each_ref().map(|unit| find(unit, name));
        match both {
            [Some(narrow), Some(wide)] => {
                let [narrow, wide] = [(NARROW, narrow), (WIDE, wide)].map(|(side, id)| layout::of(&units[side], id));
                ensure!(
                    narrow.size > 0 && wide.size > 0,
                    "`{name}` has no layout that is the compiler's: {}",
                    damage(&units[WIDE])
                );
                Ok(Comparison::new(&narrow, &wide))
            }
            _ => bail!("no type `{name}` in {}; there are {}", compilation.file, known(&units[WIDE])),
        }
    };
    let sides = options.pair.sides.map(|abi| abi.name.to_owned());
    Ok(Layouts { sides, types: types.iter().map(compared).collect::<Result<_>>()? })
}

/// Why a type may not be complete.
fn damage(unit: &Unit) -> String {
    let first = unit.diagnostics.iter().find(|diagnostic| diagnostic.severity >= 3);
    first.map_or_else(|| "it is only declared".to_owned(), |first| first.text.clone())
}

/// The type of this name: a structure, a union, a typedef.
fn find(unit: &Unit, name: &str) -> Option<TypeId> {
    let (word, bare) = name.split_once(' ').unwrap_or(("", name));
    let is_kind = |kind: Kind| match word {
        "" => kind.is_record() || matches!(kind, Kind::Typedef | Kind::TypeAlias),
        "struct" => kind == Kind::Struct,
        "union" => kind == Kind::Union,
        "class" => kind == Kind::Class,
        _ => false,
    };
    let mut found = unit.declarations.iter().filter(|of| is_kind(of.kind) && of.type_id.0 != 0).filter(|of| {
        // With its namespaces it is the type's spelling that has them.
        of.name == bare || bare.contains("::") && unit.get_type(of.type_id).spelling.trim_start_matches("struct ") == bare
    });
    found.find(|of| unit.canonical(of.type_id).size.is_some()).map(|of| of.type_id)
}

/// The types of the project that a file has.
fn known(unit: &Unit) -> String {
    let names: BTreeSet<&str> = unit
        .declarations
        .iter()
        .filter(|of| of.kind.is_record() && !of.in_system_header && !of.name.is_empty() && !of.name.contains(' '))
        .map(|of| of.name.as_str())
        .collect();
    if names.is_empty() {
        return "none of its own".to_owned();
    }
    let mut text = names.iter().take(SUGGESTED).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SUGGESTED {
        text.push_str(&format!(" and {} more", names.len() - SUGGESTED));
    }
    text
}

/// The layouts of types in the debugging information of two builds, in any order.
///
/// # Errors
/// Where a file cannot be read, has no debugging information, or has no such type.
pub fn of_builds(paths: [&PathBuf; 2], types: &[String]) -> Result<Layouts> {
    let read = |path: &PathBuf| -> Result<(bool, Vec<Of>)> {
        let shown = path.display();
        let file = fs::File::open(path).with_context(|| format!("cannot read {shown}"))?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
        ensure!(bytes.len() as u64 <= MAX_FILE, "{shown} has more than {} MiB", MAX_FILE >> 20);
        let object = object::File::parse(bytes.as_slice()).with_context(|| shown.to_string())?;
        let has = object.sections().any(|section| section.name().is_ok_and(|name| name.ends_with("debug_info")));
        ensure!(has, "{shown} has no debugging information: build it with -g, or name the file that has it");
        let found = elf::dwarf::layouts(&object, types).with_context(|| format!("{shown}: its debugging information"))?;
        let of = |name: &String| {
            found
                .get(name)
                .cloned()
                .with_context(|| format!("no type `{name}` is defined in the debugging information of {shown}"))
        };
        Ok((object.is_64(), types.iter().map(of).collect::<Result<_>>()?))
    };
    let (one, two) = (read(paths[0])?, read(paths[1])?);
    ensure!(
        one.0 != two.0,
        "{} and {} have the same word size: name a build for 32 bits and one for 64",
        paths[0].display(),
        paths[1].display()
    );
    let sides = if one.0 { [paths[1], paths[0]] } else { paths };
    let (narrow, wide) = if one.0 { (two.1, one.1) } else { (one.1, two.1) };
    let types = narrow.iter().zip(&wide).map(|(narrow, wide)| Comparison::new(narrow, wide)).collect();
    Ok(Layouts { sides: sides.map(|path| path.display().to_string()), types })
}

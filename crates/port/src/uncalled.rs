//! Functions that nothing in a program names: what is wrong in them nobody feels.

use crate::ast::Value;
use crate::ast::kind::Kind;
use crate::directory::Directory;
use crate::files::{self, FileKind};
use crate::pair::WIDE;
use crate::project::Project;
use crate::rules::Hit;
use crate::tree::Tree;
use findings::Confidence;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

/// What one file says.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Names {
    /// The functions of the project that it names, and texts by which one may be looked up.
    named: BTreeSet<String>,
    /// Those that it defines, and does not name itself.
    defined: Vec<Function>,
}

#[derive(Serialize, Deserialize)]
struct Function {
    name: String,
    path: String,
    /// Bytes from the beginning of the file.
    start: u32,
    end: u32,
}

impl Function {
    fn has(&self, hit: &Hit) -> bool {
        hit.path == self.path && (self.start..self.end).contains(&hit.start)
    }
}

/// Where a program begins.
const MAIN: &str = "main";

/// Longer texts are no names.
const LONGEST: usize = 64;

/// Attributes of functions that the system calls, or others by a pointer that no source has.
const CALLED: [&str; 5] = ["constructor", "destructor", "used", "visibility", "section"];

/// How a build file makes what other programs call, or installs its headers.
const LIBRARIES: [&str; 9] = [
    "lib_LTLIBRARIES",
    "lib_LIBRARIES",
    "include_HEADERS",
    "includedir",
    "-shared",
    "add_library",
    "shared_library",
    " library(",
    "SharedLibrary",
];

/// Larger files nobody has written.
const MAX_FILE: u64 = 4 << 20;

/// Says which functions a file names, in all that is compiled for 64 bits.
pub(crate) fn summarise(tree: &Tree<'_>, is_own: &dyn Fn(&str) -> bool) -> Names {
    let unit = tree.units[WIDE];
    let mut names = Names::default();
    let is_name = |text: &str| text.len() < LONGEST && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    for (at, node) in (0_u32..).zip(&unit.nodes) {
        let declaration = unit.declaration(node.declaration);
        let is_function = declaration.kind.is_function() || declaration.kind == Kind::FunctionTemplate;
        if let Some(Value::Text(text)) = node.value.as_ref().filter(|value| matches!(value, Value::Text(text) if is_name(text))) {
            names.named.insert(text.clone());
        } else if is_function && node.kind >= Kind::MemberRef && !declaration.in_system_header {
            names.named.insert(declaration.name.clone());
        } else if matches!(node.kind, Kind::Function | Kind::Method) && is_own(unit.file(node.place.file)) {
            let is_defined = unit.children(at).any(|child| unit.nodes[child as usize].kind == Kind::Compound);
            let is_called = declaration.attributes.iter().any(|attribute| CALLED.iter().any(|called| attribute.contains(called)));
            // What overrides a method is called by the name that is overridden, perhaps by a library.
            let is_other = is_called || !declaration.overrides.is_empty() || declaration.name.starts_with("operator");
            if is_defined && !is_other {
                let (path, start, end) = (unit.file(node.place.file).to_owned(), node.place.start, node.place.end);
                names.defined.push(Function { name: declaration.name.clone(), path, start, end });
            }
        }
    }
    names.defined.retain(|function| !names.named.contains(&function.name));
    names
}

/// Makes what is found in functions of a program that nothing calls only possible. `whole` are the files of which every line was analysed.
pub(crate) fn lower(hits: &mut [Hit], files: &[Names], project: &Project, whole: &HashSet<&str>) {
    let named: HashSet<&str> = files.iter().flat_map(|file| file.named.iter().map(String::as_str)).collect();
    let defined = || files.iter().flat_map(|file| &file.defined).filter(|function| !named.contains(function.name.as_str()));
    if !defined().any(|function| function.name == MAIN) {
        return;
    }
    let mut by_path: HashMap<&str, Vec<&Function>> = HashMap::new();
    for function in defined().filter(|function| function.name != MAIN) {
        by_path.entry(&function.path).or_default().push(function);
    }
    let around = |hit: &Hit| by_path.get(hit.path.as_str())?.iter().copied().find(|function| function.has(hit));
    let mut waiting: Vec<(&mut Hit, &Function)> = Vec::new();
    for hit in hits.iter_mut().filter(|hit| hit.confidence > Confidence::Possible) {
        if let Some(function) = around(hit) {
            waiting.push((hit, function));
        }
    }
    if waiting.is_empty() {
        return;
    }
    let mut names: BTreeSet<&str> = waiting.iter().map(|(_, function)| function.name.as_str()).collect();
    let directories = project.trees().iter().map(|tree| Directory::read(tree));
    for directory in directories {
        // What could not be read may say anything.
        let Ok(directory) = directory else { return };
        for path in directory.files() {
            let is_build = matches!(files::kind(path), Some(FileKind::Build | FileKind::Script));
            let is_seen = whole.contains(&*path.to_string_lossy());
            if is_seen && !is_build || fs::metadata(path).is_ok_and(|of| of.len() > MAX_FILE) {
                continue;
            }
            let bytes = fs::read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            if is_build {
                if LIBRARIES.iter().any(|library| text.contains(library)) {
                    return;
                }
                continue;
            }
            // What was not understood, as a grammar's actions, may call it; a person may speak of it as well.
            names.retain(|name| !mentions(&text, name, path, waiting.iter().map(|(_, function)| *function)));
        }
    }
    for (hit, function) in waiting {
        if names.contains(function.name.as_str()) {
            hit.confidence = Confidence::Possible;
        }
    }
}

/// Whether a file names a function outside of it.
fn mentions<'a>(text: &str, name: &str, path: &Path, mut functions: impl Iterator<Item = &'a Function>) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let own = functions.find(|function| function.name == name && Path::new(&function.path) == path);
    text.match_indices(name).any(|(at, _)| {
        let is_word = !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part);
        let is_inside = own.is_some_and(|own| u32::try_from(at).is_ok_and(|at| (own.start..own.end).contains(&at)));
        is_word && !is_inside
    })
}

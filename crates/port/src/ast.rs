//! What the worker says of one file, parsed for one architecture.

pub(crate) mod decode;
pub(crate) mod kind;

use kind::{Kind, TypeKind};
use std::collections::HashSet;
use std::path::Path;

/// The number of a type, from 1; 0 is no type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TypeId(pub(crate) u32);

/// The number of a declaration, from 1; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct DeclarationId(pub(crate) u32);

/// The number of a file, from 1; 0 is none, as of what the compiler has built in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FileId(pub(crate) u32);

/// Where something is written. Offsets are bytes from the beginning of the file; the end is after the last character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: FileId,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where the text is that a macro has put here.
    pub(crate) macro_text: Option<(FileId, u32)>,
}

/// A type. Sizes are bytes; nothing, where there is none, as for functions and what is not complete.
#[derive(Clone, Debug, Default)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    /// As it is written in C.
    pub(crate) spelling: String,
    /// The same without typedefs.
    pub(crate) canonical: TypeId,
    pub(crate) size: Option<u64>,
    /// Bytes.
    pub(crate) alignment: Option<u64>,
    /// What a pointer points to, an array is made of, a function returns, `struct name` names.
    pub(crate) inner: TypeId,
    /// The number of an array's elements.
    pub(crate) count: Option<u64>,
    /// That of a structure, union, enumeration, typedef.
    pub(crate) declaration: DeclarationId,
    pub(crate) is_const: bool,
    pub(crate) is_variadic: bool,
    /// Those of a function's parameters.
    pub(crate) arguments: Vec<TypeId>,
}

/// Something that has a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declaration {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) type_id: TypeId,
    /// What a typedef stands for, an enumeration is stored in.
    pub(crate) underlying: TypeId,
    /// Whose field it is.
    pub(crate) parent: DeclarationId,
    pub(crate) place: Place,
    /// Where the name is.
    pub(crate) name_start: u32,
    pub(crate) in_system_header: bool,
    /// Whether other files see it.
    pub(crate) is_external: bool,
    pub(crate) is_static: bool,
    /// Bits from the beginning of the structure.
    pub(crate) offset: Option<u64>,
    /// The bits of a bit-field.
    pub(crate) bits: Option<u64>,
    /// That of an enumeration's constant.
    pub(crate) value: i64,
    /// Those of a structure, in order.
    pub(crate) fields: Vec<DeclarationId>,
    /// As they are spelled, without spaces.
    pub(crate) attributes: Vec<String>,
    /// The methods that it overrides.
    pub(crate) overrides: Vec<DeclarationId>,
}

/// The value of a literal, or of `sizeof`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i128),
    /// As it is written in C, with `\\n` and the like, without the quotes.
    Text(String),
}

/// A macro as it is defined.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub(crate) name: String,
    /// Whether it has parameters.
    pub(crate) is_function: bool,
    /// What it stands for; with parameters, these are in front.
    pub(crate) tokens: Vec<String>,
}

/// What a macro that is a constant stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A whole number.
    Integer(i128),
    /// An approximate number.
    Floating(f64),
    /// A string.
    Text(String),
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) type_id: TypeId,
    /// What it declares or refers to.
    pub(crate) declaration: DeclarationId,
    /// CXBinaryOperatorKind or CXUnaryOperatorKind.
    pub(crate) operator: u8,
    pub(crate) place: Place,
    pub(crate) value: Option<Value>,
    /// The node after all that is in this one: children are between this one and that.
    pub(crate) next: u32,
}

/// What the compiler itself says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// CXDiagnosticSeverity: 2 is a warning, 3 an error, 4 the end.
    pub(crate) severity: u8,
    /// As `-Wformat`.
    pub(crate) option: String,
    pub(crate) text: String,
    pub(crate) place: Place,
    pub(crate) in_system_header: bool,
    /// Whether it is about what a template has become.
    pub(crate) is_of_instantiation: bool,
}

/// One file, parsed for one architecture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    pub(crate) files: Vec<String>,
    pub(crate) types: Vec<Type>,
    pub(crate) declarations: Vec<Declaration>,
    /// In the order in which they are written, parents first.
    pub(crate) nodes: Vec<Node>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The files that it includes, and itself; and whether they are the system's.
    pub(crate) inclusions: Vec<(FileId, bool)>,
    /// The functions that it declares and that it looks up by their name, as by dlsym(3); and whether they are in `extern "C"`.
    pub(crate) symbols: Vec<(DeclarationId, bool)>,
}

impl Unit {
    /// Whether the compiler has said anything of what a template has become.
    pub(crate) fn has_said_of_instances(&self) -> bool {
        self.diagnostics.iter().any(|said| said.severity >= 2 && said.is_of_instantiation)
    }

    /// Adds headers of the system that it includes.
    pub(crate) fn include(&mut self, paths: &[String]) {
        let known: HashSet<String> = self.inclusions.iter().map(|(file, _)| self.file(*file).to_owned()).collect();
        for path in paths.iter().filter(|path| !known.contains(*path)) {
            let Ok(number) = u32::try_from(self.files.len()) else { return };
            self.files.push(path.clone());
            self.inclusions.push((FileId(number), true));
        }
    }

    /// Says of what a header of the project declares that it is the project's: clang takes a directory that is searched last for the system's.
    pub(crate) fn claim(&mut self, is_own: impl Fn(&str) -> bool) {
        let own: Vec<bool> = self.files.iter().map(|file| is_own(file)).collect();
        for declaration in self.declarations.iter_mut().filter(|of| own.get(of.place.file.0 as usize) == Some(&true)) {
            declaration.in_system_header = false;
        }
    }

    /// Gives every file one name, however it was found: relative paths start in `directory`.
    pub(crate) fn resolve(&mut self, directory: &Path) {
        let is_plain = |file: &str| file.is_empty() || file.starts_with('/') && !file.contains("/.");
        for file in self.files.iter_mut().filter(|file| !is_plain(file)) {
            if let Ok(path) = directory.join(&*file).canonicalize() {
                *file = path.to_string_lossy().into_owned();
            }
        }
    }

    /// The type without typedefs.
    pub(crate) fn canonical(&self, id: TypeId) -> &Type {
        self.get_type(self.get_type(id).canonical)
    }

    pub(crate) fn get_type(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub(crate) fn declaration(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id.0 as usize]
    }

    /// Its path, as the compiler has found it.
    pub(crate) fn file(&self, id: FileId) -> &str {
        &self.files[id.0 as usize]
    }

    /// The nodes directly below `parent`.
    pub(crate) fn children(&self, parent: u32) -> Children<'_> {
        Children { unit: self, at: parent + 1, end: self.nodes[parent as usize].next }
    }

    /// Those below nothing.
    pub(crate) fn top(&self) -> Children<'_> {
        Children { unit: self, at: 0, end: u32::try_from(self.nodes.len()).unwrap_or(u32::MAX) }
    }
}

/// Nodes beside one another.
#[derive(Clone)]
pub(crate) struct Children<'a> {
    unit: &'a Unit,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let here = self.at;
        (here < self.end).then(|| {
            self.at = self.unit.nodes[here as usize].next;
            here
        })
    }
}

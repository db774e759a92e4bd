//! Functions that are found by their name when the program runs, as by dlsym(3), and with which type they are called.
//!
//! Every file says which functions it defines and declares, and what it looks up. When all files are parsed, [`join`] gives each lookup
//! the functions that it may find. A name that nobody defines or declares has none: of a library's functions only that is known.

use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::pair::{NARROW, WIDE};
use crate::rules::Hit;
use crate::tree::{Expression, Tree, Types};
use crate::va_lists;
use findings::Confidence;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The functions that look a symbol up: its name is the second argument. The parser is told them when it is started. Not dlvsym(3): each
/// version of a symbol has a type of its own, and headers have that of the newest.
pub(crate) const LOOKUPS: [&str; 1] = ["dlsym"];

/// What is passed to a function, or returned by it, as far as it matters how wide it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Value {
    /// As it is written, for 64 bits.
    pub(crate) spelling: String,
    /// Bytes; nothing, where it has no size.
    pub(crate) sizes: Option<[u64; 2]>,
    pub(crate) class: Class,
}

/// What kind of value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Class {
    /// A whole number; whether it can be negative, for 64 bits.
    Integer {
        signed: bool,
    },
    Pointer,
    /// A structure, an approximate number, nothing: it is passed otherwise.
    Other,
}

impl Value {
    pub(crate) fn new(types: Types<'_>) -> Self {
        let class = match types.integers() {
            Some([_, wide]) => Class::Integer { signed: wide.signed },
            None if types.is_pointer() => Class::Pointer,
            None => Class::Other,
        };
        Self { spelling: types.spelling().to_owned(), sizes: types.sizes(), class }
    }

    /// "int (4 bytes)" and the like, for one side.
    pub(crate) fn describe(&self, side: usize) -> String {
        let size = self.sizes.map_or_else(String::new, |sizes| format!(" ({} bytes)", sizes[side]));
        format!("{}{size}", self.spelling)
    }
}

/// What a function is called with, and what it returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Signature {
    pub(crate) result: Value,
    pub(crate) arguments: Vec<Value>,
    /// Whether it says what its arguments are.
    pub(crate) has_prototype: bool,
}

impl Signature {
    /// That of a function.
    pub(crate) fn new(function: Types<'_>) -> Option<Self> {
        Some(Self {
            result: Value::new(function.inner()?),
            arguments: function.arguments().map(Value::new).collect(),
            has_prototype: function.is(TypeKind::Function),
        })
    }
}

/// The function that something is, or is a pointer to.
pub(crate) fn function(types: Types<'_>) -> Option<Types<'_>> {
    let function = if types.is_pointer() { types.inner()? } else { types };
    (function.is(TypeKind::Function) || function.is(TypeKind::FunctionNoPrototype)).then_some(function)
}

/// What one file says.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Symbols {
    /// What its functions take and return, once each: most functions are made of a few types.
    values: Vec<Value>,
    functions: Vec<Function>,
    pub(crate) lookups: Vec<Lookup>,
}

/// A function that other files see.
#[derive(Serialize, Deserialize)]
struct Function {
    name: String,
    /// The name of the file that defines or declares it.
    file: String,
    is_defined: bool,
    has_prototype: bool,
    /// Whether all its types are known.
    is_known: bool,
    /// Whether it does no more with a `va_list` than to copy it.
    spares_lists: bool,
    /// Positions of [`Symbols::values`]; the result is the first.
    values: Vec<u32>,
}

/// A symbol that is looked up, and called as a function.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Lookup {
    pub(crate) name: String,
    /// The type by which it is called.
    pub(crate) called: Signature,
    /// What is said if that is not its type; how sure that can be is known already.
    pub(crate) hit: Hit,
}

/// A function that a lookup may find.
pub(crate) struct Candidate {
    /// The name of the file that defines or declares it.
    pub(crate) file: String,
    pub(crate) is: Signature,
    /// Whether all its types are known.
    pub(crate) is_known: bool,
    /// Whether it does no more with a `va_list` than to copy it.
    pub(crate) spares_lists: bool,
}

/// Says which functions a file defines, and which it declares and uses or looks up.
pub(crate) fn summarise(tree: &Tree<'_>, is_cxx: bool, is_own: &dyn Fn(&str) -> bool, lookups: Vec<Lookup>) -> Symbols {
    let mut out = Out { symbols: Symbols { lookups, ..Symbols::default() }, numbers: HashMap::new() };
    let is_known = tree.doubt(Confidence::Probable) == Confidence::Probable;
    let mut declared: BTreeMap<&str, ([&Declaration; 2], Types<'_>)> = BTreeMap::new();
    for node in tree.nodes() {
        let Some(both) = node.declarations().filter(|both| both.iter().all(|one| one.kind == Kind::Function && one.is_external))
        else {
            continue;
        };
        if node.kind() == Kind::Function && node.body().is_some() {
            // In C++ a name is a symbol only where the function has C's linkage.
            let is_symbol = !is_cxx || node.ancestors().any(|outer| outer.kind() == Kind::LinkageSpec);
            // Where it was called before, the compiler has declared it itself, in no file.
            let path = node.unit().file(node.place().file);
            if is_symbol && is_own(path) {
                let declared = Some(node.unit().file(both[WIDE].place.file)).filter(|declared| !declared.is_empty());
                out.add(node.types(), declared.unwrap_or(path), both[WIDE], Some(node), is_known);
            }
        } else if node.kind() == Kind::DeclRef && !is_cxx {
            declared.insert(&both[WIDE].name, (both, node.types()));
        }
    }
    let units = tree.units;
    for (id, in_linkage_specification) in &units[WIDE].symbols {
        let wide = units[WIDE].declaration(*id);
        let same = units[NARROW].symbols.iter().map(|(id, _)| units[NARROW].declaration(*id)).find(|one| one.name == wide.name);
        if let Some(narrow) = same.filter(|_| wide.is_external && (!is_cxx || *in_linkage_specification)) {
            declared.insert(&wide.name, ([narrow, wide], Types { tree, ids: [narrow.type_id, wide.type_id] }));
        }
    }
    for ([_, wide], types) in declared.into_values() {
        out.add(types, units[WIDE].file(wide.place.file), wide, None, is_known);
    }
    out.symbols
}

struct Out {
    symbols: Symbols,
    numbers: HashMap<Value, u32>,
}

impl Out {
    fn add(
        &mut self,
        types: Types<'_>,
        path: &str,
        declaration: &Declaration,
        definition: Option<Expression<'_>>,
        is_known: bool,
    ) {
        let Some(Signature { result, arguments, has_prototype }) = function(types).and_then(Signature::new) else { return };
        let values = std::iter::once(result).chain(arguments).map(|value| self.number(value)).collect();
        let file = file_name(path);
        let name = declaration.name.clone();
        let (is_defined, spares_lists) = (definition.is_some(), definition.is_some_and(va_lists::spares));
        self.symbols.functions.push(Function { name, file, is_defined, has_prototype, is_known, spares_lists, values });
    }

    fn number(&mut self, value: Value) -> u32 {
        let next = u32::try_from(self.symbols.values.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.symbols.values.push(value.clone());
            next
        })
    }
}

impl Symbols {
    fn candidate(&self, function: &Function) -> Option<Candidate> {
        let mut values = function.values.iter().map(|at| self.values.get(*at as usize).cloned());
        let is = Signature {
            result: values.next()??,
            arguments: values.collect::<Option<_>>()?,
            has_prototype: function.has_prototype,
        };
        Some(Candidate { file: function.file.clone(), is, is_known: function.is_known, spares_lists: function.spares_lists })
    }
}

/// Where a file calls what it looks up, with the type by which it calls it: the expression, the name, the function.
pub(crate) fn lookups<'a>(tree: &'a Tree<'a>) -> Vec<(Expression<'a>, &'a str, Types<'a>)> {
    // Nearly no file looks anything up.
    if !tree.units[WIDE].declarations.iter().any(|of| LOOKUPS.contains(&of.name.as_str())) {
        return Vec::new();
    }
    let of = |node: Expression<'a>| {
        let (value, called) = match (node.kind(), node.operator()) {
            (Kind::Binary, binary::ASSIGN) => (node.child(1)?, punned(node.child(0)?)?),
            _ if node.converted().is_some() && !is_converted_again(node) => (node, function(node.types())?),
            _ => return None,
        };
        Some((node, looked_up(value)?, called))
    };
    tree.nodes().filter_map(of).collect()
}

/// Whether the pointer to a function that it is becomes one to another: the last one is called. That in between is there for compilers
/// that warn of a conversion of `void *`.
fn is_converted_again(node: Expression<'_>) -> bool {
    let mut outer = node.ancestors().take_while(|outer| outer.converted().is_some() || outer.kind() == Kind::Paren);
    outer.any(|outer| outer.converted().is_some() && function(outer.types()).is_some())
}

/// The function that is called by a pointer which is written as if it were one to data: `*(void **)&pointer = …`, as POSIX has it.
fn punned(left: Expression<'_>) -> Option<Types<'_>> {
    let left = left.strip();
    let is_read = left.kind() == Kind::Unary && left.operator() == unary::DEREFERENCE;
    let address = left.only_child().filter(|_| is_read)?.strip_casts().types();
    let pointer = address.inner().filter(|_| address.is_pointer())?;
    function(pointer).filter(|_| pointer.is_pointer())
}

/// Whether it is a call that looks something up.
pub(crate) fn is_lookup(call: Expression<'_>) -> bool {
    call.call().is_some_and(|(name, _)| LOOKUPS.contains(&name))
}

/// The name that is looked up, where it is written; also where the address is in a variable first.
fn looked_up<'a>(value: Expression<'a>) -> Option<&'a str> {
    let value = value.strip_casts();
    // A variable for a function was looked at where it got the address.
    let is_kept = value.kind() == Kind::DeclRef && function(value.types()).is_none();
    let call = if is_kept { only_value(value)?.strip_casts() } else { value };
    let (_, arguments) = call.call().filter(|_| is_lookup(call))?;
    let [narrow, wide] = arguments.get(1)?.strip_casts().texts()?;
    (narrow == wide).then_some(wide)
}

/// What a local variable gets, where that is one thing; one that gets another value later, perhaps by its address, may have any.
fn only_value<'a>(variable: Expression<'a>) -> Option<Expression<'a>> {
    let declaration = variable.declaration().filter(|of| of.kind == Kind::Variable && !of.is_external)?;
    let is_it = |part: Expression<'_>| part.declaration().is_some_and(|other| std::ptr::eq(other, declaration));
    let mut values = Vec::new();
    let mut is_local = false;
    for part in variable.function()?.descendants() {
        let first = || part.child(0).map(Expression::strip).filter(|first| first.kind() == Kind::DeclRef && is_it(*first));
        match (part.kind(), part.operator()) {
            (Kind::Variable, _) if is_it(part) => {
                is_local = true;
                values.extend(part.children().filter(|child| child.is_expression()).last());
            }
            (Kind::Binary, binary::ASSIGN) if first().is_some() => values.extend(part.child(1)),
            (Kind::Unary, unary::ADDRESS_OF) | (Kind::CompoundAssign, _) if first().is_some() => return None,
            _ => {}
        }
    }
    values.first().copied().filter(|_| is_local && values.len() == 1)
}

/// All lookups, each with the functions that it may find: those that are defined, and where none is, those that are declared.
pub(crate) fn join(files: &[Symbols]) -> Vec<(&Lookup, Vec<Candidate>)> {
    let mut functions: HashMap<&str, Vec<(&Symbols, &Function)>> =
        files.iter().flat_map(|file| &file.lookups).map(|lookup| (lookup.name.as_str(), Vec::new())).collect();
    if functions.is_empty() {
        return Vec::new();
    }
    for file in files {
        for function in &file.functions {
            if let Some(known) = functions.get_mut(function.name.as_str()) {
                known.push((file, function));
            }
        }
    }
    let candidates = |lookup: &Lookup| {
        let known = functions.get(lookup.name.as_str()).map_or(&[][..], Vec::as_slice);
        let is_defined = known.iter().any(|(_, function)| function.is_defined);
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in known.iter().filter(|(_, of)| of.is_defined == is_defined).filter_map(|(file, of)| file.candidate(of)) {
            if !found.iter().any(|other| other.is == candidate.is && other.is_known == candidate.is_known) {
                found.push(candidate);
            }
        }
        found
    };
    files.iter().flat_map(|file| &file.lookups).map(|lookup| (lookup, candidates(lookup))).collect()
}

/// A path as it is named in a message.
pub(crate) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

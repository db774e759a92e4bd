//! What a header declares, for both word sizes in one: functions, types, constants.

pub use crate::ast::Constant;
use crate::ast::kind::{Kind, TypeKind};
use crate::ast::{Declaration, DeclarationId, Macro, TypeId, Unit};
use crate::headers::Headers;
use crate::pair::{NARROW, Pair, WIDE};
use crate::project::{Built, Compilation};
use crate::worker::Worker;
use crate::{Options, arguments, layout};
use anyhow::{Context, Result, bail};
use elf::layout::Comparison;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

/// Types in one another above this number are not followed.
const MAX_DEPTH: usize = 64;

/// Bytes of a pointer on each side.
const POINTERS: [u64; 2] = [4, 8];

/// What a function is called by that is not the usual way of the architecture.
const CONVENTIONS: [&str; 8] = ["regparm", "fastcall", "stdcall", "thiscall", "vectorcall", "ms_abi", "sysv_abi", "sseregparm"];

/// Why a function type is [`Shape::Unknown`] that has one of them.
pub const OWN_CONVENTION: &str = "such functions are called by a convention of their own";

/// What a header declares.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Those that other files see, in the order in which they are declared, once each.
    pub functions: Vec<Function>,
    /// Structures and unions that are complete; [`Shape::Record`] has their positions.
    pub records: Vec<Record>,
    /// Enumerations' constants.
    pub constants: Vec<(String, i64)>,
    /// Typedefs of pointers to functions: their names, and what they are.
    pub callbacks: Vec<(String, Type)>,
    /// Macros that are constants, as the 32-bit side has them, in the order in which they are defined.
    pub macros: Vec<(String, Constant)>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// `file:line`
    pub place: String,
    /// What it takes and returns.
    pub signature: Signature,
    /// Why it cannot be called as the architecture's ABI says.
    pub convention: Option<String>,
    /// Whether it returns.
    pub returns: bool,
}

/// What a function takes and returns.
#[derive(Clone, Debug)]
pub struct Signature {
    /// `void` is [`Shape::Void`].
    pub result: Type,
    /// In order.
    pub parameters: Vec<Parameter>,
    /// Whether there may be more.
    pub is_variadic: bool,
    /// Whether the parameters are known: `f()` says nothing of them.
    pub has_prototype: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Empty where it has none.
    pub name: String,
    /// Its type.
    pub of: Type,
}

/// A type on both sides.
#[derive(Clone, Debug)]
pub struct Type {
    /// As C writes it, for 64 bits.
    pub spelling: String,
    /// The typedef that names it, the outermost.
    pub typedef: Option<String>,
    /// Bytes for 32 and for 64 bits; 0 where there is no size.
    pub sizes: [u64; 2],
    /// Whether it may not be written to.
    pub is_const: bool,
    /// What it is.
    pub shape: Shape,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Nothing.
    Void,
    /// A whole number, and whether it can be negative.
    Integer(bool),
    /// An approximate number.
    Floating,
    /// A pointer.
    Pointer(Box<Type>),
    /// A function.
    Function(Box<Signature>),
    /// A structure or union that is complete.
    Record(usize),
    /// One that is only declared.
    Incomplete,
    /// An array; without a number of elements it is as long as somebody says elsewhere.
    Array(Box<Type>, Option<u64>),
    /// What has no counterpart on the other side, and why.
    Unknown(String),
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// As C writes it: `struct name`, or the name of a typedef.
    pub spelling: String,
    /// `file:line`
    pub place: String,
    /// Whether all members are at its beginning.
    pub is_union: bool,
    /// Bytes for 32 and for 64 bits.
    pub sizes: [u64; 2],
    /// Bytes that it is aligned to, for 64 bits.
    pub alignment: u64,
    /// In the order in which they are declared.
    pub members: Vec<Member>,
    /// Both layouts beside each other, and the verdict.
    pub comparison: Comparison,
}

impl Record {
    /// Its name without `struct` or `union`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.spelling.strip_prefix("struct ").or_else(|| self.spelling.strip_prefix("union ")).unwrap_or(&self.spelling)
    }
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub struct Member {
    /// Empty where it has none.
    pub name: String,
    /// Bits from the beginning of the structure, for 32 and for 64 bits.
    pub offsets: [u64; 2],
    /// Of a bit-field.
    pub bits: Option<u64>,
    /// Its type.
    pub of: Type,
}

/// What a header declares; `arguments` are as `-I` and `-D`.
///
/// # Errors
/// Where it cannot be parsed, for either side.
pub fn read(header: &Path, pair: Pair, arguments: &[String]) -> Result<Interface> {
    let shown = header.display();
    let header = header.canonicalize().with_context(|| format!("cannot read {shown}"))?;
    let options = Options { arguments: arguments.to_vec(), ..Options::new(vec![header.clone()], pair) };
    let compilation = Compilation {
        file: header.to_string_lossy().into_owned(),
        directory: std::env::current_dir()?,
        compiler: String::new(),
        arguments: Vec::new(),
        is_cxx: false,
        built: Built::Named,
    };
    let headers = Headers::find(pair, None)?;
    let mut worker = Worker::start(options.input.time_limit)?;
    let mut parse = |side: usize| -> Result<Unit> {
        let mut arguments = arguments::for_clang(&options, &compilation, &headers, side);
        // A header is taken for one of C, whatever its name.
        arguments.insert(0, "-xc".to_owned());
        let unit = worker.parse(&compilation.file, &arguments).with_context(|| compilation.file.clone())?;
        if let Some(first) = unit.diagnostics.iter().find(|diagnostic| diagnostic.severity >= 3) {
            let place = Places::default().line(&unit, first.place.file, first.place.start);
            bail!(
                "{place}: {} ({}): what it needs is named by -I, -D and `before` in the annotation file",
                first.text,
                pair.sides[side].name
            );
        }
        Ok(unit)
    };
    let units = [parse(NARROW)?, parse(WIDE)?];
    let mut interface = Reader::new(&units).read();
    let mut arguments = arguments::for_clang(&options, &compilation, &headers, NARROW);
    arguments.insert(0, "-xc".to_owned());
    interface.macros = constants(&mut worker, &compilation.file, &arguments).with_context(|| compilation.file.clone())?;
    Ok(interface)
}

/// The macros that are constants, by the values of variables that are made of them.
fn constants(worker: &mut Worker, header: &str, arguments: &[String]) -> Result<Vec<(String, Constant)>> {
    let mut text = format!("#include {header:?}\n");
    let (macros, _) = worker.macros(&text, arguments)?;
    // What would not end its own declaration would spoil others. That of another macro it may have from there.
    let mut spoils: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = spoils.len();
        let has = |of: &&Macro| of.tokens.iter().any(|token| spoils.contains(token.as_str())) || !is_whole(&of.tokens);
        let more: Vec<&str> = macros.iter().filter(has).map(|of| of.name.as_str()).collect();
        spoils.extend(more);
        if spoils.len() == before {
            break;
        }
    }
    let candidates = macros.iter().filter(|of| !of.is_function && !of.tokens.is_empty() && !spoils.contains(of.name.as_str()));
    let mut seen = BTreeSet::new();
    for name in candidates.map(|of| &of.name).filter(|name| seen.insert(name.as_str())) {
        // Without one it is not defined any more.
        text.push_str(&format!("#ifdef {name}\n__auto_type biarch_macro_{name} = {name};\n#endif\n"));
    }
    Ok(worker.macros(&text, arguments)?.1)
}

/// Whether what is open is closed again, and there is no end of a declaration.
fn is_whole(tokens: &[String]) -> bool {
    let mut open = Vec::new();
    for token in tokens {
        let closes = match token.as_str() {
            "(" | "[" | "{" => {
                open.push(token.as_str());
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            ";" => return false,
            _ => continue,
        };
        if open.pop() != Some(closes) {
            return false;
        }
    }
    open.is_empty()
}

/// Offsets of files as lines.
#[derive(Default)]
struct Places {
    texts: HashMap<String, Vec<u8>>,
}

impl Places {
    fn line(&mut self, unit: &Unit, file: crate::ast::FileId, offset: u32) -> String {
        let path = unit.file(file);
        let text = self.texts.entry(path.to_owned()).or_insert_with(|| fs::read(path).unwrap_or_default());
        let before = text.iter().take(offset as usize);
        format!("{path}:{}", before.filter(|byte| **byte == b'\n').count() + 1)
    }
}

struct Reader<'a> {
    units: &'a [Unit; 2],
    interface: Interface,
    /// Positions of records, by their declarations on the wide side.
    records: HashMap<DeclarationId, usize>,
    /// The parameters that are written below a declaration; those of a function type among them are below the parameter.
    parameters: HashMap<DeclarationId, Vec<DeclarationId>>,
    places: Places,
}

impl<'a> Reader<'a> {
    fn new(units: &'a [Unit; 2]) -> Self {
        let wide = &units[WIDE];
        let mut written = HashMap::new();
        for (at, node) in (0_u32..).zip(&wide.nodes) {
            if !matches!(node.kind, Kind::Function | Kind::Typedef | Kind::Field | Kind::Parameter) {
                continue;
            }
            let parameters = wide.children(at).filter_map(|child| wide.nodes.get(child as usize));
            let parameters = parameters.filter(|child| child.kind == Kind::Parameter);
            written.insert(node.declaration, parameters.map(|child| child.declaration).collect());
        }
        Self { units, interface: Interface::default(), records: HashMap::new(), parameters: written, places: Places::default() }
    }

    fn read(mut self) -> Interface {
        let named = |unit: &'a Unit, kind: Kind| -> BTreeMap<&'a str, &'a Declaration> {
            unit.declarations.iter().filter(|of| of.kind == kind).map(|of| (of.name.as_str(), of)).collect()
        };
        let narrow = named(&self.units[NARROW], Kind::Function);
        let typedefs = named(&self.units[NARROW], Kind::Typedef);
        let mut seen = BTreeSet::new();
        let wide = &self.units[WIDE];
        for (id, of) in (0_u32..).zip(&wide.declarations) {
            match of.kind {
                Kind::Function
                    if of.is_external && !of.in_system_header && of.place.file.0 != 0 && seen.insert(of.name.as_str()) =>
                {
                    let Some(other) = narrow.get(of.name.as_str()) else { continue };
                    let written = self.parameters.get(&DeclarationId(id)).cloned().unwrap_or_default();
                    let Some(signature) = self.signature([other.type_id, of.type_id], &written, 0) else { continue };
                    // libclang has some of them in the type.
                    let convention = |unit: &Unit, of: &Declaration| {
                        let spelling = &unit.get_type(of.type_id).spelling;
                        let mut texts = of.attributes.iter().chain(spelling.contains("__attribute__").then_some(spelling));
                        texts.find(|text| CONVENTIONS.iter().any(|name| text.contains(name))).cloned()
                    };
                    let says_not = |text: &str| text.trim_matches('_').to_ascii_lowercase().starts_with("noreturn");
                    let is_endless = of.attributes.iter().any(|text| says_not(text))
                        || wide.get_type(of.type_id).spelling.contains("((noreturn))");
                    let function = Function {
                        returns: !is_endless,
                        name: of.name.clone(),
                        place: self.places.line(wide, of.place.file, of.name_start),
                        signature,
                        convention: convention(&self.units[NARROW], other).or_else(|| convention(wide, of)),
                    };
                    self.interface.functions.push(function);
                }
                Kind::Typedef if !of.in_system_header && is_callback(wide, of.type_id) => {
                    let Some(other) = typedefs.get(of.name.as_str()) else { continue };
                    let type_of = self.of([other.type_id, of.type_id], &[], 0);
                    self.interface.callbacks.push((of.name.clone(), type_of));
                }
                Kind::EnumConstant if !of.in_system_header => self.interface.constants.push((of.name.clone(), of.value)),
                _ => {}
            }
        }
        self.interface
    }

    fn signature(&mut self, ids: [TypeId; 2], written: &[DeclarationId], depth: usize) -> Option<Signature> {
        let [narrow, wide] = [NARROW, WIDE].map(|side| self.units[side].canonical(ids[side]));
        if narrow.arguments.len() != wide.arguments.len() {
            return None;
        }
        // The canonical type has lost the typedefs of its parts.
        let spelled = [NARROW, WIDE].map(|side| spelled_function(&self.units[side], ids[side]));
        let result = self.of([spelled[0].inner, spelled[1].inner], &[], depth + 1);
        let pairs: Vec<[TypeId; 2]> =
            spelled[0].arguments.iter().zip(&spelled[1].arguments).map(|(one, two)| [*one, *two]).collect();
        let written = if written.len() == pairs.len() { written } else { &[] };
        let mut parameters = Vec::new();
        for (at, ids) in pairs.into_iter().enumerate() {
            let own = written.get(at);
            let name = own.map(|id| self.units[WIDE].declaration(*id).name.clone()).unwrap_or_default();
            let below = own.and_then(|id| self.parameters.get(id)).cloned().unwrap_or_default();
            let adjusted = adjusted(self.of(ids, &below, depth + 1));
            parameters.push(Parameter { name, of: adjusted });
        }
        let has_prototype = wide.kind == TypeKind::Function;
        Some(Signature { result, parameters, is_variadic: wide.is_variadic && has_prototype, has_prototype })
    }

    /// A type; `written` are the parameters of the first function in it.
    fn of(&mut self, ids: [TypeId; 2], written: &[DeclarationId], depth: usize) -> Type {
        let units = self.units;
        let spelled = units[WIDE].get_type(ids[WIDE]);
        let typedef = typedef(&units[WIDE], ids[WIDE]);
        let written = match typedef {
            Some(id) => self.parameters.get(&id).cloned().unwrap_or_else(|| written.to_vec()),
            None => written.to_vec(),
        };
        let [narrow, wide] = [NARROW, WIDE].map(|side| units[side].canonical(ids[side]));
        let shape = if depth > MAX_DEPTH {
            Shape::Unknown("it is in too many others".to_owned())
        } else {
            self.shape(ids, &written, depth)
        };
        Type {
            spelling: spelled.spelling.clone(),
            typedef: typedef.map(|id| units[WIDE].declaration(id).name.clone()),
            sizes: [narrow.size.unwrap_or_default(), wide.size.unwrap_or_default()],
            is_const: wide.is_const || spelled.is_const,
            shape,
        }
    }

    fn shape(&mut self, ids: [TypeId; 2], written: &[DeclarationId], depth: usize) -> Shape {
        let units = self.units;
        let [narrow, wide] = [NARROW, WIDE].map(|side| units[side].canonical(ids[side]));
        let integers = [narrow, wide].map(|of| of.kind.is_integer());
        if integers == [true, true] {
            let signed = [NARROW, WIDE].map(|side| is_signed(&units[side], ids[side]));
            return match signed {
                [one, two] if one != two => Shape::Unknown("it is signed on one side only".to_owned()),
                _ if wide.size == Some(16) => Shape::Unknown("it has 128 bits".to_owned()),
                [signed, _] => Shape::Integer(signed),
            };
        }
        // `char *` here and an array of one structure there, as of va_list.
        if narrow.kind != wide.kind {
            return Shape::Unknown(format!("it is `{}` for 32 bits and `{}` for 64", narrow.spelling, wide.spelling));
        }
        let inner = |side: usize| inner(&units[side], ids[side]);
        match wide.kind {
            TypeKind::Void => Shape::Void,
            TypeKind::Float | TypeKind::Double | TypeKind::LongDouble => Shape::Floating,
            TypeKind::Pointer => Shape::Pointer(Box::new(self.of([inner(NARROW), inner(WIDE)], written, depth + 1))),
            TypeKind::Function | TypeKind::FunctionNoPrototype
                if [narrow, wide].iter().any(|of| CONVENTIONS.iter().any(|name| of.spelling.contains(name))) =>
            {
                Shape::Unknown(OWN_CONVENTION.to_owned())
            }
            TypeKind::Function | TypeKind::FunctionNoPrototype => match self.signature(ids, written, depth) {
                Some(signature) => Shape::Function(Box::new(signature)),
                None => Shape::Unknown("it has not as many parameters on one side as on the other".to_owned()),
            },
            TypeKind::ConstantArray if narrow.count == wide.count => {
                Shape::Array(Box::new(self.of([inner(NARROW), inner(WIDE)], written, depth + 1)), wide.count)
            }
            TypeKind::IncompleteArray => Shape::Array(Box::new(self.of([inner(NARROW), inner(WIDE)], written, depth + 1)), None),
            TypeKind::Record if narrow.size.is_none() || wide.size.is_none() => Shape::Incomplete,
            TypeKind::Record => self.record(ids, depth),
            _ => Shape::Unknown(format!("`{}` is of no kind that is known here", wide.spelling)),
        }
    }

    fn record(&mut self, ids: [TypeId; 2], depth: usize) -> Shape {
        let units = self.units;
        let both = [NARROW, WIDE].map(|side| units[side].canonical(ids[side]));
        let declarations = [NARROW, WIDE].map(|side| units[side].declaration(both[side].declaration));
        if let Some(at) = self.records.get(&both[WIDE].declaration) {
            return Shape::Record(*at);
        }
        let [narrow, wide] = [NARROW, WIDE].map(|side| layout::of(&units[side], ids[side]));
        let at = self.interface.records.len();
        self.records.insert(both[WIDE].declaration, at);
        let anonymous = both[WIDE].spelling.contains('(');
        let spelling = match typedef(&units[WIDE], ids[WIDE]) {
            Some(id) if anonymous => units[WIDE].declaration(id).name.clone(),
            _ => both[WIDE].spelling.trim_start_matches("const ").to_owned(),
        };
        self.interface.records.push(Record {
            spelling,
            place: self.places.line(&units[WIDE], declarations[WIDE].place.file, declarations[WIDE].name_start),
            is_union: declarations[WIDE].kind == Kind::Union,
            sizes: [narrow.size, wide.size],
            alignment: both[WIDE].alignment.filter(|bytes| bytes.is_power_of_two()).unwrap_or(1),
            members: Vec::new(),
            comparison: Comparison::new(&narrow, &wide),
        });
        let names = |side: usize| -> Vec<&str> {
            declarations[side].fields.iter().map(|id| units[side].declaration(*id).name.as_str()).collect()
        };
        // clang makes a name for what has none, with the place in it, which is the same.
        if names(NARROW) != names(WIDE) {
            return Shape::Unknown("it has other members for 32 bits than for 64".to_owned());
        }
        let mut members = Vec::new();
        for (one, two) in declarations[NARROW].fields.iter().zip(&declarations[WIDE].fields) {
            let [narrow, wide] = [units[NARROW].declaration(*one), units[WIDE].declaration(*two)];
            let written = self.parameters.get(two).cloned().unwrap_or_default();
            members.push(Member {
                name: if wide.name.contains('(') { String::new() } else { wide.name.clone() },
                offsets: [narrow.offset.unwrap_or_default(), wide.offset.unwrap_or_default()],
                bits: wide.bits,
                of: self.of([narrow.type_id, wide.type_id], &written, depth + 1),
            });
        }
        if let Some(record) = self.interface.records.get_mut(at) {
            record.members = members;
        }
        Shape::Record(at)
    }
}

/// A parameter that is declared as an array or a function is a pointer (C17, 6.7.6.3); libclang gives it as it is written.
fn adjusted(of: Type) -> Type {
    let (first, pointed) = match of.shape {
        Shape::Array(element, None) => (element.spelling.clone(), *element),
        Shape::Array(ref element, Some(_)) => {
            let (first, is_const) = (element.spelling.clone(), of.is_const || element.is_const);
            (first, Type { is_const, ..of })
        }
        Shape::Function(_) => (of.spelling.clone(), of),
        _ => return of,
    };
    let spelling = if first.contains(['[', '(']) { format!("__typeof__({first}) *") } else { format!("{first} *") };
    Type { spelling, typedef: None, sizes: POINTERS, is_const: false, shape: Shape::Pointer(Box::new(pointed)) }
}

/// Whether it is a pointer to a function.
fn is_callback(unit: &Unit, id: TypeId) -> bool {
    let of = unit.canonical(id);
    of.kind == TypeKind::Pointer && unit.canonical(of.inner).kind == TypeKind::Function
}

/// The typedef that names a type, if the type is written as one.
fn typedef(unit: &Unit, id: TypeId) -> Option<DeclarationId> {
    let mut of = unit.get_type(id);
    for _ in 0..MAX_DEPTH {
        match of.kind {
            TypeKind::Typedef => return Some(of.declaration),
            TypeKind::Elaborated => of = unit.get_type(of.inner),
            _ => break,
        }
    }
    None
}

/// The type behind typedefs, with the typedefs of its parts.
fn behind(unit: &Unit, mut id: TypeId) -> TypeId {
    for _ in 0..MAX_DEPTH {
        let of = unit.get_type(id);
        id = match of.kind {
            TypeKind::Typedef => unit.declaration(of.declaration).underlying,
            TypeKind::Elaborated | TypeKind::Attributed => of.inner,
            _ => return id,
        };
        if id.0 == 0 {
            break;
        }
    }
    id
}

fn spelled_function(unit: &Unit, id: TypeId) -> crate::ast::Type {
    let of = unit.get_type(behind(unit, id));
    let canonical = unit.canonical(id);
    // In parentheses, `int (*)(void)`, a type is one that libclang has no name for.
    if of.arguments.len() == canonical.arguments.len() && of.inner.0 != 0 { of.clone() } else { canonical.clone() }
}

fn inner(unit: &Unit, id: TypeId) -> TypeId {
    let of = unit.get_type(behind(unit, id));
    let canonical = unit.canonical(id);
    if of.kind == canonical.kind && of.inner.0 != 0 { of.inner } else { canonical.inner }
}

fn is_signed(unit: &Unit, id: TypeId) -> bool {
    let of = unit.canonical(id);
    match of.kind {
        TypeKind::Enum => {
            let underlying = unit.canonical(unit.declaration(of.declaration).underlying);
            underlying.kind.is_signed()
        }
        TypeKind::WChar => true,
        kind => kind.is_signed(),
    }
}

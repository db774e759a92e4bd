//! How every function, type and callback of a library is converted; or why it is not, and what to write so that it is.

use crate::annotation::{self, Annotation, Following, Pass, Value, Variadic};
use crate::convention::{self, Convention, Place};
use crate::debug_info;
use crate::emit::SCALARS;
use crate::expression;
use crate::library::{ARM, Library};
use crate::suggest;
use elf::layout::Verdict;
use port::interface::{Interface, OWN_CONVENTION, Parameter, Record, Shape, Signature, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// Bytes of a pointer on each side.
const POINTERS: [u64; 2] = [4, 8];

/// Elements of a 32-bit library, at most.
const MOST: u128 = u32::MAX as u128;

/// The position of a [`Kind`].
pub type KindId = usize;

/// A type with its annotation, as it is converted.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Bytes for 32 and for 64 bits.
    pub sizes: [u64; 2],
    /// As C writes it, where it can.
    pub spelling: Option<String>,
    /// What is done with it.
    pub conversion: Conversion,
}

/// What is done with a value.
#[derive(Clone, Debug)]
pub enum Conversion {
    /// The bytes are the same.
    Same,
    /// A whole number of another size, and whether it can be negative.
    Integer(bool),
    /// `long double`: 10 bytes in 12 or 16; on ARM a `double`, and one of 16 bytes.
    LongDouble,
    /// A structure, member by member.
    Fields(Vec<Field>),
    /// The same, of which some members are only addresses.
    Untouched(KindId, Vec<String>),
    /// An array, element by element.
    Array(KindId, u64),
    /// A pointer to elements.
    Pointer(Pointer),
    /// A word that the program only keeps.
    Opaque {
        /// Whether NULL is an error.
        not_null: bool,
    },
    /// A word that the library only keeps.
    User,
    /// A pointer to a function: the position of its [`Callback`].
    Function(usize),
}

/// A pointer to elements.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// What it points to.
    pub element: KindId,
    /// `BRIDGE_…` of marshal.h.
    pub flags: Vec<&'static str>,
    /// How many there are, where it is always the same.
    pub count: Option<u64>,
    /// An element as C writes it, where that is an array: a parameter that is declared as one is a pointer to its first element.
    pub array: Option<String>,
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bits from the beginning, for 32 and for 64 bits.
    pub offsets: [u64; 2],
    /// Of a bit-field.
    pub bits: Option<u64>,
    /// What it is.
    pub content: Content,
    /// How many elements are behind it, in C, of the structure `wide`.
    pub length: Option<String>,
    /// Whether only the library writes it.
    pub output: bool,
}

/// What a member is.
#[derive(Clone, Debug)]
pub enum Content {
    /// One thing.
    One(KindId),
    /// A union: what decides, in C, of the structure `wide`; and what it is then.
    Choice(String, Vec<Case>),
}

/// A member of a union, where that counts.
#[derive(Clone, Debug)]
pub struct Case {
    /// What the discriminant is then, as C writes it.
    pub value: String,
    /// The member's name.
    pub member: String,
    /// What it is.
    pub kind: KindId,
    /// How many elements are behind it, in C, of the structure `wide` that the union is in.
    pub length: Option<String>,
}

/// A parameter or result.
#[derive(Clone, Debug)]
pub struct Argument {
    /// As in the header; it has one in any case.
    pub name: String,
    /// Its type, as C writes it.
    pub spelling: String,
    /// How it is converted.
    pub kind: KindId,
    /// Whether it is a whole number, and then whether it can be negative.
    pub integer: Option<bool>,
    /// Where it is the size of a structure: that for 32 and for 64 bits.
    pub size_of: Option<[u64; 2]>,
    /// Whether it is a structure.
    pub is_record: bool,
    /// Its first word, where those of arguments are.
    pub word: u64,
    /// How many elements are behind it, in C.
    pub length: Option<String>,
    /// How many are after the call, in C.
    pub written: Option<String>,
    /// Whether the call ends the life of what it points to.
    pub drop: bool,
}

/// What a function takes and returns.
#[derive(Clone, Debug)]
pub struct Call {
    /// In order.
    pub parameters: Vec<Argument>,
    /// Nothing for `void`.
    pub result: Option<Argument>,
    /// Where the result is.
    pub place: Place,
    /// How many words there are.
    pub words: u64,
    /// What it returns after an error, in C.
    pub on_error: Option<String>,
    /// What may follow.
    pub variadic: Option<Variadic>,
}

/// A function of the library.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The version of its symbol.
    pub version: Option<String>,
    /// How it is called; or why it is not provided.
    pub call: Result<Call, String>,
    /// As the header declares it.
    pub signature: Signature,
    /// Whether it returns.
    pub returns: bool,
}

/// A function type that the library calls, or gives pointers to.
#[derive(Clone, Debug)]
pub struct Callback {
    /// What it is called in errors.
    pub name: String,
    /// The type of a pointer to it, as C writes it.
    pub spelling: String,
    /// How it is called.
    pub call: Call,
}

/// Something that cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `file:line`
    pub place: String,
    /// What it is of: `functions.NAME`, `types.NAME`, `callbacks.NAME`.
    pub table: String,
    /// What it is of that: `parameters.NAME`, `result`, `fields.NAME`; or nothing.
    pub key: String,
    /// Why not.
    pub why: String,
    /// What to write instead, if that can be guessed; a value in TOML.
    pub guess: Option<String>,
    /// What to write if not.
    pub advice: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.table.split_once('.').map_or("", |(_, name)| name).trim_matches('"');
        let part = self.key.split_once('.').map_or(self.key.as_str(), |(_, name)| name);
        write!(to, "{}: {what}", self.place)?;
        if !part.is_empty() {
            write!(to, ", {part}")?;
        }
        write!(to, ": {}", self.why)?;
        match (&self.guess, self.key.is_empty()) {
            (Some(guess), _) => write!(to, "\n    write [{}] {} = {guess}", self.table, self.key),
            (None, _) => write!(to, "\n    write [{}] {}", self.table, self.advice),
        }
    }
}

/// How a library is bridged.
#[derive(Debug)]
pub struct Model {
    /// How its functions are called.
    pub convention: Convention,
    /// All that is converted.
    pub kinds: Vec<Kind>,
    /// In the order of the header.
    pub functions: Vec<Function>,
    /// Function types.
    pub callbacks: Vec<Callback>,
    /// What cannot be converted.
    pub refusals: Vec<Refusal>,
    /// The structures that are converted member by member.
    pub records: BTreeSet<usize>,
    /// How what follows the parameters of variadic functions is converted, where it is no number.
    pub following: BTreeMap<Following, KindId>,
}

impl Model {
    /// The verdict on a structure with its annotation, and the reason: what its layouts say, and what has been answered.
    #[must_use]
    pub fn verdict(&self, at: usize, record: &Record) -> (Verdict, String) {
        if record.comparison.verdict == Verdict::Full {
            return (Verdict::Full, String::new());
        }
        let table = format!("types.{}", record.name());
        if let Some(refusal) = self.refusals.iter().find(|refusal| refusal.table == table) {
            return (Verdict::None, refusal.to_string());
        }
        if self.records.contains(&at) {
            return (Verdict::Repackable, record.comparison.because.join("; "));
        }
        (record.comparison.verdict, record.comparison.because.join("; "))
    }
}

/// Where a type stands.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) place: &'a str,
    pub(crate) table: &'a str,
    /// `parameters`, `result`, `fields`
    pub(crate) part: &'a str,
    pub(crate) name: &'a str,
    /// What stands beside it, in order.
    pub(crate) beside: &'a [(String, &'a Type)],
    /// All functions of the header.
    pub(crate) functions: &'a [port::interface::Function],
    /// The structure that it is a member of, as C writes it.
    pub(crate) record: Option<&'a str>,
    /// Arrays and pointers of the member that lead to it.
    pub(crate) depth: usize,
}

impl Context<'_> {
    /// The type of a thing without a name: of that member of what is around it.
    fn unnamed(&self) -> Option<String> {
        let around = self.record?;
        Some(format!("__typeof__((({around} *)0)->{}{})", self.name, "[0]".repeat(self.depth)))
    }

    /// What this leads to, by an array or a pointer.
    fn inside(&self) -> Self {
        Self { depth: self.depth + 1, ..*self }
    }

    fn key(&self) -> String {
        if self.part == "result" { self.part.to_owned() } else { format!("{}.{}", self.part, self.name) }
    }
}

struct Builder<'a> {
    interface: &'a Interface,
    annotation: &'a Annotation,
    model: Model,
    known: HashMap<String, KindId>,
    known_callbacks: HashMap<String, usize>,
}

/// What a structure is called in the annotation file: one without a name, that member of what is around it.
fn record_name(record: &Record, context: &Context<'_>) -> String {
    if record.spelling.contains('(') {
        let owner = context.table.split_once('.').map_or("", |(_, name)| name).trim_matches('"');
        return format!("{owner}.{}", context.name);
    }
    record.name().to_owned()
}

/// The name as a key of TOML.
fn table_name(name: &str) -> String {
    if name.contains('.') { format!("\"{name}\"") } else { name.to_owned() }
}

/// What a function type is called in the annotation file. What is said of one place counts there, and elsewhere what is said of the typedef.
/// `names` are those of the place: its own, and of a parameter that by its number.
pub(crate) fn callback_name(annotation: &Annotation, of: &Type, owner: &str, names: [&str; 2]) -> String {
    let places = names.map(|name| format!("{owner}.{name}"));
    let here = places.iter().find(|place| annotation.callbacks.contains_key(*place)).cloned();
    here.or_else(|| of.typedef.clone()).unwrap_or_else(|| places.into_iter().next().unwrap_or_default())
}

/// What a parameter without a name is called.
pub(crate) fn numbered(at: usize) -> String {
    format!("arg{at}")
}

/// The parameter that an annotation means: by its name, or by its number, for a header that has no names.
fn meant<'a>(parameters: &'a [(String, &Type)], word: &str) -> Option<&'a str> {
    let by_name = parameters.iter().find(|(name, _)| name == word);
    let found = by_name.or_else(|| (0..).zip(parameters).find(|(at, _)| numbered(*at) == word).map(|(_, one)| one));
    found.map(|(name, _)| name.as_str())
}

/// What an annotation says of a parameter.
pub(crate) fn said<'a>(own: &'a annotation::Function, parameters: &[(String, &Type)], name: &str) -> Option<&'a Value> {
    let by_name = own.parameters.get(name);
    by_name.or_else(|| own.parameters.iter().find(|(word, _)| meant(parameters, word) == Some(name)).map(|(_, value)| value))
}

/// What is wrong with the names of parameters that an annotation has.
fn misnamed(own: &annotation::Function, parameters: &[(String, &Type)]) -> Vec<String> {
    let wrong = |word: &String| match meant(parameters, word) {
        None => {
            let known: Vec<String> = parameters.iter().map(|(name, _)| format!("`{name}`")).collect();
            let known = if known.is_empty() { String::new() } else { format!(": it has {}", known.join(", ")) };
            Some(format!("it has no parameter `{word}`{known}"))
        }
        Some(name) if name != word && own.parameters.contains_key(name) => {
            Some(format!("`{word}` is its parameter `{name}`, which is there as well"))
        }
        Some(_) => None,
    };
    own.parameters.keys().filter_map(wrong).collect()
}

/// Whether a text can stand where C has a value. Whether it is one, the compiler says.
fn is_value(text: &str) -> bool {
    let mut open = 0_i32;
    let is_whole = text.chars().all(|one| {
        open += i32::from(one == '(') - i32::from(one == ')');
        open >= 0 && !one.is_control() && !";{}:#\\\"'?".contains(one)
    });
    is_whole && open == 0 && !text.trim().is_empty() && !text.contains("/*") && !text.contains("//")
}

/// Names for parameters that have none.
pub(crate) fn named(parameters: &[Parameter]) -> Vec<(String, &Type)> {
    let name = |at: usize, one: &Parameter| if one.name.is_empty() { numbered(at) } else { one.name.clone() };
    parameters.iter().enumerate().map(|(at, one)| (name(at, one), &one.of)).collect()
}

/// Resolves all that a header declares.
#[must_use]
pub fn resolve(interface: &Interface, library: &Library, annotation: &Annotation) -> Model {
    let model = Model {
        convention: if library.pair == ARM { Convention::AapcsVfp } else { Convention::Cdecl },
        kinds: Vec::new(),
        functions: Vec::new(),
        callbacks: Vec::new(),
        refusals: Vec::new(),
        records: BTreeSet::new(),
        following: BTreeMap::new(),
    };
    let mut builder = Builder { interface, annotation, model, known: HashMap::new(), known_callbacks: HashMap::new() };
    builder.unknown_names();
    let frees: BTreeSet<&String> = annotation.functions.values().filter_map(|of| of.result.as_ref()?.free.as_ref()).collect();
    for function in &interface.functions {
        let mut own = annotation.functions.get(&function.name).cloned().unwrap_or_default();
        if let Some((first, _)) = named(&function.signature.parameters).first().filter(|_| frees.contains(&function.name)) {
            let parameters = named(&function.signature.parameters);
            let mut freed = said(&own, &parameters, first).cloned().unwrap_or_default();
            freed.pass.get_or_insert(Pass::Opaque);
            freed.drop = true;
            own.parameters.retain(|word, _| meant(&parameters, word) != Some(first.as_str()));
            own.parameters.insert(first.clone(), freed);
        }
        let table = format!("functions.{}", function.name);
        let version = library.functions.get(&function.name).cloned();
        let mut refuse = |why: String| {
            builder.model.refusals.push(Refusal {
                place: function.place.clone(),
                table: table.clone(),
                key: String::new(),
                why,
                guess: None,
                advice: "skip = \"why\"".to_owned(),
            });
        };
        let call = if let Some(why) = &own.skip {
            Err(why.clone())
        } else if version.is_none() {
            refuse(format!("{} has no such function", library.soname));
            continue;
        } else if let Some(convention) = &function.convention {
            refuse(format!("it is called by a convention of its own, {convention}"));
            continue;
        } else {
            match builder.call(&function.signature, &own, &function.place, &table) {
                Some(call) => Ok(call),
                None => continue,
            }
        };
        let (name, signature) = (function.name.clone(), function.signature.clone());
        builder.model.functions.push(Function { name, version: version.flatten(), call, signature, returns: function.returns });
    }
    builder.model.refusals.extend(debug_info::refusals(interface, library, annotation));
    builder.model.refusals.dedup();
    builder.model
}

/// What to do about an annotation of what is not there.
const ONLY_DECLARED: &str = "only of what the header declares";

impl Builder<'_> {
    /// An annotation of what is not there is a mistake.
    fn unknown_names(&mut self) {
        let mut refuse = |table: String, why: &str| {
            self.model.refusals.push(Refusal {
                place: self.annotation.header.display().to_string(),
                table,
                key: String::new(),
                why: why.to_owned(),
                guess: None,
                advice: ONLY_DECLARED.to_owned(),
            });
        };
        for (name, of) in &self.annotation.functions {
            match self.interface.functions.iter().find(|function| function.name == *name) {
                None => refuse(format!("functions.{name}"), "the header declares no such function"),
                Some(function) => {
                    let known = named(&function.signature.parameters);
                    if let Some(free) = of.result.as_ref().and_then(|result| result.free.as_ref()) {
                        if !self.interface.functions.iter().any(|function| function.name == *free) {
                            refuse(
                                format!("functions.{name}"),
                                &format!("the header declares no function `{free}`, which frees"),
                            );
                        }
                    }
                    for why in misnamed(of, &known) {
                        refuse(format!("functions.{name}"), &why);
                    }
                }
            }
        }
        for (name, of) in &self.annotation.types {
            match self.interface.records.iter().find(|record| record.name() == name) {
                // One that is not complete is opaque anyway; one without a name is found where it is used.
                None if of.opaque || name.contains('.') => {}
                None => refuse(format!("types.{name}"), "the header defines no such structure"),
                Some(record) => {
                    for field in of.fields.keys().filter(|key| !record.members.iter().any(|member| member.name == **key)) {
                        refuse(format!("types.{name}"), &format!("it has no member `{field}`"));
                    }
                }
            }
        }
        for name in self.annotation.callbacks.keys() {
            // Whoever has it as a parameter or member need not be used.
            let (owner, below) = name.split_once('.').map_or((name.as_str(), ""), |parts| parts);
            let part = below.split('.').next().unwrap_or_default();
            let has = |signature: &Signature| part == "result" || meant(&named(&signature.parameters), part).is_some();
            let of_function = self.interface.functions.iter().find(|function| function.name == owner && !part.is_empty());
            let of_record = self.interface.records.iter().find(|record| record.name() == owner && !part.is_empty());
            let of_type = self.interface.callbacks.iter().find(|(known, _)| known == owner);
            let known = of_type.is_some_and(|(_, of)| match &of.shape {
                Shape::Pointer(to) => part.is_empty() || matches!(&to.shape, Shape::Function(signature) if has(signature)),
                _ => false,
            }) || of_function.is_some_and(|function| has(&function.signature))
                || of_record.is_some_and(|record| {
                    let is_it = |member: &port::interface::Member| member.name == part || member.name.is_empty();
                    record.members.iter().any(is_it)
                });
            if !known {
                refuse(format!("callbacks.{}", table_name(name)), "the header has no such function type");
            }
        }
    }

    fn refuse(&mut self, context: &Context<'_>, why: String, guess: Option<String>) {
        let key = context.key();
        let advice = format!("{key} = {{ pass = \"in\", \"out\", \"inout\", \"string\", \"opaque\" or \"user\" }}");
        let (place, table) = (context.place.to_owned(), context.table.to_owned());
        let refusal = Refusal { place, table, key, why, guess, advice };
        if !self.model.refusals.contains(&refusal) {
            self.model.refusals.push(refusal);
        }
    }

    /// The functions with a parameter of this function type, which are not left out.
    fn users(&self, callback: &str) -> Vec<&str> {
        let owner = callback.split_once('.').map(|(owner, _)| owner);
        let uses = |function: &&port::interface::Function| {
            let takes = |of: &Type| of.typedef.as_deref() == Some(callback);
            owner == Some(function.name.as_str()) || function.signature.parameters.iter().any(|one| takes(&one.of))
        };
        let kept = |function: &&port::interface::Function| {
            self.annotation.functions.get(&function.name).is_none_or(|of| of.skip.is_none())
        };
        self.interface.functions.iter().filter(uses).filter(kept).map(|function| function.name.as_str()).collect()
    }

    fn impossible(&mut self, context: &Context<'_>, why: String) -> Option<KindId> {
        let advice = match context.table.split_once('.') {
            Some(("types", _)) => "opaque = true, if the program never looks inside".to_owned(),
            Some(("functions", _)) => "skip = \"why\"".to_owned(),
            _ => "skip = \"why\"".to_owned(),
        };
        let (place, mut table) = (context.place.to_owned(), context.table.to_owned());
        let mut why = why;
        // A function type cannot be left out; the functions that use it can.
        if let Some(callback) = table.strip_prefix("callbacks.").map(|name| name.trim_matches('"').to_owned()) {
            let users: Vec<&str> = self.users(&callback);
            if let Some((first, others)) = users.split_first() {
                why = format!("{callback}: {why}");
                if !others.is_empty() {
                    why.push_str(&format!("; it is also used by {}", others.join(", ")));
                }
                table = format!("functions.{first}");
            }
        }
        let key = if table == context.table { context.key() } else { String::new() };
        let refusal = Refusal { place, table, key, why, guess: None, advice };
        if !self.model.refusals.contains(&refusal) {
            self.model.refusals.push(refusal);
        }
        None
    }

    fn add(&mut self, key: String, kind: Kind) -> KindId {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.known.insert(key, self.model.kinds.len());
        self.model.kinds.push(kind);
        self.model.kinds.len() - 1
    }

    fn call(&mut self, signature: &Signature, own: &annotation::Function, place: &str, table: &str) -> Option<Call> {
        let beside = named(&signature.parameters);
        let before = self.model.refusals.len();
        let functions = &self.interface.functions;
        let context = |part, name| Context { place, table, part, name, beside: &beside, functions, record: None, depth: 0 };
        if !signature.has_prototype {
            self.impossible(&context("result", ""), "its parameters are not declared: write (void) in the header".to_owned());
        }
        let result = match signature.result.shape {
            Shape::Void => None,
            _ => self.argument("value", &signature.result, own.result.as_ref(), &context("result", ""), 0),
        };
        let records = &self.interface.records;
        let (convention, is_variadic) = (self.model.convention, signature.is_variadic);
        let returned = convention.result(&signature.result, is_variadic, records).unwrap_or_else(|why| {
            self.impossible(&context("result", ""), why);
            Place::Integer
        });
        let mut places = convention::Arguments::new(convention, is_variadic, returned, records);
        let mut parameters = Vec::new();
        for (name, of) in &beside {
            let context = context("parameters", name);
            let at = places.place(of).unwrap_or_else(|why| {
                self.impossible(&context, why);
                0
            });
            parameters.extend(self.argument(name, of, said(own, &beside, name), &context, at));
        }
        if signature.is_variadic && own.variadic.is_none() {
            let last = beside.last().map_or("", |(name, _)| name.as_str());
            let format = ["fmt", "format", "zFormat"].contains(&last);
            let why = "what may follow its parameters is not known".to_owned();
            let known = format.then(|| format!("variadic = {{ printf = \"{last}\" }}"));
            let advice = known.unwrap_or_else(|| {
                "variadic = { types = [\"int\", …] } or { by = \"PARAMETER\", cases = { VALUE = [\"int\", …] } }".to_owned()
            });
            let (place, table) = (place.to_owned(), table.to_owned());
            self.model.refusals.push(Refusal { place, table, key: String::new(), why, guess: None, advice });
        }
        let cases = own.variadic.iter().flat_map(|of| of.cases.keys());
        for text in own.on_error.iter().chain(cases).filter(|text| !is_value(text)) {
            self.impossible(
                &context("result", ""),
                format!("`{text}` is no value in C: a number, a name, or an expression of them"),
            );
        }
        let mut variadic = own.variadic.clone();
        if let Some(variadic) = &mut variadic {
            self.selector(variadic, signature, &context("parameters", "..."));
        }
        for one in own.variadic.iter().flat_map(|of| of.cases.values().chain(&of.types)).flatten() {
            self.following(one, &context("parameters", "..."));
        }
        (self.model.refusals.len() == before).then(|| Call {
            parameters,
            result,
            place: returned,
            words: places.words(),
            on_error: own.on_error.clone(),
            variadic,
        })
    }

    /// The parameter that says what follows the others, by its own name.
    fn selector(&mut self, variadic: &mut Variadic, signature: &Signature, context: &Context<'_>) {
        let is_text =
            |of: &Type| matches!(&of.shape, Shape::Pointer(to) if matches!(to.shape, Shape::Integer(_)) && to.sizes == [1, 1]);
        let is_number = |of: &Type| matches!(of.shape, Shape::Integer(_));
        if !signature.is_variadic {
            self.impossible(context, "nothing follows its parameters: it is not variadic".to_owned());
        }
        if variadic.printf.is_some() && variadic.by.is_some() {
            self.impossible(context, "`printf` and `by`: only one of them says what follows".to_owned());
        }
        let selectors = [(&mut variadic.printf, true), (&mut variadic.by, false)];
        for (word, wants_text) in selectors {
            let Some(given) = word.clone() else { continue };
            let name = meant(context.beside, &given).unwrap_or_default();
            let of = context.beside.iter().find(|(other, _)| other == name).map(|(_, of)| *of);
            *word = Some(name.to_owned());
            let why = match of {
                None => format!("it has no parameter `{given}` that could say what follows"),
                Some(of) if wants_text && !is_text(of) => format!("`{given}` is no text, and so no format of printf(3)"),
                Some(of) if !wants_text && !is_number(of) => format!("`{given}` is no number, and cannot say what follows"),
                Some(_) => continue,
            };
            self.impossible(context, why);
        }
        if variadic.by.is_none() && !variadic.cases.is_empty() {
            self.impossible(context, "`cases` without `by`: which parameter decides is not said".to_owned());
        }
    }

    /// How one thing is converted that may follow the parameters of a variadic function.
    fn following(&mut self, one: &Following, context: &Context<'_>) {
        let (name, pass) = match one {
            Following::Plain(name) => (name, None),
            Following::Pointer(pointer) => (&pointer.to, Some(pointer.pass)),
        };
        let scalar = SCALARS.iter().find(|(scalar, ..)| scalar == name);
        // Numbers and words alone are put where they belong.
        if pass.is_none() && (scalar.is_some() || ["string", "opaque", "user"].contains(&name.as_str())) {
            return;
        }
        let flags = match pass {
            None => Vec::new(),
            Some(Pass::In) => vec!["BRIDGE_IN"],
            Some(Pass::Out) => vec!["BRIDGE_OUT"],
            Some(Pass::Inout) => vec!["BRIDGE_IN", "BRIDGE_OUT"],
            Some(other) => {
                let why = format!("`{name}` may follow as \"in\", \"out\" or \"inout\", not as {:?}", other.name());
                self.impossible(context, why);
                return;
            }
        };
        let found = match (scalar, name.as_str()) {
            (Some((_, sign, size)), _) => Some(self.number(name, sign, u64::from(*size))),
            (None, "string") => {
                let byte =
                    self.add("same [1, 1]".to_owned(), Kind { sizes: [1, 1], spelling: None, conversion: Conversion::Same });
                Some(self.pointer_to(byte, vec!["BRIDGE_IN", "BRIDGE_ZERO"]))
            }
            (None, "opaque") => {
                let conversion = Conversion::Opaque { not_null: false };
                Some(self.add("opaque false".to_owned(), Kind { sizes: POINTERS, spelling: None, conversion }))
            }
            _ => match self.named_type(name, pass.is_some()) {
                Some(of) => self.kind(&of, None, context, 0),
                None => self.impossible(context, format!("`{name}`, which may follow, is no type that is known here")),
            },
        };
        let Some(found) = found else { return };
        let kind = if flags.is_empty() { found } else { self.pointer_to(found, flags) };
        self.model.following.insert(one.clone(), kind);
    }

    /// A number of these bytes for the library; whether it is as long for the program its name says.
    fn number(&mut self, name: &str, sign: &str, size: u64) -> KindId {
        let sizes = [size, if name.ends_with("long") { 8 } else { size }];
        if sizes[0] == sizes[1] {
            return self.add(format!("same {sizes:?}"), Kind { sizes, spelling: None, conversion: Conversion::Same });
        }
        let signed = sign == "signed";
        let kind = Kind { sizes, spelling: None, conversion: Conversion::Integer(signed) };
        self.add(format!("integer {signed} {sizes:?}"), kind)
    }

    /// A pointer to one thing.
    fn pointer_to(&mut self, element: KindId, flags: Vec<&'static str>) -> KindId {
        let key = format!("pointer {element} {flags:?} {:?} None", Some(1));
        let conversion = Conversion::Pointer(Pointer { element, flags, count: Some(1), array: None });
        self.add(key, Kind { sizes: POINTERS, spelling: None, conversion })
    }

    /// A type of the header by its name: one of a function, or a structure, of which only pointers may follow.
    fn named_type(&self, name: &str, is_behind_pointer: bool) -> Option<Type> {
        let callback = self.interface.callbacks.iter().find(|(known, _)| known == name).map(|(_, of)| of.clone());
        let plain = name.strip_prefix("struct ").unwrap_or(name);
        let record = self.interface.records.iter().position(|record| record.name() == plain).filter(|_| is_behind_pointer);
        callback.or_else(|| {
            let at = record?;
            let record = self.interface.records.get(at)?;
            let (spelling, sizes) = (record.spelling.clone(), record.sizes);
            Some(Type { spelling, typedef: None, sizes, is_const: false, shape: Shape::Record(at) })
        })
    }

    fn argument(&mut self, name: &str, of: &Type, own: Option<&Value>, context: &Context<'_>, word: u64) -> Option<Argument> {
        let kind = self.kind(of, own, context, 0)?;
        let mut expression = |text: Option<&String>, result: bool| -> Option<String> {
            let text = text.filter(|text| text.parse::<u64>().is_err() && *text != "zero")?;
            let replaced = expression::in_c(text, |name| match name {
                "result" if result => Some("value".to_owned()),
                word => meant(context.beside, word)
                    .map(|name| format!("a_{name}"))
                    .or_else(|| self.interface.functions.iter().any(|function| function.name == word).then(|| word.to_owned())),
            });
            match replaced {
                Ok(text) => Some(text),
                Err(why) => {
                    self.refuse(context, format!("its length `{text}` {why}"), None);
                    None
                }
            }
        };
        let length = expression(own.and_then(|own| own.length.as_ref()), false);
        let written = expression(own.and_then(|own| own.written.as_ref()), true);
        let size_of = match own.and_then(|own| own.size_of.as_deref()) {
            None => None,
            Some(name) => match self.interface.records.iter().find(|record| record.name() == name) {
                Some(record) if matches!(of.shape, Shape::Integer(_)) => Some(record.sizes),
                found => {
                    let why = if found.is_some() { "it is no number" } else { "the header does not define that" };
                    self.refuse(context, format!("it is to be the size of `{name}`: {why}"), None);
                    None
                }
            },
        };
        // A variable is made of it, which is written to.
        let spelling = match of.shape {
            Shape::Pointer(_) => of.spelling.strip_suffix("const").unwrap_or(&of.spelling),
            _ => of.spelling.strip_prefix("const ").unwrap_or(&of.spelling),
        };
        Some(Argument {
            name: name.to_owned(),
            spelling: spelling.to_owned(),
            kind,
            integer: if let Shape::Integer(signed) = of.shape { Some(signed) } else { None },
            size_of,
            is_record: matches!(of.shape, Shape::Record(_)),
            word,
            length,
            written,
            drop: own.is_some_and(|own| own.drop),
        })
    }

    fn same(&mut self, of: &Type) -> KindId {
        let kind = Kind { sizes: of.sizes, spelling: None, conversion: Conversion::Same };
        self.add(format!("same {:?}", of.sizes), kind)
    }

    fn kind(&mut self, of: &Type, own: Option<&Value>, context: &Context<'_>, depth: usize) -> Option<KindId> {
        match &of.shape {
            Shape::Void => self.impossible(context, "nothing is known of what it points to".to_owned()),
            Shape::Integer(_) | Shape::Floating if of.sizes[0] == of.sizes[1] => Some(self.same(of)),
            Shape::Integer(signed) => {
                let kind = Kind { sizes: of.sizes, spelling: None, conversion: Conversion::Integer(*signed) };
                Some(self.add(format!("integer {signed} {:?}", of.sizes), kind))
            }
            Shape::Floating => {
                let kind = Kind { sizes: of.sizes, spelling: None, conversion: Conversion::LongDouble };
                Some(self.add(format!("long double {:?}", of.sizes), kind))
            }
            Shape::Function(_) => self.impossible(context, "a function is no value".to_owned()),
            Shape::Incomplete => self.impossible(context, format!("`{}` is only declared", of.spelling)),
            Shape::Unknown(why) => self.impossible(context, format!("`{}`: {why}", of.spelling)),
            Shape::Array(_, None) => self.impossible(
                context,
                "an array without a length at the end of a structure: nobody says how long it is".to_owned(),
            ),
            Shape::Array(element, Some(count)) => {
                let element = self.kind(element, own, &context.inside(), depth)?;
                if matches!(self.model.kinds.get(element)?.conversion, Conversion::Same) {
                    return Some(self.same(of));
                }
                let kind = Kind { sizes: of.sizes, spelling: None, conversion: Conversion::Array(element, *count) };
                Some(self.add(format!("array {element} {count}"), kind))
            }
            Shape::Record(at) => self.record(*at, of, context),
            Shape::Pointer(inner) => self.pointer(of, inner, own, context, depth),
        }
    }

    fn pointer(&mut self, of: &Type, inner: &Type, own: Option<&Value>, context: &Context<'_>, depth: usize) -> Option<KindId> {
        if let Shape::Function(signature) = &inner.shape {
            return self.function(of, signature, context);
        }
        let record = match inner.shape {
            Shape::Record(at) => self.interface.records.get(at),
            _ => None,
        };
        let rules = record.and_then(|record| self.annotation.types.get(&record_name(record, context)));
        let not_null = own.is_some_and(|own| own.not_null);
        let pass = match (&inner.shape, rules) {
            // What is said of a type counts for all pointers to it.
            (_, Some(rules)) if rules.opaque => Some(Pass::Opaque),
            (Shape::Incomplete, _) => own.and_then(|own| own.pass).or(Some(Pass::Opaque)),
            (_, Some(rules)) if rules.kept => own.and_then(|own| own.pass).or(Some(Pass::Inout)),
            _ => own.and_then(|own| own.pass),
        };
        let Some(pass) = pass else {
            if matches!(&inner.shape, Shape::Unknown(why) if why == OWN_CONVENTION) {
                return self.impossible(context, format!("`{}`: {OWN_CONVENTION}", of.spelling));
            }
            let guess = if depth == 0 { suggest::value(of, context) } else { None };
            self.refuse(
                context,
                format!("what the pointer `{}` is for is not known", of.spelling),
                guess.map(|value| value.toml()),
            );
            return None;
        };
        let sizes = of.sizes;
        match pass {
            Pass::Opaque => {
                let kind = Kind { sizes, spelling: None, conversion: Conversion::Opaque { not_null } };
                return Some(self.add(format!("opaque {not_null}"), kind));
            }
            Pass::User => {
                return Some(self.add("user".to_owned(), Kind { sizes, spelling: None, conversion: Conversion::User }));
            }
            Pass::In | Pass::Out | Pass::Inout | Pass::String => {}
        }
        let element = match inner.shape {
            Shape::Void => self.same(&Type { sizes: [1, 1], ..inner.clone() }),
            _ => self.kind(inner, own.and_then(|own| own.to.as_deref()), &context.inside(), depth + 1)?,
        };
        let said_length = own.and_then(|own| own.length.as_deref());
        if let Some(length) = said_length.filter(|text| text.parse::<u128>().is_ok_and(|number| number > MOST)) {
            return self.impossible(context, format!("its length {length} is more than 32 bits can address"));
        }
        let is_number = |length: &str| length == "zero" || length.parse::<u64>().is_ok();
        if let Some(length) = own.and_then(|own| own.length.as_deref()).filter(|length| depth > 0 && !is_number(length)) {
            let why =
                format!("its length `{length}`: of what a pointer behind a pointer leads to it can be a number or \"zero\" only");
            return self.impossible(context, why);
        }
        let untouched = own.map_or(&[][..], |own| &own.untouched);
        let element = if untouched.is_empty() { element } else { self.untouched(element, record, untouched, context)? };
        let length = own.and_then(|own| own.length.as_deref());
        let ends_with_zero = pass == Pass::String || length == Some("zero");
        let same = matches!(self.model.kinds.get(element)?.conversion, Conversion::Same);
        if pass == Pass::String && !(same && matches!(inner.shape, Shape::Integer(_))) {
            return self.impossible(context, format!("`{}` is no string", of.spelling));
        }
        if ends_with_zero && matches!(pass, Pass::Out) {
            return self.impossible(context, "before it is written nobody can see where it ends: give it a length".to_owned());
        }
        if matches!(inner.shape, Shape::Void) && length.is_none() && !ends_with_zero {
            return self.impossible(context, "a `void *` needs a length in bytes, or is \"opaque\" or \"user\"".to_owned());
        }
        let kept = own.is_some_and(|own| own.kept);
        // What the program allocates for the library is memory of ours, and a counterpart of it that the library sees.
        let allocates = context.part == "result" && context.table.starts_with("callbacks.");
        let twin = rules.is_some_and(|rules| rules.kept) || kept && (!same || allocates);
        let mut flags = match pass {
            Pass::In | Pass::String => vec!["BRIDGE_IN"],
            Pass::Out => vec!["BRIDGE_OUT"],
            _ => vec!["BRIDGE_IN", "BRIDGE_OUT"],
        };
        let more = [
            (ends_with_zero, "BRIDGE_ZERO"),
            (kept && !twin, "BRIDGE_KEPT"),
            (not_null, "BRIDGE_NOT_NULL"),
            (twin, "BRIDGE_TWIN"),
        ];
        if own.is_some_and(|own| own.written.is_some()) && same && pass == Pass::Out {
            flags.push("BRIDGE_WRITTEN");
        }
        flags.extend(more.into_iter().filter(|(is, _)| *is).map(|(_, flag)| flag));
        let count = match length {
            None => Some(1),
            Some(length) => length.parse().ok(),
        };
        let array = matches!(inner.shape, Shape::Array(..)).then(|| inner.spelling.clone());
        let key = format!("pointer {element} {flags:?} {count:?} {array:?}");
        let conversion = Conversion::Pointer(Pointer { element, flags, count, array });
        Some(self.add(key, Kind { sizes, spelling: None, conversion }))
    }

    /// The kind of a structure for a call that does not touch what some of its members point to.
    fn untouched(&mut self, whole: KindId, record: Option<&Record>, names: &[String], context: &Context<'_>) -> Option<KindId> {
        let is_address = |of: &Type| matches!(&of.shape, Shape::Pointer(to) if !matches!(to.shape, Shape::Function(_)));
        let is_address = |name: &String| {
            record.is_some_and(|record| record.members.iter().any(|member| member.name == *name && is_address(&member.of)))
        };
        if let Some(name) = names.iter().find(|name| !is_address(name)) {
            return self.impossible(
                context,
                format!("`{name}`, which is to be untouched, is no pointer in a structure that it points to"),
            );
        }
        let Kind { sizes, .. } = *self.model.kinds.get(whole)?;
        let conversion = Conversion::Untouched(whole, names.to_vec());
        Some(self.add(format!("untouched {whole} {names:?}"), Kind { sizes, spelling: None, conversion }))
    }

    fn function(&mut self, of: &Type, signature: &Signature, context: &Context<'_>) -> Option<KindId> {
        let owner = context.table.split_once('.').map_or(context.table, |(_, name)| name).trim_matches('"');
        let own = if context.part == "result" { "result" } else { context.name };
        let at = context.beside.iter().position(|(name, _)| context.part == "parameters" && name == context.name);
        let by_number = at.map(numbered);
        let name = callback_name(self.annotation, of, owner, [own, by_number.as_deref().unwrap_or(own)]);
        let table = format!("callbacks.{}", table_name(&name));
        let key = format!("function {name}");
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        // It may have itself as a parameter.
        let at = self.model.callbacks.len();
        let id = self.add(key, Kind { sizes: of.sizes, spelling: None, conversion: Conversion::Function(at) });
        let call = Call { parameters: Vec::new(), result: None, place: Place::Integer, words: 0, on_error: None, variadic: None };
        self.model.callbacks.push(Callback { name: name.clone(), spelling: of.spelling.clone(), call });
        let nothing = annotation::Function::default();
        let own = self.annotation.callbacks.get(&name).unwrap_or(&nothing);
        let known = named(&signature.parameters);
        for why in misnamed(own, &known) {
            self.model.refusals.push(Refusal {
                place: context.place.to_owned(),
                table: table.clone(),
                key: String::new(),
                why,
                guess: None,
                advice: ONLY_DECLARED.to_owned(),
            });
        }
        if signature.is_variadic {
            return self.impossible(context, "it is a pointer to a variadic function".to_owned());
        }
        let call = self.call(signature, own, context.place, &table)?;
        if call.result.as_ref().is_some_and(|result| result.is_record) {
            return self.impossible(context, "it is a pointer to a function that returns a structure".to_owned());
        }
        if let Some(callback) = self.model.callbacks.get_mut(at) {
            callback.call = call;
        }
        self.known_callbacks.insert(name, at);
        Some(id)
    }

    fn record(&mut self, at: usize, of: &Type, context: &Context<'_>) -> Option<KindId> {
        let record = self.interface.records.get(at)?;
        let ends_open = record.members.last().is_some_and(|last| matches!(last.of.shape, Shape::Array(_, None | Some(0))));
        if record.comparison.verdict == Verdict::Full && !ends_open {
            return Some(self.same(of));
        }
        let unnamed = context.unnamed().filter(|_| record.spelling.contains('('));
        let spelling = unnamed.unwrap_or_else(|| record.spelling.clone());
        let key = format!("record {at}");
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let written = (!spelling.contains("(unnamed") && !spelling.contains("(anonymous")).then(|| spelling.clone());
        if record.is_union {
            let why = format!("`{}` is a union, and what says which of its members counts is not known", of.spelling);
            let key = context.key();
            let (place, table) = (context.place.to_owned(), context.table.to_owned());
            let mut numbers = context.beside.iter().filter(|(_, of)| matches!(of.shape, Shape::Integer(_)));
            let only = numbers.next().filter(|_| numbers.next().is_none()).map_or("MEMBER BESIDE IT", |(name, _)| name.as_str());
            let named = record.members.iter().filter(|member| !member.name.is_empty());
            let members: Vec<String> = named.map(|member| format!("VALUE = \"{}\"", member.name)).collect();
            let advice = format!("{key} = {{ discriminant = \"{only}\", cases = {{ {} }} }}", members.join(", "));
            self.model.refusals.push(Refusal { place, table, key, why, guess: None, advice });
            return None;
        }
        self.model.records.insert(at);
        let id = self.add(key, Kind { sizes: record.sizes, spelling: written, conversion: Conversion::Fields(Vec::new()) });
        let nothing = annotation::Record::default();
        let own_name = record_name(record, context);
        let rules = self.annotation.types.get(&own_name).unwrap_or(&nothing);
        let names: Vec<String> = record
            .members
            .iter()
            .enumerate()
            .map(|(at, member)| if member.name.is_empty() { format!("member{at}") } else { member.name.clone() })
            .collect();
        let beside: Vec<(String, &Type)> = names.iter().cloned().zip(record.members.iter().map(|member| &member.of)).collect();
        let table = format!("types.{}", table_name(&own_name));
        let mut fields = Vec::new();
        for (member, name) in record.members.iter().zip(&names) {
            // Bits without a name are padding.
            if member.bits.is_some() && member.name.is_empty() {
                continue;
            }
            let context = Context {
                place: &record.place,
                table: &table,
                part: "fields",
                name,
                beside: &beside,
                functions: &self.interface.functions,
                record: Some(&spelling),
                depth: 0,
            };
            let own = rules.fields.get(name);
            let member_of = |name: &str| {
                names.iter().any(|other| other == name).then(|| format!("((const __typeof__({spelling}) *)wide)->{name}"))
            };
            let mut expression = |text: &str, is_length: bool| -> Option<String> {
                let replaced = match is_length {
                    true => expression::in_c(text, member_of),
                    false => member_of(text).ok_or_else(|| "is no member beside it".to_owned()),
                };
                match replaced {
                    Ok(text) => Some(text),
                    Err(why) => {
                        self.refuse(&context, format!("`{text}` {why}"), None);
                        None
                    }
                }
            };
            let length = own.and_then(|own| own.length.as_deref());
            let length =
                length.filter(|text| text.parse::<u64>().is_err() && *text != "zero").and_then(|text| expression(text, true));
            let decides = own.and_then(|own| own.discriminant.as_deref()).map(|text| expression(text, false));
            let content = match decides {
                Some(None) => continue,
                Some(Some(decides)) => {
                    let Some(cases) = self.cases(&member.of, own, &context) else { continue };
                    Content::Choice(decides, cases)
                }
                None => {
                    let Some(kind) = self.kind(&member.of, own, &context, 0) else { continue };
                    Content::One(kind)
                }
            };
            let output = own.is_some_and(|own| own.output);
            fields.push(Field { name: name.clone(), offsets: member.offsets, bits: member.bits, content, length, output });
        }
        // What others point to must be known before they are used.
        fields.sort_by_key(|field| field.length.is_some() || matches!(field.content, Content::Choice(..)));
        if let Some(kind) = self.model.kinds.get_mut(id) {
            kind.conversion = Conversion::Fields(fields);
        }
        Some(id)
    }

    /// The members of a union, by the value that decides.
    fn cases(&mut self, of: &Type, own: Option<&Value>, context: &Context<'_>) -> Option<Vec<Case>> {
        let record = match of.shape {
            Shape::Record(at) => self.interface.records.get(at).filter(|record| record.is_union),
            _ => None,
        };
        let Some(record) = record else {
            self.impossible(context, "it has a discriminant, and is no union".to_owned());
            return None;
        };
        let own_name = record_name(record, context);
        let rules = self.annotation.types.get(&own_name);
        let around = context.unnamed();
        let table = format!("types.{}", table_name(&own_name));
        let mut cases = Vec::new();
        for (value, name) in own.map(|own| &own.cases)? {
            let Some(member) = record.members.iter().find(|member| member.name == *name) else {
                self.impossible(context, format!("the union has no member `{name}`"));
                return None;
            };
            let inner = Context { place: &record.place, table: &table, name, record: around.as_deref(), depth: 0, ..*context };
            let said = rules.and_then(|rules| rules.fields.get(name));
            let kind = self.kind(&member.of, said, &inner, 0)?;
            let length =
                said.and_then(|said| said.length.as_deref()).filter(|text| text.parse::<u64>().is_err() && *text != "zero");
            // What counts the elements stands beside the union.
            let beside = |name: &str| {
                let is_there = context.beside.iter().any(|(other, _)| other == name);
                context.record.filter(|_| is_there).map(|outer| format!("((const __typeof__({outer}) *)wide)->{name}"))
            };
            let length = match length.map(|text| expression::in_c(text, beside).map_err(|why| format!("`{text}` {why}"))) {
                None => None,
                Some(Ok(length)) => Some(length),
                Some(Err(why)) => {
                    self.refuse(&inner, why, None);
                    return None;
                }
            };
            cases.push(Case { value: value.clone(), member: name.clone(), kind, length });
        }
        Some(cases)
    }
}

//! The annotation file: what C cannot say of a library's interface.

use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// An annotation file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// The library's header; a relative path starts at the annotation file.
    pub header: PathBuf,
    /// The 32-bit library; empty for an interface of one's own.
    #[serde(default)]
    pub library: PathBuf,
    /// The name of an interface of one's own, between a client and a server.
    pub interface: Option<String>,
    /// Where its server is.
    pub socket: Option<String>,
    /// What the bridge gives to the 32-bit loader instead of the path of `library`.
    pub load: Option<String>,
    /// How the library is reached.
    #[serde(default)]
    pub transport: Transport,
    /// Where the 32-bit loader and libraries are.
    pub sysroot: Option<String>,
    /// How many times a server that has died is started again.
    #[serde(default)]
    pub restart: u32,
    /// Which threads may be in the library.
    #[serde(default)]
    pub threads: Threads,
    /// Headers that come before it, as it would be included in a program.
    #[serde(default)]
    pub before: Vec<String>,
    /// Directories with headers.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// Macros.
    #[serde(default)]
    pub define: Vec<String>,
    /// By name.
    #[serde(default)]
    pub functions: BTreeMap<String, Function>,
    /// Functions of the program that the library calls: by typedef, or `function.parameter`, or `structure.member`.
    #[serde(default)]
    pub callbacks: BTreeMap<String, Function>,
    /// Structures and unions, by name, without `struct`.
    #[serde(default)]
    pub types: BTreeMap<String, Record>,
}

/// How a library is reached.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// It is in the program.
    #[default]
    InProcess,
    /// It is in a server.
    Process,
}

impl Transport {
    /// As the runtime knows it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InProcess => "in-process",
            Self::Process => "process",
        }
    }
}

/// Which threads may be in the library.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Threads {
    /// All, as the library is said to allow it.
    #[default]
    Any,
    /// One at a time, for a library that has no locks of its own.
    OneAtATime,
    /// One thread of the bridge's own, for a library that knows which thread it is called by.
    One,
}

/// A function, or a function type that the library calls.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, as { skip = \"why\" } or { parameters.NAME = { pass = \"in\" } }")]
pub struct Function {
    /// Why it is not provided. A call to it is an error that says so.
    pub skip: Option<String>,
    /// What it returns after an error, in C.
    pub on_error: Option<String>,
    /// What it returns.
    pub result: Option<Value>,
    /// By name; those without a name are `arg0`, `arg1`, …
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// What follows the parameters of a variadic function.
    pub variadic: Option<Variadic>,
}

/// What follows the parameters of a variadic function.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, as { printf = \"format\" } or { types = [\"int\"] }")]
pub struct Variadic {
    /// The parameter that is a format of printf(3).
    pub printf: Option<String>,
    /// The parameter whose value says which types follow.
    pub by: Option<String>,
    /// The types, by that value as C writes it.
    #[serde(default)]
    pub cases: BTreeMap<String, Vec<Following>>,
    /// The types where it has no other value, or where nothing says.
    pub types: Option<Vec<Following>>,
}

/// What may follow the parameters of a variadic function.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(untagged, expecting = "what follows is a type, or a pointer to one as { pass = \"out\", type = \"long\" }")]
pub enum Following {
    /// A type by its name.
    Plain(String),
    /// A pointer to something of a type.
    Pointer(FollowingPointer),
}

/// A pointer that follows.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
pub struct FollowingPointer {
    /// What it is for.
    pub pass: Pass,
    /// What it points to, by its name.
    #[serde(rename = "type")]
    pub to: String,
}

/// A structure or union.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, as { opaque = true } or { fields.NAME = { pass = \"in\" } }")]
pub struct Record {
    /// Whether pointers to it are the library's own business: the program never looks inside.
    #[serde(default)]
    pub opaque: bool,
    /// Whether the library keeps pointers to it between calls.
    #[serde(default)]
    pub kept: bool,
    /// By name.
    #[serde(default)]
    pub fields: BTreeMap<String, Value>,
}

/// A pointer, or something with pointers in it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, expecting = "a table, as { pass = \"in\" }")]
pub struct Value {
    /// What it is for.
    pub pass: Option<Pass>,
    /// The same of what it points to, where that is a pointer.
    pub to: Option<Box<Value>>,
    /// How many elements there are: an expression of names, numbers, `+`, `-`, `*`; `zero` for those before one that is zero.
    #[serde(default, deserialize_with = "length")]
    pub length: Option<String>,
    /// How many of them are there after the call; `result` is what the function returns.
    pub written: Option<String>,
    /// Whether the library keeps the address after the call: the memory must be of biarch_alloc.
    #[serde(default)]
    pub kept: bool,
    /// Whether the call ends the life of what it points to.
    #[serde(default)]
    pub drop: bool,
    /// Of a member: whether only the library writes it, so that what the program has there does not matter.
    #[serde(default)]
    pub output: bool,
    /// Whether NULL is an error.
    #[serde(default)]
    pub not_null: bool,
    /// Of a pointer to a structure: the members of which only the address is passed, because the call does not touch what is there. The
    /// program may have freed it, or never have set it.
    #[serde(default)]
    pub untouched: Vec<String>,
    /// The function that frees it.
    pub free: Option<String>,
    /// Of a number: the structure whose size it is, which is another for the library.
    pub size_of: Option<String>,
    /// Of a union: the member beside it that says which of its members counts.
    pub discriminant: Option<String>,
    /// Of a union: its members, by the value of that, as C writes it.
    #[serde(default)]
    pub cases: BTreeMap<String, String>,
}

/// A number is one with and without quotes.
fn length<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number, or an expression as \"n * size\", or \"zero\"")]
    enum Length {
        Number(u64),
        Expression(String),
    }
    Ok(Some(match Length::deserialize(from)? {
        Length::Number(number) => number.to_string(),
        Length::Expression(text) => text,
    }))
}

/// What a pointer is for.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Pass {
    /// The one that is called reads it.
    In,
    /// The one that is called writes it.
    Out,
    /// Both.
    Inout,
    /// A string that ends with a NUL, which is only read.
    String,
    /// An address of the library: the program only gives it back.
    Opaque,
    /// A pointer of the program, which the library only gives back.
    User,
}

impl Pass {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::Inout => "inout",
            Self::String => "string",
            Self::Opaque => "opaque",
            Self::User => "user",
        }
    }
}

impl Annotation {
    /// Reads one; relative paths in it become those of its directory.
    ///
    /// # Errors
    /// Where it cannot be read, is no TOML, or has a key that there is not; with its line.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let mut read: Self = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let missing = if error.message().contains("missing field `header`") { ": write header = \"foo.h\"" } else { "" };
            anyhow!("{shown}:{}: {}{missing}", before.matches('\n').count() + 1, error.message())
        })?;
        let directory = path.parent().unwrap_or(Path::new(""));
        read.header = directory.join(&read.header);
        ensure!(
            read.interface.is_some() == read.library.as_os_str().is_empty(),
            "{shown}: either `library`, a 32-bit library, or `interface`, a name for an interface of your own"
        );
        if let Some(name) = &read.interface {
            let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic())
                && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_' || one == '-');
            ensure!(is_word, "{shown}: `interface` is part of names in C: letters, digits, `_` and `-`");
        }
        // A name alone is that of one of the system's libraries.
        if read.interface.is_none() && (read.library.components().count() > 1 || directory.join(&read.library).exists()) {
            read.library = directory.join(&read.library);
        }
        read.include.iter_mut().for_each(|one| *one = directory.join(&*one));
        Ok(read)
    }

    /// One of a header and a library, which says nothing else.
    #[must_use]
    pub fn new(header: PathBuf, library: PathBuf) -> Self {
        Self {
            header,
            library,
            interface: None,
            socket: None,
            load: None,
            transport: Transport::default(),
            sysroot: None,
            restart: 0,
            threads: Threads::default(),
            before: Vec::new(),
            include: Vec::new(),
            define: Vec::new(),
            functions: BTreeMap::new(),
            callbacks: BTreeMap::new(),
            types: BTreeMap::new(),
        }
    }

    /// What a parser is told.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let before = self.before.iter().flat_map(|name| ["-include".to_owned(), name.clone()]);
        let include = self.include.iter().map(|directory| format!("-I{}", directory.display()));
        // As what is generated is compiled.
        let gnu = std::iter::once("-D_GNU_SOURCE".to_owned());
        gnu.chain(before).chain(include).chain(self.define.iter().map(|word| format!("-D{word}"))).collect()
    }
}

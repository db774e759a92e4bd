//! Functions that nothing in a program names, nor a header of a library: what is wrong in them nobody feels.

use crate::allow::without_comments;
use crate::ast::kind::Kind;
use crate::ast::{Declaration, Value};
use crate::configured::{SystemNames, is_for_lack};
use crate::directive::{self, Directive};
use crate::directory::Directory;
use crate::files::{self, FileKind};
use crate::pair::WIDE;
use crate::project::Project;
use crate::rules::Hit;
use crate::system;
use crate::tree::Tree;
use findings::Confidence;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What one file says.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Names {
    /// Those of functions of the project, and texts by which one may be looked up; and paths of files.
    names: Vec<String>,
    /// Positions of [`Names::names`]: what it names outside of functions, and in those that the system or a class calls.
    outside: BTreeSet<u32>,
    /// Positions of [`Names::names`]: functions that headers declare.
    declared: BTreeSet<u32>,
    /// The functions that it defines.
    functions: Vec<Function>,
}

#[derive(Serialize, Deserialize)]
struct Function {
    /// Positions of [`Names::names`]: what it is called, what it names, and the file that it is in.
    name: u32,
    named: BTreeSet<u32>,
    path: u32,
    /// Bytes from the beginning of the file: all of it, and where its body begins.
    start: u32,
    body: u32,
    end: u32,
    /// Whether other files can call it.
    is_external: bool,
}

/// Where a program begins.
pub(crate) const MAIN: &str = "main";

/// Longer texts are no names.
const LONGEST: usize = 64;

/// Attributes of functions that the system calls, or others by a pointer that no source has.
const CALLED: [&str; 5] = ["constructor", "destructor", "used", "visibility", "section"];

/// How a build file makes a library. What others call of it its headers declare.
const LIBRARIES: [&str; 8] = [
    "lib_LTLIBRARIES",
    "lib_LIBRARIES",
    "include_HEADERS",
    SONAME,
    "add_library",
    "shared_library",
    " library(",
    "SharedLibrary",
];
const SONAME: &str = "-soname";

/// Words by which it makes what a program loads while it runs: functions are looked up in that which no header declares.
const MODULES: [&str; 5] = ["-module", "-avoid-version", "MODULE", "shared_module", "LoadableModule"];

/// Larger files nobody has written.
const MAX_FILE: u64 = 4 << 20;

/// Says which functions `file` names, in all that is compiled for 64 bits.
pub(crate) fn summarise(tree: &Tree<'_>, file: &str, is_own: &dyn Fn(&str) -> bool) -> Names {
    let unit = tree.units[WIDE];
    let mut names = Names::default();
    let mut known: HashMap<&str, u32> = HashMap::new();
    // Where the function ends that is looked at, as a position of the nodes.
    let mut open = 0;
    for (at, node) in (0_u32..).zip(&unit.nodes) {
        let declaration = unit.declaration(node.declaration);
        let is_function = declaration.kind.is_function() || declaration.kind == Kind::FunctionTemplate;
        let name = match &node.value {
            Some(Value::Text(text)) if is_name(text) => text,
            _ if is_function && !declaration.in_system_header => &declaration.name,
            _ => continue,
        };
        let number = numbered(&mut known, name);
        if !(node.kind.is_function() || node.kind == Kind::FunctionTemplate) {
            let named =
                names.functions.last_mut().filter(|_| at < open).map_or(&mut names.outside, |function| &mut function.named);
            named.insert(number);
            continue;
        }
        names.declared.extend((unit.file(node.place.file) != file).then_some(number));
        let body = unit.children(at).map(|child| &unit.nodes[child as usize]).find(|child| child.kind == Kind::Compound);
        let is_plain = matches!(node.kind, Kind::Function | Kind::Method) && is_own(unit.file(node.place.file));
        let Some(body) = body.filter(|_| is_plain && !is_called_by_others(declaration)) else { continue };
        open = node.next;
        names.functions.push(Function {
            name: number,
            named: BTreeSet::new(),
            path: numbered(&mut known, unit.file(node.place.file)),
            start: node.place.start,
            body: body.place.start,
            end: node.place.end,
            is_external: declaration.is_external,
        });
    }
    let mut texts: Vec<(&str, u32)> = known.into_iter().collect();
    texts.sort_by_key(|(_, number)| *number);
    names.names = texts.into_iter().map(|(text, _)| text.to_owned()).collect();
    names
}

/// The number of a text: how many others were there before it.
fn numbered<'a>(known: &mut HashMap<&'a str, u32>, text: &'a str) -> u32 {
    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
    *known.entry(text).or_insert(next)
}

/// Whether a text may be the name of a function.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() < LONGEST && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether the system calls it, or it overrides a method: that is called by the name that is overridden, perhaps by a library.
fn is_called_by_others(function: &Declaration) -> bool {
    let is_called = function.attributes.iter().any(|attribute| CALLED.iter().any(|called| attribute.contains(called)));
    is_called || !function.overrides.is_empty() || function.name.starts_with("operator")
}

/// Makes what is found in functions of a program that nothing calls only possible. `whole` are the files of which every line was analysed; where
/// options are guessed, so is what conditions leave of them.
pub(crate) fn lower(hits: &mut [Hit], files: &[Names], project: &Project, whole: &HashSet<String>, is_guessed: bool) {
    let program = Program::new(files);
    let mut roots: BTreeSet<usize> = program.external(MAIN).iter().copied().collect();
    let has_main = !roots.is_empty();
    let (mut is_library, mut modules) = (false, Vec::new());
    // What headers declare.
    let mut declared = program.of_each(files, |of| &of.declared);
    let sources: HashSet<&Path> = project.compilations.iter().map(|of| Path::new(&of.file)).collect();
    // By function: what its text names besides.
    let mut inside: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    let uncalled = program.uncalled(&roots, &inside);
    // What else there is beside files that were named nobody has looked at, and it may call them.
    let is_in_tree = |hit: &Hit| project.is_in_tree(Path::new(&hit.path));
    if !hits.iter().any(|hit| hit.confidence > Confidence::Possible && uncalled.has(hit) && is_in_tree(hit)) {
        return;
    }
    let system = SystemNames::default();
    for tree in project.trees() {
        // What could not be read may call anything.
        let Ok(directory) = Directory::read(tree) else { return };
        let mut above = BTreeSet::new();
        for path in directory.files() {
            let kind = files::kind(path);
            let is_build = matches!(kind, Some(FileKind::Build | FileKind::Script));
            let is_seen = whole.contains(&*path.to_string_lossy());
            if is_prose(path)
                || kind == Some(FileKind::Configure)
                || is_seen && !is_build && !is_guessed
                || fs::metadata(path).is_ok_and(|of| of.len() > MAX_FILE)
            {
                continue;
            }
            let bytes = fs::read(path).unwrap_or_default();
            // Names are ASCII; and each byte stays where it was.
            let text: String = bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect();
            if !is_build {
                // What was not understood, as a grammar's actions, may call what it mentions.
                let is_source = kind == Some(FileKind::Source);
                let text = compiled(&if is_source { without_comments(&text) } else { text }, is_seen, &system);
                let is_header = !sources.contains(&**path);
                for Mention { functions, within, is_declared } in program.mentioned(&text, path, &sources) {
                    let called = match within {
                        _ if is_declared && !is_header => continue,
                        _ if is_declared => &mut declared,
                        Some(function) => inside.entry(function).or_default(),
                        None => &mut roots,
                    };
                    called.extend(functions);
                }
            } else if kind == Some(FileKind::Build) && makes_module(&text) {
                // Who loads it looks up whatever it likes of what is made there.
                modules.extend(path.parent().map(Path::to_owned));
                above.append(&mut of_above(&text));
            } else {
                is_library |= LIBRARIES.iter().any(|library| text.contains(library)) || installs_headers(&text);
            }
        }
        if above.contains(Path::new("")) {
            modules.push(tree.to_owned());
        } else if !above.is_empty() {
            let directories: BTreeSet<&Path> = directory.files().iter().filter_map(|path| path.parent()).collect();
            modules.extend(directories.into_iter().filter(|of| is_one_of(of, &above)).map(Path::to_owned));
        }
    }
    if !is_library && !has_main {
        return;
    }
    roots.extend(program.defined_in(&modules));
    roots.extend(declared.into_iter().filter(|_| is_library));
    let uncalled = program.uncalled(&roots, &inside);
    for hit in hits.iter_mut().filter(|hit| uncalled.has(hit) && is_in_tree(hit)) {
        hit.confidence = Confidence::Possible;
    }
}

/// Whether a file is for people, who are told of functions that nobody calls as well.
fn is_prose(path: &Path) -> bool {
    const NAMES: [&str; 12] =
        ["authors", "bugs", "changelog", "changes", "copying", "faq", "history", "install", "news", "readme", "thanks", "todo"];
    const EXTENSIONS: [&str; 13] = ["1", "2", "3", "4", "5", "6", "7", "8", "html", "md", "pod", "texi", "texinfo"];
    let lower = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().to_lowercase();
    let (stem, extension) = (lower(path.file_stem()), lower(path.extension()));
    files::kind(path).is_none() && (NAMES.contains(&stem.as_str()) || EXTENSIONS.contains(&extension.as_str()))
}

/// All files together.
struct Program<'a> {
    functions: Vec<Defined<'a>>,
    /// By name: positions of [`Program::functions`], of those that all files can call, and of those that only their own file can.
    external: HashMap<&'a str, Vec<usize>>,
    internal: HashMap<&'a str, Vec<usize>>,
    /// By path: where functions are defined, up to their bodies; and where those are.
    heads: HashMap<&'a str, Vec<Range<usize>>>,
    bodies: HashMap<&'a str, Vec<(Range<usize>, &'a str)>>,
    /// What is named outside of functions.
    outside: BTreeSet<usize>,
}

/// A function, and a file that has it.
struct Defined<'a> {
    in_file: &'a Names,
    function: &'a Function,
}

impl<'a> Defined<'a> {
    /// Its path and where it begins there: one for a header's function that many files have.
    fn place(&self) -> (&'a str, u32) {
        (self.in_file.name(self.function.path).unwrap_or_default(), self.function.start)
    }
}

impl<'a> Program<'a> {
    fn new(files: &'a [Names]) -> Self {
        let mut new = Self {
            functions: Vec::new(),
            external: HashMap::new(),
            internal: HashMap::new(),
            heads: HashMap::new(),
            bodies: HashMap::new(),
            outside: BTreeSet::new(),
        };
        for in_file in files {
            for function in &in_file.functions {
                if let Some(name) = in_file.name(function.name) {
                    let named = if function.is_external { &mut new.external } else { &mut new.internal };
                    named.entry(name).or_default().push(new.functions.len());
                    let defined = Defined { in_file, function };
                    let (path, _) = defined.place();
                    new.heads.entry(path).or_default().push(function.start as usize..function.body as usize);
                    new.bodies.entry(path).or_default().push((function.body as usize..function.end as usize, name));
                    new.functions.push(defined);
                }
            }
        }
        new.outside = new.of_each(files, |of| &of.outside);
        new
    }

    /// The functions of a name that all files can call: more than one where they are in a header.
    fn external(&self, name: &str) -> &[usize] {
        self.external.get(name).map_or(&[], Vec::as_slice)
    }

    /// Those that only this file can.
    fn internal(&self, name: &str, file: &Names) -> impl Iterator<Item = usize> {
        let all = self.internal.get(name).map_or(&[][..], Vec::as_slice);
        // They are in the order of the files, which lie in one slice.
        let of = |at: &usize| std::ptr::from_ref(self.functions[*at].in_file);
        let file = std::ptr::from_ref(file);
        let first = all.partition_point(|at| of(at) < file);
        all[first..].iter().copied().take_while(move |at| of(at) == file)
    }

    /// What these names of each file stand for there.
    fn of_each(&self, files: &'a [Names], names: fn(&Names) -> &BTreeSet<u32>) -> BTreeSet<usize> {
        let named = || files.iter().flat_map(|of| names(of).iter().filter_map(move |at| Some((of, of.name(*at)?))));
        let different: HashSet<&str> = named().map(|(_, name)| name).collect();
        let external = different.into_iter().flat_map(|name| self.external(name)).copied();
        external.chain(named().flat_map(|(of, name)| self.internal(name, of))).collect()
    }

    /// The functions that are defined in files below these.
    fn defined_in(&self, directories: &[PathBuf]) -> impl Iterator<Item = usize> {
        let is_below = |path: &str| directories.iter().any(|directory| Path::new(path).starts_with(directory));
        let all = self.functions.iter().enumerate();
        all.filter(move |(_, of)| is_below(of.place().0)).map(|(at, _)| at)
    }

    /// What is not called, whichever way one goes from these; functions name also what is inside of them.
    fn uncalled(&self, roots: &BTreeSet<usize>, inside: &HashMap<&str, BTreeSet<usize>>) -> Uncalled<'a> {
        // Many files have what is in a header, and name the same in it: each name is looked up once.
        let (mut seen, mut names): (HashSet<usize>, HashSet<&str>) = (HashSet::new(), HashSet::new());
        let mut todo: Vec<usize> = self.outside.union(roots).copied().collect();
        while let Some(at) = todo.pop() {
            if seen.insert(at) {
                let Defined { in_file, function } = &self.functions[at];
                for name in function.named.iter().filter_map(|at| in_file.name(*at)) {
                    todo.extend(self.internal(name, in_file));
                    todo.extend(Some(name).filter(|name| names.insert(name)).into_iter().flat_map(|name| self.external(name)));
                }
                let besides = in_file.name(function.name).and_then(|name| inside.get(name));
                todo.extend(besides.into_iter().flatten());
            }
        }
        let called: HashSet<_> = seen.into_iter().map(|at| self.functions[at].place()).collect();
        let mut rest: HashMap<&str, Vec<&Function>> = HashMap::new();
        for of in self.functions.iter().filter(|of| !called.contains(&of.place())) {
            rest.entry(of.place().0).or_default().push(of.function);
        }
        Uncalled(rest)
    }

    /// The functions that a text has the names of, but for where it defines them; `sources` are the files that are not only included.
    fn mentioned(&self, text: &str, path: &Path, sources: &HashSet<&Path>) -> Vec<Mention<'a>> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (name, is_source, is_text) =
            (path.to_string_lossy(), sources.contains(path), files::kind(path) != Some(FileKind::Source));
        let heads = self.heads.get(&*name).map_or(&[][..], Vec::as_slice);
        let bodies = self.bodies.get(&*name).map_or(&[][..], Vec::as_slice);
        // What no other file can call only a source can that includes it, or is included.
        let is_callable = |at: &usize| {
            let own = self.functions[*at].place().0;
            let is_beyond = || is_text || is_source && sources.contains(Path::new(own));
            own == name || !is_beyond()
        };
        let mut end = 0;
        let words = text.split_inclusive(|c| !is_part(c)).map(|piece| {
            let start = end;
            end += piece.len();
            (start, piece.trim_end_matches(|c| !is_part(c)))
        });
        let mut known = HashSet::new();
        let mention = |(at, word): (usize, &str)| {
            let is_any = self.external.contains_key(word) || self.internal.contains_key(word);
            if !is_any || heads.iter().any(|head| head.contains(&at)) {
                return None;
            }
            let within = bodies.iter().find(|(body, _)| body.contains(&at)).map(|(_, name)| *name);
            let is_declared = is_declared(text, at);
            if !known.insert((word.to_owned(), within, is_declared)) {
                return None;
            }
            let internal = self.internal.get(word).into_iter().flatten().copied().filter(is_callable);
            let functions = self.external(word).iter().copied().chain(internal).collect();
            Some(Mention { functions, within, is_declared })
        };
        words.filter_map(mention).collect()
    }
}

/// Where a text has the name of functions.
struct Mention<'a> {
    /// Positions of [`Program::functions`].
    functions: Vec<usize>,
    /// The function that is around it.
    within: Option<&'a str>,
    /// Whether they are only declared there.
    is_declared: bool,
}

/// Whether a build file makes what a program loads; what has a name for linkers is a library.
fn makes_module(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || "()=\"'".contains(c));
    words.any(|word| MODULES.contains(&word) || word == "-shared" && !text.contains(SONAME))
}

/// Where the sources above its directory are that a build file names, or searches for: the ends of the names of their directories, which are those
/// of all directories where only a variable or `..` says it.
fn of_above(text: &str) -> BTreeSet<PathBuf> {
    const ENDS: [&str; 9] = [".o", ".lo", ".a", ".la", ".c", ".C", ".cc", ".cpp", ".cxx"];
    let is_search =
        |line: &str| line.contains("..") && ["VPATH", "vpath"].iter().any(|search| line.trim_start().starts_with(search));
    // `$(TOP)/lib/save.o`, where something says what is above; `%.o` is of what is named elsewhere.
    let is_part = |word: &&str| {
        word.contains('/')
            && !word.contains('%')
            && (word.contains("..") || word.contains('$'))
            && ENDS.iter().any(|end| word.ends_with(end))
    };
    let end = |word: &str| {
        let parts = word.split('/').filter(|part| !part.contains('$') && !part.contains("..")).collect::<PathBuf>();
        parts.parent().map(Path::to_owned).unwrap_or_default()
    };
    if !text.contains("..") {
        return BTreeSet::new();
    }
    let searched = text.lines().filter(|line| is_search(line)).map(|_| PathBuf::new());
    searched.chain(text.split_whitespace().filter(is_part).map(end)).collect()
}

/// Whether the name of a directory ends as one of these.
fn is_one_of(directory: &Path, ends: &BTreeSet<PathBuf>) -> bool {
    let parts: Vec<_> = directory.components().collect();
    (0..parts.len()).any(|from| ends.contains(&parts[from..].iter().collect::<PathBuf>()))
}

/// Whether a makefile does; what only has the variable, as all have that configure makes, does not.
fn installs_headers(text: &str) -> bool {
    const COPIES: [&str; 6] = ["cp", "install", "$(cp)", "$(call", "$(copy)", "$(install"];
    text.lines().filter_map(|line| line.strip_prefix('\t')).any(|command| {
        let lower = command.trim_start_matches([' ', '@', '-']).to_lowercase().replace("${", "$(");
        let first = lower.split_whitespace().next().unwrap_or_default();
        let copies = COPIES.iter().any(|copy| first == *copy || copy.starts_with('$') && first.starts_with(copy));
        // `$(call FixIncludes,…)` copies nothing.
        let is_there = || {
            ["/include", "include/", "$(include", "include)"].iter().any(|part| lower.contains(part))
                || lower.trim_end().ends_with(" include")
        };
        command.contains("includedir") || copies && is_there()
    })
}

/// What may stand before a call, where a declaration has a type.
const BEFORE_CALLS: [&str; 9] = ["return", "else", "do", "case", "throw", "new", "delete", "co_await", "co_return"];

/// Whether a line does no more than to declare what begins there: `extern int save(FILE *);` from its first column on, or a method, which
/// has a word before it that is a type.
fn is_declared(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let before = text[start..at].trim();
    let is_typed = || {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c.is_whitespace();
        before.chars().all(part) && before.split_whitespace().all(|word| !BEFORE_CALLS.contains(&word)) && !before.is_empty()
    };
    (line.starts_with(|c: char| c.is_ascii_alphabetic()) && at > start || is_typed())
        && line.trim_end().ends_with(");")
        && !line.contains(['=', '{'])
}

/// What a line of a source is inside of.
#[derive(Clone, Copy, PartialEq)]
enum Condition {
    /// Which holds, as far as anybody knows: that of a header which is read once.
    Holds,
    /// Another option would make it true.
    Asked,
    /// Only another system has it, or nobody.
    Never,
}

/// The lines of a source that somebody may compile, each where it was; or of those what is there under a condition, which another option would
/// make true.
fn compiled(text: &str, only_asked: bool, system: &SystemNames) -> String {
    let mut open: Vec<Condition> = Vec::new();
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match directive::of(line) {
            Some(Directive::If(text)) => {
                let is_guard = text.starts_with("ifndef") || text.starts_with("if !defined");
                let never = ["ifdef undef", "ifdef notdef", "if 0"].iter().any(|start| text.starts_with(start));
                let is_other = text.split_whitespace().any(|word| system::names_other(&word.to_lowercase()));
                open.push(match () {
                    () if never || is_other || is_for_lack(text, system) => Condition::Never,
                    () if is_guard => Condition::Holds,
                    () => Condition::Asked,
                });
            }
            Some(Directive::Elif(_) | Directive::Else(_)) => {
                let condition = open.last_mut().filter(|condition| **condition == Condition::Never);
                condition.into_iter().for_each(|condition| *condition = Condition::Asked);
            }
            Some(Directive::Endif) => drop(open.pop()),
            // That a name is no macro any more calls nobody.
            Some(Directive::Other(text)) if text.starts_with("undef") => {}
            Some(Directive::Other(_)) | None
                if !open.contains(&Condition::Never) && (!only_asked || open.contains(&Condition::Asked)) =>
            {
                kept.push_str(line);
                continue;
            }
            Some(Directive::Other(_)) | None => {}
        }
        kept.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    kept
}

impl Names {
    fn name(&self, at: u32) -> Option<&str> {
        self.names.get(at as usize).map(String::as_str)
    }
}

/// Functions that nothing calls, by file.
struct Uncalled<'a>(HashMap<&'a str, Vec<&'a Function>>);

impl Uncalled<'_> {
    fn has(&self, hit: &Hit) -> bool {
        let functions = self.0.get(hit.path.as_str()).map_or(&[][..], Vec::as_slice);
        functions.iter().any(|function| (function.start..function.end).contains(&hit.start))
    }
}

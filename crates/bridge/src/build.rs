//! What `biarch bridge build` makes: the 64-bit library, and what programs need to use it.

use crate::annotation::{Annotation, Transport};
use crate::emit::{self, MADE_BY};
use crate::library::{NATIVE, X86};
use crate::model::{Model, Refusal};
use crate::runtime;
use crate::{ipc, library, model, python, rust};
use anyhow::{Context, Result, bail, ensure};
use elf::dwarf::Functions;
use port::interface;
use port::pair::Pair;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime's headers, for generated code and for programs.
pub(crate) const HEADERS: [(&str, &str); 2] =
    [("biarch.h", include_str!("../runtime/biarch.h")), ("marshal.h", include_str!("../runtime/marshal.h"))];
/// What both sides of an interface include.
const INTERFACE_HEADERS: [(&str, &str); 2] =
    [("channel.h", include_str!("../runtime/channel.h")), ("interface.h", include_str!("../runtime/interface.h"))];

/// What was made.
#[derive(Clone, Debug)]
pub struct Built {
    /// The 64-bit library; the client's source of an interface.
    pub library: PathBuf,
    /// All files.
    pub files: Vec<PathBuf>,
    /// How many functions it has.
    pub functions: usize,
    /// Those that are left out, with the reason.
    pub skipped: Vec<(String, String)>,
    /// How many of its functions the library's debugging information has; or why that cannot be read.
    pub compared: Result<usize, String>,
}

/// A model, or why there is none, all reasons at once.
///
/// # Errors
/// Where the header or the library cannot be read, or something cannot be converted.
pub fn resolve(annotation: &Annotation) -> Result<(interface::Interface, library::Library, Model)> {
    let (interface, library, model) = look(annotation)?;
    refused(&model.refusals)?;
    ensure!(!model.functions.is_empty(), "{} declares no function of {}", annotation.header.display(), library.soname);
    Ok((interface, library, model))
}

/// The same with what is open, in the model.
///
/// # Errors
/// Where the header or the library cannot be read.
pub fn look(annotation: &Annotation) -> Result<(interface::Interface, library::Library, Model)> {
    let read = |pair: Pair| interface::read(&annotation.header, pair, &annotation.arguments());
    if let Some(name) = &annotation.interface {
        let interface = read(NATIVE)?;
        let library = ipc::library(&interface, name);
        let mut model = model::resolve(&interface, &library, annotation);
        model.refusals.extend(ipc::refusals(&interface, &model, name));
        return Ok((interface, library, model));
    }
    let library = library::read(&library::find(&annotation.library, annotation.sysroot.as_deref()))?;
    ensure!(
        library.pair == X86 || annotation.transport == Transport::Process,
        "{}: a library for armhf is called by a process of its own: write transport = \"process\"",
        library.path.display()
    );
    let interface = read(library.pair)?;
    let library = library.with(&interface);
    let model = model::resolve(&interface, &library, annotation);
    Ok((interface, library, model))
}

fn refused(refusals: &[Refusal]) -> Result<()> {
    if refusals.is_empty() {
        return Ok(());
    }
    let mut text = String::new();
    for refusal in refusals {
        let _ = write!(text, "\n{refusal}");
    }
    match refusals.len() {
        1 => bail!("one question is open:{text}"),
        count => bail!("{count} questions are open:{text}"),
    }
}

/// `libfoo.so.1` without the directory and what follows `.so`: `libfoo`.
fn stem(soname: &str) -> &str {
    soname.split_once(".so").map_or(soname, |(stem, _)| stem)
}

/// A header as `#include` takes it.
fn included(header: &Path) -> Result<String> {
    let path = header.display().to_string();
    ensure!(!path.contains(['"', '\n', '\\']), "{path}: C cannot include a file of this name");
    Ok(format!("\"{path}\""))
}

/// The beginning of a file; nothing where there is none.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let _ = fs::File::open(path).and_then(|file| file.take(512).read_to_end(&mut head));
    head
}

/// Whether the file was made by a build before.
fn is_made_here(path: &Path) -> bool {
    String::from_utf8_lossy(&head(path)).contains("Made by `biarch bridge")
}

/// Refuses to write over what the bridge is made of, and over what somebody else has made; `again`: in a directory of a build before.
fn keep(target: &Path, inputs: &[&PathBuf], again: bool) -> Result<()> {
    let Ok(there) = target.canonicalize() else { return Ok(()) };
    ensure!(
        !inputs.contains(&&there),
        "{} is what the bridge is made of, and would be written over: name another directory, -o DIR",
        target.display()
    );
    let head = head(&there);
    let is_other_library = head.starts_with(b"\x7fELF") && !head.starts_with(b"\x7fELF\x02");
    ensure!(
        !is_other_library && (again || head.is_empty() || is_made_here(&there)),
        "{} is there, and was not made by `biarch bridge build`: name another directory, -o DIR, or delete it",
        target.display()
    );
    Ok(())
}

/// Builds a bridge into a directory.
///
/// # Errors
/// Where something cannot be converted, compiled or written.
pub fn build(annotation: &Annotation, into: &Path) -> Result<Built> {
    let (interface, library, model) = resolve(annotation)?;
    if let Some(name) = &annotation.interface {
        return build_interface(annotation, name, &model, into);
    }
    let include = into.join("include");
    let stem = stem(&library.soname).to_owned();
    let name = stem.strip_prefix("lib").unwrap_or(&stem).to_owned();
    let header = annotation.header.canonicalize()?;
    let header_name = header.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = format!("{name}-biarch.h");
    ensure!(
        HEADERS.iter().all(|(name, _)| *name != header_name) && own != header_name,
        "{}: a header of the bridge itself is called {header_name}: give yours another name",
        annotation.header.display()
    );
    fs::create_dir_all(into).with_context(|| format!("cannot make {}", into.display()))?;
    let made = into.join(&library.soname);
    let link = into.join(format!("{stem}.so"));
    let source = into.join(format!("{name}.c"));
    let script = into.join(format!("{name}.map"));
    let [definition, declaration] = emit::access(&name);
    let library_name = if stem.starts_with("lib") { format!("-l{name}") } else { format!("-l:{stem}.so") };
    let texts = [
        (source.clone(), emit::source(&model, &library, annotation, &included(&header)?, "") + &definition),
        (script.clone(), emit::versions(&model, &name)),
        (include.join(own), declaration),
        (include.join(&header_name), clean(&header)?),
        (into.join(format!("{name}.py")), python::module(&interface, &model, &library.soname)),
        (into.join(format!("{name}.rs")), rust::module(&interface, &model, &name)),
        (into.join(format!("{name}.pc")), package(&name, &library_name, &into.canonicalize()?, annotation)),
    ];
    let inputs = [&library.path, &header];
    let again = is_made_here(&source);
    for target in texts.iter().map(|(path, _)| path).chain([&made, &link]) {
        keep(target, &inputs, again)?;
    }
    let mut files = headers(&include, &HEADERS)?;
    for (path, text) in texts {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path);
    }
    files.extend(write_runtime(into, library.pair)?);
    let arguments = ["-shared", "-Xlinker", "-soname", "-Xlinker", &library.soname, "-Xlinker", "--version-script", "-Xlinker"];
    let mut arguments = arguments.map(str::to_owned).to_vec();
    arguments.push(script.display().to_string());
    // A program may have the one that is there open.
    let unfinished = into.join(format!("{}.new", library.soname));
    compile(annotation, library.pair, &source, &unfinished, &include, &arguments)?;
    let exported = library::exported(&unfinished)?;
    let missing: Vec<&str> =
        model.functions.iter().map(|function| function.name.as_str()).filter(|name| !exported.contains(*name)).collect();
    if let [first, ..] = missing.as_slice() {
        fs::remove_file(&unfinished)?;
        bail!(
            "{}: the header hides these from the linker, or gives them another name there: {}\n    write [functions.{first}] skip = \"why\"",
            annotation.header.display(),
            missing.join(", ")
        );
    }
    fs::rename(&unfinished, &made).with_context(|| format!("cannot make {}", made.display()))?;
    files.push(made.clone());
    if link != made {
        let _ = fs::remove_file(&link);
        symlink(&library.soname, &link).with_context(|| format!("cannot make {}", link.display()))?;
        files.push(link);
    }
    let compared = library.compiled.as_ref().map_err(String::clone);
    let has = |all: &Functions| model.functions.iter().filter(|one| all.named.contains_key(&one.name)).count();
    Ok(built(made, files, &model, compared.map(has)))
}

fn built(library: PathBuf, files: Vec<PathBuf>, model: &Model, compared: Result<usize, String>) -> Built {
    let left_out = |function: &model::Function| Some((function.name.clone(), function.call.as_ref().err()?.clone()));
    let skipped: Vec<_> = model.functions.iter().filter_map(left_out).collect();
    Built { library, files, functions: model.functions.len() - skipped.len(), skipped, compared }
}

/// Writes the C source of an interface's client and server, and what they include. They are compiled with the programs that use them, for
/// the architectures that these are for; here only whether they can be.
fn build_interface(annotation: &Annotation, name: &str, model: &Model, into: &Path) -> Result<Built> {
    let include = into.join("include");
    let mut files = headers(&include, &INTERFACE_HEADERS)?;
    let header = annotation.header.canonicalize()?;
    let header_name = header.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    ensure!(
        ![format!("{name}-client.h"), format!("{name}-server.h")].contains(&header_name),
        "{}: that is what a generated header is called: choose another name for the interface",
        annotation.header.display()
    );
    let source = ipc::Source { model, annotation, name, header: &included(Path::new(&header_name))? };
    let [client_header, server_header] = source.headers();
    let client = into.join(format!("{name}-client.c"));
    let texts = [
        (client.clone(), source.client()),
        (into.join(format!("{name}-server.c")), source.server()),
        (include.join(format!("{name}-client.h")), client_header),
        (include.join(format!("{name}-server.h")), server_header),
        (include.join(&header_name), clean(&header)?),
    ];
    for (path, _) in &texts {
        keep(path, &[&header], is_made_here(&client))?;
    }
    for (path, text) in &texts {
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path.clone());
    }
    for (path, _) in texts.iter().take(2) {
        let mut command = compiler(annotation, NATIVE, &include);
        // The header may include others that are beside it.
        command.arg("-I").arg(header.parent().unwrap_or(Path::new("/")));
        command.arg("-fsyntax-only").arg(path);
        succeed(command, path)?;
    }
    Ok(built(client, files, model, Ok(0)))
}

/// Headers that have templates in C++, which may not be inside `extern "C"`.
const WITH_TEMPLATES: [&str; 5] = ["stdlib.h", "math.h", "fenv.h", "stdatomic.h", "tgmath.h"];

/// Headers in one another that are looked at.
const MAX_INCLUDED: usize = 16;

/// C without its comments, for who only looks for words.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once('/') {
        out.push_str(before);
        rest = match comment.chars().next() {
            Some('*') => comment.split_once("*/").map_or("", |(_, after)| after),
            Some('/') => comment.find('\n').map_or("", |end| comment.split_at(end).1),
            _ => {
                out.push('/');
                comment
            }
        };
    }
    out + rest
}

/// What a header and those beside it include of the names given, in order.
fn includes<'a>(header: &Path, names: &[&'a str], depth: usize) -> Vec<&'a str> {
    let text = fs::read(header).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let mut found = Vec::new();
    for line in without_comments(&text).lines() {
        let Some(name) = line.trim_start().strip_prefix('#').and_then(|line| line.trim_start().strip_prefix("include")) else {
            continue;
        };
        let name = name.trim().trim_matches(['"', '<', '>']);
        found.extend(names.iter().find(|known| **known == name));
        let beside = header.parent().map(|directory| directory.join(name)).filter(|path| path.is_file());
        if let Some(beside) = beside.filter(|_| depth < MAX_INCLUDED) {
            found.extend(includes(&beside, names, depth + 1));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The header as C++ can include it.
fn clean(header: &Path) -> Result<String> {
    let text = fs::read(header).with_context(|| format!("cannot read {}", header.display()))?;
    let text = String::from_utf8_lossy(&text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if without_comments(text).contains("extern \"C\"") {
        return Ok(format!("{MADE_BY}{text}"));
    }
    let templates: String = includes(header, &WITH_TEMPLATES, 0).iter().map(|name| format!("#include <{name}>\n")).collect();
    // Words of C that C++ spells in another way.
    let opening = "#define _Bool bool\n#define restrict __restrict\nextern \"C\" {\n#endif\n";
    let closing = "#ifdef __cplusplus\n}\n#undef _Bool\n#undef restrict\n#endif\n";
    let end = if text.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{MADE_BY}#ifdef __cplusplus\n{templates}{opening}{text}{end}{closing}"))
}

/// A word of a pkg-config file.
fn word(text: &str) -> String {
    let is_plain = |one: char| one.is_alphanumeric() || "_-+./:=,@~".contains(one);
    text.chars().map(|one| if is_plain(one) { one.to_string() } else { format!("\\{one}") }).collect()
}

fn package(name: &str, library: &str, directory: &Path, annotation: &Annotation) -> String {
    let mut options: String = annotation.define.iter().map(|define| format!(" -D{}", word(define))).collect();
    // The header may include others that are beside it.
    let beside = annotation.header.parent().filter(|directory| *directory != Path::new("/usr/include"));
    for directory in beside.into_iter().chain(annotation.include.iter().map(PathBuf::as_path)) {
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let _ = write!(options, " -I{}", word(&directory.display().to_string()));
    }
    format!(
        "# Made by `biarch bridge build`; changes are lost.\nlibdir={}\n\n\
         Name: {name}\nDescription: the 32-bit {name}, for 64-bit programs\nVersion: {}\n\
         Cflags: -I${{libdir}}/include{options}\n\
         Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} {library} -l:libbiarch.so.0\n",
        word(&directory.display().to_string()),
        env!("CARGO_PKG_VERSION"),
    )
}

/// Writes the runtime's headers.
pub(crate) fn headers(include: &Path, headers: &[(&str, &str)]) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(include).with_context(|| format!("cannot make {}", include.display()))?;
    let write = |(name, text): &(&str, &str)| {
        let path = include.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    headers.iter().map(write).collect()
}

/// Writes the runtime beside a bridge, which looks for it there.
pub(crate) fn write_runtime(into: &Path, pair: Pair) -> Result<Vec<PathBuf>> {
    let write = |(name, bytes): &(&str, &[u8])| {
        let path = into.join(name);
        // A program may be running with the one that is there: it keeps it.
        let _ = fs::remove_file(&path);
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(&path);
        made.and_then(|mut file| file.write_all(bytes)).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    runtime::files(pair).iter().map(write).collect()
}

/// Compiles a bridge, and whatever `arguments` say.
pub(crate) fn compile(
    annotation: &Annotation,
    pair: Pair,
    source: &Path,
    made: &Path,
    include: &Path,
    arguments: &[String],
) -> Result<()> {
    let beside = made.parent().unwrap_or(Path::new("."));
    let mut command = compiler(annotation, pair, include);
    command.args(["-O2", "-fPIC", "-Wl,-z,defs", "-o"]).arg(made).arg(source);
    command.args(arguments).arg("-L").arg(beside).args(["-Wl,-rpath,$ORIGIN", "-l:libbiarch.so.0", "-lpthread"]);
    succeed(command, source)
}

fn compiler(annotation: &Annotation, pair: Pair, include: &Path) -> Command {
    let usual = if pair == NATIVE { "cc".to_owned() } else { format!("{}-gcc", pair.sides[1].target) };
    let mut command = Command::new(std::env::var("CC").unwrap_or(usual));
    command.args(["-std=gnu11", "-I"]).arg(include);
    // `before` is in the source.
    command.args(annotation.include.iter().map(|directory| format!("-I{}", directory.display())));
    command.args(annotation.define.iter().map(|word| format!("-D{word}")));
    command
}

fn succeed(mut command: Command, source: &Path) -> Result<()> {
    let compiler = command.get_program().to_string_lossy().into_owned();
    let package = if compiler == "cc" {
        "gcc libc6-dev".to_owned()
    } else {
        compiler.rsplit_once('-').map_or_else(String::new, |(prefix, _)| format!("gcc-{prefix}"))
    };
    let output =
        command.output().with_context(|| format!("cannot start the compiler `{compiler}`: apt-get install {package}"))?;
    ensure!(
        output.status.success(),
        "{compiler} cannot compile {}:\n{}",
        source.display(),
        String::from_utf8_lossy(&output.stderr).lines().take(20).collect::<Vec<_>>().join("\n")
    );
    Ok(())
}

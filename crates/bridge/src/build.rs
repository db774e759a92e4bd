//! What `biarch bridge build` makes: the 64-bit library, and what programs need to use it.

use crate::annotation::Annotation;
use crate::emit::{self, quoted};
use crate::model::{Model, Refusal};
use crate::runtime::FILES;
use crate::{ipc, library, model, python, rust};
use anyhow::{Context, Result, bail, ensure};
use port::interface;
use port::pair::Pair;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
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
    let read = || interface::read(&annotation.header, Pair::ALL[0], &annotation.arguments());
    if let Some(name) = &annotation.interface {
        let interface = read()?;
        let library = ipc::library(&interface, name);
        let mut model = model::resolve(&interface, &library, annotation);
        model.refusals.extend(ipc::refusals(&interface, &model, name));
        return Ok((interface, library, model));
    }
    let library = library::read(&library::find(&annotation.library, annotation.sysroot.as_deref()))?;
    let interface = read()?;
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
    let mut files = headers(&include, &HEADERS)?;
    let mut write = |path: PathBuf, text: &str| -> Result<PathBuf> {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path.clone());
        Ok(path)
    };
    let stem = stem(&library.soname).to_owned();
    let name = stem.strip_prefix("lib").unwrap_or(&stem).to_owned();
    let header = annotation.header.canonicalize()?;
    let header_name = header.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let [definition, declaration] = emit::access(&name);
    let text = emit::source(&model, &library, annotation, &format!("{header:?}"), "") + &definition;
    let source = write(into.join(format!("{name}.c")), &text)?;
    let script = write(into.join(format!("{name}.map")), &emit::versions(&model, &name))?;
    write(include.join(format!("{name}-biarch.h")), &declaration)?;
    write(include.join(&header_name), &clean(&header)?)?;
    write(into.join(format!("{name}.py")), &python::module(&interface, &model, &library.soname))?;
    write(into.join(format!("{name}.rs")), &rust::module(&interface, &model, &name))?;
    write(into.join(format!("{name}.pc")), &package(&name, &into.canonicalize()?, annotation))?;
    files.extend(runtime(into)?);
    let made = into.join(&library.soname);
    let arguments =
        ["-shared".to_owned(), format!("-Wl,-soname,{}", library.soname), format!("-Wl,--version-script,{}", script.display())];
    compile(annotation, &source, &made, &include, &arguments)?;
    files.push(made.clone());
    let link = into.join(format!("{stem}.so"));
    if link != made {
        let _ = fs::remove_file(&link);
        symlink(&library.soname, &link).with_context(|| format!("cannot make {}", link.display()))?;
        files.push(link);
    }
    Ok(built(made, files, &model))
}

fn built(library: PathBuf, files: Vec<PathBuf>, model: &Model) -> Built {
    let left_out = |function: &model::Function| Some((function.name.clone(), function.call.as_ref().err()?.clone()));
    let skipped: Vec<_> = model.functions.iter().filter_map(left_out).collect();
    Built { library, files, functions: model.functions.len() - skipped.len(), skipped }
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
    let source = ipc::Source { model, annotation, name, header: &quoted(&header_name) };
    let [client_header, server_header] = source.headers();
    let client = into.join(format!("{name}-client.c"));
    let texts = [
        (client.clone(), source.client()),
        (into.join(format!("{name}-server.c")), source.server()),
        (include.join(format!("{name}-client.h")), client_header),
        (include.join(format!("{name}-server.h")), server_header),
        (include.join(&header_name), clean(&header)?),
    ];
    for (path, text) in &texts {
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path.clone());
    }
    for (path, _) in texts.iter().take(2) {
        let mut command = compiler(annotation, &include);
        // The header may include others that are beside it.
        command.arg("-I").arg(header.parent().unwrap_or(Path::new("/")));
        command.arg("-fsyntax-only").arg(path);
        succeed(command, path)?;
    }
    Ok(built(client, files, model))
}

/// The header as C++ can include it.
fn clean(header: &Path) -> Result<String> {
    let text = fs::read(header).with_context(|| format!("cannot read {}", header.display()))?;
    let text = String::from_utf8_lossy(&text);
    if text.contains("extern \"C\"") {
        return Ok(text.into_owned());
    }
    // What it includes has its own opinion about C++.
    let last =
        text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("#include")).map(|(at, _)| at + 1).last();
    let split: usize = text.split_inclusive('\n').take(last.unwrap_or(0)).map(str::len).sum();
    let (before, after) = text.split_at(split);
    let depth = |directive: &str| before.lines().filter(|line| line.trim_start().starts_with(directive)).count();
    // Words of C that C++ spells in another way.
    let opening = "#ifdef __cplusplus\n#define _Bool bool\n#define restrict __restrict\nextern \"C\" {\n#endif\n";
    let closing = "#ifdef __cplusplus\n}\n#undef _Bool\n#undef restrict\n#endif\n";
    // In the middle of an #if, as of the guard, the end belongs before its #endif.
    if depth("#if") == depth("#endif") {
        return Ok(format!("{before}{opening}{after}{closing}"));
    }
    match after.rfind("#endif") {
        Some(end) => {
            let (middle, end) = after.split_at(end);
            Ok(format!("{before}{opening}{middle}{closing}{end}"))
        }
        None => Ok(format!("{before}{opening}{after}{closing}")),
    }
}

fn package(name: &str, directory: &Path, annotation: &Annotation) -> String {
    let mut options: String = annotation.define.iter().map(|word| format!(" -D{word}")).collect();
    // The header may include others that are beside it.
    let beside = annotation.header.parent().filter(|directory| *directory != Path::new("/usr/include"));
    for directory in beside.into_iter().chain(annotation.include.iter().map(PathBuf::as_path)) {
        let _ = write!(options, " -I{}", directory.canonicalize().unwrap_or_else(|_| directory.to_owned()).display());
    }
    format!(
        "libdir={}\n\nName: {name}\nDescription: the 32-bit {name}, for 64-bit programs\nVersion: {}\n\
         Cflags: -I${{libdir}}/include{options}\nLibs: -L${{libdir}} -Wl,-rpath,${{libdir}} -l{name} -l:libbiarch.so.0\n",
        directory.display(),
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
pub(crate) fn runtime(into: &Path) -> Result<Vec<PathBuf>> {
    let write = |(name, bytes): &(&str, &[u8])| {
        let path = into.join(name);
        // A program may be running with the one that is there: it keeps it.
        let _ = fs::remove_file(&path);
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(&path);
        made.and_then(|mut file| file.write_all(bytes)).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    FILES.iter().map(write).collect()
}

/// Compiles a bridge, and whatever `arguments` say.
pub(crate) fn compile(annotation: &Annotation, source: &Path, made: &Path, include: &Path, arguments: &[String]) -> Result<()> {
    let beside = made.parent().unwrap_or(Path::new("."));
    let mut command = compiler(annotation, include);
    command.args(["-O2", "-fPIC", "-Wl,-z,defs", "-o"]).arg(made).arg(source);
    command.args(arguments).arg("-L").arg(beside).args(["-Wl,-rpath,$ORIGIN", "-l:libbiarch.so.0", "-lpthread"]);
    succeed(command, source)
}

fn compiler(annotation: &Annotation, include: &Path) -> Command {
    let mut command = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    command.args(["-std=gnu11", "-I"]).arg(include);
    // `before` is in the source.
    command.args(annotation.include.iter().map(|directory| format!("-I{}", directory.display())));
    command.args(annotation.define.iter().map(|word| format!("-D{word}")));
    command
}

fn succeed(mut command: Command, source: &Path) -> Result<()> {
    let compiler = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().with_context(|| format!("cannot start the compiler `{compiler}`: apt-get install gcc libc6-dev"))?;
    ensure!(
        output.status.success(),
        "{compiler} cannot compile {}:\n{}",
        source.display(),
        String::from_utf8_lossy(&output.stderr).lines().take(20).collect::<Vec<_>>().join("\n")
    );
    Ok(())
}

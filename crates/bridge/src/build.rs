//! What `biarch bridge build` makes: the 64-bit library, and what programs need to use it.

use crate::annotation::Annotation;
use crate::model::{Model, Refusal};
use crate::{emit, library, model, python, rust};
use anyhow::{Context, Result, bail, ensure};
use port::interface;
use port::pair::Pair;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime's headers, for generated code and for programs.
const HEADERS: [(&str, &str); 2] =
    [("biarch.h", include_str!("../runtime/biarch.h")), ("marshal.h", include_str!("../runtime/marshal.h"))];

/// What was made.
#[derive(Clone, Debug)]
pub struct Built {
    /// The 64-bit library.
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
    let library = library::read(&library::find(&annotation.library, annotation.sysroot.as_deref()))?;
    let interface = interface::read(&annotation.header, Pair::ALL[0], &annotation.arguments())?;
    let model = model::resolve(&interface, &library, annotation);
    refused(&model.refusals)?;
    ensure!(!model.functions.is_empty(), "{} declares no function of {}", annotation.header.display(), library.soname);
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
    bail!("{} questions are open:{text}", refusals.len())
}

/// Where the runtime is: `libbiarch.so` and the server.
///
/// # Errors
/// Where it is nowhere.
pub fn runtime() -> Result<PathBuf> {
    let mut places: Vec<PathBuf> = std::env::var_os("BIARCH_RUNTIME").map(PathBuf::from).into_iter().collect();
    if let Ok(program) = std::env::current_exe() {
        let directory = program.parent().unwrap_or(Path::new("/"));
        places.extend([directory.join("../lib/biarch"), directory.to_owned()]);
    }
    let found = places.iter().find(|place| place.join("libbiarch.so").exists());
    let Some(found) = found else {
        let tried: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
        bail!("no libbiarch.so, which bridges need, in {}: install biarch's runtime, or name its directory, BIARCH_RUNTIME=DIR", tried.join(", "));
    };
    found.canonicalize().with_context(|| found.display().to_string())
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
    let include = into.join("include");
    let mut files = headers(&include)?;
    let mut write = |path: PathBuf, text: &str| -> Result<PathBuf> {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path.clone());
        Ok(path)
    };
    let stem = stem(&library.soname).to_owned();
    let name = stem.strip_prefix("lib").unwrap_or(&stem).to_owned();
    let header = annotation.header.canonicalize()?;
    let header_name = header.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let source = write(into.join(format!("{name}.c")), &emit::source(&model, &library, annotation, &format!("{header:?}"), ""))?;
    let script = write(into.join(format!("{name}.map")), &emit::versions(&model))?;
    write(include.join(&header_name), &clean(&header)?)?;
    write(into.join(format!("{name}.py")), &python::module(&interface, &model, &library.soname))?;
    write(into.join(format!("{name}.rs")), &rust::module(&interface, &model, &name))?;
    let runtime = runtime()?;
    let shared = into.canonicalize()?;
    write(into.join(format!("{name}.pc")), &package(&name, &shared, &runtime, annotation))?;
    let made = into.join(&library.soname);
    let arguments = ["-shared".to_owned(), format!("-Wl,-soname,{}", library.soname), format!("-Wl,--version-script,{}", script.display())];
    compile(annotation, &source, &made, &include, &arguments)?;
    files.push(made.clone());
    let link = into.join(format!("{stem}.so"));
    if link != made {
        let _ = fs::remove_file(&link);
        symlink(&library.soname, &link).with_context(|| format!("cannot make {}", link.display()))?;
        files.push(link);
    }
    let left_out = |function: &model::Function| Some((function.name.clone(), function.call.as_ref().err()?.clone()));
    let skipped: Vec<_> = model.functions.iter().filter_map(left_out).collect();
    Ok(Built { library: made, files, functions: model.functions.len() - skipped.len(), skipped })
}

/// The header as C++ can include it.
fn clean(header: &Path) -> Result<String> {
    let text = fs::read(header).with_context(|| format!("cannot read {}", header.display()))?;
    let text = String::from_utf8_lossy(&text);
    if text.contains("extern \"C\"") {
        return Ok(text.into_owned());
    }
    // What it includes has its own opinion about C++.
    let last = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("#include")).map(|(at, _)| at + 1).last();
    let split: usize = text.split_inclusive('\n').take(last.unwrap_or(0)).map(str::len).sum();
    let (before, after) = text.split_at(split);
    let depth = |directive: &str| before.lines().filter(|line| line.trim_start().starts_with(directive)).count();
    let opening = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    let closing = "#ifdef __cplusplus\n}\n#endif\n";
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

fn package(name: &str, directory: &Path, runtime: &Path, annotation: &Annotation) -> String {
    let define: String = annotation.define.iter().map(|word| format!(" -D{word}")).collect();
    format!(
        "libdir={}\n\nName: {name}\nDescription: the 32-bit {name}, for 64-bit programs\nVersion: {}\n\
         Cflags: -I${{libdir}}/include{define}\nLibs: -L${{libdir}} -Wl,-rpath,${{libdir}} -Wl,-rpath-link,{} -l{name}\n",
        directory.display(),
        env!("CARGO_PKG_VERSION"),
        runtime.display(),
    )
}

/// Writes the runtime's headers.
pub(crate) fn headers(include: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(include).with_context(|| format!("cannot make {}", include.display()))?;
    let write = |(name, text): &(&str, &str)| {
        let path = include.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    HEADERS.iter().map(write).collect()
}

/// Compiles a bridge, and whatever `arguments` say.
pub(crate) fn compile(annotation: &Annotation, source: &Path, made: &Path, include: &Path, arguments: &[String]) -> Result<()> {
    let runtime = runtime()?;
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(&compiler);
    command.args(["-std=gnu11", "-O2", "-fPIC", "-Wl,-z,defs", "-I"]).arg(include);
    // `before` is in the source.
    command.args(annotation.include.iter().map(|directory| format!("-I{}", directory.display())));
    command.args(annotation.define.iter().map(|word| format!("-D{word}")));
    command.arg("-o").arg(made).arg(source);
    command.args(arguments).arg("-L").arg(&runtime).arg(format!("-Wl,-rpath,{}", runtime.display())).args(["-lbiarch", "-lpthread"]);
    let output = command.output().with_context(|| format!("cannot start the compiler `{compiler}`: apt-get install gcc libc6-dev"))?;
    ensure!(
        output.status.success(),
        "{compiler} cannot compile {}:\n{}",
        source.display(),
        String::from_utf8_lossy(&output.stderr).lines().take(20).collect::<Vec<_>>().join("\n")
    );
    Ok(())
}

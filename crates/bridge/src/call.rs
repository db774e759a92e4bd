//! One call of a function of a 32-bit library, from the shell.

use crate::annotation::{Annotation, Transport};
use crate::library::NATIVE;
use crate::model::{self, Function};
use crate::{build, emit, library, questions};
use anyhow::{Context, Result, bail, ensure};
use port::interface::{self, Shape, Type};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is called.
#[derive(Clone, Debug)]
pub struct Call {
    /// The library: a path, or a name.
    pub library: PathBuf,
    /// The function, as a header would declare it.
    pub declaration: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// How the library is reached.
    pub transport: Transport,
}

/// Two calls at a time have directories of their own.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A directory that is gone afterwards.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Call {
    /// Calls it; what it has returned, as text.
    ///
    /// # Errors
    /// Where the declaration cannot be understood, an argument is none, or the call fails.
    pub fn run(&self) -> Result<String> {
        let scratch = Scratch(std::env::temp_dir().join(format!(
            "biarch-call-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        )));
        fs::create_dir(&scratch.0).with_context(|| format!("cannot make {}", scratch.0.display()))?;
        let header = scratch.0.join("call.h");
        let declaration = self.declaration.trim().trim_end_matches(';');
        fs::write(&header, format!("#include <stddef.h>\n#include <stdint.h>\n{declaration};\n"))?;
        let library = library::read(&library::find(&self.library, None))?;
        ensure!(
            library.pair == NATIVE,
            "{} is for {}, whose programs this machine cannot run: `biarch bridge build` makes a bridge for those",
            library.path.display(),
            library.pair.sides[0].name
        );
        let interface = interface::read(&header, library.pair, &[])
            .with_context(|| format!("`{declaration}` is no declaration of a function, such as `int abs(int)`"))?;
        let library = library.with(&interface);
        let mut annotation = Annotation::new(header.clone(), library.path.clone());
        annotation.transport = self.transport;
        let asked = questions::ask(&interface, &library, annotation.clone(), [&header, &library.path]);
        if asked.open == 0 && asked.skipped == 0 {
            let path = scratch.0.join("call.toml");
            fs::write(&path, &asked.text)?;
            annotation = Annotation::read(&path)?;
        }
        let model = model::resolve(&interface, &library, &annotation);
        if let Some(refusal) = model.refusals.first() {
            bail!("{}: {}: for this there is `biarch bridge init`", self.declaration, refusal.why);
        }
        let [function] = model.functions.as_slice() else {
            bail!("`{declaration}` declares not one function, such as `int abs(int)`")
        };
        let main = self.main(function)?;
        let include = scratch.0.join("include");
        build::headers(&include, &build::HEADERS)?;
        build::write_runtime(&scratch.0, NATIVE)?;
        let source = scratch.0.join("call.c");
        let text = emit::source(&model, &library, &annotation, "\"call.h\"", "called_");
        fs::write(&source, format!("{text}\n#include <stdio.h>\n{main}"))?;
        let program = scratch.0.join("call");
        let quiet = ["-w".to_owned(), format!("-I{}", scratch.0.display())];
        build::compile(&annotation, NATIVE, &source, &program, &include, &quiet)?;
        run(&program)
    }

    fn main(&self, function: &Function) -> Result<String> {
        let signature = &function.signature;
        let (wanted, given) = (signature.parameters.len(), self.arguments.len());
        ensure!(!signature.is_variadic, "a variadic function is for `biarch bridge init`");
        ensure!(wanted == given, "{} takes {wanted} arguments, and {given} are given", function.name);
        let arguments = signature.parameters.iter().zip(&self.arguments).map(|(one, text)| literal(&one.of, text));
        let arguments: Vec<String> = arguments.collect::<Result<_>>()?;
        let called = format!("called_{}({})", function.name, arguments.join(", "));
        let result = &signature.result;
        let shown = match &result.shape {
            Shape::Void => format!("{called};"),
            Shape::Integer(true) => format!("printf(\"%lld\\n\", (long long){called});"),
            Shape::Integer(false) => format!("printf(\"%llu\\n\", (unsigned long long){called});"),
            Shape::Floating => {
                let digits = match result.sizes[1] {
                    4 => 9,
                    8 => 17,
                    _ => 21,
                };
                format!("printf(\"%.{digits}Lg\\n\", (long double){called});")
            }
            Shape::Pointer(inner) if is_text(inner) => {
                format!("const char *text = {called};\n\tif (text)\n\t\tputs(text);\n\telse\n\t\tputs(\"NULL\");")
            }
            Shape::Pointer(_) => format!("printf(\"%p\\n\", (void *){called});"),
            _ => bail!(
                "{} returns a `{}`, which cannot be shown: for this there is `biarch bridge init`",
                function.name,
                result.spelling
            ),
        };
        Ok(format!("int main(void)\n{{\n\t{shown}\n\treturn 0;\n}}\n"))
    }
}

fn is_text(of: &Type) -> bool {
    matches!(of.shape, Shape::Integer(_)) && of.sizes[1] == 1
}

/// An argument in C.
fn literal(of: &Type, text: &str) -> Result<String> {
    match &of.shape {
        Shape::Integer(signed) => {
            let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
            let magnitude = match digits.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            let magnitude = magnitude.with_context(|| format!("`{text}` is no whole number"))?;
            // What the bridge converts is checked there, but C would have cut it off before.
            let bits = of.sizes[1] * 8 - u64::from(*signed);
            let most = if bits < 64 { (1u64 << bits) - 1 } else { u64::MAX };
            let fits = if sign.is_empty() { magnitude <= most } else { *signed && magnitude <= most + 1 };
            ensure!(fits, "`{text}` is no `{}`", of.spelling);
            Ok(format!("{sign}{magnitude}u{}", if magnitude > u64::from(u32::MAX) || !sign.is_empty() { "ll" } else { "" }))
        }
        Shape::Floating => {
            let number: f64 = text.parse().with_context(|| format!("`{text}` is no number"))?;
            Ok(match number {
                number if number.is_nan() => "__builtin_nan(\"\")".to_owned(),
                number if number.is_infinite() => format!("{}__builtin_inf()", if number < 0.0 { "-" } else { "" }),
                _ if of.sizes[1] > 8
                    && text.bytes().all(|byte| b"0123456789.+-eE".contains(&byte))
                    && text.contains(['.', 'e', 'E']) =>
                {
                    format!("{text}L")
                }
                number => format!("{number:e}"),
            })
        }
        Shape::Pointer(_) if text == "NULL" => Ok("NULL".to_owned()),
        Shape::Pointer(inner) if is_text(inner) => Ok(emit::quoted(text)),
        _ => bail!("a `{}` cannot be given here, but NULL and strings: for this there is `biarch bridge init`", of.spelling),
    }
}

fn run(program: &Path) -> Result<String> {
    let output = Command::new(program).output().context("cannot start the program that calls")?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    match said.trim() {
        "" => bail!("the call failed: {}", output.status),
        said => bail!("{said}"),
    }
}

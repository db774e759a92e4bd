//! `verify-abi`: every structure row against the kernel's own headers, through C compilers for both word sizes.
//!
//! For each row and compiler one small C file of static assertions: size of the structure, offset and size of each field. A
//! compiler that is not installed is said so, and it is an error if none is left for a word size.

use abi::ioctl::{Argument, IOCTLS, Ioctl};
use abi::structs::{LAYOUTS, Layout};
use anyhow::{Context, Result, bail};
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

/// A C compiler, and for which word size.
struct Compiler {
    name: &'static str,
    flags: &'static [&'static str],
    bits: Bits,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bits {
    B32,
    B64,
}

/// The headers of the 32-bit cross compiler. The kernel's serve both word sizes, and Debian leaves those of graphics out of the others.
const CROSS: &str = "/usr/i686-linux-gnu/include";

const COMPILERS: &[Compiler] = &[
    Compiler { name: "i686-linux-gnu-gcc", flags: &[], bits: Bits::B32 },
    // Freestanding: no 32-bit libc is needed, and the x86 headers serve both word sizes.
    Compiler {
        name: "clang",
        flags: &[
            "--target=i686-linux-gnu",
            "-ffreestanding",
            "-isystem",
            "/usr/include/x86_64-linux-gnu",
            "-isystem",
            "/usr/include",
            "-idirafter",
            CROSS,
        ],
        bits: Bits::B32,
    },
    Compiler { name: "cc", flags: &["-idirafter", CROSS], bits: Bits::B64 },
];

/// Fields of rows that are several bit-fields in the header.
const BIT_FIELDS: &[(&str, &str)] = &[("snd_rawmidi_params", "flags"), ("user_desc", "flags")];

pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    if !arguments.is_empty() {
        bail!("verify-abi takes no arguments");
    }
    let rows: Vec<&Layout> = LAYOUTS.iter().copied().flatten().collect();
    let mut mismatches = 0;
    let mut checked = [0, 0];
    for compiler in COMPILERS {
        if !installed(compiler)? {
            writeln!(out, "{} is not installed", compiler.name)?;
            continue;
        }
        let mut compared = 0;
        for row in rows.iter().filter(|row| !c_type(row, compiler.bits).is_empty()) {
            let complaints = compile(compiler, &source(row, compiler.bits)).with_context(|| row.name.to_owned())?;
            // Only the first one about a type that the installed headers are too old for.
            if complaints.iter().any(|complaint| complaint.contains("incomplete")) {
                writeln!(out, "{}: {}'s headers do not declare {}", row.name, compiler.name, c_type(row, compiler.bits))?;
                continue;
            }
            compared += 1;
            for mismatch in complaints.iter().filter(|complaint| !complaint.contains("not an integer")) {
                mismatches += 1;
                writeln!(out, "{} ({}): {mismatch}", row.name, compiler.name)?;
            }
        }
        checked[compiler.bits as usize] += compared;
        writeln!(out, "{}: {compared} structures compared", compiler.name)?;

        let mut compared = 0;
        for row in suspicious_ioctls(compiler, &mut compared)? {
            let complaints = compile(compiler, &ioctl_source(&[row], compiler.bits)).with_context(|| row.name.to_owned())?;
            if complaints.iter().any(|complaint| complaint.contains("undeclared")) {
                writeln!(out, "{}: {}'s headers do not define {}", row.name, compiler.name, row.c)?;
                continue;
            }
            compared += 1;
            for mismatch in complaints.iter().filter(|complaint| !complaint.contains("not an integer")) {
                mismatches += 1;
                writeln!(out, "{} ({}): {mismatch}", row.name, compiler.name)?;
            }
        }
        writeln!(out, "{}: {compared} ioctls compared", compiler.name)?;
    }
    for row in rows.iter().filter(|row| row.c32.is_empty() && row.c64.is_empty()) {
        writeln!(out, "{}: no header declares it; its offsets are proven only against its row", row.name)?;
    }
    if checked.contains(&0) {
        bail!("a compiler is missing: apt install gcc gcc-i686-linux-gnu");
    }
    if mismatches != 0 {
        bail!("{mismatches} mismatches");
    }
    Ok(())
}

fn c_type(row: &Layout, bits: Bits) -> &'static str {
    match bits {
        Bits::B32 => row.c32,
        Bits::B64 => row.c64,
    }
}

fn installed(compiler: &Compiler) -> Result<bool> {
    match Command::new(compiler.name).arg("--version").stdout(Stdio::null()).status() {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The C file for one row. `header` may name several headers, separated by spaces.
fn source(row: &Layout, bits: Bits) -> String {
    let c_type = c_type(row, bits);
    let mut text = String::from("#include <stddef.h>\n");
    for header in row.header.split_whitespace() {
        text.push_str(&format!("#include <{header}>\n"));
    }
    let size = if bits == Bits::B32 { row.size32 } else { row.size64 };
    text.push_str(&format!("_Static_assert(sizeof({c_type}) == {size}, \"sizeof is not {size}\");\n"));
    // Padding has no name that the header and we share, and bit-fields have no offset.
    let comparable = |name: &str| !name.starts_with("__") && !BIT_FIELDS.contains(&(row.name, name));
    for field in row.fields.iter().filter(|field| comparable(field.name)) {
        // A field that is a keyword of Rust.
        let name = field.name.trim_start_matches("r#");
        let (offset, size) = match bits {
            Bits::B32 => (field.offset32, field.size32),
            Bits::B64 => (field.offset64, field.size64),
        };
        text.push_str(&format!(
            "_Static_assert(offsetof({c_type}, {name}) == {offset}, \"{name}: offset is not {offset}\");\n\
             _Static_assert(sizeof((({c_type} *)0)->{name}) == {size}, \"{name}: size is not {size}\");\n"
        ));
    }
    text
}

/// The rows that are worth a compilation of their own: those of every file of rows, and set of headers, that has a complaint
/// when compiled as a whole. Adds the others to `compared`.
fn suspicious_ioctls(compiler: &Compiler, compared: &mut usize) -> Result<Vec<&'static Ioctl>> {
    let rows: Vec<&Ioctl> = IOCTLS.iter().copied().flatten().filter(|row| !row.c.is_empty()).collect();
    let mut suspicious = Vec::new();
    for group in rows.chunk_by(|one, next| one.headers == next.headers) {
        if compile(compiler, &ioctl_source(group, compiler.bits))?.is_empty() {
            *compared += group.len();
        } else {
            suspicious.extend_from_slice(group);
        }
    }
    Ok(suspicious)
}

/// The C file for ioctls with the same headers: the number of each, and the size of what it points at where the row says so by
/// a C type.
fn ioctl_source(rows: &[&Ioctl], bits: Bits) -> String {
    let mut text = String::from("#include <stddef.h>\n");
    for header in rows.iter().take(1).flat_map(|row| row.headers) {
        text.push_str(&format!("#include <{header}>\n"));
    }
    for row in rows {
        let number = if bits == Bits::B32 { row.number32 } else { row.number64 };
        let c = row.c;
        text.push_str(&format!("_Static_assert((unsigned)({c}) == {number:#x}u, \"the number is not {number:#x}\");\n"));
        match row.argument {
            // Size 0: as long as the number says.
            Argument::Same { size, c, .. } if size != 0 => {
                text.push_str(&format!("_Static_assert(sizeof({c}) == {size}, \"sizeof({c}) is not {size}\");\n"));
            }
            _ => {}
        }
    }
    text
}

/// What the compiler complains about.
fn compile(compiler: &Compiler, source: &str) -> Result<Vec<String>> {
    let mut child = Command::new(compiler.name)
        .args(compiler.flags)
        .args(["-std=gnu11", "-fsyntax-only", "-x", "c", "-"])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    child.stdin.take().context("no standard input")?.write_all(source.as_bytes())?;
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<String> =
        text.lines().filter_map(|line| line.split_once("error: ")).map(|(_, what)| what.to_owned()).collect();
    if complaints.is_empty() && !output.status.success() {
        bail!("{} failed: {text}", compiler.name);
    }
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use super::{Bits, COMPILERS, compile, installed, source};
    use abi::structs::time;
    use abi::structs::{FieldLayout, Layout};

    #[test]
    fn a_wrong_row_is_found_by_name() {
        const FIELDS: &[FieldLayout] = &[
            FieldLayout { name: "tv_sec", offset32: 0, size32: 4, offset64: 0, size64: 8 },
            FieldLayout { name: "tv_nsec", offset32: 4, size32: 4, offset64: 4, size64: 8 },
        ];
        let wrong = Layout { fields: FIELDS, ..time::LAYOUTS[0] };
        let compiler = COMPILERS.iter().find(|compiler| compiler.bits == Bits::B64).expect("there is one");
        if !installed(compiler).expect("it can be asked") {
            return;
        }
        assert!(compile(compiler, &source(&time::LAYOUTS[0], Bits::B64)).expect("it runs").is_empty());
        let found = compile(compiler, &source(&wrong, Bits::B64)).expect("it runs");
        assert!(found.iter().any(|line| line.contains("tv_nsec: offset is not 4")), "{found:?}");
        assert_eq!(found.len(), 1);
    }
}

//! The Python package: a 32-bit library from its header, in the words of Python.
#![cfg(target_arch = "x86_64")]

use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

/// Says so where the test's output is not kept for a failure.
fn skipped(why: &str) -> Result<()> {
    Ok(writeln!(std::io::stderr(), "skipped: {why}")?)
}

/// Runs a script; the program is the one that the environment names, as for the other tests.
fn python(script: &str, cache: &str) -> Result<Option<Output>> {
    let Some(program) = std::env::var_os("BIARCH") else {
        skipped("BIARCH does not name the program")?;
        return Ok(None);
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/python");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python").join(cache);
    if cache.exists() {
        std::fs::remove_dir_all(&cache)?;
    }
    std::fs::create_dir_all(&cache)?;
    std::fs::write(cache.join("foo.h"), include_str!("python/foo.h"))?;
    std::fs::write(cache.join("foo.c"), include_str!("python/foo.c"))?;
    let mut compiler = Command::new("i686-linux-gnu-gcc");
    compiler.args(["-shared", "-fPIC", "-o", "libfoo.so", "foo.c"]).current_dir(&cache);
    let compiled = compiler.output().context("i686-linux-gnu-gcc")?;
    ensure!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut command = Command::new("python3");
    command.args(["-c", script]).current_dir(&cache).env("BIARCH", program);
    // What is installed elsewhere, as numpy, stays.
    let inherited = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let paths = std::env::join_paths(std::iter::once(package).chain(std::env::split_paths(&inherited)))?;
    command.env("PYTHONPATH", paths);
    Ok(Some(command.env("XDG_CACHE_HOME", &cache).env("PYTHONDONTWRITEBYTECODE", "1").output().context("python3")?))
}

fn prints(script: &str, cache: &str, expected: &str) -> Result<()> {
    let Some(output) = python(script, cache)? else { return Ok(()) };
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{errors}");
    let printed = String::from_utf8_lossy(&output.stdout);
    ensure!(printed == expected, "{printed}{errors}");
    Ok(())
}

#[test]
fn a_library_is_called_by_its_header_alone_and_built_once() -> Result<()> {
    let script = r#"
import biarch, os
for turn in range(2):
    foo = biarch.Library32(os.path.abspath("libfoo.so"), header="foo.h")
    print(foo.foo_name().decode(), foo.FOO_VERSION, foo.foo_add(40, 2), foo.foo_add(-3, 1))
    print(foo.foo_sum(foo.foo_point(5, 1 << 30)))
print(len(os.listdir("biarch/python")))
"#;
    let once = "a 32-bit library 3 42 -2\n1073741829\n";
    prints(script, "header", &format!("{once}{once}1\n"))
}

#[test]
fn structures_text_and_callbacks_have_the_names_of_the_header() -> Result<()> {
    let script = r#"
import biarch, os
foo = biarch.Library32(os.path.abspath("libfoo.so"), header="foo.h")
samples = (foo.foo_sample * 3)()
print(foo.foo_samples(samples, 3), [(one.when - (1 << 40), one.label) for one in samples])
seen = []
@foo.foo_each
def each(user, sample):
    seen.append((user, sample.contents.label))
    return len(seen)
print(foo.foo_visit(each, None), foo.foo_visit(each, 7), seen)
"#;
    let visited = "3 7 [(None, b'n0'), (None, b'n1'), (7, b'n0'), (7, b'n1')]";
    prints(script, "callbacks", &format!("3 [(0, b'n0'), (1, b'n1'), (2, b'n2')]\n{visited}\n"))
}

#[test]
fn what_does_not_fit_and_what_crashes_are_exceptions() -> Result<()> {
    let script = r#"
import biarch, os
foo = biarch.Library32(os.path.abspath("libfoo.so"), header="foo.h")
try:
    foo.foo_add(1 << 40, 1)
except biarch.Error as error:
    print(error.function, error.argument, "does not fit" in str(error))
print(foo.foo_add(1, 1), foo.foo_crash(0))
for turn in range(2):
    try:
        foo.foo_crash(1)
    except biarch.Error as error:
        print(error.function, "Segmentation fault at address 0x8, in foo_crash" in str(error))
"#;
    prints(script, "exceptions", "foo_add a True\n2 0\nfoo_crash True\nfoo_crash True\n")
}

#[test]
fn what_cannot_be_built_says_why() -> Result<()> {
    let script = r#"
import biarch
for words in (("libfoo.so", "no-such.h"), ("no-such.so", "foo.h")):
    try:
        biarch.Library32(words[0], header=words[1])
    except biarch.NotBuilt as error:
        print("no-such" in str(error))
"#;
    prints(script, "refused", "True\nTrue\n")
}

#[test]
fn arrays_of_numpy_in_memory_of_both_sides_are_not_copied() -> Result<()> {
    let numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        return skipped("no numpy (apt-get install python3-numpy)");
    }
    let script = r#"
import biarch, numpy, os
foo = biarch.Library32("libfoo.so", header="foo.h")
shared = foo.array(4)
shared[:] = [1, 2, 3, 4]
own = numpy.arange(3.0)
foo.foo_double(shared, 4)
foo.foo_double(own, 3)
print(shared.tolist(), own.tolist(), shared.ctypes.data < 1 << 32)
for wrong in (
    numpy.ones(3, "int64"), numpy.ones(3, "float32"), numpy.ones(3, ">f8"), numpy.ones((4, 4))[:, 1], numpy.frombuffer(b"x" * 24)
):
    before = wrong.tobytes()
    try:
        foo.foo_double(wrong, 3)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error).startswith("foo_double, values: "), before == wrong.tobytes())
"#;
    let refused = "TypeError True True\n".repeat(3) + &"ValueError True True\n".repeat(2);
    prints(script, "numpy", &format!("[2.0, 4.0, 6.0, 8.0] [0.0, 2.0, 4.0] True\n{refused}"))
}

#[test]
fn memory_that_the_library_writes_to_is_looked_at_first() -> Result<()> {
    let script = r#"
import array, biarch, os
foo = biarch.Library32("libfoo.so", header="foo.h")
own = array.array("d", [1, 2])
foo.foo_double(own, 2)
print(own.tolist())
for wrong in (array.array("f", [1, 2]), bytes(16), memoryview(bytes(16)), "text"):
    try:
        foo.foo_double(wrong, 2)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error).startswith("foo_double, values: "))
"#;
    prints(script, "memory", "[2.0, 4.0]\nTypeError True\nValueError True\nValueError True\nTypeError True\n")
}

#[test]
fn text_is_bytes_and_what_a_callback_raises_is_raised() -> Result<()> {
    let script = r#"
import biarch
foo = biarch.Library32("libfoo.so", header="foo.h")
print(foo.foo_title(0), foo.foo_title(1))
calls = []
@foo.foo_each
def each(user, sample):
    calls.append(user)
    raise KeyError(len(calls))
for turn in range(2):
    try:
        foo.foo_visit(each, None)
    except KeyError as error:
        print(error)
print(len(calls), foo.foo_add(1, 1))
"#;
    prints(script, "text", "None b'a title'\n1\n3\n4 2\n")
}

#[test]
fn what_the_annotation_says_is_not_said_otherwise() -> Result<()> {
    let script = r#"
import biarch
open("foo.toml", "w").write('header = "foo.h"\nlibrary = "libfoo.so"\n')
for library, words in (
    ("libfoo.so", {"transport": "process"}), ("libfoo.so", {"include": ["here"]}), ("libfoo.so", {"define": ["A=1"]}), ("libbar.so", {})
):
    try:
        biarch.Library32(library, annotation="foo.toml", **words)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error).split(": write ")[1].split(" = ")[0])
"#;
    let expected = "TypeError transport\nTypeError include\nTypeError define\nValueError library\n";
    prints(script, "said", expected)
}

#[test]
fn a_header_that_another_one_includes_counts() -> Result<()> {
    let script = r#"
import biarch, os
open("outer.h", "w").write('#include "foo.h"\n')
for turn in range(2):
    print(biarch.Library32("libfoo.so", header="outer.h").FOO_VERSION)
    text = open("foo.h").read()
    open("foo.h", "w").write(text.replace("FOO_VERSION = 3", "FOO_VERSION = 40"))
"#;
    prints(script, "included", "3\n40\n")
}

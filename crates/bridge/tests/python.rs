//! The Python package: a 32-bit library from its header, in the words of Python.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::{Command, Output};

/// Runs a script; the program is the one that the environment names, as for the other tests.
fn python(script: &str, cache: &str) -> Result<Option<Output>> {
    let Some(program) = std::env::var_os("BIARCH") else {
        println!("skipped: BIARCH does not name the program");
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
    command.args(["-c", script]).current_dir(&cache).env("BIARCH", program).env("PYTHONPATH", package);
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
        println!("skipped: no numpy (apt-get install python3-numpy)");
        return Ok(());
    }
    let script = r#"
import biarch, numpy, os
open("foo.toml", "w").write("""
header = "foo.h"
library = "libfoo.so"
[functions.foo_double.parameters.values]
pass = "inout"
length = "count"
""")
foo = biarch.Library32("libfoo.so", annotation="foo.toml")
shared = foo.array(4)
shared[:] = [1, 2, 3, 4]
own = numpy.arange(3.0)
foo.foo_double(shared, 4)
foo.foo_double(own, 3)
print(shared.tolist(), own.tolist(), shared.ctypes.data < 1 << 32)
"#;
    prints(script, "numpy", "[2.0, 4.0, 6.0, 8.0] [0.0, 2.0, 4.0] True\n")
}

//! `biarch port -- BUILD`: builds that are observed, as they are written: make with many jobs, absolute compilers, ccache's and
//! libtool's way to start them, scripts.
#![allow(missing_docs)]

use anyhow::{Context, Result, ensure};
use biarch_tests::under_test;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// One certain finding.
const BAD: &str = "extern int key(int);\nint f(char *p) { return key((int)p); }\n";

/// A directory, with a space in its name, with these files and `a b.c` and `c.c`.
fn tree(name: &str, files: &[(&str, &str)]) -> Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("observed").join(format!("the {name}"));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory)?;
    for (name, text) in [("a b.c", BAD), ("c.c", "int g(void) { return G; }\n")].iter().chain(files) {
        let path = directory.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(directory)
}

fn biarch(directory: &Path, words: &[&str], path: Option<&str>) -> Result<Output> {
    let mut command = Command::new(under_test::biarch()?);
    command.current_dir(directory).args(words).stdin(Stdio::null()).env("XDG_CACHE_HOME", directory.join("cache"));
    if let Some(first) = path {
        command.env("PATH", format!("{first}:{}", std::env::var("PATH")?));
    }
    Ok(command.output()?)
}

/// The rules and files of the findings, and the files of the list that was saved.
fn observed(directory: &Path, build: &[&str], path: Option<&str>) -> Result<(Vec<String>, Vec<String>)> {
    let words = [&["port", "--json", "--save", "list.json", "--"], build].concat();
    let output = biarch(directory, &words, path)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).with_context(|| said.clone())?;
    ensure!(output.status.code() == Some(1), "{said}");
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().context("findings")?;
    let list: Vec<Value> = serde_json::from_slice(&fs::read(directory.join("list.json"))?)?;
    let file = |entry: &Value| Path::new(&text(entry, "file")).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files: Vec<String> = list.iter().map(file).collect();
    files.sort();
    Ok((findings.iter().map(|of| format!("{} {}", text(of, "rule"), text(of, "target"))).collect(), files))
}

fn both() -> (Vec<String>, Vec<String>) {
    (vec!["P001 a b.c".to_owned()], vec!["a b.c".to_owned(), "c.c".to_owned()])
}

const MAKEFILE: &str =
    "all: a.o c.o\na.o:\n\t$(CC) -c 'a b.c' -o a.o\nc.o:\n\t$(CC) -DG=1 -c c.c -o c.o\nclean:\n\trm -f a.o c.o\n";

#[test]
fn a_makefile_is_observed_with_many_jobs() -> Result<()> {
    let directory = tree("makefile", &[("Makefile", MAKEFILE)])?;
    ensure!(observed(&directory, &["make", "-j4"], None)? == both());
    ensure!(directory.join("a.o").exists() && directory.join("c.o").exists(), "the compiler was called");
    let again = biarch(&directory, &["port", "list.json"], None)?;
    ensure!(again.status.code() == Some(1), "what was saved is a list: {}", String::from_utf8_lossy(&again.stderr));
    let nothing = biarch(&directory, &["port", "--", "make"], None)?;
    let said = String::from_utf8_lossy(&nothing.stderr).into_owned();
    ensure!(nothing.status.code() == Some(2) && said.contains("make clean"), "{said}");
    Ok(())
}

#[test]
fn a_compiler_named_by_its_path_is_observed() -> Result<()> {
    // One that is nowhere on PATH, in a directory with a space.
    let directory = tree("path", &[("Makefile", MAKEFILE), ("my-gcc", "#!/bin/sh\nexec gcc \"$@\"\n")])?;
    let compiler = directory.join("my-gcc");
    // make itself gives the shell words that are split at spaces.
    let link = Path::new("/tmp").join(format!("biarch-observed-{}-gcc", std::process::id()));
    std::os::unix::fs::symlink(&compiler, &link)?;
    let found = observed(&directory, &["make", &format!("CC={}", link.display())], None);
    fs::remove_file(&link)?;
    ensure!(found? == both());
    Ok(())
}

#[test]
fn a_launcher_before_the_compiler_and_one_in_its_place_are_observed_once() -> Result<()> {
    // What ccache does: look for the compiler on PATH, but not in its own directory.
    let ccache = "#!/bin/sh\nname=${0##*/}\n[ $name != ccache ] || { name=$1; shift; }\nfor d in $(echo $PATH | tr : ' '); do\n\
                  [ -x $d/$name ] && ! grep -q 'What ccache' $d/$name && exec $d/$name \"$@\"\ndone # What ccache does\nexit 9\n";
    let directory = tree("launcher", &[("Makefile", MAKEFILE)])?;
    let launchers = Path::new("/tmp").join(format!("biarch-observed-{}", std::process::id()));
    fs::create_dir_all(&launchers)?;
    for name in ["gcc", "ccache"] {
        fs::write(launchers.join(name), ccache)?;
        fs::set_permissions(launchers.join(name), fs::Permissions::from_mode(0o755))?;
    }
    let first = launchers.to_str().context("a path")?;
    let before = observed(&directory, &["make", "CC=ccache gcc"], Some(first));
    let cleaned = Command::new("make").arg("clean").current_dir(&directory).output();
    let instead = observed(&directory, &["make", "CC=gcc"], Some(first));
    fs::remove_dir_all(&launchers)?;
    ensure!(cleaned?.status.success() && before? == both() && instead? == both());
    Ok(())
}

#[test]
fn the_compiler_gets_its_input_and_its_status_and_output_are_its_own() -> Result<()> {
    let script = "echo 'int x = 1;' | gcc -x c -E - > out || exit 9\ngrep -q 'int x = 1' out || exit 8\n\
                  gcc -c none.c 2>err; [ $? = 1 ] || exit 7\ngrep -q none.c err || exit 6\n[ \"$(gcc -dumpversion 2>&1)\" = \"$(/usr/bin/gcc -dumpversion)\" ] || exit 5\n\
                  printf '%s\\n' -DG=2 > words\ngcc @words -c c.c -o c.o || exit 4\nrm words\ncc -c 'a b.c' -o a.o\n";
    let directory = tree("script", &[("build", script)])?;
    ensure!(observed(&directory, &["sh", "build"], None)? == both());
    let list = fs::read_to_string(directory.join("list.json"))?;
    ensure!(list.contains("-DG=2"), "a response file that is gone is in the list: {list}");
    Ok(())
}

#[test]
fn a_build_that_fails_is_analysed_as_far_as_it_came() -> Result<()> {
    let directory = tree("failure", &[("build", "gcc -c 'a b.c' -o a.o\nexit 3\n")])?;
    let output = biarch(&directory, &["port", "--", "sh", "build"], None)?;
    let text = String::from_utf8(output.stdout)?;
    ensure!(output.status.code() == Some(1), "{text}");
    ensure!(text.contains("P001") && text.contains("it ended with status 3"), "{text}");
    let output = biarch(&directory, &["port", "--", "no-such-command"], None)?;
    ensure!(output.status.code() == Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

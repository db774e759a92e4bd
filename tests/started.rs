//! What a program that is started under biarch may find itself in: a parent that is a 32-bit program of the kernel's, memory that may not
//! become executable, no descriptor left.
#![allow(missing_docs, clippy::print_stdout, reason = "a test")]

use anyhow::{Result, ensure};
use biarch_tests::{machine, under_test};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program with a thread-local variable, and a handler that a signal arrives at.
const PROGRAM: &str = "#include <signal.h>
#include <stdio.h>
static _Thread_local volatile int local = 42;
static void on(int signal) { local += signal; }
int main(int count, char **words) {
    signal(SIGUSR1, on);
    raise(SIGUSR1);
    return printf(\"%d\\n\", local) == 3 ? 0 : 1;
}
";

fn scratch(name: &str) -> Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("started").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory)?;
    Ok(directory)
}

fn prints_52(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && output.stdout == b"52\n", "{command:?}: {}: {said}", output.status);
    Ok(())
}

/// The processor's GDT has the parent's thread-local areas until the next change of tasks.
#[test]
fn a_parent_that_is_a_native_32_bit_program_leaves_no_thread_local_area() -> Result<()> {
    let directory = scratch("parent")?;
    let Some(program) = under_test::compile_32(&directory, "program", PROGRAM, &["-static"])? else {
        println!("skipped: no i686-linux-gnu-gcc");
        return Ok(());
    };
    if !machine::has_ia32(&directory)? {
        println!("skipped: the kernel runs no 32-bit program");
        return Ok(());
    }
    let source = "#include <unistd.h>\nint main(int count, char **words) { execv(words[1], words + 1); return 127; }\n";
    let Some(parent) = under_test::compile_32(&directory, "parent", source, &["-static"])? else { return Ok(()) };
    let biarch = under_test::biarch()?;
    for _ in 0..50 {
        prints_52(Command::new(&parent).arg(&biarch).arg("run").arg(&program))?;
    }
    Ok(())
}

/// prctl(2), `PR_SET_MDWE`: as of services with `MemoryDenyWriteExecute=yes`.
#[test]
fn where_memory_may_not_become_executable_every_entry_and_vdso_works() -> Result<()> {
    let directory = scratch("mdwe")?;
    let Some(program) = under_test::compile_32(&directory, "program", PROGRAM, &["-static"])? else {
        println!("skipped: no i686-linux-gnu-gcc");
        return Ok(());
    };
    let source = "#include <sys/prctl.h>\n#include <unistd.h>\n\
                  int main(int count, char **words) { if (prctl(65, 1, 0, 0, 0)) return 77; execv(words[1], words + 1); return 127; }\n";
    let (text, parent) = (directory.join("parent.c"), directory.join("parent"));
    fs::write(&text, source)?;
    ensure!(Command::new("cc").arg("-o").arg(&parent).arg(&text).status()?.success(), "the parent does not compile");
    if Command::new(&parent).arg("true").status()?.code() == Some(77) {
        println!("skipped: the kernel has no PR_SET_MDWE");
        return Ok(());
    }
    let biarch = under_test::biarch()?;
    for vdso in ["kernel", "own", "none"] {
        for entry in ["patched", "stub", "trap"] {
            let mut command = Command::new(&parent);
            command.arg(&biarch).args(["run", "--vdso", vdso, "--entry", entry]).arg(&program);
            let output = command.output()?;
            // A kernel without 32-bit support has no 32-bit vDSO to give.
            if vdso == "kernel" && String::from_utf8_lossy(&output.stderr).contains("vDSO") {
                continue;
            }
            prints_52(&mut command)?;
        }
    }
    Ok(())
}

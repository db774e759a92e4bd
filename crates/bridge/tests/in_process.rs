//! The transport `in-process`: a 64-bit program and a 32-bit library in one process, and what each does to the other.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Directory with the library, the program and the runtime, made once.
fn directory() -> Result<&'static Path> {
    static DIRECTORY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    DIRECTORY.get_or_init(|| build().map_err(|error| format!("{error:#}"))).as_deref().map_err(|error| anyhow::anyhow!("{error}"))
}

fn build() -> Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in_process");
    std::fs::create_dir_all(&directory)?;
    for (name, contents) in bridge::runtime::files(bridge::library::NATIVE) {
        std::fs::write(directory.join(name), contents)?;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/in_process");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
    let library = ["-O1", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread", "-o"];
    compile("i686-linux-gnu-gcc", &library, &directory.join("library.so"), &[&sources.join("library.c")])?;
    let include = format!("-I{}", include.display());
    let program = ["-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-Wl,-rpath,$ORIGIN", &include, "-o"];
    let runtime = directory.join("libbiarch.so.0");
    compile("cc", &program, &directory.join("program"), &[&sources.join("program.c"), &runtime])?;
    let fixed = ["-no-pie", "-O1", "-pthread", "-Wl,-rpath,$ORIGIN", &include, "-o"];
    compile("cc", &fixed, &directory.join("program-at-fixed-addresses"), &[&sources.join("program.c"), &runtime])?;
    Ok(directory)
}

fn compile(compiler: &str, words: &[&str], to: &Path, files: &[&Path]) -> Result<()> {
    let output = Command::new(compiler).args(words).arg(to).args(files).output().with_context(|| compiler.to_owned())?;
    ensure!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

fn started(program: &str, case: &str, variables: &[(&str, &str)]) -> Result<Output> {
    let directory = directory()?;
    let mut command = Command::new("timeout");
    command.args(["-s", "KILL", "300"]).arg(directory.join(program)).arg(directory.join("library.so")).arg(case);
    Ok(command.envs(variables.iter().copied()).output()?)
}

/// What the program prints in a case that ends well; the same where the kernel kills it at the first 32-bit system call.
fn printed(case: &str) -> Result<String> {
    let mut printed = [String::new(), String::new()];
    for (printed, variables) in printed.iter_mut().zip([&[][..], &[("FORBIDDEN", "")]]) {
        let output = started("program", case, variables)?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && errors.is_empty(), "{case}, {variables:?}: {}: {errors}", output.status);
        *printed = String::from_utf8(output.stdout)?;
    }
    let [free, forbidden] = printed;
    let same = |text: &str| text.lines().map(|line| line.split(": ").next().unwrap_or_default().to_owned()).collect::<Vec<_>>();
    ensure!(same(&free) == same(&forbidden), "{case}: {free}; without 32-bit system calls: {forbidden}");
    Ok(free)
}

fn prints(case: &str, expected: &str) -> Result<()> {
    let printed = printed(case)?;
    let rest = printed.replace("unloaded\n", "");
    ensure!(rest == expected && printed.matches("unloaded\n").count() == 1, "{case}: {printed}");
    Ok(())
}

/// What the program prints in a case in which the library ends: the error, once for the call and once for each later one.
fn says(case: &str, status: u32, parts: &[&str]) -> Result<()> {
    let printed = printed(case)?;
    for line in printed.lines().filter(|line| *line != "unloaded") {
        ensure!(line.starts_with(&format!("{status}: ")), "{case}: {line}");
        for part in parts {
            ensure!(line.contains(part), "{case}: no {part} in {line}");
        }
    }
    ensure!(printed.contains(": the "), "{case}: {printed}");
    Ok(())
}

#[test]
fn numbers_of_every_kind_go_in_and_come_back() -> Result<()> {
    prints("calls", "-1 1\n45150\n3298534883328\n2.5\nENOTTY\n")
}

#[test]
fn calls_nest_in_both_directions() -> Result<()> {
    prints("nested", "200\n")
}

#[test]
fn a_callback_may_leave_the_library_by_longjmp_any_number_of_times() -> Result<()> {
    prints("jumps", "200000 11\n")
}

#[test]
fn each_thread_of_the_program_is_one_of_the_librarys_with_its_own_storage_and_its_end() -> Result<()> {
    prints("threads", "0 wrong, 8 locked, 8 ended\n20 made\n")
}

#[test]
#[ignore = "takes minutes: make test-full"]
fn eight_threads_make_a_million_calls_each() -> Result<()> {
    let output = started("program", "threads", &[("CALLS", "1000000")])?;
    ensure!(output.stdout.starts_with(b"0 wrong, 8 locked, 8 ended\n20 made\n"), "{output:?}");
    Ok(())
}

#[test]
fn a_thread_that_the_library_makes_may_call_the_program() -> Result<()> {
    prints("thread_of_the_library", "42\n")
}

#[test]
fn a_thread_that_has_blocked_all_signals_may_call() -> Result<()> {
    prints("blocked", "21\n")
}

#[test]
fn the_programs_signals_find_the_library_and_disturb_it_not() -> Result<()> {
    prints("interrupted", "0 wrong\n")
}

#[test]
fn a_handler_of_the_librarys_is_called_wherever_the_signal_arrives_and_gives_way_to_the_programs() -> Result<()> {
    let expected = "in the program's code: library 1, program 0\nin the library's: 2\nafterwards: library 2, program 1\n";
    prints("handlers", expected)
}

#[test]
fn a_fault_goes_to_whoever_has_made_it() -> Result<()> {
    prints("faults", "the library's: 0\nthe program's\n2\n")
}

#[test]
fn both_sides_may_fork_and_the_children_go_on() -> Result<()> {
    let printed = printed("processes")?;
    ensure!(printed.replace("unloaded\n", "") == "7 42 3\n42\n", "{printed}");
    Ok(())
}

/// As the kernel executes them: where it has no support for 32-bit programs, not at all.
#[test]
fn the_library_may_execute_32_bit_programs() -> Result<()> {
    let directory = directory()?;
    let (source, program) = (directory.join("executed.c"), directory.join("executed"));
    std::fs::write(&source, "int main(void) { return sizeof(void *) * 10; }")?;
    compile("i686-linux-gnu-gcc", &["-static", "-o"], &program, &[&source])?;
    if !Command::new(&program).status().is_ok_and(|status| status.code() == Some(40)) {
        println!("skipped: this kernel does not execute 32-bit programs");
        return Ok(());
    }
    let output = started("program", "executes", &[("PROGRAM", program.to_str().context("text")?)])?;
    ensure!(output.stdout.starts_with(b"40\n"), "{output:?}");
    Ok(())
}

#[test]
fn at_the_end_of_the_program_the_library_writes_its_buffers_and_runs_its_handlers() -> Result<()> {
    let printed = printed("program_ends")?;
    ensure!(printed == "text in the library's buffer, exit handler of the library\nunloaded\n", "{printed}");
    Ok(())
}

#[test]
fn a_library_that_is_closed_is_unloaded_and_others_go_on() -> Result<()> {
    let printed = printed("unloads")?;
    ensure!(printed == "unloaded\nafter it\n1\n", "{printed}");
    Ok(())
}

#[test]
fn memory_of_both_sides_is_seen_by_both_and_no_other_is_touched() -> Result<()> {
    prints("memory", "77 1\n5 5\n")
}

#[test]
fn exit_in_the_library_is_an_error_of_the_call_and_not_the_end_of_the_program() -> Result<()> {
    says("quits", 4, &["has called exit(3)"])
}

#[test]
fn a_crash_names_the_functions_that_led_to_it() -> Result<()> {
    says("crashes", 3, &["Segmentation fault at address 0x8, in write_to", "crash", "library.so"])?;
    says("divides", 3, &["Floating point exception", "divide"])?;
    says("gives_up", 3, &["abort(3)", "give_up"])
}

#[test]
fn a_crash_on_another_thread_ends_the_calls_that_wait_for_it() -> Result<()> {
    says("crashes_on_a_thread", 3, &["Segmentation fault", "write_to", "crash_thread"])
}

#[test]
fn a_crash_on_another_thread_ends_a_system_call_that_waits() -> Result<()> {
    says("crashes_while_it_waits", 3, &["Segmentation fault", "write_to", "crash"])
}

#[test]
fn a_handler_of_the_librarys_is_called_on_the_way_to_the_kernel_and_back() -> Result<()> {
    prints("handles_while_it_waits", "42, 3 times\n")?;
    prints("storm", "0 and 0 wrong, seen 1\n")
}

#[test]
fn a_stack_that_is_full_is_an_error_of_the_call() -> Result<()> {
    says("overflows", 3, &["Segmentation fault", "in recurse", "called from recurse"])?;
    says("overflows_on_a_thread", 3, &["Segmentation fault", "in recurse"])
}

#[test]
fn a_program_at_fixed_addresses_below_4_gib_keeps_them() -> Result<()> {
    let output = started("program-at-fixed-addresses", "threads", &[])?;
    ensure!(output.stdout.starts_with(b"0 wrong, 8 locked, 8 ended\n20 made\n"), "{output:?}");
    Ok(())
}

#[test]
fn a_missing_sysroot_is_named() -> Result<()> {
    let directory = directory()?.join("no-such-sysroot");
    let output = started("program", "crashes", &[("SYSROOT", directory.to_str().context("text")?)])?;
    let printed = String::from_utf8_lossy(&output.stdout);
    ensure!(printed.starts_with("1: ") && printed.contains("no-such-sysroot"), "{printed}");
    Ok(())
}

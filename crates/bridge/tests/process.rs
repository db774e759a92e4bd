//! Programs by hand on the transport `process`: what a call, a callback, a thread, a fork and a fault of each side lead to.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "what is skipped is to be seen")]

use bridge::library::NATIVE;
use port::pair::Pair;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs};

fn write(pair: Pair, directory: &Path) {
    for (name, contents) in bridge::runtime::files(pair) {
        fs::write(directory.join(name), contents).unwrap();
        fs::set_permissions(directory.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// The runtime, the 32-bit library and the program, built once.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("process");
        drop(fs::remove_dir_all(&directory));
        fs::create_dir_all(&directory).unwrap();
        write(NATIVE, &directory);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/process");
        succeeds(
            Command::new("i686-linux-gnu-gcc")
                .args(["-O1", "-fno-optimize-sibling-calls", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"])
                .args([directory.join("libfixture.so"), sources.join("library.c")]),
        );
        succeeds(
            Command::new("cc")
                .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-Wl,-rpath,$ORIGIN", "-I"])
                .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime"))
                .args([Path::new("-o"), &directory.join("driver"), &sources.join("driver.c"), &directory.join("libbiarch.so.0")])
                .arg("-lm"),
        );
        directory
    })
}

/// Nothing may take longer, however busy the machine is: what hangs is a failure.
const LIMIT: &str = "300";

fn driver(case: &[&str]) -> Command {
    with_server(&built().join(server()), case)
}

fn with_server(server: &Path, case: &[&str]) -> Command {
    let directory = built();
    let mut command = Command::new("timeout");
    command.args([LIMIT.as_ref(), directory.join("driver").as_os_str(), server.as_os_str()]);
    command.arg(directory.join("libfixture.so")).args(case);
    command
}

fn server() -> &'static str {
    bridge::runtime::files(NATIVE)[1].0
}

fn passes(case: &[&str]) -> String {
    succeeds(&mut driver(case))
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// More where the long tests were asked for.
fn full(quick: &'static str, full: &'static str) -> &'static str {
    if env::var_os("BIARCH_TEST_FULL").is_some() { full } else { quick }
}

macro_rules! cases {
    ($($test:ident: $case:expr;)*) => { $(#[test] fn $test() { passes(&$case); })* };
}
cases! {
    every_kind_of_argument_and_result: ["results"];
    debians_libm_gives_what_our_own_gives: ["libm"];
    debians_libz_packs_a_megabyte_and_unpacks_it: ["libz"];
    qsort_compares_by_a_callback_into_the_program: ["sort"];
    a_callback_that_was_dropped_is_an_error_with_the_functions_name: ["dropped"];
    calls_and_callbacks_nest_both_ways: ["reentry"];
    longjmp_out_of_callbacks_leaves_nothing_behind: ["longjmp"];
    threads_of_the_librarys_own_call_back: ["library_threads"];
    eight_threads_call_at_once: ["threads", full("5000", "1000000")];
    a_thread_that_ends_takes_its_other_half_with_it: ["thread_ends"];
    a_crash_is_reported_with_a_backtrace_and_is_final: ["crash"];
    exit_and_abort_end_the_library_and_not_the_program: ["ends"];
    after_a_restart_everything_is_where_it_was: ["restart"];
    a_library_that_hangs_holds_up_one_thread: ["hangs"];
    what_the_library_writes_beyond_a_buffer_is_noticed: ["overruns"];
    a_server_killed_at_any_instant_loses_no_call_silently: ["killed", full("100", "1000")];
    the_child_of_a_fork_is_told_that_the_server_is_its_parents: ["forks"];
    what_does_not_start_says_why: ["failures"];
    the_librarys_memory_is_read_and_written_with_and_without_the_kernel: ["moved"];
    shared_memory_is_given_once_at_a_time: ["allocations"];
    handles_are_found_both_ways_and_do_not_come_again: ["handles"];
    a_server_may_run_wherever_it_could_before_calls: ["processors"];
}

#[test]
fn the_end_of_the_program_is_the_end_of_the_library() {
    let note = built().join("note");
    passes(&["at_exit", note.to_str().unwrap()]);
    assert!(note.exists(), "its destructor has not run");
}

#[test]
fn what_is_preloaded_into_the_program_is_not_into_the_server() {
    let output = driver(&["results"]).env("LD_PRELOAD", built().join("libbiarch.so.0")).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_callback_may_exit_though_another_thread_is_in_the_library() {
    let output = driver(&["exit_in_callback"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_client_that_is_killed_takes_the_server_with_it() {
    let mut client = driver(&["wait_for_death"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(client.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let server = PathBuf::from(format!("/proc/{}", line.trim()));
    assert!(server.exists());
    // `timeout` is its parent, and passes this on.
    // The shell's own: kill(1) is in a package that a small system does not have.
    assert!(Command::new("sh").arg("-c").arg(format!("kill {}", client.id())).status().unwrap().success());
    let status = client.wait().unwrap();
    assert!(status.code() == Some(124) || status.signal().is_some() || status.code() == Some(143), "{status}");
    let start = Instant::now();
    while server.exists() {
        assert!(start.elapsed() < Duration::from_secs(30), "the server is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_sysroots_loader_and_libraries_are_used() {
    let root = built().join("root");
    let libraries = root.join("lib/i386-linux-gnu");
    fs::create_dir_all(&libraries).unwrap();
    let loader = root.join("lib/ld-linux.so.2");
    fs::copy("/lib/ld-linux.so.2", &loader).unwrap();
    for name in ["libc.so.6", "libz.so.1"] {
        symlink(Path::new("/lib/i386-linux-gnu").join(name), libraries.join(name)).unwrap();
    }
    assert_eq!(passes(&["sysroot", root.to_str().unwrap()]).trim(), loader.to_str().unwrap());
}

#[test]
fn the_server_runs_with_the_c_library_of_an_old_sysroot() {
    let text = String::from_utf8_lossy(bridge::runtime::files(NATIVE)[1].1).into_owned();
    let newest = text
        .match_indices("GLIBC_2.")
        .filter_map(|(at, name)| {
            let minor = &text[at + name.len()..];
            minor[..minor.find(|c: char| !c.is_ascii_digit())?].parse::<u32>().ok()
        })
        .max();
    assert!(newest.is_some_and(|minor| minor <= 12), "it needs glibc 2.{newest:?}");
}

/// The kernel says ENOEXEC where it does not run 32-bit programs, as it does of a file that is none.
#[test]
fn where_the_kernel_runs_no_32_bit_programs_biarch_does() {
    let directory = built().join("run");
    fs::create_dir_all(&directory).unwrap();
    let server_that_is_none = directory.join("server");
    script(&server_that_is_none, "no program");
    let biarch = directory.join("biarch");
    let text = format!(
        "#!/bin/sh\n[ \"$1 $2\" = \"run {}\" ] && exec {} \"$3\"\n",
        server_that_is_none.display(),
        built().join(server()).display()
    );
    script(&biarch, &text);
    succeeds(with_server(&server_that_is_none, &["results"]).env("BIARCH", &biarch));
    let path = format!("/usr/bin:/bin:{}", directory.display());
    succeeds(with_server(&server_that_is_none, &["results"]).env_remove("BIARCH").env("PATH", path));
    let output =
        with_server(&server_that_is_none, &["results"]).env_remove("BIARCH").env("PATH", "/usr/bin:/bin").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("set BIARCH"), "{output:?}");
}

/// With the biarch that is under test, if one is (`tests/run` says so).
#[test]
fn a_server_under_biarch_run_does_the_same() {
    let Some(biarch) = env::var_os("BIARCH") else {
        println!("skipped: BIARCH does not name the program");
        return;
    };
    let wrapper = built().join("server-under-run");
    script(
        &wrapper,
        &format!("#!/bin/sh\nexec {} run {} \"$@\"\n", Path::new(&biarch).display(), built().join(server()).display()),
    );
    for case in [
        "results",
        "libm",
        "sort",
        "reentry",
        "longjmp",
        "library_threads",
        "thread_ends",
        "crash",
        "ends",
        "restart",
        "hangs",
        "moved",
    ] {
        succeeds(&mut with_server(&wrapper, &[case]));
    }
    succeeds(&mut with_server(&wrapper, &["threads", "1000"]));
    succeeds(&mut with_server(&wrapper, &["killed", "20"]));
}

/// The client for AArch64 and the server for ARM, each in an emulator of its own: they share memory as other processes do.
#[test]
#[ignore = "takes minutes: make test-full"]
fn an_aarch64_program_calls_an_arm_library() {
    let directory = built().join("aarch64");
    fs::create_dir_all(&directory).unwrap();
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    write(bridge::library::ARM, &directory);
    for (compiler, arguments) in [
        ("aarch64-linux-gnu-gcc", "tests/process/driver.c libbiarch.so.0 -lm -Wl,-rpath,$ORIGIN -o driver"),
        (
            "arm-linux-gnueabihf-gcc",
            "-O1 -funwind-tables -fno-optimize-sibling-calls -shared -fPIC tests/process/library.c -o libfixture.so",
        ),
    ] {
        let mut command = Command::new(compiler);
        command
            .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-I"])
            .arg(package.join("runtime"))
            .current_dir(&directory);
        let words = arguments.split_whitespace();
        succeeds(command.args(words.map(|word| if word.contains('/') { package.join(word) } else { PathBuf::from(word) })));
    }
    let wrapper = directory.join("server");
    let server = directory.join("biarch-server-armhf");
    script(&wrapper, &format!("#!/bin/sh\nexec qemu-arm-static -L /usr/arm-linux-gnueabihf {} \"$@\"\n", server.display()));
    for case in [
        "results",
        "sort",
        "dropped",
        "reentry",
        "longjmp",
        "library_threads",
        "thread_ends",
        "crash",
        "ends",
        "restart",
        "hangs",
        "overruns",
        "allocations",
        "handles",
    ] {
        let mut command = Command::new("timeout");
        // libc6:arm64, where it is installed, would come before the cross root: the loader's own cache names it.
        command.args(["--kill-after=5", LIMIT, "qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]);
        command.args(["-E", "LD_LIBRARY_PATH=/usr/aarch64-linux-gnu/lib"]).arg(directory.join("driver"));
        succeeds(command.arg(&wrapper).arg(directory.join("libfixture.so")).arg(case));
    }
}

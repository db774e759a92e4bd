//! `biarch core`: programs that crash natively and under biarch, and what gdb says of both core dumps: the same threads with the same
//! backtraces, the same signal, the same registers where they are known.
#![allow(clippy::print_stderr, reason = "a test runner talks to a person")]

use anyhow::{Context, Result, bail, ensure};
use biarch_tests::process::Scratch;
use biarch_tests::under_test;
use libtest_mimic::{Arguments, Failed, Trial};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// What all programs begin with.
const HEAD: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define FAR __attribute__((noinline, noipa))
"#;

/// A fault in code that has set all registers before.
const FAULT: &str = r#"
FAR static void fault(void) {
    __asm__ volatile("fld1\n fldpi\n movl $0x11223344, %%eax\n movd %%eax, %%xmm3\n pshufd $0, %%xmm3, %%xmm3\n"
        "movl $1, %%eax\n movl $2, %%ebx\n movl $3, %%ecx\n movl $4, %%edx\n movl $5, %%esi\n movl $6, %%edi\n stc\n"
        ".globl instruction\n instruction: movl %%eax, 0x123" : : : "eax", "ebx", "ecx", "edx", "esi", "edi", "memory");
}
FAR static void outer(void) { fault(); __asm__(""); }
int main(void) { outer(); return 0; }
"#;

/// abort(3) or a fault in one thread while others wait, each in another call.
const ABORT: &str = r#"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipes[2];
static volatile int spinning = 1, faults;
FAR static void *reader(void *of) { char byte; read(pipes[0], &byte, 1); return of; }
FAR static void *locker(void *of) { pthread_mutex_lock(&lock); return of; }
FAR static void *sleeper(void *of) { sigset_t set; sigemptyset(&set); sigsuspend(&set); return of; }
FAR static void *spinner(void *of) { while (spinning) ; return of; }
FAR static void *aborter(void *of) { usleep(300000); if (faults) *(volatile int *)8 = 1; abort(); return of; }
int main(int count, char **arguments) {
    void *(*all[])(void *) = { reader, locker, sleeper, spinner, aborter };
    pthread_t thread;
    faults = count > 1;
    pipe(pipes);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 5; i++) pthread_create(&thread, 0, all[i], 0);
    pthread_join(thread, 0);
    return 0;
}
"#;

/// A stack that is full.
const OVERFLOW: &str = r#"
FAR static int deeper(int depth) { volatile char page[4096]; page[0] = depth; return deeper(depth + 1) + page[0]; }
int main(void) { return deeper(0); }
"#;

/// A fault in a handler, on an alternate stack, of a signal that came in the midst of something.
const HANDLER: &str = r#"
static int which;
FAR static void crash(void) { *(volatile int *)8 = 1; }
FAR static void handler(int number, siginfo_t *info, void *context) { crash(); __asm__(""); }
FAR static void busy(void) { if (which) raise(SIGUSR1); else __asm__ volatile("ud2"); __asm__(""); }
int main(int count, char **arguments) {
    static char memory[65536];
    stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory };
    struct sigaction action = { .sa_flags = SA_ONSTACK | (count > 1 ? SA_SIGINFO : 0) };
    action.sa_sigaction = handler;
    which = count > 2;
    sigaltstack(&stack, 0);
    sigaction(SIGILL, &action, 0);
    sigaction(SIGUSR1, &action, 0);
    busy();
    return 0;
}
"#;

/// read(2), for signals that are sent meanwhile.
const WAITS: &str = r#"
FAR static void waits(void) { char byte; read(0, &byte, 1); __asm__(""); }
int main(void) { waits(); return 0; }
"#;

/// What is not in the kernel's core dump of a program that dies in 32-bit code.
const KNOWN_DOUBT: &str = "esi and edi of thread";

/// One crash.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    source: &'static str,
    arguments: &'static [&'static str],
    /// Sent to the program when it waits.
    sent: Option<i32>,
    /// What gdb is asked besides, and what must be the same.
    asked: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "fault",
        source: FAULT,
        arguments: &[],
        sent: None,
        asked: &[
            "print $eax",
            "print $ebx",
            "print $ecx",
            "print $edx",
            "print $esi",
            "print $edi",
            "print $eip == (long)&instruction",
            "print $eflags & 1",
            "print $st0",
            "print $st1",
            "print $xmm3.v4_int32",
            "print $_siginfo._sifields._sigfault.si_addr",
            "print $cs",
            "print $ss",
            "print $gs",
            "print $orig_eax",
        ],
    },
    Case { name: "abort", source: ABORT, arguments: &[], sent: None, asked: &[] },
    Case { name: "fault-beside", source: ABORT, arguments: &["faults"], sent: None, asked: &[] },
    Case { name: "overflow", source: OVERFLOW, arguments: &[], sent: None, asked: &[] },
    Case {
        name: "handler",
        source: HANDLER,
        arguments: &[],
        sent: None,
        asked: &["print $_siginfo._sifields._sigfault.si_addr"],
    },
    Case { name: "handler-siginfo", source: HANDLER, arguments: &["1"], sent: None, asked: &[] },
    Case { name: "handler-sent", source: HANDLER, arguments: &["1", "2"], sent: None, asked: &[] },
    Case {
        name: "quit",
        source: WAITS,
        arguments: &[],
        sent: Some(libc::SIGQUIT),
        asked: &["print $orig_eax", "print $eax", "print $ebx"],
    },
    Case { name: "segv-sent", source: WAITS, arguments: &[], sent: Some(libc::SIGSEGV), asked: &[] },
];

/// How the programs are linked.
const KINDS: &[(&str, &[&str])] = &[
    ("static", &["-static"]),
    ("dynamic", &["-pie", "-fPIE", "-Wl,--dynamic-linker=/usr/i686-linux-gnu/lib/ld-linux.so.2,-rpath=/usr/i686-linux-gnu/lib"]),
];

/// What is said of what is no core dump of a program under biarch: name, contents, message.
const REFUSED: &[(&str, &[u8], &str)] = &[
    ("text", b"#!/bin/sh\n", "it is not a core dump\n  see what it is: file DIR/text"),
    ("empty", b"", "it is not a core dump\n  see what it is: file DIR/empty"),
    ("packed", b"\x28\xb5\x2f\xfd\x24", "it is packed by zstd\n  unpack it first: zstd -dc DIR/packed > core && biarch core core"),
    (
        "arm64",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\xb7\0\x01\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\x38\0\0\0\0\0\0\0\0\0",
        "it is a core dump for another processor (e_machine 183); biarch runs programs on x86-64\n  see what it is for: readelf -h DIR/arm64",
    ),
    (
        "cut",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\x3e\0\x01\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\x38\0\x02\0\0\0\0\0\0\0",
        "it is cut off: it has 64 bytes, and its program headers would end at 176\n  let the kernel write all of it: ulimit -c unlimited; and \
         look whether the disk was full",
    ),
];

fn refused() -> Result<()> {
    let scratch = Scratch::new(&target().join("core"))?;
    let directory = scratch.path().canonicalize()?;
    let shown = directory.display().to_string();
    for (name, contents, message) in REFUSED {
        let path = directory.join(name);
        std::fs::write(&path, contents)?;
        let output = Command::new(under_test::biarch()?).arg("core").arg(&path).output()?;
        let said = String::from_utf8_lossy(&output.stderr).replace(&shown, "DIR");
        let expected = format!("error: cannot convert DIR/{name}: {message}\n");
        ensure!(output.status.code() == Some(1) && said == expected, "{name}: {}:\n{said}", output.status);
    }
    let left = std::fs::read_dir(&directory)?.count();
    ensure!(left == REFUSED.len(), "something is left behind in {shown}");
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let reason = if arguments.list { None } else { left_out() };
    let trials = KINDS.iter().flat_map(|&(kind, options)| {
        let reason = reason.clone();
        CASES.iter().map(move |&case| {
            let trial = Trial::test(format!("core::{kind}::{}", case.name), move || {
                verdict(kind, options, &case).map_err(|error| Failed::from(format!("{error:#}")))
            });
            match &reason {
                Some(reason) => trial.with_kind(format!("skipped: {reason}")).with_ignored_flag(true),
                None => trial,
            }
        })
    });
    let busybox = {
        let reason = reason.clone().or_else(|| (!busybox().exists()).then(|| "no Debian tree (see tests/programs)".to_owned()));
        let trial = Trial::test("core::debian::busybox", || debian().map_err(|error| Failed::from(format!("{error:#}"))));
        match &reason {
            Some(reason) => trial.with_kind(format!("skipped: {reason}")).with_ignored_flag(true),
            None => trial,
        }
    };
    let refused = Trial::test("core::refused", || refused().map_err(|error| Failed::from(format!("{error:#}"))));
    let refused = if under_test::unbuilt() == Path::new("none") { refused.with_ignored_flag(true) } else { refused };
    libtest_mimic::run(&arguments, trials.chain([busybox, refused]).collect()).exit_code()
}

/// Why nothing can be told here.
fn left_out() -> Option<String> {
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    let pattern = pattern.trim();
    if pattern.is_empty() || pattern.starts_with('|') || pattern.contains('/') {
        return Some(format!("core dumps go elsewhere: kernel.core_pattern is '{pattern}'"));
    }
    if under_test::unbuilt() == Path::new("none") {
        return Some("BIARCH=none".to_owned());
    }
    for (program, what) in [("gdb", "gdb"), ("i686-linux-gnu-gcc", "cross compiler (gcc-i686-linux-gnu)")] {
        if Command::new(program).arg("--version").stdout(Stdio::null()).status().is_err() {
            return Some(format!("no {what}"));
        }
    }
    None
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target")
}

fn busybox() -> PathBuf {
    target().join("rootfs-i386/full/bin/busybox")
}

fn debian() -> Result<()> {
    let scratch = Scratch::new(&target().join("core"))?;
    let program = busybox().canonicalize()?;
    for signal in [libc::SIGABRT, libc::SIGQUIT] {
        compare(
            scratch.path(),
            &program,
            &["cat"],
            Some(signal),
            &["print $orig_eax", "print $eax", "print $ebx", "print $edx"],
        )?;
    }
    Ok(())
}

fn verdict(kind: &str, options: &[&str], case: &Case) -> Result<()> {
    let scratch = Scratch::new(&target().join("core"))?;
    let source = format!("{HEAD}{}", case.source);
    let options = [&["-g", "-O1", "-fno-omit-frame-pointer", "-fasynchronous-unwind-tables", "-pthread"], options].concat();
    let name = format!("{}-{kind}", case.name);
    let program = under_test::compile_32(scratch.path(), &name, &source, &options)?.context("no cross compiler")?;
    compare(scratch.path(), &program.canonicalize()?, case.arguments, case.sent, case.asked)
}

/// Lets the program crash natively and under biarch, and compares what gdb says.
fn compare(scratch: &Path, program: &Path, arguments: &[&str], sent: Option<i32>, asked: &[&str]) -> Result<()> {
    let [native_at, biarch_at] = [scratch.join("native"), scratch.join("biarch")];
    let native = crash(&native_at, &[], program, arguments, sent)?;
    let words = under_test::words(None)?.context("BIARCH=none")?;
    let foreign = crash(&biarch_at, &words, program, arguments, sent)?;
    let core = biarch_at.join("core.i386");
    let output = Command::new(under_test::biarch()?).arg("core").arg(&foreign).arg("-o").arg(&core).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut doubts = said.lines().filter(|line| line.starts_with("warning:"));
    ensure!(output.status.success() && doubts.all(|doubt| doubt.contains(KNOWN_DOUBT)), "biarch core: {}: {said}", output.status);
    let [native, biarch] = [gdb(program, &native, asked)?, gdb(program, &core, asked)?];
    ensure!(native == biarch, "{said}\n--- native\n{native}\n--- biarch\n{biarch}");
    std::fs::remove_dir_all(native_at)?;
    std::fs::remove_dir_all(biarch_at)?;
    Ok(())
}

/// Runs a program until it dies, and finds its core dump.
fn crash(directory: &Path, under: &[PathBuf], program: &Path, arguments: &[&str], sent: Option<i32>) -> Result<PathBuf> {
    std::fs::create_dir_all(directory)?;
    let mut command = Command::new("/bin/sh");
    // A stack of one megabyte is soon full.
    command
        .args(["-c", "ulimit -s 1024; ulimit -c unlimited || exit 99; exec \"$@\"", "sh"])
        .args(under)
        .arg(program)
        .args(arguments);
    command.current_dir(directory).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // What a shell starts in the background ignores SIGINT and SIGQUIT, and so does all that is started there.
    // SAFETY: only signal(2) between fork and exec.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGQUIT] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
    let mut child = command.spawn()?;
    if let Some(signal) = sent {
        let pid = i32::try_from(child.id())?;
        until_it_reads(&mut child, program)?;
        // SAFETY: kill touches no memory.
        ensure!(unsafe { libc::kill(pid, signal) } == 0, "kill: {}", std::io::Error::last_os_error());
    }
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > Duration::from_secs(60) {
            child.kill()?;
            child.wait()?;
            bail!("{} still runs", program.display());
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    ensure!(status.core_dumped(), "{}: {status}, and no core dump (a hard limit on its size?)", program.display());
    let entries = std::fs::read_dir(directory)?.collect::<std::io::Result<Vec<_>>>()?;
    let mut files = entries.into_iter().map(|entry| entry.path());
    match (files.next(), files.next()) {
        (Some(core), None) => Ok(core),
        _ => bail!("{}: not one core dump in {}", program.display(), directory.display()),
    }
}

/// Waits until the program itself sleeps in read(2), in whichever task.
fn until_it_reads(child: &mut Child, program: &Path) -> Result<()> {
    let of = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap_or_default();
    let began = Instant::now();
    let program = program.display().to_string();
    while began.elapsed() < Duration::from_secs(30) {
        // 3 is read(2) of a 32-bit task, 0 that of a 64-bit one; both of descriptor 0.
        let call = of("syscall");
        let reads = ["3 0x0 ", "0 0x0 "].iter().any(|start| call.starts_with(start));
        if reads && of("cmdline").split('\0').next() == Some(&program) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    bail!("it never reads: {} {}", of("syscall"), of("cmdline"))
}

/// Lines of gdb's that must be the same, by what they have.
const FACTS: &[&str] = &["$", "Program terminated", "Core was generated by", "not a core dump", "is truncated", "annot"];

/// What gdb says of a core dump, without what no two runs have in common.
fn gdb(program: &Path, core: &Path, asked: &[&str]) -> Result<String> {
    let mut command = Command::new("gdb");
    command.args(["-batch", "-nx", "-iex", "set debuginfod enabled off", "-iex", "set width 0", "-iex", "set auto-load no"]);
    command.arg(program).arg(core).args(["-ex", "print $_siginfo.si_signo", "-ex", "print $_siginfo.si_code"]);
    for question in asked {
        command.args(["-ex", question]);
    }
    let output = command.args(["-ex", "thread apply all backtrace -30"]).stdin(Stdio::null()).output()?;
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut facts = String::new();
    let mut threads: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("Thread ") {
            threads.push(String::new());
        } else if let (Some(frame), Some(thread)) = (frame(line), threads.last_mut()) {
            thread.push_str(&frame);
            thread.push('\n');
        } else if FACTS.iter().any(|fact| line.contains(fact)) {
            facts.push_str(line);
            facts.push('\n');
        }
    }
    ensure!(!threads.is_empty(), "gdb sees no thread:\n{text}");
    // The order of those that did not crash is the kernel's choice.
    threads.sort();
    Ok(format!("{facts}{} threads\n{}", threads.len(), threads.join("--\n")))
}

/// `#3  0x08049768 in reader (arg=0x0) at a.c:8`: the function, and whether gdb calls it a signal frame.
fn frame(line: &str) -> Option<String> {
    let rest = line.strip_prefix('#')?.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let name = rest.split_once(" in ").filter(|(address, _)| address.starts_with("0x")).map_or(rest, |(_, name)| name);
    Some(name.split(" (").next().unwrap_or(name).to_owned())
}

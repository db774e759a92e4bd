//! What biarch says about programs that it does not run, and that no damage to a program makes biarch itself fail: every mutilated
//! program is refused, or does what it does natively.

use abi::syscalls::{Action, i386};
use anyhow::{Context, Result, ensure};
use biarch_tests::process::{self, Scratch};
use biarch_tests::program::End;
use biarch_tests::{machine, under_test};
use std::fmt::Write;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/refusals")
}

fn put(path: &Path, contents: &[u8], mode: u32) -> Result<PathBuf> {
    std::fs::write(path, contents)?;
    std::fs::set_permissions(path, Permissions::from_mode(mode))?;
    Ok(path.to_owned())
}

/// `biarch run` with these words, under the launcher, which kills whoever makes a 32-bit system call.
fn run(words: &[&Path]) -> Result<process::Outcome> {
    run_under(&[], words)
}

/// The same, with options of the launcher's.
fn run_under(options: &[&str], words: &[&Path]) -> Result<process::Outcome> {
    let mut all = vec![PathBuf::from(env!("CARGO_BIN_EXE_launcher"))];
    all.extend(options.iter().map(PathBuf::from));
    all.extend([under_test::biarch()?, "run".into()]);
    all.extend(words.iter().map(|word| word.to_path_buf()));
    process::run(&all, "", Duration::from_secs(60), &target().join("scratch"))
}

/// A small program for i386: code and data in two segments, the second with a piece that is not in the file. It exits with 42 if its
/// data are right.
struct Image {
    kind: u16,
    interpreter: Option<&'static str>,
}

impl Image {
    fn bytes(&self) -> Vec<u8> {
        // call 1f; 1: pop %eax; mov $1,%ebx; cmpl $0,(bss-1b)(%eax); jne 2f; cmpl $0x11223344,(data-1b)(%eax); jne 2f;
        // mov $42,%ebx; 2: mov $1,%eax; int $0x80
        const CODE: u32 = 0x200;
        const DATA: u32 = 0x1300;
        let base: u32 = if self.kind == 2 { 0x0804_8000 } else { 0 };
        let here = CODE + 5;
        let mut code = vec![0xe8, 0, 0, 0, 0, 0x58, 0xbb, 1, 0, 0, 0];
        code.extend([0x81, 0xb8]);
        code.extend((DATA + 0x1000 - here).to_le_bytes());
        code.extend(0u32.to_le_bytes());
        code.extend([0x75, 0x11, 0x81, 0xb8]);
        code.extend((DATA - here).to_le_bytes());
        code.extend(0x1122_3344u32.to_le_bytes());
        code.extend([0x75, 0x05, 0xbb, 42, 0, 0, 0, 0xb8, 1, 0, 0, 0, 0xcd, 0x80]);

        let mut segments: Vec<[u32; 8]> = vec![
            [1, 0, base, base, 0x300, 0x300, 5, 0x1000],
            [1, 0x300, base + DATA, base + DATA, 0x40, 0x2000, 6, 0x1000],
            [0x6474_e551, 0, 0, 0, 0, 0, 6, 16],
        ];
        if let Some(interpreter) = self.interpreter {
            segments
                .insert(0, [3, 0x280, base + 0x280, base + 0x280, u32::try_from(interpreter.len() + 1).unwrap_or(0), 1, 4, 1]);
        }
        let mut bytes = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        for half in [self.kind, 3] {
            bytes.extend(half.to_le_bytes());
        }
        for word in [1, base + CODE, 52, 0, 0] {
            bytes.extend(u32::to_le_bytes(word));
        }
        for half in [52, 32, u16::try_from(segments.len()).unwrap_or(0), 0, 0, 0] {
            bytes.extend(u16::to_le_bytes(half));
        }
        for word in segments.iter().flatten() {
            bytes.extend(word.to_le_bytes());
        }
        bytes.resize(CODE as usize, 0);
        bytes.extend(code);
        bytes.resize(0x280, 0);
        bytes.extend(self.interpreter.unwrap_or_default().bytes());
        bytes.resize(0x300, 0);
        bytes.extend(0x1122_3344u32.to_le_bytes());
        bytes.resize(0x340, 0);
        bytes
    }
}

/// Damaged copies: cut off at every place that matters, and every field of the headers with values that no field likes.
fn mutants(whole: &[u8], headers: usize) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![("whole".to_owned(), whole.to_vec())];
    for length in (0..headers).step_by(7).chain([headers, headers + 1, 0x200, 0x2ff, 0x300, 0x33f]) {
        all.push((format!("cut at {length}"), whole[..length].to_vec()));
    }
    // Not the magic number: a file without one is nobody's, and a shell might try it.
    for at in 4..headers {
        for bit in [0x01, 0x08, 0x10, 0x80] {
            let mut bytes = whole.to_vec();
            bytes[at] ^= bit;
            all.push((format!("byte {at} ^ {bit:#x}"), bytes));
        }
    }
    for at in (16..headers - 3).step_by(4) {
        for value in [0u32, 1, 0xfff, 0x1000, 0x20_0000, 0x0804_8000, 0x7fff_ffff, 0x8000_0000, 0xffff_f000, 0xffff_ffff] {
            let mut bytes = whole.to_vec();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            all.push((format!("word at {at} = {value:#x}"), bytes));
        }
    }
    // Segments out of order, and several things wrong at once.
    for first in (52..headers - 32).step_by(32) {
        let mut bytes = whole.to_vec();
        let (a, b) = bytes[first..first + 64].split_at_mut(32);
        a.swap_with_slice(b);
        all.push((format!("program header at {first} exchanged with the next"), bytes));
    }
    let mut state = 0x2545_f491u32;
    let mut next = |limit: usize| {
        // xorshift32: the same mutants in every run.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % limit
    };
    for number in 0..300 {
        let mut bytes = whole.to_vec();
        for _ in 0..=number % 4 {
            let at = 24 + next(headers - 24);
            bytes[at] ^= 1 << next(8);
        }
        all.push((format!("random mutant {number}"), bytes));
    }
    all
}

/// Executes each of its arguments in a child, and prints what became of it.
const EXECUTER: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static char name[4096];
    while (fgets(name, sizeof name, stdin)) {
        name[strcspn(name, "\n")] = 0;
        int result[2], error = 0, status;
        pipe(result);
        fcntl(result[1], 2, 1);
        if (fork() == 0) {
            alarm(5);
            execl(name, "mutant", (char *)0);
            error = errno;
            write(result[1], &error, sizeof error);
            _exit(1);
        }
        close(result[1]);
        read(result[0], &error, sizeof error);
        close(result[0]);
        wait(&status);
        if (error) printf("errno %d\n", error);
        else if (WIFEXITED(status)) printf("exit %d\n", WEXITSTATUS(status));
        else printf("signal\n");
    }
    return 0;
}
"#;

/// Natively, under biarch from the command line, and executed by a guest: all the same, but that a refusal by biarch itself may stand
/// for the signal by which the kernel ends a program that it has found out about too late.
fn compare(name: &str, image: &Image, stride: usize) -> Result<()> {
    if !machine::has_ia32(&target())? {
        under_test::left_out("this kernel has nothing to compare with");
        return Ok(());
    }
    let scratch = Scratch::new(&target().join(name))?;
    let Some(executer) = under_test::compile_32(scratch.path(), "executer", EXECUTER, &["-static", "-include", "fcntl.h"])?
    else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    let whole = image.bytes();
    let headers = 52 + 32 * usize::from(whole[44]);
    let mut files = vec![];
    for (number, (what, bytes)) in mutants(&whole, headers).into_iter().enumerate() {
        files.push((what, put(&scratch.path().join(number.to_string()), &bytes, 0o755)?));
    }
    let list = files.iter().fold(String::new(), |list, (_, path)| list + &format!("{}\n", path.display()));
    let limit = Duration::from_secs(300);
    let native = process::run(std::slice::from_ref(&executer), &list, limit, &target().join("scratch"))?;
    let words = [PathBuf::from(env!("CARGO_BIN_EXE_launcher")), under_test::biarch()?, "run".into(), executer];
    let guest = process::run(&words, &list, limit, &target().join("scratch"))?;
    ensure!(native.stdout.lines().count() == files.len(), "the native run is cut off:\n{}", native.text());
    ensure!(guest.stdout.lines().count() == files.len(), "the run under biarch is cut off:\n{}", guest.text());
    ensure!(
        native.stdout.starts_with(if image.interpreter.is_some() { "errno" } else { "exit 42\n" }),
        "the whole program does not run"
    );

    let mut wrong = String::new();
    for (number, (((what, path), native), guest)) in files.iter().zip(native.stdout.lines()).zip(guest.stdout.lines()).enumerate()
    {
        // A program whose data are not mapped looks at whatever comes after it in memory, if anything does.
        let stray = |outcome: &str| matches!(outcome, "exit 1" | "signal");
        if native != guest && !(stray(native) && stray(guest)) {
            let _ = writeln!(wrong, "{what}: natively {native}, executed by a guest {guest}");
        }
        if number % stride != 0 {
            continue;
        }
        let ours = run(&[path])?;
        let refused = matches!(ours.end, End::Exit(125..=127)) && ours.stderr.starts_with("error:");
        let right = match (native.split_once(' '), ours.end) {
            (Some(("errno", _)), _) => refused,
            (Some(("exit", status)), End::Exit(ours)) => status == ours.to_string(),
            (_, End::Exit(1)) => stray(native),
            (Some(("exit", "1")), End::Signal(libc::SIGSEGV)) => true,
            (None, End::Signal(signal)) => !matches!(signal, libc::SIGABRT | libc::SIGSYS),
            (None, _) => refused,
            _ => false,
        };
        if !right {
            let _ = writeln!(wrong, "{what}: natively {native}, under biarch {}", ours.text().trim_end());
        }
    }
    ensure!(wrong.is_empty(), "{wrong}");
    Ok(())
}

/// How many of the mutants are also run from the command line: all, if there is time.
fn stride() -> usize {
    if std::env::var_os("BIARCH_TEST_FULL").is_some() { 1 } else { 5 }
}

#[test]
fn damaged_programs() -> Result<()> {
    compare("fixed", &Image { kind: 2, interpreter: None }, stride())
}

#[test]
fn damaged_position_independent_programs() -> Result<()> {
    compare("moving", &Image { kind: 3, interpreter: None }, stride())
}

#[test]
fn damaged_programs_with_an_interpreter() -> Result<()> {
    compare("interpreter", &Image { kind: 2, interpreter: Some("/lib/no-such-interpreter") }, 4 * stride())
}

#[test]
fn a_64_bit_interpreter() -> Result<()> {
    compare("wide", &Image { kind: 2, interpreter: Some("/bin/sh") }, 40)
}

/// What each refusal says; `DIR` stands for the directory of the files.
#[test]
fn messages() -> Result<()> {
    let scratch = Scratch::new(&target().join("messages"))?;
    let directory = scratch.path().canonicalize()?;
    let file = |name: &str, contents: &[u8], mode: u32| put(&directory.join(name), contents, mode);
    let image = |interpreter| Image { kind: 2, interpreter }.bytes();
    let header = |class: u8, kind: u8, machine: u8| {
        let mut bytes = vec![0; 64];
        bytes[..8].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, 1, 1, 0]);
        bytes[16] = kind;
        bytes[18] = machine;
        bytes
    };
    file("text", b"hello\n", 0o755)?;
    file("empty", b"", 0o755)?;
    file("closed", b"#!/bin/sh\n", 0o644)?;
    file("wide", &header(2, 3, 62), 0o755)?;
    file("x32", &header(1, 2, 62), 0o755)?;
    file("arm", &header(1, 2, 40), 0o755)?;
    file("itanium", &header(2, 2, 50), 0o755)?;
    file("object", &header(2, 1, 62), 0o755)?;
    file("cut", &image(None)[..100], 0o755)?;
    file("glibc", &image(Some("/nowhere/ld-linux.so.9")), 0o755)?;
    file("musl", &image(Some("/nowhere/ld-musl-i386.so.1")), 0o755)?;
    file("unfit", &image(Some("/bin/sh")), 0o755)?;
    file("script", b"#!/nowhere/sh -e\n", 0o755)?;
    file("loop", format!("#!{}/loop\n", directory.display()).as_bytes(), 0o755)?;
    file("wide-script", format!("#!{}/wide\n", directory.display()).as_bytes(), 0o755)?;
    let mut said = String::new();
    let names = [
        "missing",
        "text",
        "empty",
        "closed",
        "wide",
        "x32",
        "arm",
        "itanium",
        "object",
        "cut",
        "glibc",
        "musl",
        "unfit",
        "script",
        "loop",
        "wide-script",
    ];
    for name in names {
        let outcome = run(&[&directory.join(name)])?;
        let text = outcome.text().replace(&directory.display().to_string(), "DIR");
        let _ = writeln!(said, "$ biarch run DIR/{name}\n{text}");
    }
    file("whole", &image(None), 0o755)?;
    for options in [["--vdso", "kernel"].as_slice(), &["--entry", "kernel", "--vdso", "own"]] {
        let mut words: Vec<PathBuf> = options.iter().map(PathBuf::from).collect();
        words.push(directory.join("whole"));
        let outcome = run_under(&["--without-vdso"], &words.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let text = outcome.text().replace(&directory.display().to_string(), "DIR");
        let _ = writeln!(said, "$ biarch run {} DIR/whole    # where the kernel has no 32-bit vDSO\n{text}", options.join(" "));
    }
    // No name, and command lines that are wrong: any status may be a guest's, so these have 125 too.
    for words in [[""].as_slice(), &["--entry", "none", "x"], &["--trace=nonsense", "x"]] {
        let outcome = run(&words.iter().map(Path::new).collect::<Vec<_>>())?;
        let _ = writeln!(said, "$ biarch run {}\n{}", words.join(" "), outcome.text());
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("refusals.txt");
    if std::env::var_os("BIARCH_TEST_BLESS").is_some() {
        std::fs::write(&golden, &said)?;
    }
    let expected = std::fs::read_to_string(&golden).context("tests/refusals.txt")?;
    if let Some(text) = biarch_tests::diff::unified(&expected, &said, "tests/refusals.txt", "biarch") {
        anyhow::bail!("{text}\nIf that is what it is to say: BIARCH_TEST_BLESS=1");
    }
    Ok(())
}

#[test]
fn a_kernel_without_a_32_bit_vdso() -> Result<()> {
    let scratch = Scratch::new(&target().join("vdso"))?;
    // Whether there is a vDSO with clocks, in itself and in a program that it executes.
    let source = "#include <sys/auxv.h>\n#include <time.h>\n#include <unistd.h>\n
        int main(int argc, char **argv) {
            struct timespec t;
            if (clock_gettime(CLOCK_MONOTONIC, &t) || argc > 1) return getauxval(AT_SYSINFO_EHDR) ? 42 : 43;
            execl(argv[0], argv[0], \"again\", (char *)0);
            return 1;
        }";
    let Some(program) = under_test::compile_32(scratch.path(), "vdso", source, &["-static"])? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    let (vdso, none, program) = (Path::new("--vdso"), Path::new("none"), program.as_path());
    for (options, words, end) in [
        (["--without-vdso"].as_slice(), [program].as_slice(), End::Exit(42)),
        (&["--without-vdso"], &[vdso, Path::new("own"), program], End::Exit(42)),
        (&["--without-vdso"], &[vdso, none, program], End::Exit(43)),
        (&[], &[vdso, Path::new("own"), program], End::Exit(42)),
        (&[], &[vdso, none, program], End::Exit(43)),
    ] {
        let outcome = run_under(options, words)?;
        ensure!(outcome.end == end, "{options:?} {words:?}: expected {end}:\n{}", outcome.text());
    }
    Ok(())
}

#[test]
fn an_address_that_is_taken() -> Result<()> {
    let minimum: u32 = std::fs::read_to_string("/proc/sys/vm/mmap_min_addr")?.trim().parse()?;
    if minimum == 0 {
        under_test::left_out("this kernel lets programs have address 0");
        return Ok(());
    }
    let scratch = Scratch::new(&target().join("taken"))?;
    let mut bytes = Image { kind: 2, interpreter: None }.bytes();
    bytes[52 + 8..52 + 12].fill(0);
    let low = put(&scratch.path().join("low"), &bytes, 0o755)?;
    // Root may map address 0, by this capability.
    // SAFETY: geteuid(2) has no arguments and cannot fail.
    let root = unsafe { libc::geteuid() } == 0;
    let mut words: Vec<PathBuf> =
        if root { ["setpriv", "--bounding-set", "-sys_rawio"].map(PathBuf::from).to_vec() } else { vec![] };
    words.extend([PathBuf::from(env!("CARGO_BIN_EXE_launcher")), under_test::biarch()?, "run".into(), low]);
    let outcome = process::run(&words, "", Duration::from_secs(30), &target().join("scratch"))?;
    ensure!(outcome.end == End::Exit(126), "{}", outcome.text());
    ensure!(outcome.stderr.contains("vm.mmap_min_addr"), "{}", outcome.text());
    Ok(())
}

/// Makes the system calls whose numbers it is given, without arguments, and prints the errno of each.
const CALLER: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        errno = 0;
        long result = syscall(atoi(argv[i]), 0, 0, 0, 0, 0, 0);
        printf("%s %d\n", argv[i], result == -1 ? errno : 0);
        fflush(stdout);
    }
    return 0;
}
"#;

/// A static i386 program, and what it is in as long as it is needed; nothing where no compiler is.
fn compiled(name: &str, source: &str) -> Result<Option<(Scratch, PathBuf)>> {
    let scratch = Scratch::new(&target().join(name))?;
    let program = under_test::compile_32(scratch.path(), name, source, &["-static"])?;
    if program.is_none() {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
    }
    Ok(program.map(|program| (scratch, program)))
}

#[test]
fn refused_calls() -> Result<()> {
    let Some((_scratch, caller)) = compiled("caller", CALLER)? else { return Ok(()) };
    let refused = i386::TABLE.iter().flatten().filter_map(|row| match row.action {
        Action::Refuse(errno) => Some((row, errno)),
        _ => None,
    });
    let (mut numbers, mut expected) = (vec![], String::new());
    for (row, errno) in refused {
        numbers.push(PathBuf::from(row.number.to_string()));
        let _ = writeln!(expected, "{} {}", row.number, errno.0);
    }
    let words: Vec<&Path> = std::iter::once(caller.as_path()).chain(numbers.iter().map(PathBuf::as_path)).collect();
    let outcome = run(&words)?;
    if let Some(text) = biarch_tests::diff::unified(&expected, &outcome.stdout, "the table", "biarch") {
        anyhow::bail!("{text}");
    }
    ensure!(outcome.end == End::Exit(0), "{}", outcome.text());
    Ok(())
}

/// Asks ten thousand times for what there is not.
const FLOOD: &str = r#"
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 10000; i++) syscall(999), ioctl(1, 0xc0345678, 0), ioctl(1, 0xc0345679, 0), syscall(359, 16, 3, 6);
    return 0;
}
"#;

#[test]
fn what_is_asked_for_in_a_loop_is_said_once() -> Result<()> {
    let Some((_scratch, program)) = compiled("flood", FLOOD)? else { return Ok(()) };
    let mut words: Vec<PathBuf> = ["env", "BIARCH_LOG=1", env!("CARGO_BIN_EXE_launcher")].map(PathBuf::from).to_vec();
    words.extend([under_test::biarch()?, "run".into(), program]);
    let outcome = process::run(&words, "", Duration::from_secs(60), &target().join("scratch"))?;
    ensure!(outcome.end == End::Exit(0), "{}", outcome.text());
    // The C library asks for rseq(2) before the program begins.
    let lines: Vec<&str> = outcome.stderr.lines().filter(|line| !line.contains(" rseq ")).collect();
    let said = |what: &str| lines.iter().filter(|line| line.contains(what)).count() == 1;
    let all = ["system call 999", "0xc0345678", "0xc0345679", "in system call socket (359): "];
    ensure!(lines.len() == all.len() && all.into_iter().all(said), "{}", outcome.text());
    Ok(())
}

/// Asks for IPsec in two ways: a socket for its messages, and a policy with one template, which is also one without for who reads it in
/// the 64-bit layout. Then what the second needs: the right to mark packets.
const IPSEC: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
int main(void) {
    static char policy[164 + 64];
    int socket4 = socket(AF_INET, SOCK_DGRAM, 0), mark = 1;
    int set = setsockopt(socket4, 0, 17 /* IP_XFRM_POLICY */, policy, sizeof policy) ? errno : 0;
    int may = setsockopt(socket4, SOL_SOCKET, SO_MARK, &mark, sizeof mark) == 0;
    printf("%d %d\n", set, may ? EOPNOTSUPP : EPERM);
    int opened = socket(AF_NETLINK, SOCK_RAW, 6 /* NETLINK_XFRM */);
    printf("%d %d\n", opened < 0 ? errno : 0, EPROTONOSUPPORT);
    return 0;
}
"#;

#[test]
fn ipsec_is_refused_as_by_a_kernel_without_it() -> Result<()> {
    let Some((_scratch, program)) = compiled("ipsec", IPSEC)? else { return Ok(()) };
    let outcome = run(&[&program])?;
    let is_as_expected = |line: &str| line.split_once(' ').is_some_and(|(is, expected)| is == expected);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    ensure!(lines.len() == 2 && lines.into_iter().all(is_as_expected), "{}", outcome.text());
    Ok(())
}

//! What passes between a 32-bit program under biarch and a 64-bit one: descriptors and credentials over a socket, shared memory, a
//! semaphore, signals with a value.

use anyhow::{Context, Result, ensure};
use biarch_tests::{machine, process::Scratch, under_test};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Either side; the other one is at the other end of standard input. Prints what it has got, in words that do not depend on the width.
const SIDE: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

static long must(const char *what, long result) {
    if (result == -1) printf("%s: errno %d\n", what, errno), exit(1);
    return result;
}
struct message { int pid, memory, semaphore; char name[16]; };

int main(int count, char **words) {
    struct message mine = {getpid(), -1, -1}, theirs;
    int first = !strcmp(words[1], "first"), pipes[2], one = 1, fds[2];
    strcpy(mine.name, words[1]);
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &block, 0);
    must("pipe", pipe(pipes));
    int file = must("memfd_create", memfd_create("file", 0));
    dprintf(file, "a file of the %s", words[1]);
    int *shared = 0;
    if (first) {
        mine.memory = must("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
        mine.semaphore = must("semget", semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
        shared = shmat(mine.memory, 0, 0);
        *shared = 42;
    }

    // Both send, then both receive.
    must("SO_PASSCRED", setsockopt(0, SOL_SOCKET, SO_PASSCRED, &one, sizeof one));
    union { char bytes[128]; long aligned; } control = {};
    struct iovec v = {&mine, sizeof mine};
    struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(sizeof fds)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fds)};
    memcpy(CMSG_DATA(c), (int[]){file, pipes[1]}, sizeof fds);
    must("sendmsg", sendmsg(0, &h, 0));
    v.iov_base = &theirs;
    h.msg_controllen = sizeof control;
    printf("received: %d of %d bytes\n", (int)must("recvmsg", recvmsg(0, &h, 0)), (int)sizeof theirs);
    for (c = CMSG_FIRSTHDR(&h); c; c = CMSG_NXTHDR(&h, c)) {
        struct ucred who;
        if (c->cmsg_type == SCM_RIGHTS) {
            memcpy(fds, CMSG_DATA(c), sizeof fds);
            printf("descriptors: %d\n", c->cmsg_len == CMSG_LEN(sizeof fds));
        } else if (c->cmsg_type == SCM_CREDENTIALS) {
            memcpy(&who, CMSG_DATA(c), sizeof who);
            printf("credentials: %d\n", c->cmsg_len == CMSG_LEN(sizeof who) && who.pid == theirs.pid && who.uid == getuid());
        } else printf("a message of type %d\n", c->cmsg_type);
    }
    char text[32] = "";
    must("pread", pread(fds[0], text, sizeof text - 1, 0));
    printf("%s: %s\n", theirs.name, text);
    // What one writes into the other's pipe.
    must("close", close(pipes[1]));
    dprintf(fds[1], "written by the %s", words[1]);
    must("close", close(fds[1]));
    memset(text, 0, sizeof text);
    must("read", read(pipes[0], text, sizeof text - 1));
    printf("the pipe: %s\n", text);

    // A signal each way, with a number and, where there is one, the address of nothing.
    must("sigqueue", sigqueue(theirs.pid, SIGRTMIN, (union sigval){.sival_int = first ? 1111 : -2222}));
    siginfo_t info;
    must("sigwaitinfo", sigwaitinfo(&block, &info));
    printf("signal: %d from %d, value %d\n", info.si_code == SI_QUEUE, info.si_pid == theirs.pid, info.si_value.sival_int);

    struct sembuf up = {0, 1, 0}, down = {0, -1, 0};
    if (first) {
        must("semop", semop(mine.semaphore, &down, 1));
        printf("shared memory: %d\n", *shared);
        must("IPC_RMID", semctl(mine.semaphore, 0, IPC_RMID));
    } else {
        shared = shmat(theirs.memory, 0, 0);
        if (shared == (void *)-1) must("shmat", -1);
        printf("shared memory: %d\n", *shared);
        *shared = 43;
        must("IPC_RMID", shmctl(theirs.memory, IPC_RMID, 0));
        must("semop", semop(theirs.semaphore, &up, 1));
    }
    return 0;
}
"#;

/// What both sides say of each other: the program under `one` is the first of them.
fn sides(one: &[PathBuf], other: &[PathBuf]) -> Result<String> {
    let (left, right) = UnixStream::pair()?;
    let start = |words: &[PathBuf], name: &str, end: UnixStream| -> Result<Child> {
        let (program, arguments) = words.split_first().context("nothing to run")?;
        let mut command = Command::new(program);
        command.args(arguments).arg(name).stdin(OwnedFd::from(end)).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().with_context(|| format!("cannot run {command:?}"))
    };
    let mut text = String::new();
    for child in [start(one, "first", left)?, start(other, "second", right)?] {
        let output = child.wait_with_output()?;
        let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        ensure!(output.status.success(), "{}: {said}{errors}", output.status);
        text += &said;
    }
    Ok(text)
}

#[test]
fn a_program_under_biarch_and_a_64_bit_one() -> Result<()> {
    let scratch = Scratch::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/between"))?;
    let here = scratch.path().canonicalize()?;
    let Some(narrow) = under_test::compile_32(&here, "narrow", SIDE, &["-static"])? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    let wide = here.join("wide");
    ensure!(
        Command::new("cc").args(["-w", "-o"]).arg(&wide).arg(here.join("narrow.c")).status()?.success(),
        "it does not compile"
    );
    let Some(mut biarch) = under_test::words(Some(env!("CARGO_BIN_EXE_launcher").into()))? else { return Ok(()) };
    biarch.push(narrow.clone());
    let wide = vec![wide];
    let expected = sides(&wide, &wide)?;
    ensure!(
        expected.contains("value 1111") && expected.contains("value -2222") && expected.contains("shared memory: 43"),
        "{expected}"
    );
    let mut pairs =
        vec![("biarch, x86-64", &biarch, &wide), ("x86-64, biarch", &wide, &biarch), ("biarch, biarch", &biarch, &biarch)];
    let native = vec![narrow];
    if machine::has_ia32(&here)? {
        pairs.extend([("i386, x86-64", &native, &wide), ("i386, biarch", &native, &biarch)]);
    }
    for (name, one, other) in pairs {
        let found = sides(one, other).with_context(|| name.to_owned())?;
        ensure!(found == expected, "{name}:\n{found}instead of\n{expected}");
    }
    Ok(())
}

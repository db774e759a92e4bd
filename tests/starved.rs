//! Wherever biarch wants memory of the kernel there may be none: each place in turn. The program gets an error or is told why it cannot
//! start, and nothing hangs, crashes, or is a bug of biarch's own.

use anyhow::{Context, Result, bail, ensure};
use biarch_tests::process::{self, Outcome, Scratch};
use biarch_tests::program::End;
use biarch_tests::under_test;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Does whatever needs memory in biarch, and takes ENOMEM for an answer. Needs none of the C library's heap.
const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <unistd.h>

static void say(const char *text) { if (write(1, text, strlen(text)) < 0) _exit(9); }
static void try(const char *what, long result) {
    int error = result == -1 ? errno : 0;
    if (!error || error == ENOMEM || error == EAGAIN || error == ENOBUFS || error == ENFILE) return;
    static char line[200];
    snprintf(line, sizeof line, "%s: errno %d\n", what, error);
    say(line), exit(8);
}
static volatile int signals;
static void on(int signal) { signals++; }
static void *work(void *argument) {
    try("mmap in a thread", (long)mmap(0, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    raise(SIGUSR1);
    return argument;
}
static char large[65536], stack[65536];
static struct iovec vectors[1024];
static struct pollfd fds[1024];
static struct epoll_event events[1024];
static struct mmsghdr many[256];
static struct { long type; char text[4096]; } message = {1};

int main(int count, char **words) {
    if (count > 1 && !strcmp(words[1], "x")) return 0;
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on, .sa_flags = SA_ONSTACK}, 0);
    try("sigaltstack", sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0));
    int zero = open("/dev/zero", O_RDONLY), here = open("/", O_RDONLY | O_DIRECTORY), epoll = epoll_create1(0), pair[2];
    try("socketpair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    for (int i = 0; i < 1024; i++) vectors[i] = (struct iovec){large, 16}, fds[i] = (struct pollfd){zero, POLLIN};
    for (int i = 0; i < 256; i++) many[i].msg_hdr = (struct msghdr){.msg_iov = vectors, .msg_iovlen = 4};
    char *place = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    try("mmap", (long)place);
    if (place != MAP_FAILED) {
        char *other = mremap(place, 1 << 20, 2 << 20, MREMAP_MAYMOVE);
        try("mremap", (long)other);
        if (other != MAP_FAILED) place = other;
        try("mprotect", mprotect(place + 4096, 4096, PROT_READ));
        try("munmap", munmap(place, 1 << 20));
    }
    try("readv", readv(zero, vectors, 1024));
    try("preadv", preadv(zero, vectors, 1024, 0));
    try("getdents64", syscall(SYS_getdents64, here, large, sizeof large));
    try("getdents", syscall(SYS_getdents, here, large, sizeof large));
    try("poll", poll(fds, 1024, 0));
    try("epoll_wait", epoll_wait(epoll, events, 1024, 0));
    try("sendmmsg", sendmmsg(pair[0], many, 8, MSG_DONTWAIT));
    try("recvmmsg", recvmmsg(pair[1], many, 8, MSG_DONTWAIT, 0));
    int queue = msgget(IPC_PRIVATE, 0600), shared = shmget(IPC_PRIVATE, 65536, 0600);
    try("msgsnd", msgsnd(queue, &message, 4096, IPC_NOWAIT));
    msgrcv(queue, &message, 4096, 0, IPC_NOWAIT);
    void *there = shmat(shared, 0, 0);
    try("shmat", (long)there);
    if (there != (void *)-1) shmdt(there);
    shmctl(shared, IPC_RMID, 0), msgctl(queue, IPC_RMID, 0);
    int maps = open("/proc/self/maps", O_RDONLY);
    try("maps", maps);
    try("reading maps", read(maps, large, sizeof large) < 0 ? -1 : 0);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        int error = pthread_create(&thread, 0, work, 0);
        if (!error) pthread_join(thread, 0);
        errno = error;
        try("pthread_create", error ? -1 : 0);
    }
    raise(SIGUSR1);
    if (!signals) say("no signal\n"), exit(7);
    pid_t child = fork();
    if (!child) { execl(words[0], words[0], "x", NULL); try("execl", -1); _exit(5); }
    try("fork", child);
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) < 0) say("no child\n"), exit(6);
    if (WIFEXITED(status) && WEXITSTATUS(status) && WEXITSTATUS(status) != 5 && WEXITSTATUS(status) != 125 && WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127)
        say("the child says another status\n"), exit(4);
    struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {1, allow};
    try("no new privileges", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    try("seccomp", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    say("done\n");
    return 0;
}
"#;

/// What the program does where the `which`-th wish is not granted, and how many there were.
fn starved(scratch: &Path, words: &[PathBuf], which: u32) -> Result<(Outcome, u32)> {
    let launcher = [env!("CARGO_BIN_EXE_launcher"), "--without-memory", &which.to_string()].map(PathBuf::from);
    let mut outcome = process::run(&[&launcher, words].concat(), "", Duration::from_secs(60), scratch)?;
    let Some((before, times)) = outcome.stderr.rsplit_once("launcher: memory was wanted ") else {
        bail!("without the {which}-th memory: {}", outcome.text())
    };
    let times = times.split(' ').next().and_then(|number| number.parse().ok()).context("no number")?;
    outcome.stderr = before.to_owned();
    Ok((outcome, times))
}

#[test]
fn no_place_where_memory_is_wanted_takes_it_for_granted() -> Result<()> {
    let scratch = Scratch::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/starved"))?;
    let here = scratch.path().canonicalize()?;
    let Some(program) = under_test::compile_32(&here, "wants", PROGRAM, &["-static", "-pthread"])? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    let words = [under_test::biarch()?, "run".into(), program];
    let (whole, times) = starved(&here, &words, 0)?;
    ensure!(whole.stdout == "done\n" && whole.end == End::Exit(0), "with all of its memory: {}", whole.text());
    ensure!(times > 50, "memory was wanted {times} times only: the filter does not see it");
    let mut seen = 0;
    for which in 1..=times {
        let (outcome, _) = starved(&here, &words, which)?;
        let is_done = outcome.end == End::Exit(0) && outcome.stdout == "done\n";
        // Before the program begins, biarch says what is missing. A C library that cannot start says so as well.
        let is_told = outcome.stdout.is_empty() && matches!(outcome.end, End::Exit(125..=127)) && !outcome.stderr.is_empty();
        ensure!(is_done || is_told, "without the {which}-th of {times}: {}", outcome.text());
        seen += u32::from(is_done);
    }
    ensure!(seen > times / 3, "the program came to its end without one of {times} only {seen} times");
    Ok(())
}

//! A program that is killed at any instant leaves nothing behind: no process, no file, no shared memory.

use anyhow::{Result, ensure};
use biarch_tests::process::{self, Outcome, Scratch};
use biarch_tests::program::End;
use biarch_tests::under_test;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Is busy with all that biarch keeps books of: threads, signals, memory, children, and itself executed anew.
const BUSY: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void on(int signal) {}
static void *work(void *argument) {
    for (;;) {
        void *p = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *(char *)p = 1;
        munmap(p, 65536);
        pthread_kill(*(pthread_t *)argument, SIGUSR1);
    }
}
int main(int count, char **words) {
    if (count > 1 && words[1][0] == 'x') return 0;
    struct sigaction action = {.sa_handler = on, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, 0);
    pthread_t self = pthread_self(), threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, &self);
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        if (!child) execl("/proc/self/exe", "busy", "x", NULL), _exit(1);
        while (waitpid(child, 0, 0) < 0) {}
    }
    // What is on its way must not end the next one, which has no handler yet.
    signal(SIGUSR1, SIG_IGN);
    execv("/proc/self/exe", words);
    return 1;
}
"#;

/// Every place where something could be left is empty and nobody else's: temporary directories, and the namespaces of processes and of
/// System V's IPC. What is found there in the end is printed. `$BEFORE` is done once the last program is killed.
const ROUNDS: &str = r#"
set -eu
mount -t proc proc /proc
for place in /tmp /var/tmp /dev/shm /run; do
    # Unless that would hide what is executed.
    case $PROGRAM:$BIARCH in *$place/*) ;; *) mount -t tmpfs none $place; places="${places-} $place" ;; esac
done
mount -t tmpfs none "$WORK"
cd "$WORK"
for round in $(seq "$ROUNDS"); do
    case $((round % 4)) in
        0) set -- --trace -o /dev/null ;;
        1) set -- --trace-summary ;;
        2) set -- --entry trap ;;
        *) set -- ;;
    esac
    "$BIARCH" run "$@" "$PROGRAM" 2>/dev/null &
    # From before the program is in memory to when it is in the middle of its work.
    sleep 0.0$((round * 7919 % 100 / 10))$((round * 104729 % 10))
    kill -9 $!
    wait $! 2>/dev/null && { echo "round $round: it was not killed"; exit 1; } || [ $? = 137 ] || { echo "round $round: it ended before"; exit 1; }
done
eval "$BEFORE"
# Children that it was starting end by themselves.
for try in $(seq 100); do
    left=
    # The shell is the first of this namespace. What has ended, and was its parent's, is only not waited for.
    for process in /proc/[0-9]*; do
        [ "$process" != /proc/$$ ] || continue
        case $(cat "$process/stat" 2>/dev/null) in "" | *") Z "*) ;; *) left="$left ${process#/proc/}" ;; esac
    done
    [ -n "$left" ] || break
    sleep 0.05
done
[ -z "$left" ] || echo "processes: $left"
# mount(8) has a directory of its own.
find $places "$WORK" -mindepth 1 ! -path "/run/mount*"
tail -q -n +2 /proc/sysvipc/*
echo that is all
"#;

/// What is left after so many programs were killed, and what was done `before` looking.
fn left(scratch: &Path, program: &Path, rounds: u32, before: &str) -> Result<Outcome> {
    let mut words: Vec<PathBuf> =
        ["unshare", "--user", "--map-root-user", "--mount", "--ipc", "--pid", "--fork", "env"].map(PathBuf::from).to_vec();
    words.push(format!("BIARCH={}", under_test::biarch()?.display()).into());
    words.push(format!("PROGRAM={}", program.display()).into());
    words.push(format!("WORK={}", scratch.join("work").display()).into());
    words.extend([format!("ROUNDS={rounds}").into(), format!("BEFORE={before}").into()]);
    words.extend(["sh", "-c", ROUNDS].map(PathBuf::from));
    std::fs::create_dir_all(scratch.join("work"))?;
    process::run(&words, "", Duration::from_secs(300), scratch)
}

#[test]
fn a_killed_program_leaves_nothing_behind() -> Result<()> {
    let scratch = Scratch::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/killed"))?;
    let here = scratch.path().canonicalize()?;
    let Some(program) = under_test::compile_32(&here, "busy", BUSY, &["-static", "-pthread"])? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    // What the check itself finds, once with something there and once without.
    let planted =
        left(&here, &program, 0, "touch /dev/shm/one; ipcmk -M 1 > /dev/null; \"$BIARCH\" run \"$PROGRAM\" & sleep 0.2")?;
    if planted.stderr.contains("unshare failed") || planted.stderr.contains("mount:") {
        under_test::left_out(format_args!("no namespaces here\n{}", planted.text()));
        return Ok(());
    }
    let found = |what: &str| planted.stdout.contains(what);
    ensure!(found("processes: ") && found("/dev/shm/one") && planted.stdout.lines().count() == 4, "{}", planted.text());
    let rounds = if std::env::var_os("BIARCH_TEST_FULL").is_some() { 1000 } else { 60 };
    let outcome = left(&here, &program, rounds, ":")?;
    ensure!(outcome.stdout == "that is all\n" && outcome.end == End::Exit(0), "{}", outcome.text());
    Ok(())
}

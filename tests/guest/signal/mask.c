// sigprocmask, sigpending, sigsuspend, sigtimedwait, sigwaitinfo; queues of real-time signals.
//# libc: static dynamic musl time64
#include "expect.h"

static int order[32], values[32];
static volatile int handled;
static void note(int signal, siginfo_t *info, void *context) {
    order[handled] = signal - SIGRTMIN;
    values[handled++] = info->si_value.sival_int;
}

int main(void) {
    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 1);
    sigaddset(&set, SIGRTMIN + 2);
    sigaddset(&set, SIGRTMAX);
    succeeds("block", sigprocmask(SIG_BLOCK, &set, &old));
    check("was empty", !sigismember(&old, SIGUSR1));
    sigset_t all;
    sigfillset(&all);
    succeeds("block all", sigprocmask(SIG_BLOCK, &all, 0));
    must(sigprocmask(SIG_SETMASK, &set, &old));
    check("KILL and STOP cannot be", !sigismember(&old, SIGKILL) && !sigismember(&old, SIGSTOP) && sigismember(&old, SIGRTMAX));
    for (int i = 0; i < 3; i++) must(kill(getpid(), SIGUSR1));
    for (int i = 0; i < 3; i++) must(sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = i + 10}));
    for (int i = 0; i < 3; i++) must(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i + 20}));
    succeeds("sigpending", sigpending(&pending));
    check("members", sigismember(&pending, SIGUSR1) && sigismember(&pending, SIGRTMIN + 1) && !sigismember(&pending, SIGRTMAX));
    siginfo_t info;
    struct timespec none = {0, 0}, some = {0, 20000000};
    equal("sigwaitinfo takes the lowest", sigwaitinfo(&set, &info), SIGUSR1);
    check("with its siginfo", info.si_code == SI_USER && info.si_pid == getpid());
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    fails("an ordinary signal is queued once", sigtimedwait(&one, &info, &none), EAGAIN);
    equal("a real-time one more often", sigtimedwait(&set, &info, &none), SIGRTMIN + 1);
    equal("in order", info.si_value.sival_int, 20);
    on_signal(SIGRTMIN + 1, note, 0);
    on_signal(SIGRTMIN + 2, note, 0);
    must(sigprocmask(SIG_UNBLOCK, &set, 0));
    equal("handled", handled, 5);
    // Frames are pushed lowest signal first, so the handlers run in the opposite order, all of one signal in theirs.
    for (int i = 0; i < 5; i++) say("signal +%d value %d", order[i], values[i]);
    must(sigprocmask(SIG_BLOCK, &set, 0));
    long start = milliseconds();
    fails("timeout", sigtimedwait(&set, 0, &some), EAGAIN);
    check("took its time", milliseconds() - start >= 19);
    fails("time", sigtimedwait(&set, 0, &(struct timespec){0, -5}), EINVAL);
    handled = 0;
    must(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 1}));
    sigset_t empty;
    sigemptyset(&empty);
    fails("sigsuspend", sigsuspend(&empty), EINTR);
    equal("handled", handled, 1);
    must(sigprocmask(SIG_BLOCK, 0, &old));
    check("the mask is back", sigismember(&old, SIGRTMIN + 1));
    fails("how", syscall(SYS_rt_sigprocmask, 99, &set, 0, 8), EINVAL);
    fails("size", syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, 0, 4), EINVAL);
    fails("nowhere", syscall(SYS_rt_sigprocmask, SIG_BLOCK, forbidden(), 0, 8), EFAULT);
    fails("to nowhere", syscall(SYS_rt_sigpending, forbidden(), 8), EFAULT);
    int signal;
    must(kill(getpid(), SIGUSR1));
    equal("sigwait", sigwait(&set, &signal), 0);
    equal("signal", signal, SIGUSR1);
    return finish();
}

// Signals of a tracee: seen first by its tracer, delivered, swallowed, exchanged; in 32-bit code, in a call that blocks, and as a fault.
//# libc: static
#include "trace.h"

static volatile int handled, info_value;

static void note(int signal, siginfo_t *info, void *context) {
    (void)context;
    handled = signal;
    info_value = info->si_value.sival_int;
}

static int end(void) { _exit(0); }

static void child(int pipe_end) {
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGUSR2, &action, 0);
    action.sa_flags |= SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    signal(SIGHUP, SIG_IGN);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42});
    say("queued: %d with %d", handled, info_value);
    handled = 0;
    raise(SIGUSR1);
    say("swallowed: %d", handled);
    raise(SIGUSR1);
    say("exchanged: %d", handled);
    handled = 0;
    raise(SIGHUP);
    say("ignored: %d", handled);
    raise(SIGWINCH);
    char byte;
    ssize_t got = read(pipe_end, &byte, 1);
    say("read %zd after %d", got, handled);
    handled = 0;
    got = read(pipe_end, &byte, 1);
    say("read %zd (%s) after %d", got, error_name(errno), handled);
    *(volatile int *)16 = 1;
    end();
}

static siginfo_t information(pid_t pid) {
    siginfo_t info = {0};
    CHECK(ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0);
    return info;
}

static void expect(const char *what, int status, int signal) {
    say("%s: %s", what, stop_name(status));
    if (!WIFSTOPPED(status) || status >> 8 != signal) exit(9);
}

int main(void) {
    int ends[2];
    must(pipe(ends));
    pid_t pid = fork();
    if (pid == 0) child(ends[0]);
    expect("first", next_stop(pid), SIGSTOP);
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL);

    expect("queued", go_on(PTRACE_CONT, pid, 0), SIGUSR1);
    siginfo_t info = information(pid);
    CHECK(info.si_signo == SIGUSR1 && info.si_code == SI_QUEUE && info.si_pid == pid && info.si_value.sival_int == 42);
    expect("swallowed", go_on(PTRACE_CONT, pid, SIGUSR1), SIGUSR1);
    info = information(pid);
    CHECK(info.si_signo == SIGUSR1 && info.si_code == SI_TKILL && info.si_pid == pid);
    expect("exchanged", go_on(PTRACE_CONT, pid, 0), SIGUSR1);
    expect("ignored", go_on(PTRACE_CONT, pid, SIGUSR2), SIGHUP);
    expect("ignored by default", go_on(PTRACE_CONT, pid, SIGHUP), SIGWINCH);

    // In a call that blocks: one that the handler lets go on, and one that it ends.
    must(ptrace(PTRACE_CONT, pid, 0, SIGWINCH));
    usleep(50000);
    kill(pid, SIGALRM);
    expect("while it reads", next_stop(pid), SIGALRM);
    struct user_regs_struct regs = registers(pid);
    CHECK(regs.orig_eax == SYS_read && regs.eax == -512 && regs.ebx == ends[0] && regs.edx == 1);
    info = information(pid);
    CHECK(info.si_code == SI_USER && info.si_pid == getpid());
    uint64_t mask = 0;
    CHECK(ptrace(PTRACE_GETSIGMASK, pid, 8, &mask) == 0 && mask == 0);
    must(ptrace(PTRACE_CONT, pid, 0, SIGALRM));
    usleep(50000);
    must(write(ends[1], "x", 1));
    usleep(50000);
    kill(pid, SIGUSR1);
    expect("while it reads again", next_stop(pid), SIGUSR1);
    expect("fault", go_on(PTRACE_CONT, pid, SIGUSR1), SIGSEGV);
    info = information(pid);
    CHECK(info.si_signo == SIGSEGV && info.si_code == SEGV_MAPERR && info.si_addr == (void *)16);
    // The instruction is made to be another one.
    regs = registers(pid);
    regs.eip = (long)end;
    set_registers(pid, regs);
    say("last: %s", stop_name(go_on(PTRACE_CONT, pid, 0)));

    pid = fork();
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGTERM);
        _exit(1);
    }
    expect("deadly", next_stop(pid), SIGTERM);
    say("delivered: %s", stop_name(go_on(PTRACE_CONT, pid, SIGTERM)));

    pid = fork();
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        *(volatile int *)16 = 1;
    }
    expect("fault", next_stop(pid), SIGSEGV);
    say("delivered: %s", stop_name(go_on(PTRACE_CONT, pid, SIGSEGV)));
    return finish();
}

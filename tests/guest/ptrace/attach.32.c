// A tracer that comes later: PTRACE_ATTACH, PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_LISTEN, PTRACE_DETACH, of processes that wait and that work.
#include "trace.h"

#include <poll.h>
#include <sys/prctl.h>

static volatile int *shared;

static void expect(const char *what, int status, int code) {
    say("%s: %s", what, stop_name(status));
    if (!WIFSTOPPED(status) || status >> 8 != code) exit(9);
}

static pid_t start(void (*work)(int), int end) {
    pid_t pid = must(fork());
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work(end);
        _exit(0);
    }
    return pid;
}

static void reads(int end) {
    char byte;
    ssize_t got = read(end, &byte, 1);
    _exit(got == 1 ? 11 : 12);
}

// Calls that the kernel ends where a handler runs, and goes on with where none does.
static void waits(int end) {
    struct pollfd poll_end = {.fd = end, .events = POLLIN};
    int ready = poll(&poll_end, 1, 10000);
    _exit(ready == 1 ? 13 : 14);
}

static void works(int end) {
    (void)end;
    for (;;) {
        ++*shared;
        if (shared[1]) _exit(15);
    }
}

static void calls(int end) {
    (void)end;
    while (!shared[1]) getppid();
    _exit(16);
}

static void release(int end) { must(write(end, "x", 1)); }

static void set_shared(int end) { (void)end, shared[1] = 1; }

// What a stopped function call leaves behind is to be put back, as a debugger does.
static volatile int called;
static void function(void) {
    called = 1;
    __asm__ volatile("int3");
    _exit(20);
}

static void attach(const char *name, void (*work)(int), void (*finish_it)(int)) {
    int ends[2];
    must(pipe(ends));
    *shared = shared[1] = 0;
    say("%s", name);
    pid_t pid = start(work, ends[0]);
    usleep(30000);
    must(ptrace(PTRACE_ATTACH, pid, 0, 0));
    expect("attached", next_stop(pid), SIGSTOP);
    struct user_regs_struct regs = registers(pid);
    CHECK((regs.xcs & 0xffff) == 0x23);
    int status = 0;
    equal("nothing more", waitpid(pid, &status, WNOHANG | __WALL), 0);
    must(ptrace(PTRACE_DETACH, pid, 0, 0));
    usleep(30000);

    must(ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACESYSGOOD));
    equal("seized, and going on", waitpid(pid, &status, WNOHANG | __WALL), 0);
    must(ptrace(PTRACE_INTERRUPT, pid, 0, 0));
    expect("interrupted", next_stop(pid), SIGTRAP | PTRACE_EVENT_STOP << 8);
    regs = registers(pid);
    if (work == reads) {
        CHECK(regs.orig_eax == SYS_read && regs.eax == -512 && regs.ebx == ends[0]);
        struct user_regs_struct changed = regs;
        changed.eip = (long)function;
        changed.orig_eax = -1;
        changed.esp = (changed.esp - 256) & ~15;
        set_registers(pid, changed);
        expect("a function", go_on(PTRACE_CONT, pid, 0), SIGTRAP);
        CHECK(ptrace(PTRACE_PEEKDATA, pid, &called, 0) == 1);
        set_registers(pid, regs);
    }
    if (work == waits) CHECK(regs.eax == -516);
    must(ptrace(PTRACE_CONT, pid, 0, 0));
    usleep(30000);
    kill(pid, SIGSTOP);
    expect("a signal that stops", next_stop(pid), SIGSTOP);
    expect("stopped", go_on(PTRACE_CONT, pid, SIGSTOP), SIGSTOP | PTRACE_EVENT_STOP << 8);
    must(ptrace(PTRACE_LISTEN, pid, 0, 0));
    kill(pid, SIGCONT);
    expect("no longer", next_stop(pid), SIGTRAP | PTRACE_EVENT_STOP << 8);
    expect("the signal", go_on(PTRACE_CONT, pid, 0), SIGCONT);
    must(ptrace(PTRACE_CONT, pid, 0, SIGCONT));
    usleep(30000);
    finish_it(ends[1]);
    say("last: %s", stop_name(next_stop(pid)));
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    shared = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    attach("in read", reads, release);
    attach("in poll", waits, release);
    attach("at work", works, set_shared);
    attach("with calls", calls, set_shared);
    fails("itself", ptrace(PTRACE_ATTACH, getpid(), 0, 0), EPERM);
    fails("nobody", ptrace(PTRACE_ATTACH, 0x3fffffff, 0, 0), ESRCH);
    fails("no child of its", ptrace(PTRACE_CONT, getppid(), 0, 0), ESRCH);
    fails("unknown option", ptrace(PTRACE_SEIZE, getppid(), 0, 0x40000000), EIO);
    return finish();
}

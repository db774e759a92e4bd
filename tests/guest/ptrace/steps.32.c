// Single steps, breakpoints and watchpoints: over plain instructions, into a function, over system calls of both kinds, into a handler.
#include "trace.h"


static volatile int word;

static void handler(int signal) { (void)signal; }

// A breakpoint, steps over instructions and over int $0x80, and a trap of its own.
__asm__(".text\n.globl walk, walk_call, walk_after, walk_end\n"
        "walk: pushl %ebx\n"
        "movl $1, %eax\n"
        "incl %eax\n"
        "movl $64, %eax\n"
        "walk_call: int $0x80\n"
        "walk_after: nop\n"
        "nop\n"
        "popl %ebx\n"
        "walk_end: ret\n");
void walk(void);
extern char walk_call[], walk_after[], walk_end[];

static void child(void) {
    signal(SIGUSR1, handler);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    walk();
    __asm__ volatile("int3");
    getuid();
    word = 77;
    raise(SIGUSR1);
    _exit(5);
}

static void expect(const char *what, int status, int signal) {
    say("%s: %s", what, stop_name(status));
    if (!WIFSTOPPED(status) || status >> 8 != signal) exit(9);
}

int main(void) {
    pid_t pid = fork();
    if (pid == 0) child();
    expect("first", next_stop(pid), SIGSTOP);
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL);

    long before = ptrace(PTRACE_PEEKTEXT, pid, walk, 0);
    must(ptrace(PTRACE_POKETEXT, pid, walk, (before & ~0xff) | 0xcc));
    expect("breakpoint", go_on(PTRACE_CONT, pid, 0), SIGTRAP);
    siginfo_t info;
    CHECK(ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0 && info.si_signo == SIGTRAP && info.si_code == SI_KERNEL);
    struct user_regs_struct regs = registers(pid);
    CHECK(regs.eip == (long)walk + 1 && regs.orig_eax == -1);
    regs.eip--;
    set_registers(pid, regs);
    must(ptrace(PTRACE_POKETEXT, pid, walk, before));
    int steps = 0;
    while (registers(pid).eip != (long)walk_call && steps < 10) {
        expect("step", go_on(PTRACE_SINGLESTEP, pid, 0), SIGTRAP);
        steps++;
    }
    say("steps to the call %d", steps);
    CHECK(ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0 && info.si_code == TRAP_TRACE);
    CHECK((registers(pid).eflags & 0x100) == 0);
    expect("over the call", go_on(PTRACE_SINGLESTEP, pid, 0), SIGTRAP);
    regs = registers(pid);
    CHECK(regs.eip == (long)walk_after && regs.eax == getpid());
    expect("after it", go_on(PTRACE_SINGLESTEP, pid, 0), SIGTRAP);
    CHECK(registers(pid).eip == (long)walk_after + 1);

    expect("a trap of its own", go_on(PTRACE_CONT, pid, 0), SIGTRAP);

    // Until the process writes the word.
    CHECK(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[0]), &word) == 0);
    CHECK(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 0xd0101) == 0);
    CHECK(ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, u_debugreg[0]), 0) == (long)&word);
    expect("watched", go_on(PTRACE_CONT, pid, 0), SIGTRAP);
    CHECK(ptrace(PTRACE_PEEKDATA, pid, &word, 0) == 77);
    CHECK(ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, u_debugreg[6]), 0) & 1);
    CHECK(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 0) == 0);

    expect("a signal", go_on(PTRACE_CONT, pid, 0), SIGUSR1);
    expect("a step into its handler", go_on(PTRACE_SINGLESTEP, pid, SIGUSR1), SIGTRAP);
    CHECK(registers(pid).eip == (long)handler);
    say("last: %s", stop_name(go_on(PTRACE_CONT, pid, 0)));
    fails("no such word", ptrace(PTRACE_PEEKUSER, getppid(), 2, 0), ESRCH);
    return finish();
}

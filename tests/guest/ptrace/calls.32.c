// System calls as a tracer sees them: PTRACE_TRACEME, PTRACE_SYSCALL, arguments and results, changed ones, and none at all.
#include "trace.h"

enum { MARK = 0x1234567 };

static char text[] = "written by the tracee\n";
static char other[] = "and this by its tracer\n";

static void child(void) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    raw_call(SYS_getppid, MARK, 2, 3);
    raw_call(SYS_write, 1, (long)text, sizeof text - 1);
    long skipped = raw_call(SYS_close, 1, 0, 0);
    long failed = raw_call(SYS_close, -1, 0, 0);
    long changed = raw_call(SYS_getpgid, 0, 0, 0);
    _exit(skipped == 77 && failed == -EBADF && changed == 99 ? 7 : 8);
}

// To the next call with this number, and there to its entry.
static int entry_of(pid_t pid, long number, struct user_regs_struct *regs) {
    for (;;) {
        int status = go_on(PTRACE_SYSCALL, pid, 0);
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) {
            say("FAIL before call %ld: %s", number, stop_name(status));
            exit(9);
        }
        *regs = registers(pid);
        if (regs->orig_eax == number) return status;
        status = go_on(PTRACE_SYSCALL, pid, 0);
    }
}

static struct user_regs_struct exit_of(pid_t pid) {
    int status = go_on(PTRACE_SYSCALL, pid, 0);
    CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == (SIGTRAP | 0x80));
    return registers(pid);
}

int main(void) {
    pid_t pid = fork();
    if (pid == 0) child();
    int status = next_stop(pid);
    say("first: %s", stop_name(status));
    CHECK(ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0);

    struct user_regs_struct regs;
    entry_of(pid, SYS_getppid, &regs);
    CHECK(regs.eax == -ENOSYS && regs.ebx == MARK && regs.ecx == 2 && regs.edx == 3);
    CHECK((regs.xcs & 0xffff) == 0x23 && (regs.xss & 0xffff) == 0x2b);
    unsigned long message = 0;
    ptrace(PTRACE_GETEVENTMSG, pid, 0, &message);
    say("message at entry %lu", message);
    siginfo_t info;
    CHECK(ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0 && info.si_signo == SIGTRAP && info.si_code == (SIGTRAP | 0x80));
    long word = ptrace(PTRACE_PEEKTEXT, pid, regs.eip - 2, 0);
    CHECK((word & 0xffff) == 0x80cd);
    struct user_regs_struct after = exit_of(pid);
    CHECK(after.eax == getpid() && after.orig_eax == SYS_getppid && after.eip == regs.eip && after.esp == regs.esp);
    CHECK(after.ebx == MARK && after.ecx == 2 && after.edx == 3 && after.esi == regs.esi && after.ebp == regs.ebp);
    CHECK(ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, regs.eax), 0) == getpid());

    entry_of(pid, SYS_write, &regs);
    CHECK(regs.ecx == (long)text && regs.edx == sizeof text - 1);
    errno = 0;
    CHECK(ptrace(PTRACE_PEEKDATA, pid, text, 0) == 0x74697277 && errno == 0);
    // From an odd address, and to the end of a page.
    CHECK(ptrace(PTRACE_PEEKDATA, pid, text + 1, 0) == 0x74746972);
    regs.ecx = (long)other;
    regs.edx = sizeof other - 1;
    set_registers(pid, regs);
    after = exit_of(pid);
    CHECK(after.eax == sizeof other - 1);

    entry_of(pid, SYS_close, &regs);
    regs.orig_eax = -1;
    regs.eax = 77;
    set_registers(pid, regs);
    after = exit_of(pid);
    CHECK(after.eax == 77);

    entry_of(pid, SYS_close, &regs);
    after = exit_of(pid);
    CHECK(after.eax == -EBADF);

    entry_of(pid, SYS_getpgid, &regs);
    after = exit_of(pid);
    CHECK(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.eax), 99) == 0);

    entry_of(pid, SYS_exit_group, &regs);
    say("status %ld", regs.ebx);
    status = go_on(PTRACE_SYSCALL, pid, 0);
    say("last: %s", stop_name(status));

    errno = 0;
    fails("a tracee that has ended", ptrace(PTRACE_PEEKDATA, pid, text, 0), ESRCH);
    return finish();
}

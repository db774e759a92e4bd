// What follows a tracee: fork, vfork, clone, exec and exit, as events and without; children that are attached from the beginning.
#include "trace.h"

#include <pthread.h>

static void expect(const char *what, int status, int code) {
    say("%s: %s", what, stop_name(status));
    if (!WIFSTOPPED(status) || status >> 8 != code) exit(9);
}

static unsigned long message(pid_t pid) {
    unsigned long value = 0;
    CHECK(ptrace(PTRACE_GETEVENTMSG, pid, 0, &value) == 0);
    return value;
}

static int thread_body(void *argument) {
    (void)argument;
    syscall(SYS_exit, 0);
    return 0;
}

static char stack[65536];

static void child(const char *self) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    pid_t pid = syscall(SYS_fork);
    if (pid == 0) _exit(3);
    waitpid(pid, 0, 0);
    pid = vfork();
    if (pid == 0) _exit(4);
    waitpid(pid, 0, 0);
    clone(thread_body, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, 0);
    // By itself it goes on at once, and might end the process first.
    usleep(50000);
    execl(self, self, "after", (char *)0);
    _exit(98);
}

static void new_child(const char *what, pid_t parent, int event, int status, int seized) {
    expect(what, status, SIGTRAP | event << 8);
    pid_t pid = message(parent);
    CHECK(pid > 0);
    struct user_regs_struct regs = registers(parent);
    CHECK(regs.orig_eax == SYS_fork || regs.orig_eax == SYS_vfork || regs.orig_eax == SYS_clone);
    CHECK(regs.eax == -ENOSYS);
    expect("the child", next_stop(pid), seized ? SIGTRAP | PTRACE_EVENT_STOP << 8 : SIGSTOP);
    regs = registers(pid);
    CHECK(regs.eax == 0);
    must(ptrace(PTRACE_CONT, parent, 0, 0));
    expect("it ends", go_on(PTRACE_CONT, pid, 0), SIGTRAP | PTRACE_EVENT_EXIT << 8);
    say("with %#lx", message(pid));
    say("it has ended: %s", stop_name(go_on(PTRACE_CONT, pid, 0)));
}

static void follow(const char *self, int seized) {
    const int options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT |
                        PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACESYSGOOD;
    pid_t pid = must(fork());
    if (pid == 0) {
        if (!seized) child(self);
        raise(SIGSTOP);
        child(self);
    }
    if (seized) {
        int status;
        must(waitpid(pid, &status, WUNTRACED));
        must(ptrace(PTRACE_SEIZE, pid, 0, options));
        expect("seized while it is stopped", next_stop(pid), SIGSTOP | PTRACE_EVENT_STOP << 8);
        must(ptrace(PTRACE_LISTEN, pid, 0, 0));
        kill(pid, SIGCONT);
        int code = next_stop(pid);
        if (code >> 8 == (SIGTRAP | PTRACE_EVENT_STOP << 8)) code = go_on(PTRACE_CONT, pid, 0);
        expect("goes on", code, SIGCONT);
        expect("and stops", go_on(PTRACE_CONT, pid, SIGCONT), SIGSTOP);
    } else {
        expect("first", next_stop(pid), SIGSTOP);
        must(ptrace(PTRACE_SETOPTIONS, pid, 0, options));
    }
    new_child("fork", pid, PTRACE_EVENT_FORK, go_on(PTRACE_CONT, pid, 0), seized);
    int status = next_stop(pid);
    if (WSTOPSIG(status) == SIGCHLD) status = go_on(PTRACE_CONT, pid, SIGCHLD);
    new_child("vfork", pid, PTRACE_EVENT_VFORK, status, seized);
    expect("vfork is done", next_stop(pid), SIGTRAP | PTRACE_EVENT_VFORK_DONE << 8);
    status = go_on(PTRACE_CONT, pid, 0);
    if (WSTOPSIG(status) == SIGCHLD) status = go_on(PTRACE_CONT, pid, SIGCHLD);
    new_child("thread", pid, PTRACE_EVENT_CLONE, status, seized);
    expect("exec", next_stop(pid), SIGTRAP | PTRACE_EVENT_EXEC << 8);
    CHECK(message(pid) == (unsigned long)pid);
    struct user_regs_struct regs = registers(pid);
    CHECK(regs.eax == -ENOSYS && regs.orig_eax == SYS_execve && regs.ebx == 0 && (regs.xcs & 0xffff) == 0x23);
    // The new program, before its first instruction: its arguments.
    CHECK(ptrace(PTRACE_PEEKDATA, pid, regs.esp, 0) == 2);
    expect("the end of the call", go_on(PTRACE_SYSCALL, pid, 0), SIGTRAP | 0x80);
    regs = registers(pid);
    CHECK(regs.eax == 0 && regs.orig_eax == SYS_execve);
    expect("the next call", go_on(PTRACE_SYSCALL, pid, 0), SIGTRAP | 0x80);
    CHECK(registers(pid).eax == -ENOSYS);
    expect("its end", go_on(PTRACE_CONT, pid, 0), SIGTRAP | PTRACE_EVENT_EXIT << 8);
    say("with %#lx", message(pid));
    say("last: %s", stop_name(go_on(PTRACE_CONT, pid, 0)));
}

int main(int argc, char **argv) {
    if (argc > 1) return 6;
    follow(argv[0], 0);
    follow(argv[0], 1);

    // Without options: a signal in place of the event.
    pid_t pid = must(fork());
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execl(argv[0], argv[0], "after", (char *)0);
        _exit(98);
    }
    expect("exec", next_stop(pid), SIGTRAP);
    siginfo_t info;
    CHECK(ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0 && info.si_code == SI_USER && info.si_pid == pid);
    CHECK(ptrace(PTRACE_PEEKDATA, pid, registers(pid).esp, 0) == 2);
    expect("a step", go_on(PTRACE_SINGLESTEP, pid, 0), SIGTRAP);
    say("last: %s", stop_name(go_on(PTRACE_CONT, pid, 0)));

    // By waitid(2), looked at twice.
    pid = must(fork());
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGUSR1);
        _exit(7);
    }
    memset(&info, 0, sizeof info);
    must(waitid(P_PID, pid, &info, WSTOPPED | WEXITED | WNOWAIT));
    CHECK(info.si_code == CLD_TRAPPED && info.si_status == SIGUSR1 && info.si_pid == pid);
    must(waitid(P_PID, pid, &info, WSTOPPED | WEXITED));
    CHECK(info.si_code == CLD_TRAPPED && info.si_status == SIGUSR1);
    must(ptrace(PTRACE_KILL, pid, 0, 0));
    must(waitid(P_PID, pid, &info, WSTOPPED | WEXITED));
    CHECK(info.si_code == CLD_KILLED && info.si_status == SIGKILL);
    return finish();
}

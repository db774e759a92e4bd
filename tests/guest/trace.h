// What the tests of ptrace(2) share: registers of i386, and waiting for a tracee's next stop.
#ifndef TRACE_H
#define TRACE_H

#include "expect.h"

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#define CHECK(condition) check(#condition, condition)

#ifndef __i386__
#error "the registers are those of i386"
#endif

// What wait4(2) says, in words.
__attribute__((unused)) static const char *stop_name(int status) {
    static char text[64];
    if (WIFEXITED(status)) snprintf(text, sizeof text, "exited %d", WEXITSTATUS(status));
    else if (WIFSIGNALED(status)) snprintf(text, sizeof text, "killed by %d", WTERMSIG(status));
    else snprintf(text, sizeof text, "stopped by %#x, event %d", WSTOPSIG(status), status >> 16);
    return text;
}

// The next stop of a tracee; -1 where there is none.
__attribute__((unused)) static int next_stop(pid_t pid) {
    int status;
    return waitpid(pid, &status, __WALL) == pid ? status : -1;
}

__attribute__((unused)) static struct user_regs_struct registers(pid_t pid) {
    struct user_regs_struct regs = {0};
    if (ptrace(PTRACE_GETREGS, pid, 0, &regs) != 0) say("FAIL PTRACE_GETREGS: %s", error_name(errno)), expect_failures++;
    return regs;
}

__attribute__((unused)) static void set_registers(pid_t pid, struct user_regs_struct regs) {
    if (ptrace(PTRACE_SETREGS, pid, 0, &regs) != 0) say("FAIL PTRACE_SETREGS: %s", error_name(errno)), expect_failures++;
}

// Lets the tracee go on and returns its next stop.
__attribute__((unused)) static int go_on(int request, pid_t pid, long signal) {
    if (ptrace(request, pid, 0, signal) != 0) {
        say("FAIL to go on: %s", error_name(errno)), expect_failures++;
        return -1;
    }
    return next_stop(pid);
}

// The system call `number` by int $0x80, where what it gets and leaves is known.
__attribute__((unused)) static long raw_call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

#endif

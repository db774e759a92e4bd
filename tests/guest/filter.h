// Filters of system calls, seccomp(2), in as many words as they need.
#ifndef FILTER_H
#define FILTER_H

#include "expect.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (n))
#define ARGUMENT_HIGH(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (n) + 4)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
// Goes on with the next instruction if A is `value`, else passes over `over`.
#define UNLESS(value, over) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, over)
// The call with this number gets `action`; A has the number.
#define ON(number, action) UNLESS(number, 1), RETURN(action)
#define ERROR(errno) (SECCOMP_RET_ERRNO | (errno))

// Installs the instructions as a filter: what seccomp(2) returns.
#define install(flags, ...) \
    ({ struct sock_filter filter_code[] = {__VA_ARGS__}; \
       struct sock_fprog filter_program = {sizeof filter_code / sizeof *filter_code, filter_code}; \
       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter_program); })

// Whether there are filters here at all: a kernel may be without, and a container may forbid them.
__attribute__((unused)) static int filters_exist(void) {
    unsigned action = SECCOMP_RET_ALLOW;
    if (!syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action)) return 1;
    say("skipped: seccomp(2): %s", error_name(errno));
    return 0;
}

// The end of a child that does this.
#define child_end(...) \
    ({ pid_t filter_child = must(fork()); \
       if (!filter_child) { __VA_ARGS__; _exit(0); } \
       end_of(filter_child); })

#endif

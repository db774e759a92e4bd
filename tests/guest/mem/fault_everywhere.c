// EFAULT from one call of each kind; none may kill the program.
//# libc: static
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include "expect.h"

#define nowhere(name, ...) fails(name, syscall(__VA_ARGS__), EFAULT)

int main(void) {
    void *bad = forbidden(), *high = (void *)(uintptr_t)0xfffff000u, *null = 0;
    int p[2], s[2];
    must(pipe(p));
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
    void *places[] = {bad, high, null};
    for (int i = 0; i < 3; i++) {
        void *at = places[i];
        nowhere("uname", SYS_uname, at);
        nowhere("sysinfo", SYS_sysinfo, at);
        nowhere("getrandom", SYS_getrandom, at, 16, 0);
        nowhere("pipe", SYS_pipe2, at, 0);
        nowhere("getrlimit", SYS_prlimit64, 0, RLIMIT_NOFILE, 0, at ? at : bad);
        nowhere("clock_gettime", SYS_clock_gettime, CLOCK_REALTIME, at);
        nowhere("sched_getaffinity", SYS_sched_getaffinity, 0, 128, at);
        nowhere("rt_sigaction", SYS_rt_sigaction, SIGUSR1, 0, at ? at : bad, 8);
        nowhere("rt_sigpending", SYS_rt_sigpending, at, 8);
        nowhere("rt_sigsuspend", SYS_rt_sigsuspend, at, 8);
        nowhere("nanosleep", SYS_nanosleep, at, 0);
        nowhere("poll", SYS_poll, at, 1, 0);
        nowhere("writev", SYS_writev, p[1], at, 1);
        nowhere("write", SYS_write, p[1], at, 1);
        nowhere("execve", SYS_execve, at, 0, 0);
        nowhere("chdir", SYS_chdir, at);
        nowhere("mkdir", SYS_mkdir, at, 0700);
        nowhere("rename", SYS_rename, "x", at);
        nowhere("unlink", SYS_unlink, at);
        nowhere("sendmsg", SYS_sendmsg, s[0], at, 0);
        nowhere("recvmsg", SYS_recvmsg, s[0], at, MSG_DONTWAIT);
        nowhere("getsockname", SYS_getsockname, s[0], at, at);
        nowhere("setsockopt", SYS_setsockopt, s[0], SOL_SOCKET, SO_RCVBUF, at, 4);
        nowhere("timer_create", SYS_timer_create, CLOCK_REALTIME, 0, at);
        nowhere("getresuid", SYS_getresuid, at, at, at);
        nowhere("prctl name", SYS_prctl, 16, at, 0, 0, 0);
    }
    return finish();
}

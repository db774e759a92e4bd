// wait4, waitid, waitpid: statuses, options, rusage, errors.
//# libc: static time64
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    int status;
    struct rusage usage;
    siginfo_t info;
    fails("no children", waitpid(-1, &status, 0), ECHILD);
    fails("not a child", waitpid(1, &status, 0), ECHILD);
    fails("options", waitpid(-1, &status, 0x100), EINVAL);
    fails("waitid without what", waitid(P_ALL, 0, &info, 0), EINVAL);
    int go[2];
    must(pipe(go));
    pid_t child = must(fork());
    if (!child) {
        must(read(go[0], &status, 1));
        for (volatile long i = 0; i < 30000000; i++) {}
        // The kernel counts pages per processor, and a few of them as none.
        memset(must(mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)), 1, 1 << 20);
        _exit(3);
    }
    equal("not yet", waitpid(child, &status, WNOHANG), 0);
    equal("waitid, not yet", waitid(P_PID, child, &info, WEXITED | WNOHANG), 0);
    equal("says so", info.si_pid, 0);
    must(write(go[1], "x", 1));
    equal("WNOWAIT", waitid(P_PID, child, &info, WEXITED | WNOWAIT), 0);
    check("siginfo", info.si_pid == child && info.si_status == 3 && info.si_code == CLD_EXITED && info.si_signo == SIGCHLD);
    memset(&usage, 0xff, sizeof usage);
    equal("wait4", wait4(child, &status, 0, &usage), child);
    check("status", WIFEXITED(status) && WEXITSTATUS(status) == 3);
    check("time was used", usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec > 1000 && usage.ru_utime.tv_usec < 1000000);
    check("other fields", usage.ru_maxrss > 0 && usage.ru_nsignals == 0 && usage.ru_minflt > 0);
    must(getrusage(RUSAGE_CHILDREN, &usage));
    check("counted for the children", usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec > 1000);
    child = must(fork());
    if (!child) { setpgid(0, 0); for (;;) pause(); }
    setpgid(child, child);
    must(kill(child, SIGSTOP));
    equal("stopped", waitid(P_PGID, child, &info, WSTOPPED), 0);
    check("siginfo", info.si_code == CLD_STOPPED && info.si_status == SIGSTOP);
    must(kill(child, SIGCONT));
    equal("continued", waitid(P_PID, child, &info, WCONTINUED), 0);
    equal("code", info.si_code, CLD_CONTINUED);
    must(kill(child, SIGTERM));
    equal("by group", waitpid(-child, &status, 0), child);
    check("killed", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    if (!(child = must(fork()))) _exit(4);
    fails("status nowhere", syscall(SYS_wait4, child, forbidden(), 0, 0), EFAULT);
    fails("but it is reaped", waitpid(child, &status, 0), ECHILD);
    if (!(child = must(fork()))) _exit(4);
    fails("siginfo nowhere", syscall(SYS_waitid, P_PID, child, forbidden(), WEXITED, 0), EFAULT);
    signal(SIGCHLD, SIG_IGN);
    if (!(child = must(fork()))) _exit(4);
    fails("ignored children leave nothing", waitpid(child, &status, 0), ECHILD);
    return finish();
}

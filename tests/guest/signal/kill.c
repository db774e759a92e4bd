// kill, tkill, tgkill, sigqueue: whom, what and whether.
#include "expect.h"

int main(void) {
    succeeds("signal 0", kill(getpid(), 0));
    fails("a signal that is none", kill(getpid(), 65), EINVAL);
    fails("negative", kill(getpid(), -1), EINVAL);
    fails("nobody", kill(0x3ffffffe, 0), ESRCH);
    fails("tkill nobody", syscall(SYS_tkill, 0x3ffffffe, 0), ESRCH);
    fails("tkill 0", syscall(SYS_tkill, 0, 0), EINVAL);
    succeeds("tgkill", syscall(SYS_tgkill, getpid(), getpid(), 0));
    fails("tgkill wrong group", syscall(SYS_tgkill, 1, getpid(), 0), ESRCH);
    pid_t child = must(fork());
    if (!child) for (;;) pause();
    must(kill(child, SIGSTOP));
    int status;
    equal("stopped", waitpid(child, &status, WUNTRACED), child);
    check("status", WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
    must(kill(child, SIGCONT));
    equal("continued", waitpid(child, &status, WCONTINUED), child);
    check("status", WIFCONTINUED(status));
    must(kill(child, SIGUSR2));
    equal("ended", end_of(child), 1000 + SIGUSR2);
    fails("gone", kill(child, 0), ESRCH);
    if (!(child = must(fork()))) {
        must(setpgid(0, 0));
        if (fork() == 0) for (;;) pause();
        for (;;) pause();
    }
    while (kill(-child, 0) < 0) pause_for(1);
    must(kill(-child, SIGTERM));
    equal("a group", end_of(child), 1000 + SIGTERM);
    int fd = syscall(434 /* pidfd_open */, getpid(), 0);
    check("pidfd_open", fd >= 0);
    succeeds("pidfd_send_signal", syscall(424, fd, 0, 0, 0));
    signal(SIGUSR1, SIG_IGN);
    siginfo_t info = {.si_signo = SIGUSR1, .si_code = SI_QUEUE};
    succeeds("pidfd_send_signal with siginfo", syscall(424, fd, SIGUSR1, &info, 0));
    info.si_signo = SIGUSR2;
    fails("another signal in it", syscall(424, fd, SIGUSR1, &info, 0), EINVAL);
    return finish();
}

// Process groups, sessions, parents and orphans.
#include <sys/prctl.h>
#include "expect.h"

int main(void) {
    equal("our group", getpgrp(), getpgid(0));
    equal("our session", getsid(0), getsid(getpid()));
    fails("setsid of a group leader", (setpgid(0, 0), setsid()), EPERM);
    pid_t child = must(fork());
    if (!child) {
        equal("child: setsid", setsid(), getpid());
        equal("child: group", getpgrp(), getpid());
        equal("child: session", getsid(0), getpid());
        fails("child: setpgid of a leader", setpgid(0, getppid()), EPERM);
        _exit(finish());
    }
    equal("child", end_of(child), 0);
    fails("setpgid of nobody", setpgid(0x3ffffffe, 0), ESRCH);
    fails("setpgid negative", setpgid(0, -5), EINVAL);
    fails("getsid of nobody", getsid(0x3ffffffe), ESRCH);
    // We become the parent of orphans, so that they are not the machine's.
    must(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    int p[2];
    must(pipe(p));
    if (!(child = must(fork()))) {
        if (!must(fork())) {
            pid_t parent = getppid();
            char c;
            must(write(p[1], "x", 1));
            while (getppid() == parent) pause_for(1);
            (void)c;
            _exit(44);
        }
        char c;
        must(read(p[0], &c, 1));
        _exit(0);
    }
    equal("the one between", end_of(child), 0);
    int status;
    check("the orphan is ours", wait(&status) > 0 && WEXITSTATUS(status) == 44);
    if (!(child = must(fork()))) {
        must(prctl(PR_SET_PDEATHSIG, SIGUSR2, 0, 0, 0));
        int got = 0;
        must(prctl(PR_GET_PDEATHSIG, &got, 0, 0, 0));
        _exit(got == SIGUSR2 ? 0 : 1);
    }
    equal("parent's death signal", end_of(child), 0);
    return finish();
}

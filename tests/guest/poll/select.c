// select: sets, timeouts written back, interruption, errors.
//# libc: static dynamic time64
#include <sys/select.h>
#include "expect.h"

static void nothing(int signal, siginfo_t *info, void *context) {}

int main(void) {
    int p[2], far;
    must(pipe(p));
    far = must(dup2(p[0], 1000));
    fd_set in, out;
    struct timeval t = {30, 0};
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(p[0], &in);
    FD_SET(far, &in);
    FD_SET(p[1], &out);
    equal("writable", select(far + 1, &in, &out, 0, &t), 1);
    check("sets", !FD_ISSET(p[0], &in) && !FD_ISSET(far, &in) && FD_ISSET(p[1], &out));
    check("the rest of the time is written back", t.tv_sec < 30 && (t.tv_sec || t.tv_usec));
    FD_SET(p[0], &in);
    t = (struct timeval){0, 25000};
    long start = milliseconds();
    equal("timeout", select(p[0] + 1, &in, 0, 0, &t), 0);
    check("took its time", milliseconds() - start >= 20);
    check("nothing left", t.tv_sec == 0 && t.tv_usec == 0 && !FD_ISSET(p[0], &in));
    must(write(p[1], "x", 1));
    FD_SET(p[0], &in);
    FD_SET(far, &in);
    equal("readable twice", select(far + 1, &in, 0, 0, 0), 2);
    check("sets", FD_ISSET(p[0], &in) && FD_ISSET(far, &in));
    FD_ZERO(&in);
    FD_SET(77, &in);
    fails("not open", select(78, &in, 0, 0, 0), EBADF);
    fails("negative count", select(-1, 0, 0, 0, 0), EINVAL);
    t = (struct timeval){-1, 0};
    fails("negative time", select(0, 0, 0, 0, &t), EINVAL);
    fails("set nowhere", syscall(SYS_pselect6, 5, forbidden(), 0, 0, 0, 0), EFAULT);

    on_signal(SIGALRM, nothing, SA_RESTART);
    char byte;
    must(read(p[0], &byte, 1));
    ualarm(20000, 0);
    t = (struct timeval){5, 0};
    FD_ZERO(&in);
    FD_SET(p[0], &in);
    fails("a signal interrupts, SA_RESTART or not", select(p[0] + 1, &in, 0, 0, &t), EINTR);
    check("the set is as it was", FD_ISSET(p[0], &in));
    check("time is left", t.tv_sec < 5 && (t.tv_sec || t.tv_usec));
    return finish();
}

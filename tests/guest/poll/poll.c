// poll and ppoll.
//# libc: static dynamic musl time64
#include <poll.h>
#include "expect.h"

static volatile int signals;
static void count(int signal, siginfo_t *info, void *context) { signals++; }

int main(void) {
    int p[2];
    must(pipe(p));
    struct pollfd f[4] = {{p[0], POLLIN, 99}, {p[1], POLLOUT, 99}, {-1, POLLIN, 99}, {888, POLLIN, 99}};
    equal("poll", poll(f, 4, 0), 2);
    check("results", f[0].revents == 0 && f[1].revents == POLLOUT && f[2].revents == 0 && f[3].revents == POLLNVAL);
    long start = milliseconds();
    equal("timeout", poll(f, 1, 25), 0);
    check("took its time", milliseconds() - start >= 24);
    equal("nothing to wait for", poll(0, 0, 1), 0);
    must(write(p[1], "x", 1));
    equal("readable, forever", poll(f, 1, -1), 1);
    must(close(p[1]));
    equal("hang up", poll(f, 1, -1), 1);
    equal("bits", f[0].revents, POLLIN | POLLHUP);
    fails("array nowhere", poll(forbidden(), 1, 0), EFAULT);
    fails("too many", poll(f, 1 << 20, 0), EINVAL);

    must(pipe(p));
    f[0].fd = p[0];
    on_signal(SIGALRM, count, SA_RESTART);
    ualarm(20000, 0);
    fails("interrupted", poll(f, 1, 5000), EINTR);
    sigset_t alarm_set, none;
    sigemptyset(&none);
    sigemptyset(&alarm_set);
    sigaddset(&alarm_set, SIGALRM);
    must(sigprocmask(SIG_BLOCK, &alarm_set, 0));
    must(raise(SIGALRM));
    struct timespec t = {5, 0};
    fails("ppoll lets it in", ppoll(f, 1, &t, &none), EINTR);
    equal("handled", signals, 2);
    equal("blocked again", (raise(SIGALRM), signals), 2);
    t = (struct timespec){0, 15000000};
    equal("ppoll keeps it out", ppoll(f, 1, &t, &alarm_set), 0);
    t = (struct timespec){0, -1};
    fails("negative nanoseconds", ppoll(f, 1, &t, 0), EINVAL);
    fails("time nowhere", syscall(SYS_ppoll, f, 1, forbidden(), 0, 8), EFAULT);
    return finish();
}

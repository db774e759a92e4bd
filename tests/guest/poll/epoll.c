// epoll: data survives in all its 64 bits, edge and level, one shot, nesting, masks, timeouts.
//# libc: static dynamic musl
#include <sys/epoll.h>
#include "expect.h"

static volatile int signals;
static void count(int signal, siginfo_t *info, void *context) { signals++; }

int main(void) {
    int p[2], ep = must(epoll_create1(EPOLL_CLOEXEC));
    must(pipe(p));
    struct epoll_event e[4], a = {EPOLLIN, {.u64 = 0x123456789abcdef0}};
    equal("size", sizeof a, 12);
    succeeds("add", epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &a));
    fails("add again", epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &a), EEXIST);
    equal("nothing yet", epoll_wait(ep, e, 4, 0), 0);
    must(write(p[1], "ab", 2));
    a = (struct epoll_event){EPOLLOUT, {.u32 = 7}};
    must(epoll_ctl(ep, EPOLL_CTL_ADD, p[1], &a));
    equal("two", epoll_wait(ep, e, 4, -1), 2);
    int first = e[0].events == EPOLLIN ? 0 : 1;
    check("data", e[first].data.u64 == 0x123456789abcdef0 && e[!first].data.u32 == 7 && e[!first].events == EPOLLOUT);
    equal("one at a time", epoll_wait(ep, e, 1, -1), 1);
    must(epoll_ctl(ep, EPOLL_CTL_DEL, p[1], 0));
    a = (struct epoll_event){EPOLLIN | EPOLLET, {.fd = 5}};
    must(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &a));
    equal("edge, once", epoll_wait(ep, e, 4, 0), 1);
    equal("edge, not twice", epoll_wait(ep, e, 4, 0), 0);
    a.events = EPOLLIN | EPOLLONESHOT;
    must(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &a));
    equal("one shot", epoll_wait(ep, e, 4, 0), 1);
    equal("is over", epoll_wait(ep, e, 4, 10), 0);
    int outer = must(epoll_create(1));
    a.events = EPOLLIN;
    must(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &a));
    must(epoll_ctl(outer, EPOLL_CTL_ADD, ep, &a));
    equal("nested", epoll_wait(outer, e, 4, 0), 1);
    fails("a loop", epoll_ctl(ep, EPOLL_CTL_ADD, outer, &a), ELOOP);
    fails("itself", epoll_ctl(ep, EPOLL_CTL_ADD, ep, &a), EINVAL);
    fails("a plain file", epoll_ctl(ep, EPOLL_CTL_ADD, file_of("x"), &a), EPERM);
    fails("absent", epoll_ctl(ep, EPOLL_CTL_DEL, 777, 0), EBADF);
    fails("not there", epoll_ctl(ep, EPOLL_CTL_MOD, p[1], &a), ENOENT);
    fails("event nowhere", epoll_ctl(ep, EPOLL_CTL_ADD, p[1], forbidden()), EFAULT);
    fails("events nowhere", epoll_wait(ep, forbidden(), 4, 0), EFAULT);
    fails("none wanted", epoll_wait(ep, e, 0, 0), EINVAL);
    fails("not an epoll", epoll_wait(p[0], e, 4, 0), EINVAL);
    struct epoll_event *edge = before_forbidden(12);
    equal("an event at the edge", epoll_wait(ep, edge, 1, 0), 1);

    char text[4];
    must(read(p[0], text, 2));
    on_signal(SIGALRM, count, SA_RESTART);
    ualarm(20000, 0);
    fails("interrupted", epoll_wait(ep, e, 4, 5000), EINTR);
    sigset_t alarm_set, none;
    sigemptyset(&none);
    sigemptyset(&alarm_set);
    sigaddset(&alarm_set, SIGALRM);
    must(sigprocmask(SIG_BLOCK, &alarm_set, 0));
    must(raise(SIGALRM));
    fails("epoll_pwait lets it in", epoll_pwait(ep, e, 4, 5000, &none), EINTR);
    equal("handled", signals, 2);
    struct { int64_t sec, nsec; } t = {0, 12000000};
    long start = milliseconds();
    long result = syscall(441, ep, e, 4, &t, 0, 8);
    equal("epoll_pwait2", result, 0);
    check("took its time", milliseconds() - start >= 11);
    must(raise(SIGALRM));
    fails("epoll_pwait2 lets it in", syscall(441, ep, e, 4, 0, &none, 8), EINTR);
    t.nsec = 1000000000;
    fails("epoll_pwait2 time", syscall(441, ep, e, 4, &t, 0, 8), EINVAL);
    return finish();
}

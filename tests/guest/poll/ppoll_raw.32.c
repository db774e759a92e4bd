// ppoll (309) and ppoll_time64 (414), raw.
#include <poll.h>
#include "expect.h"

static void nothing(int signal, siginfo_t *info, void *context) {}

int main(void) {
    int p[2];
    must(pipe(p));
    struct pollfd one = {p[0], POLLIN, 0};
    struct { int32_t sec, nsec; } none = {0, 0}, short_one = {0, 1000000}, invalid = {0, -1}, far = {1000, 0};
    struct { int64_t sec, nsec; } none64 = {0, 0}, short64 = {0, 1000000 | 7LL << 32}, invalid64 = {0, 1000000000}, far64 = {1LL << 40, 0};
    uint64_t empty = 0, blocked = 1 << (SIGUSR1 - 1);
    equal("ppoll, nothing", syscall(SYS_ppoll, &one, 1, &none, 0, 8), 0);
    equal("ppoll_time64, nothing", syscall(SYS_ppoll_time64, &one, 1, &none64, 0, 8), 0);
    equal("ppoll waits", syscall(SYS_ppoll, &one, 1, &short_one, 0, 8), 0);
    check("nothing of it is left", short_one.sec == 0 && short_one.nsec == 0);
    equal("ppoll_time64 waits", syscall(SYS_ppoll_time64, &one, 1, &short64, 0, 8), 0);
    check("nothing of it is left", short64.sec == 0 && short64.nsec == 0);
    must(write(p[1], "x", 1));
    equal("ppoll, one", syscall(SYS_ppoll, &one, 1, 0, 0, 0), 1);
    equal("ready", one.revents, POLLIN);
    one.revents = 0;
    equal("ppoll_time64, one", syscall(SYS_ppoll_time64, &one, 1, &far64, 0, 8), 1);
    equal("ready", one.revents, POLLIN);
    check("the rest of the time", far64.sec >= (1LL << 40) - 100 && far64.sec <= 1LL << 40);
    fails("ppoll, time", syscall(SYS_ppoll, &one, 1, &invalid, 0, 8), EINVAL);
    fails("ppoll_time64, time", syscall(SYS_ppoll_time64, &one, 1, &invalid64, 0, 8), EINVAL);
    fails("ppoll, time nowhere", syscall(SYS_ppoll, &one, 1, forbidden(), 0, 8), EFAULT);
    fails("ppoll_time64, time nowhere", syscall(SYS_ppoll_time64, &one, 1, forbidden(), 0, 8), EFAULT);
    fails("ppoll, mask nowhere", syscall(SYS_ppoll, &one, 1, &none, forbidden(), 8), EFAULT);
    fails("ppoll_time64, mask nowhere", syscall(SYS_ppoll_time64, &one, 1, &none64, forbidden(), 8), EFAULT);
    fails("ppoll, size", syscall(SYS_ppoll, &one, 1, &none, &empty, 4), EINVAL);
    fails("ppoll_time64, size", syscall(SYS_ppoll_time64, &one, 1, &none64, &empty, 4), EINVAL);
    fails("ppoll nowhere", syscall(SYS_ppoll, forbidden(), 1, &none, 0, 8), EFAULT);
    fails("ppoll_time64 nowhere", syscall(SYS_ppoll_time64, forbidden(), 1, &none64, 0, 8), EFAULT);
    fails("ppoll_time64, too many", syscall(SYS_ppoll_time64, &one, 0x7fffffff, &none64, 0, 8), EINVAL);
    on_signal(SIGUSR1, nothing, SA_RESTART);
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, 0, 8));
    char byte;
    must(read(p[0], &byte, 1));
    must(kill(getpid(), SIGUSR1));
    fails("ppoll lets the signal in", syscall(SYS_ppoll, &one, 1, &far, &empty, 8), EINTR);
    must(kill(getpid(), SIGUSR1));
    fails("ppoll_time64 lets the signal in", syscall(SYS_ppoll_time64, &one, 1, &far64, &empty, 8), EINTR);
    uint64_t mask = 0;
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8));
    equal("the mask is back", mask, blocked);
    return finish();
}

// The calls that know only 32 signals: sigprocmask (126), sigpending (73), sigsuspend (72), sgetmask (68), ssetmask (69).
#include "expect.h"

static volatile int handled;
static void count(int signal, siginfo_t *info, void *context) { handled++; }

int main(void) {
    on_signal(SIGUSR1, count, 0);
    uint32_t set = 1u << (SIGUSR1 - 1), old[2] = {0, 0x55555555};
    uint64_t high = 1ULL << 40, now = 0;
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &high, 0, 8));
    succeeds("sigprocmask", syscall(126, SIG_BLOCK, &set, old));
    check("four bytes are written", old[0] == 0 && old[1] == 0x55555555);
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &now, 8));
    equal("the upper half is kept", now, high | set);
    must(kill(getpid(), SIGUSR1));
    equal("not yet", handled, 0);
    succeeds("sigpending", syscall(73, old));
    equal("pending", old[0], set);
    equal("sgetmask", syscall(68), set);
    fails("sigsuspend", syscall(72, 0, 0, 0), EINTR);
    equal("handled", handled, 1);
    equal("the mask is back", syscall(68), set);
    equal("ssetmask returns the old", syscall(69, 0), set);
    must(kill(getpid(), SIGUSR1));
    equal("handled", handled, 2);
    fails("how", syscall(126, 9, &set, 0), EINVAL);
    fails("nowhere", syscall(126, SIG_BLOCK, forbidden(), 0), EFAULT);
    fails("pending to nowhere", syscall(73, forbidden()), EFAULT);
    return finish();
}

// Leaving handlers by siglongjmp, thousands of times; the mask comes back.
//# libc: static dynamic musl
#include <setjmp.h>
#include "expect.h"

static sigjmp_buf out;
static void leave(int signal, siginfo_t *info, void *context) { siglongjmp(out, signal); }

int main(void) {
    on_signal(SIGSEGV, leave, 0);
    on_signal(SIGUSR1, leave, 0);
    volatile int faults = 0, signals = 0;
    for (volatile int i = 0; i < 3000; i++) {
        int got = sigsetjmp(out, 1);
        if (got == SIGSEGV) faults++;
        else if (got == SIGUSR1) signals++;
        else if (i & 1) *(volatile int *)forbidden() = 1;
        else raise(SIGUSR1);
    }
    equal("faults", faults, 1500);
    equal("signals", signals, 1500);
    sigset_t set;
    must(sigprocmask(SIG_BLOCK, 0, &set));
    check("nothing is blocked", !sigismember(&set, SIGSEGV) && !sigismember(&set, SIGUSR1));
    return finish();
}

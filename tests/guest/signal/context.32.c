// A handler that moves the program elsewhere: to another function, on another stack, with other registers.
#include <ucontext.h>
#include "expect.h"

static char stack[65536] __attribute__((aligned(16)));
static ucontext_t back;
static volatile int visited;

static void elsewhere(void) {
    char here;
    visited = &here > stack && &here < stack + sizeof stack;
    must(write(1, "elsewhere\n", 10));
    setcontext(&back);
}

static void handler(int signal, siginfo_t *info, void *context) {
    ucontext_t *u = context;
    u->uc_mcontext.gregs[REG_EIP] = (uintptr_t)elsewhere;
    u->uc_mcontext.gregs[REG_ESP] = (uintptr_t)stack + sizeof stack - 20;
    u->uc_mcontext.gregs[REG_UESP] = 0; // not the one that counts
}

int main(void) {
    on_signal(SIGUSR1, handler, 0);
    on_signal(SIGSEGV, handler, 0);
    volatile int round = 0;
    getcontext(&back);
    switch (round++) {
    case 0: raise(SIGUSR1); break;
    case 1: check("visited", visited), visited = 0, *(volatile int *)forbidden() = 1; break;
    case 2: check("visited from a fault", visited);
    }
    equal("rounds", round, 3);
    return finish();
}

// Handlers that are interrupted by themselves, 2000 deep, on the stack and on the alternate one until that is full.
//# libc: static musl
#include "expect.h"

enum { DEPTH = 2000 };
static volatile int depth, deepest, wrong;

static void again(int signal, siginfo_t *info, void *context) {
    int mine = ++depth;
    if (mine > deepest) deepest = mine;
    if (mine < DEPTH) kill(getpid(), signal);
    wrong += depth != mine;
    depth--;
}

static void flood(int signal, siginfo_t *info, void *context) {
    deepest++;
    kill(getpid(), signal);
}

int main(void) {
    on_signal(SIGUSR1, again, SA_NODEFER);
    must(kill(getpid(), SIGUSR1));
    equal("as deep as was asked for", deepest, DEPTH);
    check("back in order", depth == 0 && wrong == 0);

    // Every frame is on the same small stack; when no more fits, the process is killed.
    pid_t child = must(fork());
    if (!child) {
        static char small[65536];
        stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
        must(sigaltstack(&stack, 0));
        on_signal(SIGUSR2, flood, SA_NODEFER | SA_ONSTACK);
        kill(getpid(), SIGUSR2);
        _exit(1);
    }
    equal("a full alternate stack", end_of(child), 1000 + SIGSEGV);
    child = must(fork());
    if (!child) {
        on_signal(SIGUSR2, flood, SA_NODEFER);
        kill(getpid(), SIGUSR2);
        _exit(1);
    }
    equal("a full stack", end_of(child), 1000 + SIGSEGV);
    return finish();
}

// SA_NODEFER, SA_RESETHAND, sa_mask, SA_ONSTACK, nesting.
//# libc: static musl dynamic
#include <ucontext.h>
#include "expect.h"

static volatile int depth, deepest, calls, order, seen[8];

static void nested(int signal, siginfo_t *info, void *context) {
    depth++;
    if (depth > deepest) deepest = depth;
    if (calls++ < 3) raise(signal);
    depth--;
}

static void first(int signal, siginfo_t *info, void *context) {
    seen[order++] = 1;
    raise(SIGUSR2);
    seen[order++] = 2;
}

static void second(int signal, siginfo_t *info, void *context) { seen[order++] = 3; }

static char stack[32768] __attribute__((aligned(16)));
static volatile int on_stack, flags_inside, nested_on_stack, change_inside;
static void alternate(int signal, siginfo_t *info, void *context) {
    char here;
    on_stack = &here >= stack && &here < stack + sizeof stack;
    stack_t now;
    must(sigaltstack(0, &now));
    flags_inside = now.ss_flags;
    change_inside = sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0) == -1 && errno == EPERM;
    ucontext_t *u = context;
    nested_on_stack = u->uc_stack.ss_sp == stack && u->uc_stack.ss_size == sizeof stack;
}

int main(void) {
    on_signal(SIGUSR1, nested, 0);
    raise(SIGUSR1);
    equal("deferred: one at a time, then the next", deepest, 1);
    deepest = calls = 0;
    on_signal(SIGUSR1, nested, SA_NODEFER);
    raise(SIGUSR1);
    equal("SA_NODEFER nests", deepest, 4);

    on_signal(SIGUSR1, second, SA_RESETHAND);
    raise(SIGUSR1);
    struct sigaction old;
    must(sigaction(SIGUSR1, 0, &old));
    check("SA_RESETHAND", old.sa_handler == SIG_DFL);

    order = 0;
    on_signal(SIGUSR2, second, 0);
    on_signal(SIGUSR1, first, 0);
    raise(SIGUSR1);
    check("not masked: interrupts", order == 3 && seen[0] == 1 && seen[1] == 3 && seen[2] == 2);
    order = 0;
    struct sigaction masked = {.sa_flags = SA_SIGINFO};
    masked.sa_sigaction = first;
    sigaddset(&masked.sa_mask, SIGUSR2);
    must(sigaction(SIGUSR1, &masked, 0));
    raise(SIGUSR1);
    check("masked: waits", order == 3 && seen[0] == 1 && seen[1] == 2 && seen[2] == 3);
    must(sigaction(SIGUSR1, 0, &old));
    check("the mask reads back", sigismember(&old.sa_mask, SIGUSR2) == 1 && sigismember(&old.sa_mask, SIGUSR1) == 0);

    stack_t was;
    succeeds("sigaltstack", sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, &was));
    equal("there was none", was.ss_flags, SS_DISABLE);
    on_signal(SIGUSR1, alternate, SA_ONSTACK);
    raise(SIGUSR1);
    check("on the alternate stack", on_stack);
    equal("says so inside", flags_inside, SS_ONSTACK);
    check("cannot be changed inside", change_inside);
    check("is in the context", nested_on_stack);
    on_signal(SIGUSR1, alternate, 0);
    raise(SIGUSR1);
    check("without the flag it is not used", !on_stack);
    must(sigaltstack(0, &was));
    check("reads back", was.ss_sp == stack && was.ss_size == sizeof stack && was.ss_flags == 0);
    fails("too small", sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = 100}, 0), ENOMEM);
    fails("flags", sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = 20000, .ss_flags = 77}, 0), EINVAL);
    fails("nowhere", syscall(SYS_sigaltstack, forbidden(), 0), EFAULT);
    succeeds("disable", sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, 0));
    fails("a signal that is none", sigaction(65, &old, 0), EINVAL);
    fails("SIGSTOP", sigaction(SIGSTOP, &old, 0), EINVAL);
    return finish();
}

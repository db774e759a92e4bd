// makecontext, swapcontext: coroutines.
//# libc: static dynamic
#include <ucontext.h>
#include "expect.h"

static ucontext_t here, there;
static int sum;
static void coroutine(int a, int b) {
    for (int i = 0; i < 1000; i++) {
        sum += a * b + i;
        swapcontext(&there, &here);
    }
}

int main(void) {
    static char stack[65536];
    must(getcontext(&there));
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, (void (*)(void))coroutine, 2, 3, 4);
    for (int i = 0; i <= 1000; i++) must(swapcontext(&here, &there));
    equal("sum", sum, 12000 + 499500);
    return finish();
}

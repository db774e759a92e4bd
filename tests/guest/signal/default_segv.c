// SIGSEGV nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGSEGV
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    *(volatile int *)8 = 1;
    say("FAIL after");
    return 1;
}

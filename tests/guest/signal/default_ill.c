// SIGILL nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGILL
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    asm volatile("ud2");
    say("FAIL after");
    return 1;
}

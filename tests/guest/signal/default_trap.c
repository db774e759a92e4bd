// SIGTRAP nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGTRAP
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    asm volatile("int3");
    say("FAIL after");
    return 1;
}

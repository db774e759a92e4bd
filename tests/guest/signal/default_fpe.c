// SIGFPE nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGFPE
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    volatile int z = 0; z = 7 / z;
    say("FAIL after");
    return 1;
}

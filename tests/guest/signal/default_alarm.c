// SIGALRM nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGALRM
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    struct timespec t = {5, 0}; ualarm(1000, 0); nanosleep(&t, 0);
    say("FAIL after");
    return 1;
}

// SIGTERM nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGTERM
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    kill(getpid(), SIGTERM);
    say("FAIL after");
    return 1;
}

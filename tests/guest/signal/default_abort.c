// SIGABRT nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGABRT
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    abort();
    say("FAIL after");
    return 1;
}

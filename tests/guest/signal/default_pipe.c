// SIGPIPE nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGPIPE
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    int p[2]; must(pipe(p)); must(close(p[0])); write(p[1], "x", 1);
    say("FAIL after");
    return 1;
}

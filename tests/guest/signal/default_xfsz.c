// SIGXFSZ nobody handles: the process ends of it, and whoever waits can see that.
//# signal: SIGXFSZ
//# libc: static musl
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    say("before");
    struct rlimit r = {10, 10}; must(setrlimit(RLIMIT_FSIZE, &r)); int fd = must(open("f", O_CREAT | O_WRONLY, 0600)); write(fd, "0123456789", 10); write(fd, "x", 1);
    say("FAIL after");
    return 1;
}

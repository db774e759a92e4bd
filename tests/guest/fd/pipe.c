// pipe2: flags, size, atomicity, packets, SIGPIPE, end of file.
//# libc: static musl
#include <sys/ioctl.h>
#include "expect.h"

int main(void) {
    int p[2];
    char big[70000], text[16];
    succeeds("pipe2", pipe2(p, O_NONBLOCK | O_CLOEXEC));
    check("flags", fcntl(p[0], F_GETFD) == FD_CLOEXEC && fcntl(p[1], F_GETFL) & O_NONBLOCK);
    fails("empty", read(p[0], text, 1), EAGAIN);
    memset(big, 'x', sizeof big);
    equal("fills", write(p[1], big, sizeof big), 65536);
    fails("full", write(p[1], big, 1), EAGAIN);
    int n = 0;
    succeeds("FIONREAD", ioctl(p[0], FIONREAD, &n));
    equal("bytes", n, 65536);
    equal("F_GETPIPE_SZ", fcntl(p[0], F_GETPIPE_SZ), 65536);
    equal("read", read(p[0], big, sizeof big), 65536);
    equal("F_SETPIPE_SZ", fcntl(p[0], F_SETPIPE_SZ, 5000), 8192);
    equal("read of nothing", read(p[0], text, 0), 0);
    fails("the wrong end", read(p[1], text, 1), EBADF);
    fails("the other wrong end", write(p[0], text, 1), EBADF);
    fails("read to nowhere", (write(p[1], "abc", 3), read(p[0], forbidden(), 3)), EFAULT);
    fails("write from nowhere", write(p[1], forbidden(), 3), EFAULT);
    must(close(p[1]));
    must(read(p[0], text, 16));
    equal("end of file", read(p[0], text, 1), 0);
    must(pipe(p));
    must(close(p[0]));
    signal(SIGPIPE, SIG_IGN);
    fails("no reader", write(p[1], "x", 1), EPIPE);
    must(pipe2(p, O_DIRECT));
    must(write(p[1], "one", 3));
    must(write(p[1], "two!", 4));
    equal("packet", read(p[0], text, 16), 3);
    equal("packet", read(p[0], text, 2), 2);
    fails("flags", pipe2(p, 1), EINVAL);
    fails("nowhere", syscall(SYS_pipe2, forbidden(), 0), EFAULT);
    fails("half nowhere", syscall(SYS_pipe2, before_forbidden(4), 0), EFAULT);
    int next = must(open("/dev/null", O_RDONLY)), again;
    must(close(next));
    again = must(open("/dev/null", O_RDONLY));
    equal("a pipe that failed left no descriptors", again, next);
    return finish();
}

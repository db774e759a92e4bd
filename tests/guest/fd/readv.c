// readv, writev, preadv, pwritev, preadv2: scattered, empty, too many, partly nowhere, far offsets.
//# libc: static time64
//# cflags: -D_FILE_OFFSET_BITS=64
#include <sys/uio.h>
#include "expect.h"

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    char a[4] = "abc", b[8] = "defgh", c[16] = "";
    struct iovec v[] = {{a, 3}, {0, 0}, {b, 5}};
    equal("writev", writev(fd, v, 3), 8);
    must(lseek(fd, 0, SEEK_SET));
    struct iovec r[] = {{c, 1}, {c + 1, 2}, {c + 3, 10}};
    equal("readv", readv(fd, r, 3), 8);
    check("in order", !strcmp(c, "abcdefgh"));
    equal("none", readv(fd, r, 0), 0);
    fails("negative", readv(fd, r, -1), EINVAL);
    fails("too many", readv(fd, r, 1025), EINVAL);
    struct iovec *many = calloc(1024, sizeof *many);
    for (int i = 0; i < 1024; i++) many[i] = (struct iovec){"0123456789abcdef" + i % 16, 1};
    equal("1024 of them", writev(fd, many, 1024), 1024);
    fails("a vector nowhere", writev(fd, forbidden(), 1), EFAULT);
    fails("a vector that runs out", writev(fd, (struct iovec *)before_forbidden(sizeof *v), 2), EFAULT);
    struct iovec half[] = {{a, 3}, {forbidden(), 10}};
    equal("what is before the fault is written", writev(fd, half, 2), 3);
    fails("a fault at once", writev(fd, half + 1, 1), EFAULT);
    char *edge = before_forbidden(5);
    must(lseek(fd, 0, SEEK_SET));
    int pipes[2];
    must(pipe(pipes));
    must(write(pipes[1], "0123456789", 10));
    struct iovec to_edge[] = {{edge, 10}};
    ssize_t got = readv(pipes[0], to_edge, 1);
    check("read across the edge", got == 5 || (got == -1 && errno == EFAULT));
    struct iovec huge[] = {{a, 3}, {b, (size_t)1 << (sizeof(size_t) * 8 - 1)}};
    fails("a negative length", writev(fd, huge, 2), EINVAL);
    const off_t far = (1LL << 32) + 5;
    equal("pwritev", pwritev(fd, v, 3, far), 8);
    memset(c, 0, sizeof c);
    equal("preadv", preadv(fd, r, 3, far + 1), 7);
    check("contents", !strcmp(c, "bcdefgh"));
    fails("negative offset", preadv(fd, r, 3, -5), EINVAL);
    fails("on a pipe", preadv(pipes[0], r, 1, 0), ESPIPE);
#ifdef RWF_NOWAIT
    equal("preadv2", preadv2(fd, r, 3, far, RWF_HIPRI), 8);
    must(lseek(fd, 2, SEEK_SET));
    equal("preadv2 at the position", preadv2(fd, r, 1, -1, 0), 1);
    equal("which moves", lseek(fd, 0, SEEK_CUR), 3);
    fails("preadv2 flags", preadv2(fd, r, 1, 0, 0x40000000), EOPNOTSUPP);
#endif
    return finish();
}

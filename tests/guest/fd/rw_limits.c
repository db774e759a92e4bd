// read and write at their limits: length zero, nowhere, enormous lengths, closed descriptors, /dev/full.
//# libc: static musl
#include "expect.h"

int main(void) {
    int fd = file_of("0123456789"), null = must(open("/dev/null", O_RDWR)), zero = must(open("/dev/zero", O_RDWR));
    char text[16];
    equal("short at the end", read(fd, text, 16), 10);
    equal("end", read(fd, text, 16), 0);
    equal("zero bytes to nowhere", read(fd, forbidden(), 0), 0);
    must(lseek(fd, 0, SEEK_SET));
    fails("to nowhere", read(fd, forbidden(), 5), EFAULT);
    fails("from nowhere", write(fd, forbidden(), 5), EFAULT);
    equal("null swallows nowhere", write(null, forbidden(), 5), 5);
    fails("read of write only", read(must(open("/dev/null", O_WRONLY)), text, 1), EBADF);
    fails("write of read only", write(must(open("/dev/null", O_RDONLY)), text, 1), EBADF);
    fails("/dev/full", write(must(open("/dev/full", O_WRONLY)), text, 1), ENOSPC);
    fails("no descriptor", read(999, text, 1), EBADF);
    fails("a directory", read(must(open(".", O_RDONLY)), text, 1), EISDIR);
    fails("lseek whence", lseek(fd, 0, 9), EINVAL);
    fails("lseek negative", lseek(fd, -1, SEEK_SET), EINVAL);
    char *edge = before_forbidden(4096 + 4);
    ssize_t got = read(zero, edge, 8192);
    equal("zeros up to the edge", got, 4096 + 4);
    // The kernel copies nothing of a write that starts well and ends nowhere into a pipe, or some of it; but never says all.
    int p[2];
    must(pipe(p));
    got = write(p[1], before_forbidden(10), 20);
    check("a write that runs out", got == 10 || (got == -1 && errno == EFAULT));
    return finish();
}

// dup, dup2, dup3, F_DUPFD, close-on-exec, close_range.
//# libc: static musl
#include "expect.h"

static int is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

int main(void) {
    int fd = file_of("0123456789");
    equal("dup2", dup2(fd, 100), 100);
    equal("dup2 to itself", dup2(fd, fd), fd);
    fails("dup3 to itself", dup3(fd, fd, 0), EINVAL);
    fails("dup2 of nothing to itself", dup2(500, 500), EBADF);
    fails("dup3 flags", syscall(SYS_dup3, fd, 101, 1), EINVAL);
    equal("dup3", dup3(fd, 101, O_CLOEXEC), 101);
    equal("cloexec", fcntl(101, F_GETFD), FD_CLOEXEC);
    equal("F_DUPFD", fcntl(fd, F_DUPFD, 200), 200);
    equal("F_DUPFD_CLOEXEC", fcntl(fd, F_DUPFD_CLOEXEC, 200), 201);
    equal("cloexec", fcntl(201, F_GETFD), FD_CLOEXEC);
    equal("F_SETFD", fcntl(201, F_SETFD, 0), 0);
    equal("cleared", fcntl(201, F_GETFD), 0);
    fails("F_DUPFD too large", fcntl(fd, F_DUPFD, 1 << 30), EINVAL);
    fails("dup2 too large", dup2(fd, 1 << 30), EBADF);
    must(lseek(fd, 5, SEEK_SET));
    equal("they share the position", lseek(200, 0, SEEK_CUR), 5);
    equal("F_SETFL", fcntl(200, F_SETFL, O_APPEND), 0);
    check("they share the flags", fcntl(fd, F_GETFL) & O_APPEND);
    succeeds("close_range, cloexec", syscall(SYS_close_range, 100, 150, 4));
    equal("set", fcntl(100, F_GETFD), FD_CLOEXEC);
    succeeds("close_range", syscall(SYS_close_range, 100, 200, 0));
    check("closed", !is_open(100) && !is_open(101) && !is_open(200) && is_open(201));
    fails("close_range backwards", syscall(SYS_close_range, 5, 4, 0), EINVAL);
    fails("close_range flags", syscall(SYS_close_range, 300, 400, 16), EINVAL);
    succeeds("close_range to the end", syscall(SYS_close_range, 150, ~0U, 0));
    check("closed", !is_open(201));
    fails("fcntl command", fcntl(fd, 9999, 0), EINVAL);
    fails("close twice", (close(fd), close(fd)), EBADF);
    int low = must(open("/dev/null", O_RDONLY));
    equal("the lowest is reused", low, fd);
    return finish();
}

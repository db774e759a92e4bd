// struct flock (16 bytes, through fcntl 55) and struct flock64 (24 bytes, through fcntl64 221).
#include <sys/file.h>
#include "expect.h"

struct narrow { int16_t type, whence; int32_t start, len, pid; };
struct wide { int16_t type, whence; int64_t start, len; int32_t pid; } __attribute__((packed, aligned(4)));

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    equal("sizes", sizeof(struct narrow) * 100 + sizeof(struct wide), 1624);
    struct wide w = {F_WRLCK, SEEK_SET, 1LL << 32, 7, 0};
    succeeds("F_SETLK64", syscall(SYS_fcntl64, fd, 13, &w));
    // Number 55 leads to compat_sys_fcntl64 too (syscall_32.tbl), so the 64-bit commands work there.
    succeeds("F_SETLK64 through fcntl", syscall(SYS_fcntl, fd, 13, &w));
    pid_t child = must(fork());
    if (!child) {
        struct narrow n = {F_WRLCK, SEEK_SET, 0, 0, 0};
        fails("F_GETLK cannot say where", syscall(SYS_fcntl, fd, 5, &n), EOVERFLOW);
        w = (struct wide){F_WRLCK, SEEK_SET, 0, 0, 0};
        succeeds("F_GETLK64", syscall(SYS_fcntl64, fd, 12, &w));
        check("where", w.start == 1LL << 32 && w.len == 7 && w.pid == getppid());
        n = (struct narrow){F_WRLCK, SEEK_SET, 0, 100, 0};
        succeeds("F_GETLK below", syscall(SYS_fcntl, fd, 5, &n));
        equal("free", n.type, F_UNLCK);
        n = (struct narrow){F_WRLCK, SEEK_SET, 10, 100, 0};
        succeeds("F_SETLK", syscall(SYS_fcntl64, fd, 6, &n));
        _exit(finish());
    }
    equal("child", end_of(child), 0);
    fails("F_GETLK64 nowhere", syscall(SYS_fcntl64, fd, 12, forbidden()), EFAULT);
    fails("F_GETLK nowhere", syscall(SYS_fcntl, fd, 5, forbidden()), EFAULT);
    succeeds("flock", flock(fd, LOCK_EX));
    fails("flock conflicts", flock(must(open("f", O_RDWR)), LOCK_EX | LOCK_NB), EAGAIN);
    struct { int type, pid; } owner = {0, getpid()};
    succeeds("F_SETOWN_EX", syscall(SYS_fcntl64, fd, 15, &owner));
    owner.pid = 0;
    succeeds("F_GETOWN_EX", syscall(SYS_fcntl64, fd, 16, &owner));
    equal("owner", owner.pid, getpid());
    equal("F_GETOWN", syscall(SYS_fcntl64, fd, F_GETOWN, 0), getpid());
    return finish();
}

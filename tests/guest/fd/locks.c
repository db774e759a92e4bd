// fcntl record locks: between processes, ranges, waiting, and the errors.
//# libc: static musl
//# cflags: -D_FILE_OFFSET_BITS=64
#include "expect.h"

static struct flock range(int type, off_t start, off_t length) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
}

static void nothing(int signal, siginfo_t *info, void *context) {}

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600)), to_parent[2];
    const off_t far = 1LL << 33;
    must(pipe(to_parent));
    struct flock lock = range(F_WRLCK, far, 100);
    succeeds("lock", fcntl(fd, F_SETLK, &lock));
    pid_t child = must(fork());
    if (!child) {
        int mine = must(open("f", O_RDWR));
        lock = range(F_WRLCK, far + 50, 10);
        fails("child: locked", fcntl(mine, F_SETLK, &lock), EAGAIN);
        lock = range(F_RDLCK, 0, 0);
        succeeds("child: F_GETLK", fcntl(mine, F_GETLK, &lock));
        check("child: describes the lock", lock.l_type == F_WRLCK && lock.l_start == far && lock.l_len == 100 && lock.l_pid == getppid());
        lock = range(F_WRLCK, 0, 10);
        succeeds("child: elsewhere", fcntl(mine, F_SETLK, &lock));
        lock = range(F_RDLCK, far, 1);
        must(write(to_parent[1], "x", 1));
        succeeds("child: waits", fcntl(mine, F_SETLKW, &lock));
        check("child: not before the parent let go", expect_failures == 0);
        _exit(finish());
    }
    char byte;
    must(read(to_parent[0], &byte, 1));
    lock = range(F_RDLCK, 0, 1);
    succeeds("F_GETLK", fcntl(fd, F_GETLK, &lock));
    check("the child's", lock.l_type == F_WRLCK && lock.l_pid == child && lock.l_start == 0 && lock.l_len == 10);
    pause_for(30);
    lock = range(F_UNLCK, far, 100);
    must(fcntl(fd, F_SETLK, &lock));
    equal("child", end_of(child), 0);
    lock = range(F_WRLCK, 0, 0);
    must(fcntl(fd, F_GETLK, &lock));
    equal("all gone with the child", lock.l_type, F_UNLCK);

    lock = range(F_WRLCK, -1, 5);
    fails("before the start", fcntl(fd, F_SETLK, &lock), EINVAL);
    lock = range(99, 0, 5);
    fails("unknown type", fcntl(fd, F_SETLK, &lock), EINVAL);
    fails("nowhere", fcntl(fd, F_SETLK, forbidden()), EFAULT);
    lock = range(F_WRLCK, 0, 5);
    fails("bad descriptor", fcntl(999, F_SETLK, &lock), EBADF);

    // Open file description locks conflict within one process, and want l_pid to be zero.
    lock = range(F_WRLCK, 5, 5);
    succeeds("description lock", fcntl(fd, F_OFD_SETLK, &lock));
    int other = must(open("f", O_RDWR));
    lock = range(F_WRLCK, 0, 0);
    fails("conflicts", fcntl(other, F_OFD_SETLK, &lock), EAGAIN);
    lock = range(F_WRLCK, 0, 0);
    must(fcntl(other, F_OFD_GETLK, &lock));
    check("has no process", lock.l_pid == -1 && lock.l_start == 5);
    lock.l_pid = 1;
    fails("l_pid", fcntl(other, F_OFD_SETLK, &lock), EINVAL);

    on_signal(SIGALRM, nothing, 0);
    lock = range(F_WRLCK, 0, 0);
    alarm(1);
    fails("a signal ends the wait", fcntl(other, F_OFD_SETLKW, &lock), EINTR);
    return finish();
}

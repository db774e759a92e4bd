// pwritev2, eventfd2, cachestat, memfd_secret; io_uring_enter without a ring.
#include <sys/uio.h>
#include "expect.h"

static long at(int number, int fd, struct iovec *vector, int count, int64_t offset, int flags) {
#ifdef __i386__
    return syscall(number, fd, vector, count, (int32_t)offset, (int32_t)(offset >> 32), flags);
#else
    return syscall(number, fd, vector, (long)count, offset, 0L, flags);
#endif
}

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR | O_LARGEFILE, 0600));
    struct iovec out[2] = {{"abc", 3}, {"defg", 4}};
    equal("pwritev2", at(SYS_pwritev2, fd, out, 2, 5000000000LL, 0), 7);
    equal("the position is left", lseek64(fd, 0, SEEK_CUR), 0);
    char text[16] = "";
    struct iovec in = {text, 16};
    equal("preadv2", at(SYS_preadv2, fd, &in, 1, 5000000002LL, 0), 5);
    check("from there", !strcmp(text, "cdefg"));
    equal("pwritev2 at the position", at(SYS_pwritev2, fd, out, 1, -1, 0), 3);
    equal("which moves", lseek64(fd, 0, SEEK_CUR), 3);
    equal("RWF_APPEND", at(SYS_pwritev2, fd, out, 1, 0, 0x10), 3);
    equal("at the end", lseek64(fd, 0, SEEK_END), 5000000010LL);
    equal("RWF_DSYNC", at(SYS_pwritev2, fd, out, 1, 0, 2), 3);
    fails("flags", at(SYS_pwritev2, fd, out, 1, 0, 0x8000), EOPNOTSUPP);
    fails("negative", at(SYS_pwritev2, fd, out, 1, -2, 0), EINVAL);
    fails("too many", at(SYS_pwritev2, fd, out, 1025, 0, 0), EINVAL);
    fails("nowhere", at(SYS_pwritev2, fd, forbidden(), 1, 0, 0), EFAULT);
    fails("no descriptor", at(SYS_pwritev2, 99, out, 1, 0, 0), EBADF);
    int pipes[2];
    must(pipe(pipes));
    fails("a pipe", at(SYS_pwritev2, pipes[1], out, 1, 0, 0), ESPIPE);
    equal("a pipe at its position", at(SYS_pwritev2, pipes[1], out, 2, -1, 0), 7);

    int counter = succeeds("eventfd2", syscall(SYS_eventfd2, 3, O_CLOEXEC | O_NONBLOCK | 1)), plain;
    equal("closed on exec", fcntl(counter, F_GETFD), FD_CLOEXEC);
    uint64_t value = 0;
    for (int i = 0; i < 3; i++) equal("one at a time", read(counter, &value, 8) + value, 9);
    fails("empty", read(counter, &value, 8), EAGAIN);
    fails("eventfd2 flags", syscall(SYS_eventfd2, 0, 0x40), EINVAL);

    struct { uint64_t offset, length; } range = {0, 0};
    struct { uint64_t cached, dirty, writeback, evicted, recently; } pages;
    memset(&pages, 0xff, sizeof pages);
    optional(syscall(451, -1, 0, 0, ~0u));
    succeeds("cachestat", syscall(451, fd, &range, &pages, 0));
    check("few pages", pages.cached < 100 && pages.evicted < 100);
    fails("cachestat flags", syscall(451, fd, &range, &pages, 1), EINVAL);
    fails("cachestat, no descriptor", syscall(451, 99, &range, &pages, 0), EBADF);
    fails("cachestat, range nowhere", syscall(451, fd, forbidden(), &pages, 0), EFAULT);
    fails("cachestat, answer nowhere", syscall(451, fd, &range, forbidden(), 0), EFAULT);
    always();

    // The kernel may have it switched off, which is ENOSYS too.
    if (optional(syscall(447, 0x10))) {
        int secret = must(syscall(447, 0));
        must(ftruncate(secret, 4096));
        char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, secret, 0);
        expect_absent = page == MAP_FAILED && (errno == EAGAIN || errno == EPERM);
        if (page != MAP_FAILED) page[5] = 5;
        check("memfd_secret", page != MAP_FAILED && page[5] == 5);
        check("nobody else reads it", write(pipes[1], page, 1) == 1 && page[5] == 5);
    } else {
        check("memfd_secret", 1);
        check("nobody else reads it", 1);
    }
    fails("memfd_secret flags", syscall(447, 0x10), EINVAL);
    always();

    optional(syscall(SYS_io_uring_enter, 99, 0, 0, 0, NULL, 0));
    fails("io_uring_enter, no descriptor", syscall(SYS_io_uring_enter, 99, 0, 0, 0, NULL, 0), EBADF);
    fails("io_uring_enter, no ring", syscall(SYS_io_uring_enter, fd, 0, 0, 0, NULL, 0), EOPNOTSUPP);
    fails("io_uring_enter, flags", syscall(SYS_io_uring_enter, fd, 0, 0, 0x40000000, NULL, 0), EINVAL);
    return finish();
}

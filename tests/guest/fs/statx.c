// statx: a structure of the same layout everywhere.
#include "expect.h"

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0640));
    must(ftruncate(fd, 100000));
    must(futimens(fd, (struct timespec[]){{5, 6}, {7, 8}}));
    struct statx x;
    equal("size of the structure", sizeof x, 256);
    succeeds("statx", statx(AT_FDCWD, "f", 0, STATX_BASIC_STATS, &x));
    equal("mask", x.stx_mask & STATX_BASIC_STATS, STATX_BASIC_STATS);
    equal("size", x.stx_size, 100000);
    equal("mode", x.stx_mode, S_IFREG | 0640);
    check("times", x.stx_atime.tv_sec == 5 && x.stx_atime.tv_nsec == 6 && x.stx_mtime.tv_sec == 7 && x.stx_mtime.tv_nsec == 8);
    succeeds("of a descriptor", statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &x));
    fails("both sync flags", statx(AT_FDCWD, "f", AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC, 0, &x), EINVAL);
    fails("reserved mask", statx(AT_FDCWD, "f", 0, 0x80000000, &x), EINVAL);
    fails("nowhere", syscall(SYS_statx, AT_FDCWD, "f", 0, STATX_SIZE, forbidden()), EFAULT);
    fails("absent", statx(AT_FDCWD, "nothing", 0, STATX_SIZE, &x), ENOENT);
    return finish();
}

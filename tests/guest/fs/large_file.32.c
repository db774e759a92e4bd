// Files over 2 GiB: what a program without O_LARGEFILE may not do, and what 64-bit offsets can.
//# libc: static musl
#include "expect.h"

int main(void) {
    int fd = must(syscall(SYS_open, "big", O_CREAT | O_RDWR | 0100000 /* O_LARGEFILE */, 0600));
    must(syscall(SYS_ftruncate64, fd, 0x10000000, 1)); // 4.25 GiB
    fails("open without O_LARGEFILE", syscall(SYS_open, "big", O_RDONLY), EOVERFLOW);
    fails("openat without O_LARGEFILE", syscall(SYS_openat, AT_FDCWD, "big", O_RDONLY), EOVERFLOW);
    int other = succeeds("open with it", syscall(SYS_open, "big", O_RDONLY | 0100000));
    check("F_GETFL shows it", syscall(SYS_fcntl64, other, F_GETFL) & 0100000);
    // A 32-bit kernel says EOVERFLOW. In a 64-bit one off_t is wide enough to check against itself, and only then is the
    // result cut to the register (ksys_lseek, fs/read_write.c).
    equal("lseek beyond 31 bits is cut", syscall(SYS_lseek, fd, 0, SEEK_END), 0x10000000);
    int64_t at = 0;
    succeeds("_llseek", syscall(SYS__llseek, fd, 0, 0, &at, SEEK_END));
    equal("position", at, 0x110000000LL);
    succeeds("_llseek back", syscall(SYS__llseek, fd, -1, -16, &at, SEEK_CUR));
    equal("position", at, 0x110000000LL - 16);
    fails("_llseek before the start", syscall(SYS__llseek, fd, -1, 0, &at, SEEK_SET), EINVAL);
    fails("_llseek to nowhere", syscall(SYS__llseek, fd, 0, 0, forbidden(), SEEK_SET), EFAULT);
    fails("_llseek whence", syscall(SYS__llseek, fd, 0, 0, &at, 99), EINVAL);
    equal("write at 4 GiB", syscall(SYS_pwrite64, fd, "four", 4, 0, 1), 4);
    char text[8] = "";
    equal("read at 4 GiB", syscall(SYS_pread64, other, text, 4, 0, 1), 4);
    check("the same", !strcmp(text, "four"));
    equal("read at 0", syscall(SYS_pread64, other, text, 4, 0, 0), 4);
    equal("zeros there", text[0], 0);

    succeeds("truncate64", syscall(SYS_truncate64, "big", 7, 2));
    struct stat64 s;
    must(stat64("big", &s));
    equal("size", s.st_size, 0x200000007LL);
    fails("truncate64 negative", syscall(SYS_truncate64, "big", 0, -1), EINVAL);
    fails("ftruncate negative", syscall(SYS_ftruncate, fd, -1), EINVAL);
    succeeds("truncate to 31 bits", syscall(SYS_truncate, "big", 0x7fffffff));

    return finish();
}

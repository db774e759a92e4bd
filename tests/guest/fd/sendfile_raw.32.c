// sendfile (187) has a 32-bit offset, sendfile64 (239) a 64-bit one; pread64 and friends take offsets in two registers.
#include "expect.h"

int main(void) {
    int from = must(open("f", O_CREAT | O_RDWR | 0100000, 0600)), to = must(open("g", O_CREAT | O_RDWR, 0600));
    must(pwrite(from, "0123456789", 10, 0));
    int32_t at[2] = {3, 0x55555555};
    equal("sendfile", syscall(SYS_sendfile, to, from, at, 4), 4);
    check("32-bit offset", at[0] == 7 && at[1] == 0x55555555);
    int64_t wide = 5;
    equal("sendfile64", syscall(SYS_sendfile64, to, from, &wide, 100), 5);
    equal("offset", wide, 10);
    equal("pwrite64 high", syscall(SYS_pwrite64, from, "hi", 2, 4, 3), 2);
    char text[4] = "";
    equal("pread64 high", syscall(SYS_pread64, from, text, 3, 4, 3), 2);
    check("contents", !strcmp(text, "hi"));
    fails("pread64 negative", syscall(SYS_pread64, from, text, 3, 0, -1), EINVAL);
    fails("pread64 to nowhere", syscall(SYS_pread64, from, forbidden(), 3, 0, 0), EFAULT);
    fails("pwrite64 from nowhere", syscall(SYS_pwrite64, from, forbidden(), 3, 0, 0), EFAULT);
    equal("readahead", syscall(SYS_readahead, from, 0, 1, 4096), 0);
    equal("fadvise64", syscall(SYS_fadvise64, from, 0, 1, 4096, 4), 0);
    equal("fadvise64_64", syscall(SYS_fadvise64_64, from, 0, 1, 0, 1, 4), 0);
    fails("fadvise64 advice", syscall(SYS_fadvise64, from, 0, 1, 4096, 99), EINVAL);
    equal("sync_file_range", syscall(SYS_sync_file_range, from, 0, 1, 4096, 0, 2), 0);
    equal("fallocate", syscall(SYS_fallocate, from, 0, 0, 5, 4096, 0), 0);
    struct stat64 s;
    must(fstat64(from, &s));
    equal("size", s.st_size, (5LL << 32) + 4096);
    struct { uint32_t base, len; } v[] = {{(uintptr_t)text, 2}};
    equal("preadv low, high", syscall(SYS_preadv, from, v, 1, 4, 3), 2);
    equal("pwritev low, high", syscall(SYS_pwritev, from, v, 1, 0, 7), 2);
    equal("preadv2 low, high", syscall(378, from, v, 1, 4, 3, 0), 2);
    return finish();
}

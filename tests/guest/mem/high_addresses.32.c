// A task on a 64-bit kernel has nearly all of its 4 GiB: addresses above 3 GiB are ordinary, and signs must not matter.
//# libc: static musl
#include <sys/uio.h>
#include "expect.h"

int main(void) {
    char local;
    check("the stack is high", (uintptr_t)&local >= 0xc0000000);
    char *high = mmap((void *)0xd0000000, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | 0x100000, -1, 0);
    check("mmap at 3.25 GiB", high == (void *)0xd0000000);
    int fd = file_of("0123456789");
    equal("read to there", read(fd, high + 5, 10), 10);
    check("contents", !memcmp(high + 5, "0123456789", 10));
    struct iovec *v = (void *)(high + 4096);
    v[0] = (struct iovec){high + 100, 4};
    v[1] = (struct iovec){high + 200, 6};
    must(lseek(fd, 0, SEEK_SET));
    equal("a vector there, to there", readv(fd, v, 2), 10);
    check("contents", !memcmp(high + 200, "456789", 6));
    struct stat *s = (void *)(high + 300);
    strcpy(high + 1000, "/dev/null");
    succeeds("stat with everything there", stat(high + 1000, s));
    char *moved = mremap(high, 1 << 20, 2 << 20, MREMAP_MAYMOVE | MREMAP_FIXED, 0xe0000000);
    check("mremap to 3.5 GiB", moved == (void *)0xe0000000 && !memcmp(moved + 200, "456789", 6));
    fails("beyond the end", (long)mmap((void *)0xfffff000, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), ENOMEM);
    must(lseek(fd, 0, SEEK_SET));
    fails("read to the last page", read(fd, (void *)0xfffff000, 1), EFAULT);
    fails("read across the end", read(fd, (void *)0xfffffffc, 8), EFAULT);
    fails("the zero page", (lseek(fd, 0, SEEK_SET), read(fd, 0, 4)), EFAULT);
    succeeds("munmap there", munmap(moved, 2 << 20));
    fails("gone", (lseek(fd, 0, SEEK_SET), read(fd, moved, 4)), EFAULT);
    // Ordinary maps come from the top down, all below 4 GiB; an address with the top bit set is no error value.
    char *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check("ordinary maps are above 2 GiB", (uintptr_t)p > 0x80000000);
    return finish();
}

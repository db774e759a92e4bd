// mmap2 and shmat with arguments that are wrong in several ways, at the end of the address space, and near where mappings begin.
#include "expect.h"
#include <sys/shm.h>

static long map(unsigned long at, unsigned long length, int flags, int fd) {
    return syscall(SYS_mmap2, at, length, PROT_READ, MAP_PRIVATE | flags, fd, 0);
}

int main(void) {
    fails("descriptor before length", map(0, 0, 0, -1), EBADF);
    fails("descriptor before address", map(0xfffff000, 4096, MAP_FIXED, -1), EBADF);
    fails("no length", map(0, 0, MAP_ANONYMOUS, -1), EINVAL);
    fails("all there is", map(0, 0xfffff001, MAP_ANONYMOUS, -1), ENOMEM);
    fails("beyond the end", map(0xfffff001, 4096, MAP_ANONYMOUS | MAP_FIXED, -1), ENOMEM);
    fails("no page", map(0x10000001, 4096, MAP_ANONYMOUS | MAP_FIXED, -1), EINVAL);
    char *page = must(mmap(0, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    must(munmap(page, 3 * 4096));
    check("a wish is rounded down", map((long)page + 4097, 4096, MAP_ANONYMOUS, -1) == (long)page + 4096);
    long low = map(1 << 12 | 5, 4096, MAP_ANONYMOUS, -1);
    check("and up to where mappings begin", low >= 0x1000 && low <= 0x10000);
    int segment = must(shmget(IPC_PRIVATE, 8192, 0600));
    fails("a segment beyond the end", shmat(segment, (void *)0xfffff000, 0) == (void *)-1 ? -1 : 0, ENOMEM);
    must(shmctl(segment, IPC_RMID, 0));
    return finish();
}

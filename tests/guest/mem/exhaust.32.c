// All of the address space: more than 3.5 GiB can be mapped, then ENOMEM, and all is well afterwards.
#include "expect.h"

int main(void) {
    enum { MIB = 1 << 20 };
    static void *blocks[4096];
    int count = 0;
    for (size_t size = 256 * MIB; size >= MIB; size /= 2)
        for (;;) {
            void *p = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (p == MAP_FAILED) break;
            blocks[count++] = p;
            if (count == 4096) break;
            // remember the size in the low bits: blocks are aligned to pages
            blocks[count - 1] = (void *)((uintptr_t)p | (size / MIB == 256 ? 0 : size / MIB == 128 ? 1 : size / MIB == 64 ? 2 : size / MIB == 32 ? 3 : size / MIB == 16 ? 4 : size / MIB == 8 ? 5 : size / MIB == 4 ? 6 : size / MIB == 2 ? 7 : 8));
        }
    fails("full", (long)mmap(0, 2 * MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), ENOMEM);
    unsigned total = 0;
    for (int i = 0; i < count; i++) total += 256u >> ((uintptr_t)blocks[i] & 15);
    check("more than 3500 MiB", total > 3500);
    check("less than 4096 MiB", total < 4096);
    fails("mremap does not find more", (long)mremap((void *)((uintptr_t)blocks[0] & -4096), 4096, 600u * MIB, MREMAP_MAYMOVE), ENOMEM);
    fails("nor for what is not mapped", (long)mremap(0, 4096, 600u * MIB, MREMAP_MAYMOVE), EFAULT);
    int fd = file_of("still alive");
    char text[16];
    equal("system calls still work", read(fd, text, 16), 11);
    for (int i = 0; i < count; i++) must(munmap((void *)((uintptr_t)blocks[i] & -4096), (256u >> ((uintptr_t)blocks[i] & 15)) * MIB));
    char *p = mmap(0, 1024u * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    check("1 GiB in one piece again", p != MAP_FAILED);
    p[0] = p[1023u * MIB] = 1;
    check("malloc of 3 GiB fails or works, but is no trap", ({ char *q = malloc(3000u * MIB); if (q) q[2999u * MIB] = 1; 1; }));
    return finish();
}

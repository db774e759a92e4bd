// mremap: shrink, grow in place, move, fixed, and what it refuses.
//# libc: static musl
#include "expect.h"

enum { P = 4096, RW = PROT_READ | PROT_WRITE, ANON = MAP_PRIVATE | MAP_ANONYMOUS };

int main(void) {
    char *a = must(mmap(0, 16 * P, RW, ANON, -1, 0)), *b;
    for (int i = 0; i < 16; i++) a[i * P] = i + 1;
    check("shrink in place", mremap(a, 16 * P, 8 * P, 0) == a);
    int p[2];
    must(pipe(p));
    fails("the end is gone", write(p[1], a + 8 * P, 1), EFAULT);
    check("grow in place", mremap(a, 8 * P, 12 * P, 0) == a && a[7 * P] == 8 && a[8 * P] == 0);
    char *wall = mmap(a + 12 * P, P, PROT_NONE, ANON | MAP_FIXED, -1, 0);
    fails("no room and may not move", (long)mremap(a, 12 * P, 20 * P, 0), ENOMEM);
    b = mremap(a, 12 * P, 20 * P, MREMAP_MAYMOVE);
    check("moved", b != MAP_FAILED && b != a && b[7 * P] == 8);
    fails("the old place is free", write(p[1], a, 1), EFAULT);
    char *target = must(mmap(0, 40 * P, PROT_NONE, ANON, -1, 0));
    check("to a fixed place", mremap(b, 20 * P, 10 * P, MREMAP_MAYMOVE | MREMAP_FIXED, target) == target && target[7 * P] == 8);
    fails("onto itself", (long)mremap(target, 10 * P, 10 * P, MREMAP_MAYMOVE | MREMAP_FIXED, target + P), EINVAL);
    fails("FIXED without MAYMOVE", (long)mremap(target, 10 * P, 10 * P, MREMAP_FIXED, a), EINVAL);
    fails("unaligned", (long)mremap(target + 1, P, 2 * P, MREMAP_MAYMOVE), EINVAL);
    fails("to nothing", (long)mremap(target, P, 0, 0), EINVAL);
    fails("unknown flag", (long)mremap(target, P, P, 64), EINVAL);
    must(munmap(target, 40 * P));
    fails("MREMAP_DONTUNMAP alone", syscall(SYS_mremap, 0, 0xfffff000ul, 0x200000ul, 4, 0L), EINVAL);
    fails("of nothing", (long)mremap(target, P, 2 * P, MREMAP_MAYMOVE), EFAULT);
    char *shared = must(mmap(0, P, RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    shared[5] = 55;
    char *twin = mremap(shared, 0, P, MREMAP_MAYMOVE);
    check("old size zero makes a twin", twin != MAP_FAILED && twin != shared && twin[5] == 55);
    twin[6] = 66;
    equal("which shares", shared[6], 66);
    (void)wall;
    return finish();
}

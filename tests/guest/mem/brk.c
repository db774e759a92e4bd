// brk: grows, shrinks, returns the current break on failure, keeps contents, gives zeros again.
//# libc: static musl dynamic
#include "expect.h"

static char *raw(void *to) { return (char *)syscall(SYS_brk, to); }

int main(void) {
    char *start = raw(0);
    check("has one", start && start != (char *)-1);
    char *end = raw(start + 100000);
    check("grows by bytes", end == start + 100000);
    memset(start, 7, 100000);
    check("a little less", raw(start + 50000) == start + 50000);
    check("contents", start[49999] == 7);
    check("grow again", raw(start + 200000) == start + 200000);
    check("what came back is zero", start[60000] == 0 && start[199999] == 0);
    check("contents stay", start[49000] == 7);
    check("below the beginning: nothing happens", raw((void *)4096) == start + 200000);
    check("far beyond: nothing happens", raw((void *)-4096) == start + 200000);
    char *next = (void *)(((uintptr_t)start + 200000 + 4095) & -4096);
    char *wall = mmap(next + 65536, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    check("a mapping is in the way", wall != MAP_FAILED && raw(next + 200000) == start + 200000);
    must(munmap(wall, 4096));
    check("out of the way", raw(next + 200000) == next + 200000);
    check("back to the start", raw(start) == start);
    int p[2];
    must(pipe(p));
    char *after = (void *)(((uintptr_t)start + 4095) & -4096);
    fails("beyond is nothing", write(p[1], after + 4096, 1), EFAULT);
    check("64 MiB", raw(start + (64 << 20)) == start + (64 << 20));
    memset(start, 1, 64 << 20);
    check("and back", raw(start) == start);
    return finish();
}

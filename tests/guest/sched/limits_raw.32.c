// Limits and usage: what does not fit 32 bits is infinite, or the largest number that the old call knew.
#include "expect.h"
#include <sys/resource.h>

struct limit32 { uint32_t cur, max; };
struct limit64 { uint64_t cur, max; } __attribute__((packed, aligned(4)));

int main(void) {
    struct limit32 now;
    struct limit64 wide = {1ULL << 33, 1ULL << 34};
    succeeds("prlimit64", syscall(SYS_prlimit64, 0, RLIMIT_CORE, 0, &wide));
    wide = (struct limit64){1ULL << 33, 1ULL << 34};
    // A core of 8 GiB: nobody has less by default, or this needs no more than the hard limit.
    if (syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, &wide, 0) == 0) {
        succeeds("ugetrlimit", syscall(SYS_ugetrlimit, RLIMIT_FSIZE, &now));
        check("too large is infinite", now.cur == 0xffffffff && now.max == 0xffffffff);
        succeeds("getrlimit", syscall(SYS_getrlimit, RLIMIT_FSIZE, &now));
        check("too large is the largest", now.cur == 0x7fffffff && now.max == 0x7fffffff);
    }
    struct limit32 three = {3000000000u, 0xffffffff};
    wide = (struct limit64){0, 0};
    struct limit32 core;
    must(syscall(SYS_ugetrlimit, RLIMIT_STACK, &core));
    core.cur = 1 << 20;
    succeeds("setrlimit", syscall(SYS_setrlimit, RLIMIT_STACK, &core));
    succeeds("prlimit64", syscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, &wide));
    check("infinity is the host's infinity", wide.cur == 1 << 20 && (core.max != 0xffffffff || wide.max == ~0ULL));
    must(syscall(SYS_ugetrlimit, RLIMIT_DATA, &core));
    if (core.max == 0xffffffff) {
        succeeds("setrlimit of 3 GB", syscall(SYS_setrlimit, RLIMIT_DATA, &three));
        succeeds("ugetrlimit", syscall(SYS_ugetrlimit, RLIMIT_DATA, &now));
        check("3 GB", now.cur == 3000000000u && now.max == 0xffffffff);
        succeeds("getrlimit", syscall(SYS_getrlimit, RLIMIT_DATA, &now));
        check("the old call knows 2 GB", now.cur == 0x7fffffff && now.max == 0x7fffffff);
    }
    fails("soft above hard", syscall(SYS_setrlimit, RLIMIT_NOFILE, &(struct limit32){20, 10}), EINVAL);
    fails("no such limit", syscall(SYS_ugetrlimit, 77, &now), EINVAL);
    fails("no such limit", syscall(SYS_getrlimit, 77, &now), EINVAL);
    fails("unreadable comes first", syscall(SYS_setrlimit, 77, forbidden()), EFAULT);
    fails("null", syscall(SYS_setrlimit, RLIMIT_CPU, 0), EFAULT);
    fails("nowhere", syscall(SYS_ugetrlimit, RLIMIT_CPU, forbidden()), EFAULT);

    int32_t usage[18];
    memset(usage, -1, sizeof usage);
    succeeds("getrusage", syscall(SYS_getrusage, RUSAGE_SELF, usage));
    check("all of it is written", usage[0] >= 0 && usage[17] >= 0 && usage[4] > 0 && usage[8] > 0);
    succeeds("getrusage of children", syscall(SYS_getrusage, RUSAGE_CHILDREN, usage));
    succeeds("getrusage of the thread", syscall(SYS_getrusage, 1, usage));
    fails("of nobody", syscall(SYS_getrusage, 77, usage), EINVAL);
    fails("nowhere", syscall(SYS_getrusage, RUSAGE_SELF, forbidden()), EFAULT);
    return finish();
}

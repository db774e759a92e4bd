// getrlimit (76) says at most 2^31-1, ugetrlimit (191) and setrlimit (75) have 2^32-1 as infinity.
#include "expect.h"

int main(void) {
    uint32_t r[3] = {0, 0, 0x5a5a5a5a};
    succeeds("getrlimit", syscall(76, 9 /* RLIMIT_AS */, r));
    check("infinity", r[0] == 0x7fffffff && r[1] == 0x7fffffff && r[2] == 0x5a5a5a5a);
    succeeds("ugetrlimit", syscall(191, 9, r));
    check("infinity", r[0] == 0xffffffff && r[1] == 0xffffffff);
    uint64_t wide[2];
    succeeds("setrlimit", syscall(75, 2 /* RLIMIT_DATA */, (uint32_t[]){0xf0000000, 0xffffffff}));
    must(syscall(340, 0, 2, 0, wide));
    check("unsigned, and infinity is infinity", wide[0] == 0xf0000000 && wide[1] == ~0ULL);
    succeeds("prlimit64", syscall(340, 0, 9, 0, wide));
    check("infinity in 64 bits", wide[0] == ~0ULL);
    fails("nowhere", syscall(191, 9, forbidden()), EFAULT);
    fails("from nowhere", syscall(75, 9, forbidden()), EFAULT);
    return finish();
}

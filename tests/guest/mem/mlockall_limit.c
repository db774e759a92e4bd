// mlockall under RLIMIT_MEMLOCK, which is for what the program has mapped, and nothing else.
//# needs: root
//# libc: static dynamic musl
#include "../expect.h"
#include <sys/resource.h>

#define MIB (1l << 20)
#define SOME (MIB / 4)

static void limit(long bytes) {
    struct rlimit limit = {bytes, bytes};
    must(setrlimit(RLIMIT_MEMLOCK, &limit));
}

static char *map(long bytes) {
    return mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int is_resident(char *page) {
    unsigned char resident;
    must(mincore(page, 4096, &resident));
    return resident & 1;
}

int main(void) {
    limit(8 * MIB);
    must(setgid(65534));
    must(setuid(65534));
    char *untouched = map(SOME), *none = must(mmap(0, SOME, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    succeeds("what there is", mlockall(MCL_CURRENT));
    check("it is there", is_resident(untouched) && is_resident(untouched + SOME - 4096));
    succeeds("munlockall", munlockall());
    succeeds("and what comes", mlockall(MCL_CURRENT | MCL_FUTURE));
    char *later = map(SOME);
    check("that is there at once", is_resident(later));
    fails("more than may be locked", (long)map(32 * MIB), EAGAIN);
    succeeds("munlockall", munlockall());
    char *after = map(SOME);
    check("not any more", !is_resident(after));
    succeeds("when touched", mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT));
    check("it was not", !is_resident(after));
    fails("flags", mlockall(MCL_CURRENT | 8), EINVAL);
    succeeds("munlockall", munlockall());
    char *large = map(32 * MIB);
    fails("too much", mlockall(MCL_CURRENT), ENOMEM);
    fails("too much, and what comes", mlockall(MCL_CURRENT | MCL_FUTURE), ENOMEM);
    must(munmap(large, 32 * MIB));
    succeeds("not any more", mlockall(MCL_CURRENT));
    succeeds("munlockall", munlockall());
    must(munmap(none, SOME));
    limit(0);
    fails("none may be", mlockall(MCL_CURRENT), EPERM);
    return finish();
}

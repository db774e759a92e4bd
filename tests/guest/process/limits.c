// rlimits in both forms, priorities, and what they do.
//# libc: static musl time64
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    struct rlimit r;
    must(getrlimit(RLIMIT_NOFILE, &r));
    equal("descriptors", r.rlim_cur, 1024);
    r.rlim_cur = 20;
    succeeds("lower", setrlimit(RLIMIT_NOFILE, &r));
    fails("too many", ({ int fd; do fd = open("/dev/null", O_RDONLY); while (fd >= 0 && fd < 30); fd; }), EMFILE);
    must(getrlimit(RLIMIT_AS, &r));
    check("unlimited", r.rlim_cur == RLIM_INFINITY);
    must(getrlimit(RLIMIT_STACK, &r));
    equal("stack", r.rlim_cur, 8 << 20);
    struct rlimit64 l = {100, 50};
    fails("soft over hard", setrlimit64(RLIMIT_CORE, &l), EINVAL);
    l = (struct rlimit64){5LL << 32, 6LL << 32};
    succeeds("over 4 GiB", setrlimit64(RLIMIT_DATA, &l));
    struct rlimit64 back;
    succeeds("prlimit", prlimit64(0, RLIMIT_DATA, 0, &back));
    check("reads back", back.rlim_cur == l.rlim_cur && back.rlim_max == l.rlim_max);
    if (sizeof(r.rlim_cur) == 4) {
        must(getrlimit(RLIMIT_DATA, &r));
        check("in 32 bits it is infinity", r.rlim_cur == RLIM_INFINITY);
    } else check("in 32 bits it is infinity", 1);
    fails("which", getrlimit(99, &r), EINVAL);
    succeeds("nicest", setpriority(PRIO_PROCESS, 0, 19));
    equal("reads back", getpriority(PRIO_PROCESS, 0), 19);
    equal("raw, 20 minus", syscall(SYS_getpriority, PRIO_PROCESS, 0), 1);
    fails("who", getpriority(9, 0), EINVAL);
    struct rusage u;
    succeeds("getrusage", getrusage(RUSAGE_SELF, &u));
    check("memory", u.ru_maxrss > 0);
    fails("whose", getrusage(77, &u), EINVAL);
    return finish();
}

// nice(2), which only 32-bit tasks have, and processor masks, which are made of 32-bit longs for them.
#include "expect.h"
#include <sched.h>
#include <sys/resource.h>

int main(void) {
    // 20 less the nice value, which whoever runs the tests has chosen.
    long priority_before = must(syscall(SYS_getpriority, PRIO_PROCESS, 0));
    check("priority", priority_before >= 1 && priority_before <= 40);
    succeeds("nice", syscall(SYS_nice, 5));
    check("5 nicer", syscall(SYS_getpriority, PRIO_PROCESS, 0) == (priority_before > 6 ? priority_before - 5 : 1));
    succeeds("nice", syscall(SYS_nice, 1000000));
    equal("as nice as can be", syscall(SYS_getpriority, PRIO_PROCESS, 0), 1);
    succeeds("nice", syscall(SYS_nice, 0));

    uint32_t mask[64], again[64];
    memset(mask, 0xff, sizeof mask);
    long size = succeeds("sched_getaffinity", syscall(SYS_sched_getaffinity, 0, sizeof mask, mask));
    check("a size of whole longs", size > 0 && size % 4 == 0 && size <= (long)sizeof mask);
    check("beyond it nothing is written", size == sizeof mask || mask[size / 4] == 0xffffffff);
    fails("not whole longs", syscall(SYS_sched_getaffinity, 0, 6, mask), EINVAL);
    fails("nothing", syscall(SYS_sched_getaffinity, 0, 0, mask), EINVAL);
    fails("as many bits as none", syscall(SYS_sched_getaffinity, 0, 0x80000000, mask), EINVAL);
    fails("the same of no process", syscall(SYS_sched_getaffinity, 0x80000000, 0x80000000, mask), EINVAL);
    fails("nowhere", syscall(SYS_sched_getaffinity, 0, sizeof mask, forbidden()), EFAULT);
    // This machine has few processors: one 32-bit long is enough for the kernel.
    if (sysconf(_SC_NPROCESSORS_CONF) <= 32) {
        again[1] = 77;
        equal("one long", syscall(SYS_sched_getaffinity, 0, 4, again), 4);
        check("one long is written", again[0] == mask[0] && again[1] == 77);
        equal("three longs", syscall(SYS_sched_getaffinity, 0, 12, again), size < 12 ? size : 12);
    }
    uint32_t first = mask[0] & -mask[0];
    succeeds("sched_setaffinity", syscall(SYS_sched_setaffinity, 0, 4, &first));
    must(syscall(SYS_sched_getaffinity, 0, sizeof again, again));
    equal("one processor", again[0], first);
    // A length of one byte still means one long.
    succeeds("sched_setaffinity by the byte", syscall(SYS_sched_setaffinity, 0, 1, mask));
    must(syscall(SYS_sched_getaffinity, 0, sizeof again, again));
    equal("all of the first long", again[0], mask[0]);
    succeeds("sched_setaffinity, long", syscall(SYS_sched_setaffinity, 0, sizeof mask, mask));
    memset(again, 0, sizeof again);
    fails("no processor", syscall(SYS_sched_setaffinity, 0, 8, again), EINVAL);
    fails("nowhere", syscall(SYS_sched_setaffinity, 0, 8, forbidden()), EFAULT);
    fails("nobody", syscall(SYS_sched_setaffinity, 0x3fffff, 8, mask), ESRCH);

    struct { int32_t sec, nsec; } narrow = {-1, -1};
    struct { int64_t sec, nsec; } __attribute__((packed, aligned(4))) wide = {-1, -1};
    succeeds("sched_rr_get_interval", syscall(SYS_sched_rr_get_interval, 0, &narrow));
    succeeds("sched_rr_get_interval_time64", syscall(SYS_sched_rr_get_interval_time64, 0, &wide));
    check("the same", narrow.sec == wide.sec && narrow.nsec == wide.nsec && narrow.nsec >= 0);
    int priority = -1;
    succeeds("sched_getparam", syscall(SYS_sched_getparam, 0, &priority));
    equal("no priority", priority, 0);
    equal("sched_getscheduler", syscall(SYS_sched_getscheduler, 0), SCHED_OTHER);
    equal("sched_get_priority_max", syscall(SYS_sched_get_priority_max, SCHED_FIFO), 99);
    equal("sched_get_priority_min", syscall(SYS_sched_get_priority_min, SCHED_FIFO), 1);
    uint32_t attributes[16] = {0};
    succeeds("sched_getattr", syscall(SYS_sched_getattr, 0, attributes, sizeof attributes, 0));
    check("nice value in it", attributes[0] >= 48 && attributes[4] == 19);
    return finish();
}

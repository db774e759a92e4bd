// sched_setparam, sched_setattr, ioprio_set and ioprio_get.
//# needs: root
#include <sched.h>
#include "expect.h"

struct attributes { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; uint32_t least, most; };

static void others(void) {
    struct attributes a = {.size = 48, .policy = SCHED_FIFO, .priority = 1};
    fails("sched_setattr", syscall(SYS_sched_setattr, 0, &a, 0), EPERM);
    fails("sched_setattr of another", syscall(SYS_sched_setattr, 1, &a, 0), EPERM);
    fails("ioprio_set of another", syscall(SYS_ioprio_set, 1, 1, 2 << 13 | 4), EPERM);
}

int main(void) {
    struct sched_param param = {0};
    succeeds("sched_setparam", syscall(SYS_sched_setparam, 0, &param));
    param.sched_priority = 5;
    fails("sched_setparam, no priority of this policy", syscall(SYS_sched_setparam, 0, &param), EINVAL);
    fails("sched_setparam nowhere", syscall(SYS_sched_setparam, 0, forbidden()), EFAULT);
    fails("sched_setparam of nothing", syscall(SYS_sched_setparam, 0, 0), EINVAL);
    fails("sched_setparam of nobody", syscall(SYS_sched_setparam, 0x3fffff, &param), ESRCH);
    fails("sched_setparam, negative", syscall(SYS_sched_setparam, -1, &param), EINVAL);

    struct attributes a = {.size = 48, .policy = SCHED_BATCH, .nice = 7}, b;
    succeeds("sched_setattr", syscall(SYS_sched_setattr, 0, &a, 0));
    memset(&b, 0xff, sizeof b);
    must(syscall(SYS_sched_getattr, 0, &b, 48, 0));
    check("is so", b.size == 48 && b.policy == SCHED_BATCH && b.nice == 7 && b.flags == 0 && b.priority == 0);
    fails("sched_setattr flags", syscall(SYS_sched_setattr, 0, &a, 1), EINVAL);
    fails("sched_setattr nowhere", syscall(SYS_sched_setattr, 0, forbidden(), 0), EFAULT);
    fails("sched_setattr of nothing", syscall(SYS_sched_setattr, 0, 0, 0), EINVAL);
    fails("sched_setattr of nobody", syscall(SYS_sched_setattr, 0x3fffff, &a, 0), ESRCH);
    a.policy = 99;
    fails("sched_setattr policy", syscall(SYS_sched_setattr, 0, &a, 0), EINVAL);
    a.policy = 0, a.flags = 1ULL << 40;
    fails("sched_setattr, upper half", syscall(SYS_sched_setattr, 0, &a, 0), EINVAL);
    a.flags = 0, a.size = 12;
    fails("sched_setattr, too small", syscall(SYS_sched_setattr, 0, &a, 0), E2BIG);
    check("says how much", a.size >= 48);
    struct { struct attributes a; uint32_t more[8]; } large = {{.size = sizeof large}, {0}};
    succeeds("sched_setattr, large", syscall(SYS_sched_setattr, 0, &large, 0));
    large.more[7] = 1;
    fails("sched_setattr, more than there is", syscall(SYS_sched_setattr, 0, &large, 0), E2BIG);

    succeeds("ioprio_set", syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 6));
    equal("ioprio_get", syscall(SYS_ioprio_get, 1, 0), 2 << 13 | 6);
    fails("ioprio_set class", syscall(SYS_ioprio_set, 1, 0, 7 << 13), EINVAL);
    fails("ioprio_set whose", syscall(SYS_ioprio_set, 9, 0, 2 << 13), EINVAL);
    fails("ioprio_get whose", syscall(SYS_ioprio_get, 9, 0), EINVAL);
    fails("ioprio_get of nobody", syscall(SYS_ioprio_get, 1, 0x3fffff), ESRCH);
    fails("ioprio_set of nobody", syscall(SYS_ioprio_set, 1, 0x3fffff, 2 << 13), ESRCH);
    unprivileged(others);
    return finish();
}

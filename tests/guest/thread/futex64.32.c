// futex_time64 (422), futex_waitv (449) and robust lists of 32-bit layout.
#include <linux/futex.h>
#include "expect.h"

int main(void) {
    uint32_t word = 1;
    struct { int64_t sec, nsec; } t = {0, 10000000}, at;
    fails("timeout", syscall(422, &word, FUTEX_WAIT, 1, &t, 0, 0), ETIMEDOUT);
    t.nsec |= 7LL << 32;
    fails("what is above the nanoseconds does not count", syscall(422, &word, FUTEX_WAIT, 1, &t, 0, 0), ETIMEDOUT);
    t.nsec = (uint32_t)t.nsec;
    fails("nowhere", syscall(422, &word, FUTEX_WAIT, 1, forbidden(), 0, 0), EFAULT);
    t.sec = -1;
    fails("negative", syscall(422, &word, FUTEX_WAIT, 1, &t, 0, 0), EINVAL);
    must(syscall(403, CLOCK_MONOTONIC, &at));
    struct { uint64_t value, address; uint32_t flags, reserved; } v[2] = {{1, (uintptr_t)&word, 2, 0}, {5, (uintptr_t)&t, 2, 0}};
    fails("waitv, not the value", syscall(449, v, 2, 0, &at, CLOCK_MONOTONIC), EAGAIN);
    v[1].value = (uint32_t)t.sec;
    fails("waitv, past", syscall(449, v, 2, 0, &at, CLOCK_MONOTONIC), ETIMEDOUT);
    at.nsec |= 7LL << 32;
    fails("waitv, past, with something above the nanoseconds", syscall(449, v, 2, 0, &at, CLOCK_MONOTONIC), ETIMEDOUT);
    optional(syscall(455, 0, 0, 0, 0, 0, 0));
    fails("wait, past, with something above the nanoseconds", syscall(455, &word, 1, -1, 2, &at, CLOCK_MONOTONIC), ETIMEDOUT);
    always();
    at.nsec = (uint32_t)at.nsec;
    fails("waitv, none", syscall(449, v, 0, 0, &at, CLOCK_MONOTONIC), EINVAL);
    fails("waitv, nowhere", syscall(449, forbidden(), 1, 0, &at, CLOCK_MONOTONIC), EFAULT);

    struct { uint32_t next; int32_t offset; uint32_t pending; } *head;
    uint32_t list, size;
    succeeds("get_robust_list", syscall(SYS_get_robust_list, 0, &list, &size));
    equal("size of the head", size, 12);
    fails("another size", syscall(SYS_set_robust_list, list, 24), EINVAL);
    struct node { uint32_t next; uint32_t futex; };
    struct shared { typeof(*head) head; struct node node[3]; } *s = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pid_t child = must(fork());
    if (!child) {
        uint32_t tid = syscall(SYS_gettid);
        s->head.next = (uintptr_t)&s->node[0];
        s->head.offset = 4;
        for (int i = 0; i < 3; i++) s->node[i].futex = tid;
        s->node[0].next = (uintptr_t)&s->node[1];
        s->node[1].next = (uintptr_t)&s->head;
        s->head.pending = (uintptr_t)&s->node[2];
        must(syscall(SYS_set_robust_list, s, 12));
        _exit(0);
    }
    end_of(child);
    for (int i = 0; i < 3; i++) equal("owner died", s->node[i].futex, FUTEX_OWNER_DIED);
    return finish();
}

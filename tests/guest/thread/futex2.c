// futex_wake, futex_wait, futex_requeue: the futexes with sizes.
//# cflags: -pthread
#include <pthread.h>
#include "expect.h"

#define WAKE 454
#define WAIT 455
#define REQUEUE 456
#define U32 2
#define PRIVATE 128
#define ALL 0xffffffffL

static uint32_t word = 5, other = 6;
static volatile int awake;

static void *waiter(void *address) {
    while (syscall(WAIT, address, (long)*(uint32_t *)address, ALL, (long)(U32 | PRIVATE), 0L, 0L) == -1 && errno == EINTR)
        ;
    __atomic_add_fetch(&awake, 1, __ATOMIC_SEQ_CST);
    return 0;
}

struct element { uint64_t value, address; uint32_t flags, reserved; };
static long requeue(struct element *both, int wake, int move) { return syscall(REQUEUE, both, 0L, (long)wake, (long)move); }

int main(void) {
    struct { int64_t sec, nsec; } past = {1, 0}, invalid = {1, 1000000000};
    optional(syscall(WAKE, 0L, 0L, 0L, ~0L));
    equal("futex_wake of nobody", syscall(WAKE, &word, ALL, 1L, (long)(U32 | PRIVATE)), 0);
    fails("futex_wake flags", syscall(WAKE, &word, ALL, 1L, 0x40L), EINVAL);
    fails("futex_wake, no mask", syscall(WAKE, &word, 0L, 1L, (long)(U32 | PRIVATE)), EINVAL);
    fails("futex_wake, not aligned", syscall(WAKE, (char *)&word + 1, ALL, 1L, (long)U32), EINVAL);
    fails("futex_wake nowhere", syscall(WAKE, forbidden(), ALL, 1L, (long)U32), EFAULT);
    fails("futex_wait, another value", syscall(WAIT, &word, 4L, ALL, (long)(U32 | PRIVATE), 0L, 0L), EAGAIN);
    fails("futex_wait, no mask", syscall(WAIT, &word, 5L, 0L, (long)(U32 | PRIVATE), 0L, 0L), EINVAL);
    fails("futex_wait, too large a value", syscall(WAIT, &word, 5L, ALL, 0L, 0L, 0L), EINVAL);
    fails("futex_wait, time", syscall(WAIT, &word, 5L, ALL, (long)(U32 | PRIVATE), &invalid, (long)CLOCK_MONOTONIC), EINVAL);
    fails("futex_wait, clock", syscall(WAIT, &word, 5L, ALL, (long)(U32 | PRIVATE), &past, 7L), EINVAL);
    fails("futex_wait, time nowhere", syscall(WAIT, &word, 5L, ALL, (long)(U32 | PRIVATE), forbidden(), (long)CLOCK_MONOTONIC), EFAULT);
    fails("futex_wait until long ago", syscall(WAIT, &word, 5L, ALL, (long)(U32 | PRIVATE), &past, (long)CLOCK_MONOTONIC), ETIMEDOUT);
    fails("futex_wait nowhere", syscall(WAIT, forbidden(), 5L, ALL, (long)U32, 0L, 0L), EFAULT);
    struct element both[2] = {{5, (uintptr_t)&word, U32 | PRIVATE}, {6, (uintptr_t)&other, U32 | PRIVATE}};
    equal("futex_requeue of nobody", requeue(both, 1, 1), 0);
    fails("futex_requeue flags", syscall(REQUEUE, both, 1L, 1L, 1L), EINVAL);
    fails("futex_requeue nowhere", syscall(REQUEUE, forbidden(), 0L, 1L, 1L), EFAULT);
    fails("futex_requeue of nothing", syscall(REQUEUE, 0L, 0L, 1L, 1L), EINVAL);
    fails("futex_requeue, negative", requeue(both, -1, 1), EINVAL);
    both[0].value = 4;
    fails("futex_requeue, another value", requeue(both, 1, 1), EAGAIN);
    both[0].value = 5, both[1].reserved = 1;
    fails("futex_requeue, reserved", requeue(both, 1, 1), EINVAL);
    both[1].reserved = 0;
    if (expect_absent) {
        equal("one was moved", 0, 1);
        equal("and woken there", 0, 1);
        equal("one wakes", 0, 1);
        equal("both are awake", 0, 2);
        return finish();
    }
    pthread_t threads[2];
    pthread_create(&threads[0], 0, waiter, &word);
    long moved;
    while (!(moved = requeue(both, 0, 1))) pause_for(1);
    equal("one was moved", moved, 1);
    equal("and woken there", syscall(WAKE, &other, ALL, 1L, (long)(U32 | PRIVATE)), 1);
    pthread_join(threads[0], 0);
    pthread_create(&threads[1], 0, waiter, &word);
    while (!(moved = syscall(WAKE, &word, ALL, 9L, (long)(U32 | PRIVATE)))) pause_for(1);
    equal("one wakes", moved, 1);
    pthread_join(threads[1], 0);
    equal("both are awake", awake, 2);
    return finish();
}

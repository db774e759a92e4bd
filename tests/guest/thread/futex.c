// futex, raw: WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, bitsets, timeouts and errors.
//# libc: static
//# link: -lpthread
#include <linux/futex.h>
#include <pthread.h>
#include "expect.h"

static uint32_t word, other;
static volatile int waiting, woken;
#define futex(...) syscall(SYS_futex, __VA_ARGS__)

static void *waiter(void *argument) {
    __sync_fetch_and_add(&waiting, 1);
    long bits = (long)argument;
    long result = bits ? futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, bits) : futex(&word, FUTEX_WAIT, 0, 0, 0, 0);
    if (result == 0) __sync_fetch_and_add(&woken, 1);
    return (void *)result;
}
static pthread_t start(long bits) {
    pthread_t t;
    int before = waiting;
    pthread_create(&t, 0, waiter, (void *)bits);
    while (waiting == before) pause_for(1);
    pause_for(15);
    return t;
}

int main(void) {
    struct timespec t = {0, 15000000};
    word = 1;
    fails("not the value", futex(&word, FUTEX_WAIT, 0, 0, 0, 0), EAGAIN);
    long begin = milliseconds();
    fails("timeout", futex(&word, FUTEX_WAIT, 1, &t, 0, 0), ETIMEDOUT);
    check("took its time", milliseconds() - begin >= 14);
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    fails("absolute, past", futex(&word, FUTEX_WAIT_BITSET, 1, &at, 0, -1), ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &at);
    fails("real time, past", futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &at, 0, -1), ETIMEDOUT);
    fails("no bits", futex(&word, FUTEX_WAIT_BITSET, 1, 0, 0, 0), EINVAL);
    fails("unaligned", futex((char *)&word + 1, FUTEX_WAIT, 1, 0, 0, 0), EINVAL);
    fails("nowhere", futex(forbidden(), FUTEX_WAIT, 1, 0, 0, 0), EFAULT);
    fails("time nowhere", futex(&word, FUTEX_WAIT, 1, forbidden(), 0, 0), EFAULT);
    fails("time", futex(&word, FUTEX_WAIT, 1, &(struct timespec){0, -1}, 0, 0), EINVAL);
    fails("operation", futex(&word, 99, 1, 0, 0, 0), ENOSYS);
    equal("nobody to wake", futex(&word, FUTEX_WAKE, 1, 0, 0, 0), 0);
    word = 0;
    pthread_t a = start(0), b = start(0);
    equal("wake one", futex(&word, FUTEX_WAKE, 1, 0, 0, 0), 1);
    equal("requeue the other", futex(&word, FUTEX_CMP_REQUEUE, 0, 10, &other, 0), 1);
    fails("requeue, not the value", futex(&word, FUTEX_CMP_REQUEUE, 0, 10, &other, 7), EAGAIN);
    equal("nobody here", futex(&word, FUTEX_WAKE, 10, 0, 0, 0), 0);
    equal("but there", futex(&other, FUTEX_WAKE, 10, 0, 0, 0), 1);
    pthread_join(a, 0), pthread_join(b, 0);
    equal("woken", woken, 2);
    a = start(1), b = start(2);
    equal("wake bit 2", futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 10, 0, 0, 2), 1);
    equal("wake bit 4", futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 10, 0, 0, 4), 0);
    equal("wake bit 1", futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 10, 0, 0, 1), 1);
    pthread_join(a, 0), pthread_join(b, 0);
    a = start(0);
    other = 5;
    equal("wake op", futex(&word, FUTEX_WAKE_OP, 1, 1, &other, FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 5)), 1);
    equal("added", other, 8);
    pthread_join(a, 0);
    word = 0;
    equal("lock PI", futex(&word, FUTEX_LOCK_PI, 0, 0, 0, 0), 0);
    equal("is ours", word, syscall(SYS_gettid));
    fails("again", futex(&word, FUTEX_LOCK_PI, 0, 0, 0, 0), EDEADLK);
    equal("unlock PI", futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0), 0);
    fails("not ours", futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0), EPERM);
    return finish();
}

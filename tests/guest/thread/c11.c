// Atomics of 8 bytes, and thread_local with constructors of the loader.
//# libc: static dynamic
//# link: -lpthread -latomic
#include <pthread.h>
#include <stdatomic.h>
#include "expect.h"

static _Atomic uint64_t total;
static atomic_int small;
static _Thread_local uint64_t mine;
static void *adds(void *argument) {
    for (int i = 0; i < 50000; i++) {
        atomic_fetch_add(&total, 0x100000001ULL);
        atomic_fetch_add(&small, 1);
        mine++;
    }
    return (void *)(uintptr_t)mine;
}

int main(void) {
    pthread_t t[3];
    void *result;
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, adds, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], &result), equal("its own", (uintptr_t)result, 50000);
    equal("8 bytes", total, 150000 * 0x100000001ULL);
    equal("4 bytes", small, 150000);
    return finish();
}

// Threads: made, joined, detached 500 times; return values; thread-local storage; stacks.
//# libc: static dynamic musl
//# link: -lpthread
#include <pthread.h>
#include "expect.h"

static __thread int local = 5;
static __thread char large[10000];
static volatile int detached;
static pthread_key_t key;
static int destroyed;

static void *identity(void *argument) {
    local += (int)(long)argument;
    large[9999] = 1;
    pthread_setspecific(key, argument);
    return (void *)(long)local;
}
static void *detach(void *argument) {
    pthread_detach(pthread_self());
    __sync_fetch_and_add(&detached, 1);
    return 0;
}
static void destroy(void *value) { __sync_fetch_and_add(&destroyed, 1); }
static void *exits(void *argument) { pthread_exit((void *)77); }
static void *deep(void *argument) {
    volatile char big[700000];
    big[0] = 3;
    memset((char *)big + 1, 1, sizeof big - 1);
    return (void *)(long)big[0];
}

int main(void) {
    int wrong = 0;
    pthread_t t;
    void *result;
    pthread_key_create(&key, destroy);
    for (long i = 0; i < 500; i++) {
        wrong += pthread_create(&t, 0, identity, (void *)(i + 1));
        wrong += pthread_join(t, &result) || (long)result != i + 6;
    }
    equal("500 one after the other", wrong, 0);
    equal("destructors", destroyed, 500);
    equal("our own TLS", local, 5);
    pthread_t many[50];
    for (long i = 0; i < 50; i++) wrong += pthread_create(&many[i], 0, identity, (void *)(i + 1));
    for (long i = 0; i < 50; i++) wrong += pthread_join(many[i], &result) || (long)result != i + 6;
    equal("50 at once", wrong, 0);
    for (int i = 0; i < 500; i++)
        while (pthread_create(&t, 0, detach, 0)) pause_for(1);
    for (int i = 0; detached < 500 && i < 5000; i++) pause_for(1);
    equal("500 detached", detached, 500);
    pthread_create(&t, 0, exits, 0);
    pthread_join(t, &result);
    equal("pthread_exit", (long)result, 77);
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 1 << 20);
    equal("with a stack of 1 MiB", pthread_create(&t, &a, deep, 0), 0);
    pthread_join(t, &result);
    equal("used", (long)result, 3);
    return finish();
}

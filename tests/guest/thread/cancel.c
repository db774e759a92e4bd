// Cancellation: deferred in each kind of call, asynchronous in a loop, disabled, with clean-up handlers.
//# libc: static dynamic musl
//# link: -lpthread
#include <poll.h>
#include <pthread.h>
#include "expect.h"

static int p[2];
static volatile int cleaned, survived, cancelled;
static volatile unsigned begun;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void clean(void *argument) { cleaned++; }
static void unlock(void *argument) { pthread_mutex_unlock(&mutex); cleaned++; }

static void *reads(void *argument) {
    char c;
    pthread_cleanup_push(clean, 0);
    begun = 1;
    read(p[0], &c, 1);
    pthread_cleanup_pop(0);
    return 0;
}
static void *sleeps(void *argument) {
    pthread_cleanup_push(clean, 0);
    begun = 1;
    struct timespec t = {20, 0};
    nanosleep(&t, 0);
    pthread_cleanup_pop(0);
    return 0;
}
static void *waits(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, 0);
    begun = 1;
    for (;;) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(0);
    return 0;
}
static void *polls(void *argument) {
    pthread_cleanup_push(clean, 0);
    begun = 1;
    poll(0, 0, 20000);
    pthread_cleanup_pop(0);
    return 0;
}
static void *spins(void *argument) {
    pthread_cleanup_push(clean, 0);
    begun = 1;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    for (;;) begun++;
    pthread_cleanup_pop(0);
    return 0;
}
static void *refuses(void *argument) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    begun = 1;
    while (!cancelled) pause_for(1);
    survived = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    pthread_testcancel();
    return 0;
}

int main(void) {
    must(pipe(p));
    struct { const char *name; void *(*function)(void *); } all[] = {
        {"read", reads}, {"nanosleep", sleeps}, {"cond_wait", waits}, {"poll", polls}, {"asynchronous", spins}, {"disabled", refuses}};
    for (int i = 0; i < 6; i++) {
        pthread_t t;
        void *result = 0;
        cleaned = begun = cancelled = 0;
        pthread_create(&t, 0, all[i].function, 0);
        while (!begun) pause_for(1);
        pause_for(15);
        equal(all[i].name, pthread_cancel(t), 0);
        cancelled = 1;
        pthread_join(t, &result);
        check("was cancelled", result == PTHREAD_CANCELED);
        if (i < 5) equal("cleaned up", cleaned, 1);
    }
    check("survived while disabled", survived);
    equal("the mutex is free", pthread_mutex_trylock(&mutex), 0);
    return finish();
}

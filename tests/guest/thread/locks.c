// mutex, condition, rwlock, barrier, once, semaphore, spin lock, under contention.
//# libc: static dynamic musl time64
//# link: -lpthread
#include <pthread.h>
#include <semaphore.h>
#include "expect.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static pthread_spinlock_t spin;
static long counter, under_rw, onces, serial, spun;
static int turn;

static void only(void) { onces++; }

static void *worker(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
        pthread_spin_lock(&spin);
        spun++;
        pthread_spin_unlock(&spin);
        if (i % 10 == 0) {
            pthread_rwlock_wrlock(&rwlock);
            under_rw++;
            pthread_rwlock_unlock(&rwlock);
        } else {
            pthread_rwlock_rdlock(&rwlock);
            pthread_rwlock_unlock(&rwlock);
        }
        pthread_once(&once, only);
    }
    for (int i = 0; i < 50; i++)
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __sync_fetch_and_add(&serial, 1);
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&mutex);
        while (turn % 4 != me) pthread_cond_wait(&condition, &mutex);
        turn++;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
    }
    sem_post(&semaphore);
    return 0;
}

int main(void) {
    pthread_t t[4];
    pthread_barrier_init(&barrier, 0, 4);
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 0);
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 4; i++) sem_wait(&semaphore);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    equal("mutex", counter, 20000);
    equal("spin lock", spun, 20000);
    equal("rwlock", under_rw, 2000);
    equal("once", onces, 1);
    equal("barrier", serial, 50);
    equal("condition", turn, 800);
    fails("semaphore, try", sem_trywait(&semaphore), EAGAIN);
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 20000000;
    if (at.tv_nsec >= 1000000000) at.tv_sec++, at.tv_nsec -= 1000000000;
    fails("semaphore, timed", sem_timedwait(&semaphore, &at), ETIMEDOUT);
    pthread_mutex_lock(&mutex);
    equal("condition, timed", pthread_cond_timedwait(&condition, &mutex, &at), ETIMEDOUT);
    equal("mutex, try", pthread_mutex_trylock(&mutex), EBUSY);
    equal("mutex, timed", pthread_mutex_timedlock(&mutex, &at), ETIMEDOUT);
    equal("rwlock, timed", (pthread_rwlock_wrlock(&rwlock), pthread_rwlock_tryrdlock(&rwlock)), EBUSY);
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t checked;
    pthread_mutex_init(&checked, &a);
    pthread_mutex_lock(&checked);
    equal("error checking", pthread_mutex_lock(&checked), EDEADLK);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&checked, &a);
    pthread_mutex_lock(&checked);
    equal("recursive", pthread_mutex_lock(&checked), 0);
    return finish();
}

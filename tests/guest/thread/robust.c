// Robust mutexes: the next owner learns that the last one died, in a thread and in another process; PI mutexes.
//# libc: static dynamic musl
//# link: -lpthread
#include <pthread.h>
#include "expect.h"

static void *dies(void *mutex) {
    pthread_mutex_lock(mutex);
    return 0;
}
static volatile long shared;
static void *adds(void *mutex) {
    for (int i = 0; i < 2000; i++) {
        pthread_mutex_lock(mutex);
        shared++;
        pthread_mutex_unlock(mutex);
    }
    return 0;
}

int main(void) {
    pthread_mutex_t *m = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(m, &a);
    pthread_t t;
    pthread_create(&t, 0, dies, m);
    pthread_join(t, 0);
    equal("a thread died", pthread_mutex_lock(m), EOWNERDEAD);
    equal("made consistent", pthread_mutex_consistent(m), 0);
    pthread_mutex_unlock(m);
    equal("as new", pthread_mutex_lock(m), 0);
    pthread_mutex_unlock(m);
    pid_t child = must(fork());
    if (!child) {
        pthread_mutex_lock(m);
        _exit(0);
    }
    end_of(child);
    equal("a process ended", pthread_mutex_lock(m), EOWNERDEAD);
    pthread_mutex_unlock(m);
    equal("not made consistent", pthread_mutex_lock(m), ENOTRECOVERABLE);

    // A waiter is woken by the death of the owner.
    pthread_mutex_init(m, &a);
    int p[2];
    char c;
    must(pipe(p));
    if (!(child = must(fork()))) {
        pthread_mutex_lock(m);
        must(write(p[1], "x", 1));
        pause_for(40);
        _exit(0);
    }
    must(read(p[0], &c, 1));
    equal("woken by a death", pthread_mutex_lock(m), EOWNERDEAD);
    end_of(child);

    pthread_mutexattr_t pi;
    pthread_mutexattr_init(&pi);
    int supported = pthread_mutexattr_setprotocol(&pi, PTHREAD_PRIO_INHERIT);
    equal("PI", supported, 0);
    pthread_mutex_t inherit;
    pthread_mutex_init(&inherit, &pi);
    pthread_t u[3];
    for (int i = 0; i < 3; i++) pthread_create(&u[i], 0, adds, &inherit);
    for (int i = 0; i < 3; i++) pthread_join(u[i], 0);
    equal("PI, contended", shared, 6000);
    pthread_mutexattr_setrobust(&pi, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&inherit, &pi);
    pthread_create(&t, 0, dies, &inherit);
    pthread_join(t, 0);
    equal("PI and robust", pthread_mutex_lock(&inherit), EOWNERDEAD);
    return finish();
}

// A robust mutex whose owner, another process, was killed.
//# link: -lpthread
//# gap: nobody walks a killed process's 32-bit list of locks
//# timeout: 5
#include <pthread.h>
#include "expect.h"

int main(void) {
    pthread_mutex_t *m = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(m, &a);
    pid_t child = must(fork());
    if (!child) {
        pthread_mutex_lock(m);
        kill(getpid(), SIGKILL);
    }
    end_of(child);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 1;
    equal("a process was killed", pthread_mutex_timedlock(m, &soon), EOWNERDEAD);
    return finish();
}

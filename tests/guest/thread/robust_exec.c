// Robust mutexes of a process that executes another program, or fails to.
//# libc: static dynamic
//# link: -lpthread
#include <pthread.h>
#include "expect.h"

static pthread_mutex_t *m, *other;

static void *locks(void *mutex) {
    pthread_mutex_lock(mutex);
    for (;;) pause();
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) return 31;
    m = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    other = m + 1;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(m, &a);
    pthread_mutex_init(other, &a);
    pid_t child = must(fork());
    if (!child) {
        pthread_t thread;
        pthread_mutex_lock(m);
        pthread_create(&thread, 0, locks, other);
        while (pthread_mutex_trylock(other) == 0) pthread_mutex_unlock(other), pause_for(1);
        // What cannot be executed changes nothing.
        execl("nothing", "nothing", (char *)0);
        int text = open("text", O_CREAT | O_WRONLY, 0755);
        if (write(text, "no program\n", 11) != 11 || close(text)) _exit(90);
        execl("text", "text", (char *)0);
        if (pthread_mutex_trylock(m) != EBUSY && pthread_mutex_trylock(m) != EDEADLK) _exit(91);
        int between[2];
        if (pipe(between)) _exit(92);
        pid_t witness = fork();
        if (!witness) _exit(pthread_mutex_trylock(m) == EBUSY && pthread_mutex_trylock(other) == EBUSY ? 0 : 1);
        if (end_of(witness)) _exit(93);
        execl("/proc/self/exe", "again", "again", (char *)0);
        _exit(94);
    }
    equal("executed", end_of(child), 31);
    // With a limit: where nothing is marked, nobody would ever come.
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 10;
    equal("the thread's own", pthread_mutex_timedlock(m, &soon), EOWNERDEAD);
    equal("another thread's", pthread_mutex_timedlock(other, &soon), EOWNERDEAD);

    // One that waits is woken.
    pthread_mutex_init(m, &a);
    int p[2];
    must(pipe(p));
    if (!(child = must(fork()))) {
        pthread_mutex_lock(m);
        must(write(p[1], "x", 1));
        pause_for(20);
        execl("/proc/self/exe", "again", "again", (char *)0);
        _exit(94);
    }
    char byte;
    must(read(p[0], &byte, 1));
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 10;
    equal("woken", pthread_mutex_timedlock(m, &soon), EOWNERDEAD);
    equal("executed", end_of(child), 31);
    return finish();
}

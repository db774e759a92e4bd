// Two threads compute and make system calls in a storm of signals: every result must be exact.
//# libc: static dynamic musl
//# link: -lpthread
//# timeout: 40
#include <pthread.h>
#include "storm.h"

static volatile long ticks;

static void tick(int signal, siginfo_t *info, void *context) {
    __sync_fetch_and_add(&ticks, 1);
    volatile double x = 1.0;
    for (int i = 0; i < 10; i++) x = x * 1.5 + 0.25;
    int saved = errno;
    getppid();
    read(-1, 0, 0);
    if (signal == SIGALRM) after(200);
    errno = saved;
}

static __attribute__((noipa)) unsigned long long compute(void) {
    double sum = 0, x = 1;
    unsigned hash = 2166136261u;
    unsigned long long wide = 1;
    for (int i = 1; i < 200000; i++) {
        x = x * 1.0000001 + 0.0000001 * i;
        sum += x / i;
        hash = (hash ^ i) * 16777619u;
        wide = wide * 6364136223846793005ULL + i;
    }
    return wide ^ hash ^ (unsigned long long)(sum * 1000);
}

static void *worker(void *argument) {
    int p[2], wrong = 0;
    must(pipe(p));
    pid_t pid = getpid();
    unsigned long long first = compute();
    // On a busy machine signals come late: the storm lasts until there was one.
    for (int round = 0; round < 25 || ticks <= 100; round++) {
        wrong += compute() != first;
        for (unsigned i = 0; i < 200; i++) {
            unsigned got = ~i;
            wrong += write(p[1], &i, 4) != 4;
            wrong += read(p[0], &got, 4) != 4 || got != i;
            wrong += syscall(SYS_getpid) != pid;
            wrong += read(-1, &got, 4) != -1 || errno != EBADF;
            wrong += lseek(p[0], 0, SEEK_SET) != -1 || errno != ESPIPE;
        }
    }
    return (void *)(long)wrong;
}

int main(void) {
    on_signal(SIGALRM, tick, SA_RESTART);
    on_signal(SIGPROF, tick, SA_RESTART);
    after(200);
    must(setitimer(ITIMER_PROF, &(struct itimerval){{0, 1000}, {0, 1000}}, 0));
    pthread_t other;
    pthread_create(&other, 0, worker, 0);
    long wrong = (long)worker(0);
    void *result;
    pthread_join(other, &result);
    equal("wrong results here", wrong, 0);
    equal("wrong results there", (long)result, 0);
    check("there was a storm", ticks > 100);
    return finish();
}

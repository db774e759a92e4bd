// 64 threads send each other signals, and fork meanwhile: every signal arrives, and every child ends as it should.
//# link: -lpthread
//# timeout: 60
#include <pthread.h>
#include "expect.h"

enum { THREADS = 64, ROUNDS = 4 };

static pthread_t threads[THREADS];
static pid_t numbers[THREADS];
static volatile int sent[THREADS], got[THREADS], bad;
static pthread_barrier_t begin, end;
static __thread int self = -1;

static void note(int signal, siginfo_t *info, void *context) {
    if (self >= 0) __sync_fetch_and_add(&got[self], 1);
    else bad++;
}

static void *work(void *argument) {
    self = (intptr_t)argument;
    numbers[self] = syscall(SYS_gettid);
    pthread_barrier_wait(&begin);
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 1; step < THREADS; step *= 4) {
            int to = (self + step) % THREADS;
            // Real-time signals are queued, one by one.
            if (syscall(SYS_tgkill, getpid(), numbers[to], SIGRTMIN + 1) == 0) __sync_fetch_and_add(&sent[to], 1);
        }
        pid_t child = fork();
        if (child == 0) _exit(self);
        int status = -1;
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != self) __sync_fetch_and_add(&bad, 1);
    }
    pthread_barrier_wait(&end);
    return 0;
}

int main(void) {
    on_signal(SIGRTMIN + 1, note, SA_RESTART);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_barrier_init(&begin, 0, THREADS);
    pthread_barrier_init(&end, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &attributes, work, (void *)(intptr_t)i)) return say("FAIL thread %d", i), 1;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    int right = 1;
    for (int i = 0; i < THREADS; i++) right &= sent[i] == got[i] && sent[i] == 3 * ROUNDS;
    check("every signal has arrived", right);
    equal("children that ended otherwise", bad, 0);
    return finish();
}

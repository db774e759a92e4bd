// In a storm of signals that two threads share, a thread's mask is at every moment what it has made it: asked, added to, inherited.
//# libc: static dynamic musl
//# link: -lpthread
//# timeout: 40
#include <pthread.h>
#include <time.h>
#include "storm.h"

static volatile long ticks, wrong;
static volatile int over;

static void tick(int signal, siginfo_t *info, void *context) { __sync_fetch_and_add(&ticks, 1); }

// Only glibc's own signals, and none that a program can name.
static int empty(const sigset_t *set) {
    for (int i = 1; i < 32; i++)
        if (sigismember(set, i) == 1) return 0;
    return 1;
}

static void ask(void) {
    sigset_t set, one, old;
    sigemptyset(&set);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    for (int i = 0; i < 50; i++) {
        pthread_sigmask(SIG_BLOCK, 0, &old);
        wrong += !empty(&old);
        pthread_sigmask(SIG_BLOCK, &one, &old);
        wrong += !empty(&old);
        pthread_sigmask(SIG_UNBLOCK, &one, &old);
        wrong += sigismember(&old, SIGUSR2) != 1 || sigismember(&old, SIGALRM) != 0;
    }
}

static void *inherits(void *argument) {
    sigset_t old;
    pthread_sigmask(SIG_BLOCK, 0, &old);
    return (void *)(long)!empty(&old);
}

static void *asks(void *argument) {
    while (!over) ask();
    return 0;
}

// The kernel chooses a thread that has not blocked the signal; this one always has, and sends.
static void *sends(void *argument) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, 0);
    while (!over) {
        kill(getpid(), SIGALRM);
        for (volatile int i = 0; i < 300; i++) {}
    }
    return 0;
}

int main(void) {
    on_signal(SIGALRM, tick, SA_RESTART);
    pthread_t asker, sender, child;
    pthread_create(&sender, 0, sends, 0);
    pthread_create(&asker, 0, asks, 0);
    // A busy machine does less, and sees the storm all the same.
    time_t start = time(0);
    for (int round = 0; round < 10 || (round < 300 && time(0) < start + 10); round++) {
        ask();
        void *result;
        pthread_create(&child, 0, inherits, 0);
        pthread_join(child, &result);
        wrong += (long)result;
        pid_t pid = must(fork());
        if (!pid) _exit(inherits(0) != 0);
        int status;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        wrong += status != 0;
    }
    over = 1;
    pthread_join(sender, 0);
    pthread_join(asker, 0);
    equal("wrong masks", wrong, 0);
    check("there was a storm", ticks >= 10);
    // And a signal still arrives.
    long before = ticks;
    kill(getpid(), SIGALRM);
    for (int i = 0; i < 1000 && ticks == before; i++) usleep(1000);
    check("the next signal comes", ticks > before);
    return finish();
}

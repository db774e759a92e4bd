// fork and exit of a process with several threads; exit while others wait.
//# libc: static dynamic musl
//# link: -lpthread
//# exit: 9
#include <pthread.h>
#include "expect.h"

static volatile int children;
static void *forks(void *argument) {
    for (int i = 0; i < 20; i++) {
        pid_t child = must(fork());
        if (!child) _exit(getpid() == (pid_t)syscall(SYS_gettid) ? 5 : 6);
        if (end_of(child) == 5) __sync_fetch_and_add(&children, 1);
    }
    return 0;
}
static void *waits(void *argument) { for (;;) pause(); }
static void *ends(void *argument) { exit(finish() ? 1 : 9); }

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i < 3 ? forks : waits, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    equal("children of three threads", children, 60);
    pthread_create(&t[0], 0, ends, 0);
    pthread_join(t[0], 0);
    for (;;) pause();
}

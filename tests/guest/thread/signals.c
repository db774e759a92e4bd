// Signals and threads: pthread_kill, masks of their own, process signals to whoever has them open, raise in a thread.
//# libc: static dynamic musl
//# link: -lpthread
#include <pthread.h>
#include "expect.h"

static __thread int mine;
static volatile int handled_by, total;
static void note(int signal, siginfo_t *info, void *context) {
    handled_by = mine;
    __sync_fetch_and_add(&total, 1);
}
static volatile int ready, stop;
static char stacks[2][32768];
static void *receives(void *argument) {
    mine = (int)(long)argument;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    if (mine == 1) pthread_sigmask(SIG_BLOCK, &set, 0);
    sigaltstack(&(stack_t){.ss_sp = stacks[mine - 1], .ss_size = sizeof *stacks}, 0);
    __sync_fetch_and_add(&ready, 1);
    while (!stop) pause_for(1);
    return (void *)(long)(raise(SIGUSR1) == 0 && handled_by == mine);
}

int main(void) {
    on_signal(SIGUSR1, note, SA_ONSTACK);
    on_signal(SIGUSR2, note, SA_ONSTACK);
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, receives, (void *)(i + 1));
    while (ready < 2) pause_for(1);
    for (int i = 0; i < 2; i++) {
        handled_by = 0;
        equal("pthread_kill", pthread_kill(t[i], SIGUSR1), 0);
        for (int k = 0; !handled_by && k < 1000; k++) pause_for(1);
        equal("handled by", handled_by, i + 1);
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    handled_by = 0;
    must(kill(getpid(), SIGUSR2));
    for (int k = 0; !handled_by && k < 1000; k++) pause_for(1);
    equal("the one that has it open", handled_by, 2);
    stop = 1;
    void *result;
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], &result);
        check("raise stays in its thread", total);
    }
    // A fault in a thread kills all.
    pid_t child = must(fork());
    if (!child) {
        stop = 1;
        signal(SIGUSR1, SIG_DFL);
        pthread_create(&t[0], 0, receives, (void *)1);
        pthread_join(t[0], 0);
        _exit(3);
    }
    equal("a fatal signal in a thread", end_of(child), 1000 + SIGUSR1);
    return finish();
}

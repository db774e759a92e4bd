// Threads that make their first call by the same int $0x80 at the same time: one of them finds it rewritten by another.
//# libc: static
//# link: -lpthread
#include "expect.h"
#include <pthread.h>

enum { THREADS = 3, SITES = 100, PROCESSES = 20, SIZE = 32 };

static unsigned char *sites;
static volatile int arrived, wrong;

static void *caller(void *unused) {
    for (int site = 0; site < SITES; site++) {
        __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
        while (arrived < (site + 1) * THREADS) sched_yield();
        if (((int (*)(void))(sites + site * SIZE))() != getpid()) wrong = 1;
    }
    return NULL;
}

// mov $SYS_getpid, %eax; int $0x80; ret; and what is between functions.
static const unsigned char code[] = {0xb8, SYS_getpid, 0, 0, 0, 0xcd, 0x80, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};

int main(void) {
    size_t length = SITES * SIZE;
    sites = mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int site = 0; site < SITES; site++) memcpy(sites + site * SIZE, code, sizeof code);
    must(mprotect(sites, length, PROT_READ | PROT_EXEC));
    int failed = 0;
    for (int process = 0; process < PROCESSES; process++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t threads[THREADS];
            for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, caller, 0);
            for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
            _exit(wrong);
        }
        int status;
        must(waitpid(child, &status, 0));
        if (status) failed = status;
    }
    equal("every call was made", failed, 0);
    return finish();
}

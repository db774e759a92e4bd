// Eight threads meet the same system call sites for the first time at the same moment, many times over.
//# link: -lpthread
#include <pthread.h>
#include "expect.h"

enum { THREADS = 8, SITES = 64, ROUNDS = 20 };
static unsigned char *code;
static pthread_barrier_t barrier;
static volatile int wrong;

static void *worker(void *argument) {
    pid_t pid = getpid();
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < SITES; i++)
            if (((int (*)(void))(code + i * 9))() != pid) __sync_fetch_and_add(&wrong, 1);
        pthread_barrier_wait(&barrier);
        if (argument) {
            munmap(code, 4096);
            mmap(code, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
            for (int i = 0; i < SITES; i++) memcpy(code + i * 9, "\xb8\x14\0\0\0\xcd\x80\xc3", 8);
        }
    }
    return 0;
}

int main(void) {
    code = must(mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (int i = 0; i < SITES; i++) memcpy(code + i * 9, "\xb8\x14\0\0\0\xcd\x80\xc3", 8);
    pthread_barrier_init(&barrier, 0, THREADS);
    pthread_t t[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&t[i], 0, worker, (void *)(long)(i == 0));
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
    equal("wrong results", wrong, 0);
    return finish();
}

// execve from a thread that is not the first: the whole process becomes the new program, with the old process number.
//# link: -lpthread
#include <pthread.h>
#include "expect.h"

static char pid[16];
static void *execs(void *argument) {
    execl("/proc/self/exe", "again", pid, (char *)0);
    _exit(50);
}
static void *waits(void *argument) { for (;;) pause(); }

int main(int argc, char **argv) {
    if (argc == 2) {
        equal("the same process", atoi(argv[1]), getpid());
        equal("the thread is the first one", syscall(SYS_gettid), getpid());
        return finish();
    }
    pthread_t t;
    sprintf(pid, "%d", getpid());
    pthread_create(&t, 0, waits, 0);
    pthread_create(&t, 0, execs, 0);
    for (;;) pause();
}

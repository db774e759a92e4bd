// Signals that hit every point of a system call's way in and out: getpid through each of libc's ways, 100,000 times.
//# libc: static musl
#include "storm.h"

static volatile int ticks;

static void tick(int signal, siginfo_t *info, void *context) {
    ticks++;
    after(100);
}

int main(void) {
    on_signal(SIGALRM, tick, 0);
    after(100);
    pid_t pid = getpid();
    int wrong = 0, fd = file_of("x");
    char c;
    for (int i = 0; i < 50000 || ticks <= 50; i++) {
        wrong += syscall(SYS_getpid) != pid;
        c = 0;
        wrong += pread(fd, &c, 1, 0) != 1 || c != 'x';
    }
    equal("wrong results", wrong, 0);
    check("signals", ticks > 50);
    return finish();
}

// A fault whose signal is blocked, or ignored, ends the process all the same.
#include "expect.h"

int main(void) {
    for (int i = 0; i < 3; i++) {
        pid_t child = must(fork());
        if (!child) {
            sigset_t set;
            sigemptyset(&set);
            sigaddset(&set, SIGSEGV);
            sigaddset(&set, SIGFPE);
            if (i == 0) sigprocmask(SIG_BLOCK, &set, 0);
            if (i == 1) signal(SIGSEGV, SIG_IGN);
            if (i == 2) {
                sigprocmask(SIG_BLOCK, &set, 0);
                volatile int zero = 0;
                _exit(7 / zero);
            }
            *(volatile int *)forbidden() = 1;
            _exit(0);
        }
        equal(i == 0 ? "blocked" : i == 1 ? "ignored" : "division, blocked", end_of(child), 1000 + (i == 2 ? SIGFPE : SIGSEGV));
    }
    return finish();
}

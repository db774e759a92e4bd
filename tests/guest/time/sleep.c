// nanosleep and clock_nanosleep: durations, absolute times, remainders, errors.
//# libc: static musl time64 dynamic
#include <sys/time.h>
#include "expect.h"

static volatile int signals;
static void count(int signal, siginfo_t *info, void *context) { signals++; }

int main(void) {
    struct timespec t = {0, 20000000}, left = {5, 5};
    long start = milliseconds();
    succeeds("nanosleep", nanosleep(&t, &left));
    check("long enough", milliseconds() - start >= 19);
    check("the remainder is untouched", left.tv_sec == 5 && left.tv_nsec == 5);
    fails("negative", nanosleep(&(struct timespec){-1, 0}, 0), EINVAL);
    fails("nanoseconds", nanosleep(&(struct timespec){0, 1000000000}, 0), EINVAL);
    must(clock_gettime(CLOCK_MONOTONIC, &t));
    t.tv_nsec += 15000000;
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    start = milliseconds();
    equal("absolute", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0), 0);
    check("long enough", milliseconds() - start >= 13);
    equal("absolute, past", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){1, 0}, 0), 0);
    equal("which clock", clock_nanosleep(77, 0, &t, 0), EINVAL);
    on_signal(SIGALRM, count, SA_RESTART);
    ualarm(10000, 0);
    t = (struct timespec){2, 500000000};
    fails("interrupted", nanosleep(&t, &left), EINTR);
    check("remainder", left.tv_sec <= 2 && left.tv_nsec < (left.tv_sec == 2 ? 500000000 : 1000000000) && (left.tv_sec || left.tv_nsec));
    ualarm(10000, 0);
    left = (struct timespec){7, 7};
    t.tv_sec = time(0) + 100;
    equal("absolute, interrupted", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, &left), EINTR);
    check("has no remainder", left.tv_sec == 7 && left.tv_nsec == 7);
    // Stop and continue: a sleep goes on, for the time that is left (restart_syscall).
    pid_t child = must(fork());
    if (!child) {
        t = (struct timespec){0, 120000000};
        long from = milliseconds();
        int result = nanosleep(&t, 0);
        long took = milliseconds() - from;
        _exit(result == 0 && took >= 115 ? 0 : 1);
    }
    pause_for(30);
    must(kill(child, SIGSTOP));
    pause_for(20);
    must(kill(child, SIGCONT));
    equal("stopped and continued", end_of(child), 0);
    equal("usleep", usleep(1000), 0);
    equal("sleep of zero", sleep(0), 0);
    return finish();
}

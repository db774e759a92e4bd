// setitimer, alarm, timer_create in its forms, timerfd.
//# libc: static dynamic time64
//# link: -lpthread -lrt
#include <poll.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include "expect.h"

static volatile int signals, notified, overruns;
static void count(int signal, siginfo_t *info, void *context) { signals++; }
static void notify(union sigval v) { notified = v.sival_int; }

// A timer whose signal is for one thread, which is not the one that makes it: nobody else takes it, although all could.
static volatile pid_t chosen, took;
static void take(int signal, siginfo_t *info, void *context) {
    took = syscall(SYS_gettid);
    if (info->si_code != SI_TIMER || info->si_value.sival_int != 32) took = -1;
}
static void *waits(void *argument) {
    chosen = syscall(SYS_gettid);
    for (int k = 0; !took && k < 2000; k++) pause_for(1);
    return NULL;
}
static void for_one_thread(void) {
    pthread_t threads[2];
    timer_t timer;
    on_signal(SIGUSR1, take, SA_RESTART | SA_SIGINFO);
    must(pthread_create(&threads[0], 0, waits, 0));
    while (!chosen) pause_for(1);
    pid_t first = chosen;
    must(pthread_create(&threads[1], 0, waits, 0));
    while (chosen == first) pause_for(1);
    struct sigevent e = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 32, ._sigev_un._tid = chosen};
    succeeds("SIGEV_THREAD_ID", timer_create(CLOCK_MONOTONIC, &e, &timer));
    succeeds("set", timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 1000000}}, 0));
    for (int i = 0; i < 2; i++) must(pthread_join(threads[i], 0));
    check("the chosen thread took it", took == chosen);
    succeeds("deleted", timer_delete(timer));
    e._sigev_un._tid = getppid();
    fails("a thread of another process", timer_create(CLOCK_MONOTONIC, &e, &timer), EINVAL);
}

int main(void) {
    on_signal(SIGALRM, count, SA_RESTART);
    on_signal(SIGVTALRM, count, SA_RESTART);
    struct itimerval i = {{0, 5000}, {0, 5000}}, old;
    succeeds("setitimer", setitimer(ITIMER_REAL, &i, 0));
    while (signals < 5) pause_for(1);
    succeeds("getitimer", getitimer(ITIMER_REAL, &old));
    check("interval", old.it_interval.tv_usec == 5000 && old.it_value.tv_usec <= 5000);
    i = (struct itimerval){};
    succeeds("off", setitimer(ITIMER_REAL, &i, &old));
    check("the old one", old.it_interval.tv_usec == 5000);
    signals = 0;
    must(setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {0, 10000}}, 0));
    while (!signals) {}
    equal("virtual", signals, 1);
    fails("which", setitimer(9, &i, 0), EINVAL);
    fails("microseconds", setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 1000000}}, 0), EINVAL);
    fails("nowhere", syscall(SYS_setitimer, ITIMER_REAL, forbidden(), 0), EFAULT);
    equal("alarm", alarm(100), 0);
    check("returns what is left", alarm(0) >= 99);

    timer_t timer;
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    succeeds("timer_create", timer_create(CLOCK_MONOTONIC, &e, &timer));
    signals = 0;
    struct itimerspec s = {{0, 1000000}, {0, 1000000}}, was;
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGALRM);
    sigprocmask(SIG_BLOCK, &block, 0);
    succeeds("timer_settime", timer_settime(timer, 0, &s, 0));
    pause_for(20);
    succeeds("timer_gettime", timer_gettime(timer, &was));
    check("interval", was.it_interval.tv_nsec == 1000000);
    siginfo_t info;
    equal("one signal", sigwaitinfo(&block, &info), SIGALRM);
    check("that stands for many", info.si_overrun >= 5 && info.si_code == SI_TIMER);
    check("timer_getoverrun", timer_getoverrun(timer) >= 5);
    succeeds("timer_delete", timer_delete(timer));
    e = (struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify, .sigev_value.sival_int = 31};
    must(timer_create(CLOCK_REALTIME, &e, &timer));
    must(timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 1000000}}, 0));
    for (int k = 0; !notified && k < 2000; k++) pause_for(1);
    equal("in a thread", notified, 31);
    for_one_thread();
    e = (struct sigevent){.sigev_notify = 99};
    fails("how", timer_create(CLOCK_REALTIME, &e, &timer), EINVAL);
    fails("which clock", timer_create(99, 0, &timer), EINVAL);

    int fd = must(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
    uint64_t ticks;
    fails("not yet", read(fd, &ticks, 8), EAGAIN);
    s = (struct itimerspec){{0, 2000000}, {0, 3000000}};
    succeeds("timerfd_settime", timerfd_settime(fd, 0, &s, 0));
    equal("poll", poll(&(struct pollfd){fd, POLLIN}, 1, 1000), 1);
    pause_for(10);
    equal("read", read(fd, &ticks, 8), 8);
    check("ticks", ticks >= 3);
    succeeds("timerfd_gettime", timerfd_gettime(fd, &was));
    check("interval", was.it_interval.tv_nsec == 2000000 && was.it_value.tv_nsec <= 2000000);
    fails("short read", read(fd, &ticks, 4), EINVAL);
    fails("nanoseconds", timerfd_settime(fd, 0, &(struct itimerspec){{0, 0}, {0, -1}}, 0), EINVAL);
    fails("clock", timerfd_create(99, 0), EINVAL);
    fails("not a timer", timerfd_gettime(1, &was), EINVAL);
    return finish();
}

// Times after 2038 with 64-bit time_t.
//# libc: time64 musl
#include <sys/timerfd.h>
//# link: -lrt
#include "expect.h"

int main(void) {
    equal("time_t", sizeof(time_t), 8);
    struct timespec times[2] = {{4102444800LL, 1}, {4102444801LL, 2}};
    must(close(must(open("f", O_CREAT | O_WRONLY, 0600))));
    succeeds("utimensat", utimensat(AT_FDCWD, "f", times, 0));
    struct stat s;
    must(stat("f", &s));
    check("stat", s.st_atime == 4102444800LL && s.st_mtime == 4102444801LL && s.st_mtim.tv_nsec == 2);
    int fd = must(timerfd_create(CLOCK_REALTIME, 0));
    struct itimerspec i = {{0, 0}, {4102444800LL, 0}}, now;
    succeeds("timerfd", timerfd_settime(fd, TFD_TIMER_ABSTIME, &i, 0));
    must(timerfd_gettime(fd, &now));
    check("far", now.it_value.tv_sec > 2000000000LL);
    timer_t timer;
    struct sigevent e = {.sigev_notify = SIGEV_NONE};
    must(timer_create(CLOCK_REALTIME, &e, &timer));
    succeeds("timer", timer_settime(timer, TIMER_ABSTIME, &i, 0));
    must(timer_gettime(timer, &now));
    check("far", now.it_value.tv_sec > 2000000000LL);
    time_t t = 4102444800LL;
    check("gmtime", gmtime(&t)->tm_year == 200);
    return finish();
}

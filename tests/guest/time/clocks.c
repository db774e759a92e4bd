// Every clock: readable, moving as it should, with a resolution; the vDSO and the system call agree.
//# libc: static dynamic musl time64
#include <sys/time.h>
#include <sys/times.h>
#include "expect.h"

static long long ns(struct timespec t) { return t.tv_sec * 1000000000LL + t.tv_nsec; }

int main(void) {
    struct timespec a, b, c;
    struct { int id; const char *name; } clocks[] = {
        {CLOCK_REALTIME, "realtime"}, {CLOCK_MONOTONIC, "monotonic"}, {CLOCK_PROCESS_CPUTIME_ID, "process"}, {CLOCK_THREAD_CPUTIME_ID, "thread"},
        {CLOCK_MONOTONIC_RAW, "raw"}, {CLOCK_REALTIME_COARSE, "realtime coarse"}, {CLOCK_MONOTONIC_COARSE, "monotonic coarse"}, {CLOCK_BOOTTIME, "boot"}, {11, "TAI"}};
    for (int i = 0; i < 9; i++) {
        int backwards = 0;
        must(clock_gettime(clocks[i].id, &a));
        for (int k = 0; k < 2000; k++) {
            must(clock_gettime(clocks[i].id, &b));
            backwards += ns(b) < ns(a) || b.tv_nsec < 0 || b.tv_nsec > 999999999;
            a = b;
        }
        equal(clocks[i].name, backwards, 0);
        succeeds("resolution", clock_getres(clocks[i].id, &b));
        check("positive", ns(b) > 0 && ns(b) <= 10000000);
    }
    must(clock_gettime(CLOCK_REALTIME, &a));
    struct timeval v;
    must(gettimeofday(&v, 0));
    time_t t = time(0);
    must(clock_gettime(CLOCK_REALTIME, &c));
    check("gettimeofday is between", v.tv_sec * 1000000000LL + v.tv_usec * 1000LL >= ns(a) - 1000 && v.tv_sec * 1000000000LL + v.tv_usec * 1000LL <= ns(c));
    check("time is near", t >= a.tv_sec - 1 && t <= c.tv_sec);
    fails("a clock that is none", clock_gettime(77, &a), EINVAL);
    fails("setting monotonic", clock_settime(CLOCK_MONOTONIC, &a), EINVAL);
    clockid_t own;
    equal("own CPU clock", clock_getcpuclockid(0, &own), 0);
    succeeds("readable", clock_gettime(own, &a));
    struct tms tms;
    check("times", times(&tms) != -1 && tms.tms_utime >= 0);
    check("clock", clock() >= 0);
    for (volatile long i = 0; i < 20000000; i++) {}
    must(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a));
    check("CPU time passes", ns(a) > 1000000);
    struct tm *tm = gmtime(&(time_t){1700000000});
    check("gmtime", tm->tm_year == 123 && tm->tm_mon == 10 && tm->tm_mday == 14);
    return finish();
}
